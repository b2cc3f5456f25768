package modeleval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// house is the tools of the recorded turns.
func house() []llm.ToolDefinition {
	tool := func(name, parameters string) llm.ToolDefinition {
		return llm.ToolDefinition{Name: name, Description: "Does " + name + ".", Parameters: json.RawMessage(parameters)}
	}
	return []llm.ToolDefinition{
		tool("list_files", `{"type":"object","properties":{}}`),
		tool("read_file", `{"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"integer"}},"required":["path"]}`),
		tool("delete_file", `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
	}
}

func user(text string) llm.Message { return llm.Message{Role: llm.UserRole, Text: text} }

func calls(ids string, calls ...string) llm.Message {
	m := llm.Message{Role: llm.AssistantRole}
	for i, c := range calls {
		name, args, _ := strings.Cut(c, " ")
		m.Calls = append(m.Calls, llm.Call{ID: fmt.Sprint(ids, i), Name: name, Args: json.RawMessage(args)})
	}
	return m
}

func result(id, text string) llm.Message {
	return llm.Message{Role: llm.ToolRole, CallID: id, Text: text}
}

func answer(text string) llm.Message { return llm.Message{Role: llm.AssistantRole, Text: text} }

// recorded is a turn of two calls, one after the other.
func recorded() RecordedTurn {
	return RecordedTurn{
		System: "You are hob.", Tools: house(),
		History: []llm.Message{user("Hello"), {Role: llm.AssistantRole, Text: "Hello!", Thinking: "A greeting."}},
		Turn: []llm.Message{user("What is in notes.txt?"),
			calls("a", `list_files {}`), result("a0", "notes.txt"),
			calls("b", `read_file {"path":"notes.txt","lines":5}`), result("b0", "milk"),
			answer("It says milk.")},
	}
}

func replies(acts ...act) *llm.Script {
	var steps []llm.Step
	for _, do := range acts {
		steps = append(steps, func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) {
			if do.err != nil {
				return nil, do.err
			}
			reply := &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Thinking: do.thinking}, Truncated: do.cut}
			written(llm.NativeMode, do, &reply.Message)
			return reply, nil
		})
	}
	return llm.NewScript(steps...)
}

func TestReplay(t *testing.T) {
	list, read := `list_files {}`, `read_file {"path":"notes.txt","lines":5}`
	for _, c := range []struct {
		name    string
		model   []act
		outcome Outcome
		why     string
	}{
		{"does the same", []act{does(list), does(read), says("Milk.")}, Same, ""},
		{"writes the same arguments another way", []act{does(`list_files`), does(`read_file { "lines": 5.0, "path": "notes\u002etxt" }`), says("Milk.")}, Same, ""},
		{"does both at once", []act{does(list, read), says("Milk.")}, Same, ""},
		{"the other way round", []act{does(read), does(list), says("Milk.")}, Different, "makes the recorded calls in another order"},
		{"reads without looking", []act{does(read), says("Milk.")}, Different, "answers after 1 of 2 recorded calls"},
		{"answers at once", []act{says("I do not know.")}, Different, "answers after 0 of 2 recorded calls"},
		{"reads something else", []act{does(list), does(`read_file {"path":"other.txt"}`)}, Different, `calls read_file {"path":"other.txt"}, which was not recorded`},
		{"deletes", []act{does(`delete_file {"path":"notes.txt"}`)}, Different, `calls delete_file {"path":"notes.txt"}, which was not recorded`},
		{"repeats itself", []act{does(list), does(list)}, Worse, "repeats list_files {}"},
		{"repeats itself at once", []act{does(list, list)}, Worse, "repeats list_files {}"},
		{"invents a tool", []act{does(`open_the_pod_bay_doors {}`)}, Worse, "a call cannot be run: "},
		{"leaves the path out", []act{does(list), does(`read_file {"lines":5}`)}, Worse, "a call cannot be run: read_file: path: is required"},
		{"is silent", []act{does(list), says("")}, Worse, "the reply was empty"},
		{"only thinks", []act{{thinking: "Hm."}}, Worse, "it thought and then said nothing"},
		{"is cut off", []act{{text: "It sa", cut: true}}, Worse, "the reply was cut off"},
		{"the stream breaks twice", []act{fails(llm.Incomplete), fails(llm.Incomplete)}, Worse, "no reply: "},
		{"the stream breaks once", []act{does(list), fails(llm.Incomplete), does(read), says("Milk.")}, Same, ""},
		{"the server fails", []act{fails(llm.Failed)}, Worse, "no reply: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var heard []Comparison
			m := replies(c.model...)
			got, err := Replay(t.Context(), m, llm.Profile{}, []RecordedTurn{recorded()}, func(c Comparison) { heard = append(heard, c) })
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 1 || got[0].UserText != "What is in notes.txt?" || got[0].Outcome != c.outcome || !strings.HasPrefix(got[0].Why, c.why) || c.why == "" && got[0].Why != "" {
				t.Errorf("%+v, want %s: %s", got, c.outcome, c.why)
			}
			if len(m.Requests()) != len(c.model) {
				t.Errorf("asked %d times", len(m.Requests()))
			}
			if diff := cmp.Diff(got, heard); diff != "" {
				t.Errorf("(-returned +heard):\n%s", diff)
			}
		})
	}
}

// The model is given the turn's opening and, call by call, the results that were recorded.
func TestReplayTellsWhatWasRecorded(t *testing.T) {
	list, read := `list_files {}`, `read_file {"path":"notes.txt","lines":5}`
	m := replies(act{calls: []string{list}, thinking: "Look first."}, does(read), says("Milk."))
	if _, err := Replay(t.Context(), m, llm.Profile{Think: llm.ThinkLow}, []RecordedTurn{recorded()}, nil); err != nil {
		t.Fatal(err)
	}
	want := []llm.Message{user("Hello"), answer("Hello!"), user("What is in notes.txt?"),
		{Role: llm.AssistantRole, Thinking: "Look first.", Calls: []llm.Call{{ID: "c0", Name: "list_files", Args: json.RawMessage(`{}`)}}},
		{Role: llm.ToolRole, CallID: "c0", ToolName: "list_files", Text: "notes.txt"},
		{Role: llm.AssistantRole, Calls: []llm.Call{{ID: "call_2", Name: "read_file", Args: json.RawMessage(`{"path":"notes.txt","lines":5}`)}}},
		{Role: llm.ToolRole, CallID: "call_2", ToolName: "read_file", Text: "milk"}}
	last := m.Requests()[2]
	if diff := cmp.Diff(want, last.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if last.System != "You are hob." || len(last.Tools) != 3 || last.Options != (llm.Options{NumPredict: 4096, Think: llm.ThinkLow}) {
		t.Errorf("%q, %d tools, %+v", last.System, len(last.Tools), last.Options)
	}
}

// What a profile says of thoughts and of calls holds in a replay too.
func TestReplayKeepsToTheProfile(t *testing.T) {
	list, read := `list_files {}`, `read_file {"path":"notes.txt","lines":5}`
	for _, c := range []struct {
		keep llm.Keep
		want string // the thoughts that are shown again in the last request
	}{{"", "Look first."}, {llm.KeepChain, "Look first."}, {llm.KeepAll, "A greeting. Look first."}, {llm.KeepNone, ""}} {
		m := replies(act{calls: []string{list}, thinking: "Look first."}, does(read), says("Milk."))
		if _, err := Replay(t.Context(), m, llm.Profile{Keep: c.keep}, []RecordedTurn{recorded()}, nil); err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, message := range m.Requests()[2].Messages {
			if message.Thinking != "" {
				seen = append(seen, message.Thinking)
			}
		}
		if got := strings.Join(seen, " "); got != c.want {
			t.Errorf("keep %q shows %q, want %q", c.keep, got, c.want)
		}
	}
	got, err := Replay(t.Context(), replies(does(list, `read_file {}`), does(read), says("Milk.")), llm.Profile{OneCall: true}, []RecordedTurn{recorded()}, nil)
	if err != nil || got[0].Outcome != Same {
		t.Errorf("only the first call counts, but %+v, %v", got, err)
	}
}

// Told in the prompt, a model is asked in words and answers in words; the outcome is the same.
func TestReplayInThePrompt(t *testing.T) {
	m := llm.NewScript(llm.Say(`{"tool":"list_files","arguments":{}}`), llm.Say(`{"tool":"read_file","arguments":{"path":"notes.txt","lines":5}}`), llm.Say("Milk."))
	got, err := Replay(t.Context(), m, llm.Profile{Mode: llm.PromptMode}, []RecordedTurn{recorded()}, nil)
	if diff := cmp.Diff([]Comparison{{UserText: "What is in notes.txt?", Outcome: Same}}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, req := range m.Requests() {
		if len(req.Tools) > 0 || !strings.Contains(req.System, "list_files") {
			t.Errorf("asked with %d tools and %q", len(req.Tools), req.System)
		}
	}
}

// A model has three requests more than were recorded.
func TestReplayIsBounded(t *testing.T) {
	turn := RecordedTurn{Tools: house(), Turn: []llm.Message{user("Read all."), {Role: llm.AssistantRole}, answer("Done.")}}
	var acts []act
	for i := range 9 {
		call := fmt.Sprintf(`read_file {"path":"%d"}`, i)
		id := fmt.Sprint("a", i)
		turn.Turn[1].Calls = append(turn.Turn[1].Calls, llm.Call{ID: id, Name: "read_file", Args: json.RawMessage(fmt.Sprintf(`{"path":"%d"}`, i))})
		turn.Turn = append(turn.Turn[:2+i], append([]llm.Message{result(id, "x")}, turn.Turn[2+i:]...)...)
		acts = append(acts, does(call))
	}
	m := replies(append([]act{fails(llm.Incomplete)}, acts...)...) // one that broke does not count
	got, err := Replay(t.Context(), m, llm.Profile{}, []RecordedTurn{turn}, nil)
	want := []Comparison{{UserText: "Read all.", Outcome: Worse, Why: "has no answer after 5 requests, and 2 were recorded"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" || len(m.Requests()) != 6 {
		t.Errorf("%v, %d requests (-want +got):\n%s", err, len(m.Requests()), diff)
	}
}

// Turns are odd sometimes: the same call twice, a call that never ran, words that came meanwhile, nothing at all.
func TestReplayOfOddTurns(t *testing.T) {
	list := `list_files {}`
	twice := RecordedTurn{Tools: house(), Turn: []llm.Message{user("Wait."), calls("a", list), result("a0", "none"), calls("b", list), result("b0", "one"), answer("One.")}}
	unrun := RecordedTurn{Tools: house(), Turn: []llm.Message{user("Look."), calls("a", list, `delete_file {"path":"x"}`), result("a0", "none"), answer("None.")}}
	meanwhile := RecordedTurn{Tools: house(), Turn: []llm.Message{user("Look."), user("Now."), calls("a", list), result("a0", "none"), user("And hurry."),
		calls("b", `read_file {"path":"x"}`), result("b0", "x"), answer("None.")}}
	stopped := RecordedTurn{Tools: house(), Turn: []llm.Message{user("Look."), calls("a", list), result("a0", "none")}}
	bare := RecordedTurn{Turn: []llm.Message{user("Hi."), answer("Hi!")}}
	for _, c := range []struct {
		name  string
		turn  RecordedTurn
		model []act
		want  Comparison
	}{
		{"the same call twice", twice, []act{does(list), does(list), says("One.")}, Comparison{"Wait.", Same, ""}},
		{"the same call a third time", twice, []act{does(list), does(list), does(list)}, Comparison{"Wait.", Worse, "repeats list_files {}"}},
		{"a call that never ran", unrun, []act{does(list), says("None.")}, Comparison{"Look.", Same, ""}},
		{"words that came meanwhile", meanwhile, []act{does(list), does(`read_file {"path":"x"}`), says("None.")}, Comparison{"Look.", Same, ""}},
		{"a turn that was stopped", stopped, nil, Comparison{"Look.", Different, "the recorded turn has no words or no answer to compare with"}},
		{"an answer to nothing", RecordedTurn{Turn: []llm.Message{answer("Hi!")}}, nil, Comparison{"", Different, "the recorded turn has no words or no answer to compare with"}},
		{"no turn", RecordedTurn{}, nil, Comparison{"", Different, "the recorded turn has no words or no answer to compare with"}},
		{"no tools", bare, []act{says("Hello!")}, Comparison{"Hi.", Same, ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := replies(c.model...)
			got, err := Replay(t.Context(), m, llm.Profile{}, []RecordedTurn{c.turn}, nil)
			if diff := cmp.Diff([]Comparison{c.want}, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			if c.name == "words that came meanwhile" {
				messages := m.Requests()[2].Messages
				if diff := cmp.Diff(user("And hurry."), messages[4]); diff != "" || len(messages) != 7 {
					t.Errorf("%d messages (-want +got):\n%s", len(messages), diff)
				}
			}
		})
	}
}

// IDs of calls that were made before the turn are not used again: a result answers one call.
func TestReplayIDs(t *testing.T) {
	turn := recorded()
	turn.History = []llm.Message{user("Look."), calls("c", `list_files {}`), result("c0", "none"), answer("None.")}
	m := replies(does(`list_files {}`), says("Milk."))
	if _, err := Replay(t.Context(), m, llm.Profile{}, []RecordedTurn{turn}, nil); err != nil {
		t.Fatal(err)
	}
	messages := m.Requests()[1].Messages
	if id := messages[5].Calls[0].ID; id == "c0" || id == "" || messages[6].CallID != id {
		t.Errorf("the call is %q, its result answers %q", id, messages[6].CallID)
	}
}

// The same turns and the same model give the same comparison, and what was recorded stays as it is.
func TestReplayIsRepeatable(t *testing.T) {
	turns := []RecordedTurn{recorded(), recorded()}
	play := func() []Comparison {
		got, err := Replay(t.Context(), replies(does(`list_files {}`), says("No."), says("No.")), llm.Profile{}, turns, nil)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if diff := cmp.Diff(play(), play()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]RecordedTurn{recorded(), recorded()}, turns); diff != "" {
		t.Errorf("the replay changed what it was given:\n%s", diff)
	}
}

// A model that cannot be asked ends the replay with what there is; a slow one has its time.
func TestReplayErrors(t *testing.T) {
	got, err := Replay(t.Context(), replies(says("No."), fails(llm.Unreachable)), llm.Profile{}, []RecordedTurn{recorded(), recorded()}, nil)
	if !errors.Is(err, llm.Unreachable) || err.Error() != "replay turn: it is unreachable" || len(got) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	synctest.Test(t, func(t *testing.T) {
		hangs := modelFunc(func(ctx context.Context, _ llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
			<-ctx.Done()
			return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
		})
		began := time.Now()
		got, err := Replay(t.Context(), hangs, llm.Profile{}, []RecordedTurn{recorded()}, nil)
		want := []Comparison{{"What is in notes.txt?", Worse, "no reply: took longer than 5m0s"}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" || time.Since(began) != 5*time.Minute {
			t.Errorf("%v after %v (-want +got):\n%s", err, time.Since(began), diff)
		}
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			synctest.Wait()
			cancel(enough)
		}()
		if _, err := Replay(ctx, hangs, llm.Profile{}, []RecordedTurn{recorded()}, nil); !errors.Is(err, enough) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{`{"a":1,"b":[1.50,{"d":null,"c":"x"}]}`, ` { "b" : [1.50,{"c":"\u0078","d":null}], "a":1.0 } `},
		{``, `{}`}, {`  `, `{}`}, {`{"n":1e2}`, `{"n":100}`}, {`{"n":-0}`, `{"n":0}`},
	} {
		if llm.CanonicalArgs(json.RawMessage(c.a)) != llm.CanonicalArgs(json.RawMessage(c.b)) {
			t.Errorf("%s is %s, but %s is %s", c.a, llm.CanonicalArgs(json.RawMessage(c.a)), c.b, llm.CanonicalArgs(json.RawMessage(c.b)))
		}
	}
	for _, c := range []struct{ a, b string }{
		{`{"n":9007199254740993}`, `{"n":9007199254740992}`}, {`{"n":1}`, `{"n":"1"}`}, {`{"n":1.5}`, `{"n":1}`}, {`{"n":1e999999999}`, `{"n":1}`}, {`{"s":"Ä"}`, `{"s":"A\u0308"}`},
	} {
		if llm.CanonicalArgs(json.RawMessage(c.a)) == llm.CanonicalArgs(json.RawMessage(c.b)) {
			t.Errorf("%s and %s are both %s", c.a, c.b, llm.CanonicalArgs(json.RawMessage(c.a)))
		}
	}
}
