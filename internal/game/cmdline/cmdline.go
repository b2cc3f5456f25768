// Package cmdline is the game's tools on a command line: how one is called, what its arguments are, and words read as arguments.
//
//	args, err := cmdline.Read(book, []string{"move_player", "player_id=pc_001", "target_location_id=area_002"})
//	call := args.Call(session)
//
// Its errors are sentences for the person who wrote the words. The JSON of a [Tool] is what `hob game tools --json` prints.
package cmdline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/lists"
)

// Find returns the tool of that name.
func Find(book *rules.Book, name string) (*rules.Tool, error) {
	if tool := book.Tool(name); tool != nil {
		return tool, nil
	}
	var near []string
	for _, known := range book.Names() {
		if name != "" && (strings.Contains(known, name) || strings.Contains(name, known)) {
			near = append(near, known)
		}
	}
	if len(near) > 0 {
		return nil, fmt.Errorf("the game has no tool %q: did you mean %s?", name, strings.Join(near, " or "))
	}
	return nil, fmt.Errorf("the game has no tool %q: hob game tools lists those that it has", name)
}

// Usage returns how a tool is called.
func Usage(t *rules.Tool) string {
	var b strings.Builder
	b.WriteString(t.Name)
	for _, need := range []bool{true, false} {
		for i := range t.Params {
			switch p := &t.Params[i]; {
			case p.Need && need && (p.Name != "session_id" || !t.Session):
				b.WriteString(" " + p.Name + "=...")
			case !p.Need && !need:
				b.WriteString(" [" + p.Name + "=...]")
			}
		}
	}
	return b.String()
}

// Kind returns the values that an argument may have, in words.
func Kind(p *rules.Param) string {
	kind := typeName(p.Type)
	switch {
	case len(p.Enum) > 0:
		kind = strings.Join(p.Enum, "|")
	case p.Max != 0:
		kind += " " + strconv.FormatInt(p.Min, 10) + " to " + strconv.FormatInt(p.Max, 10)
	}
	if p.Need {
		kind += ", needed"
	}
	return kind
}

// typeName names the type of an argument.
func typeName(t rules.Type) string {
	return cmp.Or(map[rules.Type]string{
		rules.ID: "text", rules.Text: "text", rules.Any0: "text", rules.Int: "number", rules.Flag: "true|false",
		rules.List: "list", rules.Object: "object",
	}[t], "any")
}

// Tool describes a tool to a program.
type Tool struct {
	Name  string `json:"tool"`
	Doc   string `json:"description"`
	Reads bool   `json:"reads"` // it changes nothing
	Args  []Arg  `json:"args"`
}

// Arg describes an argument of a [Tool].
type Arg struct {
	Name string   `json:"name"`
	Type string   `json:"type"`
	Need bool     `json:"needed"`
	Enum []string `json:"enum,omitempty"`
	Min  *int64   `json:"min,omitempty"`
	Max  *int64   `json:"max,omitempty"`
	Doc  string   `json:"description"`
}

// Describe returns the description of a tool.
func Describe(t *rules.Tool) Tool {
	v := Tool{Name: t.Name, Doc: t.Doc, Reads: t.Class == rules.Reading, Args: []Arg{}}
	for i := range t.Params {
		p := &t.Params[i]
		arg := Arg{Name: p.Name, Type: typeName(p.Type), Need: p.Need, Enum: p.Enum, Doc: p.Doc}
		if p.Type == rules.Flag {
			arg.Type = "boolean"
		}
		if p.Max != 0 {
			arg.Min, arg.Max = &p.Min, &p.Max
		}
		v.Args = append(v.Args, arg)
	}
	return v
}

// List returns the descriptions of all tools of a book.
func List(book *rules.Book) []Tool {
	return lists.Map(book.Names(), func(name string) Tool { return Describe(book.Tool(name)) })
}

// Args are the arguments of a call of a tool.
type Args struct {
	tool  *rules.Tool
	raw   json.RawMessage   // as JSON, nil where they are words
	words map[string]string // by key
}

// Read reads words as the name of a tool and its arguments: one JSON object, which is taken as it is, or key=value.
func Read(book *rules.Book, words []string) (Args, error) {
	tool, err := Find(book, words[0])
	if err != nil {
		return Args{}, err
	}
	return readArgs(tool, words[1:])
}

func readArgs(tool *rules.Tool, words []string) (Args, error) {
	a := Args{tool: tool, words: map[string]string{}}
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		if a.raw = json.RawMessage(words[0]); !json.Valid(a.raw) {
			return a, errors.New("the arguments are no whole JSON object: mend them, or write key=value")
		}
		return a, nil
	}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok || !isName(key) {
			return a, fmt.Errorf("%q is no key=value: hob game tools %s shows the arguments", word, tool.Name)
		}
		if _, twice := a.words[key]; twice {
			return a, fmt.Errorf("%s is given twice", key)
		}
		a.words[key] = value
	}
	return a, nil
}

// isName reports whether an argument can have such a name.
func isName(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// Call returns the call in a campaign with that session. A tool that asks for the session gets it, unless the arguments are JSON.
func (a Args) Call(session string) rules.Call {
	if a.raw != nil {
		return rules.Call{Tool: a.tool.Name, Args: a.raw}
	}
	args := map[string]any{}
	for key, value := range a.words {
		args[key] = valueOf(paramOf(a.tool, key), value)
	}
	if _, given := a.words["session_id"]; a.tool.Session && !given {
		args["session_id"] = session
	}
	raw, err := json.Marshal(args) // of strings and of valid JSON: it cannot fail
	if err != nil {
		raw = nil
	}
	return rules.Call{Tool: a.tool.Name, Args: raw}
}

// valueOf reads a word as the value of a parameter: text, unless the parameter has another type and the word is JSON. A list may have
// commas between its items instead.
func valueOf(p *rules.Param, word string) any {
	if p == nil || p.Type == rules.ID || p.Type == rules.Text || p.Type == rules.Any0 {
		return word
	}
	if json.Valid([]byte(word)) {
		return json.RawMessage(word)
	}
	if p.Type != rules.List {
		return word
	}
	list := strings.Split(word, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// paramOf returns the parameter of that name, in snake_case or camelCase; nil where there is none.
func paramOf(tool *rules.Tool, name string) *rules.Param {
	name = strings.ReplaceAll(name, "_", "")
	for i := range tool.Params {
		if strings.EqualFold(strings.ReplaceAll(tool.Params[i].Name, "_", ""), name) {
			return &tool.Params[i]
		}
	}
	return nil
}
