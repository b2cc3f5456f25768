package narration

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// who is of whom a verb is said.
type who struct {
	you   bool
	id    string // of an actor
	other bool   // of somebody or something else
	mild  bool   // of what hurts nobody: wind, words, light
	your  bool   // of something of yours
}

// object is what a verb is about.
type object struct {
	at     int
	things []string // what the word may name
	goods  bool     // something that can be had, and that is nothing of the story
	light  bool     // nothing that can be had, as in "take a breath"
}

// claims holds each word that claims something against the turn.
func (c *checker) claims() {
	for i := range c.toks {
		k := c.toks[i].class
		stash := k & cStash
		if c.noun(i) {
			k = c.toks[i].phrase | k&(cBlood|cDead)
		}
		if stash != 0 && !c.cancelled(i) {
			c.stashed(i)
		}
		if k&(cVerb|cBlood|cDead|cShut|cHit|cMiss) == 0 || c.cancelled(i) {
			continue
		}
		s := c.subject(i)
		if k&(cTake|cFind|cGive|cPut|cLose) != 0 {
			c.handled(i, k, s)
		}
		if k&(cGo|cEnter|cAway) != 0 {
			c.went(i, s)
		}
		if k&(cHurt|cBlood|cStrike|cHeal|cHit|cMiss) != 0 {
			c.hurt(i, s)
		}
		if k&(cDie|cKill|cDead) != 0 {
			c.died(i, s)
		}
		if k&(cOpen|cShut) != 0 {
			c.opened(i)
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
	for i++; i < len(c.toks) && (c.toks[i].stop == 0 || sentence && !ends(c.toks[i].stop)); {
		i++
	}
	return i
}

func ends(stop rune) bool { return stop == '.' || stop == '!' || stop == '?' }

// reach is how many words before a claim may take it back.
const reach = 14

// cancelled reports whether what is said at i is not said to be so: it is denied, asked, wished, likened or remembered.
func (c *checker) cancelled(i int) bool {
	first := c.start(i, true)
	if c.toks[first].class&cIf != 0 || c.asked(i) || c.offered(c.toks[i].at) {
		return true
	}
	for j := first; j < i; j++ {
		if c.toks[j].class&(cDream|cIf) != 0 {
			return true
		}
	}
	if c.lang == "zh" && i+1 < len(c.toks) && c.toks[i+1].word == "的" || c.lang == "ru" && slices.ContainsFunc(c.toks[i:min(i+3, len(c.toks))], func(t token) bool { return t.word == "бы" }) {
		return true
	}
	from, chain := c.start(i, false), 0
	if subject := func(t token) bool {
		return t.class&(cYou|cPron|cIt) != 0 || len(t.names) > 0 && t.names[0].kind == world.ActorKind
	}; from > first && (c.toks[from].class&cConj != 0 || c.lang == "zh") &&
		!slices.ContainsFunc(c.toks[from:i], subject) {
		chain = c.start(from-1, false) // "you could look for it, or leave"
		if slices.ContainsFunc(c.toks[min(from, max(chain, i-reach)):from], func(t token) bool { return t.class&(cMay|cIf) != 0 }) {
			return true
		}
	}
	for j := i - 1; j >= max(from, i-reach); j-- {
		if c.toks[j].class&cCancel != 0 && (c.toks[j].word != "without" || strings.HasSuffix(c.toks[i].word, "ing")) {
			return true
		}
	}
	if c.lang == "zh" && i+1 < len(c.toks) && c.toks[i+1].stop == 0 && c.toks[i+1].class&cNot != 0 && utf8.RuneCountInString(c.toks[i].word) < 3 {
		return true
	}
	return false
}

// offered reports whether a place of the draft stands in a list of what could be done.
func (c *checker) offered(at int) bool {
	line := c.draft.open[strings.LastIndexByte(c.draft.open[:at], '\n')+1:]
	line = strings.TrimLeft(line, " *")
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "• ") || len(line) > 2 && line[0] >= '0' && line[0] <= '9' && (line[1] == '.' || line[1] == ')')
}

// asked reports whether the clause that i is in ends with a question mark.
func (c *checker) asked(i int) bool {
	e := c.end(i, true)
	if e < len(c.toks) {
		return c.toks[e].stop == '?' && !strings.ContainsAny(c.draft.open[c.toks[e-1].end:c.toks[e].at], ".!。！\n")
	}
	rest := strings.TrimSpace(c.draft.open[c.toks[len(c.toks)-1].end:])
	return strings.HasPrefix(rest, "?") || strings.HasPrefix(rest, "？")
}

// second reports whether a Russian verb is in the second person.
func second(w string) bool {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "сь"), "ся")
	return hasAny(w, "ете", "ите", "ешь", "ишь") && utf8.RuneCountInString(w) > 4
}

// third reports whether an English verb is in the third person.
func third(w string) bool { return len(w) > 3 && w[len(w)-1] == 's' && w[len(w)-2] != 's' }

