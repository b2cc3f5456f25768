// Package story has the tools that show a story and keep it going: sights and choices, time, quests,
// progress clocks, lore, recaps and safety.
package story

import (
	"embed"

	"hob/internal/game/rules"
)

//go:embed words tools.json
var files embed.FS

// Family returns the tools of this package with their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			{Name: "look", Run: runLook},
			{Name: "scene", Run: runScene},
			{Name: "choices", Run: runChoices},
			{Name: "advance_time", Gate: rules.Gate{Judge: judgeTime}, Run: runAdvanceTime},
			{Name: "clock", Gate: rules.Gate{Judge: judgeClock}, Run: runClock},
			{Name: "quest", Gate: rules.Gate{Judge: judgeQuest}, Run: runQuest},
			{Name: "lore_add", Gate: rules.Gate{Judge: rules.Open}, Run: runLoreAdd},
			{Name: "lore_search", Run: runLoreSearch},
			{Name: "recap", Run: runRecap},
			{Name: "safety", Gate: rules.Gate{Judge: rules.Open}, Run: runSafety},
		},
		Files: files,
	}
}
