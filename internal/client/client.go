// Package client is what a terminal needs of a hob: [Backend] is the interface, and two satisfy it, the hob of this process and one
// that runs already, over its socket. [Reach] finds that one or becomes one; a [Client] hands in questions and shows what happens until
// their turns have ended.
package client

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
	"hob/internal/surface/http/api"
)

// Backend is what a terminal needs of a hob: of the one in this process, or of one that runs already.
type Backend interface {
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
	Command(ctx context.Context, in api.CommandRequest) (api.CommandReply, error)
	OpenSkill(ctx context.Context, in session.SkillRequest) error
	CloseSkill(ctx context.Context, in session.SkillRequest) error
	SkillList(ctx context.Context, chat event.Chat) (commands.SkillList, error)
	LeavingWords() string // what there is to say to who leaves in the middle of a turn
}

// Client is a terminal that talks to a hob.
type Client struct {
	Backend
	Serves          string                                  // the hob that runs already, such as "hob serve"; "" is that of this process
	Here            *app.App                                // that of this process; nil
	Chat            event.Chat                              // in which was talked last
	alone           func(context.Context) (*app.App, error) // makes this process one
	Wait            Wait                                    // for a model that is away
	GivesPromptBack bool                                    // who waits for a model gets the prompt back
}

// How long a command looks for a hob that has the state and does not answer: one that begins or ends just now.
const (
	reachEvery = 50 * time.Millisecond
	reachTries = 40
)

