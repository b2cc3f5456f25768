package narration

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/calendar"
	"hob/internal/game/world"
)

// numeral is a number in a draft, from one token to another.
type numeral struct {
	at, end int
	n       int64
	word    bool // it is written as a word
}

// amounts is what numbers there are to be told.
type amounts struct {
	dice, coins, time []int64
	change, left      []int64    // hit points that were lost or won; that there are and were
	pairs             [][2]int64 // totals and difficulties, hit points and their most, how far clocks and quests are
}

// amounts gathers the numbers of a turn.
func (d *digest) amounts() (a amounts) {
	for i := range d.results {
		r := &d.results[i]
		for _, n := range []*int64{r.Total, r.DC, r.ToHit, r.Defence, r.Roll, r.Chance} {
			if n != nil {
				a.dice = append(a.dice, *n)
			}
		}
		if r.Total != nil && r.DC != nil {
			a.pairs = append(a.pairs, [2]int64{*r.Total, *r.DC})
		}
		if r.ToHit != nil && r.Defence != nil {
			a.pairs = append(a.pairs, [2]int64{*r.ToHit, *r.Defence})
		}
		var one, two side
		if r.Actor != nil && r.Target != nil && json.Unmarshal(r.Actor, &one) == nil && json.Unmarshal(r.Target, &two) == nil {
			a.pairs = append(a.pairs, [2]int64{one.Total, two.Total})
			a.dice = append(a.dice, one.Total, two.Total, one.Roll, two.Roll)
		}
		for _, o := range r.Order {
			a.dice = append(a.dice, o.Init)
		}
		if r.Damage != nil {
			a.change = append(a.change, *r.Damage)
		}
		a.dice = append(a.dice, r.Round)
		a.time = append(a.time, r.Minutes)
	}
	for _, r := range d.Rolls {
		a.dice = append(a.dice, r.Total)
		for _, die := range r.Dice {
			a.dice = append(a.dice, die.Value)
		}
	}
	passed := d.After.Self().Minute - d.Before.Self().Minute
	a.time = append(a.time, passed)
	if passed < 5 {
		a.time = append(a.time, 1, 2, 3)
	}
	for _, h := range d.harms {
		a.change = append(a.change, max(h.to-h.from, h.from-h.to))
		a.left = append(a.left, h.from, h.to)
		a.pairs = append(a.pairs, [2]int64{h.from, h.to})
	}
	d.points(&a)
	return a
}

// points adds hit points that can be known, what there is of things, and how far clocks and quests are.
func (d *digest) points(a *amounts) {
	for _, w := range []*world.World{d.Before, d.After} {
		for id := range d.seen {
			if x := w.Actor(id); x != nil && x.HP.Known {
				a.left = append(a.left, x.HP.N, x.HPMax.Or(x.HP.N))
				a.pairs = append(a.pairs, [2]int64{x.HP.N, x.HPMax.Or(x.HP.N)})
			}
			if t := w.Thing(id); t != nil {
				a.coins = append(a.coins, max(1, t.Qty))
				if was := d.Before.Thing(t.ID); was != nil && was.Qty != t.Qty {
					a.coins = append(a.coins, max(was.Qty-t.Qty, t.Qty-was.Qty))
				}
			}
		}
		for _, k := range w.Clocks() {
			if k.Visible {
				a.pairs = append(a.pairs, [2]int64{k.Filled, k.Segments})
			}
		}
		for _, q := range w.Quests() {
			a.pairs = append(a.pairs, [2]int64{int64(len(q.Met)), int64(len(q.Objectives))})
		}
	}
}

