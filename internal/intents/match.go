package intents

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/editdistance"
)

// parse is one way in which a text follows a sentence.
type parse struct {
	lang     *language
	text     folded
	kind     string // "?" before it: something is missing
	slots    []slot
	letters  int // bytes of the text that the sentence itself has
	forgiven int // letters and words that do not fit
	asks     bool
	polite   bool // it asks politely to do something
}

// slot is what a person filled in.
type slot struct {
	name, kind string
	value      any // a string, []string or int
	from, to   int // where it stands in the folded text
}

// compare returns more than 0 where p follows the text more closely than q.
func (p parse) compare(q parse) int {
	if p.forgiven != q.forgiven {
		return q.forgiven - p.forgiven
	}
	if p.letters != q.letters {
		return p.letters - q.letters
	}
	if lacks := strings.Count(q.kind[:1], missing) - strings.Count(p.kind[:1], missing); lacks != 0 { // what lacks nothing is nearer
		return lacks
	}
	return p.topics() - q.topics() // "the topic garden" is one
}

// topics returns how many topics the slots name.
func (p parse) topics() (n int) {
	for _, s := range p.slots {
		if s.name == "topic" {
			n++
		}
	}
	return n
}

// isOwn reports whether the sentence is an owner's.
func (p parse) isOwn() bool { return strings.HasPrefix(p.kind, ownMark) }

// isCertain reports whether the slots of a text hold nothing that the language finds doubtful.
func (l *language) isCertain(t folded, slots []slot) bool {
	m := &matcher{folded: t, lang: l}
	return !slices.ContainsFunc(slots, func(s slot) bool { return m.doubtOf(s) != "" })
}

// things returns how many things the lists of the slots hold.
func (p parse) things() (n int) {
	for _, s := range p.slots {
		if items, ok := s.value.([]string); ok {
			n += len(items)
		}
	}
	return n
}

// isTooLong reports whether what may be a thing of a list is more than a word or two, where nothing else says that there is a list.
func (p parse) isTooLong() bool {
	return kindOf(p.kind).bare && slices.ContainsFunc(p.slots, func(s slot) bool {
		items, _ := s.value.([]string)
		return slices.ContainsFunc(items, func(item string) bool {
			return len(strings.Fields(item)) > 2 || strings.ContainsFunc(item, isHan) && utf8.RuneCountInString(item) > 6
		})
	})
}

// maxSteps is how many instructions are tried on one text in a language. Sentences need some thousands.
const maxSteps = 400_000

// matcher holds a text against the sentences of a language.
type matcher struct {
	folded
	lang  *language
	loose bool
	steps int
	ways  map[part][]way    // of rules without a slot, and of slots
	timed map[string]timed  // by the words of names
	words map[int]looseWord // by where they begin

	// of the sentence that is tried now
	slots    []slot
	letters  int
	forgiven int
}

// parses returns all the ways in which a text follows sentences of the language. Where there are none, what is said behind the last comma
// may be why it is wanted, as in "untick the bread, it was mouldy".
func (l *language) parses(t folded, loose bool) []parse {
	orders, sure := l.orders(t, loose)
	if sure {
		return orders
	}
	if all := l.parsesBehindStory(t, loose); len(all) > 0 {
		return all
	}
	if !slices.ContainsFunc(orders, parse.saysWhen) {
		if all := l.parsesOfNudged(t, loose); len(all) > 0 {
			return all
		}
	}
	return orders
}

// orders is parses of a text that does not begin with a story, and whether they need none before them.
func (l *language) orders(t folded, loose bool) (all []parse, sure bool) {
	whole := slices.DeleteFunc(l.parsesOf(t, loose), parse.runsPastQuestion)
	order, hasReason, isSure := l.withoutReason(t)
	if len(whole) > 0 && !l.mayBeTalk(t, whole, isSure) {
		return whole, true
	}
	if all = l.saidTwice(t); len(all) > 0 {
		return all, true
	}
	if hasReason {
		reason := t.norm[len(order.norm):]
		all, _ = l.orders(order, loose)
		all = slices.DeleteFunc(all, func(p parse) bool {
			lacks := l.name == "zh" && len(whole) > 0 && strings.HasPrefix(p.kind, missing) // what would lack a thing has it there
			return p.isOwn() || !p.endsBefore(order, reason) || !isSure && !p.onlyLooks() || lacks
		})
		if len(all) > 0 {
			return all, true
		}
	}
	if all = l.parsesOfMentioned(t, loose); len(all) > 0 {
		return all, true
	}
	if l.name == "zh" && len(whole) == 0 {
		if all = l.parsesAroundReason(t, loose); len(all) > 0 {
			return all, true
		}
	}
	return whole, false
}

