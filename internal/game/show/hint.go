package show

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// How many of what hints name.
const (
	mostTopics = 4 // of somebody
	mostHints  = 4 // people, and places
)

// Hints returns what is still to be done, in a few lines, for whoever does not know what next: what quests still ask for, who of
// those whom the party has spoken with has more to say, and which ways nobody has gone yet. Nothing is in it that the party was not
// told or did not see. actor "" is the active one.
func Hints(w *world.World, lang, actor string) string {
	t := speak(lang)
	var lines []string
	for _, q := range w.Quests() {
		if q.State != world.Active {
			continue
		}
		for _, o := range q.Objectives {
			if !slices.Contains(q.Met, o) {
				lines = append(lines, "○ "+clean(o, mostItem))
			}
		}
	}
	if len(lines) > 0 {
		lines = slices.Insert(lines, 0, t.say("hint.todo"))
	}
	if more := t.more(w); len(more) > 0 {
		lines = append(append(lines, t.say("hint.ask")), more...)
	}
	if ways := t.unseen(w, actor); len(ways) > 0 {
		lines = append(lines, t.say("hint.ways", t.list(ways)))
	}
	if len(lines) == 0 {
		return t.say("hint.none")
	}
	return strings.Join(lines, "\n")
}

// more returns who has more to say, with what they can be asked about.
func (t tongue) more(w *world.World) (lines []string) {
	for _, a := range w.Actors() {
		place := w.Place(a.Place)
		met := slices.ContainsFunc(a.Talk, func(t world.Talk) bool { return t.Said })
		if !met || place == nil || !place.Visited || !rules.CanAct(a) || len(lines) == mostHints {
			continue
		}
		var topics, heard []string
		for _, i := range w.Open(a) {
			talk := a.Talk[i]
			if talk.Topic == "" || slices.Contains(heard, talk.Topic) {
				continue // of several on one topic the first is what is said
			}
			heard = append(heard, talk.Topic)
			if !talk.Said && len(talk.Keys) > 0 && len(topics) < mostTopics {
				topics = append(topics, clean(talk.Topic, mostName))
			}
		}
		if len(topics) > 0 {
			lines = append(lines, "• "+t.say("hint.of", named(a.Name, a.ID), named(place.Name, place.ID), t.list(topics)))
		}
	}
	return lines
}

// unseen returns the places to which a way leads from one where the party was, and where it never was: those beside the actor first.
func (t tongue) unseen(w *world.World, actor string) (names []string) {
	from, a := w.Places(), eyes(w, actor)
	if a != nil && w.Place(a.Place) != nil {
		from = slices.Insert(slices.Clone(from), 0, w.Place(a.Place))
	}
	for _, p := range from {
		if !p.Visited && (a == nil || p.ID != a.Place) {
			continue
		}
		for _, l := range story.From(w, p, "").Exits {
			to := w.Place(l.To)
			name := named(to.Name, to.ID)
			if l.Door == world.LockedDoor {
				name = t.noted(name, t.say("door.locked"))
			}
			if !to.Visited && !to.Overland && !slices.Contains(names, name) && len(names) < mostHints {
				names = append(names, name)
			}
		}
	}
	for _, z := range rules.Zones(w, a) {
		if name := named(z.Name, z.ID); !z.Visited && !slices.Contains(names, name) && len(names) < mostHints {
			names = append(names, name)
		}
	}
	return names
}
