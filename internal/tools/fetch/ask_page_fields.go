package fetch

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/tools"
)

const (
	maxPageFields = 12
	maxFieldName  = 40 // characters
	maxFieldWords = 60 // that one field can choose from
	maxFieldWord  = 100
)

// fieldKind is what a field of an answer holds.
type fieldKind string

const (
	integerField fieldKind = "integer"
	numberField  fieldKind = "number"
	booleanField fieldKind = "boolean"
	dateField    fieldKind = "date"
	linkField    fieldKind = "link"
	wordField    fieldKind = "word" // one of the caller's
	textField    fieldKind = "text" // the only one that can hold what its author likes
)

// pageField is one field of an answer. Every field can be null as well: the page does not tell.
type pageField struct {
	name  string
	kind  fieldKind
	about string   // what the caller says of it
	list  []string // of a wordField
}

// hasText reports whether an answer of these fields can hold a stranger's words.
func hasText(fields []pageField) bool { return hasKind(fields, textField) }

func hasKind(fields []pageField, kind fieldKind) bool {
	return slices.ContainsFunc(fields, func(f pageField) bool { return f.kind == kind })
}

// readFields reads the argument schema: the name of a type by the name of each field, or the JSON Schema of an object
// that is as flat. Keywords which would only narrow a type are passed over. None means one field of text.
func readFields(schema map[string]any) ([]pageField, *tools.Error) {
	if properties, ok := schema["properties"].(map[string]any); ok {
		schema = properties
	}
	if len(schema) == 0 {
		return []pageField{{name: "answer", kind: textField}}, nil
	}
	if len(schema) > maxPageFields {
		return nil, tools.Invalid(event.CodeInvalidValue, "schema: an answer has at most %d fields", maxPageFields)
	}
	fields := make([]pageField, 0, len(schema))
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		if !fieldName(name) {
			const words = "schema: a field's name is at most %d letters, digits, blanks, dashes and underscores"
			return nil, tools.Invalid(event.CodeInvalidValue, words, maxFieldName)
		}
		f, ok := readField(schema[name])
		if !ok {
			return nil, tools.Invalid(event.CodeInvalidValue, "schema/%s: is no type", name).
				Suggest(`use integer, number, boolean, date, link, text, or a list of words such as ["yes","no"]`)
		}
		f.name = name
		fields = append(fields, f)
	}
	return fields, nil
}

func fieldName(name string) bool {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_", r)
	}
	return strings.TrimSpace(name) == name && name != "" && utf8.RuneCountInString(name) <= maxFieldName && !strings.ContainsFunc(name, odd)
}

// readField reads the type of one field.
func readField(v any) (pageField, bool) {
	switch v := v.(type) {
	case string:
		kind, ok := fieldKindOf(v, "")
		return pageField{kind: kind}, ok
	case []any:
		list, ok := wordList(v)
		return pageField{kind: wordField, list: list}, ok
	case map[string]any:
		about, _ := v["description"].(string)
		if list, has := v["enum"]; has {
			words, _ := list.([]any)
			list, ok := wordList(words)
			return pageField{kind: wordField, list: list, about: about}, ok
		}
		name, _ := v["type"].(string)
		if names, ok := v["type"].([]any); ok { // "integer" or "null"
			names = slices.DeleteFunc(slices.Clone(names), func(n any) bool { return n == "null" })
			if len(names) == 1 {
				name, _ = names[0].(string)
			}
		}
		format, _ := v["format"].(string)
		kind, ok := fieldKindOf(name, format)
		return pageField{kind: kind, about: about}, ok
	}
	return pageField{}, false
}

// fieldKindOf returns the kind of field that a type means, in the words of JSON Schema too.
func fieldKindOf(name, format string) (fieldKind, bool) {
	switch strings.ToLower(name) {
	case "integer", "int":
		return integerField, true
	case "number", "float":
		return numberField, true
	case "boolean", "bool":
		return booleanField, true
	case "date":
		return dateField, true
	case "link", "url", "uri":
		return linkField, true
	case "text", "string":
		switch format {
		case "date":
			return dateField, true
		case "uri", "url":
			return linkField, true
		}
		return textField, true
	}
	return "", false
}

// wordList reads the words that a field can choose from.
func wordList(list []any) ([]string, bool) {
	words := make([]string, 0, len(list))
	for _, v := range list {
		w, ok := v.(string)
		if v == nil { // every field can be null
			continue
		}
		if !ok || strings.TrimSpace(w) == "" || utf8.RuneCountInString(w) > maxFieldWord {
			return nil, false
		}
		words = append(words, w)
	}
	return words, len(words) > 0 && len(words) <= maxFieldWords
}

// words says what a field holds, to the model that is to fill it.
func (f pageField) words() string {
	text := map[fieldKind]string{
		integerField: "a whole number", numberField: "a number", booleanField: "true or false", dateField: "a date, YYYY-MM-DD",
		linkField: "the address of a link of the page", textField: "text",
	}[f.kind]
	if f.kind == wordField {
		quoted := make([]string, len(f.list))
		for i, w := range f.list {
			quoted[i] = fmt.Sprintf("%q", w)
		}
		text = "one of " + strings.Join(quoted, ", ")
	}
	text += ", or null"
	if f.about != "" {
		text += " (" + f.about + ")"
	}
	return text
}

// answerSchema returns the JSON Schema of an answer. It says what a grammar can make a model keep to; the answer is held
// against the fields themselves.
func answerSchema(fields []pageField, links []string) json.RawMessage {
	properties, names := map[string]any{}, make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, f.name)
		properties[f.name] = f.schema(links)
	}
	raw, err := json.Marshal(map[string]any{
		"type": "object", "properties": properties, "required": names, "additionalProperties": false,
	})
	if err != nil {
		panic(err) // strings alone
	}
	return raw
}

func (f pageField) schema(links []string) map[string]any {
	choice := func(list []string) map[string]any {
		all := lists.Map(list, func(one string) any { return one })
		return map[string]any{"enum": append(all, nil)}
	}
	switch f.kind {
	case wordField:
		return choice(f.list)
	case linkField:
		return choice(links)
	case dateField:
		return map[string]any{"type": []string{"string", "null"}, "format": "date"}
	case textField:
		return map[string]any{"type": []string{"string", "null"}}
	}
	return map[string]any{"type": []string{string(f.kind), "null"}}
}
