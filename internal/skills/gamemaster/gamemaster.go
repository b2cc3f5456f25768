// Package gamemaster is the skill that runs stories: the tools of package game in the same registry as all others, and what leads
// a chat while it plays.
//
// A campaign is bound to a chat. In that chat plain commands are calls without any model ([Master] is a driver, see [driver.Driver]); for all
// else a model calls tools, and what they did is told in one more request. Tools are the only ones that change a world. What
// is told is held against what happened; where a model does not find true words, the engine's own are told, so a story goes on
// with any model and with none.
//
// # Invariants
//
//   - A call is one part of a turn of the campaign's log, whose request id is the chat, the turn and the place of the call in it:
//     made again after a crash it is answered with what came of it.
//   - What is secret is in no prompt before it is revealed: a model is told what [story.Scene] and the facts of package narration say.
//   - Undo, branches, saves, exports and the list of allowed tools are people's commands; no model can give them.
//   - A campaign has one writer at a time in this process; where another process was faster, it is loaded again.
//   - Nothing in here is kept but what follows from the log, and which campaign a chat is bound to: what is lost with the process is which
//     of several things somebody was asked about.
//   - What the table sets (how turns are taken, lines, tools, who plays) is a turn of the table and not of the story: undo leaves it.
package gamemaster

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/tales"
	"hob/internal/skills"
	"hob/internal/tools"
)

// Name is the name of the skill.
const Name = "gamemaster"

//go:embed instructions.md
var instructions string

// Campaigns is where campaigns are kept, and which one a chat is bound to.
type Campaigns interface {
	// List returns the campaigns, the one that was changed last first.
	List(ctx context.Context) ([]Campaign, error)
	// Log returns the log of the campaign with that id.
	Log(id string) saga.Log
	// Add keeps a new campaign, whole or not at all, whose log is written by fill. A name that is taken is an error that says so.
	Add(ctx context.Context, c Campaign, fill func(saga.Log) error) error
	// Label says where the text of a campaign comes from: it is untrusted where hob cannot know who wrote it.
	Label(ctx context.Context, id string) (event.Label, error)
	// Distrust makes a campaign untrusted for good, in every chat: somebody untrusted plays it. It is durable when it returns.
	Distrust(ctx context.Context, id string) error
	// Bound returns the campaign of a chat, "" where there is none, and Bind sets it; "" unbinds.
	Bound(ctx context.Context, chat event.Chat) (string, error)
	Bind(ctx context.Context, chat event.Chat, id string) error
}

// Campaign is a campaign as it is listed.
type Campaign struct {
	ID, Title string
	Strange   bool // a new one's text may be somebody else's: it comes from a file
}

// Config is what the skill is made of.
type Config struct {
	Campaigns Campaigns
	Tales     tales.Shelf // that can be begun
	Now       func() time.Time
	Random    io.Reader // for the seeds of dice

	// Model reports whether there is a model that tells stories. Where there is none, plain commands and choices play. Nil: there is.
	Model func(ctx context.Context) bool
	// Author has the model write what tools want of it, such as seed 003's zones. Nil: nobody does, and the engine does it by itself.
	Author func(ctx context.Context, prompt string) (string, error)
	// Open opens the skill in a chat for a caller, Close closes it. Nil: that is not possible here.
	Open  func(ctx context.Context, by tools.Caller) error
	Close func(ctx context.Context, by tools.Caller) error
	// Fence puts a fence around words of a story that somebody untrusted may have written, as a model is to read them. Nil: there is
	// none, and a model reads them as they are.
	Fence func(text string, from event.Label) string
	// Visual are the platforms whose surface shows pictures, files and buttons beside words. Elsewhere all is text.
	Visual []string
	// Batches is how many replies with calls a turn may have before it is told; 0 is what the campaign says, else 5.
	Batches int
}

// Master runs stories. It is safe for concurrent use.
type Master struct {
	cfg   Config
	book  *rules.Book // of the game
	words *rules.Book // of this package
	tools []tools.Tool

	mu        sync.Mutex
	campaigns map[string]*campaign // by campaign
	states    map[event.Chat]*turnState
	rung      map[string]bool // campaigns whose rounds are to be looked at; see [Master.Rounds]
	bell      chan struct{}   // holds a token when there are some
}

// New returns the game master of a book of rules.
func New(book *rules.Book, cfg Config) (*Master, error) {
	m := &Master{
		cfg: cfg, book: book, campaigns: map[string]*campaign{}, states: map[event.Chat]*turnState{}, rung: map[string]bool{}, bell: make(chan struct{}, 1),
	}
	var err error
	if m.words, err = rules.New(rules.Family{Words: texts()}); err != nil {
		return nil, fmt.Errorf("make the game master: %w", err)
	}
	if m.tools, err = m.adaptTools(); err != nil {
		return nil, fmt.Errorf("make the game master: %w", err)
	}
	return m, nil
}

