package cli

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
)

// TestMain has the tests happen in one time zone, wherever they are run: people are told the time of theirs.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// turn is one of each thing that can happen.
func turn() []event.Body {
	return []event.Body{
		event.Said{InputID: "i1", From: "me", Text: "tidy notes.md", Tail: "it is noon"},
		event.Delta{Text: "I look "},
		event.Delta{Thinking: "hm"},
		event.Delta{Text: "first."},
		event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: "I look first."}},
		event.Called{ID: "c1", Tool: "read_file", Args: json.RawMessage(`{"path":"notes.md"}`)},
		event.Started{CallID: "c1"},
		event.Returned{ID: "c1", Tool: "read_file", OK: true, Text: "1\n2\n3", DurationMS: 3},
		event.Called{ID: "c2", Tool: "write_file", Args: json.RawMessage(`{"path": "notes.md", "content": "a\nb", "mode": 7}`), Repairs: []string{"quotes"}},
		event.Asked{ID: "a1", CallID: "c2", Tool: "write_file", Args: json.RawMessage(`{"path":"notes.md"}`), Text: "write notes.md:\n  a\u200b\n  b\n", Expires: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
		event.Decided{ID: "a1", CallID: "c2", Allow: true, By: "cli"},
		event.Returned{ID: "c2", Tool: "write_file", OK: true, Text: "ok", Data: map[string]int{"bytes": 3}, Effects: []event.Effect{{Kind: "wrote", Target: "notes.md", Detail: "3 bytes"}}, DurationMS: 1234},
		event.Called{ID: "c3", Tool: "read_file", Args: json.RawMessage(`{"path":"no.md"}`)},
		event.Called{ID: "c4", Tool: "list", Args: nil},
		event.Returned{ID: "c3", Tool: "read_file", Text: "there is no file no.md\nmore", Error: &event.Error{Type: event.TypeNotFound, Code: event.CodeFileNotFound, Message: "there is no file no.md"}, DurationMS: 1},
		event.Returned{ID: "c4", Tool: "list", OK: true, Text: "", DurationMS: 65000},
		event.Decided{ID: "a2", CallID: "c5", By: "nobody"},
		event.Noted{Text: "loading qwen3:4b"},
		event.Trimmed{Before: 1},
		event.Resumed{},
		event.Replied{Text: "**Done.** It has `3` lines."},
		event.Ended{Reason: event.Done, Steps: 3, Calls: 4, PromptTokens: 812, EvalTokens: 90},
	}
}

func events(bodies []event.Body) []event.Event {
	var out []event.Event
	for i, b := range bodies {
		e := event.Event{Seq: int64(i + 1), Time: time.Date(2026, 1, 2, 3, 4, i, 5e8, time.UTC), Chat: "main", Turn: 1, Body: b}
		if _, ok := b.(event.Delta); ok {
			e.Seq = 0
		}
		out = append(out, e)
	}
	return out
}

