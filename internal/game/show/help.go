package show

import (
	_ "embed"
	"strings"
)

var (
	//go:embed help/en.txt
	helpEN string
	//go:embed help/ru.txt
	helpRU string
	//go:embed help/zh.txt
	helpZH string
)

// Help lists the sentences and commands of a story. Without a model it says that only plain
// sentences are understood.
func Help(lang string, model bool) string {
	t := languageOf(lang)
	text := strings.TrimSpace(t.help)
	if !model {
		text += "\n\n" + t.say("no_model")
	}
	return text
}
