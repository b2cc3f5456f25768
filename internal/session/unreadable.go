package session

import (
	"context"
	"fmt"
	"slices"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
)

// unreadable is the part of the transcript about unreadable events. An event of an unknown type is
// skipped: the conversation goes on, and a call without a result counts as interrupted. A damaged
// event begins a new conversation, and its turn does not go on, because nobody knows what that turn
// did.
type unreadable struct {
	newest     int64         // Seq of the newest; 0: none
	reported   int64         // the person knows of those up to this Seq
	unreported []event.Event // those that the person does not know of

	lost  lostTurn   // the open turn, if it cannot go on; else its field turn is 0
	ended []lostTurn // turns that are over although their end is unreadable
}

// lostTurn is a turn that cannot go on because one of its events is unreadable.
type lostTurn struct {
	turn    int64
	input   bool // the event that began it is unreadable
	replied bool // it has its answer
}

// words returns the answer for the person who began the turn, or "" if there was one.
func (b lostTurn) words() string {
	switch {
	case b.replied:
		return ""
	case b.input:
		return lostInputText
	}
	return lostTurnText
}

// foldUnreadable folds in an unreadable event.
func (tr *transcript) foldUnreadable(e event.Event, b event.Unreadable) {
	tr.gaps.newest = e.Seq
	if e.Seq > tr.gaps.reported {
		tr.gaps.unreported = append(tr.gaps.unreported, e)
	}
	if b.Damaged {
		tr.loseOpenTurn()
		tr.turns, tr.skills, tr.pending = nil, nil, nil
		tr.beginConversation(0)
	}
	for i := range tr.turns { // it may have been a stranger's text
		tr.turns[i].label = tr.turns[i].label.Join(unknownLabel())
	}
	for i := range tr.parked {
		tr.parked[i].label = tr.parked[i].label.Join(unknownLabel())
	}
	if cur := tr.current(); cur != nil && cur.seq == e.Turn {
		cur.hasGap = true
	}
	if e.Turn == e.Seq { // it was an input
		tr.queued = append(tr.queued, queuedInput{seq: e.Seq, lost: true})
		tr.startNext()
	}
}

// loseOpenTurn folds in that the open turn, if any, cannot go on.
func (tr *transcript) loseOpenTurn() {
	if cur := tr.current(); cur != nil {
		tr.gaps.lost = lostTurn{turn: cur.seq, replied: cur.replied}
		tr.hasOpenTurn, tr.turns = false, tr.turns[:len(tr.turns)-1]
	}
}

// inferUnreadable infers from an event of a turn what an unreadable event before it said: this
// turn began or resumed, so the one before it is over.
func (tr *transcript) inferUnreadable(e event.Event) {
	u := &tr.gaps
	if b, ok := e.Body.(event.Noted); ok && b.Unreadable > u.reported {
		u.reported = b.Unreadable
		u.unreported = slices.DeleteFunc(u.unreported, func(e event.Event) bool { return e.Seq <= u.reported })
	}
	if u.newest == 0 || e.Turn == e.Seq {
		return
	}
	_, ended := e.Body.(event.Ended)
	if ended {
		u.ended = slices.DeleteFunc(u.ended, func(o lostTurn) bool { return o.turn == e.Turn })
	}
	if tr.findParked(e.Turn) != nil {
		tr.inferFromParked(e, ended)
	}
	if i := tr.findQueued(e.Turn); i >= 0 {
		tr.inferFromQueued(e.Body, i)
	}
	if u.lost.turn != 0 && u.lost.turn == e.Turn {
		tr.foldLostTurn(e.Body)
	}
}

