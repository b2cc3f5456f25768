package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/schema"
)

// check returns the problems in words, or the error of a schema that cannot be used.
func check(s, args string) string {
	_, problems, err := schema.New(json.RawMessage(s)).Check(json.RawMessage(args))
	if err != nil {
		return "error: " + err.Error()
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.String())
	}
	return strings.Join(texts, "; ")
}

// object is the schema of an object with one argument, and what else is said about it.
func object(a string, more ...string) string {
	return `{"type":"object","properties":{"a":` + a + `}` + strings.Join(more, "") + `}`
}

// What other programs declare comes in every draft, and refers to its parts in every way.
func TestDrafts(t *testing.T) {
	const seven = `,"$schema":"http://json-schema.org/draft-07/schema#"`
	const four = `,"$schema":"http://json-schema.org/draft-04/schema#"`
	deep := strings.Repeat(`{"items":`, 70) + `{}` + strings.Repeat(`}`, 70)
	for _, c := range []struct{ name, schema, args, want string }{
		{"definitions", object(`{"$ref":"#/definitions/n"}`, `,"definitions":{"n":{"type":"integer"}}`), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"both kinds", object(`{"allOf":[{"$ref":"#/definitions/n"},{"$ref":"#/$defs/n"}]}`, `,"definitions":{"n":{"minimum":3}},"$defs":{"n":{"type":"integer"}}`), `{"a":1.5}`, `a: must be at least 3, not 1.5; a: must be an integer, not 1.5`},
		{"as OpenAPI has it", object(`{"$ref":"#/components/schemas/n"}`, `,"components":{"schemas":{"n":{"$ref":"#/components/m"}},"m":{"type":"integer"}}`), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"into a property", object(`{"type":"integer"}`, `,"patternProperties":{"^b":{"$ref":"#/properties/a"}},"additionalProperties":false`), `{"b":"x"}`, `b: must be an integer, not "x"`},
		{"escaped", object(`{"$ref":"#/$defs/x~1y%25"}`, `,"$defs":{"x/y%":{"type":"integer"}}`), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"by anchor", object(`{"$ref":"#n"}`, `,"$defs":{"n":{"$anchor":"n","type":"integer"}}`), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"by anchor of draft 7", object(`{"$ref":"#n"}`, `,"definitions":{"n":{"$id":"#n","type":"integer"}}`, seven), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"by address", object(`{"$ref":"n.json"}`, `,"$id":"https://example.org/a/s.json","$defs":{"n":{"$id":"n.json","type":"integer"}}`), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"within another resource", object(`{"$ref":"n.json#/$defs/m"}`, `,"$defs":{"n":{"$id":"n.json","$defs":{"m":{"type":"integer"}}}}`), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"to all of it", object(`{"$ref":"#"}`), `{"a":{"a":{"b":1}}}`, `a/a/b: unknown field`},
		{"dynamic", object(`{"$dynamicRef":"#n"}`, `,"$defs":{"n":{"$dynamicAnchor":"n","type":"integer"}}`), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"the whole is one", `{"$ref":"#/definitions/in","definitions":{"in":` + object(`{"type":"integer"}`, `,"additionalProperties":false`) + `}` + seven + `}`, `{"b":1}`, "b: unknown argument; it takes no arguments"},
		{"draft 7 hears nothing beside a $ref", object(`{"$ref":"#/definitions/n","minimum":5}`, `,"definitions":{"n":{"type":"integer"}}`, seven), `{"a":1}`, ""},
		{"a list with places", object(`{"items":[{"type":"integer"},{"type":"string"}],"additionalItems":false}`, seven), `{"a":["x",1,2]}`, `a/0: must be an integer, not "x"; a/1: must be a string, not 1; a/2: unknown field`},
		{"a list with places today", object(`{"prefixItems":[{"type":"integer"}],"items":{"type":"string"}}`), `{"a":["x",1]}`, `a/0: must be an integer, not "x"; a/1: must be a string, not 1`},
		{"dependencies", object(`true`, `,"dependencies":{"a":["b"],"c":{"required":["d"]}},"additionalProperties":true`, seven), `{"a":1,"c":1}`, "b: is required with a; d: is required"},
		{"strict bounds of draft 4", object(`{"minimum":1,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}`, four), `{"a":1}`, "a: must be more than 1, not 1"},
		{"an id of draft 4", object(`{"$ref":"n"}`, `,"id":"http://x.example/s","definitions":{"n":{"id":"n","type":"integer"}}`, four), `{"a":"x"}`, `a: must be an integer, not "x"`},
		{"formats are not judged", object(`{"type":"string","format":"email","contentEncoding":"base64"}`, seven), `{"a":"!"}`, ""},
		{"names of patterns in another dialect", object(`{}`, `,"patternProperties":{"^(?!x)":{"type":"integer"}},"additionalProperties":false`), `{"y":"any"}`, ""},
		{"a part that nothing needs", object(`{}`, `,"$defs":{"x":{"$ref":"#/nowhere"},"y":{"type":"none"}}`), `{"a":1}`, ""},
		{"an empty type", `{"type":"","properties":{"a":{"type":"","description":"any"}},"required":["a"]}`, `{}`, "a: is required"},

		{"no draft", `{"$schema":"https://example.org/mine"}`, `{}`, `error: read its parameters: its $schema is "https://example.org/mine", which is no known draft`},
		{"nowhere", object(`{"$ref":"#/$defs/n"}`), `{}`, "error: read its parameters: the schema has nothing at #/$defs/n"},
		{"no such name", object(`{"$ref":"#n"}`), `{}`, "error: read its parameters: nothing in the schema is called n"},
		{"elsewhere", object(`{"$ref":"https://example.org/n"}`), `{}`, "error: read its parameters: https://example.org/n is outside of the schema"},
		{"round and round", object(`{"allOf":[{"$ref":"#/$defs/n"}]}`, `,"$defs":{"n":{"anyOf":[{"not":{"$ref":"#/properties/a"}}]}}`), `{"a":1}`, "error: read its parameters: a $ref leads back to itself"},
		{"round from the top", `{"$ref":"#"}`, `{}`, "error: read its parameters: a $ref leads back to itself"},
		{"no type", object(`{"type":"strin"}`), `{}`, `error: read its parameters: "strin" is no type`},
		{"no schema", object(`5`), `{}`, "error: read its parameters: properties: 5 stands where a schema should"},
		{"multiple of nothing", object(`{"multipleOf":0}`), `{}`, "error: read its parameters: its multipleOf is not above 0"},
		{"bottomless", object(deep), `{}`, "error: read its parameters: it nests deeper than 64 levels"},
		{"more than one", `{} {}`, `{}`, "error: parse its parameters: something stands after the schema"},
		{"a number", `5`, `{}`, "error: read its parameters: 5 stands where a schema should"},
	} {
		if got := check(c.schema, c.args); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The rarer keywords in words.
func TestRareWords(t *testing.T) {
	open := `,"additionalProperties":true`
	for _, c := range []struct{ schema, args, want string }{
		{object(`{"multipleOf":5}`), `{"a":7}`, "a: must be a multiple of 5, not 7"},
		{object(`{"multipleOf":0.01}`), `{"a":19.99}`, ""}, // binary fractions cannot tell
		{object(`{"minItems":2,"uniqueItems":true}`), `{"a":[1]}`, "a: minItems: got 1, want 2"},
		{object(`{"uniqueItems":true}`), `{"a":[{"x":1,"y":[0.5]},3,{"y":[5e-1],"x":1}]}`, "a: items at 0 and 2 are equal"},
		{object(`{"minProperties":1}`), `{"a":{}}`, "a: minProperties: got 0, want 1"},
		{object(`{"maxProperties":1}`), `{"a":{"x":1,"y":1}}`, "a: maxProperties: got 2, want 1"},
		{object(`{"contains":{"type":"integer"},"maxContains":1}`), `{"a":["x"]}`, "a: must have at least 1 items of the form that is wanted, not 0"},
		{object(`{"contains":{"type":"integer"},"maxContains":1}`), `{"a":[1,2]}`, "a: must have at most 1 items of the form that is wanted, not 2"},
		{object(`{"propertyNames":{"pattern":"^x"}}`), `{"a":{"y":1}}`, `a/y: is no name that is allowed (must match the pattern ^x, not "y")`},
		{object(`{"oneOf":[{"minimum":1},{"minimum":2},{"type":"string"}]}`), `{"a":3}`, "a: fits more than one of the forms that exclude each other"},
		{object(`{"oneOf":[{"minimum":1},{"minimum":2},{"type":"string"}]}`), `{"a":1}`, ""},
		{object(`{"anyOf":[{"minimum":1},{"minimum":2},{"type":"string"}]}`), `{"a":3}`, ""},
		{object(`{"not":{"type":"string"}}`), `{"a":"x"}`, "a: must not be of the form that is ruled out"},
		{object(`{}`, `,"dependentRequired":{"a":["b"]}`, open), `{"a":1}`, "b: is required with a"},
		{object(`{}`, `,"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}}}}`, open), `{"a":1,"b":"x"}`, `b: must be an integer, not "x"`},
		{object(`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}}`), `{"a":"x"}`, "a: must have at least 2 characters, not 1"},
		{object(`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}}`), `{"a":1}`, "a: must be at least 2, not 1"},
		{object(`{}`, `,"allOf":[{"properties":{"b":{}}}],"unevaluatedProperties":false`), `{"a":1,"b":1,"c":1,"d":1}`, "c: unknown argument; the arguments are a; d: unknown argument; the arguments are a"},
		{object(`{}`, `,"anyOf":[{"properties":{"b":{"type":"string"}}},{}],"unevaluatedProperties":false`), `{"b":1}`, "has something that no part of its form allows"},
		{object(`{"prefixItems":[{}],"unevaluatedItems":false}`), `{"a":[1,2]}`, "a: has something that no part of its form allows"},
		{object(`{"const":null}`), `{"a":0}`, "a: must be null, not 0"},
		{object(`false`), `{"a":0}`, "a: unknown argument; the arguments are a"},
	} {
		if got := check(c.schema, c.args); got != c.want {
			t.Errorf("%s with %s:\n got %s\nwant %s", c.schema, c.args, got, c.want)
		}
	}
}

// Numbers fit as most programs read them, and reach the tool as they were written.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ kind, number, want string }{
		{`"type":"integer"`, `5.0`, `{"a":5}`},
		{`"type":"integer"`, `12345678901234567890`, `{"a":12345678901234567890}`},
		{`"type":"integer","enum":[12345678901234567890]`, `12345678901234567890`, `{"a":12345678901234567890}`},
		{`"type":"number"`, `0.10`, `{"a":0.10}`},
		{`"maximum":0.1`, `0.1`, `{"a":0.1}`},
		{`"minimum":1`, `1e400`, `{"a":1e400}`},
		{`"type":"integer"`, `1e-400`, ""},
		{`"type":"integer"`, `0e-400`, `{"a":0}`},
		{`"maximum":1`, `1e400`, ""},
	} {
		s := schema.New(json.RawMessage(object(`{` + c.kind + `}`)))
		clean, problems, err := s.Check(json.RawMessage(`{"a":` + c.number + `}`))
		if string(clean) != c.want || err != nil || (c.want == "") != (len(problems) > 0) {
			t.Errorf("%s for %s: %s, %v, %v", c.number, c.kind, clean, problems, err)
		}
	}
}

