// Package story is the tools that show a story and keep it going: what can be seen and done, time, quests, progress clocks, lore,
// what happened, and what must not.
package story

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
		Tools: []rules.Tool{
			look(), scene(), choices(), advanceTime(), clock(), quest(), loreAdd(), loreSearch(), recap(), safety(),
		},
		Words: map[string]string{"en": wordsEN, "ru": wordsRU, "zh": wordsZH},
	}
}
