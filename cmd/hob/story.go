package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/saga"
	"hob/internal/game/tales"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/surface/telegram"
	"hob/internal/tools"
	"hob/internal/untrusted"
)

// stories are the campaigns in the journal's file, and which of them a chat is bound to. Without a journal there are none.
type stories struct{ db *store.DB }

// boundTo begins the key of the setting that says which campaign a chat is bound to.
const boundTo = "story/"

// ownText begins the key of the setting that says of a campaign that its texts came with hob, or were made by it, and that nobody untrusted
// has played it. Where there is none, a stranger may have written them: what is forgotten is not trusted.
const ownText = "story-own/"

// groups begins the names of the chats of groups.
const groups = "telegram/-"

// errNoStories says that a command works without the journal.
var errNoStories = errors.New("stories are played in a chat: hob game play")

// List implements [gamemaster.Campaigns].
func (s stories) List(ctx context.Context) ([]gamemaster.Campaign, error) {
	if s.db == nil {
		return nil, nil
	}
	all, err := s.db.Campaigns(ctx)
	list := make([]gamemaster.Campaign, 0, len(all))
	for _, c := range all {
		list = append(list, gamemaster.Campaign{ID: c.ID, Title: shortTitle(c.Title)})
	}
	return list, err
}

// Log implements [gamemaster.Campaigns].
func (s stories) Log(id string) saga.Log { return campaignLog{db: s.db, id: id} }

// Add implements [gamemaster.Campaigns].
func (s stories) Add(ctx context.Context, c gamemaster.Campaign, fill func(saga.Log) error) error {
	if s.db == nil {
		return errNoStories
	}
	if err := checkName(c.ID); err != nil {
		return err
	}
	log := &heldLog{Memory: saga.NewMemory()}
	if err := fill(log); err != nil {
		return err
	}
	return keepTale(ctx, s.db, c, log)
}

// Label implements [gamemaster.Campaigns].
func (s stories) Label(ctx context.Context, id string) (event.Label, error) {
	if s.db == nil {
		return event.Label{}, nil
	}
	own, err := s.db.Setting(ctx, ownText+id)
	strange := own == ""
	if !strange && err == nil {
		strange, err = s.playedByGroup(ctx, id)
	}
	if !strange || err != nil {
		return event.Label{}, err
	}
	return event.Label{Untrusted: true, Source: "story:" + id}, nil
}

// playedByGroup reports whether a group plays a campaign or has played it. An older hob did not keep that: the log says so, whose requests
// begin with the name of their chat.
func (s stories) playedByGroup(ctx context.Context, id string) (bool, error) {
	if played, err := s.db.EntryBy(ctx, id, groups); played || err != nil {
		return played, err
	}
	bound, err := s.db.Settings(ctx, boundTo+groups)
	for _, campaign := range bound {
		if campaign == id {
			return true, nil
		}
	}
	return false, err
}

// Distrust implements [gamemaster.Campaigns].
func (s stories) Distrust(ctx context.Context, id string) error {
	if s.db == nil {
		return nil
	}
	if own, err := s.db.Setting(ctx, ownText+id); own == "" || err != nil {
		return err
	}
	return s.db.SetSetting(context.WithoutCancel(ctx), ownText+id, "")
}

// shortTitle is what a story is called in a list: one line, whoever wrote it.
func shortTitle(title string) string {
	const most = 60
	title, _ = untrusted.Plain(inLine(title))
	if r := []rune(title); len(r) > most {
		title = string(r[:most-1]) + "…"
	}
	return title
}

// Bound implements [gamemaster.Campaigns].
func (s stories) Bound(ctx context.Context, chat event.Chat) (string, error) {
	if s.db == nil {
		return "", nil
	}
	return s.db.Setting(ctx, boundTo+string(chat))
}

// Bind implements [gamemaster.Campaigns].
func (s stories) Bind(ctx context.Context, chat event.Chat, id string) error {
	if s.db == nil {
		return errNoStories
	}
	return s.db.SetSetting(ctx, boundTo+string(chat), id)
}

// keepTale keeps a new campaign whose log is whole, and whether its texts are hob's own. Dropping one takes that back first, so that no
// other of its name is taken for it.
func keepTale(ctx context.Context, db *store.DB, c gamemaster.Campaign, log *heldLog) error {
	err := db.AddCampaign(ctx, c.ID, c.Title, log.entries(ctx))
	var taken *store.TakenError
	if errors.As(err, &taken) {
		err = exit.Errorf(exit.Usage, "%v", taken)
	}
	if err == nil && !c.Strange {
		err = db.SetSetting(ctx, ownText+c.ID, "1")
	}
	if snapshot, none := log.Snapshot(ctx); err == nil && none == nil && len(snapshot) > 0 {
		_ = db.CacheCampaign(ctx, c.ID, snapshot) // without it, it takes longer to load, and that is all
	}
	return err
}

