package narration

import (
	"slices"
	"strings"

	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// who is of whom a verb is said.
type who struct {
	id    string // of an actor, "" is nobody who is known
	other bool   // somebody or something else
	mild  bool   // what hurts nobody: wind, words, light
	your  bool   // something of the hero's
	vague bool   // a pronoun stands for it
}

// object is what a verb is about.
type object struct {
	at     int
	things []string // what the word may name
	goods  bool     // something that can be had, and that is nothing of the story
	light  bool     // nothing that can be had, as in "take a breath"
	it     bool     // it is stood for
}

// judge holds what words of some classes claim against the turn.
type judge struct {
	of     class
	denied bool // what is denied, too: "the lid will not come off"
	hold   func(i int, k class, s who)
}

// judges are what words can claim, those first that say the contrary of what happened.
func (c *checker) judges() []judge {
	return []judge{
		{cShut, true, c.stuck},
		{cSafe, true, c.unhurt},
		{cAlive, false, c.alive},
		{cSlam, false, c.slammed},
		{cTake | cFind | cGive | cPut | cLose | cStash | cRefuse, false, c.hands},
		{cGo | cEnter | cAway, false, c.went},
		{cHurt | cHeal | cHit | cMiss, false, c.hurt},
		{cDie | cKill | cDead, false, c.died},
		{cOpen, false, c.opened},
	}
}

// claims holds each word that claims something against the turn.
func (c *checker) claims() {
	judges := c.judges()
	for i := range len(c.toks) - 1 {
		k := c.toks[i].class
		if c.noun(i) {
			k = c.toks[i].phrase&^(cGo|cEnter) | k&(cDead|cStash)
		}
		for _, j := range judges {
			if k&j.of != 0 && (j.denied || !c.cancelled(i)) {
				j.hold(i, k, c.subject(i))
			}
		}
	}
}

// start returns the first token of the clause, or of the sentence, that i is in.
func (c *checker) start(i int, sentence bool) int {
	for i > 0 && (c.toks[i].stop == 0 || sentence && !ends(c.toks[i].stop)) {
		i--
	}
	return i
}

// end returns the token behind the clause, or the sentence, that i is in.
func (c *checker) end(i int, sentence bool) int {
	for i = min(i+1, len(c.toks)-1); i < len(c.toks)-1 && (c.toks[i].stop == 0 || sentence && !ends(c.toks[i].stop)); {
		i++
	}
	return i
}

func (c *checker) clause(i int) []token { return c.toks[c.start(i, false):c.end(i, false)] }

func ends(stop rune) bool { return stop == '.' || stop == '!' || stop == '?' }

// has reports whether one of some words is of a class.
func has(list []token, k class) bool {
	return slices.ContainsFunc(list, func(t token) bool { return t.class&k != 0 })
}

// reach is how many words before a claim may take it back.
const reach = 14

// cancelled reports whether what is said at i is not said to be so: it is denied, asked, wished, likened or remembered.
func (c *checker) cancelled(i int) bool {
	first, from := c.start(i, true), c.start(i, false)
	if c.asked(i) || c.lang == "ru" && c.relative(i) {
		return true
	}
	for j := i - 1; j >= first; j-- {
		if c.toks[j].class&cDream != 0 {
			return true
		}
		if c.toks[j].class&cConj != 0 && c.toks[j].stop != 0 {
			break // "she says that it is late, and goes"
		}
	}
	if slices.ContainsFunc(c.toks[i:min(i+6, c.end(i, false))], func(t token) bool { return c.lex.lists.has("denials", t) }) ||
		slices.ContainsFunc(c.toks[first:from], func(t token) bool { return t.word == "说" && strings.HasPrefix(c.draft.open[t.end:], "，") }) ||
		c.toks[i+1].word == "的" {
		return true // in speech that no marks show
	}
	if from > first && !has(c.toks[from:i], cYou|cPron|cIt) &&
		has(c.toks[min(from, max(c.start(from-1, false), i-reach)):from], cMay|cIf) { // "you could look for it, or leave"
		return true
	}
	denied := cNot | cPast
	for j := i - 1; j >= max(from, i-reach); j-- {
		if c.toks[j].class&(cMay|cLike|cIf|denied) != 0 {
			return true
		}
		if c.toks[j].class&cConj != 0 {
			denied = 0 // "he says nothing and leaves"
		}
	}
	return false
}

// asked reports whether the sentence that i is in ends with a question mark.
func (c *checker) asked(i int) bool { return c.toks[c.end(i, true)].stop == '?' }

// subject returns of whom the verb at i is said: who is named, or stood for, last before it in its sentence.
func (c *checker) subject(i int) who {
	between, crossed := 0, false // words that are nothing to the verb; whether a mark or "and" stands behind them
	for j := i - 1; j >= 0 && !ends(c.toks[j+1].stop); j-- {
		t := &c.toks[j]
		if c.toks[j+1].stop != 0 || t.class&cConj != 0 {
			if between > 0 && !crossed && c.lang == "en" {
				return who{other: true} // "and a rack holds"
			}
			between, crossed = 0, true
		}
		switch named := len(t.names) > 0; {
		case c.governed(j) || c.lang == "ru" && c.relative(j):
		case t.class&cYou != 0:
			return who{id: c.d.heroID()}
		case named && t.names[0].kind == world.ActorKind:
			if !t.names[0].bent {
				return who{id: t.names[0].id}
			}
		case t.class&cPron != 0:
			return c.last(j)
		case !crossed && t.class&cMild != 0:
			return who{other: true, mild: true}
		case !crossed && named && t.names[0].kind == world.ThingKind:
			return who{other: true}
		case t.class&cYour != 0 && between == 1 && c.lang != "ru":
			return who{id: c.d.heroID(), your: true}
		case t.class&(cVerb|cGrammar) == 0 && (c.lang != "en" || !hasAny(t.word, "ly", "ing")):
			between++
		}
	}
	return who{other: between > 0 && !crossed && c.lang != "zh"}
}

// governed reports whether the word at j stands behind a preposition or a verb, so that it does nothing itself.
func (c *checker) governed(j int) bool {
	if n := c.toks[j].names; len(n) > 0 {
		j = n[0].at
	}
	k := j - 1
	for k > 0 && c.toks[j].stop == 0 && c.toks[k].class&cDet != 0 {
		k--
	}
	if k < 0 || c.toks[j].stop != 0 {
		return false
	}
	p := &c.toks[k]
	return p.class&cPrep != 0 || c.lang != "ru" && p.class&(cTake|cGive|cHurt|cStrike|cKill|cFind) != 0
}

// owns reports whether a name at j only says whose something is.
func (c *checker) owns(j int) bool {
	if c.lang == "zh" {
		return c.toks[j+1].stop == 0 && strings.HasPrefix(c.toks[j+1].word, "的")
	}
	return hasAny(c.toks[j].word, "'s", "s'")
}

// last returns who was named last before j.
func (c *checker) last(j int) who {
	for j--; j >= 0; j-- {
		for _, n := range c.toks[j].names {
			if n.kind == world.ActorKind && n.id != c.d.heroID() {
				return who{id: n.id, vague: true}
			}
		}
	}
	return who{other: true}
}

// noun reports whether the English word at i stands behind an article, so that it is no verb.
func (c *checker) noun(i int) bool {
	return c.lang == "en" && c.toks[i].stop == 0 && c.toks[i-1].class&(cDet|cYour) != 0
}

// thing returns what the word at j is, where that is something to have or to hold, or what stands for it.
func (c *checker) thing(j int) (o object, ok bool) {
	t := &c.toks[j]
	if ids := c.named(j, world.ThingKind); len(ids) > 0 && (c.lang != "zh" || !c.owns(j)) {
		return object{at: j, things: ids}, true
	}
	switch {
	case len(t.names) > 0 || c.owns(j):
		return o, false
	case t.class&cLight != 0:
		return object{at: j, light: true}, true
	case t.class&cGoods != 0 && (c.toks[j+1].stop != 0 || c.toks[j+1].class&cGoods == 0): // a silver bell
		return object{at: j, goods: true}, true
	case t.class&cIt != 0:
		return c.antecedent(j)
	}
	return o, false
}

// antecedent returns what "it" or "which" at j may stand for: things that were named shortly before, or else the last that is nothing
// of the story.
func (c *checker) antecedent(j int) (o object, ok bool) {
	for k := j - 1; k >= max(0, j-40); k-- {
		if ids := c.named(k, world.ThingKind); len(ids) > 0 {
			o.at, o.things = k, append(o.things, ids...)
		} else if c.toks[k].class&cGoods != 0 && len(o.things) == 0 && !o.goods {
			o.at, o.goods = k, true
		}
	}
	o.goods = o.goods && len(o.things) == 0
	o.it = true
	return o, o.goods || len(o.things) > 0
}

// objects returns what the verb at i is about: in its clause behind it with what is listed there, or else, but in English, before it.
func (c *checker) objects(i int, s who) []object {
	list := c.objectsBehind(i)
	for j := i - 1; len(list) == 0 && j >= c.start(i, c.lang == "zh") && (c.lang == "zh" || c.lang == "ru" && s.id != ""); j-- {
		if o, ok := c.thing(j); ok {
			list = append(list, o)
		}
	}
	return list
}

func (c *checker) objectsBehind(i int) (list []object) {
	governed, filled := c.lang == "zh" && hasAny(c.toks[i].word, "进", "入", "到", "在", "于"), false // 放进罐子
	for j := i + 1; j < len(c.toks)-1; j++ {
		t := &c.toks[j]
		o, ok := c.thing(j)
		switch {
		case t.stop != 0 && (t.stop != ',' || len(list) == 0 || c.lang == "zh"), t.class&cLike != 0, len(list) > 0 && t.class&(cYou|cPron) != 0:
			return list
		case ok:
			if !governed {
				list = append(list, o)
			}
			governed, filled = false, false
			if len(t.names) > 0 {
				j = t.names[0].at + t.names[0].n - 1
			}
		case t.class&cParticle != 0 && j-i <= 2:
		case t.class&cMeasure != 0 && c.toks[j+1].word == "of":
			j++
		case t.class&cPrep != 0:
			governed, filled = true, false
		case t.class&cDet != 0 && filled:
			governed, filled = false, false
		case t.class&cVerb != 0 && c.toks[j-1].class&(cDet|cYour) == 0:
			return list
		default:
			filled = governed
		}
	}
	return list
}

// between returns the part of the draft from one token to another.
func (c *checker) between(i, j int) span {
	i, j = min(i, j), max(i, j)
	return span{c.toks[i].at, c.toks[j].end}
}

// hands holds what somebody is said to take, find, give, put somewhere or lose, and what is said to come into a pocket or a hand.
func (c *checker) hands(i int, k class, s who) {
	hero := s.id == c.d.heroID()
	if k&cRefuse != 0 && (!hero || c.toks[i].phrase&cRefuse != 0) && c.d.with("", func(p passed) bool { return p.from == s.id || !hero && p.to == s.id }) { // "you keep it"
		c.flag(Item, c.toks[i].span, "this changed hands")
		return
	}
	if k&cStash != 0 {
		c.stashed(i)
	}
	toYou := k&cGive != 0 && !s.mild && has(c.toks[i+1:min(i+3, len(c.toks))], cYou) // "a stranger gives you a ring"
	if k&(cTake|cFind|cGive|cPut|cLose) == 0 || s.other && c.lang != "zh" && k&cLose == 0 && !toYou {
		return
	}
	list := c.objects(i, s)
	first := c.start(i, false)
	for j := i - 1; j >= first && len(list) == 0 && k&cLose != 0; j-- {
		if o, ok := c.thing(j); ok {
			list = append(list, o)
		}
	}
	by := s.id
	if s.vague && k&cTake == 0 {
		by = ""
	}
	for _, o := range list {
		if o.light || c.handedOver(i, k, by, o) {
			return
		}
	}
}

// handedOver holds one thing that a verb is about. It reports whether that is wrong.
func (c *checker) handedOver(i int, k class, by string, o object) bool {
	d, hero := c.d, c.d.heroID()
	if o.goods {
		if k&cGive == 0 && by != "" && by != hero || o.it && d.with("", func(p passed) bool { return p.to == hero }) || c.known(o.at) || k&(cLose|cPut) != 0 && k&(cTake|cGive) == 0 && by != hero ||
			k&(cTake|cGive) == 0 && c.isThere(&c.toks[o.at]) {
			return false
		}
		c.flag(Item, c.between(i, o.at), "there is no such thing to be had")
		return true
	}
	fits := func(id string) bool {
		kind, holder := d.Before.Holder(id)
		switch {
		case k&(cTake|cGive) != 0:
			return d.with(id, func(p passed) bool { return by == "" || p.from == by || p.to == by || k&cGive != 0 && p.to == hero }) ||
				k&cTake != 0 && kind == world.ActorKind && (by == "" || holder == by)
		case k&cFind != 0:
			return d.seen[id]
		}
		return o.at > 0 && c.lex.lists.has("theirs", c.toks[o.at-1]) || !d.seen[id] ||
			d.with(id, func(p passed) bool { return p.to != hero || k&cPut != 0 })
	}
	if slices.ContainsFunc(o.things, fits) {
		return false
	}
	c.flag(Item, c.between(i, o.at), "this did not change hands")
	return true
}

// stashed holds that something came into somebody's pocket or hand, which stands at i.
func (c *checker) stashed(i int) {
	before := c.toks[max(c.start(i, false), i-4):i]
	into := slices.ContainsFunc(before, func(t token) bool {
		return c.lex.lists.has("into", t)
	})
	if c.lang != "zh" && (!into || c.lang == "en" && !has(before, cYour)) {
		return
	}
	for j := i - 1; j >= max(c.start(i, true), i-13); j-- {
		if o, ok := c.thing(j); ok {
			if !o.light {
				c.handedOver(i, cTake, "", o)
			}
			return
		}
	}
}

// known reports whether a word stands in what is known of an object that changed hands or that the hero has.
func (c *checker) known(j int) bool {
	in := func(texts ...string) bool {
		return strings.Contains(lowered(strings.Join(texts, " ")), strings.TrimSuffix(c.toks[j].stem, "子"))
	}
	return slices.ContainsFunc(c.d.passed, func(p passed) bool { return in(p.thing.Name, p.thing.Desc) }) ||
		slices.ContainsFunc(story.VisibleInside(c.d.After, c.d.heroID(), 6), func(t story.VisibleThing) bool { return in(t.Name, t.Desc) })
}
