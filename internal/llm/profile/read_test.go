package profile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// All that can be said in an entry, in each of the ways that TOML has for it.
func TestReadEveryKey(t *testing.T) {
	want := llm.Profile{Name: "mine", Mode: llm.PromptMode, Think: llm.ThinkLow, Keep: llm.KeepNone, Temperature: llm.Set(0.5), NumCtx: 8192,
		MaxTools: 7, OneCall: true, Example: `{"a": "\"b\""} # no comment`, Quirks: []llm.Quirk{llm.OverCalls, llm.LooseThinking}}
	want.Sampling = llm.Sampling{TopP: llm.Set(0.8), TopK: llm.Set(0), MinP: llm.Set(0), RepeatPenalty: llm.Set(1.05), PresencePenalty: llm.Set(-1.5), FrequencyPenalty: llm.Set(2)}
	want.ThinkingTemperature, want.ThinkingSampling = llm.Set(1), llm.Sampling{TopK: llm.Set(20)}
	body := `
mode = "prompt"
think = "low"
keep_thinking = "none"
temperature = 0.5
top_p = 0.8
top_k = 0
min_p = 0
repeat_penalty = 1.05
presence_penalty = -1.5
frequency_penalty = 2.0
thinking = {temperature = 1, top_k = 20}
num_ctx = 8_192
max_tools = 7
one_call = true
example = '{"a": "\"b\""} # no comment'
quirks = ["over_calls", # one
  "loose_thinking", "over_calls"]
`
	for _, head := range []string{
		"[[profile]]\nname = \"mine\"\nmatch.names = [\"m:1\"]" + body,
		"[[profile]]\nname = 'mine'\nmatch = { names = [\"m:1\"], families = [] }" + body,
		"[[ \"profile\" ]]" + body + "name = \"mine\"\n[profile.match]\nnames = [\"\"\"m:1\"\"\"]\n",
	} {
		b := &Book{}
		if err := b.Read(file(t, strings.ReplaceAll(head, "\n", "\r\n"))); err != nil {
			t.Errorf("%s\n%v", head, err)
			continue
		}
		if diff := cmp.Diff(want, b.For(Facts{Model: "m:1", Tools: true})); diff != "" {
			t.Errorf("%s\n(-want +got):\n%s", head, diff)
		}
	}
}

// An entry that is like another has all of that one but its matches, what it says itself, and how tokens are chosen if it says
// anything of that.
func TestLike(t *testing.T) {
	b := &Book{}
	if err := b.Read(file(t, `
[[profile]]
name = "base"
match.names = ["base"]
match.families = ["f"]
mode = "prompt"
max_tools = 3
temperature = 0.5
top_k = 20
thinking = {temperature = 0.1, min_p = 0.5}
quirks = ["over_calls"]
[[profile]]
name = "other"
like = "base"
match.names = ["other"]
max_tools = 9
[[profile]]
name = "warm"
like = "other"
match.names = ["warm"]
thinking = {temperature = 1}
quirks = []
`)); err != nil {
		t.Fatal(err)
	}
	base := llm.Profile{
		Name: "base", Mode: llm.PromptMode, MaxTools: 3, Temperature: llm.Set(0.5), Sampling: llm.Sampling{TopK: llm.Set(20)},
		ThinkingTemperature: llm.Set(0.1), ThinkingSampling: llm.Sampling{MinP: llm.Set(0.5)}, Quirks: []llm.Quirk{llm.OverCalls},
	}
	other := base
	other.Name, other.MaxTools = "other", 9
	warm := llm.Profile{Name: "warm", Mode: llm.PromptMode, MaxTools: 9, ThinkingTemperature: llm.Set(1)}
	for model, want := range map[string]llm.Profile{"base": base, "other": other, "warm": warm} {
		// A model as small as that shows that mode and max_tools are taken for the entry's own.
		got := b.For(Facts{Model: model, Parameters: "100M", Tools: true})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", model, diff)
		}
	}
	if got := b.For(Facts{Model: "x", Family: "f", Tools: true}).Name; got != "base" {
		t.Errorf("the family has the profile %s", got)
	}
}

