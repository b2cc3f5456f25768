package narration

import (
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/account"
	"hob/internal/game/spelling"
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
	pairs                    [][2]int64 // numbers that stand together in a fact: totals and difficulties, how far a clock is
}

func (a *amounts) all() []int64 {
	return slices.Concat(a.dice, a.coins, a.time, a.clock, a.change, a.left)
}

// amounts gathers the numbers of a turn.
func (c *checker) amounts() (a amounts) {
	d := c.d
	for _, s := range d.Sentences() {
		list := c.numerals(c.plainTokens(s))
		for i := range max(0, len(list)-1) {
			a.pairs = append(a.pairs, [2]int64{list[i].n, list[i+1].n})
		}
		for _, n := range list {
			a.dice = append(a.dice, n.n)
		}
	}
	checks, damage := d.Rolled()
	for _, pair := range checks {
		a.dice, a.pairs = append(a.dice, pair[0], pair[1]), append(a.pairs, pair)
	}
	a.change = append(a.change, damage...)
	for _, r := range d.Rolls {
		a.dice = append(a.dice, r.Total)
		for _, die := range r.Dice {
			a.dice = append(a.dice, die.Value)
		}
	}
	for _, h := range d.Harms {
		a.change = append(a.change, max(h.To-h.From, h.From-h.To))
		a.left = append(a.left, h.From, h.To)
	}
	for _, w := range []*world.World{d.Before, d.After} {
		h, m := w.Self().Minute/60%24, w.Self().Minute%60
		a.clock = append(a.clock, h, h%12, h+1, h%12+1, m, 60-m)
		for id := range d.Seen {
			if x := w.Actor(id); x != nil && x.HP.Known {
				a.left = append(a.left, x.HP.N, x.HPMax.Or(x.HP.N))
				a.pairs = append(a.pairs, [2]int64{x.HP.N, x.HPMax.Or(x.HP.N)})
			}
			if t, was := w.Thing(id), d.Before.Thing(id); t != nil && was != nil {
				a.coins = append(a.coins, max(1, t.Qty), max(was.Qty-t.Qty, t.Qty-was.Qty))
			}
		}
	}
	passed := d.After.Self().Minute - d.Before.Self().Minute
	a.time = append(a.time, passed, passed/60)
	return a
}

// numbers holds numbers against those that fell, where the words about them say what they count, and the others, in speech too, against
// all numbers that are known.
func (c *checker) numbers() {
	c.oClock()
	a, list := c.amounts(), c.numerals(c.toks)
	for i := 0; i < len(list); i++ {
		n := list[i]
		if i+1 < len(list) && c.pair(n, list[i+1], &a) {
			i++
			continue
		}
		of, kind, problem, allowed := c.counts(n), Number, "", []int64(nil)
		bare := c.toks[n.end].stop != 0 || c.toks[n.end].class&(cConj|cPrep|cAux|cLeft) != 0 // it counts nothing
		part := n.word && of&cLeft != 0 && bare && c.d.With("", func(p account.Passed) bool { return p.Less || p.Thing.Qty > 1 })
		switch {
		case c.tooMany(n) || c.miscounts(n):
			problem = "there are not so many"
		case of&(cHP|cHarm) != 0 && (!n.word || n.n > 1 || len(c.d.Harms) > 0): // not "its one point"
			kind, problem, allowed = HP, "no such number of hit points or of damage is in the facts", a.points(of)
		case n.word && len(c.d.Harms) > 0 && of&(cChange|cLeft) != 0 && bare:
			kind, problem, allowed = HP, "no such number of hit points is in the facts", a.points(0)
		case part, of&cGold != 0:
			problem, allowed = "no such amount is in the facts", a.coins
		case of&cMinute != 0 && !c.d.Knows(c.draft.open[c.toks[n.at].at:c.toks[n.end].end]):
			problem, allowed = "no such while is in the facts", append(a.time, a.clock...)
		}
		if problem != "" && !slices.Contains(allowed, n.n) {
			c.flag(kind, c.between(n.at, n.end-1), problem)
		}
	}
	c.spans(a.time)
	toks := c.plainTokens(c.draft.text)
	for _, n := range c.numerals(toks) {
		at := span{toks[n.at].at, toks[n.end-1].end}
		years := (c.lex.of(toks[n.end].word)&cClock != 0 || c.lex.lists.has("about", toks[n.end]))
		flagged := slices.ContainsFunc(c.flags, func(f Flag) bool { return strings.Contains(f.Evidence, c.draft.text[at.at:at.end]) })
		known := a.all()
		if n.word && len(c.d.Harms)+len(c.d.Rolls) == 0 && (years || c.countsThings(toks[n.end])) {
			known = a.coins
		}
		if n.at > 0 && c.lex.lists.has("ordinal", toks[n.at-1]) {
			continue // 第九
		}
		if (!n.word || n.n > 3) && n.n < 100 && (!years || n.word && n.n%10 != 0) && !flagged && !begins(c.draft.text[:at.at]) &&
			!slices.Contains(known, n.n) && !slices.Contains(c.knownNumbers(), n.n) {
			c.flag(Number, at, "no such number is in the facts")
		}
	}
}

