package narration_test

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"hob/internal/game/narration"
)

// score is how well the checker does on narrations whose truth is known.
type score struct {
	truths, alarms int
	lies, found    map[string]int // by kind
}

func newScore() *score { return &score{lies: map[string]int{}, found: map[string]int{}} }

// add counts a narration: kind is "true", or what is wrong with it.
func (s *score) add(kind string, flags []narration.Flag) {
	if kind == "true" {
		s.truths++
		if len(flags) > 0 {
			s.alarms++
		}
		return
	}
	s.lies[kind]++
	if len(flags) > 0 {
		s.found[kind]++
	}
}

func (s *score) merge(o *score) {
	s.truths += o.truths
	s.alarms += o.alarms
	for kind, n := range o.lies {
		s.lies[kind] += n
		s.found[kind] += o.found[kind]
	}
}

func (s *score) recall(kind string) float64 {
	lies, found := s.lies[kind], s.found[kind]
	if kind == "" {
		for k, n := range s.lies {
			lies += n
			found += s.found[k]
		}
	}
	if lies == 0 {
		return 1
	}
	return float64(found) / float64(lies)
}

func (s *score) falseAlarms() float64 { return float64(s.alarms) / float64(max(1, s.truths)) }

func (s *score) String() string {
	var kinds []string
	n := 0
	for kind := range s.lies {
		kinds = append(kinds, kind)
		n += s.lies[kind]
	}
	sort.Strings(kinds)
	text := fmt.Sprintf("%d true: false alarms %.3f; %d false: recall %.3f", s.truths, s.falseAlarms(), n, s.recall(""))
	for _, kind := range kinds {
		text += fmt.Sprintf(", %s %.2f of %d", kind, s.recall(kind), s.lies[kind])
	}
	return text
}

// heldOut scores the narrations of a file in testdata.
func heldOut(t *testing.T, file, lang string) *score {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	s := newScore()
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.SplitN(line, "|", 3)
		flags := scene(t, lang, parts[0]).Check(parts[2])
		s.add(parts[1], flags)
		if (len(flags) > 0) == (parts[1] == "true") {
			t.Logf("%s: %v", line, flags)
		}
	}
	return s
}
