package inbound

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/retry"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

const (
	// forgetOffset is how long no update comes until the offset is dropped: after a week of silence
	// Telegram restarts its ids, and an old offset would confirm all ids below it.
	forgetOffset = 24 * time.Hour
	// emptyWait is the least time between two requests if the first brought nothing.
	emptyWait = time.Second
	// heartbeat is how often a waiting loop reports that it is alive.
	heartbeat = 20 * time.Second
	// afterKill is the pause after a conflict that may pass.
	afterKill = 2 * time.Second
	// conflictSpell is how long polling must work until a conflict is over: two programs that poll
	// for the same bot take turns.
	conflictSpell = 2 * time.Minute
	// unauthorizedWait is the pause before the next try after Telegram refused the token.
	unauthorizedWait = time.Minute
)

// failure is a reason why polling fails.
type failure string

const (
	tokenUnknown failure = "the token is not known"
	pollConflict failure = "another program asks for the messages"
	storeFailed  failure = "nothing can be kept"
	askedToWait  failure = "telegram wants to be left alone"
	unreachable  failure = "telegram cannot be reached"
)

// alarming reports whether a person has to act; other failures pass.
func (f failure) alarming() bool { return f == tokenUnknown || f == pollConflict || f == storeFailed }

// Alert is a failure on which a person has to act, or its end.
type Alert struct {
	Problem string // a sentence for the owner; "": the failure is over
	CanSend bool   // messages can be sent in spite of it
	// Excused are the chats that already got an excuse.
	Excused map[chat.Address]bool
}

// Health is the state of a [Poller].
type Health struct {
	// Polled is the time of the loop's last round. While the loop is alive that is at most 65
	// seconds ago, even if Telegram is unreachable or refuses requests.
	Polled   time.Time
	Answered time.Time // when Telegram last answered
	Problem  string    // a sentence for the owner, or ""
}

// PollConfig holds the parts that a [Poller] is built from.
type PollConfig struct {
	Client  pollCaller
	Store   PollStore
	Handler updateHandler
	Bot     int64 // the bot that receives the updates
	// Alert is called when a failure needs a person, and when it is over.
	Alert func(ctx context.Context, a Alert)
	// Changed is called after [Health.Problem] changed. May be nil.
	Changed func()
	Now     func() time.Time
	Log     *slog.Logger
	// Jitter returns a random time below d. Nil: math/rand's.
	Jitter func(d time.Duration) time.Duration
}

// pollCaller calls methods of the Bot API; [*client.API] is one.
type pollCaller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
}

// PollStore stores updates across restarts.
type PollStore interface {
	// Receive stores new updates in one durable transaction and returns them, in order, with their
	// N. An update is known if it came to the same bot with the same id and content.
	Receive(ctx context.Context, all []event.Update) ([]event.Update, error)
	// SetUpdate records how far the handling of update N got.
	SetUpdate(ctx context.Context, n int64, state event.UpdateState) error
}

// updateHandler handles updates; [*Handler] is one.
type updateHandler interface {
	// Deliver takes a durable update. It does not block for long.
	Deliver(ctx context.Context, u event.Update)
	// Excuse tells people that their messages cannot be stored, except in the chats in excused, to
	// which it adds.
	Excuse(ctx context.Context, all []event.Update, why error, excused map[chat.Address]bool)
}

// Poller polls for updates, one request at a time. An update is durable before a request confirms
// it.
type Poller struct {
	cfg     PollConfig
	backoff retry.Backoff

	excused map[chat.Address]bool // chats that got an excuse since updates could last be stored

	offset     int64     // of the next request; 0 requests everything unconfirmed
	limit      int       // updates in one answer
	lastUpdate time.Time // time of the last update
	stale      bool      // it was logged that all updates were known already

	failing  failure   // "" if polling works
	alerted  failure   // the owner was alerted of it, and not yet of its end
	conflict time.Time // time of the last one

	mu     sync.Mutex
	health Health
}

// NewPoller returns a poller that asks for updates once it runs.
func NewPoller(cfg PollConfig) *Poller {
	if cfg.Jitter == nil {
		cfg.Jitter = func(d time.Duration) time.Duration { return rand.N(max(d, 1)) }
	}
	return &Poller{
		cfg: cfg, backoff: retry.Backoff{First: time.Second, Max: 40 * time.Second, Jitter: cfg.Jitter},
		excused: map[chat.Address]bool{},
		health:  Health{Polled: cfg.Now()}, // not late, because it only starts now
	}
}

// Health returns the poller's present state. It is safe for concurrent use.
func (p *Poller) Health() Health {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.health
}

