package session

import (
	"strings"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/receipt"
)

// turn is one turn of the conversation.
type turn struct {
	seq         int64             // of the Said that began it
	begunAt     int64             // Seq of the Said or Resumed with which it last began
	saidAt      time.Time         // when that input came
	input       event.Said        // the input that began it
	joined      []event.Said      // inputs that came while it ran
	leadSkill   string            // the skill that drives its conversation, "" for none
	label       event.Label       // joins the labels of all that the model has read
	messages    []llm.Message     // of this turn
	newestInput int               // index in messages of the newest words of a person
	pictures    []messagePictures // that came with its inputs, in order
	progress    agent.Progress
	receipt     receipt.Turn   // of its calls
	files       []handedFile   // that its calls have handed to the person
	replied     bool           // it has its Replied
	ownReply    string         // its reply, where hob's own to a chore
	hasGap      bool           // an event of it has an unknown type and was skipped
	changes     []int64        // by which what its calls have done is taken back
	reminders   []int64        // those of them that have made reminders
	made        []int64        // the numbers of those reminders
	choices     []event.Choice // that came with an answer of hob's own
	failed      bool           // a call of it did not do what it was to do
	stoppedAt   int64          // Seq of its end, where a person stopped it

	callState
	crashState
	modelWait
	narrowing
}

// callState is what a turn knows of its calls and their questions.
type callState struct {
	calls      map[string]callRecord    // by their id
	replyUsage llm.Usage                // of the newest reply
	started    map[string]bool          // calls that began to act
	denied     map[string]int           // number of denied calls, by tool
	asked      map[string]event.Asked   // by the id of the question
	decided    map[string]event.Decided // likewise
}

// crashState says whether a turn may be what ends the process.
type crashState struct {
	crashes      int  // that it may have caused
	crashesInRow int  // of these without progress in between
	withModel    bool // a request of it is with the model
	progressed   bool // it has made progress since it last began
	endedCleanly bool // by a shutdown, or parked: the Resumed that follows is no crash
}

// modelWait says how a turn is parked, and how long it has waited for the model.
type modelWait struct {
	lastParking   event.Parked // the newest
	parkedAt      time.Time    // when that was journaled
	waitAnnounced bool         // the person knows that it waits
	awaySince     time.Time    // the model has been away since then, without progress
	modelTries    int          // in a row that failed
	modelBreaks   int          // of these in which the server had taken the request
}

// narrowing limits a turn to the tools that the skills which it is about allow.
type narrowing struct {
	narrowed     bool
	narrowedBy   []string
	allowedTools []string
}

// inputs returns the inputs of the turn, in order.
func (t *turn) inputs() []event.Said { return append([]event.Said{t.input}, t.joined...) }

// foldReplied folds the answer in.
func (t *turn) foldReplied(b event.Replied) {
	t.replied = true
	if b.Literal {
		t.ownReply = b.Text
	}
	t.choices = append(t.choices, b.Choices...)
	t.label = t.label.Join(b.Label) // what was answered without a model comes from somewhere, too
	// A turn ends with words of the assistant in the model's eyes too: where they were hob's own,
	// it reads those.
	if m := t.messages[len(t.messages)-1]; m.Role != llm.AssistantRole || len(m.Calls) > 0 {
		text := strings.TrimSpace(strings.TrimSuffix(b.Text, b.Receipt))
		if m.Role == llm.ToolRole && strings.Contains(m.Text, text) {
			text = "[The user has read that.]"
		}
		t.messages = append(t.messages, llm.Message{Role: llm.AssistantRole, Text: text})
	}
}

// foldResumed folds in that the turn goes on from seq.
func (t *turn) foldResumed(seq int64, b event.Resumed) {
	if t.progressed {
		t.crashesInRow = 0
	}
	switch {
	case b.Again:
		t.crashes, t.crashesInRow, t.awaySince, t.waitAnnounced = 0, 0, time.Time{}, false
	case !t.endedCleanly && !b.Waited:
		t.crashes++
		t.crashesInRow++
	}
	t.endedCleanly, t.withModel, t.begunAt, t.progressed = false, false, seq, false
}

// isAsking reports whether a question of the turn waits for a person.
func (t *turn) isAsking() bool {
	for id := range t.asked {
		if _, known := t.decided[id]; !known {
			return true
		}
	}
	return false
}

// isProgress reports whether a body says that something came of the model or of a tool.
func isProgress(b event.Body) bool {
	switch b := b.(type) {
	case event.Generated:
		return b.Message.Text != "" || len(b.Message.Calls) > 0 || b.Usage.EvalTokens > 0
	case event.Started, event.Returned, event.Replied:
		return true
	}
	return false
}

// newestWords returns the index of a person's newest words in the messages of a turn, which begin
// with their first.
func newestWords(messages []llm.Message) int {
	for i := len(messages) - 1; i > 0; i-- {
		if messages[i].IsPersons() {
			return i
		}
	}
	return 0
}

// newestQuestion returns the newest question about a call.
func (t *turn) newestQuestion(call string) (event.Asked, bool) {
	var newest event.Asked
	for _, q := range t.asked {
		if q.CallID == call && (newest.ID == "" || q.Expires.After(newest.Expires)) {
			newest = q
		}
	}
	return newest, newest.ID != ""
}
