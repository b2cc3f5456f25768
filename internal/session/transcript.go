package session

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/receipt"
)

// transcript is what a chat's journal comes to: the conversation as the model is told it, the turn that is open, and
// the inputs that wait. It is a fold over the chat's events and nothing else, so a restart that reads the journal and a
// process that has lived through it agree.
//
// What is said while a skill leads the chat is a conversation of its own: neither is told anything of the other, and what was
// said under a driver is there again when that drives again.
type transcript struct {
	turns   []turn // answered and open ones, oldest first
	waiting []said // inputs that arrived while a turn was open, or waited for the model
	aside   []turn // those that are parked, in the order in which they were
	open    bool   // the last of turns has not ended
	last    int64  // Seq of the newest event
	session int64  // Seq of the words that began the conversation

	acts    func(tool string) bool // whether calls of a tool may do more than look, or send something
	replays func(tool string) bool // whether a call of it is made again after a crash
	skills  []opened               // that are open, in the order in which they were opened
	pending []pending              // what the model is to read with the words that come next

	words []string         // what the owner said in it
	pages []event.Returned // what was fetched in it, the newest
	asks  []time.Time      // when questions were asked, the newest

	unread unreadable
}

type said struct {
	seq  int64
	body event.Said
	lost bool // it cannot be read
}

// turn is one turn of the conversation.
type turn struct {
	seq      int64 // of its Said
	said     event.Said
	driver   string      // the skill that drives the conversation that it is of, "" none
	label    event.Label // of all that the model was told until then
	messages []llm.Message
	started  map[string]bool          // calls that began to act
	asked    map[string]event.Asked   // by the id of the question
	decided  map[string]event.Decided // likewise
	resumed  int                      // how often it may have ended the process
	stuck    int                      // how often in a row, without anything having come of it
	held     bool                     // a request of it is with the model
	parked   event.Parked             // what it was parked for last
	told     bool                     // the person knows that it waits for the model
	away     time.Time                // since when it has waited for the model, without anything having come of it
	tries    int                      // how often in a row
	breaks   int                      // and how often of these the server had taken the request
	since    int64                    // Seq of the Said or Resumed with which it last began
	moved    bool                     // something has come of it since
	paused   bool                     // hob was told to stop: the Resumed that follows is no crash
	spent    agent.Usage
	usage    llm.Usage          // of the newest reply
	calls    map[string]audited // by their id
	denied   map[string]int     // calls, by tool
	did      receipt.Turn
	joined   []event.Said // what was said meanwhile
	handed   []handed     // files that were handed to the person
	newest   int          // index in messages of the newest words of a person
	pictures []pictured   // that were sent in it, in order
	answered bool
	gap      bool // an event of it is of a type that is not known, and was skipped

	narrowed bool     // only some tools may be called, because of the skills that it is about
	about    []string // these skills
	only     []string // and these tools
}

// apply folds one event in. Events come in the order of their Seq.
func (tr *transcript) apply(e event.Event) {
	tr.last = max(tr.last, e.Seq)
	tr.follow(e)
	if tr.applyChat(e) {
		return
	}
	if b, ok := e.Body.(event.Resumed); ok && tr.asideOf(e.Turn) != nil {
		tr.unpark(e, b)
		return
	}
	if !tr.open || tr.turns[len(tr.turns)-1].seq != e.Turn {
		return // belongs to a turn that is over or no longer told
	}
	cur := &tr.turns[len(tr.turns)-1]
	cur.spent = cur.spent.Add(e.Body)
	if !tr.saidByDriver(cur, e.Body) {
		cur.did = cur.did.Add(e.Body)
	}
	cur.record(e.Body)
	cur.moved = cur.moved || moves(e.Body)
	tr.applyTo(cur, e)
}

