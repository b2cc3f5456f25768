// Package rendered_test shows what the families of models read of hob: the requests of a turn with three calls, as the
// server that gets them makes prompts of them. Families that Ollama renders with code of its own are rendered by that
// code, the others by Ollama's template package with the templates in ../testdata.
package rendered_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/renderers"
	"github.com/ollama/ollama/template"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/app"
	"hob/internal/config"
	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/golden"
	"hob/internal/llm"
	fake "hob/internal/llm/ollama/ollamafake"
	"hob/internal/tools"
)

var update = flag.Bool("update", false, "accept the prompts as they come")

// family is a model of one family as its server shows it.
type family struct {
	profile string // the seed that is for it
	model   string
	arch    string // its architecture

	renderer, parser string // code of the server
	template         string // in ../testdata
	parameters       string // "7.0B"
	own              string // mode that the owner's file names

	noTools, thinking bool

	// closes says that a message of the user closes each request and brings the tools along: the server reads them anew.
	closes bool
}

// opening is how many bytes open a reply at most. Some families write them otherwise once there is a reply.
const opening = 40

// families are all that stand in profiles.toml, and the layouts of templates that are worse than their family's.
func families() []family {
	return []family{
		{profile: "default", model: "new:7b", template: "qwen2.5"},
		{profile: "gpt-oss", model: "gpt-oss:20b", arch: "gptoss", parser: "harmony", template: "gpt-oss", thinking: true},
		{profile: "llama3", model: "llama3.2:3b", arch: "llama", template: "llama3"},
		{profile: "llama3", model: "llama3.2:3b", arch: "llama", template: "llama3", own: "native", closes: true},
		{profile: "llama3", model: "llama4:16x17b", arch: "llama", template: "llama4"},
		{profile: "llama3.2:1b", model: "llama3.2:1b", arch: "llama", template: "llama3", parameters: "1.2B"},
		{profile: "qwen2.5", model: "qwen2.5:7b", arch: "qwen2", template: "qwen2.5"},
		{profile: "qwen3", model: "qwen3:4b", arch: "qwen3", parser: "qwen3", template: "qwen3", thinking: true},
		{profile: "qwen3", model: "qwen3-vl:4b", arch: "qwen3vl", renderer: "qwen3-vl-instruct", parser: "qwen3-vl-instruct"},
		{profile: "qwen3:1.7b", model: "qwen3:1.7b", arch: "qwen3", template: "qwen3", thinking: true},
		{profile: "qwen3-coder", model: "qwen3-coder:30b", arch: "qwen3moe", renderer: "qwen3-coder", parser: "qwen3-coder"},
		{profile: "qwen3.5", model: "qwen3.5:9b", arch: "qwen35", renderer: "qwen3.5", parser: "qwen3.5", thinking: true},
		{profile: "qwen3.5", model: "qwen3.8:9b", arch: "qwen35", renderer: "qwen3.8", parser: "qwen3.5", thinking: true},
		{profile: "gemma3", model: "gemma3:4b", arch: "gemma3", template: "gemma3", noTools: true},
		{profile: "gemma4", model: "gemma4:e4b", arch: "gemma4", renderer: "gemma4", parser: "gemma4", thinking: true},
		{profile: "functiongemma", model: "functiongemma", arch: "gemma3", renderer: "functiongemma", parser: "functiongemma", parameters: "268M"},
		{profile: "lfm2", model: "lfm2:8b", arch: "lfm2moe", renderer: "lfm2", parser: "lfm2"},
		{profile: "ministral-3", model: "ministral-3:8b", arch: "mistral3", parser: "ministral", template: "ministral"},
		{profile: "ministral", model: "devstral:24b", arch: "llama", template: "devstral"},
		{profile: "ministral", model: "mistral:7b", arch: "llama", template: "mistral"},
		{profile: "ministral", model: "mistral:7b", arch: "llama", template: "mistral", own: "native", closes: true},
		{profile: "granite", model: "granite4:3b", arch: "granite", template: "granite"},
		{profile: "granite", model: "granite3.2-vision:2b", arch: "granite", template: "granite3.2-vision"},
		{profile: "deepseek-r1", model: "deepseek-r1:8b", arch: "qwen3", template: "deepseek-r1", noTools: true},
		{profile: "deepseek", model: "deepseek-v3.1:671b", arch: "deepseek2", renderer: "deepseek3.1", parser: "deepseek3", thinking: true},
		{profile: "phi4-mini", model: "phi4-mini:3.8b", arch: "phi3", template: "phi4-mini"},
		{profile: "cogito", model: "cogito:8b", arch: "llama", renderer: "cogito", parser: "cogito", thinking: true},
		{profile: "glm", model: "glm-4.7-flash", arch: "glm4moelite", renderer: "glm-4.7", parser: "glm-4.7", thinking: true},
		{profile: "olmo", model: "olmo-3:7b", arch: "olmo3", renderer: "olmo3", parser: "olmo3"},
		{profile: "olmo", model: "olmo2:7b", arch: "olmo2", template: "olmo2", noTools: true},
		{profile: "nemotron", model: "nemotron-3-nano", arch: "nemotron_h_moe", renderer: "nemotron-3-nano", parser: "nemotron-3-nano", thinking: true},
		{profile: "smollm", model: "smollm2:1.7b", arch: "llama", template: "olmo2", noTools: true},
		{profile: "hermes", model: "hermes3:8b", arch: "llama", template: "qwen2.5"},
		{profile: "default", model: "laguna:7b", renderer: "laguna", parser: "laguna"},
		{profile: "default", model: "command-a", renderer: "cohere", parser: "cohere"},
		{profile: "default", model: "glimmer:7b", renderer: "glimmer", parser: "glimmer"},
	}
}

