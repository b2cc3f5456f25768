package gamemaster

import "embed"

//go:embed words
var words embed.FS // the texts of this package
