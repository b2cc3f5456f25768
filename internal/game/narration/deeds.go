package narration

import (
	"strings"

	"hob/internal/game/world"
)

// going holds that somebody went somewhere.
func (c *checker) going(k *clause, i int, cl class, w who) {
	for j := i + 1; j < k.hi && w.sort != player; j++ { // "a stair brings you to the crypt"
		if c.lex.of(c.toks[j].word)&cYou != 0 && c.lex.of(c.toks[i].word)&cWalk != 0 && (j == i+1 || j == i+2) {
			w = who{sort: player}
		}
	}
	if c.lang == "ru" && w.sort == other {
		for j := k.lo; j < k.hi; j++ {
			if c.toks[j].word == "вас" || c.toks[j].word == "тебя" {
				w = who{sort: player}
			}
		}
	}
	if w.sort != player && w.sort != actor {
		return
	}
	if w.sort == player && c.course().stopped {
		for j := i + 1; j < k.hi && j < i+4; j++ {
			if c.told[j]&tBelow != 0 && (c.toks[j].word != "down" || c.next(j, "into", "the", "to")) {
				c.flag(Move, span{c.toks[i].at, c.toks[j].end}, "the way was barred in this turn")
				return
			}
		}
	}
	ids, at, named := c.goal(k, i, cl)
	moved := c.any(w, func(id string) bool { return c.went(id, ids) })
	anywhere := c.any(w, func(id string) bool { return c.d.moved(id, "") })
	switch {
	case w.sort == actor && !anywhere && c.parting(k, i) && !anyOf(w.ids, c.gone):
		c.flag(Move, c.toks[i].span, "nobody left in this turn")
	case named && !moved && anywhere && w.sort == player:
		c.flag(Place, at, "the way of this turn led somewhere else")
	case named && !moved:
		c.flag(Move, at, "nobody went there in this turn")
	case anywhere:
	case w.sort == actor && at.end == 0 && !anyOf(w.ids, c.gone):
		if at, ok := c.astray(k, i, cl); ok {
			c.flag(Move, at, "nobody went anywhere in this turn")
		}
	case !named && at.end > 0:
		c.flag(Move, at, "nobody went anywhere in this turn")
	case w.sort == player:
		if at, ok := c.astray(k, i, cl); ok {
			c.flag(Move, at, "nobody went anywhere in this turn")
		}
	}
}

// gone reports whether somebody is not where the story is, or dead: what they do is judged elsewhere.
func (c *checker) gone(id string) bool {
	a := c.d.After.Actor(id)
	return a == nil || c.absent(a) || dead(a)
}

// goal finds where somebody went: places by their names, or only that it is somewhere else.
func (c *checker) goal(k *clause, i int, cl class) (ids []string, at span, named bool) {
	arrives := cl&cGo != 0
	for j := i + 1; j < k.hi; j++ {
		word := c.lex.of(c.toks[j].word)
		if word&cToward != 0 && word&cArrive == 0 {
			return nil, span{}, false
		}
		arrives = arrives || word&cArrive != 0
		if list, ok := c.mentionAt(j); ok {
			for _, f := range list {
				if f.kind == world.PlaceKind {
					ids = append(ids, f.id)
				}
			}
			if ids != nil && arrives {
				return ids, span{c.toks[i].at, c.toks[j+list[0].n-1].end}, true
			}
			if things(list) != nil && cl&cGo == 0 {
				return nil, span{}, false
			}
		}
		if word&cClaim != 0 && word&(cNoun|cBody|cArrive) == 0 && c.lang == "ru" {
			break
		}
	}
	if c.toks[k.hi].stop == ':' {
		if list, ok := c.mentionAt(k.hi); ok && list[0].kind == world.PlaceKind { // "you come to another place: the crypt"
			for _, f := range list {
				ids = append(ids, f.id)
			}
			return ids, span{c.toks[i].at, list[0].end}, true
		}
	}
	if at, ok := c.away(k, i, cl); ok {
		return nil, at, false
	}
	return nil, span{}, false
}

// away reports whether somebody goes through a door or leaves a room that has no name here.
func (c *checker) away(k *clause, i int, cl class) (span, bool) {
	through := cl&cGo != 0
	for j := i + 1; j < k.hi && j < i+6; j++ {
		w := c.toks[j].word
		word := c.lex.of(w)
		switch {
		case w == "through" || w == "into" || w == "сквозь" || w == "через" || w == "out" && c.next(j, "of"):
			through = true
		case w == "of" || w == "the" || word&(cDet|cAdverb|cYours) != 0:
		case word&cOutward != 0 && through:
			return span{c.toks[i].at, c.toks[j].end}, true
		case c.lang == "ru" && (w == "в" || w == "из" || w == "во"):
			through = true
		case word&(cPrep|cGoods|cVague|cYou|cPron) != 0:
			return span{}, false
		}
	}
	return span{}, false
}

