package app

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"hob/internal/campaigns"
	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/author"
	"hob/internal/llm"
	"hob/internal/model"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills/gamemaster"
	"hob/internal/tools"
)

// newGameMaster makes the game master. It gets the sessions through a function, because they are
// built from its skill. With a nil model, the story's tools write nothing.
func (s *Environment) newGameMaster(stories campaigns.Repository, model *storyModel, sessions func() *session.Sessions) (*gamemaster.Master, error) {
	cfg := gamemaster.Config{Campaigns: stories, Tales: s.Tales(), Now: time.Now, Random: rand.Reader, Batches: s.Game.Batches,
		Visual: []string{"telegram"}, Fence: newFence(policy.NewSanitizer(s.Redactor, rand.Reader))}
	if !s.Game.Model {
		cfg.Model = func(context.Context) bool { return false }
	} else if model != nil {
		cfg.Model, cfg.Author = model.isReady, NewAuthor(model)
	}
	if sessions != nil {
		request := func(by tools.Caller) session.SkillRequest {
			return session.SkillRequest{Chat: by.Chat, Skill: gamemaster.Name, By: by.User, Principal: by.Principal}
		}
		cfg.Open = func(ctx context.Context, by tools.Caller) error { return sessions().OpenSkill(ctx, request(by)) }
		cfg.Close = func(ctx context.Context, by tools.Caller) error { return sessions().CloseSkill(ctx, request(by)) }
	}
	return gamemaster.New(game.Rules(), cfg)
}

// storyModel is a model that narrates while it is ready: without it, plain commands play.
type storyModel struct {
	llm.Model
	isReady func(context.Context) bool
}

// awayFor is how long a model counts as away after one check: a turn of a story checks a dozen
// times.
const awayFor = time.Second

// newStoryModel returns a model that narrates while e is ready.
func newStoryModel(model llm.Model, e *model.Model) *storyModel {
	var mu sync.Mutex
	var away time.Time
	return &storyModel{model, func(ctx context.Context) bool {
		mu.Lock()
		defer mu.Unlock()
		if !away.IsZero() && time.Since(away) < awayFor {
			return false
		}
		if away = (time.Time{}); !e.IsReady(ctx) {
			away = time.Now()
		}
		return away.IsZero()
	}}
}

// newFence returns a function that fences the text of strangers in a story.
func newFence(sanitizer *policy.Sanitizer) func(string, event.Label) string {
	return func(text string, from event.Label) string {
		clean, fence := sanitizer.SanitizeMessage(text, from)
		return event.Fence(clean, sanitizer.SanitizeLabel(from).Source, fence)
	}
}

// Options for a model that writes a part of a world.
const (
	authorTokens      = 1600
	authorTemperature = 0.4
)

// NewAuthor returns a function that asks the model for a part of a world.
func NewAuthor(model llm.Model) func(context.Context, string) (string, error) {
	return func(ctx context.Context, prompt string) (string, error) {
		answer, _, err := askModel(ctx, model, "You write parts of a game world. Answer with one JSON object and nothing else.", prompt, nil,
			llm.Options{Temperature: authorTemperature, NumPredict: authorTokens})
		return answer, err
	}
}

// Options for a model that writes a tale. The temperature makes a second try of a part differ from
// the first.
const (
	taleTokens      = 2400
	taleTemperature = 0.7
)

// NewTaleAuthor returns a function that asks the model for a part of a tale.
func NewTaleAuthor(model llm.Model) author.Asker {
	return func(ctx context.Context, q author.Question) (answer, name string, err error) {
		return askModel(ctx, model, q.System, q.Text, q.Schema, llm.Options{Temperature: taleTemperature, NumPredict: taleTokens})
	}
}

// ContinueStory submits the end of a round whose time is up. It acts for the player who made the
// round's first plan, in that player's chat. If no story runs in the chat, it does nothing.
func (a *App) ContinueStory(ctx context.Context, d gamemaster.Due) error {
	if led, err := a.HasDriver(ctx, d.Chat); !led || err != nil {
		return err
	}
	for e, err := range a.Journal.Chat(ctx, d.Chat, d.Said-1) {
		if err != nil {
			return err
		}
		said, ok := e.Body.(event.Said)
		if !ok || e.Seq != d.Said {
			return nil // the plan is in another journal: the story was imported
		}
		_, err = a.Submit(ctx, session.Input{
			Chat: d.Chat, ID: d.Input, From: said.From, Text: "/next", Pick: d.Pick, Principal: said.Principal, Label: said.Label,
		})
		return err
	}
	return nil
}
