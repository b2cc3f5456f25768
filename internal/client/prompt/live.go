package prompt

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/surface/cli"
	"hob/internal/surface/cli/live"
)

// talk is a conversation at a terminal. One goroutine reads lines and hands them in; one follows the chat and shows it, and
// asks its questions.
type talk struct {
	*conversation
	env      *app.Environment
	printer  *cli.Printer
	printing sync.Mutex // held while printer is used
	view     eventView
	lang     atomic.Value // of the chat, as far as what was shown says one: a string
	close    context.CancelCauseFunc
	offering sync.WaitGroup

	opened sync.RWMutex  // held while client is another's and becomes this process's
	gone   chan struct{} // the follower says that the hob has ended ...
	back   chan struct{} // ... and hears that there is another

	mu      sync.Mutex
	own     map[string]bool // inputs that were typed here: they stand there as they were typed
	running map[int64]bool  // turns that have begun and not ended
	parting bool            // the next Ctrl-C leaves
	tokens  int             // of the reply that is being written, about
}

// eventView shows an event.
type eventView interface{ Event(event.Event, bool) error }

// foldAfter is how many lines of a tool's output are shown at once.
const foldAfter = 40

// runLive holds a conversation at a terminal, until the person or a signal ends it.
func runLive(ctx context.Context, c *conversation, env *app.Environment) error {
	history, err := cli.OpenHistory(env.HistoryPath())
	if err != nil {
		return err
	}
	if c.seen, err = c.firstShown(ctx, env); err != nil {
		return err
	}
	ctx, release := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP) // so that the terminal is left as it was
	defer release()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	notes := ""
	if !c.Story {
		notes = cli.Words(c.terminal.Language()).Text("welcome") + "\n"
	}
	for _, note := range c.Notes {
		notes += "· " + note + "\n"
	}
	if _, err := fmt.Fprint(c.out, c.terminal.Wrap(notes)); err == nil {
		env.NoteShown(ctx, c.Chat, c.Shows...)
	}
	t := &talk{conversation: c, env: env, own: map[string]bool{}, running: map[int64]bool{}, close: stop, gone: make(chan struct{}, 1), back: make(chan struct{})}
	names := &completer{conversation: c, workspace: env.WorkspaceDir}
	c.screen = live.Open(ctx, live.Options{
		In: c.terminal.In.(*os.File), Out: c.terminal.Out.(*os.File), Env: os.Environ(), Colour: c.terminal.Color(), History: history, Lang: c.terminal.Language(),
		Complete:  func(before string) (int, []string) { return names.complete(ctx, before) },
		Interrupt: func() { t.interrupt(ctx) }, More: t.unfold,
	})
	c.out = &wrapper{c.screen}
	c.err = c.out
	look := c.terminal.Look()
	look.Said, look.Fold = true, foldAfter
	t.printer = cli.NewPrinter(c.screen, look)
	t.view = &client.Screen{Terminal: c.terminal, Printer: t.printer}
	if c.Story {
		t.view = &storyView{View: &client.Screen{Terminal: c.terminal, Printer: t.printer}}
	}
	t.lang.Store(c.terminal.Language())
	c.language = func() string { return t.lang.Load().(string) }
	var following sync.WaitGroup
	following.Go(func() { t.follow(ctx) })
	err = t.readLines(ctx)
	stop(nil)
	following.Wait()
	t.offering.Wait()
	if closeErr := c.screen.Close(); err == nil && !errors.Is(closeErr, context.Canceled) {
		err = closeErr
	}
	return err
}

// firstShown is the Seq of the last event that is not shown. An open turn is shown from its beginning: others may write in the
// chat where another process runs hob, and a turn that waited for the model goes on.
func (c *conversation) firstShown(ctx context.Context, env *app.Environment) (int64, error) {
	open, err := env.OpenTurns(ctx)
	if err != nil {
		return 0, err
	}
	last, err := c.client.Last(ctx, c.Chat)
	if err != nil {
		return 0, err
	}
	list, err := c.client.Parked(ctx, c.Chat)
	if err != nil {
		return 0, err
	}
	parked := slices.DeleteFunc(list, event.ParkedTurn.Waits) // those that wait for the model go on
	for _, chat := range open {
		if left := app.RunningTurns(chat, parked); chat.Chat == c.Chat && len(left) > 0 {
			last = min(last, left[0]-1)
		}
	}
	return last, nil
}

// readLines hands in the lines that are typed.
func (t *talk) readLines(ctx context.Context) error {
	for {
		line, err := t.nextLine(ctx)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, context.Canceled):
			return nil
		case err != nil:
			return err
		}
		t.stay()
		text, isCall, isCommand := t.readLine(ctx, strings.TrimSpace(line))
		if isCommand {
			err = t.runCommand(ctx, text)
		} else {
			err = t.submit(ctx, text, isCall)
		}
		if errors.Is(err, errLeave) {
			return nil
		}
		if !isCommand && (client.IsGone(err) || exit.StatusOf(err) == exit.Failed) {
			return err
		}
		_ = t.printError(err)
	}
}

