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
	seq          int64             // Seq of the Said that began it
	begunAt      int64             // Seq of the Said or Resumed with which it last began
	saidAt       time.Time         // time of that input
	input        event.Said        // the input that began it
	joined       []event.Said      // inputs that joined while it ran
	drivingSkill string            // the skill that drives its conversation, or ""
	label        event.Label       // the joined labels of everything that the model has read
	messages     []llm.Message     // of this turn
	newestInput  int               // index in messages of the person's newest input
	pictures     []messagePictures // pictures of its inputs, in order
	progress     agent.Progress
	receipt      receipt.Turn // of its calls
	files        []handedFile // files that its calls gave to the person
	replied      bool         // its Replied is journaled
	hasGap       bool         // an event of an unknown type was skipped
	stoppedAt    int64        // Seq of the end, if a person stopped it; else 0

	choreState
	callState
	crashState
	modelWait
	narrowing
}

// choreState is what the next message may refer to, if it is read as a chore.
type choreState struct {
	ownReply        string         // hob's own reply to a chore, or ""
	choices         []event.Choice // choices that it offered
	changes         []int64        // numbers of the changes that the turn made, for undo
	reminderChanges []int64        // those that made reminders
	reminderIDs     []int64        // numbers of those reminders
	failed          bool           // one of its calls failed
}

// callState is what a turn knows about its calls and their questions.
type callState struct {
	calls      map[string]callRecord    // by call ID
	replyUsage llm.Usage                // usage of the newest reply
	started    map[string]bool          // calls that started to act
	denied     map[string]int           // number of denied calls, by tool
	asked      map[string]event.Asked   // by question ID
	decided    map[string]event.Decided // by question ID
}

// crashState says whether a turn may crash the process.
type crashState struct {
	crashes      int  // crashes that it may have caused
	crashesInRow int  // the latest of these without progress in between
	withModel    bool // the model is working on one of its requests
	progressed   bool // the turn made progress since it last began
	endedCleanly bool // a shutdown or parking ended it: the next Resumed is no crash
}

// modelWait says how a turn is parked and how long it has waited for the model.
type modelWait struct {
	lastParking   event.Parked // the newest Parked
	parkedAt      time.Time    // when it was journaled
	waitAnnounced bool         // the person was told that the turn waits
	awaySince     time.Time    // the model is away since then, without progress
	modelTries    int          // failed tries in a row
	modelBreaks   int          // those in which the server had taken the request
}

// narrowing limits a turn to the tools that some of its skills allow.
type narrowing struct {
	narrowedBy   []string // those skills; none: the turn is not limited
	allowedTools []string
}

// inputs returns the inputs of the turn, in order.
func (t *turn) inputs() []event.Said { return append([]event.Said{t.input}, t.joined...) }

// foldReplied folds in the answer.
func (t *turn) foldReplied(b event.Replied) {
	t.replied = true
	if b.Literal {
		t.ownReply = b.Text
	}
	t.choices = append(t.choices, b.Choices...)
	t.label = t.label.Join(b.Label) // a reply without a model has a label of its own
	// The model expects a turn to end with words of the assistant. If hob answered itself, it reads
	// those words.
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

// isAsking reports whether a question of the turn is open.
func (t *turn) isAsking() bool {
	for id := range t.asked {
		if _, known := t.decided[id]; !known {
			return true
		}
	}
	return false
}

// isProgress reports whether a body comes from a reply or a tool.
func isProgress(b event.Body) bool {
	switch b := b.(type) {
	case event.Generated:
		return b.Message.Text != "" || len(b.Message.Calls) > 0 || b.Usage.EvalTokens > 0
	case event.Started, event.Returned, event.Replied:
		return true
	}
	return false
}

// newestWords returns the index of the person's newest message among the messages of a turn, of
// which the first is a person's.
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
