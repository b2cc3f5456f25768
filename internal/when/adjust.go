package when

import "time"

// Adjust reads a change of a time: "make it 7", "an hour later", "auf 7 verschieben", "на час позже", "改到七点", "tomorrow
// instead". Old is the time that it changes, with its rule. What the words leave open stays as it was: a new time keeps the day, a new
// day keeps the time. The reading has a rule where the words change it. The rest is what remains beside words of time and of changing. An error is an *Unclear.
func Adjust(text, lang string, old Reading, now time.Time) (Reading, error) {
	now = now.Truncate(second)
	old.Start = old.Start.In(now.Location())
	return readFirst(text, lang, func(p *reader) (Reading, error) { return p.adjust(text, old, now) })
}

func (p *reader) adjust(text string, old Reading, now time.Time) (Reading, error) {
	used := make([]bool, len(p.tokens))
	reading, err := p.adjusted(used, old, now)
	p.useWords(used, "edit", "later", "earlier", "negation", "correct", "polite", "greet")
	reading.Rest, reading.Lang = p.remains(text, used), p.lang
	return reading, err
}

func (p *reader) adjusted(used []bool, old Reading, now time.Time) (Reading, error) {
	at := old.Start
	if start, ok := p.moved(used, at); ok {
		if start.Before(now) {
			return Reading{}, unclear(Past, p.lang)
		}
		return Reading{Start: start}, nil
	}
	var m moment
	l, next, ok := p.duration(0, false)
	if about, after, is := p.roughLength(0); is {
		l, next, ok = about, after, true
	}
	if ok && next == len(p.tokens) && !l.nothing() { // three and a half minutes, which are no three o'clock
		useTokens(used, 0, next)
		m.after = &l
	} else {
		m = p.changed(used)
	}
	if m.empty() {
		return Reading{}, unclear(Missing, p.lang)
	}
	r := resolver{now: now, today: dayOf(now), lang: p.lang, m: m, timer: old.Timer}
	if m.repeat.unit != "" && !m.repeat.fromDone {
		r.m.keepOf(old, r.today)
	} else if rl, ok := parseRule(old.Repeat); ok && len(m.more) > 0 && rl.ofDays() && !m.date.given {
		return r.retimed(rl, dayOf(at))
	} else if m.repeat.unit == "" && m.after == nil && m.sun == "" && m.afterDone == 0 {
		switch {
		case m.date.given && !m.clock.given && m.part == "":
			r.m.clock = clockOf(at)
		case !m.date.given && len(m.more) > 0:
			return r.onlyTimes(dayOf(at))
		case !m.date.given:
			return r.sameDay(at)
		}
	}
	return r.resolve()
}

// clockOf is the time of day of an instant.
func clockOf(at time.Time) clock {
	return clock{given: true, sure: true, hour: at.Hour(), minute: at.Minute(), second: at.Second()}
}

// keepOf gives a new rule of days the times of day that were, and one of weeks, months or years its day as well, unless it says its own.
func (m *moment) keepOf(old Reading, today time.Time) {
	at := old.Start
	if rl, ok := parseRule(old.Repeat); ok {
		m.repeat.keepEnd(rl, at)
	}
	if ofHours(m.repeat.unit) {
		return
	}
	if !m.clock.given && m.part == "" && m.sun == "" {
		m.clock = clockOf(at)
		if rl, _ := parseRule(old.Repeat); len(rl.times) > 0 {
			m.clock = clockAtMinute(rl.times[0])
			for _, t := range rl.times[1:] {
				m.more = append(m.more, daytime{clock: clockAtMinute(t)})
			}
		}
		if old.Sun != "" {
			m.clock = clock{}
			m.sun, m.sunOff, _ = ParseSun(old.Sun)
		}
	}
	if m.repeat.unit == "day" || len(m.repeat.days) > 0 || m.date.given || m.repeat.from != nil {
		return
	}
	day, cycle := dayOf(at), rule{unit: m.repeat.unit}
	for n := 1; day.Before(today) && n < mostAmount; n++ {
		day = cycle.step(dayOf(at), n)
	}
	m.repeat.from = momentOn(day)
}

