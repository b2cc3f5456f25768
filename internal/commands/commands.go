// Package commands is the one table of what a person can ask of hob besides plain messages:
// /status, /log, /undo and the like.
//
// A row ([Command]) has a name, arguments, an audience and surfaces. Its Run returns a value
// ([Answer]). Terminal, Telegram and API render that same value. Help, completion and menus come
// from the same rows.
//
// # Invariants
//
//   - The zero value is the safe one: a row without further fields is for the owner at the terminal.
//   - [Command.Permit] alone decides who may do what. [Table.Run] asks it each time, also for a
//     choice.
//   - A choice below an answer is a command line, not a function. Picking it gives that command,
//     with no state kept and no right gained.
//   - Models, tool calls and MCP clients cannot reach a row: nothing here is a tool.
//
// The package declares the interfaces that its rows need ([Deps]); internal/app implements them. It
// knows no surface's code.
package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/markdown"
	"hob/internal/tools"
)

type Surfaces uint8

// The surfaces. A client on the socket of a running hob counts as the terminal.
const (
	Terminal   Surfaces = 1 << iota
	Telegram            // private chats and groups
	API                 // over TCP, with the token
	Page                // a browser
	Everywhere = Terminal | Telegram | API | Page
)

// Audience is who may call a command.
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
	Alias   string // another name, or ""
	Old     string // its name before this release, such as "jobs stop": people and programs may still call it by that, see [Table.Run]
	Args    []Arg
	Summary string // one line

	For     Audience
	On      Surfaces // zero: the terminal
	Private bool     // only if nobody else reads the chat
	Asks    bool     // with arguments it asks first, and runs if they end in yes
	Acts    bool     // not idempotent: after a crash it is reported, not repeated
	Own     bool     // only the person who gave it may pick the choices below its answer

	// Rights are the first words of arguments that change rights: there, a browser wants a new sign-in. "*" is any.
	Rights []string

	Run func(ctx context.Context, by Request) (Answer, error)
}

// Arg is an argument, or a group of words such as "yes|no".
type Arg struct {
	Name     string
	Required bool
	Words    []string // its possible values, for completion; empty: anything
}

// Usage returns the arguments as written: "[yes|no ID]".
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

// Level returns the lowest level that may call the command.
func (c Command) Level() event.Level {
	switch c.For {
	case Everybody:
		return event.User
	case Admins:
		return event.BotAdmin
	}
	return event.Owner
}

// ChangesRights reports whether the command changes rights with these arguments.
func (c Command) ChangesRights(args string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(args), " ")
	return slices.Contains(c.Rights, first) || first != "" && slices.Contains(c.Rights, "*")
}

// Request is a command that a person gives.
type Request struct {
	Surface Surfaces // zero: none, where nothing is permitted
	Chat    event.Chat
	From    string // id of the person
	event.Principal
	Args string
	Lang string // of the person's app, as an IETF tag such as "pt-br"; "": unknown
}

// isPrivate reports whether nobody else reads the answer.
func (r Request) isPrivate() bool { return r.Scope == "private" }

// caller returns the person as a caller of tools.
func (r Request) caller() tools.Caller {
	return tools.Caller{Chat: r.Chat, User: r.From, Principal: r.Principal}
}

// Answer is the result of a command.
type Answer struct {
	Text    string     `json:"text"`              // Markdown
	Data    any        `json:"data,omitempty"`    // the value, for programs
	Choices [][]Choice `json:"choices,omitempty"` // rows of commands to give next
}

// withHint returns the answer with a hint at its end, if there is one.
func (a Answer) withHint(hint string) Answer {
	if hint != "" {
		a.Text = strings.TrimPrefix(a.Text+"\n\n"+hint+".", "\n\n")
	}
	return a
}

// Choice is a command that can be given next.
type Choice struct {
	Label string `json:"label"`
	Line  string `json:"line"` // "/undo change 12"
}

// UsageError means that a command does not take the words behind it.
type UsageError struct{ text string }

func (e *UsageError) Error() string { return e.text }

func usageErrorf(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// UnknownError means that the caller has no such command here. It does not reveal whether others
// have it.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no command /%s here: /help lists them", e.Name)
}

// PrivateError means that the command needs a private chat.
type PrivateError struct{ Name string }

func (e *PrivateError) Error() string {
	return fmt.Sprintf("/%s is for a private chat with me", e.Name)
}

// allSurfaces returns the surfaces of the command.
func (c Command) allSurfaces() Surfaces {
	if c.On == 0 {
		return Terminal
	}
	return c.On
}

// Permit decides whether a request may run the command. Its error is an [*UnknownError] or a
// [*PrivateError].
func (c Command) Permit(by Request) error {
	switch {
	case c.allSurfaces()&by.Surface == 0 || by.Level < c.Level():
		return &UnknownError{c.Name}
	case c.Private && !by.isPrivate():
		return &PrivateError{c.Name}
	}
	return nil
}

// Table is all commands, in the order of the help. The zero Table has none.
type Table struct {
	rows      []Command
	translate Translation // nil: answers are English
}

// NewTable returns a table of commands.
func NewTable(rows ...Command) Table { return Table{rows: rows} }

