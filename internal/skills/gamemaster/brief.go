package gamemaster

import (
	_ "embed"
	"strings"
)

//go:embed brief.txt
var briefly string

// brief returns the short descriptions of tools that models read in every request of a story. A key is a tool, or a
// tool and one of its arguments. A model is not told of an argument without a key, but may use it.
func brief() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(briefly) {
		if key, text, ok := strings.Cut(strings.TrimSpace(line), " ="); ok && key[0] != '#' {
			all[key] = strings.TrimSpace(text)
		}
	}
	return all
}
