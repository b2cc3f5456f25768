package things

import (
	"bytes"
	"encoding/json"
	"strings"

	"hob/internal/lazyregexp"
)

// readAttributes reads create_object's attributes, which models give in many ways: as an object, as
// a string with JSON in it, as a string with nearly JSON in it ([parseLoose]), as prose around
// pairs "name": "value" ([pairs]), or as prose alone, which is the condition then. JSON that is no
// object is prose. null, "", 0 and false are none. Names and values are trimmed, blank ones left
// out, and what is no string is its JSON.
func readAttributes(raw json.RawMessage) map[string]string {
	switch string(raw) {
	case "", "null", "0", "false":
		return nil
	}
	if raw[0] == '{' {
		return readObject(raw)
	}
	text, ok := valueText(raw)
	if !ok {
		text = string(raw)
	}
	text = strings.TrimSpace(text)
	if text == "" || text == "null" {
		return nil
	}
	if json.Valid([]byte(text)) {
		if text[0] == '{' {
			return readObject([]byte(text))
		}
		return map[string]string{conditionName: text}
	}
	if attrs, ok := parseLoose(trimEscapes(trimFence(text))); ok {
		return attrs
	}
	if attrs := pairs(text); len(attrs) > 0 {
		return attrs
	}
	return map[string]string{conditionName: text}
}

// readObject returns the members of a JSON object as text.
func readObject(raw []byte) map[string]string {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	attrs := make(map[string]string, len(members))
	for name, v := range members {
		addValue(attrs, name, v)
	}
	return attrs
}

// addValue adds a value that is not blank to attrs.
func addValue(attrs map[string]string, name string, raw json.RawMessage) {
	var packed bytes.Buffer
	text, ok := valueText(raw)
	if !ok && string(raw) != "null" && json.Compact(&packed, raw) == nil {
		text = packed.String()
	}
	addText(attrs, name, text)
}

func addText(attrs map[string]string, name, text string) {
	if name, text = strings.TrimSpace(name), strings.TrimSpace(text); name != "" && text != "" {
		attrs[name] = text
	}
}

// trimFence returns what stands within a fence of backquotes, or text as it is.
func trimFence(text string) string {
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	inner, _ = strings.CutSuffix(inner, "```")
	return strings.TrimSpace(strings.TrimPrefix(inner, "json"))
}

// trimEscapes returns text without the backslashes of quotes, where every quote has one: an object
// that was made a string twice.
func trimEscapes(text string) string {
	if n := strings.Count(text, `\"`); n == 0 || n != strings.Count(text, `"`) {
		return text
	}
	return strings.ReplaceAll(text, `\"`, `"`)
}

// pairPattern is "name": "value" in a text.
var pairPattern = lazyregexp.New(`(?s)"((?:[^"\\]|\\.)*)"[\s\v\pZ\x{85}]*:[\s\v\pZ\x{85}]*"((?:[^"\\]|\\.)*)"`)

// pairs returns what stands in text as "name": "value".
func pairs(text string) map[string]string {
	attrs := map[string]string{}
	for _, pair := range pairPattern().FindAllStringSubmatch(text, -1) {
		addText(attrs, unquote(pair[1]), unquote(pair[2]))
	}
	return attrs
}

// unquote returns what stands between quotes as the text it means.
func unquote(inner string) string {
	var text string
	if json.Unmarshal([]byte(`"`+inner+`"`), &text) == nil {
		return text
	}
	return strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\n`, "\n", `\\`, `\`).Replace(inner)
}
