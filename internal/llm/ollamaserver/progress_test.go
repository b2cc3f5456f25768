package ollamaserver

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// In a terminal a build is one line, elsewhere a line at first and then ever more seldom.
func TestReporter(t *testing.T) {
	at := func(elapsed time.Duration) Progress {
		return Progress{Doing: "building", Done: int(elapsed.Seconds()), Total: 900, Elapsed: elapsed}
	}
	var pipe, terminal strings.Builder
	seldom, inPlace := NewReporter(&pipe, 0), NewReporter(&terminal, 40)
	for elapsed := time.Duration(0); elapsed <= 10*time.Minute; elapsed += time.Second {
		seldom.Report(at(elapsed))
	}
	seldom.End()
	want := strings.Join([]string{
		"building: 0 of at most 900 packages; this usually takes 3 to 5 minutes",
		"building: 60 of at most 900 packages, 1m0s so far of the usual 3 to 5 minutes",
		"building: 120 of at most 900 packages, 2m0s so far of the usual 3 to 5 minutes",
		"building: 240 of at most 900 packages, 4m0s so far of the usual 3 to 5 minutes",
		"building: 480 of at most 900 packages, 8m0s so far; it is past the usual 5 minutes: this machine is slow or busy",
	}, "\n") + "\n"
	if diff := cmp.Diff(want, pipe.String()); diff != "" {
		t.Error(diff)
	}
	inPlace.Report(at(time.Minute))
	inPlace.Report(at(2 * time.Minute))
	inPlace.End()
	inPlace.End()
	if got, want := terminal.String(), "\r\x1b[Kbuilding: 60 of at most 900 packages,…\r\x1b[Kbuilding: 120 of at most 900 packages,…\n"; got != want {
		t.Errorf("in a terminal it is %q", got)
	}
}

// The names that go build -v writes are counted, each once, and what else it writes is kept.
func TestPackageLines(t *testing.T) {
	r := &reporting{}
	r.count([]string{"fmt", "example.org/a", "example.org/b"})
	rest := &logTail{limit: 1000}
	w := &packageLines{progress: r, rest: rest}
	for _, piece := range []string{"fm", "t\nexample.org/a\n# example.org/b\na.cpp: war", "ning\n", "fmt\nother\n"} {
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatalf("wrote %d: %v", n, err)
		}
	}
	if got, want := rest.String(), "# example.org/b\na.cpp: warning\nother\n"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
	if got := r.at(time.Second).String(); got != ": 2 of at most 3 packages, 1s so far of the usual 3 to 5 minutes" {
		t.Error(got)
	}
}
