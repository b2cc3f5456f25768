package chat

import (
	"embed"

	"hob/internal/phrases"
)

//go:embed words
var files embed.FS

// Words returns hob's texts on Telegram in a language, such as "de".
func Words(lang string) phrases.Words { return phrases.In(files, lang) }
