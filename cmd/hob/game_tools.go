package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/rules"
)

func gameToolsCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "tools [NAME]", Short: "list the tools of the game, or explain one",
		Args:    wants(0, 1, "name one tool: hob game tools move_player"),
		Example: "  hob game tools\n  hob game tools move_player",
		RunE: does(func(_ context.Context, args []string) error {
			book, err := game.Rules()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listGameTools(book, asJSON)
			}
			tool, err := gameTool(book, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(toolJSON(tool))
			}
			return a.explainGameTool(tool)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// gameTool returns the tool of that name.
func gameTool(book *rules.Book, name string) (*rules.Tool, error) {
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
		return nil, exit.Errorf(exit.Usage, "the game has no tool %q: did you mean %s?", name, strings.Join(near, " or "))
	}
	return nil, exit.Errorf(exit.Usage, "the game has no tool %q: hob game tools lists those that it has", name)
}

func (a *program) listGameTools(book *rules.Book, asJSON bool) error {
	if asJSON {
		list := []gameToolJSON{}
		for _, name := range book.Names() {
			list = append(list, toolJSON(book.Tool(name)))
		}
		return a.printJSON(list)
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, name := range book.Names() {
		first, _, more := strings.Cut(book.Tool(name).Doc, ". ")
		if more {
			first += "."
		}
		fmt.Fprintf(w, "%s\t%s\n", name, first)
	}
	return w.Flush()
}

func (a *program) explainGameTool(t *rules.Tool) error {
	fmt.Fprintf(a.stdout, "%s\n%s\n", gameUsage(t), t.Doc)
	if t.Class == rules.Reading {
		fmt.Fprintln(a.stdout, "It changes nothing.")
	}
	if len(t.Params) == 0 {
		return nil
	}
	fmt.Fprintln(a.stdout)
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for i := range t.Params {
		p := &t.Params[i]
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, paramKind(p), p.Doc)
	}
	return w.Flush()
}

// gameUsage is how a tool of the game is called.
func gameUsage(t *rules.Tool) string {
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

// paramKind says what an argument must be.
func paramKind(p *rules.Param) string {
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
	switch t {
	case rules.ID, rules.Text, rules.Any0:
		return "text"
	case rules.Int:
		return "number"
	case rules.Flag:
		return "true|false"
	case rules.List:
		return "list"
	case rules.Object:
		return "object"
	}
	return "any"
}

// gameToolJSON is a tool in `hob game tools --json`.
type gameToolJSON struct {
	Tool  string        `json:"tool"`
	Doc   string        `json:"description"`
	Reads bool          `json:"reads"` // it changes nothing
	Args  []gameArgJSON `json:"args"`
}

type gameArgJSON struct {
	Name string   `json:"name"`
	Type string   `json:"type"`
	Need bool     `json:"needed"`
	Enum []string `json:"enum,omitempty"`
	Min  *int64   `json:"min,omitempty"`
	Max  *int64   `json:"max,omitempty"`
	Doc  string   `json:"description"`
}

func toolJSON(t *rules.Tool) gameToolJSON {
	v := gameToolJSON{Tool: t.Name, Doc: t.Doc, Reads: t.Class == rules.Reading, Args: []gameArgJSON{}}
	for i := range t.Params {
		p := &t.Params[i]
		arg := gameArgJSON{Name: p.Name, Type: typeName(p.Type), Need: p.Need, Enum: p.Enum, Doc: p.Doc}
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
