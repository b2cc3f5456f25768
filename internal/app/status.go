package app

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/model"
	"hob/internal/store"
)

// statusBuilder collects a status report.
type statusBuilder struct {
	commands.StatusReport
	reads, writes speed // of the last day
}

func newStatus(s *Environment) *statusBuilder {
	return &statusBuilder{StatusReport: commands.StatusReport{
		Root: IsRoot(), Ollama: commands.OllamaStatus{Host: strings.Join(s.Hosts, ", ")}, Chats: []commands.ChatStatus{}, Errors: []commands.StatusError{},
		Waiting: []event.ParkedTurn{}, Parked: []event.ParkedTurn{},
	}}
}

// Status reads the state folder and the journal, which another process may have locked. It leaves out the model and its
// server: see [Environment.AskServer].
func (s *Environment) Status(ctx context.Context) (commands.StatusReport, error) {
	st := newStatus(s)
	if bad := store.CheckFolder(s.StateDir); bad != nil {
		return st.StatusReport, exit.Errorf(exit.Usage, "%v", bad)
	}
	if s.HasJournal() { // without one the report is empty, and the command creates none
		var err error
		if st.Holder, err = store.Holder(s.LockPath()); err != nil {
			return st.StatusReport, s.ExplainUnwritable(err)
		}
	}
	err := s.WithJournal(ctx, func(db *store.DB) error { return st.readJournal(ctx, db, time.Now().Add(-24*time.Hour)) })
	if err != nil {
		return st.StatusReport, err
	}
	return st.StatusReport, nil
}

// AskServer adds to a report what the model's server says now.
func (s *Environment) AskServer(ctx context.Context, st *commands.StatusReport) {
	s.askServer(ctx, st, NewModel(s))
}

// askServer asks the model's server. A server that does not answer is part of the report.
func (s *Environment) askServer(ctx context.Context, st *commands.StatusReport, e *model.Model) {
	ctx, cancel := context.WithTimeout(ctx, commands.StatusTimeout)
	defer cancel()
	if err := e.CheckProfiles(); err != nil {
		st.Errors = append(st.Errors, commands.StatusError{Time: time.Now(), Chat: "profiles", Text: err.Error()})
	}
	c, err := e.Ready(ctx)
	now := e.State()
	st.Model.Context = now.Context
	v, down := s.OllamaClient.Version(ctx)
	if err = cmp.Or(err, down); err != nil {
		st.Ollama.Error = err.Error()
	}
	st.Ollama.Version = v
	if own := s.LocalOllama; own != nil && (own.Running() || v == "") {
		st.Ollama.Program = own.Program()
	}
	if c == nil {
		st.Model.Wanted = s.Ollama.Model
		return
	}
	st.Model.Name, st.Model.Profile, st.Model.Mode = now.Facts.Model, now.Profile.Name, string(now.Profile.Mode)
	st.Model.Tools, st.Model.FewTools = now.Profile.MaxTools, 0 < now.Profile.MaxTools && now.Profile.MaxTools < UsualTools+3
	st.Model.Mode = cmp.Or(st.Model.Mode, string(llm.NativeMode))
	if loaded, err := c.Context(ctx); err == nil && loaded > 0 {
		st.Model.Loaded, st.Model.Context = true, min(loaded, now.Context)
	}
}

// readJournal adds the events since a time.
func (st *statusBuilder) readJournal(ctx context.Context, db *store.DB, since time.Time) error {
	chats, err := db.Chats(ctx)
	if err != nil {
		return err
	}
	parked, err := ParkedTurns(ctx, db)
	if err != nil {
		return err
	}
	for _, info := range chats {
		if info.Time.Before(since) && len(info.Open) == 0 {
			continue
		}
		open := len(RunningTurns(info, parked)) > 0
		c := chatTally{ChatStatus: commands.ChatStatus{Chat: info.Chat, Time: info.Time, Open: open, Cached: -1}}
		for e, err := range db.Chat(ctx, info.Chat, 0) {
			if err != nil {
				return err
			}
			if _, unreadable := e.Body.(event.Unreadable); unreadable {
				st.Unreadable++
			}
			c.addEvent(e, st, !e.Time.Before(since))
		}
		st.Chats = append(st.Chats, c.ChatStatus)
	}
	st.complete(parked)
	return nil
}

// complete adds the waiting and parked turns and the speed, sorts the newest first, and keeps the
// last few different errors.
func (st *statusBuilder) complete(parked []event.ParkedTurn) {
	for _, p := range parked {
		if p.Waits() {
			st.Waiting = append(st.Waiting, p)
		} else {
			st.Parked = append(st.Parked, p)
		}
	}
	st.Day.PromptPerSecond, st.Day.EvalPerSecond = st.reads.perSecond(), st.writes.perSecond()
	slices.SortStableFunc(st.Chats, func(a, b commands.ChatStatus) int { return b.Time.Compare(a.Time) })
	slices.SortStableFunc(st.Errors, func(a, b commands.StatusError) int { return b.Time.Compare(a.Time) })
	seen := map[string]bool{}
	st.Errors = slices.DeleteFunc(st.Errors, func(e commands.StatusError) bool { // keep only the newest of equal errors
		again := seen[e.Text]
		seen[e.Text] = true
		return again
	})
	st.Errors = st.Errors[:min(len(st.Errors), maxErrors)]
}

// recentEvents is how many events of all chats the status of a running hob covers.
const recentEvents = 3000

// Status implements [commands.StatusSource].
func (p commandPorts) Status(ctx context.Context, chat event.Chat) (commands.StatusReport, error) {
	h := p.App
	st := newStatus(h.Env)
	chats := map[event.Chat]*chatTally{chat: {ChatStatus: commands.ChatStatus{Chat: chat, Cached: -1}}}
	end, err := h.Journal.Last(ctx, "")
	if err != nil {
		return st.StatusReport, err
	}
	for e, err := range h.Journal.Since(ctx, "", max(end-recentEvents, 0)) {
		if err != nil {
			return st.StatusReport, err
		}
		if chats[e.Chat] == nil {
			chats[e.Chat] = &chatTally{}
		}
		chats[e.Chat].addEvent(e, st, true)
	}
	all, err := h.Journal.Chats(ctx)
	if err != nil {
		return st.StatusReport, err
	}
	parked, err := ParkedTurns(ctx, h.Journal)
	if err != nil {
		return st.StatusReport, err
	}
	here := chats[chat].ChatStatus
	for _, c := range all {
		if c.Chat == chat {
			here.Time, here.Open = c.Time, len(RunningTurns(c, parked)) > 0
		}
	}
	st.Chats = []commands.ChatStatus{here}
	st.complete(parked)
	queue := h.QueueStatus()
	st.Queue = &queue
	h.Env.askServer(ctx, &st.StatusReport, h.Model)
	return st.StatusReport, nil
}

// QueueStatus returns how many requests run and wait.
func (a *App) QueueStatus() commands.QueueStatus {
	st := a.queue.State()
	return commands.QueueStatus{Running: len(st.Running), Waiting: len(st.Waiting), TypicalMS: st.Typical.Milliseconds()}
}
