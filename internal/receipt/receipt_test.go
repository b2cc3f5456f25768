package receipt_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/receipt"
)

// lineOf is the line of a turn that did just this.
func lineOf(effects []event.Effect, differs func(event.Effect) string) string {
	return receipt.Turn{}.Add(event.Returned{OK: true, Effects: effects}).Line(receipt.Language{}, differs)
}

func TestLine(t *testing.T) {
	file := func(kind, path string, n int64) event.Effect {
		return event.Effect{Kind: kind, Target: path, Path: "/w/" + path, Bytes: n, Sum: "5e1f"}
	}
	gone := func(path string) event.Effect {
		return event.Effect{Kind: "deleted", Target: path, Path: "/w/" + path, Detail: "312 bytes"}
	}
	move := func(path, from string) event.Effect {
		return event.Effect{Kind: "moved", Target: path, From: from, Path: "/w/" + path, Detail: "from " + from, Bytes: 3, Sum: "5e1f"}
	}
	cmd := func(command string, status int) event.Effect {
		return event.Effect{Kind: "ran", Target: command, Detail: fmt.Sprint("exit status ", status), Status: status, Failed: status != 0}
	}
	ran := func(command, detail string) event.Effect {
		return event.Effect{Kind: "ran", Target: command, Detail: detail}
	}
	page := func(target string, status int) event.Effect {
		return event.Effect{Kind: "fetched", Target: target, Detail: fmt.Sprintf("%d, 9 bytes", status), Status: status, Bytes: 9, Failed: status >= 400}
	}
	for _, c := range []struct {
		name    string
		effects []event.Effect
		want    string
	}{
		{"nothing", nil, ""},
		{"a turn of a story", []event.Effect{{Kind: "played", Target: "finesse 15 · 14:03\n"}}, `finesse 15 · 14:03\n`},
		{"the example of the issue", []event.Effect{file("wrote", "notes/shop.md", 312), cmd("nosuch", 127)}, "wrote notes/shop.md (312 B) · command failed (127)"},
		{"written, then edited", []event.Effect{file("wrote", "a", 1), file("edited", "a", 1500)}, "edited a (1.5 kB)"},
		{"edited, then written", []event.Effect{file("edited", "a", 1), file("wrote", "a", 2_340_000)}, "wrote a (2.3 MB)"},
		{"written, then deleted", []event.Effect{file("wrote", "a", 1), gone("a")}, "wrote and deleted a (312 B)"},
		{"deleted, then written", []event.Effect{gone("a"), file("wrote", "a", 1)}, "wrote a (1 B)"},
		{"edited, then put back", []event.Effect{file("edited", "a", 1), {Kind: "restored", Target: "a", Path: "/w/a"}}, "edited and restored a"},
		{"two files of one name", []event.Effect{file("wrote", "a", 1), {Kind: "wrote", Target: "a", Path: "/v/a", Bytes: 2}}, "wrote a (1 B) · wrote a (2 B)"},
		{"one file under two names", []event.Effect{file("wrote", "a", 1), {Kind: "wrote", Target: "./a", Path: "/w/a", Bytes: 2}}, "wrote ./a (2 B)"},
		{"moved", []event.Effect{move("b/a", "a")}, "moved a to b/a (3 B)"},
		{"copied", []event.Effect{{Kind: "copied", Target: "b", From: "a", Path: "/w/b", Detail: "from a", Bytes: 3, Sum: "5e1f"}}, "copied a to b (3 B)"},
		{"moved, then edited", []event.Effect{move("b/a", "a"), file("edited", "b/a", 5)}, "moved a to b/a and edited it (5 B)"},
		{"moved, then deleted", []event.Effect{move("b/a", "a"), gone("b/a")}, "moved a to b/a and deleted it (312 B)"},
		{"moved, in vain", []event.Effect{{Kind: "moved", Target: "b", From: "a", Failed: true}}, "failed: moved b"},
		{"an empty file", []event.Effect{file("wrote", "a", 0)}, "wrote a (0 B)"},
		{"a tool that says the size in words", []event.Effect{{Kind: "wrote", Target: "a", Detail: "5 bytes appended"}, {Kind: "deleted", Target: "b", Detail: "a link"}}, "wrote a (5 B) · deleted b (a link)"},
		{"a tool that says no size", []event.Effect{{Kind: "wrote", Target: "a"}}, "wrote a"},
		{"one that failed halfway", []event.Effect{file("wrote", "a", 1), {Kind: "wrote", Target: "a", Path: "/w/a", Failed: true, Detail: "disk full"}}, "wrote a (1 B) · failed: wrote a (disk full)"},
		{"just below a unit", []event.Effect{file("wrote", "a", 999), file("wrote", "b", 999_499), file("wrote", "c", 999_500)}, "wrote a (999 B) · wrote b (999 kB) · wrote c (1 MB)"},
		{"a command", []event.Effect{cmd("df -h", 0)}, `ran "df -h"`},
		{"a command thrice", []event.Effect{cmd("df -h", 0), cmd("df -h", 0), cmd("df -h", 0)}, `ran "df -h" (3 times)`},
		{"a long command", []event.Effect{cmd("echo "+strings.Repeat("a", 60), 0)}, `ran "echo ` + strings.Repeat("a", 34) + `…"`},
		{"a command of many lines", []event.Effect{cmd("echo \"a\"\nls", 0)}, `ran "echo \"a\"\nls"`},
		{"a command that changed files", []event.Effect{ran("make", "exit status 0; created 1 file, changed 3")}, `ran "make" (created 1 file, changed 3)`},
		{"a command that failed twice", []event.Effect{cmd("a", 1), cmd("a", 1)}, "command failed (1; 2 times)"},
		{"which of two failed", []event.Effect{cmd("a", 1), cmd("b", 0)}, `command "a" failed (1) · ran "b"`},
		{"a failed command that changed files", []event.Effect{ran("make", "exit status 2; deleted 1 file")}, "command failed (2; deleted 1 file)"},
		{"out of time", []event.Effect{{Kind: "ran", Target: "sleep 99", Detail: "killed after 10s: out of time", Failed: true}}, "command failed (killed after 10s: out of time)"},
		{"out of time, in words only", []event.Effect{ran("sleep 99", "killed after 10s: out of time")}, "command failed (killed after 10s: out of time)"},
		{"ended by a signal", []event.Effect{{Kind: "ran", Target: "a", Detail: "ended by signal: SEGV", Status: -1, Failed: true}}, "command failed (ended by signal: SEGV)"},
		{"in the background", []event.Effect{ran("serve", "process 2")}, `started "serve" in the background (process 2)`},
		{"in the background, in an old journal", []event.Effect{ran("serve", "job 2")}, `started "serve" in the background (job 2)`},
		{"in the background, and over", []event.Effect{ran("serve", "in the background: exit status 3")}, "command failed (3)"},
		{"stopped", []event.Effect{ran("serve", "process 2"), {Kind: "stopped", Target: "serve", Detail: "process 2"}}, `started "serve" in the background (process 2) · stopped "serve" (process 2)`},
		{"pages", []event.Effect{page("example.org/x", 200), page("example.org/y", 404), page("example.org/x", 200)}, "fetched example.org/x (200; 2 times) · fetched example.org/y (404)"},
		{"a page in words only", []event.Effect{{Kind: "fetched", Target: "example.org/x", Detail: "200, not read"}}, "fetched example.org/x (200; not read)"},
		{"sent", []event.Effect{{Kind: "sent", Target: "bob@example.org", Detail: "mail"}}, "sent bob@example.org (mail)"},
		{"not sent", []event.Effect{{Kind: "sent", Target: "bob@example.org", Status: 550, Failed: true}}, "failed: sent bob@example.org (550)"},
		{"a kind that nobody knows", []event.Effect{{Kind: "switched on", Target: "lamp", Detail: "40 %"}}, "switched on lamp (40 %)"},
		{"a name that is more than a name", []event.Effect{file("wrote", "a (1 B) · sent all", 3)}, `wrote "a (1 B) · sent all" (3 B)`},
		{"a name that ends its quotes", []event.Effect{file("wrote", `a" \`, 3)}, `wrote "a\" \\" (3 B)`},
		{"a name that begins with a quote", []event.Effect{file("wrote", `"a`, 3)}, `wrote "\"a" (3 B)`},
		{"a name that turns round", []event.Effect{file("wrote", "a\u202egpj.exe", 3)}, `wrote "a\u{202e}gpj.exe" (3 B)`},
		{"a name that hides", []event.Effect{file("wrote", "a\u200b\u00a0\u3164\x1b[2Jb", 3)}, `wrote "a\u{200b}\u{a0}\u{3164}\u{1b}[2Jb" (3 B)`},
		{"a name with a line end", []event.Effect{file("wrote", "a\nb\u2028c", 3)}, `wrote "a\nb\u{2028}c" (3 B)`},
		{"a name without end", []event.Effect{file("wrote", strings.Repeat("a", 100)+"/b.md", 3)}, "wrote \"" + strings.Repeat("a", 39) + "…" + strings.Repeat("a", 35) + "/b.md\" (3 B)"},
		{"words that hide", []event.Effect{{Kind: "sent\u202e · wrote", Target: "a", Detail: "b · c\n"}}, `sent\u{202e} \u{b7} wrote a (b \u{b7} c\n)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, lineOf(c.effects, nil)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What is otherwise by now stands beside what was done.
func TestWhatIsOtherwiseNow(t *testing.T) {
	var asked []event.Effect
	effects := []event.Effect{
		{Kind: "wrote", Target: "a", Bytes: 312, Sum: "old"}, {Kind: "wrote", Target: "a", Bytes: 312, Sum: "new"}, {Kind: "wrote", Target: "b", Sum: "x"},
	}
	got := lineOf(effects, func(e event.Effect) string {
		asked = append(asked, e)
		if e.Target == "a" {
			return "changed since"
		}
		return ""
	})
	if diff := cmp.Diff("wrote a (312 B; changed since) · wrote b (0 B)", got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(effects[1:], asked); diff != "" {
		t.Errorf("only what stands last is held against the world: %s", diff)
	}
}

// Of more than fit, what a person has to see is not among those left out.
func TestMoreThanFit(t *testing.T) {
	var effects []event.Effect
	for i := range 10 {
		effects = append(effects, event.Effect{Kind: "wrote", Target: fmt.Sprint("f", i), Bytes: 1})
	}
	effects = append(effects, event.Effect{Kind: "fetched", Target: "x", Status: 200}, event.Effect{Kind: "sent", Target: "bob"},
		event.Effect{Kind: "ran", Target: "a", Status: 1, Failed: true})
	want := "wrote f0 (1 B) · wrote f1 (1 B) · wrote f2 (1 B) · wrote f3 (1 B) · wrote f4 (1 B) · wrote f5 (1 B) · sent bob · command failed (1) · and 5 more"
	if diff := cmp.Diff(want, lineOf(effects, nil)); diff != "" {
		t.Error(diff)
	}
	want = "wrote f0 (1 B) · wrote f1 (1 B) · wrote f2 (1 B) · wrote f3 (1 B) · wrote f4 (1 B) · wrote f9 (1 B; changed since) · sent bob · command failed (1) · and 5 more"
	if diff := cmp.Diff(want, lineOf(effects, func(e event.Effect) string {
		if e.Target == "f9" {
			return "changed since"
		}
		return ""
	})); diff != "" {
		t.Error(diff)
	}
}

func called(id, tool, args string) event.Body {
	return event.Called{ID: id, Tool: tool, Args: json.RawMessage(args)}
}

func failed(id, tool, code, message string) event.Returned {
	return event.Returned{ID: id, Tool: tool, Error: &event.Error{Code: code, Message: message}}
}

// What was tried and did not happen is in the line; what only looked is not.
func TestTurn(t *testing.T) {
	begun := func(id string) event.Body { return event.Started{CallID: id} }
	by := func(r event.Returned, by, rule string) event.Body { r.By, r.Rule = by, rule; return r }
	wrote := func(id, path string) event.Body {
		return event.Returned{ID: id, Tool: "write_file", OK: true, Effects: []event.Effect{{Kind: "wrote", Target: path, Bytes: 3}}}
	}
	write := called("1", "write_file", `{"path":"notes/x"}`)
	acts := func(tool string) bool { return tool != "read_file" }
	for _, c := range []struct {
		name   string
		bodies []event.Body
		want   string
		alone  string // where nobody says which tools act; "" is want
	}{
		{"nothing", nil, "", ""},
		{"a read", []event.Body{called("1", "read_file", `{"path":"a"}`), event.Returned{ID: "1", Tool: "read_file", OK: true}}, "", ""},
		{"a read that failed", []event.Body{called("1", "read_file", `{"path":"a"}`), failed("1", "read_file", event.CodeFileNotFound, "no")}, "", ""},
		{"a read that was denied", []event.Body{called("1", "read_file", `{"path":"a"}`), by(failed("1", "read_file", event.CodePermissionDenied, "no"), "gate", "level")}, "", "read_file denied: a (level)"},
		{"failed", []event.Body{write, begun("1"), failed("1", "write_file", event.CodeExecutionFailed, "disk full")}, "write_file failed: notes/x (disk full)", ""},
		{"failed for no reason", []event.Body{write, begun("1"), event.Returned{ID: "1", Tool: "write_file"}}, "write_file failed: notes/x", ""},
		{"failed twice", []event.Body{write, begun("1"), failed("1", "write_file", event.CodeExecutionFailed, "disk full"), called("2", "write_file", `{"path":"notes/x"}`), begun("2"), failed("2", "write_file", event.CodeExecutionFailed, "disk full")}, "write_file failed: notes/x (disk full; 2 times)", ""},
		{"failed, and then done", []event.Body{write, begun("1"), failed("1", "write_file", event.CodeExecutionFailed, "x"), called("2", "write_file", `{"path":"notes/x"}`), begun("2"), wrote("2", "notes/x")}, "wrote notes/x (3 B)", ""},
		{"failed, and done by another tool", []event.Body{called("1", "edit_file", `{"path":"notes/x"}`), begun("1"), failed("1", "edit_file", event.CodeExecutionFailed, "x"), write, begun("1"), wrote("1", "notes/x")}, "wrote notes/x (3 B)", ""},
		{"done, and then failed", []event.Body{write, begun("1"), wrote("1", "notes/x"), called("2", "write_file", `{"path":"notes/x"}`), begun("2"), failed("2", "write_file", event.CodeExecutionFailed, "x")}, "wrote notes/x (3 B) · write_file failed: notes/x (x)", ""},
		{"another was done", []event.Body{write, begun("1"), failed("1", "write_file", event.CodeExecutionFailed, "x"), called("2", "write_file", `{"path":"b"}`), begun("2"), wrote("2", "b")}, "write_file failed: notes/x (x) · wrote b (3 B)", ""},
		{"another of no target was done", []event.Body{called("1", "note", `{"text":"a"}`), begun("1"), failed("1", "note", event.CodeExecutionFailed, "x"), called("2", "note", `{"text":"b"}`), begun("2"), event.Returned{ID: "2", Tool: "note", OK: true}}, "note failed (x)", ""},
		{"the same of no target was done", []event.Body{called("1", "note", `{"text":"a"}`), begun("1"), failed("1", "note", event.CodeExecutionFailed, "x"), called("2", "note", `{"text":"a"}`), begun("2"), event.Returned{ID: "2", Tool: "note", OK: true}}, "", ""},
		{"denied", []event.Body{called("1", "run_command", `{"command":"curl x"}`), by(failed("1", "run_command", event.CodePermissionDenied, "no"), "gate", "private-data")}, "run_command denied (private-data)", ""},
		{"denied, one of two", []event.Body{called("1", "run_command", `{"command":"curl x"}`), by(failed("1", "run_command", event.CodePermissionDenied, "no"), "gate", "private-data"), called("2", "run_command", `{"command":"ls"}`), begun("2"), event.Returned{ID: "2", Tool: "run_command", OK: true, Effects: []event.Effect{{Kind: "ran", Target: "ls"}}}}, `run_command denied: "curl x" (private-data) · ran "ls"`, ""},
		{"denied, and refused again", []event.Body{write, by(failed("1", "write_file", event.CodePermissionDenied, "no"), "gate", ""), called("2", "write_file", `{"path":"notes/x"}`), by(failed("2", "write_file", event.CodeRateLimitExceeded, "no"), "guard", "")}, "write_file denied: notes/x", ""},
		{"not fit", []event.Body{called("1", "write_file", `{"path":3}`), by(failed("1", "write_file", event.CodeInvalidValue, "no"), "check", "")}, "write_file failed (the call does not fit)", "-"},
		{"not fit, then another", []event.Body{called("1", "write_file", `{}`), by(failed("1", "write_file", event.CodeInvalidValue, "no"), "check", ""), called("2", "write_file", `{"path":"b"}`), begun("2"), wrote("2", "b")}, "wrote b (3 B)", ""},
		{"not fit, and another file then", []event.Body{called("1", "write_file", `{"path":"notes/x","mode":3}`), by(failed("1", "write_file", event.CodeInvalidValue, "no"), "check", ""), called("2", "write_file", `{"path":"b"}`), begun("2"), wrote("2", "b")}, "write_file failed: notes/x (the call does not fit) · wrote b (3 B)", "wrote b (3 B)"},
		{"failed, and then in another way", []event.Body{called("1", "edit_file", `{"path":"notes/x"}`), begun("1"), failed("1", "edit_file", event.CodeExecutionFailed, "x"), write, begun("1"), event.Returned{ID: "1", Tool: "write_file", OK: true, Effects: []event.Effect{{Kind: "wrote", Target: "notes/x", Failed: true}}}}, "edit_file failed: notes/x (x) · failed: wrote notes/x", ""},
		{"out of budget", []event.Body{write, by(failed("1", "write_file", event.CodeRateLimitExceeded, "no"), "budget", "")}, "write_file not run: notes/x", "-"},
		{"stopped before", []event.Body{write, by(failed("1", "write_file", event.CodeCancelled, "no"), "stop", "")}, "write_file not run: notes/x", "-"},
		{"stopped meanwhile", []event.Body{write, begun("1"), failed("1", "write_file", event.CodeCancelled, "no")}, "write_file stopped: notes/x", ""},
		{"a page that did not come", []event.Body{called("1", "fetch", `{"url":"https://a.example/x"}`), failed("1", "fetch", event.CodeTimeout, "no")}, "fetch timed out: https://a.example/x", "-"},
		{"a file that could not be read", []event.Body{called("1", "read_file", `{"path":"x"}`), failed("1", "read_file", event.CodeFileNotFound, "no")}, "", ""},
		{"out of time", []event.Body{write, begun("1"), failed("1", "write_file", event.CodeTimeout, "no")}, "write_file timed out: notes/x", ""},
		{"cut short by the end of hob", []event.Body{write, begun("1"), by(failed("1", "write_file", event.CodeExecutionFailed, "x"), "restart", "")}, "write_file interrupted: notes/x", ""},
		{"cut short, and then more", []event.Body{
			called("1", "write_file", `{"path":"notes/x","content":"a"}`), begun("1"), by(failed("1", "write_file", event.CodeExecutionFailed, "x"), "restart", ""),
			called("2", "write_file", `{"path":"notes/x","content":"b"}`), begun("2"), wrote("2", "notes/x"),
		}, "write_file interrupted: notes/x · wrote notes/x (3 B)", ""},
		{"cut short, and then again", []event.Body{
			write, begun("1"), by(failed("1", "write_file", event.CodeExecutionFailed, "x"), "restart", ""),
			called("2", "write_file", `{"path":"notes/x"}`), begun("2"), wrote("2", "notes/x"),
		}, "write_file interrupted: notes/x · wrote notes/x (3 B)", ""},
		{"failed with a receipt", []event.Body{called("1", "run_command", `{"command":"a"}`), begun("1"), event.Returned{ID: "1", Tool: "run_command", Error: &event.Error{Code: event.CodeCancelled}, Effects: []event.Effect{{Kind: "ran", Target: "a", Detail: "killed: it was stopped", Failed: true}}}}, "command failed (killed: it was stopped)", ""},
		{"a tool with an odd name", []event.Body{called("1", "a\u202e · b\n", `{"url":"x y"}`), begun("1"), failed("1", "a\u202e · b\n", event.CodeExecutionFailed, "x")}, `a\u{202e} \u{b7} b\n failed: "x y" (x)`, ""},
		{"a result without a call", []event.Body{wrote("9", "b")}, "wrote b (3 B)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			told, alone := receipt.New(acts), receipt.Turn{}
			for _, b := range c.bodies {
				told, alone = told.Add(b), alone.Add(b)
			}
			if diff := cmp.Diff(c.want, told.Line(receipt.Language{}, nil)); diff != "" {
				t.Error(diff)
			}
			want := c.want
			if c.alone != "" {
				want = strings.TrimPrefix(c.alone, "-")
			}
			if diff := cmp.Diff(want, alone.Line(receipt.Language{}, nil)); diff != "" {
				t.Errorf("where nobody says which tools act: %s", diff)
			}
		})
	}
}

// A Turn is a value: what is added to one is not in another that was made of the same.
func TestATurnIsAValue(t *testing.T) {
	var base receipt.Turn
	for i := range 5 {
		base = base.Add(event.Returned{ID: fmt.Sprint(i), OK: true, Effects: []event.Effect{{Kind: "sent", Target: fmt.Sprint(i)}}})
	}
	one := base.Add(event.Returned{ID: "x", OK: true, Effects: []event.Effect{{Kind: "sent", Target: "x"}}})
	_ = base.Add(event.Returned{ID: "y", OK: true, Effects: []event.Effect{{Kind: "sent", Target: "y"}}})
	if got := one.Line(receipt.Language{}, nil); !strings.HasSuffix(got, "sent x") {
		t.Errorf("the line of one is %q", got)
	}
}

// Whatever targets are called, the line is one line of so many parts, and nothing in it hides.
func TestNoTargetBreaksTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOf(rapid.SampledFrom([]rune("ab \n\r\t\"\\·();…\u202e\u2066\u200b\u2028\u00a0\u3164\x00\x1b世я")))
		n := rapid.IntRange(1, 8).Draw(t, "effects")
		var effects []event.Effect
		for i := range n {
			kind := rapid.SampledFrom([]string{"wrote", "deleted", "sent", "fetched", "ran", "odd"}).Draw(t, "kind")
			effects = append(effects, event.Effect{Kind: kind, Target: fmt.Sprint(i) + word.Draw(t, "target"), Detail: strings.ReplaceAll(word.Draw(t, "detail"), `"`, ""), Failed: rapid.Bool().Draw(t, "failed")})
		}
		got := lineOf(effects, nil)
		if strings.ContainsFunc(got, func(r rune) bool { return r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r) || r == '\u3164') }) {
			t.Errorf("something hides in %q", got)
		}
		quoted, parts, r := false, 1, []rune(got)
		for i := 0; i < len(r); i++ {
			switch {
			case quoted && r[i] == '\\':
				i++
			case r[i] == '"':
				quoted = !quoted
			case r[i] == '·' && !quoted:
				parts++
			}
		}
		if want := len(receipt.Items(effects)); parts != want || quoted {
			t.Errorf("%d parts, not %d: %q", parts, want, got)
		}
	})
}

