package ollama

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
	"hob/internal/llm/chattemplate"
)

func TestPreflight(t *testing.T) {
	f := newFake(t, nil)
	f.capabilities = []string{"completion", "tools", "thinking", "vision"}
	c := start(t, f)
	facts, err := c.Preflight(t.Context())
	want := Facts{
		Host: c.hosts[0].base.String(), Version: "0.24.0", Model: "tiny:1b", Tools: true, Thinking: true, Vision: true,
		TrainedContext: 40960, Parser: "qwen3", Renderer: "qwen3", Template: true, Family: "qwen3", Parameters: "4.0B", Quantization: "Q4_K_M",
	}
	if diff := cmp.Diff(want, facts); diff != "" || err != nil {
		t.Errorf("error %v, facts (-want +got):\n%s", err, diff)
	}
}

// What a template prints counts where the server renders with it: not where code of its own does, and not where it takes
// tools that the template does not have.
func TestPreflight_Template(t *testing.T) {
	const tools = "{{ .Tools }}{{ range .Messages }}{{ .Content }}{{ .ToolCalls }}{{ end }}"
	for name, c := range map[string]struct {
		renderer, template string
		capabilities       []string
		want               bool
	}{
		"a template":          {"", tools, []string{"tools"}, true},
		"code of the server":  {"qwen3.5", tools, []string{"tools"}, false},
		"no template":         {"", "{{ .Prompt }}", []string{"tools"}, false},
		"Jinja":               {"", "{% for m in messages %}{{ m['content'] }}{% endfor %}", []string{"tools"}, false},
		"another template":    {"", "{{ range .Messages }}{{ .Content }}{{ end }}", []string{"tools"}, false},
		"a model without any": {"", "{{ range .Messages }}{{ .Content }}{{ end }}", nil, true},
	} {
		f := newFake(t, nil)
		f.capabilities, f.renderer, f.template = c.capabilities, c.renderer, c.template
		facts, err := start(t, f).Preflight(t.Context())
		if err != nil || (facts.Prints != nil) != c.want {
			t.Errorf("%s: %+v, %v", name, facts.Prints, err)
		}
		if c.want && (facts.Prints.Tools == chattemplate.Always) != facts.Tools {
			t.Errorf("%s: %+v", name, facts.Prints)
		}
	}
}

func TestFacts_KeepsTools(t *testing.T) {
	whole := &chattemplate.Facts{Tools: chattemplate.Always, Calls: true, Results: true}
	first := &chattemplate.Facts{Tools: chattemplate.LastUser, Calls: true, Results: true}
	for _, c := range []struct {
		facts Facts
		want  bool
	}{{Facts{}, false}, {Facts{Tools: true}, true}, {Facts{Tools: true, Prints: whole}, true}, {Facts{Tools: true, Prints: first}, false}, {Facts{Prints: whole}, false}} {
		if got := c.facts.KeepsTools(); got != c.want {
			t.Errorf("%+v keeps tools: %t", c.facts, got)
		}
	}
}

func TestPreflightFailures(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*fake)
		model  string
		want   string
	}{
		{"no model is chosen", func(*fake) {}, " ",
			"model_missing: no model is chosen: choose one with `hob model use NAME`"},
		{"the model is not there", func(f *fake) { f.showStatus, f.showError = 404, `{"error":"model 'tiny:1b' not found"}` }, "tiny:1b",
			"model_missing: Ollama at HOST does not have tiny:1b: run `hob model pull tiny:1b`"},
		{"it runs elsewhere", func(f *fake) { f.remote = "https://ollama.com:443" }, "tiny:1b",
			"model_refused: tiny:1b runs at https://ollama.com:443, and what you say would leave this machine: choose a model that runs here, or set [ollama] allow_remote"},
		{"its name says so", func(*fake) {}, "gpt-oss:120b-Cloud",
			"model_refused: gpt-oss:120b-Cloud runs at Ollama's cloud, and what you say would leave this machine: choose a model that runs here, or set [ollama] allow_remote"},
		{"no Ollama", func(f *fake) { f.version = "" }, "tiny:1b",
			"unreachable: what answers at HOST does not speak as Ollama does: check [ollama] host"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake(t, nil)
			tc.change(f)
			c := start(t, f, func(cfg *Config) { cfg.Model = tc.model })
			_, err := c.Preflight(t.Context())
			_, chatErr := c.Chat(t.Context(), hello, nil)
			want := strings.ReplaceAll(tc.want, "HOST", c.hosts[0].base.String())
			got := []string{fmt.Sprint(llm.KindOf(err), ": ", err), fmt.Sprint(llm.KindOf(chatErr), ": ", chatErr)}
			if diff := cmp.Diff([]string{want, want}, got); diff != "" {
				t.Errorf("errors of Preflight and Chat (-want +got):\n%s", diff)
			}
			if len(f.bodies) != 0 {
				t.Error("the conversation was sent all the same")
			}
		})
	}
}

