package narration

import (
	"slices"
	"unicode/utf8"

	"hob/internal/game/world"
)

// elsewhere flags words about another place than those where the story is: of those that stand in the texts of that place only, and
// nowhere else in the world, several are in one sentence.
func (c *checker) elsewhere() {
	if c.owner == nil {
		c.owner = c.placeWords()
	}
	most, hits := 2, map[string][]int{}
	if c.lang == "zh" {
		most = 3
	}
	for i := range c.toks {
		piece := c.toks[i].stem
		if ends(c.toks[i].stop) {
			clear(hits)
		}
		if c.lang == "zh" && i+1 < len(c.toks) {
			piece = firstRunes(c.draft.open[c.toks[i].at:], 2)
		}
		id, t := c.owner[piece], &c.toks[i]
		if id == "" || t.class&^(cGoods|cSpot|cDoor|cPeople|cStash) != 0 && c.lang != "zh" || c.cancelled(i) || has(c.toks[c.start(i, true):i], cMay|cPast) || slices.ContainsFunc(hits[id], func(j int) bool { return c.toks[j].stem == t.stem }) {
			continue
		}
		there := func(t token) bool { return slices.ContainsFunc(t.names, func(n name) bool { return n.id == id }) }
		if slices.ContainsFunc(c.toks[c.start(i, true):c.end(i, true)], there) {
			continue // what is said to be there is not said to be here
		}
		if hits[id] = append(hits[id], i); len(hits[id]) >= most {
			c.flag(Move, c.between(hits[id][0], i), "this is at another place")
		}
	}
}

func firstRunes(s string, n int) string {
	at := 0
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at]
}

// placeWords returns the words that stand in the texts of one place only, by it; not those of the places where the story is.
func (c *checker) placeWords() map[string]string {
	owner := map[string]string{}
	put := func(place string, texts ...string) {
		for _, text := range texts {
			for piece := range c.pieces(text) {
				if was, ok := owner[piece]; ok && was != place {
					owner[piece] = ""
				} else {
					owner[piece] = place
				}
			}
		}
	}
	w, opened := c.d.After, c.d.unlocked()
	for _, p := range w.Places() {
		id := p.ID
		if slices.Contains(c.d.places, id) || slices.Contains(opened, id) {
			id = ""
		}
		put(id, p.Desc, p.Situation)
		put("", p.Name)
	}
	for _, t := range w.Things() {
		kind, id := w.Holder(t.ID)
		if kind != world.PlaceKind || c.d.seen[t.ID] || !t.Fixed {
			id = ""
		}
		put(id, t.Name, t.Desc)
	}
	for _, a := range w.Actors() {
		put("", a.Name, a.Desc, a.Wants, a.Secret)
		for _, t := range a.Talk {
			put("", t.Text)
		}
	}
	for _, f := range w.Facts() {
		put("", f.Text)
	}
	for _, l := range w.LoreList() {
		put("", l.Text)
	}
	for _, l := range c.d.Says {
		put("", l.Text)
	}
	return owner
}
