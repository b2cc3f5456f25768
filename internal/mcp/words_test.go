package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/mcp"
	"hob/internal/policy"
	"hob/internal/tools"
)

// listing is a host of a server with those tools, which do nothing.
func listing(all ...*sdk.Tool) *host {
	return &host{make: func() *sdk.Server {
		s := sdk.NewServer(&sdk.Implementation{Name: "inner", Version: "1"}, &sdk.ServerOptions{PageSize: 3, Instructions: "Be\u200b <|im_start|>good."})
		for _, t := range all {
			if t.InputSchema == nil {
				t.InputSchema = json.RawMessage(`{"type":"object"}`)
			}
			s.AddTool(t, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return said("called " + t.Name), nil
			})
		}
		return s
	}}
}

// Names are the server's and the tool's, fit for every template, and stay the same whatever stands beside them.
func TestNames(t *testing.T) {
	long := strings.Repeat("long", 20)
	h := listing(&sdk.Tool{Name: "get-weather"}, &sdk.Tool{Name: "a.b"}, &sdk.Tool{Name: "a-b"}, &sdk.Tool{Name: "a_b"}, &sdk.Tool{Name: "a_b_2e7336dc"}, // made to look like that of a-b
		&sdk.Tool{Name: long + "1"}, &sdk.Tool{Name: long + "2"})
	c := client(t, h.start, func(cfg *mcp.Config) { cfg.Name = "my-box" })
	s := begin(t, c)
	want := []string{
		"my_box_a_b_d44362d6", "my_box_a_b_2e7336dc", "my_box_a_b", "my_box_get_weather",
		"my_box_longlonglonglonglonglonglonglonglonglonglonglong_0185fb0f", "my_box_longlonglonglonglonglonglonglonglonglonglonglong_7eaac698",
	}
	if diff := cmp.Diff(want, names(s)); diff != "" {
		t.Error(diff)
	}
	registry := tools.NewRegistry()
	for _, tool := range s.Tools {
		if err := registry.Register(tool); err != nil {
			t.Error(err)
		}
	}
	for _, one := range []struct{ name, want string }{{"my_box_get_weather", "called get-weather"}, {"my_box_a_b", "called a_b"}} {
		if res, bad := call(t, s, one.name, `{}`); bad != nil || res.Text != one.want {
			t.Error(one.name, bad, res.Text)
		}
	}
}

// However many tools a server has, and whatever they are called, no two have one name and no more are taken than 200.
func TestNamesNeverMeet(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all := rapid.SliceOfN(rapid.StringMatching(`[ab_.-]{1,4}|x{60,70}`), 0, 30).Draw(r, "names")
		var kept []map[string]any
		for _, name := range all {
			kept = append(kept, map[string]any{"name": name, "schema": map[string]any{"type": "object"}})
		}
		one, two := rename(t, kept), rename(t, reversed(kept))
		seen := map[string]bool{}
		for name := range one {
			if seen[name] || len(name) > 64 {
				r.Fatalf("%q", name)
			}
			seen[name] = true
		}
		if diff := cmp.Diff(one, two); diff != "" {
			r.Fatal(diff)
		}
	})
}

func reversed[T any](all []T) (back []T) {
	for i := range all {
		back = append(back, all[len(all)-1-i])
	}
	return back
}

// rename returns the names that tools get that come from a memory.
func rename(t *testing.T, kept []map[string]any) map[string]bool {
	memory, h := &shelf{}, listing(&sdk.Tool{Name: "x"})
	c := client(t, h.start, func(cfg *mcp.Config) { cfg.Memory = memory })
	begin(t, c)
	c.Close()
	var l map[string]any
	if err := json.Unmarshal(memory.all["box"], &l); err != nil {
		t.Fatal(err)
	}
	unique, seen := []map[string]any{}, map[any]bool{}
	for _, k := range kept {
		if !seen[k["name"]] {
			seen[k["name"]] = true
			unique = append(unique, k)
		}
	}
	l["tools"] = unique
	raw, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	memory.all["box"] = raw
	found := map[string]bool{}
	for _, name := range names(client(t, h.start, func(cfg *mcp.Config) { cfg.Memory = memory }).Skill()) {
		found[name] = true
	}
	return found
}

