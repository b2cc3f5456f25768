package narration

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/world"
)

// numeral is a number in a draft.
type numeral struct {
	span
	n    int64
	word bool // it is written as a word
}

// amounts is what numbers there are to be told.
type amounts struct {
	dice, coins  []int64
	change, left []int64    // hit points that were lost or won; that there are and were
	checks       [][2]int64 // totals and difficulties
	points       [][2]int64 // hit points and their most, or what they were and are; clocks and quests
}

// amounts gathers the numbers of a turn. named says whose hit points a draft may tell, beside those that changed.
func (d *digest) amounts(named func(id string) bool) (a amounts) {
	for i := range d.results {
		r := &d.results[i]
		for _, n := range []*int64{r.Total, r.DC, r.ToHit, r.Defence, r.Roll, r.Chance} {
			if n != nil {
				a.dice = append(a.dice, *n)
			}
		}
		if r.Total != nil && r.DC != nil {
			a.checks = append(a.checks, [2]int64{*r.Total, *r.DC})
		}
		if r.ToHit != nil && r.Defence != nil {
			a.checks = append(a.checks, [2]int64{*r.ToHit, *r.Defence})
		}
		var one, two side
		if r.Actor != nil && r.Target != nil && json.Unmarshal(r.Actor, &one) == nil && json.Unmarshal(r.Target, &two) == nil {
			a.checks = append(a.checks, [2]int64{one.Total, two.Total}, [2]int64{two.Total, one.Total})
			a.dice = append(a.dice, one.Total, two.Total, one.Roll, two.Roll)
		}
		for _, o := range r.Order {
			a.dice = append(a.dice, o.Init)
		}
		if r.Damage != nil {
			a.change = append(a.change, *r.Damage)
		}
		a.dice = append(a.dice, r.Round)
	}
	for _, r := range d.Rolls {
		a.dice = append(a.dice, r.Total)
		for _, die := range r.Dice {
			a.dice = append(a.dice, die.Value)
		}
	}
	d.points(&a, named)
	return a
}

// points adds hit points, what there is of things, and how far clocks and quests are.
func (d *digest) points(a *amounts, named func(id string) bool) {
	for _, h := range d.harms {
		change := h.to - h.from
		a.change = append(a.change, max(change, -change))
		a.left = append(a.left, h.from, h.to)
		a.points = append(a.points, [2]int64{h.from, h.to})
	}
	for _, w := range []*world.World{d.Before, d.After} {
		for id := range d.seen {
			if x := w.Actor(id); x != nil && x.HP.Known {
				if x.ID == d.heroID() || named(x.ID) {
					a.left = append(a.left, x.HP.N, x.HPMax.Or(x.HP.N))
				}
				a.points = append(a.points, [2]int64{x.HP.N, x.HPMax.Or(x.HP.N)})
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
				a.points = append(a.points, [2]int64{k.Filled, k.Segments})
			}
		}
		for _, q := range w.Quests() {
			a.points = append(a.points, [2]int64{int64(len(q.Met)), int64(len(q.Objectives))})
		}
	}
}

// numbers holds numbers against those that fell, where the words about them say what they count.
func (c *checker) numbers() {
	list := c.numerals()
	if len(list) == 0 {
		return
	}
	a := c.d.amounts(func(id string) bool { return slices.ContainsFunc(c.found, func(f found) bool { return f.id == id }) })
	paired := map[int]bool{}
	for i := 0; i+1 < len(list); i++ {
		c.pair(list, i, &a, paired)
	}
	for i, n := range list {
		if paired[i] || c.inName(n.span) {
			continue
		}
		if slices.ContainsFunc(list[:i], func(o numeral) bool { return o.at < n.end && n.at < o.end }) {
			continue
		}
		of := c.counts(n)
		switch points := of & (cHPWord | cHarmWord); {
		case points != 0 && !slices.Contains(a.allowed(of), n.n) && (of&cDiceWord == 0 || !slices.Contains(a.dice, n.n)):
			c.flag(HP, n.span, "no such number of hit points or of damage is in the facts")
		case points != 0:
		case of&cDiceWord != 0 && !slices.Contains(a.dice, n.n):
			c.flag(Number, n.span, "no such number was thrown or had to be reached")
		case of&cDiceWord == 0 && of&cGoldWord != 0 && !slices.Contains(a.coins, n.n):
			c.flag(Number, n.span, "no such amount is in the facts")
		}
	}
}

