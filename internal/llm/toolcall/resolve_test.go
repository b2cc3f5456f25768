package toolcall

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
	"hob/internal/schema"
)

func TestResolve(t *testing.T) {
	o := kitchen()
	for name, want := range map[string]string{
		"read_file":                         "read_file",
		"search__files":                     "search_files",
		"searchFiles":                       "search_files",
		"Search-Files":                      "search_files",
		`search\_files`:                     "search_files",
		" `search_files` ":                  "search_files",
		"search_files()":                    "search_files",
		"functions.search_files":            "search_files",
		"tools.search_files":                "search_files",
		"repo_browser.search_files":         "search_files",
		"default_api:search_files":          "search_files",
		"search_files.call":                 "search_files",
		"search_files-name":                 "search_files",
		"search_files:0":                    "search_files",
		"functions.search_files:12":         "search_files",
		"search_files<|channel|>json":       "search_files",
		"serch_files":                       "search_files",
		"search_filez2":                     "search_files",
		"functions.get_wether":              "get_weather",
		"write_file":                        "write_file",
		"writeFile":                         "write_file",
		"functions.WriteFile:3":             "write_file",
		"write_files":                       "", // it writes: resemblance is not enough
		"writ_file":                         "",
		"read_file/write_file":              "", // which?
		"nov":                               "",
		"open_file":                         "",
		"available_tools":                   "",
		"":                                  "",
		"...":                               "",
		"functions.":                        "",
		strings.Repeat("read_file.", 1_000): "",
	} {
		got := ""
		if tool := o.resolve(name); tool != nil {
			got = tool.def.Name
		}
		if got != want {
			t.Errorf("%.40q is %q, want %q", name, got, want)
		}
	}
}

// No tool is meant when another one is as near, nor when the nearest one has side effects.
func TestResolveDoubt(t *testing.T) {
	offer := func(careful string, names ...string) *Offer {
		var defs []llm.ToolDefinition
		for _, name := range names {
			defs = append(defs, llm.ToolDefinition{Name: name})
		}
		return NewOffer(defs, func(tool string) bool { return tool == careful })
	}
	for _, test := range []struct {
		offer *Offer
		name  string
		want  string
	}{
		{offer("", "list_notes", "list_votes"), "list_motes", ""},
		{offer("", "list_notes", "list_votes"), "list_note", "list_notes"},
		{offer("list_notes", "list_notes", "list_quotes"), "list_note", ""},
		{offer("", "lists"), "list", ""},
		{offer("", "list"), "lists", ""},
		{offer("", "get_it", "getit"), "GetIt", ""},
		{offer("", "get_it", "getit"), "getit", "getit"},
	} {
		got := ""
		if tool := test.offer.resolve(test.name); tool != nil {
			got = tool.def.Name
		}
		if got != test.want {
			t.Errorf("%q is %q, want %q", test.name, got, test.want)
		}
	}
}

func TestUnknownTool(t *testing.T) {
	c := kitchen().mend(found{name: "open_file", args: `{ "path": "a" }`, whole: true}, false)
	want := Call{Call: llm.Call{Name: "open_file", Args: []byte(`{"path":"a"}`)}, Problems: []schema.Problem{{Kind: schema.Value,
		Text: `there is no tool "open_file"; the tools are read_file, write_file, search_files, now, store, forward, get_weather`}}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	var defs []llm.ToolDefinition
	for i := range 13 {
		defs = append(defs, llm.ToolDefinition{Name: fmt.Sprintf("tool_%c", 'a'+i)})
	}
	c = NewOffer(defs, nil).mend(found{name: "tool", args: `{`}, true)
	if got, want := c.Problems[0].Text, `there is no tool "tool"; the tools are tool_a, tool_b, tool_c, tool_d, tool_e, tool_f, tool_g, tool_h, tool_i, tool_j and 3 more`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if string(c.Args) != "{}" {
		t.Errorf("arguments that cannot be read are %s, want {}", c.Args)
	}

	c = NewOffer(nil, nil).mend(found{}, false)
	if got, want := c.Problems[0].Text, "the call names no tool; there are no tools"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
