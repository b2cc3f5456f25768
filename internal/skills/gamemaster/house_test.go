package gamemaster_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/skills/gamemaster"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// shelf keeps campaigns in memory.
type shelf struct {
	mu      sync.Mutex
	logs    map[string]*eventlog.MemoryStorage
	title   map[string]string
	strange map[string]bool
	bound   map[event.Chat]string
	rival   func() // writes to a log just before a line is added
	looked  int    // how often a log was asked for
	damaged bool
	label   func() // is called once when somebody has asked where a campaign comes from
}

// looksAtLabel has f called once somebody has asked where a campaign comes from.
func (s *shelf) looksAtLabel(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.label = f
}

// looks is how often a log was asked for.
func (s *shelf) looks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.looked
}

func (s *shelf) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.logs, id)
}

// damage says whether what logs have can be read.
func (s *shelf) damage(is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.damaged = is
}

// torn is a log that cannot be read.
type torn struct{ *eventlog.MemoryStorage }

func (torn) Lines(context.Context, int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) { yield(nil, errors.New("the disk cannot be read")) }
}

// raced is a log to which somebody else writes first.
type raced struct {
	*eventlog.MemoryStorage
	first func()
}

func (r raced) Append(ctx context.Context, n int64, line []byte, request string) error {
	r.first()
	return r.MemoryStorage.Append(ctx, n, line, request)
}

func newShelf() *shelf {
	return &shelf{logs: map[string]*eventlog.MemoryStorage{}, title: map[string]string{}, strange: map[string]bool{}, bound: map[event.Chat]string{}}
}

func (s *shelf) List(context.Context) (all []gamemaster.Campaign, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(s.logs)) {
		all = append(all, gamemaster.Campaign{ID: id, Title: s.title[id]})
	}
	return all, nil
}

func (s *shelf) Log(id string) eventlog.Storage {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked++
	if log, ok := s.logs[id]; ok && s.damaged {
		return torn{log}
	} else if ok && s.rival != nil {
		return raced{log, s.rival}
	} else if ok {
		return log
	}
	return eventlog.NewMemoryStorage()
}

func (s *shelf) Add(_ context.Context, c gamemaster.Campaign, fill func(eventlog.Storage) error) error {
	log := eventlog.NewMemoryStorage()
	if err := fill(log); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logs[c.ID] != nil {
		return fmt.Errorf("there is a story %q already", c.ID)
	}
	s.logs[c.ID], s.title[c.ID], s.strange[c.ID] = log, c.Title, c.Strange
	return nil
}

func (s *shelf) Label(_ context.Context, id string) (event.Label, error) {
	s.mu.Lock()
	defer func() {
		then := s.label
		s.label = nil
		s.mu.Unlock()
		if then != nil {
			then()
		}
	}()
	if !s.strange[id] {
		return event.Label{}, nil
	}
	return event.Label{Untrusted: true, Source: "story:" + id}, nil
}

func (s *shelf) Distrust(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strange[id] = true
	return nil
}

func (s *shelf) Bound(_ context.Context, chat event.Chat) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bound[chat], nil
}

func (s *shelf) Bind(_ context.Context, chat event.Chat, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bound[chat] = id
	return nil
}

// sameBytes is a source of dice that is the same each time.
type sameBytes struct{}

func (sameBytes) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(7*i + 3)
	}
	return len(p), nil
}

// house is a hob in a box with the game master in it.
type house struct {
	t        *testing.T
	journal  session.Journal
	shelf    *shelf
	master   *gamemaster.Master
	chat     event.Chat
	standing event.Principal
	inputs   int
	*session.Sessions
}

// plan changes what a house is made of.
type plan struct {
	journal session.Journal
	shelf   *shelf
	model   llm.Model
	now     func() time.Time
	noModel bool
	random  io.Reader
	more    []tools.Tool
	skills  []skills.Skill
	author  func(context.Context, string) (string, error)
	tales   tales.Library
	policy  policy.Policy
	time    time.Duration // that a turn may take; 0 means an hour, in which a machine may stand still for a while
}

func at0() time.Time { return time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC) }

