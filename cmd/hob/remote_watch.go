package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/cli"
)

// others is what happens in a chat while a person is at the prompt: what they themselves did not say, such as what comes in
// over Telegram, and what came of it.
type others struct {
	app  *program
	hob  *client.Client
	chat event.Chat

	seen  int64     // the Seq of what was shown last
	view  eventView // nil: it is not watched
	stop  func()    // of who watches now; nil
	wait  sync.WaitGroup
	mu    sync.Mutex
	asked *event.Asked // what was shown last and nobody had answered; nil
}

// eventView shows events.
type eventView interface{ Event(event.Event) error }

// others returns what watches a chat. It does so at a terminal: others may say something where another process runs hob, and
// a turn that waited for the model goes on. What is open by now is shown from its beginning.
func (a *program) others(ctx context.Context, s *app.Environment, h *client.Client, chat event.Chat) (*others, error) {
	o := &others{app: a, hob: h, chat: chat}
	if a.keyboard == nil {
		return o, nil
	}
	open, err := s.OpenTurns(ctx)
	if err != nil {
		return nil, err
	}
	if o.seen, err = h.Last(ctx, chat); err != nil {
		return nil, err
	}
	list, err := h.Parked(ctx, chat)
	if err != nil {
		return nil, err
	}
	var parked []commands.ParkedTurn // those that wait are shown: they go on
	for _, p := range list {
		if !p.Waits() {
			parked = append(parked, commands.ParkedTurn(p))
		}
	}
	for _, c := range open {
		if left := app.RunningTurns(c, parked); c.Chat == chat && len(left) > 0 {
			o.seen = min(o.seen, left[0]-1)
		}
	}
	look := a.look()
	look.Live, look.Said = false, true
	o.view = cli.NewPrinter(a.keyboard, look)
	return o, nil
}

// watch begins to show what happens, above the line that is being read.
func (o *others) watch(ctx context.Context) {
	if o.view == nil {
		return
	}
	ctx, o.stop = context.WithCancel(ctx)
	o.wait.Go(func() {
		for e, err := range o.hob.Follow(ctx, o.chat, o.seen) {
			if err == nil {
				err = o.show(e)
			}
			if client.IsGone(err) && o.hob.Serves != "" {
				fmt.Fprintf(o.app.keyboard, "· %s has ended; what was handed in goes on when it starts again\n", o.hob.Serves)
			}
			if err != nil {
				return
			}
		}
	})
}

// show shows one event.
func (o *others) show(e event.Event) error {
	o.note(e)
	if err := o.view.Event(e); err != nil {
		return err
	}
	if _, ok := e.Body.(event.Asked); !ok {
		return nil
	}
	_, err := fmt.Fprintln(o.app.keyboard, "· /yes allows it once, /no denies it")
	return err
}

// note keeps how far it has come, and which question waits.
func (o *others) note(e event.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = max(o.seen, e.Seq)
	switch b := e.Body.(type) {
	case event.Asked:
		o.asked = &b
	case event.Decided, event.Ended:
		o.asked = nil
	}
}

// rest ends watching, until it goes on from there.
func (o *others) rest() {
	if o.stop == nil {
		return
	}
	o.stop()
	o.wait.Wait()
	o.stop = nil
}

// noting is a view that notes what it shows.
func (o *others) noting(v client.View) client.View { return &noted{v, o} }

type noted struct {
	client.View
	others *others
}

func (n *noted) Event(e event.Event, own bool) error {
	n.others.note(e)
	return n.View.Event(e, own)
}

// controlLine does what a line of the prompt itself says, such as "/yes", and reports whether it is one.
func (a *program) controlLine(ctx context.Context, h *client.Client, o *others, line string) (bool, error) {
	switch line {
	case "/stop":
		ran, err := h.Stop(ctx, o.chat)
		if err == nil && !ran {
			err = errors.New("no turn is running")
		}
		return true, err
	case "/yes", "/no":
		o.mu.Lock()
		q := o.asked
		o.mu.Unlock()
		if q == nil {
			return true, errors.New("nothing was asked here that waits for an answer")
		}
		return true, h.Decide(ctx, session.Answer{Chat: o.chat, ID: q.ID, Allow: line == "/yes", By: "owner", Standing: app.LocalOwner()})
	}
	return false, nil
}