// systemText begins the system text of the turns.
const systemText = "You are the keeper of notes."

// offered are the tools of the turns. Each has a description that stands nowhere else.
func offered() []tools.Tool {
	type words struct {
		Words string `json:"words"`
	}
	tool := func(name, about string, does tools.Capabilities, effects ...event.Effect) tools.Tool {
		return tools.New(tools.Def{Name: name, Description: about, Capabilities: does}, func(_ context.Context, in words) (tools.Result, error) {
			return tools.Result{Text: "result about " + in.Words, Effects: effects}, nil
		})
	}
	return []tools.Tool{
		tool("find_note", "Find a note by a word", tools.Reads), tool("count_notes", "Count all notes", tools.Reads),
		tool("keep_note", "Keep a new note", tools.Writes, event.Effect{Kind: "wrote", Target: "notes"}), tool("drop_note", "Drop one old note", tools.Writes),
	}
}

// TestTools holds the prompts of each family: all offered tools, the system text, and all calls and results so far stand in
// each of the four requests, and a request begins with the one before. The first and the fourth are kept in testdata;
// -update writes them.
func TestTools(t *testing.T) {
	for _, f := range families() {
		t.Run(f.name(), func(t *testing.T) {
			turn := play(t, f)
			for i, prompt := range turn.prompts {
				for _, tool := range offered() {
					if !strings.Contains(prompt, tool.Name()) || !strings.Contains(prompt, tool.Description()) {
						t.Errorf("request %d does not show %s", i+1, tool.Name())
					}
				}
				parts := []string{systemText, "Where is the key"}
				for _, word := range []string{"key", "box", "lid"}[:i] {
					parts = append(parts, `about `+word) // the result
					if strings.Count(prompt, word) < 2 {
						t.Errorf("request %d does not show the call about %s", i+1, word)
					}
				}
				for _, part := range parts {
					if n := strings.Count(prompt, part); n != 1 {
						t.Errorf("request %d has %q %d times", i+1, part, n)
					}
				}
				if i == 0 {
					continue
				}
				if lost := len(turn.prompts[i-1]) - shared(turn.prompts[i-1], prompt); lost > opening && !f.closes {
					t.Errorf("of request %d, %d bytes are read anew", i, lost)
				}
			}
			checkPrompts(t, f, turn)
		})
	}
}

