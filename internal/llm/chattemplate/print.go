package chattemplate

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/ollama/ollama/api"
)

// Bounds of one prompt of a probe.
const (
	maxSteps  = 200_000   // nodes that are executed, and 16 bytes each of values that are made on the way
	maxOutput = 256 << 10 // bytes
	maxValue  = 64 << 10  // bytes of one value that is made on the way
)

var (
	errLong  = errors.New("it prints more than any prompt needs")
	errLoops = errors.New("it does not come to an end")
	errFails = errors.New("it cannot print a conversation")
)

// printer prints conversations with a template.
type printer struct {
	template *template.Template
	names    []string // of the fields and variables in it
	steps    *int     // that the prompt has left
}

// newPrinter parses a template. The functions are those that Ollama gives to templates, and Go's own except for those that
// nobody's template needs.
func newPrinter(text string) (*printer, error) {
	p := &printer{steps: new(int)}
	count := func(steps int) (string, error) { //nolint:unparam // a template prints what a function returns: nothing here
		if *p.steps -= max(steps, 1); *p.steps < 0 { // a template may name the function, too
			return "", errLoops
		}
		return "", nil
	}
	bounded := func(s string) (string, error) {
		if len(s) > maxValue {
			return "", errLong
		}
		_, err := count(len(s) / 16)
		return s, err
	}
	refuse := func(...any) (string, error) { return "", errFails }
	t := template.New("").Option("missingkey=zero").Funcs(template.FuncMap{
		"json": func(v any) (string, error) {
			raw, err := json.Marshal(v)
			if err != nil {
				return "", err
			}
			return bounded(string(raw))
		},
		"currentDate":      func(...string) string { return "2026-01-02" },
		"yesterdayDate":    func(...string) string { return "2026-01-01" },
		"toTypeScriptType": typeScriptType,
		"print":            func(v ...any) (string, error) { return bounded(fmt.Sprint(v...)) },
		"println":          func(v ...any) (string, error) { return bounded(fmt.Sprintln(v...)) },
		"printf":           func(form string, v ...any) (string, error) { return bounded(fmt.Sprintf(form, v...)) },
		"html":             refuse, "js": refuse, "urlquery": refuse, "call": refuse,
		stepName: count,
	})
	var err error
	if p.template, err = t.Parse(text); err != nil {
		return nil, errors.New("it is not in the language of Ollama's templates")
	}
	for _, part := range p.template.Templates() {
		if part.Tree == nil {
			continue
		}
		p.names = append(p.names, namesIn(part.Root)...)
		for _, list := range lists(part.Root) {
			step, err := template.New("").Funcs(template.FuncMap{stepName: count}).Parse(fmt.Sprintf("{{%s %d}}", stepName, size(list)))
			if err != nil {
				return nil, err
			}
			list.Nodes = append(step.Root.Nodes, list.Nodes...)
		}
	}
	return p, nil
}

// stepName is the function that counts the steps of a prompt. Each list of nodes begins with it.
const stepName = "hobCountSteps"

// lists returns all lists of nodes in n.
func lists(n parse.Node) (all []*parse.ListNode) {
	walk(n, func(n parse.Node) bool {
		if list, ok := n.(*parse.ListNode); ok {
			all = append(all, list)
		}
		return true
	})
	return all
}

// size is how many nodes a list has, without those of the lists in it.
func size(list *parse.ListNode) int {
	nodes := 0
	walk(list, func(n parse.Node) bool {
		nodes++
		_, below := n.(*parse.ListNode)
		return !below || n == list
	})
	return nodes
}

// walk calls visit with n and the nodes below it, except for those below a node for which it returns false.
func walk(n parse.Node, visit func(parse.Node) bool) {
	if n == nil || reflect.ValueOf(n).IsNil() || !visit(n) {
		return
	}
	branch := func(b *parse.BranchNode) {
		walk(b.Pipe, visit)
		walk(b.List, visit)
		walk(b.ElseList, visit)
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, below := range n.Nodes {
			walk(below, visit)
		}
	case *parse.ActionNode:
		walk(n.Pipe, visit)
	case *parse.TemplateNode:
		walk(n.Pipe, visit)
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			walk(c, visit)
		}
	case *parse.CommandNode:
		for _, arg := range n.Args {
			walk(arg, visit)
		}
	case *parse.ChainNode:
		walk(n.Node, visit)
	}
}

