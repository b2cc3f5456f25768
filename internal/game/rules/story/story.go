// Package story has the tools that show a story and keep it going: sights and choices, time, quests,
// progress clocks, lore, recaps and safety.
package story

import (
	"embed"

	"hob/internal/game/rules"
)

//go:embed words
var words embed.FS

// Family returns the tools of this package with their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			look(), scene(), choices(), advanceTime(), clock(), quest(), loreAdd(), loreSearch(), recap(), safety(),
		},
		Files: words,
	}
}
