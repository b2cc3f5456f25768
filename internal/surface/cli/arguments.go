package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/jsonl"
)

// arguments shows a call's arguments in a few words: the value alone where there is one, else name=value.
func arguments(args json.RawMessage) string {
	all, ok := jsonl.Members(args)
	if !ok {
		if s := strings.TrimSpace(string(args)); s != "" {
			return " " + display.OneLine(s)
		}
		return ""
	}
	b := &strings.Builder{}
	for _, m := range all {
		b.WriteByte(' ')
		if len(all) > 1 {
			b.WriteString(display.OneLine(m.Name) + "=")
		}
		b.WriteString(value(m.Value, len(all) > 1))
	}
	return b.String()
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
