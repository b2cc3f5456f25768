package exec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// answer appends the line that answers one call.
func answer(book *rules.Book, lang string, id json.RawMessage, o rules.Outcome, when time.Time, hash string) *rules.Obj {
	a := rules.NewObj().Raw("id", id).Text("tool", o.Call.Tool).Raw("args", compact(orEmpty(o.Call.Args))).
		Text("status", string(o.Status)).Text("reason", o.Reason()).Text("detail", o.Detail()).Text("error_code", o.ErrorCode()).
		Text("text", book.Text(lang, o.Say)).Raw("result", orEmpty(o.Result)).Text("created_id", o.Created).
		Text("timestamp", when.UTC().Format(time.RFC3339)).Text("state_hash", hash)
	if o.Actor != "" {
		a.Text("effective_actor_id", o.Actor)
	}
	return a
}

// compact returns JSON without spaces. Other text becomes a JSON string.
func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return world.AppendString(nil, string(raw))
	}
	return b.Bytes()
}

// orEmpty returns raw, or an empty object for nothing.
func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}

// toolEvent is a session's tool event of a call.
func toolEvent(book *rules.Book, lang string, id json.RawMessage, o rules.Outcome, took time.Duration) *rules.Obj {
	sum := sha256.Sum256(eventlog.CanonicalJSON(orEmpty(o.Call.Args)))
	return rules.NewObj().Text("tool_name", o.Call.Tool).Flag("ok", o.OK()).Text("summary", book.Text(lang, o.Say)).
		Raw("payload", orEmpty(o.Result)).Raw("call_id", id).Text("status", string(o.Status)).Text("error_code", o.ErrorCode()).
		Text("args_hash", hex.EncodeToString(sum[:])).Int("duration_ms", took.Milliseconds())
}
