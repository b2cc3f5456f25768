package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/store"
	local "hob/internal/surface/http"
)

// talk is what a terminal needs of a hob: of the one in this process, or of one that runs already.
type talk interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Decide(ctx context.Context, a session.Answer) error
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Reset(ctx context.Context, chat event.Chat) error
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	Waiting(ctx context.Context, chat event.Chat, id string) (bool, error)
	Parked(ctx context.Context, chat event.Chat) ([]session.Parked, error)
	Park(ctx context.Context, chat event.Chat) (*session.Parked, error)
	Retry(ctx context.Context, chat event.Chat, turn int64) error
	Last(ctx context.Context, chat event.Chat) (int64, error)
	Command(ctx context.Context, in local.CommandRequest) (local.CommandReply, error)
	OpenSkill(ctx context.Context, in session.Wish) error
	CloseSkill(ctx context.Context, in session.Wish) error
	skillList(ctx context.Context, chat event.Chat) (commands.SkillList, error)
	leaving() string // what there is to say to who leaves in the middle of a turn
}

// conversation is a terminal that talks to a hob.
type conversation struct {
	talk
	serves string                                  // the hob that runs already, such as "hob serve"; "" is that of this process
	here   *app.App                                // that of this process; nil
	chat   event.Chat                              // in which was talked last
	alone  func(context.Context) (*app.App, error) // makes this process one
	wait   modelWait                               // for a model that is away
	prompt bool                                    // who waits for a model gets the prompt back
}

// How long a command looks for a hob that has the state and does not answer: one that begins or ends just now.
const (
	reachEvery = 50 * time.Millisecond
	reachTries = 40
)

