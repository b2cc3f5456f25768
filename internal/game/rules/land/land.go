// Package land is the tools that make ground to stand on: maps of areas, zones, single places, and their picture.
package land

import (
	"embed"

	"hob/internal/game/rules"
)

//go:embed words
var words embed.FS

// Family returns the tools of this package with their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{mapGenerate(), generateZone(), createArea(), mapRender()},
		Files: words,
	}
}

// settle puts those who are nowhere at the first place of a world: everybody is somewhere (invariant I1). Who has a position
// without a place is somewhere already.
func settle(s *rules.Step, place string) {
	for _, a := range s.World.Actors() {
		if a.Place == "" && a.Pos == nil {
			next := *a
			next.Place = place
			s.Put(&next)
		}
	}
}
