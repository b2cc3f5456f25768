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

// Pauses before another try.
const (
	firstWait = 500 * time.Millisecond
	lastWait  = time.Minute
)

// Handler handles updates. The goroutine of Run owns the queues, and each queue has a worker that
// handles its updates.
type Handler struct {
	cfg Config

	updates   chan event.Update
	dequeues  chan dequeueRequest
	stopped   chan item     // a stop that was handled
	over      chan struct{} // closed when Run has ended
	strangers atomic.Int64  // number of updates from unknown people

	roles     *recent.Map[member, role]     // of people in groups, as Telegram last said
	ackLimits *client.RateLimits            // until when presses cannot be acknowledged
	lastTexts lastTexts                     // to detect corrections
	callbacks *recent.Map[string, callback] // by the nonces of their buttons
	pairTries attempts
	fileTries attempts // files sent by guests in groups
}

// New returns a handler, which starts with Run.
func New(cfg Config) *Handler {
	return &Handler{
		cfg: cfg, ackLimits: client.NewRateLimits(cfg.Now), roles: recent.NewMap[member, role](maxMembers), lastTexts: newLastTexts(),
		callbacks: recent.NewMap[string, callback](maxCallbacks),
		pairTries: newAttempts(maxGuesses), fileTries: newAttempts(maxGuestFiles),
		updates: make(chan event.Update), dequeues: make(chan dequeueRequest), stopped: make(chan item), over: make(chan struct{}),
	}
}

// Deliver takes an update that is stored as new, or as begun before a restart. It does not wait for
// any chat.
func (in *Handler) Deliver(ctx context.Context, u event.Update) {
	select {
	case in.updates <- u:
	case <-in.over:
	case <-ctx.Done():
	}
}

// Ignored returns the number of updates from unknown people.
func (in *Handler) Ignored() int64 { return in.strangers.Load() }

// item is an update in a queue.
type item struct {
	event.Update
	up    client.Update
	queue queueKey
}

// inputID returns the id of the input for an update. It is the same after a crash, and different
// for different updates. It includes the bot and the content, because a server that lost its state
// restarts its numbers, and another bot in the same chat has its own.
func (it item) inputID() string {
	id := strconv.FormatInt(it.ID, 10)
	if it.Hash == "" { // an old record: it may have been handed in under this id
		return id
	}
	return id + "-" + strconv.FormatInt(it.Bot, 10) + "-" + it.Hash[:8]
}

// submit hands in an input, and reports whether it was accepted. If not, the author gets the
// reason.
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
		err = nil // it was handed in before a restart, when its file had another name
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

// patience is the number of failures after which the author of an input is told that it takes
// longer.
const patience = 4

// reply answers a speaker with a reply to their message. It logs a failure.
func (in *Handler) reply(ctx context.Context, sp speaker, text string) {
	in.answer(ctx, sp, sp.message, chat.Answer{Text: text})
}

func (in *Handler) answer(ctx context.Context, sp speaker, reply int64, a chat.Answer) {
	if err := in.cfg.Sender.Say(ctx, sp.address, reply, a); err != nil && ctx.Err() == nil {
		in.cfg.Log.Warn("answer not sent", "chat", sp.address.Name(), "err", err)
	}
}

// setState records how far the handling of an update got.
func (in *Handler) setState(ctx context.Context, it item, state event.UpdateState) error {
	return in.retry(ctx, "note an update", func() error {
		return in.cfg.Updates.SetUpdate(ctx, it.N, state)
	})
}

// retry repeats something until it works, is refused for good, or ctx ends.
func (in *Handler) retry(ctx context.Context, what string, try func() error) error {
	return retry.Policy{
		Backoff: retry.Backoff{First: firstWait, Max: lastWait}, Permanent: isPermanent,
		Failed: func(err error, wait time.Duration) {
			in.cfg.Log.Warn("tried again soon: "+what, "in", wait, "err", err)
		},
	}.Do(ctx, try)
}

// isPermanent reports whether a session refused an input for good.
func isPermanent(err error) bool {
	other := (*event.ReusedIDError)(nil)
	own := (*event.Error)(nil)
	return errors.As(err, &other) || errors.As(err, &own)
}
