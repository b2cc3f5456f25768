package prompt

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/surface/cli"
	"hob/internal/surface/http/api"
)

// recorder is a hob that writes down what it is asked for, and plays no turn.
type recorder struct {
	client.Backend
	calls []string
}

func (r *recorder) Reset(_ context.Context, chat event.Chat) error {
	r.calls = append(r.calls, "reset "+string(chat))
	return nil
}

func (r *recorder) Stop(_ context.Context, chat event.Chat) (bool, error) {
	r.calls = append(r.calls, "stop "+string(chat))
	return false, nil
}

func (r *recorder) SkillList(context.Context, event.Chat) (commands.SkillList, error) {
	return commands.SkillList{}, nil
}

func (r *recorder) Command(_ context.Context, in api.CommandRequest) (api.CommandReply, error) {
	r.calls = append(r.calls, strings.TrimSpace("run "+in.Name+" "+in.Args))
	reply := api.CommandReply{Text: "one\ntwo", Choices: [][]commands.Choice{{{Label: "Again", Line: "/" + in.Name}}}}
	switch in.Name {
	case "tools":
		reply.Data = json.RawMessage(`{"tools":[{"name":"list_files"},{"name":"read_file"}]}`)
	case "skill":
		reply.Choices = [][]commands.Choice{{{Line: "/skill notes"}, {Line: "/skill web"}}}
	}
	return reply, nil
}

// Each command of the prompt reaches hob as it should. An error is printed, and the next line is read.
func TestCommands(t *testing.T) {
	var out, errs bytes.Buffer
	hob := &recorder{}
	lines := "/new\n\n /STOP \n/stop 3\n/edit\n/help read_file\n/status\n/q\n/new\n"
	c := &conversation{
		language: func() string { return "" },
		Options:  Options{Chat: "main"},
		terminal: &cli.Terminal{In: strings.NewReader(lines), Out: &out, Err: &errs, Env: func(string) string { return "" }},
		client:   &client.Client{Backend: hob},
		out:      &out,
		err:      &errs,
	}
	if err := c.playLines(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"reset main", "stop main", "run kill 3", "run tools read_file", "run status"}, hob.calls); diff != "" {
		t.Errorf("hob is asked for (-want +got):\n%s", diff)
	}
	reply := func(line string) string { return "one\ntwo\n  Again: " + line + "\n" }
	if diff := cmp.Diff("A new conversation begins.\n"+strings.Replace(reply("/kill"), "two\n", "two\n\n/stop N is called /kill N now; the next release no longer knows /stop N.\n", 1)+reply("/tools")+reply("/status"), out.String()); diff != "" {
		t.Errorf("the output (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("hob: no turn is running\nhob: an editor needs a terminal\n", errs.String()); diff != "" {
		t.Errorf("the errors (-want +got):\n%s", diff)
	}
}

// A line calls a tool if its word is no command. Case does not matter.
func TestIsToolCall(t *testing.T) {
	for _, table := range tables() {
		for _, row := range table.For(byOwner()) {
			if isToolCall("/"+row.Name) || isToolCall("/"+strings.ToUpper(row.Name)+" x") {
				t.Errorf("/%s is taken for a tool", row.Name)
			}
		}
	}
	for line, want := range map[string]bool{"/list_files notes": true, "/quit": false, "/exit": false, "/q": false, "/quite": true} {
		if isToolCall(line) != want {
			t.Errorf("%s calls a tool: %v", line, !want)
		}
	}
}

// The commands of the prompt and those of every surface are completed alike, and help has them all.
func TestCompleteLine(t *testing.T) {
	if diff := cmp.Diff([]string{"/status", "/stop"}, completeLine("/st")); diff != "" {
		t.Errorf("/st becomes (-want +got):\n%s", diff)
	}
	for _, name := range completeLine("/") {
		if !strings.Contains(helpText(""), "  "+name+" ") {
			t.Errorf("help has no %s", name)
		}
	}
}

// The answer that is one block, such as how a tool is called, is its text.
func TestUnfence(t *testing.T) {
	for text, want := range map[string]string{
		"```\none\ntwo\n```": "one\ntwo", "````\n```\n````": "```", "```\none\x1b[2J\n```\n": "one␛[2J",
		"one": "", "": "", "```\none\n```\ntwo": "", "```\na\n```\n```\nb\n```": "", "```sh\none\n```": "", "`one`": "",
	} {
		if got, is := unfence(text); got != want && is || is != (want != "") {
			t.Errorf("%q: %q, %v", text, got, is)
		}
	}
}

// A player sees the reply and all that can be picked, and not the calls behind it.
func TestStoryView(t *testing.T) {
	choice := func(label string) []event.Choice { return []event.Choice{{Label: label}} }
	turn := []event.Body{
		event.Called{}, event.Returned{Choices: choice("go north")}, event.Replied{Text: "A door.", Choices: choice("look")}, event.Ended{},
	}
	for _, goesOn := range []bool{false, true} {
		seen := &bodies{}
		view := &storyView{View: seen, goesOn: goesOn}
		for _, b := range turn {
			if err := view.Event(event.Event{Body: b}, true); err != nil {
				t.Fatal(err)
			}
		}
		reply := event.Replied{Text: "A door.", Choices: append(choice("go north"), choice("look")...)}
		if goesOn {
			reply.Choices = nil
		}
		if diff := cmp.Diff([]event.Body{reply, event.Ended{}}, seen.all); diff != "" {
			t.Errorf("goes on %v (-want +got):\n%s", goesOn, diff)
		}
	}
}

// bodies is a view that keeps what it is shown.
type bodies struct {
	client.View
	all []event.Body
}

func (v *bodies) Event(e event.Event, _ bool) error {
	v.all = append(v.all, e.Body)
	return nil
}

// Each line of the help is in the language of who reads it.
func TestHelpSpeaksLanguages(t *testing.T) {
	english := strings.Split(helpText(""), "\n")
	for _, lang := range phrases.Languages()[1:] {
		for i, line := range strings.Split(helpText(lang), "\n") {
			if line != "" && line == english[i] {
				t.Errorf("%s: %s", lang, line)
			}
		}
	}
}

// parked is a hob in which turns are parked.
type parked struct {
	client.Backend
	turns []event.ParkedTurn
}

func (p parked) Parked(context.Context, event.Chat) ([]event.ParkedTurn, error) { return p.turns, nil }

// What is said waits for an earlier turn that waits, and the prompt says so. That its own turn waits by now, where its event is shown late, the
// note of that turn says.
func TestTellParked(t *testing.T) {
	for _, test := range []struct {
		parked event.ParkedTurn
		body   event.Body
		want   string
	}{
		{event.ParkedTurn{ID: 3, Chat: "main", Reason: event.ParkedForModel}, event.Said{}, "turn 3"},
		{event.ParkedTurn{ID: 7, Chat: "main", Reason: event.ParkedForModel}, event.Said{}, ""},
		{event.ParkedTurn{ID: 7, Chat: "main", Reason: event.ParkedByPerson}, event.Parked{Reason: event.ParkedByPerson}, "hob retry 7"},
	} {
		var out bytes.Buffer
		c := talk{conversation: &conversation{out: &out, client: &client.Client{Backend: parked{turns: []event.ParkedTurn{test.parked}}}}}
		if err := c.tellParked(t.Context(), event.Event{Turn: 7, Body: test.body}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
			t.Errorf("%T, where turn %d is parked, says %q, want %q", test.body, test.parked.ID, got, test.want)
		}
	}
}
