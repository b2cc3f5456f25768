// Package when reads words of time: "tomorrow at half six", "jeden Montag um acht", "через полчаса", 每周一三五早上八点. It returns an
// instant or a rule of repetition, and what remains of the text. It knows no clock and no disk: now is a parameter.
//
// Where words can mean two times, Read chooses one and returns the other beside it; docs/time.md lists the choices. Only a time
// that is missing, impossible, past, or more than a reminder can hold is an error.
//
// Each language has a file of words below words/, which gives a phrase its meaning. The text is cut into tokens, phrases
// become meanings, and one grammar for all languages reads those: forms.go says how its rows are written. Its parts: numbers.go, duration.go (amounts), clock.go
// (times of day), calendar.go (days), repeat.go and bounds.go; moment.go puts them together as they were said, and resolve.go and rule.go
// hold them against now, with days.go for days. text.go decides which words of a sentence are its time, and rest.go what remains.
// describe.go writes a time, and adjust.go reads a change of one.
package when

import (
	"iter"
	"slices"
	"time"
	"unicode"
)

// Reading is what a text says of time.
type Reading struct {
	// Start is the first time, in now's location, in whole seconds. With Sun it is the beginning of the first day.
	Start time.Time
	// Repeat is the value of an RRULE of RFC 5545, in the order FREQ, UNTIL, COUNT, INTERVAL, BYMONTH, BYMONTHDAY, BYDAY,
	// BYSETPOS: "FREQ=WEEKLY;BYDAY=MO,WE". It is "" for once.
	Repeat string
	// Sun is a time by the sun, such as "sunset-30m" or "sunrise", or "".
	Sun string
	// AfterDone is how long after each Done it comes back, or 0. Start is the first time then.
	AfterDone time.Duration
	// Timer says that it counts down.
	Timer bool
	// UntilAcknowledged says that it is repeated until the person answers.
	UntilAcknowledged bool
	// Missed says what happens to times that pass while hob cannot notify anybody: it notifies later of each of them ("late"), of
	// none ("skip"), or of the newest only ("").
	Missed string
	// Other is what else the words may mean.
	Other []Alternative
	// Rest is the text without its words of time, and without the words of asking.
	Rest string
	// Words are the part of the text that was read, where the text holds several things; "" is all of it.
	Words string
	// Lang is the language that was read: en, de, ru or zh.
	Lang string
}

// Alternative is another reading of a doubt that was decided.
type Alternative struct {
	Label  string
	Start  time.Time
	Repeat string
}

// ByDay moves an hour before six to the afternoon, on a later day or in a repetition, where the words can mean either: nobody wants to be
// woken at three in the morning to make a call. The hour as it was said becomes the first of the other readings.
func (r Reading) ByDay(now time.Time) Reading {
	repeats, at := r.Repeat != "", r.Start
	if at.Hour() >= 6 || !repeats && isSameDay(at, now) {
		return r
	}
	i := slices.IndexFunc(r.Other, func(o Alternative) bool {
		return o.Start.Hour() == at.Hour()+12 && (repeats || isSameDay(o.Start, at))
	})
	if i < 0 {
		return r
	}
	said, meant := Alternative{Label: at.Format("15:04"), Start: at, Repeat: r.Repeat}, r.Other[i]
	r.Start, r.Repeat = meant.Start, meant.Repeat
	r.Other = append([]Alternative{said}, slices.Delete(slices.Clone(r.Other), i, i+1)...)
	return r
}

// isSameDay reports whether two instants are of one day in the zone of the first.
func isSameDay(t, other time.Time) bool {
	y, m, d := t.Date()
	oy, om, od := other.In(t.Location()).Date()
	return y == oy && m == om && d == od
}

// Problem is why a time is unclear, in English.
type Problem string

const (
	// Missing is a text without a time.
	Missing Problem = "no time was said"
	// Impossible is a time that no clock or calendar has.
	Impossible Problem = "the time is impossible"
	// Past is a time that is over.
	Past Problem = "the time is past"
	// Several is a text with two times, where it is unclear which of the other words belong to which time.
	Several Problem = "there are several times"
	// Unruled is a repetition that no RRULE can say: every day except on holidays, every year three days before Easter.
	Unruled Problem = "there is no rule for that"
	// Often is a repetition that comes several times a day or a week, without the times or the days.
	Often Problem = "the times of the day are missing"
	// Elsewhere is an hour of the clocks of another place.
	Elsewhere Problem = "the time is of another place"
)

// Unclear is the error of a text that says no time to come.
type Unclear struct {
	Problem  Problem
	Question string // for the person, in the language of the text
}

func (u *Unclear) Error() string { return string(u.Problem) }

// Read reads the words of time in text, which was said at now. Now's location is the person's zone. Lang is "en", "de",
// "ru" or "zh", or "" where the words say it. An error is an *Unclear; the reading has what remains of the text then, too.
func Read(text, lang string, now time.Time) (Reading, error) {
	now = now.Truncate(second)
	return readFirst(text, lang, func(p *reader) (Reading, error) {
		m, timer, rest := p.split(text)
		return p.resolve(m, timer, rest, now)
	})
}

// readFirst returns what the first language says of a text in which a time was said, or the first of all.
func readFirst(text, lang string, read func(*reader) (Reading, error)) (first Reading, failed error) {
	for p := range readersOf(text, lang) {
		reading, err := read(p)
		if err == nil || !isMissing(err) {
			return reading, err
		}
		if failed == nil {
			first, failed = reading, err
		}
	}
	return first, failed
}

func isMissing(err error) bool {
	u, ok := err.(*Unclear)
	return ok && u.Problem == Missing
}

func (p *reader) resolve(m moment, timer bool, rest string, now time.Time) (Reading, error) {
	failed := Reading{Rest: rest, Lang: p.lang}
	if m.empty() {
		return failed, unclear(Missing, p.lang)
	}
	r := resolver{now: now, today: dayOf(now), lang: p.lang, m: m, timer: timer}
	reading, err := r.resolve()
	if err != nil {
		return failed, err
	}
	reading.Rest, reading.Timer = rest, timer
	return reading, nil
}

// readersOf reads the words of a text in the languages it may be of, the likeliest first. One that was named is tried
// first; another may follow, since people mix them.
func readersOf(text, lang string) iter.Seq[*reader] {
	return func(yield func(*reader) bool) {
		han, cyrillic, latin := false, false, false
		for _, r := range text {
			han = han || unicode.Is(unicode.Han, r)
			cyrillic = cyrillic || unicode.Is(unicode.Cyrillic, r)
			latin = latin || unicode.Is(unicode.Latin, r)
		}
		next := func(l string, wanted bool) bool { return !wanted || l == lang || yield(newReader(text, l)) }
		if speaks(lang) && !yield(newReader(text, lang)) {
			return
		}
		if !next("zh", han) || !next("ru", cyrillic) || !latin && (han || cyrillic || speaks(lang)) {
			return
		}
		if lang == "en" || lang == "de" {
			_ = next("en", true) && next("de", true)
			return
		}
		first, second := newReader(text, "en"), newReader(text, "de")
		if second.knownLetters() > first.knownLetters() {
			first, second = second, first
		}
		_ = yield(first) && yield(second)
	}
}

// knownLetters counts the letters of the words of time of a text.
func (p *reader) knownLetters() int {
	sum := 0
	for i := 0; i < len(p.tokens); {
		n := 0
		if len(p.found[i]) > 0 && p.tokens[i].kind == 'w' {
			n = p.found[i][0].tokens
			sum += p.tokens[i+n-1].to - p.tokens[i].from
		}
		i += max(n, 1)
	}
	return sum
}
