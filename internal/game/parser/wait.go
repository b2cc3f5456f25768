package parser

import (
	"fmt"
	"strconv"
	"strings"

	"hob/internal/game/rules"
)

// usualWait is the length of a wait without a number, in minutes.
const usualWait = 10

// wait lets some time pass, or in a fight ends the turn.
func (r *reader) wait() (Meaning, *refusal) {
	if r.w.Encounter() != nil {
		return r.oneCall("next_turn", rules.NewObj())
	}
	return r.passTime(usualWait)
}

// passTime lets minutes pass.
func (r *reader) passTime(minutes int64) (Meaning, *refusal) {
	if minutes <= 0 || r.w.Encounter() != nil {
		return Meaning{}, notPlain()
	}
	if m, asks := r.askBefore(minutes); asks {
		return m, nil
	}
	return r.oneCall("advance_time", rules.NewObj().Int("minutes", minutes))
}

// margin is how many minutes before the end of the story a shorter wait ends that is offered instead.
const margin = 30

// askBefore asks before a wait that would end the story. It offers a wait up to half an hour before, and one to the end.
func (r *reader) askBefore(minutes int64) (m Meaning, asks bool) {
	c, left := rules.TimeLeft(r.w)
	if c == nil || minutes <= left || r.book.Tool("advance_time") == nil {
		return m, false
	}
	var names []string
	offer := func(label string, minutes int64) {
		var one Meaning
		if r.call("advance_time", rules.NewObj().Int("minutes", minutes), &one) == nil {
			m.Options = append(m.Options, Option{Label: label, Calls: one.Calls})
			names = append(names, r.text("option", strconv.Itoa(len(m.Options)), label))
		}
	}
	key := "fatal.now"
	if early := left + 1 - margin; early > 0 {
		key = "fatal"
		at := (r.w.Self().Minute + early) % daily
		offer(r.text("early", fmt.Sprintf("%d:%02d", at/hourly, at%hourly)), early)
	}
	offer(r.text("anyway"), left+1)
	m.Problem = r.text(key, c.Name, r.joinNames(names))
	return m, true
}

// rest rests for some minutes. Up to an hour is a short rest, from six hours on it is a night.
func (r *reader) rest(minutes int64) (Meaning, *refusal) {
	kind := "short"
	switch {
	case minutes <= 0 || minutes > 60 && minutes < 6*60 || minutes > 12*60:
		return Meaning{}, notPlain()
	case minutes > 60:
		kind = "long"
	}
	lasts := int64(30)
	if kind == "long" {
		lasts = 8 * hourly
	}
	if m, asks := r.askBefore(lasts); asks {
		return m, nil
	}
	return r.oneCall("rest", rules.NewObj().Text("kind", kind))
}

// half is a half of the day.
type half int

const (
	either half = iota // the next of the two
	morning
	evening
)

const (
	hourly = 60
	daily  = 24 * hourly
)

// waitUntil waits until the clock shows a time, at most a day.
func (r *reader) waitUntil(of half) (Meaning, *refusal) {
	self := r.w.Self()
	then, every := r.moment(of)
	if every == 0 && r.options.NoModel && self.ClockSet && r.guess == sound {
		r.guess = wild
		return Meaning{}, r.refuse("until")
	}
	if every == 0 || !self.ClockSet {
		return Meaning{}, notPlain()
	}
	wait := (then - self.Minute%daily + 2*daily) % every
	if wait == 0 {
		wait = every
	}
	return r.passTime(wait)
}

// moment reads a time of day in minutes after midnight. It comes again after every minutes: half a day if it may be
// before or after noon. If the slot has no time, every is 0.
func (r *reader) moment(of half) (then, every int64) {
	p := r.phrase(1)
	if hour := number(r.table.which("hour.", p)); hour > 0 && of == either {
		return hour * hourly, daily
	}
	hour, minutes := r.numberIn(1), int64(0)
	if hour == 0 && len(p) == 2 && len(p[1].text) == 2 && p[1].gap == noGap && strings.ContainsAny(r.input.raw[p[0].to:p[1].from], ":：") {
		hour, minutes = number(p[0].text), number(p[1].text)
		if minutes == 0 && p[1].text != "00" {
			hour = 0
		}
	}
	switch {
	case hour == 0 || hour > 24 || minutes >= 60 || hour > 12 && of == morning:
		return 0, 0
	case hour > 12:
		return hour*hourly + minutes, daily
	case of == either:
		return hour*hourly + minutes, daily / 2
	case of == evening:
		return (hour%12+12)*hourly + minutes, daily
	}
	return hour%12*hourly + minutes, daily // twelve in the morning is midnight
}
