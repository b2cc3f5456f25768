package main

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/surface/cli"
)

// view is how a turn is shown: as JSON Lines, streaming on a terminal, or the reply alone where stdout is a pipe.
func (a *program) view(asJSON bool) client.View {
	switch {
	case asJSON:
		return &jsonView{cli.NewJSONLines(a.stdout)}
	case isTerminal(a.stdout):
		look := a.look()
		look.Said = true
		return &screen{a, cli.NewPrinter(a.stdout, look)}
	}
	return &piped{app: a, printer: cli.NewPrinter(a.Stderr, cli.Look{})}
}

// look is what stdout is.
func (a *program) look() cli.Look {
	width, height := a.size()
	return cli.Look{Colour: a.color(), Width: width, Height: height, Live: true}
}

// jsonView prints the events of one turn as JSON Lines. Nobody is there to be asked.
type jsonView struct{ lines *cli.JSONLines }

func (v *jsonView) Event(e event.Event, own bool) error {
	if !own {
		return nil
	}
	return v.lines.Event(e)
}

func (v *jsonView) Ask(context.Context, event.Asked) (client.Decision, error) {
	return client.Decision{By: "nobody"}, nil
}

// screen is for a terminal: the reply appears as it is written.
type screen struct {
	app     *program
	printer *cli.Printer
}

func (v *screen) Event(e event.Event, own bool) error {
	if _, said := e.Body.(event.Said); said && own {
		v.printer.Know(e) // it stands there, as it was typed
		return nil
	}
	return v.printer.Event(e)
}

func (v *screen) Ask(ctx context.Context, q event.Asked) (client.Decision, error) {
	return v.app.permission(ctx, q)
}

// piped is for pipes: the model's reply on stdout, everything else on stderr. A reply that is hob's own, because the
// model gave none, is no answer and goes to stderr, too.
type piped struct {
	app     *program
	printer *cli.Printer
	reply   event.Replied // of the own turn, until it is known how that ended
}

func (v *piped) Event(e event.Event, own bool) error {
	switch b := e.Body.(type) {
	case event.Replied:
		if own {
			v.reply = b
			return nil
		}
	case event.Ended:
		if own && (b.Reason == event.NoModel || b.Reason == event.Broken) {
			answer, why := parted(strings.TrimSpace(strings.TrimSuffix(v.reply.Text, v.reply.Receipt)))
			if answer != "" { // what had come of it is an answer all the same
				fmt.Fprintln(v.app.stdout, display.Clean(answer))
			}
			if v.reply.Receipt != "" {
				why += "\n" + v.reply.Receipt
			}
			_, err := fmt.Fprintf(v.app.Stderr, "hob: %s\n", why)
			return err
		}
		if own {
			if _, err := fmt.Fprintln(v.app.stdout, display.Clean(v.reply.Text)); err != nil {
				return err
			}
			beside := event.Replied{Effects: v.reply.Effects, Files: v.reply.Files, Choices: v.reply.Choices}
			if err := v.printer.Event(event.Event{Chat: e.Chat, Turn: e.Turn, Body: beside}); err != nil {
				return err
			}
		}
	}
	return v.printer.Event(e)
}

// parted parts a reply to which hob has added, as a last paragraph, why there is no more of it.
func parted(reply string) (answer, why string) {
	if i := strings.LastIndex(reply, "\n\n"); i >= 0 {
		return reply[:i], reply[i+2:]
	}
	return "", reply
}

func (v *piped) Ask(ctx context.Context, q event.Asked) (client.Decision, error) {
	return v.app.permission(ctx, q)
}

// permission asks the person at the terminal, if there is one.
func (a *program) permission(ctx context.Context, q event.Asked) (client.Decision, error) {
	if !isTerminal(a.stdin) {
		return client.Decision{By: "nobody"}, nil
	}
	prompt, answers := "Allow it? [y/N]", []string{"y", "yes"}
	if len(q.Grants) > 0 {
		var all []string
		for _, g := range q.Grants {
			all = append(all, g.String())
		}
		prompt = "Allow it? y: this once, a: always " + strings.Join(all, ", ") + " [y/a/N]"
		answers = append(answers, "a", "always")
	}
	answer, err := a.prompt().Choose(ctx, prompt, answers...)
	d := client.Decision{Allow: answer != "", By: "owner"}
	if strings.HasPrefix(answer, "a") {
		d.Grants = q.Grants
	}
	return d, err
}

// plain takes out of a text what could harm a terminal, where stdout is one.
func (a *program) plain(text string) string {
	if isTerminal(a.stdout) {
		return display.Clean(text)
	}
	return text
}
