package proof

import (
	"cmp"
	"context"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// node is a state that the search has reached.
type node struct {
	parent *node
	events []world.Event // from the parent to here
	seen   []world.Event // the same changes of the view
	steps  []Step
	depth  int64 // how many turns led here
	cost   int64 // minutes, and what deeds cost beside them
	rank   int64 // the search goes on from the lowest first, then from the oldest
	no     int
}

// failCost is what a failure costs the search beside its minutes, so that it prefers ways that need no luck.
const failCost = 10

// deedMinutes is how long the search guesses that each deed of a plan takes.
const deedMinutes = 10

// search looks for a way to an ending. It goes on from the best state first: by the time that has passed and the deeds
// that a short plan still needs.
type search struct {
	*engine
	hero   string
	quest  string
	wanted map[string]bool
	begin  int64 // the minute in which the story begins
	at     *node
	open   []*node              // states to go on from, by rank and number
	best   map[string][]reached // how a state was reached, by the hash of the view
	bound  int
	states int
}

// reached is how a state was reached: at what cost, and when. One way is worse than another only if it is better in
// neither.
type reached struct{ cost, minute int64 }

// isWorse reports whether a state was reached before, no later and at no greater cost.
func (s *search) isWorse(hash string, n *node) bool {
	return slices.ContainsFunc(s.best[hash], func(r reached) bool { return r.cost <= n.cost && r.minute <= s.world.Self().Minute })
}

// run returns the node in which the story has come to its ending, nil if there is none within the bound.
func (s *search) run(ctx context.Context) (*node, error) {
	root := &node{}
	s.at, s.begin, s.best = root, s.world.Self().Minute, map[string][]reached{}
	s.wanted = wantedTerms(s.world)
	s.open = []*node{root}
	for len(s.open) > 0 && s.states < s.bound {
		n := s.open[0]
		s.open = slices.Delete(s.open, 0, 1)
		if err := s.goTo(n); err != nil {
			return nil, err
		}
		if won, err := s.expand(ctx, n); won != nil || err != nil {
			return won, err
		}
	}
	return nil, ctx.Err()
}

// goTo brings the world to the state of a node.
func (s *search) goTo(n *node) error {
	above := map[*node]bool{}
	for up := n; up != nil; up = up.parent {
		above[up] = true
	}
	for ; !above[s.at]; s.at = s.at.parent {
		if err := s.change(s.at, false); err != nil {
			return err
		}
	}
	var down []*node
	for up := n; up != s.at; up = up.parent {
		down = append(down, up)
	}
	for i := len(down) - 1; i >= 0; i-- {
		if err := s.change(down[i], true); err != nil {
			return err
		}
	}
	s.at = n
	return nil
}

// expand does everything in a state that may lead on.
func (s *search) expand(ctx context.Context, n *node) (*node, error) {
	p, ok := newGraph(s.world, s.hero, s.wanted).plan("done " + s.quest)
	if !ok {
		return nil, nil
	}
	for _, d := range p.useful {
		if s.states >= s.bound || ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next, ok, err := s.do(ctx, n, d)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		self := s.world.Self()
		won, over := self.Ended && s.world.Quest(s.quest).State == world.Done, self.Ended
		if !over {
			s.add(next, d, p)
		}
		if err := s.change(next, false); err != nil {
			return nil, err
		}
		if won {
			return next, nil
		}
	}
	return nil, nil
}

// add keeps a state to go on from, unless it was reached as cheaply before.
func (s *search) add(n *node, d *deed, p plan) {
	hash := s.view.Hash()
	if s.isWorse(hash, n) {
		return
	}
	s.best[hash] = append(s.best[hash], reached{n.cost, s.world.Self().Minute})
	left := int64(p.steps)
	if p.helpful[d] {
		left--
	}
	n.rank, n.no = n.cost+deedMinutes*left, s.states
	i, _ := slices.BinarySearchFunc(s.open, n, func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.no, b.no))
	})
	s.open = slices.Insert(s.open, i, n)
}