// plainTokens returns the words of a text, speech too.
func (c *checker) plainTokens(text string) []token {
	d := &draft{text: text, open: text}
	return d.tokens(c.lang, c.lex.has, c.lex.longest)
}

// countsThings reports whether the word behind a number is of something that can be counted.
func (c *checker) countsThings(t token) bool {
	k := c.lex.of(t.word)
	_, number := c.number(t.word)
	return t.stop == 0 && !number && k&(cVerb|cGrammar&^cDet|cHP|cHarm|cMinute|cLeft|cAgainst|cGold|cClock) == 0 && (c.lang != "zh" || k&cMeasure != 0)
}

// tooMany reports whether a number counts things of which there are fewer: "four iron keys", "three sacks of flour".
func (c *checker) tooMany(n numeral) bool {
	for j := n.end; n.n > 1 && j < min(n.end+5, c.end(n.end, false)); j++ {
		ids := c.named(j, world.ThingKind)
		if len(ids) == 0 {
			if c.toks[j].class&(cVerb|cGrammar)&^cDet != 0 && c.toks[j].word != "of" && c.toks[j].class&cMeasure == 0 {
				return false
			}
			continue
		}
		if j > n.end+1 && !has(c.toks[n.end:j], cMeasure) { // "under two lime trees the long table"
			return false
		}
		var all int64
		for _, id := range ids {
			if t := c.d.After.Thing(id); t != nil && c.d.Seen[id] {
				all += max(1, t.Qty)
			}
		}
		sure := has(c.toks[n.end:j], cMeasure) || c.toks[j].names[0].full // and no other thing of the kind: "nine hooks" in a text
		return all > 0 && all < n.n && (sure || !slices.Contains(c.knownNumbers(), n.n)) && !c.cancelled(j)
	}
	return false
}

// miscounts reports whether a number counts what is known to be another number of: "sixty plates" of forty.
func (c *checker) miscounts(n numeral) bool {
	if n.n < 2 || c.cancelled(n.at) || c.lang != "zh" && !c.countsThings(c.toks[n.end]) || strings.HasPrefix(c.toks[n.end].word, "点") {
		return false
	}
	c.knownNumbers()
	for j := n.end; j < min(n.end+4, c.end(n.at, false)) && c.toks[j].class&(cVerb|cGrammar|cMinute|cClock|cHP|cGold) == 0; j++ {
		if c.toks[j].class&cMeasure != 0 || c.toks[j].sign&sBody != 0 {
			continue
		}
		if m := c.countedOf[nounAt(c.toks, j)]; len(m) > 0 {
			return !slices.Contains(m, n.n) && (n.n > 3 || n.n > slices.Max(m))
		}
	}
	return false
}

// spans holds a while that no numeral tells: "half an hour".
func (c *checker) spans(times []int64) {
	for i := range len(c.toks) - 1 {
		if c.toks[i].class&cMinute == 0 || c.cancelled(i) || c.lex.lists.has("ago", c.toks[i+1]) {
			continue
		}
		if j := slices.IndexFunc(c.toks[max(0, i-3):i+1], func(t token) bool { return c.lex.whiles[t.word] > 0 }); j >= 0 &&
			!slices.Contains(times, c.lex.whiles[c.toks[max(0, i-3)+j].word]) {
			c.flag(Time, c.between(max(0, i-1), i), "so much time has not passed")
		}
	}
}

// points returns the numbers of hit points that words admit: what is lost is a change, what is left is not.
func (a *amounts) points(of class) []int64 {
	switch {
	case of&cLeft != 0:
		return a.left
	case of&(cHarm|cChange) != 0:
		return a.change
	}
	return append(slices.Clip(a.left), a.change...)
}

