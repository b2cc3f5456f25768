package narration

import (
	"slices"
	"strings"

	"hob/internal/game/account"
	"hob/internal/game/world"
)

// Rest returns, in the engine's words, what a narration leaves out of the turn: see [account.Digest.Rest].
func Rest(t account.Turn, told string, all bool) string {
	c := newChecker(t.Digest())
	return c.d.Rest(all, func(s account.Sentence) bool { return c.tells(told, s) })
}

// tells reports whether a narration tells a fact: it has the fact's own words, or it names all that the fact names (for a death: and has
// a word for that; for a gift: the object), or else most of the words of the fact.
func (c *checker) tells(told string, s account.Sentence) bool {
	if strings.Contains(told, s.Text) || s.Beat != "" && strings.Contains(told, s.Beat) {
		return true
	}
	c.read(s.Text)
	need := c.things()
	c.read(told)
	has, deadly := c.things(), slices.ContainsFunc(c.toks, func(t token) bool { return t.class&(cDie|cKill|cDead) != 0 })
	switch kind := s.Kind(); {
	case s.IsFall():
		return deadly
	case kind != "quest" && kind != "time" && len(need) > 0:
		return !slices.ContainsFunc(need, func(id string) bool { return !slices.Contains(has, id) })
	}
	words, hits := c.d.Pieces(s.Text), 0
	said := c.d.Pieces(told)
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
