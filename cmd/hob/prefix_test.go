package main

import (
	"os"
	"os/exec"
	"testing"

	"hob/internal/llm/ollamatest"
)

// On a real Ollama the server reads little anew, step after step and turn after turn, each turn with a process of its own:
// the prompt only grows at its end. The figure is the sum of all that could break that.
func TestTheServerReadsOnlyWhatIsNew(t *testing.T) {
	server := ollamatest.RunDebugging(t)
	state := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
		cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + state, "HOB_STATE_DIR=" + state, "OLLAMA_HOST=" + server.URL()}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("hob %q: %v\n%s", args, err, out)
		}
	}
	run("tool", "write_file", "path=notes.md", "content=buy milk")
	for _, words := range []string{"what do my notes amount to?", "and what else?", "what is in my notes, in short?"} {
		run("ask", "--model", ollamatest.OneTool, words)
	}
	prefills, err := server.Prefills(t.Context(), 6)
	if err != nil {
		t.Fatal(err)
	}
	if len(prefills) != 6 {
		t.Fatalf("%d requests, want two for each of three turns", len(prefills))
	}
	var later, prompts int
	for i, p := range prefills[1:] {
		later, prompts = later+p.Remaining, prompts+p.Prompt
		if p.Remaining*4 > p.Prompt {
			t.Errorf("request %d evaluates %d of %d tokens anew: something at the front of the prompt has changed", i+2, p.Remaining, p.Prompt)
		}
	}
	second := prefills[2]
	figure(t, "second turn evaluates", "%d of %d prompt tokens (%.1f %%), the first %d", second.Remaining, second.Prompt,
		100*float64(second.Remaining)/float64(second.Prompt), prefills[0].Remaining)
	figure(t, "all later requests evaluate", "%d of %d prompt tokens", later, prompts)
}
