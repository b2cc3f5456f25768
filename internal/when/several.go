package when

import (
	"strings"
	"time"
)

// mostReadings is how many reminders one text may hold.
const mostReadings = 10

// ReadAll is [Read] for a text that may hold several things, each with a time of its own: "in 20 minutes check the oven and in an hour
// turn it off". A time that says less than the one before it is of the same day, or of the same repetition. Where it is not certain
// which words have which time, the error is [Several].
func ReadAll(text, lang string, now time.Time) ([]Reading, error) {
	now = now.Truncate(second)
	whole, failed := Read(text, lang, now)
	if failed != nil && !isMissing(failed) || !speaks(whole.Lang) {
		return []Reading{whole}, failed
	}
	parts, err := newReader(text, whole.Lang).things(text, now, whole, moment{})
	if err != nil {
		return []Reading{whole}, err
	}
	if len(parts) > 1 {
		return parts, nil
	}
	return []Reading{whole}, failed
}

// half is what stands on one side of a word that joins.
type half struct {
	text  string
	m     moment
	timer bool
	rest  string
}

func (p *reader) half(text string) half {
	text = strings.Trim(text, " ,;，；、")
	m, timer, rest := newReader(text, p.lang).split(text)
	return half{text, m, timer, rest}
}

// holds reports whether a half has a time and words of its own, as a timer needs none.
func (h half) holds() bool { return !h.m.empty() && (h.rest != "" || h.timer) }

// begins and ends report on which side of the words the time stands.
func (h half) begins() bool { return strings.HasSuffix(strings.TrimRight(h.text, ".!"), h.rest) }
func (h half) ends() bool   { return !h.begins() && strings.Contains(h.text, h.rest) }

// things reads a text that holds several things. The first takes from before the parts of its time that it does not say itself. It returns
// none where the text is one thing.
func (p *reader) things(text string, now time.Time, whole Reading, before moment) ([]Reading, error) {
	closed := p.quoted()
	for _, s := range p.spans(0, len(p.tokens), make([]bool, len(p.tokens))) { // between 9 and 17
		useTokens(closed, s.from, s.to)
	}
	for i := range p.tokens { // an hour and a half
		if _, next, ok := p.duration(i, false); ok {
			useTokens(closed, i, next)
		}
	}
	for i := 1; i < len(p.tokens); i++ {
		next, comma := p.skip(i, "join"), p.mark(i, ",") || p.mark(i, ";")
		if comma {
			next = max(i+1, p.skip(i+1, "join"))
			comma = next == i+1
		}
		if next == i || next >= len(p.tokens) || closed[i] {
			continue
		}
		first, second := p.half(text[:p.tokens[i].from]), p.half(text[p.tokens[next].from:])
		first.m = first.m.within(before)
		if !first.holds() || second.m.empty() {
			continue
		}
		inherited := second.m.within(first.m)
		both := first.ends() && second.ends()
		switch _, again := Read(whole.Rest, p.lang, now); {
		case !second.holds(): // the tea in 10 minutes and in an hour
			if again == nil {
				return nil, unclear(Several, p.lang)
			}
			continue
		case comma && !second.begins(): // she leaves on Friday
			continue
		case comma && (first.m.after == nil || second.m.after == nil), !second.begins() && !both:
			if again == nil {
				return nil, unclear(Several, p.lang)
			}
			continue
		case both && again != nil: // buy milk and bread tomorrow at 5
			continue
		case first.m.repeat.unit != "" && inherited.repeat.unit == "" && inherited.after == nil:
			return nil, unclear(Several, p.lang)
		}
		return p.joined(first, second, now, inherited)
	}
	return nil, nil
}

// joined reads two halves, of which the second may hold several things.
func (p *reader) joined(first, second half, now time.Time, inherited moment) ([]Reading, error) {
	one, err := p.resolve(first.m, first.timer, first.rest, now)
	if err != nil {
		return nil, err
	}
	rest, err := p.resolve(inherited, second.timer, second.rest, now)
	if err != nil {
		return nil, err
	}
	one.Words, rest.Words = first.text, second.text
	all := []Reading{one}
	more, err := newReader(second.text, p.lang).things(second.text, now, rest, first.m)
	switch {
	case err != nil:
		return nil, err
	case more == nil:
		more = []Reading{rest}
	}
	if all = append(all, more...); len(all) > mostReadings {
		return nil, unclear(Several, p.lang)
	}
	return all, nil
}

// within returns a moment with what it leaves open as an earlier one of the same text said it: the day, or the repetition. An hour is
// not taken over, since a day without one has its own.
func (m moment) within(before moment) moment {
	hasDay := m.date.given || m.after != nil || m.repeat.unit != "" || m.sun != "" || m.afterDone != 0
	if hasDay || !m.clock.given && m.part == "" {
		return m
	}
	switch {
	case before.repeat.unit != "":
		m.repeat, m.date = before.repeat, before.date
	case before.date.given:
		m.date = before.date
	case before.after != nil && before.after.calendar():
		m.after = before.after
	}
	return m
}
