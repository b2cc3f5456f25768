package exec

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hob/internal/game/rules"
)

// wireCall is a call as it stands on a line. Members that are not named here are somebody else's and do not matter.
type wireCall struct {
	ID        json.RawMessage `json:"id"`
	Tool      word            `json:"tool"`
	Args      json.RawMessage `json:"args"`
	Reason    word            `json:"reason"`
	Actor     word            `json:"actor_id"`
	Request   word            `json:"request_id"`
	Execution struct {
		Actor word `json:"actor_id"`
	} `json:"execution"`
}

// word is a name on a line: a string. What is none is its own JSON, so that a number can be a request's id, and a call of the
// tool 5 fails like one of any other tool that there is not; null is "".
type word string

// UnmarshalJSON implements [json.Unmarshaler].
func (w *word) UnmarshalJSON(b []byte) error {
	var s string
	if string(b) != "null" && json.Unmarshal(b, &s) != nil {
		s = string(compact(b))
	}
	*w = word(strings.TrimSpace(s))
	return nil
}

// line is a line of the input: a call, or exactly one of the others.
type line struct {
	wireCall
	Batch   []wireCall `json:"batch"` // one turn; a call alone is a batch of one
	Preview []wireCall `json:"preview"`
	Commit  bool       `json:"commit"`
	Drop    bool       `json:"drop"`
	Undo    *int       `json:"undo"`
	Redo    *int       `json:"redo"`
	State   *string    `json:"state"`
}

// LineError says that a line of the input cannot be used. Nothing after it was read.
type LineError struct {
	N    int // counted from 1
	What string
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d %s", e.N, e.What) }

// usage is what a line may be.
const usage = `each line is a call such as {"id":"1","tool":"move","args":{}}, ` +
	`or {"batch":[...]}, {"undo":1}, {"redo":1}, {"state":"hob"}`

// readLine reads a line.
func readLine(text []byte) (l line, err error) {
	if text[0] != '{' || !json.Valid(text) {
		return line{}, errors.New("is no JSON object: " + usage)
	}
	if err := json.Unmarshal(text, &l); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return line{}, fmt.Errorf("has a %s for %q, which is of another type: %s", wrong.Value, wrong.Field, usage)
		}
		return line{}, errors.New("cannot be read: " + usage)
	}
	n, call := 0, l.Tool != "" || l.Args != nil
	for _, there := range []bool{l.Preview != nil, l.Commit, l.Drop, l.Undo != nil, l.Redo != nil, l.State != nil, l.Batch != nil,
		call} {
		if there {
			n++
		}
	}
	if n == 0 && l.ID != nil { // a call of no tool is a call that fails
		n, call = 1, true
	}
	switch {
	case n != 1:
		return line{}, errors.New("asks for nothing, or for several things: " + usage)
	case call:
		l.Batch = []wireCall{l.wireCall}
	case l.Undo != nil && *l.Undo < 0, l.Redo != nil && *l.Redo < 0:
		return line{}, errors.New("has a negative number of turns")
	}
	for i, c := range l.Batch { // who acts may be said once for all of them
		if c.Actor == "" && c.Execution.Actor == "" {
			l.Batch[i].Actor, l.Batch[i].Execution = l.Actor, l.Execution
		}
	}
	return l, nil
}

// call returns the call as the rules know it.
func (c wireCall) call() rules.Call {
	actor := string(cmp.Or(c.Execution.Actor, c.Actor))
	args := c.Args
	if bytes.Equal(bytes.TrimSpace(args), []byte("null")) {
		args = nil
	}
	id := string(c.id())
	var text string
	if json.Unmarshal(c.id(), &text) == nil {
		id = text
	}
	return rules.Call{ID: id, Tool: string(c.Tool), Args: args, Reason: string(c.Reason), Actor: actor}
}

// id returns the call's id as it is echoed: any JSON, "" where there is none.
func (c wireCall) id() json.RawMessage {
	if len(c.ID) == 0 {
		return json.RawMessage(`""`)
	}
	var packed bytes.Buffer
	if json.Compact(&packed, c.ID) != nil {
		return json.RawMessage(`""`)
	}
	return packed.Bytes()
}