// A list of many pages is read to its end or to 200 tools; Only takes some, and what it misses is said.
func TestPages(t *testing.T) {
	var many []*sdk.Tool
	for i := range 230 {
		many = append(many, &sdk.Tool{Name: fmt.Sprintf("t%03d", i)})
	}
	if got := len(begin(t, client(t, listing(many[:100]...).start, nil)).Tools); got != 100 {
		t.Error(got)
	}
	few := client(t, listing(many[:10]...).start, func(cfg *mcp.Config) { cfg.Only = []string{"t004", "gone"} })
	if diff := cmp.Diff([]string{"box_t004"}, names(begin(t, few))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"gone"}, few.Status().Missing); diff != "" {
		t.Error(diff)
	}
	big := &host{make: func() *sdk.Server {
		s := sdk.NewServer(&sdk.Implementation{Name: "inner", Version: "1"}, nil)
		for _, tool := range many {
			add(s, tool.Name, `{"type":"object"}`, nil)
		}
		return s
	}}
	if got := len(begin(t, client(t, big.start, nil)).Tools); got != 200 {
		t.Error(got)
	}
}

// What a server says of itself is told in one line, without what is not seen and without what ends messages.
func TestWords(t *testing.T) {
	h := listing(&sdk.Tool{Name: "t", Description: "Adds\n\n\u202Etwo\u200B <|im_end|>numbers. " + strings.Repeat("blah ", 200)})
	s := begin(t, client(t, h.start, func(cfg *mcp.Config) { cfg.Keywords = []string{"sum"} }))
	about := s.Tools[0].Description()
	if !strings.HasPrefix(about, "Adds two numbers. blah") || len(about) > 300 || !strings.HasSuffix(about, "…") {
		t.Errorf("%d %q", len(about), about)
	}
	if s.Instructions != "Be good." || s.Description != "Tools of the MCP server box: t" || s.Source != "mcp:box" || tools.SourceOf(s.Tools[0]) != "mcp:box" {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff([]string{"box", "sum"}, s.Keywords); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(event.Label{Untrusted: true, Source: "mcp:box"}, s.Label); diff != "" {
		t.Error(diff)
	}
}

// Schemas that hob can check are taken over; in the place of all others stands one that takes any object, and says so.
func TestSchemas(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 300) + "{}" + strings.Repeat("}}", 300)
	for _, c := range []struct{ name, given, want, why string }{
		{"plain", `{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}`, `{"properties":{"n":{"minimum":1,"type":"integer"}},"type":"object"}`, ""},
		{"words", `{"type":"object","properties":{"description":{"type":"string","description":"a\u202eb\nc"}},"title":"<|im_end|>x"}`,
			`{"properties":{"description":{"description":"ab c","type":"string"}},"title":"x","type":"object"}`, ""},
		{"refs", `{"type":"object","$defs":{"n":{"type":"integer"}},"properties":{"n":{"$ref":"#/$defs/n"}}}`,
			`{"$defs":{"n":{"type":"integer"}},"properties":{"n":{"$ref":"#/$defs/n"}},"type":"object"}`, ""},
		{"foreign ref", `{"type":"object","properties":{"n":{"$ref":"https://example.org/x"}}}`, "", "cannot be checked"},
		{"endless ref", `{"type":"object","$ref":"#"}`, "", "cannot be checked"},
		{"bad word", `{"type":"object","properties":{"n":{"type":"whole"}}}`, "", "cannot be checked"},
		{"hidden name", `{"type":"object","properties":{"n\u200b":{}}}`, "", "not seen"},
		{"token in a value", `{"type":"object","properties":{"n":{"enum":["<|im_start|>system"]}}}`, "", "not seen"},
		{"large", `{"type":"object","properties":{"n":{"enum":["` + strings.Repeat("x", 9000) + `"]}}}`, "", "too large"},
		{"huge", `{"type":"object","properties":{"n":{"enum":["` + strings.Repeat("x", 900000) + `"]}}}`, "", "too large"},
		{"deep", deep, "", "too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := listing(&sdk.Tool{Name: "t", Description: "Does it.", InputSchema: json.RawMessage(c.given)})
			tool := begin(t, client(t, h.start, nil)).Tools[0]
			got := string(tools.Schema([]tools.Tool{tool})[0].Parameters)
			if c.want == "" {
				c.want = `{"type":"object","properties":{},"additionalProperties":true}`
				if err := tools.Validate(tool, json.RawMessage(`{"anything":[1]}`)); err != nil {
					t.Error(err)
				}
			}
			if !jsonEqual(t, got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			if about := tool.Description(); c.why == "" && about != "Does it." || !strings.Contains(about, c.why) {
				t.Errorf("%q", about)
			}
		})
	}
}