// mayBeTalk reports whether no parse of a text is nearer to its words than those that take talk for the words of a reminder. What may be a
// reason, "set it for 8, I'm on nights", is talk whatever is near.
func (l *language) mayBeTalk(t folded, all []parse, hasReason bool) bool {
	isDoubtful := func(p parse) bool { return l.isDoubtful(t, p) }
	isNoDay := func(p parse) bool { return p.has("day") && !p.saysWhen() } // of those that show a day others may have the day alone
	if all = slices.DeleteFunc(slices.Clone(all), isNoDay); len(all) == 0 {
		return true
	}
	sure := slices.DeleteFunc(slices.Clone(all), isDoubtful)
	if hasReason && !slices.ContainsFunc(sure, func(p parse) bool { return p.kind == "timer/named" }) { // timer for 7 minutes, the tea is brewing
		return slices.ContainsFunc(all, isDoubtful)
	}
	return slices.ContainsFunc(all, func(p parse) bool {
		return isDoubtful(p) && !slices.ContainsFunc(sure, func(q parse) bool { return q.compare(p) > 0 })
	})
}

// saidTwice returns how both halves of a text are read, where they mean the same: "What do we need? Show me the shopping list". What acts
// may be wanted twice.
func (l *language) saidTwice(t folded) []parse {
	s := Default()
	for at, tried := 1, 0; at+1 < len(t.norm) && tried < 3; at++ {
		if strings.IndexByte("?!.,", t.norm[at]) < 0 || t.norm[at+1] != ' ' && !isHan([]rune(t.norm[at+1:])[0]) {
			continue
		}
		tried++
		first, second := t, t
		first.norm, first.asks = strings.TrimRight(t.norm[:at], " "), t.norm[at] == '?'
		rest := strings.TrimLeft(t.norm[at+1:], " ")
		second.norm, second.at = rest, t.at[len(t.norm)-len(rest):]
		before := slices.DeleteFunc(l.parsesOf(first, false), parse.isOwn)
		if len(before) == 0 {
			continue
		}
		after := slices.DeleteFunc(l.parsesOf(second, false), parse.isOwn)
		if len(after) == 0 {
			continue
		}
		a, b := s.choose(before), s.choose(after)
		if a.Kind != "" && !a.Acts && a.Kind == b.Kind && string(a.Call.Args) == string(b.Call.Args) && a.Ask == b.Ask {
			return after
		}
	}
	return nil
}

// parsesOf returns the ways in which the whole of a text follows sentences of the language.
func (l *language) parsesOf(t folded, loose bool) (all []parse) {
	m := &matcher{folded: t, lang: l, loose: loose, timed: map[string]timed{}, words: map[int]looseWord{}}
	begins := map[int]bool{m.skip(0): true} // where a sentence may begin, false where only one that looks may
	m.sequence(l.section("before"), 0, func(pos int) { begins[m.skip(pos)] = true })
	if last := m.behindComma(begins); !loose {
		maps.DeleteFunc(begins, func(begin int, _ bool) bool { return begin < last }) // "ah, please", and not the things ah and please
	}
	for begin := range maps.Clone(begins) { // Ben wants to know what's on the list
		m.rule("wondering", begin, func(end int) { begins[m.skip(end)] = begins[m.skip(end)] })
	}
	polite := false
	for _, clause := range t.clausesOf() { // the order may be the last: "at 5 call Ana, will you remind me?"
		m.sequence(l.section("polite"), t.trimmed(clause).from, func(int) { polite = true })
	}
	asks := t.asks || l.ends("asks", t.norm) || asksWhether(t.norm)
	polite = polite || l.ends("tags", t.norm)
	skipped := map[string]bool{} // what is left out: a question wants nothing done
	looks := map[string]bool{}
	for _, k := range kinds() {
		looks[k.name] = k.tool != "" && !k.acts
		isElsewhere := !k.mayFollow(t.after)
		skipped[k.name], skipped[missing+k.name] = asks && !polite && k.acts || isElsewhere, isElsewhere
	}
	words, after := l.needed(), l.section("after")
	needed := &neededWordsOf{matcher: m, words: words, found: make([]int8, len(words.starts))}
	try := func(sentence template) {
		if skipped[sentence.kind] || !needed.mayFit(sentence.needs) {
			return
		}
		for begin, isFirst := range begins {
			if !isFirst && !looks[sentence.kind] {
				continue
			}
			m.letters, m.forgiven = 0, 0
			m.sequence(sentence.program, begin, func(pos int) {
				m.sequence(after, pos, func(pos int) {
					if m.skip(pos) < len(m.norm) {
						return
					}
					if slots, ok := m.filled(m.skip(begin)); ok && m.doubtOfSentence(sentence.kind, begin, slots) == "" {
						p := parse{l, t, sentence.kind, slots, m.letters, m.forgiven, asks, polite}
						if p.kind == "remind/day" && !p.saysOfHappening() { // any clause stands where one says which day it is
							return
						}
						all = append(all, p)
					}
				})
			})
		}
	}
	sets := []templates{{l.section("templates"), l.section("programs")}, l.own}
	if t.after != "" { // an owner's sentences follow no call
		sets = sets[:1]
	}
	for _, rest := range sets {
		for rest.heads != "" {
			try(rest.next())
		}
	}
	return all
}

