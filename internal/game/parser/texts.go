package parser

import (
	"embed"

	"hob/internal/game/spelling"
	"hob/internal/lists"
	"hob/internal/phrases"
)

//go:embed words
var wordFiles embed.FS // the texts for players

// text returns a text in the player's language, or in English, with {0}, {1} and so on replaced. If it has variants
// (KEY.2, KEY.3), Options.Variant picks one.
func (r *reader) text(key string, args ...string) string {
	words := phrases.In(wordFiles, spelling.Language(r.lang))
	if all := words.Variants(key); r.options.Variant > 0 && len(all) > 0 {
		return phrases.Fill(all[r.options.Variant%len(all)], args...)
	}
	text, _ := words.Find(key, args...)
	return text
}

// joinNames joins names.
func (r *reader) joinNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	out := names[0]
	for _, name := range names[1:] {
		out = r.text("list", out, name)
	}
	return out
}

// joinEntities joins the names of entities.
func (r *reader) joinEntities(list []*entity) string {
	return r.joinNames(lists.Map(list, func(e *entity) string { return e.name }))
}
