package model

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/config"
	"hob/internal/exit"
	"hob/internal/hardware"
	"hob/internal/llm"
	"hob/internal/llm/catalog"
)

const gib = 1 << 30

// fakeHardware is a machine as a test wants it.
type fakeHardware struct {
	files, asked hardware.Machine
	room         uint64
	measured     *atomic.Int64 // how often
}

func (f fakeHardware) Files() (hardware.Machine, error)               { return f.files, nil }
func (f fakeHardware) Read(context.Context) (hardware.Machine, error) { return f.asked, nil }
func (f fakeHardware) Room(string) (uint64, error)                    { return f.room, nil }

func (f fakeHardware) Bandwidth(context.Context, int, uint64) (hardware.Bandwidth, error) {
	f.measured.Add(1)
	return hardware.Bandwidth{BytesPerSecond: 12e9, Cores: 4}, nil
}

// plainMachine is a machine without a card.
func plainMachine(total, free uint64) hardware.Machine {
	return hardware.Machine{System: hardware.Memory{Total: total, Free: free}}
}

// newModelOn returns a model on a machine, and an Ollama that answers with tags, ps and the lines of pull.
func newModelOn(t *testing.T, h fakeHardware, tags, ps, pull string) (*Model, *atomic.Int64) {
	t.Helper()
	mux := http.NewServeMux()
	for path, text := range map[string]string{"/api/version": `{"version":"0.34.4"}`, "/api/tags": tags, "/api/ps": ps, "/api/pull": pull} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, text)
			if path == "/api/pull" && !strings.Contains(text, "success") {
				w.(http.Flusher).Flush()
				<-r.Context().Done() // it goes on until it is stopped
			}
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	h.measured = new(atomic.Int64)
	cfg := configFor(t, server.URL, config.Default().Ollama)
	cfg.Hardware, cfg.Dirs = h, []string{t.TempDir()}
	return New(cfg), h.measured
}

const none = `{"models":[]}`

// of returns what a suggestion says of a model.
func (s Suggestion) of(name string) SuggestedModel {
	for _, m := range s.Models {
		if m.Name == name {
			return m
		}
	}
	return SuggestedModel{}
}

