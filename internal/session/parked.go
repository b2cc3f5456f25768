package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/retry"
)

// A turn that cannot go on is parked: it is kept aside until it is resumed. A turn whose model is
// away resumes by itself once the model is back. New inputs wait with it, except for commands and
// chores, which need no model. Other parked turns wait for a person, and the chat goes on without
// them.

// Server tells parked turns about the model's server. With the zero value no turn waits for it.
type Server struct {
	// Answered reports whether the model has ever answered under this configuration. If not, no
	// turn waits for it.
	Answered func(context.Context) bool
	// Patience returns how long a turn waits after a failure. begun says that the server had taken
	// a request of the turn.
	Patience func(failure *llm.Error, begun bool) time.Duration
	// Back waits until the model is back and returns nil, or the cause of ctx.
	Back func(ctx context.Context) error
}

const (
	// longestWait limits how long a turn waits for the model. After that it waits for a person to
	// retry it.
	longestWait = 24 * time.Hour
	// maxBreaks limits how often in a row a turn resumes after the server took a request and did
	// not answer. The turn itself may crash the server.
	maxBreaks = 8
	// firstPause and maxPause bound the pause before the next request to a server that is up and
	// did not answer.
	firstPause = time.Second
	maxPause   = 5 * time.Minute
)

// ErrNotParked is returned for a turn that is not parked.
var ErrNotParked = errors.New("no such turn is parked: hob retry lists those that are")

// ParkedIn reads from the journal which open turns of a chat are parked.
func ParkedIn(ctx context.Context, j Journal, chat event.Chat, open []int64) ([]event.ParkedTurn, error) {
	if len(open) == 0 {
		return nil, nil
	}
	var tr transcript
	for e, err := range j.Chat(ctx, chat, slices.Min(open)-1) {
		if err != nil {
			return nil, err
		}
		tr.fold(e)
	}
	var all []event.ParkedTurn
	for _, seq := range open {
		if t := tr.findParked(seq); t != nil {
			all = append(all, t.describeParked(chat))
		}
	}
	return all, nil
}

// foldParked folds in that a turn is parked: the open one, or one that was already parked.
func (tr *transcript) foldParked(e event.Event, b event.Parked) {
	t := tr.findParked(e.Turn)
	if t == nil {
		if cur := tr.current(); cur == nil || cur.seq != e.Turn {
			return
		}
		last := len(tr.turns) - 1
		tr.completeCalls(tr.turns[last])
		tr.parked = append(tr.parked, tr.turns[last])
		tr.turns, tr.hasOpenTurn = tr.turns[:last:last], false
		t = tr.parked[len(tr.parked)-1]
	}
	if t.awaySince.IsZero() || t.progressed { // the turn made progress since its last wait
		t.awaySince, t.modelTries, t.modelBreaks = e.Time, 0, 0
	}
	t.progress = t.progress.Add(b)
	if b.Reason == event.ParkedForModel {
		t.modelTries++
		if isBreak(b.Kind) {
			t.modelBreaks++
		}
		t.waitAnnounced = t.waitAnnounced || b.Text != ""
	}
	t.lastParking, t.parkedAt = b, e.Time
	t.endedCleanly, t.withModel, t.progressed = true, false, false
	tr.startNext()
}

// isBreak reports whether the server had taken the request that failed.
func isBreak(failure llm.Kind) bool { return failure != llm.Unreachable && failure != llm.Busy }

// resumeParked folds in that a parked turn goes on as the last of the conversation. The model reads
// the turns that came meanwhile before it.
func (tr *transcript) resumeParked(e event.Event, b event.Resumed) {
	i := slices.IndexFunc(tr.parked, func(t *turn) bool { return t.seq == e.Turn })
	if i < 0 || tr.hasOpenTurn {
		return
	}
	cur := tr.parked[i]
	tr.parked = slices.Delete(slices.Clone(tr.parked), i, i+1)
	if len(tr.turns) == 0 {
		tr.beginConversation(cur.seq)
	}
	if len(cur.messages) == 1 {
		cur.drivingSkill = tr.drivingSkill()
	}
	cur.label = tr.joinSkills(cur.label.Join(tr.labelOfDriver(cur.drivingSkill)))
	for _, s := range cur.inputs() {
		tr.words = append(tr.words, ownerWords(s)...)
	}
	cur.foldResumed(e.Seq, b)
	tr.turns, tr.hasOpenTurn = append(tr.turns, cur), true
}

