package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm/ollama/ollamafake"
)

// The first request of a default install: the tools of the list in their order, where it is cut, use_skill with the names that
// the system text has, and the words of the person at the end.
func TestFirstRequest(t *testing.T) {
	long := "delete_file edit_file fetch list_files read_file run_command search_files write_file call_tool find_tool use_skill"
	short := "read_file write_file edit_file list_files run_command fetch use_skill"
	for _, c := range []struct {
		name, parameters string
		numCtx, maxTools int // maxTools: 0 is that of the profile
		want             string
	}{
		{"8B at 16k", "8.2B", 16384, 0, long},
		{"8B at 8k", "8.2B", 8192, 0, long},
		{"8B at 8k, ten tools", "8.2B", 8192, 10, "edit_file fetch list_files read_file run_command search_files write_file call_tool find_tool use_skill"},
		{"8B at 4k", "8.2B", 4096, 0, short},
		{"4B at 16k", "4.0B", 16384, 0, short},
		{"gemma3:4b has 4.3 billion", "4.3B", 8192, 0, short},
		{"7 of a short list", "4.0B", 8192, 7, short},
		{"6", "4.0B", 8192, 6, "read_file write_file edit_file run_command fetch use_skill"},
		{"5", "4.0B", 8192, 5, "read_file write_file run_command fetch use_skill"},
		{"4", "4.0B", 8192, 4, "read_file write_file run_command use_skill"},
		{"3", "4.0B", 8192, 3, "read_file write_file use_skill"},
		{"2", "4.0B", 8192, 2, "read_file use_skill"},
		{"1", "4.0B", 8192, 1, "use_skill"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			own := fmt.Sprintf("[ollama]\nmodel = \"qwen3:8b\"\nnum_ctx = %d\n", c.numCtx)
			profile := ""
			if c.maxTools > 0 {
				profile = fmt.Sprintf("[[profile]]\nname = \"mine\"\nmatch.names = [\"qwen3:8b\"]\nmax_tools = %d\n", c.maxTools)
			}
			for name, text := range map[string]string{"config.toml": own, "profiles.toml": profile} {
				if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			server := ollamafake.New(t, ollamafake.Config{Model: "qwen3:8b", Family: "qwen3", Parameters: c.parameters, Context: 32768}, ollamafake.Say("It is 7."))
			t.Setenv("HOME", home)
			t.Setenv("HOB_STATE_DIR", filepath.Join(home, "state"))
			t.Setenv("HOB_CONFIG", filepath.Join(home, "config.toml"))
			t.Setenv("OLLAMA_HOST", server.URL())
			const words = "Read note.txt and tell me the number"
			var out, complaints bytes.Buffer
			run([]string{"ask", "--json", words}, strings.NewReader(""), &out, &complaints)
			if len(server.Requests()) == 0 {
				t.Fatal(complaints.String())
			}
			checkFirstRequest(t, server.Requests()[0], c.want, words)
		})
	}
}

// checkFirstRequest holds a request against the names of its tools and the words of the person.
func checkFirstRequest(t *testing.T, r ollamafake.Request, want, words string) {
	t.Helper()
	var names []string
	for _, tool := range r.Tools {
		names = append(names, tool.Name)
		var schema struct {
			Properties map[string]struct{ Enum []string }
		}
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		if _, ok := schema.Properties["dir"]; ok {
			t.Errorf("%s has an argument dir", tool.Name)
		}
		if tool.Name != "use_skill" {
			continue
		}
		var skills []string
		_, index, _ := strings.Cut(r.Messages[0].Content, "use_skill opens more tools:\n")
		for line := range strings.Lines(index) {
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), ":")
			skills = append(skills, name)
		}
		if diff := cmp.Diff(skills, schema.Properties["name"].Enum); diff != "" || len(skills) < 5 {
			t.Errorf("use_skill has other names than the system text: %s", diff)
		}
		isShort := !slices.Contains(strings.Fields(want), "find_tool")
		for _, name := range []string{"files", "notes", "web", "recall"} {
			if got, want := slices.Contains(skills, name), isShort || name != "files"; got != want {
				t.Errorf("the skill %s: %t, not %t", name, got, want)
			}
		}
	}
	if diff := cmp.Diff(strings.Fields(want), names); diff != "" {
		t.Errorf("the tools (-want +got):\n%s", diff)
	}
	if last := r.Messages[len(r.Messages)-1].Content; len(r.Messages) != 2 || !strings.HasPrefix(last, "[") || !strings.HasSuffix(last, "]\n\n"+words) {
		t.Errorf("the message of the person is %q", last) // the time, and no skill: note.txt is no note
	}
}
