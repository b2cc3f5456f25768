package policy_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

func TestRender_Sentence(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*3600)
	for _, c := range []struct{ name, tool, args, lang, want string }{
		{"a reminder", "remind", `{"at":"2026-11-26T23:00:00Z","text":"call Ana","lang":"en"}`, "", `remind you of "call Ana": Fri 27 Nov 2026, 08:00`},
		{"in German", "remind", `{"at":"2026-11-26T23:00:00Z","text":"Ana","lang":"de"}`, "de", `dich an "Ana" erinnern: Fr. 27. November 2026, 08:00`},
		{"in Russian", "remind", `{"at":"2026-11-26T23:00:00Z","text":"чай"}`, "ru", `напомнить вам: "чай", пт 27 ноября 2026, 08:00`},
		{"in Chinese", "remind", `{"at":"2026-11-26T23:00:00Z","text":"茶"}`, "zh", `提醒您："茶"，2026年11月27日周五 08:00`},
		{"that is told in another language", "remind", `{"at":"2026-11-26T23:00:00Z","text":"tea","lang":"ru"}`, "", "remind you of \"tea\": Fri 27 Nov 2026, 08:00\nlang: ru"},
		{"that may mean another time", "remind", `{"at":"2026-11-26T23:00:00Z","other":"2026-11-27T11:00:00Z","text":"tea"}`, "", `remind you of "tea": Fri 27 Nov 2026, 08:00 (or perhaps Fri 27 Nov 2026, 20:00)`},
		{"for another person", "remind", `{"at":"tomorrow at 8","for":"Ben","text":"tea"}`, "", `remind "Ben" of "tea": "tomorrow at 8"`},
		{"that repeats", "remind", `{"at":"2026-11-26T23:00:00Z","repeat":"FREQ=DAILY","text":"tea","until_done":true}`, "",
			"remind you of \"tea\": every day, 08:00, from Fri 27 Nov 2026\nrepeat: FREQ=DAILY\nuntil_done: true"},
		{"whose rule is none", "remind", `{"at":"2026-11-26T23:00:00Z","repeat":"x\n(y)","text":"tea"}`, "", "remind you of \"tea\": Fri 27 Nov 2026, 08:00\nrepeat: x\n    (y)"},
		{"two of them", "remind", `{"also":[{"at":"2026-11-27T23:00:00Z","text":"dad"}],"at":"2026-11-26T23:00:00Z","text":"mum"}`, "",
			"remind you of \"mum\": Fri 27 Nov 2026, 08:00\nremind you of \"dad\": Sat 28 Nov 2026, 08:00"},
		{"two, one of which says more", "remind", `{"also":[{"text":"dad","until_done":true}],"at":"2026-11-26T23:00:00Z","text":"mum"}`, "",
			"remind you of \"mum\": Fri 27 Nov 2026, 08:00\nalso: [{\"text\":\"dad\",\"until_done\":true}]"},
		{"a timer", "remind", `{"at":"2026-11-26T23:00:05Z","text":"pasta","timer":true}`, "", `set a timer for "pasta" until Fri 27 Nov 2026, 08:00:05`},
		{"no timer", "remind", `{"text":"pasta","timer":false}`, "", "remind you of \"pasta\"\ntimer: false"},
		{"a part of a second", "remind", `{"at":"2026-11-26T23:00:00.5Z","text":"tea"}`, "", `remind you of "tea": "2026-11-26T23:00:00.5Z"`},
		{"all timers", "reminder", `{"change":"cancel all","only":"timers"}`, "de", "Timer: alle streichen\n(ändert 2 Timer, 1 Erinnerung)"},
		{"a reminder by its number", "reminder", `{"change":"done","id":7,"only":"rung"}`, "", "reminder #7: done\nonly: rung\n(changes 2 timers, 1 reminder)"},
		{"words that hold a word of hob's", "reminder", `{"change":"cancel all = cancel all\nword.done","id":7}`, "", "reminder #7: \"cancel all = cancel all\\nword.done\"\n(changes 2 timers, 1 reminder)"},
		{"a list", "list_add", `{"items":["milk","eggs\n(it asks"],"list":"shopping"}`, "", `put "milk", "eggs\n(it asks" on the list "shopping"`},
		{"a list that is emptied", "list_remove", `{"all":true,"items":["milk"],"list":"shopping"}`, "", "take everything off the list \"shopping\"\nitems: [\"milk\"]"},
		{"quotes", "note_add", `{"text":"tea\" under \"x"}`, "", `note "tea\" under \"x"`},
		{"several lines", "note_add", `{"text":"a\nb"}`, "", "text: a\n    b"},
		{"a file", "write_file", `{"content":"a\n(b)","path":"notes/tea.md"}`, "", "write \"notes/tea.md\"\ncontent: a\n    (b)"},
		{"not what it takes", "delete_file", `{"path":{"a":1}}`, "", `path: {"a":1}`},
		{"a name twice", "delete_file", `{"path":"a","path":"b"}`, "", "path: a\npath: b"},
		{"a tool without a sentence", "run_command", `{"command":"ls"}`, "", "command: ls"},
	} {
		asked := event.Asked{Tool: c.tool, Args: json.RawMessage(c.args), Lang: c.lang}
		if c.tool == "reminder" {
			asked.Binding.Changes = "2 timers, 1 reminder"
		}
		if got := policy.Render(asked, tokyo); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Only hob's own tools have the sentences: a tool of a server under the same name does something else.
func TestNewQuestion_OfAServersTool(t *testing.T) {
	for source, want := range map[string]string{"": "forget \"tea\"\n", "a server": "fact: tea\n"} {
		call := callOf(toolOf(tools.Def{Name: "forget", Source: source}))
		call.Args = json.RawMessage(`{"fact":"tea"}`)
		got, err := policy.NewQuestion(t.Context(), "", time.UTC, call, policy.Ruling{})
		if err != nil || !strings.HasPrefix(got.Text, want) {
			t.Errorf("a tool of %q: %q, %v, want %q first", source, got.Text, err, want)
		}
	}
}

// Whatever a text is, the sentence shows all of it, within its quotes and in its line.
func TestRender_SentenceProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ReplaceAll(strings.ToValidUTF8(oddText().Draw(t, "text"), "?"), "\ufffd", "?")
		args, err := json.Marshal(map[string]any{"text": text, "topic": "t"})
		if err != nil {
			t.Fatal(err)
		}
		shown := policy.Render(event.Asked{Tool: "note_add", Args: args}, time.UTC)
		if strings.Contains(text, "\n") {
			if want := "text: " + policy.Visible(text) + "\ntopic: t"; shown != want {
				t.Fatalf("got\n%s\nwant\n%s", shown, want)
			}
			return
		}
		inside, ok := strings.CutPrefix(shown, `note "`)
		inside, ok2 := strings.CutSuffix(inside, `" under "t"`)
		if got := unquoted(t, inside); !ok || !ok2 || got != text {
			t.Fatalf("%q is shown as %q", text, shown)
		}
	})
}

// unquoted undoes the escapes of a text within quotes. One that ends before is an error.
func unquoted(t *rapid.T, s string) string {
	var b strings.Builder
	for s != "" {
		at := strings.IndexAny(s, `\"`)
		if at < 0 {
			return b.String() + s
		}
		b.WriteString(s[:at])
		if s = s[at:]; len(s) < 2 || s[0] == '"' {
			t.Fatalf("the quotes end at %q", s)
		}
		switch digits, rest, ok := strings.Cut(s[2:], "}"); {
		case s[1] == 'u' && ok:
			r, err := strconv.ParseUint(strings.TrimPrefix(digits, "{"), 16, 32)
			if err != nil {
				t.Fatalf("no escape: %q", s)
			}
			b.WriteRune(rune(r))
			s = rest
		case s[1] == 't':
			b.WriteByte('\t')
			s = s[2:]
		default:
			b.WriteByte(s[1])
			s = s[2:]
		}
	}
	return b.String()
}
