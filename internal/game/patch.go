package game

import (
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Patch returns events as a patch in the form of RFC 6902 over hob's own form of a state. Several changes of one record are one
// operation for each of its fields.
func Patch(events []world.Event) []*rules.Obj {
	list := []*rules.Obj{}
	for _, e := range world.Merge(events) {
		for _, c := range e.Changes() {
			path := "/state/" + c.Kind.Plural() + "/" + escapePointer(c.Key)
			if c.Kind == world.SelfKind {
				path = "/state/world"
			}
			if c.Field != "" {
				path += "/" + escapePointer(c.Field)
			}
			op := rules.NewObj()
			switch {
			case c.New == nil:
				op.Text("op", "remove").Text("path", path)
			case c.Old == nil:
				op.Text("op", "add").Text("path", path).Raw("value", c.New)
			default:
				op.Text("op", "replace").Text("path", path).Raw("value", c.New)
			}
			list = append(list, op)
		}
	}
	return list
}

// PatchCounts returns what a turn changed of the counters of ids, as part of the same patch.
func PatchCounts(was, is rules.Counts) []*rules.Obj {
	list := []*rules.Obj{}
	for _, kind := range slices.Sorted(maps.Keys(is)) {
		op := "replace"
		if _, there := was[kind]; !there {
			op = "add"
		} else if was[kind] == is[kind] {
			continue
		}
		list = append(list, rules.NewObj().Text("op", op).Text("path", "/counts/"+escapePointer(kind)).Int("value", is[kind]))
	}
	return list
}

// escapePointer escapes a name as a token of a JSON pointer (RFC 6901).
func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
