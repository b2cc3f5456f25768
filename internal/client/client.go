// Package client connects a terminal to a hob.
//
// [Backend] is what a terminal needs of a hob. There are two: [InProcess], the hob of this process,
// and a remote one, which runs already and serves its socket. [Reach] finds the remote one, or
// opens one in this process. A [Client] submits a question and shows the events until its turn has
// ended. A [Question] is composed of words, files and standard input; [NewView] returns what shows
// its turn. The open prompt is in client/prompt. [Stop], [Undo] and [SwitchSkill] are single calls that need no terminal.
package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/model"
	"hob/internal/retry"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/http/api"
)

// Backend is a hob, in this process or another.
type Backend interface {
	Turns
	Questions
	Parking
	Skills
	Command(ctx context.Context, in api.CommandRequest) (api.CommandReply, error)
}

// Turns plays the turns of a chat.
type Turns interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	Last(ctx context.Context, chat event.Chat) (int64, error)
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Reset(ctx context.Context, chat event.Chat) error
}

// Questions takes a person's answers.
type Questions interface {
	Decide(ctx context.Context, a session.Answer) error
	IsAsking(ctx context.Context, chat event.Chat, id string) (bool, error)
}

// Parking is the turns that wait for the model or are parked.
type Parking interface {
	Parked(ctx context.Context, chat event.Chat) ([]event.ParkedTurn, error)
	Park(ctx context.Context, chat event.Chat) (*event.ParkedTurn, error)
	Retry(ctx context.Context, chat event.Chat, turn int64) error
}

// Skills lists skills, and opens and closes them.
type Skills interface {
	SkillList(ctx context.Context, chat event.Chat) (commands.SkillList, error)
	OpenSkill(ctx context.Context, in session.SkillRequest) error
	CloseSkill(ctx context.Context, in session.SkillRequest) error
}

// Client is a terminal that talks to a hob.
type Client struct {
	Backend
	Serves  string                      // the running hob, such as "hob serve"; "": the one of this process
	Here    *app.App                    // the hob of this process, or nil
	Chat    event.Chat                  // of the last turn
	reach   func(context.Context) error // finds the running hob, or opens one in this process
	Wait    Wait                        // for an unreachable model
	Refused bool                        // a line that calls a tool was handed in, and the call failed
	left    bool                        // the person has left in the middle of a turn, and waits for nothing
}

// How often Reach retries while a hob holds the state and does not answer, because it is starting
// or ending.
const (
	reachPoll  = 50 * time.Millisecond
	reachTries = 40
)

