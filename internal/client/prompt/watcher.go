package prompt

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/surface/cli"
)

// watcher shows what happens in a chat while a person is at the prompt and plays no turn: messages that come in elsewhere, such
// as over Telegram, and their turns.
type watcher struct {
	client   *client.Client
	chat     event.Chat
	keyboard *cli.Prompt  // what it shows goes above the line that is read there
	printer  *cli.Printer // nil: nothing is shown

	lastSeen int64  // the Seq of the newest event that was shown
	cancel   func() // ends the goroutine that watches; nil: none does
	done     sync.WaitGroup
	mu       sync.Mutex
	question *event.Asked // the newest one that was shown, while nobody has answered it; nil
}

// newWatcher returns a watcher of a conversation's chat. It shows something only at a terminal: others may write in the chat
// where another process runs hob, and a turn that waited for the model goes on. It shows an open turn from its beginning.
func newWatcher(ctx context.Context, c *conversation, env *app.Environment) (*watcher, error) {
	w := &watcher{client: c.client, chat: c.Chat, keyboard: c.keyboard}
	if c.keyboard == nil {
		return w, nil
	}
	open, err := env.OpenTurns(ctx)
	if err != nil {
		return nil, err
	}
	if w.lastSeen, err = c.client.Last(ctx, c.Chat); err != nil {
		return nil, err
	}
	list, err := c.client.Parked(ctx, c.Chat)
	if err != nil {
		return nil, err
	}
	parked := slices.DeleteFunc(list, event.ParkedTurn.Waits) // those that wait for the model go on
	for _, chat := range open {
		if left := app.RunningTurns(chat, parked); chat.Chat == c.Chat && len(left) > 0 {
			w.lastSeen = min(w.lastSeen, left[0]-1)
		}
	}
	look := c.terminal.Look()
	look.Live, look.Said = false, true
	w.printer = cli.NewPrinter(c.keyboard, look)
	return w, nil
}

// start begins to show events.
func (w *watcher) start(ctx context.Context) {
	if w.printer == nil {
		return
	}
	ctx, w.cancel = context.WithCancel(ctx)
	w.done.Go(func() {
		for e, err := range w.client.Follow(ctx, w.chat, w.lastSeen) {
			if err == nil {
				err = w.show(e)
			}
			if client.IsGone(err) && w.client.Serves != "" {
				fmt.Fprintf(w.keyboard, "· %s has ended; what was handed in goes on when it starts again\n", w.client.Serves)
			}
			if err != nil {
				return
			}
		}
	})
}

// stop ends that, until start goes on from there.
func (w *watcher) stop() {
	if w.cancel == nil {
		return
	}
	w.cancel()
	w.done.Wait()
	w.cancel = nil
}

// show shows one event.
func (w *watcher) show(e event.Event) error {
	w.record(e)
	if err := w.printer.Event(e); err != nil {
		return err
	}
	if _, ok := e.Body.(event.Asked); !ok {
		return nil
	}
	_, err := fmt.Fprintln(w.keyboard, "· /yes allows it once, /no denies it")
	return err
}

// record keeps how far the chat was shown, and which question is open.
func (w *watcher) record(e event.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lastSeen = max(w.lastSeen, e.Seq)
	switch b := e.Body.(type) {
	case event.Asked:
		w.question = &b
	case event.Decided, event.Ended:
		w.question = nil
	}
}

// openQuestion returns the question that was shown and nobody has answered, or nil.
func (w *watcher) openQuestion() *event.Asked {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.question
}

// observe returns a view that shows what v shows, and records it.
func (w *watcher) observe(v client.View) client.View { return &observedView{v, w} }

type observedView struct {
	client.View
	watcher *watcher
}

// Event implements [client.View].
func (v *observedView) Event(e event.Event, own bool) error {
	v.watcher.record(e)
	return v.View.Event(e, own)
}
