package intents

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/classify"
)

// Words that are no chore may be near to one, or name things that a person could want on a list. The file of each language says, in
// words.offers, what can be done with such things: a label, and a sentence with {things} in it. A sentence with {fact} is for what a person says of
// what is theirs.

const (
	mostSimilar   = 3    // how many examples are named
	mostOffered   = 4    // how many things are offered to be kept
	longestFact   = 30   // words of what is offered to be remembered
	longestBehind = 4    // words of a question behind what it is about: what was it?
	leastSimilar  = 0.15 // chance of their kind
)

// Offer is what can be done with things: a word for it, and the sentence.
type Offer struct{ Label, Sentence string }

// Suggest returns, in a language, what can be done with the things that a text is, if it is no more than some things, or with what it says of its
// person, or else which examples of the help are near to it.
func (s *Sentences) Suggest(lang, text string) (similar []string, offers []Offer) {
	l, t := s.speaks(cmp.Or(s.LanguageOf(text), lang, "en"), text), fold(text)
	said, slot := l.thingsIn(t), "{things}"
	if said == "" && l.tellsOfOwn(t) {
		said, slot = strings.TrimRight(strings.TrimSpace(text), ".。"), "{fact}"
	}
	if said == "" {
		return s.similar(l, t), nil
	}
	for row := range strings.Lines(l.section("offers")) {
		label, sentence, _ := strings.Cut(strings.TrimSpace(row), "\t")
		if !strings.Contains(sentence, slot) {
			continue
		}
		sentence = strings.ReplaceAll(sentence, slot, said)
		if r := s.ReadIn(l.name, sentence); r.Kind == "" || !l.isShort(r) {
			return s.similar(l, t), nil // they are no things
		}
		offers = append(offers, Offer{label, sentence})
	}
	return nil, offers
}

// Wonders reports whether a text asks for something that its person may have noted, and in which language: it begins as such a question does,
// and wants nothing done.
func (s *Sentences) Wonders(lang, text string) (in string, ok bool) {
	t := fold(text)
	l := s.speaks(cmp.Or(s.LanguageOf(text), lang, "en"), text)
	if strings.ContainsAny(strings.TrimSpace(text), "\n\r") || len(l.wordsOf(t.norm)) > longestAnswer {
		return "", false
	}
	if l.name == "zh" {
		return l.name, l.contains("wonders", t.norm)
	}
	what, ends := l.withoutEnd("wonders", t.norm) // the code of the gate is what?
	m, wonders := &matcher{folded: t, lang: l}, l.begins("wonders", t.norm) || ends && len(l.wordsOf(what)) > 1
	m.rule("wondering", m.skip(0), func(end int) { // you don't remember what size Ben has, do you?
		wonders = wonders || l.begins("wonders", t.norm[m.skip(end):])
	})
	clauses := t.clausesOf()
	if last := t.trimmed(clauses[len(clauses)-1]); len(clauses) == 2 && len(m.wordsIn(last.from, last.to)) <= longestBehind { // Ben's shoe size, what was it?
		wonders = wonders || l.begins("wonders", t.norm[last.from:last.to])
	}
	return l.name, wonders
}

// speaks returns the language of a text: the one whose word for buying it begins with, or else the one of that name.
func (s *Sentences) speaks(name, text string) *language {
	all, t := s.langs(), fold(text)
	if i := slices.IndexFunc(all, func(l language) bool { return l.mayBe(t) && l.begins("buys", t.norm) }); i >= 0 {
		return &all[i]
	}
	return languageNamed(all, name)
}

// thingsIn returns the things that a text is: a word or two, or some of them, without what says that they are to be bought. It is ""
// where the text asks, says yes or no, or wants something else.
func (l *language) thingsIn(t folded) string {
	if t.asks || strings.ContainsAny(t.norm, "/#:.!\"\n") {
		return ""
	}
	things := t.norm
	for word := range l.list("buys") {
		if rest, ok := strings.CutPrefix(t.norm, word); ok && t.isBoundary(len(word)) {
			things = strings.TrimLeft(rest, " ")
			break
		}
	}
	words := l.wordsOf(things)
	if len(words) == 0 || len(words) > 2*mostOffered || utf8.RuneCountInString(things) > 60 {
		return ""
	}
	if l.hasWord(things, "verbs", "states", "negation", "condition", "starters", "greets", "scorn", "stalls", "yes", "no", "calls", "tells", "copulas") {
		return ""
	}
	from := len(t.norm) - len(things)
	return t.original(from, len(t.norm))
}

// tellsOfOwn reports whether a text says something of what is its person's own: "my birthday is 4 May". What names a list, a note or a file of theirs wants
// something done with it.
func (l *language) tellsOfOwn(t folded) bool {
	words := l.wordsOf(t.norm)
	return !t.asks && !strings.Contains(t.norm, "\n") && len(words) > 2 && len(words) <= longestFact && l.startsWith("owns", t.norm) &&
		!l.hasWord(t.norm, "nouns", "clocks", "scorn")
}

// isShort reports whether what a reading keeps is a few things, each of a word or two.
func (l *language) isShort(r Reading) bool {
	var args struct{ Items []string }
	if json.Unmarshal(r.Call.Args, &args) != nil || len(args.Items) == 0 {
		return true // it is a note, or asks when
	}
	return len(args.Items) <= mostOffered && !slices.ContainsFunc(args.Items, func(item string) bool { return len(l.wordsOf(item)) > 2 })
}

// similar returns the examples of the help that are of the likeliest kinds of a text, one of each.
func (s *Sentences) similar(l *language, t folded) (found []string) {
	kinds, _, _ := l.likely(t)
	examples := l.examples()
	for _, k := range kinds {
		if k.Chance < leastSimilar || len(found) == mostSimilar {
			break
		}
		base, _, _ := strings.Cut(k.Name, "/")
		if base == classify.None {
			continue
		}
		if i := slices.IndexFunc(examples, func(example string) bool { return s.ReadIn(l.name, example).Kind == base }); i >= 0 {
			found = append(found, examples[i])
			examples = slices.Delete(examples, i, i+1)
		}
	}
	return found
}

// examples returns the examples of the help.
func (l *language) examples() (all []string) {
	for line := range strings.Lines(l.section("help")) {
		some, _ := examplesIn(line)
		all = append(all, some...)
	}
	return all
}

// examplesIn returns the examples of a line of the help, and what stands between them.
func examplesIn(line string) (all []string, separator string) {
	line, isExample := strings.CutPrefix(strings.TrimSpace(line), "- ")
	if !isExample {
		return nil, ""
	}
	line, _, _ = strings.Cut(strings.ReplaceAll(line, "：", ": "), ": ")
	if separator = "；"; !strings.Contains(line, separator) {
		separator = "; "
	}
	return strings.Split(line, separator), separator
}