// others reports whether the verb at i is in the third person.
func (c *checker) others(i int) bool {
	if c.lang == "ru" {
		for _, t := range c.toks[i:min(i+3, len(c.toks))] {
			if w := strings.TrimSuffix(t.word, "ся"); utf8.RuneCountInString(w) > 4 && hasAny(w, "ет", "ит", "ут", "ют", "ат", "ят") {
				return true
			}
		}
		return false
	}
	return c.lang == "en" && third(c.toks[i].word)
}

// subject returns of whom the verb at i is said.
func (c *checker) subject(i int) who {
	switch {
	case c.lang == "ru" && second(c.toks[i].word):
		return who{you: true}
	case c.lang == "en" && c.toks[i].class&cYour != 0:
		return who{you: true}
	}
	between, crossed := 0, false // words that are nothing to the verb, with no mark or "and" behind them
	for j := i - 1; j >= 0 && i-j <= 18; j-- {
		t := &c.toks[j]
		if ends(c.toks[j+1].stop) {
			break
		}
		if c.toks[j+1].stop != 0 || t.class&cConj != 0 {
			between, crossed = 0, true
		}
		governed := c.governed(j)
		switch {
		case t.class&cYou != 0 && !governed && !c.others(i):
			return who{you: true}
		case len(t.names) > 0 && t.names[0].kind == world.ActorKind && !c.owns(j) && !governed && !t.names[0].bent && !(c.lang == "ru" && c.relative(j)):
			if c.d.heroID() == t.names[0].id {
				return who{you: true}
			}
			return who{id: t.names[0].id}
		case t.class&cPron != 0 && !governed:
			return c.last(j)
		case t.class&cMild != 0 && !governed && !crossed:
			return who{other: true, mild: true}
		case !governed && !crossed && between == 0 && (t.class&cPeople != 0 || len(t.names) > 0 && t.names[0].kind == world.ThingKind):
			return who{other: true}
		case t.class&cYour != 0 && between == 1 && c.lang != "ru":
			return who{you: true, your: true}
		case t.class&(cVerb|cGrammar|cDet|cPrep|cAux) == 0 && (c.lang != "en" || !hasAny(t.word, "ly", "ing")):
			between++
		}
	}
	if between > 0 && !crossed && c.lang != "zh" {
		return who{other: true}
	}
	return who{}
}

// governed reports whether the word at j stands behind a preposition or a verb, so that it does nothing itself.
func (c *checker) governed(j int) bool {
	if n := c.toks[j].names; len(n) > 0 {
		j = n[0].at
	}
	if j == 0 || c.toks[j].stop != 0 {
		return false
	}
	p := &c.toks[j-1]
	for j > 1 && p.class&cDet != 0 && p.stop == 0 {
		j--
		p = &c.toks[j-1]
	}
	if c.toks[j].class&cYou != 0 && c.lang == "en" {
		return p.class&(cConj|cIf|cLike|cIt|cAux|cPast) == 0 && !strings.HasSuffix(p.word, "ly")
	}
	return p.class&cPrep != 0 || c.lang != "ru" && p.class&(cTake|cGive|cHurt|cStrike|cKill|cFind) != 0 && len(p.names) == 0
}

// owns reports whether a name at j only says whose something is.
func (c *checker) owns(j int) bool {
	if c.lang == "zh" {
		return j+1 < len(c.toks) && c.toks[j+1].stop == 0 && strings.HasPrefix(c.toks[j+1].word, "的")
	}
	return strings.HasSuffix(c.toks[j].word, "'s") || strings.HasSuffix(c.toks[j].word, "s'")
}

// last returns who was named last before j.
func (c *checker) last(j int) who {
	for j--; j >= 0; j-- {
		for _, n := range c.toks[j].names {
			if n.kind == world.ActorKind && n.id != c.d.heroID() {
				return who{id: n.id}
			}
		}
		if c.toks[j].class&cPeople != 0 {
			return who{other: true}
		}
	}
	return who{other: true}
}

// object returns what the verb at i is about: in its clause behind it, and in Russian and Chinese before it as well.
func (c *checker) object(i int, s who) (o object, ok bool) {
	governed, filled := c.lang == "zh" && hasAny(c.toks[i].word, "进", "入", "到", "在", "于"), false // 放进罐子
	for j := i + 1; j < c.end(i, false) && j-i <= 9; j++ {
		t := &c.toks[j]
		if o, ok := c.thing(j); ok {
			if !governed {
				return o, true
			}
			governed, filled = false, false
			continue
		}
		switch {
		case t.class&cParticle != 0 && j-i <= 2:
		case t.class&cMeasure != 0 && j+1 < len(c.toks) && c.toks[j+1].word == "of":
			j++
		case t.class&cPrep != 0:
			governed, filled = true, false
		case t.class&cDet != 0 && filled:
			governed, filled = false, false
		case t.class&cVerb != 0 && t.class&cNoun == 0 && len(t.names) == 0, t.class&cConj != 0 && c.lang == "en" && !filled:
			return o, false
		default:
			filled = governed
		}
	}
	if first := c.start(i, false); c.toks[first].class&cWhich != 0 && first < i {
		return c.antecedent(first)
	}
	if c.lang == "en" || c.lang == "ru" && !s.you && s.id == "" {
		return o, false
	}
	for j := i - 1; j >= c.start(i, false) && i-j <= 9; j-- {
		if o, ok := c.thing(j); ok && (j == 0 || c.toks[j].stop != 0 || c.toks[j-1].class&cPrep == 0) {
			return o, true
		}
	}
	return o, false
}

