package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/receipt"
)

// transcript is the state of a chat: the conversation as the model reads it, the open turn, and the
// queued inputs. It is a fold over the chat's events, so a restart that reads the journal has the
// same state, with these exceptions:
//   - [chat.delayWrite] folds in events of the open turn shortly before they are journaled, and the audit
//     record of a call takes its reply from entries about to be appended ([turn.recordCall]).
//   - Receipts depend on what today's tools say about themselves.
//   - Only questions after the mark from which a restart reads are counted.
//
// A skill that drives the chat has a conversation of its own. The model reads one conversation at a
// time; a driver's conversation is back when the driver is opened again.
type transcript struct {
	turns       []*turn       // of the conversation, oldest first
	hasOpenTurn bool          // the last of turns has neither ended nor been parked
	queued      []queuedInput // inputs without a turn
	parked      []*turn       // in the order of parking
	last        int64         // Seq of the newest event
	session     int64         // Seq of the input that began the conversation

	skills  []openedSkill // the open skills, in the order of opening
	pending []pendingText // texts of skills for the next message

	// What today's tools say about themselves. Only receipts depend on it:
	toolActs    func(tool string) bool // calls of the tool may change or send something
	toolReplays func(tool string) bool // calls of the tool are repeated after a crash

	// Policy judges calls by these:
	words []string         // the owner's words in the conversation
	pages []event.Returned // the newest pages fetched in it
	asks  []time.Time      // times of the newest questions

	gaps unreadable
}

// queuedInput is an input without a turn.
type queuedInput struct {
	seq  int64
	at   time.Time // when it was said
	body event.Said
	lost bool // it cannot be read
}

// fold folds in one event. Events come in the order of Seq.
func (tr *transcript) fold(e event.Event) {
	tr.last = max(tr.last, e.Seq)
	tr.inferUnreadable(e)
	if tr.foldChat(e) {
		return
	}
	if b, ok := e.Body.(event.Resumed); ok && tr.findParked(e.Turn) != nil {
		tr.resumeParked(e, b)
		return
	}
	cur := tr.current()
	if cur == nil || cur.seq != e.Turn {
		return // its turn is over, or not in the conversation
	}
	cur.progress = cur.progress.Add(e.Body)
	if !tr.isReported(cur, e.Body) {
		cur.receipt = cur.receipt.Add(e.Body)
	}
	cur.recordCall(e.Body)
	cur.progressed = cur.progressed || isProgress(e.Body)
	tr.foldTurn(cur, e)
}

// foldTurn folds in an event of the open turn.
func (tr *transcript) foldTurn(cur *turn, e event.Event) {
	switch b := e.Body.(type) {
	case event.Called:
		cur.ensureCall(llm.Call{ID: b.ID, Name: b.Tool, Args: b.Args})
	case event.Started:
		if cur.hasGap && !cur.hasCall(b.CallID) {
			tr.loseOpenTurn() // otherwise the model would not learn that something was done
			return
		}
		cur.started[b.CallID] = true
	case event.Asked:
		if _, again := cur.asked[b.ID]; !again {
			tr.asks = keepNewest(append(tr.asks, e.Time), maxAsks)
		}
		cur.asked[b.ID] = b
	case event.Decided:
		cur.decided[b.ID] = b
	case event.Compacted:
		tr.foldCompacted(b)
	case event.Resumed:
		cur.foldResumed(e.Seq, b)
	case event.Paused:
		cur.endedCleanly = true
	case event.Requested:
		cur.withModel = true
	case event.Replied:
		tr.completeCalls(cur)
		cur.foldReplied(b)
	case event.Ended:
		if b.Reason == event.Stopped {
			cur.stoppedAt = e.Seq
		}
		tr.completeCalls(cur)
		tr.hasOpenTurn, cur.joined = false, nil
		tr.dropUnplayed()
		tr.startNext()
	case event.Returned:
		tr.foldReturned(cur, b)
		cur.files = append(cur.files, handedFiles(e.Seq, b)...)
	case event.Joined:
		tr.foldJoined(cur, b.Said)
	default:
		if _, ok := b.(event.Generated); ok {
			cur.withModel = false
		}
		if m, ok := event.Message(b); ok {
			tr.completeCalls(cur)
			cur.messages = append(cur.messages, m)
		}
	}
}

