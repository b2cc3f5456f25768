package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A slip in a name of a tool or a skill is named, with the name that may be meant, and hob starts. What a server may have, has had another
// name or is switched off is none.
func TestServe_NamesUnknownNames(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	mine := filepath.Join(filepath.Dir(h.config), "skills", "tea")
	if err := os.MkdirAll(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	h.configure(`[policy]
tools = ["read_fiel", "read_file", "note_add", "weather_now", "job", "call_tool", "run_command", "launch_rockets"]
[skills]
off = ["remindres", "memory", "files", "weather", "notes"]
trust = ["teaa", "tea"]
[mcp.weather]
url = "http://127.0.0.1:1/mcp"
`)
	sentences := ""
	for i, tool := range []string{"list_ad", "weather_tomorrow", "forget", "list_add", "wheather_now"} {
		sentences += fmt.Sprintf("[[sentence]]\nsay = [\"do %d\"]\ntool = %q\n", i, tool)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(h.config), "sentences.toml"), []byte(sentences), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`[policy] tools: there is no tool "read_fiel": did you mean read_file?`,
		`[policy] tools: there is no tool "launch_rockets"`,
		`[skills] off: there is no skill "remindres": did you mean reminders?`,
		`[skills] trust: there is no skill "teaa": did you mean tea?`,
		`sentences.toml: there is no tool "list_ad": did you mean list_add?`,
		`sentences.toml: there is no tool "wheather_now"`,
	}
	s := h.serve()
	s.says("wheather_now")
	var logged []string
	for line := range strings.Lines(s.said()) {
		if _, why, ok := strings.Cut(line, `msg="a name is unknown" why="`); ok {
			logged = append(logged, strings.ReplaceAll(strings.TrimSuffix(why, "\"\n"), `\"`, `"`))
		}
	}
	if !slices.Equal(logged, want) {
		t.Errorf("the log says\n%s\nof\n%s", strings.Join(logged, "\n"), s.said())
	}
	out, _ := h.command("doctor").CombinedOutput() // its status is about all that it looks at
	var found []string
	for line := range strings.Lines(string(out)) {
		if _, text, ok := strings.Cut(line, "WEAK skills: a name "); ok {
			found = append(found, strings.TrimSpace(text))
		}
	}
	if !slices.Equal(found, want) {
		t.Errorf("doctor says\n%s", out)
	}
	s.stop()
}
