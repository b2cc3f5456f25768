package outbound

import (
	"context"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/retry"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
)

const (
	// idleAfter is how long a chat without events and open turns stays awake. A chat checks that
	// often for something to do.
	idleAfter = time.Minute
	// maxItems is how many items a chat queues before it stops reading its journal, which stores
	// the rest.
	maxItems = 64
)

// chatSender sends the events of one chat. The goroutine of run owns its state; at most one item and
// one live call are in progress.
type chatSender struct {
	senders  *Senders
	cfg      *Config // of senders
	to       chat.Address
	name     event.Chat // name of the chat at to
	post     poster     // sends to that chat
	requests *requestQueue

	// The journal of the chat, which a goroutine follows.
	events       chan event.Event
	following    bool       // the goroutine is running
	followEnded  chan error // why it ended
	followFailed bool       // it failed and has read nothing since, so there may be unread events
	backoff      retry.Backoff
	turns        turns     // folded from the journal
	activeAt     time.Time // time of the last event or request

	// The outbox of the chat.
	items          []*item   // in order
	sending        *item     // being sent
	sendDone       chan bool // the item was sent or refused; false: hob is shutting down
	ledger         ledger    // of the items; while an item is being sent, its goroutine owns this
	withoutButtons int64     // the last message whose buttons were removed

	// The live view.
	live       liveTurn
	liveMethod string // method of the live call in progress, or ""
	liveDone   chan liveCall
	hurryLive  context.CancelFunc // makes that call end soon
	pictures   []picture          // to be updated, in order, one for each slot
	pictureAt  time.Time          // time of the last update
}

func newChatSender(s *Senders, to chat.Address) *chatSender {
	return &chatSender{
		senders: s, cfg: &s.cfg, to: to, name: to.Name(), post: s.poster(to), requests: newRequestQueue(),
		events: make(chan event.Event), followEnded: make(chan error, 1), backoff: newBackoff(), activeAt: s.cfg.Now(),
		ledger:   ledger{cfg: &s.cfg, chat: to.Name(), ended: &s.sendsEnded},
		sendDone: make(chan bool, 1), liveDone: make(chan liveCall, 1),
	}
}

// run sends until ctx ends or the chat has been idle for a while.
func (c *chatSender) run(ctx context.Context) {
	followCtx, stopFollowing := context.WithCancel(ctx)
	defer func() { // wait for all goroutines
		stopFollowing()
		if c.following {
			<-c.followEnded //nolint:errcheck // the reason is known
		}
		if c.sending != nil {
			<-c.sendDone
		}
		if c.liveMethod != "" {
			<-c.liveDone
		}
		for _, it := range c.items { // callers that wait learn that hob is shutting down
			it.report(errShutdown)
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		c.startNext(ctx)
		next := c.showLive(ctx)
		if c.isIdle() {
			c.markAll(ctx)
			return
		}
		timer.Reset(max(0, next))
		events := c.events
		if len(c.items) >= maxItems { // unread deltas are dropped, so the text has a gap
			events, c.live.hasGap = nil, true
		}
		select {
		case <-ctx.Done():
			return
		case <-c.requests.ring:
			c.takeRequests(followCtx, c.requests.take())
		case e := <-events:
			c.followFailed = false
			c.backoff.Reset()
			c.handleEvent(ctx, e)
		case err := <-c.followEnded:
			c.retryFollow(followCtx, err)
		case done := <-c.sendDone:
			if c.sending = nil; !done {
				return
			}
		case call := <-c.liveDone:
			c.finishLive(call)
		case <-timer.C:
		}
	}
}

// follow starts to follow the journal after a delay, unless it does already.
func (c *chatSender) follow(followCtx context.Context, wait time.Duration) {
	if c.following {
		return
	}
	c.following = true
	after := c.turns.last
	go func() { c.followEnded <- c.readJournal(followCtx, wait, after) }()
}

// readJournal passes on the events of the journal after one, until that fails. After 0 it begins at
// the mark.
func (c *chatSender) readJournal(ctx context.Context, wait time.Duration, after int64) error {
	if err := retry.Wait(ctx, wait); err != nil {
		return err
	}
	if after == 0 {
		var err error
		if after, err = c.cfg.Marks.Marked(ctx, event.SendReader(c.name)); err != nil {
			return err
		}
	}
	for e, err := range c.cfg.Journal.Follow(ctx, c.name, after) {
		if err != nil {
			return err
		}
		select {
		case c.events <- e:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return errors.New("the journal ended")
}

// retryFollow follows a failed journal again, after a delay, unless hob is shutting down.
func (c *chatSender) retryFollow(followCtx context.Context, err error) {
	c.following, c.live.paused = false, true
	if followCtx.Err() != nil || errors.Is(err, session.ErrClosed) {
		return
	}
	c.cfg.Log.Warn("cannot follow a chat", "chat", c.name, "err", err)
	c.followFailed = true
	c.follow(followCtx, c.backoff.Next())
}

// handleEvent folds in an event and queues its items, the last of which moves the mark.
func (c *chatSender) handleEvent(ctx context.Context, e event.Event) {
	c.activeAt = c.cfg.Now()
	c.live.paused = false
	if e.Seq > 0 {
		c.turns.last = e.Seq
	}
	if items := c.foldContained(ctx, e); len(items) > 0 {
		items[len(items)-1].mark = c.turns.safeMark()
		c.items = append(c.items, items...)
	}
	c.live.fold(c.turns.open.Running(), e, c.activeAt, func() phrases.Words { return c.words(ctx) })
}

// isIdle reports whether there is nothing to do before a request comes.
func (c *chatSender) isIdle() bool {
	open := len(c.turns.open) > 0 || c.followFailed
	sends := c.sending != nil || len(c.items) > 0 || c.liveMethod != "" || len(c.pictures) > 0
	return !open && !sends && c.cfg.Now().Sub(c.activeAt) >= idleAfter
}

// markAll moves the mark past events without items.
func (c *chatSender) markAll(ctx context.Context) {
	if mark := c.turns.safeMark(); mark > c.ledger.marked {
		if err := c.cfg.Marks.Mark(ctx, c.ledger.reader(), mark); err != nil {
			c.cfg.Log.Warn("cannot move the mark of a chat", "chat", c.name, "err", err)
		}
	}
}

// startNext starts to send the next item.
func (c *chatSender) startNext(ctx context.Context) {
	if c.sending != nil || len(c.items) == 0 {
		return
	}
	it := c.items[0]
	switch {
	case it.beginsReply && c.liveMethod == methodDraft: // a draft sent after the reply would stay
		c.hurryLive()
		return
	case it.deletesStatus && c.isStatusUnderWay(): // its record will say which message to delete
		return
	}
	c.sending, c.items[0] = it, nil
	c.items = c.items[1:]
	go func() { c.sendDone <- c.sendItem(ctx, it) }()
}
