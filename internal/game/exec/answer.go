package exec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
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

// toolEvent is seed 003's tool event of a call.
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

// patch returns events as a patch in the form of RFC 6902 over hob's own form of a state. Several changes of one record are one
// operation for each of its fields.
func patch(events []world.Event) []*rules.Obj {
	list := []*rules.Obj{}
	for _, e := range world.Merge(events) {
		for _, c := range e.Changes() {
			path := "/state/" + c.Kind.Plural() + "/" + pointer(c.Key)
			if c.Kind == world.SelfKind {
				path = "/state/world"
			}
			if c.Field != "" {
				path += "/" + pointer(c.Field)
			}
			op := rules.NewObj()
			switch {
			case c.New == nil:
				op.Text("op", "remove").Text("path", path)
			case c.Old == nil:
				op.Text("op", "add").Text("path", path).Raw("value", c.New)
			default:
				op.Text("op", "replace").Text("path", path).Raw("value", c.New)
			}
			list = append(list, op)
		}
	}
	return list
}

// counted returns what a turn changed of the counters of ids, as part of the same patch.
func counted(was, is rules.Counts) []*rules.Obj {
	list := []*rules.Obj{}
	for _, kind := range slices.Sorted(maps.Keys(is)) {
		op := "replace"
		if _, there := was[kind]; !there {
			op = "add"
		} else if was[kind] == is[kind] {
			continue
		}
		list = append(list, rules.NewObj().Text("op", op).Text("path", "/counts/"+pointer(kind)).Int("value", is[kind]))
	}
	return list
}

// pointer escapes a name as a token of a JSON pointer (RFC 6901).
func pointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
