// Package things has the tools that move and change objects: those of seed 000 (move_object,
// set_attribute, delete_attribute, create_object, delete_object), and adjust_qty, inventory and
// set_container.
//
// # The holder of an object
//
// The parent of an object is an id. Where several records have it, an actor goes before a place and a
// place before an object. An object in another one ([world.In], or no relation) is shut in while that
// one is closed or locked; an object on it, or a part of it, is not. A walk from an object to its
// holder ends at an actor, at a place, or at an id of nothing. Imported worlds may have such ids, and
// circles, too, in which a walk ends after as many steps as there are records.
//
// # Stacks
//
// An object stands for qty pieces, 0 counting as 1. Moving some of them makes a second object of the
// same kind, with an id of its own; two stacks never become one by themselves.
package things

import (
	"embed"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

//go:embed words tools.json
var files embed.FS

// The codes of this family: with all of them the arguments do not fit the world.
const (
	closedContainer rules.Code = "closed_container" // also a locked one
	fixedObject     rules.Code = "fixed"
	overCapacity    rules.Code = "over_capacity"
	notEnough       rules.Code = "not_enough"
	overLimit       rules.Code = "limit"
	storyNeeds      rules.Code = "story_needs" // a condition of the story is about it
)

// maxQty keeps sums of stacks far from overflow.
const maxQty = 1_000_000_000

// Family returns the tools and their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			{
				Name: "move_object", Gate: rules.Gate{Judge: judgeMove, Difficulty: taking},
				Run: rules.OnThing("object_id", "things.no_object", runMoveObject),
			},
			{Name: "set_attribute", Gate: rules.Gate{Judge: judgeTrait}, Run: runSetAttribute},
			{Name: "delete_attribute", Gate: rules.Gate{Judge: judgeTrait}, Run: runDeleteAttribute},
			{Name: "create_object", Gate: rules.Gate{Judge: judgeCreate, Difficulty: creating}, Run: runCreateObject},
			{
				Name: "delete_object", Gate: rules.Gate{Judge: judgeDelete},
				Run: rules.OnThing("object_id", "things.no_object", runDeleteObject),
			},
			{
				Name: "adjust_qty", Gate: rules.Gate{Judge: judgeQty, Difficulty: taking},
				Run: rules.OnThing("object_id", "things.no_object", runAdjustQty),
			},
			{Name: "inventory", Run: rules.OnAnyActor("inventory.nobody", "things.no_player", runInventory)},
			{
				Name: "set_container", Gate: rules.Gate{Judge: judgeContainer, Difficulty: opening},
				Run: rules.OnThing("object_id", "set_container.unknown", runSetContainer),
			},
		},
		Files: files,
	}
}

// owner is the holder of an object: an actor, a place or an object, or nothing where no record has
// the id.
type owner struct {
	id     string
	record world.Record
}

// ownerOf returns the meaning of an id as the parent of an object.
func ownerOf(w *world.World, id string) owner {
	if id == "" {
		return owner{}
	}
	return owner{id, w.Entity(id)}
}

func (o owner) exists() bool { return o.record != nil }

// actor returns the actor that o is, or nil.
func (o owner) actor() *world.Actor {
	a, _ := o.record.(*world.Actor)
	return a
}

// thing returns the object that o is, or nil.
func (o owner) thing() *world.Thing {
	t, _ := o.record.(*world.Thing)
	return t
}

// name returns the name of o, or its id where it has none.
func (o owner) name() string {
	if o.record == nil {
		return o.id
	}
	return rules.NameOf(o.record)
}

// kind returns the end of the keys of words about o: player, person, place, thing, or nowhere.
func (o owner) kind() string {
	switch r := o.record.(type) {
	case *world.Actor:
		if r.Role == "npc" || r.Role == "monster" {
			return "person"
		}
		return "player"
	case *world.Place:
		return "place"
	case *world.Thing:
		return "thing"
	}
	return "nowhere"
}

// pieceCount returns how many pieces an object stands for.
func pieceCount(t *world.Thing) int64 { return max(1, t.Qty) }

// closedAround returns the innermost closed object around something with a relation to a parent, or
// nil.
func closedAround(w *world.World, rel, parent string) *world.Thing {
	for range w.Size() {
		t := ownerOf(w, parent).thing()
		if t == nil {
			return nil
		}
		if (t.Closed || t.Locked) && rules.Encloses(rel) {
			return t
		}
		rel, parent = t.Rel, t.Parent
	}
	return nil
}

// isCircular reports whether an object would hold itself with that parent.
func isCircular(w *world.World, id, parent string) bool {
	for range w.Size() + 1 {
		t := ownerOf(w, parent).thing()
		switch {
		case t == nil:
			return false
		case t.ID == id:
			return true
		}
		parent = t.Parent
	}
	return true
}

// hasRoom reports whether n more pieces fit into t; the object without does not count.
func hasRoom(w *world.World, t *world.Thing, n int64, without string) bool {
	if t.Capacity <= 0 {
		return true
	}
	left := t.Capacity - n
	for _, c := range w.Contents(t.ID) {
		if c.ID != without && rules.Encloses(c.Rel) {
			left -= min(pieceCount(c), maxQty)
		}
	}
	return left >= 0
}
