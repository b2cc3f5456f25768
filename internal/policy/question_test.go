package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

func bindTo(b event.Binding) func(context.Context, json.RawMessage) (event.Binding, error) {
	return func(context.Context, json.RawMessage) (event.Binding, error) { return b, nil }
}

// run returns a call of a command that runs in and on b.
func run(b event.Binding) policy.Call {
	call := callOf(toolOf(tools.Def{Name: "run", Capabilities: tools.Executes, Bind: bindTo(b)}))
	call.Args = json.RawMessage(`{"command":"sh a.sh"}`)
	return call
}

func binding() event.Binding {
	return event.Binding{Profile: "T1", Dir: "/srv/w", Files: []event.BoundFile{{Path: "b.sh", Sum: "bb"}, {Path: "a.sh", Sum: "aa"}}}
}

func TestQuestion(t *testing.T) {
	call, grants := run(binding()), []event.Grant{{Tool: "run", Host: "example.org"}}
	got, err := policy.NewQuestion(t.Context(), "", time.UTC, call, policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleUnconfined, Why: "of no matter", Grants: grants})
	if err != nil {
		t.Fatal(err)
	}
	want := event.Asked{
		CallID: "c1", Tool: "run", Args: call.Args, Rule: "unconfined", Grants: grants, Hash: got.Hash, Text: policy.Render(got, time.UTC),
		Binding: event.Binding{Profile: "T1", Dir: "/srv/w", Files: []event.BoundFile{{Path: "a.sh", Sum: "aa"}, {Path: "b.sh", Sum: "bb"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(got.Hash) != 64 || !strings.Contains(got.Text, "record "+got.Hash[:12]) {
		t.Errorf("hash %q, text\n%s", got.Hash, got.Text)
	}
	counted, err := policy.NewQuestion(t.Context(), "", time.UTC, run(event.Binding{Changes: "2 timers"}), policy.Ruling{})
	if err != nil || !strings.Contains(counted.Text, "\n(changes 2 timers)\n") {
		t.Errorf("%v, text\n%s", err, counted.Text)
	}
	broken := callOf(toolOf(tools.Def{Bind: func(context.Context, json.RawMessage) (event.Binding, error) {
		return event.Binding{}, errors.New("a.sh: no such file")
	}}))
	if _, err := policy.NewQuestion(t.Context(), "", time.UTC, broken, policy.Ruling{}); err == nil || err.Error() != "look at what x will run: a.sh: no such file" {
		t.Errorf("%v", err)
	}
	if e := policy.CheckApproved(t.Context(), got, broken); e == nil {
		t.Error("what cannot be looked at is the same")
	}
}

// A yes is for exactly what was asked.
func TestSame(t *testing.T) {
	files := func(change func([]event.BoundFile) []event.BoundFile) policy.Call {
		b := binding()
		b.Files = change(b.Files)
		return run(b)
	}
	with := func(change func(*policy.Call)) policy.Call {
		call := run(binding())
		change(&call)
		return call
	}
	question := func(change func(*event.Asked)) func(*event.Asked) { return change }
	as := question(func(*event.Asked) {})
	for _, c := range []struct {
		name string
		call policy.Call
		ask  func(*event.Asked)
		want string
	}{
		{"the same", run(binding()), as, ""},
		{"a record that a journal has escaped", with(func(c *policy.Call) { c.Args = json.RawMessage(`{"command":"a>b"}`) }),
			question(func(a *event.Asked) {
				a.Args, a.Hash = json.RawMessage(`{"command":"a\u003eb"}`), hashOf(t, json.RawMessage(`{"command":"a>b"}`))
			}), ""},
		{"its files in another order", files(func(f []event.BoundFile) []event.BoundFile { slices.Reverse(f); return f }), as, ""},
		{"another id of the call", with(func(c *policy.Call) { c.ID = "c2" }), as, ""},
		{"other arguments", with(func(c *policy.Call) { c.Args = json.RawMessage(`{"command":"sh b.sh"}`) }), as, "its arguments are not those that the user was asked about"},
		{"the same arguments, written otherwise", with(func(c *policy.Call) { c.Args = json.RawMessage(`{"command": "sh a.sh"}`) }), as, "its arguments are not those that the user was asked about"},
		{"another chat", with(func(c *policy.Call) { c.Caller.Chat = "telegram/1" }), as, "the user was asked in another conversation, or the record of it has changed"},
		{"another tool", with(func(c *policy.Call) { c.Name = "walk" }), as, "the user was asked about run"},
		{"another sandbox", run(event.Binding{Profile: "T3", Dir: "/srv/w", Files: binding().Files}), as, "its sandbox has changed since the user was asked"},
		{"another folder", run(event.Binding{Profile: "T1", Dir: "/srv", Files: binding().Files}), as, "its working folder has changed since the user was asked"},
		{"other changes", run(event.Binding{Profile: "T1", Dir: "/srv/w", Files: binding().Files, Changes: "2 timers"}), as, "it would change 2 timers now"},
		{"a changed file", files(func(f []event.BoundFile) []event.BoundFile { f[0].Sum = "cc"; return f }), as, "the file b.sh has changed since the user was asked"},
		{"a file more", files(func(f []event.BoundFile) []event.BoundFile { return append(f, event.BoundFile{Path: "c\n.sh"}) }), as, `the file c\u{a}.sh has come to be run too since the user was asked`},
		{"a file less", files(func(f []event.BoundFile) []event.BoundFile { return f[:1] }), as, "the file a.sh has ceased to be run since the user was asked"},
		{"nothing bound any more", run(event.Binding{Profile: "T1", Dir: "/srv/w"}), as, "the file a.sh has ceased to be run since the user was asked"},
		{"a record without a hash", run(binding()), question(func(a *event.Asked) { a.Hash = "" }), "the user was asked in another conversation, or the record of it has changed"},
		{"a record of other arguments with this hash", run(binding()), question(func(a *event.Asked) { a.Args = json.RawMessage(`{"command":"ls"}`) }), "its arguments are not those that the user was asked about"},
		{"no record", run(event.Binding{}), question(func(a *event.Asked) { *a = event.Asked{} }), "the user was asked about "},
	} {
		asked, err := policy.NewQuestion(t.Context(), "", time.UTC, run(binding()), policy.Ruling{})
		if err != nil {
			t.Fatal(err)
		}
		c.ask(&asked)
		got := policy.CheckApproved(t.Context(), asked, c.call)
		switch {
		case c.want == "" && got != nil:
			t.Errorf("%s: %v", c.name, got)
		case c.want != "" && (got == nil || got.Message != "denied by rule altered: "+c.want || got.Code != event.CodePermissionDenied):
			t.Errorf("%s: %v, want %q", c.name, got, c.want)
		}
	}
}

// hashOf is the hash of the question about a call of run with those arguments.
func hashOf(t *testing.T, args json.RawMessage) string {
	t.Helper()
	call := run(binding())
	call.Args = args
	asked, err := policy.NewQuestion(t.Context(), "", time.UTC, call, policy.Ruling{})
	if err != nil {
		t.Fatal(err)
	}
	return asked.Hash
}

// No two records have one hash because their parts run into each other.
func TestHashKeepsPartsApart(t *testing.T) {
	hashes := map[string]string{}
	for name, b := range map[string]event.Binding{
		"none":      {},
		"profile":   {Profile: "ab"},
		"both":      {Profile: "a", Dir: "b"},
		"dir":       {Dir: "ab"},
		"file":      {Files: []event.BoundFile{{Path: "a", Sum: "b"}}},
		"file, too": {Files: []event.BoundFile{{Path: "ab"}}},
		"changes":   {Changes: "ab"},
		"two files": {Files: []event.BoundFile{{Path: "a"}, {Path: "b"}}},
		"length":    {Profile: "1:a", Dir: ""},
	} {
		asked, err := policy.NewQuestion(t.Context(), "", time.UTC, run(b), policy.Ruling{})
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := hashes[asked.Hash]; ok {
			t.Errorf("%s and %s have one hash", name, other)
		}
		hashes[asked.Hash] = name
	}
}

func TestHashArgs(t *testing.T) {
	if got := policy.HashArgs([]byte("abc")); got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error(got)
	}
}
