package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"hob/internal/app"
	"hob/internal/llm/ollamatest"
	"hob/internal/sandbox"
)

// TestScripts runs the command line as a person would. Each script has a home, a state and a workspace of its own.
// OLLAMA_HOST is a model that takes no time; $SEARCH is a SearXNG server that finds a page of $OLLAMA_HOST; $SELF is a program
// that is an MCP server.
func TestScripts(t *testing.T) {
	fake := newFakeOllama(t)
	runScripts(t, "script", fake.URL, fake)
}

// TestOllamaScripts runs the scripts in which OLLAMA_HOST is a real Ollama with the scripted models. They alone wait for its build.
func TestOllamaScripts(t *testing.T) {
	runScripts(t, "real", ollamatest.Run(t).URL(), newFakeOllama(t))
}

// runScripts runs the scripts of a folder below testdata. The fake serves the page that $SEARCH finds.
func runScripts(t *testing.T, folder, ollama string, fake *fakeOllama) {
	t.Helper()
	search := newSearch(t, fake.URL+"/page")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tier := sandbox.New(sandbox.Config{}).Tier(t.Context())
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("HOB_STATE_DIR", filepath.Join(env.WorkDir, "state"))
			env.Setenv("WORKSPACE", filepath.Join(env.WorkDir, "state", "workspace"))
			env.Setenv("OLLAMA_HOST", ollama)
			env.Setenv("SEARCH", search)
			env.Setenv("SELF", self)
			env.Setenv("NOWHERE", "http://127.0.0.1:1")
			return nil
		},
		// [walls] holds where this machine gives a sandbox, [strong] where that is T1 or T2, [root] for root.
		Condition: func(name string) (bool, error) {
			switch name {
			case "walls":
				return tier < sandbox.T4, nil
			case "strong":
				return tier < sandbox.T3, nil
			case "root":
				return app.IsRoot(), nil
			}
			return false, fmt.Errorf("there is no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"events":   events,
			"jsonl":    jsonLines,
			"running":  running,
			"gone":     gone,
			"appears":  appears,
			"says":     says,
			"asking":   asking,
			"requests": fake.recorded,
			"edit":     editJournal,
		},
	})
}

// events FILE WANT... compares the types of the JSON Lines in a file, deltas left out, with those wanted.
func events(ts *testscript.TestScript, neg bool, args []string) {
	var got []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var e struct{ Type string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			ts.Fatalf("not a line of JSON: %q", line)
		}
		if e.Type != "delta" && e.Type != "waiting" && e.Type != "noted" {
			got = append(got, e.Type)
		}
	}
	if have, want := strings.Join(got, " "), strings.Join(args[1:], " "); (have == want) == neg {
		ts.Fatalf("the events are %s", have)
	}
}

// jsonLines FILE checks what holds for every line of `hob ask --json`: type, time and chat, compact, and a rising seq
// on all that are journaled.
func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	last := 0.0
	scan := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0])))
	for scan.Scan() {
		var e map[string]any
		ts.Check(json.Unmarshal(scan.Bytes(), &e))
		for _, key := range []string{"type", "time", "chat"} {
			if e[key] == nil {
				ts.Fatalf("no %s in %s", key, scan.Text())
			}
		}
		seq, has := e["seq"].(float64)
		if has == (e["type"] == "delta" || e["type"] == "waiting") || has && seq <= last {
			ts.Fatalf("the seq after %v is wrong: %s", last, scan.Text())
		}
		last = max(last, seq)
		if strings.Contains(scan.Text(), `": `) && !strings.Contains(scan.Text(), `\"`) {
			ts.Fatalf("not compact: %s", scan.Text())
		}
	}
	if neg {
		ts.Fatalf("jsonl cannot be negated")
	}
}

// running MARK waits until a process with that in its command line runs (or the test never ends); negated it finds out that
// none does.
func running(ts *testscript.TestScript, neg bool, args []string) {
	for found := runs(args[0]); found == neg; found = runs(args[0]) {
		if neg {
			ts.Fatalf("a process with %s runs", args[0])
		}
		<-time.After(glance)
	}
}

// gone MARK waits until no process with that in its command line runs: what outlives a hob that was killed ends soon, but not at once.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone MARK")
	}
	for runs(args[0]) { // or the test never ends
		<-time.After(glance)
	}
}

// says FILE REGEXP waits until a line of a file that is being written is like that (or the test never ends).
func says(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: says FILE REGEXP")
	}
	like, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	for path := ts.MkAbs(args[0]); ; <-time.After(glance) {
		if text, err := os.ReadFile(path); err == nil && like.Match(text) {
			return
		}
	}
}

// runs reports whether a process with mark in its command line runs.
func runs(mark string) bool {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is a good one
	found := false
	for _, path := range lines {
		line, err := os.ReadFile(path)
		found = found || err == nil && strings.Contains(string(line), mark)
	}
	return found
}
