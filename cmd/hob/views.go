package main

import (
	"context"
	"fmt"

	"hob/internal/event"
	"hob/internal/surface/cli"
)

// view is how a turn is shown: as JSON Lines, streaming on a terminal, or the reply alone where stdout is a pipe.
func (a *app) view(inputID string, asJSON bool) view {
	switch {
	case asJSON:
		return &jsonView{lines: cli.NewJSONLines(a.stdout), id: inputID}
	case isTerminal(a.stdout):
		return &screen{a, cli.NewPrinter(a.stdout, a.look())}
	}
	return &piped{a, cli.NewPrinter(a.stderr, cli.Look{})}
}

// look is what stdout is.
func (a *app) look() cli.Look {
	width, height := a.size()
	return cli.Look{Colour: a.color(), Width: width, Height: height, Live: true}
}

// jsonView prints the events of one turn as JSON Lines. Nobody is there to be asked.
type jsonView struct {
	lines *cli.JSONLines
	id    string // of the input
	turn  int64  // the turn that is printed; 0 until its Said came
}

func (v *jsonView) Event(e event.Event) error {
	if said, ok := e.Body.(event.Said); ok && said.InputID == v.id {
		v.turn = e.Seq
	}
	if v.turn == 0 || e.Turn != v.turn {
		return nil // what an earlier turn left unfinished
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

func (v *screen) Event(e event.Event) error { return v.printer.Event(e) }

func (v *screen) Ask(ctx context.Context, _ event.Asked) (bool, string, error) {
	return v.app.permission(ctx)
}

// piped is for pipes: the reply on stdout, what happens on stderr.
type piped struct {
	app     *app
	printer *cli.Printer
}

func (v *piped) Event(e event.Event) error {
	if r, ok := e.Body.(event.Replied); ok {
		_, err := fmt.Fprintln(v.app.stdout, r.Text)
		return err
	}
	return v.printer.Event(e)
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