// do goes to where a deed is done and does it. If that is impossible, it returns false and the world is as before.
func (s *search) do(ctx context.Context, from *node, d *deed) (*node, bool, error) {
	n := &node{parent: from, depth: from.depth, cost: from.cost + d.cost}
	steps, ok := journey(s.world, s.world.Actor(s.hero), d.place)
	if !ok {
		return nil, false, nil
	}
	if d.step.Do != "go" {
		steps = append(steps, d.step)
	}
	if len(steps) == 0 {
		return nil, false, nil
	}
	before := s.world.Self().Minute
	for _, step := range steps {
		ok, err := s.take(ctx, n, step)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			return nil, false, s.revert(n.events)
		}
	}
	s.states++
	n.cost += s.world.Self().Minute - before
	n.seen = s.visible(n.events)
	return n, true, s.see(n.seen)
}

// take does a step, repeated as often as it needs with the worst luck that counts.
func (s *search) take(ctx context.Context, n *node, step Step) (bool, error) {
	if s.world.Self().Ended {
		return true, nil // the story ended on the way, so the rest is not needed
	}
	fails, face, err := s.luck(ctx, n, step)
	if err != nil || face == 0 {
		return false, err
	}
	most := fails + 1
	if step.Do != "ask" && step.mayFail() {
		most = mostTries
	}
	step.Tries = 0
	for step.Tries < most && !s.world.Self().Ended {
		s.face = 1
		if step.Tries%(fails+1) == fails {
			s.face = face
		}
		ok, err := s.turn(ctx, n, step)
		if s.face = 1; !ok || err != nil {
			return false, err
		}
		if step.Tries++; step.isDone(s.world) {
			break
		}
	}
	if !step.isDone(s.world) && !s.world.Self().Ended {
		return false, nil
	}
	n.steps = append(n.steps, step)
	n.cost += failCost * int64(step.Tries-1)
	return true, nil
}

// turn plays a turn and keeps what it changed.
func (s *search) turn(ctx context.Context, n *node, step Step) (bool, error) {
	call, words, ok := step.Call(s.world, s.hero)
	if !ok || !rules.CanAct(s.world.Actor(s.hero)) {
		return false, nil
	}
	events, ok, err := s.play(ctx, n.depth+1, call, words)
	if ok {
		n.events, n.depth = append(n.events, events...), n.depth+1
	}
	return ok, err
}

// mostTries is how often one thing is tried at most, whatever the dice.
const mostTries = 400

// luck returns how often a step may fail before it succeeds, and the lowest face of the die with which it succeeds. At
// most one player in a thousand has worse luck. Face 0 means that no face is enough.
func (s *search) luck(ctx context.Context, n *node, step Step) (fails, face int, err error) {
	if !step.mayFail() || step.Do == "wait" {
		return 0, 1, nil
	}
	defer func() { s.face = 1 }()
	for face = 1; face <= d20; face++ {
		s.face = face
		probe := node{depth: n.depth}
		hp := hitPoints(s.world, step.ID)
		ok, err := s.turn(ctx, &probe, step)
		works := ok && (step.isDone(s.world) || step.Do == "attack" && hitPoints(s.world, step.ID) < hp)
		if err == nil {
			err = s.revert(probe.events)
		}
		switch {
		case err != nil || !ok:
			return 0, 0, err
		case works && failsBefore(face) <= mostFails:
			return failsBefore(face), face, nil
		case works:
			return 0, 0, nil
		}
	}
	return 0, 0, nil
}

// mostFails is how many failures a player puts up with. Whatever takes more luck does not count.
const mostFails = 20

// failsBefore returns the least n for which n throws of a d20 are all below a face at most once in a thousand times.
func failsBefore(face int) (n int) {
	for chance := 1.0; face > 1 && chance > 0.001; n++ {
		chance *= float64(face-1) / d20
	}
	return n
}

func hitPoints(w *world.World, id string) int64 {
	a := w.Actor(id)
	if a == nil {
		return 0
	}
	return a.HP.Or(a.HPMax.N)
}
