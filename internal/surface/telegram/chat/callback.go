package chat

import (
	"strconv"
	"strings"
)

// The data of a button begins with one of these. A nonce of 26 characters follows, except for questions, choices
// and turns.
const (
	PressYes    = "y:" // the id of a question
	PressNo     = "n:" // likewise
	PressAlways = "a:" // likewise: yes, and all that the question offers to grant
	PressChoice = "c:" // a choice of a reply: which event offers it, and as which of its choices
	PressButton = "b:" // a command below an answer
	PressRetry  = "r:" // try a parked turn again: which
	PressUndo   = "u:" // take back what a turn has changed: which
)

// MaxLabel is how many units of UTF-16 the label of such a button has at most.
const MaxLabel = 40

// TurnData returns the data of a button that is about a turn: press is [PressRetry] or [PressUndo].
func TurnData(press string, turn int64) string { return press + strconv.FormatInt(turn, 36) }

// ParseTurnData reads the data of such a button.
func ParseTurnData(press, data string) (turn int64, ok bool) {
	number, ok := strings.CutPrefix(data, press)
	turn, err := strconv.ParseInt(number, 36, 64)
	return turn, ok && err == nil
}

// ChoiceRef says which choice a button stands for: the At-th that the event Seq offers.
type ChoiceRef struct {
	Seq int64
	At  int
}

// Data returns the data of the choice's button. It finds the choice again after a restart, and it proves
// nothing: anybody can send it.
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