// Where the owner allows it, a model may run elsewhere.
func TestAllowRemote(t *testing.T) {
	f := newFake(t, lines(`{"remote_host":"https://ollama.com:443","message":{"content":"x"},"done":true}`))
	f.remote = "https://ollama.com:443"
	c := start(t, f, func(cfg *Config) { cfg.AllowRemote, cfg.Model = true, "gpt-oss:120b-cloud" })
	facts, err := c.Preflight(t.Context())
	if err != nil || facts.Remote != "https://ollama.com:443" {
		t.Errorf("facts %+v, error %v", facts, err)
	}
	if reply, err := c.Chat(t.Context(), hello, nil); err != nil || reply.Message.Text != "x" {
		t.Errorf("reply %v, error %v", reply, err)
	}
}

// What is known of a model is asked anew when the model turns out to be another.
func TestFactsAreForgotten(t *testing.T) {
	answers := []http.HandlerFunc{status(400, `{"error":"\"tiny:1b\" does not support thinking"}`), lines(text("ok"), doneLine)}
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		answers[0](w, r)
		answers = answers[1:]
	})
	f.capabilities = []string{"thinking"}
	c := start(t, f)
	req := hello
	req.Options.Think = llm.ThinkOn
	if _, err := c.Chat(t.Context(), req, nil); llm.KindOf(err) != llm.Unable {
		t.Fatalf("error %v", err)
	}
	f.capabilities = nil
	if _, err := c.Chat(t.Context(), req, nil); err != nil || !strings.Contains(string(f.lastBody()), `"think":false`) {
		t.Errorf("error %v, sent %s", err, f.lastBody())
	}
}

func TestContext(t *testing.T) {
	f := newFake(t, nil)
	c := start(t, f, func(cfg *Config) { cfg.Model = "Library/tiny" })
	var got []int
	for _, loaded := range [][]string{nil, {"tiny:1b"}, {"other:latest", "tiny:latest"}} {
		f.setLoaded(loaded...)
		tokens, err := c.Context(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, tokens)
	}
	if diff := cmp.Diff([]int{0, 0, 4096}, got); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

// mux is a server of other answers than a chat's.
func mux(t *testing.T, path string, h http.HandlerFunc) *Client {
	m := http.NewServeMux()
	m.Handle("/", newFake(t, nil))
	m.HandleFunc(path, h)
	cfg := testConfig("box")
	cfg.Transport = memory{"box:11434": m}
	return newClient(t, cfg)
}

func TestModels(t *testing.T) {
	c := mux(t, "GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"models":[
			{"name":"qwen3:4b","size":2497293931,"digest":"359d7dd4bcda","modified_at":"2026-01-02T03:04:05Z","details":{"family":"qwen3","parameter_size":"4.0B","quantization_level":"Q4_K_M"}},
			{"name":"gpt-oss:120b-cloud","size":384,"remote_host":"https://ollama.com:443"}]}`)
	})
	models, err := c.Models(t.Context())
	want := []Installed{
		{Name: "gpt-oss:120b-cloud", Size: 384, Remote: "https://ollama.com:443"},
		{Name: "qwen3:4b", Size: 2497293931, Family: "qwen3", Parameters: "4.0B", Quantization: "Q4_K_M", Digest: "359d7dd4bcda", Modified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
	}
	if diff := cmp.Diff(want, models); diff != "" || err != nil {
		t.Errorf("error %v, models (-want +got):\n%s", err, diff)
	}
}

// What `ollama ps` shows: a model on the card, one that is half there, and one of a server that tells nonsense.
func TestLoaded(t *testing.T) {
	c := mux(t, "GET /api/ps", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"models":[
			{"name":"qwen3:4b","model":"qwen3:4b","size":4294967296,"digest":"aa","details":{"family":"qwen3"},"expires_at":"2026-01-02T03:04:05Z","size_vram":4294967296,"context_length":8192},
			{"model":"half:8b","size":8000,"size_vram":3000},
			{"name":"odd","size":-5,"size_vram":7}]}`)
	})
	loaded, err := c.Loaded(t.Context())
	want := []Loaded{{Name: "qwen3:4b", Size: 4 << 30, Card: 4 << 30, Context: 8192}, {Name: "half:8b", Size: 8000, Card: 3000}, {Name: "odd"}}
	if diff := cmp.Diff(want, loaded); diff != "" || err != nil {
		t.Errorf("error %v, models (-want +got):\n%s", err, diff)
	}
}

