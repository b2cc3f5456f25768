package story

import (
	"cmp"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// mostSearched is how many places are looked through for something that is left to do.
const mostSearched = 40

// ways returns the exits that can be taken, to where nobody was and to where somebody was; a door that the actor can open comes with the
// former. Of the latter those come first that lead to something that is left to do, the nearest of it before the rest: onwards is how
// many they are.
func (c chooser) ways() (fresh, known []Choice, onwards int) {
	var back []*world.Link
	far := map[*world.Link]int{}
	for _, l := range c.sight.Exits {
		if rules.Shut(l) || !c.known(l.To) {
			fresh = append(fresh, c.way(l)...)
			continue
		}
		if !c.passes(l) {
			continue
		}
		if far[l] = c.distance(l.To); far[l] < mostSearched {
			onwards++
		}
		back = append(back, l)
	}
	slices.SortStableFunc(back, func(a, b *world.Link) int { return cmp.Compare(far[a], far[b]) })
	for _, l := range back {
		known = append(known, c.way(l)...)
	}
	return fresh, known, onwards
}

// zones returns journeys across country, to where nobody was before those to where somebody was.
func (c chooser) zones() (list []Choice) {
	session := c.w.Self().Session
	for _, fresh := range []bool{true, false} {
		for _, z := range rules.Zones(c.w, c.actor) {
			if z.Visited != fresh {
				args := rules.NewObj().Text("session_id", session).Text("to_zone_id", z.ID)
				list = append(list, c.choice("move_to_zone", args, "choices.go", z.Place)...)
			}
		}
	}
	return list
}

// distance returns how many steps beyond a place, away from where the actor is, something is left to do; mostSearched for nowhere.
func (c chooser) distance(from string) int {
	type reached struct {
		place string
		steps int
	}
	seen := map[string]bool{c.sight.Place.ID: true, from: true}
	for queue := []reached{{place: from}}; len(queue) > 0 && len(seen) < mostSearched; queue = queue[1:] {
		there := c
		there.sight = From(c.w, c.w.Place(queue[0].place), c.actor.ID)
		if there.open() {
			return queue[0].steps
		}
		for _, l := range there.sight.Exits {
			if !seen[l.To] && c.passes(l) {
				seen[l.To] = true
				queue = append(queue, reached{l.To, queue[0].steps + 1})
			}
		}
	}
	return mostSearched
}

// open reports whether something is left to do at a place, as far as that is known of one where somebody was: somebody to talk to, or
// to give something to, a lid, something to take, or a way on.
func (c chooser) open() bool {
	if !c.sight.Place.Visited {
		return true
	}
	away := func(l *world.Link) bool { return c.passes(l) && !c.known(l.To) }
	return slices.ContainsFunc(c.sight.Exits, away) || len(c.words())+len(c.lids())+len(c.things()) > 0 || slices.ContainsFunc(c.sight.Actors,
		func(a *world.Actor) bool {
			return slices.ContainsFunc(c.wishes(a), func(t world.Term) bool { return c.w.Carries(c.actor.ID, t.Words[1]) })
		})
}
