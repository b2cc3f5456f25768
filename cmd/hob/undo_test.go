package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/tools/files/tree"
)

// cuts is how many calls of file tools are killed.
const cuts = 40

// TestUndoAfterKills kills file tools at random moments. Whatever each of them had done by then: all of it can be taken
// back, and nothing is left of it.
func TestUndoAfterKills(t *testing.T) {
	notShort(t)
	fake := newFakeOllama(t)
	state := t.TempDir()
	workspace := filepath.Join(state, "workspace")
	if err := os.MkdirAll(workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	mine := strings.Repeat("a person's words\n", 1000)
	for _, name := range []string{"kept.txt", "gone.txt"} {
		if err := os.WriteFile(filepath.Join(workspace, name), []byte(mine), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(testSeed(t), 1))
	calls := [][]string{
		{"write_file", "path=kept.txt", "content=more\n", "mode=append"},
		{"write_file", "path=a/b/new.txt", "content=new", "mode=overwrite"},
		{"write_file", "path=gone.txt", "content=instead", "mode=overwrite"},
		{"delete_file", "path=gone.txt"},
		{"delete_file", "path=a/b/new.txt"},
	}
	when, killed := moments{random: random}, 0
	for n := range cuts {
		if n%10 == 0 {
			when.watch(func() {
				first := []string{"tool", "write_file", "path=first.txt", "content=x", "mode=overwrite"}
				if out, err := hobCommand(t.Context(), fake, state, first...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			})
		}
		cmd := hobCommand(t.Context(), fake, state, append([]string{"tool"}, calls[random.IntN(len(calls))]...)...)
		if when.kill(t, cmd) { // a call can also fail, as on a file that is gone
			killed++
		}
		if n%20 == 19 {
			takeAllBack(t, fake, state, mine)
		}
	}
	enoughKilled(t, killed, cuts)
}

func takeAllBack(t *testing.T, fake *fakeOllama, state, mine string) {
	t.Helper()
	out, err := hobCommand(t.Context(), fake, state, "undo", "--since", "1h").CombinedOutput()
	if err != nil && !strings.Contains(string(out), "nothing to take back") {
		t.Fatalf("%v\n%s", err, out)
	}
	entries, err := os.ReadDir(filepath.Join(state, "workspace"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(state, "workspace", e.Name())
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(e.Name(), tree.TempPrefix) {
			continue // the next writer in this folder removes it
		}
		if e.IsDir() && filepath.Base(path) == "a" {
			continue // a folder that was made for a file that was never written is only a folder
		}
		text, err := os.ReadFile(path)
		if err != nil || string(text) != mine || info.Mode().Perm() != 0o640 {
			t.Errorf("%s has %d bytes, mode %v, %v", e.Name(), len(text), info.Mode(), err)
		}
	}
	if len(entries) < 2 {
		t.Errorf("there is %v", entries)
	}
}

// Twenty processes append to one file: no line is lost, each is a change of its own, and all can be taken back.
func TestParallelAppends(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			out, err := hobCommand(t.Context(), fake, state, "tool", "write_file", "path=log.txt", "mode=append", fmt.Sprintf("content=line %d\n", n)).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(filepath.Join(state, "workspace", "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		if c := strings.Count(string(text), fmt.Sprintf("line %d\n", n)); c != 1 {
			t.Errorf("line %d is there %d times", n, c)
		}
	}
	out, err := hobCommand(t.Context(), fake, state, "undo", "--since", "1h", "--json").Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var report commands.UndoReport
	if err := json.Unmarshal(out, &report); err != nil || len(report.Undone) != 20 {
		t.Errorf("%d changes were taken back, %v", len(report.Undone), err)
	}
	if _, err := os.Stat(filepath.Join(state, "workspace", "log.txt")); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

// Twenty processes do a chore in one chat at once: one after the other has the state, and each chore is done, once.
func TestParallelChores(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			out, err := hobCommand(t.Context(), fake, state, "ask", fmt.Sprintf("note thing %d", n)).CombinedOutput()
			if err != nil || strings.Contains(string(out), "interrupted") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(filepath.Join(state, "workspace", "notes", "general.md"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		if c := strings.Count(string(text), fmt.Sprintf("thing %d\n", n)); c != 1 {
			t.Errorf("thing %d is noted %d times", n, c)
		}
	}
}

// A hob that is killed while a command runs remembers nothing of what that did, and goes on with all that it knew.
func TestUndoAfterAKilledCommand(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	workspace := filepath.Join(state, "workspace")
	if out, err := hobCommand(t.Context(), fake, state, "tool", "write_file", "path=a", "content=mine").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := hobCommand(t.Context(), fake, state, "tool", "run_command", "command=rm a; touch up; sleep 1000", "--yes")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(workspace, "up")); err == nil {
			break
		} else if t.Context().Err() != nil {
			t.Fatal("the command never ran")
		}
		<-time.After(glance)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	out, err := hobCommand(t.Context(), fake, state, "undo", "--list", "--json").CombinedOutput()
	if err != nil || strings.Count(string(out), `"did"`) != 1 {
		t.Errorf("%v\n%s", err, out)
	}
	for _, args := range [][]string{
		{"tool", "run_command", "command=rm up; echo > new", "--yes"},
		{"undo"},
	} {
		if out, err := hobCommand(t.Context(), fake, state, args...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(workspace, "up")); err != nil {
		t.Error(err)
	}
}
