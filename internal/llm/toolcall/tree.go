package toolcall

import (
	"encoding/json"
	"slices"
	"strings"

	"hob/internal/jsonl"
)

// value is a piece of JSON that remembers how it was written: the order of its members, their escapes, the digits of its
// numbers. Writing it gives the same bytes back, without the blanks between them.
type value struct {
	kind     byte     // '{', '[', '"', '0' a number, 't' true or false, 'n' null; 'w', 'v' and 'e': see resolved
	raw      string   // of a scalar: as it was written
	members  []member // of an object
	items    []*value // of an array
	from, to int      // where it stands
	open     bool     // it has no end
	comma    bool     // a comma stands before its end
	wrong    string   // why it is no value, for the model to read
}

// resolved is v, which is 'w', 'v' or 'e', as JSON where its schema does not matter. 'w' are words without quotes, 'v' such words where only a variable
// stands without them, 'e' is what stood between two tags.
func (v *value) resolved() *value {
	if now, ok := parse(literal(strings.TrimSpace(v.raw))); ok {
		return now
	}
	return &value{kind: '"', raw: quote(v.raw)}
}

// member is a name in an object and what it stands for.
type member struct {
	key   string // what the name means
	raw   string // how it was written
	value *value
}

// parse reads text strictly. It reports false for what is not exactly one piece of JSON.
func parse(text string) (*value, bool) {
	if !json.Valid([]byte(text)) {
		return nil, false
	}
	r := lenient{src: text, valid: true}
	return r.value(0)
}

// unquote returns what a JSON string means.
func unquote(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw[1 : len(raw)-1]
	}
	var s string
	if json.Unmarshal([]byte(raw), &s) != nil {
		return raw
	}
	return s
}

// quote writes s as a JSON string, without the escapes that only HTML needs.
func quote(s string) string {
	raw, _ := jsonl.Marshal(s) // no string has an error
	return string(raw)
}

// text returns what a string means, and what any other scalar was written as.
func (v *value) text() string {
	if v.kind == '"' {
		return unquote(v.raw)
	}
	return v.raw
}

func (v *value) scalar() bool { return v.kind != '{' && v.kind != '[' }

// get returns the first member of that name, or nil.
func (v *value) get(key string) *value {
	for _, m := range v.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// doubled reports whether a name stands twice anywhere in v.
func (v *value) doubled() bool {
	seen := make(map[string]bool, len(v.members))
	for _, m := range v.members {
		if seen[m.key] || m.value.doubled() {
			return true
		}
		seen[m.key] = true
	}
	return slices.ContainsFunc(v.items, (*value).doubled)
}

// String is v as compact JSON.
func (v *value) String() string { return string(v.append(nil)) }

func (v *value) append(out []byte) []byte {
	switch v.kind {
	case '{':
		out = append(out, '{')
		for i, m := range v.members {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(out, m.raw...), ':')
			out = m.value.append(out)
		}
		return append(out, '}')
	case '[':
		out = append(out, '[')
		for i, item := range v.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = item.append(out)
		}
		return append(out, ']')
	case 'w', 'v', 'e':
		return v.resolved().append(out)
	}
	return append(out, v.raw...)
}