// Translation translates the answer of a command of that name, or its error.
type Translation func(lang, name string, a Answer, err error) (Answer, error)

// Translated returns the table with answers in the language of who asks.
func (t Table) Translated(by Translation) Table {
	t.translate = by
	return t
}

// Summary says what a command does, in a language, as Markdown.
func (t Table) Summary(c Command, lang string) string {
	if t.translate == nil {
		return c.Summary
	}
	if a, err := t.translate(lang, "", Answer{Text: c.Summary}, nil); err == nil {
		return a.Text
	}
	return c.Summary
}

// All returns all commands.
func (t Table) All() []Command { return slices.Clone(t.rows) }

// For returns the commands that a request may run.
func (t Table) For(by Request) []Command {
	return slices.DeleteFunc(t.All(), func(c Command) bool { return c.Permit(by) != nil })
}

// Help is the value of a surface's help: what a command does.
type Help struct {
	Name    string `json:"name"`
	Args    string `json:"args"` // as written
	Summary string `json:"summary"`
}

// Help lists the commands that a request may run, for a surface that shows Markdown. It is no row of the table, as each surface
// has commands of its own beside.
func (t Table) Help(by Request) Answer {
	var b strings.Builder
	all := []Help{}
	for _, c := range t.For(by) {
		args, summary := c.Usage(), t.Summary(c, by.Lang)
		fmt.Fprintf(&b, "- `%s`: %s\n", strings.TrimSpace("/"+c.Name+" "+args), summary)
		all = append(all, Help{c.Name, args, markdown.Plain(summary)})
	}
	return Answer{Text: b.String(), Data: all}
}

// Find returns the command of a name, an alias or an old name on a surface. Case does not matter.
func (t Table) Find(name string, on Surfaces) (Command, bool) {
	name = strings.ToLower(strings.TrimPrefix(name, "/"))
	i := slices.IndexFunc(t.rows, func(c Command) bool {
		return name != "" && (c.Name == name || c.Alias == name || c.Old == name) && c.allSurfaces()&on != 0
	})
	if i < 0 {
		return Command{}, false
	}
	return t.rows[i], true
}

// Run runs a command if the request may. The answer to an old name, and an error, end with a hint. What the command changes is that person's.
func (t Table) Run(ctx context.Context, name string, by Request) (Answer, error) {
	name, args, hint := t.rename(name, strings.TrimSpace(by.Args))
	by.Args = args
	a, err := t.run(ctx, name, by)
	a = a.withHint(hint)
	note := Answer{}.withHint(hint)
	if t.translate != nil {
		a, err = t.translate(by.Lang, name, a, err)
		note, _ = t.translate(by.Lang, name, note, nil)
	}
	if err != nil && hint != "" {
		err = fmt.Errorf("%w\n%s", err, note.Text)
	}
	return a, err
}

// rename returns the name of today and the arguments of a line that calls a command by an old name, and the hint for
// whoever gave it. Another line stays as it is.
func (t Table) rename(name, args string) (today, rest, hint string) {
	name = strings.ToLower(strings.TrimPrefix(name, "/"))
	first, behind, _ := strings.Cut(args, " ")
	long := name + " " + strings.ToLower(first)
	for _, c := range t.rows {
		if c.Old == long {
			return c.Name, strings.TrimSpace(behind), OldNameHint(long, c.Name)
		}
	}
	for _, c := range t.rows {
		if c.Old == name && name != "" {
			return c.Name, args, OldNameHint(name, c.Name)
		}
	}
	return name, args, ""
}

// OldNameHint is the hint for whoever called a command by its old name.
func OldNameHint(old, today string) string {
	return fmt.Sprintf("/%s is called /%s now; the next release no longer knows /%s", old, today, old)
}

func (t Table) run(ctx context.Context, name string, by Request) (Answer, error) {
	c, ok := t.Find(name, by.Surface)
	if !ok {
		return Answer{}, &UnknownError{strings.TrimPrefix(name, "/")}
	}
	if err := c.Permit(by); err != nil {
		return Answer{}, err
	}
	ctx = event.WithCause(ctx, by.caller().Cause(c.Name))
	if c.Asks && by.Args != "" {
		args, sure := strings.CutSuffix(by.Args, " yes")
		if !sure {
			line := "/" + c.Name + " " + by.Args
			return Answer{Text: "Really `" + inlineCode(line) + "`?", Choices: [][]Choice{{{"Yes", line + " yes"}}}}, nil
		}
		by.Args = strings.TrimSpace(args)
	}
	return c.Run(ctx, by)
}

// Split splits a line such as "/undo 12" into the command's name and its arguments.
func Split(line string) (name, args string) {
	name, args, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "/"), " ")
	return strings.ToLower(name), strings.TrimSpace(args)
}

// Complete returns the completions of a line: names after a slash, then possible arguments.
func (t Table) Complete(line string, by Request) []string {
	rest, ok := strings.CutPrefix(line, "/")
	if !ok {
		return nil
	}
	words := strings.Split(rest, " ")
	last, before := words[len(words)-1], strings.TrimSuffix(line, words[len(words)-1])
	var known []string
	if len(words) == 1 {
		known = lists.Map(t.For(by), func(c Command) string { return c.Name })
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
