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

// Bot runs hob on Telegram. [New] makes one.
type Bot struct {
	*groups.Groups

	cfg   Config
	self  *identity
	out   *outbound.Senders
	in    *inbound.Handler
	poll  *inbound.Poller
	tasks sync.WaitGroup // goroutines of Run
}

// State is the state of a [Bot].
type State struct {
	Name string // of the bot, for t.me/<name>; "" if not known yet
	// Polled is the time of the last round of the poll loop. While the loop is alive that is at
	// most 65 seconds ago, even if Telegram is unreachable or refuses requests.
	Polled   time.Time
	Answered time.Time // when Telegram last answered
	Problem  string    // a sentence for the owner, or ""
	Dropped  int       // number of ignored updates from strangers
}

// identity is the bot's account, once Telegram has reported it. It is safe for concurrent use.
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

// New returns a bot. It makes no request before [Bot.Run].
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

// State returns the present state. It is safe for concurrent use.
func (b *Bot) State() State {
	h := b.poll.Health()
	return State{Name: b.self.get().Username, Polled: h.Polled, Answered: h.Answered, Problem: h.Problem, Dropped: int(b.in.Ignored())}
}

// Wake makes a chat send its new events after an input from elsewhere than Telegram.
func (b *Bot) Wake(name event.Chat) { b.out.Wake(name) }

// Delivered waits until the nth file of an event was sent or refused. It returns "" if ctx ends
// first.
func (b *Bot) Delivered(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState {
	return b.out.Delivered(ctx, chat, seq, n)
}

// Run runs the bot until ctx ends, and waits for its goroutines. It starts with unhandled updates
// and unsent events. An error means that the store cannot be read. If Telegram is unreachable or
// refuses the token, Run tries again.
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

// alert passes on a failure of the poller. If messages can be sent all the same, the owners get it
// in their chats, too.
func (b *Bot) alert(ctx context.Context, a inbound.Alert) {
	b.cfg.Alert(a.Problem)
	if a.CanSend {
		b.tasks.Go(func() { b.sayToOwners(ctx, commands.Answer{Text: markdown.Escape(a.Problem)}, a.Excused) })
	}
}

// WriteToOwners sends each owner an answer in their chat.
func (b *Bot) WriteToOwners(ctx context.Context, a commands.Answer) { b.sayToOwners(ctx, a, nil) }

// sayToOwners is WriteToOwners, except for owners who know it already.
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

// learnIdentity asks Telegram for the bot's account, and sets people's command menus. It retries
// until both succeed.
func (b *Bot) learnIdentity(ctx context.Context) {
	var self client.User
	never := func(error) bool { return false } // the token may be corrected one day
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

// unauthorizedWait is the pause before the next try after Telegram refused the token.
const unauthorizedWait = time.Minute

// callUntilDone calls a method until it succeeds or fails for good. The poller reports problems, so
// this does not.
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

// menuTime limits the calls that set the menu of a newly added person.
const menuTime = 30 * time.Second

// showMenu sets a person's command menu. It tries once, because every start sets the menus of
// everybody.
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
