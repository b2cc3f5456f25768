package tales

import (
	"embed"
	"fmt"
	"slices"

	"hob/internal/game/rules"
)

//go:embed example/*.txt
var example embed.FS

// File is a file of a tale.
type File struct{ Name, Text string }

// Example returns the files of a small tale with a name and a language, from which to write one's own. It can be played
// to its end.
func Example(id, lang string) ([]File, error) {
	if wrong := WrongName(id); wrong != "" {
		return nil, fmt.Errorf("%.80q: %s", id, wrong)
	}
	if !slices.Contains(rules.Langs(), lang) {
		return nil, fmt.Errorf("there is no example in %.80q: use en, ru or zh", lang)
	}
	what, err := example.ReadFile("example/what.txt")
	if err != nil {
		return nil, fmt.Errorf("read the example: %w", err)
	}
	words, err := example.ReadFile("example/" + lang + ".txt")
	if err != nil {
		return nil, fmt.Errorf("read the example: %w", err)
	}
	return []File{{id + ".txt", string(what)}, {id + "." + lang + ".txt", string(words)}}, nil
}