// thing returns what the word at j is, where that is something to have or to hold, or what stands for it.
func (c *checker) thing(j int) (o object, ok bool) {
	t := &c.toks[j]
	if ids := c.named(j, world.ThingKind); len(ids) > 0 {
		return object{at: j, things: ids}, true
	}
	switch {
	case len(t.names) > 0 || c.owns(j):
		return o, false
	case t.class&cLight != 0:
		return object{at: j, light: true}, true
	case t.class&cGoods != 0:
		if j+1 < len(c.toks) && c.toks[j+1].stop == 0 && c.toks[j+1].class&cGoods != 0 {
			return o, false // a silver bell
		}
		return object{at: j, goods: true}, true
	case t.class&cIt != 0:
		return c.antecedent(j)
	}
	return o, false
}

// antecedent returns what "it" or "which" at j may stand for: things that were named shortly before, or else the last that is nothing
// of the story.
func (c *checker) antecedent(j int) (o object, ok bool) {
	for k := j - 1; k >= 0 && j-k < 40; k-- {
		if ids := c.named(k, world.ThingKind); len(ids) > 0 {
			if o.at = k; !o.goods {
				o.things = append(o.things, ids...)
			}
		} else if c.toks[k].class&cGoods != 0 && len(c.toks[k].names) == 0 && len(o.things) == 0 && !o.goods {
			o.at, o.goods = k, true
		}
	}
	return o, o.goods || len(o.things) > 0
}

// words returns the part of the draft from one token to another.
func (c *checker) between(i, j int) span {
	i, j = min(i, j), max(i, j)
	return span{c.toks[i].at, c.toks[j].end}
}

// held reports whether something was with somebody before the turn: "" stands for anybody.
func (c *checker) held(id, by string) bool {
	kind, holder := c.d.Before.Holder(id)
	return kind == world.ActorKind && (by == "" || holder == by)
}

// handled holds what somebody is said to take, find, give, put somewhere or lose.
func (c *checker) handled(i int, k class, s who) {
	o, ok := c.object(i, s)
	if !ok && k&cLose != 0 {
		for j := i - 1; j >= c.start(i, false) && c.toks[j].class&(cYou|cConj) == 0 && !ok; j-- {
			o, ok = c.thing(j)
		}
	}
	if k&(cRefuse) != 0 && s.id != "" && c.d.with("", func(p passed) bool { return (p.from == s.id || p.to == s.id) && p.from != p.to }) {
		c.flag(Item, c.toks[i].span, "this changed hands")
		return
	}
	if s.other && c.lang != "zh" && k&cLose == 0 {
		return
	}
	for ok && !o.light && !c.handedOver(i, k, s, o) {
		o, ok = c.also(o.at)
	}
}

// handedOver holds one thing that a verb is about. It reports whether that is wrong.
func (c *checker) handedOver(i int, k class, s who, o object) bool {
	by := s.id
	if s.you {
		by = c.d.heroID()
	}
	if o.goods {
		switch {
		case c.ofPassed(o.at), k&(cLose|cPut) != 0 && k&(cTake|cGive) == 0 && (!s.you || c.isThere(&c.toks[o.at])):
			return false
		case k&(cTake|cGive|cPut) == 0 && c.isThere(&c.toks[o.at]), s.id != "" && k&cGive == 0 && c.known(s.id, o.at):
			return false
		}
		c.flag(Item, c.between(i, o.at), "there is no such thing to be had")
		return true
	}
	fits := func(id string) bool {
		switch {
		case k&(cTake|cGive) != 0:
			return c.d.with(id, func(p passed) bool { return by == "" || p.from == by || p.to == by || p.made }) || k&cTake != 0 && c.held(id, by)
		case k&cFind != 0:
			return c.d.seen[id] || c.d.with(id, func(passed) bool { return true })
		}
		if o.at > 0 && strings.Contains(" his her its their ", " "+c.toks[o.at-1].word+" ") {
			return true
		}
		return c.d.with(id, func(p passed) bool { return p.to != c.d.heroID() || k&cPut != 0 }) || !c.d.seen[id]
	}
	if slices.ContainsFunc(o.things, fits) {
		return false
	}
	c.flag(Item, c.between(i, o.at), "this did not change hands")
	return true
}

