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

// Help returns what can be said in a story, and which commands there are. Without a model it says that only plain sentences are
// understood.
func Help(lang string, model bool) string {
	text := helpEN
	switch lang {
	case "ru":
		text = helpRU
	case "zh":
		text = helpZH
	}
	text = strings.TrimSpace(text)
	if !model {
		text += "\n\n" + speak(lang).say("no_model")
	}
	return text
}
