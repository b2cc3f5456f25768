package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// arguments shows a call's arguments in a few words: the value alone where there is one, else name=value.
func arguments(args json.RawMessage) string {
	names, values, ok := members(args)
	if !ok {
		if s := strings.TrimSpace(string(args)); s != "" {
			return " " + oneLine(s)
		}
		return ""
	}
	b := &strings.Builder{}
	for i, name := range names {
		b.WriteByte(' ')
		if len(names) > 1 {
			b.WriteString(oneLine(name) + "=")
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
			return oneLine(string(raw))
		}
		return oneLine(b.String())
	}
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, "\"=") || among && strings.ContainsAny(s, " \t") {
		return oneLine(strconv.Quote(s))
	}
	return oneLine(s)
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

// Bytes shows a number of bytes in units of a thousand, as disks and networks are sold.
func Bytes(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}
