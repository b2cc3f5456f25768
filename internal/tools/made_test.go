package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/shell"
	"hob/internal/tools/toolstest"
)

// toolArgs has every kind of field that a tool's arguments may have.
type toolArgs struct {
	City  string   `json:"city" jsonschema:"where"`
	Unit  string   `json:"unit,omitempty" enum:"c,f" default:"c"`
	Days  int      `json:"days,omitempty" min:"1" max:"9" default:"3"`
	Rate  float64  `json:"rate,omitempty"`
	Note  *string  `json:"note,omitempty"`
	Tags  []string `json:"tags,omitempty" enum:"rain,snow"`
	Stops []struct {
		Name string `json:"name"`
		Kind string `json:"kind,omitempty" enum:"town,hut"`
	} `json:"stops,omitempty"`
	Extra json.RawMessage `json:"extra,omitempty" jsonschema:"anything"`
}

func toolThatSays(d tools.Def) tools.Tool {
	return tools.New(d, func(_ context.Context, in toolArgs) (tools.Result, error) {
		raw, err := json.Marshal(in)
		return tools.Result{Text: string(raw), Data: len(raw)}, err
	})
}

func TestNew(t *testing.T) {
	def := tools.Def{Name: "weather", Description: "The weather.", Capabilities: tools.Reads}
	tool := toolThatSays(def)
	if diff := cmp.Diff(def, tools.DefOf(tool)); diff != "" {
		t.Error(diff)
	}
	defs := tools.Schema([]tools.Tool{tool})
	const schema = `{"type":"object","properties":{` +
		`"city":{"type":"string","description":"where"},` +
		`"unit":{"type":"string","default":"c","enum":["c","f"]},` +
		`"days":{"type":"integer","default":3,"minimum":1,"maximum":9},` +
		`"rate":{"type":"number"},` +
		`"note":{"type":"string"},` +
		`"tags":{"type":"array","items":{"type":"string","enum":["rain","snow"]}},` +
		`"stops":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"kind":{"type":"string","enum":["town","hut"]}},"required":["name"],"additionalProperties":false}},` +
		`"extra":{"description":"anything"}},` +
		`"required":["city"],"additionalProperties":false}`
	if diff := cmp.Diff(schema, string(defs[0].Parameters)); diff != "" {
		t.Error(diff)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(schema), &want); err != nil {
		t.Fatal(err)
	}
	got := tool.Parameters()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got["type"] = "broken" // the map is the caller's own
	if tool.Parameters()["type"] != "object" {
		t.Error("a caller changed the tool")
	}

	for _, c := range []struct{ name, args, want string }{
		{"defaults", `{"city":"Oslo"}`, `{"city":"Oslo","unit":"c","days":3}`},
		{"everything", `{"city":"Oslo","unit":"f","days":5.0,"rate":1e0,"note":"n","tags":["rain"],"stops":[{"name":"a"}],"extra":{"x":[1,null]}}`,
			`{"city":"Oslo","unit":"f","days":5,"rate":1,"note":"n","tags":["rain"],"stops":[{"name":"a"}],"extra":{"x":[1,null]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := tools.Call(t.Context(), tool, json.RawMessage(c.args))
			if diff := cmp.Diff(tools.Result{Text: c.want, Data: len(c.want)}, res); diff != "" || err != nil {
				t.Error(diff, err)
			}
			var params map[string]any
			if err := json.Unmarshal([]byte(c.args), &params); err != nil {
				t.Fatal(err)
			}
			text, err := tool.Execute(t.Context(), params)
			if diff := cmp.Diff(c.want, text); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}

// The arguments are checked whichever way the tool is reached.
func TestNew_ChecksItself(t *testing.T) {
	tool := toolThatSays(tools.Def{Name: "weather"})
	const words = `city: is required; towns: unknown argument; the arguments are city, unit, days, rate, note, tags, stops, extra`
	_, err := tool.Execute(t.Context(), map[string]any{"towns": 1})
	toolstest.IsError(t, err, event.CodeRequiredField, words)
	_, err = tool.(tools.Runner).Run(t.Context(), json.RawMessage(`{"towns":1}`))
	toolstest.IsError(t, err, event.CodeRequiredField, words)
	_, err = tool.Execute(t.Context(), nil)
	toolstest.IsError(t, err, event.CodeRequiredField, "city: is required")
	_, err = tool.Execute(t.Context(), map[string]any{"city": make(chan int)})
	toolstest.IsError(t, err, event.CodeInvalidFormat, "no JSON form")
}

func TestNew_PanicsOnWhatCanNeverWork(t *testing.T) {
	type recursive struct {
		Next *recursive `json:"next"`
	}
	for name, build := range map[string]func() tools.Tool{
		"no struct": func() tools.Tool {
			return tools.New(tools.Def{Name: "x"}, func(context.Context, string) (tools.Result, error) { return tools.Result{}, nil })
		},
		"channel":          func() tools.Tool { return toolOf[struct{ C chan int }]() },
		"recursive":        func() tools.Tool { return toolOf[recursive]() },
		"any, undescribed": func() tools.Tool { return toolOf[struct{ V any }]() },
		"bad default": func() tools.Tool {
			return toolOf[struct {
				N int `json:"n,omitempty" default:"x"`
			}]()
		},
		"default of another type": func() tools.Tool {
			return toolOf[struct {
				N int `json:"n,omitempty" default:"true"`
			}]()
		},
		"bad bound": func() tools.Tool {
			return toolOf[struct {
				N int `json:"n" min:"low"`
			}]()
		},
		"no function": func() tools.Tool { return tools.New[struct{}](tools.Def{Name: "x"}, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.HasPrefix(p, `tools.New("x"): `) {
					t.Errorf("panic is %q", p)
				}
			}()
			build().Parameters()
		})
	}
}

func toolOf[In any]() tools.Tool {
	return tools.New(tools.Def{Name: "x"}, func(context.Context, In) (tools.Result, error) { return tools.Result{}, nil })
}

// The struct is read when the tool is first asked for its arguments: until then a tool costs next to nothing.
func TestNew_ReadsItsArgumentsLate(t *testing.T) {
	broken := toolOf[struct{ C chan int }]()
	if err := tools.NewRegistry().Register(broken); err != nil {
		t.Error(err)
	}
	if _, lost := tools.NewCommands([]tools.Tool{broken}); len(lost) > 0 || tools.DefOf(broken).Name != "x" {
		t.Errorf("%q", lost)
	}
	if _, err := tools.Call(t.Context(), broken, nil); err == nil || !strings.Contains(err.Error(), `tools.New("x"): `) {
		t.Errorf("called: %v", err)
	}
	if allocs := testing.AllocsPerRun(100, func() { toolThatSays(tools.Def{Name: "weather"}) }); allocs > 10 {
		t.Errorf("a tool that nobody uses takes %v allocations", allocs)
	}
}

func TestNewUntyped(t *testing.T) {
	schema := map[string]any{
		"type": "object",
		"properties": map[string]any{
			"city": map[string]any{"type": "string"},
			"days": map[string]any{"type": "number"},
		},
		"required": []string{"city"},
	}
	tool, err := tools.NewUntyped(tools.Def{Name: "get_weather", Description: "Weather."}, schema,
		func(_ context.Context, params map[string]any) (string, error) { return fmt.Sprint(params), nil })
	if err != nil {
		t.Fatal(err)
	}
	schema["type"] = "changed afterwards"
	if tool.Parameters()["type"] != "object" {
		t.Error("the tool shares its schema with who made it")
	}
	res, err := tools.Call(t.Context(), tool, json.RawMessage(`{"city":"Oslo","days":2}`))
	if diff := cmp.Diff(tools.Result{Text: "map[city:Oslo days:2]"}, res); diff != "" || err != nil {
		t.Error(diff, err)
	}
	_, err = tool.Execute(t.Context(), map[string]any{"town": "Oslo"})
	toolstest.IsError(t, err, event.CodeRequiredField, "city: is required; town: unknown argument; the arguments are city, days")

	bare, err := tools.NewUntyped(tools.Def{Name: "bare"}, nil, func(context.Context, map[string]any) (string, error) { return "", nil })
	if err != nil {
		t.Fatal(err)
	}
	_, err = bare.Execute(t.Context(), map[string]any{"x": 1})
	toolstest.IsError(t, err, event.CodeInvalidValue, "x: unknown argument; it takes no arguments")
}

func TestNewUntyped_Refuses(t *testing.T) {
	run := func(context.Context, map[string]any) (string, error) { return "", nil }
	for _, c := range []struct {
		name   string
		def    tools.Def
		schema map[string]any
		run    func(context.Context, map[string]any) (string, error)
		want   string
	}{
		{"no function", tools.Def{Name: "x"}, nil, nil, "has no function"},
		{"no name", tools.Def{}, nil, run, "a name is 1 to 64"},
		{"blanks in the name", tools.Def{Name: "get weather"}, nil, run, "a name is 1 to 64"},
		{"no object", tools.Def{Name: "x"}, map[string]any{"type": "string"}, run, `of type "object"`},
		{"no JSON", tools.Def{Name: "x"}, map[string]any{"type": "object", "x": make(chan int)}, run, "marshal its parameters"},
		{"no schema", tools.Def{Name: "x"}, map[string]any{"type": "object", "properties": 5}, run, "compile its parameters"},
		{"file", tools.Def{Name: "x"}, map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"$ref": "file:///etc/passwd"}}}, run, "is outside of the schema"},
		{"address", tools.Def{Name: "x"}, map[string]any{"type": "object", "allOf": []any{map[string]any{"$ref": "http://example.org/s.json"}}}, run, "is outside of the schema"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool, err := tools.NewUntyped(c.def, c.schema, c.run)
			if tool != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want an error with %q", tool, err, c.want)
			}
		})
	}
}

// Every tool of the default set is small enough for a small model's prompt: flat, at most four arguments, about 350
// bytes of JSON each.
func TestPromptBytes(t *testing.T) {
	w, err := files.New(files.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	s, err := shell.New(shell.Config{Dir: t.TempDir(), Sandbox: sandbox.New(sandbox.Config{})})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, def := range tools.Schema(append(w.Tools(), s.Tool())) {
		raw, err := json.Marshal(def)
		if err != nil {
			t.Fatal(err)
		}
		if def.Name != "find_files" { // which a model has to look for
			total += len(raw)
		}
		t.Logf("%d bytes: %s", len(raw), raw)
		var schema struct{ Properties map[string]json.RawMessage }
		if err := json.Unmarshal(def.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		if len(raw) > 420 || len(schema.Properties) > 4 {
			t.Errorf("%s has %d bytes and %d arguments", def.Name, len(raw), len(schema.Properties))
		}
	}
	if total > 2200 {
		t.Errorf("they have %d bytes together", total)
	}
}