// A mistake is told in one sentence that names the file, the line and the key.
func TestReadMistakes(t *testing.T) {
	ok := "[[profile]]\nname = \"a\"\nmatch.names = [\"a\"]\n"
	for _, c := range []struct{ text, want string }{
		{ok + "mode = \"fast\"", `line 4: mode must be one of native, prompt, schema, not "fast"`},
		{ok + "mode = 1", `line 4: mode must be one of native, prompt, schema, not 1`},
		{ok + "think = true", `line 4: think must be one of off, on, low, medium, high, not true`},
		{ok + "keep_thinking = \"some\"", `line 4: keep_thinking must be one of chain, all, none, not "some"`},
		{ok + "\n\ntemperature = 2.1", `line 6: temperature must be a number from 0 to 2, not 2.1`},
		{ok + "temperature = nan", `line 4: temperature must be a number from 0 to 2, not NaN`},
		{ok + "temperature = \"hot\"", `line 4: temperature must be a number from 0 to 2, not "hot"`},
		{ok + "top_p = 1.1", `line 4: top_p must be a number from 0 to 1, not 1.1`},
		{ok + "top_k = 20.5", `line 4: top_k must be a whole number from 0 to 1000, not 20.5`},
		{ok + "presence_penalty = -3", `line 4: presence_penalty must be a number from -2 to 2, not -3`},
		{ok + "thinking = {temperature = 0.6, top_k = -1}", `line 4: thinking.top_k must be a whole number from 0 to 1000, not -1`},
		{ok + "thinking.top_k = 20", `line 4: thinking has no temperature: what stands there is all that counts where the model thinks`},
		{ok + "thinking = 0.6", `line 4: thinking must be a table with the temperature and the like of a model that thinks, not 0.6`},
		{ok + "like = \"b\"", `line 4: like must be the name of an entry that stands before this one, not "b"`},
		{ok + "like = \"a\"", `line 4: like must be the name of an entry that stands before this one, not "a"`},
		{ok + "num_ctx = 12", `line 4: num_ctx must be 0 or a whole number from 1024 to 16777216, not 12`},
		{ok + "num_ctx = 9e18", `line 4: num_ctx must be 0 or a whole number from 1024 to 16777216, not 9e+18`},
		{ok + "max_tools = -1", `line 4: max_tools must be 0 or a whole number from 1 to 1000, not -1`},
		{ok + "one_call = \"yes\"", `line 4: one_call must be true or false, not "yes"`},
		{ok + "example = \"\"\"a\nb\"\"\"", `line 4: example must be one line without control characters`},
		{ok + "example = \" \"", `line 4: example must not be empty`},
		{ok + "example = \"" + strings.Repeat("a", 301) + "\"", `line 4: example must have at most 300 bytes, not 301`},
		{ok + "quirks = \"over_calls\"", `line 4: quirks must be a list of texts, not "over_calls"`},
		{ok + "quirks = [\"lazy\"]", `line 4: quirks each must be one of strict_promotion, over_calls, flat_arguments, loose_thinking, always_thinks, not "lazy"`},
		{ok + "quirks = [1]", `line 4: quirks must be a list of texts: number 1 must be a text, not 1`},
		{ok + "Mode = \"native\"", `line 4: Mode is an unknown key; the keys are like, name, match.names, match.parsers, match.families, mode, think, keep_thinking, temperature, top_p, top_k, min_p, repeat_penalty, presence_penalty, frequency_penalty, thinking.temperature, thinking.top_p, thinking.top_k, thinking.min_p, thinking.repeat_penalty, thinking.presence_penalty, thinking.frequency_penalty, num_ctx, max_tools, one_call, example, quirks`},
		{ok + "# [[profile]]\nmatch.name = [\"a\"]", `line 5: match.name is an unknown key; the keys are`},
		{ok + "x = '''\n[[profile]]\nmode = 1'''\n" + "temperature = 3", "line 4: x is an unknown key"},
		{ok + "x = '''\n[[profile]]\nmode = 1'''\n" + "temperature = 3", "line 7: temperature must be"},
		{ok + "quirks = [\n'over_calls', # ]\n\"\\\"]\"\n]\nmax_tools = 1.5", `line 8: max_tools must be 0 or a whole number from 1 to 1000, not 1.5`},
		{ok + "quirks = [ # [ [ it's\n'over_calls']\nmax_tools = 1.5", "line 6: max_tools must be"},
		{ok + "example = \"\"\"a\\\"\"\"\nmode = 3\n\"\"\"\nmode = 4", "line 7: mode must be"},
		{"[[profile]]\nname = 'a'\n[profile.other]\nnames = ['x']", "line 1: match is missing"},
		{ok + ok + ok + "one_call = 1", "line 10: one_call must be true or false, not 1"},
		{ok + ok + "[profile.match]\nnames = 3", "line 8"}, // match twice: the decoder says so
		{"[[profile]]\nname = \"a\"", `line 1: match is missing: say by names, parsers or families which models are meant`},
		{"\n[[profile]]\nname = \"a\"\nmatch.names = []", `line 4: match names no model`},
		{"[[profile]]\nname = \"a\"\nmatch = \"b\"", `line 3: match must be a table with names, parsers or families, not "b"`},
		{"[[profile]]\nname = \"a\"\nmatch.names = [\"a b\"]", `line 3: match.names must be names of models such as "ministral-3:8b" or "qwen3:*", and "a b" is none`},
		{"[[profile]]\nname = \"a\"\nmatch.names = [\"a?\"]", `and "a?" is none`},
		{"[[profile]]\nname = \"default\"\nmatch.names = [\"*\"]", `line 3: match does not go with the name default`},
		{"[[profile]]\nmatch.names = [\"*\"]", `line 1: name is missing`},
		{"[profile]\nname = \"a\"", `line 1: profile must be a list of tables, each begun by [[profile]]`},
		{"profile = [1]", `line 1: profile must be a list of tables`},
		{"\n[models]\na = 1", `line 2: "models" is unknown: a file of profiles holds [[profile]] only`},
		{"[[profile]\n", `line 1: `},
		{"a = 1\na = 2\n", `line 2: `},
		{"x = \"\x00\"", `line 1: `},
	} {
		b, path := book(t), file(t, c.text)
		before := len(b.entries)
		err := b.Read(path)
		if err == nil {
			t.Errorf("%q is read", c.text)
			continue
		}
		found := false
		for _, sentence := range strings.Split(err.Error(), "\n") {
			found = found || strings.Contains(sentence, c.want) && strings.HasPrefix(sentence, path)
		}
		if !found {
			t.Errorf("%q\n got %v\nwant %s, ...%s", c.text, err, path, c.want)
		}
		if len(b.entries) != before {
			t.Errorf("%q changed the book", c.text)
		}
	}
}

