package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/groups"
	"hob/internal/surface/telegram/markup"
)

// Bot is hob on Telegram, running. Make one with [New].
type Bot struct {
	*groups.Groups

	cfg    Config
	api    caller
	out    outgoing
	in     incoming
	jitter func(d time.Duration) time.Duration

	mu    sync.Mutex
	self  client.User // zero until Telegram has said who this is
	state State
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

// outgoing is what tells people.
type outgoing interface {
	teller
	// run begins with what was never told. It returns when ctx has ended, and all that it has started.
	run(ctx context.Context) error
	// delivered waits until it is known what became of a part of an event; when ctx ends first it is "".
	delivered(ctx context.Context, name event.Chat, seq int64, part int) event.SendState
}

// incoming is what deals with updates.
type incoming interface {
	deliver(ctx context.Context, u event.Update) // in order per chat; does not block for long
	run(ctx context.Context)                     // until ctx ends, and all that it has started
	ignored() int64                              // how many were of strangers, so far
	// unkept tells those who have written that it could not be kept, but for the places that were told already.
	unkept(ctx context.Context, all []event.Update, why error, told map[chat.Address]bool)
}

// newBot puts a bot together. who is asked by those who look for mentions.
func newBot(cfg Config, api caller, parts func(cfg Config, who func() client.User) (outgoing, incoming)) (*Bot, error) {
	if cfg.Sessions == nil || cfg.Memory == nil {
		return nil, errors.New("make Telegram bot: it needs sessions and a memory")
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
	b := &Bot{cfg: cfg, api: api, jitter: func(d time.Duration) time.Duration { return rand.N(max(d, 1)) }}
	b.state.Polled = cfg.Now() // it starts now, and is not late
	b.out, b.in = parts(cfg, b.me)
	return b, nil
}

// State returns how it does. It may be asked at any time from anywhere.
func (b *Bot) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.state
	s.Dropped = int(b.in.ignored())
	return s
}

// Wake makes sure that what happens in a chat is told: something was said there that did not come from Telegram.
func (b *Bot) Wake(name event.Chat) {
	if _, ours := chat.ParseAddress(name); ours {
		b.out.wake(name)
	}
}

// Delivered waits until it is known what became of the nth file that an event of a chat hands over: it was sent or refused. When ctx ends
// first it is "".
func (b *Bot) Delivered(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState {
	return b.out.delivered(ctx, chat, seq, n)
}

func (b *Bot) note(change func(*State)) {
	b.mu.Lock()
	before := b.state.Problem
	change(&b.state)
	changed := b.state.Problem != before
	b.mu.Unlock()
	if changed && b.cfg.Changed != nil {
		b.cfg.Changed()
	}
}

// me is the bot itself.
func (b *Bot) me() client.User {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.self
}

// Run is the bot's life. It takes up what was left undone and untold, then deals with what comes, and returns when ctx has
// ended and everything that it has started is over, or when the memory cannot be read. A Telegram that cannot be reached,
// or does not want this bot, is no error: it is waited for.
func (b *Bot) Run(ctx context.Context) error {
	undone, err := b.cfg.Memory.Undone(ctx, chat.Platform)
	if err != nil {
		return fmt.Errorf("take up updates: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	var failed error
	all.Go(func() {
		if err := b.out.run(ctx); err != nil && ctx.Err() == nil {
			failed = err
			cancel()
		}
	})
	all.Go(func() { b.in.run(ctx) })
	for _, u := range undone {
		b.hand(ctx, u)
	}
	all.Go(func() { b.introduce(ctx) })
	excused := map[chat.Address]bool{} // where somebody was told that nothing can be kept
	alert := func(what trouble, problem string) {
		b.cfg.Alert(problem)
		if what == pollConflict || what == keepFailed { // what is written still arrives
			knows := maps.Clone(excused)
			all.Go(func() { b.tellOwners(ctx, problem, knows) })
		}
	}
	p := &poller{api: b.api, memory: b.cfg.Memory, hand: b.hand, unkept: b.in.unkept, excused: excused, alert: alert, note: b.note,
		log: b.cfg.Log, now: b.cfg.Now, jitter: b.jitter}
	if a, ok := b.api.(interface{ botID() int64 }); ok {
		p.bot = a.botID()
	}
	p.run(ctx)
	all.Wait()
	return failed
}

// tellOwners writes to each owner what only they can mend, but for those who know it already.
func (b *Bot) tellOwners(ctx context.Context, problem string, knows map[chat.Address]bool) {
	people, err := b.cfg.Memory.People(ctx, chat.Platform)
	for _, p := range people {
		if p.Level == event.Owner && p.ID > 0 && !knows[chat.Address{Chat: p.ID}] && err == nil {
			err = b.out.say(ctx, chat.Address{Chat: p.ID}, 0, chat.Answer{Text: markup.Escape(problem)})
		}
	}
	if err != nil && ctx.Err() == nil {
		b.cfg.Log.Warn("telegram: the owners could not be told", "err", err)
	}
}

// hand gives an update to those who deal with it. One that cannot be read, which an older hob may have kept, is over.
func (b *Bot) hand(ctx context.Context, u event.Update) {
	if readable(u.Raw) == nil {
		b.in.deliver(ctx, u)
		return
	}
	if err := b.cfg.Memory.SetUpdate(ctx, u.N, event.UpdateDone); err != nil {
		b.cfg.Log.Warn("telegram: an update that cannot be read stays", "update", u.ID, "err", err)
	}
}

// introduce finds out who this is and says what can be asked of it, as often as it takes.
func (b *Bot) introduce(ctx context.Context) {
	var self client.User
	b.insist(ctx, "getMe", func() error { return b.api.Call(ctx, "getMe", nil, &self) })
	if ctx.Err() != nil {
		return
	}
	b.mu.Lock()
	b.self, b.state.Name = self, self.Username
	b.mu.Unlock()
	b.cfg.Log.Info("telegram: connected", "bot", self.Username)
	if b.cfg.Named != nil {
		if err := b.cfg.Named(ctx, self.Username); err != nil {
			b.cfg.Log.Warn("telegram: the name of the bot is not kept", "err", err)
		}
	}
	people, err := b.cfg.Memory.People(ctx, chat.Platform)
	if err != nil {
		b.cfg.Log.Warn("telegram: people cannot be told of commands", "err", err)
	}
	for _, m := range menus(b.cfg.Commands, people) {
		b.insist(ctx, "setMyCommands", func() error { return b.api.Call(ctx, "setMyCommands", m, nil) })
	}
}

// insist tries until it works, or the server will not have it. The poller says what is wrong; this does not repeat it.
func (b *Bot) insist(ctx context.Context, what string, try func() error) {
	for fails := 0; ctx.Err() == nil; fails++ {
		err := try()
		if err == nil || ctx.Err() != nil {
			return
		}
		wait := backoff(fails, b.jitter)
		var e *client.Error
		if errors.As(err, &e) && e.RetryAfter > 0 {
			wait = e.RetryAfter
		} else if errors.Is(err, client.ErrUnauthorized) {
			wait = unknownPause
		}
		if what != "getMe" && errors.Is(err, client.ErrRefused) {
			b.cfg.Log.Warn("telegram: a request is given up", "method", what, "err", err)
			return
		}
		b.cfg.Log.Debug("telegram: a request is tried again", "method", what, "err", err, "again_in", wait)
		idle(ctx, wait, func() {})
	}
}

// caller is the API, for those who call it.
type caller interface {
	// Call calls a method and decodes its result into out, which may be nil.
	Call(ctx context.Context, method string, p client.Params, out any) error
	// Upload is call with a file in the field of that name.
	Upload(ctx context.Context, method string, p client.Params, field, name string, file io.Reader, out any) error
	// Download writes a file to w, at most so many bytes.
	Download(ctx context.Context, id string, most int64, w io.Writer) error
}
