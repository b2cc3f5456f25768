package when

import (
	"strings"
	"time"
)

// Adjust reads a change of a time: "make it 7", "an hour later", "auf 7 verschieben", "на час позже", "改到七点", "tomorrow
// instead". At is the time that it changes. What the words leave open stays as it was: a new time keeps the day, a new day
// keeps the time. An error is an *Unclear.
func Adjust(text, lang string, at, now time.Time) (Reading, error) {
	now = now.Truncate(second)
	at = at.In(now.Location())
	var first Reading
	var failed error
	for p := range readersOf(text, lang) {
		reading, err := p.adjust(at, now)
		if err == nil {
			return reading, nil
		}
		if failed == nil || !isMissing(err) {
			first, failed = Reading{Lang: p.lang}, err
		}
		if !isMissing(err) {
			break
		}
	}
	return first, failed
}

func (p *reader) adjust(at, now time.Time) (Reading, error) {
	lang := p.lang
	if start, ok := p.moved(at); ok {
		if start.Before(now) {
			return Reading{}, unclear(Past, lang)
		}
		return Reading{Start: start, Lang: lang}, nil
	}
	m := p.changed()
	if m.empty() {
		return Reading{}, unclear(Missing, lang)
	}
	r := resolver{now: now, today: dayOf(now), lang: lang, m: m}
	switch {
	case m.repeat.unit == "" && m.after == nil && m.sun == "" && m.date.given && !m.clock.given && m.part == "":
		r.m.clock = clock{given: true, sure: true, hour: at.Hour(), minute: at.Minute(), second: at.Second()}
	case m.repeat.unit == "" && m.after == nil && m.sun == "" && !m.date.given:
		return r.sameDay(at)
	}
	return r.resolve()
}

// sameDay reads a new time on the day of the old one. A bare hour is the one nearer to the old time.
func (r resolver) sameDay(at time.Time) (Reading, error) {
	if r.m.clock.given && !r.m.clock.valid() {
		return Reading{}, unclear(Impossible, r.lang)
	}
	said, other := r.times()
	day := dayOf(at)
	reading := Reading{Start: r.at(day, said), Lang: r.lang}
	if other != nil {
		late := r.at(day, *other)
		first, second := reading.Start, late
		if late.Sub(at).Abs() < first.Sub(at).Abs() || !first.After(r.now) {
			first, second = late, first
		}
		reading.Start = first
		if second.After(r.now) {
			reading.Other = []Alternative{{Label: r.label(second, first), Start: second}}
		}
	}
	if !reading.Start.After(r.now) {
		return r.resolve()
	}
	return reading, nil
}

// moved reads an amount by which a time moves: an hour later, push it by 10 minutes, 推迟一小时.
func (p *reader) moved(at time.Time) (time.Time, bool) {
	var by length
	found := false
	sign := 0
	for i := 0; i < len(p.tokens); i++ {
		for _, side := range []struct {
			value string
			sign  int
		}{{"than", 0}} {
			if _, _, ok := p.wordOf(i, "later", side.value); ok && sign == 0 {
				sign = 1
			}
			if _, _, ok := p.wordOf(i, "earlier", side.value); ok {
				sign = -1
			}
		}
		if found {
			continue
		}
		if l, next, ok := p.duration(i, p.lang == "ru"); ok && !l.nothing() && !p.is(i-1, "in") {
			by, found = l, true
			i = next - 1
		}
	}
	if !found {
		return time.Time{}, false
	}
	if sign == 0 {
		if !p.moves() {
			return time.Time{}, false
		}
		sign = 1
	}
	if sign < 0 {
		by = length{-by.months, -by.days, -by.elapsed}
	}
	return by.after(at), true
}

// moves says whether the text begins with a word that moves: snooze 10 minutes, push it by an hour.
func (p *reader) moves() bool {
	value, _, ok := p.word(0, "edit")
	return ok && !strings.HasPrefix(value, "than")
}

// changed reads the new time: the words of changing go first.
func (p *reader) changed() moment {
	var best moment
	end := len(p.tokens)
	for i := 0; i < end; i++ {
		if next := p.skip(i, "negation"); next > i { // not today, on Saturday
			if after, ok := p.negated(next); ok {
				i = after - 1
				continue
			}
		}
		m, next := p.expression(i)
		if next > i && !m.empty() {
			if merged, ok := merge(best, m); ok {
				best = merged
			}
			i = next - 1
			continue
		}
		// A number alone is an hour here: make it 7.
		if c, next, _, ok := p.clockAt(i, true); ok && !best.clock.given && best.after == nil && (i == 0 || p.changes(i)) {
			best.clock = c
			i = next - 1
		}
	}
	return best
}

// negated passes a time that is not meant.
func (p *reader) negated(i int) (int, bool) {
	if _, next, _, ok := p.dateAt(i, true); ok {
		return next, true
	}
	_, next, _, ok := p.clockAt(i, true)
	return next, ok
}

// changes says whether a word of changing stands before a token.
func (p *reader) changes(i int) bool {
	for from := max(0, i-4); from < i; from++ {
		for n := 1; from+n <= i; n++ {
			for _, f := range p.found[from] {
				if f.is == "edit" && from+f.tokens == i {
					return true
				}
			}
		}
	}
	return false
}