func jsonEqual(t *testing.T, a, b string) bool {
	t.Helper()
	var one, two any
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), []*any{&one, &two}[i]); err != nil {
			t.Fatal(err)
		}
	}
	return cmp.Equal(one, two)
}

// Arguments arrive as they were written: no number is rounded. What does not fit never arrives.
func TestArguments(t *testing.T) {
	h := serving(func(s *sdk.Server) {
		add(s, "same", `{"type":"object","properties":{"n":{"type":"number"}},"additionalProperties":false}`,
			func(_ context.Context, raw json.RawMessage) (*sdk.CallToolResult, error) {
				return said(string(raw)), nil
			})
	})
	s := begin(t, client(t, h.start, nil))
	const args = `{"n":12345678901234567890.000000000000000001}`
	if res, bad := call(t, s, "box_same", args); bad != nil || res.Text != args {
		t.Error(bad, res.Text)
	}
	if _, bad := call(t, s, "box_same", `{"m":1}`); bad == nil || bad.Type != event.TypeValidation {
		t.Error(bad)
	}
	if text, err := named(t, s, "box_same").Execute(t.Context(), map[string]any{"n": 2}); err != nil || text != `{"n":2}` {
		t.Error(text, err)
	}
	if _, err := named(t, s, "box_same").Execute(t.Context(), map[string]any{"m": 2}); err == nil {
		t.Error("it took what does not fit")
	}
}

// Of an answer the texts are told, and of everything else what it is; it is cut at a bound; an error is one.
func TestAnswers(t *testing.T) {
	answer := func(res *sdk.CallToolResult) *host {
		return serving(func(s *sdk.Server) {
			add(s, "it", `{"type":"object"}`, func(context.Context, json.RawMessage) (*sdk.CallToolResult, error) { return res, nil })
		})
	}
	label := event.Label{Untrusted: true, Source: "mcp:box"}
	for _, c := range []struct {
		name   string
		answer *sdk.CallToolResult
		want   tools.Result
		bad    string
	}{
		{"all kinds", &sdk.CallToolResult{Content: []sdk.Content{
			&sdk.TextContent{Text: "one"}, &sdk.ImageContent{Data: []byte("abc"), MIMEType: "image/png"}, &sdk.AudioContent{Data: []byte("ab"), MIMEType: "audio/wav"},
			&sdk.ResourceLink{URI: "file:///a", Name: "a"}, &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x:1", Text: "inside"}},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x:2", Blob: []byte("abcd"), MIMEType: "a/b"}},
		}}, tools.Result{Label: label, Text: "one\n[a picture, image/png, 3 bytes: not shown]\n[a recording, audio/wav, 2 bytes: not played]\n" +
			"[a link to \"a\", of no known type: file:///a]\n[the resource x:1]\ninside\n[the resource x:2, a/b, 4 bytes: not shown]"}, ""},
		{"data", &sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: map[string]any{"a": 1}},
			tools.Result{Label: label, Text: `{"a":1}`, Data: json.RawMessage(`{"a":1}`)}, ""},
		{"nothing", &sdk.CallToolResult{Content: []sdk.Content{}}, tools.Result{Label: label, Text: "(no output)"}, ""},
		{"an error", &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "no such city"}}}, tools.Result{Label: label}, "no such city"},
		{"a dumb error", &sdk.CallToolResult{IsError: true, Content: []sdk.Content{}}, tools.Result{Label: label}, "box_it failed and did not say why"},
		{"long", said(strings.Repeat("ä", 200<<10)),
			tools.Result{Label: label, Text: strings.Repeat("ä", 128<<10) + "\n[cut here: the answer goes on for 147456 bytes]"}, ""},
		{"much data", &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "one"}}, StructuredContent: strings.Repeat("x", 300<<10)},
			tools.Result{Label: label, Text: "one\n[its data is left out: it has more than 256 KiB]"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, bad := call(t, begin(t, client(t, answer(c.answer).start, func(cfg *mcp.Config) { cfg.Rights.Trusted = true })), "box_it", `{}`)
			if diff := cmp.Diff(c.want, res); diff != "" {
				t.Error(diff)
			}
			if (bad == nil) != (c.bad == "") || bad != nil && bad.Message != c.bad {
				t.Errorf("%+v", bad)
			}
		})
	}
}

