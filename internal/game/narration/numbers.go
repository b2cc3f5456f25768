package narration

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

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
	dice, coins, time, clock []int64
	change, left             []int64    // hit points that were lost or won; that there are and were
	pairs                    [][2]int64 // totals and difficulties, hit points and their most, how far clocks and quests are
}

// amounts gathers the numbers of a turn.
func (d *digest) amounts() (a amounts) {
	results := slices.Clone(d.results)
	for _, r := range d.results {
		if r.Check != nil {
			results = append(results, *r.Check)
		}
	}
	for i := range results {
		r := &results[i]
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
		if json.Unmarshal(r.Actor, &one) == nil && json.Unmarshal(r.Target, &two) == nil {
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
	for _, now := range []int64{d.Before.Self().Minute, d.After.Self().Minute} {
		h, m := now/60%24, now%60
		a.clock = append(a.clock, h, h%12, h+1, h%12+1, m, 60-m)
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
				if was := d.Before.Thing(t.ID); was != nil {
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

// numbers holds numbers against those that fell, where the words about them say what they count, and the others, in speech too, against
// all numbers that are known.
func (c *checker) numbers() {
	c.hours()
	c.oClock()
	a := c.d.amounts()
	list := c.numerals(c.toks)
	for i := 0; i < len(list); i++ {
		n := list[i]
		if i+1 < len(list) && c.pair(n, list[i+1], &a) {
			i++
			continue
		}
		of, hp := c.counts(n), len(c.d.harms) > 0
		if c.sacks(n) {
			c.flag(Number, c.between(n.at, n.end-1), "there are not so many")
			continue
		}
		bare := n.end >= len(c.toks) || c.toks[n.end].stop != 0 || c.toks[n.end].class&(cConj|cPrep|cAux|cLeft) != 0 // it counts nothing
		left := n.word && of&cLeft != 0 && bare && c.d.with("", func(p passed) bool { return p.less || p.thing.Qty > 1 })
		flag := func(kind, problem string, allowed ...[]int64) {
			if !slices.Contains(slices.Concat(allowed...), n.n) {
				c.flag(kind, c.between(n.at, n.end-1), problem)
			}
		}
		switch {
		case of&(cHP|cHarm) != 0:
			flag(HP, "no such number of hit points or of damage is in the facts", a.allowed(of))
		case left, of&cGold != 0:
			flag(Number, "no such amount is in the facts", a.coins)
		case of&cMinute != 0:
			if !(n.n < 4 && slices.Contains(a.time, n.n*60)) && !c.knows(c.draft.open[c.toks[n.at].at:c.toks[min(n.end, len(c.toks)-1)].end]) {
				flag(Number, "no such while is in the facts", a.time, a.clock)
			}
		case n.word && hp && of&(cChange|cLeft) != 0 && bare:
			flag(HP, "no such number of hit points is in the facts", a.allowed(0))
		}
	}
	c.spans(&a)
	toks := c.plainTokens(c.draft.text)
	for _, n := range c.numerals(toks) {
		at := span{toks[n.at].at, toks[n.end-1].end}
		years := n.end < len(toks) && (c.lex.of(toks[n.end].word)&cClock != 0 || toks[n.end].is("多 来 几")) || n.at > 0 && toks[n.at-1].word == "were"
		flagged := slices.ContainsFunc(c.flags, func(f Flag) bool { return strings.Contains(f.Evidence, c.draft.text[at.at:at.end]) })
		if n.n > 3 && !years && !flagged && !a.has(n.n) && c.isMiscounted(toks, n) {
			c.flag(Number, at, "there is another number of these")
		} else if (!n.word || n.n > 3) && n.n < 100 && !years && !flagged && !a.has(n.n) && !c.listed(at.at) && !slices.Contains(a.clock, n.n) &&
			!slices.Contains(c.knownNumbers(), n.n) {
			c.flag(Number, at, "no such number is in the facts")
		}
	}
}

// isMiscounted reports whether a number counts what is known in other numbers only: thirty plates where there are forty.
func (c *checker) isMiscounted(toks []token, n numeral) bool {
	if c.tallies == nil {
		c.tallies = map[string][]int64{}
		known := c.plainTokens(c.allTexts())
		for _, k := range c.numerals(known) {
			for _, what := range c.countedBy(known, k) {
				c.tallies[what] = append(c.tallies[what], k.n)
			}
		}
	}
	wrong := false
	for _, what := range c.countedBy(toks, n) {
		if tally := c.tallies[what]; slices.Contains(tally, n.n) {
			return false
		} else if len(tally) > 0 && !slices.ContainsFunc(tally, func(k int64) bool { return k < 4 }) {
			wrong = true
		}
	}
	return wrong
}

// countedBy returns what a number may count: the next word or two, in Chinese the two characters behind the measure.
func (c *checker) countedBy(toks []token, n numeral) (list []string) {
	for i := n.end; i < min(n.end+2, len(toks)) && toks[i].stop == 0; i++ {
		if c.lang == "zh" {
			if i+2 < len(toks) && toks[i+1].stop == 0 && toks[i+2].stop == 0 {
				return []string{toks[i+1].word + toks[i+2].word}
			}
			return nil
		}
		if c.lex.of(toks[i].word)&(cGrammar|cMinute|cHP|cAgainst) != 0 {
			return list
		}
		list = append(list, toks[i].stem)
	}
	return list
}

// plainTokens returns the words of a text, speech too.
func (c *checker) plainTokens(text string) []token {
	d := &draft{text: text, open: text}
	return d.tokens(c.lang, c.lex.has, c.lex.longest)
}

// sacks reports whether a number counts a single thing, by a measure: "three sacks of flour" are one.
func (c *checker) sacks(n numeral) bool {
	if n.n < 2 || n.end >= len(c.toks) || c.toks[n.end].class&cMeasure == 0 && !slices.ContainsFunc(c.toks[n.end].names, func(n name) bool { return n.full && n.n > 1 || n.n > 2 }) {
		return false
	}
	for j := n.end; j < min(n.end+5, c.end(n.end, false)); j++ {
		for _, id := range c.named(j, world.ThingKind) {
			if t := c.d.After.Thing(id); t != nil && t.Qty <= 1 && c.d.seen[id] {
				return !c.cancelled(j)
			}
		}
	}
	return false
}

// spans holds a while that no numeral tells: "half an hour".
func (c *checker) spans(a *amounts) {
	for i := range c.toks {
		before, far := c.toks[max(0, i-3):i], false
		switch k := c.toks[i].class; {
		case k&cMinute == 0 || c.cancelled(i) || i+1 < len(c.toks) && c.toks[i+1].is("ago назад 前 以前"):
		case slices.ContainsFunc(c.toks[max(0, i-3):i+1], isHalf):
			far = !slices.Contains(a.time, 30)
		case slices.ContainsFunc(before, isWhole):
			far = !slices.Contains(a.time, 60)
		}
		if far && !c.knows(c.draft.open[c.toks[max(0, i-1)].at:c.toks[i].end]) {
			c.flag(Time, c.between(max(0, i-1), i), "so much time has not passed")
		}
	}
}

func isHalf(t token) bool  { return t.is("half полчаса получаса 半 半个 半小时") }
func isWhole(t token) bool { return t.is("an whole целый целого 整 整整 足足") }

// knownNumbers returns the numbers in what has been told or written down for all to know.
func (c *checker) knownNumbers() []int64 {
	c.learn()
	if c.counted == nil {
		c.counted = []int64{0}
		for _, n := range c.numerals(c.plainTokens(c.allTexts())) {
			c.counted = append(c.counted, n.n)
		}
	}
	return c.counted
}

// allTexts returns all that is known, with what people who are there have not said yet.
func (c *checker) allTexts() string {
	c.learn()
	text := c.text
	for _, a := range c.d.After.Actors() {
		for i := 0; c.d.seen[a.Place] && i < len(a.Talk); i++ {
			text += "\n" + a.Talk[i].Text
		}
	}
	return text
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

// listed reports whether what stands at a place of the draft is the mark of a line in a list.
func (c *checker) listed(at int) bool {
	before := strings.TrimRight(c.draft.text[:at], " *#-")
	return before == "" || before[len(before)-1] == '\n'
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
	of := between == "/" || between == "of" || between == "из"
	switch {
	case against && (!one.word || len(a.pairs) > 0):
		if !slices.Contains(a.pairs, both) && !slices.Contains(a.pairs, back) && !(one.word && a.has(one.n) && a.has(two.n)) {
			c.flag(Number, c.between(one.at, two.end-1), "no such check is in the facts")
		}
		return true
	case of && (!one.word || two.end < len(c.toks) && c.toks[two.end].class&cHP != 0) && !slices.Contains(a.pairs, both) &&
		slices.ContainsFunc(a.pairs, func(p [2]int64) bool { return p[1] == two.n }):
		c.flag(HP, c.between(one.at, two.end-1), "no such number of hit points is in the facts")
		return true
	}
	return of && slices.Contains(a.pairs, both)
}

// numerals finds numbers in figures and in words.
func (c *checker) numerals(toks []token) (list []numeral) {
	for i := 0; i < len(toks); i++ {
		t := &toks[i]
		if len(t.names) > 0 {
			continue
		}
		if t.word[0] >= '0' && t.word[0] <= '9' {
			if n, err := strconv.ParseInt(t.word, 10, 64); err == nil && !clock(toks, i) {
				list = append(list, numeral{i, i + 1, n, false})
			}
			continue
		}
		end, n := i, int64(0)
		for end < len(toks) && (end == i || toks[end].stop == 0 && (c.lang == "zh" || n >= 20 && n%10 == 0)) {
			m, ok := c.number(toks[end].word)
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
	if n, ok := c.lex.numbers[stem(c.lang, w)]; ok && !hasAny(w, "ый", "ой", "ая", "ое", "ые", "ом", "ым", "ых", "ого", "ому") { // no fifth
		return n, true
	}
	tens, ones, ok := strings.Cut(w, "-")
	n, m := c.lex.numbers[tens], c.lex.numbers[ones]
	return n + m, ok && n >= 20 && m > 0 && m < 10
}

// clock reports whether the figures at i are part of an hour: 21:33.
func clock(toks []token, i int) bool {
	part := func(i int) bool { // a colon stands between i and the next
		return i >= 0 && i+1 < len(toks) && toks[i+1].stop == ':' && toks[i].end+1 == toks[i+1].at
	}
	return part(i-1) || part(i)
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

// counts returns what the words about a number say that it counts.
func (c *checker) counts(n numeral) (of class) {
	const mask = cHP | cHarm | cGold | cLeft | cChange | cMinute
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