// Whatever can be taken back has the numbers of its changes behind it, the last ones where there are many.
func TestLineHasNumbers(t *testing.T) {
	for want, effects := range map[string][]event.Effect{
		"wrote a.md (12 B) #41":                          {{Kind: "wrote", Target: "a.md", Path: "/w/a.md", Bytes: 12, Sum: "x", Change: 41}},
		"edited a.md (2 B) #41 #43":                      {{Kind: "wrote", Target: "a.md", Path: "/w/a.md", Bytes: 1, Sum: "x", Change: 41}, {Kind: "edited", Target: "a.md", Path: "/w/a.md", Bytes: 2, Sum: "y", Change: 43}},
		`ran "make" (created 1 file) #7 · fetched b.org`: {{Kind: "ran", Target: "make", Detail: "exit status 0; created 1 file", Change: 7}, {Kind: "fetched", Target: "b.org"}},
		"reminder 7 (set; 4 times) … #2 #3 #4":           {{Kind: "reminder", Target: "7", Detail: "set", Change: 1}, {Kind: "reminder", Target: "7", Detail: "set", Change: 2}, {Kind: "reminder", Target: "7", Detail: "set", Change: 3}, {Kind: "reminder", Target: "7", Detail: "set", Change: 4}},
	} {
		turn := receipt.New(nil).Add(event.Returned{ID: "1", Tool: "t", OK: true, Effects: effects})
		if got := turn.Line(receipt.Language{}, nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A line is in the language of its chat; what a tool calls itself, and what nobody has words for, stays.
func TestLanguages(t *testing.T) {
	did := receipt.New(func(string) bool { return true })
	for _, b := range []event.Body{
		event.Returned{OK: true, Effects: []event.Effect{
			{Kind: "wrote", Target: "notes/x", Path: "/w/notes/x", Bytes: 3, Sum: "5e1f", Change: 41}, {Kind: "deleted", Target: "notes/x", Path: "/w/notes/x", Change: 42},
			{Kind: "moved", Target: "b/a", From: "a", Path: "/w/b/a", Bytes: 3}, {Kind: "moved", Target: "c", Path: "/w/c", Failed: true},
			{Kind: "ran", Target: "make", Detail: "exit status 2; deleted 1 file"}, {Kind: "ran", Target: "serve", Detail: "process 2"},
			{Kind: "sent", Target: "bob"}, {Kind: "sent", Target: "bob"}, {Kind: "switched on", Target: "lamp"},
		}},
		called("1", "fetch", `{"url":"https://a.example/x"}`), failed("1", "fetch", event.CodeTimeout, "no"),
	} {
		did = did.Add(b)
	}
	translate := func(words string) string {
		if words == "deleted 1 file" {
			return "1 Datei gelöscht"
		}
		return words
	}
	for lang, want := range map[string]string{
		"de": `notes/x geschrieben und gelöscht #41 #42 · a nach b/a verschoben (3 B) · c nicht verschoben · Befehl "make" fehlgeschlagen (2; 1 Datei gelöscht) · ` +
			`"serve" im Hintergrund gestartet (process 2) · gesendet: bob (2-mal) · switched on lamp · fetch: Zeit abgelaufen: https://a.example/x`,
		"ru": `записано и удалено: notes/x #41 #42 · перемещено: a → b/a (3 B) · не перемещено: c · команда "make" завершилась с ошибкой (2; 1 Datei gelöscht) · ` +
			`запущено в фоне: "serve" (process 2) · отправлено: bob (×2) · switched on lamp · fetch: время вышло: https://a.example/x`,
	} {
		if diff := cmp.Diff(want, did.Line(receipt.Language{Name: lang, Translate: translate}, nil)); diff != "" {
			t.Error(diff)
		}
	}
}
