package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/tools"
)

// ToolSwitch is the tools and their switches.
type ToolSwitch interface {
	// CommandTools returns the tools that a person can call in a chat.
	CommandTools(ctx context.Context, chat event.Chat, of event.Principal) (*tools.Commands, error)
	// Switches returns all tools that have a switch, by name, with their state in a chat.
	Switches(ctx context.Context, chat event.Chat) ([]Switch, error)
	// SetSwitch switches a tool on or off, everywhere.
	SetSwitch(ctx context.Context, name string, on bool) error
	// SetSwitchIn switches a tool on or off in one chat. Where it is off everywhere it stays so. Nobody switches on what somebody
	// of a higher level has switched off there.
	SetSwitchIn(ctx context.Context, chat event.Chat, name string, by event.Level, on bool) error
}

// Switch is a tool and its state.
type Switch struct {
	Tool     string `json:"tool"`
	On       bool   `json:"on"`
	OffHere  bool   `json:"off_here,omitempty"` // in the chat, even if it is on
	Excluded bool   `json:"left_out,omitempty"` // by the configuration, even if it is on
	Story    bool   `json:"story,omitempty"`    // only stories use it
}

// FormatState returns the word for the state of a tool. Every surface shows it.
func FormatState(enabled bool) string {
	if enabled {
		return "ENABLED"
	}
	return "DISABLED"
}

// State returns the word for the state of the tool in the chat.
func (s Switch) State() string { return FormatState(s.On && !s.OffHere && !s.Excluded) }

// Label returns the tool and the state of its switch, for a button.
func (s Switch) Label() string { return s.Tool + ": " + FormatState(s.On) }

// LabelIn returns the tool and the state of its switch in a chat.
func (s Switch) LabelIn(chat event.Chat) string {
	return s.Tool + " in " + string(chat) + ": " + FormatState(!s.OffHere)
}

// ToolLine is a tool as a command.
type ToolLine struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Line  string `json:"line"`  // in one line
	About string `json:"about"` // its description
	Usage string `json:"usage"` // in several lines
}

// ToolList is the value of /tools.
type ToolList struct {
	Tools    []ToolLine `json:"tools"`
	Switches []Switch   `json:"switches,omitempty"` // for who may use them
}

// switchPage is the number of switches on a page. A phone can show a keyboard of that length.
// Telegram takes at most 100 buttons.
const switchPage = 24

// argHere is the argument of /tools that switches a tool in this chat alone.
const argHere = "here"

// tools lists the tools that a person can call, explains one, or switches one, everywhere or, with "here", in this chat. In private
// the owner also gets a choice for each tool, in pages. A choice names the new state, so it is idempotent.
func (d Deps) tools(ctx context.Context, by Request) (Answer, error) {
	words := strings.Fields(by.Args)
	switches := len(words) > 0 && (words[0] == "enable" || words[0] == "disable")
	switch {
	case switches && (len(words) == 2 || len(words) == 3 && words[2] == argHere):
		return d.switchTool(ctx, by, words[1], words[0] == "enable", len(words) == 3)
	case len(words) == 2 && words[0] == "page" && CanSwitchTools(by):
		return d.showSwitches(ctx, by, words[1])
	}
	index, err := d.Tools.CommandTools(ctx, by.Chat, by.Principal)
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
	// A disabled tool is no command, so it has no line.
	return ToolLine{t.Name(), FormatState(true), tools.Signature(t), t.Description(), tools.Usage(t)}
}

// listTools lists the tools, with the first page of switches if the person may use them.
func (d Deps) listTools(ctx context.Context, by Request, index *tools.Commands) (Answer, error) {
	list := ToolList{Tools: []ToolLine{}}
	var lines []string
	for _, t := range index.All() {
		line := newToolLine(t)
		list.Tools = append(list.Tools, line)
		if by.Surface == Terminal { // a line there is narrow, and has no buttons
			name, _, _ := strings.Cut(line.Line, " ")
			about, _, _ := strings.Cut(line.About, ". ")
			lines = append(lines, "- `/"+inlineCode(name)+"` "+escape(strings.TrimSuffix(about, ".")))
			continue
		}
		lines = append(lines, "- `/"+inlineCode(line.Line)+"` "+line.State)
	}
	a := Answer{Text: "**Tools.** Each is a command; /help and a name says more.\n" + strings.Join(lines, "\n"), Data: list}
	if len(lines) == 0 {
		a.Text = "There are no tools for you here."
	}
	if !CanSwitchToolsHere(by) {
		return a, nil
	}
	all, err := d.Tools.Switches(ctx, by.Chat)
	if err != nil {
		return Answer{}, err
	}
	everywhere := CanSwitchTools(by)
	if !everywhere { // others have switches for what they could call here
		all = slices.DeleteFunc(all, func(s Switch) bool {
			_, callable := index.Find(s.Tool)
			return !callable && !(s.OffHere && s.On && !s.Excluded)
		})
	}
	list.Switches = all
	a.Data = list
	var off, left []string
	for _, s := range all {
		switch {
		case s.Excluded:
			left = append(left, "`"+s.Tool+"`")
		case !s.On:
			off = append(off, "- `"+s.Tool+"` "+s.State())
		case s.OffHere:
			off = append(off, "- `"+s.Tool+"` "+s.State()+" in this chat")
		}
	}
	if len(off) > 0 {
		a.Text += "\n" + truncateLines(off, maxLines, ", on the pages of switches")
	}
	if len(left) > 0 {
		a.Text += "\n\nThe configuration leaves out " + strings.Join(left, ", ") + "."
	}
	if !everywhere {
		return a, nil
	}
	pages := pageSwitches(all)
	if by.Surface == Terminal {
		a.Text += "\n\n" + markdown.Escape("/tools disable NAME switches one off, /tools enable NAME on.")
	} else {
		a.Text += "\n\nSwitch one" + formatPage(pages, 0) + ":"
	}
	a.Choices = switchChoices(pages, 0)
	return a, nil
}

