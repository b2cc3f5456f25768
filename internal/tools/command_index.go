package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hob/internal/editdistance"
	"hob/internal/event"
)

// Commands finds the tool for a command. It is built from a list of tools, does not change, and is
// safe for concurrent use. It reads a schema only when a command is parsed.
type Commands struct {
	all    []Tool
	byWord map[string]Tool // names as they are, and all words in lower case
	words  []string        // words to suggest: names, then words of patterns, then aliases
}

// NewCommands returns the commands of all. A tool is found by its name, by the first word of its
// pattern and by its aliases, in upper and lower case. If two tools want one word, a name wins over
// a pattern's word, that over an alias, and an earlier tool over a later one. Each string in lost
// is a sentence about a loser: the second tool of one name is no command at all (see [Merge]); a
// tool that loses another word keeps its name.
func NewCommands(all []Tool) (c *Commands, lost []string) {
	all, dropped := Merge(all)
	for _, d := range dropped {
		lost = append(lost, d.String())
	}
	c = &Commands{all: make([]Tool, 0, len(all)), words: make([]string, 0, 2*len(all)), byWord: make(map[string]Tool, 3*len(all))}
	patterns, aliases := make([]string, 0, len(all)), make([][]string, 0, len(all))
	for _, t := range all {
		d := DefOf(t)
		if d.Command == NoCommand {
			continue
		}
		c.all, patterns, aliases = append(c.all, t), append(patterns, wordOf(d)), append(aliases, slices.Concat(d.Aliases, OldNames(d.Name)))
		c.byWord[t.Name()] = t
		c.words = append(c.words, t.Name())
	}
	for _, t := range c.all { // names that differ only in case are reached by their exact spelling
		if word := lowerWord(t.Name()); c.byWord[word] == nil {
			c.byWord[word] = t
		}
	}
	for i, t := range c.all {
		lost = c.claim(lost, t, patterns[i])
	}
	for i, t := range c.all {
		for _, alias := range aliases[i] {
			lost = c.claim(lost, t, alias)
		}
	}
	return c, lost
}

// claim makes word call t, or adds a sentence to lost if it calls another tool.
func (c *Commands) claim(lost []string, t Tool, word string) []string {
	key, name := lowerWord(word), t.Name()
	switch has, taken := c.byWord[key]; {
	case key == "" || word == name || taken && has.Name() == name:
	case taken:
		lost = append(lost, fmt.Sprintf("the command %s is %s of %s; %s of %s is called as %s",
			word, has.Name(), SourceOf(has), name, SourceOf(t), name))
	default:
		c.byWord[key] = t
		if !slices.Contains(OldNames(name), word) { // old names are not suggested
			c.words = append(c.words, word)
		}
	}
	return lost
}

// lowerWord returns the form in which words of commands are compared.
func lowerWord(word string) string { return strings.ToLower(strings.TrimSpace(word)) }

// All returns the tools that are commands, in the original order.
func (c *Commands) All() []Tool { return slices.Clone(c.all) }

// Find returns the tool that a word calls; ok is false if there is none.
func (c *Commands) Find(word string) (Tool, bool) {
	if t, ok := c.byWord[word]; ok {
		return t, true
	}
	t, ok := c.byWord[lowerWord(word)]
	return t, ok
}

// Parse parses a line such as "weather Berlin" or "/weather Berlin" into a tool and its arguments.
// The error is an [*Error] for the writer of the line: code tool_not_found with a nil tool, or an
// error of [ParseCommand].
func (c *Commands) Parse(line string) (Tool, json.RawMessage, error) {
	word, rest := cutWord(strings.TrimPrefix(strings.TrimSpace(line), "/"))
	t, ok := c.Find(word)
	if !ok {
		return nil, nil, c.NotFound(word)
	}
	args, err := ParseCommand(t, rest)
	return t, args, err
}

// NotFound returns the error for a word that calls no tool.
func (c *Commands) NotFound(word string) *Error {
	bad := Missing(event.CodeToolNotFound, "there is no command %q", word)
	if near := c.Nearest(word); near != "" {
		return bad.Suggest("did you mean " + near + "?")
	}
	return bad
}

// Nearest returns the word of a command most like word, or ""; see the function of that name.
func (c *Commands) Nearest(word string) string { return Nearest(word, c.words) }

// Nearest returns the first of words that is most like word, or "". At most two letters may differ or be swapped,
// fewer in a short word.
func Nearest(word string, words []string) (best string) {
	from := []rune(lowerWord(word))
	fewest := 3
	for _, w := range words {
		to := []rune(lowerWord(w))
		longest := max(len(from), len(to))
		if diff := len(from) - len(to); diff >= fewest || -diff >= fewest {
			continue
		}
		most := (longest - 1) / 2
		if len(from) > 0 && len(to) > 0 && from[0] != to[0] {
			most = longest / 4 // few people mistype the first letter
		}
		if d := editdistance.WithSwaps(from, to); d < fewest && d <= most {
			best, fewest = w, d
		}
	}
	return best
}