// also returns a further thing that the same verb is about: "the key and a rope".
func (c *checker) also(at int) (o object, ok bool) {
	joined := false
	for at+1 < len(c.toks) && len(c.toks[at].names) > 0 && len(c.toks[at+1].names) > 0 && c.toks[at].names[0] == c.toks[at+1].names[0] {
		at++
	}
	for j := at + 1; j < len(c.toks) && j-at <= 7; j++ {
		t := &c.toks[j]
		switch {
		case ends(t.stop) || t.stop == '"' || t.stop == ':':
			return o, false
		case t.class&cConj != 0 || t.stop == ',' && c.lang == "zh":
			joined = true
			continue
		}
		if o, ok := c.thing(j); ok && joined && t.class&cIt == 0 {
			return o, true
		} else if ok || t.class&(cYou|cPron|cPrep) != 0 && (joined || t.class&cPrep == 0) || joined && t.class&cVerb != 0 && t.class&cNoun == 0 {
			return o, false
		}
	}
	return o, false
}

// stashed holds that something came into somebody's pocket or hand, which stands at i.
func (c *checker) stashed(i int) {
	your, into := c.lang == "zh", c.lang == "zh"
	for j := i - 1; j >= max(c.start(i, false), i-4); j-- {
		your = your || c.toks[j].class&cYour != 0
		into = into || c.toks[j].class&cPrep != 0 && strings.Contains(" into in inside under to onto в во за на под ", " "+c.toks[j].word+" ")
	}
	if !your && c.lang == "en" || !into {
		return
	}
	for j := i - 1; j >= c.start(i, true) && i-j < 14; j-- {
		o, ok := c.thing(j)
		switch {
		case ok && o.light:
			return
		case ok:
			c.handedOver(i, cTake, who{}, o)
			return
		case strings.Contains(" something что-то ", " "+c.toks[j].word+" "):
			if !c.d.with("", func(passed) bool { return true }) {
				c.flag(Item, c.between(j, i), "nothing changed hands")
			}
			return
		}
	}
}

// noun reports whether the English word at i stands behind an article, so that it is no verb.
func (c *checker) noun(i int) bool {
	return c.lang == "en" && i > 0 && c.toks[i].stop == 0 && !strings.HasSuffix(c.toks[i].word, "ing") &&
		(c.toks[i-1].class&(cDet|cYour) != 0 && c.toks[i-1].class&cIt == 0 && len(c.toks[i-1].names) == 0 && c.toks[i-1].word != "her" || c.owns(i-1))
}

// ofPassed reports whether a word stands in what is known of an object that changed hands, or that the hero has.
func (c *checker) ofPassed(j int) bool {
	has := func(t *world.Thing) bool {
		if t == nil {
			return false
		}
		text := lowered(t.Name + " " + t.Desc)
		return c.lang == "zh" && strings.Contains(text, c.toks[j].word) || slices.ContainsFunc(words(text), func(w string) bool { return stem(c.lang, w) == c.toks[j].stem })
	}
	for _, p := range c.d.passed {
		if has(p.thing) {
			return true
		}
	}
	return slices.ContainsFunc(story.VisibleInside(c.d.After, c.d.heroID(), 6), func(t story.VisibleThing) bool { return has(t.Thing) })
}

// known reports whether a word stands in what can be seen of somebody.
func (c *checker) known(actor string, j int) bool {
	a := c.d.After.Actor(actor)
	return a != nil && slices.ContainsFunc(words(a.Desc), func(w string) bool { return stem(c.lang, w) == c.toks[j].stem })
}

// went holds that somebody went somewhere.
func (c *checker) went(i int, s who) {
	k := c.toks[i].class
	party := s.you || s == who{} && k&cAway == 0 && c.told(i) || s.id != "" && slices.Contains(c.d.After.Self().Party, s.id)
	id := s.id
	if s.you || id == "" {
		id = c.d.heroID()
	}
	if s.other || s.your || !party && s.id == "" || c.d.After.Actor(id) == nil {
		return
	}
	moved := c.d.moved(id, "")
	if k&cAway != 0 && !moved {
		c.flag(Move, c.toks[i].span, "nobody went away")
		return
	}
	if k&(cGo|cEnter) == 0 {
		return
	}
	if to, ok := c.destination(i, k, id, moved); ok {
		c.flag(Move, c.between(i, to), "nobody went there")
	}
}

// told reports whether the sentence speaks of the hero before i.
func (c *checker) told(i int) bool {
	return slices.ContainsFunc(c.toks[c.start(i, true):i+1], func(t token) bool { return t.class&cYou != 0 || c.lang == "ru" && second(t.word) })
}