// A server is asked over HTTP, says where it is, and one that floods is cut off.
func TestHTTP(t *testing.T) {
	h := serving()
	server := h.make()
	for name, opts := range map[string]*sdk.StreamableHTTPOptions{"events": nil, "json": {JSONResponse: true}} {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, opts))
			defer web.Close()
			c := client(t, nil, func(cfg *mcp.Config) {
				cfg.Command, cfg.URL, cfg.HTTP, cfg.Rights.Capabilities = mcp.Command{}, web.URL, web.Client(), tools.Reads
			})
			s := begin(t, c)
			if res, bad := call(t, s, "box_echo", `{"text":"a"}`); bad != nil || res.Text != "a" {
				t.Error(bad, res)
			}
			tool := named(t, s, "box_echo")
			judged := policy.Call{Call: llm.Call{Name: tool.Name(), Args: json.RawMessage(`{"text":"a"}`)}, Tool: tool}
			if got := (policy.Policy{}).Judge(t.Context(), judged); got.Rule != policy.RuleUntainted {
				t.Errorf("%+v", got)
			}
			judged.Caller.Label = event.Label{Private: true}
			if got := (policy.Policy{}).Judge(t.Context(), judged); got.Rule != policy.RulePrivateData {
				t.Errorf("%+v", got)
			}
			if _, bad := call(t, s, "box_huge", `{}`); bad == nil || !strings.Contains(bad.Suggestion, "unknown") {
				t.Error(bad)
			}
			c.Close()
		})
	}
}

// What cannot work is refused when it is set up.
func TestNew(t *testing.T) {
	start := func(context.Context, mcp.Command) (*mcp.Process, error) { return nil, nil }
	command := mcp.Command{Args: []string{"x"}}
	for _, c := range []struct {
		cfg  mcp.Config
		want string
	}{
		{mcp.Config{Server: mcp.Server{Name: "A", Command: command}, Start: start}, `set up the MCP server "A": its name is made of a-z, 0-9 and single dashes, and is at most 32 letters long`},
		{mcp.Config{Server: mcp.Server{Name: "a--b", Command: command}, Start: start}, `set up the MCP server "a--b": its name is made of a-z, 0-9 and single dashes, and is at most 32 letters long`},
		{mcp.Config{Server: mcp.Server{Name: "a"}, Start: start}, `set up the MCP server "a": give it either a command or a url`},
		{mcp.Config{Server: mcp.Server{Name: "a", Command: command, URL: "https://a.example"}, Start: start}, `set up the MCP server "a": give it either a command or a url`},
		{mcp.Config{Server: mcp.Server{Name: "a", Command: command}}, `set up the MCP server "a": nothing can start its command`},
		{mcp.Config{Server: mcp.Server{Name: "a", URL: "https://a.example"}, HTTP: &http.Client{}}, `set up the MCP server "a": nothing can reach its url`},
		{mcp.Config{Server: mcp.Server{Name: "a", URL: "ftp://a.example"}, HTTP: &http.Client{Transport: http.DefaultTransport}}, `set up the MCP server "a": its url is like https://example.org/mcp, without a name and password in it`},
		{mcp.Config{Server: mcp.Server{Name: "a", Command: command}, Start: start}, ""},
	} {
		_, err := mcp.New(t.Context(), c.cfg)
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("%s", got)
		}
	}
}

// A server's environment has nothing of hob's but its path and language.
func TestEnviron(t *testing.T) {
	got := mcp.Environ([]string{"PATH=/opt/bin", "LANG=", "SECRET=1"}, "/home/x", []string{"HOME=/y", "TOKEN=2"})
	if diff := cmp.Diff([]string{"PATH=/opt/bin", "LANG=C.UTF-8", "HOME=/y", "TOKEN=2"}, got); diff != "" {
		t.Error(diff)
	}
}

// A tool that would have the name of another's is told apart from it.
func TestNamesOfOthers(t *testing.T) {
	h := listing(&sdk.Tool{Name: "files"}, &sdk.Tool{Name: "box"})
	c := client(t, h.start, func(cfg *mcp.Config) {
		cfg.Name, cfg.Taken = "search", func(tool string) bool { return tool == "search_files" }
	})
	s := begin(t, c)
	if diff := cmp.Diff([]string{"search_box", "search_files_3d7db37d"}, names(s)); diff != "" {
		t.Error(diff)
	}
}
