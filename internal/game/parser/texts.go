package parser

import (
	_ "embed"
	"strconv"
	"strings"
)

// The texts for players.
var (
	//go:embed words/en.txt
	wordsEN string
	//go:embed words/ru.txt
	wordsRU string
	//go:embed words/zh.txt
	wordsZH string
)

// lineOf returns the text of a key.
func lineOf(file, key string) (text string, ok bool) {
	_, rest, ok := strings.Cut(file, "\n"+key+" = ")
	text, _, _ = strings.Cut(rest, "\n")
	return text, ok
}

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
	text, _ := lineOf(file, key)
	if n := r.options.Variant; n > 0 {
		others := []string{text}
		for other, ok := lineOf(file, key+".2"); ok; other, ok = lineOf(file, key+"."+strconv.Itoa(len(others)+1)) {
			others = append(others, other)
		}
		text = others[n%len(others)]
	}
	pairs := make([]string, 0, 2*len(args))
	for i, arg := range args {
		pairs = append(pairs, "{"+strconv.Itoa(i)+"}", arg)
	}
	return strings.NewReplacer(pairs...).Replace(text)
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
	names := make([]string, 0, len(list))
	for _, e := range list {
		names = append(names, e.name)
	}
	return r.joinNames(names)
}