// All mistakes are told at once, one a line.
func TestReadTellsAllMistakes(t *testing.T) {
	path := file(t, "[[profile]]\nname = 1\nmode = 2\n[[profile]]\nname = \"b\"\nmatch.names = [\"b\"]\nthink = 3\n")
	err := (&Book{}).Read(path)
	want := path + `, line 2: name must be a text, not 1
` + path + `, line 3: mode must be one of native, prompt, schema, not 2
` + path + `, line 1: match is missing: say by names, parsers or families which models are meant
` + path + `, line 7: think must be one of off, on, low, medium, high, not 3`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestReadFiles(t *testing.T) {
	b := &Book{}
	dir := t.TempDir()
	for _, fine := range []string{filepath.Join(dir, "none.toml"), filepath.Join(dir, "no", "folder.toml"), file(t, ""), file(t, "# nothing\n"), file(t, "profile = []")} {
		if err := b.Read(fine); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
	if err := b.Read(dir); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder is read: %v", err)
	}
	if err := b.Read(file(t, strings.Repeat("#", maxFile+1))); err == nil || !strings.Contains(err.Error(), "is longer than") {
		t.Errorf("a file without end is read: %v", err)
	}
	if err := b.Read(file(t, "a="+strings.Repeat("[", maxFile-2))); err == nil {
		t.Error("a deep hole is read")
	}
	secret := file(t, "")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	if err := b.Read(secret); os.Geteuid() != 0 && !errors.Is(err, os.ErrPermission) {
		t.Errorf("a file that may not be read is no error but %v", err)
	}
}

// Whatever stands in a file, reading it ends, and it is read whole or not at all. What can be read can be kept beside a
// new entry.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		seeds[:3000], "[[profile]]\nname='a'\nmatch.names=['a']\n", "profile = [ { name = 'a', match = { names = ['a'] } } ]",
		"[[profile]]\nname='default'\n[profile.match]", "[[profile]]\n\"na\\u006de\" = '''\n[[profile]]'''", "\"\"\"", "a = [\n#]\n]", "[[", "]=", "'",
		"[[profile]]\nname='a'\nmatch.names=['m:1']\n[[profile]]\nname='b'\nmatch={names=['m:1','x']}\nexample='''x''''\n# end",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := parse("file", text)
		if err != nil {
			if len(entries) > 0 {
				t.Fatalf("entries and an error: %v", err)
			}
			if !strings.HasPrefix(err.Error(), "file") {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		p := llm.Profile{Name: "n", Mode: llm.NativeMode}
		edited, err := withEntry("file", text, p, "m:1", "[[profile]]\nname = \"n\"\nmatch.names = [\"m:1\"]\nmode = \"native\"\n")
		if err != nil {
			if !strings.Contains(err.Error(), "safely") && !strings.Contains(err.Error(), "no room") && !strings.Contains(err.Error(), "longer") {
				t.Fatal(err)
			}
			return
		}
		b := &Book{}
		if b.entries, err = parse("file", edited); err != nil {
			t.Fatal(err)
		}
		if got := b.For(Facts{Model: "m:1", Tools: true}); !cmp.Equal(got, p) {
			t.Fatalf("%q became %q, which says %+v", text, edited, got)
		}
	})
}
