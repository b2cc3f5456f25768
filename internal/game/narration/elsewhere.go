package narration

import "strings"

// elsewhere flags a draft that has the words of a place or of somebody out of sight: who tells of planks, a flat boat and its chain
// is at the landing, whatever verb says so.
func (c *checker) elsewhere() {
	w, d := c.d.After, c.d
	if len(d.places) == 0 {
		return
	}
	fewest, often := 3, 2 // so many words are no accident; in so many texts a word is a sign
	if c.lang == "zh" {
		fewest, often = 4, 1
	}
	var near strings.Builder
	type signs struct {
		kind   string
		pieces map[string]bool
	}
	var far []signs
	texts := map[string]int{}
	add := func(kind, name, text string, seen bool) {
		near.WriteString(name + "\n")
		if seen {
			near.WriteString(text + "\n")
			return
		}
		pieces := c.pieces(text)
		for piece := range pieces {
			texts[piece]++
		}
		far = append(far, signs{kind, pieces})
	}
	for _, p := range w.Places() {
		add(Move, p.Name, p.Desc+" "+p.Situation, d.at(p.ID))
	}
	for _, a := range w.Actors() {
		add(Person, a.Name, a.Desc, d.seen[a.ID])
		for i := 0; d.seen[a.ID] && i < len(a.Talk); i++ {
			near.WriteString(a.Talk[i].Text + "\n")
		}
	}
	for _, t := range w.Things() {
		if _, at := w.Holder(t.ID); d.seen[t.ID] || d.at(at) {
			near.WriteString(t.Name + " " + t.Desc + "\n")
		}
	}
	for _, l := range d.Says {
		near.WriteString(l.Text + "\n")
	}
	near.WriteString(strings.Join(d.Recent[:min(1, len(d.Recent))], ""))
	here, told := c.pieces(near.String()), c.pieces(c.draft.open)
	for _, f := range far {
		n := 0
		for piece := range f.pieces {
			if told[piece] && !here[piece] && texts[piece] <= often {
				n++
			}
		}
		if n >= fewest {
			c.flag(f.kind, span{0, min(len(c.draft.text), 80)}, "this is elsewhere")
			return
		}
	}
}
