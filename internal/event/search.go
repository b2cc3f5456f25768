package event

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"hob/internal/jsonl"
)

// Readable returns the text of a body for a search of the chat; ok is false if it has none. The
// text of a call is its arguments, one "name: value" a line. Excluded are a model's thoughts and
// drafts, hob's additions for the model, and questions to a person.
func Readable(b Body) (string, bool) {
	text := ""
	switch b := b.(type) {
	case Said:
		text = b.Text
		for _, a := range b.Attachments {
			text += "\n" + a.Text
		}
	case Called:
		text = readableArgs(b.Args)
	case Returned:
		text = b.Text
	case Noted:
		text = b.Text
	case Replied:
		text = b.Text
	}
	return text, text != ""
}

// readableArgs writes arguments as text, without JSON escapes.
func readableArgs(args json.RawMessage) string {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(args, &fields) != nil {
		return string(args) // not an object, but readable as it is
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		b.WriteString(name + ": " + readableValue(fields[name]) + "\n")
	}
	return b.String()
}

func readableValue(raw json.RawMessage) string {
	if text := ""; json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		return text
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	if dec.Decode(&value) != nil {
		return string(raw)
	}
	if out, err := jsonl.Marshal(value); err == nil {
		return string(out)
	}
	return string(raw)
}

// Fold returns s with case differences removed, rune by rune: texts that differ only in case have
// the same fold, and the nth rune of the fold belongs to the nth rune of s. Use it to compare, not
// to show.
func Fold(s string) string { return strings.Map(foldRune, s) }

// foldRune returns the smallest rune that differs from r only in case.
func foldRune(r rune) rune {
	if r < 0x80 {
		if 'a' <= r && r <= 'z' {
			return r - ('a' - 'A')
		}
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}
