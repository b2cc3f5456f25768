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
	if f := (hourForm{strings.Split(words, "_"), n}); n > 0 && len(f.words) == 1 {
		l.ordinals[words] = n
	} else {
		l.hours = append(l.hours, f)
		l.part(f.words)
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
		if n, ok := onDial(toks, i); ok {
			list = append(list, numeral{i, i + 2, n, false})
		}
		for _, f := range c.lex.hours {
			if n, ok := c.hourAt(toks, i, f, byStart); ok {
				list = append(list, n)
				break
			}
		}
	}
	return list
}

// onDial returns the minutes of an hour in figures: 21:33.
func onDial(toks []token, i int) (minutes int64, ok bool) {
	if i+2 >= len(toks) || toks[i+1].stop != ':' || toks[i].end+1 != toks[i+1].at || len(toks[i+1].word) != 2 {
		return 0, false
	}
	h, errH := strconv.ParseInt(toks[i].word, 10, 64)
	m, errM := strconv.ParseInt(toks[i+1].word, 10, 64)
	return (h*60 + m) % dial, errH == nil && errM == nil
}

func (c *checker) hourAt(toks []token, i int, f hourForm, numbers map[int]numeral) (numeral, bool) {
	minutes, at := f.apart, i
	for k, w := range f.words {
		if at >= len(toks) || k > 0 && toks[at].stop != 0 {
			return numeral{}, false
		}
		n, number := numbers[at]
		if h, ok := c.lex.ordinals[toks[at].word]; ok {
			n, number = numeral{at, at + 1, h, true}, true
		}
		switch {
		case w == "@" && number:
			minutes, at = minutes+60*n.n, n.end
		case w == "%" && number:
			minutes, at = minutes+f.apart*(n.n-1), n.end
		case c.lex.means(toks[at].word, w):
			at++
		default:
			return numeral{}, false
		}
	}
	return numeral{i, at, (minutes%dial + dial) % dial, true}, true
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
		end := n.end
		for !ends(toks[end].stop) {
			end++
		}
		if toks[end].stop == '?' {
			continue // what is asked is not said to be so
		}
		if off > is-was+2*about && !slices.ContainsFunc(c.clockTimes(c.plainTokens(c.allTexts())), known) {
			c.flag(Time, span{toks[n.at].at, toks[n.end-1].end}, "it is another time of day")
		}
	}
}