func TestPull(t *testing.T) {
	const host = "http://box:11434"
	for _, tc := range []struct {
		name string
		serv http.HandlerFunc
		want []string
	}{
		{"layers are summed", lines(
			`{"status":"pulling manifest"}`,
			`{"status":"pulling aa","digest":"sha256:aa","total":100}`,
			`{"status":"pulling aa","digest":"sha256:aa","total":100,"completed":60}`,
			`{"status":"pulling bb","digest":"sha256:bb","total":10,"completed":10}`,
			`{"status":"pulling aa","digest":"sha256:aa","total":100,"completed":50}`, // a part is fetched again
			`{"status":"pulling aa","digest":"sha256:aa","total":100,"completed":900}`,
			`{"status":"success"}`),
			[]string{"pulling manifest 0/0", "pulling aa 0/100", "pulling aa 60/100", "pulling bb 70/110", "pulling aa 70/110", "pulling aa 110/110", "success 110/110", "done"}},
		{"no such model", lines(`{"status":"pulling manifest"}`, `{"error":"pull model manifest: file does not exist"}`),
			[]string{"pulling manifest 0/0", "model_missing: there is no model nope to pull: look for its name at https://ollama.com/library"}},
		{"no network", lines(`{"status":"pulling manifest"}`, `{"error":"pull model manifest: Get \"https://a.b/v2/\": dial tcp: lookup a.b: no such host"}`),
			[]string{"pulling manifest 0/0", "failed: Ollama at " + host + " cannot reach the place that models come from: is that machine online? Then run `hob model pull nope` again"}},
		{"the disk is full", lines(`{"status":"pulling manifest"}`, `{"error":"write /x: no space left on device"}`),
			[]string{"pulling manifest 0/0", "failed: Ollama at " + host + " failed: write /x: no space left on device"}},
		{"it ends too soon", lines(`{"status":"pulling manifest"}`),
			[]string{"pulling manifest 0/0", "incomplete: Ollama at " + host + " broke off before nope was there: run `hob model pull nope` again, it goes on where it stopped"}},
		{"502, empty", status(502, ""),
			[]string{"failed: Ollama at " + host + " failed with HTTP 502 and no words: look at its log"}},
		{"502, a web page", status(502, "<html>\n<body>"),
			[]string{"failed: " + host + " answers with a web page (HTTP 502): something stands between hob and Ollama; check [ollama] host"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			err := mux(t, "POST /api/pull", tc.serv).Pull(t.Context(), "nope", func(p Progress) {
				got = append(got, fmt.Sprintf("%s %d/%d", p.Status, p.Completed, p.Total))
			})
			if err != nil {
				got = append(got, fmt.Sprint(llm.KindOf(err), ": ", err))
			} else {
				got = append(got, "done")
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("progress (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPullCancelledOrRefused(t *testing.T) {
	c := mux(t, "POST /api/pull", func(w http.ResponseWriter, r *http.Request) {
		lines(`{"status":"pulling manifest"}`)(w, r)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	err := c.Pull(ctx, "tiny:1b", func(Progress) { cancel() })
	refused := c.Pull(t.Context(), "tiny:cloud", nil)
	got := []llm.Kind{llm.KindOf(err), llm.KindOf(refused)}
	if diff := cmp.Diff([]llm.Kind{llm.Cancelled, llm.ModelRefused}, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}

func TestVersion(t *testing.T) {
	version, err := start(t, newFake(t, nil)).Version(t.Context())
	if version != "0.24.0" || err != nil {
		t.Errorf("version %q, error %v", version, err)
	}
}

func TestTrainedContext(t *testing.T) {
	var got []int
	for _, info := range []map[string]any{
		nil,
		{"general.architecture": "llama", "llama.context_length": 2048.0},
		{"general.architecture": "llama", "llama.context_length": "many"},
		{"general.architecture": "llama", "llama.context_length": -1.0},
		{"general.architecture": 5, ".context_length": 1e300},
	} {
		got = append(got, trainedContext(info))
	}
	if diff := cmp.Diff([]int{0, 2048, 0, 0, 0}, got); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

// A model without a template is shown with Ollama's default, which prints one prompt and no conversation.
func TestTemplate(t *testing.T) {
	got := []bool{hasTemplate(""), hasTemplate(" {{ .Prompt }}\n"), hasTemplate("{{ range .Messages }}{{ .Content }}{{ end }}")}
	if diff := cmp.Diff([]bool{false, false, true}, got); diff != "" {
		t.Errorf("templates (-want +got):\n%s", diff)
	}
}

// Questions that nobody answers end after a while, and say so.
func TestQuestionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mux(t, "GET /api/tags", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		begin := time.Now()
		_, err := c.Models(t.Context())
		got := fmt.Sprint(time.Since(begin), " ", llm.KindOf(err), ": ", err)
		if want := "15s silent: Ollama at http://box:11434 did not answer in time: look at its log, or restart it"; got != want {
			t.Errorf("got %s", got)
		}
	})
}
