package outbound

import (
	"context"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/retry"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
)

const (
	// idleAfter is how long a chat stays awake in which nothing happens and nothing is open.
	idleAfter = time.Minute
	// maxItems is how many messages of a chat wait to be sent before its journal is read on. What is not read is not lost:
	// the journal has it.
	maxItems = 64
)

// chatSender sends what happens in one chat. Its state belongs to its goroutine, which never waits for the network: one item and one
// live call at a time are on their way in goroutines that report back to it.
type chatSender struct {
	senders  *Senders
	to       chat.Address
	name     event.Chat
	requests *requestQueue

	turns   turns     // what the journal comes to
	items   []*item   // in order
	sending *item     // the one that is on its way
	sent    chan bool // it arrived or never will; false: hob ends
	marked  int64     // where the journal is marked; of the goroutine of busy while there is one

	withoutButtons int64              // the message from which buttons were taken away last
	pictures       map[string]picture // by slot: what is to be changed in place
	pictureAt      time.Time          // when something was
	live           liveTurn
	showing        string // the method that is on its way, "" none
	hurry          context.CancelFunc
	shown          chan liveResult

	events    chan event.Event // what happens
	failed    chan error       // why nothing is heard any more
	following bool             // somebody follows the journal
	after     int64            // the newest event that was heard
	activeAt  time.Time        // when something happened last
	failing   bool             // the journal could not be followed, and nothing came of it since
	backoff   retry.Backoff    // until it is followed again
}

func newChatSender(t *Senders, to chat.Address) *chatSender {
	return &chatSender{
		senders: t, to: to, name: to.Name(), requests: newRequestQueue(), sent: make(chan bool, 1), shown: make(chan liveResult, 1),
		events: make(chan event.Event), failed: make(chan error, 1), activeAt: t.cfg.Now(), backoff: newBackoff(),
	}
}

// run sends until ctx ends or nothing has happened for a while.
func (c *chatSender) run(ctx context.Context) {
	follow, forget := context.WithCancel(ctx)
	defer func() { // all that it began is waited for
		forget()
		if c.following {
			<-c.failed //nolint:errcheck // why nobody listens any more is known
		}
		if c.sending != nil {
			<-c.sent
		}
		if c.showing != "" {
			<-c.shown
		}
		c.refuseItems()
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
		if len(c.items) >= maxItems {
			events, c.live.torn = nil, true // it misses parts of what is being written
		}
		select {
		case <-ctx.Done():
			return
		case <-c.requests.ring:
			c.takeRequests(follow, c.requests.take())
		case e := <-events:
			c.failing = false
			c.backoff.Reset()
			c.handleEvent(ctx, e)
		case err := <-c.failed:
			c.retryFollow(follow, err)
		case arrived := <-c.sent:
			if c.sending = nil; !arrived {
				return
			}
		case r := <-c.shown:
			c.finishLive(r)
		case <-timer.C:
		}
	}
}

// takeRequests queues the items of requests, and follows the journal.
func (c *chatSender) takeRequests(ctx context.Context, requests []request) {
	c.activeAt = c.senders.cfg.Now()
	for _, r := range requests {
		switch {
		case r.answer != nil:
			c.items = append(c.items, c.answerItems(r.answer)...)
		case r.cleanup != cleanup{}:
			c.items = append(c.items, c.cleanupItems(r.cleanup)...)
		default:
			c.follow(ctx, 0)
		}
	}
}

// cleanupItems returns the item of a cleanup. Many people may press the same button: its keyboard goes once.
func (c *chatSender) cleanupItems(todo cleanup) []*item {
	if todo.method == methodEditMarkup {
		if c.withoutButtons == todo.message {
			return nil
		}
		c.withoutButtons = todo.message
	}
	return []*item{{harmless: true, send: func(ctx context.Context, _ bool) (int64, error) {
		if err := c.senders.cleanUp(ctx, c.to, todo); err != nil || todo.method != methodEditMarkup {
			return 0, err
		}
		return 0, c.senders.cfg.Live.ForgetShown(ctx, c.name, choicesShown, todo.message)
	}}}
}

// follow follows the journal, unless it does already.
func (c *chatSender) follow(ctx context.Context, wait time.Duration) {
	if c.following {
		return
	}
	c.following = true
	after := c.after
	go func() { c.failed <- c.readJournal(ctx, wait, after) }()
}

// readJournal hands on the events of the journal until that fails.
func (c *chatSender) readJournal(ctx context.Context, wait time.Duration, after int64) error {
	if err := retry.Wait(ctx, wait); err != nil {
		return err
	}
	if after == 0 {
		var err error
		if after, err = c.senders.cfg.Marks.Marked(ctx, c.markName()); err != nil {
			return err
		}
	}
	for e, err := range c.senders.cfg.Journal.Follow(ctx, c.name, after) {
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

// markName is the name of the chat's mark in its journal.
func (c *chatSender) markName() string { return event.SendReader(c.name) }

// retryFollow follows a journal that has failed again, later, unless hob ends.
func (c *chatSender) retryFollow(ctx context.Context, err error) {
	c.following, c.live.still = false, true
	if ctx.Err() != nil || errors.Is(err, session.ErrClosed) {
		return
	}
	c.senders.cfg.Log.Warn("cannot follow a chat", "chat", c.name, "err", err)
	c.failing = true
	c.follow(ctx, c.backoff.Next())
}

// handleEvent folds in an event, and queues the items that it renders to.
func (c *chatSender) handleEvent(ctx context.Context, e event.Event) {
	c.activeAt = c.senders.cfg.Now()
	c.live.still = false
	if e.Seq > 0 {
		c.after = max(c.after, e.Seq)
		c.turns.last = c.after
	}
	if items := c.render(ctx, e); len(items) > 0 {
		if last := items[len(items)-1]; last.mark == 0 {
			last.mark = c.turns.safeMark()
		}
		c.items = append(c.items, items...)
	}
	c.live.fold(c.turns.running(), e, c.activeAt)
}

// isIdle reports whether there is nothing to do until a request comes.
func (c *chatSender) isIdle() bool {
	return c.hasNothingOpen() && c.senders.cfg.Now().Sub(c.activeAt) >= idleAfter
}

// hasNothingOpen reports whether nothing is open or on its way. A journal that cannot be read may hold anything.
func (c *chatSender) hasNothingOpen() bool {
	return len(c.turns.open) == 0 && len(c.items) == 0 && c.sending == nil && c.showing == "" && !c.failing && len(c.pictures) == 0
}

// markAll moves the mark past events that render to nothing.
func (c *chatSender) markAll(ctx context.Context) {
	if mark := c.turns.safeMark(); mark > c.marked {
		if err := c.senders.cfg.Marks.Mark(ctx, c.markName(), mark); err != nil {
			c.senders.cfg.Log.Warn("cannot mark what was told", "chat", c.name, "err", err)
		}
	}
}

// refuseItems ends the wait for items that will not be sent.
func (c *chatSender) refuseItems() {
	for _, it := range c.items {
		it.report(errShutdown)
	}
}

// startNext begins to send the next item.
func (c *chatSender) startNext(ctx context.Context) {
	if c.sending != nil || len(c.items) == 0 {
		return
	}
	it := c.items[0]
	switch {
	case it.beginsReply && c.showing == methodDraft: // one that came after the reply would stay
		c.hurry()
		return
	case it.deletesStatus && (c.showing == methodSend || c.showing == methodEdit || c.showing == methodDraft):
		return // only then it is known what there is to take away
	}
	c.sending, c.items[0] = it, nil
	c.items = c.items[1:]
	go func() { c.sent <- c.sendItem(ctx, it) }()
}
