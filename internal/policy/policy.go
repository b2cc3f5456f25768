// Package policy says whether a call may run: at once, after a person has said yes, or not at all. It judges by what a
// tool says it may do, not by patterns in its arguments, and it waits for nobody: asking is the session's work.
package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"hob/internal/llm"
	"hob/internal/tools"
)

// Expiry is how long a question waits for its answer; after that it counts as a no.
const Expiry = 24 * time.Hour

// Verdict is what policy thinks of a call.
type Verdict int

// The verdicts. The zero Verdict asks.
const (
	Ask Verdict = iota
	Allow
)

// Judge says whether a call of tool with args may run without asking: what only looks, and what changes nothing but the
// workspace, programs that the kernel keeps to it included. Whatever else runs programs, destroys, sends what is not a
// plain read, spends or changes rights asks every time. Args are valid; nil stands for a call with nothing special.
func Judge(ctx context.Context, tool tools.Tool, args json.RawMessage) Verdict {
	powers := tools.PowersOf(ctx, tool, args)
	if powers&(tools.Destroys|tools.Spends|tools.Authority) != 0 {
		return Ask
	}
	if powers.Has(tools.Executes) && (!powers.Has(tools.Confined) || powers.Has(tools.Sends)) {
		return Ask
	}
	if powers.Has(tools.Sends) && !powers.Has(tools.Reads) {
		return Ask
	}
	if powers&(tools.Reads|tools.Writes) == 0 {
		return Ask
	}
	return Allow
}

// Because says in a few words why a call that [Judge] asks about does not run by itself.
func Because(ctx context.Context, tool tools.Tool, args json.RawMessage) string {
	powers := tools.PowersOf(ctx, tool, args)
	for _, c := range []struct {
		has tools.Powers
		why string
	}{
		{tools.Executes | tools.Sends, "what it runs may reach the network"},
		{tools.Executes, "no sandbox keeps it to the workspace; hob doctor says more"},
		{tools.Authority, "it changes what others may do"},
		{tools.Spends, "it costs money"},
		{tools.Destroys, "what it does cannot be taken back"},
		{tools.Sends, "it sends something out"},
	} {
		if powers.Has(c.has) && (c.has != tools.Executes || !powers.Has(tools.Confined)) {
			return c.why
		}
	}
	return "it does not say what it does"
}

// Question is what a person is shown who is asked about a call: all of it, and why it asks.
func Question(ctx context.Context, tool tools.Tool, c llm.Call) string {
	return strings.TrimPrefix(Describe(c)+"\n(it asks because "+Because(ctx, tool, c.Args)+")", "\n")
}

// Describe renders a call's arguments for the person who is asked about it, each in full on a line, with characters
// that a terminal or a reader could be fooled by shown as escapes. A call that was mended says so.
func Describe(c llm.Call) string {
	var b strings.Builder
	dec := json.NewDecoder(bytes.NewReader(c.Args))
	dec.UseNumber()
	if _, err := dec.Token(); err == nil {
		for dec.More() {
			key, _ := dec.Token()
			var val json.RawMessage
			if err := dec.Decode(&val); err != nil {
				break
			}
			text := string(val)
			_ = json.Unmarshal(val, &text) // a string shows as itself, anything else as its JSON
			fmt.Fprintf(&b, "%s: %s\n", Visible(fmt.Sprint(key)), Visible(text))
		}
	}
	for _, r := range c.Repairs {
		fmt.Fprintf(&b, "(repaired: %s)\n", Visible(r))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Visible shows control, format and bidirectional characters of s as escapes; line ends stay, indented.
func Visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString("\n    ")
		case r == '\t' || unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}