func newHouse(t *testing.T, p plan) *house {
	t.Helper()
	if p.journal == nil {
		p.journal = storetest.NewMemory(at0)
	}
	if p.shelf == nil {
		p.shelf = newShelf()
	}
	if p.now == nil {
		p.now = at0
	}
	if p.model == nil {
		p.model = llm.NewScript()
	}
	if p.random == nil {
		p.random = sameBytes{}
	}
	h := &house{t: t, journal: p.journal, shelf: p.shelf, chat: "main", standing: event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}}
	book := game.Rules()
	request := func(by tools.Caller) session.SkillRequest {
		return session.SkillRequest{Chat: by.Chat, Skill: gamemaster.Name, By: by.User, Principal: by.Principal}
	}
	cfg := gamemaster.Config{
		Campaigns: p.shelf, Tales: p.tales, Now: p.now, Random: p.random, Author: p.author,
		Visual: []string{"telegram"},
		Fence:  func(text string, from event.Label) string { return event.Fence(text, from.Source, "f00d") },
		Open:   func(ctx context.Context, by tools.Caller) error { return h.OpenSkill(ctx, request(by)) },
		Close:  func(ctx context.Context, by tools.Caller) error { return h.CloseSkill(ctx, request(by)) },
	}
	if p.noModel {
		cfg.Model = func(context.Context) bool { return false }
	}
	var err error
	if h.master, err = gamemaster.New(book, cfg); err != nil {
		t.Fatal(err)
	}
	kit := session.Toolset{Tools: append(p.more, h.master.Menu()), AlwaysListed: len(p.more), Skills: append([]skills.Skill{h.master.Skill()}, p.skills...)}
	budget := agent.Budget{Steps: 20, Calls: 30, Time: cmp.Or(p.time, time.Hour), Output: 20_000}
	h.Sessions = session.New(t.Context(), session.Config{
		Journal: p.journal, Model: p.model, Toolset: func(context.Context) session.Toolset { return kit }, Now: p.now, Budget: budget,
		Log: slog.New(slog.DiscardHandler), Random: rand.Reader,
		Policy: func(context.Context) (policy.Policy, error) { return p.policy, nil },
		Settings: func(context.Context) session.Settings {
			return session.Settings{Budget: budget, Options: llm.Options{NumPredict: 500}, Window: window.Window{Size: 1 << 14, Reserve: 500}}
		},
	})
	t.Cleanup(h.Close)
	return h
}

// said is what came of an input.
type said struct {
	reply   event.Replied
	ended   event.Ended
	bodies  []event.Body
	choices []event.Choice
}

// say says something in the chat and waits for what comes of it. A line that begins with a slash is a command.
func (h *house) say(text string) said {
	h.t.Helper()
	return h.sayAs("ana", text, "")
}

func (h *house) sayAs(user, text, pick string) said {
	h.t.Helper()
	h.inputs++
	got, err := h.submit(h.t.Context(), session.Input{
		Chat: h.chat, ID: fmt.Sprint("in-", h.inputs), From: user, Text: text, Pick: pick, Principal: h.standing, Command: tools.IsCommand(text),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return got
}

func (h *house) submit(ctx context.Context, in session.Input) (got said, err error) {
	seq, err := h.Submit(ctx, in)
	if err != nil {
		return got, err
	}
	for e, err := range h.Follow(ctx, in.Chat, seq-1) {
		if err != nil {
			return got, err
		}
		if e.Turn != seq || e.Seq == 0 {
			continue
		}
		got.bodies = append(got.bodies, e.Body)
		switch b := e.Body.(type) {
		case event.Returned:
			got.choices = append(got.choices, b.Choices...)
		case event.Replied:
			got.reply, got.choices = b, append(got.choices, b.Choices...)
		case event.Ended:
			got.ended = b
			return got, nil
		}
	}
	return got, errors.New("the turn did not end")
}

// began begins a tale and returns what was told.
func (h *house) began(tale string) said {
	h.t.Helper()
	got := h.say("/game new " + tale)
	if got.ended.Reason != event.Done || !strings.Contains(got.reply.Text, "\n") {
		h.t.Fatalf("begin %s: %s: %s", tale, got.ended.Reason, got.reply.Text)
	}
	return got
}

// log loads the campaign of that name.
func (h *house) log(id string) *eventlog.Log {
	h.t.Helper()
	book := game.Rules()
	s, err := eventlog.Load(h.t.Context(), h.shelf.Log(id), game.Options(book, at0))
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// free makes a story one that is not bound: what is called happens.
func (h *house) free(id string) { h.t.Helper(); h.integrity(id, world.Free) }

// integrity sets that of a story; "" is that of a campaign from before there was one.
func (h *house) integrity(id, is string) {
	h.t.Helper()
	s := h.log(id)
	_, err := s.Play(h.t.Context(), eventlog.Request{ID: fmt.Sprint("integrity ", s.Turns()), Table: true, Open: true, Edit: func(w *world.World, _ rules.Counts) ([]world.Event, error) {
		next := *w.Self()
		next.Integrity = is
		return []world.Event{{Old: w.Self(), New: &next}}, nil
	}})
	if err != nil {
		h.t.Fatal(err)
	}
}
