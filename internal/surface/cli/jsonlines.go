package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"hob/internal/event"
)

// JSONLines prints events for programs, one compact JSON object a line: type, time (RFC 3339), chat, seq (of all but
// delta and waiting), then the body's own fields. Events that only the journal has use for are left out.
type JSONLines struct {
	w io.Writer
}

// NewJSONLines returns a printer to w.
func NewJSONLines(w io.Writer) *JSONLines { return &JSONLines{w: w} }

// Event prints e, in one write, or nothing where e is not for others.
func (j *JSONLines) Event(e event.Event) error {
	line, err := JSONLine(e)
	if err != nil || line == nil {
		return err
	}
	if _, err := j.w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("print event: %w", err)
	}
	return nil
}

// JSONLine returns e as one line of "hob ask --json", without its line end; nil if e is not for others.
func JSONLine(e event.Event) ([]byte, error) {
	body, public := publicBody(e.Body)
	if !public {
		return nil, nil
	}
	head := struct {
		Type string     `json:"type"`
		Time time.Time  `json:"time"`
		Chat event.Chat `json:"chat"`
		Seq  *int64     `json:"seq,omitempty"`
	}{Type: e.Body.Type(), Time: e.Time, Chat: e.Chat, Seq: &e.Seq}
	if event.IsTransient(e.Body) {
		head.Seq = nil
	}
	line, err := JSON(head)
	if err != nil {
		return nil, fmt.Errorf("print %s: %w", head.Type, err)
	}
	fields, err := JSON(body)
	if err != nil {
		return nil, fmt.Errorf("print %s: %w", head.Type, err)
	}
	if len(fields) > len("{}") {
		line = append(append(line[:len(line)-1], ','), fields[1:]...)
	}
	return line, nil
}

// publicBody returns what others see of b, and whether they see anything.
func publicBody(b event.Body) (any, bool) {
	switch b := b.(type) {
	case event.Said:
		return struct {
			InputID string `json:"input_id"`
			Text    string `json:"text"`
		}{b.InputID, b.TextWithAttachments()}, true
	case event.Called:
		if b.Repairs == nil {
			b.Repairs = []string{}
		}
		b.Args, b.Label = object(b.Args), event.Label{}
		return b, true
	case event.Asked:
		b.Args, b.Binding = object(b.Args), event.Binding{} // Text says it
		return b, true
	case event.Delta:
		return b, b.Text != "" || b.Restart
	case event.Returned:
		b.By, b.Fence, b.Label = "", "", event.Label{} // hob's own bookkeeping
		return b, true
	case event.Replied:
		b.Label = event.Label{}
		return b, true
	case event.Noted:
		b.Label = event.Label{}
		return b, true
	case event.Opened:
		return struct {
			Skill string   `json:"skill"`
			By    string   `json:"by"`
			Tools []string `json:"tools"`
		}{b.Skill, b.By, append([]string{}, b.Tools...)}, true
	case event.Decided, event.Ended, event.Closed, event.Waiting, event.Unreadable:
		return b, true
	}
	return nil, false
}

// object makes missing arguments an empty object.
func object(args json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(args)) == 0 {
		return json.RawMessage("{}")
	}
	return args
}

// JSON marshals v on one line. Control characters that JSON allows in texts are escaped: somebody may read the line
// in a terminal.
func JSON(v any) ([]byte, error) {
	b := &bytes.Buffer{}
	if err := WriteJSON(b, v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// WriteJSON writes to w what [JSON] returns, and the end of the line. A large value is in memory but once.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(escaping{w})
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// escaping writes a JSON value, which comes in one piece, with its control characters escaped.
type escaping struct{ io.Writer }

func (e escaping) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		at := bytes.IndexFunc(p[done:], isRawControl)
		if at < 0 {
			at = len(p) - done
		}
		if _, err := e.Writer.Write(p[done : done+at]); err != nil {
			return done, err
		}
		if done += at; done < len(p) {
			r, size := utf8.DecodeRune(p[done:])
			if _, err := fmt.Fprintf(e.Writer, `\u%04x`, r); err != nil {
				return done, err
			}
			done += size
		}
	}
	return done, nil
}

func isRawControl(r rune) bool { return 0x7f <= r && r < 0xa0 }
