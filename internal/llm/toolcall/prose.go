package toolcall

import (
	_ "embed"
	"strings"
)

//go:embed render.md
var prose string

// say returns the section of render.md called name. Each pair is a name, which the section has in double braces, and its value.
func say(name string, pairs ...string) string {
	_, text, _ := strings.Cut("\n"+prose, "\n## "+name+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{{" + pairs[i] + "}}"
	}
	return strings.NewReplacer(pairs...).Replace(strings.TrimSpace(text))
}