// keepEnd ends a new rule as the old one did, which goes on from a time, unless it says its own end. So many times of another cycle end where
// those would have ended. Two weekdays that were once each are no such number.
func (r *repeat) keepEnd(old rule, at time.Time) {
	if r.until != nil || r.count > 0 || !r.lasts.nothing() {
		return
	}
	switch {
	case !old.until.IsZero():
		end := old.until.In(at.Location())
		if r.until = momentOn(end); end.Format("15:04:05") != "23:59:59" && !old.ofDays() {
			r.until.clock = clockOf(end)
		}
	case old.count == 0 || len(old.times) > 0 || len(old.days) > 1:
	case old.unit == r.unit && old.interval == r.every:
		r.count = old.count
	case old.ofDays():
		r.until = momentOn(old.step(dayOf(at), old.count-1))
	}
}

// useWords marks the phrases of some meanings.
func (p *reader) useWords(used []bool, meanings ...string) {
	for i := range p.tokens {
		for _, is := range meanings {
			useTokens(used, i, p.skip(i, is))
		}
	}
}

// useTokens marks the tokens from one to another.
func useTokens(used []bool, from, to int) {
	for i := from; i < to; i++ {
		used[i] = true
	}
}

// retimed gives a rule other times of the day.
func (r resolver) retimed(rl rule, from time.Time) (Reading, error) {
	var ok bool
	if rl.times, ok = r.slots(); !ok {
		return Reading{}, unclear(Impossible, r.lang)
	}
	start, ok := r.firstAt(rl, from, clock{})
	if !ok {
		return Reading{}, unclear(Impossible, r.lang)
	}
	return Reading{Start: start, Repeat: rl.String(), Lang: r.lang}, nil
}

// onlyTimes reads several times on a day, or where that is over on the next.
func (r resolver) onlyTimes(day time.Time) (Reading, error) {
	reading := Reading{Lang: r.lang}
	err := r.several(&reading, []time.Time{day})
	if err != nil {
		err = r.several(&reading, nil)
	}
	return reading, err
}

// sameDay reads a new time on the day of the old one. A bare hour is the one nearer to the old time.
func (r resolver) sameDay(at time.Time) (Reading, error) {
	if !r.m.clock.valid() {
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
func (p *reader) moved(used []bool, at time.Time) (time.Time, bool) {
	var by length
	found := false
	from, to, sign := 0, 0, 0
	for i := 0; i < len(p.tokens); i++ {
		if _, ok := p.wordOf(i, "later", "than"); ok && sign == 0 {
			sign = 1
		}
		if p.is(i, "earlier") {
			sign = -1
		}
		if found {
			continue
		}
		if l, next, ok := p.duration(i, p.lang == "ru"); ok && !l.nothing() {
			if !p.is(i-1, "in") && !p.is(i-1, "each") {
				by, found = l, true
				from, to = i, next
			}
			i = next - 1
		}
	}
	if !found {
		return time.Time{}, false
	}
	if sign == 0 {
		if !p.is(0, "edit") { // snooze 10 minutes
			return time.Time{}, false
		}
		sign = 1
	}
	if sign < 0 {
		by = by.times(-1)
	}
	useTokens(used, from, to)
	return by.after(at), true
}

// changed reads the new time: the words of changing go first.
func (p *reader) changed(used []bool) moment {
	var best moment
	end := len(p.tokens)
	for i := 0; i < end; i++ {
		if next := p.skip(i, "negation"); next > i { // not today, on Saturday
			if after, ok := p.negated(next); ok {
				useTokens(used, i, after)
				i = after - 1
				continue
			}
		}
		m, next := p.expression(i)
		if next > i && !m.empty() {
			if merged, ok := merge(best, m); ok {
				best = merged
				useTokens(used, i, next)
			}
			i = next - 1
			continue
		}
		// A number alone is an hour here: make it 7.
		edit, _ := p.wordBefore(i, "edit")
		if c, next, _, ok := p.clockAt(i, true); ok && !best.clock.given && best.after == nil && (i == 0 || edit < i) {
			best.clock = c
			for more := true; more; {
				next, more = p.anotherTime(next, &best)
			}
			useTokens(used, i, next)
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