// Reach finds the hob that runs, or becomes one. who is the command.
func Reach(ctx context.Context, l *app.Loader, s *app.Environment, e *app.Model, who string, wait Wait) (*Client, error) {
	c := &Client{alone: func(ctx context.Context) (*app.App, error) { return l.Open(ctx, s, e, who) }, Wait: wait}
	client := api.NewClient(s.SocketPath())
	again := time.NewTicker(reachEvery)
	defer again.Stop()
	var err error
	for range reachTries {
		var st api.Status
		if st, err = client.Status(ctx); err == nil && l.ModelName == "" {
			c.Backend, c.Serves = remote{client, st.Serves}, st.Serves
			return c, nil
		}
		if err == nil && st.Serves == app.DaemonCommand {
			return nil, exit.Errorf(exit.Usage, "%s is running and has its own model: leave --model out, or change [ollama] model and reload it", app.DaemonCommand)
		}
		if err == nil {
			break // it has another model, and not for long: this one comes after it
		}
		if !IsGone(err) {
			return nil, err
		}
		lock, held := store.Lock(s.LockPath(), who)
		if held == nil {
			return c, c.own(l.OpenLocked(ctx, s, e, who, lock))
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
	if errors.Is(err, api.ErrNoAnswer) {
		return nil, err
	}
	return c, c.own(l.Open(ctx, s, e, who))
}

// own makes the hob of this process the one that is talked to.
func (h *Client) own(mine *app.App, err error) error {
	if err != nil {
		return err
	}
	h.Backend, h.Serves, h.Here = InProcess{mine}, "", mine
	return nil
}

// Close ends the hob of this process, if there is one. Turns that others have handed in to it have a while to end; then they
// go on with those others, as after a kill: what became of a call that was cut short nobody knows.
func (h *Client) Close() error {
	if h.Here == nil {
		return nil
	}
	InProcess{h.Here}.settle(h.Chat)
	return h.Here.Close()
}

// How long, and how often, a hob looks whether turns of others run before it ends. Whoever needs the state waits for longer.
const (
	settleFor   = app.LockWait * 4 / 5
	settleEvery = 20 * time.Millisecond
)

// settle waits until no turn runs in chats other than mine.
func (h InProcess) settle(mine event.Chat) {
	ctx, cancel := context.WithTimeout(context.Background(), settleFor)
	defer cancel()
	ctx, hurry := UntilInterrupted(ctx)
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
func (h InProcess) serving(ctx context.Context, mine event.Chat) bool {
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

// IsGone reports whether an error says that there is no hob any more, or not yet.
func IsGone(err error) bool {
	return errors.Is(err, api.ErrGone) || errors.Is(err, api.ErrNotRunning) || errors.Is(err, api.ErrNoAnswer)
}

// Turn hands in a question and shows what happens until its turn has ended. When the hob that it was handed to ends
// meanwhile, its turn goes on in this process, but for that of a daemon, which will be there again.
func (h *Client) Turn(ctx context.Context, q Question, v View) (event.Ended, error) {
	h.Chat = event.Chat(q.Chat)
	w := &watched{View: v, question: &q}
	end, err := h.play(ctx, &q, w)
	if h.Serves == "" || !IsGone(err) {
		return end, err
	}
	if h.Serves == app.DaemonCommand && q.taken {
		return end, exit.Errorf(exit.Failed, "%s has ended in the middle of the turn, which goes on when it starts again", app.DaemonCommand)
	}
	if h.Serves == app.DaemonCommand && errors.Is(err, api.ErrNotRunning) {
		return end, exit.Errorf(exit.Failed, "%s has ended, and has not taken the message: start it again, or say it anew without it", app.DaemonCommand)
	}
	if h.Serves == app.DaemonCommand {
		return end, exit.Errorf(exit.Failed, "%s has just ended; whether it has taken the message hob log %s tells", app.DaemonCommand, q.Chat)
	}
	if err := h.own(h.alone(ctx)); err != nil {
		return end, err
	}
	return h.play(ctx, &q, w)
}

// watched is a view that notes how far it has come.
type watched struct {
	View
	question *Question
}

func (w *watched) Event(e event.Event, own bool) error {
	err := w.View.Event(e, own)
	w.question.After = max(w.question.After, e.Seq)
	return err
}

// remote is a hob that runs in another process.
type remote struct {
	*api.Client
	serves string
}

func (d remote) Stop(ctx context.Context, chat event.Chat) (bool, error) {
	wait := false
	done, err := d.Client.Stop(ctx, api.StopRequest{Chat: chat, Wait: &wait})
	return len(done.Stopped) > 0, err
}

// Submit implements [Backend]. The hob that runs takes the input for the owner's.
func (d remote) Submit(ctx context.Context, in session.Input) (int64, error) {
	return d.Client.Submit(ctx, api.SayRequest{
		Chat: in.Chat, ID: in.ID, Text: in.Text, Command: in.Command, Label: in.Label, Attachments: in.Attachments,
	})
}

// Decide implements [Backend]. The hob that runs takes the answer for the owner's.
func (d remote) Decide(ctx context.Context, a session.Answer) error {
	return d.Client.Decide(ctx, api.DecideRequest{Chat: a.Chat, ID: a.ID, Allow: a.Allow, Grants: a.Grants})
}

// Parked implements [Backend].
func (d remote) Parked(ctx context.Context, chat event.Chat) (all []session.Parked, _ error) {
	turns, err := d.Client.Parked(ctx, chat)
	for _, t := range turns {
		all = append(all, session.Parked(t))
	}
	return all, err
}

// Park implements [Backend].
func (d remote) Park(ctx context.Context, chat event.Chat) (*session.Parked, error) {
	turn, err := d.Client.Park(ctx, chat)
	return (*session.Parked)(turn), err
}

// OpenSkill implements [Backend].
func (d remote) OpenSkill(ctx context.Context, in session.SkillRequest) error {
	return d.Client.OpenSkill(ctx, api.SkillRequest{Chat: in.Chat, Skill: in.Skill})
}

// CloseSkill implements [Backend].
func (d remote) CloseSkill(ctx context.Context, in session.SkillRequest) error {
	return d.Client.CloseSkill(ctx, api.SkillRequest{Chat: in.Chat, Skill: in.Skill})
}

func (d remote) LeavingWords() string {
	return "left in the middle of a turn: " + d.serves + " goes on with it"
}

func (h InProcess) LeavingWords() string {
	return "left in the middle of a turn: it goes on at the next start"
}

// LoadBeside is [app.Loader.Load] for a command that speaks to a daemon where one runs: a mistake that came into the configuration since keeps
// nobody from that. It works with the configuration that the daemon works with.
func LoadBeside(ctx context.Context, l *app.Loader) (*app.Environment, error) {
	s, err := l.Load()
	if err == nil || exit.StatusOf(err) != exit.Usage {
		return s, err
	}
	known, failure := l.LoadStateDir()
	if failure != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, commands.StatusTimeout)
	defer cancel()
	if st, silent := api.NewClient(known.SocketPath()).Status(within); silent != nil || st.Serves != app.DaemonCommand {
		return nil, err
	}
	path, failure := l.ConfigPath()
	if failure != nil {
		return nil, err
	}
	if s, failure = l.ReadFile(known.LastGoodPath(), path); failure != nil {
		return nil, err
	}
	fmt.Fprintf(l.Stderr, "hob: %v: %s works with the configuration before that, and so does this command\n", err, app.DaemonCommand)
	return s, nil
}
