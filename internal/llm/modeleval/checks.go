package modeleval

import (
	"context"
	_ "embed" // system.md, checks.toml
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

//go:embed system.md
var system string

// The names of the checks that decide about the profile.
const (
	singleCall    = "single call"
	parallelCalls = "parallel calls"
	noneNeeded    = "none needed"
	nestedObject  = "nested object"
)

// check is a check of behaviour; see checks.toml.
type check struct {
	Name, Words string
	Replies     [][]wantedCall
	Says        []string
}

// wantedCall is a call that a right model makes, and its result.
type wantedCall struct {
	Tool   string
	With   map[string]string
	Result string
}

//go:embed checks.toml
var checksFile string

// behaviourChecks returns the checks of behaviour, and the tools that the model has in each of them.
func behaviourChecks() ([]check, []llm.ToolDefinition) {
	var file struct {
		Check []check
		Tool  []struct{ Name, Description, Parameters string }
	}
	if _, err := toml.Decode(checksFile, &file); err != nil {
		panic(err) // a mistake in the source
	}
	var tools []llm.ToolDefinition
	for _, t := range file.Tool {
		tools = append(tools, llm.ToolDefinition{Name: t.Name, Description: t.Description, Parameters: json.RawMessage(t.Parameters)})
	}
	return file.Check, tools
}

// run makes a check, and returns what went wrong, "" if nothing did. Its error is one of the model's.
func (c check) run(ctx context.Context, t *conversation) (string, error) {
	t.addUser(c.Words)
	for _, wanted := range c.Replies {
		r, err := t.ask(ctx)
		if err != nil || r.Class != toolcall.Calls || len(r.Calls) != len(wanted) {
			return describe(r), err
		}
		for _, w := range wanted {
			i := slices.IndexFunc(r.Calls, w.matches)
			if i < 0 {
				return describe(r), nil
			}
			t.addResult(r.Calls[i], w.Result)
		}
	}
	if c.Says == nil {
		return "", nil
	}
	r, err := t.ask(ctx)
	isSaid := func(part string) bool { return strings.Contains(strings.ToLower(r.Text), part) }
	if err != nil || r.Class != toolcall.Text || !slices.ContainsFunc(c.Says, isSaid) {
		return describe(r), err
	}
	return "", nil
}

// matches reports whether a call is the one that was wanted.
func (w wantedCall) matches(c toolcall.Call) bool { return c.Name == w.Tool && fits(c.Args, w.With) }

// fits reports whether each argument that has a pattern matches it from its begin to its end.
func fits(args json.RawMessage, with map[string]string) bool {
	for name, pattern := range with {
		if !regexp.MustCompile("^(?:" + pattern + ")$").MatchString(argument(args, name)) {
			return false
		}
	}
	return true
}

// argument returns an argument: a text as it is, anything else as JSON, and "" where there is none.
func argument(args json.RawMessage, name string) string {
	var object map[string]json.RawMessage
	_ = json.Unmarshal(args, &object) // what is no object has none
	if text := ""; json.Unmarshal(object[name], &text) == nil {
		return text
	}
	if object[name] == nil {
		return ""
	}
	return llm.CanonicalArgs(object[name])
}
