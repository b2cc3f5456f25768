package session

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/store"
	"hob/internal/tools"
)

// chat is one chat's goroutine and the state that it owns. Other goroutines send it functions to
// run, see [chat.do]. Its methods run on that goroutine, except those that send: do, doInTurn,
// access, play, newPlayer and beginActing. The methods of [player], [gate] and [labelledDriver] run
// on a turn's goroutine.
type chat struct {
	sessions *Sessions
	cfg      Config
	name     event.Chat
	toolset  Toolset  // of the newest turn
	listForm listForm // the form of the model's list in that turn

	ops   chan func(context.Context) error // for the goroutine to run
	pings chan struct{}                    // receiving one shows that the goroutine is alive; it does not keep an idle chat awake

	tr          transcript
	loadedTo    int64 // Seq of the newest event at loading: later inputs came to this process
	followers   map[*follower]bool
	newest      []*followedEvent              // the newest events journaled by this process
	questions   map[string]chan event.Decided // of the running turn, open, by their id
	queueNotice event.Event                   // says that the running turn waits for the model; no Body: it does not
	draft       draft                         // of the reply being written
	lang        string                        // see [chat.language]
	appLang     string                        // see [Input]
	langSeq     int64                         // Seq of the newest turn whose language was checked

	// The running turn:
	cancelTurn context.CancelCauseFunc // nil if no turn runs
	turnEnded  chan error              // receives the result of the turn's goroutine
	unwritten  []store.Entry           // folded in already, and journaled with the next event; see [chat.mayDelayWrite]
	acting     []func()                // end the acting of its calls; called once everything is journaled

	// What keeps a turn from beginning:
	stopRequestedFor int64            // the last stopped turn, even if it had not begun; never reset
	holdChanged      chan struct{}    // closed when the hold may be over; nil without a hold
	yieldTimer       <-chan time.Time // of a turn that yields to others; nil if none does
	yielded          int64            // begunAt of the turn that has yielded

	// Parked turns, by their Seq:
	waitUntil map[int64]time.Time // deadline of the wait for the model
	due       map[int64]bool      // to be resumed as soon as no other turn runs
	retried   map[int64]bool      // those of due that a person has retried
	hasWaiter bool                // a goroutine waits for the model
	waitOver  chan int64          // receives a turn whose wait is over, because the model is back or time is up
	waiters   sync.WaitGroup

	loaded  chan struct{} // closed when the journal is folded in
	done    chan struct{} // closed when the goroutine has ended
	failure error         // why it ended; read it only after done is closed
}

// idleAfter is how long an idle chat without followers stays in memory.
const idleAfter = 15 * time.Minute

// errIdle says that the chat's goroutine ended because it was idle, and did not run the function.
var errIdle = errors.New("the chat rests")

func newChat(s *Sessions, name event.Chat) *chat {
	c := &chat{
		sessions: s, cfg: s.cfg, name: name, ops: make(chan func(context.Context) error),
		followers: map[*follower]bool{}, questions: map[string]chan event.Decided{},
		turnEnded: make(chan error, 1), loaded: make(chan struct{}), done: make(chan struct{}), pings: make(chan struct{}),
		waitUntil: map[int64]time.Time{}, due: map[int64]bool{}, retried: map[int64]bool{},
		waitOver: make(chan int64),
	}
	c.tr.toolActs = func(name string) bool {
		t := c.toolset.tool(name)
		return t != nil && agent.NeedsReceipt(t)
	}
	c.tr.toolReplays = func(name string) bool {
		t := c.toolset.tool(name)
		return t != nil && tools.DefOf(t).Capabilities.Has(tools.Replays)
	}
	return c
}

// do runs f on the chat's goroutine and returns its error. The context of f never ends, so that a
// shutdown cannot interrupt a write to the journal.
func (c *chat) do(ctx context.Context, f func(context.Context) error) error {
	result := make(chan error, 1)
	select {
	case c.ops <- func(ctx context.Context) error {
		err := c.contain(func() error { return f(ctx) })
		result <- err
		return err
	}:
		return <-result
	case <-c.done:
		return c.failure
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// codeFault is the error code for a fault in hob itself.
const codeFault = "fault"

// contain runs f and turns a panic into an error. One person's message must not end hob for
// everybody, let alone at every start.
func (c *chat) contain(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c.cfg.Log.Error("hob itself has a fault", "chat", c.name, "panic", p, "stack", string(debug.Stack()))
			err = &event.Error{
				Type: "internal", Code: codeFault, Message: "I cannot read that: hob itself has a fault", Suggestion: "say it in other words",
			}
		}
	}()
	return f()
}

