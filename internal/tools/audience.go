package tools

import "slices"

// Audience says for whom something is there, and where, such as a tool or a skill.
type Audience struct {
	Level     Level    // the lowest
	Platforms []string // such as "telegram"; none means all
	Scopes    []string // likewise "private", "group", "channel"
}

// Barrier is what keeps something from a caller, by the name that policy's rule for it has; "" is nothing.
type Barrier string

// What keeps something from a caller.
const (
	ByPlatform Barrier = "platform"
	ByScope    Barrier = "scope"
	ByLevel    Barrier = "level"
)

// Elsewhere reports whether it is not there at all where the caller is, whoever that is.
func (b Barrier) Elsewhere() bool { return b == ByPlatform || b == ByScope }

// Barrier returns what keeps it from a caller.
func (a Audience) Barrier(caller Caller) Barrier {
	switch {
	case len(a.Platforms) > 0 && !slices.Contains(a.Platforms, caller.Platform):
		return ByPlatform
	case len(a.Scopes) > 0 && !slices.Contains(a.Scopes, caller.Scope):
		return ByScope
	case caller.Level < a.Level:
		return ByLevel
	}
	return ""
}

// Audience returns for whom and where the tool is there.
func (d Def) Audience() Audience { return Audience{d.Level, d.Platforms, d.Scopes} }