// foldChat folds in an event that concerns more than the open turn, and reports whether it was one.
func (tr *transcript) foldChat(e event.Event) bool {
	switch b := e.Body.(type) {
	case event.Unreadable:
		tr.foldUnreadable(e, b)
	case event.Said:
		tr.queued = append(tr.queued, queuedInput{seq: e.Seq, at: e.Time, body: b})
		tr.startNext()
	case event.Trimmed:
		tr.foldTrimmed(b.Before)
	case event.Parked:
		tr.foldParked(e, b)
	case event.Opened:
		tr.foldOpened(e.Seq, e.Turn, b)
	case event.Closed:
		tr.foldClosed(b.Skill)
	default:
		return false
	}
	return true
}

// keepNewest returns up to most elements from the end of all.
func keepNewest[T any](all []T, most int) []T { return all[max(0, len(all)-most):] }

// foldReturned folds in a result.
func (tr *transcript) foldReturned(cur *turn, b event.Returned) {
	cur.label = cur.label.Join(b.Label)
	if b.By == "gate" {
		cur.denied[b.Tool]++
	}
	if b.OK && strings.HasPrefix(b.Label.Source, "web:") {
		tr.pages = keepNewest(append(tr.pages, b), maxPages)
	}
	cur.ensureCall(llm.Call{ID: b.ID, Name: b.Tool, Args: json.RawMessage("{}")})
	m, _ := event.Message(b)
	cur.messages = append(cur.messages, m)
	cur.failed = cur.failed || !b.OK
	for _, e := range b.Effects {
		if e.Change != 0 {
			cur.changes = append(cur.changes, e.Change)
		}
		if e.IsNewReminder() {
			cur.reminderChanges = append(cur.reminderChanges, e.Change)
			if id, err := strconv.ParseInt(strings.TrimPrefix(e.Target, "#"), 10, 64); err == nil {
				cur.reminderIDs = append(cur.reminderIDs, id)
			}
		}
	}
	switch {
	case cur.isCommand() && len(b.Effects) == 0: // its choices are a question
		cur.choices = append(cur.choices, b.Choices...)
	case cur.isCommand(): // buttons below a finished chore are no question, unless it asked about them: "do you mean 20:00?"
		cur.choices = append(cur.choices, askedChoices(b.Choices)...)
	}
}

// foldCompacted replaces the turns so far by a shortened conversation: one turn for the old ones,
// and the rest of the open one.
func (tr *transcript) foldCompacted(b event.Compacted) {
	cur := tr.turns[len(tr.turns)-1]
	cur.pictures = findPictures(cur, b.Messages[b.Begin:])
	cur.messages = slices.Clone(b.Messages[b.Begin:])
	cur.newestInput = newestWords(cur.messages)
	cur.label = cur.label.Join(b.Label)
	if b.Session == 0 { // from before hob kept labels
		cur.label = cur.label.Join(unknownLabel())
	}
	tr.beginConversation(b.Session) // a restart reads from here, and knows nothing earlier
	for _, s := range cur.inputs() {
		tr.words = append(tr.words, ownerWords(s)...)
	}
	tr.reopenSkills(b.Skills)
	cur.drivingSkill, tr.turns = b.Lead, nil
	for _, o := range b.Beside {
		tr.turns = append(tr.turns, &turn{drivingSkill: o.Lead, label: o.Label, messages: slices.Clone(o.Messages)})
	}
	if b.Begin > 0 {
		tr.turns = append(tr.turns, &turn{drivingSkill: b.Lead, messages: slices.Clone(b.Messages[:b.Begin])})
	}
	tr.turns = append(tr.turns, cur)
}

// askedModel reports whether a turn asked a model since the conversation was last shortened.
func (tr *transcript) askedModel() bool {
	return slices.ContainsFunc(tr.turns, func(t *turn) bool { return t.progress.Steps > 0 })
}

