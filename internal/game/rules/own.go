package rules

import (
	_ "embed"
)

// The words of the executor itself.
var (
	//go:embed words/en.txt
	wordsEN string
	//go:embed words/ru.txt
	wordsRU string
	//go:embed words/zh.txt
	wordsZH string
)

// own is the family of the executor: no tools, but words.
func own() Family {
	return Family{Words: map[string]string{"en": wordsEN, "ru": wordsRU, "zh": wordsZH}}
}
