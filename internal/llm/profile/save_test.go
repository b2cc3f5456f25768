package profile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/llm"
)

var day = time.Date(2026, 3, 14, 23, 0, 0, 0, time.UTC)

func content(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// What a trial found out stands in the file as an entry with the card above it.
func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "profiles.toml")
	p := llm.Profile{Name: "qwen3", Mode: llm.NativeMode, Think: llm.ThinkOff, Keep: llm.KeepChain, Temperature: llm.Set(1), NumCtx: 8192, MaxTools: 12,
		OneCall: true, Example: `<tool_call>{"name": "x\y"}</tool_call>`, Quirks: []llm.Quirk{llm.OverCalls, llm.FlatArguments}}
	p.Sampling = llm.Sampling{TopP: llm.Set(0.8), TopK: llm.Set(20), MinP: llm.Set(0)}
	p.ThinkingTemperature, p.ThinkingSampling = llm.Set(0.6), llm.Sampling{PresencePenalty: llm.Set(1.5), RepeatPenalty: llm.Set(1), FrequencyPenalty: llm.Set(-1)}
	if err := Save(path, p, "qwen3:4b", day, []string{"good: 10 of 11", "single call: yes", "", "hostile\n[[profile]]\x1b[31m \xff"}); err != nil {
		t.Fatal(err)
	}
	want := `[[profile]]
# Written by a trial of qwen3:4b on 2026-03-14; the next trial replaces this entry.
# good: 10 of 11
# single call: yes
#
# hostile [[profile]] [31m ?
name = "qwen3"
match.names = ["qwen3:4b"]
mode = "native"
think = "off"
keep_thinking = "chain"
temperature = 1.0
top_p = 0.8
top_k = 20
min_p = 0.0
thinking.temperature = 0.6
thinking.repeat_penalty = 1.0
thinking.presence_penalty = 1.5
thinking.frequency_penalty = -1.0
num_ctx = 8192
max_tools = 12
one_call = true
example = "<tool_call>{\"name\": \"x\\y\"}</tool_call>"
quirks = ["over_calls", "flat_arguments"]
`
	if diff := cmp.Diff(want, content(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	b := book(t)
	if err := b.Read(path); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p, b.For(Facts{Model: "qwen3:4b", Family: "qwen3", Parameters: "4.0B", Tools: true})); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

// What nobody found out is not written, and a profile without a name or a mode gets them.
func TestSaveLittle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profiles.toml")
	if err := Save(path, llm.Profile{}, "tiny", day, nil); err != nil {
		t.Fatal(err)
	}
	b := &Book{}
	if err := b.Read(path); err != nil {
		t.Fatal(err)
	}
	want := llm.Profile{Name: "tiny", Mode: llm.NativeMode} // not by schema with four tools, as its size would have it
	if diff := cmp.Diff(want, b.For(Facts{Model: "tiny:latest", Parameters: "10M"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A second trial replaces what the first wrote. Everything else in the file stays, byte for byte.
func TestSaveKeepsTheRest(t *testing.T) {
	before := `# my notes
[[profile]]   # mine
name = "mine" # with '''quotes'''
match.names = ["mine:*"]
example = '''[[profile]] # not a header'''

# above the next
[[profile]]
# Written by a trial of Qwen3:4b.
name = "old"
match.names = ["Qwen3:4b"]
mode = "schema"
quirks = [
  "over_calls", # ]
]  # the end

# above two names
[[profile]]
name = "two names, so not that entry"
max_tools = 3
[profile.match]
names = ["qwen3:4b", "qwen3:8b"]
# at the end`
	path := file(t, before)
	p := llm.Profile{Name: "new", Mode: llm.PromptMode}
	entry := `[[profile]]
# Written by a trial of qwen3:4b on 2026-03-14; the next trial replaces this entry.
name = "new"
match.names = ["qwen3:4b"]
mode = "prompt"
num_ctx = 0
max_tools = 0
one_call = false
quirks = []
`
	want := `# my notes
[[profile]]   # mine
name = "mine" # with '''quotes'''
match.names = ["mine:*"]
example = '''[[profile]] # not a header'''

# above the next
# above two names
[[profile]]
name = "two names, so not that entry"
max_tools = 3
[profile.match]
names = ["qwen3:4b", "qwen3:8b"]
# at the end

` + entry
	for range 2 {
		if err := Save(path, p, "qwen3:4b", day, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, content(t, path)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
	b := &Book{}
	if err := b.Read(path); err != nil {
		t.Fatal(err)
	}
	if got := b.For(Facts{Model: "qwen3:4b"}).Name; got != "new" {
		t.Errorf("the new entry does not win, but %s", got)
	}
}

// An entry that stands for more than the one model is somebody's own, and stays.
func TestSaveKeepsWiderEntries(t *testing.T) {
	for _, wide := range []string{"match = { names = ['m'], families = ['f'] }", "match = { names = ['m'], parsers = ['p'] }", "match.names = ['m*']", "match.names = ['m', 'n']"} {
		path := file(t, "[[profile]]\nname = 'wide'\n"+wide+"\n")
		if err := Save(path, llm.Profile{}, "m", day, nil); err != nil {
			t.Fatal(err)
		}
		b := &Book{}
		if err := b.Read(path); err != nil {
			t.Fatal(err)
		}
		if len(b.entries) != 2 || b.For(Facts{Model: "m"}).Name != "m" {
			t.Errorf("%s: %s", wide, content(t, path))
		}
	}
}

// What cannot be kept is not touched.
func TestSaveRefuses(t *testing.T) {
	good := llm.Profile{Name: "n"}
	for _, c := range []struct {
		before, model string
		p             llm.Profile
		want          string
	}{
		{"[[profile]\n", "m", good, "mend it first"},
		{"[[profile]]\nname = 1\n", "m", good, "mend it first"},
		{"profile = [ { name = 'a', match = { names = ['a'] } } ]\n", "m", good, "has no room for a [[profile]]"},
		{"", "", good, "no name of a model"},
		{"", "a b", good, "no name of a model"},
		{"", "a*", good, "no name of a model"},
		{"", "a\n[[profile]]", good, "no name of a model"},
		{"", "m", llm.Profile{Mode: "odd"}, "cannot be written"},
		{"", "m", llm.Profile{Temperature: llm.Set(3)}, "cannot be written"},
		{"", "m", llm.Profile{NumCtx: 5}, "cannot be written"},
		{"", "m", llm.Profile{Example: "two\nlines"}, "cannot be written"},
		{"", "m", llm.Profile{Name: "default"}, "cannot be written"},
		{strings.Repeat("#\n", maxFile/2), "m", good, "would be longer than"},
	} {
		path := file(t, c.before)
		err := Save(path, c.p, c.model, day, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v of %q into %.40q: %v, want ...%s", c.p, c.model, c.before, err, c.want)
		}
		if got := content(t, path); got != c.before {
			t.Errorf("%+v of %q changed %.40q to %.40q", c.p, c.model, c.before, got)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// A file that a killed process left half done is in nobody's way.
func TestSaveBesideALeftover(t *testing.T) {
	path := file(t, "# old\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".hob-1"), []byte("[[prof"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Save(path, llm.Profile{}, "m", day, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	if err := Save(t.TempDir(), llm.Profile{}, "m", day, nil); err == nil {
		t.Error("a folder is written over")
	}
	link := filepath.Join(t.TempDir(), "link.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := Save(link, llm.Profile{}, "linked", day, nil); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || !strings.Contains(content(t, path), "linked") {
		t.Errorf("the link is %q, %v; the file %q", to, err, content(t, path))
	}
}

// Of many who save at once, everybody's entry is there afterwards, and who reads meanwhile sees a whole file.
func TestSaveAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profiles.toml")
	var all sync.WaitGroup
	failed := make(chan error, 100)
	for i := range 8 {
		all.Go(func() {
			for _, mode := range []llm.Mode{llm.PromptMode, llm.SchemaMode} {
				failed <- Save(path, llm.Profile{Mode: mode}, fmt.Sprint("m", i), day, nil)
				failed <- (&Book{}).Read(path)
			}
		})
	}
	all.Wait()
	close(failed)
	if err := errors.Join(drain(failed)...); err != nil {
		t.Fatal(err)
	}
	b := &Book{}
	if err := b.Read(path); err != nil {
		t.Fatal(err)
	}
	if len(b.entries) != 8 {
		t.Errorf("there are %d entries", len(b.entries))
	}
	for i := range 8 {
		if got := b.For(Facts{Model: fmt.Sprint("m", i)}).Mode; got != llm.SchemaMode {
			t.Errorf("m%d has mode %q", i, got)
		}
	}
}

func drain(errs <-chan error) []error {
	var all []error
	for err := range errs {
		all = append(all, err)
	}
	return all
}

// Any profile that can be written is read back as it was, whatever was saved before and after it.
func TestSaveRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profiles.toml")
	saved := map[string]llm.Profile{}
	rapid.Check(t, func(t *rapid.T) {
		model := rapid.StringMatching(`[a-z]{1,2}(/[a-z])?(:[a-z0-9.]{1,2})?`).Draw(t, "model")
		p := llm.Profile{
			Name:    rapid.StringMatching(`\PC{0,8}[a-z]`).Draw(t, "name"),
			Mode:    rapid.SampledFrom([]llm.Mode{llm.NativeMode, llm.PromptMode, llm.SchemaMode}).Draw(t, "mode"),
			Think:   rapid.SampledFrom([]llm.Think{"", llm.ThinkOff, llm.ThinkHigh}).Draw(t, "think"),
			Keep:    rapid.SampledFrom([]llm.Keep{"", llm.KeepAll}).Draw(t, "keep"),
			NumCtx:  rapid.SampledFrom([]int{0, 1024, 1 << 24}).Draw(t, "ctx"),
			OneCall: rapid.Bool().Draw(t, "one"),
			Example: rapid.StringMatching(`(\PC{0,9}[a-z"'\\#])?`).Draw(t, "example"),
			Quirks:  rapid.SliceOfNDistinct(rapid.SampledFrom([]llm.Quirk{llm.OverCalls, llm.AlwaysThinks}), 0, 2, rapid.ID).Draw(t, "quirks"),
		}
		if rapid.Bool().Draw(t, "warm") {
			p.Temperature = llm.Set(rapid.Float64Range(0, 2).Draw(t, "temperature"))
			p.Sampling.TopP, p.Sampling.TopK = llm.Set(rapid.Float64Range(0, 1).Draw(t, "top_p")), llm.Set(float64(rapid.IntRange(0, 1000).Draw(t, "top_k")))
		}
		p.MaxTools = rapid.IntRange(0, 1000).Draw(t, "tools")
		if p.Name == defaultName {
			return
		}
		if err := Save(path, p, model, day, []string{rapid.String().Draw(t, "card")}); err != nil {
			t.Fatal(err)
		}
		if len(p.Quirks) == 0 {
			p.Quirks = nil
		}
		saved[llm.FullName(model)] = p
		b := &Book{}
		if err := b.Read(path); err != nil {
			t.Fatal(err)
		}
		for model, p := range saved {
			if diff := cmp.Diff(p, b.For(Facts{Model: model})); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", model, diff)
			}
		}
	})
}
