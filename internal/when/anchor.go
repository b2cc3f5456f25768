package when

import (
	"iter"
	"strings"
	"time"
)

// Anchor is a time that is counted from something that happens: "half an hour before the parents' evening". Who knows when that is asks At.
type Anchor struct {
	Event string // the words of what it is counted from: "the parents' evening"
	Lang  string // that was read

	text     string
	from, to int // where Event stands in it
	length   length
	isBehind bool // it is counted on from the end, and not back from the begin
	isAt     bool // it is the begin or the end itself
}

// mostEventTokens bounds the words of what a time is counted from. Each Chinese letter is a token.
const mostEventTokens = 16

// ReadAnchor reads a text that is such a time and nothing else, in a language, or where that is "" in the one of the words. What happens at a time that the
// words say ("before midnight", "before the meeting at 3") is none: Read reads that. Nor is what comes again: "before each lesson".
func ReadAnchor(text, lang string) (Anchor, bool) {
	for p := range readersOf(text, lang) {
		if a, ok := p.anchored(text); ok {
			return a, true
		}
	}
	return Anchor{}, false
}

// WithEvent returns the words of the time with other words of what it is counted from.
func (a Anchor) WithEvent(words string) string { return a.text[:a.from] + words + a.text[a.to:] }

// Text returns the words of the time.
func (a Anchor) Text() string { return a.text }

// Shorter yields the same time of fewer words, the most first, and what stands behind these without the words that join it: leave, of "an hour before the
// dentist to leave".
func (a Anchor) Shorter() iter.Seq2[Anchor, string] {
	return func(yield func(Anchor, string) bool) {
		p := newReader(a.Event, a.Lang)
		for last := len(p.tokens) - 1; last > 0 && a.to == len(a.text); last-- {
			rest := last
			for p.mark(rest, ",") || p.is(rest, "link") {
				rest = max(rest+1, p.skip(rest, "link"))
			}
			short := a
			short.Event = a.Event[:p.tokens[last-1].to]
			short.to = a.from + len(short.Event)
			short.text = a.text[:short.to]
			if rest < len(p.tokens) && !yield(short, a.Event[p.tokens[rest].from:]) {
				return
			}
		}
	}
}

// At returns the time for something that is from start to end, in the zone of those. Hours elapse, and days keep the time of day. What takes whole days, from
// a midnight to another, has no hour: days before or behind it are at 9, as all days are of which no hour is said, and not ok says that hours were wanted.
func (a Anchor) At(start, end time.Time, isAllDay bool) (at time.Time, ok bool) {
	l, at := a.length.times(-1), a.Base(start, end)
	if a.isBehind {
		l = a.length
	}
	if !isAllDay {
		return l.after(at), true
	}
	if a.isBehind {
		at = end.AddDate(0, 0, -1) // its last day
	}
	day := l.behind(dayOf(at))
	return time.Date(day.Year(), day.Month(), day.Day(), usualHour, 0, 0, 0, start.Location()), a.isAt || a.length.calendar()
}

// Base returns from which of the begin and the end of something the time is counted.
func (a Anchor) Base(start, end time.Time) time.Time {
	if a.isBehind {
		return end
	}
	return start
}

// usualHour is that of a day of which no hour is said.
const usualHour = 9

// anchored reads the whole text as a time that is counted from something.
func (p *reader) anchored(text string) (a Anchor, ok bool) {
	first, last := 0, len(p.tokens)
	if p.lang == "zh" {
		a.length, a.isBehind, last, ok = p.lengthAtEnd()
		first = p.skip(0, "on")
	} else {
		a.length, a.isBehind, first, ok = p.lengthAtBegin()
		first = p.skip(first, "the")
	}
	if !ok {
		a.isBehind, first, last, a.isAt = p.atEdge()
	}
	if !a.isAt && a.length.nothing() {
		return Anchor{}, false
	}
	for p.token(last-1).kind == 'p' && last > first && !p.mark(last-1, ")") && !p.mark(last-1, `"`) {
		last--
	}
	if next := p.skip(first, "begins"); p.lang != "zh" && next > first && next < last { // за час до начала собрания
		first = p.skip(next, "the")
	}
	if begin, is := p.wordBefore(last, "begins"); is != "" && begin > first {
		last = begin
	}
	if first >= last || last-first > mostEventTokens || p.is(first, "each") || p.is(first, "eachtime") {
		return Anchor{}, false
	}
	a.text, a.Lang, a.from, a.to = text, p.lang, p.tokens[first].from, p.tokens[last-1].to
	a.Event = text[a.from:a.to]
	whole, _, rest := p.split(text)
	isTime := rest == "" && !whole.empty() // за час до полуночи
	return a, !isTime && !newReader(a.Event, p.lang).saysHour(a.Event)
}

// lengthAtBegin reads half an hour before, am Tag vor, за час до.
func (p *reader) lengthAtBegin() (l length, isBehind bool, next int, ok bool) {
	var c caught
	for _, form := range []string{"on? the? aDay counted|before", "on? the? aDay counted|after", "before 1L before", "in 1L after"} {
		if p.match(0, form, &c) {
			return c.length, strings.HasSuffix(form, "after"), c.next, true
		}
	}
	return length{}, false, 0, false
}

// atEdge reads when the meeting starts, zu Beginn des Elternabends, когда закончится собрание, 家长会开始时: whether it is the end, and from where to where that
// stands of which it is one.
func (p *reader) atEdge() (isEnd bool, first, last int, ok bool) {
	last = len(p.tokens)
	for _, edge := range []struct {
		isEnd    bool
		of, does string
	}{{false, "startof", "starts"}, {true, "endof", "ends"}} {
		if next := p.skip(0, edge.of); next > 0 {
			return edge.isEnd, p.skip(next, "the"), last, true
		}
		after := p.skip(0, "asitis")
		behind := p.skip(after, edge.does)
		begin, is := p.wordBefore(last, edge.does)
		switch {
		case p.lang == "zh" && is != "":
			return edge.isEnd, p.skip(0, "on"), begin, true
		case after > 0 && behind > after: // когда начнется собрание
			return edge.isEnd, p.skip(behind, "the"), last, true
		case after > 0 && is != "":
			return edge.isEnd, p.skip(after, "the"), begin, true
		}
	}
	return false, 0, 0, false
}

// IsAt reports whether it is the begin or the end itself: "when the meeting starts". Much starts that is in no calendar.
func (a Anchor) IsAt() bool { return a.isAt }

// lengthAtEnd reads 前半小时 at the end of a Chinese text, and where it begins.
func (p *reader) lengthAtEnd() (l length, isBehind bool, from int, ok bool) {
	var c caught
	for from = 1; from < len(p.tokens); from++ {
		for _, form := range []string{"counted|before L", "after L"} {
			if p.match(from, form, &c) && c.next == len(p.tokens) {
				return c.length, form == "after L", from, true
			}
		}
	}
	return length{}, false, 0, false
}

// saysHour reports whether the words of a text have an hour or are a time: "the meeting at 3", "sunset", "Christmas".
func (p *reader) saysHour(text string) bool {
	m, _, rest := p.split(text)
	isAlone := rest == "" && !m.empty()
	return isAlone || m.clock.given || m.sun != "" || m.after != nil || m.repeat.unit != ""
}
