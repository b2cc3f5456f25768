package exec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// answer appends the line that answers one call.
func answer(book *rules.Book, lang string, id json.RawMessage, o rules.Outcome, when time.Time, hash string) *rules.Obj {
	text := book.Text(lang, o.Say)
	args, result := o.Call.Args, o.Result
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if result == nil {
		result = json.RawMessage("{}")
	}
	a := rules.NewObj().Raw("id", id).Text("tool", o.Call.Tool).Raw("args", compact(args)).
		Text("status", string(o.Status)).Text("reason", o.Reason()).Text("detail", o.Detail()).Text("error_code", o.ErrorCode()).
		Text("text", text).Raw("result", result).Text("created_id", o.Created).Text("timestamp", when.UTC().Format(time.RFC3339)).
		Text("state_hash", hash)
	if o.Actor != "" {
		a.Text("effective_actor_id", o.Actor)
	}
	return a
}

// compact returns raw without spaces; what is no JSON as a JSON string.
func compact(raw json.RawMessage) []byte {
	if !json.Valid(raw) {
		return world.AppendString(nil, string(raw))
	}
	return canonical(raw)
}

// canonical returns JSON without spaces, its members in the order in which they stand.
func canonical(raw json.RawMessage) []byte {
	var b strings.Builder
	inString, escaped := false, false
	for _, c := range raw {
		if !inString && (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			continue
		}
		b.WriteByte(c)
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		}
	}
	return []byte(b.String())
}

// toolEvent is a session's tool event of a call.
func toolEvent(book *rules.Book, lang string, id json.RawMessage, o rules.Outcome, took time.Duration) *rules.Obj {
	payload := o.Result
	if payload == nil {
		payload = json.RawMessage("{}")
	}
	args := o.Call.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	sum := sha256.Sum256(arranged(args))
	return rules.NewObj().Text("tool_name", o.Call.Tool).Flag("ok", o.OK()).Text("summary", book.Text(lang, o.Say)).Raw("payload",
		payload).
		Raw("call_id", id).Text("status", string(o.Status)).Text("error_code", o.ErrorCode()).
		Text("args_hash", hex.EncodeToString(sum[:])).Int("duration_ms", took.Milliseconds())
}
