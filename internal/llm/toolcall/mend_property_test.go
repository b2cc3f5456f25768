package toolcall

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/llm"
)

// argument is an argument that a schema has, a value that fits it, and how a model may write that value wrongly.
type argument struct {
	name, schema string
	required     bool
	fit          string // JSON
	wrong        string // nearly that
}

// texts are what arguments hold: letters of all sorts, and much of what JSON, Python and shells mean something by.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		piece := rapid.OneOf(rapid.StringN(0, 8, -1), rapid.SampledFrom([]string{
			`"`, `'`, `\`, `\n`, "\n", "\t", "{", "}", "[", "]", ",", ":", `": "`, `", "`, "```", "//", "/*", "True", "None", `\d`, `C:\users`, "“", "’", "\uE000", "\uE0010", "<tool_call>",
		}))
		return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "")
	})
}

// drawArgument draws one argument.
func drawArgument(t *rapid.T, name string) argument {
	a := argument{name: name, required: rapid.Bool().Draw(t, "required")}
	n := rapid.IntRange(-1_000, 1_000).Draw(t, "n")
	switch rapid.SampledFrom([]string{"string", "integer", "number", "boolean", "enum", "strings", "integers", "object", "maybe"}).Draw(t, "type") {
	case "string":
		a.schema, a.fit = `{"type":"string"}`, quote(texts().Draw(t, "text"))
		a.wrong = rapid.SampledFrom([]string{a.fit, fmt.Sprint(n), "true", "null"}).Draw(t, "wrong")
	case "integer":
		a.schema, a.fit = `{"type":"integer"}`, fmt.Sprint(n)
		a.wrong = rapid.SampledFrom([]string{a.fit, fmt.Sprintf("%q", a.fit), fmt.Sprintf(`"%d.0"`, n), fmt.Sprintf("%d.0", n), `"x"`, `""`, "null", "2.5"}).Draw(t, "wrong")
	case "number":
		a.schema, a.fit = `{"type":"number"}`, fmt.Sprintf("%d.25", n)
		a.wrong = rapid.SampledFrom([]string{a.fit, fmt.Sprintf("%q", a.fit), `"1e400"`, `""`, "null"}).Draw(t, "wrong")
	case "boolean":
		a.schema, a.fit = `{"type":"boolean"}`, "true"
		a.wrong = rapid.SampledFrom([]string{a.fit, `"true"`, `"False"`, `"yes"`, "1"}).Draw(t, "wrong")
	case "enum":
		a.schema, a.fit = `{"enum":["create","append"]}`, `"append"`
		a.wrong = rapid.SampledFrom([]string{a.fit, `"Append"`, `" CREATE"`, `"delete"`, `""`}).Draw(t, "wrong")
	case "strings":
		text := quote(texts().Draw(t, "text"))
		a.schema, a.fit = `{"type":"array","items":{"type":"string"}}`, "["+text+"]"
		a.wrong = rapid.SampledFrom([]string{a.fit, text, quote(a.fit), fmt.Sprint(n), fmt.Sprintf("[%d,%s]", n, text)}).Draw(t, "wrong")
	case "integers":
		a.schema, a.fit = `{"type":"array","items":{"type":"integer"}}`, fmt.Sprintf("[%d,%d]", n, n)
		a.wrong = rapid.SampledFrom([]string{a.fit, fmt.Sprint(n), fmt.Sprintf(`["%d"]`, n), quote(a.fit), `"1, 2"`}).Draw(t, "wrong")
	case "object":
		text := quote(texts().Draw(t, "text"))
		a.schema = `{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}},"required":["s"],"additionalProperties":false}`
		a.fit = fmt.Sprintf(`{"s":%s,"n":%d}`, text, n)
		a.wrong = rapid.SampledFrom([]string{a.fit, quote(a.fit), fmt.Sprintf(`{"s":%s,"n":"%d","q":1}`, text, n), fmt.Sprintf(`{"S":%d,"n":null}`, n), `{}`}).Draw(t, "wrong")
	case "maybe":
		a.schema, a.fit = `{"anyOf":[{"type":"integer"},{"type":"null"}]}`, "null"
		a.wrong = rapid.SampledFrom([]string{a.fit, fmt.Sprintf(`"%d"`, n), `""`, `"x"`, `[]`}).Draw(t, "wrong")
	}
	return a
}

// drawTool draws a tool and its arguments in the order in which they are written.
func drawTool(t *rapid.T) (*Offer, []argument) {
	var properties, required []string
	var arguments []argument
	for i := range rapid.IntRange(0, 5).Draw(t, "arguments") {
		a := drawArgument(t, fmt.Sprintf("arg_%d", i))
		properties = append(properties, fmt.Sprintf("%q:%s", a.name, a.schema))
		if a.required {
			required = append(required, fmt.Sprintf("%q", a.name))
		}
		if a.required || rapid.Bool().Draw(t, "given") {
			arguments = append(arguments, a)
		}
	}
	parameters := fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(properties, ","), strings.Join(required, ","))
	o := NewOffer([]llm.ToolDefinition{{Name: "f", Parameters: json.RawMessage(parameters)}}, nil)
	return o, rapid.Permutation(arguments).Draw(t, "order")
}