// playContained is play, except that a turn in which hob panics is parked: it would panic again.
func (c *chat) playContained(ctx context.Context, seq int64) error {
	err := c.contain(func() error { return c.play(ctx, seq) })
	if own := (*event.Error)(nil); !errors.As(err, &own) || own.Code != codeFault {
		return err
	}
	return c.doInTurn(ctx, func(ctx context.Context) error {
		text := c.say("I set this aside: hob itself has a fault. Try it again, or say it in other words.")
		return c.park(ctx, seq, event.Parked{Reason: event.ParkedBroken, Text: text})
	})
}

// doInTurn is do for the goroutine of a turn. A stop of the turn does not cancel f: the chat serves
// the turn until it has ended.
func (c *chat) doInTurn(ctx context.Context, f func(context.Context) error) error {
	return c.do(context.WithoutCancel(ctx), f)
}

// access is doInTurn for an f that cannot fail. An error says that the chat has ended and f did not
// run.
func (c *chat) access(ctx context.Context, f func()) error {
	return c.doInTurn(ctx, func(context.Context) error { f(); return nil })
}

// run is the chat's goroutine. It runs functions for others and starts turns. It ends when the chat
// is idle, when a turn fails, or at shutdown.
func (c *chat) run(ctx context.Context) {
	defer close(c.done)
	defer c.doneActing()
	waiterCtx, endWaiters := context.WithCancel(ctx)
	defer c.waiters.Wait()
	defer endWaiters()
	c.failure = ErrClosed
	lasting := context.WithoutCancel(ctx)
	if err := c.contain(func() error { return c.load(lasting) }); err != nil {
		c.failure = err
		return
	}
	close(c.loaded)
	idle := time.NewTimer(idleAfter)
	defer idle.Stop()
	for {
		c.startTurn(ctx)
		c.awaitModel(waiterCtx)
		if c.tr.current() != nil || c.cancelTurn != nil || len(c.followers) > 0 || c.tr.parkedForModel() != nil {
			idle.Stop()
		}
		select {
		case f := <-c.ops:
			_ = f(lasting) // the caller gets the error
			idle.Reset(idleAfter)
		case seq := <-c.waitOver:
			c.hasWaiter = false
			if t := c.tr.parkedForModel(); t != nil && t.seq == seq {
				c.due[seq] = true
			}
		case <-c.yieldTimer:
			c.yieldTimer = nil
			if cur := c.tr.current(); cur != nil {
				c.yielded = cur.begunAt
			}
		case <-c.pings: // the send itself was the answer
		case <-c.holdChanged:
			c.holdChanged = nil // startTurn checks the hold again
		case <-idle.C:
			c.failure = errIdle
			return
		case err := <-c.turnEnded:
			c.cancelTurn = nil
			if err != nil && ctx.Err() == nil {
				c.cfg.Log.Error("turn broke off", "chat", c.name, "err", err)
				c.failure = err
				return
			}
			idle.Reset(idleAfter)
		case <-ctx.Done():
			c.failure = context.Cause(ctx)
			c.drain(lasting)
			return
		}
	}
}

// hasLoaded reports whether the journal is loaded. Before that the goroutine runs no functions.
func (c *chat) hasLoaded() bool { return isClosed(c.loaded) }

// hasEnded reports whether the chat's goroutine has ended.
func (c *chat) hasEnded() bool { return isClosed(c.done) }

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// drain serves a running turn until it has stopped, so that its last events are journaled. Then it
// journals that the turn did not end in a crash.
func (c *chat) drain(ctx context.Context) {
	for c.cancelTurn != nil {
		select {
		case f := <-c.ops:
			_ = f(ctx)
		case err := <-c.turnEnded:
			c.cfg.Log.Debug("turn cut short", "chat", c.name, "err", err)
			c.cancelTurn = nil
		}
	}
	if cur := c.tr.current(); cur != nil {
		if _, err := c.append(ctx, cur.seq, event.Paused{}); err != nil {
			c.cfg.Log.Error("pause turn", "chat", c.name, "err", err)
		}
	}
}

// load folds the journal from the start of the conversation, and resumes an interrupted turn.
func (c *chat) load(ctx context.Context) error {
	c.toolset = c.sessions.toolset(ctx)
	from, err := c.cfg.Journal.Marked(ctx, c.conversationReader())
	if err != nil {
		return err
	}
	for e, err := range c.cfg.Journal.Chat(ctx, c.name, from) {
		if err != nil {
			return fmt.Errorf("load chat %s: %w", c.name, err)
		}
		c.tr.fold(e)
	}
	c.loadedTo = c.tr.last
	return c.resumeOpenTurn(ctx)
}

