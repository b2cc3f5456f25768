package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm/ollama/ollamafake"
	"hob/internal/store"
	"hob/internal/surface/telegram/markup"
	"hob/internal/tools"
)

// noOllama is the address of an Ollama that does not run.
const noOllama = "http://127.0.0.1:1"

// testApp is an App with its commands and without a surface.
type testApp struct {
	*testing.T
	*app.App
	set   *app.Environment
	table commands.Table
}

func newTestApp(t *testing.T, ollama string, configuration ...string) testApp {
	t.Helper()
	a, s, err := loadIn(filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "config.toml"), ollama, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	h, err := a.Open(t.Context(), s, app.NewModel(s), "a test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(h.Close(), a.Egress.End()); err != nil {
			t.Error(err)
		}
	})
	return testApp{t, h, s, h.CommandTable(h, "a test")}
}

// loadIn loads a configuration and a state that lie there, or will.
func loadIn(state, config, ollama string, stderr io.Writer) (*app.Loader, *app.Environment, error) {
	env := map[string]string{"HOB_STATE_DIR": state, "HOB_CONFIG": config, "OLLAMA_HOST": ollama}
	l := &app.Loader{Env: func(key string) string { return env[key] }, Stderr: stderr, Serve: func(*app.App, string) (app.Server, error) { return noServer{}, nil }}
	s, err := l.Load()
	return l, s, err
}

// noServer is an API that nobody uses.
type noServer struct{}

func (noServer) Close(context.Context) error { return nil }

const here = event.Chat("telegram/7")

// by is a request from a private chat.
func by(level event.Level, args string) commands.Request {
	return commands.Request{Surface: commands.Telegram, Chat: here, From: "7", Args: args,
		Principal: event.Principal{Platform: "telegram", Scope: "private", Level: level}}
}

// ask runs a command and returns its answer as plain text.
func (o testApp) ask(name string, r commands.Request) (string, [][]commands.Choice) {
	o.Helper()
	a, err := o.table.Run(o.Context(), name, r)
	if err != nil {
		return "error: " + err.Error(), nil
	}
	return markup.Render(a.Text).Text, a.Choices
}

// press picks the choice with a label: it runs the choice's command line.
func (o testApp) press(buttons [][]commands.Choice, text string, r commands.Request) (string, [][]commands.Choice) {
	o.Helper()
	for _, row := range buttons {
		for _, b := range row {
			if b.Label != text {
				continue
			}
			name, args := commands.Split(b.Line)
			r.Args = args
			return o.ask(name, r)
		}
	}
	o.Fatalf("there is no button %q in %v", text, texts(buttons))
	return "", nil
}

func texts(buttons [][]commands.Choice) [][]string {
	var all [][]string
	for _, row := range buttons {
		var some []string
		for _, b := range row {
			some = append(some, b.Label)
		}
		all = append(all, some)
	}
	return all
}

func (o testApp) append(chat event.Chat, turn int64, bodies ...event.Body) int64 {
	o.Helper()
	for _, b := range bodies {
		done, err := o.Journal.Append(o.Context(), store.Entry{Chat: chat, Turn: turn, Body: b})
		if err != nil {
			o.Fatal(err)
		}
		if turn == 0 {
			turn = done[0].Seq
		}
	}
	return turn
}