// Skill returns the skill.
func (m *Master) Skill() skills.Skill {
	return skills.Skill{
		Name: Name, Description: "Run a story game: play, dice, people, maps.",
		Instructions: strings.TrimSpace(instructions),
		Keywords:     keywords(),
		Tags:         []string{"game", "story"},
		Tools:        m.tools, Driver: chatDriver{m},
	}
}

// keywords are words that open the skill. Each says that somebody wants to play: it takes the chat over, so that to speak of such
// games is not enough.
func keywords() []string {
	return []string{
		"play a story", "play an rpg", "play some rpg", "play a text adventure", "play a role-playing game", "start a text adventure", "start an rpg",
		"run an rpg", "run a text adventure", "be my game master", "be the game master", "be my dungeon master", "be the dungeon master",
		"поиграем в ролевую", "сыграем в ролевую", "поиграть в ролевую", "сыграть в ролевую", "поиграем в текстовый квест",
		"сыграем в текстовый квест", "побудь ведущим игры", "来跑团", "玩跑团", "一起跑团", "开始跑团", "玩文字冒险", "玩角色扮演",
	}
}

// errUnbound says that a chat has no campaign.
func errUnbound() error {
	return &tools.Error{Type: event.TypeNotFound, Code: event.CodeInvalidValue, Message: "no story is bound to this chat",
		Suggestion: "a person begins one with /game, or goes on with one by /game open NAME"}
}

// at does something at the table of a chat's campaign, alone. Where another process has written to the campaign meanwhile it is loaded
// again and do is called once more, so do must not have told anybody anything before it has written.
func (m *Master) at(ctx context.Context, chat event.Chat, do func(*campaign) error) error {
	id, err := m.cfg.Campaigns.Bound(ctx, chat)
	if err != nil {
		return err
	}
	if id == "" {
		return errUnbound()
	}
	return m.open(ctx, id, do)
}

// open is at for a campaign by its id.
func (m *Master) open(ctx context.Context, id string, do func(*campaign) error) error {
	camp := m.campaign(id)
	return camp.exclusively(ctx, func() error {
		for try := 0; ; try++ {
			if err := camp.reload(ctx); err != nil {
				return err
			}
			err := do(camp)
			if !errors.Is(err, saga.ErrStale) || try > 0 {
				if camp.minutes() > 0 {
					m.signal(id)
				}
				return err
			}
			camp.Saga = nil
		}
	})
}

// exclusively does something at the table while nobody else does anything there.
func (camp *campaign) exclusively(ctx context.Context, do func() error) error {
	select {
	case camp.turn <- struct{}{}:
		defer func() { <-camp.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return do()
}

// campaign returns the campaign of an id.
func (m *Master) campaign(id string) *campaign {
	m.mu.Lock()
	defer m.mu.Unlock()
	camp, ok := m.campaigns[id]
	if !ok {
		camp = &campaign{m: m, id: id, turn: make(chan struct{}, 1)}
		m.campaigns[id] = camp
	}
	return camp
}

// campaign is a campaign that is played: one user at a time.
type campaign struct {
	*saga.Saga // nil until it is loaded
	m          *Master
	id         string
	turn       chan struct{} // held by who plays
}

// reload loads the campaign where it is not, or where another process has written to it.
func (camp *campaign) reload(ctx context.Context) error {
	if camp.Saga != nil {
		newest, err := camp.isCurrent(ctx)
		if err != nil || newest {
			return err
		}
	}
	camp.Saga = nil
	s, err := saga.Load(ctx, guardedLog{camp.m.cfg.Campaigns.Log(camp.id), camp}, camp.m.options())
	if errors.Is(err, saga.ErrEmpty) {
		return &goneError{camp.id}
	}
	if err != nil {
		return fmt.Errorf("load story %s: %w", camp.id, err)
	}
	camp.Saga = s
	return nil
}

// options is what a campaign needs from outside.
func (m *Master) options() saga.Options {
	opt := game.Options(m.book, m.cfg.Now)
	opt.Keeps = game.Keeps
	return opt
}

// isCurrent reports whether the log has nothing that the table does not know, and still has all that it knows.
func (camp *campaign) isCurrent(ctx context.Context) (bool, error) {
	lines := 0
	for line, err := range camp.m.cfg.Campaigns.Log(camp.id).Lines(ctx, camp.Lines()-1) {
		if lines++; err != nil || lines > 1 || !camp.Knows(line) {
			return false, err
		}
	}
	return lines == 1, nil
}

// text is words of the game in the campaign's language.
func (camp *campaign) text(s rules.Say) string { return camp.m.book.Text(camp.lang(), s) }

// say is words of this package in the campaign's language.
func (camp *campaign) say(key string, args ...string) string {
	return camp.m.words.Text(camp.lang(), rules.Say{Key: key, Args: args})
}

func (camp *campaign) lang() string { return camp.World().Self().Lang }
