package intents

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"hob/internal/when"
)

// What happens at a time may be told before the order, which counts from it: "the lecture is at 10, remind me 15 minutes before", or comes on its day:
// "Ana's birthday is 3 May, remind me every year on that day at 8", or as often as it does: "yoga is on Mondays, remind me weekly at 6".

// happening is what a clause before the order tells of.
type happening struct {
	name string // such as "the lecture"
	date string // its words of time
	when.Reading
}

// happeningOf returns what a clause tells of, or false where that has no name or no time of its own to come.
func (l *language) happeningOf(clause string, now time.Time) (happening, bool) {
	clause = strings.Trim(clause, " ,;.!?-")
	if rest, ends := l.withoutEnd("happens", clause); ends { // German parts a verb: my shift "fängt" at 10 "an"
		clause = strings.TrimRight(rest, " ")
	}
	read, err := when.Read(clause, l.name, now)
	date, edge := strings.CutPrefix(clause, read.Rest)
	if !edge {
		date, edge = strings.CutSuffix(clause, read.Rest)
	}
	if !edge && l.does("no verb") && !l.startsWith("states", clause) { // without a verb, the date may stand within: у Пети 5 марта день рождения
		date, edge = cutWithin(clause, read.Rest)
	}
	name := fold(read.Rest)
	size := len(name.norm)
	for ends := true; ends; { // the lecture is on
		var rest string
		if rest, ends = l.withoutEnd("happens", name.norm[:size]); !ends {
			rest, ends = l.withoutEnd("hangs", name.norm[:size])
		}
		if ends = ends && strings.TrimSpace(rest) != ""; ends {
			size = len(strings.TrimRight(rest, " "))
		}
	}
	from := 0
	if first, _, more := strings.Cut(name.norm[:size], " "); more && l.has("happens", first) { // tomorrow at 10 is the lecture
		from = len(first) + 1
	}
	duty := &matcher{folded: name, lang: l}
	duty.rule("duty", from, func(end int) { from = duty.skip(end) }) // tomorrow I have to pay the rent
	h := happening{name.original(from, size), strings.Trim(date, " ,"), read}
	return h, err == nil && edge && read.Rest != clause && read.Lang == l.name && size > 0 &&
		!l.consistsOf(name.norm[:size], "articles", "hangs", "behind", "vague", "states", "reasons")
}

// on returns the time of an hour on the day of what happens, or false where that has an hour of its own, or the hour a day.
func (h happening) on(l *language, hour string, now time.Time) (when.Reading, bool) {
	if rest, is := l.onSameDay(hour); is {
		if lacksHour(rest, l.name, []when.Reading{{}}) {
			return when.Reading{}, false
		}
		read, err := when.Read(h.Start.Format(time.DateOnly)+" "+rest, l.name, now)
		return read, err == nil && strings.TrimSpace(read.Rest) == "" && read.Repeat == ""
	}
	day, _ := l.withoutEnd("needs", h.date) // 下周二要
	if !l.isDayAlone(day) || l.saysDay(hour) || l.hasWord(fold(hour).norm, "clocks") || lacksHour(hour, l.name, []when.Reading{{}}) {
		return when.Reading{}, false
	}
	read, err := when.Read(day+" "+hour, l.name, now)
	return read, err == nil && strings.TrimSpace(read.Rest) == "" && read.Repeat == ""
}

// onSameDay returns the hour of words that say whose day it is: "that day at one".
func (l *language) onSameDay(words string) (hour string, is bool) {
	for same := range l.list("sameday") {
		if rest, ok := strings.CutPrefix(words, same+" "); ok {
			return rest, true
		}
		if rest, ok := strings.CutSuffix(words, " "+same); ok {
			return rest, true
		}
	}
	return words, false
}

// cutWithin returns what stands within a text between the words of both its ends, which are rest.
func cutWithin(text, rest string) (within string, found bool) {
	for i, r := range rest {
		if r != ' ' {
			continue
		}
		if behind, ok := strings.CutPrefix(text, rest[:i+1]); ok && strings.HasSuffix(behind, rest[i:]) {
			return strings.TrimSuffix(behind, rest[i:]), true
		}
	}
	return "", false
}

