package intents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"hob/internal/lazyregexp"
	"hob/internal/when"
)

// A message may be several chores: "put milk on the shopping list and remind me at 5 to call Ana". It is read so where it is no chore as a whole,
// each part alone is certain, and no part may go on with the words of the one before.

// mostChores is how many chores a message has at most, and mostCuts in how many places it may be cut. What has more is prose.
const (
	mostChores = 4
	mostCuts   = 10
)

// cut is where a message may be cut: one chore ends at end, and the next begins at start.
type cut struct {
	end, start int
	hard       bool // a sentence or a line ends there
	later      bool // what follows comes after what is before
	order      bool // what follows begins as an order does
}

// Chores returns the chores of a reading that are calls: itself, or each of several.
func (r Reading) Chores() []Reading {
	if r.Call.Name == "" {
		return r.Parts
	}
	return []Reading{r}
}

// EachPart returns a reading with a change made to it, or to each of its parts. Where one part asks then, the reading asks that and has no call, and
// where one is no call there is none: of two chores not one is done alone.
func (r Reading) EachPart(change func(Reading) Reading) Reading {
	if len(r.Parts) == 0 {
		return change(r)
	}
	r.Parts = slices.Clone(r.Parts)
	for i, part := range r.Parts {
		switch part = change(part); {
		case part.Ask != "":
			return Reading{Kind: r.Kind, Ask: part.Ask, Fails: part.Fails, Score: r.Score, Lang: r.Lang}
		case part.Call.Name == "":
			return Reading{}
		}
		r.Parts[i] = part
	}
	return r
}

// several reads a text as several chores, in a language or in all that it may be of. The zero Reading means that it is not.
func (s *Sentences) several(text, lang string) Reading {
	t := fold(text)
	if len(t.norm) > longest {
		return Reading{}
	}
	var all []Reading
	for _, l := range s.langs() {
		if lang != "" && lang != l.name || !l.mayBe(t) || l.takesBack(t.norm) {
			continue
		}
		c := cutter{s, &l, lang, t, l.cutsOf(t)}
		if len(c.cuts) > mostCuts {
			continue
		}
		ways := slices.CompactFunc(c.ways(0, mostChores, false), func(a, b []Reading) bool { return slices.EqualFunc(a, b, isSameCall) }) // cut before a please, or behind it
		if len(ways) != 1 {
			continue
		}
		if parts := onListBefore(ways[0]); !slices.ContainsFunc(parts, func(r Reading) bool { return r.mayBeOn(parts) }) && !moveTwice(parts) {
			all = append(all, joined(parts))
		}
	}
	for _, r := range all {
		if !slices.EqualFunc(r.Parts, all[0].Parts, isSameCall) {
			return Reading{}
		}
	}
	if len(all) == 0 {
		return Reading{}
	}
	all[0].others = all
	return all[0].In("en")
}

// moveTwice reports whether chores would move what rang last more than once: "ten more minutes, snooze it" is one of them.
func moveTwice(parts []Reading) bool {
	isStill := func(r Reading) bool {
		return !strings.HasPrefix(r.from.kind, "reminder_move") || !strings.Contains(string(r.Call.Args), `"only":"rung"`)
	}
	return len(slices.DeleteFunc(slices.Clone(parts), isStill)) > 1
}

// numberList is some numbers with marks or words between them: "29, 30 and #31".
var numberList = lazyregexp.New(`#?\d+(?:(?:\s*[,、，&+]\s*|\s*,?\s*\p{L}{1,3}\s*)#?\d+)+`)

// eachNumber reads a text that names several things by their numbers as a chore for each: "cancel reminders 29 and 30".
func (s *Sentences) eachNumber(text, lang string) Reading {
	at := numberList().FindStringIndex(text)
	if at == nil {
		return Reading{}
	}
	list := text[at[0]:at[1]]
	numbers := strings.FieldsFunc(list, func(r rune) bool { return !unicode.IsDigit(r) })
	var parts []Reading
	for _, n := range numbers {
		r := s.read(text[:at[0]]+n+text[at[1]:], lang, false)
		is := func(of slot) bool { return of.name == "n" && fmt.Sprint(of.value) == n }
		if !r.isPart() || len(parts) == mostChores || len(parts) > 0 && r.Kind != parts[0].Kind || !slices.ContainsFunc(r.from.slots, is) || !r.from.lang.joins(list) {
			return Reading{}
		}
		r.input = text
		parts = append(parts, r)
	}
	return joined(parts)
}

// joins reports whether what stands between numbers is marks, or words such as and.
func (l *language) joins(list string) bool {
	words := strings.FieldsFunc(fold(list).norm, func(r rune) bool { return !unicode.IsLetter(r) })
	return !slices.ContainsFunc(words, func(w string) bool { _, known := l.value("and", w); return !known })
}

