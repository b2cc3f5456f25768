package when

import (
	"cmp"
	"slices"
	"strings"
)

// span is a part of a text that was read as a time.
type span struct {
	from, to int // tokens
	m        moment
	anchored bool // at the begin, at the end, or beside the words that ask
}

// split finds the time of a text, says whether it asks for a countdown, and returns what remains.
func (p *reader) split(text string) (moment, bool, string) {
	used := make([]bool, len(p.tokens))
	begin, end, timer := p.asking(used)
	spans := p.spans(begin, end, used)
	if i := slices.IndexFunc(spans, func(s span) bool { return s.m.repeat.unit != "" }); i >= 0 {
		p.bounded = &spans[i].m.repeat
		spans = p.spans(begin, end, used)
	}
	spans = p.corrected(spans)
	p.anchor(spans, begin, end, used)
	chosen, m := p.choose(spans)
	if timer || m.empty() {
		if bare, ok := p.countdown(begin, end, timer, used, m); ok {
			chosen, m, timer = []span{bare}, bare.m, true
		}
	}
	for _, s := range chosen {
		useTokens(used, s.from, s.to)
	}
	p.vague(begin, end, used)
	if timer {
		useTokens(used, begin, max(begin, p.skip(begin, "timerverb")))
	}
	return m, timer && m.after != nil, p.remains(text, used)
}

// asking marks the words that ask for a reminder or a countdown, and returns where the rest begins and ends.
func (p *reader) asking(used []bool) (begin, end int, timer bool) {
	begin, end = 0, len(p.tokens)
	if last := end - 1; last > 0 && p.quotes(0, last) {
		used[0], used[last] = true, true
		begin, end = 1, last
	}
	for next, is := p.askingBegin(begin, end); next > begin; next, is = p.askingBegin(begin, end) {
		useTokens(used, begin, next)
		begin, timer = next, timer || is == "timer"
	}
	for last, is := p.askingEnd(begin, end); last < end; last, is = p.askingEnd(begin, end) {
		useTokens(used, last, end)
		end, timer = last, timer || is == "timer"
	}
	return begin, end, timer
}

// askingBegin passes one phrase that asks, or a mark, at the begin.
func (p *reader) askingBegin(begin, end int) (next int, is string) {
	for _, is := range []string{"remind", "timer", "polite", "greet"} { // at the end of a text a greeting is what somebody is to say
		if _, next, ok := p.word(begin, is); ok && next <= end && !(is == "polite" && next < end && p.longer(begin, next)) {
			return next, is
		}
	}
	if t := p.token(begin); begin < end && t.kind == 'p' && strings.Contains(",:;-.!?/()", t.text) {
		return begin + 1, ""
	}
	if _, next, ok := p.word(begin, "link"); ok && begin > 0 && next < end && !p.longer(begin, next) { // "remind me to", "a reminder for"
		return next, ""
	}
	return begin, ""
}

// askingEnd passes one phrase that asks, or a mark, at the end: it returns where that begins.
func (p *reader) askingEnd(begin, end int) (last int, is string) {
	if end <= begin {
		return end, ""
	}
	if t := p.tokens[end-1]; t.kind == 'p' && strings.Contains(",:;-.!?()", t.text) {
		_, offset := p.utcOffset(end - 7)
		if offset == end || p.lang == "de" && t.text == "." && !t.spaced && p.token(end-2).kind == 'n' {
			return end, "" // 02:30 (UTC+01:00), jeden 31.
		}
		return end - 1, ""
	}
	from, is := p.wordBefore(end, "remind", "timer", "polite")
	if from < begin || is == "polite" && from == begin {
		return end, ""
	}
	return from, is
}

// longer says whether words of time begin there and reach further than a polite word does.
func (p *reader) longer(i, next int) bool {
	_, after := p.expression(i)
	return after > next
}

// spans lists the times of a text from the left to the right.
func (p *reader) spans(begin, end int, used []bool) []span {
	var all []span
	quoted := p.quoted()
	for i := begin; i < end; {
		if p.inWord(i) || quoted[i] {
			i++
			continue
		}
		m, next := p.expression(i)
		if next <= i || next > end {
			i++
			continue
		}
		all = append(all, span{from: i, to: next, m: m})
		i = next
	}
	// Words that ask may stand in the middle, beside a time: tomorrow at 5 remind me to call Ana.
	for k := range all {
		for _, at := range []int{p.afterMarks(all[k].to), p.afterMarks(p.skip(all[k].to, "link"))} {
			for _, is := range []string{"remind", "timer"} {
				if _, next, ok := p.word(at, is); ok && next <= end {
					useTokens(used, at, next)
					all[k].anchored = true
				}
			}
		}
		if from, _ := p.wordBefore(all[k].from, "remind"); from >= begin && from < all[k].from {
			useTokens(used, from, all[k].from)
			all[k].anchored = true
		}
	}
	return all
}

