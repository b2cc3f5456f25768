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
	// forgetOffset is how long no update comes until the server is asked without an offset: after a week of
	// silence the ids begin anew anywhere, and an old offset would confirm all that are below it.
	forgetOffset = 24 * time.Hour
	// emptyWait is the least time between two requests when the first has brought nothing.
	emptyWait = time.Second
	// heartbeat is how often the loop says that it lives while it waits.
	heartbeat = 20 * time.Second
	// afterKill is how long to wait after a conflict that may be none.
	afterKill = 2 * time.Second
	// conflictSpell is how long it must have gone well until a conflict is over: two programs that ask for the
	// same messages take them from each other in turn.
	conflictSpell = 2 * time.Minute
	// unauthorizedWait is how long to wait for somebody to put the right token in its place.
	unauthorizedWait = time.Minute
)

// failure is a reason for which nothing can be polled.
type failure string

const (
	tokenUnknown failure = "the token is not known"
	pollConflict failure = "another program asks for the messages"
	storeFailed  failure = "nothing can be kept"
	askedToWait  failure = "telegram wants to be left alone"
	unreachable  failure = "telegram cannot be reached"
)

// alarming reports whether a person has to mend it; other failures pass.
func (f failure) alarming() bool { return f == tokenUnknown || f == pollConflict || f == storeFailed }

// Alert is a failure that somebody has to mend, or its end.
type Alert struct {
	Problem string // a sentence for the owner; "" where it is over
	CanSend bool   // messages can be sent all the same
	// Excused are the chats where people were already sent an excuse.
	Excused map[chat.Address]bool
}

// Health is how a [Poller] does.
type Health struct {
	// Polled is when the loop last went round. Of a loop that lives that is at most 65 seconds ago, also when
	// Telegram cannot be reached or wants no requests.
	Polled   time.Time
	Answered time.Time // when Telegram last answered
	Problem  string    // a sentence for the owner, or ""
}

// PollConfig is everything that a [Poller] is made of.
type PollConfig struct {
	Client  pollCaller
	Store   PollStore
	Handler updateHandler
	Bot     int64 // whose updates they are
	// Alert is called when there is a failure that somebody has to mend, and when it is over.
	Alert func(ctx context.Context, a Alert)
	// Changed is called when [Health.Problem] has changed. May be nil.
	Changed func()
	Now     func() time.Time
	Log     *slog.Logger
	// Jitter returns a random time below d; nil is math/rand's.
	Jitter func(d time.Duration) time.Duration
}

// pollCaller calls methods of the Bot API; [*client.API] is one.
type pollCaller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
}

// PollStore keeps updates over restarts.
type PollStore interface {
	// Receive keeps updates that are not known yet, in one durable transaction, and returns those, in order, with
	// their N. One is known that came to the same bot with the same id and the same content.
	Receive(ctx context.Context, all []event.Update) ([]event.Update, error)
	// SetUpdate notes how far the update N has come.
	SetUpdate(ctx context.Context, n int64, state event.UpdateState) error
}

// updateHandler handles updates; [*Handler] is one.
type updateHandler interface {
	// Deliver takes an update that is durable. It does not block for long.
	Deliver(ctx context.Context, u event.Update)
	// Excuse writes to people that their messages cannot be kept, except for the chats in excused, and adds to these.
	Excuse(ctx context.Context, all []event.Update, why error, excused map[chat.Address]bool)
}

// Poller asks for updates, one request at a time. An update that was received is durable before a request confirms it.
type Poller struct {
	cfg     PollConfig
	backoff retry.Backoff

	excused map[chat.Address]bool // that were sent an excuse since an update could last be kept

	offset     int64     // of the next request; 0 asks for all that were not confirmed
	limit      int       // updates of an answer
	lastUpdate time.Time // when there was an update
	stale      bool      // it was logged that all that came was known

	failing  failure   // "" if all is well
	alerted  failure   // the owner was alerted of it, and not that it is over
	conflict time.Time // when there last was one

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
		health:  Health{Polled: cfg.Now()}, // it starts now, and is not late
	}
}

// Health returns how the poller does. It may be asked at any time from anywhere.
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

// Run delivers the updates that an earlier run has left undone, and polls until ctx ends.
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

// beat says that the loop goes round.
func (p *Poller) beat() { p.setHealth(func(h *Health) { h.Polled = p.cfg.Now() }) }

// wait waits for d, or until ctx ends, and beats now and then.
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

// deliver gives an update to the handler. One that cannot be read, which an older hob may have kept, is done.
func (p *Poller) deliver(ctx context.Context, u event.Update) {
	if checkReadable(u.Raw) == nil {
		p.cfg.Handler.Deliver(ctx, u)
		return
	}
	if err := p.cfg.Store.SetUpdate(ctx, u.N, event.UpdateDone); err != nil {
		p.cfg.Log.Warn("telegram: an update that cannot be read stays", "update", u.ID, "err", err)
	}
}

// pollOnce asks once and returns how long to wait until it is asked again.
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

// store makes updates durable and returns those that are new and can be read. Only then the offset moves:
// updates that could not be kept come again.
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
	p.offset = all[len(all)-1].ID + 1 // also where that is below the last one: the server numbers anew
	if len(fresh) == 0 && !p.stale {
		p.stale = true
		p.cfg.Log.Warn("telegram: all that came was known already and is not dealt with again", "updates", len(all), "last", p.offset-1)
	}
	return slices.DeleteFunc(fresh, func(u event.Update) bool { return u.State == event.UpdateDone }), nil
}

// updateID reads the id of an update, whatever else is in it.
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

// handleError returns how long to wait after a failed request.
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
	// The server may have been restarted and number anew: an offset from before would confirm updates that nobody
	// has seen. Without one, updates that were not confirmed come again, and are known.
	p.offset = 0
	return p.fail(ctx, unreachable, err, p.backoff.Next())
}

// handleConflict handles a server that gives the updates to another program. A webhook is removed: whoever runs
// hob wants hob to answer.
func (p *Poller) handleConflict(ctx context.Context, e *client.Error) time.Duration {
	wait := 10*time.Second + p.cfg.Jitter(20*time.Second)
	again := p.cfg.Now().Sub(p.conflict) < conflictSpell
	p.conflict = p.cfg.Now()
	if strings.Contains(strings.ToLower(e.Message), "webhook") {
		if err := p.cfg.Client.Call(ctx, "deleteWebhook", client.Params{}, nil); err != nil {
			return p.fail(ctx, pollConflict, err, wait)
		}
		p.cfg.Log.Warn("telegram: a webhook was set for this bot and is gone now")
		if !again { // or somebody sets it again and again
			return emptyWait
		}
	}
	if !again { // the request of a hob that was killed may still be open there
		p.cfg.Log.Info("telegram: somebody else has asked for the messages", "err", e)
		return afterKill
	}
	return p.fail(ctx, pollConflict, e, wait)
}

// fail notes a failure, alerts the owner once if somebody has to mend it, and returns how long to wait.
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

// adviceFor is one sentence for the owner.
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

// recover notes a success.
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
