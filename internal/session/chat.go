package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/store"
	"hob/internal/tools"
)

// chat is one chat's goroutine and the state that it owns. Everybody else sends it functions, see
// [chat.do]. Its methods run on that goroutine, but for those that send: do, doInTurn, access, play,
// newPlayer and beginActing. The methods of [player], [gate] and [labelledDriver] run on a turn's.
type chat struct {
	sessions *Sessions
	cfg      Config
	name     event.Chat
	toolset  Toolset  // of the newest turn
	list     listForm // that the model's list had then

	ops   chan func(context.Context) error // for the goroutine to run
	pings chan struct{}                    // a send shows that the goroutine answers, and keeps no idle chat awake

	tr          transcript
	loadedTo    int64 // Seq of the newest event when the chat was loaded: later inputs are of this process
	followers   map[*follower]bool
	questions   map[string]chan event.Decided // that the running turn waits for, by their id
	queueNotice event.Event                   // how long the running turn waits for the model; no Body: it does not
	draft       draft                         // of the reply that is being written

	// The running turn:
	cancelTurn context.CancelCauseFunc // nil where none runs
	turnEnded  chan error              // gets what the turn's goroutine returns
	unwritten  []store.Entry           // of it: folded in, and journaled with its next event; see [chat.mayDelayWrite]
	acting     []func()                // calls of it count as acting until these are called, once all is journaled

	// What keeps a turn from beginning:
	stopRequestedFor int64            // the turn that was stopped last, perhaps before it ran; it stays set
	holdChanged      chan struct{}    // closed when turns may be able to begin again; nil where nobody holds them
	yieldTimer       <-chan time.Time // of a turn that lets others begin first; nil where there is none
	yielded          int64            // begunAt of the turn that has done so

	// Parked turns, by their Seq:
	waitUntil map[int64]time.Time // then the wait for the model is over
	due       map[int64]bool      // they resume as soon as no other turn runs
	retried   map[int64]bool      // of these the ones that a person has retried
	hasWaiter bool                // a goroutine waits for the model
	waitOver  chan int64          // gets the turn that it waited for: the model is back, or the time is over
	waiters   sync.WaitGroup

	done    chan struct{} // closed when the goroutine has ended
	failure error         // why it has ended, readable once done is closed
}

// idleAfter is how long an idle chat that nobody follows stays in memory.
const idleAfter = 15 * time.Minute

// errIdle means that the chat's goroutine has ended because there was nothing to do. It has not run
// the function.
var errIdle = errors.New("the chat rests")

