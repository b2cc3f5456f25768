package proof

import (
	"math"
	"slices"
	"strings"

	"hob/internal/game/world"
)

// plan estimates how far a state is from a term, as if nothing were ever undone, and which deeds may lead there.
type plan struct {
	steps   int     // how many deeds a short plan has
	useful  []*deed // deeds that can be done now and may lead there
	helpful map[*deed]bool
}

const never = math.MaxInt32

// planner finds a plan: what each term costs, and which deed or rule makes it true most cheaply.
type planner struct {
	g     *graph
	cost  map[string]int
	first map[string]int // by term: the index of the deed, or of the way behind all deeds, by which it is cheapest
}

// plan returns the plan for a goal, or false if nothing leads there.
func (g *graph) plan(goal string) (plan, bool) {
	p := &planner{g: g, cost: map[string]int{}, first: map[string]int{}}
	p.relax()
	if p.of(goal) == never {
		return plan{}, false
	}
	out := plan{helpful: map[*deed]bool{}}
	p.extract(goal, map[string]bool{}, out.helpful)
	out.steps = len(out.helpful)
	for _, d := range p.relevant(goal) {
		if p.sum(d.needs) == 0 && p.of(at(d.place)) == 0 {
			out.useful = append(out.useful, d)
		}
	}
	return out, true
}

// of returns the cost of a term: 0 if it is true.
func (p *planner) of(term string) int {
	if n, known := p.cost[term]; known {
		return n
	}
	n := never
	if place, is := strings.CutPrefix(term, "at "); is && place == p.g.hero.Place {
		n = 0
	} else if p.g.w.Holds(world.Condition(term)) {
		n = 0
	}
	p.cost[term] = n
	return n
}

// sum returns the cost of several terms.
func (p *planner) sum(needs []string) int {
	n := 0
	for _, t := range needs {
		if n += p.of(t); n >= never {
			return never
		}
	}
	return n
}

// rule returns what a deed needs and gives, or a rule without a deed.
func (p *planner) rule(i int) (needs, gives []string, cost int) {
	if i < len(p.g.deeds) {
		d := p.g.deeds[i]
		return append(slices.Clip(d.needs), at(d.place)), d.gives, 1
	}
	r := p.g.ways[i-len(p.g.deeds)]
	return r.needs, []string{r.gives}, 0
}

func (p *planner) relax() {
	for changed := true; changed; {
		changed = false
		for i := range len(p.g.deeds) + len(p.g.ways) {
			needs, gives, cost := p.rule(i)
			sum := p.sum(needs)
			if sum == never {
				continue
			}
			for _, t := range gives {
				if sum+cost < p.of(t) {
					p.cost[t], p.first[t], changed = sum+cost, i, true
				}
			}
		}
	}
}

// extract collects the deeds of a short plan for a term.
func (p *planner) extract(term string, seen map[string]bool, deeds map[*deed]bool) {
	i, made := p.first[term]
	if seen[term] || !made {
		return
	}
	seen[term] = true
	needs, _, _ := p.rule(i)
	for _, t := range needs {
		p.extract(t, seen, deeds)
	}
	if i < len(p.g.deeds) {
		deeds[p.g.deeds[i]] = true
	}
}

// relevant returns the deeds that lead to anything that a goal depends on.
func (p *planner) relevant(goal string) (list []*deed) {
	wanted, used := map[string]bool{goal: true}, make([]bool, len(p.g.deeds)+len(p.g.ways))
	for changed := true; changed; {
		changed = false
		for i := range used {
			needs, gives, _ := p.rule(i)
			if used[i] || !slices.ContainsFunc(gives, func(t string) bool { return wanted[t] }) && !p.goes(i, wanted) {
				continue
			}
			used[i], changed = true, true
			for _, t := range needs {
				wanted[t] = true
			}
		}
	}
	for i, d := range p.g.deeds {
		if used[i] {
			list = append(list, d)
		}
	}
	return list
}

// goes reports whether a deed is to go to a place where a goal wants somebody.
func (p *planner) goes(i int, wanted map[string]bool) bool {
	return i < len(p.g.deeds) && p.g.deeds[i].step.Do == "go" && wanted[at(p.g.deeds[i].place)]
}