// allowed returns the numbers of hit points that words admit: what is lost is a change, what is left is not.
func (a *amounts) allowed(of class) []int64 {
	switch {
	case of&cLeft != 0:
		return a.left
	case of&(cHarmWord|cChange) != 0:
		return a.change
	}
	return append(slices.Clip(a.left), a.change...)
}

// pair holds two numbers that belong together against such pairs: "15 against 12", "7/12".
func (c *checker) pair(list []numeral, i int, a *amounts, paired map[int]bool) {
	one, two := list[i], list[i+1]
	if two.at < one.end || two.at-one.end > 48 || c.inName(one.span) || (one.word || two.word) && (one.word != two.word || len(a.checks) == 0) {
		return
	}
	between := strings.TrimSpace(lowered(c.draft.open[one.end:two.at]))
	both := [2]int64{one.n, two.n}
	back := [2]int64{two.n, one.n}
	whole := span{one.at, two.end}
	switch {
	case one.word && !slices.Contains([]string{"against", "против", "对", "vs", "versus"}, between):
	case c.against(between):
		paired[i], paired[i+1] = true, true
		if !slices.Contains(a.checks, both) && !slices.Contains(a.checks, back) {
			c.flag(Number, whole, "no such check is in the facts")
		}
	case between == "/" || between == "of" || between == "из" || between == "out of":
		if slices.Contains(a.points, both) || slices.Contains(a.checks, both) {
			paired[i], paired[i+1] = true, true
		}
	case between == "→" || between == "->":
		paired[i], paired[i+1] = true, true
		if !slices.Contains(a.points, both) {
			c.flag(HP, whole, "hit points did not change like this")
		}
	}
}

func (c *checker) against(between string) bool {
	switch between {
	case "≥", ">=", ">", "<", "≤", "<=":
		return true
	}
	words := strings.Fields(strings.Trim(between, "(), "))
	if len(words) == 0 || len(words) > 5 {
		return c.lang == "zh" && between == "对"
	}
	for _, w := range words {
		if c.lex.of(w)&cAgainst != 0 {
			return true
		}
	}
	return c.lang == "zh" && (between == "对" || strings.Contains(between, "难度"))
}

func (c *checker) inName(at span) bool {
	return slices.ContainsFunc(c.found, func(f found) bool { return f.full && f.at <= at.at && f.end >= at.end })
}

// numerals finds numbers in figures, and in words up to twenty.
func (c *checker) numerals() (list []numeral) {
	s := c.draft.open
	for i := 0; i < len(s); {
		if s[i] < '0' || s[i] > '9' {
			i++
			continue
		}
		end := i
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		n, err := strconv.ParseInt(s[i:end], 10, 64)
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[end:])
		glued := before < 0x2e80 && unicode.IsLetter(before) || after < 0x2e80 && unicode.IsLetter(after) || before == '_'
		clock := before == ':' && i > 1 && s[i-2] >= '0' && s[i-2] <= '9' || after == ':' && end+1 < len(s) && s[end+1] >= '0' && s[end+1] <= '9'
		if err == nil && !glued && !clock {
			list = append(list, numeral{span{i, end}, n, false})
		}
		i = end
	}
	if c.lang == "zh" {
		return c.numeralsHan(list)
	}
	for _, t := range c.toks {
		if n := numberWord(t.word); n > 0 {
			list = append(list, numeral{t.span, n, true})
		}
	}
	slices.SortFunc(list, func(a, b numeral) int { return a.at - b.at })
	return list
}

// numeralsHan adds numbers in Chinese characters before a counting word of the rules, and those of two that are held together.
func (c *checker) numeralsHan(list []numeral) []numeral {
	s := c.draft.open
	for i, r := range s {
		switch {
		case r == '点' || r == '枚':
		case r == '对' || i > 3 && c.parted(s, i):
		default:
			continue
		}
		if n, at := numberHan(s[:i]); n > 0 && n < 100 {
			list = append(list, numeral{span{at, i}, n, true})
		}
	}
	return list
}

