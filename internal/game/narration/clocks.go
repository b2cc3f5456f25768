package narration

import (
	"slices"
	"strconv"
	"strings"
)

// hourForm is a way to tell an hour: words, "@" for the hour and "%" for minutes, and the minutes that it stands apart from the hour;
// with minutes before the hour they count back.
type hourForm struct {
	words []string
	apart int64
}

// learnHour learns "half_past_@=30", or the word for an hour that is no number: "третьего=3".
func (l *lexicon) learnHour(word string) {
	words, apart, _ := strings.Cut(word, "=")
	n, _ := strconv.ParseInt(apart, 10, 64)
	if words[0] != '@' && !strings.Contains(words, "_") && n > 0 {
		l.ordinals[words] = n
		return
	}
	f := hourForm{strings.Split(words, "_"), n}
	l.hours = append(l.hours, f)
	for _, w := range f.words {
		l.parts[w] = true
		l.longest = max(l.longest, len(w))
	}
}

// dial is the minutes of a round of the clock.
const dial = 12 * 60

// clockTimes returns the times of day that words tell, in minutes on the dial.
func (c *checker) clockTimes(toks []token) (list []numeral) {
	byStart := map[int]numeral{}
	for _, n := range c.numerals(toks) {
		byStart[n.at] = n
	}
	for i := range toks {
		for _, f := range c.lex.hours {
			if n, ok := c.hourAt(toks, i, f, byStart); ok {
				list = append(list, n)
				break
			}
		}
	}
	return list
}

func (c *checker) hourAt(toks []token, i int, f hourForm, numbers map[int]numeral) (numeral, bool) {
	hour, minutes, at := int64(0), f.apart, i
	if slices.Contains(f.words, "%") {
		minutes = 0
	}
	for k, w := range f.words {
		if at >= len(toks) || k > 0 && toks[at].stop != 0 {
			return numeral{}, false
		}
		n, number := numbers[at]
		if h, ok := c.lex.ordinals[toks[at].word]; ok {
			n, number = numeral{at, at + 1, h, true}, true
		}
		switch {
		case w == "@" && number && n.n <= 24, w == "%" && number && n.n < 60:
			if at = n.end; w == "@" {
				hour = n.n
			} else {
				minutes = n.n * f.apart
			}
		case w != "@" && w != "%" && c.lex.means(toks[at].word, w):
			at++
		default:
			return numeral{}, false
		}
	}
	return numeral{i, at, ((hour*60+minutes)%dial + dial) % dial, true}, true
}

// oClock holds the hours that are told against the hour of the story, in speech too: a quarter of an hour early or late is not wrong.
func (c *checker) oClock() {
	was, is := c.d.Before.Self().Minute, c.d.After.Self().Minute
	if !c.d.After.Self().ClockSet {
		return
	}
	const about = 15
	toks := c.plainTokens(c.draft.text)
	for _, n := range c.clockTimes(toks) {
		off := ((n.n-was+about)%dial + dial) % dial
		known := func(k numeral) bool { return k.n == n.n }
		rest := c.draft.text[toks[n.end-1].end:]
		if end := strings.IndexAny(rest, ".!?。！？\n"); end >= 0 && (rest[end] == '?' || strings.HasPrefix(rest[end:], "？")) {
			continue // what is asked is not said to be so
		}
		if off > is-was+2*about && !slices.ContainsFunc(c.clockTimes(c.plainTokens(c.allTexts())), known) {
			c.flag(Time, span{toks[n.at].at, toks[n.end-1].end}, "it is another time of day")
		}
	}
}