// destination returns where a way that nobody went leads, by the verb at i.
func (c *checker) destination(i int, k class, id string, moved bool) (at int, ok bool) {
	prep, of := k&cEnter != 0 || c.lang == "zh", false
	for j := i + 1; j < c.end(i, false) && j-i <= 8; j++ {
		t := &c.toks[j]
		if ids := c.named(j, world.PlaceKind); len(ids) > 0 {
			if c.owns(j) || !prep {
				continue
			}
			return j, !slices.ContainsFunc(ids, func(p string) bool { return c.d.moved(id, p) || c.d.at(p) && !moved })
		}
		if len(c.named(j, world.ThingKind)) > 0 || len(c.named(j, world.ActorKind)) > 0 && !c.owns(j) {
			return j, false
		}
		switch {
		case moved && t.class&cOut == 0:
			prep = prep || t.class&cPrep != 0
		case moved:
		case t.class&cOut != 0 && t.class&cPrep == 0:
			return j, true
		case t.class&cSpot != 0 && prep && !of && !c.here(j):
			return j, true
		case t.class&cThrough != 0 && prep && c.through(i, j):
			return j, true
		case t.class&cPrep != 0:
			prep, of = true, t.word == "of"
		case t.class&cVerb != 0 && t.class&cNoun == 0, t.class&cGoods != 0:
			return j, false
		}
	}
	return i, false
}

// through reports whether what stands between two words leads through or into something.
func (c *checker) through(i, j int) bool {
	for _, t := range c.toks[i:j] {
		switch t.word {
		case "through", "into", "out", "в", "из", "через", "за", "сквозь", "во", "走出", "走进", "穿过", "冲出", "跨过", "跨出", "出了":
			return true
		}
	}
	return false
}

// here reports whether a word stands in what is known of the place where the story is.
func (c *checker) here(j int) bool {
	for _, id := range c.d.places {
		p := c.d.After.Place(id)
		if p == nil {
			continue
		}
		text := p.Name + " " + p.Desc + " " + p.Situation
		if c.lang == "zh" && strings.Contains(text, c.toks[j].word) ||
			slices.ContainsFunc(words(text), func(w string) bool { return stem(c.lang, w) == c.toks[j].stem }) {
			return true
		}
	}
	return false
}

// persons returns who is named in the clause that i is in, or stood for in it; you is the hero.
func (c *checker) persons(i int) (ids []string) {
	for j := c.start(i, false); j < c.end(i, false); j++ {
		if c.toks[j].class&(cYou|cYour) != 0 {
			ids = append(ids, c.d.heroID())
		}
		ids = append(ids, c.named(j, world.ActorKind)...)
		if c.toks[j].class&cPron != 0 {
			if w := c.last(j); w.id != "" {
				ids = append(ids, w.id)
			}
		}
	}
	return ids
}

// hurt holds that somebody was hurt or healed, hit or missed.
func (c *checker) hurt(i int, s who) {
	k, d := c.toks[i].class, c.d
	people := c.persons(i)
	if k&cBlood != 0 {
	} else if s.you {
		people = append(people, d.heroID())
	} else if s.id != "" {
		people = append(people, s.id)
	}
	lost := func(id string) bool {
		return slices.ContainsFunc(d.harms, func(h harm) bool { return h.actor == id && h.to < h.from })
	}
	won := func(id string) bool {
		return slices.ContainsFunc(d.harms, func(h harm) bool { return h.actor == id && h.to > h.from })
	}
	attacker := d.heroID()
	if s.id != "" {
		attacker = s.id
	}
	hits, misses := d.attacks(attacker)
	switch {
	case k&cMiss != 0 && hits > 0 && misses == 0 && (s.you || c.shot(i) || !slices.ContainsFunc(d.results, func(r result) bool { return r.ToHit != nil && !r.Hit })):
		c.flag(Outcome, c.toks[i].span, "this hit")
	case k&cHit != 0 && hits == 0 && misses > 0:
		c.flag(Outcome, c.toks[i].span, "this missed")
	case k&cHeal != 0 && len(people) > 0 && !slices.ContainsFunc(people, won) && (c.toks[i].phrase&cHeal != 0 || c.near(i, cBlood|cHP|cHurt)):
		c.flag(HP, c.toks[i].span, "nobody was healed")
	case k&cHurt != 0 && !s.mild && (!s.other || c.near(i, cYou|cYour)), k&cStrike != 0 && !s.mild && (s.id != "" && c.near(i, cYou|cYour) || c.struck(i)):
		victims := c.victims(i, s)
		if len(victims) > 0 && !slices.ContainsFunc(victims, func(id string) bool { return lost(id) || id != d.heroID() && d.wounded(id) }) {
			c.flag(HP, c.toks[i].span, "nobody was hurt like this")
		}
	case k&cBlood != 0 && len(people) > 0 && !slices.ContainsFunc(people, func(id string) bool { return lost(id) || d.wounded(id) }):
		c.flag(HP, c.toks[i].span, "nobody is hurt")
	}
}

