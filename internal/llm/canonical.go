package llm

import (
	"bytes"
	"encoding/json"
	"math"
)

// CanonicalArgs writes a call's arguments in one form, so that they can be compared: sorted names,
// no blanks, whole numbers plain, other numbers unchanged, because a float cannot hold long ones.
// Missing arguments become an empty object. Arguments that are not JSON stay as they are.
func CanonicalArgs(args json.RawMessage) string {
	if len(bytes.TrimSpace(args)) == 0 {
		return "{}"
	}
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.More() {
		return string(args)
	}
	text, err := json.Marshal(plainNumbers(v))
	if err != nil {
		return string(args)
	}
	return string(text)
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = plainNumbers(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = plainNumbers(inner)
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f)
		}
	}
	return v
}
