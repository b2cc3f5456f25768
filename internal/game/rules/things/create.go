package things

import (
	"context"
	"maps"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// runCreateObject runs the tool create_object of seed 000. Its result is {"created_id"}.
func runCreateObject(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	to := ownerOf(s.World, a.Text("connection_id"))
	if !to.exists() {
		return rules.Refuse(rules.EntityNotFound, "things.no_target", to.id)
	}
	attrs := readAttributes(a.Raw("attributes"))
	if len(attrs) == 0 {
		attrs = map[string]string{conditionName: s.Say("create_object.condition")}
	}
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		if d := checkLimits(name, attrs[name], len(attrs), true); d != nil {
			return d
		}
	}
	n := a.Int("qty", 1)
	if to.thing() != nil && !hasRoom(s.World, to.thing(), n, "") {
		return rules.Refuse(overCapacity, "things.over_capacity", to.name(), to.thing().Capacity)
	}
	t := &world.Thing{
		ID: s.NewObjectID(), Order: s.NewOrder(), Name: a.Text("name"), Attrs: attrs, Parent: to.id, Qty: storedQty(n),
		Container: a.Flag("container", false),
	}
	s.Put(t)
	return rules.Accept(rules.NewObj().Text("created_id", t.ID), "create_object."+to.kind(),
		countedName(s, t), t.ID, to.name(), joinTraits(s, attrs)).With(t.ID)
}

// conditionName is the attribute that says in which state an object is (seed 000).
const conditionName = "condition"

// countedName returns what an object is called, with how many there are of it.
func countedName(s *rules.Step, t *world.Thing) string {
	if pieceCount(t) == 1 {
		return s.Say("things.name", t)
	}
	return s.Say("things.counted", t, pieceCount(t))
}

// joinTraits lists attributes in the order of their names.
func joinTraits(s *rules.Step, attrs map[string]string) string {
	names := slices.Sorted(maps.Keys(attrs))
	return s.Join("things.traits", lists.Map(names, func(name string) string { return s.Say("things.trait", name, attrs[name]) }))
}
