// Package land is the tools that make ground to stand on: maps of areas, zones, single places, and their picture.
package land

import (
	_ "embed"

	"hob/internal/game/rules"
)

var (
	//go:embed words/en.txt
	wordsEN string
	//go:embed words/ru.txt
	wordsRU string
	//go:embed words/zh.txt
	wordsZH string
)

// Family returns the tools of this package with their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{mapGenerate(), generateZone(), createArea(), mapRender()},
		Words: map[string]string{"en": wordsEN, "ru": wordsRU, "zh": wordsZH},
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
