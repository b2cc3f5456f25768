// Package tour shows a newcomer what hob does, in about a minute and without a model.
//
// [Run] opens a hob with a state, a workspace and a configuration of its own in a temporary folder, and removes the folder
// at its end. The person's own state, workspace and configuration are not even read. The hob is the real one: the loop, the
// tools, the sandbox, the policy, the receipts and the undo. Only the model is played, by a script of this package, and
// whatever it says is marked.
package tour

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/surface/cli"
	"hob/internal/surface/http/api"
)

// chat is where the tour takes place.
const chat event.Chat = "tour"

// settings are the configuration. Without a model hob understands some of the words by itself, which is not what is shown here.
const settings = "[intents]\nmode = \"off\"\n"

// errLeft is the error of a person who leaves before the end.
var errLeft = errors.New("the tour was left")

// tour is one tour under way.
type tour struct {
	words    words
	terminal *cli.Terminal
	client   *client.Client
}

// Run plays the tour. base says which environment and version the process has; its configuration is not used.
func Run(ctx context.Context, t *cli.Terminal, base *app.Loader) (err error) {
	ctx, release := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer release()
	dir, err := os.MkdirTemp("", "hob-tour-")
	if err != nil {
		return fmt.Errorf("make folder for the tour: %w", err)
	}
	w := wordsIn(t.Language())
	err = play(ctx, w, t, base, dir)
	if failed := os.RemoveAll(dir); failed != nil {
		return errors.Join(err, fmt.Errorf("remove folder of the tour: %w", failed))
	}
	end := "end"
	if errors.Is(err, errLeft) {
		end, err = "left", nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out, "\n%s\n", t.Wrap(w.Text(end)))
	return err
}

// play opens a hob in the folder, plays the steps, and closes it.
func play(ctx context.Context, w words, t *cli.Terminal, base *app.Loader, dir string) error {
	l, err := newLoader(base, t.Err, dir)
	if err != nil {
		return err
	}
	defer func() { _ = l.Egress.End() }() // its ledger is removed in a moment
	s, err := l.Load()
	if err != nil {
		return err
	}
	h, err := l.Open(ctx, s, app.NewScriptedModel(s, w.script()), "hob tour")
	if err != nil {
		return err
	}
	c := &client.Client{Backend: client.InProcess{App: h}, Here: h, Chat: chat}
	played := (&tour{w, t, c}).playSteps(ctx, s.WorkspaceDir)
	return errors.Join(played, c.Close())
}

// newLoader returns a loader of a configuration of its own whose state is in a folder.
func newLoader(base *app.Loader, stderr io.Writer, dir string) (*app.Loader, error) {
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
		return nil, fmt.Errorf("make folder for the tour: %w", err)
	}
	own := map[string]string{"HOB_STATE_DIR": filepath.Join(dir, "state"), "HOB_CONFIG": config, "OLLAMA_HOST": "", "CREDENTIALS_DIRECTORY": ""}
	return &app.Loader{
		Env: func(name string) string {
			if value, ok := own[name]; ok {
				return value
			}
			return base.Env(name)
		},
		Stderr: stderr, Version: base.Version,
		Patience: func(*llm.Error, bool) time.Duration { return 0 },
		Serve:    func(*app.App, string) (app.Server, error) { return unserved{}, nil },
	}, nil
}

// unserved is the server of a hob that no other process reaches.
type unserved struct{}

// Close implements [app.Server].
func (unserved) Close(context.Context) error { return nil }

// playSteps plays one step after the other.
func (t *tour) playSteps(ctx context.Context, workspace string) error {
	w := t.words
	if err := t.print(w.Text("intro", workspace), w.Text("script", w.mark()), w.Text("real")); err != nil {
		return err
	}
	all := w.steps()
	title := func(n int, name string) string {
		return w.Text("step", strconv.Itoa(n), strconv.Itoa(len(all)+1), w.Text(name))
	}
	for i, step := range all {
		if err := t.print("", title(i+1, step.name), "› "+w.Text(step.name+".words")); err != nil {
			return err
		}
		if err := t.playTurn(ctx, step); err != nil {
			return err
		}
		if err := t.pause(ctx); err != nil {
			return err
		}
	}
	if err := t.print("", title(len(all)+1, "undo"), "› /undo"); err != nil {
		return err
	}
	reply, err := t.client.Command(ctx, api.CommandRequest{Name: "undo", Chat: chat})
	if err != nil {
		return err
	}
	width, _ := t.terminal.Size()
	_, err = io.WriteString(t.terminal.Out, cli.Markdown(app.TranslateMarkdown(w.lang, "undo", reply.Text), width, t.terminal.Color()))
	return err
}

// playTurn plays the turn of a step.
func (t *tour) playTurn(ctx context.Context, s step) error {
	if s.asks && !cli.IsTerminal(t.terminal.In) {
		if err := t.print(t.words.Text("nobody")); err != nil {
			return err
		}
	}
	q := &client.Question{Chat: string(chat), ID: rand.Text(), Text: t.words.Text(s.name + ".words"), Typed: true, Attachments: s.attached}
	end, err := t.client.Turn(ctx, q, client.NewView(t.terminal, false))
	switch {
	case ctx.Err() != nil, end.Reason == event.Stopped:
		return errLeft
	case err != nil:
		return err
	case end.Reason != event.Done && end.Reason != event.Denied:
		return fmt.Errorf("the tour cannot go on: its turn ended as %q", end.Reason)
	}
	return nil
}

// pause waits until the person wants the next step. Without a terminal it does not wait.
func (t *tour) pause(ctx context.Context) error {
	if !t.terminal.IsInteractive() {
		return nil
	}
	_, err := t.terminal.Prompt().Ask(ctx, t.words.Text("pause"))
	if errors.Is(err, cli.ErrInterrupted) || errors.Is(err, io.EOF) || ctx.Err() != nil {
		return errLeft
	}
	return err
}

// print prints lines, in the width of a terminal.
func (t *tour) print(lines ...string) error {
	_, err := fmt.Fprintln(t.terminal.Out, t.terminal.Wrap(display.Clean(strings.Join(lines, "\n"))))
	return err
}
