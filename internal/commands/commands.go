// Package commands is the one table of what a person can ask of hob besides words: /status, /log, /undo and the like. A
// row says how it is called, who may call it, on which surface and where; its Run returns a value. Terminal, Telegram and
// API render that same value, and help, completion and menus are made of the same rows.
//
// # Invariants
//
//   - The zero value is the safe one: a row that says nothing more is for the terminal, and for the owner.
//   - [Command.Permit] alone decides who may what; [Table.Run] asks it each time, for a choice that is picked as well.
//   - A choice below an answer is the line of a command, not a function: to pick it is to give that command. So it needs
//     nothing that is kept, and proves nothing.
//   - Models, tool calls and MCP clients cannot reach a row: nothing here is a tool.
//
// The package declares the interfaces that its rows need ([Deps]); internal/app implements them. It knows no surface's code.
package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
)

// Surfaces is a set of surfaces.
type Surfaces uint8

// The surfaces. Who speaks to the socket of a running hob is at the terminal: its commands do.
const (
	Terminal   Surfaces = 1 << iota
	Telegram            // people, and groups
	API                 // over TCP, with the token
	Everywhere = Terminal | Telegram | API
)

// Audience is who may call a row.
type Audience int

// The audiences, the smallest first.
const (
	Owners Audience = iota
	Admins
	Everybody
)

// Command is a row of the table.
type Command struct {
	Name    string // "status"
	Alias   string // another name; "" is none
	Args    []Arg
	Summary string // one line

	For     Audience
	On      Surfaces // zero: the terminal
	Private bool     // only where nobody else reads along
	Local   bool     // it needs this machine, such as a path here: only at the terminal
	Asks    bool     // with arguments it asks first, and runs when they end in yes
	Acts    bool     // to do it twice is not to do it once: cut short, it is reported and not done again
	Own     bool     // the choices below its answers are for whoever gave it

	Run func(ctx context.Context, by Request) (Answer, error)
}

// Arg is an argument, or words that belong together, such as "yes|no".
type Arg struct {
	Name     string
	Required bool
	Words    []string // that it can be, for completion; none: anything
}

// Usage is how the arguments are written: "[yes|no ID]".
func (c Command) Usage() string {
	var required, optional []string
	for _, a := range c.Args {
		if a.Required {
			required = append(required, a.Name)
		} else {
			optional = append(optional, a.Name)
		}
	}
	if len(optional) > 0 {
		required = append(required, "["+strings.Join(optional, " ")+"]")
	}
	return strings.Join(required, " ")
}

// Level is the lowest level that may call the row.
func (c Command) Level() event.Level {
	switch c.For {
	case Everybody:
		return event.User
	case Admins:
		return event.BotAdmin
	}
	return event.Owner
}

// Request is a command as somebody gives it.
type Request struct {
	Surface Surfaces // on which; zero is none, and nothing may be done there
	Chat    event.Chat
	From    string // id of the person
	event.Standing
	Args string
	Lang string // the language of their app, as an IETF tag such as "pt-br"; "" is unknown
}

// private reports whether nobody else reads the answer.
func (r Request) private() bool { return r.Scope == "private" }

// caller is who gives the command, as tools know them.
func (r Request) caller() tools.Caller {
	return tools.Caller{Chat: r.Chat, User: r.From, Standing: r.Standing}
}

// Answer is what comes of a command.
type Answer struct {
	Text    string     `json:"text"`              // Markdown
	Data    any        `json:"data,omitempty"`    // the value, for programs
	Choices [][]Choice `json:"choices,omitempty"` // rows of what can be done next
}

// Choice is a command that can be given next.
type Choice struct {
	Label string `json:"label"`
	Line  string `json:"line"` // "/undo change 12": to pick it is to give it
}

// UnknownError says that there is no such command for whoever gives it. Which there are for others it does not say.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no command /%s here: /help lists them", e.Name)
}

// PrivateError says that a command is not for where others read along.
type PrivateError struct{ Name string }

func (e *PrivateError) Error() string {
	return fmt.Sprintf("/%s is for a private chat with me", e.Name)
}

// surfaces are those that have the row.
func (c Command) surfaces() Surfaces {
	if c.On == 0 || c.Local {
		return Terminal
	}
	return c.On
}

// Permit decides whether somebody may call the row where they are. Its error is an [*UnknownError] or a [*PrivateError].
func (c Command) Permit(by Request) error {
	switch {
	case c.surfaces()&by.Surface == 0 || by.Level < c.Level():
		return &UnknownError{c.Name}
	case c.Private && !by.private():
		return &PrivateError{c.Name}
	}
	return nil
}

// Table is all rows, in the order in which help shows them. The zero Table has none.
type Table struct{ rows []Command }

// Rows returns a table of rows.
func Rows(rows ...Command) Table { return Table{rows} }

// All returns all rows.
func (t Table) All() []Command { return slices.Clone(t.rows) }

// For returns the rows that somebody may call where they are.
func (t Table) For(by Request) []Command {
	return slices.DeleteFunc(t.All(), func(c Command) bool { return c.Permit(by) != nil })
}

// Find returns the row of that name on a surface, in small and capital letters alike.
func (t Table) Find(name string, on Surfaces) (Command, bool) {
	name = strings.ToLower(strings.TrimPrefix(name, "/"))
	i := slices.IndexFunc(t.rows, func(c Command) bool { return name != "" && (c.Name == name || c.Alias == name) && c.surfaces()&on != 0 })
	if i < 0 {
		return Command{}, false
	}
	return t.rows[i], true
}

// Run does what a command says, if whoever gives it may.
func (t Table) Run(ctx context.Context, name string, by Request) (Answer, error) {
	c, ok := t.Find(name, by.Surface)
	if !ok {
		return Answer{}, &UnknownError{strings.TrimPrefix(name, "/")}
	}
	if err := c.Permit(by); err != nil {
		return Answer{}, err
	}
	if by.Args = strings.TrimSpace(by.Args); c.Asks && by.Args != "" {
		args, sure := strings.CutSuffix(by.Args, " yes")
		if !sure {
			line := "/" + c.Name + " " + by.Args
			return Answer{Text: "Really `" + code(line) + "`?", Choices: [][]Choice{{{"Yes", line + " yes"}}}}, nil
		}
		by.Args = strings.TrimSpace(args)
	}
	return c.Run(ctx, by)
}

// Split parts a line such as "/undo 12" into the name of the command and its arguments.
func Split(line string) (name, args string) {
	name, args, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "/"), " ")
	return strings.ToLower(name), strings.TrimSpace(args)
}

// Complete returns how a line can go on: names after a slash, then the words that an argument can be.
func (t Table) Complete(line string, by Request) []string {
	rest, ok := strings.CutPrefix(line, "/")
	if !ok {
		return nil
	}
	words := strings.Split(rest, " ")
	last, before := words[len(words)-1], strings.TrimSuffix(line, words[len(words)-1])
	var known []string
	if len(words) == 1 {
		for _, c := range t.For(by) {
			known = append(known, c.Name)
		}
	} else if c, ok := t.Find(words[0], by.Surface); ok && c.Permit(by) == nil && len(words)-2 < len(c.Args) {
		known = c.Args[len(words)-2].Words
	}
	var lines []string
	for _, word := range known {
		if strings.HasPrefix(word, strings.ToLower(last)) {
			lines = append(lines, before+word)
		}
	}
	return lines
}
