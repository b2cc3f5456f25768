package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/exit"
	"hob/internal/llm/ollamatest"
)

// An interrupt stops the turn in the middle of the model's words, on a real Ollama; what was said is kept, the exit
// status says stopped, and the next turn works.
func TestInterruptStopsTheTurn(t *testing.T) {
	server := ollamatest.Run(t)
	state := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "ask", "--json", "--model", ollamatest.Endless, "count for ever")
	cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + state, "HOB_STATE_DIR=" + state, "OLLAMA_HOST=" + server.URL()}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var deltas int
	var last map[string]any
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		last = nil
		if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
			t.Fatal(err)
		}
		if last["type"] != "delta" {
			continue
		}
		if deltas++; deltas == 3 {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // its status is looked at
	if code := cmd.ProcessState.ExitCode(); code != exit.Denied || last["type"] != "ended" || last["reason"] != "stopped" {
		t.Errorf("exit status %d after %v", code, last)
	}
	// Another server: this one may have lost the slot of a request that was left in the middle, see llm/ollama.
	if text, err := hobCommand(t.Context(), newFakeOllama(t), state, "ask", "and now?").CombinedOutput(); err != nil {
		t.Errorf("the next turn failed: %v\n%s", err, text)
	}
}

// What a turn runs in the background goes with it when it is stopped, and when hob is killed in the middle of it.
func TestNothingOfATurnStays(t *testing.T) {
	for name, signal := range map[string]os.Signal{"stopped": os.Interrupt, "killed": os.Kill} {
		t.Run(name, func(t *testing.T) {
			fake := newFakeOllama(t)
			mark := fmt.Sprintf("1000.%09d", rand.IntN(1e9))
			cmd := hobCommand(t.Context(), fake, t.TempDir(), "ask", "stay sleep "+mark+" & setsid sleep "+mark+"; wait")
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-fake.hanging // the process was started, and the model goes on
			for alive(t, mark) < 2 {
				<-time.After(glance)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // its status says how it was ended
			if name == "stopped" && (alive(t, mark) > 0 || !strings.Contains(errs.String(), "process 1 ended with the turn: sleep "+mark)) {
				t.Errorf("%d processes live, and hob said %q", alive(t, mark), errs.String())
			}
			for alive(t, mark) > 0 { // or the test never ends
				<-time.After(glance)
			}
		})
	}
}

// alive counts the processes with that mark in their command line, hob itself left out.
func alive(t *testing.T, mark string) int {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range lines {
		if line, err := os.ReadFile(path); err == nil && bytes.HasPrefix(line, []byte("sleep\x00"+mark)) {
			n++
		}
	}
	return n
}

// At a terminal the prompt asks before a command runs that nothing keeps to the workspace, and hears the answer. What runs
// on when a turn ends a person can keep there.
func TestPromptAtATerminal(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	config := filepath.Join(state, "config.toml")
	if err := os.WriteFile(config, []byte("[shell]\ntier = \"T4\"\nallow_unsandboxed = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, talk := atTerminal(t, fake, state, []string{"HOB_CONFIG=" + config})
	talk.enter("good morning")
	talk.until("Good evening.")
	talk.enter("run echo made > made.txt")
	talk.until("asks to do this:")
	talk.say("n\r")
	talk.until("it needed something that was not allowed")
	talk.enter("run echo made > made.txt")
	talk.until("asks to do this:")
	talk.say("y\r")
	talk.until("That is all.")
	talk.enter("start sleep 1000")
	talk.until("asks to do this:")
	talk.say("y\r")
	talk.until("process 1 runs until your next message; /background 1 keeps it: sleep 1000")
	talk.enter("/background 1")
	talk.until("process 1 runs on until hob ends.")
	talk.enter("hang")
	<-fake.hanging
	talk.say("\x03")
	talk.until("Stopped.")
	talk.enter("/new")
	talk.until("A new conversation begins.")
	talk.enter("/ps")
	talk.until("sleep 1000 (kept)")
	talk.say("\x03")
	talk.until("Ctrl-C again, or Ctrl-D, leaves.")
	talk.say("\x03")
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, talk.seen.String())
	}
	if text, err := os.ReadFile(filepath.Join(state, "workspace", "made.txt")); err != nil || string(text) != "made\n" {
		t.Errorf("the command that was allowed: %q, %v", text, err)
	}
	if n := strings.Count(talk.seen.String(), "✓ exit status 0; created 1 file ·") + strings.Count(talk.seen.String(), "✓ process 1 ·"); n != 2 {
		t.Errorf("%d commands ran:\n%s", n, talk.seen.String())
	}
}