func (p *Poller) setHealth(change func(*Health)) {
	p.mu.Lock()
	before := p.health.Problem
	change(&p.health)
	changed := p.health.Problem != before
	p.mu.Unlock()
	if changed && p.cfg.Changed != nil {
		p.cfg.Changed()
	}
}

// Run delivers the updates that an earlier run left undone, and polls until ctx ends.
func (p *Poller) Run(ctx context.Context, undone []event.Update) {
	for _, u := range undone {
		p.deliver(ctx, u)
	}
	p.lastUpdate, p.limit = p.cfg.Now(), 100
	for ctx.Err() == nil {
		wait := p.pollOnce(ctx)
		p.beat()
		p.wait(ctx, wait)
	}
}

// beat records a round of the loop.
func (p *Poller) beat() { p.setHealth(func(h *Health) { h.Polled = p.cfg.Now() }) }

// wait waits for d, or until ctx ends, and beats meanwhile.
func (p *Poller) wait(ctx context.Context, d time.Duration) {
	for d > 0 {
		step := min(d, heartbeat)
		if retry.Wait(ctx, step) != nil {
			return
		}
		p.beat()
		d -= step
	}
}

// deliver passes an update to the handler. An unreadable one, which an older hob may have stored,
// is recorded as done.
func (p *Poller) deliver(ctx context.Context, u event.Update) {
	if checkReadable(u.Raw) == nil {
		p.cfg.Handler.Deliver(ctx, u)
		return
	}
	if err := p.cfg.Store.SetUpdate(ctx, u.N, event.UpdateDone); err != nil {
		p.cfg.Log.Warn("telegram: an update that cannot be read stays", "update", u.ID, "err", err)
	}
}

// pollOnce polls once and returns the pause before the next time.
func (p *Poller) pollOnce(ctx context.Context) time.Duration {
	began := p.cfg.Now()
	if began.Sub(p.lastUpdate) > forgetOffset {
		p.offset = 0
	}
	var raw []json.RawMessage
	if err := p.cfg.Client.Call(ctx, "getUpdates", p.request(), &raw); err != nil {
		return p.handleError(ctx, err)
	}
	p.setHealth(func(h *Health) { h.Answered = p.cfg.Now() })
	before := p.offset
	fresh, err := p.store(ctx, raw)
	if err != nil {
		return p.fail(ctx, storeFailed, fmt.Errorf("what was written cannot be kept: %w", err), p.backoff.Next())
	}
	p.recover(ctx)
	for _, u := range fresh {
		p.deliver(ctx, u)
	}
	if took := p.cfg.Now().Sub(began); len(fresh) == 0 && p.offset == before && took < emptyWait {
		return emptyWait - max(took, 0)
	}
	return 0
}

func (p *Poller) request() client.Params {
	ask := client.Params{
		"timeout":         strconv.Itoa(int(client.LongPoll.Seconds())),
		"limit":           strconv.Itoa(p.limit),
		"allowed_updates": `["message","edited_message","callback_query","stopped_message_generation","message_reaction"]`,
	}
	if p.offset != 0 {
		ask["offset"] = strconv.FormatInt(p.offset, 10)
	}
	return ask
}

// store makes updates durable and returns those that are new and readable. Only then the offset
// moves, so updates that could not be stored come again.
func (p *Poller) store(ctx context.Context, raw []json.RawMessage) ([]event.Update, error) {
	all := make([]event.Update, 0, len(raw))
	for _, r := range raw {
		id, err := updateID(r)
		if err != nil {
			p.cfg.Log.Warn("telegram: an update has no id and is left out", "err", err)
			continue
		}
		u := event.Update{Platform: chat.Platform, Bot: p.cfg.Bot, ID: id, Raw: r, State: event.UpdateNew}
		if err := checkReadable(r); err != nil {
			p.cfg.Log.Warn("telegram: an update cannot be read and is left out", "update", id, "err", err)
			u.State = event.UpdateDone
		}
		all = append(all, u)
	}
	if len(all) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(all, func(a, b event.Update) int { return cmp.Compare(a.ID, b.ID) })
	fresh, err := p.cfg.Store.Receive(ctx, all)
	if err != nil && ctx.Err() == nil {
		p.cfg.Handler.Excuse(ctx, all, err, p.excused)
	}
	if err != nil {
		return nil, err
	}
	clear(p.excused)
	p.lastUpdate = p.cfg.Now()
	p.offset = all[len(all)-1].ID + 1 // also if it is lower than before: the server restarted its numbers
	if len(fresh) == 0 && !p.stale {
		p.stale = true
		p.cfg.Log.Warn("telegram: all that came was known already and is not dealt with again", "updates", len(all), "last", p.offset-1)
	}
	return slices.DeleteFunc(fresh, func(u event.Update) bool { return u.State == event.UpdateDone }), nil
}

