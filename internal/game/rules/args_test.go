package rules_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
)

func TestArgs_WhatFits(t *testing.T) {
	turn := turn(t, house(t, active()))
	for _, args := range []string{
		``, ` `, `{}`, `{"textLine":"a","text_line":null}`, `{"any":""}`, `{"any":" "}`, `{"n":1}`, `{"n":3}`, `{"big":-9223372036854775808}`,
		`{"flag":true}`, `{"flag":false}`, `{"list":[]}`, `{"list":["a","null"]}`, `{"object":{}}`, `{"object":{"a":[1.5,{}]}}`, `{"json":7.5}`,
		`{"json":[null]}`, `{"kind":" one "}`, `{"thing_id":"  "}`, `{"n":null,"flag":null,"list":null,"object":null,"json":null,"kind":null}`,
		" {\n\t\"thingId\" : \"a\" } ",
	} {
		want := "note note"
		if args == `{"textLine":"a","text_line":null}` {
			want = "argument"
		}
		if o := call(turn, "note", args); o.OK() == (want == "argument") {
			t.Errorf("%s: %s", args, turn.Book.Text("en", o.Say))
		}
	}
}

func TestArgs_WhatDoesNot(t *testing.T) {
	for _, test := range []struct{ tool, args, want string }{
		{"note", `[]`, `The arguments of note must be one JSON object.`},
		{"note", `"a"`, `The arguments of note must be one JSON object.`},
		{"note", `null`, `The arguments of note must be one JSON object.`},
		{"note", `{"n":1`, `The arguments of note must be one JSON object.`},
		{"note", `{} {}`, `The arguments of note must be one JSON object.`},
		{"note", `{"wings":1}`, `note has no argument "wings".`},
		{"note", `{"wings":null}`, `note has no argument "wings".`},
		{"note", `{"actor_id":"ann"}`, `note has no argument "actor_id".`},
		{"note", `{"thing_id":"a","thingId":"b"}`, `The argument "thingId" was given twice.`},
		{"note", `{"n":1,"n":2}`, `The argument "n" was given twice.`},
		{"note", `{"n":1,"n":null}`, `The argument "n" was given twice.`},
		{"note", `{"n":1.0}`, `The argument "n" must be a whole number, without quotes and without a fraction.`},
		{"note", `{"n":"1"}`, `The argument "n" must be a whole number, without quotes and without a fraction.`},
		{"note", `{"n":true}`, `The argument "n" must be a whole number, without quotes and without a fraction.`},
		{"note", `{"n":1e0}`, `The argument "n" must be a whole number, without quotes and without a fraction.`},
		{"note", `{"big":9223372036854775808}`, `The argument "big" must be a whole number, without quotes and without a fraction.`},
		{"note", `{"n":0}`, `The argument "n" must be from 1 to 3.`},
		{"note", `{"n":4}`, `The argument "n" must be from 1 to 3.`},
		{"note", `{"flag":1}`, `The argument "flag" must be true or false.`},
		{"note", `{"flag":"true"}`, `The argument "flag" must be true or false.`},
		{"note", `{"list":"a"}`, `The argument "list" must be a list of strings.`},
		{"note", `{"list":[1]}`, `The argument "list" must be a list of strings.`},
		{"note", `{"list":[null]}`, `The argument "list" must be a list of strings.`},
		{"note", `{"object":[]}`, `The argument "object" must be an object.`},
		{"note", `{"object":"{}"}`, `The argument "object" must be an object.`},
		{"note", `{"text_line":7}`, `The argument "text_line" must be a string.`},
		{"note", `{"any":false}`, `The argument "any" must be a string.`},
		{"note", `{"thing_id":["a"]}`, `The argument "thing_id" must be a string.`},
		{"note", `{"kind":"three"}`, `The argument "kind" must be one of: one, two.`},
		{"need", `{}`, `These arguments are needed and must not be blank: thing_id, text_line.`},
		{"need", `{"thing_id":" ","text_line":null}`, `These arguments are needed and must not be blank: thing_id, text_line.`},
		{"need", `{"thingId":null,"textLine":"a"}`, `The argument "thing_id" is needed and must not be blank.`},
		{"need", `{"thing_id":"","text_line":"a"}`, `The argument "thing_id" is needed and must not be blank.`},
		{"need", `{"thing_id":"a","text_line":" \n"}`, `The argument "text_line" is needed and must not be blank.`},
	} {
		w := house(t, active())
		turn, hash := turn(t, w), w.Hash()
		o := call(turn, test.tool, test.args)
		if got := turn.Book.Text("en", o.Say); got != test.want || o.Reason() != "invalid_args" || o.Status != rules.Failed {
			t.Errorf("%s %s: %s: %s", test.tool, test.args, o.Reason(), got)
		}
		kept(t, turn, hash)
	}
	deep := `{"json":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`
	if o := call(turn(t, house(t, active())), "note", deep); o.OK() {
		t.Error("a value of two hundred levels is taken")
	}
}

// In the log a call stands as it was understood: trimmed, and with what was left out.
func TestArgs_AsUnderstood(t *testing.T) {
	for _, test := range []struct{ tool, args, want string }{
		{"act", `{"toId" : " hall ", "actor_id":" ann "}`, `{"toId":"hall","actor_id":"ann"}`},
		{"act", `{"actor_id":"ann"}`, `{"actor_id":"ann","to_id":"there"}`},
		{"act", ``, `{"to_id":"there"}`},
		{"act", `{"to_id":null}`, `{"to_id":"there"}`},
		{"note", `{"text_line":" a ","n":2}`, `{"text_line":" a ","n":2}`},
		{"note", `{"thing_id":" é\u0001\" "}`, `{"thing_id":"é\u0001\""}`},
	} {
		o := call(turn(t, house(t, active())), test.tool, test.args)
		if string(o.Call.Args) != test.want {
			t.Errorf("%s %s is understood as %s", test.tool, test.args, o.Call.Args)
		}
	}
}

func TestArgs_Values(t *testing.T) {
	var got []any
	family := rules.Family{Tools: []rules.Tool{{Name: "values", Params: []rules.Param{
		{Name: "a", Type: rules.JSON}, {Name: "b", Type: rules.JSON}, {Name: "none", Type: rules.JSON},
	}, Run: func(_ context.Context, _ *rules.Step, a rules.Args) *rules.Verdict {
		for _, name := range []string{"a", "b", "none"} {
			got = append(got, a.Has(name), a.Text(name), a.Int(name, -1), a.Flag(name, true), a.List(name), string(a.Raw(name)))
		}
		return rules.Accept(nil, "ok")
	}}}}
	book, err := rules.New(family)
	if err != nil {
		t.Fatal(err)
	}
	turn := &rules.Turn{Unbound: true, Book: book, World: house(t, active())}
	for _, args := range []string{`{"a":" x ","b":7}`, `{"a":[" x ","y"],"b":false}`} {
		if o := turn.Do(context.Background(), rules.Call{Tool: "values", Args: json.RawMessage(args)}, nil); !o.OK() {
			t.Fatal(o.Say)
		}
	}
	none := []any{false, "", int64(-1), true, []string(nil), ""}
	want := append([]any{true, " x ", int64(-1), true, []string(nil), `" x "`, true, "", int64(7), true, []string(nil), "7"}, none...)
	want = append(want, true, "", int64(-1), true, []string{"x", "y"}, `[" x ","y"]`, true, "", int64(-1), false, []string(nil), "false")
	if diff := cmp.Diff(append(want, none...), got); diff != "" {
		t.Error(diff)
	}
}
