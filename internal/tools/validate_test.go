package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/toolstest"
)

// toolPlain is a tool of nothing but the four methods.
type toolPlain struct {
	name    string
	params  map[string]any
	execute func(ctx context.Context, params map[string]any) (string, error)
}

func (p toolPlain) Name() string               { return p.name }
func (p toolPlain) Description() string        { return "A tool of four methods." }
func (p toolPlain) Parameters() map[string]any { return p.params }
func (p toolPlain) Execute(ctx context.Context, params map[string]any) (string, error) {
	return p.execute(ctx, params)
}

func TestValidate(t *testing.T) {
	schema := func(properties string, more ...string) map[string]any {
		var m map[string]any
		text := `{"type":"object","properties":{` + properties + `}` + strings.Join(more, "") + `}`
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	deep := strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100)
	for _, c := range []struct {
		name   string
		params map[string]any
		args   string
		code   string // "" means they fit
		words  string
	}{
		{"fits", schema(`"n":{"type":"integer"}`), `{"n":5}`, "", ""},
		{"nothing", schema(``), ``, "", ""},
		{"no schema", nil, `{}`, "", ""},
		{"no schema, an argument", nil, `{"a":1}`, event.CodeInvalidValue, "a: unknown argument; it takes no arguments"},
		{"text for a number", schema(`"n":{"type":"integer"}`), `{"n":"5"}`, event.CodeInvalidFormat, `n: must be an integer, not "5"`},
		{"half for a whole", schema(`"n":{"type":"integer"}`), `{"n":1.5}`, event.CodeInvalidFormat, "n: must be an integer, not 1.5"},
		{"one of two types", schema(`"v":{"type":["string","null"]}`), `{"v":1}`, event.CodeInvalidFormat, "v: must be null or a string, not 1"},
		{"schema that is open", schema(`"a":{}`, `,"additionalProperties":true`), `{"b":1}`, "", ""},
		{"schema in parts", schema(``, `,"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]}]`), `{"b":1}`, event.CodeRequiredField, "a: is required"},
		{"path into a list", schema(`"l":{"type":"array","items":{"type":"object","properties":{"a/b":{"type":"string"}}}}`), `{"l":[{},{"a/b":1}]}`, event.CodeInvalidFormat, "l/1/a~1b: must be a string, not 1"},
		{"unknown field below", schema(`"o":{"type":"object","properties":{},"additionalProperties":false}`), `{"o":{"x":1}}`, event.CodeInvalidValue, "o/x: unknown field"},
		{"choice", schema(`"v":{"anyOf":[{"type":"string"},{"type":"integer","minimum":3}]}`), `{"v":1}`, event.CodeInvalidValue, "v: fits none of the allowed forms (v: must be a string, not 1, or v: must be at least 3, not 1)"},
		{"one choice too many", schema(`"v":{"oneOf":[{"minimum":1},{"minimum":2}]}`), `{"v":3}`, event.CodeInvalidValue, "v: fits more than one"},
		{"never empty", schema(`"s":{"type":"string","minLength":1}`), `{"s":""}`, event.CodeRequiredField, "s: must not be empty"},
		{"pattern", schema(`"s":{"type":"string","pattern":"^a+$"}`), `{"s":"b"}`, event.CodeInvalidFormat, `s: must match the pattern ^a+$, not "b"`},
		{"pattern of another dialect", schema(`"s":{"type":"string","pattern":"^(?!a)"}`), `{"s":"a"}`, "", ""},
		{"bounds", schema(`"n":{"exclusiveMinimum":0.5,"exclusiveMaximum":9}`), `{"n":9}`, event.CodeInvalidValue, "n: must be less than 9, not 9"},
		{"constant", schema(`"v":{"const":"x"}`), `{"v":"y"}`, event.CodeInvalidValue, `v: must be "x", not "y"`},
		{"rare word", schema(`"l":{"type":"array","maxItems":1}`), `{"l":[1,2]}`, event.CodeInvalidValue, "l: maxItems: got 2, want 1"},
		{"ref inside", schema(`"a":{"$ref":"#/$defs/n"}`, `,"$defs":{"n":{"type":"integer"}}`), `{"a":"x"}`, event.CodeInvalidFormat, `a: must be an integer, not "x"`},
		{"ref outside", schema(`"a":{"$ref":"file:///etc/passwd"}`), `{}`, event.CodeExecutionFailed, "outside of the schema"},
		{"draft 7", schema(`"a":{"type":"integer"}`, `,"$schema":"http://json-schema.org/draft-07/schema#"`), `{"a":1}`, "", ""},
		{"number that would take forever", schema(`"n":{"type":"number"}`), `{"n":1e999999999}`, event.CodeInvalidValue, "n: is a number out of range: 1e999999999"},
		{"small one that would", schema(`"n":{"type":"number"}`), `{"n":1e-999999999}`, event.CodeInvalidValue, "n: is a number out of range"},
		{"number of a thousand digits", schema(`"n":{"type":"number"}`), `{"n":1` + strings.Repeat("0", 1000) + `}`, event.CodeInvalidValue, "n: is a number out of range: 10000"},
		{"too deep", schema(`"l":{"type":"array"}`), `{"l":` + deep + `}`, event.CodeInvalidFormat, "nests deeper than 64 levels"},
		{"long value in the message", schema(`"n":{"type":"integer"}`), `{"n":"` + strings.Repeat("é", 500) + `"}`, event.CodeInvalidFormat, strings.Repeat("é", 29) + "..."},
		{"twice", schema(`"a":{}`), `{"a":1,"a":2}`, event.CodeInvalidFormat, "a: stands twice"},
		{"twice, spelt otherwise", schema(`"a":{}`), `{"a":1,"\u0061":2}`, event.CodeInvalidFormat, "a: stands twice"},
		{"twice below", schema(`"o":{"type":"object"}`), `{"o":{"x":1,"x":1}}`, event.CodeInvalidFormat, "o/x: stands twice"},
		{"other case", schema(`"path":{"type":"string"}`), `{"Path":"x"}`, event.CodeInvalidValue, "Path: unknown argument; the arguments are path"},
		{"no UTF-8", schema(`"a":{}`), "{\"a\":\"\xff\"}", event.CodeInvalidFormat, "not valid UTF-8"},
		{"no JSON", schema(``), `path=x`, event.CodeInvalidFormat, "the arguments are not JSON"},
		{"null", schema(``), `null`, event.CodeInvalidFormat, "must be a JSON object, not null"},
		{"more than one value", schema(``), `{} {}`, event.CodeInvalidFormat, "something after"},
		{"torn in a name", schema(``), `{"a`, event.CodeInvalidFormat, "ends too early"},
		{"torn in a list", schema(`"a":{}`), `{"a":[1,`, event.CodeInvalidFormat, "ends too early"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := toolPlain{name: "x", params: c.params, execute: func(context.Context, map[string]any) (string, error) { return "ran", nil }}
			err := tools.Validate(tool, json.RawMessage(c.args))
			res, callErr := tools.Call(t.Context(), tool, json.RawMessage(c.args))
			if c.code == "" {
				if err != nil || callErr != nil || res.Text != "ran" {
					t.Errorf("Validate: %v; Call: %q, %v", err, res.Text, callErr)
				}
				return
			}
			toolstest.IsError(t, err, c.code, c.words)
			toolstest.IsError(t, callErr, c.code, c.words)
		})
	}
	t.Run("many problems", func(t *testing.T) {
		tool := toolPlain{name: "x", params: schema(``)}
		err := tools.Validate(tool, json.RawMessage(`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1}`))
		toolstest.IsError(t, err, event.CodeInvalidValue, "; and 2 more")
	})
}

