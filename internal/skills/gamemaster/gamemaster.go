// Package gamemaster is the skill that runs stories: it offers the tools of package game in hob's
// registry, and drives a chat while a story is played there.
//
// A chat is bound to a campaign. In that chat plain commands become calls without a model ([Master]
// makes a [driver.Driver]). Everything else goes to a model, which calls tools; one more request
// narrates the result. Only tools change a world. The narration is checked against what happened.
// If a model finds no true words, the engine's own words are sent, so a story goes on with any
// model and with none.
//
// # Invariants
//
//   - A call is one part of a turn of the campaign's log. Its request id is the chat, the turn and
//     the place of the call in it: repeated after a crash, it returns the logged result.
//   - No secret is in a prompt before it is revealed: a model reads [story.Scene] and the facts of
//     package narration.
//   - Undo, branches, saves, exports and the list of allowed tools are commands of people. No model
//     can call them.
//   - A campaign has one writer at a time in this process. If another process was faster, it is
//     loaded again.
//   - The package keeps only what follows from the log, and the campaign of each chat. With the
//     process only the options of an open question are lost.
//   - A setting (how turns are taken, lines, tools, who plays) is a turn of the table and not of
//     the story: undo passes over it.
package gamemaster

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/skills"
	"hob/internal/tools"
)

// Name is the name of the skill.
const Name = "gamemaster"

//go:embed system
var systemFiles embed.FS // the system text of a story, by language

// Campaigns keeps campaigns, and the campaign of each chat.
type Campaigns interface {
	// List returns the campaigns, the one that was changed last first.
	List(ctx context.Context) ([]Campaign, error)
	// Log returns the log of the campaign with that id.
	Log(id string) eventlog.Storage
	// Add keeps a new campaign, whole or not at all. fill writes its log. A name that is taken is
	// an error.
	Add(ctx context.Context, c Campaign, fill func(eventlog.Storage) error) error
	// Label returns the source of a campaign's text: it is untrusted if hob cannot know its author.
	Label(ctx context.Context, id string) (event.Label, error)
	// Distrust makes a campaign untrusted for good, in every chat, because somebody untrusted plays
	// it. It is durable when it returns.
	Distrust(ctx context.Context, id string) error
	// Bound returns the campaign of a chat, "" if there is none. Bind sets it; "" removes it.
	Bound(ctx context.Context, chat event.Chat) (string, error)
	Bind(ctx context.Context, chat event.Chat, id string) error
}

// Campaign is an entry of the list of campaigns.
type Campaign struct {
	ID, Title string
	Strange   bool // a new one's text may be somebody else's: it comes from a file
}

// Config holds the dependencies and settings of the skill.
type Config struct {
	Campaigns Campaigns
	Tales     tales.Library // that can be begun
	Now       func() time.Time
	Random    io.Reader // for the seeds of dice

	// Model reports whether a model can narrate. Without one, plain commands and choices play. Nil:
	// there is always one.
	Model func(ctx context.Context) bool
	// Author has the model write content for tools, such as zones. Nil: the engine makes it.
	Author func(ctx context.Context, prompt string) (string, error)
	// Open opens the skill in a chat for a caller, Close closes it. Nil: that is not possible here.
	Open  func(ctx context.Context, by tools.Caller) error
	Close func(ctx context.Context, by tools.Caller) error
	// Fence fences text of a story that somebody untrusted may have written, for a prompt. Nil: no
	// fence.
	Fence func(text string, from event.Label) string
	// Visual lists the platforms that show pictures, files and buttons. All others get text.
	Visual []string
	// Batches is the number of replies with calls in a turn before its narration; 0: the
	// campaign's, else 5.
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
	signalled map[string]bool // campaigns whose rounds are to be looked at; see [Master.Rounds]
	wake      chan struct{}   // holds a token when there are some
}

