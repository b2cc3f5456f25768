package chat

import (
	"strconv"
	"strings"
)

// Prefixes of the data of a button. A nonce of 26 characters follows, except for questions, choices
// and turns.
const (
	PressYes    = "y:" // the id of a question
	PressNo     = "n:" // the id of a question
	PressAlways = "a:" // the id of a question: yes, with all grants that it offers
	PressChoice = "c:" // a choice of a reply: the event and the index in it
	PressButton = "b:" // a command below an answer
	PressRetry  = "r:" // the parked turn to try again
	PressUndo   = "u:" // the turn whose changes to undo
)

// MaxLabel limits the label of such a button, in UTF-16 units.
const MaxLabel = 40

// TurnData returns the data of a button that is about a turn: press is [PressRetry] or [PressUndo].
func TurnData(press string, turn int64) string { return press + strconv.FormatInt(turn, 36) }

// ParseTurnData reads the data of such a button.
func ParseTurnData(press, data string) (turn int64, ok bool) {
	number, ok := strings.CutPrefix(data, press)
	turn, err := strconv.ParseInt(number, 36, 64)
	return turn, ok && err == nil
}

// ChoiceRef identifies the choice of a button: index At in the event Seq.
type ChoiceRef struct {
	Seq int64
	At  int
}

// Data returns the data of the choice's button. The choice can be found by it after a restart. It
// proves nothing, because anybody can send it.
func (r ChoiceRef) Data() string {
	return PressChoice + strconv.FormatInt(r.Seq, 36) + ":" + strconv.Itoa(r.At)
}

// ParseChoiceRef reads the data of a choice's button. Only data that [ChoiceRef.Data] writes is one.
func ParseChoiceRef(data string) (r ChoiceRef, ok bool) {
	seq, at, _ := strings.Cut(strings.TrimPrefix(data, PressChoice), ":")
	var bad error
	if r.Seq, bad = strconv.ParseInt(seq, 36, 64); bad != nil {
		return ChoiceRef{}, false
	}
	if r.At, bad = strconv.Atoi(at); bad != nil {
		return ChoiceRef{}, false
	}
	return r, r.Seq > 0 && r.At >= 0 && r.Data() == data
}
