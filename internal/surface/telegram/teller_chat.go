package telegram

import (
	"context"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
)

const (
	// idleAfter is how long a chat stays awake in which nothing happens and nothing is open.
	idleAfter = time.Minute
	// maxJobs is how many messages of a chat wait to be sent before its journal is read on. What is not read is not lost:
	// the journal has it.
	maxJobs = 64
)

// telling tells what happens in one chat. Its state belongs to its goroutine, which never waits for the network: what is
// sent, one message after the other, and what is shown meanwhile are on their way in goroutines that tell it what came of them.
type telling struct {
	t    *tellers
	to   chat.Address
	name event.Chat
	mail *tellMail

	told   told       // what the journal comes to
	queue  []*sendJob // in order
	busy   *sendJob   // the one that is on its way
	sent   chan bool  // it arrived or never will; false: hob ends
	marked int64      // where the journal is marked; of the goroutine of busy while there is one

	bare    int64            // the message from which buttons were taken away last
	fresh   map[string]fresh // by slot: what is to be changed in place
	freshAt time.Time        // when something was
	show    liveShow
	showing string // the method that is on its way, "" none
	hurry   context.CancelFunc
	shown   chan liveResult

	events  chan event.Event // what happens
	failed  chan error       // why nothing is heard any more
	hearing bool             // somebody follows the journal
	after   int64            // the newest event that was heard
	awake   time.Time        // when something happened last
	retry   time.Duration    // until the journal is followed again, the next time that fails
}

func newTelling(t *tellers, to chat.Address) *telling {
	return &telling{
		t: t, to: to, name: to.Name(), mail: newTellMail(), sent: make(chan bool, 1), shown: make(chan liveResult, 1),
		events: make(chan event.Event), failed: make(chan error, 1), awake: t.cfg.Now(),
	}
}

// run tells until ctx ends or there has been nothing to tell for a while.
func (c *telling) run(ctx context.Context) {
	follow, forget := context.WithCancel(ctx)
	defer func() { // all that it began is waited for
		forget()
		if c.hearing {
			<-c.failed //nolint:errcheck // why nobody listens any more is known
		}
		if c.busy != nil {
			<-c.sent
		}
		if c.showing != "" {
			<-c.shown
		}
		c.discard()
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		c.send(ctx)
		next := c.display(ctx)
		if c.asleep() {
			c.settle(ctx)
			return
		}
		timer.Reset(max(0, next))
		events := c.events
		if len(c.queue) >= maxJobs {
			events, c.show.torn = nil, true // it misses parts of what is being written
		}
		select {
		case <-ctx.Done():
			return
		case <-c.mail.ring:
			c.read(follow, c.mail.take())
		case e := <-events:
			c.retry = 0
			c.hear(ctx, e)
		case err := <-c.failed:
			c.deaf(follow, err)
		case arrived := <-c.sent:
			if c.busy = nil; !arrived {
				return
			}
		case r := <-c.shown:
			c.showed(r)
		case <-timer.C:
		}
	}
}

// read does what letters ask for.
func (c *telling) read(ctx context.Context, letters []letter) {
	c.awake = c.t.cfg.Now()
	for _, l := range letters {
		switch {
		case l.said != nil:
			c.queue = append(c.queue, c.saying(l.said)...)
		case l.todo != chore{}:
			c.queue = append(c.queue, c.tidying(l.todo)...)
		default:
			c.follow(ctx, 0)
		}
	}
}

// tidying does a chore in order with what is told. Many people may press the same button: its keyboard goes once.
func (c *telling) tidying(todo chore) []*sendJob {
	if todo.method == unbutton {
		if c.bare == todo.message {
			return nil
		}
		c.bare = todo.message
	}
	return []*sendJob{{harmless: true, do: func(ctx context.Context, _ bool) (int64, error) {
		if err := c.t.tidy(ctx, c.to, todo); err != nil || todo.method != unbutton {
			return 0, err
		}
		return 0, c.t.cfg.Live.ForgetShown(ctx, c.name, choicesShown, todo.message)
	}}}
}

// follow begins to hear what happens, unless it does already.
func (c *telling) follow(ctx context.Context, wait time.Duration) {
	if c.hearing {
		return
	}
	c.hearing = true
	after := c.after
	go func() { c.failed <- c.listen(ctx, wait, after) }()
}

// listen hands on what happens until that fails.
func (c *telling) listen(ctx context.Context, wait time.Duration, after int64) error {
	if err := pause(ctx, wait); err != nil {
		return err
	}
	if after == 0 {
		var err error
		if after, err = c.t.cfg.Marks.Marked(ctx, c.reader()); err != nil {
			return err
		}
	}
	for e, err := range c.t.cfg.Journal.Follow(ctx, c.name, after) {
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

// reader is the name under which the journal keeps up to where it was told.
func (c *telling) reader() string { return "told/" + string(c.name) }

// deaf deals with a journal that cannot be followed any more: it is tried again, unless hob ends.
func (c *telling) deaf(ctx context.Context, err error) {
	c.hearing, c.show.still = false, true
	if ctx.Err() != nil || errors.Is(err, session.ErrClosed) {
		return
	}
	c.t.cfg.Log.Warn("cannot follow a chat", "chat", c.name, "err", err)
	c.retry = longer(c.retry)
	c.follow(ctx, c.retry)
}

// hear folds in what happened, and queues what has to be told of it.
func (c *telling) hear(ctx context.Context, e event.Event) {
	c.awake = c.t.cfg.Now()
	c.show.still = false
	if e.Seq > 0 {
		c.after = max(c.after, e.Seq)
		c.told.last = c.after
	}
	if jobs := c.tell(ctx, e); len(jobs) > 0 {
		if last := jobs[len(jobs)-1]; last.mark == 0 {
			last.mark = c.told.safe()
		}
		c.queue = append(c.queue, jobs...)
	}
	c.show.apply(c.told.running(), e, c.awake)
}

// asleep reports whether there is nothing to do here any more until somebody wakes it.
func (c *telling) asleep() bool {
	return c.quiet() && c.t.cfg.Now().Sub(c.awake) >= idleAfter
}

// quiet reports whether nothing is open or on its way. A journal that cannot be read may hold anything.
func (c *telling) quiet() bool {
	return len(c.told.open) == 0 && len(c.queue) == 0 && c.busy == nil && c.showing == "" && c.retry == 0 && len(c.fresh) == 0
}

// settle marks what was heard as told, also where there was nothing to tell of it.
func (c *telling) settle(ctx context.Context) {
	if mark := c.told.safe(); mark > c.marked {
		if err := c.t.cfg.Marks.Mark(ctx, c.reader(), mark); err != nil {
			c.t.cfg.Log.Warn("cannot mark what was told", "chat", c.name, "err", err)
		}
	}
}

// discard tells those who wait for a message that it will not be sent any more.
func (c *telling) discard() {
	for _, j := range c.queue {
		j.end(errTellerOver)
	}
}

// send sends what is next in order.
func (c *telling) send(ctx context.Context) {
	if c.busy != nil || len(c.queue) == 0 {
		return
	}
	j := c.queue[0]
	switch {
	case j.final && c.showing == drafting: // one that came after the reply would stay
		c.hurry()
		return
	case j.retires && (c.showing == posting || c.showing == editing || c.showing == drafting):
		return // only then it is known what there is to take away
	}
	c.busy, c.queue[0] = j, nil
	c.queue = c.queue[1:]
	go func() { c.sent <- c.deliver(ctx, j) }()
}
