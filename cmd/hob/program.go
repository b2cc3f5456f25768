package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/daemon"
	"hob/internal/llm"
	"hob/internal/surface/cli"
)

// program is what the commands share: where they read and write, and how they get at the configuration and the state.
type program struct {
	*app.Loader
	stdin    io.Reader
	stdout   io.Writer
	keyboard *cli.Prompt // that of an open prompt; nil elsewhere
	wait     client.Wait // for a model that is away, as far as the command line says
}

// newProgram returns what the commands share.
func newProgram(stdin io.Reader, stdout, stderr io.Writer, env func(string) string) *program {
	a := &program{Loader: &app.Loader{Env: env, Stderr: stderr, Version: version, Serve: daemon.ServeSocket}, stdin: stdin, stdout: stdout}
	a.Patience = func(failure *llm.Error, begun bool) time.Duration { return a.modelWait().Patience(failure.Kind, begun) }
	return a
}

// modelWait is how long this command waits for a model that is away.
func (a *program) modelWait() client.Wait {
	p := a.wait
	p.Person = !p.Program && isTerminal(a.stdin) && isTerminal(a.stdout)
	return p
}

// prompt is what asks the person at the terminal. Where a prompt is open it is that one: what was begun to be read from a
// keyboard cannot be given back to another.
func (a *program) prompt() *cli.Prompt {
	if a.keyboard != nil {
		return a.keyboard
	}
	return cli.NewPrompt(a.stdin, a.Stderr, nil)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// color reports whether stdout shows colours.
func (a *program) color() bool {
	return isTerminal(a.stdout) && a.Env("NO_COLOR") == "" && a.Env("TERM") != "dumb"
}

// size is the size of the terminal that stdout is, or that of a common one.
func (a *program) size() (width, height int) {
	if f, ok := a.stdout.(*os.File); ok {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w, h
		}
	}
	return 80, 24
}

// waitFlag is --wait.
func (a *program) waitFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&a.wait, "wait", "how long to wait for a model whose server is away (without a terminal 30s if it is busy or died, else 0)")
}

// confirm asks a yes-or-no question at the terminal; without one the answer is no.
func (a *program) confirm(ctx context.Context, question string) (yes bool, err error) {
	if !isTerminal(a.stdin) {
		return false, nil
	}
	return a.prompt().Confirm(ctx, question)
}
