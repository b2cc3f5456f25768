package main

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/surface/cli"
)

// view is how a turn is shown: as JSON Lines, streaming on a terminal, or the reply alone where stdout is a pipe.
func (a *app) view(asJSON bool) view {
	switch {
	case asJSON:
		return &jsonView{cli.NewJSONLines(a.stdout)}
	case isTerminal(a.stdout):
		return &screen{a, cli.NewPrinter(a.stdout, a.look())}
	}
	return &piped{app: a, printer: cli.NewPrinter(a.stderr, cli.Look{})}
}

// look is what stdout is.
func (a *app) look() cli.Look {
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

func (v *jsonView) Ask(context.Context, event.Asked) (bool, string, error) {
	return false, "nobody", nil
}

// screen is for a terminal: the reply appears as it is written.
type screen struct {
	app     *app
	printer *cli.Printer
}

func (v *screen) Event(e event.Event, _ bool) error { return v.printer.Event(e) }

func (v *screen) Ask(ctx context.Context, _ event.Asked) (bool, string, error) {
	return v.app.permission(ctx)
}

// piped is for pipes: the model's reply on stdout, everything else on stderr. A reply that is hob's own, because the
// model gave none, is no answer and goes to stderr, too.
type piped struct {
	app     *app
	printer *cli.Printer
	reply   string // of the own turn, until it is known how that ended
}

func (v *piped) Event(e event.Event, own bool) error {
	switch b := e.Body.(type) {
	case event.Replied:
		if own {
			v.reply = b.Text
			return nil
		}
	case event.Ended:
		if own && (b.Reason == event.NoModel || b.Reason == event.Broken) {
			answer, why := parted(v.reply)
			if answer != "" { // what had come of it is an answer all the same
				fmt.Fprintln(v.app.stdout, answer)
			}
			_, err := fmt.Fprintf(v.app.stderr, "hob: %s\n", why)
			return err
		}
		if own {
			if _, err := fmt.Fprintln(v.app.stdout, v.reply); err != nil {
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

func (v *piped) Ask(ctx context.Context, _ event.Asked) (bool, string, error) {
	return v.app.permission(ctx)
}

// permission asks the person at the terminal, if there is one.
func (a *app) permission(ctx context.Context) (allow bool, by string, err error) {
	if !isTerminal(a.stdin) {
		return false, "nobody", nil
	}
	allow, err = a.confirm(ctx, "Allow it?")
	return allow, "owner", err
}