// offer asks what is asked after a turn that no model answered, and does it. It is asked only where the hob is of this process, which does not
// change. A person need not answer: what is typed meanwhile is a line like any other.
func (t *talk) offer(ctx context.Context) error {
	o, err := t.Unanswered(ctx)
	if err != nil {
		return err
	}
	if o.Note != "" {
		fmt.Fprintln(t.out, "· "+o.Note)
	}
	if o.Question == "" {
		return nil
	}
	lang := t.terminal.Language()
	w := cli.Words(lang)
	answers := []live.Answer{{Words: cli.Answers(w, "yes")}, {Words: cli.Answers(w, "no")}}
	i, err := t.screen.Ask(live.Question{Text: o.Question, Answers: answers, Lang: lang, Otherwise: "· " + o.Otherwise})(ctx)
	if err != nil || i != 0 {
		return err
	}
	t.printing.Lock() // else what happens would be written to the terminal that is lent
	defer t.printing.Unlock()
	return t.lend(func() error { return o.Do(ctx) })
}

// nextLine returns the next line. Where the hob of another process ends in the middle of a turn, it goes on in this one.
func (t *talk) nextLine(ctx context.Context) (string, error) {
	lines := make(chan string)
	failed := make(chan error, 1)
	within, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		line, err := t.screen.Line(within)
		if err != nil {
			failed <- err
			return
		}
		lines <- line
	}()
	for {
		select {
		case line := <-lines:
			return line, nil
		case err := <-failed:
			return "", err
		case <-t.gone:
			if err := t.reopen(ctx); err != nil {
				return "", err
			}
		}
	}
}

// reopen goes on with the next hob, from the last event that was shown.
func (t *talk) reopen(ctx context.Context) error {
	t.opened.Lock()
	err := t.client.Reopen(ctx)
	t.opened.Unlock()
	if err == nil {
		select {
		case t.back <- struct{}{}:
		case <-ctx.Done():
		}
	}
	return err
}

// hob is the hob of the conversation, for other goroutines than the one that reads lines.
func (t *talk) hob() (client.Backend, string) {
	t.opened.RLock()
	defer t.opened.RUnlock()
	return t.client.Backend, t.client.Serves
}

// submit hands in words, or the call of a tool.
func (t *talk) submit(ctx context.Context, text string, isCall bool) error {
	in := session.Input{
		Chat: t.Chat, ID: rand.Text(), From: "owner", Text: text, Principal: app.LocalOwner(), Command: isCall, Typed: !isCall,
	}
	t.mu.Lock()
	t.own[in.ID] = true
	t.mu.Unlock()
	_, err := t.client.Submit(ctx, in)
	if !client.IsGone(err) || t.client.Serves == "" {
		return err
	}
	if t.client.Serves == app.DaemonCommand {
		return exit.Errorf(exit.Failed, "%s has ended, and has not taken the message: start it again, or say it anew without it", app.DaemonCommand)
	}
	if err := t.reopen(ctx); err != nil {
		return err
	}
	_, err = t.client.Submit(ctx, in) // the same ID twice is one input
	return err
}

// follow shows what happens in the chat.
func (t *talk) follow(ctx context.Context) {
	for ctx.Err() == nil {
		hob, serves := t.hob()
		for e, err := range hob.Follow(ctx, t.Chat, t.seen) {
			if err == nil {
				err = t.show(ctx, e)
			}
			if note, ok := e.Body.(event.Noted); ok && note.Loud && err == nil {
				t.noteShown(ctx, e)
			}
			if err != nil && serves != "" {
				break // it has ended, or what it sends cannot be read
			}
			if err != nil {
				return
			}
		}
		if ctx.Err() != nil {
			return
		}
		if serves == app.DaemonCommand || !t.isRunning() {
			fmt.Fprintln(t.out, "· "+cli.Words(t.language()).Text("gone", serves))
		} else {
			t.gone <- struct{}{}
		}
		select {
		case <-t.back:
		case <-ctx.Done():
		}
	}
}

// isRunning reports whether a turn has begun and not ended.
func (t *talk) isRunning() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.running) > 0
}

// away says that a turn waits for the model, or is parked.
func (t *talk) away(p event.ParkedTurn) {
	_, serves := t.hob()
	fmt.Fprintf(t.out, "· %s.\n", (&client.Client{Serves: cmp.Or(serves, "hob")}).Away(p)) // this very one, where no other serves
}