// numbers holds numbers against those that fell, where the words about them say what they count.
func (c *checker) numbers() {
	c.hours()
	c.quoted()
	list := c.numerals()
	if len(list) == 0 {
		return
	}
	a := c.d.amounts()
	for i := 0; i < len(list); i++ {
		n := list[i]
		if i+1 < len(list) && c.pair(n, list[i+1], &a) {
			i++
			continue
		}
		where := c.between(n.at, n.end-1)
		of := c.counts(n)
		switch {
		case n.word && of&cLeft != 0 && of&(cHP|cHarm|cMinute) == 0 && c.d.with("", func(p passed) bool { return p.less || p.thing.Qty > 1 }) && (c.bare(n) || c.toks[n.end].class&cLeft != 0) || of&cHP == 0 && of&cLeft != 0 && of&cGold != 0:
			if !slices.Contains(a.coins, n.n) {
				c.flag(Number, where, "no such amount is left")
			}
		case of&(cHP|cHarm) != 0:
			if !slices.Contains(a.allowed(of), n.n) && (of&cDice == 0 || !slices.Contains(a.dice, n.n)) {
				c.flag(HP, where, "no such number of hit points or of damage is in the facts")
			}
		case of&cDice != 0 && !n.word:
			if !slices.Contains(a.dice, n.n) {
				c.flag(Number, where, "no such number was thrown or had to be reached")
			}
		case of&cGold != 0:
			if !slices.Contains(a.coins, n.n) {
				c.flag(Number, where, "no such amount is in the facts")
			}
		case of&cMinute != 0:
			if !slices.Contains(a.time, n.n) && !(n.n < 4 && slices.Contains(a.time, n.n*60)) && !c.ofDay(n) && !c.knows(c.draft.open[where.at:c.toks[min(n.end, len(c.toks)-1)].end]) {
				c.flag(Number, where, "no such while is in the facts")
			}
		case !n.word && n.n <= 60 && !a.has(n.n) && !c.listed(n) && !c.knows(c.draft.open[where.at:where.end]):
			c.flag(Number, where, "no such number is in the facts")
		case n.word && len(c.d.harms) > 0 && of&(cChange|cLeft) != 0 && c.bare(n) && !slices.Contains(a.allowed(0), n.n):
			c.flag(HP, where, "no such number of hit points is in the facts")
		}
	}
}

// allowed returns the numbers of hit points that words admit: what is lost is a change, what is left is not.
func (a *amounts) allowed(of class) []int64 {
	switch {
	case of&cLeft != 0:
		return a.left
	case of&(cHarm|cChange) != 0:
		return a.change
	}
	return append(slices.Clip(a.left), a.change...)
}

func (a *amounts) has(n int64) bool {
	for _, list := range [][]int64{a.dice, a.coins, a.time, a.change, a.left} {
		if slices.Contains(list, n) {
			return true
		}
	}
	return slices.ContainsFunc(a.pairs, func(p [2]int64) bool { return p[0] == n || p[1] == n })
}

// listed reports whether a number is the mark of a line in a list.
func (c *checker) listed(n numeral) bool {
	before := strings.TrimRight(c.draft.open[:c.toks[n.at].at], " *#-")
	return before == "" || before[len(before)-1] == '\n'
}

// bare reports whether a number in words has nothing behind it that it counts.
func (c *checker) bare(n numeral) bool {
	return n.end >= len(c.toks) || c.toks[n.end].stop != 0 || c.toks[n.end].class&(cConj|cPrep|cAux) != 0
}