func isSameCall(a, b Reading) bool {
	return a.Call.Name == b.Call.Name && string(a.Call.Args) == string(b.Call.Args)
}

// Join returns several readings as one, and one as it is.
func Join(parts []Reading) Reading {
	switch len(parts) {
	case 0:
		return Reading{}
	case 1:
		return parts[0]
	}
	return joined(parts)
}

// joined returns several readings as one.
func joined(parts []Reading) Reading {
	r := Reading{Parts: parts, Score: 1, Lang: parts[0].Lang}
	var kinds []string
	for _, part := range parts {
		kinds, r.Acts = append(kinds, part.Kind), r.Acts || part.Acts
	}
	r.Kind = strings.Join(kinds, "+")
	return r
}

// cutter reads the parts of a text in a language; lang is "" where the text may be of others, too.
type cutter struct {
	sentences *Sentences
	l         *language
	lang      string
	t         folded
	cuts      []cut
}

// ways returns the ways in which the text from a position on is chores, most at most. A polite chore before makes a question of it a wish, too.
func (c *cutter) ways(from, most int, polite bool) (all [][]Reading) {
	rest := Reading{} // the whole is known to be none
	if from > 0 {
		rest = c.read(from, len(c.t.norm), polite)
	}
	switch {
	case rest.isPart():
		return [][]Reading{{rest}}
	case rest.Kind != "" || most < 2:
		return nil
	}
	for _, cut := range c.cuts {
		if cut.end <= from {
			continue
		}
		first := c.read(from, cut.end, polite)
		if !first.isPart() || !cut.hard && first.isOpen() && !first.from.isClock() || cut.later && first.Call.Name == remindTool {
			continue
		}
		for _, way := range c.ways(cut.start, most-1, polite || first.from.polite) {
			next := way[0].from
			if !cut.hard && first.isOpen() && !next.isClock() { // but timer 5 minutes eggs and timer 10 minutes pasta
				continue
			}
			if next.leans() || !cut.isOrder(next) || slices.ContainsFunc(way, func(r Reading) bool { return isSameCall(r, first) }) {
				continue
			}
			all = append(all, append([]Reading{first}, way...))
		}
	}
	return all
}

// read reads a part of the text.
func (c *cutter) read(from, to int, polite bool) Reading {
	text := c.t.text[c.t.at[from]:c.t.at[to]]
	if to == len(c.t.norm) {
		text = c.t.text[c.t.at[from]:]
	}
	if polite {
		text = strings.TrimRight(text, " ?？")
	}
	r := c.sentences.read(text, c.lang, false).In(c.l.name)
	at := r.At(anyDay())
	if r.Ask = at.Ask; at.Kind == "" || r.Lang != c.l.name {
		return Reading{}
	}
	return r
}

// leans reports whether a chore hangs on the one before.
func (p *parse) leans() bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool {
		words := p.text.norm[s.from:s.to]
		if s.name == "remind" {
			rest := words
			if read, err := when.Read(words, p.lang.name, anyDay()); err == nil {
				rest = fold(read.Rest).norm
			}
			if rest != "" && p.lang.consistsOf(rest, "elides") {
				return true
			}
		}
		return p.lang.hasPhrase("leans", words)
	})
}

// isPart reports whether a reading may be one of several: it is a call of a tool, by its words alone, that asks for nothing and needs no yes.
func (r Reading) isPart() bool {
	return r.Call.Name != "" && r.Ask == "" && !r.Command && !r.Many && !r.Near && !r.Asks && r.from != nil && !r.from.isOwn() && r.Call.Name != "game"
}

// isOpen reports whether the words of a chore may go on behind its end: those of a note, of a reminder, and of a list of what is to be done.
func (r Reading) isOpen() bool {
	t := r.from.text.norm
	return slices.ContainsFunc(r.from.slots, func(s slot) bool {
		words := t[s.from:s.to]
		switch {
		case strings.Trim(t[s.to:], " ,") != "" || words[0] == '"':
			return false
		case s.name == "remind" && r.endsWithTime(words):
			return false // remind me to call Ana tomorrow at 11, and add milk to the shopping list
		case s.name == "remind" && r.from.isClock():
			return !slices.ContainsFunc([]string{"timer", "at"}, func(before string) bool { // ten minutes, or an hour
				read, err := when.Read(phrase(r.Lang, before)+words, r.Lang, anyDay())
				return err == nil && read.Rest == ""
			})
		case s.is(many):
			return r.list() != "shopping"
		}
		return s.isFree() && s.name != "time" || s.name == "title" || s.is(verbatim)
	})
}

