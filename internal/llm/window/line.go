package window

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/excerpt"
	"hob/internal/jsonl"
	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

// How many bytes of a text stay when it becomes a line.
const (
	shortResult  = 160 // a result up to this length stays whole
	maxLine      = 460 // limit for the line of a result, the sum of its parts
	headOfHandle = 40
	headOfName   = 64
	headOfResult = 100 // of the first line of a result
	aboutTask    = 200 // of the lines of a result about the task
	headOfValue  = 80  // of an argument's value
	headOfArgs   = 120 // of all arguments
	headOfAsked  = 200
	headOfAnswer = 400 // answers are worth more than the steps to them
	headOfSaid   = 120
	briefAsked   = 56
	briefAnswer  = 88
)

// arrow separates a call from its outcome.
const arrow = " → "

// step returns a call with its result as a line.
func (h History) step(c llm.Call, result llm.Message, handle string) string {
	called := callLine(c)
	if isStep(result.Text, called) {
		return result.Text // it is a line already
	}
	if handle != "" {
		called = clip(handle, headOfHandle) + " " + called
	}
	return called + arrow + outcome(result.Text, h.Task)
}

// callLine returns a call as the beginning of a line.
func callLine(c llm.Call) string {
	name := clip(c.Name, headOfName)
	if args := argsLine(c.Args); args != "" {
		return name + " " + args
	}
	return name
}

// isStep reports whether a result is a line of step, with or without a handle.
func isStep(text, called string) bool {
	if len(text) > maxLine || strings.ContainsRune(text, '\n') {
		return false
	}
	if strings.HasPrefix(text, called+arrow) {
		return true
	}
	_, rest, _ := strings.Cut(text, " ")
	return strings.HasPrefix(rest, called+arrow)
}

// outcome describes a result: its length, its success, and its lines about the task, or its
// beginning if there are none.
func outcome(text string, task excerpt.Query) string {
	first := firstLine(text)
	if isFailure(text) || first == "" {
		if first == "" {
			return "ok, empty"
		}
		if withoutFence(text) != text {
			return "error: " + first // a stranger's words stay inside the fence
		}
		return first
	}
	if withoutFence(text) == text { // a stranger's words stay inside the fence
		if about := task.Best(withoutNotes(text), aboutTask); about != "" {
			first = about
		}
	}
	n := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1
	if all := wholeLines(text); all > 0 {
		n = all
	} else if isPartial(text) {
		n = 1
	}
	if n == 1 {
		return "ok: " + first
	}
	return fmt.Sprintf("%d lines, ok: %s", n, first)
}

// lineNotes matches the note in a shortened result about its number of lines.
var lineNotes = lazyregexp.New(`\n\[(?:lines [0-9]+-[0-9]+ of |\.\.\. [^\n]*?(?:\(|; it has ))([0-9]+)(?: lines|[;,\]])[^\n]*`)

// wholeLines returns the number of lines of the whole result, or 0 if no note says so.
func wholeLines(text string) int {
	m := lineNotes().FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}

// withoutNotes removes the notes about what is shown from a result.
func withoutNotes(text string) string {
	text = strings.ReplaceAll(text, "\n[further on:]", "")
	return lineNotes().ReplaceAllString(text, "")
}

// isPartial reports whether a result has a note that some of it is missing.
func isPartial(text string) bool {
	return strings.Contains(text, "\n[...") || strings.Contains(text, "\n[…")
}

// firstLine returns the beginning of the first line of a text that is not blank.
func firstLine(text string) string {
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if s := clip(line, headOfResult); s != "" {
			return s
		}
		text = rest
	}
	return ""
}

// isFailure reports whether a result, whole or as a line, belongs to a failed call.
func isFailure(text string) bool {
	return strings.HasPrefix(withoutFence(text), "error:") || isLine(text) && strings.Contains(text, arrow+"error:")
}

// withoutFence removes the first line of a fence, if text has one.
func withoutFence(text string) string {
	if first, rest, _ := strings.Cut(text, "\n"); isFence(first) {
		return rest
	}
	return text
}

// withoutStranger returns a text up to the fence around a stranger's words, including its first
// line, which names the source: a list has no fences.
func withoutStranger(text string) string {
	for end := 0; end < len(text); end++ {
		first, _, _ := strings.Cut(text[end:], "\n")
		if end += len(first); isFence(first) {
			return text[:end]
		}
	}
	return text
}

// isDeniedResult reports whether a result, whole or as a line, says that the call was denied.
func isDeniedResult(text string) bool {
	return strings.HasPrefix(text, "error: denied") || isLine(text) && strings.Contains(text, arrow+"error: denied")
}

func isLine(text string) bool { return len(text) <= maxLine && !strings.ContainsRune(text, '\n') }

// argsLine shortens the arguments of a call: only the value of a single argument, else key=value.
func argsLine(args json.RawMessage) string {
	keys, values, ok := members(args)
	if !ok {
		return clip(string(args), headOfArgs)
	}
	if len(keys) == 1 {
		return clip(values[0], headOfValue)
	}
	var b strings.Builder
	for i, k := range keys {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		v := clip(values[i], headOfValue)
		if len(values[i]) > headOfValue {
			v = fmt.Sprintf("(%d bytes)", len(values[i])) // such as the content of a file, whose beginning says little
		}
		b.WriteString(k + "=" + v)
		if b.Len() > headOfArgs {
			break
		}
	}
	return clip(b.String(), headOfArgs)
}

// members returns the keys and values of a JSON object, in order, strings without quotes.
func members(args json.RawMessage) (keys, values []string, ok bool) {
	all, ok := jsonl.Members(args)
	for _, m := range all {
		value := string(m.Value)
		if text := ""; json.Unmarshal(m.Value, &text) == nil && m.Value[0] == '"' {
			value = text
		}
		keys, values = append(keys, m.Name), append(values, value)
	}
	return keys, values, ok
}

// clip turns a text into one line of valid UTF-8 with at most limit bytes; an ellipsis marks a cut.
func clip(s string, limit int) string {
	s = strings.TrimSpace(s)
	more := ""
	if most := 4*limit + 64; len(s) > most { // blanks may make it longer than the result, but not by much
		s, more = s[:most], "…"
	}
	return display.TruncateBytes(display.Join(strings.ToValidUTF8(s, ""))+more, limit)
}

// handleAhead matches the handle at the beginning of a line.
var handleAhead = lazyregexp.New(`^out:[0-9]+ `)

// remnant returns what stays of a step of an earlier turn: its denial, or the handle of its result.
func remnant(line string) string {
	switch {
	case strings.Contains(line, arrow+"error: denied"):
		return line
	case handleAhead().MatchString(line):
		called, _, _ := strings.Cut(line, arrow)
		return called
	}
	return ""
}
