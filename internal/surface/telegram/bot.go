package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/retry"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/groups"
	"hob/internal/surface/telegram/inbound"
	"hob/internal/surface/telegram/outbound"
)

// Bot is hob on Telegram, running. Make one with [New].
type Bot struct {
	*groups.Groups

	cfg   Config
	self  *identity
	out   *outbound.Senders
	in    *inbound.Handler
	poll  *inbound.Poller
	tasks sync.WaitGroup // what Run has begun
}

// State is how a [Bot] does.
type State struct {
	Name string // of the bot, for t.me/<name>; "" until Telegram has said it
	// Polled is when the poll loop last went round, whatever came of it. While it is well that is never longer ago than 65
	// seconds, also when Telegram cannot be reached or wants to be left alone.
	Polled   time.Time
	Answered time.Time // when Telegram last answered
	Problem  string    // a sentence for the owner, or ""
	Dropped  int       // updates of strangers
}

// identity is who the bot is, once Telegram has said it. It is safe for concurrent use.
type identity struct {
	mu   sync.Mutex
	user client.User
}

func (i *identity) get() client.User {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.user
}

func (i *identity) set(u client.User) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.user = u
}

// New returns the bot of an API. It asks nobody anything until [Bot.Run].
func New(cfg Config) (*Bot, error) {
	if cfg.API == nil {
		return nil, errors.New("make Telegram bot: it needs an API")
	}
	if cfg.Sessions == nil || cfg.Marks == nil || cfg.Deliveries == nil || cfg.People == nil {
		return nil, errors.New("make Telegram bot: it needs sessions and what is kept over restarts")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Alert == nil {
		cfg.Alert = func(string) {}
	}
	b := &Bot{cfg: cfg, self: &identity{}}
	seen, callbacks := &groups.SeenUsers{}, inbound.NewCallbacks()
	b.Groups = groups.New(cfg.API, b.self.get, seen, cfg.Now)
	b.out = outbound.New(outbound.Config{
		Client: cfg.API, Journal: cfg.Sessions, Outbox: cfg.Deliveries, Marks: cfg.Marks, Live: cfg.Deliveries, People: cfg.People,
		Files: cfg.Files, Callbacks: callbacks, Now: cfg.Now, Log: cfg.Log, Pace: cfg.Pace,
	})
	b.in = inbound.New(inbound.Config{
		Client: cfg.API, Sender: b.out, Cleaner: b.out, Callbacks: callbacks, Sessions: cfg.Sessions, Questions: cfg.Sessions,
		Journal: cfg.Sessions, Updates: cfg.Deliveries, People: cfg.People, Sent: cfg.Deliveries, Seen: seen, Files: cfg.Files, Story: cfg.Story,
		Commands: cfg.Commands, Me: b.self.get, Now: cfg.Now, Log: cfg.Log, MaxFile: cfg.MaxFile,
		Actions: inbound.Actions{Tool: cfg.Tool, Nearest: cfg.Nearest, Hear: cfg.Hear, Retry: cfg.Retry, LetIn: b.showMenu, Alert: cfg.Alert},
	})
	b.poll = inbound.NewPoller(inbound.PollConfig{
		Client: cfg.API, Store: cfg.Deliveries, Handler: b.in, Bot: cfg.API.BotID(), Alert: b.alert, Changed: cfg.Changed, Now: cfg.Now, Log: cfg.Log,
	})
	return b, nil
}

// State returns how it does. It may be asked at any time from anywhere.
func (b *Bot) State() State {
	h := b.poll.Health()
	return State{Name: b.self.get().Username, Polled: h.Polled, Answered: h.Answered, Problem: h.Problem, Dropped: int(b.in.Ignored())}
}

// Wake makes sure that what happens in a chat is sent there: something was said that did not come from Telegram.
func (b *Bot) Wake(name event.Chat) { b.out.Wake(name) }

// Delivered waits until it is known what became of the nth file that an event of a chat hands over: it was sent or refused. When ctx ends
// first it is "".
func (b *Bot) Delivered(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState {
	return b.out.Delivered(ctx, chat, seq, n)
}

// Run is the bot's life. It takes up what was left undone and unsent, then deals with what comes, and returns when ctx has
// ended and everything that it has started is over, or when the memory cannot be read. A Telegram that cannot be reached,
// or does not want this bot, is no error: it is waited for.
func (b *Bot) Run(ctx context.Context) error {
	undone, err := b.cfg.Deliveries.Undone(ctx, chat.Platform)
	if err != nil {
		return fmt.Errorf("take up updates: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	b.tasks.Go(func() {
		if err := b.out.Run(ctx); err != nil && ctx.Err() == nil {
			failed = err
			cancel()
		}
	})
	b.tasks.Go(func() { b.in.Run(ctx) })
	b.tasks.Go(func() { b.introduce(ctx) })
	b.poll.Run(ctx, undone)
	b.tasks.Wait()
	return failed
}

// alert hands on a failure of the poller. Where messages can be sent all the same, the owners read of it where they write.
func (b *Bot) alert(ctx context.Context, a inbound.Alert) {
	b.cfg.Alert(a.Problem)
	if a.CanSend {
		b.tasks.Go(func() { b.tellOwners(ctx, a.Problem, a.Excused) })
	}
}

// tellOwners writes to each owner what only they can mend, but for those who know it already.
func (b *Bot) tellOwners(ctx context.Context, problem string, knows map[chat.Address]bool) {
	people, err := b.cfg.People.People(ctx, chat.Platform)
	for _, p := range people {
		if p.Level == event.Owner && p.ID > 0 && !knows[chat.Address{Chat: p.ID}] && err == nil {
			err = b.out.Say(ctx, chat.Address{Chat: p.ID}, 0, chat.Answer{Text: markdown.Escape(problem)})
		}
	}
	if err != nil && ctx.Err() == nil {
		b.cfg.Log.Warn("telegram: the owners could not be told", "err", err)
	}
}

// introduce finds out who this is and says what can be asked of it, as often as it takes.
func (b *Bot) introduce(ctx context.Context) {
	var self client.User
	never := func(error) bool { return false } // one day somebody puts the right token in its place
	if b.insist(ctx, "getMe", nil, &self, never) != nil {
		return
	}
	b.self.set(self)
	b.cfg.Log.Info("telegram: connected", "bot", self.Username)
	if b.cfg.Named != nil {
		if err := b.cfg.Named(ctx, self.Username); err != nil {
			b.cfg.Log.Warn("telegram: the name of the bot is not kept", "err", err)
		}
	}
	people, err := b.cfg.People.People(ctx, chat.Platform)
	if err != nil {
		b.cfg.Log.Warn("telegram: people cannot be told of commands", "err", err)
	}
	for _, m := range menus(b.cfg.Commands, people) {
		if err := b.insist(ctx, "setMyCommands", m, nil, client.IsPermanent); err != nil && ctx.Err() == nil {
			b.cfg.Log.Warn("telegram: a request is given up", "method", "setMyCommands", "err", err)
		}
	}
}

// unauthorizedWait is how long to wait for somebody to put the right token in its place.
const unauthorizedWait = time.Minute

// insist calls a method until it works, or the server will not have it. The poller says what is wrong; this does not repeat it.
func (b *Bot) insist(ctx context.Context, method string, p client.Params, out any, permanent func(error) bool) error {
	policy := retry.Policy{
		Backoff:   retry.Backoff{First: time.Second, Max: 40 * time.Second, Jitter: func(d time.Duration) time.Duration { return rand.N(max(d, 1)) }},
		Permanent: permanent,
		Wait: func(err error, backoff time.Duration) time.Duration {
			switch after := client.RetryAfter(err); {
			case after > 0:
				return after
			case errors.Is(err, client.ErrUnauthorized):
				return unauthorizedWait
			}
			return backoff
		},
		Failed: func(err error, wait time.Duration) {
			b.cfg.Log.Debug("telegram: a request is tried again", "method", method, "err", err, "again_in", wait)
		},
	}
	return policy.Do(ctx, func() error { return b.cfg.API.Call(ctx, method, p, out) })
}

// menuTime is how long the call may take that shows a menu to somebody who was let in.
const menuTime = 30 * time.Second

// showMenu shows somebody what they may ask for from now on. It is tried once: every start does it again for everybody.
func (b *Bot) showMenu(ctx context.Context, who event.Person) {
	within, cancel := context.WithTimeout(ctx, menuTime)
	defer cancel()
	if err := b.cfg.API.Call(within, "setMyCommands", menuOf(b.cfg.Commands, who), nil); err != nil && ctx.Err() == nil {
		b.cfg.Log.Warn("menu not shown", "person", who.ID, "err", err)
	}
}
