package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/config"
	"hob/internal/llm"
	"hob/internal/llm/ollama/ollamafake"
)

// sampled is a model as its server shows it, and what a person has written.
type sampled struct {
	model, family, parser string
	thinks                bool
	own                   string // of config.toml
	profile               string // of profiles.toml
}

// options returns what a request of a turn says of how tokens are chosen, as it goes over the wire.
func (m sampled) options(t *testing.T, failed func(llm.Profile, llm.Options) llm.Options) string {
	t.Helper()
	can := []string{"completion", "tools"}
	if m.thinks {
		can = append(can, "thinking")
	}
	server := ollamafake.New(t, ollamafake.Config{
		Model: m.model, Family: m.family, Parser: m.parser, Parameters: "7.0B", Capabilities: can,
	}, ollamafake.Say("Well."))
	dir := t.TempDir()
	for name, text := range map[string]string{"config.toml": m.own, "profiles.toml": m.profile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg, _, err := config.Load(filepath.Join(dir, "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Ollama.Model = m.model
	with := configFor(t, server.URL(), cfg.Ollama)
	with.Profiles = []string{filepath.Join(dir, "profiles.toml")}
	e := New(with)
	set := e.Settings(t.Context())
	options := set.Options
	if failed != nil {
		options = failed(set.Profile, options)
	}
	req := llm.Request{Messages: []llm.Message{{Role: llm.UserRole, Text: "Hello."}}, Options: options}
	if _, err := e.Chat(t.Context(), req, func(llm.Delta) {}); err != nil {
		t.Fatal(err)
	}
	var body struct {
		Options json.RawMessage `json:"options"`
	}
	if err := json.Unmarshal(server.Requests()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	_, sampling, _ := strings.Cut(string(body.Options), `"temperature":`)
	return strings.TrimSuffix(sampling, "}")
}

// A request has the sampling of the model's card, in all the fields that its card names and no others, with thoughts and
// without. A model whose card recommends nothing is sent its temperature alone.
func TestSamplingOfCards(t *testing.T) {
	qwen3 := `0.7,"top_p":0.8,"top_k":20,"min_p":0`
	for _, c := range []struct {
		model, family, parser string
		off, on               string // on: where it can think
	}{
		{"gpt-oss:20b", "gptoss", "harmony", `1,"top_p":1`, ""},
		{"llama3.1:8b", "llama", "", `0.3`, ""},
		{"llama3.2:1b", "llama", "", `0.2`, ""},
		{"qwen2.5:7b", "qwen2", "", `0.3`, ""},
		{"qwen3:8b", "qwen3", "", qwen3, `0.6,"top_p":0.95,"top_k":20,"min_p":0`},
		{"qwen3:1.7b", "qwen3", "", qwen3, `0.6,"top_p":0.95,"top_k":20,"min_p":0`},
		{"qwen3:4b-instruct-2507-q4_K_M", "qwen3", "", qwen3, ""},
		{"qwen3:4b-thinking-2507-q4_K_M", "qwen3", "", `0.6,"top_p":0.95,"top_k":20,"min_p":0`, `0.6,"top_p":0.95,"top_k":20,"min_p":0`},
		{"qwen3-coder:30b", "qwen3moe", "qwen3-coder", `0.7,"top_p":0.8,"top_k":20,"repeat_penalty":1.05`, ""},
		{"qwen3-coder-next:80b", "qwen3next", "qwen3-coder", `1,"top_p":0.95,"top_k":40`, ""},
		{"qwen3.5:4b", "qwen35", "qwen3.5", `0.7,"top_p":0.8,"top_k":20,"min_p":0,"repeat_penalty":1,"presence_penalty":1.5`,
			`1,"top_p":0.95,"top_k":20,"min_p":0,"repeat_penalty":1,"presence_penalty":1.5`},
		{"gemma3:4b", "gemma3", "", `1,"top_p":0.95,"top_k":64,"min_p":0`, ""},
		{"gemma4:e4b", "gemma4", "gemma4", `1,"top_p":0.95,"top_k":64`, `1,"top_p":0.95,"top_k":64`},
		{"functiongemma", "gemma3", "functiongemma", `0.2`, ""},
		{"lfm2:1.2b", "lfm2", "lfm2", `0.3,"min_p":0.15,"repeat_penalty":1.05`, ""},
		{"hf.co/LiquidAI/LFM2.5-1.2B-Instruct-GGUF:Q4_K_M", "lfm2", "", `0.1,"top_p":0.1,"top_k":50,"repeat_penalty":1.05`, ""},
		{"lfm2.5:8b", "lfm2moe", "lfm2", `0.2,"top_k":80,"repeat_penalty":1.05`, ""},
		{"ministral-3:8b", "mistral3", "ministral", `0.05`, ""},
		{"hf.co/mistralai/Ministral-3-3B-Reasoning-2512-GGUF:Q4_K_M", "mistral3", "", `0.7`, ""},
		{"ministral-3:14b-reasoning-2512-q4_K_M", "mistral3", "ministral", `1`, ""},
		{"magistral:24b", "llama", "", `0.7,"top_p":0.95`, `0.7,"top_p":0.95`},
		{"mistral-nemo:12b", "llama", "", `0.3`, ""},
		{"mistral-small3.2:24b", "mistral3", "", `0.15`, ""},
		{"granite4:3b", "granite", "", `0`, ""},
		{"deepseek-r1:8b", "qwen3", "", `0.6,"top_p":0.95`, `0.6,"top_p":0.95`},
		{"deepseek-v3.1:671b", "deepseek2", "deepseek3", `0.3`, `0.3`},
		{"phi4-mini:3.8b", "phi3", "", `0.2`, ""},
		{"phi4-reasoning:14b", "phi3", "", `0.8,"top_p":0.95,"top_k":50`, ""},
		{"cogito:8b", "llama", "cogito", `0.4`, `0.4`},
		{"glm-4.7-flash", "glm4moelite", "glm-4.7", `0.7,"top_p":1`, `0.7,"top_p":1`},
		{"olmo-3:7b", "olmo3", "olmo3", `0.4`, ""},
		{"nemotron-3-nano", "nemotron_h_moe", "nemotron-3-nano", `0.6,"top_p":0.95`, `0.6,"top_p":0.95`},
		{"smollm2:1.7b", "llama", "", `0.2`, ""},
		{"smollm3:3b", "smollm3", "", `0.6,"top_p":0.95`, ""},
		{"hermes3:8b", "llama", "", `0.4`, ""},
		{"never-heard-of:7b", "new", "", `0.3`, ""},
	} {
		t.Run(c.model, func(t *testing.T) {
			m := sampled{model: c.model, family: c.family, parser: c.parser, thinks: c.on != ""}
			if got := m.options(t, nil); got != c.off {
				t.Errorf("without thoughts it is %s, not %s", got, c.off)
			}
			m.own = "[ollama]\nthink = \"on\"\n"
			want := c.on
			if !m.thinks {
				want = c.off // it has no thoughts, whatever was asked for
			}
			if got := m.options(t, nil); got != want {
				t.Errorf("with thoughts it is %s, not %s", got, want)
			}
		})
	}
}

// What a person has written wins over the card: the temperature of config.toml, and all of an entry of profiles.toml. A turn
// that goes on without thoughts has the sampling for that.
func TestSamplingOfThePerson(t *testing.T) {
	own := "[[profile]]\nname = \"mine\"\nmatch.names = [\"qwen3:8b\"]\ntop_k = 5\n"
	less := func(p llm.Profile, o llm.Options) llm.Options { return p.WithThink(o, llm.ThinkOff) }
	for _, c := range []struct {
		name         string
		own, profile string
		failed       func(llm.Profile, llm.Options) llm.Options
		want         string
	}{
		{"a temperature", "temperature = 1.3", "", nil, `1.3,"top_p":0.8,"top_k":20,"min_p":0`},
		{"and thoughts", "temperature = 1.3\nthink = \"on\"", "", nil, `1.3,"top_p":0.95,"top_k":20,"min_p":0`},
		{"no thoughts any more", "think = \"on\"", "", less, `0.7,"top_p":0.8,"top_k":20,"min_p":0`},
		{"and a temperature", "temperature = 1.3\nthink = \"on\"", "", less, `1.3,"top_p":0.8,"top_k":20,"min_p":0`},
		{"that of the card with thoughts", "temperature = 0.6\nthink = \"on\"", "", less, `0.6,"top_p":0.8,"top_k":20,"min_p":0`},
		{"a profile", "", own, nil, `0.3,"top_k":5`},
		{"both", "temperature = 1.3", own, nil, `1.3,"top_k":5`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := sampled{model: "qwen3:8b", family: "qwen3", thinks: true, own: "[ollama]\n" + c.own + "\n", profile: c.profile}
			if got := m.options(t, c.failed); got != c.want {
				t.Errorf("it is %s, not %s", got, c.want)
			}
		})
	}
}
