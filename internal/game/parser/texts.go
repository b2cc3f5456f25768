package parser

import (
	_ "embed"

	"hob/internal/lists"
	"hob/internal/phrases"
)

// The texts for players.
var (
	//go:embed words/en.txt
	wordsEN phrases.File
	//go:embed words/ru.txt
	wordsRU phrases.File
	//go:embed words/zh.txt
	wordsZH phrases.File
)

// text returns a text in the player's language, or in en, with its {0}, {1} and so on replaced. Of a text that has
// others (KEY.2, KEY.3) it is the one of the variant.
func (r *reader) text(key string, args ...string) string {
	file := wordsEN
	switch r.lang {
	case "ru":
		file = wordsRU
	case "zh":
		file = wordsZH
	}
	text, _ := file.Find(key)
	if n := r.options.Variant; n > 0 {
		if all := file.Variants(key); len(all) > 0 {
			text = all[n%len(all)]
		}
	}
	return phrases.Fill(text, args...)
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
