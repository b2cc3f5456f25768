package proof

import (
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// deed is something that a player can do at a place, other than wait or walk.
type deed struct {
	step  Step
	place string   // where it is done
	needs []string // terms that must be true before, apart from being there
	gives []string // terms that are true afterwards
	cost  int64    // what it costs beside its minutes
}

// quietCost is what asking for a secret password costs the search beside its minutes, so that it prefers a way that
// players are told of.
const quietCost = 30

// graph is what can be done in a state, as if nothing were ever undone: each term with the deeds and rules that make it
// true.
type graph struct {
	w      *world.World
	hero   *world.Actor
	deeds  []*deed
	ways   []rule // what needs no deed: to come to a place, to complete a quest
	wanted map[string]bool
}

// rule says that a term is true when others are.
type rule struct {
	needs []string
	gives string
}

// newGraph returns the graph of a state. wanted has the terms that conditions name; only these are worth a deed.
func newGraph(w *world.World, hero string, wanted map[string]bool) *graph {
	g := &graph{w: w, hero: w.Actor(hero), wanted: wanted}
	g.addWays()
	g.addThings()
	g.addPuts()
	g.addTalk()
	g.addTimes()
	g.addQuests()
	return g
}

// wantedTerms returns the terms that a world's conditions name, with those that must not be true.
func wantedTerms(w *world.World) map[string]bool {
	all := map[string]bool{}
	add := func(when string) {
		for _, t := range world.Condition(when).Terms() {
			all[termText(t)] = true
		}
	}
	for _, q := range w.Quests() {
		for _, when := range q.When {
			add(when)
		}
	}
	for _, a := range w.Actors() {
		for i := range a.Talk {
			add(a.Talk[i].When)
		}
	}
	return all
}

// termText is a term in the form of a condition.
func termText(t world.Term) string {
	text := strings.Join(t.Words, " ")
	if t.Not {
		return notTerm + text
	}
	return text
}

const notTerm = "not "

func at(place string) string    { return "at " + place }
func has(thing string) string   { return "has " + thing }
func within(t, h string) string { return "in " + t + " " + h }
func opened(t string) string    { return "opened " + t }

// terms returns the terms of a condition.
func terms(when string) []string { return lists.Map(world.Condition(when).Terms(), termText) }

func (g *graph) addWays() {
	for _, l := range g.w.Links() {
		to := g.w.Place(l.To)
		if to == nil || l.Hidden || l.Blocked != "" || rules.Secret(to) || l.Door == world.LockedDoor && l.Lock == "" {
			continue
		}
		needs := []string{at(l.From)}
		if l.Needs != "" {
			needs = append(needs, has(l.Needs))
		}
		if l.Door == world.LockedDoor {
			needs = append(needs, has(l.Lock))
		}
		g.ways = append(g.ways, rule{needs, at(l.To)})
		if door := "open " + l.From + " " + l.To; g.wanted[door] && rules.Shut(l) {
			g.deeds = append(g.deeds, &deed{step: Step{Do: "opendoor", ID: l.From, To: l.To}, place: l.From, needs: needs[1:], gives: []string{door}})
		}
	}
	for _, p := range g.w.Places() {
		if g.wanted[at(p.ID)] {
			g.deeds = append(g.deeds, &deed{step: Step{Do: "go", ID: p.ID}, place: p.ID})
		}
	}
}

// reach returns the place at which somebody can get hold of a thing, and what must be open for that; "" if it cannot be
// had.
func (g *graph) reach(t *world.Thing) (place string, needs []string) {
	for range g.w.Size() {
		if t == nil || t.Hidden {
			return "", nil
		}
		if p := g.w.Place(t.Parent); p != nil {
			return p.ID, needs
		}
		if a := g.w.Actor(t.Parent); a != nil {
			if rules.InParty(g.w, a.ID) || !rules.CanAct(a) {
				return a.Place, needs
			}
			return "", nil
		}
		shut := rules.Encloses(t.Rel)
		if t = g.w.Thing(t.Parent); t != nil && shut && (t.Closed || t.Locked) {
			needs = append(needs, opened(t.ID))
		}
	}
	return "", nil
}

// holders returns the terms that say where a thing is, in whatever.
func (g *graph) holders(id string) (list []string) {
	for t := g.w.Thing(id); t != nil && len(list) < g.w.Size(); t = g.w.Thing(t.Parent) {
		list = append(list, notTerm+within(id, t.Parent))
	}
	return list
}

func (g *graph) addThings() {
	for _, t := range g.w.Things() {
		place, needs := g.reach(t)
		if place == "" {
			continue
		}
		if kind, holder := g.w.Holder(t.ID); !t.Fixed && t.Rel != world.Part && !(kind == world.ActorKind && rules.InParty(g.w, holder)) {
			g.deeds = append(g.deeds, &deed{step: Step{Do: "take", ID: t.ID}, place: place, needs: needs, gives: append(g.holders(t.ID), has(t.ID))})
		}
		if t.Container && (t.Closed || t.Locked) && !(t.Locked && t.Lock == "") {
			if t.Locked {
				needs = append(slices.Clone(needs), has(t.Lock))
			}
			g.deeds = append(g.deeds, &deed{step: Step{Do: "open", ID: t.ID}, place: place, needs: needs, gives: []string{opened(t.ID)}})
		}
	}
}

// addPuts adds putting or giving a thing where a condition wants it, and putting down what nobody should have.
func (g *graph) addPuts() {
	for _, term := range slices.Sorted(maps.Keys(g.wanted)) {
		words := strings.Fields(term)
		switch {
		case len(words) == 3 && words[0] == "in":
			g.addPut(words[1], words[2])
		case len(words) == 3 && words[0] == "not" && words[1] == "has":
			g.addPut(words[2], g.hero.Place)
		}
	}
}

func (g *graph) addPut(id, holder string) {
	if t := g.w.Thing(id); t == nil || t.Fixed || id == holder {
		return
	}
	place, needs, do := "", []string{has(id)}, "put"
	switch a, p, box := g.w.Actor(holder), g.w.Place(holder), g.w.Thing(holder); {
	case a != nil:
		place, do = a.Place, "give"
	case p != nil:
		place, do = p.ID, "leave"
	case box != nil:
		var open []string
		place, open = g.reach(box)
		if needs = append(needs, open...); box.Closed || box.Locked {
			needs = append(needs, opened(holder))
		}
	}
	if place != "" {
		g.deeds = append(g.deeds, &deed{
			step: Step{Do: do, ID: id, To: holder}, place: place, needs: needs, gives: append(g.holders(id), within(id, holder), notTerm+has(id)),
		})
	}
}

// addTalk adds what somebody gives or reveals, and what it takes to make them.
func (g *graph) addTalk() {
	for _, a := range g.w.Actors() {
		if rules.InParty(g.w, a.ID) {
			continue
		}
		if dead := "dead " + a.ID; g.wanted[dead] && (a.HP.Known || a.HPMax.Known) {
			g.deeds = append(g.deeds, &deed{step: Step{Do: "attack", ID: a.ID}, place: a.Place, gives: []string{dead}})
		}
		for i := range a.Talk {
			t := &a.Talk[i]
			if t.Said || t.Gives == "" && t.Reveals == "" {
				continue
			}
			d := &deed{step: Step{Do: "ask", ID: a.ID, Talk: i}, place: a.Place, needs: terms(t.When)}
			if t.Reveals != "" {
				d.gives = append(d.gives, "knows "+t.Reveals)
			}
			if t.Gives != "" {
				d.gives = append(d.gives, append(g.holders(t.Gives), has(t.Gives))...)
			}
			if t.Topic == "" && len(t.Keys) > 0 {
				d.cost = quietCost
			}
			g.deeds = append(g.deeds, d)
		}
	}
}

// addTimes adds waiting for a progress clock that a condition names.
func (g *graph) addTimes() {
	for _, c := range g.w.Clocks() {
		if full := "full " + c.ID; g.wanted[full] && c.PerMinutes > 0 && !c.Closed {
			g.deeds = append(g.deeds, &deed{step: Step{Do: "wait", ID: c.ID}, place: g.hero.Place, gives: []string{full}})
		}
	}
}

func (g *graph) addQuests() {
	for _, q := range g.w.Quests() {
		if rules.Over(q) {
			continue
		}
		r, can := rule{gives: "done " + q.ID}, true
		for _, o := range q.Objectives {
			if !slices.Contains(q.Met, o) {
				when := terms(q.When[o])
				r.needs, can = append(r.needs, when...), can && len(when) > 0
			}
		}
		if can {
			g.ways = append(g.ways, r)
		}
	}
}
