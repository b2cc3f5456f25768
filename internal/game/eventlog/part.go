package eventlog

import (
	"bytes"
	"encoding/json"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Part is what one entry says of a turn. Most turns have one; a narration or the calls of a later batch are further ones.
type Part struct {
	Turn, Parent int64  // Parent is the turn that it was played after
	More         bool   // it is a further part
	Table        bool   // it is one of those who play and not of the story; see [Request]
	Time         string // RFC 3339, UTC
	User, Input  string
	Plan         json.RawMessage // what somebody means to do, in the words of whoever asked for the turn
	Request      string
	Outcomes     []rules.Outcome
	Spans        []Span // by outcome
	Rolls        []rules.Roll
	Notes        []rules.Note
	Narration    Narration
	State        string // the hash of the world after it

	body string // the hash of the request
}

// Span is what of a part is one call's: its events and rolls follow those of the calls before. Events that are nobody's are
// last, and are what followed from the turn by itself.
type Span struct {
	Asked         json.RawMessage // the arguments as they were given, where they were understood in another way
	Events, Rolls int
	State         string // the hash of the world after it, where other calls follow; "" after the last one, whose state is the part's
}

// Narration is the words in which a turn was told.
type Narration struct{ Text, Model string }

// isPacked reports whether v is JSON as a line can hold it: without spaces, and not too deep.
func isPacked(v []byte) bool {
	s := world.Scan(v)
	s.Raw()
	s.End()
	return s.Err() == nil
}

// pack returns a copy of JSON, without spaces and in UTF-8. What is no JSON stays as it is.
func pack(v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return nil
	}
	v = bytes.ToValidUTF8(v, []byte("\uFFFD"))
	var b bytes.Buffer
	if isPacked(v) || json.Compact(&b, v) != nil {
		return bytes.Clone(v)
	}
	return b.Bytes()
}

// cleanText returns s in UTF-8.
func cleanText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// CanonicalJSON returns JSON with the members of its objects in order, by which two calls are the same. What is no JSON is a text.
func CanonicalJSON(raw []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if len(raw) == 0 || decoder.Decode(&v) != nil {
		return world.AppendString(nil, string(raw))
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(v) != nil {
		return world.AppendString(nil, string(raw))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