// saysOfHappening reports whether the clause before an order tells of what happens, and the order says how long before or behind it, or that it comes
// each year, or at which hour of its day.
func (p parse) saysOfHappening() bool {
	i := slices.IndexFunc(p.slots, func(s slot) bool { return s.name == "event" })
	if i < 0 {
		return false
	}
	event := p.slots[i]
	text := strings.Trim(p.text.norm[event.from:event.to], " ,")
	if p.lang.startsWithAny(text, "corrects", "greets", "leads", "torn", "stalls", "limits", "scorn", "imperatives") {
		return false
	}
	isOther := func(w foundWord) bool {
		isTold := p.lang.does("no verb") && !p.lang.has("happens", w.text) && (p.lang.has("speech", w.text) || p.lang.has("finite", w.text))
		return isTold || p.lang.negates(w.text)
	}
	if len(folded{norm: text}.clausesOf()) > 1 || p.lang.endsInWord("past", text) || asksWhether(text) || p.lang.hasWord(text, "condition", "clocks", "hearsay", "unsettled") ||
		slices.ContainsFunc(p.lang.wordsOf(text), isOther) {
		return false
	}
	h, ok := p.lang.happeningOf(p.textOf("event"), anyDay())
	if !ok {
		return false
	}
	if p.kind == "remind/yearly" { // or as often as it happens: the bins go out on Tuesdays, remind me each week at 7
		read, err := when.Read(p.textOf("often")+" "+h.date+" "+p.textOf("remind"), p.lang.name, anyDay())
		isAsOften := h.Repeat == "" && strings.HasPrefix(read.Repeat, "FREQ=YEARLY") || h.Repeat != "" && read.Repeat == h.Repeat
		return err == nil && strings.TrimSpace(read.Rest) == "" && isAsOften
	}
	if h.Repeat != "" {
		return false
	}
	if p.kind == "remind/day" {
		_, ok := h.on(p.lang, p.textOf("remind"), anyDay())
		return ok
	}
	_, isLength := lengthFrom(anyDay(), p.textOf("ahead"), p.lang.name)
	return isLength
}

// ofHappening is At for a reminder of what happens, or none where its time is over.
func (r Reading) ofHappening(in later, now time.Time) Reading {
	l := r.language()
	if l == nil {
		return Reading{}
	}
	h, ok := l.happeningOf(in.Event, now)
	if !ok || h.Repeat != "" && in.Often == "" {
		return Reading{}
	}
	if in.On {
		if h.Reading, ok = h.on(l, in.Text, now); !ok {
			return Reading{}
		}
	} else if in.Often != "" {
		read, err := when.Read(in.Often+" "+h.date+" "+in.Text, r.Lang, now)
		if err != nil {
			return Reading{}
		}
		h.Reading = read
	} else {
		h.Reading = h.ByDay(now)
		shift := func(at time.Time) time.Time {
			behind, ok := lengthFrom(at, in.Text, r.Lang)
			switch length := behind.Sub(at); {
			case !ok || length < 24*time.Hour && lacksHour(in.Event, r.Lang, []when.Reading{{Rest: h.Rest}}):
				return now
			case in.Behind:
				return behind
			case length%(24*time.Hour) == 0: // days, by the clock of the house
				return at.AddDate(0, 0, -int(length/(24*time.Hour)))
			default:
				return at.Add(-length)
			}
		}
		h.Start, h.Other = shift(h.Start), slices.Clone(h.Other)
		for i, o := range h.Other {
			h.Other[i].Start = shift(o.Start)
		}
		h.Other = slices.DeleteFunc(h.Other, func(o when.Alternative) bool { return !o.Start.After(now) })
	}
	if !h.Start.After(now) {
		return Reading{}
	}
	if h.Rest = h.name; in.Title != "" {
		h.Rest = in.Title
	}
	args := in.argsOf(h.Reading, "")
	args.Lang = r.Lang
	var err error
	if r.Call.Args, err = json.Marshal(args); err != nil {
		return Reading{}
	}
	return r
}
