package show

import "strings"

// Help lists the sentences and commands of a story. Without a model it says that only plain
// sentences are understood.
func Help(lang string, model bool) string {
	t := languageOf(lang)
	help, _ := texts.ReadFile("help/" + t.lang + ".txt") // a test holds that there are all three
	text := strings.TrimSpace(string(help))
	if !model {
		text += "\n\n" + t.Text("no_model")
	}
	return text
}