// applyTo folds in an event of the open turn.
func (tr *transcript) applyTo(cur *turn, e event.Event) {
	switch b := e.Body.(type) {
	case event.Called:
		cur.claim(llm.Call{ID: b.ID, Name: b.Tool, Args: b.Args})
	case event.Started:
		if cur.gap && !cur.made(b.CallID) {
			tr.lose() // the model would not be told that something was done
			return
		}
		cur.started[b.CallID] = true
	case event.Asked:
		if _, again := cur.asked[b.ID]; !again {
			tr.asks = append(tr.asks[max(0, len(tr.asks)-maxAsks):], e.Time)
		}
		cur.asked[b.ID] = b
	case event.Decided:
		cur.decided[b.ID] = b
	case event.Compacted:
		tr.compact(b)
	case event.Resumed:
		cur.again(e.Seq, b)
	case event.Paused:
		cur.paused = true
	case event.Requested:
		cur.held = true
	case event.Replied:
		tr.settle(cur)
		cur.replied(b)
	case event.Ended:
		tr.settle(cur)
		tr.open, cur.joined = false, nil
		tr.forgetUnplayed()
		tr.next()
	case event.Returned:
		tr.returned(cur, b)
		cur.handed = append(cur.handed, handedBy(e.Seq, b)...)
	case event.Joined:
		tr.join(cur, b.Said)
	default:
		if _, ok := b.(event.Generated); ok {
			cur.held = false
		}
		if m, ok := event.Message(b); ok {
			tr.settle(cur)
			cur.messages = append(cur.messages, m)
		}
	}
}

// applyChat folds in an event that is not of the turn which is open, and reports whether it is one.
func (tr *transcript) applyChat(e event.Event) bool {
	switch b := e.Body.(type) {
	case event.Unreadable:
		tr.skip(e, b)
	case event.Said:
		tr.waiting = append(tr.waiting, said{seq: e.Seq, body: b})
		tr.next()
	case event.Trimmed:
		tr.trim(b.Before)
	case event.Parked:
		tr.park(e, b)
	case event.Opened:
		tr.openSkill(e.Seq, e.Turn, b)
	case event.Closed:
		tr.closeSkill(b.Skill)
	default:
		return false
	}
	return true
}

// replied folds the answer in.
func (t *turn) replied(b event.Replied) {
	t.answered = true
	t.label = t.label.Join(b.Label) // what was answered without a model comes from somewhere, too
	// A turn ends with words of the assistant in the model's eyes too: where they were hob's own, it reads those.
	if m := t.messages[len(t.messages)-1]; m.Role != llm.AssistantRole || len(m.Calls) > 0 {
		text := strings.TrimSpace(strings.TrimSuffix(b.Text, b.Receipt))
		if m.Role == llm.ToolRole && strings.Contains(m.Text, text) {
			text = "[The user has read that.]"
		}
		t.messages = append(t.messages, llm.Message{Role: llm.AssistantRole, Text: text})
	}
}

// again notes that the turn goes on from seq.
func (t *turn) again(seq int64, b event.Resumed) {
	if t.moved {
		t.stuck = 0
	}
	switch {
	case b.Again:
		t.resumed, t.stuck, t.away, t.told = 0, 0, time.Time{}, false
	case !t.paused && !b.Waited:
		t.resumed++
		t.stuck++
	}
	t.paused, t.held, t.since, t.moved = false, false, seq, false
}

// asking reports whether a person is asked whether a call of the turn may run.
func (t *turn) asking() bool {
	for id := range t.asked {
		if _, known := t.decided[id]; !known {
			return true
		}
	}
	return false
}

// moves reports whether a body says that something came of the model or of a tool.
func moves(b event.Body) bool {
	switch b := b.(type) {
	case event.Generated:
		return b.Message.Text != "" || len(b.Message.Calls) > 0 || b.Usage.EvalTokens > 0
	case event.Started, event.Returned, event.Replied:
		return true
	}
	return false
}

// returned folds a result in.
func (tr *transcript) returned(cur *turn, b event.Returned) {
	cur.label = cur.label.Join(b.Label)
	if b.By == "gate" {
		cur.denied[b.Tool]++
	}
	if b.OK && strings.HasPrefix(b.Label.Source, "web:") {
		tr.pages = append(tr.pages[max(0, len(tr.pages)-maxPages+1):], b)
	}
	cur.claim(llm.Call{ID: b.ID, Name: b.Tool, Args: json.RawMessage("{}")})
	m, _ := event.Message(b)
	cur.messages = append(cur.messages, m)
}