// reach finds the hob that runs, or becomes one. who is the command.
func (a *program) reach(ctx context.Context, s *app.Environment, e *app.Model, who string) (*conversation, error) {
	c := &conversation{alone: func(ctx context.Context) (*app.App, error) { return a.Open(ctx, s, e, who) }, wait: a.modelWait()}
	client := local.NewClient(s.SocketPath())
	again := time.NewTicker(reachEvery)
	defer again.Stop()
	var err error
	for range reachTries {
		var st local.Status
		if st, err = client.Status(ctx); err == nil && a.ModelName == "" {
			c.talk, c.serves = distant{client, st.Serves}, st.Serves
			return c, nil
		}
		if err == nil && st.Serves == app.DaemonCommand {
			return nil, exit.Errorf(exit.Usage, "%s is running and has its own model: leave --model out, or change [ollama] model and reload it", app.DaemonCommand)
		}
		if err == nil {
			break // it has another model, and not for long: this one comes after it
		}
		if !lost(err) {
			return nil, err
		}
		lock, held := store.Lock(s.LockPath(), who)
		if held == nil {
			return c, c.own(a.OpenHeld(ctx, s, e, who, lock))
		}
		if !errors.Is(held, store.ErrHeld) {
			break // open says it
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if errors.Is(err, local.ErrUnheard) {
		return nil, err
	}
	return c, c.own(a.Open(ctx, s, e, who))
}

// own makes the hob of this process the one that is talked to.
func (h *conversation) own(mine *app.App, err error) error {
	if err != nil {
		return err
	}
	h.talk, h.serves, h.here = inProcess{mine}, "", mine
	return nil
}

// Close ends the hob of this process, if there is one. Turns that others have handed in to it have a while to end; then they
// go on with those others, as after a kill: what became of a call that was cut short nobody knows.
func (h *conversation) Close() error {
	if h.here == nil {
		return nil
	}
	inProcess{h.here}.settle(h.chat)
	return h.here.Close()
}

// How long, and how often, a hob looks whether turns of others run before it ends. Whoever needs the state waits for longer.
const (
	settleFor   = app.LockWait * 4 / 5
	settleEvery = 20 * time.Millisecond
)

// settle waits until no turn runs in chats other than mine.
func (h inProcess) settle(mine event.Chat) {
	ctx, cancel := context.WithTimeout(context.Background(), settleFor)
	defer cancel()
	ctx, hurry := untilInterrupted(ctx)
	defer hurry()
	look := time.NewTicker(settleEvery)
	defer look.Stop()
	for h.serving(ctx, mine) {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// serving reports whether a turn runs in another chat than mine.
func (h inProcess) serving(ctx context.Context, mine event.Chat) bool {
	chats, err := h.Chats(ctx)
	if err != nil {
		return false
	}
	for _, c := range chats {
		if busy, err := h.Resume(ctx, c); err == nil && busy && c != mine {
			return true
		}
	}
	return false
}

// lost reports whether an error says that there is no hob any more, or not yet.
func lost(err error) bool {
	return errors.Is(err, local.ErrGone) || errors.Is(err, local.ErrNobody) || errors.Is(err, local.ErrUnheard)
}

// turn hands in a question and shows what happens until its turn has ended. When the hob that it was handed to ends
// meanwhile, its turn goes on in this process, but for that of a daemon, which will be there again.
func (h *conversation) turn(ctx context.Context, q question, v view) (event.Ended, error) {
	h.chat = event.Chat(q.chat)
	w := &watched{view: v, question: &q}
	end, err := h.play(ctx, &q, w)
	if h.serves == "" || !lost(err) {
		return end, err
	}
	if h.serves == app.DaemonCommand && q.taken {
		return end, exit.Errorf(exit.Failed, "%s has ended in the middle of the turn, which goes on when it starts again", app.DaemonCommand)
	}
	if h.serves == app.DaemonCommand && errors.Is(err, local.ErrNobody) {
		return end, exit.Errorf(exit.Failed, "%s has ended, and has not taken the message: start it again, or say it anew without it", app.DaemonCommand)
	}
	if h.serves == app.DaemonCommand {
		return end, exit.Errorf(exit.Failed, "%s has just ended; whether it has taken the message hob log %s tells", app.DaemonCommand, q.chat)
	}
	if err := h.own(h.alone(ctx)); err != nil {
		return end, err
	}
	return h.play(ctx, &q, w)
}

// watched is a view that notes how far it has come.
type watched struct {
	view
	question *question
}

func (w *watched) Event(e event.Event, own bool) error {
	err := w.view.Event(e, own)
	w.question.after = max(w.question.after, e.Seq)
	return err
}

// distant is a hob that runs in another process.
type distant struct {
	*local.Client
	serves string
}

func (d distant) Stop(ctx context.Context, chat event.Chat) (bool, error) {
	wait := false
	done, err := d.Client.Stop(ctx, local.StopRequest{Chat: chat, Wait: &wait})
	return len(done.Stopped) > 0, err
}

func (d distant) leaving() string {
	return "left in the middle of a turn: " + d.serves + " goes on with it"
}

func (h inProcess) leaving() string {
	return "left in the middle of a turn: it goes on at the next start"
}

// beside is load for a command that speaks to a daemon where one runs: a mistake that came into the configuration since keeps
// nobody from that. It works with the configuration that the daemon works with.
func (a *program) beside(ctx context.Context) (*app.Environment, error) {
	s, err := a.Load()
	if err == nil || exit.StatusOf(err) != exit.Usage {
		return s, err
	}
	known, failure := a.StateOnly()
	if failure != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, commands.StatusFor)
	defer cancel()
	if st, silent := local.NewClient(known.SocketPath()).Status(within); silent != nil || st.Serves != app.DaemonCommand {
		return nil, err
	}
	path, failure := a.ConfigPath()
	if failure != nil {
		return nil, err
	}
	if s, failure = a.Read(known.LastGoodPath(), path); failure != nil {
		return nil, err
	}
	fmt.Fprintf(a.Stderr, "hob: %v: %s works with the configuration before that, and so does this command\n", err, app.DaemonCommand)
	return s, nil
}
