package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/BurntSushi/toml"

	"hob/internal/exit"
	"hob/internal/llm/ollama/ollamafake"
	"hob/internal/sandbox"
)

// fault is a row of testdata/faults.toml: what a model and its server do, and what the person must get.
type fault struct {
	Name    string
	Kind    string // what goes wrong, in a word or two: rows of a kind stand together
	Ask     string // the question; "" is askNumber
	Config  string // more lines of config.toml
	Profile string // lines of a profile for the model, in profiles.toml
	Server  ollamafake.Config
	Steps   []faultStep // what the server does, a chat each
	Needs   string      // "walls": the row is left out where there are none

	Reason   string            // of the end; the exit status follows from it
	Has, Not []string          // in the reply
	Requests int               // at most
	Ran      []string          // the calls that succeeded, in their order
	Heard    []string          // what the model was sent, somewhere
	Files    map[string]string // what stands in the workspace at the end; "" is no such file
}

// faultStep is what the server does about one chat: fields of the first group say what, those of the second how.
type faultStep struct {
	Say       *string
	Call      string   // "tool {arguments}"
	Calls     []string // several in one reply
	Think     string   // thoughts, before Say and calls
	Swallowed bool     // a call that Ollama's parser dropped
	Unnamed   bool     // a call of nothing
	Error     string   // with Status
	ErrorLine string   `toml:"error_line"` // after Say
	Body      string   // as it is, with Status
	Status    int      // 200

	Cut    bool // the reply reached its limit of tokens
	Gone   bool // the stream ends before the model is done
	Reset  bool // likewise, and the connection breaks
	Half   bool // likewise, in the middle of a line
	InLast bool `toml:"in_last"` // the call comes in the line that ends the reply
	Repeat int  // Say or Think comes so many times, in pieces
	Every  bool // every chat from here on
}

const askNumber = "Read note.txt and tell me the number"

// step is the step of the fake server.
func (s faultStep) step(t *testing.T) ollamafake.Step {
	t.Helper()
	one := s.one(t)
	if s.Every {
		return ollamafake.Forever(one)
	}
	return one
}

func (s faultStep) one(t *testing.T) ollamafake.Step {
	t.Helper()
	text, said := "", s.Say != nil
	if said {
		text = *s.Say
	}
	pieces := []string{text}
	if s.Repeat > 0 {
		pieces = slices.Repeat(pieces, s.Repeat)
	}
	line := `one more line\n`
	longText := strings.NewReplacer("@12k@", strings.Repeat(line, 12<<10/len(line)), "@300k@", strings.Repeat(line, 300<<10/len(line)))
	var calls []ollamafake.Call
	for _, c := range append(slices.Clone(s.Calls), s.Call) {
		c = longText.Replace(c)
		if name, args, _ := strings.Cut(c, " "); c != "" {
			if !json.Valid([]byte(args)) {
				t.Fatalf("the arguments of %q are no JSON", c)
			}
			calls = append(calls, ollamafake.CallOf(name, json.RawMessage(args)))
		}
	}
	switch {
	case s.ErrorLine != "":
		return ollamafake.ErrorLine(s.ErrorLine, text)
	case s.Error != "":
		return ollamafake.Error(s.Status, s.Error)
	case s.Body != "" || s.Status > 0:
		return ollamafake.Status(cmp.Or(s.Status, http.StatusOK), s.Body)
	case s.Gone:
		return ollamafake.CloseAfter(pieces...)
	case s.Reset && !said:
		return ollamafake.Reset()
	case s.Reset:
		return ollamafake.Reset(pieces...)
	case s.Half:
		return ollamafake.CutLine(pieces...)
	case s.Think != "" && s.Cut:
		return ollamafake.ThinkingOnly(s.Think, "length")
	case s.Swallowed:
		return ollamafake.Swallowed()
	case s.Unnamed:
		return ollamafake.EmptyName()
	}
	return ollamafake.Do(func(x *ollamafake.Exchange) {
		for range max(1, s.Repeat) {
			if s.Think != "" {
				x.Line(ollamafake.Message{Thinking: s.Think})
			}
		}
		if said {
			x.Stream(pieces...)
		}
		reason := "stop"
		if s.Cut {
			reason = "length"
		}
		if s.InLast {
			x.End(reason, 20, x.Number(calls...)...)
			return
		}
		for _, c := range calls {
			x.Line(ollamafake.Message{}, x.Number(c)...)
		}
		x.End(reason, 1+len(text)/4+20*len(calls))
	})
}

