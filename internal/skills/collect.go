package skills

import (
	"slices"

	"hob/internal/lists"
	"hob/internal/tools"
)

// Collect returns the tools that a model may be offered on behalf of a caller: those of skills in their order, then the
// loose ones, each name once.
//
// Where the caller is decides first: what works on another platform or in another scope is not there at all, and a caller
// that says neither gets only what works everywhere. Then the first of a name wins, see [tools.Merge]. Only then what is
// hidden or above the caller's level is left out: in one chat a name means the same tool, whoever speaks.
func Collect(caller tools.Caller, skills []Skill, loose []tools.Tool) []tools.Tool {
	groups := lists.Map(skills, func(s Skill) []tools.Tool { return worksFor(caller, s.Tools) })
	all, _ := tools.Merge(append(groups, worksFor(caller, loose))...)
	return slices.DeleteFunc(all, func(t tools.Tool) bool {
		d := tools.DefOf(t)
		return d.Hidden || d.Level > caller.Level
	})
}

// worksFor returns those of all that work where the caller is.
func worksFor(caller tools.Caller, all []tools.Tool) []tools.Tool {
	return slices.DeleteFunc(slices.Clone(all), func(t tools.Tool) bool {
		return t == nil || tools.DefOf(t).Audience().Barrier(caller).Elsewhere()
	})
}
