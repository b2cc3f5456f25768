package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// Rest returns, in the engine's words, what a narration leaves out of the turn: a goal that was met, what was given, a death; with all
// of them everything else that matters, for a narration that was broken off. It is "" where nothing is left out.
func (t Turn) Rest(told string, all bool) string {
	f := t.digest().gather(plainly)
	c := newChecker(f.digest)
	list := slices.DeleteFunc(f.clean(), func(s sentence) bool {
		needed := slices.Contains([]string{"quest", "give", "get"}, s.kind()) || s.isFall()
		return !needed && !all || c.tells(told, s)
	})
	var rest []string
	for _, s := range weighed(list) {
		if s.beat == "" || s.loose { // else where the tale has words for it, those
			s.beat = s.text
		}
		rest = append(rest, s.beat)
	}
	return f.words.join(rest)
}

// tells reports whether a narration tells a fact: it has the fact's own words, or it names all that the fact names (for a death: and has
// a word for that; for a gift: the object), or else most of the words of the fact.
func (c *checker) tells(told string, s sentence) bool {
	if strings.Contains(told, s.text) || s.beat != "" && strings.Contains(told, s.beat) {
		return true
	}
	c.read(s.text)
	need := c.things()
	c.read(told)
	has, deadly := c.things(), slices.ContainsFunc(c.toks, func(t token) bool { return t.class&(cDie|cKill|cDead) != 0 })
	switch kind := s.kind(); {
	case s.isFall():
		return deadly
	case kind != "quest" && kind != "time" && len(need) > 0:
		return !slices.ContainsFunc(need, func(id string) bool { return !slices.Contains(has, id) })
	}
	words, hits := c.pieces(s.text), 0
	said := c.pieces(told)
	for w := range words {
		if said[w] {
			hits++
		}
	}
	return 2*hits >= len(words)
}

// things returns what the text that was read last names, but for people and the hero.
func (c *checker) things() (ids []string) {
	for _, t := range c.toks {
		for _, n := range t.names {
			if n.kind != world.ActorKind {
				ids = append(ids, n.id)
			}
		}
	}
	return ids
}