// pair holds two numbers that belong together against such pairs: "15 against 12", "7/12".
func (c *checker) pair(one, two numeral, a *amounts) bool {
	if two.at < one.end || two.at-one.end > 4 || two.at < len(c.toks) && ends(c.toks[two.at].stop) {
		return false
	}
	between := strings.TrimSpace(lowered(c.draft.open[c.toks[one.end-1].end:c.toks[two.at].at]))
	against := slices.Contains([]string{"≥", ">=", ">", "<", "≤", "<="}, between) ||
		slices.ContainsFunc(c.toks[one.end:two.at], func(t token) bool { return t.class&cAgainst != 0 })
	both, back := [2]int64{one.n, two.n}, [2]int64{two.n, one.n}
	switch {
	case against && (!one.word || len(a.pairs) > 0):
		if !slices.Contains(a.pairs, both) && !slices.Contains(a.pairs, back) && !(one.word && a.has(one.n) && a.has(two.n)) {
			c.flag(Number, c.between(one.at, two.end-1), "no such check is in the facts")
		}
		return true
	case between == "→" || between == "->":
		if !slices.Contains(a.pairs, both) {
			c.flag(HP, c.between(one.at, two.end-1), "hit points did not change like this")
		}
		return true
	}
	if of := between == "/" || between == "of" || between == "из" || between == "out of"; of && !one.word && !slices.Contains(a.pairs, both) &&
		slices.ContainsFunc(a.pairs, func(p [2]int64) bool { return p[1] == two.n }) {
		c.flag(HP, c.between(one.at, two.end-1), "no such number of hit points is in the facts")
		return true
	}
	return (between == "/" || between == "of" || between == "из" || between == "out of") && slices.Contains(a.pairs, both)
}

// numerals finds numbers in figures and in words.
func (c *checker) numerals() (list []numeral) {
	for i := 0; i < len(c.toks); i++ {
		t := &c.toks[i]
		if len(t.names) > 0 {
			continue
		}
		if t.word[0] >= '0' && t.word[0] <= '9' {
			if n, err := strconv.ParseInt(t.word, 10, 64); err == nil && !c.clock(i) {
				list = append(list, numeral{i, i + 1, n, false})
			}
			continue
		}
		end, n := i, int64(0)
		for end < len(c.toks) && (end == i || c.toks[end].stop == 0 && (c.lang == "zh" || n >= 20 && n%10 == 0)) {
			m, ok := c.number(c.toks[end].word)
			if !ok {
				break
			}
			switch { // 二十五 is 25
			case m == 10 && n > 0 && n < 10:
				n *= 10
			case m == 100 && n > 0 && n < 10:
				n *= 100
			default:
				n += m
			}
			end++
		}
		if end > i {
			list = append(list, numeral{i, end, n, true})
			i = end - 1
		}
	}
	return list
}

// number returns what a word for a number means.
func (c *checker) number(w string) (int64, bool) {
	if n, ok := c.lex.numbers[w]; ok {
		return n, true
	}
	tens, ones, ok := strings.Cut(w, "-")
	n, m := c.lex.numbers[tens], c.lex.numbers[ones]
	return n + m, ok && n >= 20 && m > 0 && m < 10
}

// clock reports whether the figures at i are part of an hour.
func (c *checker) clock(i int) bool {
	s, t := c.draft.open, &c.toks[i]
	return t.at > 1 && s[t.at-1] == ':' && unicode.IsDigit(rune(s[t.at-2])) || t.end+1 < len(s) && s[t.end] == ':' && unicode.IsDigit(rune(s[t.end+1]))
}

// hours holds hours in figures against the hour of the story.
func (c *checker) hours() {
	if !c.d.After.Self().ClockSet {
		return
	}
	for i := 0; i+1 < len(c.toks); i++ {
		s := c.draft.open
		one, two := &c.toks[i], &c.toks[i+1]
		if one.end+1 != two.at || s[one.end] != ':' || two.end-two.at != 2 {
			continue
		}
		h, errH := strconv.ParseInt(one.word, 10, 64)
		m, errM := strconv.ParseInt(two.word, 10, 64)
		if errH != nil || errM != nil || c.knows(s[one.at:two.end]) {
			continue
		}
		const half = 12 * 60
		was, is := c.d.Before.Self().Minute%half, c.d.After.Self().Minute
		if _, err := calendar.FromMinutes(is); err != nil {
			continue
		}
		if off := ((h*60+m)%half - was + half) % half; off > is-c.d.Before.Self().Minute {
			c.flag(Time, c.between(i, i+1), "it is another time of day")
		}
	}
}

