package intents_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hob/internal/intents"
)

// sentence is a line of a corpus: what a person writes, and the call that it means.
type sentence struct {
	Text   string         `json:"text"`
	Lang   string         `json:"lang"`
	Intent string         `json:"intent"`
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args"`
}

func corpus(t *testing.T, path string) (all []sentence) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s sentence
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// outcome says what became of a sentence: right, wrong, asked, or none.
func outcome(t *testing.T, s sentence, r intents.Reading) string {
	t.Helper()
	var args map[string]any
	if r.Call.Name != "" {
		if err := json.Unmarshal(r.Call.Args, &args); err != nil {
			t.Fatalf("%q: arguments %s: %v", s.Text, r.Call.Args, err)
		}
	}
	switch {
	case r.Kind == "":
		return "none"
	case r.Ask != "":
		return "asked"
	case r.Kind == s.Intent && r.Call.Name == s.Tool && (len(args)+len(s.Args) == 0 || reflect.DeepEqual(args, s.Args)):
		if r.Score < 1 && r.Acts {
			return "asked"
		}
		return "right"
	}
	return "wrong"
}

func TestCorpora(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.jsonl")
	if f := os.Getenv("HOB_TEST_SENTENCES"); f != "" {
		files = []string{f}
	}
	all := intents.Default()
	for _, file := range files {
		count := map[string]map[string]int{}
		for _, s := range corpus(t, file) {
			r := all.Loosely(s.Text)
			how := outcome(t, s, r)
			for _, of := range []string{s.Lang, "all"} {
				if count[of] == nil {
					count[of] = map[string]int{}
				}
				count[of][how]++
			}
			if how != "right" {
				t.Logf("%s %s %s %q: want %v %v, got %s %s", how, s.Lang, s.Intent, s.Text, s.Tool, s.Args, r.Kind, r.Call.Args)
			}
		}
		t.Logf("%s: %v", strings.TrimPrefix(file, "testdata/"), count)
	}
}
