package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/surface/cli"
	local "hob/internal/surface/http"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
)

// serveSocket serves the local API of an application of this process on its socket; who is the command.
func serveSocket(h *app.App, who string) (app.Server, error) {
	api, err := local.Listen(h.Model.Env.SocketPath(), inProcess{h}.local(who))
	if err != nil {
		return nil, err
	}
	return api, nil
}

// inProcess is the hob of this process, as a terminal and the local API speak to it.
type inProcess struct{ *app.App }

// local is the API that this hob serves. who is the command.
func (h inProcess) local(who string) local.Config {
	since := time.Now()
	return local.Config{
		Sessions: h.Sessions, Journal: h.Journal, NewID: rand.Text, Line: cli.JSONLine, ArgsHash: argsHash,
		Status: func(context.Context) local.Status {
			return local.Status{Serves: who, PID: os.Getpid(), Since: since, Queue: queueOf(h.Model)}
		},
		Parked: func(ctx context.Context) ([]session.Parked, error) { return parkedIn(ctx, h.Journal) },
		Own:    h.own(), Skills: h.skillList, Prices: func() price.Table { return h.Model.Env.Prices },
	}
}

// own is what hob's own commands ask the hob that runs for.
func (h inProcess) own() map[string]local.Own {
	return map[string]local.Own{
		"undo": func(ctx context.Context, raw json.RawMessage) (any, error) {
			var in undoOrder
			if err := ordered(raw, &in); err != nil {
				return nil, err
			}
			done, err := h.takeBack(ctx, in.undoing())
			return undoAnswerOf(done, err), nil
		},
		"job": func(ctx context.Context, raw json.RawMessage) (any, error) {
			var in jobOrder
			if err := ordered(raw, &in); err != nil {
				return nil, err
			}
			text, err := h.job(ctx, in)
			return jobAnswer{text}, err
		},
		"commands": func(ctx context.Context, raw json.RawMessage) (any, error) {
			var in commandsOrder
			if err := ordered(raw, &in); err != nil {
				return nil, err
			}
			return h.commands(ctx, in.Chat)
		},
	}
}

// ordered reads what another hob of the same version has written.
func ordered(raw json.RawMessage, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("the hob that runs is of another version than this command: start it again: %w", err)
	}
	return nil
}

// argsHash is the hash of a call's arguments as the record of the call has it.
func argsHash(args json.RawMessage) string {
	if canonical, err := tools.Canonical(args); err == nil {
		return policy.HashArgs(canonical)
	}
	return policy.HashArgs(args)
}

// queueOf says what the model is doing.
func queueOf(e *app.Model) local.QueueStatus {
	if e.Queue == nil {
		return local.QueueStatus{}
	}
	st := e.Queue.State()
	return local.QueueStatus{Running: len(st.Running), Waiting: len(st.Waiting), TypicalMS: st.Typical.Milliseconds()}
}

// undoOrder is an [undoing] on its way to the hob that runs.
type undoOrder struct {
	Numbers []int64       `json:"numbers"`
	Turn    bool          `json:"turn"`
	Since   time.Duration `json:"since"`
	Chat    event.Chat    `json:"chat"`
	Force   bool          `json:"force"`
	DryRun  bool          `json:"dry_run"`
}

func (o undoOrder) undoing() undoing {
	return undoing{
		numbers: o.Numbers, turn: o.Turn, since: o.Since, chat: o.Chat, how: changes.Options{Force: o.Force, DryRun: o.DryRun},
	}
}

// undoAnswer is what came of it.
type undoAnswer struct {
	Done      []changes.Undone   `json:"done"`
	Conflicts []changes.Conflict `json:"conflicts"`
	Nothing   bool               `json:"nothing"` // there is nothing to take back
	Error     string             `json:"error"`
}

func undoAnswerOf(done []changes.Undone, err error) undoAnswer {
	out := undoAnswer{Done: done}
	var refused *changes.ConflictError
	switch {
	case errors.As(err, &refused):
		out.Conflicts = refused.Conflicts
	case errors.Is(err, errNothing):
		out.Nothing = true
	case err != nil:
		out.Error = err.Error()
	}
	return out
}

func (a undoAnswer) result() ([]changes.Undone, error) {
	switch {
	case len(a.Conflicts) > 0:
		return nil, &changes.ConflictError{Conflicts: a.Conflicts}
	case a.Nothing:
		return nil, errNothing
	case a.Error != "":
		return a.Done, errors.New(a.Error)
	}
	return a.Done, nil
}

func (d distant) takeBack(ctx context.Context, u undoing) ([]changes.Undone, error) {
	var out undoAnswer
	err := d.Own(ctx, "undo", undoOrder{u.numbers, u.turn, u.since, u.chat, u.how.Force, u.how.DryRun}, &out)
	if err != nil {
		return nil, err
	}
	return out.result()
}

// takeBack takes changes back where no turn could be making others just now.
func (h inProcess) takeBack(ctx context.Context, u undoing) ([]changes.Undone, error) {
	chats, err := h.Chats(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range chats {
		if busy, err := h.Resume(ctx, c); err != nil {
			return nil, err
		} else if busy && !u.how.DryRun {
			return nil, fmt.Errorf("a turn runs in %s, which may change files: let it end, or stop it with hob stop %s, and undo then", c, c)
		}
	}
	return takeBack(ctx, h.Model.Env, h.Journal, u)
}

// jobOrder is what a person wants of what runs in the background.
type jobOrder struct {
	Chat event.Chat `json:"chat"`
	Do   string     `json:"do"` // list, output, keep or stop
	Job  int        `json:"job"`
}

// jobAnswer is what there is to say to that, whole lines.
type jobAnswer struct {
	Text string `json:"text"`
}

// commandsOrder asks which tools can be called as commands.
type commandsOrder struct {
	Chat event.Chat `json:"chat"`
}

func (d distant) commands(ctx context.Context, chat event.Chat) (lines []commandLine, err error) {
	err = d.Own(ctx, "commands", commandsOrder{chat}, &lines)
	return lines, err
}

func (d distant) skillList(ctx context.Context, chat event.Chat) (local.SkillList, error) {
	return d.Skills(ctx, chat)
}

func (d distant) job(ctx context.Context, order jobOrder) (string, error) {
	var out jobAnswer
	err := d.Own(ctx, "job", order, &out)
	if err != nil && order.Do == "keep" && d.serves == app.DaemonCommand && !lost(err) {
		err = fmt.Errorf("%w. With %s what runs in the background ends with its turn, unless [shell] keep_jobs = true lets all of it run on", err, app.DaemonCommand)
	}
	return out.Text, err
}

func (h inProcess) job(_ context.Context, order jobOrder) (string, error) {
	jobs := h.Shell.Jobs
	switch order.Do {
	case "list":
		lines := jobs.List(order.Chat)
		if len(lines) == 0 {
			lines = []string{"Nothing runs in the background."}
		}
		return strings.Join(lines, "\n") + "\n", nil
	case "output":
		return jobs.Output(order.Chat, order.Job)
	case "keep":
		return fmt.Sprintf("job %d runs on until hob ends.\n", order.Job), jobs.Keep(order.Chat, order.Job)
	case "stop":
		return fmt.Sprintf("job %d is stopped.\n", order.Job), jobs.Stop(order.Chat, order.Job)
	}
	return "", fmt.Errorf("there is nothing to do with jobs called %q", order.Do)
}
