package gamemaster

import _ "embed"

//go:embed words/en.txt
var english string

//go:embed words/ru.txt
var russian string

//go:embed words/zh.txt
var chinese string

// texts returns the texts of this package, by language.
func texts() map[string]string { return map[string]string{"en": english, "ru": russian, "zh": chinese} }
