package inbound

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/recent"
	"hob/internal/retry"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// How long to wait before something is tried again.
const (
	firstWait = 500 * time.Millisecond
	lastWait  = time.Minute
)

// Handler handles updates. The goroutine of Run owns the queues; the worker of a queue handles its updates.
type Handler struct {
	cfg Config

	updates   chan event.Update
	dequeues  chan dequeueRequest
	stopped   chan item     // a stop that was handled
	over      chan struct{} // closed when Run has ended
	strangers atomic.Int64  // updates of people who are not known

	roles     *recent.Map[member, role]     // of people in groups, as Telegram last said
	ackLimits *client.RateLimits            // until when no press can be acknowledged
	lastTexts lastTexts                     // of messages, to know what was corrected
	callbacks *recent.Map[string, callback] // by the nonces of their buttons
	pairTries attempts
	fileTries attempts // to have files received, in groups
}

// New returns a handler that handles updates once it runs.
func New(cfg Config) *Handler {
	return &Handler{
		cfg: cfg, ackLimits: client.NewRateLimits(cfg.Now), roles: recent.NewMap[member, role](maxMembers), lastTexts: newLastTexts(),
		callbacks: recent.NewMap[string, callback](maxCallbacks),
		pairTries: newAttempts(maxGuesses), fileTries: newAttempts(maxGuestFiles),
		updates: make(chan event.Update), dequeues: make(chan dequeueRequest), stopped: make(chan item), over: make(chan struct{}),
	}
}

// Deliver takes an update that the store has as new, or as begun before a restart. It waits for no chat.
func (in *Handler) Deliver(ctx context.Context, u event.Update) {
	select {
	case in.updates <- u:
	case <-in.over:
	case <-ctx.Done():
	}
}

// Ignored returns how many updates came from people who are not known.
func (in *Handler) Ignored() int64 { return in.strangers.Load() }

// item is an update in its queue.
type item struct {
	event.Update
	up    client.Update
	queue queueKey
}

// inputID returns the id of the input of an update: the same after a crash, and another for another update. A
// server that has lost its state numbers updates anew, and another bot in the same chat has its own numbers, so
// the bot and the content are parts of it.
func (it item) inputID() string {
	id := strconv.FormatInt(it.ID, 10)
	if it.Hash == "" { // an update from before there were hashes: it may have been handed in with this id
		return id
	}
	return id + "-" + strconv.FormatInt(it.Bot, 10) + "-" + it.Hash[:8]
}

// submit hands in an input, and reports whether it was taken. Its author gets the reason why one is not.
func (in *Handler) submit(ctx context.Context, sp speaker, input session.Input) (bool, error) {
	tries := 0
	input.AppLang = phrases.Language(sp.Lang)
	err := in.retry(ctx, "hand in a message", func() error {
		_, err := in.cfg.Sessions.Submit(ctx, input)
		if tries++; err != nil && !isPermanent(err) && tries == patience {
			in.reply(ctx, sp, in.say(ctx, sp, "later"))
		}
		return err
	})
	if other := (*event.ReusedIDError)(nil); errors.As(err, &other) {
		err = nil // it was handed in before a restart, and its file has another name now
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil {
		in.reply(ctx, sp, in.sentence(ctx, sp, err))
		return false, context.Cause(ctx)
	}
	in.cfg.Sender.Wake(input.Chat)
	return true, nil
}

// patience is after how many failures the author of an input hears that it takes longer.
const patience = 4

// reply answers the message of a speaker as a reply to it. A failure is logged.
func (in *Handler) reply(ctx context.Context, sp speaker, text string) {
	in.answer(ctx, sp, sp.message, chat.Answer{Text: text})
}

func (in *Handler) answer(ctx context.Context, sp speaker, reply int64, a chat.Answer) {
	if err := in.cfg.Sender.Say(ctx, sp.address, reply, a); err != nil && ctx.Err() == nil {
		in.cfg.Log.Warn("answer not sent", "chat", sp.address.Name(), "err", err)
	}
}

// setState notes how far an update is.
func (in *Handler) setState(ctx context.Context, it item, state event.UpdateState) error {
	return in.retry(ctx, "note an update", func() error {
		return in.cfg.Updates.SetUpdate(ctx, it.N, state)
	})
}

// retry tries something until it works or is refused for good, or ctx ends.
func (in *Handler) retry(ctx context.Context, what string, try func() error) error {
	return retry.Policy{
		Backoff: retry.Backoff{First: firstWait, Max: lastWait}, Permanent: isPermanent,
		Failed: func(err error, wait time.Duration) {
			in.cfg.Log.Warn("tried again soon: "+what, "in", wait, "err", err)
		},
	}.Do(ctx, try)
}

// isPermanent reports whether a session has refused an input for good.
func isPermanent(err error) bool {
	other := (*event.ReusedIDError)(nil)
	own := (*event.Error)(nil)
	return errors.As(err, &other) || errors.As(err, &own)
}