// Reach finds the running hob, or opens one in this process. who names this command.
func Reach(ctx context.Context, l *app.Loader, s *app.Environment, e *model.Model, who string, wait Wait) (*Client, error) {
	c := &Client{Wait: wait}
	c.reach = func(ctx context.Context) error { return c.find(ctx, l, s, e, who) }
	if err := c.reach(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

func (h *Client) find(ctx context.Context, l *app.Loader, s *app.Environment, e *model.Model, who string) error {
	client := api.NewClient(s.SocketPath())
	var err error
	for range reachTries {
		lock, held := store.Lock(s.LockPath(), who)
		if held == nil { // no hob runs
			return h.useOwn(l.OpenLocked(ctx, s, e, who, lock))
		}
		var st api.Status
		if st, err = client.Status(ctx); err == nil && l.ModelName == "" {
			h.Backend, h.Serves = remoteBackend{client}, st.Serves
			if mine, err := filepath.Abs(s.ConfigPath); err == nil && l.NamesConfig() && st.Config != "" && st.Config != mine {
				fmt.Fprintf(l.Stderr, "hob: %s (pid %d) answers, with its own configuration: %s\n", st.Serves, st.PID, st.Config)
			}
			return nil
		}
		if err == nil && st.Serves == app.DaemonCommand {
			return exit.Errorf(exit.Usage, "%s is running and has its own model: leave --model out, or change [ollama] model and reload it", app.DaemonCommand)
		}
		if err == nil {
			break // a short-lived hob with another model: wait for its end
		}
		if !IsGone(err) {
			return err
		}
		if !errors.Is(held, store.ErrLocked) {
			break // Open returns that error
		}
		if err := retry.Wait(ctx, reachPoll); err != nil {
			return err
		}
	}
	if errors.Is(err, api.ErrNoAnswer) {
		return err
	}
	return h.useOwn(l.Open(ctx, s, e, who))
}

// useOwn makes the hob of this process the backend.
func (h *Client) useOwn(mine *app.App, err error) error {
	if err != nil {
		return err
	}
	h.Backend, h.Serves, h.Here = InProcess{mine}, "", mine
	return nil
}

// Close ends the hob of this process, if there is one. It waits a while for turns that other
// processes have submitted in other chats, and for calls that act for them in this one. Those
// processes then go on with their turns; only a call that takes longer is cut off.
func (h *Client) Close() error {
	if h.Here == nil {
		return nil
	}
	h.settle()
	return h.Here.Close()
}

// How long and how often a hob waits for the turns of other processes before it ends. A process
// that waits for the state waits longer.
const (
	settleTimeout = app.LockWait * 4 / 5
	settlePoll    = 20 * time.Millisecond
)

// settle waits until no turn runs in other chats, and then until no call acts in any.
func (h *Client) settle() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if !h.runsForOthers(context.Background()) && h.hold(ctx) {
		return // as nearly always: to catch signals takes 0.1 ms
	}
	ctx, cancel = context.WithTimeout(context.Background(), settleTimeout)
	defer cancel()
	ctx, hurry := UntilInterrupted(ctx)
	defer hurry()
	for h.runsForOthers(ctx) && retry.Wait(ctx, settlePoll) == nil { // the condition waits
	}
	h.hold(ctx)
}

// hold lets no call begin any more, and reports whether none acts when ctx ends. Who has left in the middle of a turn waits
// for none.
func (h *Client) hold(ctx context.Context) bool {
	if h.left {
		return true
	}
	_, err := h.Here.Hold(ctx)
	return err == nil
}

// runsForOthers reports whether a turn runs in a chat other than that of the last turn.
func (h *Client) runsForOthers(ctx context.Context) bool {
	busy, err := h.Here.FindBusyChat(ctx, h.Chat)
	return err == nil && busy != ""
}

// IsGone reports whether err means that no hob is running.
func IsGone(err error) bool {
	return errors.Is(err, api.ErrGone) || errors.Is(err, api.ErrNotRunning) || errors.Is(err, api.ErrNoAnswer)
}

// Turn submits a question and shows the events until its turn has ended. If the remote hob ends
// meanwhile, the turn continues in the next one, which may be of this process. A daemon's turn does
// not: the daemon resumes it. What was shown is noted in the question.
func (h *Client) Turn(ctx context.Context, q *Question, v View) (event.Ended, error) {
	h.Chat = event.Chat(q.Chat)
	w := &trackingView{View: v, question: q}
	for {
		end, err := h.play(ctx, q, w)
		if h.Serves == "" || !IsGone(err) {
			return end, err
		}
		if h.Serves == app.DaemonCommand && q.submitted {
			return end, exit.Errorf(exit.Failed, "%s has ended in the middle of the turn, which goes on when it starts again", app.DaemonCommand)
		}
		if h.Serves == app.DaemonCommand && errors.Is(err, api.ErrNotRunning) {
			return end, exit.Errorf(exit.Failed, "%s has ended, and has not taken the message: start it again, or say it anew without it", app.DaemonCommand)
		}
		if h.Serves == app.DaemonCommand {
			return end, exit.Errorf(exit.Failed, "%s has just ended; whether it has taken the message hob log %s tells", app.DaemonCommand, q.Chat)
		}
		if err := h.Reopen(ctx); err != nil {
			return end, err
		}
	}
}

// Reopen finds the next hob in place of one that has ended, or opens one in this process.
func (h *Client) Reopen(ctx context.Context) error { return h.reach(ctx) }

// trackingView is a view that records the last event it has shown.
type trackingView struct {
	View
	question *Question
}

func (w *trackingView) Event(e event.Event, own bool) error {
	err := w.View.Event(e, own)
	w.question.After = max(w.question.After, e.Seq)
	return err
}

// remoteBackend is a hob in another process.
type remoteBackend struct{ *api.Client }

func (r remoteBackend) Stop(ctx context.Context, chat event.Chat) (bool, error) {
	wait := false
	done, err := r.Client.Stop(ctx, api.StopRequest{Chat: chat, Wait: &wait})
	return len(done.Stopped) > 0, err
}

// Submit implements [Backend]. The remote hob treats the input as the owner's.
func (r remoteBackend) Submit(ctx context.Context, in session.Input) (int64, error) {
	return r.Client.Submit(ctx, api.SayRequest{
		Chat: in.Chat, ID: in.ID, Text: in.Text, Command: in.Command, Typed: in.Typed, Label: in.Label, Attachments: in.Attachments,
	})
}

// Decide implements [Backend]. The remote hob treats the answer as the owner's, unless nobody has given it.
func (r remoteBackend) Decide(ctx context.Context, a session.Answer) error {
	return r.Client.Decide(ctx, api.DecideRequest{Chat: a.Chat, ID: a.ID, Allow: a.Allow, Grants: a.Grants, Nobody: a.By == byNobody})
}

// OpenSkill implements [Backend].
func (r remoteBackend) OpenSkill(ctx context.Context, in session.SkillRequest) error {
	return r.Client.OpenSkill(ctx, api.SkillRequest{Chat: in.Chat, Skill: in.Skill})
}

// CloseSkill implements [Backend].
func (r remoteBackend) CloseSkill(ctx context.Context, in session.SkillRequest) error {
	return r.Client.CloseSkill(ctx, api.SkillRequest{Chat: in.Chat, Skill: in.Skill})
}

// Serving returns the command that runs hob on a state, such as "hob serve", or "" where none answers.
func Serving(ctx context.Context, s *app.Environment) string {
	ctx, cancel := context.WithTimeout(ctx, commands.StatusTimeout)
	defer cancel()
	st, err := api.NewClient(s.SocketPath()).Status(ctx)
	if err != nil {
		return ""
	}
	return st.Serves
}

// LoadBeside is [app.Loader.Load] for a command that talks to a running daemon. If the
// configuration has a mistake by now, it returns the one that the daemon uses.
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
	if _, absent := os.Stat(path); os.IsNotExist(absent) {
		return nil, err
	}
	if s, failure = l.ReadFile(known.LastGoodPath(), path); failure != nil {
		return nil, err
	}
	fmt.Fprintf(l.Stderr, "hob: %v: %s works with the configuration before that, and so does this command\n", err, app.DaemonCommand)
	return s, nil
}