// dying holds that somebody died or was killed.
func (c *checker) dying(k *clause, i int, cl class, w who) {
	if i+1 < k.hi && c.toks[i+1].stop == 0 {
		switch c.toks[i+1].word {
		case "down", "away", "out":
			return // the wind dies down
		}
	}
	at := c.toks[i].span
	if cl&cKill != 0 {
		target := c.target(k, i)
		if target.sort == nobody && (i > k.lo && c.lex.of(c.toks[i-1].word)&cBe != 0) {
			target = w
		}
		w = target
	}
	switch w.sort {
	case nobody:
		if cl&cKill == 0 || c.lang == "en" {
			return
		}
	case other:
		if cl&cDie == 0 || !c.creature(k, i) {
			return
		}
		w = who{sort: pronoun}
	}
	if ids := c.lately(c.sentenceBefore(k.first), i); w.sort == pronoun && ids != nil {
		w = who{sort: actor, ids: ids} // "it" is one of those who were named
	}
	if !c.any(w, c.down) {
		c.flag(Death, at, "nobody died like this in this turn")
	}
}

// sentenceBefore returns where the sentence before the one at i begins.
func (c *checker) sentenceBefore(i int) int {
	for i--; i > 0 && c.toks[i].stop != '.' && c.toks[i].stop != '!' && c.toks[i].stop != '?'; i-- {
	}
	return max(i, 0)
}

// creature reports whether a word for somebody stands before word i.
func (c *checker) creature(k *clause, i int) bool {
	for j := k.lo; j < i; j++ {
		if c.lex.of(c.toks[j].word)&(cCreature|cPeople) != 0 {
			return true
		}
	}
	return false
}

// target finds who is hit by the verb at i: words behind it, in Russian also before it.
func (c *checker) target(k *clause, i int) who {
	for j := i + 1; j < k.hi; j++ {
		w := c.toks[j].word
		cl := c.lex.of(w)
		if list, ok := c.mentionAt(j); ok {
			if ids := persons(list); ids != nil {
				return who{sort: actor, ids: ids}
			}
		}
		switch {
		case w == "at" || w == "with" || w == "мимо":
			return who{}
		case cl&(cYou|cYours) != 0 && w != "вы" && w != "ты":
			return who{sort: player}
		case cl&cPron != 0 && (w != "his" && w != "its" || j == i+1):
			return who{sort: pronoun}
		case cl&cCreature != 0:
			return who{sort: pronoun}
		case cl&cClaim != 0 && cl&cNoun == 0 && c.lang == "en":
			return who{}
		}
	}
	if c.lang != "ru" {
		return who{}
	}
	for j := i - 1; j >= k.lo; j-- {
		switch c.toks[j].word {
		case "вас", "вам", "тебя", "тебе":
			return who{sort: player}
		case "его", "ее", "их", "ей", "ему":
			return who{sort: pronoun}
		}
	}
	return who{}
}

// harming holds that somebody was hurt by something.
func (c *checker) harming(k *clause, i int, cl class, w who) {
	target := c.target(k, i)
	if strings.HasPrefix(c.toks[i].word, "burn") && !c.limb(k, i) &&
		(i+1 >= k.hi || c.lex.of(c.toks[i+1].word)&(cYou|cYours|cPron) == 0) {
		return // a lamp burns
	}
	passive := i > k.lo && c.lang == "en" && c.lex.of(c.toks[i-1].word)&cBe != 0
	if strings.HasPrefix(c.toks[i].word, "получа") {
		target = w
	}
	if passive && target.sort == nobody {
		target = w
	}
	if target.sort == nobody || target.sort == other {
		return
	}
	if cl&cWound == 0 { // who strikes must be somebody, or something of theirs
		body := w.sort == other && (len(w.ids) > 0 || c.armed(k, i))
		if w.sort != player && w.sort != actor && !body && !c.limb(k, i) || target.sort == player && w.sort != actor && !c.limb(k, i) {
			return
		}
		if !c.any(target, c.struck) {
			c.flag(HP, c.toks[i].span, "no such blow was struck in this turn")
		}
		return
	}
	if !c.any(target, c.harmed) {
		c.flag(HP, c.toks[i].span, "nobody was hurt like this in this turn")
	}
}

// armed reports whether a fist, a blade or the like stands before word i.
func (c *checker) armed(k *clause, i int) bool {
	for j := k.lo; j < i; j++ {
		if c.lex.of(c.toks[j].word)&cBody != 0 {
			return true
		}
	}
	return false
}

// limb reports whether what is struck is a part of somebody's body.
func (c *checker) limb(k *clause, i int) bool {
	for j := i + 1; j < k.hi && j < i+5; j++ {
		switch c.toks[j].stem {
		case "arm", "leg", "shoulder", "chest", "head", "hand", "thigh", "ribs", "rib", "back", "face", "foot", "calf", "neck",
			"рук", "ног", "плеч", "груд", "голов", "лиц", "спин", "бедр", "шею", "ше":
			return true
		}
	}
	return false
}

// healing holds that somebody got better.
func (c *checker) healing(k *clause, i int) {
	for j := k.lo; j < k.hi; j++ {
		cl := c.lex.of(c.toks[j].word)
		if (cl&(cHPWord|cHarmWord) != 0 || strings.HasPrefix(c.toks[j].word, "wound") || j == i+1 && cl&cYou != 0) && !c.healed("") {
			c.flag(HP, c.toks[i].span, "nobody was healed in this turn")
			return
		}
	}
}
