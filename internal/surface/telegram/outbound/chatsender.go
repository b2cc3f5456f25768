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
	"hob/internal/surface/telegram/client"
)

const (
	// idleAfter is how long a chat stays awake in which nothing happens and nothing is open. A chat looks that often
	// whether there is something to do.
	idleAfter = time.Minute
	// maxItems is how many items a chat queues before it stops reading its journal, which keeps the rest.
	maxItems = 64
)

// chatSender sends the events of one chat. The goroutine of run owns its state and never waits for the network:
// at most one item and one live call are under way at a time, each in a goroutine that reports back.
type chatSender struct {
	senders  *Senders
	cfg      *Config // of senders
	to       chat.Address
	name     event.Chat // of to
	post     poster     // to it
	requests *requestQueue

	// The journal of the chat, which a goroutine follows.
	events       chan event.Event
	following    bool       // the goroutine runs
	followEnded  chan error // why it ended
	followFailed bool       // it failed, and has read nothing since: there may be more
	backoff      retry.Backoff
	turns        turns     // the fold of the journal
	activeAt     time.Time // when an event or a request came last

	// The outbox of the chat.
	items          []*item   // in order
	sending        *item     // under way
	sendDone       chan bool // it was sent or refused; false: hob ends
	ledger         ledger    // their records; while an item is under way, its goroutine owns this
	withoutButtons int64     // the message of which the buttons were removed last

	// The live view.
	live       liveTurn
	liveMethod string // of the call that is under way, "" none
	liveDone   chan liveCall
	hurryLive  context.CancelFunc // ends that call soon
	pictures   []picture          // to be replaced, in order, one of each slot
	pictureAt  time.Time          // when one was replaced last
}

func newChatSender(s *Senders, to chat.Address) *chatSender {
	return &chatSender{
		senders: s, cfg: &s.cfg, to: to, name: to.Name(), post: s.poster(to), requests: newRequestQueue(),
		events: make(chan event.Event), followEnded: make(chan error, 1), backoff: newBackoff(), activeAt: s.cfg.Now(),
		ledger:   ledger{cfg: &s.cfg, chat: to.Name(), ended: &s.sendsEnded},
		sendDone: make(chan bool, 1), liveDone: make(chan liveCall, 1),
	}
}

// run sends until ctx ends or nothing has happened for a while.
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
		for _, it := range c.items { // who waits for them hears that hob ends
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
		if len(c.items) >= maxItems { // while nothing is read, deltas are dropped, so the words have a gap
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

// takeRequests queues the items of requests. A request without any makes the chat follow its journal.
func (c *chatSender) takeRequests(followCtx context.Context, requests []request) {
	c.activeAt = c.cfg.Now()
	for _, r := range requests {
		switch {
		case r.answer != nil:
			c.items = append(c.items, c.answerItems(followCtx, r.answer)...)
		case r.cleanup != cleanup{}:
			c.items = append(c.items, c.cleanupItems(r.cleanup)...)
		default:
			c.follow(followCtx, 0)
		}
	}
}

// answerItems returns an answer as messages. They have no record: after a crash the person asks again. The outcome
// of the last counts for all: a text that is refused has a sentence in its place, and a chat that takes no messages
// refuses the last, too.
func (c *chatSender) answerItems(ctx context.Context, out *outgoingAnswer) []*item {
	items := c.textItems(ctx, 0, content{
		text: out.answer.Text, options: options{keys: keyboardJSON(out.answer.Keys), replyTo: out.replyTo},
	})
	for _, it := range items {
		it.unwanted = out.unwanted
	}
	items[len(items)-1].result = out.result
	return items
}

// cleanupItems returns the item of a cleanup. People press the same button in a row, so repeats are dropped.
func (c *chatSender) cleanupItems(todo cleanup) []*item {
	if todo.method == methodEditMarkup {
		if c.withoutButtons == todo.message {
			return nil
		}
		c.withoutButtons = todo.message
	}
	return []*item{{harmless: true, send: func(ctx context.Context, _ bool) (int64, error) {
		if err := c.cleanUp(ctx, todo); err != nil || todo.method != methodEditMarkup {
			return 0, err
		}
		return 0, c.cfg.Shown.ForgetShown(ctx, c.name, choicesShown, todo.message)
	}}}
}

// cleanUp calls the method of a cleanup. One that Telegram refuses counts as done.
func (c *chatSender) cleanUp(ctx context.Context, todo cleanup) error {
	err := c.post.call(ctx, todo.method, client.ParamsForMessage(c.to, todo.message, ""), nil)
	if err != nil && isFinal(err) {
		c.cfg.Log.Debug("a message stays as it was", "chat", c.name, "method", todo.method, "err", err)
		return nil
	}
	return err
}

// follow starts to follow the journal after a wait, unless that is done already.
func (c *chatSender) follow(followCtx context.Context, wait time.Duration) {
	if c.following {
		return
	}
	c.following = true
	after := c.turns.last
	go func() { c.followEnded <- c.readJournal(followCtx, wait, after) }()
}

// readJournal passes the events of the journal after that one on, until that fails. After 0 it begins at the mark.
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

// retryFollow follows a journal that has failed once more, later, unless hob ends.
func (c *chatSender) retryFollow(followCtx context.Context, err error) {
	c.following, c.live.paused = false, true
	if followCtx.Err() != nil || errors.Is(err, session.ErrClosed) {
		return
	}
	c.cfg.Log.Warn("cannot follow a chat", "chat", c.name, "err", err)
	c.followFailed = true
	c.follow(followCtx, c.backoff.Next())
}

// handleEvent folds an event in, and queues its items. The last one moves the mark.
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
	if b, waits := e.Body.(event.Waiting); waits {
		b.Text = c.waitText(ctx, b)
		e.Body = b
	}
	c.live.fold(c.turns.open.Running(), e, c.activeAt, func() phrases.Words { return c.words(ctx) })
}

// isIdle reports whether there is nothing to do until a request comes.
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

// startNext begins to send the next item.
func (c *chatSender) startNext(ctx context.Context) {
	if c.sending != nil || len(c.items) == 0 {
		return
	}
	it := c.items[0]
	switch {
	case it.beginsReply && c.liveMethod == methodDraft: // a draft that comes after the reply would stay
		c.hurryLive()
		return
	case it.deletesStatus && c.isStatusUnderWay(): // then its record will say which message to delete
		return
	}
	c.sending, c.items[0] = it, nil
	c.items = c.items[1:]
	go func() { c.sendDone <- c.sendItem(ctx, it) }()
}
