// Package land has the tools that make ground to stand on: maps of areas, zones, single places, and
// their picture.
package land

import (
	"embed"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

//go:embed words tools.json
var files embed.FS

// Family returns the tools of this package with their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			{Name: "map_generate", Gate: rules.Gate{Judge: judgeMap, Difficulty: rules.Finding}, Run: runMapGenerate},
			{Name: "generate_zone", Gate: rules.Gate{Judge: judgeZone, Difficulty: rules.Finding}, Run: runGenerateZone},
			{Name: "create_area", Gate: rules.Gate{Judge: judgeArea, Difficulty: rules.Finding}, Run: runCreateArea},
			{Name: "map_render", Gate: rules.Gate{Judge: judgePicture}, Run: runMapRender},
		},
		Files: files,
	}
}

// placeHomeless puts actors without a place and a position at the first place of a world: everybody
// is somewhere (invariant I1).
func placeHomeless(s *rules.Step, place string) {
	for _, a := range s.World.Actors() {
		if a.Place == "" && a.Pos == nil {
			rules.Change(s, a, func(next *world.Actor) { next.Place = place })
		}
	}
}

// connect makes a way and the way back, where they are missing, and returns how many it made.
func connect(s *rules.Step, way world.Link) (made int64) {
	back := world.Link{From: way.To, To: way.From, Dir: rules.Opposite(way.Dir), Door: way.Door, Lock: way.Lock}
	for _, l := range []world.Link{way, back} {
		if s.World.Link(l.From, l.To) == nil {
			l.Order = s.NewOrder()
			s.Put(&l)
			made++
		}
	}
	return made
}