// Whatever a schema and arguments are: an answer, and the same one twice. What does not fit has a reason.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		object(`{"type":"integer","minimum":1,"multipleOf":2}`), object(`{"$ref":"#"}`), object(`{"anyOf":[{"type":"string"},{"not":{}}]}`),
		object(`{"$ref":"#/$defs/x"}`, `,"$defs":{"x":{"$dynamicRef":"#y","$anchor":"y"}},"unevaluatedProperties":false`),
		object(`{"items":[true],"additionalItems":{"type":"null"}}`, `,"dependencies":{"a":["b"]}`),
	} {
		f.Add([]byte(s), []byte(`{"a":[1,"x",{"a":null}]}`))
	}
	f.Fuzz(func(t *testing.T, raw, args []byte) {
		if len(raw)+len(args) > 1<<12 {
			return
		}
		first, second := check(string(raw), string(args)), check(string(raw), string(args))
		if first != second {
			t.Errorf("first %q, then %q", first, second)
		}
	})
}

// BenchmarkCheck holds a list of 4,096 numbers against its schema, and BenchmarkNew is a schema's first use.
func BenchmarkCheck(b *testing.B) {
	items := strings.TrimSuffix(strings.Repeat("123,", 4096), ",")
	s := schema.New(json.RawMessage(object(`{"type":"array","items":{"type":"integer"}}`)))
	args := json.RawMessage(`{"a":[` + items + `]}`)
	b.SetBytes(int64(len(args)))
	for b.Loop() {
		if _, problems, err := s.Check(args); len(problems) > 0 || err != nil {
			b.Fatal(problems, err)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	raw := json.RawMessage(`{"type":"object","properties":{`)
	for i := range 8 {
		raw = fmt.Appendf(raw, `"p%d":{"type":"string","description":"an argument","enum":["a","b"]},`, i)
	}
	raw = append(raw, `"last":{"type":"integer","minimum":1,"maximum":2000}},"required":["p1"],"additionalProperties":false}`...)
	for b.Loop() {
		if err := schema.New(raw).Err(); err != nil {
			b.Fatal(err)
		}
	}
}

// The schema as it was given is not touched by being made ready.
func TestRawStays(t *testing.T) {
	raw := json.RawMessage(object(`{"$ref":"#/definitions/n"}`, `,"definitions":{"n":{"type":"integer"}}`))
	before := string(raw)
	s := schema.New(raw)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, string(s.Raw())); diff != "" {
		t.Error(diff)
	}
}
