package profile

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"hob/internal/llm"
	"hob/internal/llm/chattemplate"
)

// A template that loses tools, calls or results has them put into the prompt, unless the owner wants it otherwise.
func TestWhatFollowsFromTheTemplate(t *testing.T) {
	prints := func(change func(*chattemplate.Facts)) *chattemplate.Facts {
		f := chattemplate.Facts{Tools: chattemplate.Always, System: chattemplate.Always, Calls: true, Results: true, Thinking: llm.KeepNone}
		change(&f)
		return &f
	}
	native := "[[profile]]\nname = \"mine\"\nmatch.names = [\"llama3.2:3b\"]\nmode = \"native\"\nkeep_thinking = \"none\"\n"
	lastUser := prints(func(f *chattemplate.Facts) { f.Tools = chattemplate.LastUser })
	for _, c := range []struct {
		name   string
		book   *Book
		model  string
		prints *chattemplate.Facts
		want   string // mode, keep, layout
	}{
		{"nobody knows", book(t), "llama3.2:3b", nil, " , {false false false}"},
		{"all is printed", book(t), "llama3.2:3b", prints(func(*chattemplate.Facts) {}), " , {false false false}"},
		{"tools move", book(t), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.Tools = chattemplate.Moves }), " , {false false false}"},
		{"tools with the user", book(t), "llama3.2:3b", lastUser, "prompt , {true false false}"},
		{"tools never", book(t), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.Tools = chattemplate.Never }), "prompt , {false false false}"},
		{"no calls", book(t), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.Calls = false }), "prompt , {false false false}"},
		{"no results", book(t), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.Results = false }), "prompt , {false false false}"},
		{"calls alone", book(t), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.WordsHideCalls = true }), " , {false false true}"},
		{"system text moves", book(t), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.System = chattemplate.Moves }), " , {false true false}"},
		{"thoughts stay", book(t), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.Thinking = llm.KeepAll }), " all, {false false false}"},
		{"thoughts of a turn", book(t), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.Thinking = llm.KeepChain }), " , {false false false}"},
		{"the seed's thoughts", book(t), "lfm2.5:8b", prints(func(f *chattemplate.Facts) { f.Thinking = llm.KeepAll }), " none, {false false false}"},
		{"the owner's", book(t, native), "llama3.2:3b", prints(func(f *chattemplate.Facts) { f.Tools, f.Thinking = chattemplate.LastUser, llm.KeepAll }),
			"native none, {true false false}"},
		{"small", book(t), "llama3.2:1b", lastUser, "schema , {true false false}"},
	} {
		p := c.book.For(Facts{Model: c.model, Family: "llama", Parameters: "3.2B", Tools: true, Prints: c.prints})
		if got := fmt.Sprintf("%s %s, %v", p.Mode, p.Keep, p.Layout); got != c.want {
			t.Errorf("%s: got %s; want %s", c.name, got, c.want)
		}
	}
}

// A layout is the template's: what a trial finds out is kept without it.
func TestSaveWithoutLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profiles.toml")
	p := llm.Profile{Name: "llama3.2:3b", Mode: llm.PromptMode, Layout: llm.Layout{EndsWithUser: true}}
	if err := Save(path, p, "llama3.2:3b", time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC), nil); err != nil {
		t.Fatal(err)
	}
	b := book(t)
	if err := b.Read(path); err != nil {
		t.Fatal(err)
	}
	if got := b.For(Facts{Model: "llama3.2:3b", Tools: true}); got.Mode != llm.PromptMode || got.Layout != (llm.Layout{}) {
		t.Errorf("got %+v", got)
	}
}
