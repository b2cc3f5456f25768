package narration

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	day  = 24 * 60
	half = 12 * 60
)

// times holds hours of the clock against the hour of the story.
func (c *checker) times() {
	if !c.d.After.Self().ClockSet {
		return
	}
	c.figures()
	if c.lang == "zh" {
		c.hoursHan()
		return
	}
	for i := range c.toks[:len(c.toks)-1] {
		minute, n := c.hour(i)
		if n == 0 || !c.present(i) || c.near(minute, 12, half) || c.heard(c.draft.open[c.toks[i].at:c.toks[i+n-1].end]) {
			continue
		}
		c.flag(Time, span{c.toks[i].at, c.toks[i+n-1].end}, "it is another time of day")
	}
}

// near reports whether a minute of the clock lies within so many of the turn's.
func (c *checker) near(minute, most, round int64) bool {
	was, is := c.d.Before.Self().Minute, c.d.After.Self().Minute
	for at := was; at <= is; at += max(1, min(is-at, 5)) {
		off := (minute - at%round + 2*round) % round
		if off <= most || off >= round-most {
			return true
		}
	}
	return false
}

// figures finds what is written like 15:30. A day has 24 hours in them, or twice 12.
func (c *checker) figures() {
	s := c.draft.open
	for i := 1; i+2 < len(s); i++ {
		if s[i] != ':' || !digit(s[i-1]) || !digit(s[i+1]) || !digit(s[i+2]) || i+3 < len(s) && (digit(s[i+3]) || s[i+3] == ':') {
			continue
		}
		from := i - 1
		if from > 0 && digit(s[from-1]) {
			from--
		}
		if from > 0 && (digit(s[from-1]) || s[from-1] == ':') {
			continue
		}
		hour := int64(s[i-1] - '0')
		if from < i-1 {
			hour += 10 * int64(s[from]-'0')
		}
		minute := hour*60 + int64(s[i+1]-'0')*10 + int64(s[i+2]-'0')
		round := int64(day)
		if hour <= 12 {
			round = half
		}
		if minute >= day || s[i+1] > '5' || c.near(minute%round, 1, round) || c.heard(s[from:i+3]) || c.later(s[:from]) {
			continue
		}
		c.flag(Time, span{from, i + 3}, "it is another time of day")
	}
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// later reports whether an hour is one that is to come, or was.
func (c *checker) later(before string) bool {
	words := strings.Fields(lowered(lastRunes(before, 20)))
	if c.lang == "zh" {
		return hasAny(strings.TrimRight(before, " "), "到", "从", "等到", "前")
	}
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "by", "until", "till", "before", "since", "from", "to", "between", "after", "до", "к", "с", "после":
		return true
	}
	return false
}

// hour reads the words from i on as an hour of the clock: its minute within half a day, and how many words it has.
func (c *checker) hour(i int) (minute int64, n int) {
	w := func(j int) string {
		if i+j >= len(c.toks)-1 || j > 0 && c.toks[i+j].stop != 0 {
			return ""
		}
		return c.toks[i+j].word
	}
	number := func(j int) int64 { return numberWord(w(j)) }
	if c.lang == "ru" {
		return hourRussian(w, number)
	}
	switch {
	case w(0) == "midnight" || w(0) == "noon":
		return 0, 1
	case w(0) == "half" && w(1) == "past" && number(2) > 0:
		return number(2)%12*60 + 30, 3
	case w(0) == "quarter" && w(1) == "past" && number(2) > 0:
		return number(2)%12*60 + 15, 3
	case w(0) == "quarter" && w(1) == "to" && number(2) > 0:
		return (number(2)%12*60 + half - 15) % half, 3
	case number(0) > 0 && number(0) <= 12 && w(1) == "o'clock":
		return number(0) % 12 * 60, 2
	}
	return 0, 0
}

func hourRussian(w func(int) string, number func(int) int64) (minute int64, n int) {
	ordinal := func(s string) int64 {
		return int64(1 + slices.Index([]string{"первого", "второго", "третьего", "четвертого", "пятого", "шестого", "седьмого", "восьмого", "девятого",
			"десятого", "одиннадцатого", "двенадцатого"}, s))
	}
	switch {
	case w(0) == "полночь" || w(0) == "полдень":
		return 0, 1
	case strings.HasPrefix(w(0), "половин") && ordinal(w(1)) > 0:
		return (ordinal(w(1))-1)*60 + 30, 2
	case strings.HasPrefix(w(0), "четверть") && ordinal(w(1)) > 0:
		return (ordinal(w(1))-1)*60 + 15, 2
	case number(0) > 0 && number(0) <= 12 && (w(1) == "часа" || w(1) == "часов") && hasAny(w(2), "утра", "дня", "вечера", "ночи", "пополудни"):
		return number(0) % 12 * 60, 3
	}
	return 0, 0
}

// present reports whether the sentence up to the word at i says what time it is.
func (c *checker) present(i int) bool {
	for j := i; j >= 0 && j > i-6; j-- {
		if j < i {
			switch c.toks[j].word {
			case "at", "by", "until", "till", "before", "since", "after", "around", "was", "were", "had", "would", "к", "до", "с", "после", "было":
				return false
			case "now", "already", "is", "it's", "says", "shows", "show", "strikes", "reads", "уже", "сейчас", "теперь", "бьют", "показывают", "часах":
				return true
			}
		}
		if c.toks[j].stop == '.' || c.toks[j].stop == '!' || c.toks[j].stop == '?' {
			return false
		}
	}
	return false
}

// hoursHan holds Chinese hours of the clock.
func (c *checker) hoursHan() {
	s := c.draft.open
	for i := range s {
		if !strings.HasPrefix(s[i:], "点") {
			continue
		}
		hour, at := numberHan(s[:i])
		rest := s[i+len("点"):]
		minute, end := hour%12*60, i+len("点")
		switch {
		case hour < 1 || hour > 12:
			continue
		case strings.HasPrefix(rest, "半"):
			minute, end = minute+30, end+len("半")
		case strings.HasPrefix(rest, "一刻"):
			minute, end = minute+15, end+len("一刻")
		case strings.HasPrefix(rest, "整"), strings.HasPrefix(rest, "钟"):
			end += len("整")
		default:
			continue
		}
		before := lastRunes(s[:at], 6)
		if i := strings.LastIndexAny(before, "，。！？"); i >= 0 {
			_, n := utf8.DecodeRuneInString(before[i:])
			before = before[i+n:]
		}
		said := strings.Contains(before, "现在") || strings.Contains(before, "已经") || strings.Contains(before, "已是") || strings.Contains(before, "时间")
		if said && !c.near(minute, 12, half) && !c.heard(s[at:end]) {
			c.flag(Time, span{at, end}, "it is another time of day")
		}
	}
}

// numberHan reads the Chinese number at the end of s, up to 99, and where it begins; 0 where there is none.
func numberHan(s string) (n int64, at int) {
	const digits = "一二三四五六七八九"
	at = len(s)
	unit := int64(1)
	for at >= 3 {
		d, size := utf8.DecodeLastRuneInString(s[:at])
		k := int64(strings.IndexRune(digits, d)/3 + 1)
		switch {
		case strings.ContainsRune(digits, d):
			n += k * unit
			unit = 0
		case d == '两' && unit > 0:
			n += 2 * unit
			unit = 0
		case d == '十' && unit <= 1:
			unit = 10
		default:
			d = 0
		}
		if d == 0 {
			break
		}
		at -= size
	}
	if unit == 10 {
		n += 10
	}
	return n, at
}