// filled returns the slots with their values, and whether all of them are certain. The sentence begins at begin.
func (m *matcher) filled(begin int) ([]slot, bool) {
	slots := slices.Clone(m.slots)
	for i, s := range slots {
		if s.is(many) && s.from == begin && (m.orders(s) || m.beginsWithVerb(s)) && !m.belongsOnTodo(s, slots) {
			return nil, false
		}
		if s.value == nil {
			value, ok := m.wordsOf(s)
			if !ok {
				return nil, false
			}
			slots[i].value = value
		}
		if m.doubtOf(s) != "" || m.isVague(slots[i]) || m.tears(s) || m.overruns(begin, slots[i], slots) {
			return nil, false
		}
		if text, ok := slots[i].value.(string); ok && s.name == "list" { // lists are called by their names in small letters
			slots[i].value = strings.ToLower(text)
		}
	}
	return slots, true
}

// sequence matches a program at pos, and calls next with each position behind it.
func (m *matcher) sequence(program string, pos int, next func(pos int)) {
	if program == "" {
		next(pos)
		return
	}
	if m.steps++; m.steps > maxSteps {
		return
	}
	switch in := decode(program); in.op {
	case opLiteral:
		pos = m.skip(pos)
		m.literal(in.text, pos, func(end int) { m.sequence(in.rest, end, next) })
		if behind := m.behindAside(pos); behind > pos {
			m.literal(in.text, behind, func(end int) { m.sequence(in.rest, end, next) })
		}
	case opChoice:
		then := func(end int) { m.sequence(in.rest, end, next) }
		at := m.skip(pos)
		for option := range in.all {
			if m.mayBegin(option, at) {
				m.sequence(option, pos, then)
			}
		}
	case opRule:
		m.rule(in.text, pos, func(end int) { m.sequence(in.rest, end, next) })
	case opSlot:
		pos = m.behindAside(m.skip(pos))
		m.fill(in.kind, pos, func(end int, value any) { // a value of nil: see wordsOf
			m.slots = append(m.slots, slot{in.text, in.kind, value, pos, end})
			m.sequence(in.rest, end, next)
			m.slots = m.slots[:len(m.slots)-1]
		})
	}
}

// mayBegin reports whether a part of a choice may match at pos. Most parts begin with another word than stands there.
func (m *matcher) mayBegin(part string, pos int) bool {
	if part == "" || part[0] != opLiteral || strings.HasSuffix(m.before(pos), ",") { // behind a comma an aside may stand
		return true
	}
	word := decode(part).text
	return word == "," || word == ":" || strings.HasPrefix(m.norm[pos:], word) || m.loose && (allowed(word) > 0 || m.wordAt(pos).isFiller)
}

// part is a rule or a type of slots at a position of the text.
type part struct {
	op   byte
	name string
	pos  int
}

// way is how a part may match: where it ends, what it is worth, and the value of a slot.
type way struct {
	end, letters, forgiven int
	value                  any
}

// waysOf calls next with each way in which a part matches, which find looks for once: many sentences have the same part at the same place. Of
// several ways to the same end the best counts.
func (m *matcher) waysOf(p part, find func(found func(end int, value any)), next func(end int, value any)) {
	ways, known := m.ways[p]
	if !known {
		letters, forgiven := m.letters, m.forgiven
		find(func(end int, value any) {
			w := way{end, m.letters - letters, m.forgiven - forgiven, value}
			i := slices.IndexFunc(ways, func(old way) bool { return old.end == end && old.value == nil && value == nil })
			switch {
			case i < 0:
				ways = append(ways, w)
			case w.forgiven < ways[i].forgiven || w.forgiven == ways[i].forgiven && w.letters > ways[i].letters:
				ways[i] = w
			}
		})
		if m.ways == nil {
			m.ways = map[part][]way{}
		}
		m.ways[p] = ways
	}
	for _, w := range ways {
		m.counting(w.letters, w.forgiven, func() { next(w.end, w.value) })
	}
}