// values are what a request has beside its messages.
type values struct{ tools, think bool }

// prompts prints each of the conversations. A prompt at which the template fails is empty: the server answers such a
// request with an error.
func (p *printer) prompts(conversations [][]message, v values) ([]string, error) {
	var all []string
	for _, c := range conversations {
		prompt, err := p.print(c, v)
		if err != nil && !errors.Is(err, errFails) {
			return nil, err
		}
		all = append(all, prompt)
	}
	return all, nil
}

// print returns the prompt of one conversation, as Ollama has it printed.
func (p *printer) print(messages []message, v values) (string, error) {
	data := map[string]any{"Messages": pointers(messages), "Response": "", "Think": v.think, "ThinkLevel": "", "IsThinkSet": true}
	data["System"], data["Tools"] = systemOf(messages), toolList(nil)
	if v.tools {
		data["Tools"] = offered()
	}
	*p.steps = maxSteps
	var out limited
	if err := p.template.Execute(&out, data); err != nil {
		for _, known := range []error{errLong, errLoops} {
			if errors.Is(err, known) {
				return "", known
			}
		}
		return "", errFails
	}
	return out.String(), nil
}

func pointers(messages []message) []*message {
	all := make([]*message, len(messages))
	for i := range messages {
		all[i] = &messages[i]
	}
	return all
}

func systemOf(messages []message) string {
	for _, m := range messages {
		if m.Role == "system" {
			return m.Content
		}
	}
	return ""
}

// limited collects an output of at most maxOutput bytes.
type limited struct{ strings.Builder }

func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > maxOutput {
		return 0, errLong
	}
	return l.Builder.Write(b)
}

// The data of a template, with the names that Ollama gives them. Lists and objects print as JSON.
type (
	message struct {
		Role, Content, Thinking string
		Images                  []api.ImageData
		ToolCalls               []toolCall
		ToolName, ToolCallID    string
	}
	toolCall struct {
		ID       string
		Function calledFunction
	}
	calledFunction struct {
		Index     int
		Name      string
		Arguments arguments
	}
	arguments map[string]any
	toolList  []tool
	tool      struct {
		Type     string   `json:"type"`
		Items    any      `json:"items,omitempty"`
		Function function `json:"function"`
	}
	function struct {
		Name        string     `json:"name"`
		Description string     `json:"description"`
		Parameters  parameters `json:"parameters"`
	}
	parameters struct {
		Type       string     `json:"type"`
		Defs       any        `json:"$defs,omitempty"`
		Items      any        `json:"items,omitempty"`
		Required   []string   `json:"required,omitempty"`
		Properties properties `json:"properties"`
	}
	properties map[string]api.ToolProperty
)

func (a arguments) String() string  { return asJSON(a) }
func (l toolList) String() string   { return asJSON(l) }
func (t tool) String() string       { return asJSON(t) }
func (f function) String() string   { return asJSON(f) }
func (p properties) String() string { return asJSON(p) }

func asJSON(v any) string {
	raw, _ := json.Marshal(v) // of the types above: it cannot fail
	return string(raw)
}

// offered are the tools of the probes.
func offered() toolList {
	var all toolList
	for _, name := range []string{firstTool, calledTool, secondTool} {
		all = append(all, tool{Type: "function", Function: function{
			Name: name, Description: "probes", Parameters: parameters{
				Type: "object", Required: []string{"path"},
				Properties: properties{"path": {Type: api.PropertyType{"string"}, Description: "a path"}},
			},
		}})
	}
	return all
}

func typeScriptType(v any) string {
	switch p := v.(type) {
	case api.ToolProperty:
		return p.ToTypeScriptType()
	case *api.ToolProperty:
		if p != nil {
			return p.ToTypeScriptType()
		}
	}
	return "any"
}
