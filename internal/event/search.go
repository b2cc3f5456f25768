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

// Readable returns the text of a body for a search of the chat, and whether the body has any. Of a call it is the arguments, one "name: value" a line. What a model thought or only drafted, what the runtime
// added for it, and questions to a person are not in it.
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

// readableArgs writes arguments without the escapes of JSON.
func readableArgs(args json.RawMessage) string {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(args, &fields) != nil {
		return string(args) // no object; it can be read all the same
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		b.WriteString(name + ": " + readableValue(fields[name]) + "\n")
	}
	return b.String()
}

func readableValue(raw json.RawMessage) string {
	text := ""
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
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

// Fold returns s with differences of case taken away, rune by rune: texts that differ in case only have the same fold,
// and the n-th rune of the fold is that of the n-th rune of s. It is for comparing, not for showing.
func Fold(s string) string { return strings.Map(foldRune, s) }

// foldRune returns the smallest of the runes that differ from r in case only.
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