// What the schema cannot say is refused with the arguments, too: before anybody is asked about the call, and before the tool runs.
func TestValidate_ChecksWhatTheSchemaCannotSay(t *testing.T) {
	type place struct {
		City string `json:"city"`
	}
	ran := false
	tool := tools.New(tools.Def{Name: "weather", Check: tools.CheckArgs(func(in place) error {
		switch in.City {
		case "Atlantis":
			return tools.Invalid(event.CodeInvalidValue, "there is no %s", in.City)
		case "Moscow":
			return &tools.HintedError{
				Err:  &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: "out of reach"},
				Hint: "open the gate",
			}
		}
		return nil
	})}, func(context.Context, place) (tools.Result, error) {
		ran = true
		return tools.Result{Text: "fine"}, nil
	})
	for args, want := range map[string]struct {
		code, words string
		data        any
	}{
		`{"city":1}`:          {event.CodeInvalidFormat, "city: must be a string, not 1", nil}, // first the schema
		`{"city":"Atlantis"}`: {event.CodeInvalidValue, "there is no Atlantis", nil},
		`{"city":"Moscow"}`:   {event.CodePermissionDenied, "out of reach", tools.Hint{Hint: "open the gate"}},
	} {
		err := tools.Validate(tool, json.RawMessage(args))
		res, callErr := tools.Call(t.Context(), tool, json.RawMessage(args))
		if ran || res.Data != want.data || tools.HintOf(err) != want.data {
			t.Errorf("%s: ran: %t, %+v, %v", args, ran, res, tools.HintOf(err))
		}
		var bad *tools.Error
		if !errors.As(err, &bad) {
			t.Fatal(err)
		}
		toolstest.IsError(t, bad, want.code, want.words)
		toolstest.IsError(t, callErr, want.code, want.words)
	}
	if err := tools.Validate(tool, json.RawMessage(`{"city":"Rome"}`)); err != nil {
		t.Error(err)
	}
	if args, err := tools.ParseCommand(tool, "Atlantis"); err != nil || string(args) != `{"city":"Atlantis"}` {
		t.Errorf("a line is read by the schema alone: %s, %v", args, err)
	}
}

// Whatever bytes come as arguments: an answer, and the same one from Validate as from Call.
func FuzzValidate(f *testing.F) {
	for _, seed := range []string{`{}`, `{"city":"x"}`, `{"city":1,"days":"x","stops":[{}]}`, `[`, `{"a":1e5}`, "{\"\xff\":0}", `{"city":"x","extra":{"a":{"a":1,"a":2}}}`} {
		f.Add([]byte(seed))
	}
	tool := toolThatSays(tools.Def{Name: "weather"})
	f.Fuzz(func(t *testing.T, args []byte) {
		invalid := tools.Validate(tool, args)
		res, err := tools.Call(t.Context(), tool, args)
		if (invalid == nil) != (err == nil) {
			t.Fatalf("Validate: %v; Call: %+v, %v", invalid, res, err)
		}
		if invalid == nil && !json.Valid([]byte(res.Text)) {
			t.Fatalf("the tool saw %s", res.Text)
		}
	})
}