func printed(t *testing.T, look Look, bodies ...event.Body) string {
	t.Helper()
	out := &strings.Builder{}
	p := NewPrinter(out, look)
	for _, e := range events(bodies) {
		if err := p.Event(e); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func TestATurnForAPerson(t *testing.T) {
	want := `› me
  │ tidy notes.md
→ read_file notes.md
✓ 3 lines · 3 ms
→ write_file path=notes.md content=a␊b mode=7 (mended)
◆ write_file asks to do this:
  │ write notes.md:
  │   a⟨U+200B⟩
  │   b
· without an answer by 2026-01-02 12:04 JST it is a no
◆ allowed by cli
✓ wrote notes.md (3 bytes) · 1.2 s
→ read_file no.md
→ list
✗ read_file: there is no file no.md
✓ list: nothing to say · 1 min 5 s
◆ not allowed: nobody could be asked
· loading qwen3:4b
Done. It has ` + "`3`" + ` lines.
`
	if diff := cmp.Diff(want, printed(t, Look{Said: true, Zone: time.FixedZone("JST", 9*3600)}, turn()...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a command came to is on the line whatever the command is, and one that failed is no success to who reads it.
func TestACommandsEnd(t *testing.T) {
	long := "echo " + strings.Repeat("x", 100)
	args, err := json.Marshal(map[string]any{"command": long})
	if err != nil {
		t.Fatal(err)
	}
	ended := func(id, detail string, bad bool) event.Returned {
		return event.Returned{ID: id, Tool: "run_command", OK: true, Text: "…", DurationMS: 3,
			Effects: []event.Effect{{Kind: "ran", Target: long, Detail: detail, Failed: bad}}}
	}
	called := func(id string) event.Called { return event.Called{ID: id, Tool: "run_command", Args: args} }
	got := printed(t, Look{Width: 90},
		called("1"), ended("1", "exit status 0; created 1 file", false),
		called("2"), ended("2", "exit status 10", true),
		called("3"), called("4"), ended("3", "killed after 1s: out of time", true), ended("4", "process 1", false))
	line := "→ run_command echo " + strings.Repeat("x", 70) + "…\n"
	want := line + "✓ exit status 0; created 1 file · 3 ms\n" +
		line + "✗ exit status 10 · 3 ms\n" +
		line + line + "✗ run_command: ran echo " + strings.Repeat("x", 24) + "… (killed after 1s: out of time) · 3 ms\n" +
		"✓ run_command: ran echo " + strings.Repeat("x", 24) + "… (process 1) · 3 ms\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where one value ends and the next begins must be seen.
func TestArgumentsAmongOthersAreQuoted(t *testing.T) {
	got := printed(t, Look{}, event.Called{ID: "1", Tool: "run_command", Args: json.RawMessage(`{"command":"ls -la","timeout":5,"language":"sh"}`)})
	if want := "→ run_command command=\"ls -la\" timeout=5 language=sh\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestATurnInATerminal(t *testing.T) {
	s := newScreen(t, 40, 100)
	s.Write([]byte(printed(t, Look{Colour: true, Width: 40, Height: 100, Live: true}, turn()...)))
	dimmed := func(s string) string { // as the screen shows it: each cell by itself
		b := &strings.Builder{}
		for _, r := range s {
			b.WriteString("\x1b[2m" + string(r) + reset)
		}
		return b.String()
	}
	lines := strings.Split(s.text(), "\n")
	if diff := cmp.Diff([]string{"I look first.", dimmed("→ read_file notes.md"), dimmed("✓ 3 lines · 3 ms"), dimmed("→ write_file path=notes.md content=a␊b …")}, lines[:4]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "\x1b[1mD\x1b[0m") {
		t.Errorf("the reply is not rendered: %q", last)
	}
}

func TestAStreamedReplyIsNotShownTwice(t *testing.T) {
	look := Look{Width: 40, Height: 20, Live: true}
	for _, c := range []struct {
		name   string
		bodies []event.Body
		want   string
	}{
		{"streamed", []event.Body{event.Delta{Text: "Hello "}, event.Delta{Text: "there."}, event.Generated{}, event.Replied{Text: "Hello there."}, event.Ended{Reason: event.Done}}, "Hello there."},
		{"not streamed", []event.Body{event.Replied{Text: "Hello."}, event.Ended{Reason: event.Done}}, "Hello."},
		{"streamed as something else", []event.Body{event.Delta{Text: `{"name":`}, event.Generated{}, event.Replied{Text: "Hello."}}, "{\"name\":\nHello."},
		{"a second try", []event.Body{event.Delta{Text: "Hel"}, event.Generated{}, event.Delta{Text: "Hello."}, event.Generated{}, event.Replied{Text: "Hello."}}, "Hel\nHello."},
		{"a note meanwhile", []event.Body{event.Delta{Text: "Hello"}, event.Noted{Text: "busy"}, event.Delta{Text: " there."}, event.Generated{}, event.Replied{Text: "Hello there."}}, "Hello\n· busy\n there."},
		{"two turns with the same answer", []event.Body{event.Delta{Text: "Yes."}, event.Generated{}, event.Replied{Text: "Yes."}, event.Ended{Reason: event.Done}, event.Delta{Text: "Yes."}, event.Generated{}, event.Replied{Text: "Yes."}}, "Yes.\nYes."},
		{"the end was held back", []event.Body{event.Delta{Text: "Do\n\n```\na {\n"}, event.Generated{}, event.Replied{Text: "Do\n\n```\na {\n}\n```\n\nso."}, event.Ended{Reason: event.Done}}, "Do\n\n```\na {\n}\n```\n\nso."},
		{"stopped", []event.Body{event.Delta{Text: "Hel"}, event.Generated{}, event.Replied{Text: "Hel\n\nStopped."}, event.Ended{Reason: event.Stopped}}, "Hel\nStopped."},
		{"an empty reply", []event.Body{event.Replied{}, event.Ended{Reason: event.Done}}, ""},
	} {
		s := newScreen(t, 40, 20)
		s.Write([]byte(printed(t, look, c.bodies...)))
		if diff := cmp.Diff(strings.ReplaceAll(c.want, "\n there", "\nthere"), s.text()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What only the owner may know stands in the data of a failure, and is shown.
func TestTheOwnersHintIsShown(t *testing.T) {
	got := printed(t, Look{}, event.Returned{Tool: "fetch", Text: "error: no", Error: &event.Error{Message: "no"},
		Data: map[string]any{"hint": "allow it in\n[fetch] allow"}})
	if want := "✗ no\n· allow it in␊[fetch] allow\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A reason is told where the reply is the model's; where it is hob's own, the reply says it.
func TestReasonsAreTold(t *testing.T) {
	for _, r := range []event.Reason{event.Denied, event.OverBudget, event.Looped, "other\x1b"} {
		got := printed(t, Look{}, event.Ended{Reason: r})
		if !strings.HasPrefix(got, "✗ ") || strings.Count(got, "\n") != 1 || strings.ContainsRune(got, '\x1b') {
			t.Errorf("%q is told as %q", r, got)
		}
	}
	for _, r := range []event.Reason{event.Done, event.Stopped, event.NoModel, event.Broken} {
		if got := printed(t, Look{}, event.Ended{Reason: r}); got != "" {
			t.Errorf("%q is told as %q", r, got)
		}
	}
}

func TestAPersonIsShownTheWholeOfWhatIsAsked(t *testing.T) {
	text := "run: echo \x1b[8mrm -rf ~\x1b[0m \u202etxt.exe  \u3164end"
	got := printed(t, Look{Width: 20}, event.Asked{Tool: "shell\nok", Text: text})
	want := "◆ shell␊ok asks to\n  do this:\n  │ run: echo ␛[8mrm\n  │  -rf ~␛[0m ⟨U+20\n  │ 2E⟩txt.exe  ⟨U+3\n  │ 164⟩end\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := printed(t, Look{}, event.Asked{Tool: "shell", Args: json.RawMessage(`{"command":"ls"}`)}); !strings.Contains(got, `  │ {"command":"ls"}`) {
		t.Errorf("without a text the arguments are not shown: %q", got)
	}
}

// What others wrote never begins a line, never ends one, and never commands the terminal.
func TestAnEventIsOneLineWhateverIsInIt(t *testing.T) {
	evil := "x\r\n✓ done\x1b[2J\u009b\u202e"
	raw, _ := json.Marshal(evil)
	for _, b := range []event.Body{
		event.Called{Tool: evil, Args: json.RawMessage(`{"a":` + string(raw) + `,` + string(raw) + `:1}`)},
		event.Called{Tool: "t", Args: json.RawMessage(evil)},
		event.Called{Tool: "t", Args: json.RawMessage(`[` + string(raw) + `]`)},
		event.Returned{ID: "1", Tool: evil, OK: true, Text: evil},
		event.Returned{ID: "1", Tool: evil, OK: true, Effects: []event.Effect{{Kind: evil, Target: evil, Detail: evil}}},
		event.Returned{ID: "1", Tool: evil, Text: evil},
		event.Noted{Text: evil}, event.Decided{By: evil}, event.Decided{By: evil, Allow: true},
	} {
		got := printed(t, Look{}, b)
		if strings.Count(got, "\n") != 1 || strings.ContainsAny(got, "\r\x1b\u009b\u202e") {
			t.Errorf("%#v is shown as %q", b, got)
		}
	}
}

func TestAPrinterTellsThatItsTerminalIsGone(t *testing.T) {
	gone := errors.New("gone")
	for _, b := range []event.Body{event.Noted{Text: "a"}, event.Delta{Text: "a"}} {
		p := NewPrinter(failingWriter{gone}, Look{Width: 10, Height: 10, Live: true})
		if err := p.Event(event.Event{Body: b}); !errors.Is(err, gone) {
			t.Errorf("%T: %v", b, err)
		}
	}
}

func TestATurnForAProgram(t *testing.T) {
	want := `{"type":"said","time":"2026-01-02T03:04:00.5Z","chat":"main","seq":1,"input_id":"i1","text":"tidy notes.md"}
{"type":"delta","time":"2026-01-02T03:04:01.5Z","chat":"main","text":"I look "}
{"type":"delta","time":"2026-01-02T03:04:03.5Z","chat":"main","text":"first."}
{"type":"called","time":"2026-01-02T03:04:05.5Z","chat":"main","seq":6,"id":"c1","tool":"read_file","args":{"path":"notes.md"},"repairs":[]}
{"type":"returned","time":"2026-01-02T03:04:07.5Z","chat":"main","seq":8,"id":"c1","tool":"read_file","ok":true,"text":"1\n2\n3","duration_ms":3}
{"type":"called","time":"2026-01-02T03:04:08.5Z","chat":"main","seq":9,"id":"c2","tool":"write_file","args":{"path":"notes.md","content":"a\nb","mode":7},"repairs":["quotes"]}
{"type":"asked","time":"2026-01-02T03:04:09.5Z","chat":"main","seq":10,"id":"a1","call_id":"c2","tool":"write_file","args":{"path":"notes.md"},"text":"write notes.md:\n  a​\n  b\n","expires":"2026-01-02T03:04:05Z"}
{"type":"decided","time":"2026-01-02T03:04:10.5Z","chat":"main","seq":11,"id":"a1","call_id":"c2","allow":true,"by":"cli"}
{"type":"returned","time":"2026-01-02T03:04:11.5Z","chat":"main","seq":12,"id":"c2","tool":"write_file","ok":true,"text":"ok","data":{"bytes":3},"effects":[{"kind":"wrote","target":"notes.md","detail":"3 bytes"}],"duration_ms":1234}
{"type":"called","time":"2026-01-02T03:04:12.5Z","chat":"main","seq":13,"id":"c3","tool":"read_file","args":{"path":"no.md"},"repairs":[]}
{"type":"called","time":"2026-01-02T03:04:13.5Z","chat":"main","seq":14,"id":"c4","tool":"list","args":{},"repairs":[]}
{"type":"returned","time":"2026-01-02T03:04:14.5Z","chat":"main","seq":15,"id":"c3","tool":"read_file","ok":false,"text":"there is no file no.md\nmore","error":{"type":"not_found","code":"file_not_found","message":"there is no file no.md","retryable":false},"duration_ms":1}
{"type":"returned","time":"2026-01-02T03:04:15.5Z","chat":"main","seq":16,"id":"c4","tool":"list","ok":true,"text":"","duration_ms":65000}
{"type":"decided","time":"2026-01-02T03:04:16.5Z","chat":"main","seq":17,"id":"a2","call_id":"c5","allow":false,"by":"nobody"}
{"type":"noted","time":"2026-01-02T03:04:17.5Z","chat":"main","seq":18,"text":"loading qwen3:4b"}
{"type":"replied","time":"2026-01-02T03:04:20.5Z","chat":"main","seq":21,"text":"**Done.** It has ` + "`3`" + ` lines."}
{"type":"ended","time":"2026-01-02T03:04:21.5Z","chat":"main","seq":22,"reason":"done","steps":3,"calls":4,"prompt_tokens":812,"eval_tokens":90}
`
	out := &strings.Builder{}
	j := NewJSONLines(out)
	for _, e := range events(turn()) {
		if err := j.Event(e); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAJSONLineIsOneLineAndKeepsItsText(t *testing.T) {
	text := "<a&b>\r\n\x1b\u009b\x7f\u2028\x00 ✓"
	line, err := JSONLine(event.Event{Seq: 1, Chat: "main", Body: event.Noted{Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(line), "\n\r\x1b\u009b\x7f") {
		t.Errorf("the line is %q", line)
	}
	var back struct{ Text string }
	if err := json.Unmarshal(line, &back); err != nil || back.Text != text {
		t.Errorf("it reads as %q, %v", back.Text, err)
	}
	if _, err := JSONLine(event.Event{Body: event.Returned{Data: func() {}}}); err == nil {
		t.Error("data that is no JSON is no error")
	}
	if err := NewJSONLines(failingWriter{errors.New("gone")}).Event(event.Event{Body: event.Noted{}}); err == nil {
		t.Error("a failing writer is no error")
	}
}

func TestAProgressInATerminal(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	out := &strings.Builder{}
	p := NewProgress(out, 79, func() time.Time { return now })
	for i := range 101 { // two seconds
		if err := p.Update("qwen3:4b", int64(i)*25e6, 2500e6); err != nil {
			t.Fatal(err)
		}
		now = now.Add(20 * time.Millisecond)
	}
	if err := p.End(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\r"); n < 20 || n > 22 {
		t.Errorf("it was drawn %d times in two seconds", n)
	}
	s := newScreen(t, 79, 3)
	s.Write([]byte(out.String()))
	if want := "qwen3:4b  100 %  2.5 GB of 2.5 GB  1.2 GB/s  [==============================]"; s.text() != want || s.y != 1 {
		t.Errorf("it ends as %q in line %d, want %q", s.text(), s.y, want)
	}
	draws := strings.Split(out.String(), "\r\x1b[K")
	if want := "qwen3:4b   50 %  1.2 GB of 2.5 GB  1.2 GB/s  1.0 s left  [=========          ]"; draws[11] != want {
		t.Errorf("half way it is %q, want %q", draws[11], want)
	}
}

func TestAProgressElsewhereIsALineForEachTenth(t *testing.T) {
	now := time.Time{}
	out := &strings.Builder{}
	p := NewProgress(out, 0, func() time.Time { now = now.Add(time.Second); return now })
	for i := range 101 {
		p.Update("a\x1b[2J", int64(i)*1000, 100_000)
	}
	p.Update("b", 5, 0)
	p.Update("b", 7, 0)
	p.End()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 12 || lines[0] != "a␛[2J    0 %  0 B of 100 kB" || lines[5] != "a␛[2J   50 %  50 kB of 100 kB  1 kB/s  50 s left" || lines[11] != "b  5 B" {
		t.Errorf("it is\n%s", out)
	}
}

// What began to be shown and is void does not count as shown: the reply that comes in its place is shown whole.
func TestAReplyThatBeginsAnewIsShownWhole(t *testing.T) {
	screen := newScreen(t, 60, 20)
	screen.Write([]byte(printed(t, Look{Live: true, Width: 60, Height: 20},
		event.Delta{Text: "It is a."}, event.Delta{Restart: true}, event.Noted{Text: "the reply broke off: asking again"},
		event.Generated{}, event.Replied{Text: "It is a."}, event.Ended{Reason: event.Done})))
	want := "It is a.\n· the reply broke off: asking again\nIt is a."
	if diff := cmp.Diff(want, screen.text()); diff != "" {
		t.Error(diff)
	}
}

// Who comes while a reply is being written sees its beginning, too, and the reply once.
func TestAReplyThatIsJoinedLateIsShownOnce(t *testing.T) {
	screen := newScreen(t, 60, 20)
	screen.Write([]byte(printed(t, Look{Live: true, Width: 60, Height: 20},
		event.Delta{Text: "Here is the ", Restart: true}, event.Delta{Text: "list of today."},
		event.Generated{}, event.Replied{Text: "Here is the list of today."}, event.Ended{Reason: event.Done})))
	if diff := cmp.Diff("Here is the list of today.", screen.text()); diff != "" {
		t.Error(diff)
	}
}

// A note that says again what stands there already is left out, unless it calls the person or something was shown in between.
func TestNotesThatRepeatThemselves(t *testing.T) {
	again, away := event.Noted{Text: "the server failed: asking again"}, event.Noted{Text: "The model is away."}
	got := printed(t, Look{Width: 60}, again, event.Generated{}, again, away, again, event.Generated{}, again, event.Waiting{Text: again.Text}, event.Noted{Text: "tea", Loud: true}, event.Noted{Text: "tea", Loud: true})
	want := "· the server failed: asking again\n· The model is away.\n· the server failed: asking again\n"
	if rest, ok := strings.CutPrefix(got, want); !ok || strings.Count(rest, "tea") != 2 {
		t.Errorf("got %q", got)
	}
	screen := newScreen(t, 60, 20)
	screen.Write([]byte(printed(t, Look{Live: true, Width: 60, Height: 20},
		event.Delta{Text: "It is"}, event.Delta{Restart: true}, again, event.Delta{Text: "It is"}, event.Delta{Restart: true}, again)))
	if diff := cmp.Diff("It is\n· the server failed: asking again\nIt is\n· the server failed: asking again", screen.text()); diff != "" {
		t.Error(diff)
	}
}

// A call that was answered from what it said before is not told as one that ran, and a turn says only once why it was cut
// short.
func TestWhatDidNotRunIsNotShownAsDone(t *testing.T) {
	got := printed(t, Look{Width: 80},
		event.Called{ID: "c", Tool: "look"}, event.Returned{ID: "c", Tool: "look", OK: true, Text: "a\nb\n[note]", By: "cache"},
		event.Replied{Text: "I made the same steps again and again, and stopped. Ask in other words, or in smaller steps."}, event.Ended{Reason: event.Looped})
	want := "→ look\n· not run again: it was called just so before\nI made the same steps again and again, and stopped. Ask in other words, or in\nsmaller steps.\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What a program gets a line of, its page names.
func TestTypesOfLinesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range append(turn(), event.Opened{}, event.Closed{}, event.Waiting{}, event.Unreadable{}, event.Parked{}, event.Joined{}) {
		line, err := JSONLine(event.Event{Chat: "main", Body: b})
		named := regexp.MustCompile("(?m)^\\|[^|]*`" + b.Type() + "`").Match(page)
		if thinking := b == event.Body(event.Delta{Thinking: "hm"}); err != nil || !thinking && named != (line != nil) {
			t.Errorf("%s has the line %s, and docs/api.md names it: %v, %v", b.Type(), line, named, err)
		}
	}
}

// Who reads along is told that a turn answers more than what began it; programs get no line of a kind that they do not know.
func TestWordsThatJoinATurn(t *testing.T) {
	if got, want := printed(t, Look{}, event.Joined{Said: 7}), "· what was said meanwhile is answered here, too\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if line, err := JSONLine(event.Event{Seq: 8, Chat: "main", Turn: 3, Body: event.Joined{Said: 7}}); line != nil || err != nil {
		t.Errorf("a program gets %s, %v", line, err)
	}
}

// A note that calls the person keeps its lines, such as one of several reminders, and shows nothing that a terminal would obey.
func TestALoudNoteHasLines(t *testing.T) {
	got := printed(t, Look{}, event.Noted{Loud: true, Text: "2 reminders\n⏰ the tea\x1b[2J\n⏰ the bins", Choices: []event.Choice{{Text: "/reminder 1 done"}}})
	if want := "\n2 reminders\n⏰ the tea[2J\n⏰ the bins\n· /reminder 1 done\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What was not allowed is said once, by the decision, and where nobody can be asked it says what to do.
func TestPrinter_Denied(t *testing.T) {
	bodies := []event.Body{
		event.Called{ID: "1", Tool: "fetch", Args: json.RawMessage(`{"url":"http://a.example/"}`)},
		event.Asked{ID: "q", CallID: "1", Tool: "fetch", Text: "url: http://a.example/", Expires: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)},
		event.Decided{ID: "q", CallID: "1", By: "nobody"},
		event.Returned{ID: "1", Tool: "fetch", By: "gate", Error: &event.Error{Message: "denied: nobody is there to allow it (rule sends)"}},
		event.Ended{Reason: event.Denied},
	}
	want := `→ fetch http://a.example/
◆ fetch asks to do this:
  │ url: http://a.example/
◆ not allowed: nobody can be asked here; at a terminal hob asks you
`
	if diff := cmp.Diff(want, printed(t, Look{Alone: true}, bodies...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	byRule := slices.Delete(slices.Clone(bodies), 1, 3)
	want = `→ fetch http://a.example/
✗ denied: nobody is there to allow it (rule sends)
✗ not done: it needed something that was not allowed
`
	if diff := cmp.Diff(want, printed(t, Look{Alone: true}, byRule...)); diff != "" {
		t.Errorf("by a rule (-want +got):\n%s", diff)
	}
}
