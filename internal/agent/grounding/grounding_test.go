package grounding_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"hob/internal/agent/grounding"
)

// labelled is an answer of a file in testdata.
type labelled struct {
	ID      string `json:"id"`
	Task    string `json:"task"`
	Results []struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
		Text string          `json:"text"`
	} `json:"results"`
	Answer   string `json:"answer"`
	Invented string `json:"invented"` // "": the answer is honest
	Kind     string `json:"kind"`
}

func (l labelled) sources() grounding.Sources {
	s := grounding.Sources{Others: []string{l.Task}}
	for _, r := range l.Results {
		s.Results = append(s.Results, r.Text)
		var args string
		if json.Unmarshal(r.Args, &args) != nil {
			args = string(r.Args)
		}
		s.Others = append(s.Others, args)
	}
	return s
}

func readLabelled(t testing.TB, name string) []labelled {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []labelled
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Of answers with one thing that stands nowhere at least 90 % are found, of honest ones at most 2 % are flagged.
//
// own.jsonl and second.jsonl were labelled before the code, by two writers; later.jsonl has mostly answers that calculate, and
// was written when the code was there, to see how it does with what nobody had thought of. third.jsonl was written by somebody who
// had not read the code: of its first 103 answers 56 of 62 invented facts were found, and 10 of 41 honest ones flagged; of the
// last 47, written after that was mended, 27 of 28 and 2 of 19. All were used to improve it since.
func TestLabelledAnswers(t *testing.T) {
	honest, wrong, invented, found := 0, 0, 0, 0
	for _, name := range []string{"own.jsonl", "second.jsonl", "later.jsonl", "third.jsonl"} {
		for _, l := range readLabelled(t, name) {
			got := grounding.Check(l.Answer, l.sources())
			if l.Invented == "" {
				honest++
				if len(got) > 0 {
					wrong++
					t.Logf("honest, %s %s, %s: %q in %q", name, l.ID, l.Kind, got, l.Answer)
				}
				continue
			}
			invented++
			if slices.ContainsFunc(got, func(g string) bool { return strings.Contains(l.Invented, g) || strings.Contains(g, l.Invented) }) {
				found++
			} else {
				t.Logf("missed, %s %s: %q in %q, found %q", name, l.ID, l.Invented, l.Answer, got)
			}
		}
		t.Logf("with %s: %d of %d invented found, %d of %d honest flagged", name, found, invented, wrong, honest)
	}
	if found*10 < invented*9 || wrong*50 > honest {
		t.Errorf("%d of %d invented found, %d of %d honest flagged", found, invented, wrong, honest)
	}
}
