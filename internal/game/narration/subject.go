package narration

import (
	"strings"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// who is of whom a verb is said.
type who struct {
	id    string // of an actor, "" is nobody who is known
	other bool   // somebody or something else
	mild  bool   // what hurts nobody: wind, words, light
	your  bool   // something of the hero's
	vague bool   // a pronoun stands for it
	far   bool   // other words that may be meant stand nearer, behind a colon
}

// subject returns of whom the verb at i is said: who is named, or stood for, last before it in its sentence.
func (c *checker) subject(i int) who {
	between, crossed, before := 0, false, 0 // words that are nothing to the verb; whether a mark or "and" stands behind them
	for j := i - 1; j >= 0 && !ends(c.toks[j+1].stop); j-- {
		t := &c.toks[j]
		if c.toks[j+1].stop != 0 || t.class&cConj != 0 {
			if between > 0 && !crossed && c.lang == "en" {
				return who{other: true} // "and a rack holds"
			}
			if before += between; before > 0 && c.lang == "ru" && c.toks[j+1].stop == ':' {
				s := c.subject(j + 1)
				s.far = true // "Восс молчит: лента щёлкает и убегает"
				return s
			}
			between, crossed = 0, true
		}
		switch named := len(t.names) > 0; {
		case c.governed(j) || c.lang == "ru" && c.relative(j):
		case t.class&cYou != 0:
			return who{id: c.d.HeroID()}
		case named && t.names[0].kind == world.ActorKind:
			if !t.names[0].bent {
				return who{id: t.names[0].id}
			}
		case t.class&cPron != 0:
			return c.last(j)
		case (t.word == "它" || t.word == "it") && (t.stop != 0 || c.toks[max(0, j-1)].class&cConj != 0) && !c.owns(j):
			return c.last(j)
		case !crossed && (t.class&cMild != 0 || c.lang == "ru" && j == i-1 && t.class&cGoods != 0):
			return who{other: true, mild: true}
		case !crossed && named && t.names[0].kind == world.ThingKind:
			return who{other: true}
		case t.class&cYour != 0 && between == 1 && (c.lang == "en" || c.lang == "zh" && (t.stop != 0 || c.toks[max(0, j-1)].class&cConj != 0)):
			return who{id: c.d.HeroID(), your: true}
		case (t.class&(cVerb|cGrammar) == 0 || c.noun(j)) && !spelling.HasEnd(t.word, "ly", "ing"):
			between++
		}
	}
	if c.lang == "ru" && spelling.HasEnd(c.toks[i].word, "ете", "ите", "етесь", "итесь") {
		return who{id: c.d.HeroID()}
	}
	return who{other: between > 0 && c.lang != "zh" && (!crossed || c.lang == "en" && !has(c.toks[c.start(i, true):i], cYou))}
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
	const verbs = cTake | cGive | cHurt | cStrike | cKill | cFind
	return p.class&cPrep != 0 || c.lang == "zh" && (c.toks[j-1].word == "着" || spelling.HasEnd(p.word, "在", "到", "向", "朝", "给")) || c.lang != "ru" && p.class&verbs != 0 && !c.noun(k)
}

// owns reports whether a name at j only says whose something is.
func (c *checker) owns(j int) bool {
	if c.lang == "zh" {
		return c.toks[j+1].stop == 0 && strings.HasPrefix(c.toks[j+1].word, "的")
	}
	return spelling.HasEnd(c.toks[j].word, "'s", "s'")
}

// last returns who was named last before j.
func (c *checker) last(j int) who {
	for j--; j >= 0; j-- {
		for _, n := range c.toks[j].names {
			if n.kind == world.ActorKind && n.id != c.d.HeroID() {
				return who{id: n.id, vague: true}
			}
		}
	}
	return who{other: true}
}

// toYou reports whether a Chinese word at i has "you" in it: 咬住你.
func (c *checker) toYou(i int) bool { return c.lang == "zh" && strings.Contains(c.toks[i].word, "你") }

// persons returns who is named in the clause that i is in, or stood for in it: those behind i first, and its subject last.
func (c *checker) persons(i int, s who) (ids []string) {
	add := func(from, to int, of class) {
		for j := from; j < to && !(j > i && c.lang == "en" && c.toks[j].word == "as"); j++ {
			t := &c.toks[j]
			if t.class&of != 0 {
				ids = append(ids, c.d.HeroID())
			}
			if j > i || !c.owns(j) {
				ids = append(ids, c.named(j, world.ActorKind)...)
			}
			if w := c.last(j); t.class&cPron != 0 && w.id != "" {
				ids = append(ids, w.id)
			}
		}
	}
	behind, before := cYou|cYour, cYou|cYour
	if c.lang == "ru" {
		behind, before = cYour, 0
	}
	if c.toYou(i) {
		ids = append(ids, c.d.HeroID())
	}
	if add(i+1, min(i+reach, c.end(i, false)), behind); len(ids) == 0 && s.id != "" {
		ids = append(ids, s.id)
	}
	add(max(i-reach, c.start(i, false)), i, before)
	return ids
}