// is compares texts; times and sizes do not count.
func (o testApp) is(want, got string) {
	o.Helper()
	got = regexp.MustCompile(`(\d{4}-\d\d-\d\d )?\d\d:\d\d`).ReplaceAllString(got, "TIME")
	got = regexp.MustCompile(`\b\d+ k?B\b`).ReplaceAllString(got, "SIZE")
	if diff := cmp.Diff(want, got); diff != "" {
		o.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCommands_Status(t *testing.T) {
	o := newTestApp(t, noOllama)
	o.append("main", 0, event.Said{InputID: "1", Text: "hi"}, event.Replied{Text: "the *cable* is cut"}, event.Ended{Reason: event.NoModel})
	got, _ := o.ask("status", by(event.User, ""))
	o.is("Model: none yet\nOllama: it does not work now\nQueue: the model is free\nThis chat: nothing goes on", got)

	o.waits(here, "first-question", time.Hour)
	got, _ = o.ask("status", by(event.Owner, ""))
	want := "Queue: the model is free\nThis chat: hob is at work on something\nWaiting: 1 question, see /approve\n" +
		"Last error: TIME in main: the *cable* is cut"
	first, rest, _ := strings.Cut(got, "\nQueue")
	o.is(want, "Queue"+rest)
	if !strings.HasPrefix(first, "Model: none yet\nOllama: ") || !strings.Contains(first, "127.0.0.1:1") {
		t.Errorf("of Ollama: %q", first)
	}
	group := by(event.Owner, "")
	group.Scope = "group"
	if got, _ = o.ask("status", group); strings.Contains(got, "cable") || strings.Contains(got, "127.0.0.1") {
		t.Errorf("a group is told %q", got)
	}
}

func TestCommands_StatusOfAModel(t *testing.T) {
	o := newTestApp(t, ollamafake.New(t, ollamafake.Config{}).URL())
	got, _ := o.ask("status", by(event.User, ""))
	if !strings.HasPrefix(got, "Model: tiny:1b, not loaded: the next answer takes longer") || strings.Contains(got, "Ollama:") {
		t.Error(got)
	}
	if got, _ = o.ask("privacy", by(event.Owner, "")); !strings.Contains(got, "• 127.0.0.1:") || !strings.Contains(got, "(ollama): ") {
		t.Error(got)
	}
}

func TestCommands_Log(t *testing.T) {
	o := newTestApp(t, noOllama)
	got, _ := o.ask("log", by(event.User, ""))
	o.is("Nothing has happened here yet.", got)
	o.append("main", 0, event.Said{InputID: "1", Text: "secret"}, event.Replied{Text: "yes"}, event.Ended{Reason: event.Done})
	o.append(here, 0, event.Said{InputID: "1", Text: "read *it*\nplease"},
		event.Called{ID: "c", Tool: "read_file", Args: json.RawMessage(`{"path":"a_b.txt"}`)},
		event.Returned{ID: "c", Tool: "read_file", OK: true, Text: strings.Repeat("word ", 50)}, event.Replied{Text: "1. done"}, event.Ended{Reason: event.Done})
	got, _ = o.ask("log", by(event.User, ""))
	o.is("TIME read *it* please · 1. done", got)
	o.append(here, 0, event.Said{InputID: "2", Text: "and now?"}, event.Called{ID: "c", Tool: "read_file", Args: json.RawMessage(`{"path":"b.txt"}`)})
	got, _ = o.ask("log", by(event.User, " 1 "))
	o.is("TIME and now? · read_file path: b.txt", got)
	o.append(here, 0, event.Said{InputID: "3", Text: "what did you do?"})
	got, _ = o.ask("log", by(event.User, ""))
	o.is("TIME read *it* please · 1. done\nTIME and now? · read_file path: b.txt", got)
	for range 800 {
		o.append("main", 0, event.Noted{Text: "busy"})
	}
	o.append(here, 0, event.Noted{Text: "later"})
	got, _ = o.ask("log", by(event.User, "2"))
	o.is("TIME and now? · read_file path: b.txt\nTIME later", got)
	got, _ = o.ask("log", by(event.User, "-1"))
	o.is("error: say a number from 1 to 50, or none, which is 10; `/log yesterday` shows that day", got)
}

func TestCommands_Tools(t *testing.T) {
	o := newTestApp(t, noOllama)
	if err := o.Journal.Settings().SwitchTools(t.Context(), []string{"fetch"}, false); err != nil {
		t.Fatal(err)
	}
	_, first := o.ask("tools", by(event.Owner, ""))
	states := func(buttons [][]commands.Choice) (all []string) {
		for _, row := range texts(buttons) {
			for _, name := range []string{"read_file: ", "fetch: "} {
				if strings.HasPrefix(row[0], name) {
					all = append(all, row...)
				}
			}
		}
		return all
	}
	for _, c := range []struct {
		press string
		want  []string
	}{
		{"", []string{"fetch: DISABLED", "read_file: ENABLED"}},
		{"read_file: ENABLED", []string{"fetch: DISABLED", "read_file: DISABLED"}},
		{"read_file: ENABLED", []string{"fetch: DISABLED", "read_file: DISABLED"}}, // twice is once
		{"fetch: DISABLED", []string{"fetch: ENABLED", "read_file: DISABLED"}},
	} {
		buttons := first
		if c.press != "" {
			_, buttons = o.press(first, c.press, by(event.Owner, ""))
		}
		if diff := cmp.Diff(c.want, states(buttons)); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", c.press, diff)
		}
	}
	rules, err := o.set.CurrentPolicy(t.Context(), o.Journal)
	if diff := cmp.Diff(map[string]bool{"read_file": true}, rules.Disabled); err != nil || diff != "" {
		t.Errorf("what is in force: %v (-want +got):\n%s", err, diff)
	}
}

// A tool that is off in a chat is offered and called in others alone, after a restart, too; a person does not switch on what an owner
// has switched off there.
func TestCommands_ToolsHere(t *testing.T) {
	o := newTestApp(t, noOllama)
	if _, buttons := o.ask("tools", by(event.User, "disable read_file here")); len(buttons) > 0 {
		t.Errorf("the buttons of somebody who switches nothing everywhere are %v", buttons)
	}
	callable := func(chat event.Chat) bool {
		index, err := o.CommandTools(t.Context(), chat, event.Principal{Platform: "telegram", Scope: "private", Level: event.Owner})
		if err != nil {
			t.Fatal(err)
		}
		_, ok := index.Find("read_file")
		return ok
	}
	if callable(here) || !callable("main") {
		t.Errorf("it is callable here %v, elsewhere %v", callable(here), callable("main"))
	}
	rules, err := o.set.CurrentPolicy(t.Context(), o.Journal)
	if diff := cmp.Diff(map[event.Chat]map[string]bool{here: {"read_file": true}}, rules.DisabledIn); err != nil || diff != "" {
		t.Errorf("what is in force: %v (-want +got):\n%s", err, diff)
	}
	text, _ := o.ask("tools", by(event.User, ""))
	if !strings.Contains(text, "read_file DISABLED in this chat") {
		t.Errorf("the list is %s", text)
	}
	text, _ = o.ask("tools", by(event.User, "enable read_file here"))
	if !callable(here) || strings.Contains(text, "DISABLED") {
		t.Errorf("it is not callable again: %s", text)
	}

	o.ask("tools", by(event.Owner, "disable read_file here"))
	text, _ = o.ask("tools", by(event.User, "disable read_file here")) // which it is
	if strings.HasPrefix(text, "error") {
		t.Error(text)
	}
	text, _ = o.ask("tools", by(event.User, "enable read_file here"))
	o.is("error: read_file was switched off here by somebody with the level owner, who alone, or somebody above, switches it on", text)
	if callable(here) {
		t.Error("a user has switched on what an owner had switched off")
	}
	o.ask("tools", by(event.Owner, "enable read_file here"))
	if !callable(here) {
		t.Error("it is off though the owner has switched it on")
	}
}

// Somebody whom Telegram knows is the same person on the page: they have the same facts and reminders there. The page's guests have
// their own.
func TestCommands_ThePageKnowsWhoSomebodyIs(t *testing.T) {
	o := newTestApp(t, noOllama)
	for _, p := range []event.Person{{Platform: "telegram", ID: 7, Name: "Ada"}, {Platform: "page", ID: 12, Name: "Ben"}} {
		if _, err := o.Journal.People().AllowPerson(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []event.Fact{{Subject: "person/telegram/7", Text: "likes tea"}, {Subject: "person/page/12", Text: "likes rye"}} {
		f.State = event.FactKept
		if _, _, err := o.Journal.Facts().Edit(t.Context(), event.Cause{}, []event.Fact{f}); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range []event.Reminder{
		{Text: "call Ana", Chat: "telegram/7", By: event.Party{Platform: "telegram", ID: "7"}},
		{Text: "knead", Chat: "page/12", By: event.Party{Platform: "page", ID: "12"}},
	} {
		r.State, r.When, r.Due = event.ReminderOpen, event.When{Zone: "UTC"}, time.Now().Add(time.Hour)
		if _, err := o.Journal.Reminders().Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	for from, want := range map[string][2]string{"7": {"likes tea", "call Ana"}, "page-12": {"likes rye", "knead"}, "8": {"", ""}} {
		by := commands.Request{Surface: commands.Page, Chat: "x", From: from, Principal: event.Principal{Platform: "page", Scope: "private"}}
		known, _ := o.ask("memory", by)
		all, err := o.Reminders(t.Context(), tools.Caller{Chat: by.Chat, User: from, Principal: by.Principal})
		var got []string
		for _, r := range all {
			got = append(got, r.Text)
			if !strings.HasSuffix(r.Line, r.Text) {
				t.Errorf("%s reads %q", from, r.Line)
			}
		}
		if strings.Count(known, "likes") != min(len(want[0]), 1) || !strings.Contains(known, want[0]) || strings.Join(got, ", ") != want[1] || err != nil {
			t.Errorf("%s knows %q, and %q, %v", from, known, got, err)
		}
	}
}

// write has a tool write a file for a chat.
func (o testApp) write(chat event.Chat, name, content string) {
	o.Helper()
	tool, err := o.Tools.ByName("write_file")
	if err != nil {
		o.Fatal(err)
	}
	args, err := json.Marshal(map[string]string{"path": name, "content": content, "mode": "overwrite"})
	if err != nil {
		o.Fatal(err)
	}
	ctx := tools.WithCaller(o.Context(), tools.Caller{Chat: chat, User: "7", Principal: by(event.BotAdmin, "").Principal})
	if _, err := tools.Call(ctx, tool, args); err != nil {
		o.Fatal(err)
	}
}

// read returns what is in a file, "none" where there is none.
func (o testApp) read(name string) string {
	raw, err := os.ReadFile(filepath.Join(o.set.WorkspaceDir, name))
	if err != nil {
		return "none"
	}
	return string(raw)
}

func TestCommands_Undo(t *testing.T) {
	o := newTestApp(t, noOllama)
	admin := by(event.BotAdmin, "")
	got, _ := o.ask("undo", admin)
	o.is("There is nothing to take back in this chat.", got)
	o.write(here, "a_b.txt", "one")
	o.write(here, "a_b.txt", "two")
	o.write("main", "c.txt", "not ours")
	got, buttons := o.ask("undo", admin)
	o.is("Taken back\n• a_b.txt is as it was before TIME (SIZE)", got)
	o.is("one", o.read("a_b.txt"))
	o.press(buttons, "Make it again", admin)
	o.is("two", o.read("a_b.txt"))

	got, _ = o.ask("undo", by(event.BotAdmin, "2"))
	o.is("none", o.read("a_b.txt"))
	o.is("not ours", o.read("c.txt"))
	if !strings.HasPrefix(got, "Taken back\n• a_b.txt ") {
		t.Error(got)
	}
	got, _ = o.ask("undo", by(event.BotAdmin, "all"))
	o.is("error: say a number from 1 to 100, or none, which is 1", got)
}

// An undo overwrites no later edit, unless the person forces it; then the edit is kept.
func TestCommands_UndoOfWhatWasEditedSince(t *testing.T) {
	o := newTestApp(t, noOllama)
	admin := by(event.BotAdmin, "")
	o.write(here, "a.txt", "one")
	if err := os.WriteFile(filepath.Join(o.set.WorkspaceDir, "a.txt"), []byte("mine!"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, buttons := o.ask("undo", admin)
	if !strings.HasPrefix(got, "Nothing was taken back\n• a.txt: ") {
		t.Error(got)
	}
	o.is("mine!", o.read("a.txt"))
	o.write(here, "later.txt", "x") // the button means what was read above it
	got, buttons = o.press(buttons, "Take it back all the same", admin)
	if !strings.HasPrefix(got, "Taken back\n• a.txt is gone") {
		t.Error(got)
	}
	o.is("none", o.read("a.txt"))
	o.is("x", o.read("later.txt"))
	o.press(buttons, "Make it again", admin)
	o.is("mine!", o.read("a.txt"))

	o.waits(here, "first-question", time.Hour)
	got, _ = o.ask("undo", admin)
	o.is("error: something is being done here: wait until that has ended, or /stop it, and then /undo", got)
}

// waits makes a question wait in a chat.
func (o testApp) waits(chat event.Chat, id string, lasts time.Duration) {
	o.Helper()
	args := json.RawMessage(`{"url":"http://example.org"}`)
	o.append(chat, 0, event.Said{InputID: id, Text: "go"}, event.Called{ID: "c-" + id, Tool: "fetch", Args: args},
		event.Asked{ID: id, CallID: "c-" + id, Tool: "fetch", Args: args, Text: "fetch http://example.org\n```", Expires: time.Now().Add(lasts)})
}

func (o testApp) decisions(chat event.Chat) (all []event.Decided) {
	o.Helper()
	for e, err := range o.Journal.Chat(o.Context(), chat, 0) {
		if err != nil {
			o.Fatal(err)
		}
		if d, ok := e.Body.(event.Decided); ok {
			all = append(all, d)
		}
	}
	return all
}

func TestCommands_Approve(t *testing.T) {
	o := newTestApp(t, noOllama)
	admin := by(event.BotAdmin, "")
	got, _ := o.ask("approve", admin)
	o.is("Nothing waits for an answer.", got)
	o.waits("main", "one-question", time.Hour)
	o.waits(here, "two-question", -time.Hour)
	o.waits("other", "three-question", time.Hour)
	question := func(id, chat string) string {
		return id + " fetch in " + chat + ", until TIME\nfetch http://example.org\n```"
	}
	expired := strings.Replace(question("two-qu", string(here)), "until TIME", "which has expired: only a no is taken", 1)
	expired += "\n\nIn words: /approve yes ID, or /approve no ID."
	got, buttons := o.ask("approve", admin)
	o.is(question("one-qu", "main")+"\n\n"+question("three-", "other")+"\n\n"+expired, got)
	if diff := cmp.Diff([][]string{{"Yes: one-qu", "No: one-qu"}, {"Yes: three-", "No: three-"}, {"No: two-qu"}}, texts(buttons)); diff != "" {
		t.Error(diff)
	}
	group := admin
	group.Scope = "group"
	got, _ = o.ask("approve", group)
	o.is(expired, got)

	got, _ = o.press(buttons, "No: one-qu", admin)
	o.is("Denied: fetch in main.\n\n"+question("three-", "other")+"\n\n"+expired, got)
	got, _ = o.press(buttons, "Yes: one-qu", admin)
	if !strings.HasPrefix(got, "nothing waits for an answer to one-question") || !strings.Contains(got, question("three-", "other")[:20]) {
		t.Error(got)
	}
	got, _ = o.ask("approve", by(event.BotAdmin, "yes th"))
	o.is("Allowed: fetch in other.\n\n"+expired, got)
	got, _ = o.ask("approve", by(event.BotAdmin, "yes th"))
	o.is("error: under th nothing waits, or several do: /approve lists what does", got)
	got, _ = o.ask("approve", by(event.BotAdmin, "perhaps"))
	o.is("error: /approve lists what waits; /approve yes ID allows it, /approve no ID does not", got)
	for chat, want := range map[event.Chat][]event.Decided{
		"main": {{ID: "one-question", CallID: "c-one-question", By: "7"}}, "other": {{ID: "three-question", CallID: "c-three-question", Allow: true, By: "7"}}, here: nil,
	} {
		if diff := cmp.Diff(want, o.decisions(chat)); diff != "" {
			t.Errorf("decided in %s (-want +got):\n%s", chat, diff)
		}
	}
}

// Whoever picks a choice gives the command, and must be allowed to.
func TestCommands_DecidesAsWhoPresses(t *testing.T) {
	o := newTestApp(t, noOllama)
	o.waits("main", "one-question", time.Hour)
	_, buttons := o.ask("approve", by(event.BotAdmin, ""))
	got, _ := o.press(buttons, "Yes: one-qu", by(event.User, ""))
	if got != "error: there is no command /approve here: /help lists them" || len(o.decisions("main")) > 0 {
		t.Errorf("%q, %v", got, o.decisions("main"))
	}
}

func TestCommands_Processes(t *testing.T) {
	o := newTestApp(t, noOllama)
	for _, c := range []struct{ name, args, want string }{
		{"ps", "", "Nothing runs in the background."},
		{"ps", "what", "error: /ps lists what runs in the background; /output 1 shows what process 1 has printed, /kill 1 ends it"},
		{"kill", "1", "error: there are no processes"},
		{"kill", "", "error: /kill needs the number of a process, such as /kill 1: /ps lists them"},
		{"output", "1", "error: there are no processes"},
		{"jobs", "", "Nothing runs in the background.\n\n/jobs is called /ps now; the next release no longer knows /jobs."},
		{"jobs", "stop 1", "error: there are no processes\n/jobs stop is called /kill now; the next release no longer knows /jobs stop."},
		{"job", "1", "error: there are no processes\n/job is called /output now; the next release no longer knows /job."},
	} {
		got, _ := o.ask(c.name, by(event.BotAdmin, c.args))
		o.is(c.want, got)
	}
}

// A tool that was switched off by the name that it had is off, and is switched on by that of today.
func TestCommands_SwitchByOldName(t *testing.T) {
	o := newTestApp(t, noOllama)
	for _, name := range []string{"job", "search_chat"} {
		today := tools.NameToday(name)
		if err := app.SwitchTools(t.Context(), o.Journal, []string{name}, false); err != nil {
			t.Fatal(err)
		}
		if rules, err := o.set.CurrentPolicy(t.Context(), o.Journal); err != nil || !rules.Disabled[today] {
			t.Errorf("%s is off, and %s is not: %v, %v", name, today, rules.Disabled, err)
		}
		if got, _ := o.ask("tools", by(event.Owner, "enable "+today)); strings.HasPrefix(got, "error") {
			t.Error(got)
		}
		if rules, err := o.set.CurrentPolicy(t.Context(), o.Journal); err != nil || rules.Disabled[today] {
			t.Errorf("%s is switched on, and off are %v, %v", today, rules.Disabled, err)
		}
		got, _ := o.ask("tools", by(event.Owner, "disable "+name))
		if want := name + " is called " + today + " now; the next release no longer knows " + name + "."; !strings.HasSuffix(got, want) {
			t.Errorf("disable %s: %q", name, got)
		}
		if rules, err := o.set.CurrentPolicy(t.Context(), o.Journal); err != nil || !rules.Disabled[today] {
			t.Errorf("%s is not off: %v, %v", today, rules.Disabled, err)
		}
	}
	o.set.Policy.Tools = []string{"job"}
	if rules, err := o.set.CurrentPolicy(t.Context(), o.Journal); err != nil || !slices.Contains(rules.Only, "process") {
		t.Errorf("the configuration permits job, and in force is %v, %v", rules.Only, err)
	}
}