// show shows one event.
func (t *talk) show(ctx context.Context, e event.Event) error {
	t.printing.Lock()
	defer t.printing.Unlock()
	t.seen = max(t.seen, e.Seq)
	t.printer.Resize(t.screen.Size())
	t.printer.Know(e)
	t.lang.Store(t.printer.Language())
	t.screen.Status(t.status(e))
	if _, ok := e.Body.(event.Waiting); ok {
		return nil // the status says it
	}
	if q, ok := e.Body.(event.Asked); ok {
		t.ask(ctx, e, q)
	}
	if err := t.view.Event(e, t.isOwn(e)); err != nil {
		return err
	}
	switch b := e.Body.(type) {
	case event.Parked:
		if b.Reason == event.ParkedForModel {
			return nil // a note has said it
		}
		return t.tellParked(ctx, e)
	case event.Said:
		return t.tellParked(ctx, e)
	case event.Ended:
		if b.Reason == event.NoModel && t.Unanswered != nil {
			t.offering.Go(func() {
				if err := t.offer(ctx); ctx.Err() == nil {
					_ = t.printError(err)
				}
			})
		}
	}
	return nil
}

// flushTime is how long a terminal may take to show a note that counts as delivered.
const flushTime = 5 * time.Second

// noteShown keeps that a person at the terminal was told: the terminal has taken the words, and the prompt stands in its foreground.
func (t *talk) noteShown(ctx context.Context, e event.Event) {
	within, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	if t.screen.Flush(within) == nil && t.screen.IsInForeground() {
		t.env.NoteShown(ctx, e.Chat, e.Seq)
	}
}

// isOwn reports whether an event is an input that was typed here.
func (t *talk) isOwn(e event.Event) bool {
	said, ok := e.Body.(event.Said)
	t.mu.Lock()
	defer t.mu.Unlock()
	return ok && t.own[said.InputID]
}

// status says what hob is doing after an event, or "".
func (t *talk) status(e event.Event) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch b := e.Body.(type) {
	case event.Said:
		t.running[e.Turn] = true
	case event.Joined:
		delete(t.running, b.Said)
	case event.Ended, event.Parked:
		delete(t.running, e.Turn)
	case event.Delta:
		t.tokens++
		return t.printer.Text("writing", t.tokens)
	case event.Waiting:
		return b.Text
	case event.Called:
		return t.printer.Text("running", b.Tool)
	}
	t.tokens = 0
	if len(t.running) == 0 {
		return ""
	}
	return t.printer.Text("thinking")
}

// tellParked says that a turn is parked, or, of what was said, for which one it waits. That its own turn waits for the model by now a note
// says.
func (t *talk) tellParked(ctx context.Context, e event.Event) error {
	said, isSaid := e.Body.(event.Said)
	hob, _ := t.hob()
	list, err := hob.Parked(ctx, t.Chat)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(p event.ParkedTurn) bool {
		return p.ID == e.Turn && !isSaid || p.ID != e.Turn && p.Waits() && !said.Command && !said.NeedsNoModel
	})
	if i >= 0 {
		t.away(list[i])
	}
	return nil
}

// unfold shows what was left out of the last output.
func (t *talk) unfold() {
	t.printing.Lock()
	defer t.printing.Unlock()
	_, _ = io.WriteString(t.screen, t.printer.Unfold())
}

// interrupt stops the turn that runs, or parks the one that waits for the model. Where none runs, the second in a row leaves.
func (t *talk) interrupt(ctx context.Context) {
	hob, _ := t.hob()
	if p, err := hob.Park(ctx, t.Chat); err == nil && p != nil {
		return // its event says so
	}
	if stopped, err := hob.Stop(ctx, t.Chat); err == nil && stopped {
		return
	}
	t.mu.Lock()
	leaves := t.parting
	t.parting = true
	t.mu.Unlock()
	if leaves {
		t.close(nil)
		return
	}
	fmt.Fprintln(t.out, "· "+cli.Words(t.language()).Text("leaves"))
}

// stay says that the person goes on.
func (t *talk) stay() {
	t.mu.Lock()
	t.parting = false
	t.mu.Unlock()
}

// wrapper wraps whole lines of hob's own at words.
type wrapper struct{ screen *live.Prompt }

func (w *wrapper) Write(text []byte) (int, error) {
	width, _ := w.screen.Size()
	_, err := io.WriteString(w.screen, cli.Wrap(string(text), width))
	return len(text), err
}

// lend gives the terminal to f.
func (c *conversation) lend(f func() error) error {
	if c.screen == nil {
		return f()
	}
	return c.screen.Lend(f)
}

// edit opens the editor on the next message.
func (c *conversation) edit() error {
	if c.screen == nil {
		return errors.New("an editor needs a terminal")
	}
	c.screen.Edit()
	return nil
}
