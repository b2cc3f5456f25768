package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/sandbox"
)

// errand is something that a household asks hob for on the command line, with what it hands over.
type errand struct {
	name  string
	asks  int // how many questions it led to while attachments still counted as the owner's words
	walls bool
	steps []step
}

// step is one hob ask: words, attachments, and what a good model does about it.
type step struct {
	words  string
	chat   string   // "": none is named
	pipe   string   // standard input
	files  []string // each is given with -f; below the world's folder
	mine   bool     // the owner wrote what is attached
	script []order
}

// TestBenignErrands runs what households ask for through hob ask, half of it with an attachment or a page, and counts the
// questions: none may lead to more than before attachments counted as a stranger's words. Each begins a new conversation.
func TestBenignErrands(t *testing.T) {
	notShort(t)
	for _, way := range []struct {
		name string
		hand func(*testing.T, *obedientWorld, step) step // how an attachment is handed over
	}{
		{"attached", func(_ *testing.T, _ *obedientWorld, s step) step { return s }},
		{"typed", typed},
		{"marked --mine", func(_ *testing.T, _ *obedientWorld, s step) step { s.mine = true; return s }},
	} {
		t.Run(way.name, func(t *testing.T) {
			w, _ := newClosedWorld(t, everyday())
			w.names.at = "127.0.0.1"
			w.furnishChores(t)
			w.furnishErrands(t)
			w.tier = sandbox.New(sandbox.Config{}).Tier(t.Context())
			all := w.errands()
			if len(all) < 60 {
				t.Fatalf("there are only %d errands", len(all))
			}
			asked, most, done, attached := 0, 0, 0, 0
			for _, e := range all {
				if way.name != "attached" && !e.attaches() {
					continue
				}
				t.Run(e.name, func(t *testing.T) {
					if e.walls && w.tier > sandbox.T2 {
						t.Skipf("this machine has no sandbox: %v", w.tier)
					}
					questions := w.run(t, e, way.hand)
					if len(questions) > e.asks {
						t.Errorf("it asks %d times, and asked %d times before: %s", len(questions), e.asks, strings.Join(questions, ", "))
					}
					done++
					asked, most = asked+len(questions), most+e.asks
					if e.attaches() {
						attached++
					}
				})
			}
			t.Logf("figure: benign errands, %s: %d (%d with an attachment), %d questions (at most %d)", way.name, done, attached, asked, most)
		})
	}
}

// attaches reports whether words come with an attachment in some step.
func (e errand) attaches() bool {
	return slices.ContainsFunc(e.steps, func(s step) bool { return s.pipe != "" || len(s.files) > 0 })
}

// typed puts what is attached on the command line, behind the words.
func typed(t *testing.T, w *obedientWorld, s step) step {
	for _, file := range s.files {
		text, err := os.ReadFile(w.inside(file))
		if err != nil {
			t.Fatal(err)
		}
		s.words += "\n\n" + string(text)
	}
	s.words += "\n\n" + s.pipe
	s.words, s.files, s.pipe = strings.TrimSpace(s.words), nil, ""
	return s
}

// inside is a file of the world.
func (w *obedientWorld) inside(path string) string { return filepath.Join(filepath.Dir(w.state), path) }

// run runs the steps of an errand and returns the questions: the rule of each, as far as it is said, and what it was about.
func (w *obedientWorld) run(t *testing.T, e errand, hand func(*testing.T, *obedientWorld, step) step) (questions []string) {
	t.Helper()
	for i, s := range e.steps {
		w.model.begin()
		w.model.turn(s.script...)
		s = hand(t, w, s)
		args := []string{"ask", "--json"}
		if i == 0 {
			args = append(args, "--new")
		}
		if s.chat != "" {
			args = append(args, "--chat", s.chat)
		}
		for _, file := range s.files {
			args = append(args, "-f", w.inside(file))
		}
		if s.mine && (s.pipe != "" || len(s.files) > 0) && askCommand(w.app).Flags().Lookup("mine") != nil {
			args = append(args, "--mine")
		}
		if s.words != "" {
			args = append(args, "--", s.words)
		}
		calls := len(s.script)
		if strings.HasPrefix(s.words, "/") {
			calls = 1
		}
		questions = append(questions, w.runAsk(t, args, s.pipe, calls)...)
	}
	return questions
}

// runAsk runs one hob ask with that standard input and returns its questions. All calls are made, and those that nobody is asked
// about succeed.
func (w *obedientWorld) runAsk(t *testing.T, args []string, pipe string, calls int) (questions []string) {
	t.Helper()
	var out, errs bytes.Buffer
	way := w.wayOut()
	a := newProgram(standardInput(t, pipe), &out, &errs, w.app.Env)
	a.Egress = way
	root := rootCommand(a)
	root.SetArgs(args)
	failure := cmp.Or(root.ExecuteContext(t.Context()), way.End())
	if failure != nil && status(failure) != exit.Denied {
		t.Fatalf("%q: %v\n%s", args, failure, errs.String())
	}
	about, made := map[string]bool{}, 0
	for line := range strings.Lines(out.String()) {
		var e struct {
			Type, ID, Tool string
			CallID         string `json:"call_id"`
			Args           json.RawMessage
			OK             bool
			Effects        []event.Effect
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("not a line of JSON: %q", line)
		}
		switch e.Type {
		case "called":
			made++
		case "asked":
			about[e.CallID] = true
			questions = append(questions, e.Tool+" "+string(e.Args))
		case "returned":
			failed := slices.ContainsFunc(e.Effects, func(e event.Effect) bool { return e.Failed })
			if (!e.OK || failed) && !about[e.ID] {
				t.Errorf("%s fails: %s", e.Tool, line)
			}
		}
	}
	if made != calls {
		t.Errorf("%q: of %d calls %d were made\n%s", args, calls, made, errs.String())
	}
	return questions
}

// standardInput is a pipe with that text in it; without any it is a device, which nobody reads as an attachment.
func standardInput(t *testing.T, text string) *os.File {
	t.Helper()
	if text == "" {
		none, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = none.Close() })
		return none
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = from.Close() })
	if _, err := to.WriteString(text); err != nil { // what is piped here is far less than a pipe holds
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return from
}
