package eval

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hob/internal/app"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/trial"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/tools"
)

// storyRun has a model run stories that nobody keeps: with the agent, the sessions and the game master of a real chat, and with a
// journal and campaigns in memory.
type storyRun struct {
	set   *app.Environment
	model *app.Model
	book  *rules.Book
	now   func() time.Time
}

func newStoryRun(s *app.Environment, model *app.Model, now func() time.Time) (*storyRun, error) {
	book, err := game.Rules()
	return &storyRun{set: s, model: model, book: book, now: now}, err
}

// auditioned is the only chat of a scene, and its only campaign.
const auditioned = "eval"

// play plays a scene: a tale begins, its hero walks to where the scene is, and the words are said. An error is one that the next
// scene would have too, such as that the model is gone.
func (d *storyRun) play(ctx context.Context, scene trial.Scene, lang string) (StoryTurn, error) {
	t := StoryTurn{Tale: scene.Tale, Line: scene.Name, Words: scene.Words, Calls: []Call{}, Problems: []string{}}
	var last error // of the newest request
	h, err := d.stage(ctx, func(err error) { last = err })
	if err != nil {
		return t, err
	}
	defer h.Close()
	if err := h.begin(ctx, scene, lang); err != nil {
		return t, fmt.Errorf("begin %s: %w", scene.Tale, err)
	}
	began := d.now()
	err = h.say(ctx, scene.Words, t.take)
	t.Seconds = d.now().Sub(began).Seconds()
	if ctx.Err() != nil {
		return t, exit.Errorf(exit.Denied, "cancelled")
	}
	if err == nil && (t.Reason == string(event.NoModel) || app.IsModelMissing(last) || errors.Is(last, llm.Unreachable)) {
		err = last
	}
	if err != nil {
		return t, err
	}
	t.Problems, t.Flagged, t.Fallback = append(t.Problems, h.seen.problems...), h.seen.flagged, h.seen.fallback
	came := trial.Outcome{}
	for _, c := range t.Calls {
		if c.Applied {
			came.Applied = append(came.Applied, c.Tool)
		}
	}
	if came.Changed, err = h.changed(ctx); err != nil {
		return t, err
	}
	t.Right, t.Still, t.Changed = scene.Right(came), scene.Still(came), came.Changed
	return t, nil
}

// storyStage is a hob for one scene.
type storyStage struct {
	*session.Sessions
	master *gamemaster.Master
	shelf  *oneStory
	seen   *witness
	book   *rules.Book
	now    func() time.Time
	head   int64 // the story's turn when the words are said
}

// stage makes a hob whose chats can play stories and nothing else.
func (d *storyRun) stage(ctx context.Context, heed func(error)) (*storyStage, error) {
	h := &storyStage{shelf: &oneStory{}, book: d.book, now: d.now}
	model := app.ObservedModel{Model: d.model, Observe: heed}
	var err error
	h.master, err = gamemaster.New(d.book, gamemaster.Config{
		Campaigns: h.shelf, Now: d.now, Random: bytes.NewReader(make([]byte, seedBytes)), Author: app.NewAuthor(model), Batches: d.set.Game.Batches,
		Open: func(ctx context.Context, by tools.Caller) error {
			return h.OpenSkill(ctx, session.SkillRequest{Chat: by.Chat, Skill: gamemaster.Name, By: by.User, Standing: by.Standing})
		},
	})
	if err != nil {
		return nil, err
	}
	skill := h.master.Skill()
	narrator, _ := skill.Driver.(driver.Narrator)
	h.seen = &witness{Driver: skill.Driver, Narrator: narrator}
	skill.Driver = h.seen
	kit := session.Kit{Skills: []skills.Skill{skill}}
	h.Sessions = session.New(ctx, session.Config{
		Journal: store.NewMemory(d.now), Model: model, Kit: func(context.Context) session.Kit { return kit },
		Settings: d.model.TurnSettings, Budget: d.set.Budget(), Now: d.now, Log: slog.New(slog.DiscardHandler), Random: rand.Reader,
		Policy: func(context.Context) (policy.Policy, error) { return policy.Policy{}, nil },
	})
	return h, nil
}

// seedBytes is the length of the seed of a story's dice: they are the same in each.
const seedBytes = 32