// ofDay reports whether a number is of the hour that it is: "two o'clock", "seven minutes past two".
func (c *checker) ofDay(n numeral) bool {
	is := c.d.After.Self().Minute
	if n.n == is/60%12 || n.n == is/60%24 || n.n == (is/60+1)%12 {
		return true
	}
	if n.end+1 >= len(c.toks) || c.toks[n.end+1].stop != 0 {
		return false
	}
	next := c.toks[n.end+1].word
	return n.n == is%60 && (next == "past" || next == "to" || hasAny(next, "ого", "его"))
}

// counts returns what the words about a number say that it counts.
func (c *checker) counts(n numeral) (of class) {
	const mask = cDice | cHP | cHarm | cGold | cLeft | cChange | cMinute
	behind := 3
	if c.lang == "zh" {
		behind = 6
	}
	for i := n.end; i < min(n.end+behind, len(c.toks)) && c.toks[i].stop == 0; i++ {
		if _, ok := c.number(c.toks[i].word); ok && i > n.end {
			break
		}
		k := c.toks[i].class & mask
		if k&cGold != 0 && i > n.end && c.toks[n.end].class&cMinute != 0 || k&cMinute != 0 && i > n.end+1 {
			k = 0
		}
		if of |= k; k&cMinute != 0 {
			break
		}
	}
	if n.end < len(c.toks) && c.toks[n.end].stop == 0 && strings.HasPrefix(c.toks[n.end].word, "点") && !strings.HasPrefix(c.toks[n.end].word, "点钟") {
		of |= cHP & c.around(n)
	}
	if n.word && of&cMinute == 0 && of&(cHP|cHarm|cGold) != 0 && c.lang == "en" && c.toks[n.end].class&cGold != 0 && c.toks[n.end].word != "gold" && !strings.HasPrefix(c.toks[n.end].word, "coin") {
		of &^= cGold
	}
	for i := n.at - 1; i >= max(0, n.at-4) && (c.toks[i+1].stop == 0 || c.toks[i+1].stop == ':'); i-- {
		k := c.toks[i].class & mask &^ (cMinute | cGold)
		if n.word {
			k &= cChange | cLeft
		}
		of |= k
	}
	return of
}

// around returns what the clause about a number counts.
func (c *checker) around(n numeral) (of class) {
	for i := c.start(n.at, false); i < c.end(n.at, false); i++ {
		of |= c.toks[i].class
	}
	if of&(cHurt|cHeal|cChange|cHarm) != 0 {
		of |= cHP
	}
	return of
}

// quoted holds what is counted, in speech too, against what the story says of the same things: "nine windows" are four.
func (c *checker) quoted() {
	type count struct {
		n     int64
		thing string
	}
	counts := func(text string) (list []count, at []span) {
		d := &draft{text: text, open: text}
		toks := d.tokens(c.lang, c.lex.has, c.lex.longest)
		for i := 0; i+1 < len(toks); i++ {
			n, ok := c.number(toks[i].word)
			if !ok || n < 2 {
				continue
			}
			j := i + 1
			if c.lang == "zh" && j+1 < len(toks) {
				j++
			}
			if toks[j].stop == 0 && utf8.RuneCountInString(toks[j].word) > 1-len(c.lang)%2 && c.lex.of(toks[j].word)&(cGrammar|cMinute|cHP|cGold|cNumber|cClock) == 0 {
				list, at = append(list, count{n, toks[j].stem}), append(at, span{toks[i].at, toks[j].end})
			}
		}
		return list, at
	}
	told, at := counts(c.draft.text)
	if len(told) == 0 {
		return
	}
	c.learn()
	known, _ := counts(c.text)
	for i, k := range told {
		same := func(o count) bool { return o.thing == k.thing }
		if slices.ContainsFunc(known, same) && !slices.Contains(known, k) && !strings.Contains(c.text, k.thing+"s and") {
			c.flag(Number, at[i], "the story counts them otherwise")
		}
	}
}