func TestSuggest(t *testing.T) {
	m := plainMachine(16*gib, 5*gib)
	e, measured := newModelOn(t, fakeHardware{files: m, asked: m, room: 40e9}, `{"models":[{"name":"qwen3:4b","size":2497293931}]}`,
		`{"models":[{"name":"qwen3:4b","model":"qwen3:4b","size":4294967296,"size_vram":0,"context_length":8192}]}`, "")
	e.cfg.Stored = func(_ context.Context, read func(KV)) error {
		read(mapKV{"speed/qwen3:8b": "7.500"})
		return nil
	}
	if measured.Load() != 0 {
		t.Error("the memory was measured before anybody asked")
	}
	s, err := e.Suggest(t.Context())
	if err != nil || s.Proposed != "ministral-3:8b" || s.Proposed != e.WantedName() {
		t.Errorf("%s is proposed, %s wanted: %v", s.Proposed, e.WantedName(), err)
	}
	want := MachineReport{Source: "memory of the system", Memory: hardware.Memory{Total: 16 * gib, Free: 9 * gib}, // with what the loaded model holds
		Bandwidth: &hardware.Bandwidth{BytesPerSecond: 12e9, Cores: 4}, Disk: &Disk{Path: e.cfg.Dirs[0], Free: 40e9}}
	if diff := cmp.Diff(want, s.Machine); diff != "" {
		t.Errorf("machine (-want +got):\n%s", diff)
	}
	if len(s.Models) != len(catalog.Read()) {
		t.Errorf("%d models", len(s.Models))
	}
	for _, c := range []struct {
		name                string
		fit                 Fit
		speed               float64
		measured, installed bool
	}{
		{"qwen3:4b", Fits, 12e9 / 2497293931, false, true},
		{"qwen3:8b", Fits, 7.5, true, false},
		{"ministral-3:8b", Fits, 2, false, false},
		{"qwen3:14b", FitsLater, 12 / 9.3, false, false},
		{"gpt-oss:20b", FitsLater, 5, false, false}, // it reads a part of itself
	} {
		got := s.of(c.name)
		if got.Fit != c.fit || got.TokensPerSecond != c.speed || got.Measured != c.measured || got.Installed != c.installed || got.Proposed != (c.name == "ministral-3:8b") {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got, needs := s.of("qwen3:14b").Lacks, s.of("qwen3:14b").Needs; got != needs-9*gib {
		t.Errorf("%d bytes are lacking", got)
	}
}

// A card says by its driver how much memory it has; then the proposal, the context and the error about a
// missing model follow.
func TestSuggest_OnACard(t *testing.T) {
	files := plainMachine(64*gib, 60*gib)
	files.Hidden = true
	asked := plainMachine(64*gib, 60*gib)
	asked.Cards = []hardware.Card{{Name: "RTX", Memory: hardware.Memory{Total: 8 * gib, Free: 7 * gib}}}
	e, measured := newModelOn(t, fakeHardware{files: files, asked: asked}, none, none, "")
	if _, err := e.Ready(t.Context()); !IsMissing(err) || !strings.Contains(err.Error(), "hob model pull qwen3:4b`") {
		t.Errorf("%v", err)
	}
	if e.WantedName() != "qwen3:4b" || e.numCtx != 8192 {
		t.Errorf("%s with a context of %d", e.WantedName(), e.numCtx)
	}
	s, err := e.Suggest(t.Context())
	if err != nil || s.Machine.Bandwidth != nil || measured.Load() != 0 {
		t.Errorf("%+v, %v: the system's memory says nothing about a card's", s.Machine, err)
	}
	for name, want := range map[string]Fit{"qwen3:4b": Fits, "qwen3:8b": FitsLater, "qwen3:14b": FitsPartly} {
		if got := s.of(name); got.Fit != want || got.TokensPerSecond != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The speed of a card that is known by its name is an estimate, too.
func TestSuggest_OnAKnownCard(t *testing.T) {
	m := plainMachine(64*gib, 60*gib)
	m.Cards = []hardware.Card{{Name: "NVIDIA GeForce RTX 3090", Memory: hardware.Memory{Total: 8 * gib, Free: 7 * gib}}}
	e, measured := newModelOn(t, fakeHardware{files: m, asked: m}, none, none, "")
	s, err := e.Suggest(t.Context())
	if err != nil || s.Machine.Bandwidth != nil || measured.Load() != 0 {
		t.Errorf("%+v, %v", s.Machine, err)
	}
	if got := s.of("qwen3:4b"); got.TokensPerSecond < 200 || got.TokensPerSecond > 500 || got.Measured {
		t.Errorf("%+v", got)
	}
	if got := s.of("qwen3:14b"); got.TokensPerSecond != 0 {
		t.Errorf("partly on the card: %+v", got)
	}
}

// Of a card that only Ollama sees something is said.
func TestSuggest_AHiddenCard(t *testing.T) {
	m := plainMachine(16*gib, 5*gib)
	e, _ := newModelOn(t, fakeHardware{files: m, asked: m}, none, `{"models":[{"name":"a:1b","size":3000,"size_vram":3000}]}`, "")
	s, err := e.Suggest(t.Context())
	if err != nil || !strings.Contains(s.Machine.Note, "a graphics card that hob cannot see") || s.Machine.Memory.Free != 5*gib {
		t.Errorf("%+v, %v", s.Machine, err)
	}
}

func TestPullChecksTheDisk(t *testing.T) {
	m := plainMachine(16*gib, 12*gib)
	layers := `{"status":"pulling manifest"}
{"status":"pulling aa","digest":"sha256:aa","total":5000000000,"completed":1000}
`
	const success = `{"status":"success"}` + "\n"
	for _, c := range []struct {
		name, model, tags string
		ends              string
		room              uint64
		describe          string
		want              string // the error
	}{
		{"room", "ministral-3:8b", none, success, 50e9,
			"6 GB to download, about 8 min at 100 Mbit/s; 50 GB free on the disk; 8.8 GB of memory, which fits into the 17.2 GB here", ""},
		{"no room", "ministral-3:8b", none, "", 5.5e9,
			"6 GB to download, about 8 min at 100 Mbit/s; 5.5 GB free on the disk; 8.8 GB of memory, which fits into the 17.2 GB here",
			"there is no room for ministral-3:8b: 6 GB to download and 1 GB to spare, but the disk of DIR has 5.5 GB free. Make 1.5 GB free there; " +
				"if Ollama keeps its models elsewhere, set OLLAMA_MODELS to that folder"},
		{"an unknown model", "other:7b", none, "", 3e9, "Ollama says its size when it begins; 3 GB free on the disk",
			"there is no room for other:7b: 5 GB to download and 1 GB to spare, but the disk of DIR has 3 GB free. Make 3 GB free there; " +
				"if Ollama keeps its models elsewhere, set OLLAMA_MODELS to that folder"},
		{"a model that is there", "ministral-3:8b", `{"models":[{"name":"ministral-3:8b"}]}`, success, 1e9, "it is there already; Ollama looks whether there is a newer one", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, _ := newModelOn(t, fakeHardware{files: m, asked: m, room: c.room}, c.tags, none, layers+c.ends)
			p := e.PlanPull(t.Context(), c.model)
			if got := p.Describe(); got != c.describe {
				t.Errorf("%s\nnot %s", got, c.describe)
			}
			err := e.Pull(t.Context(), p, func(int64, int64) {})
			want := strings.ReplaceAll(c.want, "DIR", e.cfg.Dirs[0])
			if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != want) {
				t.Errorf("%v\nnot %s", err, want)
			}
			if failure := (*exit.Error)(nil); c.want != "" && (!errors.As(err, &failure) || failure.Status != exit.Failed) {
				t.Errorf("%#v", err)
			}
		})
	}
}

// A pull of a server elsewhere checks no disk of this machine.
func TestOtherMachine(t *testing.T) {
	for hosts, want := range map[string]string{
		"http://127.0.0.1:11434": "", "http://localhost:1": "", "http://[::1]:1": "", "http://192.0.2.1:11434": "http://192.0.2.1:11434",
		"http://127.0.0.1:1 http://box:1": "http://box:1",
	} {
		if got := New(Config{Hosts: strings.Fields(hosts)}).otherMachine(); got != want {
			t.Errorf("%s: %q", hosts, got)
		}
	}
}

// What a model does replaces the estimate: at once the first time, later with the measurements before,
// and in the next process.
func TestLearnSpeed(t *testing.T) {
	kv := mapKV{}
	e := &Model{kv: kv}
	e.facts.Model = "qwen3"
	e.learnSpeed(t.Context(), llm.Usage{EvalTokens: 3, Eval: time.Second}) // too short to say anything
	e.learnSpeed(t.Context(), llm.Usage{EvalTokens: 100})
	if len(kv) > 0 {
		t.Errorf("nothing is learned from %v", kv)
	}
	e.learnSpeed(t.Context(), llm.Usage{EvalTokens: 100, Eval: 10 * time.Second})
	if diff := cmp.Diff(mapKV{"speed/qwen3:latest": "10.000"}, kv); diff != "" {
		t.Error(diff)
	}
	e.learnSpeed(t.Context(), llm.Usage{EvalTokens: 100, Eval: 5 * time.Second})
	if err := e.Save(t.Context()); err != nil || kv["speed/qwen3:latest"] != "13.000" {
		t.Errorf("%v, %v", kv, err)
	}
	if got := readNumber(t.Context(), kv, speedKey("qwen3:latest")); got != 13 {
		t.Errorf("%v is read", got)
	}
}

type mapKV map[string]string

func (m mapKV) Get(_ context.Context, key string) (string, error) { return m[key], nil }

func (m mapKV) Set(_ context.Context, key, value string) error {
	m[key] = value
	return nil
}
