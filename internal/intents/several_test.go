package intents_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"hob/internal/intents"
)

// callOf is a call as a corpus has it.
type callOf struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// callsOf returns the calls of a reading at a time, without what is for the buttons and the words around them.
func callsOf(t *testing.T, r intents.Reading) (calls []callOf) {
	t.Helper()
	for _, part := range r.Chores() {
		c := callOf{Tool: part.Call.Name}
		if err := json.Unmarshal(part.Call.Args, &c.Args); err != nil {
			t.Fatal(err)
		}
		delete(c.Args, "other")
		delete(c.Args, "lang")
		calls = append(calls, c)
	}
	return calls
}

// isCalls reports whether a reading becomes some calls.
func isCalls(t *testing.T, r intents.Reading, calls []callOf) bool {
	t.Helper()
	return reflect.DeepEqual(callsOf(t, r), calls)
}

// What is truly two chores is read as both, and what only looks like that is one, or goes to the model.
func TestSeveral(t *testing.T) {
	t.Parallel()
	all, read, of := intents.Default(), 0, 0
	for _, s := range corpus(t, "testdata/several/sentences.jsonl") {
		r := all.Read(s.Text).At(midday)
		got := callsOf(t, r)
		isRight := len(got)+len(s.Calls) == 0 || isCalls(t, r, s.Calls)
		if len(s.Calls) > 1 {
			of++
		}
		switch {
		case isRight && len(s.Calls) > 1:
			read++
		case len(got) > 0 && !isRight:
			t.Errorf("%q is read as %s %v, want %v", s.Text, r.Kind, got, s.Calls)
		case !isRight:
			t.Logf("%q is not read, want %v", s.Text, s.Calls)
		}
		if loose := all.Loosely(s.Text); r.Kind == "" && loose.Acts {
			t.Errorf("without a model, %q is read as %s %s", s.Text, loose.Kind, loose.Call.Args)
		}
	}
	if t.Logf("of %d messages that are several chores %d are read", of, read); read*20 < of*19 {
		t.Errorf("of %d messages that are several chores %d are read: at least 95 %% shall be", of, read)
	}
}