// updateID reads only the id of an update.
func updateID(raw json.RawMessage) (int64, error) {
	var u struct {
		ID *int64 `json:"update_id"`
	}
	if err := json.Unmarshal(raw, &u); err != nil {
		return 0, err
	}
	if u.ID == nil {
		return 0, errors.New("there is no update_id")
	}
	return *u.ID, nil
}

// checkReadable returns nil if an update can be decoded.
func checkReadable(raw json.RawMessage) error { return json.Unmarshal(raw, new(client.Update)) }

// handleError returns the pause after a failed request.
func (p *Poller) handleError(ctx context.Context, err error) time.Duration {
	var e *client.Error
	known := errors.As(err, &e)
	switch {
	case known && e.RetryAfter > 0:
		return p.fail(ctx, askedToWait, err, e.RetryAfter)
	case errors.Is(err, client.ErrUnauthorized):
		return p.fail(ctx, tokenUnknown, err, unauthorizedWait)
	case errors.Is(err, client.ErrConflict):
		return p.handleConflict(ctx, e)
	case errors.Is(err, client.ErrLongAnswer):
		p.limit = max(p.limit/4, 1)
	}
	// The server may have restarted its numbers, and an old offset would confirm updates that
	// nobody has seen. Without an offset, unconfirmed updates come again, and are known.
	p.offset = 0
	return p.fail(ctx, unreachable, err, p.backoff.Next())
}

// handleConflict handles a server that gives the updates to another program. It removes a webhook,
// because whoever runs hob wants hob to answer.
func (p *Poller) handleConflict(ctx context.Context, e *client.Error) time.Duration {
	wait := 10*time.Second + p.cfg.Jitter(20*time.Second)
	again := p.cfg.Now().Sub(p.conflict) < conflictSpell
	p.conflict = p.cfg.Now()
	if strings.Contains(strings.ToLower(e.Message), "webhook") {
		if err := p.cfg.Client.Call(ctx, "deleteWebhook", client.Params{}, nil); err != nil {
			return p.fail(ctx, pollConflict, err, wait)
		}
		p.cfg.Log.Warn("telegram: a webhook was set for this bot and is gone now")
		if !again { // otherwise somebody keeps setting it
			return emptyWait
		}
	}
	if !again { // the server may still hold the request of a hob that was killed
		p.cfg.Log.Info("telegram: somebody else has asked for the messages", "err", e)
		return afterKill
	}
	return p.fail(ctx, pollConflict, e, wait)
}

// fail records a failure, alerts the owner once if a person has to act, and returns the pause.
func (p *Poller) fail(ctx context.Context, what failure, err error, wait time.Duration) time.Duration {
	if ctx.Err() != nil {
		return 0
	}
	if p.failing != what {
		p.cfg.Log.Warn("telegram: "+string(what), "err", err, "again_in", wait)
	}
	p.failing = what
	problem := adviceFor(what, err)
	p.setHealth(func(h *Health) { h.Problem = problem })
	if what.alarming() && p.alerted != what {
		p.alerted = what
		canSend := what == pollConflict || what == storeFailed
		p.cfg.Alert(ctx, Alert{Problem: problem, CanSend: canSend, Excused: maps.Clone(p.excused)})
	}
	return wait
}

// adviceFor returns one sentence for the owner.
func adviceFor(what failure, err error) string {
	switch what {
	case tokenUnknown:
		return "Telegram does not know the bot's token: put the one that @BotFather shows into token_file."
	case pollConflict:
		return "Another program asks for this bot's messages: stop it, or give hob a bot of its own."
	case storeFailed:
		return fmt.Sprintf("Messages are left with Telegram, for %v.", err)
	}
	return fmt.Sprintf("%s%s: %v.", strings.ToUpper(string(what[:1])), what[1:], err)
}

// recover records a success.
func (p *Poller) recover(ctx context.Context) {
	p.limit = 100
	p.backoff.Reset()
	switch {
	case p.alerted == pollConflict && p.cfg.Now().Sub(p.conflict) < conflictSpell:
		p.failing = p.alerted
		p.setHealth(func(h *Health) { h.Problem = adviceFor(p.alerted, nil) })
		return
	case p.failing == "":
		return
	}
	p.cfg.Log.Info("telegram: it works again", "after", string(p.failing))
	p.failing = ""
	p.setHealth(func(h *Health) { h.Problem = "" })
	if p.alerted != "" {
		p.alerted = ""
		p.cfg.Alert(ctx, Alert{})
	}
}