// compact puts what a conversation was made into in place of all that was told before: a turn that stands for the old ones,
// and what is left of the open one.
func (tr *transcript) compact(b event.Compacted) {
	cur := tr.turns[len(tr.turns)-1]
	cur.pictures = repictured(cur, b.Messages[b.Begin:])
	cur.messages = slices.Clone(b.Messages[b.Begin:])
	cur.newest = newestWords(cur.messages)
	cur.label = cur.label.Join(b.Label)
	if b.Session == 0 { // likewise
		cur.label = cur.label.Join(unknown())
	}
	tr.session, tr.words, tr.pages = b.Session, ownWords(cur.said), nil // what a restart, which reads from here, knows
	for _, s := range cur.joined {
		tr.words = append(tr.words, ownWords(s)...)
	}
	tr.reopen(b.Skills)
	cur.driver, tr.turns = b.Lead, nil
	for _, o := range b.Beside {
		tr.turns = append(tr.turns, turn{driver: o.Lead, label: o.Label, messages: slices.Clone(o.Messages)})
	}
	if b.Begin > 0 {
		tr.turns = append(tr.turns, turn{driver: b.Lead, messages: slices.Clone(b.Messages[:b.Begin])})
	}
	tr.turns = append(tr.turns, cur)
}

// next opens the next waiting input, if no turn is open.
func (tr *transcript) next() {
	if tr.open || tr.unread.lost.turn != 0 || len(tr.waiting) == 0 {
		return
	}
	first := 0
	if tr.awaiting() != nil { // what needs a model waits, too, and may join that turn
		if first = slices.IndexFunc(tr.waiting, func(s said) bool { return s.body.Command || s.lost }); first < 0 {
			return
		}
	}
	s := tr.waiting[first]
	tr.waiting = slices.Delete(slices.Clone(tr.waiting), first, first+1)
	if s.lost {
		tr.unread.lost = brokenTurn{turn: s.seq, input: true}
		return
	}
	skill := tr.drivingSkill()
	label := labelOf(s.body).Join(tr.labelUnder(skill)) // what the model said before, it said with that in mind
	if len(tr.turns) == 0 {
		tr.session, tr.words, tr.pages = s.seq, nil, nil
	}
	for _, o := range tr.skills {
		label = label.Join(o.Label)
	}
	tr.words = append(tr.words, ownWords(s.body)...)
	cur := turn{
		seq: s.seq, since: s.seq, said: s.body, driver: skill, label: label,
		started: map[string]bool{}, asked: map[string]event.Asked{}, decided: map[string]event.Decided{},
		calls: map[string]audited{}, denied: map[string]int{}, did: receipt.New(tr.acts),
	}
	cur.tell(s.body)
	tr.readPending(&cur)
	tr.turns = append(tr.turns, cur)
	tr.open = true
}

func (tr *transcript) trim(before int64) {
	tr.skills = slices.DeleteFunc(tr.skills, func(o opened) bool { return o.seq < before })
	tr.pending = nil
	for len(tr.turns) > 0 && tr.turns[0].seq < before && (!tr.open || len(tr.turns) > 1) {
		tr.turns = tr.turns[1:]
	}
}

// current is the open turn, or nil.
func (tr *transcript) current() *turn {
	if !tr.open {
		return nil
	}
	return &tr.turns[len(tr.turns)-1]
}

// history is the conversation as the model is told it, and the index of the words that opened the open turn. Thinking is
// part of it as keep says: by default only inside the open turn, because most templates drop what was thought before the
// last user message anyway, and dropping it here keeps the prompt the same for all.
func (tr *transcript) history(keep llm.Keep) (all []llm.Message, begin int, pictures []pictured) {
	skill := tr.drivingSkill()
	if cur := tr.current(); cur != nil {
		skill = cur.driver
	}
	for i := range tr.turns {
		open := tr.open && i == len(tr.turns)-1
		if tr.turns[i].driver != skill {
			continue
		}
		if open {
			begin = len(all)
		}
		for _, p := range tr.turns[i].pictures {
			p.at += len(all)
			pictures = append(pictures, p)
		}
		for _, m := range tr.turns[i].messages {
			if keep == llm.KeepNone || keep != llm.KeepAll && !open {
				m.Thinking = ""
			}
			all = append(all, m)
		}
	}
	return all, begin, pictures
}

// unanswered returns the calls of the open turn that have no result.
func (tr *transcript) unanswered() []llm.Call {
	cur := tr.current()
	if cur == nil {
		return nil
	}
	return agent.Turn{History: cur.messages}.WaitingCalls()
}
