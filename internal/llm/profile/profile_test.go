package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profiles.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// book is the seeds with the texts of files read on top.
func book(t *testing.T, files ...string) *Book {
	t.Helper()
	b, err := Seeds()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range files {
		if err := b.Read(file(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// The seeds know the families that people run. The facts are those that a server reports of the models.
func TestSeeds(t *testing.T) {
	b := book(t)
	for _, c := range []struct {
		facts Facts
		want  string // name, mode, think, tools, quirks
	}{
		{Facts{Model: "gpt-oss:20b", Family: "gptoss", Parser: "harmony", Parameters: "20.9B", Tools: true, Thinking: true}, "gpt-oss, , low, 16, one, [always_thinks]"},
		{Facts{Model: "llama3.1:8b", Family: "llama", Parameters: "8.0B", Tools: true}, "llama3, , , 8, one, [over_calls strict_promotion]"},
		{Facts{Model: "llama3.2:1b", Family: "llama", Parameters: "1.2B", Tools: true}, "llama3.2:1b, schema, , 4, one, [over_calls flat_arguments]"},
		{Facts{Model: "qwen2.5:7b", Family: "qwen2", Parameters: "7.6B", Tools: true}, "qwen2.5, , , 10, many, [over_calls]"},
		{Facts{Model: "qwen3:4b", Family: "qwen3", Parser: "qwen3", Renderer: "qwen3", Parameters: "4.0B", Tools: true, Thinking: true}, "qwen3, , off, 12, many, []"},
		{Facts{Model: "qwen3:0.6b", Family: "qwen3", Parameters: "751.63M", Tools: true, Thinking: true}, "qwen3, schema, off, 4, many, []"},
		{Facts{Model: "qwen3:1.7b-q8_0", Family: "qwen3", Parameters: "2.0B", Tools: true, Thinking: true}, "qwen3:1.7b, , off, 8, many, [over_calls]"},
		{Facts{Model: "qwen3-coder:30b", Family: "qwen3moe", Parser: "qwen3-coder", Parameters: "30.5B", Tools: true}, "qwen3-coder, , , 16, many, []"},
		{Facts{Model: "hf.co/somebody/Qwen3-Coder-GGUF:Q4_K_M", Family: "qwen3moe", Parser: "qwen3-coder", Tools: true}, "qwen3-coder, , , 16, many, []"},
		{Facts{Model: "qwen3.5:9b", Family: "qwen35", Parser: "qwen3.5", Parameters: "9.7B", Tools: true, Thinking: true}, "qwen3.5, , off, 14, many, []"},
		{Facts{Model: "somebody/new:8b", Renderer: "qwen3.8", Parameters: "8B", Tools: true}, "qwen3.5, , off, 14, many, []"},
		{Facts{Model: "gemma3:4b", Family: "gemma3", Parameters: "4.3B"}, "gemma3, prompt, , 6, one, [flat_arguments]"},
		{Facts{Model: "gemma3:1b", Family: "gemma3", Parameters: "999.89M"}, "gemma3, schema, , 4, one, [flat_arguments]"},
		{Facts{Model: "gemma4:e4b", Family: "gemma4", Parser: "gemma4", Parameters: "8.0B", Tools: true, Thinking: true}, "gemma4, , off, 10, many, [flat_arguments]"},
		{Facts{Model: "functiongemma", Family: "gemma3", Parser: "functiongemma", Parameters: "268.10M", Tools: true}, "functiongemma, schema, , 4, one, [flat_arguments over_calls]"},
		{Facts{Model: "lfm2.5:8b", Family: "lfm2moe", Parser: "lfm2", Parameters: "8.3B", Tools: true}, "lfm2.5:8b, , off, 8, many, []"},
		{Facts{Model: "ministral-3:8b", Family: "mistral3", Parser: "ministral", Parameters: "8.9B", Tools: true}, "ministral-3, , , 12, many, []"},
		{Facts{Model: "hf.co/mistralai/Ministral-3-14B-Reasoning-2512-GGUF:Q4_K_M", Family: "mistral3", Tools: true}, "ministral-3-reasoning:14b, , , 12, many, []"},
		{Facts{Model: "magistral:24b", Family: "llama", Tools: true, Thinking: true}, "magistral, , , 12, many, []"},
		{Facts{Model: "mistral:7b", Family: "llama", Parameters: "7.2B", Tools: true}, "ministral, , , 12, many, []"},
		{Facts{Model: "granite4:3b", Family: "granite", Parameters: "3.4B", Tools: true}, "granite, , , 10, many, [over_calls]"},
		{Facts{Model: "deepseek-r1:8b", Family: "qwen3", Parameters: "8.2B", Tools: true, Thinking: true}, "deepseek-r1, prompt, on, 6, one, [always_thinks loose_thinking]"},
		{Facts{Model: "phi4-mini", Family: "phi3", Parameters: "3.8B", Tools: true}, "phi4-mini, , , 6, many, []"},
		{Facts{Model: "cogito:8b", Family: "llama", Parameters: "8.0B", Tools: true, Thinking: true}, "cogito, , off, 10, many, []"},
		{Facts{Model: "glm-4.7-flash", Family: "glm4moelite", Parser: "glm-4.7", Tools: true, Thinking: true}, "glm, , off, 12, many, []"},
		{Facts{Model: "olmo-3:7b", Family: "olmo3", Parser: "olmo3", Parameters: "7.3B", Tools: true}, "olmo, , , 8, many, []"},
		{Facts{Model: "olmo2:7b", Family: "olmo2", Parameters: "7.3B"}, "olmo, prompt, , 8, many, []"},
		{Facts{Model: "nemotron-3-nano", Family: "nemotron_h_moe", Parser: "nemotron-3-nano", Tools: true, Thinking: true}, "nemotron, , off, 12, many, []"},
		{Facts{Model: "smollm2:1.7b", Family: "llama", Parameters: "1.7B", Tools: true}, "smollm, , off, 5, one, [over_calls flat_arguments]"},
		{Facts{Model: "smollm2:135m", Family: "llama", Parameters: "134.52M", Tools: true}, "smollm, schema, off, 4, one, [over_calls flat_arguments]"},
		{Facts{Model: "hermes3:8b", Family: "llama", Parameters: "8.0B", Tools: true}, "hermes, , , 8, many, [over_calls]"},
		{Facts{Model: "never-heard-of:7b", Family: "new", Parameters: "7B", Tools: true}, "default, , , 12, many, []"},
		{Facts{Model: "never-heard-of:7b", Family: "new", Parameters: "7B"}, "default, prompt, , 12, many, []"},
		{Facts{}, "default, prompt, , 12, many, []"},
	} {
		p := b.For(c.facts)
		calls := "many"
		if p.OneCall {
			calls = "one"
		}
		if got := fmt.Sprintf("%s, %s, %s, %d, %s, %v", p.Name, p.Mode, p.Think, p.MaxTools, calls, p.Quirks); got != c.want {
			t.Errorf("For(%+v)\n got %s\nwant %s", c.facts, got, c.want)
		}
	}
}

// Where a model's card says how it chooses tokens, the seed has it, and says where the card is. Others have a temperature.
func TestSeedsCiteTheirCards(t *testing.T) {
	for _, e := range strings.Split(seeds, "\n[[profile]]\n")[1:] {
		name, _, _ := strings.Cut(e, "\n")
		isCited := regexp.MustCompile(`(?m)^# card: https://\S+`).MatchString(e)
		hasMore := regexp.MustCompile(`(?m)^(top_|min_p|repeat_|presence_|frequency_|thinking)`).MatchString(e)
		fromCard := regexp.MustCompile(`(?m)^temperature = \S+\s+# (its card|its makers|the cards of|greedy)`).MatchString(e) &&
			!strings.Contains(e, "recommends nothing")
		if hasMore && !isCited || isCited != fromCard {
			t.Errorf("%s: cited %t, from a card %t, more than a temperature %t", name, isCited, fromCard, hasMore)
		}
	}
}

// Every value of a seed stands beside its reason.
func TestSeedsTellTheirReasons(t *testing.T) {
	reason := regexp.MustCompile(`^[a-z_.]+ = .*\S\s+# \S`)
	for i, l := range strings.Split(seeds, "\n") {
		if strings.Contains(l, " = ") && !strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "name = ") && !reason.MatchString(l) {
			t.Errorf("profiles.toml:%d gives no reason: %s", i+1, l)
		}
	}
	seen := map[string]bool{}
	for _, e := range book(t).entries {
		if seen[e.profile.Name] {
			t.Errorf("two seeds are called %s", e.profile.Name)
		}
		seen[e.profile.Name] = true
	}
}

// A name counts more than a pattern, a pattern more than the parser, the parser more than the family.
func TestTheMostSpecificMatchWins(t *testing.T) {
	b := book(t, `
[[profile]]
name = "name"
match.names = ["Qwen3:4B"]
[[profile]]
name = "long pattern"
match.names = ["qwen3:4b-*"]
[[profile]]
name = "stars are no letters"
match.names = ["q*w*e*n*3:*"]
[[profile]]
name = "no tag is latest"
match.names = ["phi4"]
[[profile]]
name = "parser"
match.parsers = ["Harmony"]
[[profile]]
name = "family"
match.families = ["new"]
[[profile]]
name = "first"
match.families = ["twice"]
[[profile]]
name = "second"
match.families = ["twice"]
[[profile]]
name = "both ways"
match.families = ["a"]
match.names = ["b:*"]
[[profile]]
name = "default"
`, `
[[profile]]
name = "later file"
match.families = ["new"]
`)
	for _, c := range []struct {
		facts Facts
		want  string
	}{
		{Facts{Model: "qwen3:4b", Parser: "harmony", Family: "new"}, "name"},
		{Facts{Model: "QWEN3:4b"}, "name"},
		{Facts{Model: "qwen3:4b-instruct", Parser: "harmony", Family: "new"}, "long pattern"},
		{Facts{Model: "qwen3:8b"}, "stars are no letters"}, // as long as the seed's qwen3:*, and a file's
		{Facts{Model: "phi4:latest", Family: "new"}, "no tag is latest"},
		{Facts{Model: "phi4", Family: "new"}, "no tag is latest"},
		{Facts{Model: "phi4:14b", Family: "new"}, "phi4-mini"},
		{Facts{Model: "x", Parser: "harmony", Family: "new"}, "parser"},
		{Facts{Model: "x", Renderer: "harmony", Family: "new"}, "parser"},
		{Facts{Model: "x", Family: "NEW"}, "later file"},
		{Facts{Model: "x", Family: "twice"}, "second"},
		{Facts{Model: "b:1", Family: "a", Parser: "harmony"}, "both ways"},
		{Facts{Model: "x", Family: "a", Parser: "harmony"}, "parser"},
		{Facts{Model: "x", Family: "a"}, "both ways"},
		{Facts{Model: "x"}, "default"},
	} {
		c.facts.Tools = true
		if got := b.For(c.facts).Name; got != c.want {
			t.Errorf("For(%+v) is %q, want %q", c.facts, got, c.want)
		}
	}
	if got := b.For(Facts{Tools: true}); !cmp.Equal(got, llm.Profile{Name: "default"}) {
		t.Errorf("the file's default is laid over the seed's: %+v", got)
	}
}

// A file may say what it likes of a small model or one without tools; where it does not, the facts decide.
func TestWhatFollowsFromTheFacts(t *testing.T) {
	b := book(t, `
[[profile]]
name = "all said"
match.names = ["all:*"]
mode = "native"
max_tools = 30
[[profile]]
name = "nothing said"
match.names = ["nothing:*"]
`)
	for _, c := range []struct {
		model, parameters string
		tools             bool
		want              llm.Profile
	}{
		{"all:1", "300M", false, llm.Profile{Name: "all said", Mode: llm.NativeMode, MaxTools: 30}},
		{"all:1", "8B", false, llm.Profile{Name: "all said", Mode: llm.NativeMode, MaxTools: 30}},
		{"nothing:1", "300M", true, llm.Profile{Name: "nothing said", Mode: llm.SchemaMode, MaxTools: 4}},
		{"nothing:1", "1B", true, llm.Profile{Name: "nothing said", Mode: llm.SchemaMode, MaxTools: 4}},
		{"nothing:1", "1.0 B", true, llm.Profile{Name: "nothing said"}},
		{"nothing:1", "1.1B", true, llm.Profile{Name: "nothing said"}},
		{"nothing:1", "", true, llm.Profile{Name: "nothing said"}},
		{"nothing:1", "-1B", true, llm.Profile{Name: "nothing said"}},
		{"nothing:1", "NaNB", true, llm.Profile{Name: "nothing said"}},
		{"nothing:1", "8B", false, llm.Profile{Name: "nothing said", Mode: llm.PromptMode}},
		{"nothing:1", "300K", false, llm.Profile{Name: "nothing said", Mode: llm.SchemaMode, MaxTools: 4}},
	} {
		got := b.For(Facts{Model: c.model, Parameters: c.parameters, Tools: c.tools})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s of %q, tools %v (-want +got):\n%s", c.model, c.parameters, c.tools, diff)
		}
	}
}

// A seed says how many tools a family holds apart; of a small model's few it may make fewer, never more. A longer pattern
// of a seed beats a shorter one of a file.
func TestSeedsAndSmallModels(t *testing.T) {
	b := &Book{}
	var err error
	if b.entries, err = parse("seeds", "[[profile]]\nname = 'a'\nmatch.names = ['a']\nmax_tools = 2\n[[profile]]\nname = 'b'\nmatch.names = ['b']\nmax_tools = 9\nmode = 'prompt'"); err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]llm.Profile{
		"a": {Name: "a", Mode: llm.SchemaMode, MaxTools: 2},
		"b": {Name: "b", Mode: llm.SchemaMode, MaxTools: 4},
	} {
		if diff := cmp.Diff(want, b.For(Facts{Model: model, Parameters: "1B", Tools: true})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", model, diff)
		}
	}
	mine := book(t, "[[profile]]\nname = 'mine'\nmatch.names = ['qwen3:*']\n")
	for model, want := range map[string]string{"qwen3:1.7b": "qwen3:1.7b", "qwen3:8b": "mine"} {
		if got := mine.For(Facts{Model: model, Tools: true}).Name; got != want {
			t.Errorf("%s is %s, want %s", model, got, want)
		}
	}
}

// What For returns belongs to the caller.
func TestProfilesAreCopies(t *testing.T) {
	b, gpt := book(t), Facts{Model: "gpt-oss:20b", Tools: true}
	first := b.For(gpt)
	first.Quirks[0] = "spoilt"
	if got := b.For(gpt); got.Quirks[0] != llm.AlwaysThinks {
		t.Errorf("a caller changed the book: %+v", got)
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "", true}, {"*", "a/b:c", true}, {"a*", "a", true}, {"a*a", "a", false}, {"a*a", "aa", true},
		{"*b*", "abc", true}, {"*b*b*", "abc", false}, {"a*b*c", "axxbyyc", true}, {"a*b*c", "axxcyyb", false},
		{"**", "x", true}, {"hf.co/*/qwen3*:*", "hf.co/u/qwen3-4b-gguf:q4", true}, {"qwen3", "qwen3:4b", false}, {"a", "a", true},
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("matches(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}
