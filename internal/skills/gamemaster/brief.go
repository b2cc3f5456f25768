package gamemaster

import (
	_ "embed"
	"strings"
)

//go:embed brief.txt
var briefly string

// brief is what models are told of the tools in their list, in fewer words than people are: each of them stands in front of every
// request while a story leads the chat. A key is a tool, or a tool and one of its arguments; an argument that is no key is understood
// and not told of.
func brief() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(briefly) {
		if key, text, ok := strings.Cut(strings.TrimSpace(line), " ="); ok && key[0] != '#' {
			all[key] = strings.TrimSpace(text)
		}
	}
	return all
}