// struck reports whether somebody other than the hero is named just behind a blow, and nobody threw for it.
func (c *checker) struck(i int) bool {
	for j := i + 1; j < min(i+4, c.end(i, false)); j++ {
		for _, id := range c.named(j, world.ActorKind) {
			return !slices.ContainsFunc(c.d.Outcomes, func(o rules.Outcome) bool { return o.Call.Tool == "attack" && text(&o, "target_id") == id })
		}
	}
	return false
}

// shot reports whether what is said at i is said of a weapon, as in "your arrow misses".
func (c *checker) shot(i int) bool {
	before := c.toks[c.start(i, false):i]
	return !slices.ContainsFunc(before, func(t token) bool { return strings.Contains(" its his her его ее ", " "+t.word+" ") }) && slices.ContainsFunc(before, func(t token) bool {
		return t.class&cGoods != 0 || len(t.names) > 0 && t.names[0].kind == world.ThingKind
	})
}

// victims returns who may be hurt by the verb at i: whom it is about, or, where it is about nobody, of whom it is said.
func (c *checker) victims(i int, s who) (ids []string) {
	for j := i + 1; j < c.end(i, false) && j-i < 9; j++ {
		if c.toks[j].class&(cYou|cYour) != 0 && (c.lang != "ru" || c.toks[j].class&cYour != 0) {
			return []string{c.d.heroID()}
		}
		if who := c.named(j, world.ActorKind); len(who) > 0 {
			return who
		}
		if len(c.named(j, world.ThingKind)) > 0 {
			return nil
		}
	}
	if c.lang == "en" && i+1 < len(c.toks) && c.toks[i+1].stop == 0 && c.toks[i+1].class&cDet != 0 ||
		c.lang == "ru" && s.you && c.toks[i].phrase == 0 && !hasAny(c.toks[i].word, "сь", "ся") {
		return nil // it is done to something else
	}
	for j := i - 1; j >= c.start(i, false) && j > i-9 && (c.lang != "ru" || c.toks[i].phrase != 0); j-- {
		if c.toks[j].class&cYour != 0 {
			return []string{c.d.heroID()}
		}
	}
	switch {
	case s.you:
		return []string{c.d.heroID()}
	case s.id != "":
		return []string{s.id}
	}
	return nil
}

// near reports whether the clause that i is in has a word of a class.
func (c *checker) near(i int, k class) bool {
	return slices.ContainsFunc(c.toks[c.start(i, false):c.end(i, false)], func(t token) bool { return t.class&k != 0 })
}

// died holds that somebody died.
func (c *checker) died(i int, s who) {
	k := c.toks[i].class
	id := s.id
	if s.you {
		id = c.d.heroID()
	}
	if k&cKill != 0 && k&cDie == 0 {
		id = ""
		for _, j := range append(seq(i+1, min(c.end(i, false), i+7)), seq(c.start(i, false), i)...) {
			if who := c.named(j, world.ActorKind); len(who) > 0 && (j > i || c.lang != "en" || strings.HasSuffix(c.toks[i].word, "ed") && c.toks[i-1].class&cAux != 0) {
				id = who[0]
				break
			}
			if j > i && c.toks[j].class&(cYou|cPron|cIt) != 0 {
				if id = c.d.heroID(); c.toks[j].class&cYou == 0 {
					id = c.last(j).id
				}
				break
			}
		}
	}
	if c.toks[i].phrase&cKill != 0 && id == "" {
		id = c.last(i).id
	}
	if k&cKill == 0 && (s.your || s.other && c.lang != "zh") {
		return
	}
	if id == "" && c.toks[i].phrase&cDie != 0 && c.near(i, cYou|cYour) {
		id = c.d.heroID()
	}
	a := c.d.After.Actor(id)
	if a != nil && a.State != world.Dead && a.State != world.Dying && c.d.falls[id] == "" && c.d.seen[id] {
		c.flag(Death, c.toks[i].span, "nobody died")
	}
}

