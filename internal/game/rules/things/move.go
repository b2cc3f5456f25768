package things

import (
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runMoveObject runs the tool move_object of seed 000. Its result is {"from","to"}: the ids of what held it and
// what holds it now, "" for nothing. Where only a part of a stack was moved, it also has object_id
// and qty of that part.
func runMoveObject(s *rules.Step, a rules.Args, t *world.Thing) *rules.Verdict {
	w, target, rel := s.World, a.Text("target_id"), a.Text("relation")
	if t.ID == target {
		return rules.Refuse(rules.SelfTarget, "move_object.self", t)
	}
	to := ownerOf(w, target)
	if !to.exists() {
		return rules.Refuse(rules.EntityNotFound, "things.no_target", target)
	}
	if isCircular(w, t.ID, target) {
		return rules.Refuse(rules.Cycle, "move_object.cycle", t, to.name())
	}
	if rel != "" && (rel == world.Held || rel == world.Worn) != (to.actor() != nil) {
		return rules.Refuse(rules.InvalidArgs, "move_object.relation", rel, to.name())
	}
	n := a.Int("qty", pieceCount(t))
	if n > pieceCount(t) {
		return rules.Refuse(notEnough, "move_object.not_enough", t, pieceCount(t), n)
	}
	result := rules.NewObj().Text("from", t.Parent).Text("to", target)
	if t.Parent == target && (rel == "" || rel == t.Rel) && n == pieceCount(t) {
		return rules.Accept(result, "move_object.there."+to.kind(), t, to.name())
	}
	if d := checkMove(w, t, to, rel, n); d != nil {
		return d
	}
	if n < pieceCount(t) {
		return splitStack(s, t, to, rel, n, result)
	}
	moved := *t
	moved.Parent, moved.Rel = target, rel
	moved.Hidden = t.Hidden && to.actor() == nil // who has it in hand has found it
	s.Put(&moved)
	return rules.Accept(result, moveKey(to, rel), s.Say("things.name", t), to.name())
}

// checkMove says why n pieces of t cannot come to where they are to be. Nil: they can.
func checkMove(w *world.World, t *world.Thing, to owner, rel string, n int64) *rules.Verdict {
	if t.Fixed {
		return rules.Refuse(fixedObject, "move_object.fixed", t)
	}
	if by := closedAround(w, t.Rel, t.Parent); by != nil {
		return rules.Refuse(closedContainer, "move_object.shut_in", t, by)
	}
	if by := closedAround(w, rel, to.id); by != nil {
		return rules.Refuse(closedContainer, "move_object.closed", by)
	}
	if to.thing() != nil && rules.Encloses(rel) && !hasRoom(w, to.thing(), n, t.ID) {
		return rules.Refuse(overCapacity, "things.over_capacity", to.name(), to.thing().Capacity)
	}
	return nil
}

// splitStack moves n pieces of a stack that has more of them.
func splitStack(s *rules.Step, t *world.Thing, to owner, rel string, n int64, result *rules.Obj) *rules.Verdict {
	rest, part := *t, *t
	rest.Qty = storedQty(pieceCount(t) - n)
	part.ID, part.Order = s.NewObjectID(), s.NewOrder()
	part.Qty, part.Parent, part.Rel = storedQty(n), to.id, rel
	part.Hidden = t.Hidden && to.actor() == nil
	s.Put(&rest)
	s.Put(&part)
	what := s.Say("move_object.part", t, n, part.ID)
	return rules.Accept(result.Text("object_id", part.ID).Int("qty", n), moveKey(to, rel), what, to.name())
}

// moveKey returns the key of the words for an object that came to its new place.
func moveKey(to owner, rel string) string {
	switch {
	case rel == world.Worn:
		return "move_object.worn"
	case rel == world.On && to.thing() != nil:
		return "move_object.on"
	}
	return "move_object." + to.kind()
}

// storedQty returns how n pieces are kept: one is 0, as for an object of which nothing was said.
func storedQty(n int64) int64 {
	if n <= 1 {
		return 0
	}
	return n
}