// TestFamilies_AllSeeds sees to it that no seed of profiles.toml is left out. One that is like another is asked as that.
func TestFamilies_AllSeeds(t *testing.T) {
	text, err := os.ReadFile("../../profile/profiles.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^name = "(.*)".*\n(\w+)`).FindAllStringSubmatch(string(text), -1) {
		here := slices.ContainsFunc(families(), func(f family) bool { return f.profile == m[1] })
		if !here && m[2] != "like" && m[1] != "scripted" { // its models are in package ollamatest, on a real server
			t.Errorf("no request of the family %s is shown", m[1])
		}
	}
}

// TestTools_AsBefore shows what the layouts are for: without them a model of the family has no tools from the second request
// on, or no longer sees its own call.
func TestTools_AsBefore(t *testing.T) {
	for _, f := range families() {
		if f.template != "llama3" && f.template != "devstral" && f.template != "mistral" || f.own != "" || f.parameters != "" {
			continue
		}
		turn := play(t, f, func(s *settings) { s.profile.Mode, s.profile.Layout = llm.NativeMode, llm.Layout{} })
		var seen []int
		for _, prompt := range turn.prompts {
			n := 0
			for _, tool := range offered() {
				if strings.Contains(prompt, tool.Description()) {
					n++
				}
			}
			seen = append(seen, n)
		}
		if !slices.Equal(seen, []int{4, 0, 0, 0}) {
			t.Errorf("%s: %v tools", f.name(), seen)
		}
		if f.template == "devstral" && strings.Count(turn.prompts[3], "box") > 1 {
			t.Error("a call is shown beside words")
		}
	}
}

func (f family) name() string {
	name := f.profile + " " + f.renderer + f.template
	if f.own != "" {
		name += " " + f.own
	}
	return strings.Join(strings.Fields(strings.NewReplacer(":", "-").Replace(name)), "_")
}

// settings are what may be changed before a turn.
type settings struct{ profile llm.Profile }

// played is a turn that was played.
type played struct {
	profile llm.Profile
	prompts []string // of its four requests
	next    string   // of the turn that follows
}