func (p *reader) afterMarks(i int) int {
	for p.mark(i, ",") {
		i++
	}
	return i
}

// closers returns what closes a quote.
func closers(open string) string {
	return map[string]string{`"`: `"`, "“": "”", "„": "“”", "«": "»", "「": "」", "《": "》"}[open]
}

// quotes says whether two tokens are the begin and the end of a quote.
func (p *reader) quotes(open, end int) bool {
	closing := closers(p.token(open).text)
	return closing != "" && p.token(end).kind == 'p' && strings.Contains(closing, p.token(end).text)
}

// quoted marks the tokens in quotes: they are what the person says of, and no times. Quotes around all of a text are none.
func (p *reader) quoted() []bool {
	all := make([]bool, len(p.tokens))
	open := -1
	for i, t := range p.tokens {
		if t.kind != 'p' {
			continue
		}
		if open >= 0 && p.quotes(open, i) {
			if open > 0 || i < len(p.tokens)-1 {
				for k := open; k <= i; k++ {
					all[k] = true
				}
			}
			open = -1
			continue
		}
		if open < 0 && closers(t.text) != "" {
			open = i
		}
	}
	return all
}

// inWord says whether a token goes on a word with a hyphen before it: the mid-Monday one.
func (p *reader) inWord(i int) bool {
	t := p.token(i)
	return i > 0 && !t.spaced && t.kind == 'w' && p.mark(i-1, "-") && !p.tokens[i-1].spaced
}

// corrected drops a time that is taken back: this evening? no: tomorrow.
func (p *reader) corrected(spans []span) []span {
	for k := len(spans) - 1; k > 0; k-- {
		at := spans[k-1].to
		for p.token(at).kind == 'p' && at < spans[k].from {
			at++
		}
		if next := p.skip(at, "correct"); next == at {
			continue
		} else if p.onlyMarks(next, spans[k].from) && at > spans[k-1].to {
			spans[k].from = spans[k-1].from
			return append(spans[:k-1:k-1], spans[k:]...)
		}
	}
	return spans
}

func (p *reader) onlyMarks(from, to int) bool {
	return !slices.ContainsFunc(p.tokens[min(from, to):to], func(t token) bool { return t.kind != 'p' })
}

// vague takes a word such as "some day" away, which is no time.
func (p *reader) vague(begin, end int, used []bool) {
	for i := begin; i < end; i++ {
		if _, next, ok := p.word(i, "vague"); ok && next <= end && (i == begin || next == end || used[i-1] || used[next]) && free(used, i, next) {
			useTokens(used, i, next)
		}
	}
}

// anchor marks the times that stand where a time stands: at the begin, at the end, behind the words that ask. One that
// describes a thing does not: the mail of yesterday, the Monday meeting.
func (p *reader) anchor(spans []span, begin, end int, used []bool) {
	for k := range spans {
		s := &spans[k]
		from := s.from
		for from > begin && (used[from-1] || p.tokens[from-1].kind == 'p') {
			from--
		}
		to := s.to
		for to < end && (used[to] || p.mark(to, ",")) {
			to++
		}
		switch {
		case from <= begin, k > 0 && spans[k-1].anchored && spans[k-1].to >= from:
			s.anchored = true
		case to >= end, s.anchored:
			s.anchored = !p.describes(s.from)
		}
	}
}

// describes says whether the word before a time makes it a description: of yesterday, about Monday, the 5 pm train.
func (p *reader) describes(i int) bool {
	before := p.token(i - 1)
	if before.kind == 'p' && before.text != "\"" {
		return false
	}
	from, _ := p.wordBefore(i, "noun")
	return from < i
}

// choose takes the times that are meant: those that are anchored and can be one, else the clearest in the middle.
func (p *reader) choose(spans []span) ([]span, moment) {
	var chosen []span
	var all moment
	for _, strong := range []bool{true, false} {
		for _, s := range spans {
			if !s.anchored || s.m.prefixed != strong && !s.m.certain() == strong {
				continue
			}
			isTaken := slices.ContainsFunc(chosen, func(c span) bool { return c.from == s.from })
			if isTaken || s.m.bound != nil {
				continue
			}
			if len(chosen) == 0 {
				chosen, all = append(chosen, s), s.m
			} else if merged, ok := merge(all, s.m); ok {
				chosen, all = append(chosen, s), merged
			}
		}
	}
	for _, s := range spans { // water the flowers every day, until Friday
		if s.m.bound != nil && s.anchored && all.repeat.takes(*s.m.bound) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) > 0 && !all.empty() {
		return chosen, all
	}
	for _, s := range spans { // dass ich Ana morgen um fünf anrufe
		if s.m.prefixed && s.m.certain() && !p.describes(s.from) {
			if merged, ok := merge(all, s.m); ok {
				chosen, all = append(chosen, s), merged
				break
			}
		}
	}
	return chosen, all
}