// inferFromQueued infers from a body of the turn of the ith queued input that this turn began, so
// earlier ones are over.
func (tr *transcript) inferFromQueued(b event.Body, i int) {
	switch b.(type) {
	case event.Replied: // from endUnreadable: the turn never ran
		return
	case event.Ended:
		tr.takeQueued(i)
		return
	}
	u := &tr.gaps
	if cur := tr.current(); cur != nil {
		tr.endDisplaced(cur)
	}
	if u.lost.turn != 0 {
		u.ended = append(u.ended, u.lost)
	}
	for _, s := range tr.queued[:i] {
		u.ended = append(u.ended, lostTurn{turn: s.seq})
	}
	tr.queued, tr.hasOpenTurn, u.lost = tr.queued[i:], false, lostTurn{}
	tr.startNext()
}

// foldLostTurn folds in a body of the lost turn.
func (tr *transcript) foldLostTurn(b event.Body) {
	switch b := b.(type) {
	case event.Replied:
		tr.gaps.lost.replied = true
	case event.Joined:
		if i := tr.findQueued(b.Said); i >= 0 {
			tr.takeQueued(i)
		}
	case event.Ended:
		tr.gaps.lost = lostTurn{}
		tr.startNext()
	}
}

// inferFromParked infers from an event of a parked turn that it is no longer parked.
func (tr *transcript) inferFromParked(e event.Event, ended bool) {
	switch e.Body.(type) {
	case event.Parked, event.Resumed, event.Unreadable:
		return
	}
	if ended {
		tr.parked = slices.DeleteFunc(slices.Clone(tr.parked), func(t *turn) bool { return t.seq == e.Turn })
		tr.startNext()
		return
	}
	if cur := tr.current(); cur != nil { // only one turn runs at a time
		tr.endDisplaced(cur)
		tr.hasOpenTurn = false
	}
	tr.resumeParked(e, event.Resumed{})
	tr.current().hasGap = true
}

// dropUnplayed removes the last turn if it has no events: its input joined another turn, and the
// event that says so is unreadable.
func (tr *transcript) dropUnplayed() {
	if last := len(tr.turns) - 1; tr.gaps.newest > 0 && len(tr.turns[last].messages) == 1 {
		tr.turns = tr.turns[:last]
	}
}

// endDisplaced folds in that the open turn is over, because another runs.
func (tr *transcript) endDisplaced(cur *turn) {
	tr.completeCalls(cur)
	tr.gaps.ended = append(tr.gaps.ended, lostTurn{turn: cur.seq, replied: cur.replied})
	tr.dropUnplayed()
}

// completeCalls gives a result to each call of the open turn whose own result is unreadable. It
// runs before any body other than a result.
func (tr *transcript) completeCalls(cur *turn) {
	if !cur.hasGap {
		return
	}
	for _, call := range tr.unansweredCalls() {
		m, _ := event.Message(agent.Interrupted(call))
		cur.messages = append(cur.messages, m)
	}
}

// ensureCall adds a call to the conversation before its result, if the reply with the call is
// unreadable.
func (t *turn) ensureCall(c llm.Call) {
	if !t.hasGap {
		return
	}
	if t.hasCall(c.ID) {
		return
	}
	if last := &t.messages[len(t.messages)-1]; len(last.Calls) > 0 {
		last.Calls = append(slices.Clone(last.Calls), c)
		return
	}
	t.messages = append(t.messages, llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{c}})
}

// hasCall reports whether the conversation has the call.
func (t *turn) hasCall(id string) bool {
	return slices.ContainsFunc(t.messages, func(m llm.Message) bool {
		return slices.ContainsFunc(m.Calls, func(c llm.Call) bool { return c.ID == id })
	})
}

// The answers for lost turns.
const (
	lostInputText = "A message of yours cannot be read in hob's journal any more. Please send it again."
	lostTurnText  = "I cannot go on with this: a part of it in hob's journal cannot be read. " +
		"What was done until then stays done. Please look at it, and ask again."
)

