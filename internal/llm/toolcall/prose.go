package toolcall

import (
	_ "embed"

	"hob/internal/prose"
)

//go:embed render.md
var sections string

// say returns the section of render.md called name; see [prose.Section].
func say(name string, pairs ...string) string { return prose.Section(sections, name, pairs...) }
