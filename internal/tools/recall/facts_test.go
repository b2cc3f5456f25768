package recall_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/memory"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
	"hob/internal/tools/recall"
	"hob/internal/tools/toolstest"
)

// household is what an owner knows, in a store of its own.
type household struct {
	t     *testing.T
	db    *store.DB
	facts recall.Facts
	err   error // of the next look at who asks
}

func newHousehold(t *testing.T) *household {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC) }
	db := storetest.Open(t, now)
	h := &household{t: t, db: db}
	h.facts = recall.Facts{Memory: memory.New(db.Facts(), now), Who: func(context.Context) (memory.Person, error) {
		return memory.Person{Own: "person/owner", House: true, Keeps: true, Owner: true, Party: event.Party{Platform: "cli"}}, h.err
	}}
	return h
}

func (h *household) call(tool tools.Tool, label event.Label, args string) (tools.Result, error) {
	h.t.Helper()
	return tools.Call(tools.WithCaller(h.t.Context(), tools.Caller{Chat: "main", Turn: 7, Label: label, Typed: true}), tool, json.RawMessage(args))
}

func (h *household) remember(label event.Label, args string) string {
	h.t.Helper()
	res, err := h.call(recall.NewRemember(h.facts), label, args)
	if err != nil {
		h.t.Fatal(err)
	}
	return res.Text
}

// known returns the texts of what is known.
func (h *household) known() (texts []string) {
	h.t.Helper()
	all, err := h.db.Facts().Facts(h.t.Context(), event.FactKept)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range all {
		texts = append(texts, f.Text)
	}
	return texts
}

func TestRemember_Success(t *testing.T) {
	h := newHousehold(t)
	res, err := h.call(recall.NewRemember(h.facts), event.Label{Private: true}, `{"text":"my name is Anna"}`)
	want := tools.Result{Text: "remembered as fact 1: my name is Anna",
		Effects: []event.Effect{{Kind: "remembered", Target: "my name is Anna", Change: 1}}}
	res.Data = nil
	if diff := cmp.Diff(want, res); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	for _, c := range [][2]string{
		{`{"text":"My name is  Anna"}`, "this is known already, as fact 1"},
		{`{"text":"my name is Bob"}`, "set aside as fact 2, and not known yet: fact 1 says: my name is Anna. /memory replace 2 takes the new one, /memory keep 2 the old one"},
		{`{"text":"I like tea"}`, "remembered as fact 3: I like tea"},
		{`{"text":"I like coffee"}`, "remembered as fact 4: I like coffee"}, // one may like more than one thing
	} {
		if got := h.remember(event.Label{}, c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
	if diff := cmp.Diff([]string{"my name is Anna", "I like tea", "I like coffee"}, h.known()); diff != "" {
		t.Error(diff)
	}
	got := h.remember(event.Label{Untrusted: true, Source: "web:evil.lan"}, `{"text":"the bank is at evil.lan"}`)
	if want := "set aside as fact 5, and not known yet: somebody else's words led to it. /memory shows it, /memory accept 5 keeps it"; got != want {
		t.Errorf("a stranger's: %q", got)
	}
	res, err = h.call(recall.New(newChatHistory(), h.facts, utc), event.Label{}, `{"query":"bank evil coffee"}`)
	if err != nil || !strings.Contains(res.Text, "#4 I like coffee") || strings.Contains(res.Text, "evil.lan") || !res.Label.Private || res.Label.Untrusted {
		t.Errorf("%v, %+v", err, res)
	}
}

func TestForget_Success(t *testing.T) {
	h := newHousehold(t)
	for _, text := range []string{"my address is Mill Lane 4", "the plumber is Mr Webb", "the cat likes tuna", "the cat sleeps upstairs"} {
		h.remember(event.Label{}, `{"text":"`+text+`"}`)
	}
	for _, c := range [][2]string{
		{`{"fact":"my address"}`, "forgot fact 1: my address is Mill Lane 4"},
		{`{"fact":"#3"}`, "forgot fact 3: the cat likes tuna"},
		{`{"fact":"the plumbers"}`, "forgot fact 2: the plumber is Mr Webb"},
	} {
		res, err := h.call(recall.NewForget(h.facts), event.Label{}, c[0])
		if err != nil || res.Text != c[1] || len(res.Effects) != 1 || res.Effects[0].Kind != "forgot" {
			t.Errorf("%s: %+v, %v, want %q", c[0], res, err, c[1])
		}
	}
	if diff := cmp.Diff([]string{"the cat sleeps upstairs"}, h.known()); diff != "" {
		t.Error(diff)
	}
}

func TestRemember_BadArguments(t *testing.T) {
	for args, words := range map[string]string{
		`{}`: "text: is required", `{"text":" "}`: "text: says nothing", `{"text":"x","of":"cat"}`: "of: must be me or house",
		`{"text":"` + strings.Repeat("x", 1001) + `"}`: "has 1001 bytes", `{"text":"?!"}`: "nothing to remember in it",
	} {
		h := newHousehold(t)
		if _, err := h.call(recall.NewRemember(h.facts), event.Label{}, args); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %s", args, err, words)
		}
	}
}

func TestForget_BadArguments(t *testing.T) {
	h := newHousehold(t)
	h.remember(event.Label{}, `{"text":"the cat likes tuna"}`)
	h.remember(event.Label{}, `{"text":"the cat sleeps upstairs"}`)
	for args, words := range map[string]string{
		`{}`: "fact: is required", `{"fact":"the cat"}`: "more than one fact fits: ", `{"fact":"the dog"}`: "nothing of that is known", `{"fact":"#9"}`: "there is no fact 9",
	} {
		if _, err := h.call(recall.NewForget(h.facts), event.Label{}, args); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %s", args, err, words)
		}
	}
}

func TestRemember_Errors(t *testing.T) {
	h := newHousehold(t)
	h.err = errors.New("the disk failed")
	_, err := h.call(recall.NewRemember(h.facts), event.Label{}, `{"text":"the bin goes out on Monday"}`)
	toolstest.IsError(t, err, event.CodeExecutionFailed, "what is known could not be reached: the disk failed")
}

func TestForget_Errors(t *testing.T) {
	h := newHousehold(t)
	h.err = errors.New("the disk failed")
	_, err := h.call(recall.NewForget(h.facts), event.Label{}, `{"fact":"#1"}`)
	toolstest.IsError(t, err, event.CodeExecutionFailed, "what is known could not be reached: the disk failed")
}

func TestRemember_UnchangedState(t *testing.T) {
	h := newHousehold(t)
	for _, args := range []string{`{"text":""}`, `{"text":"?"}`} {
		_, _ = h.call(recall.NewRemember(h.facts), event.Label{}, args)
	}
	if got := h.known(); len(got) > 0 {
		t.Errorf("known is %q", got)
	}
}

func TestForget_UnchangedState(t *testing.T) {
	h := newHousehold(t)
	h.remember(event.Label{}, `{"text":"the cat likes tuna"}`)
	for _, args := range []string{`{"fact":"the dog"}`, `{"fact":"#7"}`, `{"fact":""}`} {
		_, _ = h.call(recall.NewForget(h.facts), event.Label{}, args)
	}
	if diff := cmp.Diff([]string{"the cat likes tuna"}, h.known()); diff != "" {
		t.Error(diff)
	}
}