// certain says whether a time is more than a weekday or a part of the day.
func (m moment) certain() bool {
	return m.prefixed || m.clock.given || m.after != nil || m.repeat.unit != "" || m.sun != "" || m.date.byOff || m.date.day != 0
}

// merge makes one of a date and a time of day that stand apart: tomorrow call Ana at 5.
func merge(a, b moment) (moment, bool) {
	until, fromDone, missed := a.untilDone || b.untilDone, a.repeat.fromDone || b.repeat.fromDone, cmp.Or(b.missed, a.missed)
	if a.empty() || b.empty() {
		if a.empty() {
			a = b
		}
		a.untilDone, a.repeat.fromDone, a.missed = until, fromDone, missed
		return a, true
	}
	if often := max(a.repeat.per, b.repeat.per); often > 0 && a.repeat.unit == b.repeat.unit && (a.repeat.per == 0 || b.repeat.per == 0) {
		if b.repeat.per > 0 { // on Monday and Thursday, twice a week
			b.repeat = a.repeat
		}
		b.repeat.per, b.repeat.count, a.repeat = often, 0, repeat{}
	}
	if a.repeat.says(b.repeat) {
		b.repeat = repeat{}
	} else if b.repeat.says(a.repeat) {
		a.repeat = repeat{}
	}
	ok := !(a.clock.given && b.clock.given) && !(a.part != "" && b.part != "") && !(a.repeat.unit != "" && b.repeat.unit != "") &&
		!(a.sun != "" && (b.sun != "" || b.clock.given || b.part != "")) && !(b.sun != "" && (a.clock.given || a.part != "")) &&
		a.afterDone == 0 && b.afterDone == 0 && !(a.after != nil && b.after != nil)
	for _, pair := range [][2]moment{{a, b}, {b, a}} {
		if pair[0].after != nil && (pair[0].after.elapsed != 0 || pair[1].date.given || pair[1].repeat.unit != "" || pair[1].sun != "") {
			ok = false
		}
	}
	if !ok {
		return a, false
	}
	if b.date.given && !a.addDate(b.date) {
		return a, false
	}
	a.clock, a.part, a.after, a.last = cmp.Or(a.clock, b.clock), cmp.Or(a.part, b.part), cmp.Or(a.after, b.after), cmp.Or(a.last, b.last)
	a.sun, a.sunOff = cmp.Or(a.sun, b.sun), cmp.Or(a.sunOff, b.sunOff)
	if b.more != nil {
		a.more = b.more
	}
	if b.repeat.unit != "" {
		a.repeat = b.repeat
	}
	a.night, a.elsewhere = a.night || b.night, cmp.Or(a.elsewhere, b.elsewhere)
	a.untilDone, a.repeat.fromDone, a.missed = until, fromDone, missed
	a.prefixed = a.prefixed || b.prefixed
	return a, true
}

// mostNamed is how many tokens may name a countdown that no word asks for: "10 minutes pasta".
func (p *reader) mostNamed() int {
	if p.lang == "zh" {
		return 8
	}
	return 4
}

// countdown reads an amount without a word before it: 10 minutes pasta, timer 10 min.
func (p *reader) countdown(begin, end int, timer bool, used []bool, m moment) (span, bool) {
	if !timer && (!m.empty() || end-begin > 10) {
		return span{}, false
	}
	free := func(i int) bool { return i >= begin && i < end && !used[i] }
	for i := begin; i < end; i++ {
		if !free(i) {
			continue
		}
		j := p.skip(i, "for")
		if !timer || j == i {
			j = p.skip(i, "on")
		}
		if !timer {
			j = i
		}
		l, next, ok := p.duration(j, timer && p.lang == "ru")
		if about, after, is := p.roughLength(j); is && timer {
			l, next, ok = about, after, true
		}
		if !ok || l.nothing() || next > end || l.calendar() || p.mark(i-1, "-") {
			continue
		}
		if p.is(next, "before") || p.is(next, "after") || p.is(i-1, "before") || p.is(i-1, "after") {
			continue // an hour before the meeting, whose time nobody knows
		}
		atBegin, atEnd := i == begin, next == end
		if !timer && (!atBegin && !atEnd || end-begin-(next-i) > p.mostNamed() || l.elapsed > 24*hour) {
			continue
		}
		if !timer && atBegin && p.describes(next+1) {
			continue
		}
		if after := p.skip(next, "timer"); after > next { // 5-minute timer for eggs
			next = after
		}
		return span{from: i, to: next, m: moment{after: &l, untilDone: m.untilDone, missed: m.missed}}, true
	}
	return span{}, false
}
