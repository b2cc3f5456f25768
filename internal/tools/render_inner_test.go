package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Render is the opposite of ParseCommand, for tests of it. It writes a call of t as the line of a command: what [Commands].Parse reads back into the same arguments. A few calls
// cannot be written so, such as one of a tool that is no command, or of an argument that is a number or a text where the text
// is "5": these are errors.
func Render(t Tool, args json.RawMessage) (string, error) {
	fail := func(err error) (string, error) { return "", fmt.Errorf("write %s as a command: %w", t.Name(), err) }
	d := DefOf(t)
	if d.Command == NoCommand {
		return fail(fmt.Errorf("it is none"))
	}
	check, err := checkerOf(t)
	if err != nil {
		return fail(err)
	}
	clean, bad := check.fit(args)
	if bad != nil {
		return fail(bad)
	}
	c, bad := newCommandLine(t)
	if bad != nil {
		return fail(bad)
	}
	words, err := c.words(d.Command != "", clean)
	if err != nil {
		return fail(err)
	}
	line := strings.Join(words, " ")
	back, err := ParseCommand(t, line)
	if err != nil || !sameArgs(back, clean) {
		return fail(fmt.Errorf("what would be read of it is something else"))
	}
	if line == "" {
		return wordOf(d), nil
	}
	return wordOf(d) + " " + line, nil
}

// words writes args as what stands after a command's name: in the order of the pattern where it can, else by name. What takes
// the rest of the line comes last. An optional argument of a pattern that was made from a schema goes by its name.
func (c *commandLine) words(own bool, args json.RawMessage) (words []string, err error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(args, &given); err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(given))
	for name, raw := range given {
		if texts[name], err = c.text(name, raw); err != nil {
			return nil, err
		}
	}
	last := ""
	for _, s := range c.slots {
		text, ok := texts[s.name]
		if !ok || !s.required && !own {
			break
		}
		if s.rest {
			if key, _ := c.misspelt(text); key == "" && text != "" && text == strings.TrimSpace(text) {
				last = text
				delete(texts, s.name)
			}
			break
		}
		words = append(words, asWord(text, true))
		delete(texts, s.name)
	}
	for _, a := range c.known {
		if text, ok := texts[a.name]; ok {
			words = append(words, a.name+"="+asWord(text, false))
		}
	}
	if last != "" {
		words = append(words, last)
	}
	return words, nil
}

// text is a value as it is read by the schema of an argument: a string as it is, unless it would be read as something else.
func (c *commandLine) text(name string, raw json.RawMessage) (string, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		if back, ok := c.value(name, text).(string); ok && back == text {
			return text, nil
		}
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		return "", err
	}
	return out.String(), nil
}

// asWord is text as one word of a line, bare where it can be. A word of its own must not be taken for name=value.
func asWord(text string, alone bool) string {
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case text == "" || first == '"' || first == '\'' || closingOf(first) != "":
	case alone && strings.Contains(text, "="):
	case strings.ContainsFunc(text, func(r rune) bool { return r == '\\' || unicode.IsSpace(r) || !unicode.IsPrint(r) }):
	default:
		return text
	}
	if !strings.Contains(text, "'") && strings.ContainsAny(text, `"\`) {
		return "'" + text + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// sameArgs reports whether a and b are the same arguments.
func sameArgs(a, b json.RawMessage) bool {
	one, err := Canonical(a)
	if err != nil {
		return false
	}
	other, err := Canonical(b)
	return err == nil && slices.Equal(one, other)
}