// rule matches a rule at pos.
func (m *matcher) rule(name string, pos int, next func(end int)) {
	if m.lang.has("slotted", name) { // what it fills in goes with the way
		m.sequence(m.lang.section("rule."+name), pos, next)
		return
	}
	m.waysOf(part{opRule, name, pos}, func(found func(end int, value any)) {
		m.sequence(m.lang.section("rule."+name), pos, func(end int) { found(end, nil) })
	}, func(end int, _ any) { next(end) })
}

// literal matches a word of the sentence at pos.
func (m *matcher) literal(word string, pos int, next func(end int)) {
	if word == ":" || word == "," { // they separate as a space does, unless a sentence wants one; a dash is as good as a comma
		if before := m.before(pos); strings.HasSuffix(before, word) || word == "," && (strings.HasSuffix(before, " -") || len(before) < len(m.norm) && m.isMark(len(before))) {
			m.counting(1, 0, func() { next(pos) })
		}
		return
	}
	if !m.isBoundary(pos) {
		return
	}
	if end := pos + len(word); strings.HasPrefix(m.norm[pos:], word) && m.isBoundary(end) {
		m.counting(len(word), 0, func() { next(end) })
		return
	}
	if !m.loose {
		return
	}
	w := m.wordAt(pos)
	if w.end == pos {
		return
	}
	found := m.norm[pos:w.end]
	if wrong := distance(found, word, allowed(word)); wrong <= allowed(word) && !m.lang.has("verbs", found) && !m.isMeant(found) {
		m.counting(len(word), wrong, func() { next(w.end) })
	}
	if w.isFiller {
		m.counting(0, 1, func() { m.literal(word, m.skip(w.end), next) })
	}
}

// counting goes on with so many more letters of the sentence, and so many more that do not fit.
func (m *matcher) counting(letters, forgiven int, next func()) {
	m.letters, m.forgiven = m.letters+letters, m.forgiven+forgiven
	next()
	m.letters, m.forgiven = m.letters-letters, m.forgiven-forgiven
}

// looseWord is where a word of the text ends, and whether it may be passed over.
type looseWord struct {
	end      int
	isFiller bool
}

// wordAt returns the word at pos, which is looked up once.
func (m *matcher) wordAt(pos int) looseWord {
	w, known := m.words[pos]
	if !known {
		end := m.wordEnd(pos)
		w = looseWord{end, m.lang.has("fillers", m.norm[pos:end])}
		m.words[pos] = w
	}
	return w
}

// isMeant reports whether a word says something that no spelling mistake may hide.
func (m *matcher) isMeant(word string) bool {
	return m.lang.has("negation", word) || m.lang.has("condition", word) || m.lang.has("reported", word)
}

// before returns what stands before a position, without the spaces at its end.
func (m *matcher) before(pos int) string { return strings.TrimRight(m.norm[:pos], " ") }

// wordEnd returns where the word at pos ends.
func (m *matcher) wordEnd(pos int) int {
	for pos < len(m.norm) {
		r, n := utf8.DecodeRuneInString(m.norm[pos:])
		if !isJoined(r) && r != '\'' {
			break
		}
		pos += n
	}
	return pos
}

// allowed is how many letters of a word may be wrong: none of a short one, which may be another word.
func allowed(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case n < 5:
		return 0
	case n < 9:
		return 1
	}
	return 2
}

// distance is how many letters must be changed, put in, left out or swapped with their neighbour to make b of a. It is any number above most
// where it is more than that.
func distance(a, b string, most int) int {
	if apart := utf8.RuneCountInString(a) - utf8.RuneCountInString(b); max(apart, -apart) > most {
		return most + 1
	}
	inA, inB := letterSet(a), letterSet(b)
	if max(bits.OnesCount64(inA&^inB), bits.OnesCount64(inB&^inA)) > most { // each letter that only one has is a change
		return most + 1
	}
	return editdistance.WithSwaps([]rune(a), []rune(b))
}

// letterSet returns a set of the letters of a word, in which some may count as one.
func letterSet(word string) (set uint64) {
	for _, r := range word {
		set |= 1 << (r % 64)
	}
	return set
}

// asksWhether reports whether a Chinese text ends in a question such as 够不够: the same word before and behind a "not".
func asksWhether(text string) bool {
	last := []rune(text[max(0, len(text)-3*utf8.UTFMax):])
	n := len(last)
	return n >= 3 && last[n-1] == last[n-3] && (last[n-2] == '不' || last[n-2] == '没')
}
