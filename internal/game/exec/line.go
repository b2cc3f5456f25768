package exec

import (
	"bytes"
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

// wireLine is a line of the input: a call, or one of the others.
type wireLine struct {
	wireCall
	Batch   []wireCall `json:"batch"`
	Preview []wireCall `json:"preview"`
	Commit  bool       `json:"commit"`
	Drop    bool       `json:"drop"`
	Undo    *int       `json:"undo"`
	Redo    *int       `json:"redo"`
	State   *string    `json:"state"`
}

// line is what a line asks for: exactly one of its members.
type line struct {
	calls   []wireCall // one turn
	request string
	preview []wireCall
	commit  bool
	drop    bool
	undo    *int
	redo    *int
	state   *string
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
	var w wireLine
	if err := json.Unmarshal(text, &w); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return line{}, fmt.Errorf("has a %s for %q, which is of another type: %s", wrong.Value, wrong.Field, usage)
		}
		return line{}, errors.New("cannot be read: " + usage)
	}
	l = line{
		request: string(w.Request), preview: w.Preview, commit: w.Commit, drop: w.Drop, undo: w.Undo, redo: w.Redo, state: w.State,
	}
	n, call := 0, w.Tool != "" || w.Args != nil
	for _, there := range []bool{w.Preview != nil, w.Commit, w.Drop, w.Undo != nil, w.Redo != nil, w.State != nil, w.Batch != nil,
		call} {
		if there {
			n++
		}
	}
	if n == 0 && w.ID != nil { // a call of no tool is a call that fails
		n, call = 1, true
	}
	switch {
	case n != 1:
		return line{}, errors.New("asks for nothing, or for several things: " + usage)
	case w.Batch != nil:
		l.calls = w.Batch
		for i := range l.calls { // who acts may be said once for all of them
			if l.calls[i].Actor == "" && l.calls[i].Execution.Actor == "" {
				l.calls[i].Actor, l.calls[i].Execution = w.Actor, w.Execution
			}
		}
	case call:
		l.calls = []wireCall{w.wireCall}
	case w.Undo != nil && *w.Undo < 0, w.Redo != nil && *w.Redo < 0:
		return line{}, errors.New("has a negative number of turns")
	}
	return l, nil
}

// call returns the call as the rules know it.
func (c wireCall) call() rules.Call {
	actor := string(c.Execution.Actor)
	if actor == "" {
		actor = string(c.Actor)
	}
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
