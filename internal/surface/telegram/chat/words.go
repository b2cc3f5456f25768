package chat

import (
	"embed"

	"hob/internal/event"
	"hob/internal/phrases"
)

//go:embed words
var files embed.FS

// Words are what hob says on Telegram in a language, such as "de".
func Words(lang string) phrases.Words { return phrases.In(files, lang) }

// GrantText is what a grant allows, in a language.
func GrantText(w phrases.Words, g event.Grant) string {
	if g.Host != "" {
		return w.Text("grant.host", g.Tool, g.Host)
	}
	return w.Text("grant.path", g.Tool, g.Path)
}
