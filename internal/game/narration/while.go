package narration

import (
	"slices"
	"strings"
)

// whiles holds how long a clause says that something took against how long the turn did.
func (c *checker) whiles(k *clause) {
	for i := k.lo; i < k.hi; i++ {
		minutes, n := c.length(i, k.hi)
		if n == 0 || !c.asserted(k, i+n-1) || !c.lapsed(k, i, n) || c.lasted(minutes) || c.heardLength(minutes) {
			continue
		}
		c.flag(Time, span{c.toks[i].at, c.toks[i+n-1].end}, "no such while has gone by")
		return
	}
}

// lasted reports whether a while is about as long as the turn, or too short to matter.
func (c *checker) lasted(minutes int64) bool {
	took := c.d.After.Self().Minute - c.d.Before.Self().Minute
	return minutes < 10 || minutes*2+20 >= took && minutes <= took*2+10
}

// length reads the words from i on as a while: an hour, twenty minutes.
func (c *checker) length(i, hi int) (minutes int64, n int) {
	count := int64(0)
	for n = 0; i+n < hi && n < 4 && (n == 0 || c.toks[i+n].stop == 0); n++ {
		w := c.toks[i+n].word
		one := unit(w)
		switch {
		case w == "полчаса":
			return 30, n + 1
		case one > 0 && (count > 0 || c.lang == "ru" && w == "час"):
			return max(1, count) * one, n + 1
		case one > 0:
			return 0, 0
		case w == "half":
			return c.halved(i+n, hi)
		case (w == "a" || w == "an") && n == 0:
			count = 1
		case numberWord(w) > 0:
			count += numberWord(w)
		case n > 0 && (w == "whole" || w == "full" || w == "long" || w == "целых" || w == "целый" || w == "good" || w == "of"):
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// halved reads "half an hour".
func (c *checker) halved(i, hi int) (minutes int64, n int) {
	if i+2 < hi && c.toks[i+1].word == "an" && c.toks[i+2].word == "hour" {
		return 30, 3
	}
	return 0, 0
}

// unit returns how many minutes there are in what a word names.
func unit(w string) int64 {
	switch w {
	case "minute", "minutes", "минута", "минуту", "минуты", "минут":
		return 1
	case "hour", "hours", "час", "часа", "часов":
		return 60
	case "day", "days", "день", "дня", "дней":
		return day
	}
	return 0
}

// lapsed reports whether a clause says of a while that it went by.
func (c *checker) lapsed(k *clause, i, n int) bool {
	passes := false
	for j := k.lo; j < k.hi; j++ {
		switch w := c.toks[j].word; w {
		case "ago", "old", "every", "each", "until", "another", "walk", "away", "назад", "каждый", "каждые", "еще":
			return false
		case "later", "pass", "passes", "passed", "gone", "elapsed", "elapse", "took", "taken", "lasted",
			"спустя", "прошло", "прошел", "прошли", "проходит", "минуло", "миновал", "пролетел", "пролетело", "позже":
			passes = true
		case "for":
			passes = passes || j == i-1 && c.subject(k, i).sort == player
		case "after":
			passes = passes || j == i-1
		case "через": // also of what is to come, unless a verb says that it was
			passes = passes || j == i-1 && (k.hi == i+n || slices.ContainsFunc(c.toks[k.lo:k.hi], func(t token) bool {
				return hasAny(t.word, "лся", "лась", "лись", "ла", "ли", "шел") && len(t.word) > 6
			}))
		default:
			passes = passes || strings.HasPrefix(w, "отдыха") || strings.HasPrefix(w, "спите") || strings.HasPrefix(w, "проспал")
		}
	}
	return passes
}

// heardLength reports whether a while stands in what is known.
func (c *checker) heardLength(minutes int64) bool {
	if c.common0 == nil {
		c.learn()
	}
	for _, s := range []string{c.text0, c.facts()} {
		known := &checker{lang: c.lang, lex: c.lex}
		known.toks = append((&draft{text: s, open: s}).tokens(c.lang), token{stop: '.'})
		for i := range known.toks {
			if m, n := known.length(i, len(known.toks)-1); n > 0 && m == minutes {
				return true
			}
		}
	}
	return false
}

// whilesHan does the same for a Chinese clause.
func (c *checker) whilesHan(k *hanClause) {
	s := c.draft.open[k.at:k.end]
	for _, u := range []struct {
		word string
		n    int64
	}{{"分钟", 1}, {"小时", 60}, {"钟头", 60}, {"天", day}} {
		i := strings.Index(s, u.word)
		if i < 0 {
			continue
		}
		count := strings.TrimSuffix(s[:i], "个")
		n, at := numberHan(strings.TrimSuffix(count, "半"))
		minutes := n * u.n
		if hasAny(count, "半") {
			minutes += u.n / 2
		}
		before, after := s[:min(at, len(s))], s[i+len(u.word):]
		said := strings.HasPrefix(after, "后") || strings.HasPrefix(after, "以后") || strings.HasPrefix(after, "之后") || strings.HasPrefix(after, "过去") ||
			hasAny(before, "过了", "过去了", "花了", "用了", "足足", "整整", "休息了", "睡了", "歇了")
		if minutes == 0 || !said || strings.Contains(before, "再") || c.lasted(minutes) || c.heard(s[at:i+len(u.word)]) {
			continue
		}
		c.flag(Time, span{k.at + at, k.at + i + len(u.word)}, "no such while has gone by")
	}
}
