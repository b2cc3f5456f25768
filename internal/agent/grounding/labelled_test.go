package grounding

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// labelled is one answer, with the texts that it rests on.
type labelled struct {
	File, ID, Kind string
	Answer         string
	Sources
	Invented string // "": the answer is honest
}

// isInvented reports whether a text of the answer is what is invented in it, or a part of that.
func (a labelled) isInvented(text string) bool {
	return a.Invented != "" && (strings.Contains(a.Invented, text) || strings.Contains(text, a.Invented))
}

// readLabelled returns the answers of all files in testdata, each of one JSON object a line: id, task, results (tool, args, text),
// answer, invented, kind.
func readLabelled(t testing.TB) []labelled {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no labelled answers: ", err)
	}
	var all []labelled
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var l struct {
				ID, Task, Answer, Invented, Kind string
				Results                          []struct {
					Args json.RawMessage
					Text string
				}
			}
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			a := labelled{File: filepath.Base(name), ID: l.ID, Kind: l.Kind, Answer: l.Answer, Sources: Sources{Question: l.Task}, Invented: l.Invented}
			for _, r := range l.Results {
				a.Results = append(a.Results, r.Text)
				var args string
				if json.Unmarshal(r.Args, &args) != nil {
					args = string(r.Args)
				}
				a.Others = append(a.Others, args)
			}
			all = append(all, a)
		}
	}
	return all
}
