package client

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/surface/cli"
)

// NewView returns the view that fits the output: JSON Lines for programs, a screen if it is a terminal, else a pipe.
func NewView(t *cli.Terminal, asJSON bool) View {
	switch {
	case asJSON:
		return &jsonView{cli.NewJSONLines(t.Out)}
	case cli.IsTerminal(t.Out):
		look := t.Look()
		look.Said = true
		return &Screen{t, cli.NewPrinter(t.Out, look)}
	}
	return &pipe{terminal: t, printer: cli.NewPrinter(t.Err, cli.Look{Alone: !cli.IsTerminal(t.In), Lang: t.Language()})}
}

// byNobody is who decides where nobody can be asked.
const byNobody = "nobody"

// jsonView prints the events of one turn as JSON Lines. Nobody is there to be asked.
type jsonView struct{ lines *cli.JSONLines }

func (v *jsonView) Event(e event.Event, own bool) error {
	if !own {
		return nil
	}
	return v.lines.Event(e)
}

func (v *jsonView) Ask(context.Context, event.Asked) (Decision, error) {
	return Decision{By: byNobody}, nil
}

// Screen is a view for a terminal: the reply appears while it is written.
type Screen struct {
	Terminal *cli.Terminal
	Printer  *cli.Printer
}

// Event implements [View].
func (v *Screen) Event(e event.Event, own bool) error {
	if _, said := e.Body.(event.Said); said && own {
		v.Printer.Know(e) // it is on the screen, as it was typed
		return nil
	}
	return v.Printer.Event(e)
}

// Ask implements [View].
func (v *Screen) Ask(ctx context.Context, q event.Asked) (Decision, error) {
	return askPermission(ctx, v.Terminal, q)
}

// pipe is a view for pipes: the model's reply goes to the output, everything else where errors go. A reply that is hob's own,
// because the model gave none, is no answer: it goes where errors go, too.
type pipe struct {
	terminal *cli.Terminal
	printer  *cli.Printer
	reply    event.Replied // of the own turn, until that has ended
}

func (v *pipe) Event(e event.Event, own bool) error {
	if !own {
		return v.printer.Event(e)
	}
	switch b := e.Body.(type) {
	case event.Replied:
		v.reply = b
		return nil
	case event.Ended:
		if b.Reason == event.NoModel || b.Reason == event.Broken {
			return v.printFailure(e)
		}
		if err := v.printReply(e); err != nil {
			return err
		}
	}
	return v.printer.Event(e)
}

// printFailure prints why there is no reply. The part of one that there is, is an answer all the same.
func (v *pipe) printFailure(end event.Event) error {
	answer, reason := splitReason(strings.TrimSpace(strings.TrimSuffix(v.reply.Text, v.reply.Receipt)))
	if answer != "" {
		fmt.Fprintln(v.terminal.Out, display.Clean(answer))
	}
	if v.reply.Receipt != "" {
		reason += "\n" + v.reply.Receipt
	}
	if _, err := fmt.Fprintf(v.terminal.Err, "hob: %s\n", reason); err != nil {
		return err
	}
	return v.printer.Event(event.Event{Chat: end.Chat, Turn: end.Turn, Body: event.Replied{Choices: v.reply.Choices}})
}

// printReply prints the reply of a turn that has ended, and what comes with it.
func (v *pipe) printReply(end event.Event) error {
	if _, err := fmt.Fprintln(v.terminal.Out, display.Clean(v.reply.Text)); err != nil {
		return err
	}
	beside := event.Replied{Effects: v.reply.Effects, Files: v.reply.Files, Choices: v.reply.Choices}
	return v.printer.Event(event.Event{Chat: end.Chat, Turn: end.Turn, Body: beside})
}

// splitReason splits a reply to which hob has added, as a last paragraph, the reason why it is not whole.
func splitReason(reply string) (answer, reason string) {
	if i := strings.LastIndex(reply, "\n\n"); i >= 0 {
		return reply[:i], reply[i+2:]
	}
	return "", reply
}

func (v *pipe) Ask(ctx context.Context, q event.Asked) (Decision, error) {
	return askPermission(ctx, v.terminal, q)
}

// askPermission asks the person at the terminal, if there is one.
func askPermission(ctx context.Context, t *cli.Terminal, q event.Asked) (Decision, error) {
	if !cli.IsTerminal(t.In) {
		return Decision{By: byNobody}, nil
	}
	w := cli.Words(q.Lang)
	prompt, yes, always := w.Text("ask"), cli.Answers(w, "yes"), []string(nil)
	if len(q.Grants) > 0 {
		prompt, always = w.Text("ask.always", cli.GrantTexts(w, q.Grants)), cli.Answers(w, "always")
	}
	answer, err := t.Prompt().Choose(ctx, prompt, slices.Concat(yes, always)...)
	d := Decision{Allow: answer != "", By: "owner"}
	if slices.Contains(always, answer) {
		d.Grants = q.Grants
	}
	return d, err
}
