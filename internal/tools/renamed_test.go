package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/tools"
)

// A tool is found by the name that it had, and whoever calls it by that is told the new one; a tool that truly has such a
// name is that tool.
func TestOldNames(t *testing.T) {
	make := func(name string) tools.Tool {
		return tools.New(tools.Def{Name: name}, func(context.Context, struct{}) (tools.Result, error) { return tools.Result{}, nil })
	}
	all := []tools.Tool{make("process"), make("recall")}
	index, lost := tools.NewCommands(all)
	for old, today := range map[string]string{"job": "process", "search_chat": "recall"} {
		if tool, ok := index.Find(old); !ok || tool.Name() != today || tools.NameToday(old) != today || tools.NameToday(today) != today {
			t.Errorf("%s finds %v", old, tool)
		}
		if got, want := tools.OldNameHint("/"+old, today), old+" is called "+today+" now; the next release no longer knows "+old; got != want {
			t.Errorf("the hint is %q", got)
		}
		if got := tools.OldNameHint(today, today); got != "" {
			t.Errorf("the hint without an old name is %q", got)
		}
	}
	if len(lost) > 0 {
		t.Error(lost)
	}
	for _, word := range []string{"jobz", "search_chatt"} {
		if near := index.Nearest(word); near != "" {
			t.Errorf("%s: %s is suggested, a name of before", word, near)
		}
	}
	index, _ = tools.NewCommands(append(all, make("job")))
	if tool, _ := index.Find("job"); tool.Name() != "job" || tools.OldNameHint("job", tool.Name()) != "" {
		t.Errorf("job finds %s", tool.Name())
	}
}

// A person and a program may give an argument by the name that it had before, and are told the new one.
func TestRename(t *testing.T) {
	type in struct {
		Pattern string `json:"pattern"`
		Path    string `json:"path,omitempty"`
	}
	look := tools.New(tools.Def{Name: "look", Renamed: map[string]string{"dir": "path"}},
		func(context.Context, in) (tools.Result, error) { return tools.Result{}, nil })
	const hint = "look: dir is called path now; the next release no longer takes dir"
	for _, c := range []struct{ args, want, hint string }{
		{`{"pattern":"a","dir":"notes"}`, `{"path":"notes","pattern":"a"}`, hint},
		{`{"pattern":"dir","path":"notes"}`, `{"pattern":"dir","path":"notes"}`, ""},
		{`{"pattern":"a","dir":"x","path":"y"}`, `{"pattern":"a","dir":"x","path":"y"}`, ""}, // two values: the schema refuses dir
		{`[]`, `[]`, ""},
	} {
		if got, said := tools.Rename(look, json.RawMessage(c.args)); string(got) != c.want || said != c.hint {
			t.Errorf("%s became %s: %q", c.args, got, said)
		}
	}
	for words, want := range map[string]string{
		"a dir=notes":               `{"path":"notes","pattern":"a"}`,
		"dir=notes pattern=a":       `{"path":"notes","pattern":"a"}`,
		`{"pattern":"a","dir":"b"}`: `{"path":"b","pattern":"a"}`,
	} {
		split := strings.Fields(words)
		if got, err := tools.ParseArguments(look, split); string(got) != want || err != nil {
			t.Errorf("%s became %s, %v", words, got, err)
		}
	}
	if got, err := tools.ParseCommand(look, "a dir=notes"); string(got) != `{"path":"notes","pattern":"a"}` || err != nil {
		t.Errorf("the command became %s, %v", got, err)
	}
	if got := tools.RenamedHint(look, []string{"a", "dir=notes"}); got != hint {
		t.Errorf("the hint is %q", got)
	}
	if got := tools.RenamedHint(look, []string{"dir", "path=notes"}); got != "" {
		t.Errorf("the hint without an old name is %q", got)
	}
	if bad := tools.Validate(look, json.RawMessage(`{"pattern":"a","dir":"b"}`)); bad == nil {
		t.Error("the schema takes the old name")
	}
}
