package rules

import (
	"cmp"
	"fmt"
	"strconv"

	"hob/internal/game/world"
)

// NameOrID returns a name, or the id where there is no name.
func NameOrID(name, id string) string { return cmp.Or(name, id) }

// NameOf returns the name of an actor, a place or an object, or its id where it has none.
func NameOf(r world.Record) string {
	switch r := r.(type) {
	case *world.Actor:
		return NameOrID(r.Name, r.ID)
	case *world.Place:
		return NameOrID(r.Name, r.ID)
	case *world.Thing:
		return NameOrID(r.Name, r.ID)
	}
	return r.Key()
}

// ActorName returns the name of the actor with an id, or the id where there is nobody.
func ActorName(w *world.World, id string) string { return nameIn(w, world.ActorKind, id) }

// PlaceName returns the name of the place with an id, or the id where there is none.
func PlaceName(w *world.World, id string) string { return nameIn(w, world.PlaceKind, id) }

// ThingName returns the name of the object with an id, or the id where there is none.
func ThingName(w *world.World, id string) string { return nameIn(w, world.ThingKind, id) }

func nameIn(w *world.World, kind world.Kind, id string) string {
	if r := w.Record(kind, id); r != nil {
		return NameOf(r)
	}
	return id
}

// formatArgs returns the arguments of a sentence as text: a record by its name, everything else as
// [fmt.Sprint] writes it.
func formatArgs(args []any) []string {
	if len(args) == 0 {
		return nil
	}
	list := make([]string, 0, len(args))
	for _, arg := range args {
		switch arg := arg.(type) {
		case string:
			list = append(list, arg)
		case int64:
			list = append(list, strconv.FormatInt(arg, 10))
		case world.Record:
			list = append(list, NameOf(arg))
		default:
			list = append(list, fmt.Sprint(arg))
		}
	}
	return list
}
