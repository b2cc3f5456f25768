// Package things is the tools that move objects and change what they are: those of seed 000 (move_object, set_attribute,
// delete_attribute, create_object, delete_object), and adjust_qty, inventory and set_container.
//
// # What holds an object
//
// The parent of an object is an id. Where several records have it, an actor goes before a place and a place before an object.
// An object that is in another one ([world.In], or no relation) is shut in while that one is closed or locked; what is on it,
// or a part of it, is not. A walk from an object to what holds it ends at an actor, at a place, or where an id leads nowhere:
// imported worlds may have such, and circles, too, in which a walk ends after as many steps as there are records.
//
// # Stacks
//
// An object stands for qty pieces, 0 counting as 1. Whoever moves some of them makes a second object of the same kind, with an
// id of its own; two stacks never become one by themselves.
package things

import (
	"embed"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

//go:embed words
var words embed.FS

// The codes of this family: with all of them the arguments do not fit the world.
const (
	closedContainer rules.Code = "closed_container" // also a locked one
	fixedObject     rules.Code = "fixed"
	overCapacity    rules.Code = "over_capacity"
	notEnough       rules.Code = "not_enough"
	overLimit       rules.Code = "limit"
	storyNeeds      rules.Code = "story_needs" // a condition of the story is about it
)

// The bounds of what an object may be (game.md, I11); maxQty keeps sums of stacks far from overflow.
const (
	maxAttributes = 32
	maxName       = 64  // runes of an attribute's name
	maxValue      = 500 // runes of its value
	maxQty        = 1_000_000_000
)

// Family returns the tools and their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			moveObject(), setAttribute(), deleteAttribute(), createObject(), deleteObject(), adjustQty(), inventory(), setContainer(),
		},
		Files: words,
	}
}

// owner is what can hold an object: exactly one of the three is set, or none where there is nothing with the id.
type owner struct {
	id    string
	actor *world.Actor
	place *world.Place
	thing *world.Thing
}

// ownerOf returns what an id means as the parent of an object.
func ownerOf(w *world.World, id string) owner {
	o := owner{id: id}
	if id == "" {
		return o
	}
	if o.actor = w.Actor(id); o.actor != nil {
		return o
	}
	if o.place = w.Place(id); o.place != nil {
		return o
	}
	o.thing = w.Thing(id)
	return o
}

func (o owner) exists() bool { return o.actor != nil || o.place != nil || o.thing != nil }

// name returns what o is called; what has no name is called by its id.
func (o owner) name() string {
	switch {
	case o.actor != nil:
		return rules.Called(o.actor.Name, o.id)
	case o.place != nil:
		return rules.Called(o.place.Name, o.id)
	case o.thing != nil:
		return rules.Called(o.thing.Name, o.id)
	}
	return o.id
}

// sort returns the end of the keys of words about o: player, person, place, thing, or nowhere.
func (o owner) sort() string {
	switch {
	case o.actor != nil && (o.actor.Role == "npc" || o.actor.Role == "monster"):
		return "person"
	case o.actor != nil:
		return "player"
	case o.place != nil:
		return "place"
	case o.thing != nil:
		return "thing"
	}
	return "nowhere"
}

// pieces returns how many pieces an object stands for.
func pieces(t *world.Thing) int64 { return max(1, t.Qty) }

// shutBy returns the innermost closed object that keeps away what is related by rel to the object with the id of parent, or
// nil.
func shutBy(w *world.World, rel, parent string) *world.Thing {
	for range w.Size() {
		t := ownerOf(w, parent).thing
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

// circular reports whether an object would hold itself if its parent were that id, or would be held by what already holds
// itself.
func circular(w *world.World, id, parent string) bool {
	for range w.Size() + 1 {
		t := ownerOf(w, parent).thing
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

// room reports whether n more pieces fit into t, the object without which is reckoned not being counted.
func room(w *world.World, t *world.Thing, n int64, without string) bool {
	if t.Capacity <= 0 {
		return true
	}
	left := t.Capacity - n
	for _, c := range w.Contents(t.ID) {
		if c.ID != without && rules.Encloses(c.Rel) {
			left -= min(pieces(c), maxQty)
		}
	}
	return left >= 0
}
