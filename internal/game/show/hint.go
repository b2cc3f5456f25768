package show

import (
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// The bounds of hints.
const (
	mostTopics = 4 // of somebody
	mostHints  = 4 // people, and places
)

// Hints lists in a few lines what is left to do: open objectives, people whom the party knows and
// who have more to say, and ways that nobody has gone. It has only what the party was told or has
// seen. actor "" is the active one.
func Hints(w *world.World, lang, actor string) string {
	t := languageOf(lang)
	var lines []string
	for _, q := range w.Quests() {
		if q.State != world.Active {
			continue
		}
		for _, o := range q.Objectives {
			if !slices.Contains(q.Met, o) {
				lines = append(lines, "○ "+display.Name(o, mostItem))
			}
		}
	}
	if len(lines) > 0 {
		lines = slices.Insert(lines, 0, t.Text("hint.todo"))
	}
	if more := t.openTopics(w); len(more) > 0 {
		lines = append(append(lines, t.Text("hint.ask")), more...)
	}
	lines = append(lines, lists.NonEmpty(t.sayList("hint.ways", t.unseenPlaces(w, actor)))...)
	if len(lines) == 0 {
		return t.Text("hint.none")
	}
	return strings.Join(lines, "\n")
}

// openTopics returns a line for each person who has more to say, with their topics.
func (t language) openTopics(w *world.World) (lines []string) {
	for _, a := range w.Actors() {
		place := w.Place(a.Place)
		met := slices.ContainsFunc(a.Talk, func(t world.Talk) bool { return t.Said })
		if !met || place == nil || !place.Visited || !rules.CanAct(a) || len(lines) == mostHints {
			continue
		}
		var topics, heard []string
		for _, i := range w.OpenTalk(a) {
			talk := a.Talk[i]
			if talk.Topic == "" || slices.Contains(heard, talk.Topic) {
				continue // of several on one topic the first is what is said
			}
			heard = append(heard, talk.Topic)
			if !talk.Said && len(talk.Keys) > 0 && len(topics) < mostTopics {
				topics = append(topics, display.Name(talk.Topic, mostName))
			}
		}
		if len(topics) > 0 {
			lines = append(lines, "• "+t.Text("hint.of", displayName(a.Name, a.ID), displayName(place.Name, place.ID), t.list(topics)))
		}
	}
	return lines
}

// unseenPlaces returns the unvisited places next to visited ones: those beside the actor first.
func (t language) unseenPlaces(w *world.World, actor string) (names []string) {
	from, a := w.Places(), rules.Viewpoint(w, actor)
	if a != nil && w.Place(a.Place) != nil {
		from = slices.Insert(slices.Clone(from), 0, w.Place(a.Place))
	}
	for _, p := range from {
		if !p.Visited && (a == nil || p.ID != a.Place) {
			continue
		}
		for _, l := range story.SightFrom(w, p, "").Exits {
			to := w.Place(l.To)
			name := displayName(to.Name, to.ID)
			if l.Door == world.LockedDoor {
				name = t.withNotes(name, t.Text("door.locked"))
			}
			if !to.Visited && !to.Overland && !slices.Contains(names, name) && len(names) < mostHints {
				names = append(names, name)
			}
		}
	}
	for _, z := range rules.Zones(w, a) {
		if name := displayName(z.Name, z.ID); !z.Visited && !slices.Contains(names, name) && len(names) < mostHints {
			names = append(names, name)
		}
	}
	return names
}