func newChat(s *Sessions, name event.Chat) *chat {
	c := &chat{
		sessions: s, cfg: s.cfg, name: name, ops: make(chan func(context.Context) error),
		followers: map[*follower]bool{}, questions: map[string]chan event.Decided{},
		turnEnded: make(chan error, 1), done: make(chan struct{}), pings: make(chan struct{}),
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

// do runs f on the chat's goroutine and returns its error. The context that f gets does not end, so
// that a shutdown interrupts no write to the journal.
func (c *chat) do(ctx context.Context, f func(context.Context) error) error {
	result := make(chan error, 1)
	select {
	case c.ops <- func(ctx context.Context) error { err := f(ctx); result <- err; return err }:
		return <-result
	case <-c.done:
		return c.failure
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// doInTurn is do for the goroutine of a turn, whose context it gets. A stop of the turn does not
// cut it short: the chat serves its turn until that has ended.
func (c *chat) doInTurn(ctx context.Context, f func(context.Context) error) error {
	return c.do(context.WithoutCancel(ctx), f)
}

// access is doInTurn for an f that cannot fail. Its error says that the chat is over and f did not run.
func (c *chat) access(ctx context.Context, f func()) error {
	return c.doInTurn(ctx, func(context.Context) error { f(); return nil })
}

// run is the chat's goroutine. It runs functions for others, starts turns, and ends when the chat
// has been idle, when a turn fails, or at shutdown.
func (c *chat) run(ctx context.Context) {
	defer close(c.done)
	defer c.doneActing()
	waiterCtx, endWaiters := context.WithCancel(ctx)
	defer c.waiters.Wait()
	defer endWaiters()
	c.failure = ErrClosed
	lasting := context.WithoutCancel(ctx)
	if err := c.load(lasting); err != nil {
		c.failure = err
		return
	}
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
			_ = f(lasting) // its caller has the error
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
		case <-c.pings: // nothing has happened
		case <-c.holdChanged:
			c.holdChanged = nil // startTurn looks again
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

// hasEnded reports whether the chat's goroutine has ended.
func (c *chat) hasEnded() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// drain serves a running turn until it has stopped, so that its last events are journaled. Then it
// journals that the turn did not end by a crash.
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

// load folds the journal from where the conversation begins, and resumes the turn that was cut short.
func (c *chat) load(ctx context.Context) error {
	c.toolset = c.sessions.toolset(ctx)
	from, err := c.cfg.Journal.Marked(ctx, c.memoryReader())
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

// resumeOpenTurn goes on with a turn that was cut short by the end of the process: a call that had
// begun to act gets the result "interrupted". A turn that may have caused too many crashes is
// parked.
func (c *chat) resumeOpenTurn(ctx context.Context) error {
	if err := c.endUnreadable(ctx); err != nil {
		return err
	}
	cur := c.tr.current()
	if cur == nil {
		return nil
	}
	suspect := cur.withModel // it may be what ended the process; a turn that only waited is not
	var results []event.Body
	for _, call := range c.tr.unansweredCalls() {
		again := c.isReplayed(ctx, call.Name)
		t := c.toolset.tool(call.Name)
		looks := t != nil && tools.DefOf(t).Capabilities.Repeatable() // the journal does not say whether it ran
		suspect = suspect || cur.started[call.ID] || looks && !cur.isAsking()
		if (cur.started[call.ID] || cur.hasGap) && !again && !looks {
			results = append(results, agent.Interrupted(call),
				event.Noted{Text: call.Name + " was interrupted: its outcome is unknown, and it was not run again"})
		}
	}
	suspect = suspect && !cur.endedCleanly
	tooMany := cur.crashes >= maxCrashes || cur.crashesInRow >= maxCrashesInRow && !cur.progressed
	if !suspect || !tooMany {
		_, err := c.append(ctx, cur.seq, append([]event.Body{event.Resumed{Waited: !suspect}}, results...)...)
		return err
	}
	text := fmt.Sprintf("I set this aside: hob has ended %d times while it was at it. "+
		"Try it again, or say it in other words.", cur.crashes+1)
	results = append(results, event.Noted{Text: text}, event.Parked{Reason: event.ParkedBroken, Text: text})
	_, err := c.append(ctx, cur.seq, results...)
	return err
}

// memoryReader is the reader under which the journal keeps where the conversation of this chat begins.
func (c *chat) memoryReader() string { return "memory/" + string(c.name) }

// append journals bodies of a turn, folds them in and sends them to the followers. A Said begins a
// turn: its turn is 0 here, and the journal gives it its Seq.
func (c *chat) append(ctx context.Context, turn int64, bodies ...event.Body) ([]event.Event, error) {
	entries, folded := c.entries(turn, c.tr.completeBodies(bodies)), 0
	if len(c.unwritten) > 0 && c.unwritten[0].Turn == turn {
		folded = len(c.unwritten)
		entries = slices.Concat(c.unwritten, entries)
	}
	events, err := c.cfg.Journal.Append(ctx, entries...)
	if err != nil {
		return nil, err
	}
	if folded > 0 {
		c.unwritten = nil
		c.doneActing()
	}
	for i, e := range events {
		prev := c.tr.last
		if c.tr.last = max(prev, e.Seq); i >= folded {
			c.tr.fold(e)
		}
		c.draft.fold(e.Turn, e.Body)
		for f := range c.followers {
			f.offer(followedEvent{e, prev})
		}
	}
	return events, nil
}

// submit journals an input, unless it is known, and returns its Seq.
func (c *chat) submit(ctx context.Context, in Input) (int64, error) {
	if c.name.Shared() && in.Scope == "private" {
		in.Scope = "group" // everybody in the group reads the answer
	}
	// Text of somebody else is no command. In a group everybody is somebody else, and may
	// command what their level allows.
	isOwn := !in.Label.Untrusted || c.name.Shared()
	body := event.Said{
		InputID: in.ID, From: in.From, Text: in.Text, Tail: c.cfg.Now().Format(llm.TimeLine),
		Principal: in.Principal, Label: in.Label, Files: in.Files,
		Own: in.Own, Pick: in.Pick,
		Command: in.Command && isOwn, Typed: in.Typed && isOwn,
	}
	if in.Label.Untrusted {
		body.Text, body.Fence = c.cfg.Sanitizer.SanitizeMessage(in.Text, in.Label)
		body.Label = c.cfg.Sanitizer.SanitizeLabel(in.Label)
	} else {
		body.Text, body.Aside = c.cleanAsides(in)
	}
	body.Attachments = c.cleanAttachments(in)
	known, err := c.cfg.Journal.Keyed(ctx, c.name, event.Key(body))
	if err != nil {
		return 0, err
	}
	if known != 0 {
		return known, c.checkSameInput(ctx, known, body)
	}
	if c.cfg.Limiter != nil {
		text := in.Text
		for _, a := range in.Attachments {
			text += a.Text
		}
		if err := c.cfg.Limiter.Allow(in.Platform, in.From, text); err != nil {
			return 0, err
		}
	}
	stops := c.isStop(body)
	isChore := c.needsNoModel(ctx, body)
	// What stops the turn that waits for the model is answered once that has ended.
	body.NeedsNoModel = c.tr.parkedForModel() != nil && isChore && (!stops || c.tr.current() != nil)
	if !isChore && !body.Command {
		c.addFacts(ctx, &body)
	}
	events, err := c.append(ctx, 0, body)
	if err != nil {
		return 0, err
	}
	if stops {
		c.stopTurn()
	}
	return events[0].Seq, nil
}

// checkSameInput returns an error if the input that was journaled under the id of in has another
// text, or other attachments.
func (c *chat) checkSameInput(ctx context.Context, seq int64, in event.Said) error {
	for e, err := range c.cfg.Journal.Chat(ctx, c.name, seq-1) {
		if said, ok := e.Body.(event.Said); err == nil && ok && !isSameInput(said, in) {
			return &event.ReusedIDError{ID: in.InputID}
		}
		return err
	}
	return nil
}

// isSameInput reports whether two inputs have the same text and attachments. Their fences differ
// each time.
func isSameInput(a, b event.Said) bool {
	return a.Text == b.Text && a.Label.Untrusted == b.Label.Untrusted &&
		slices.EqualFunc(a.Attachments, b.Attachments, func(a, b event.Attachment) bool {
			return a.Text == b.Text && a.Label.Source == b.Label.Source
		})
}

// startTurn runs the open turn on a goroutine of its own, if there is one that does not run yet and
// may begin.
func (c *chat) startTurn(ctx context.Context) {
	if c.cancelTurn != nil || ctx.Err() != nil {
		return
	}
	c.holdChanged = c.sessions.hold.whenChanged()
	held := c.holdChanged != nil
	if !held || c.due[c.stopRequestedFor] { // a turn that is stopped begins all the same, to end
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
	place := llm.Position{Priority: llm.ForPerson, Turn: seq}
	if cur.crashesInRow > 0 { // those who wait already come first
		place.Turn = cur.begunAt
	}
	turnCtx = llm.WithPosition(turnCtx, place)
	go func() {
		defer cancel(nil)
		c.turnEnded <- c.play(turnCtx, seq)
	}()
}

// beginHook calls the turn hook at the beginning of the turn, and journals its notes.
func (p *player) beginHook(ctx context.Context) error {
	if p.c.cfg.TurnHook == nil {
		return nil
	}
	if notes := notesOf(p.c.cfg.TurnHook.Begin(ctx, p.c.name)); len(notes) > 0 {
		return p.emit(ctx, notes)
	}
	return nil
}

func notesOf(notes []string) (bodies []event.Body) {
	for _, n := range notes {
		bodies = append(bodies, event.Noted{Text: n})
	}
	return bodies
}

// forget removes the turns before that Seq from the conversation. They stay in the journal.
func (c *chat) forget(ctx context.Context, before int64) error {
	if _, err := c.append(ctx, 0, event.Trimmed{Before: before}); err != nil {
		return err
	}
	return c.setMemory(ctx, before)
}

// setMemory has a restart read the journal from the event of that Seq on, or from an older turn
// that is parked.
func (c *chat) setMemory(ctx context.Context, first int64) error {
	for _, t := range c.tr.parked {
		first = min(first, t.seq)
	}
	return c.cfg.Journal.Mark(ctx, c.memoryReader(), first-1)
}

// Bounds of the conversation in a chat where no model reads it, or one with a huge context: a restart should not have to read all that
// was ever said. A turn takes some 40 microseconds to read, and hob ask reads the chat for each chore.
const (
	maxTurns          = 256
	keptMessages      = 512 // once there are more turns
	maxChoreTurns     = 32  // where no model was asked in any of them
	keptChoreMessages = 128
	keptTokens        = 64 << 10
)

// leaveOutOldest makes the conversation of the open turn shorter, where the chat has more turns than it may have.
func (p *player) leaveOutOldest(ctx context.Context) error {
	var short event.Compacted
	c := p.c
	err := c.access(ctx, func() {
		most, kept := maxTurns, keptMessages
		if !c.tr.askedModel() {
			most, kept = maxChoreTurns, keptChoreMessages
		}
		if len(c.tr.turns) <= most {
			return
		}
		all, begin, _ := c.tr.history(llm.KeepAll)
		from, size := begin, 0
		for i := begin - 1; i >= 0 && begin-i <= kept && size <= keptTokens; i-- {
			if size += window.Tokens(all[i]); all[i].Role == llm.UserRole && !all[i].Note && size <= keptTokens {
				from = i
			}
		}
		short = event.Compacted{
			Messages: all[from:], Begin: begin - from, Before: window.Tokens(all...), After: window.Tokens(all[from:]...), Why: "turns",
		}
	})
	if err != nil || len(short.Messages) == 0 {
		return err
	}
	return p.emit(ctx, []event.Body{short})
}

// mayDelayWrite reports whether bodies may be journaled with the next event of the open turn. In a
// turn without a model, a call and its Called may be written together with its Started or its
// question, and a result with the reply: this saves a disk sync. A crash in between repeats or
// interrupts the call, which is safe because nothing acted unrecorded.
func (c *chat) mayDelayWrite(bodies []event.Body) bool {
	cur := c.tr.current()
	if cur == nil || cur.usage.Steps > 0 {
		return false
	}
	onlyLooks := func(call llm.Call) bool { // then no event says that it begins
		t := c.toolset.tool(call.Name)
		return t == nil || tools.DefOf(t).Capabilities.Repeatable()
	}
	for i, b := range bodies {
		switch b := b.(type) {
		case event.Generated:
			if i > 0 || len(b.Message.Calls) == 0 || !agent.AsksNoModel(b) || slices.ContainsFunc(b.Message.Calls, onlyLooks) {
				return false
			}
		case event.Called:
			if _, begins := bodies[0].(event.Generated); !begins {
				return false
			}
		case event.Returned:
			if _, calls := bodies[0].(event.Generated); calls || len(b.Files) > 0 { // files are sent once they are journaled
				return false
			}
		default:
			return false
		}
	}
	return true
}

// keep folds bodies of the open turn in that are journaled later.
func (c *chat) keep(turn int64, bodies []event.Body) {
	bodies = c.tr.completeBodies(bodies)
	c.unwritten = append(c.unwritten, c.entries(turn, bodies)...)
	for _, b := range bodies {
		c.tr.fold(event.Event{Chat: c.name, Turn: turn, Time: c.cfg.Now(), Body: b})
	}
}

// beginActing waits while calls are held back. The call counts as acting until its result is
// journaled. It is for [agent.Turn].Enter, on the turn's goroutine.
func (c *chat) beginActing(ctx context.Context) (func(), error) {
	done, err := c.sessions.hold.beginActing(ctx)
	if err != nil {
		return nil, err
	}
	return func() {
		over := c.access(ctx, func() {
			if c.acting = append(c.acting, done); len(c.unwritten) == 0 {
				c.doneActing()
			}
		})
		if over != nil {
			done()
		}
	}, nil
}

// doneActing says that the calls whose results are journaled no longer act.
func (c *chat) doneActing() {
	for _, done := range c.acting {
		done()
	}
	c.acting = nil
}

// emit journals what the turn emits, or passes it on.
func (p *player) emit(ctx context.Context, bodies []event.Body) error {
	c, turn := p.c, p.seq
	return c.doInTurn(ctx, func(ctx context.Context) error {
		if event.IsTransient(bodies[0]) {
			c.passOn(turn, bodies[0])
			return nil
		}
		c.queueNotice = event.Event{}
		if c.mayDelayWrite(bodies) {
			c.keep(turn, bodies)
			return nil
		}
		events, err := c.append(ctx, turn, bodies...)
		if err != nil {
			return err
		}
		for _, e := range events {
			if _, short := e.Body.(event.Compacted); short { // a restart need not read what came before this turn
				return c.setMemory(ctx, turn)
			}
		}
		return nil
	})
}