// findParked returns the parked turn of that Seq, or nil.
func (tr *transcript) findParked(seq int64) *turn {
	for _, t := range tr.parked {
		if t.seq == seq {
			return t
		}
	}
	return nil
}

// parkedForModel returns the first turn that waits for the model, or nil.
func (tr *transcript) parkedForModel() *turn {
	for _, t := range tr.parked {
		if t.lastParking.Reason == event.ParkedForModel {
			return t
		}
	}
	return nil
}

// planParking decides whether and how to park the turn after its model gave no reply.
func (p *player) planParking(ctx context.Context, failure *llm.Error, begun bool) (parks bool) {
	server := p.c.cfg.Server
	if server.Back == nil || server.Answered == nil || !server.Answered(ctx) {
		return false
	}
	// A chat that has ended parks nothing.
	_ = p.c.access(ctx, func() { p.parking, parks = p.c.planParking(failure, begun) })
	return parks
}

// planParking decides whether and how to park the open turn.
func (c *chat) planParking(failure *llm.Error, begun bool) (park event.Parked, parks bool) {
	cur, now := c.tr.current(), c.cfg.Now()
	patience := longestWait
	// Patience is set by this process. A turn from an earlier process keeps the full day, so that a
	// short hob ask cannot cut its wait short.
	if cur.seq > c.loadedTo {
		patience = c.cfg.Server.Patience(failure, begun || cur.modelBreaks > 0)
	}
	since := now
	if !cur.awaySince.IsZero() && !cur.progressed {
		since = cur.awaySince
	}
	park = event.Parked{Reason: event.ParkedForModel, Kind: failure.Kind, Begun: begun, Problem: failure.Message}
	switch {
	case isBreak(failure.Kind) && cur.modelBreaks >= maxBreaks && !cur.progressed:
		park.Reason = event.ParkedBroken
		park.Text = fmt.Sprintf("I set this aside: the model's server has not answered it %d times in a row. "+
			"Try it again when it works.", maxBreaks)
	case patience >= longestWait && now.Sub(since) >= longestWait:
		park.Reason = event.ParkedTooLong
		park.Text = "I set this aside: the model's server has not answered for a day. Try it again when it works."
	case now.Sub(since) >= patience:
		return park, false
	case cur.waitAnnounced:
	case patience < longestWait:
		park.Text = fmt.Sprintf("The model is away: I wait for it for up to %s (%s).", display.Duration(patience), c.say(failure.Message))
	case !mayMend(cur.input.Principal):
		park.Text = "The model is away: I go on when it is back, and /stop ends it."
	default:
		park.Text = fmt.Sprintf("The model is away: I go on when it is back, and /stop ends it (%s).", c.say(failure.Message))
	}
	park.Text = c.say(park.Text)
	c.waitUntil[cur.seq] = since.Add(patience)
	return park, true
}

// mayMend reports whether the reader of a private chat is an admin, who may learn how the model is
// reached.
func mayMend(p event.Principal) bool { return p.Level >= event.BotAdmin && p.Scope == "private" }

// park journals that a turn is parked. The text for the person is a note, too, because some readers
// show only notes.
func (c *chat) park(ctx context.Context, seq int64, b event.Parked) error {
	var bodies []event.Body
	if b.Text != "" {
		bodies = append(bodies, event.Noted{Text: b.Text})
	}
	_, err := c.append(ctx, seq, append(bodies, b)...)
	return err
}

