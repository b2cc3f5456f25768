package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"hob/internal/commands"
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
	tasks sync.WaitGroup // goroutines of Run
}

// State is how a [Bot] does.
type State struct {
	Name string // of the bot, for t.me/<name>; "" while it is not known
	// Polled is when the poll loop last went round. Of a loop that lives that is at most 65 seconds ago, also when
	// Telegram cannot be reached or wants no requests.
	Polled   time.Time
	Answered time.Time // when Telegram last answered
	Problem  string    // a sentence for the owner, or ""
	Dropped  int       // updates of strangers
}

// identity is the bot's account, once Telegram has said it. It is safe for concurrent use.
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

// New returns the bot of an API. It makes no request before [Bot.Run].
func New(cfg Config) (*Bot, error) {
	if cfg.API == nil {
		return nil, errors.New("make Telegram bot: it needs an API")
	}
	if cfg.Sessions == nil || cfg.Marks == nil || cfg.Deliveries == nil || cfg.People == nil {
		return nil, errors.New("make Telegram bot: it needs sessions and stores")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Zone == nil {
		cfg.Zone = func() *time.Location { return time.Local }
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Alert == nil {
		cfg.Alert = func(string) {}
	}
	b := &Bot{cfg: cfg, self: &identity{}}
	seen := &groups.SeenUsers{}
	b.Groups = groups.New(cfg.API, b.self.get, seen, cfg.Now)
	b.out = outbound.New(outbound.Config{
		Client: cfg.API, Journal: cfg.Sessions, Outbox: cfg.Deliveries, Marks: cfg.Marks, Shown: cfg.Deliveries, People: cfg.People,
		Files: cfg.Files, Language: cfg.Sessions.Language, Now: cfg.Now, Zone: cfg.Zone, Log: cfg.Log, Pace: cfg.Pace,
	})
	b.in = inbound.New(inbound.Config{
		Client: cfg.API, Sender: b.out, Cleaner: b.out, Sessions: cfg.Sessions, Questions: cfg.Sessions,
		Journal: cfg.Sessions, Updates: cfg.Deliveries, People: cfg.People, Sent: cfg.Deliveries, Seen: seen, Files: cfg.Files, Story: cfg.Story,
		Commands: cfg.Commands, Me: b.self.get, Now: cfg.Now, Log: cfg.Log, MaxFile: cfg.MaxFile,
		Actions: cfg.Actions, LetIn: b.showMenu, Alert: cfg.Alert,
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

// Wake makes a chat send its new events: an input came from elsewhere than Telegram.
func (b *Bot) Wake(name event.Chat) { b.out.Wake(name) }

// Delivered waits until the nth file of an event was sent or refused. It is "" when ctx ends first.
func (b *Bot) Delivered(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState {
	return b.out.Delivered(ctx, chat, seq, n)
}

// Run runs the bot until ctx ends, and waits for its goroutines. It begins with updates that were not handled
// and events that were not sent. Its error says that the store cannot be read. A Telegram that cannot be
// reached, or does not know the token, is no error: Run tries again.
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
	b.tasks.Go(func() { b.learnIdentity(ctx) })
	b.poll.Run(ctx, undone)
	b.tasks.Wait()
	return failed
}

// alert passes a failure of the poller on. Where messages can be sent all the same, the owners also get it in
// their chats.
func (b *Bot) alert(ctx context.Context, a inbound.Alert) {
	b.cfg.Alert(a.Problem)
	if a.CanSend {
		b.tasks.Go(func() { b.sayToOwners(ctx, commands.Answer{Text: markdown.Escape(a.Problem)}, a.Excused) })
	}
}

// WriteToOwners sends each owner an answer in their chat.
func (b *Bot) WriteToOwners(ctx context.Context, a commands.Answer) { b.sayToOwners(ctx, a, nil) }

// sayToOwners is WriteToOwners without the owners who know it already.
func (b *Bot) sayToOwners(ctx context.Context, a commands.Answer, knows map[chat.Address]bool) {
	people, err := b.cfg.People.People(ctx, chat.Platform)
	for _, p := range people {
		if to := (chat.Address{Chat: p.ID}); p.Level == event.Owner && p.ID > 0 && !knows[to] && err == nil {
			err = b.out.Say(ctx, to, 0, b.in.Offer(to, a))
		}
	}
	if err != nil && ctx.Err() == nil {
		b.cfg.Log.Warn("telegram: the owners were not alerted", "err", err)
	}
}

// learnIdentity asks who the bot is, and shows people their menus. It tries until both work.
func (b *Bot) learnIdentity(ctx context.Context) {
	var self client.User
	never := func(error) bool { return false } // one day somebody puts the right token in its place
	if b.callUntilDone(ctx, "getMe", nil, &self, never) != nil {
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
		b.cfg.Log.Warn("telegram: people not read: they get no menus", "err", err)
	}
	for _, m := range b.menus().all(people) {
		if err := b.callUntilDone(ctx, "setMyCommands", m, nil, client.IsPermanent); err != nil && ctx.Err() == nil {
			b.cfg.Log.Warn("telegram: a request is given up", "method", "setMyCommands", "err", err)
		}
	}
}

// unauthorizedWait is how long to wait for somebody to put the right token in its place.
const unauthorizedWait = time.Minute

// callUntilDone calls a method until it works or is refused. The poller reports problems; this does not repeat them.
func (b *Bot) callUntilDone(ctx context.Context, method string, p client.Params, out any, permanent func(error) bool) error {
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

// menuTime limits the calls that show a menu to a person who was let in.
const menuTime = 30 * time.Second

// showMenu shows a person the commands that they have from now on. It is tried once: every start does it for everybody.
func (b *Bot) showMenu(ctx context.Context, who event.Person) {
	within, cancel := context.WithTimeout(ctx, menuTime)
	defer cancel()
	for _, m := range b.menus().of(who) {
		if err := b.cfg.API.Call(within, "setMyCommands", m, nil); err != nil && ctx.Err() == nil {
			b.cfg.Log.Warn("menu not shown", "person", who.ID, "err", err)
		}
	}
}

func (b *Bot) menus() menus { return newMenus(b.cfg.Commands, b.cfg.Actions.Translate) }
