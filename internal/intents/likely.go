package intents

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"hob/internal/classify"
)

// What no sentence has room for may still be a chore. A classifier, which has learned from thousands of sentences of people, says of which kind a text
// most likely is, and which of its words are what a person fills in. These are put into the plainest sentence of that kind, and that is read like any
// other: what is no chore in plain words is none. In this folder `go run ./learn` makes likely.bin anew.

//go:embed likely.bin
var learned string

const (
	mostTokens = 40 // of a text that is guessed at, letters of Chinese are tokens
	mostBytes  = 300
	mostPlain  = 20 // sentences of a kind that are tried
	mostWays   = 8  // to fill its slots

	leastChance = 0.75 // of a guess
)

// classifiers returns what was learned, by language.
var classifiers = sync.OnceValue(func() map[string]func() *classify.Model { return classify.Unpack(learned, classify.Letters) })

// Guess returns what a text may mean that is no chore, with a score below 1.
func (s *Sentences) Guess(text string) (best Reading) {
	t := fold(text)
	if len(t.norm) > mostBytes {
		return Reading{}
	}
	for _, l := range s.spokenIn(t) {
		if l.hasLongPhrase("condition", t.norm) || l.hasLongPhrase("negation", t.norm) || l.remindsToo(t) {
			continue
		}
		kinds, tokens, at := l.likely(t)
		if len(kinds) == 0 || kinds[0].Chance < best.Score || kinds[0].Name == classify.None {
			continue
		}
		if r := s.guessOf(l, t, kinds[0].Name, tokens, at); r.Kind != "" && kinds[0].Chance >= leastChance {
			best = r.scored(min(kinds[0].Chance, 1-perMistake))
		}
	}
	return best
}

// guessOf returns what a text of a kind may mean: the first of the likeliest ways to fill the slots that makes a sentence without leaving out anything that
// matters. Of what acts, no slot lies elsewhere than in the likeliest way.
func (s *Sentences) guessOf(l *language, t folded, kind string, tokens []classify.Token, at []span) Reading {
	saysTime, ways := l.saysTime(t.text), classifiers()[l.name]().Slots(kind, tokens, mostWays)
	for _, slots := range ways {
		fill, rest := filled(t, slots, at)
		isEmptyFile := strings.HasPrefix(kind, "file_make") && fill["content"] == "" // what was to be written would be left out
		if fill == nil || isEmptyFile || saysTime && l.saysTime(rest) || strings.Contains(strings.ReplaceAll(rest, `""`, ""), `"`) {
			continue
		}
		r, said := s.plainly(l, kind, fill)
		isLater := r.from != nil && slices.ContainsFunc(r.from.slots, slot.isLater)
		if r.isCall() && (!isLater || l.saysSameTime(t.text, said)) && !leavesOut(fold(said).norm, t, tokens, at) && (!r.Acts || sharesWords(slots, ways[0]) && !l.begins("condition", t.norm)) {
			return r
		}
	}
	return Reading{}
}

// sharesWords reports whether each slot of a way to fill some has a word that it has in another way, too.
func sharesWords(way, other []string) bool {
	return !slices.ContainsFunc(way, func(slot string) bool {
		for i := range way {
			if way[i] == slot && other[i] == slot {
				return false
			}
		}
		return true
	})
}

// remindsToo reports whether a reminder is asked for behind another order, of which a guess would make one chore.
func (l *language) remindsToo(t folded) bool {
	m := &matcher{folded: t, lang: l}
	return slices.ContainsFunc(m.wordsIn(0, len(t.norm)), func(w foundWord) bool {
		return w.from > 0 && m.isJoined(0, w.from) && l.has("reminds", w.text)
	})
}

// spokenIn returns the languages that a text may be of.
func (s *Sentences) spokenIn(t folded) (all []*language) {
	langs, spoken := s.langs(), s.LanguageOf(t.text)
	for i := range langs {
		if l := &langs[i]; l.name == spoken || spoken == "" && l.mayBe(t) {
			all = append(all, l)
		}
	}
	return all
}

// likely returns the kinds that a text may be of, the likeliest first, and its tokens, with where they stand.
func (l *language) likely(t folded) (kinds []classify.Kind, tokens []classify.Token, at []span) {
	classifier := classifiers()[l.name]
	if classifier == nil || len(t.norm) > mostBytes {
		return nil, nil, nil
	}
	tokens, at = l.tokensOf(t)
	if len(tokens) == 0 || len(tokens) > mostTokens {
		return nil, nil, nil
	}
	return classifier().Kinds(tokens), tokens, at
}

// filled returns the words of a text that stand in slots, and the rest of it. The words of a time may stand apart, those of other slots are all that stand
// from the first one to the last. There are none where one slot lies in another.
func filled(t folded, slots []string, at []span) (fill map[string]string, rest string) {
	stands := map[string][]span{}
	for i, slot := range slots {
		old := stands[slot]
		switch last := len(old) - 1; {
		case slot == "":
		case last < 0 || slot == "before" && slots[i-1] != slot:
			stands[slot] = append(old, at[i])
		default:
			old[last].to = at[i].to
		}
	}
	fill = map[string]string{}
	var taken []span
	for slot, all := range stands {
		var words []string
		for _, s := range all {
			if slices.ContainsFunc(taken, func(other span) bool { return other.from < s.to && s.from < other.to }) {
				return nil, ""
			}
			taken, words = append(taken, s), append(words, strings.Trim(t.original(s.from, s.to), " ,;:，；："))
		}
		fill[slot] = strings.Join(words, " ")
	}
	from := 0
	slices.SortFunc(taken, func(a, b span) int { return a.from - b.from })
	for _, s := range append(taken, span{len(t.norm), 0}) {
		rest, from = rest+t.norm[from:s.from], s.to
	}
	return fill, rest
}