// begin begins the tale of a scene in the chat, and walks its hero to where the scene is.
func (h *storyStage) begin(ctx context.Context, scene trial.Scene, lang string) error {
	by := tools.Caller{Chat: auditioned, User: "owner", Standing: app.LocalOwner()}
	if _, err := h.master.Begin(ctx, gamemaster.Beginning{ID: auditioned, Tale: scene.Tale, Lang: lang}); err != nil {
		return err
	}
	s, err := h.story(ctx)
	if err != nil {
		return err
	}
	hero := s.World().Self().Active
	for _, place := range scene.Via {
		args, err := json.Marshal(map[string]string{"player_id": hero, "target_location_id": place})
		if err != nil {
			return err
		}
		if _, err := s.Play(ctx, saga.Request{Actor: hero, Calls: []rules.Call{{Tool: "move_player", Args: args, Actor: hero}}}); err != nil {
			return err
		}
	}
	h.head = s.Head()
	_, err = h.master.Bind(ctx, by, auditioned)
	return err
}

func (h *storyStage) story(ctx context.Context) (*saga.Saga, error) {
	return saga.Load(ctx, h.shelf.log, game.Options(h.book, h.now))
}

// changed reports whether what was called since the words were said has changed the world, or thrown dice. What follows from a turn by
// itself, such as a clock that goes on, is none of that.
func (h *storyStage) changed(ctx context.Context) (bool, error) {
	s, err := h.story(ctx)
	if err != nil || s.Head() == h.head {
		return false, err
	}
	parts, err := s.Parts(ctx, s.Head())
	for _, p := range parts {
		if len(p.Outcomes) == 0 || p.Outcomes[0].Itself {
			continue
		}
		if len(p.Rolls) > 0 || slices.ContainsFunc(p.Outcomes, func(o rules.Outcome) bool { return o.Changed && !o.Itself }) {
			return true, err
		}
	}
	return false, err
}

// say says something in the chat and tells take what comes of it, until the turn has ended.
func (h *storyStage) say(ctx context.Context, words string, take func(event.Body)) error {
	in := session.Input{Chat: auditioned, ID: "1", From: "owner", Text: words, Standing: app.LocalOwner()}
	seq, err := h.Submit(ctx, in)
	if err != nil {
		return err
	}
	for e, err := range h.Follow(ctx, in.Chat, seq-1) {
		if err != nil {
			return err
		}
		if e.Turn != seq || e.Seq == 0 {
			continue
		}
		take(e.Body)
		if _, over := e.Body.(event.Ended); over {
			return nil
		}
	}
	return errors.New("the turn did not end")
}

// witness is a driver that remembers the mistakes that it found, and whether it used words of its own.
type witness struct {
	driver.Driver
	driver.Narrator
	problems []string
	flagged  int
	fallback bool
}

// Check implements [driver.Driver].
func (w *witness) Check(ctx context.Context, draft string) []string {
	problems := w.Driver.Check(ctx, draft)
	if len(problems) > 0 {
		w.problems, w.flagged = append(w.problems, problems...), w.flagged+1
	}
	return problems
}

// Fallback implements [driver.Narrator].
func (w *witness) Fallback(ctx context.Context) (string, error) {
	w.fallback = true
	return w.Narrator.Fallback(ctx)
}

// oneStory keeps one campaign, in memory, and one chat that may be bound to it.
type oneStory struct {
	mu    sync.Mutex
	log   *saga.Memory // nil until there is one
	title string
	bound string
}

// List implements [gamemaster.Campaigns].
func (o *oneStory) List(context.Context) ([]gamemaster.Campaign, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.log == nil {
		return nil, nil
	}
	return []gamemaster.Campaign{{ID: auditioned, Title: o.title}}, nil
}

// Log implements [gamemaster.Campaigns].
func (o *oneStory) Log(string) saga.Log {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.log == nil {
		return saga.NewMemory()
	}
	return o.log
}

// Add implements [gamemaster.Campaigns].
func (o *oneStory) Add(_ context.Context, c gamemaster.Campaign, fill func(saga.Log) error) error {
	log := saga.NewMemory()
	if err := fill(log); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log, o.title = log, c.Title
	return nil
}

// Label implements [gamemaster.Campaigns].
func (o *oneStory) Label(context.Context, string) (event.Label, error) { return event.Label{}, nil }

// Distrust implements [gamemaster.Campaigns]. Only the evaluation plays.
func (o *oneStory) Distrust(context.Context, string) error { return nil }

// Bound implements [gamemaster.Campaigns].
func (o *oneStory) Bound(context.Context, event.Chat) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bound, nil
}

// Bind implements [gamemaster.Campaigns].
func (o *oneStory) Bind(_ context.Context, _ event.Chat, id string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bound = id
	return nil
}