// play plays a turn with three calls, and the next one, against a server that has the family's model, and renders its requests.
func play(t *testing.T, f family, change ...func(*settings)) played {
	t.Helper()
	text := f.templateText(t)
	can := []string{"completion"}
	if !f.noTools {
		can = append(can, "tools")
	}
	if f.thinking {
		can = append(can, "thinking")
	}
	parameters := f.parameters
	if parameters == "" {
		parameters = "7.0B"
	}
	server := fake.New(t, fake.Config{
		Model: f.model, Family: f.arch, Parser: f.parser, Renderer: f.renderer, Template: text, Parameters: parameters, Capabilities: can,
	}, call("find_note", "key"), call("keep_note", "box"), call("count_notes", "lid"), answer("Seen."), answer("Seen."))
	dir := t.TempDir()
	s := &app.Environment{Config: config.Default(), Hosts: []string{server.URL()}, StateDir: dir, ConfigPath: filepath.Join(dir, "config.toml")}
	if f.own != "" {
		own := fmt.Sprintf("[[profile]]\nname = %q\nmatch.names = [%q]\nmode = %q\n", f.profile, f.model, f.own)
		if err := os.WriteFile(filepath.Join(dir, "profiles.toml"), []byte(own), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.Egress = app.NewEgress(s.JournalPath(), egress.GateConfig{})
	defer s.Egress.End()
	s.Ollama.Model = f.model
	if err := s.Connect(); err != nil {
		t.Fatal(err)
	}
	model := app.NewModel(s)
	set := s.TurnSettings(model)(t.Context())
	if set.Profile.Name != f.profile {
		t.Fatalf("the profile is %s", set.Profile.Name)
	}
	changed := settings{profile: set.Profile}
	for _, c := range change {
		c(&changed)
	}
	turn := agent.Turn{
		System: systemText, Tools: offered(), Profile: changed.profile, Options: set.Options, Window: set.Window, Budget: set.Budget,
		History: []llm.Message{{Role: llm.UserRole, Text: "Where is the key?"}},
	}
	player := agent.New(model, agenttest.Gate{}, nil, &agenttest.Blobs{}, time.Now)
	for _, next := range []string{"And the lid?", ""} {
		after := turn
		words, err := player.Run(t.Context(), turn, func(bodies ...event.Body) error {
			after = after.Record(bodies...)
			return nil
		})
		if err != nil || !strings.HasPrefix(words, "Seen.") {
			t.Fatalf("the turn ended with %q, %v", words, err)
		}
		turn.Begin = len(after.History)
		turn.History = append(after.History, llm.Message{Role: llm.UserRole, Text: next})
	}
	p := played{profile: changed.profile}
	for _, r := range server.Requests() {
		p.prompts = append(p.prompts, f.render(t, text, r.Body))
	}
	if len(p.prompts) != 5 {
		t.Fatalf("there were %d requests", len(p.prompts))
	}
	p.next, p.prompts = p.prompts[4], p.prompts[:4]
	return p
}

// call calls a tool in the form that the request asks for, with words before it where those may stand.
func call(tool, words string) fake.Step {
	return fake.Choose(func(r fake.Request) fake.Step {
		args, _ := json.Marshal(map[string]string{"words": words})
		switch {
		case len(r.Tools) > 0:
			return fake.ContentAndCall("I will look.", tool, map[string]string{"words": words})
		case len(r.Format) > 0:
			return fake.Say(fmt.Sprintf(`{"thought": "I will look.", "tool": %q, "arguments": %s}`, tool, args))
		}
		return fake.Say(fmt.Sprintf(`{"tool": %q, "arguments": %s}`, tool, args))
	})
}

func answer(words string) fake.Step {
	return fake.Choose(func(r fake.Request) fake.Step {
		if len(r.Format) > 0 {
			return fake.Say(fmt.Sprintf(`{"thought": "I know.", "tool": "answer", "answer": %q}`, words))
		}
		return fake.Say(words)
	})
}

func (f family) templateText(t *testing.T) string {
	t.Helper()
	if f.template == "" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join("..", "testdata", f.template+".gotmpl"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}

// render makes the prompt of a request, as Ollama's server does.
func (f family) render(t *testing.T, text string, body []byte) string {
	t.Helper()
	var req api.ChatRequest
	if err := json.Unmarshal(body, &req); err != nil {
		t.Fatal(err)
	}
	if f.renderer != "" {
		prompt, err := renderers.RenderWithRenderer(f.renderer, req.Messages, req.Tools, req.Think)
		if err != nil {
			t.Fatal(err)
		}
		return prompt
	}
	parsed, err := template.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var prompt strings.Builder
	v := template.Values{Messages: req.Messages, Tools: req.Tools, Think: req.Think.Bool(), ThinkLevel: req.Think.String(), IsThinkSet: true}
	if err := parsed.Execute(&prompt, v); err != nil {
		t.Fatal(err)
	}
	return prompt.String()
}

// shared is how many bytes two prompts begin with in common.
func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// checkPrompts holds the first and the fourth prompt, and how much of each the next one begins with.
func checkPrompts(t *testing.T, f family, turn played) {
	t.Helper()
	var b strings.Builder
	mode := turn.profile.Mode
	if mode == "" {
		mode = llm.NativeMode
	}
	fmt.Fprintf(&b, "mode %s, layout %+v\n", mode, turn.profile.Layout)
	for i := 1; i < len(turn.prompts); i++ {
		before := turn.prompts[i-1]
		fmt.Fprintf(&b, "request %d begins with %d of the %d bytes of request %d\n", i+1, shared(before, turn.prompts[i]), len(before), i)
	}
	last := turn.prompts[3]
	fmt.Fprintf(&b, "the next turn begins with %d of the %d bytes of request 4\n", shared(last, turn.next), len(last))
	for _, i := range []int{0, 3} {
		fmt.Fprintf(&b, "-- request %d --\n%s\n", i+1, turn.prompts[i])
	}
	golden.Check(t, *update, filepath.Join("testdata", f.name()+".txt"), b.String())
}