// pageSwitches divides the switches into pages, those of stories last. It leaves out the tools that
// the configuration excludes. It returns at least one page.
func pageSwitches(all []Switch) [][]Switch {
	var pages [][]Switch
	for _, story := range []bool{false, true} {
		some := slices.DeleteFunc(slices.Clone(all), func(s Switch) bool { return s.Excluded || s.Story != story })
		pages = slices.AppendSeq(pages, slices.Chunk(some, switchPage))
	}
	if len(pages) == 0 {
		pages = append(pages, nil)
	}
	return pages
}

// formatPage returns the number of a page in brackets, or "" if there is only one.
func formatPage(pages [][]Switch, at int) string {
	if len(pages) == 1 {
		return ""
	}
	of := ""
	if pages[at][0].Story {
		of = ", for stories"
	}
	return fmt.Sprintf(" (page %d of %d%s)", at+1, len(pages), of)
}

// switchChoices returns a choice for each tool of a page, and a row that leads to the pages beside
// it.
func switchChoices(pages [][]Switch, at int) (rows [][]Choice) {
	for _, s := range pages[at] {
		do := "enable"
		if s.On {
			do = "disable"
		}
		rows = append(rows, []Choice{{s.Label(), "/tools " + do + " " + s.Tool}})
	}
	var turn []Choice
	for _, to := range []int{at - 1, at + 1} {
		if to < 0 || to >= len(pages) {
			continue
		}
		label := pages[to][0].Tool + " … " + pages[to][len(pages[to])-1].Tool
		if to < at {
			label = "← " + label
		} else {
			label += " →"
		}
		turn = append(turn, Choice{label, fmt.Sprintf("/tools page %d", to+1)})
	}
	if len(turn) > 0 {
		rows = append(rows, turn)
	}
	return rows
}

// showSwitches shows one page of switches.
func (d Deps) showSwitches(ctx context.Context, by Request, number string) (Answer, error) {
	all, err := d.Tools.Switches(ctx, by.Chat)
	if err != nil {
		return Answer{}, err
	}
	pages := pageSwitches(all)
	n, err := parseNumber(number, 1, len(pages))
	if err != nil {
		return Answer{}, err
	}
	return Answer{
		Text: "**Switches**" + formatPage(pages, n-1) + ".", Choices: switchChoices(pages, n-1),
		Data: ToolList{Tools: []ToolLine{}, Switches: pages[n-1]},
	}, nil
}

// CanSwitchTools reports whether a person may switch tools everywhere.
func CanSwitchTools(by Request) bool { return by.Level >= event.Owner && by.isPrivate() }

// CanSwitchToolsHere reports whether a person may switch tools in this chat: who may open its skills may.
func CanSwitchToolsHere(by Request) bool { return canSwitchSkills(by) }

// switchTool switches a tool, everywhere or in this chat, and shows its page of switches again, or the list of the tools.
func (d Deps) switchTool(ctx context.Context, by Request, given string, on, here bool) (Answer, error) {
	switch {
	case here && !CanSwitchToolsHere(by):
		return Answer{}, errors.New("only an admin of the group can switch tools here")
	case !here && !CanSwitchTools(by):
		return Answer{}, errors.New("only an owner switches tools, in their private chat")
	}
	all, name, err := d.findSwitch(ctx, by, given)
	if err != nil {
		return Answer{}, err
	}
	if here {
		err = d.Tools.SetSwitchIn(ctx, by.Chat, name, by.Level, on)
	} else {
		err = d.Tools.SetSwitch(ctx, name, on)
	}
	if err != nil {
		return Answer{}, err
	}
	at := slices.IndexFunc(pageSwitches(all), func(page []Switch) bool {
		return slices.ContainsFunc(page, func(s Switch) bool { return s.Tool == name })
	})
	var a Answer
	switch by.Args = ""; {
	case by.Surface == Terminal: // it shows no list again
		a = switched(name, on, here)
	case !here && at > 0:
		a, err = d.showSwitches(ctx, by, strconv.Itoa(at+1))
	default:
		a, err = d.tools(ctx, by)
	}
	return a.withHint(tools.OldNameHint(given, name)), err
}

// switched says that a tool was switched, where no list has its new state, and offers to switch it back.
func switched(tool string, on, here bool) Answer {
	state, back, where := "off", "enable ", ""
	if on {
		state, back = "on", "disable "
	}
	line := "/tools " + back + tool
	if here {
		where, line = " in this chat", line+" "+argHere
	}
	return Answer{
		Text:    "`" + tool + "` is " + state + where + ".",
		Choices: [][]Choice{{{tool + ": " + FormatState(on), line}}},
	}
}

// findSwitch returns the switches, with their state in the chat of a request, and the name of today of the tool that a person means.
func (d Deps) findSwitch(ctx context.Context, by Request, name string) (all []Switch, today string, err error) {
	if all, err = d.Tools.Switches(ctx, by.Chat); err != nil {
		return nil, "", err
	}
	for _, today := range []string{name, tools.NameToday(name)} {
		if slices.ContainsFunc(all, func(s Switch) bool { return s.Tool == today }) {
			return all, today, nil
		}
	}
	return nil, "", fmt.Errorf("there is no tool %q: /tools lists them", name)
}