// awaitModel starts a goroutine that waits for the model, if a turn needs it.
func (c *chat) awaitModel(ctx context.Context) {
	t := c.tr.parkedForModel()
	if t == nil || c.hasWaiter || c.due[t.seq] || c.cfg.Server.Back == nil {
		return
	}
	c.hasWaiter = true
	until, known := c.waitUntil[t.seq]
	if !known {
		until = t.awaySince.Add(longestWait)
	}
	pause := time.Duration(0)
	if known && t.lastParking.Kind != llm.Unreachable { // the server is up: asking again at once would not help
		pause = min(firstPause<<min(t.modelTries-1, 10), maxPause)
	}
	limit := max(until.Sub(c.cfg.Now()), 0)
	seq := t.seq
	c.waiters.Go(func() {
		within, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if retry.Wait(within, pause) == nil {
			_ = c.cfg.Server.Back(within) // when the time is over, the turn tries once more
		}
		select {
		case c.waitOver <- seq:
		case <-ctx.Done():
		}
	})
}

// resumeDue resumes a due turn, if none is open.
func (c *chat) resumeDue(ctx context.Context) {
	if c.tr.hasOpenTurn {
		return
	}
	for i := range c.tr.parked {
		seq := c.tr.parked[i].seq
		if !c.due[seq] {
			continue
		}
		again := c.retried[seq]
		if _, err := c.append(context.WithoutCancel(ctx), seq, event.Resumed{Again: again}); err != nil {
			c.cfg.Log.Error("resume a parked turn", "chat", c.name, "err", err)
			return
		}
		delete(c.due, seq)
		delete(c.retried, seq)
		return
	}
}

// Park ends the wait of the chat's turn for the model, and leaves it parked until [Sessions.Retry].
// It returns that turn, or nil if none waits.
func (s *Sessions) Park(ctx context.Context, name event.Chat) (parked *event.ParkedTurn, err error) {
	err = s.onChat(ctx, name, func(ctx context.Context, c *chat) error {
		t := c.tr.parkedForModel()
		if t == nil || c.due[t.seq] {
			return nil
		}
		b := event.Parked{Reason: event.ParkedByPerson, Kind: t.lastParking.Kind, Problem: t.lastParking.Problem}
		if err := c.park(ctx, t.seq, b); err != nil {
			return err
		}
		p := t.describeParked(name)
		parked = &p
		return nil
	})
	return parked, err
}

// Retry resumes a parked turn of the chat as soon as no other turn runs there.
func (s *Sessions) Retry(ctx context.Context, name event.Chat, turn int64) error {
	return s.onChat(ctx, name, func(_ context.Context, c *chat) error {
		if c.tr.findParked(turn) == nil {
			return ErrNotParked
		}
		c.due[turn], c.retried[turn] = true, true
		return nil
	})
}

// Parked returns the parked turns of the chat, oldest first.
func (s *Sessions) Parked(ctx context.Context, name event.Chat) ([]event.ParkedTurn, error) {
	return readChat(ctx, s, name, func(c *chat) (all []event.ParkedTurn) {
		for _, t := range c.tr.parked {
			if !c.due[t.seq] { // a due turn is about to resume
				all = append(all, t.describeParked(name))
			}
		}
		return all
	})
}

// describeParked describes a parked turn: since when its model is away, or since when it is parked
// for another reason.
func (t *turn) describeParked(chat event.Chat) event.ParkedTurn {
	b, since := t.lastParking, t.parkedAt
	if b.Reason == event.ParkedForModel {
		since = t.awaySince
	}
	return event.ParkedTurn{
		Chat: chat, ID: t.seq, Text: t.input.Text, Since: since, Reason: b.Reason, Kind: b.Kind, Begun: b.Begun,
		Problem: b.Problem,
	}
}

// mustYield reports whether the turn must let others begin first, because it may have crashed the
// process. If so, it sets the chat's timer, after which the turn may begin.
func (c *chat) mustYield(cur *turn) bool {
	if cur.crashesInRow == 0 || c.cfg.Yield == 0 || c.yielded == cur.begunAt || c.stopRequestedFor == cur.seq {
		return false
	}
	if c.yieldTimer == nil {
		c.yieldTimer = time.After(c.cfg.Yield << min(cur.crashesInRow-1, maxCrashesInRow))
	}
	return true
}
