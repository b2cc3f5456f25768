package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
)

// arguments shows a call's arguments in a few words: the value alone where there is one, else name=value.
func arguments(args json.RawMessage) string {
	names, values, ok := members(args)
	if !ok {
		if s := strings.TrimSpace(string(args)); s != "" {
			return " " + display.OneLine(s)
		}
		return ""
	}
	b := &strings.Builder{}
	for i, name := range names {
		b.WriteByte(' ')
		if len(names) > 1 {
			b.WriteString(display.OneLine(name) + "=")
		}
		b.WriteString(value(values[i], len(names) > 1))
	}
	return b.String()
}

// members returns the members of a JSON object in the order in which they are written.
func members(object json.RawMessage) (names []string, values []json.RawMessage, ok bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, false
	}
	for d.More() {
		t, err := d.Token()
		name, isName := t.(string)
		var v json.RawMessage
		if err != nil || !isName || d.Decode(&v) != nil {
			return nil, nil, false
		}
		names, values = append(names, name), append(values, v)
	}
	return names, values, true
}

// value shows a JSON value, one among others or alone; a text without its quotes where that cannot mislead.
func value(raw json.RawMessage, among bool) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		b := &bytes.Buffer{}
		if json.Compact(b, raw) != nil {
			return display.OneLine(string(raw))
		}
		return display.OneLine(b.String())
	}
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, "\"=") || among && strings.ContainsAny(s, " \t") {
		return display.OneLine(strconv.Quote(s))
	}
	return display.OneLine(s)
}

// duration shows how long something took, with two or three digits.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}
