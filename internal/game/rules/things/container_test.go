package things_test

import (
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// chest is a world with a locked chest that holds a coin, and a key on the floor.
func chest(t *testing.T) *table {
	return set(t, "en", &world.Self{Lang: "en", AllowAll: true, Party: []string{"ann"}, Active: "ann", Integrity: world.Bound},
		&world.Place{ID: "hall", Name: "Hall", Order: 1},
		&world.Actor{ID: "ann", Name: "Ann", Place: "hall", Order: 1},
		&world.Thing{ID: "chest", Name: "Chest", Parent: "hall", Order: 1, Container: true, Closed: true, Locked: true, Lock: "key"},
		&world.Thing{ID: "coin", Name: "Coin", Parent: "chest", Order: 2},
		&world.Thing{ID: "bag", Name: "Bag", Parent: "hall", Order: 3},
		&world.Thing{ID: "key", Name: "Key", Parent: "bag", Order: 4})
}

func TestSetContainer(t *testing.T) {
	t.Run("what is locked opens only for who carries its key", func(t *testing.T) {
		b := chest(t)
		b.Turn.Unbound = false
		b.no(rules.CheckNeeded, "set_container", `{"object_id":"chest","state":"open","actor_id":"ann"}`, `act "set_container" and target "chest"`)
		b.no(rules.OutOfReach, "move_object", `{"object_id":"coin","target_id":"ann"}`)
		b.ok("move_object", `{"object_id":"bag","target_id":"ann"}`) // the key is in it
		b.ok("set_container", `{"object_id":"chest","state":"open","actor_id":"ann"}`, `"Chest" is open`)
		b.ok("move_object", `{"object_id":"coin","target_id":"ann"}`)
	})
	t.Run("in a free story it happens", func(t *testing.T) {
		b := chest(t)
		b.ok("set_container", `{"object_id":"chest","state":"open","actor_id":"ann"}`)
		b.ok("set_container", `{"object_id":"chest","state":"closed"}`, `"Chest" is closed`)
		if c := b.World.Thing("chest"); !c.Closed || c.Locked || c.Lock != "key" {
			t.Errorf("%+v", c)
		}
		b.ok("set_container", `{"object_id":"chest","state":"open","actor_id":"ann"}`) // closed and not locked: no key is needed
		b.Turn.Unbound = false
		b.no(rules.NotByCall, "set_container", `{"object_id":"chest","state":"locked","actor_id":"ann"}`)
	})
	t.Run("a key is given to it", func(t *testing.T) {
		b := chest(t)
		b.ok("set_container", `{"object_id":"bag","state":"locked","key_id":"coin"}`)
		if c := b.World.Thing("bag"); !c.Closed || !c.Locked || c.Lock != "coin" || !c.Container {
			t.Errorf("%+v", c)
		}
	})
	t.Run("what cannot be", func(t *testing.T) {
		b := chest(t)
		b.no(rules.EntityNotFound, "set_container", `{"object_id":"nothing","state":"open"}`, "nothing")
		b.no(rules.EntityNotFound, "set_container", `{"object_id":"chest","state":"locked","key_id":"nothing"}`, "nothing")
		b.no(rules.EntityNotFound, "set_container", `{"object_id":"chest","state":"open","actor_id":"nobody"}`, "nobody")
		b.no("no_container", "set_container", `{"object_id":"coin","state":"open"}`, "Coin")
		b.no(rules.InvalidArgs, "set_container", `{"object_id":"chest","state":"ajar"}`, "open, closed, locked")
		ann := *b.World.Actor("ann")
		ann.State = world.Unconscious
		b.Put(&ann)
		b.no(rules.ActorRestricted, "set_container", `{"object_id":"chest","state":"open","actor_id":"ann"}`)
	})
}