// parted reports whether the place at i ends the second of two numbers with 对 between them.
func (c *checker) parted(s string, i int) bool {
	if !strings.ContainsRune("，。！？：；", firstRune(s[i:])) {
		return false
	}
	n, at := numberHan(s[:i])
	return n > 0 && hasAny(s[:at], "对")
}

// counts returns what the words about a number say that it counts.
func (c *checker) counts(n numeral) (of class) {
	if c.lang == "zh" {
		return c.countsHan(n)
	}
	const mask = cDiceWord | cHPWord | cHarmWord | cGoldWord | cLeft | cChange
	last := len(c.toks) - 1
	at := 0
	for at < last && c.toks[at].end <= n.at {
		at++
	}
	first := at
	if at < last && c.toks[at].at < n.end {
		at++ // the number itself
	}
	for i := at; i < min(at+3, last) && c.toks[i].stop == 0; i++ {
		of |= c.lex.of(c.toks[i].word) & mask
	}
	if n.word && of&(cHPWord|cHarmWord) == 0 {
		if c.coined(at) {
			return cGoldWord
		}
		return c.bareLoss(first, at)
	}
	for i := first - 1; i >= max(0, first-4); i-- {
		if stop := c.toks[i+1].stop; stop != 0 && stop != ':' {
			break
		}
		of |= c.lex.of(c.toks[i].word) & mask
	}
	if n.word {
		of &^= cDiceWord | cGoldWord
	}
	return of
}

// coined reports whether the words from one on are coins: a number before them is an amount.
func (c *checker) coined(i int) bool {
	for j := i; j < min(i+3, len(c.toks)-1) && c.toks[j].stop == 0; j++ {
		w := c.toks[j].word
		if strings.HasPrefix(w, "coin") || strings.HasPrefix(w, "монет") || w == "золотых" {
			return true
		}
		if c.lex.of(w)&cGoldWord == 0 {
			break
		}
	}
	last := len(c.toks) - 1
	return i < last && c.toks[i].stop == 0 && c.toks[i].word == "gold" &&
		(i+1 == last || c.toks[i+1].stop != 0 || c.lex.of(c.toks[i+1].word)&(cLeft|cPrep|cConj) != 0)
}

// bareLoss reads "loses seven", in a turn in which somebody lost or won hit points: a number behind such a verb, with nothing behind it.
func (c *checker) bareLoss(first, at int) class {
	if len(c.d.harms) == 0 || first == 0 || c.toks[first].stop != 0 ||
		at < len(c.toks)-1 && c.toks[at].stop == 0 && c.lex.of(c.toks[at].word)&(cConj|cPrep) == 0 {
		return 0
	}
	switch c.toks[first-1].word {
	case "loses", "lose", "lost", "losing", "теряет", "теряете", "потерял", "потеряла":
		return cHPWord | cChange
	}
	return 0
}

func (c *checker) countsHan(n numeral) (of class) {
	s := c.draft.open
	from, to := n.at, n.end
	for k := 0; k < 8 && from > 0; k++ {
		r, size := utf8.DecodeLastRuneInString(s[:from])
		if strings.ContainsRune("，。！？\n", r) {
			break
		}
		from -= size
	}
	for k := 0; k < 6 && to < len(s); k++ {
		r, size := utf8.DecodeRuneInString(s[to:])
		if strings.ContainsRune("，。！？\n", r) {
			break
		}
		to += size
	}
	around, after := s[from:to], s[n.end:to]
	for _, e := range c.lex.list {
		switch {
		case e.class&(cHPWord|cHarmWord|cLeft|cChange) != 0 && strings.Contains(around, e.word):
			of |= e.class & (cHPWord | cHarmWord | cLeft | cChange)
		case n.word && !strings.HasPrefix(after, "枚"):
		case e.class&cGoldWord != 0 && strings.Contains(after, e.word):
			of |= cGoldWord
		case e.class&cDiceWord != 0 && !n.word && strings.Contains(around, e.word):
			of |= cDiceWord
		}
	}
	return of
}
