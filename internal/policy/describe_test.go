package policy_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

func TestAQuestionShowsAllAndHidesNothing(t *testing.T) {
	asked := event.Asked{
		Tool: "run_command", Repairs: []string{"closed a brace\n(it asks)"},
		Args: json.RawMessage("{\"command\":\"echo \\u202egood\\u001b[2J\\nrm -rf /\",\"timeout\":5,\"env\":{\"A\":\"b\"}}"),
	}
	want := `command: echo \u{202e}good\u{1b}[2J
    rm -rf /
timeout: 5
env: {"A":"b"}
(repaired: closed a brace\u{a}(it asks))`
	if got := policy.Render(asked, time.UTC); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, ünïcödé, 日本語　です, 👍": "plain, ünïcödé, 日本語　です, 👍",
		"a\tb\rc\x00d\x7f":           `a\u{9}b\u{d}c\u{0}d\u{7f}`,
		"a\nb\n":                     "a\n    b\n    ",
		"\u200b\u200d\u2060\ufeff":   `\u{200b}\u{200d}\u{2060}\u{feff}`,
		"\u202a\u202e\u2066\u2069":   `\u{202a}\u{202e}\u{2066}\u{2069}`,
		"\u2028\u2029\u0085":         `\u{2028}\u{2029}\u{85}`,
		"\u00a0\u2003\u202f":         `\u{a0}\u{2003}\u{202f}`,
		"\u00ad\u034f\u3164\u115f":   `\u{ad}\u{34f}\u{3164}\u{115f}`,
		"\U000e0041\U000e007f\ufe0f": `\u{e0041}\u{e007f}\u{fe0f}`,
		"\u2800\ue000\U0010ffff":     `\u{2800}\u{e000}\u{10ffff}`,
		"a\xffb\xc3":                 `a\x{ff}b\x{c3}`,
		`a\b \u{202e} \x{ff} \\`:     `a\b \u{5c}u{202e} \u{5c}x{ff} \\`,
	} {
		if got := policy.Visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestRender(t *testing.T) {
	for _, c := range []struct {
		name  string
		asked event.Asked
		want  string
	}{
		{"a command", event.Asked{
			Tool: "run_command", Args: json.RawMessage(`{"command":"sh a.sh\n(it asks because all is well)","timeout":5}`),
			Binding: event.Binding{Profile: "T1, no network", Dir: "/srv/w", Files: []event.BoundFile{{Path: "a.sh", Sum: strings.Repeat("ab", 32)}}},
			Hash:    strings.Repeat("0123456789", 6), Rule: "unconfined", Text: "is not looked at",
		}, `command: sh a.sh
    (it asks because all is well)
timeout: 5
(runs in T1, no network)
(working folder: /srv/w)
(runs a.sh, SHA-256 abababababab)
(it asks because no sandbox keeps what it runs to the workspace: rule unconfined)
(run_command, record 012345678901)`},
		{"no arguments", event.Asked{Tool: "x", Args: json.RawMessage(`{}`), Rule: "spends", Hash: "ab"}, "(it asks because it costs money: rule spends)\n(x, record ab)"},
		{"an unknown rule", event.Asked{Tool: "x", Rule: "new\nrule"}, `(it asks by rule new\u{a}rule)`},
		{"names that are remarks", event.Asked{Args: json.RawMessage(`{"(it asks because":1,"a\nb":2,"c\"\u200b":3,"":4,"\u3164":5}`)}, `"(it asks because": 1
"a\u{a}b": 2
"c\u{22}\u{200b}": 3
"": 4
"\u{3164}": 5`},
		{"a binding of several lines", event.Asked{Binding: event.Binding{Profile: "a\n(b)", Dir: "/c\nd", Files: []event.BoundFile{{Path: "e\nf", Sum: "\u202e"}}}},
			`(runs in a\u{a}(b))
(working folder: /c\u{a}d)
(runs e\u{a}f, SHA-256 \u{202e})`},
		{"no object", event.Asked{Args: json.RawMessage(`[1,"a"]`)}, `arguments: [1,"a"]`},
		{"a broken object", event.Asked{Args: json.RawMessage(`{"a":1,"b`)}, `arguments: {"a":1,"b`},
		{"more than an object", event.Asked{Args: json.RawMessage(`{"a":1}{"b":2}`)}, `arguments: {"a":1}{"b":2}`},
		{"a name twice", event.Asked{Args: json.RawMessage(`{"a":1,"a":2}`)}, "a: 1\na: 2"},
	} {
		if got := policy.Render(c.asked, time.UTC); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// oddText draws what could fool a reader, between plain letters.
func oddText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOf(rapid.OneOf(
			rapid.SampledFrom([]string{"\n", "\n    ", "\r", "\t", "\x1b[2J", "\u202e", "\u200b", "\u2028", "\U000e0041", "\u3164", `\u{a}`, `\u{5c}`, `\`, "u{", "x{", "}", "a: b\n(c)", "\u00a0"}),
			rapid.String(),
		)).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

// seen undoes policy.Visible: if it can be undone, nothing was lost.
func seen(t *rapid.T, s string) string {
	s = strings.ReplaceAll(s, "\n    ", "\n")
	var b strings.Builder
	for s != "" {
		head, tail, found := strings.Cut(s, `\u{`)
		b.WriteString(head)
		if !found {
			break
		}
		digits, rest, _ := strings.Cut(tail, "}")
		r, err := strconv.ParseUint(digits, 16, 32)
		if err != nil {
			t.Fatalf("no escape: %q", tail)
		}
		b.WriteRune(rune(r))
		s = rest
	}
	return b.String()
}

// Whatever the arguments are, all of it is shown, and nothing else.
func TestRenderProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, list := strings.ToValidUTF8(oddText().Draw(t, "text"), "?"), oddText().Draw(t, "list")
		args, err := json.Marshal(map[string]any{"a": text, "b": []string{list}, "c": 5})
		if err != nil {
			t.Fatal(err)
		}
		if args, err = tools.Canonical(args); err != nil {
			t.Fatal(err)
		}
		var raw map[string]json.RawMessage
		if err := json.Unmarshal(args, &raw); err != nil {
			t.Fatal(err)
		}
		call := callOf(toolOf(tools.Def{Bind: bindTo(event.Binding{Dir: "/srv/w"})}))
		call.Args = args
		asked, err := policy.NewQuestion(t.Context(), "", time.UTC, call, policy.Ruling{Rule: policy.RuleSpends})
		if err != nil {
			t.Fatal(err)
		}
		shown := asked.Text
		if shown != policy.Render(asked, time.UTC) {
			t.Fatal("the text is not the record's")
		}
		for _, r := range shown {
			if r != '\n' && (!unicode.IsGraphic(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Bidi_Control, unicode.Variation_Selector)) {
				t.Fatalf("%q holds %U", shown, r)
			}
		}
		if !utf8.ValidString(shown) {
			t.Fatalf("%q is no UTF-8", shown)
		}
		rest, ok := strings.CutSuffix(shown, "\nc: 5\n(working folder: /srv/w)\n(it asks because it costs money: rule spends)\n(x, record "+asked.Hash[:12]+")")
		if !ok {
			t.Fatalf("it does not end as it should: %q", shown)
		}
		a, b, ok := strings.Cut(strings.TrimPrefix(rest, "a: "), "\nb: ")
		if !ok || seen(t, a) != text || seen(t, b) != string(raw["b"]) {
			t.Fatalf("%q and %s are shown as\n%s", text, raw["b"], shown)
		}
	})
}
