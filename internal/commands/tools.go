package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/tools"
)

// ToolSwitch is the tools and their switches.
type ToolSwitch interface {
	// CommandTools returns the tools that a person can call in a chat.
	CommandTools(ctx context.Context, chat event.Chat, of event.Standing) (*tools.Commands, error)
	// Switches returns all tools that have a switch, by name.
	Switches(ctx context.Context) ([]Switch, error)
	// SetSwitch switches a tool on or off.
	SetSwitch(ctx context.Context, name string, on bool) error
}

// Switch is a tool and its state.
type Switch struct {
	Tool     string `json:"tool"`
	On       bool   `json:"on"`
	Excluded bool   `json:"left_out,omitempty"` // by the configuration, even if it is on
}

// Label returns the tool and its state for a button.
func (s Switch) Label() string {
	if s.On {
		return s.Tool + ": ENABLED"
	}
	return s.Tool + ": DISABLED"
}

// ToolLine is a tool as a command.
type ToolLine struct {
	Name  string `json:"name"`
	Line  string `json:"line"`  // in one line
	About string `json:"about"` // its description
	Usage string `json:"usage"` // in several lines
}

// toolList is the value of /tools.
type toolList struct {
	Tools    []ToolLine `json:"tools"`
	Switches []Switch   `json:"switches,omitempty"` // for the owner
}

// tools lists the tools that a person can call, explains one, or switches one. In private the owner
// also gets a choice for each tool. A choice names the new state, so it is idempotent.
func (d Deps) tools(ctx context.Context, by Request) (Answer, error) {
	words := strings.Fields(by.Args)
	if len(words) == 2 && (words[0] == "enable" || words[0] == "disable") {
		return d.switchTool(ctx, by, words[1], words[0] == "enable")
	}
	index, err := d.Tools.CommandTools(ctx, by.Chat, by.Standing)
	if err != nil {
		return Answer{}, err
	}
	if len(words) > 0 {
		return explainTool(index, by.Args)
	}
	return d.listTools(ctx, by, index)
}

// explainTool shows how a tool is called.
func explainTool(index *tools.Commands, name string) (Answer, error) {
	name = strings.TrimPrefix(name, "/")
	if t, ok := index.Find(name); ok {
		return Answer{Text: markdown.Fenced(strings.TrimSuffix("/"+tools.Usage(t), "\n")), Data: newToolLine(t)}, nil
	}
	if near := index.Nearest(name); near != "" {
		return Answer{}, fmt.Errorf("there is no tool %q here: did you mean %s?", name, near)
	}
	return Answer{}, fmt.Errorf("there is no tool %q here: /tools lists them", name)
}

func newToolLine(t tools.Tool) ToolLine {
	return ToolLine{t.Name(), tools.Signature(t), t.Description(), tools.Usage(t)}
}

// listTools lists the tools, with a switch for each if the person may use it.
func (d Deps) listTools(ctx context.Context, by Request, index *tools.Commands) (Answer, error) {
	list := toolList{Tools: []ToolLine{}}
	var lines, left []string
	for _, t := range index.All() {
		list.Tools = append(list.Tools, newToolLine(t))
		lines = append(lines, "- `/"+inlineCode(tools.Signature(t))+"`")
	}
	a := Answer{Text: "**Tools.** Each is a command; /help and a name says more.\n" + strings.Join(lines, "\n"), Data: list}
	if len(lines) == 0 {
		a.Text = "There are no tools for you here."
	}
	if !canSwitchTools(by) {
		return a, nil
	}
	all, err := d.Tools.Switches(ctx)
	if err != nil {
		return Answer{}, err
	}
	list.Switches = all
	a.Data = list
	a.Text += "\n\nSwitch one:"
	for _, s := range all {
		if s.Excluded {
			left = append(left, "`"+s.Tool+"`")
			continue
		}
		do := "enable"
		if s.On {
			do = "disable"
		}
		a.Choices = append(a.Choices, []Choice{{s.Label(), "/tools " + do + " " + s.Tool}})
	}
	if len(left) > 0 {
		a.Text += "\n\nThe configuration leaves out " + strings.Join(left, ", ") + "."
	}
	return a, nil
}

// canSwitchTools reports whether a person may switch tools in this chat.
func canSwitchTools(by Request) bool { return by.Level >= event.Owner && by.isPrivate() }

// switchTool switches a tool and lists the tools again.
func (d Deps) switchTool(ctx context.Context, by Request, name string, on bool) (Answer, error) {
	if !canSwitchTools(by) {
		return Answer{}, errors.New("only an owner switches tools, in their private chat")
	}
	all, err := d.Tools.Switches(ctx)
	if err != nil {
		return Answer{}, err
	}
	if !slices.ContainsFunc(all, func(s Switch) bool { return s.Tool == name }) {
		return Answer{}, fmt.Errorf("there is no tool %q: /tools lists them", name)
	}
	if err := d.Tools.SetSwitch(ctx, name, on); err != nil {
		return Answer{}, err
	}
	by.Args = ""
	return d.tools(ctx, by)
}
