package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/jsonl"
	"hob/internal/lists"
)

// part returns the schema that a member of an object is, or nil.
func part(o object, name string) object {
	s, _ := o[name].(object)
	return s
}

// count returns a keyword's whole number.
func count(s object, keyword string) (int, bool) {
	n, ok := s[keyword].(json.Number)
	return int(float(n)), ok
}

// typesOf returns the types that a schema wants, in an order of their own.
func typesOf(s object) []string {
	var want []string
	switch t := s["type"].(type) {
	case string:
		want = []string{t}
	case []any:
		for _, one := range t {
			name, _ := one.(string)
			want = append(want, name)
		}
	}
	order := []string{"null", "boolean", "number", "integer", "string", "array", "object"}
	slices.SortStableFunc(want, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
	return want
}

// isA reports whether a value is of a type.
func isA(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case json.Number:
		return name == "number" || name == "integer" && whole(float(v))
	}
	return false
}

// article returns the name of a type as it stands in a sentence, "" if there is no such type.
func article(name string) string {
	switch name {
	case "null":
		return name
	case "integer", "array", "object":
		return "an " + name
	case "string", "number", "boolean":
		return "a " + name
	}
	return ""
}

// types renders the types that are wanted: "an integer or a string".
func types(want []string) string {
	texts := lists.Map(want, article)
	return strings.Join(texts, " or ")
}

// floats returns a value with its numbers as the validator takes them.
func floats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			out[name] = floats(member)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = floats(item)
		}
		return out
	case json.Number:
		return float(v)
	}
	return v
}

// float returns the number that is nearest to n, but no fraction becomes 0 and nothing infinite: numbers are held
// against a schema as most programs read them.
func float(n json.Number) float64 {
	f, err := n.Float64()
	mantissa, _, _ := strings.Cut(strings.ToLower(n.String()), "e")
	switch {
	case err != nil:
		return math.Copysign(math.MaxFloat64, f)
	case f == 0 && strings.ContainsAny(mantissa, "123456789"):
		return math.Copysign(math.SmallestNonzeroFloat64, f)
	}
	return f
}

func whole(f float64) bool { return math.Trunc(f) == f }

func list(values []any) string {
	texts := lists.Map(values, Short)
	return strings.Join(texts, ", ")
}

func decimal(f float64) string {
	if whole(f) {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'f', 3, 64)
}

// JoinPath appends a step to a JSON pointer.
func JoinPath(path, step string) string {
	if strings.ContainsAny(step, "~/") { // hardly ever
		step = strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
	}
	return path + "/" + step
}

// Short renders a value as short JSON.
func Short(v any) string {
	raw, err := jsonl.Marshal(v)
	if err != nil {
		return fmt.Sprintf("a %T", v)
	}
	return Shorten(string(raw))
}

// Shorten cuts s to what an error message can bear, between two runes.
func Shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return s[:display.CutAt(s, most)] + "..."
}
