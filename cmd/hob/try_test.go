package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/eval"
	"hob/internal/llm/ollama/ollamafake"
	"hob/internal/llm/ollamatest"
)

// tryModel runs hob model try against a server, and returns its status and what it prints.
func tryModel(t *testing.T, url, model string, flags ...string) (code int, out, errs string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOB_STATE_DIR", filepath.Join(home, "state"))
	t.Setenv("HOB_CONFIG", filepath.Join(home, "config.toml"))
	t.Setenv("OLLAMA_HOST", url)
	var stdout, stderr bytes.Buffer
	code = run(append([]string{"model", "try", model, "--dry-run"}, flags...), strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// recordedRun is the run of a model that package modeleval has recorded, as the steps of a server.
func recordedRun(t *testing.T) []ollamafake.Step {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "internal", "llm", "modeleval", "testdata", "run.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var steps []ollamafake.Step
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var r struct {
			Text  string
			Calls []string
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, faultStep{Say: &r.Text, Calls: r.Calls}.step(t))
	}
	return steps
}

// The card of a run says what the model is, how it was measured and how each check went, and nothing of the person; as
// Markdown and as JSON.
func TestTryCard(t *testing.T) {
	const template = `{{ range .Tools }}T:{{ . }}{{ end }}{{ range .Messages }}{{ if eq .Role "user" }}U:{{ .Content }}{{ else if .ToolCalls }}{{ range .ToolCalls }}C:{{ .Function }}{{ end }}` +
		`{{ else }}{{ .Role }}:{{ .Content }}{{ end }}{{ end }}`
	config := ollamafake.Config{Model: "fake:3b", Parameters: "3.0B", Context: 32768, Template: template}
	for flag, name := range map[string]string{"--markdown": "card.md", "--json": "card.json"} {
		t.Run(name, func(t *testing.T) {
			server := ollamafake.New(t, config, recordedRun(t)...)
			code, out, errs := tryModel(t, server.URL(), "fake:3b", flag)
			if code != 0 {
				t.Fatalf("status %d: %s", code, errs)
			}
			for _, private := range []string{os.Getenv("HOB_STATE_DIR"), strings.TrimPrefix(server.URL(), "http://"), "127.0.0.1"} {
				if strings.Contains(out, private) {
					t.Errorf("the card has %q", private)
				}
			}
			out = regexp.MustCompile(`"took_ms":\d+`).ReplaceAllString(out, `"took_ms":0`)
			out = strings.NewReplacer(`"hob":"`+version()+`"`, `"hob":"VERSION"`, "hob "+version(), "hob VERSION").Replace(out)
			golden(t, filepath.Join("testdata", name), func(string) string { return out })
		})
	}
}

// On a real server the checks of the model come to what its script does, and those of the server to what it says.
func TestTryOnARealServer(t *testing.T) {
	server := ollamatest.Run(t)
	code, out, errs := tryModel(t, server.URL(), ollamatest.OneTool, "--json")
	var got eval.TryReport
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("status %d, %v: %s%s", code, err, out, errs)
	}
	// It calls read_file on notes.md whatever it is asked, and answers: no check is about that.
	if code != 1 || got.Mode != "" || !strings.HasPrefix(got.Verdict, "not for hob") {
		t.Errorf("status %d, mode %q: %s", code, got.Mode, got.Verdict)
	}
	if len(got.Facts.Digest) != 64 || got.Facts.Size == 0 || got.Ollama == "" || got.Context == 0 || got.Requests == 0 || got.EvalPerSecond == 0 {
		t.Errorf("the server's facts are %+v", got)
	}
	passed := map[string]bool{}
	for _, c := range got.Checks {
		passed[c.Name] = c.Pass
	}
	if diff := cmp.Diff(map[string]bool{"single call": false, "effective context": true}, map[string]bool{
		"single call": passed["single call"], "effective context": passed["effective context"]}); diff != "" || len(got.Checks) != 19 {
		t.Errorf("%d checks (-want +got):\n%s", len(got.Checks), diff)
	}
}
