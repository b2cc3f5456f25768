package tools

import "slices"

// Audience says for whom, and where, something such as a tool or a skill exists.
type Audience struct {
	Level     Level    // the lowest level that may use it
	Platforms []string // such as "telegram"; none means all
	Scopes    []string // "private", "group", "channel"; none means all
}

// Barrier is the reason why something is kept from a caller, named like the rule of policy for it.
// "" means no barrier.
type Barrier string

// The barriers.
const (
	ByPlatform Barrier = "platform"
	ByScope    Barrier = "scope"
	ByLevel    Barrier = "level"
)

// Elsewhere reports whether it does not exist at the caller's place, whoever calls.
func (b Barrier) Elsewhere() bool { return b == ByPlatform || b == ByScope }

// Barrier returns the barrier between a caller and the audience, or "".
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

// Audience returns for whom and where the tool exists.
func (d Def) Audience() Audience { return Audience{d.Level, d.Platforms, d.Scopes} }