// startNext opens a turn for the next queued input, unless a turn is open.
func (tr *transcript) startNext() {
	if tr.hasOpenTurn || tr.gaps.lost.turn != 0 || len(tr.queued) == 0 {
		return
	}
	first := 0
	if tr.parkedForModel() != nil { // an input that needs the model waits, too, and may join that turn
		needsNone := func(s queuedInput) bool { return s.body.Command || s.body.NeedsNoModel || s.lost }
		if first = slices.IndexFunc(tr.queued, needsNone); first < 0 {
			return
		}
	}
	s := tr.takeQueued(first)
	if s.lost {
		tr.gaps.lost = lostTurn{turn: s.seq, input: true}
		return
	}
	skill := tr.drivingSkill()
	label := tr.joinSkills(labelOf(s.body).Join(tr.labelOfDriver(skill))) // the model's earlier text depends on it
	if len(tr.turns) == 0 {
		tr.beginConversation(s.seq)
	}
	tr.words = append(tr.words, ownerWords(s.body)...)
	cur := &turn{
		seq: s.seq, begunAt: s.seq, saidAt: s.at, input: s.body, drivingSkill: skill, label: label,
		receipt: receipt.New(tr.toolActs),
		callState: callState{
			calls: map[string]callRecord{}, started: map[string]bool{}, denied: map[string]int{},
			asked: map[string]event.Asked{}, decided: map[string]event.Decided{},
		},
	}
	cur.addInput(s.body)
	tr.readPending(cur)
	tr.turns = append(tr.turns, cur)
	tr.hasOpenTurn = true
}

// beginConversation folds in that the conversation begins with the input of that Seq.
func (tr *transcript) beginConversation(seq int64) {
	tr.session, tr.words, tr.pages = seq, nil, nil
}

// findQueued returns the index of the queued input with this Seq, or -1.
func (tr *transcript) findQueued(seq int64) int {
	return slices.IndexFunc(tr.queued, func(s queuedInput) bool { return s.seq == seq })
}

// takeQueued removes an input from the queue and returns it.
func (tr *transcript) takeQueued(i int) queuedInput {
	s := tr.queued[i]
	tr.queued = slices.Delete(slices.Clone(tr.queued), i, i+1)
	return s
}

// foldTrimmed removes the turns before one from the conversation. If the open turn has read nothing
// of them, it begins the conversation, as it does after a restart that reads from there.
func (tr *transcript) foldTrimmed(before int64) {
	tr.skills = slices.DeleteFunc(tr.skills, func(o openedSkill) bool { return o.seq < before })
	tr.pending = nil
	for len(tr.turns) > 0 && tr.turns[0].seq < before && (!tr.hasOpenTurn || len(tr.turns) > 1) {
		tr.turns = tr.turns[1:]
	}
	cur := tr.current()
	if cur == nil || len(tr.turns) > 1 || len(cur.messages) != 1 {
		return
	}
	tr.beginConversation(cur.seq)
	tr.words = ownerWords(cur.input)
	cur.messages[0], _ = event.Message(cur.input) // without texts of skills that are closed now
	cur.label = tr.joinSkills(labelOf(cur.input))
}

// current returns the open turn, or nil.
func (tr *transcript) current() *turn {
	if !tr.hasOpenTurn {
		return nil
	}
	return tr.turns[len(tr.turns)-1]
}

// history returns the conversation as the model reads it, and the index of the message that began
// the open turn. keep says which thinking is part of it, by default only the open turn's. Most
// templates drop older thinking anyway, and doing it here makes the prompt the same for all.
func (tr *transcript) history(keep llm.Keep) (all []llm.Message, begin int, pictures []messagePictures) {
	skill := tr.drivingSkill()
	if cur := tr.current(); cur != nil {
		skill = cur.drivingSkill
	}
	for i := range tr.turns {
		isOpen := tr.hasOpenTurn && i == len(tr.turns)-1
		if tr.turns[i].drivingSkill != skill {
			continue
		}
		if isOpen {
			begin = len(all)
		}
		for _, p := range tr.turns[i].pictures {
			p.at += len(all)
			pictures = append(pictures, p)
		}
		for _, m := range tr.turns[i].messages {
			if keep == llm.KeepNone || keep != llm.KeepAll && !isOpen {
				m.Thinking = ""
			}
			all = append(all, m)
		}
	}
	return all, begin, pictures
}

// unansweredCalls returns the calls of the open turn without a result.
func (tr *transcript) unansweredCalls() []llm.Call {
	cur := tr.current()
	if cur == nil {
		return nil
	}
	return agent.Turn{History: cur.messages}.WaitingCalls()
}
