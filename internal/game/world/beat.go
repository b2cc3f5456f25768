package world

import "strings"

// Beat is what the author of a tale has written for a moment of it, or for something that a place's text mentions. A world gets its
// beats when it is made, and they never change.
type Beat struct {
	// ID is OWNER.NAME: the id of a place, an actor, an object, a quest or a clock, and the moment, such as obj_box.open or
	// npc_ann.given.obj_pear. What a moment of the story as a whole is has no owner.
	ID    string
	Keys  []string // of scenery: the words that name it
	Texts []string // one of them is told
}

// Kind implements [Record].
func (*Beat) Kind() Kind { return BeatKind }

// Key implements [Record].
func (b *Beat) Key() string { return b.ID }

func (b *Beat) rank() (order int64, id string) { return 0, b.ID }

// Scenery returns the beats that say what a place's text mentions, in the order of their ids.
func (w *World) Scenery(place string) (list []*Beat) {
	for _, b := range w.Beats() {
		if owner, _, _ := strings.Cut(b.ID, "."); owner == place && len(b.Keys) > 0 {
			list = append(list, b)
		}
	}
	return list
}

// TextOf returns one of the texts of the first beat that there is of some ids, "" where there is none. start says with which text to begin;
// one that stands in what was told lately is passed over, unless all do.
func (w *World) TextOf(start int, lately []string, ids ...string) string {
	for _, id := range ids {
		if b := w.Beat(id); b != nil && len(b.Texts) > 0 {
			return Fresh(b.Texts, start, lately)
		}
	}
	return ""
}

// Fresh returns one of some texts, as [World.TextOf] does.
func Fresh(texts []string, start int, lately []string) string {
	at := start % len(texts)
	for i := range texts {
		text := texts[(at+i)%len(texts)]
		told := false
		for _, words := range lately {
			told = told || strings.Contains(words, text)
		}
		if !told {
			return text
		}
	}
	return texts[at]
}