// leavesOut reports whether a sentence that was made of a text lacks a number, a name of a file, a list, a city or the like that the text has.
func leavesOut(said string, t folded, tokens []classify.Token, at []span) bool {
	for i, token := range tokens {
		isName := strings.ContainsAny(token.Text, `/\@_`) || slices.ContainsFunc(token.Marks, func(mark string) bool {
			return mark == isNumber || strings.HasPrefix(mark, shapeMark) || strings.HasPrefix(mark, valueMark)
		})
		if isName && !strings.Contains(said, t.norm[at[i].from:at[i].to]) {
			return true
		}
	}
	return false
}

// plainly returns the reading of the plainest sentence of a kind that has just the slots that are filled in, and the sentence. The zero Reading means that
// there is none.
func (s *Sentences) plainly(l *language, kind string, fill map[string]string) (r Reading, said string) {
	all := templates{l.section("templates"), l.section("programs")}
	for tried := 0; all.heads != "" && tried < mostPlain; {
		one := all.next()
		if one.kind != kind {
			continue
		}
		words, used, ok := l.plainest(one.program, fill)
		if !ok || len(used) < len(fill) {
			continue
		}
		tried++
		if r := s.ReadIn(l.name, words); r.from != nil && r.from.kind == kind && r.from.isFilledWith(fill) {
			return r, words
		}
	}
	return Reading{}, ""
}

// isFilledWith reports whether the slots of a parse hold these words, and no word of the sentence that was made of them: "get bread" is no thing.
func (p parse) isFilledWith(fill map[string]string) bool {
	return !slices.ContainsFunc(p.slots, func(s slot) bool {
		return fold(p.text.original(s.from, s.to)).norm != fold(fill[s.name]).norm
	})
}

// plainest returns the words of a program with slots filled in: without what may be missing, and else with the first of a choice. It says which slots it
// used; not ok means that it has others.
func (l *language) plainest(program string, fill map[string]string) (words string, used []string, ok bool) {
	var all []string
	for program != "" {
		in := decode(program)
		program = in.rest
		switch in.op {
		case opLiteral:
			all = append(all, in.text)
		case opSlot:
			if fill[in.text] == "" {
				return "", nil, false
			}
			all, used = append(all, fill[in.text]), append(used, in.text)
		case opRule:
			part, with, ok := l.plainest(l.section("rule."+in.text), fill)
			if !ok {
				return "", nil, false
			}
			all, used = append(all, part), append(used, with...)
		case opChoice:
			part, with, found := "", []string(nil), false
			for option := range in.all {
				words, slots, ok := l.plainest(option, fill)
				if ok && (!found || len(slots) > len(with) || len(slots) == len(with) && words == "") {
					part, with, found = words, slots, true
				}
			}
			if !found {
				return "", nil, false
			}
			all, used = append(all, part), append(used, with...)
		}
	}
	between := " "
	if l.name == "zh" {
		between = ""
	}
	return strings.Join(slices.DeleteFunc(all, func(part string) bool { return part == "" }), between), used, true
}

// Marks of tokens.
const (
	isNumber  = "number"
	listMark  = "list "
	valueMark = "value "
	shapeMark = "shape "
)

// What marks tokens: lists of words and tables of values of the language, and types of slots.
const (
	markingLists  = "articles behind clocks condition daytimes fillers finite goods hangs negation nouns reminds reported spans starters states times verbs"
	markingValues = "day list tale tool zone"
	markingShapes = "dice path sum url"
)

// tokensOf cuts a text into what the classifier knows, and says where each token stands.
func (l *language) tokensOf(t folded) (all []classify.Token, at []span) {
	from := -1
	end := func(to int) {
		if from >= 0 {
			at = append(at, span{from, to})
		}
		from = -1
	}
	for i, r := range t.norm {
		switch {
		case unicode.IsSpace(r):
			end(i)
		case isHan(r) || strings.ContainsRune(`,;:!?"()`, r):
			end(i)
			at = append(at, span{i, i + len(string(r))})
		case from < 0:
			from = i
		}
	}
	end(len(t.norm))
	for _, s := range at {
		all = append(all, l.token(t.norm[s.from:s.to]))
	}
	m := &matcher{folded: t, lang: l}
	for i, s := range at {
		mark := func(name string, to int) {
			for n := i; n < len(at) && at[n].to <= to; n++ {
				all[n].Marks = append(all[n].Marks, name)
			}
		}
		for table := range strings.FieldsSeq(markingValues) {
			longest := 0
			l.values(table, t.norm[s.from:], func(written, _ string) {
				if to := s.from + len(written); t.isBoundary(to) {
					longest = max(longest, to)
				}
			})
			mark(valueMark+table, longest)
		}
		for kind := range strings.FieldsSeq(markingShapes) {
			longest := 0
			m.fill(kind, s.from, func(to int, _ any) { longest = max(longest, to) })
			mark(shapeMark+kind, longest)
		}
	}
	return all, at
}

// token returns a word with its marks. Of numbers only the length counts.
func (l *language) token(word string) classify.Token {
	token := classify.Token{Text: word}
	if strings.ContainsFunc(word, unicode.IsDigit) {
		token.Marks = append(token.Marks, isNumber)
	}
	if numberShape().FindString(word) == word {
		token.Text = strings.Repeat("0", len(word))
	}
	for list := range strings.FieldsSeq(markingLists) {
		if l.has(list, word) {
			token.Marks = append(token.Marks, listMark+list)
		}
	}
	return token
}