// TestFaults plays what small models and their servers do wrong through the whole program, a turn of hob ask each. Every one
// ends in one outcome that makes sense to a person.
func TestFaults(t *testing.T) {
	notShort(t)
	t.Setenv("HOME", t.TempDir())
	rows := readFaults(t)
	lacks := map[string]bool{"walls": sandbox.New(sandbox.Config{}).Tier(t.Context()) > sandbox.T2}
	left := map[string]int{}
	var all sync.WaitGroup // all at once: most of the time is the pause before a request is made again
	slots := make(chan bool, 16)
	for _, row := range rows {
		if lacks[row.Needs] {
			left[row.Needs]++
			continue
		}
		all.Go(func() {
			slots <- true
			defer func() { <-slots }()
			t.Run(row.Name, row.play)
		})
	}
	all.Wait()
	t.Logf("figure: %d fault scenarios end to end, left out %v", len(rows), left)
}

func readFaults(t *testing.T) []fault {
	t.Helper()
	var file struct{ Fault []fault }
	meta, err := toml.DecodeFile(filepath.Join("testdata", "faults.toml"), &file)
	if err != nil {
		t.Fatal(err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		t.Fatalf("faults.toml has keys that nobody reads: %v", unknown)
	}
	names := map[string]bool{}
	for _, f := range file.Fault {
		if f.Name == "" || f.Kind == "" || f.Reason == "" || names[f.Name] || len(f.Has) == 0 || f.Requests == 0 {
			t.Errorf("the row %q lacks a field, or there are two", f.Name)
		}
		names[f.Name] = true
	}
	if len(names) < 80 {
		t.Errorf("there are only %d rows", len(names))
	}
	return file.Fault
}

// faultFiles is what the workspace of each row has.
func faultFiles() map[string]string {
	return map[string]string{
		"note.txt":      "Groceries for Sunday\nThe number is 4711.\nCall the plumber\n",
		"other.txt":     "The number is 12.\n",
		"notes/todo.md": "- water the plants\n- pay the rent\n",
		"Einkauf ü.txt": "Käse\n",
	}
}

// exitStatus is the exit status by the reason of a turn's end.
func exitStatus(reason string) int {
	switch reason {
	case "done":
		return 0
	case "model":
		return exit.Model
	case "stopped", "denied":
		return exit.Denied
	}
	return exit.Failed
}

// forMachines is in what no person may be shown: calls, and the tokens of templates and parsers.
var forMachines = regexp.MustCompile(`(?i)"(?:arguments|parameters|tool|tool_calls)" *:|</?(?:tool_call|tool_response|think|function|atem|user)\b|<\|?[a-z_]+\|?>|\[TOOL_CALLS\]|\b(?:read_file|write_file|run_command|list_files|fetch|use_skill)\(`)

// play asks the question of a row, and looks at what comes of it.
func (f fault) play(t *testing.T) {
	root := t.TempDir()
	state, config := filepath.Join(root, "state"), filepath.Join(root, "config.toml")
	for name, text := range faultFiles() {
		file := filepath.Join(state, "workspace", name)
		if err := cmp.Or(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	f.Server.Model, f.Server.Parameters = "fake:3b", cmp.Or(f.Server.Parameters, "3.0B")
	var steps []ollamafake.Step
	for _, s := range f.Steps {
		steps = append(steps, s.step(t))
	}
	server := ollamafake.New(t, f.Server, steps...)
	text := fmt.Sprintf("[ollama]\nhost = %q\nmodel = \"fake:3b\"\nnum_ctx = 8192\n%s\n", server.URL(), f.Config)
	profile := "[[profile]]\nname = \"fault\"\nmatch.names = [\"fake:*\"]\n" + f.Profile + "\n"
	if err := cmp.Or(os.WriteFile(config, []byte(text), 0o600), os.WriteFile(filepath.Join(root, "profiles.toml"), []byte(profile), 0o600)); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOB_CONFIG": config, "HOB_STATE_DIR": state}
	var out, errs bytes.Buffer
	a := newProgram(standardInput(t, ""), &out, &errs, func(name string) string { return env[name] })
	cmd := rootCommand(a)
	cmd.SetArgs([]string{"ask", "--json", "--wait", "0s", "--", cmp.Or(f.Ask, askNumber)})
	code := 0
	failure := cmp.Or(cmd.ExecuteContext(t.Context()), a.Egress.End())
	if failure != nil {
		code = status(failure)
	}
	got := readTurn(t, out.String())
	f.check(t, got, code)
	f.checkRequests(t, server)
	for name, want := range f.Files {
		text, err := os.ReadFile(filepath.Join(state, "workspace", name))
		if err != nil && !os.IsNotExist(err) || string(text) != want {
			t.Errorf("%s holds %q, want %q", name, text, want)
		}
	}
	if t.Failed() {
		t.Logf("ran %q, error %v, the reply:\n%.1500s\n%.4000s\n%s", got.ran, failure, got.reply, got.story, errs.String())
	}
}

// check looks at what the person got.
func (f fault) check(t *testing.T, got turnSeen, code int) {
	t.Helper()
	if got.replies != 1 || got.ends != 1 || !got.endsLast {
		t.Errorf("%d replies and %d ends, the end comes last: %t", got.replies, got.ends, got.endsLast)
	}
	if got.reason != f.Reason || code != exitStatus(f.Reason) {
		t.Errorf("ended %q with status %d, want %q with %d", got.reason, code, f.Reason, exitStatus(f.Reason))
	}
	for _, part := range f.Has {
		if !strings.Contains(got.reply, part) {
			t.Errorf("the reply lacks %q", part)
		}
	}
	for _, part := range f.Not {
		if strings.Contains(got.reply, part) {
			t.Errorf("the reply has %q", part)
		}
	}
	if bad := forMachines.FindString(got.reply + "\n" + got.shown); bad != "" || json.Valid([]byte(got.reply)) {
		t.Errorf("a person was shown what is for machines: %q", bad)
	}
	if len(got.reply) > 4000 {
		t.Errorf("the reply has %d bytes", len(got.reply))
	}
	if f.Ran != nil && !slices.Equal(got.ran, f.Ran) {
		t.Errorf("ran %q, want %q", got.ran, f.Ran)
	}
}

// checkRequests looks at what the model was asked.
func (f fault) checkRequests(t *testing.T, server *ollamafake.Server) {
	t.Helper()
	asked := server.Requests()
	if len(asked) > f.Requests || server.StepsLeft() > 0 {
		t.Errorf("%d requests, want at most %d and all of the script", len(asked), f.Requests)
	}
	var heard strings.Builder
	for _, r := range asked {
		heard.WriteString(r.Rendered + "\n")
	}
	for _, part := range f.Heard {
		if !strings.Contains(heard.String(), part) {
			t.Errorf("the model was not sent %q", part)
		}
	}
}

// turnSeen is what hob ask --json printed of a turn.
type turnSeen struct {
	replies, ends int
	endsLast      bool
	reply, reason string
	shown         string // while it came, without what was taken back
	ran           []string
	story         string // all that happened, shortened
}

func readTurn(t *testing.T, out string) (seen turnSeen) {
	t.Helper()
	for line := range strings.Lines(out) {
		var e struct {
			Type, Text, Reason, Tool string
			OK, Restart              bool
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("not a line of JSON: %q", line)
		}
		seen.endsLast = e.Type == "ended"
		switch e.Type {
		case "replied":
			seen.replies, seen.reply = seen.replies+1, e.Text
		case "ended":
			seen.ends, seen.reason = seen.ends+1, e.Reason
		case "delta":
			if e.Restart {
				seen.shown = ""
			}
			seen.shown += e.Text
		case "returned":
			if e.OK {
				seen.ran = append(seen.ran, e.Tool)
			}
		}
		if e.Type != "delta" {
			seen.story += fmt.Sprintf("%.250s\n", strings.TrimSpace(line))
		}
	}
	return seen
}