func seq(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// opened holds that a door, a lid or a lock is open, or shut.
func (c *checker) opened(i int) {
	k := c.toks[i].class
	doors, boxes, at := []int(nil), []string(nil), []int(nil)
	from, to, ways := c.start(i, true), c.end(i, true), []string(nil)
	for j := max(from, i-8); j < min(to, i+9); j++ {
		ways = append(ways, c.named(j, world.PlaceKind)...)
		if ids := slices.DeleteFunc(c.named(j, world.ThingKind), func(id string) bool {
			t := c.d.After.Thing(id)
			return t == nil || !t.Container
		}); len(ids) > 0 {
			boxes, at = append(boxes, ids...), append(at, j)
		} else if c.toks[j].class&cDoor != 0 && len(c.toks[j].names) == 0 {
			doors = append(doors, j)
		}
	}
	d, door := c.d, len(doors) > 0
	opened := d.unlocked()
	if k&cShut != 0 {
		if len(opened) > 0 && (door || slices.ContainsFunc(boxes, func(id string) bool { return slices.Contains(opened, id) })) {
			c.flag(State, c.toks[i].span, "this was opened in this turn")
		}
		return
	}
	for _, id := range boxes {
		t := d.After.Thing(id)
		if t != nil && t.Container && (t.Closed || t.Locked) && !slices.Contains(opened, id) && d.seen[id] {
			c.flag(State, c.between(i, i), "this is closed")
			return
		}
	}
	if door && c.d.closedTo(ways) {
		c.flag(State, c.toks[i].span, "this way is closed")
		return
	}
	doors = slices.DeleteFunc(doors, func(j int) bool { // the door of the oven
		return slices.ContainsFunc(at, func(box int) bool { return max(j-box, box-j) < 3 })
	})
	if len(doors) > 0 && len(opened) == 0 && !d.moved("", "") && d.barred() {
		c.flag(State, c.toks[i].span, "nothing was opened in this turn")
	}
}

// people flags those who act and are not there, are dead, or whom nobody knows.
func (c *checker) people() {
	for i := range c.toks {
		t := &c.toks[i]
		for _, n := range t.names {
			if n.kind != world.ActorKind || n.at != i || c.owns(i+n.n-1) && !c.limb(i+n.n) {
				continue
			}
			a := c.d.After.Actor(n.id)
			switch {
			case a == nil:
			case c.d.seen[n.id] && c.d.moved(c.d.heroID(), "") && !c.d.moved(n.id, "") && a.Place != c.d.here() && c.near(i, cFollow) && !c.withdrawn(i):
				c.flag(Move, c.between(i, i+n.n-1), "this one has not come along")
			case !c.d.seen[n.id] && c.present(i, n):
				c.flag(Person, c.between(i, i+n.n-1), "this one is not here")
			case dead(a) && c.d.falls[n.id] == "" && (c.acts(i+n.n, false) || i > 0 && t.stop == 0 && c.toks[i-1].class&cAppear != 0 && c.spoken(i-1)):
				c.flag(Person, c.between(i, i+n.n-1), "the dead do nothing")
			}
		}
		c.unknown(i)
	}
}

// limb reports whether the words from i on are a part or a sign of somebody that says that they are there: a voice, a hand.
func (c *checker) limb(i int) bool {
	return slices.ContainsFunc(c.toks[min(i, len(c.toks)):min(i+4, len(c.toks))], func(t token) bool { return t.class&cPart != 0 && t.stop == 0 })
}

// present reports whether somebody who is named at i is said to be there.
func (c *checker) present(i int, n name) bool {
	if c.withdrawn(i) || c.relative(i) || c.lang == "zh" && i > 0 && c.toks[i].stop == 0 && c.toks[i-1].class&cPrep != 0 && !strings.Contains("和与跟", c.toks[i-1].word) {
		return false
	}
	if i > 0 && c.toks[i].stop == 0 && c.toks[i-1].class&cPerson != 0 && c.lang != "zh" {
		return false
	}
	if n.bent { // "you see Marta"
		return slices.ContainsFunc(c.toks[c.start(i, false):i], func(t token) bool { return t.class&cFind != 0 })
	}
	listed := 0 // "Tam, Berta, Marta: the names"
	for j := max(0, i-4); j < min(i+n.n+4, len(c.toks)); j++ {
		for _, o := range c.toks[j].names {
			if o.kind == world.ActorKind && o.at == j && o.id != n.id && !c.d.seen[o.id] {
				listed++
			}
		}
	}
	return listed == 0 || c.acts(i+n.n, true)
}

// relative reports whether a name at i stands in words that only say which thing is meant: "the fire Ilse gave you".
func (c *checker) relative(i int) bool {
	switch c.lang {
	case "zh":
		for j := i + 1; j < min(i+5, c.end(i, false)); j++ {
			if c.toks[j].word == "的" && c.toks[j-1].class&(cPron|cYou) == 0 {
				return true
			}
		}
		return false
	case "ru":
		return slices.ContainsFunc(c.toks[c.start(i, false):i], func(t token) bool { return t.class&cWhich != 0 })
	}
	return i > 1 && c.toks[i].stop == 0 && c.toks[i-1].class&(cGrammar|cVerb|cTitle) == 0 && !c.toks[i-1].large && !strings.HasSuffix(c.toks[i-1].word, "ly")
}

// withdrawn reports whether the sentence before i, or its clause, says that what it tells is not so here and now.
func (c *checker) withdrawn(i int) bool {
	if c.cancelled(i) {
		return true
	}
	for j := i; j < c.end(i, false) && j-i < 12; j++ {
		if c.toks[j].class&(cMay|cNot) != 0 && j-i < 6 || c.toks[j].class&cPast != 0 && (c.toks[j].phrase == 0 && j-i < 4) {
			return true
		}
		if ids := c.named(j, world.PlaceKind); len(ids) > 0 && !slices.ContainsFunc(ids, c.d.at) {
			return true
		}
	}
	for j := c.start(i, true); j < i; j++ {
		if c.toks[j].class&cPast != 0 {
			return true
		}
	}
	return false
}

// acts reports whether somebody whose name ends before i does something there, lying aside.
func (c *checker) acts(i int, lying bool) bool {
	for j := i; j < len(c.toks) && j-i < 7; j++ {
		s := c.toks[j].stop
		if ends(s) || s == ':' {
			return false
		}
		if s == ',' && j == i && lying { // "Marta, flour to the elbow, gives"
			if e := c.end(j, false); e < len(c.toks) && c.toks[e].stop == ',' {
				return c.acts(e, true)
			}
		}
		k := c.toks[j].class
		if !lying && (k&(cLie|cDie|cDead|cNot|cMay|cPast|cYou|cIt) != 0 || len(c.toks[j].names) > 0) {
			return false
		}
		if k&(cAppear|cVerb) != 0 && (lying || k&cLie == 0) {
			return true
		}
		if k&(cAux) != 0 && lying && j == i {
			return true
		}
		if k&(cConj|cPrep) != 0 && c.lang != "zh" {
			return false
		}
	}
	return false
}

// unknown flags somebody whom nobody knows: by a title and a name, or as a stranger who does something.
func (c *checker) unknown(i int) {
	t := &c.toks[i]
	if t.large && len(t.names) == 0 && t.class == 0 && c.stranger(i) {
		c.flag(Person, t.span, "nobody knows this one")
		return
	}
	if len(t.names) > 0 || t.class&(cTitle|cPeople) == 0 || c.withdrawn(i) || i > 0 && t.stop == 0 && c.toks[i-1].class&cPerson != 0 {
		return
	}
	if c.lang == "zh" {
		from := i
		for from > c.start(i, false) && c.toks[from-1].class == 0 && len(c.toks[from-1].names) == 0 {
			from--
		}
		if t.class&cTitle != 0 && from < i && i-from < 5 &&
			c.acts(i+1, false) && !c.knows(c.draft.open[c.toks[from].at:t.end]) || t.class&cPeople != 0 && c.acts(i+1, false) && !c.knows(t.word) && !c.alone() {
			c.flag(Person, c.between(from, i), "nobody knows this one")
		}
		return
	}
	if t.class&cTitle != 0 && i+1 < len(c.toks) && len(c.toks[i+1].names) == 0 && c.toks[i+1].large && (c.toks[i+1].stop == 0 || c.toks[i+1].stop == '.') {
		if !c.knows(c.toks[i+1].word) && !strings.Contains(" old young little big ", " "+t.word+" ") && (c.acts(i+2, false) || i > 0 && t.stop == 0 && c.toks[i-1].class&cAppear != 0) {
			c.flag(Person, c.between(i, i+1), "nobody knows this one")
		}
		return
	}
	if t.class&cPeople != 0 && c.acts(i+1, false) && !c.knows(t.word) && !c.alone() {
		for j := max(c.start(i, false), i-3); j <= i; j++ {
			if w := c.toks[j].word; w == "a" || w == "an" || w == "another" || w == "some" || w == "somebody" || w == "someone" || c.lang == "ru" {
				c.flag(Person, t.span, "nobody knows this one")
				return
			}
		}
	}
}

// stranger reports whether the word with a capital at i is the name of somebody whom nobody knows, and who does something.
func (c *checker) stranger(i int) bool {
	if c.knows(c.toks[i].word) || c.withdrawn(i) {
		return false
	}
	if c.toks[i].stop == 0 && i > 0 && c.toks[i-1].class&cAppear != 0 && c.spoken(i-1) {
		return true // "Come," whispers Elias
	}
	return i+1 < len(c.toks) && c.toks[i+1].stop == 0 && c.toks[i+1].class&cAppear != 0 && (c.toks[i].stop == 0 || c.toks[i].stop == ',' || c.toks[i].stop == '"') &&
		(c.toks[i].stop != 0 || c.toks[i-1].class&(cDet|cPrep|cYour) == 0 && (c.lang != "ru" || c.toks[i-1].class&(cConj|cAux|cAppear) != 0))
}

// spoken reports whether speech ends before the word at i.
func (c *checker) spoken(i int) bool {
	return slices.ContainsFunc(c.draft.quotes, func(q span) bool {
		return q.end <= c.toks[i].at && !strings.ContainsFunc(c.draft.text[q.end:c.toks[i].at], lettered)
	})
}

// alone reports whether the one who is told of may be meant by any word for a person: there is somebody.
func (c *checker) alone() bool {
	for id := range c.d.seen {
		if a := c.d.After.Actor(id); a != nil && id != c.d.heroID() {
			return true
		}
	}
	return false
}