// dropTale takes a campaign away.
func dropTale(ctx context.Context, db *store.DB, id string) error {
	if err := db.SetSetting(ctx, ownText+id, ""); err != nil {
		return err
	}
	return db.DropCampaign(ctx, id)
}

// ownTales is the folder in which the owner puts tales, and tales are those that there are.
func (s *setting) ownTales() string   { return filepath.Join(filepath.Dir(s.path), "tales") }
func (s *setting) tales() tales.Shelf { return tales.NewShelf(os.DirFS(s.ownTales())) }

// storyteller makes the game master. Sessions are asked for when a chat is to open or close it: they are made of its skill. A nil
// model writes nothing for the story's tools.
func (s *setting) storyteller(kept keeper, model llm.Model, sessions func() *session.Sessions) (*gamemaster.Master, error) {
	book, err := game.Rules()
	if err != nil {
		return nil, err
	}
	db, _ := kept.(*store.DB)
	cfg := gamemaster.Config{Campaigns: stories{db}, Tales: s.tales(), Now: time.Now, Random: rand.Reader, Batches: s.Game.Batches,
		Fence: fenceOf(policy.NewSieve(s.discreet, rand.Reader))}
	if !s.Game.Model {
		cfg.Model = func(context.Context) bool { return false }
	}
	if model != nil && s.Game.Model {
		cfg.Author = author(model)
	}
	if sessions != nil {
		wish := func(by tools.Caller) session.Wish {
			return session.Wish{Chat: by.Chat, Skill: gamemaster.Name, By: by.User, Standing: by.Standing}
		}
		cfg.Open = func(ctx context.Context, by tools.Caller) error { return sessions().OpenSkill(ctx, wish(by)) }
		cfg.Close = func(ctx context.Context, by tools.Caller) error { return sessions().CloseSkill(ctx, wish(by)) }
	}
	return gamemaster.New(book, cfg)
}

// fenceOf returns what fences the words of strangers in a story.
func fenceOf(sieve *policy.Sieve) func(string, event.Label) string {
	return func(text string, from event.Label) string {
		clean, fence := sieve.Said(text, from)
		return event.Fenced(clean, sieve.Label(from).Source, fence)
	}
}

// How a model writes a part of a world.
const (
	authorTokens = 1600
	authorWarmth = 0.4
)

// author has a model write what a tool of the game wants of it.
func author(model llm.Model) func(context.Context, string) (string, error) {
	return func(ctx context.Context, prompt string) (string, error) {
		reply, err := model.Chat(ctx, llm.Request{
			System:   "You write parts of a game world. Answer with one JSON object and nothing else.",
			Messages: []llm.Message{{Role: llm.UserRole, Text: prompt}},
			Options:  llm.Options{Temperature: authorWarmth, NumPredict: authorTokens, Think: llm.ThinkOff},
		}, func(llm.Delta) {})
		if err != nil {
			return "", err
		}
		return reply.Message.Text, nil
	}
}

// goOn hands in that a round goes on whose time is up, for whoever made its first plan: it happens in their chat, and they could have
// said it. Where the story rests, nothing happens.
func (h *hob) goOn(ctx context.Context, d gamemaster.Due) error {
	if led, err := h.Leads(ctx, d.Chat); !led || err != nil {
		return err
	}
	for e, err := range h.journal.Chat(ctx, d.Chat, d.Said-1) {
		if err != nil {
			return err
		}
		said, ok := e.Body.(event.Said)
		if !ok || e.Seq != d.Said {
			return nil // it is not in this journal: the story was brought here from elsewhere
		}
		_, err = h.Submit(ctx, session.Input{
			Chat: d.Chat, ID: d.Input, From: said.From, Text: "/next", Pick: d.Pick, Standing: said.Standing, Label: said.Label,
		})
		return err
	}
	return nil
}

// storyFiles are the files that a surface hands out: those of the workspace, and those of stories, which are made when they are read.
type storyFiles struct {
	telegram.Files
	master *gamemaster.Master
}

// Open implements [telegram.Files].
func (f storyFiles) Open(ctx context.Context, file event.File) (io.ReadCloser, error) {
	if gamemaster.IsFile(file.Path) {
		return f.master.OpenFile(ctx, file)
	}
	return f.Files.Open(ctx, file)
}

// leads is what leads chats on Telegram.
type leads struct{ hob *hob }

// Takes implements [telegram.Story].
func (l leads) Takes(ctx context.Context, chat event.Chat, name string) (takes, discreet bool) {
	if takes, discreet = gamemaster.Takes(name); !takes {
		return false, false
	}
	led, err := l.hob.Leads(ctx, chat)
	return led && err == nil, discreet
}

// Picked implements [telegram.Story].
func (l leads) Picked(ctx context.Context, chat event.Chat, by telegram.Request, c event.Choice) telegram.Picking {
	return telegram.Picking(l.hob.master.Picked(ctx, tools.Caller{Chat: chat, User: by.From, Standing: by.Standing}, c))
}
