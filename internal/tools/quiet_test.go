package tools_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/recall"
	"hob/internal/tools/toolstest"
)

type quietArgs struct {
	Path     string `json:"path"`
	Encoding string `json:"encoding,omitempty" enum:"utf-8" quiet:"true"`
	Max      int    `json:"max,omitempty" min:"1" default:"7" quiet:"true"`
}

// A quiet argument is taken from everybody, a model included; only that it is there models are not told.
func TestQuietArguments(t *testing.T) {
	tool := toolOf[quietArgs]()
	def := tools.Schema([]tools.Tool{tool})[0]
	want := `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`
	if string(def.Parameters) != want {
		t.Errorf("the model is told %s", def.Parameters)
	}
	for _, name := range []string{"encoding", "max"} {
		if _, has := tool.Parameters()["properties"].(map[string]any)[name]; !has || !strings.Contains(string(def.Accepts), name) {
			t.Errorf("people are not told of %s", name)
		}
	}
	for args, words := range map[string]string{
		`{"path":"a","encoding":"utf-8","max":3}`: "",
		`{"path":"a","encoding":"latin1"}`:        `encoding: must be one of "utf-8", not "latin1"`,
		`{"path":"a","max":0}`:                    "max: must be at least 1, not 0",
	} {
		err := tools.Validate(tool, json.RawMessage(args))
		if words == "" && err != nil {
			t.Errorf("%s: %v", args, err)
		} else if words != "" {
			toolstest.IsError(t, err, event.CodeInvalidValue, words)
		}
	}

	offer := toolcall.NewOffer(tools.Schema([]tools.Tool{tool}), nil)
	said := llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{{Name: "x", Args: json.RawMessage(`{"path":"a","encoding":"utf-8","max":"3"}`)}}}
	read := offer.Read(toolcall.Wire{Message: said})
	if len(read.Calls) != 1 || !read.Calls[0].Valid() || string(read.Calls[0].Args) != `{"path":"a","encoding":"utf-8","max":3}` {
		t.Errorf("a model's call with them is %+v", read.Calls)
	}
	if mini := offer.Mini("x"); mini != "x(path: string)" {
		t.Errorf("a model that is told in words is told %s", mini)
	}
	if raw, err := json.Marshal(def); err != nil || strings.Contains(string(raw), "encoding") {
		t.Errorf("%s, %v", raw, err)
	}
}

// What cannot be left out must be told.
func TestQuietArguments_AreOptional(t *testing.T) {
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "it must be optional") {
			t.Errorf("panic is %q", p)
		}
	}()
	toolOf[struct {
		Path string `json:"path" quiet:"true"`
	}]().Parameters()
}

// The arguments that cost every prompt something and help no model.
func TestQuietArguments_OfTheTools(t *testing.T) {
	files, err := files.New(files.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	all := append(files.Tools(), recall.New(nil, recall.Facts{}, nil))
	for tool, argument := range map[string]string{"read_file": "encoding", "search_files": "max_results", "recall": "max_results"} {
		i := slices.IndexFunc(all, func(t tools.Tool) bool { return t.Name() == tool })
		def := tools.Schema(all[i : i+1])[0]
		if strings.Contains(string(def.Parameters), argument) || !strings.Contains(string(def.Accepts), argument) {
			t.Errorf("%s of %s: %s", argument, tool, def.Parameters)
		}
	}
}