// endUnreadable ends the lost turns, and reports the unreadable events to the person, once.
func (c *chat) endUnreadable(ctx context.Context) error {
	u := &c.tr.gaps
	if u.newest == 0 {
		return nil
	}
	open, err := c.cfg.Journal.OpenTurns(ctx, c.name)
	if err != nil {
		return fmt.Errorf("load chat %s: %w", c.name, err)
	}
	end := func(seq int64, words string) error {
		bodies := []event.Body{event.Ended{Reason: event.Done}}
		if words != "" && slices.Contains(open, seq) { // otherwise it is known to have ended
			bodies = []event.Body{event.Replied{Text: c.say(words)}, event.Ended{Reason: event.Broken}}
		}
		open = slices.DeleteFunc(open, func(other int64) bool { return other == seq })
		_, err := c.append(ctx, seq, bodies...)
		return err
	}
	for _, o := range c.endedUnread(open) { // a follower of such a turn waits for its end
		if err := end(o.turn, o.words()); err != nil {
			return err
		}
	}
	for _, s := range slices.Clone(c.tr.queued) {
		if !s.lost && slices.Contains(open, s.seq) {
			continue // otherwise it is lost, or joined a turn, and the event that says so is unreadable
		}
		if err := end(s.seq, lostInputText); err != nil {
			return err
		}
	}
	for {
		switch cur := c.tr.current(); {
		case u.lost.turn != 0:
			err = end(u.lost.turn, u.lost.words())
		case cur != nil && (cur.replied || !slices.Contains(open, cur.seq)):
			err = end(cur.seq, "")
		default:
			return c.finishUnreadable(ctx, open)
		}
		if err != nil {
			return err
		}
	}
}

// endedUnread returns the turns that are over although no readable event says so. open are the open
// turns by the journal's index.
func (c *chat) endedUnread(open []int64) []lostTurn {
	all := slices.Clone(c.tr.gaps.ended)
	for _, t := range c.tr.parked {
		if !slices.Contains(open, t.seq) {
			all = append(all, lostTurn{turn: t.seq})
		}
	}
	return all
}

// finishUnreadable ends the open turns without anything left, and reports the unreadable events to
// the person.
func (c *chat) finishUnreadable(ctx context.Context, open []int64) error {
	for _, seq := range open {
		cur := c.tr.current()
		if cur != nil && cur.seq == seq || c.tr.findParked(seq) != nil || c.tr.findQueued(seq) >= 0 {
			continue
		}
		if _, err := c.append(ctx, seq, event.Ended{Reason: event.Broken}); err != nil {
			return err
		}
	}
	all := c.tr.gaps.unreported
	if len(all) == 0 {
		return nil
	}
	c.cfg.Log.Warn("events cannot be read", "chat", c.name, "events", len(all), "first", all[0].Seq)
	_, err := c.append(ctx, 0, event.Noted{Text: unreadableText(all), Unreadable: c.tr.gaps.newest})
	return err
}

// unreadableText describes unreadable events for a person.
func unreadableText(all []event.Event) string {
	var damaged, unknown []event.Event
	for _, e := range all {
		if b, ok := e.Body.(event.Unreadable); ok && b.Damaged {
			damaged = append(damaged, e)
		} else {
			unknown = append(unknown, e)
		}
	}
	text := ""
	if len(damaged) > 0 {
		text = nameEvents(damaged) + " of this chat in hob's journal cannot be read, because it is damaged: " +
			"the conversation begins anew after it. It stays on disk as it is; `hob doctor` says more."
	}
	if len(unknown) > 0 {
		if text != "" {
			text += " "
		}
		text += nameEvents(unknown) + " of this chat in hob's journal was written by a newer hob: " +
			"this one skips it, and the conversation goes on."
	}
	return text
}

// nameEvents describes events by the first and their number.
func nameEvents(all []event.Event) string {
	if more := len(all) - 1; more > 0 {
		return fmt.Sprintf("Event %d, as %d more,", all[0].Seq, more)
	}
	return fmt.Sprintf("Event %d", all[0].Seq)
}
