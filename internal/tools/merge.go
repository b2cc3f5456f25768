package tools

import (
	"fmt"
	"reflect"
	"slices"
)

// Dropped is a tool that lost its name to another.
type Dropped struct {
	Tool   Tool   // the loser
	Source string // where the loser comes from
	Kept   string // where the winner comes from
}

// String describes the loss, such as "fetch of mcp:web gives way to fetch of built-in".
func (d Dropped) String() string {
	name := d.Tool.Name()
	return fmt.Sprintf("%s of %s gives way to %s of %s", name, d.Source, name, d.Kept)
}

// Merge joins groups of tools, each name once: the first group with the name wins, and in a group
// the first tool. all keeps the order of the groups; dropped are the losers, to be shown to people.
// The same tool in two groups is no loss, because a skill groups tools that exist anyway. Nil tools
// are left out.
func Merge(groups ...[]Tool) (all []Tool, dropped []Dropped) {
	kept := map[string]Tool{}
	for _, group := range groups {
		for _, t := range group {
			if t == nil {
				continue
			}
			first, taken := kept[t.Name()]
			switch {
			case !taken:
				kept[t.Name()] = t
				all = append(all, t)
			case !IsSame(first, t):
				dropped = append(dropped, Dropped{Tool: t, Source: SourceOf(t), Kept: SourceOf(first)})
			}
		}
	}
	return all, dropped
}

// Find returns the tool of that name, or nil.
func Find(all []Tool, name string) Tool {
	if i := slices.IndexFunc(all, func(t Tool) bool { return t.Name() == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// IsSame reports whether a and b are one tool. Values that cannot be compared never are.
func IsSame(a, b Tool) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}
