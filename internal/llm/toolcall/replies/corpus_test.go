// Package replies holds what the reader of tool calls is measured with: raw replies of models with the label that a careful
// person gives them, and a generator that makes more of them. A test holds the labels against a rule that says whether a
// reply is prose or meant as a call.
//
// The replies, their labels and the rule share no idea with the reader, so that an error of the one does not hide in the other:
// of all files here reader_test.go alone imports it, and measures it. There is nothing but tests.
//
// ../testdata/replies/hand.jsonl holds one [Reply] a line, written and labelled by hand; blind.jsonl holds such that were written
// before anybody looked at the reader, which is never changed for the sake of one of them, and frameworks.jsonl one of each shape
// that chat templates and frameworks of agents have. ../testdata/replies/tools.json holds the tools that they may call, as a [Box].
// The folder stranger holds replies that somebody wrote who knew nothing of the reader, and the tools of those.
package replies

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
)

// The classes of a label.
const (
	ClassCall = "call" // there is no doubt which calls are meant
	ClassAsk  = "ask"  // a call is meant, but it is not certain which; Calls are the likely ones, if any
	ClassText = "text" // prose: nothing may run, and nobody is asked
)

// A Call is one call of a tool, its arguments as its schema wants them.
type Call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// A Label says what a careful reader makes of a reply. RunOnly: the arguments are damaged, so that these exact ones or a
// refusal are right and nothing else.
type Label struct {
	Class   string `json:"class"`
	Calls   []Call `json:"calls,omitempty"`
	RunOnly bool   `json:"run_only,omitempty"`
}

// A Reply is one reply of a model. Tools names a set of the [Box]; User is the person's message, if it matters.
type Reply struct {
	Shape      string `json:"shape"`
	Tools      string `json:"tools"`
	User       string `json:"user,omitempty"`
	DoneReason string `json:"done_reason,omitempty"`
	Raw        string `json:"raw"`
	Want       Label  `json:"want"`
}

// A Box holds all tools in the form of Ollama, which names make up which set, and which tools only look.
type Box struct {
	Sets  map[string][]string `json:"sets"`
	Looks []string            `json:"looks"`
	Tools []Tool              `json:"tools"`
}

// A Tool is a tool's definition as it goes to Ollama; Raw is its JSON.
type Tool struct {
	Name string
	Raw  json.RawMessage
}

// UnmarshalJSON keeps the definition and reads its name.
func (t *Tool) UnmarshalJSON(b []byte) error {
	var d struct{ Function struct{ Name string } }
	if err := json.Unmarshal(b, &d); err != nil {
		return err
	}
	t.Name, t.Raw = d.Function.Name, slices.Clone(b)
	return nil
}

// Set gives the tools of a set, in the order of the box.
func (b Box) Set(name string) []Tool {
	var out []Tool
	for _, t := range b.Tools {
		if slices.Contains(b.Sets[name], t.Name) {
			out = append(out, t)
		}
	}
	return out
}

// Look says whether all of these calls are of tools that only look.
func (b Box) Look(calls []Call) bool {
	return !slices.ContainsFunc(calls, func(c Call) bool { return !slices.Contains(b.Looks, c.Name) })
}

// Read reads tools.json and a file of replies of a folder.
func Read(dir fs.FS, file string) (Box, []Reply, error) {
	var box Box
	b, err := fs.ReadFile(dir, "tools.json")
	if err != nil {
		return box, nil, fmt.Errorf("read the tools: %w", err)
	}
	if err := json.Unmarshal(b, &box); err != nil {
		return box, nil, fmt.Errorf("read tools.json: %w", err)
	}
	f, err := dir.Open(file)
	if err != nil {
		return box, nil, fmt.Errorf("read the replies: %w", err)
	}
	defer f.Close()
	var out []Reply
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r Reply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return box, nil, fmt.Errorf("read line %d of %s: %w", len(out)+1, file, err)
		}
		out = append(out, r)
	}
	return box, out, lines.Err()
}
