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
	"time"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/scenes"
	"hob/internal/llm"
	"hob/internal/model"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/tools"
)

// storyRun has a model play stories with the agent, the sessions and the game master of a real
// chat. The journal and the campaigns are in memory.
type storyRun struct {
	env   *app.Environment
	model *model.Model
	now   func() time.Time
}

// evalName is the name of a scene's only chat and of its only campaign.
const evalName = "eval"

// playScene begins a tale, walks its hero to the scene and submits the scene's message. An error is
// one that the next scene would have, too, such as a missing model.
func (r *storyRun) playScene(ctx context.Context, scene scenes.Scene, lang string) (StoryTurn, error) {
	t := StoryTurn{Tale: scene.Tale, Line: scene.Name, Words: scene.Words, Calls: []Call{}, Problems: []string{}}
	var last error // of the newest request
	h, err := r.newStage(ctx, func(err error) { last = err })
	if err != nil {
		return t, err
	}
	defer h.close()
	if err := h.beginTale(ctx, scene, lang); err != nil {
		return t, fmt.Errorf("begin %s: %w", scene.Tale, err)
	}
	began := r.now()
	err = h.submit(ctx, scene.Words, t.addEvent)
	t.Seconds = r.now().Sub(began).Seconds()
	if ctx.Err() != nil {
		return t, exit.Errorf(exit.Denied, "cancelled")
	}
	if err == nil && (t.Reason == string(event.NoModel) || model.IsMissing(last) || errors.Is(last, llm.Unreachable)) {
		err = last
	}
	if err != nil {
		return t, err
	}
	t.Problems, t.Flagged, t.Fallback = append(t.Problems, h.driver.problems...), h.driver.flagged, h.driver.fallback
	came := scenes.Outcome{}
	for _, c := range t.Calls {
		if c.Applied {
			came.Applied = append(came.Applied, c.Tool)
		}
	}
	if came.Changed, err = h.hasChanged(ctx); err != nil {
		return t, err
	}
	t.Right, t.Still, t.Changed = scene.IsRight(came), scene.IsStill(came), came.Changed
	return t, nil
}

// storyStage is the sessions and the game master for one scene.
type storyStage struct {
	*session.Sessions
	journal   *store.DB // in memory
	master    *gamemaster.Master
	driver    *recordingDriver
	now       func() time.Time
	startTurn int64 // the story's turn before the message
}

// newStage makes sessions that can only play stories.
func (r *storyRun) newStage(ctx context.Context, heed func(error)) (*storyStage, error) {
	h := &storyStage{now: r.now}
	model := app.ObservedModel{Model: r.model, Observe: heed}
	var err error
	if h.journal, err = store.OpenMemory(ctx, r.now); err != nil {
		return nil, err
	}
	h.master, err = gamemaster.New(game.Rules(), gamemaster.Config{
		Campaigns: campaigns.New(h.journal), Now: r.now, Random: bytes.NewReader(make([]byte, seedBytes)), Author: app.NewAuthor(model), Batches: r.env.Game.Batches,
		Open: func(ctx context.Context, by tools.Caller) error {
			return h.OpenSkill(ctx, session.SkillRequest{Chat: by.Chat, Skill: gamemaster.Name, By: by.User, Principal: by.Principal})
		},
	})
	if err != nil {
		return nil, errors.Join(err, h.journal.Close())
	}
	skill := h.master.Skill()
	narrator, _ := skill.Driver.(driver.Narrator)
	lister, _ := skill.Driver.(driver.Lister)
	speaker, _ := skill.Driver.(driver.Speaker)
	h.driver = &recordingDriver{Driver: skill.Driver, Narrator: narrator, Lister: lister, Speaker: speaker}
	skill.Driver = h.driver
	set := session.Toolset{Skills: []skills.Skill{skill}}
	h.Sessions = session.New(ctx, session.Config{
		Journal: h.journal, Model: model, Toolset: func(context.Context) session.Toolset { return set },
		Settings: r.env.TurnSettings(r.model), Budget: r.env.Budget(), Now: r.now, Log: slog.New(slog.DiscardHandler), Random: rand.Reader,
		Policy: func(context.Context) (policy.Policy, error) { return policy.Policy{}, nil },
	})
	return h, nil
}

// close ends the sessions, and with them the journal in memory.
func (h *storyStage) close() {
	h.Close()
	_ = h.journal.Close() // nothing of it is kept
}

// seedBytes is the length of the dice's seed, which is the same in each scene.
const seedBytes = 32

// beginTale begins the scene's tale in the chat, and walks its hero to the scene.
func (h *storyStage) beginTale(ctx context.Context, scene scenes.Scene, lang string) error {
	by := tools.Caller{Chat: evalName, User: "owner", Principal: app.LocalOwner()}
	if _, err := h.master.Begin(ctx, gamemaster.Beginning{ID: evalName, Tale: scene.Tale, Lang: lang}); err != nil {
		return err
	}
	s, err := h.loadStory(ctx)
	if err != nil {
		return err
	}
	hero := s.World().Self().Active
	for _, place := range scene.Via {
		args, err := json.Marshal(map[string]string{"player_id": hero, "target_location_id": place})
		if err != nil {
			return err
		}
		if _, err := s.Play(ctx, eventlog.Request{Actor: hero, Calls: []rules.Call{{Tool: "move_player", Args: args, Actor: hero}}}); err != nil {
			return err
		}
	}
	h.startTurn = s.Head()
	_, err = h.master.Bind(ctx, by, evalName)
	return err
}

func (h *storyStage) loadStory(ctx context.Context) (*eventlog.Log, error) {
	return eventlog.Load(ctx, campaigns.New(h.journal).Log(evalName), game.Options(game.Rules(), h.now))
}

// hasChanged reports whether a call since the message changed the world or rolled dice. Effects
// that a turn has by itself, such as the clock, do not count.
func (h *storyStage) hasChanged(ctx context.Context) (bool, error) {
	s, err := h.loadStory(ctx)
	if err != nil || s.Head() == h.startTurn {
		return false, err
	}
	parts, err := s.Parts(ctx, s.Head())
	for _, p := range parts {
		if len(p.Outcomes) == 0 || p.Outcomes[0].Automatic {
			continue
		}
		if len(p.Rolls) > 0 || slices.ContainsFunc(p.Outcomes, func(o rules.Outcome) bool { return o.Changed && !o.Automatic }) {
			return true, err
		}
	}
	return false, err
}

// submit submits a message and passes its events to take until the turn has ended.
func (h *storyStage) submit(ctx context.Context, words string, take func(event.Body)) error {
	in := session.Input{Chat: evalName, ID: "1", From: "owner", Text: words, Principal: app.LocalOwner()}
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

// recordingDriver is a driver that records the faults of narrations, and whether the fallback was
// used.
type recordingDriver struct {
	driver.Driver
	driver.Narrator
	driver.Lister
	driver.Speaker
	problems []string
	flagged  int
	fallback bool
}

// Check implements [driver.Driver].
func (w *recordingDriver) Check(ctx context.Context, draft string) []string {
	problems := w.Driver.Check(ctx, draft)
	if len(problems) > 0 {
		w.problems, w.flagged = append(w.problems, problems...), w.flagged+1
	}
	return problems
}

// Fallback implements [driver.Narrator].
func (w *recordingDriver) Fallback(ctx context.Context, told string) (string, error) {
	w.fallback = true
	return w.Narrator.Fallback(ctx, told)
}
