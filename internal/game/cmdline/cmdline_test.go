package cmdline_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/cmdline"
	"hob/internal/game/rules"
)

func tool() *rules.Tool {
	return &rules.Tool{Name: "send", Class: rules.Acting, Session: true, Doc: "Sends somebody away.", Params: []rules.Param{
		{Name: "session_id", Type: rules.ID, Need: true},
		{Name: "who_id", Type: rules.ID, Need: true, Doc: "the traveller"},
		{Name: "days", Type: rules.Int, Min: 1, Max: 9},
		{Name: "tags", Type: rules.List},
		{Name: "mood", Type: rules.Text, Enum: []string{"glad", "sad"}},
		{Name: "alone", Type: rules.Flag},
	}}
}

func TestUsage(t *testing.T) {
	got := []string{cmdline.Usage(tool())}
	for _, p := range tool().Params {
		got = append(got, cmdline.Kind(&p))
	}
	want := []string{"send who_id=... [days=...] [tags=...] [mood=...] [alone=...]", "text, needed", "text, needed", "number 1 to 9", "list", "glad|sad", "true|false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Words are text where the tool wants text, and JSON where it wants another type and they are JSON.
func TestRead(t *testing.T) {
	book, err := rules.New(rules.Family{Tools: []rules.Tool{*tool()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		want  string // the arguments, or the error
	}{
		{nil, `{"session_id":"s"}`},
		{[]string{"who_id=5", "days=3", "tags=a, b", "alone=true"}, `{"alone":true,"days":3,"session_id":"s","tags":["a","b"],"who_id":"5"}`},
		{[]string{"whoId=x", "days=soon", `tags=["a,b"]`, "mood=a=b", "other=1"}, `{"days":"soon","mood":"a=b","other":"1","session_id":"s","tags":["a,b"],"whoId":"x"}`},
		{[]string{"session_id=t"}, `{"session_id":"t"}`},
		{[]string{` {"days":"3"}`}, ` {"days":"3"}`},
		{[]string{`{"days":`}, "the arguments are no whole JSON object: mend them, or write key=value"},
		{[]string{"away"}, `"away" is no key=value: hob game tools send shows the arguments`},
		{[]string{"a b=c"}, `"a b=c" is no key=value: hob game tools send shows the arguments`},
		{[]string{"=c"}, `"=c" is no key=value: hob game tools send shows the arguments`},
		{[]string{"days=1", "days=2"}, "days is given twice"},
	} {
		args, err := cmdline.Read(book, append([]string{"send"}, c.words...))
		got := fmt.Sprint(err)
		if err == nil {
			got = string(args.Call("s").Args)
		}
		if got != c.want {
			t.Errorf("%q is read as %s, not %s", c.words, got, c.want)
		}
	}
}

// A name that is nearly one says which it may be.
func TestFind(t *testing.T) {
	book, err := rules.New(rules.Family{Tools: []rules.Tool{*tool()}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"resend": `the game has no tool "resend": did you mean send?`, "go": `the game has no tool "go": hob game tools lists those that it has`,
	} {
		if _, err := cmdline.Find(book, name); fmt.Sprint(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