// New returns the game master of a book of rules.
func New(book *rules.Book, cfg Config) (*Master, error) {
	m := &Master{
		cfg: cfg, book: book, campaigns: map[string]*campaign{}, states: map[event.Chat]*turnState{}, signalled: map[string]bool{}, wake: make(chan struct{}, 1),
	}
	var err error
	if m.words, err = rules.New(rules.Family{Files: words}); err != nil {
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
		Keywords: keywords(),
		Tags:     []string{"game", "story"},
		Tools:    m.tools, Driver: chatDriver{m},
	}
}

// keywords returns the phrases that open the skill. Each of them asks to play: the skill takes over
// the chat, so a mention of such games must not open it.
func keywords() []string {
	return []string{
		"play a story", "play an rpg", "play some rpg", "play a text adventure", "play a role-playing game", "start a text adventure", "start an rpg",
		"run an rpg", "run a text adventure", "be my game master", "be the game master", "be my dungeon master", "be the dungeon master",
		"поиграем в ролевую", "сыграем в ролевую", "поиграть в ролевую", "сыграть в ролевую", "поиграем в текстовый квест",
		"сыграем в текстовый квест", "побудь ведущим игры", "来跑团", "玩跑团", "一起跑团", "开始跑团", "玩文字冒险", "玩角色扮演",
	}
}

// errUnbound is the error for a chat without a campaign.
func errUnbound() error {
	return &tools.Error{Type: event.TypeNotFound, Code: event.CodeInvalidValue, Message: "no story is bound to this chat",
		Suggestion: "a person begins one with /game, or goes on with one by /game open NAME"}
}

// at calls do with the campaign of a chat, while nobody else uses it. If another process has
// written to the campaign meanwhile, at loads it again and calls do once more, so do must not send
// anything before it writes.
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
			if err := do(camp); !errors.Is(err, eventlog.ErrStale) || try > 0 {
				if camp.minutes() > 0 {
					m.signal(id)
				}
				return err
			}
			camp.Log = nil
		}
	})
}

// exclusively calls do while nobody else uses the campaign.
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

// campaign is a campaign in play: one user at a time.
type campaign struct {
	*eventlog.Log // nil until it is loaded
	m             *Master
	id            string
	turn          chan struct{} // held by who plays
}

// reload loads the campaign if it is not loaded, or if another process has written to it.
func (camp *campaign) reload(ctx context.Context) error {
	if camp.Log != nil {
		if newest, err := camp.isCurrent(ctx); err != nil || newest {
			return err
		}
	}
	camp.Log = nil
	s, err := eventlog.Load(ctx, camp.guardLog(), camp.m.options())
	if errors.Is(err, eventlog.ErrEmpty) {
		return &goneError{camp.id}
	}
	if err != nil {
		return fmt.Errorf("load story %s: %w", camp.id, err)
	}
	camp.Log = s
	return nil
}

// options returns the clock and the bounds of a campaign.
func (m *Master) options() eventlog.Options {
	opt := game.Options(m.book, m.cfg.Now)
	opt.CarryOver = game.Keeps
	return opt
}

// isCurrent reports whether the log has exactly the lines that are loaded.
func (camp *campaign) isCurrent(ctx context.Context) (bool, error) {
	lines := 0
	for line, err := range camp.m.cfg.Campaigns.Log(camp.id).Lines(ctx, camp.Lines()-1) {
		if lines++; err != nil || lines > 1 || !camp.IsNewestLine(line) {
			return false, err
		}
	}
	return lines == 1, nil
}

// text returns a text of the game in the campaign's language.
func (camp *campaign) text(s rules.Sentence) string { return camp.m.book.Text(camp.lang(), s) }

// say returns a text of this package in the campaign's language.
func (camp *campaign) say(key string, args ...string) string {
	return camp.m.words.Text(camp.lang(), rules.Sentence{Key: key, Args: args})
}

func (camp *campaign) lang() string { return camp.World().Self().Lang }