// begins reports whether a line begins behind a text: there a number is the mark of a list.
func begins(text string) bool {
	text = strings.TrimRight(text, " *#-")
	return text == "" || strings.HasSuffix(text, "\n")
}

// pair reports whether two numbers belong together, and holds them against such pairs: "15 against 12", "7/12".
func (c *checker) pair(one, two numeral, a *amounts) bool {
	if two.at-one.end > 4 || ends(c.toks[two.at].stop) {
		return false
	}
	between := strings.TrimSpace(spelling.Lower(c.draft.open[c.toks[one.end-1].end:c.toks[two.at].at]))
	of, against := between == "/" || between == "of" || between == "из", has(c.toks[one.end:two.at], cAgainst)
	known := slices.Contains(a.pairs, [2]int64{one.n, two.n}) || slices.Contains(a.pairs, [2]int64{two.n, one.n}) ||
		against && one.word && slices.Contains(a.dice, one.n) && slices.Contains(a.dice, two.n)
	switch {
	case known && (of || against):
	case against && (!one.word || len(a.pairs) > 0):
		c.flag(Number, c.between(one.at, two.end-1), "no such check is in the facts")
	case of && (!one.word || len(c.d.Harms) > 0 && !slices.Contains(a.change, one.n) || c.toks[two.end].class&cHP != 0) &&
		slices.ContainsFunc(a.pairs, func(p [2]int64) bool { return p[1] == two.n }):
		c.flag(HP, c.between(one.at, two.end-1), "no such number of hit points is in the facts")
	default:
		return false
	}
	return true
}

// numerals finds numbers in figures and in words.
func (c *checker) numerals(toks []token) (list []numeral) {
	for i := 0; i < len(toks); i++ {
		t := &toks[i]
		if len(t.names) > 0 {
			continue
		}
		if n, err := strconv.ParseInt(t.word, 10, 64); err == nil {
			if _, hour := onDial(toks, i); hour {
				i++
			} else {
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
	if n, ok := c.lex.numbers[spelling.Stem(c.lang, w)]; ok {
		return n, true
	}
	tens, ones, _ := strings.Cut(w, "-")
	n, m := c.lex.numbers[tens], c.lex.numbers[ones]
	return n + m, n >= 20 && m > 0
}

// counts returns what the words about a number say that it counts.
func (c *checker) counts(n numeral) (of class) {
	const mask = cHP | cHarm | cGold | cLeft | cChange | cMinute
	for i := n.end; i < min(n.end+6, len(c.toks)) && c.toks[i].stop == 0 && of&cMinute == 0; i++ {
		if _, ok := c.number(c.toks[i].word); ok && i > n.end {
			break
		}
		k := c.toks[i].class & mask
		if i > n.end+1 {
			k &^= cMinute
		}
		of |= k
	}
	if c.toks[n.end].stop == 0 && strings.HasPrefix(c.toks[n.end].word, "点") && has(c.clause(n.at), cHP|cHurt|cHeal|cChange|cHarm) {
		of |= cHP
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

// nounAt returns by what a word behind a number is known again: in Chinese at least two characters.
func nounAt(toks []token, j int) string {
	if len(toks[j].word) == len("一") && j+1 < len(toks) {
		return toks[j].word + toks[j+1].word
	}
	return toks[j].stem
}

// knownNumbers returns the numbers in what has been told or written down for all to know, and learns what they count.
func (c *checker) knownNumbers() []int64 {
	if c.counted == nil {
		c.counted, c.countedOf = []int64{0}, map[string][]int64{}
		toks := c.plainTokens(c.allTexts())
		for _, n := range c.numerals(toks) {
			c.counted = append(c.counted, n.n)
			for j := n.end; j < min(n.end+4, len(toks)) && toks[j].stop == 0 && c.lex.of(toks[j].word)&(cGrammar|cVerb) == 0; j++ {
				if n.n > 1 {
					c.countedOf[nounAt(toks, j)] = append(c.countedOf[nounAt(toks, j)], n.n)
				}
			}
		}
	}
	return c.counted
}

// allTexts returns all that is known, with what people who are there have not said yet.
func (c *checker) allTexts() string {
	text := c.d.Known()
	for _, a := range c.d.After.Actors() {
		for i := 0; c.d.Seen[a.Place] && i < len(a.Talk); i++ {
			text += "\n" + a.Talk[i].Text
		}
	}
	return text
}