// endsWithTime reports whether the words of a reminder end with its time.
func (r Reading) endsWithTime(words string) bool {
	read, err := when.Read(words, r.Lang, anyDay())
	return err == nil && read.Rest != "" && len(read.Rest) < len(words) && strings.HasPrefix(words, read.Rest)
}

// onListBefore returns the chores of a message, where one that names no list is on the list that the one before it names: "add milk to the party list
// and tick the cake".
func onListBefore(parts []Reading) []Reading {
	parts = slices.Clone(parts)
	for i, r := range parts[1:] {
		before := parts[i].list()
		if r.lacksList() && before != "" && before != "shopping" {
			quoted, _ := json.Marshal(before) // a string always can be
			r.Call.Args = json.RawMessage(strings.Replace(string(r.Call.Args), `"list":"shopping"`, `"list":`+string(quoted), 1))
			parts[i+1] = r
		}
	}
	return parts
}

// lacksList reports whether a chore is one of a list, and names none.
func (r Reading) lacksList() bool {
	return strings.Contains(kindOf(r.from.kind).args, "{list|") && !slices.ContainsFunc(r.from.slots, func(s slot) bool { return s.name == "list" })
}

// list is the list that a chore is about, "" where it is about none.
func (r Reading) list() string {
	var args struct{ List string }
	_ = json.Unmarshal(r.Call.Args, &args) // they are hob's own
	return args.List
}

// mayBeOn reports whether a chore that names no list may be on one that another of them names: "tick milk and remove bread from the to-do list".
func (r Reading) mayBeOn(others []Reading) bool {
	return r.lacksList() && slices.ContainsFunc(others, func(o Reading) bool { return o.list() != "" && o.list() != r.list() })
}

// isOrder reports whether what stands behind a cut is an order of its own: it begins with the words of one or with its time, or ends so.
func (c cut) isOrder(p *parse) bool {
	begins := c.order || p.lang.endsInWord("infinitives", p.text.norm) || slices.ContainsFunc(p.slots, func(s slot) bool { return s.name == "before" })
	return c.hard || begins && p.standsAlone() || p.addsLast() || p.lang.hasPhrase("due", p.text.norm)
}

// addsLast reports whether a Russian order names what a list is to have before its verb, and the list: мешки добавь в покупки.
func (p *parse) addsLast() bool {
	return p.lang.does("verb last") && strings.HasPrefix(p.kind, "list_") && len(p.slots) == 2 && p.slots[0].is(many) && p.slots[1].kind == "list" &&
		p.lang.hasWord(p.text.norm[p.slots[0].to:p.slots[1].from], "infinitives")
}

// mayOrder reports whether a text may be an order of its own from a position on, and whether it begins so.
func (m *matcher) mayOrder(at int) (may, begins bool) {
	m.sequence(m.lang.section("before"), at, func(pos int) { begins = begins || m.lang.startsWith("imperatives", m.norm[m.skip(pos):]) })
	return begins || slices.ContainsFunc(m.wordsIn(at, len(m.norm)), func(w foundWord) bool {
		return m.lang.has("infinitives", w.text) || m.lang.startsWithAny(m.norm[w.from:], "reminds", "due")
	}), begins
}

// cutsOf returns where a text may be cut: at the end of a sentence or of a line, at a comma, and before words such as and.
func (l *language) cutsOf(t folded) (cuts []cut) {
	m := &matcher{folded: t, lang: l}
	for at := range len(t.norm) {
		c := cut{end: at, start: at, hard: strings.Contains(t.text[t.at[at]:t.at[at+1]], "\n")}
		isMark := c.hard || t.isMark(at)
		if c.start += len(t.norm[at:]) - len(strings.TrimLeft(t.norm[at:], " ,;.!?-")); !isMark {
			c.start = at
		}
		if isMark && strings.IndexByte(".!?", t.norm[at]) >= 0 {
			c.hard, c.end = true, at+1
		}
		begin := c.start
		for n := 1; n > 0 && m.isBoundary(c.start); {
			if n = m.longestOf(c.start, len(t.norm), "joins", "follows"); n > 0 && m.isBoundary(c.start+n) {
				c.later = c.later || l.has("follows", t.norm[c.start:c.start+n])
				c.start = m.skip(c.start + n)
			} else {
				n = 0
			}
		}
		before := strings.TrimRight(t.norm[:at], " ")
		known := len(cuts) > 0 && cuts[len(cuts)-1].start == c.start
		if !isMark && c.start == begin || known || strings.HasSuffix(before, ":") || before == "" || c.start >= len(t.norm) {
			continue
		}
		may := c.hard
		if !may {
			may, c.order = m.mayOrder(c.start)
		}
		if may {
			cuts = append(cuts, c)
		}
	}
	return cuts
}
