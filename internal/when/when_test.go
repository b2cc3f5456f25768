package when_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/when"
)

var update = flag.Bool("update", false, "write what is read into testdata/said")

// TestSaid reads the texts of testdata/said, one file a language. A line is a text, " = " and what is read. Lines such as
// "now 2026-11-24 10:20 Europe/Berlin" say when.
func TestSaid(t *testing.T) {
	files, err := filepath.Glob("testdata/said/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		lang := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(lang, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var now time.Time
			var out strings.Builder
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSuffix(line, "\n")
				said, want, _ := strings.Cut(line, " = ")
				if clock, ok := strings.CutPrefix(line, "now "); ok {
					now = parseNow(t, clock)
				}
				if line == "" || line[0] == '#' || strings.HasPrefix(line, "now ") {
					out.WriteString(line + "\n")
					continue
				}
				got := summaries(when.ReadAll(said, lang, now))
				fmt.Fprintf(&out, "%s = %s\n", said, got)
				if got != want && !*update {
					t.Errorf("%s\n got %s\nwant %s", said, got, want)
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// parseNow reads "2026-11-24 10:20 Europe/Berlin".
func parseNow(t testing.TB, text string) time.Time {
	t.Helper()
	fields := strings.Fields(text)
	loc, err := time.LoadLocation(fields[2])
	if err != nil {
		t.Fatal(err)
	}
	now, err := time.ParseInLocation("2006-01-02 15:04", fields[0]+" "+fields[1], loc)
	if err != nil {
		t.Fatal(err)
	}
	return now
}

// summaries writes the readings of a text in a line.
func summaries(all []when.Reading, err error) string {
	var parts []string
	for _, r := range all {
		parts = append(parts, summary(r, err))
	}
	return strings.Join(parts, " + ")
}

// summary writes a reading in a line.
func summary(r when.Reading, err error) string {
	if err != nil {
		var unclear *when.Unclear
		if !errors.As(err, &unclear) {
			return "error: " + err.Error()
		}
		return unclear.Error()
	}
	layout := "Mon 2006-01-02 15:04"
	if r.Start.Second() != 0 {
		layout += ":05"
	}
	if r.Sun != "" {
		layout = "Mon 2006-01-02"
	}
	parts := []string{r.Start.Format(layout)}
	add := func(on bool, text string) {
		if on {
			parts = append(parts, text)
		}
	}
	add(r.Repeat != "", r.Repeat)
	add(r.Sun != "", r.Sun)
	add(r.AfterDone != 0, "after-done "+r.AfterDone.String())
	add(r.Timer, "timer")
	add(r.UntilAcknowledged, "until-acknowledged")
	add(r.Missed != "", "missed-"+r.Missed)
	for _, o := range r.Other {
		add(true, "["+o.Label+"]")
	}
	add(r.Rest != "", fmt.Sprintf("%q", r.Rest))
	return strings.Join(parts, " ")
}

// TestDescribedIsReadAgain: what Describe writes of each text of testdata/said reads as the same time.
func TestDescribedIsReadAgain(t *testing.T) {
	files, _ := filepath.Glob("testdata/said/*.txt")
	for _, file := range files {
		lang := strings.TrimSuffix(filepath.Base(file), ".txt")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var now time.Time
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			if clock, ok := strings.CutPrefix(line, "now "); ok {
				now = parseNow(t, clock)
				continue
			}
			said, _, ok := strings.Cut(line, " = ")
			if !ok {
				continue
			}
			if r, err := when.Read(said, lang, now); err == nil {
				for _, in := range []string{"en", "de", "ru", "zh"} {
					readAgain(t, said, r, in, now)
				}
			}
		}
	}
}

// readAgain checks that a reading is described so that it is read as the same.
func readAgain(t *testing.T, said string, r when.Reading, lang string, now time.Time) {
	t.Helper()
	described := when.Describe(r, lang, now)
	again, err := when.Read(described, lang, now)
	if err != nil {
		t.Errorf("%s: %q: %v", said, described, err)
		return
	}
	same := again.Start.Equal(r.Start) && again.Repeat == r.Repeat && again.Sun == r.Sun && again.AfterDone == r.AfterDone &&
		again.UntilAcknowledged == r.UntilAcknowledged && again.Missed == r.Missed && again.Rest == ""
	if !same {
		t.Errorf("%s: %q\n reads as %s\n it was   %s", said, described, summary(again, nil), summary(r, nil))
	}
}