func object(arguments []argument, value func(argument) string) string {
	var members []string
	for _, a := range arguments {
		members = append(members, fmt.Sprintf("%q:%s", a.name, value(a)))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// A call that fits comes out as it went in.
func TestFittingCallsStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, arguments := drawTool(t)
		args := object(arguments, func(a argument) string { return a.fit })
		if diff := cmp.Diff(mended{Args: args}, o.mended("f", args, false)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// Whatever is called valid is accepted by the schema as it stands, and mending it once more changes nothing. Texts whose
// type is text are never changed.
func TestMendingIsDoneOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, arguments := drawTool(t)
		args := object(arguments, func(a argument) string { return a.wrong })
		first := o.mended("f", args, false)
		if first.Args != args && first.Repairs == nil {
			t.Fatalf("%s became %s, and nobody is told", args, first.Args)
		}
		if first.Problems == nil {
			fit, problems, err := o.byName["f"].schema.Check(json.RawMessage(first.Args))
			if string(fit) != first.Args || problems != nil || err != nil {
				t.Fatalf("%s became %s, but the schema says %v, %v and makes it %s", args, first.Args, problems, err, fit)
			}
		}
		want := mended{Args: first.Args, Problems: first.Problems}
		if diff := cmp.Diff(want, o.mended("f", first.Args, false)); diff != "" {
			t.Fatalf("%s became %s, and then (-want +got):\n%s", args, first.Args, diff)
		}
		var before, after map[string]json.RawMessage
		if json.Unmarshal([]byte(args), &before) != nil || json.Unmarshal([]byte(first.Args), &after) != nil {
			t.Fatalf("%s became %s", args, first.Args)
		}
		for _, a := range arguments {
			if a.schema == `{"type":"string"}` && strings.HasPrefix(a.wrong, `"`) && string(after[a.name]) != a.wrong {
				t.Fatalf("the text %s became %s", a.wrong, after[a.name])
			}
		}
	})
}

// python writes JSON as Python and careless models do: single quotes, True and None, raw newlines, too many commas.
func python(t *rapid.T, v any) string {
	comma := rapid.SampledFrom([]string{"", ",", " , "}).Draw(t, "comma")
	switch v := v.(type) {
	case string:
		if rapid.Bool().Draw(t, "json") {
			return quote(v)
		}
		escaped := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(v)
		if rapid.Bool().Draw(t, "raw") {
			return "'" + escaped + "'"
		}
		return "'" + strings.ReplaceAll(escaped, "\n", `\n`) + "'"
	case map[string]any:
		var members []string
		for key, value := range v {
			members = append(members, rapid.SampledFrom([]string{"'" + key + "'", key, `"` + key + `"`}).Draw(t, "key")+": "+python(t, value))
		}
		if len(members) == 0 {
			comma = ""
		}
		return "{" + strings.Join(members, ", ") + comma + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, python(t, item))
		}
		if len(items) == 0 {
			comma = ""
		}
		return "[" + strings.Join(items, ", ") + comma + "]"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case nil:
		return "None"
	}
	return fmt.Sprint(v)
}

// values draws what arguments may hold.
func values(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch n := rapid.IntRange(0, 5+min(depth, 1)*2).Draw(t, "kind"); n {
		case 6:
			return rapid.SliceOfN(values(depth-1), 0, 3).Draw(t, "items")
		case 7:
			return rapid.MapOfN(rapid.StringMatching(`[a-z_]{1,5}`), values(depth-1), 0, 3).Draw(t, "members")
		case 0:
			return rapid.Bool().Draw(t, "bool")
		case 1:
			return float64(rapid.IntRange(-99, 99).Draw(t, "number"))
		case 2:
			return nil
		}
		return texts().Draw(t, "text")
	})
}

// Repairing gives back exactly the values that were meant: no backslash, quote or newline of them is lost.
func TestRepairKeepsValues(t *testing.T) {
	o := kitchen()
	rapid.Check(t, func(t *rapid.T) {
		meant := rapid.MapOfN(rapid.StringMatching(`[a-z_]{1,5}`), values(2), 1, 4).Draw(t, "meant")
		delete(meant, "properties")
		text := python(t, meant)
		var got map[string]any
		c := o.mended("store", text, false)
		if c.Problems != nil || json.Unmarshal([]byte(c.Args), &got) != nil {
			t.Fatalf("%s became %+v", text, c)
		}
		if diff := cmp.Diff(meant, got); diff != "" {
			t.Fatalf("%s became %s (-want +got):\n%s", text, c.Args, diff)
		}
		if c.Repairs == nil && !json.Valid([]byte(text)) {
			t.Fatalf("%s became %s, and nobody is told", text, c.Args)
		}
	})
}

// No beginning of a call is ever taken for the whole of it.
func TestBeginningsAreNotCalls(t *testing.T) {
	o := kitchen()
	rapid.Check(t, func(t *rapid.T) {
		meant := rapid.MapOfN(rapid.StringMatching(`[a-z_]{1,5}`), values(2), 1, 4).Draw(t, "meant")
		text := python(t, meant)
		part := text[:rapid.IntRange(1, len(text)-1).Draw(t, "at")]
		if got := o.mended("store", part, true); got.Problems == nil {
			t.Fatalf("%q of %q became %+v", part, text, got)
		}
		careless := strings.ReplaceAll(part, `\`, "")
		if got := o.mended("store", careless, true); got.Problems == nil {
			t.Fatalf("%q became %+v", careless, got)
		}
	})
}