// resumeOpenTurn resumes the turn that the end of the process interrupted. A call that had started
// gets the result "interrupted". A turn that may have caused too many crashes is parked.
func (c *chat) resumeOpenTurn(ctx context.Context) error {
	if err := c.endUnreadable(ctx); err != nil {
		return err
	}
	cur := c.tr.current()
	if cur == nil {
		return nil
	}
	mayHaveCrashed := cur.withModel // a turn that only waited cannot have ended the process
	var results []event.Body
	for _, call := range c.tr.unansweredCalls() {
		if c.toolset.tool(call.Name) == nil {
			c.beginDriver(ctx)
		}
		t, replays := c.toolset.tool(call.Name), c.tr.toolReplays(call.Name)
		onlyReads := t != nil && tools.DefOf(t).Capabilities.Repeatable() // reads are not journaled as started
		mayHaveCrashed = mayHaveCrashed || cur.started[call.ID] || onlyReads && !cur.isAsking()
		if (cur.started[call.ID] || cur.hasGap) && !replays && !onlyReads {
			results = append(results, agent.Interrupted(call),
				event.Noted{Text: c.say(call.Name + " was interrupted: its outcome is unknown, and it was not run again")})
		}
	}
	mayHaveCrashed = mayHaveCrashed && !cur.endedCleanly
	tooMany := cur.crashes >= maxCrashes || cur.crashesInRow >= maxCrashesInRow && !cur.progressed
	if !mayHaveCrashed || !tooMany {
		_, err := c.append(ctx, cur.seq, append([]event.Body{event.Resumed{Waited: !mayHaveCrashed}}, results...)...)
		return err
	}
	text := c.say(fmt.Sprintf("I set this aside: hob has ended %d times while it was at it. "+
		"Try it again, or say it in other words.", cur.crashes+1))
	results = append(results, event.Noted{Text: text}, event.Parked{Reason: event.ParkedBroken, Text: text})
	_, err := c.append(ctx, cur.seq, results...)
	return err
}

// conversationReader is the name of the journal mark for the start of this chat's conversation.
func (c *chat) conversationReader() string { return "memory/" + string(c.name) }

// startTurn runs the open turn on a goroutine of its own, if there is one that may begin and does
// not run yet.
func (c *chat) startTurn(ctx context.Context) {
	if c.cancelTurn != nil || ctx.Err() != nil {
		return
	}
	c.holdChanged = c.sessions.hold.whenChanged()
	held := c.holdChanged != nil
	if !held || c.due[c.stopRequestedFor] { // a stopped turn has to begin in order to end
		c.resumeDue(ctx)
	}
	cur := c.tr.current()
	if cur == nil || held && c.stopRequestedFor != cur.seq || c.mustYield(cur) {
		return
	}
	turnCtx, cancel := context.WithCancelCause(ctx)
	c.cancelTurn = cancel
	seq := cur.seq
	if seq == c.stopRequestedFor {
		cancel(agent.ErrStopped)
	}
	turnCtx = tools.WithCaller(turnCtx, c.callerOf(cur))
	position := llm.Position{Priority: llm.ForPerson, Turn: seq}
	if cur.crashesInRow > 0 { // turns that already wait come first
		position.Turn = cur.begunAt
	}
	turnCtx = llm.WithPosition(turnCtx, position)
	go func() {
		defer cancel(nil)
		c.turnEnded <- c.playContained(turnCtx, seq)
	}()
}

// forget removes the turns before a Seq from the conversation. They stay in the journal.
func (c *chat) forget(ctx context.Context, before int64) error {
	if _, err := c.append(ctx, 0, event.Trimmed{Before: before}); err != nil {
		return err
	}
	return c.markConversation(ctx, before)
}

// markConversation sets where a restart begins to read the journal: at the event first, or at an older
// parked turn.
func (c *chat) markConversation(ctx context.Context, first int64) error {
	for _, t := range c.tr.parked {
		first = min(first, t.seq)
	}
	return c.cfg.Journal.Mark(ctx, c.conversationReader(), first-1)
}

// callerOf returns the caller for the calls of a turn.
func (c *chat) callerOf(t *turn) tools.Caller {
	return tools.Caller{
		Chat: c.name, User: t.input.From, Principal: t.input.Principal,
		RequestID: t.input.InputID, Turn: t.seq, Pick: t.input.Pick,
	}
}
