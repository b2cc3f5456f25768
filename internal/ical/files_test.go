package ical_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/google/go-cmp/cmp"

	"hob/internal/golden"
	"hob/internal/ical"
)

var update = flag.Bool("update", false, "write testdata/read.txt anew")

func location(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func parse(t testing.TB, text string) (ical.Calendar, []ical.Problem) {
	t.Helper()
	c, problems, err := ical.Parse(strings.NewReader(text), location(t, "Europe/Berlin"))
	if err != nil {
		t.Fatal(err)
	}
	return c, problems
}

func write(t testing.TB, c ical.Calendar) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// files are calendars in the manner of many programs.
func files(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "files", "*.ics"))
	if err != nil || len(paths) < 100 {
		t.Fatalf("there are %d files, %v", len(paths), err)
	}
	all := map[string]string{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".ics")] = string(raw)
	}
	return all
}

// A calendar that is read, written and read again is the same, and writes the same bytes.
func TestThereAndBack(t *testing.T) {
	for name, text := range files(t) {
		t.Run(name, func(t *testing.T) {
			c, _ := parse(t, text)
			written := write(t, c)
			again, problems := parse(t, written)
			if diff := cmp.Diff(c, again); diff != "" {
				t.Errorf("read again (-first +second):\n%s\nwritten:\n%s", diff, written)
			}
			for _, p := range problems {
				if !strings.Contains(p.Text, "is not followed") { // a rule is kept
					t.Errorf("what was written has a problem in line %d: %s", p.Line, p.Text)
				}
			}
			if second := write(t, again); second != written {
				t.Errorf("written twice it differs:\n%s", cmp.Diff(written, second))
			}
			checkForm(t, written)
			checkForeignReader(t, c, written)
		})
	}
}

// checkForm holds a text against the rules for lines.
func checkForm(t *testing.T, written string) {
	t.Helper()
	for l := range strings.SplitSeq(strings.TrimSuffix(written, "\r\n"), "\r\n") {
		if len(l) > 75 || strings.ContainsAny(l, "\r\n") || strings.ToValidUTF8(l, "") != l {
			t.Errorf("the line %q is too long, or cut within a letter", l)
		}
	}
	for _, must := range []string{"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//hob//", "END:VCALENDAR\r\n"} {
		if !strings.Contains(written, must) {
			t.Errorf("there is no %q", must)
		}
	}
}

// checkForeignReader reads what was written with golang-ical, which takes no fault.
func checkForeignReader(t *testing.T, c ical.Calendar, written string) {
	t.Helper()
	theirs, err := ics.ParseCalendar(strings.NewReader(written))
	if err != nil {
		t.Errorf("another reader refuses it: %v", err)
		return
	}
	var want, got []string
	for _, e := range c.Events {
		want = append(want, fmt.Sprintf("%s %s %s", e.UID, e.Summary, e.Start.UTC().Format(time.RFC3339)))
	}
	for _, e := range theirs.Events() {
		start, err := e.GetStartAt()
		if err != nil {
			t.Errorf("another reader finds no start in %s: %v", e.Id(), err)
		}
		if p := e.GetProperty(ics.ComponentPropertyDtStart); p != nil && !strings.HasSuffix(p.Value, "Z") && p.ICalParameters["TZID"] == nil {
			y, m, d := start.Date()
			start = time.Date(y, m, d, start.Hour(), start.Minute(), 0, 0, location(t, "Europe/Berlin")) // it takes local times as UTC
		}
		summary := ""
		if p := e.GetProperty(ics.ComponentPropertySummary); p != nil {
			summary = p.Value
		}
		got = append(got, fmt.Sprintf("%s %s %s", e.Id(), summary, start.UTC().Format(time.RFC3339)))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another reader finds other events (-want +got):\n%s", diff)
	}
}

// What is read of each file, and when it is, stands in testdata/read.txt, for people to look through.
func TestRead(t *testing.T) {
	var b strings.Builder
	all := files(t)
	paths, _ := filepath.Glob(filepath.Join("testdata", "files", "*.ics"))
	berlin := location(t, "Europe/Berlin")
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".ics")
		c, problems := parse(t, all[name])
		fmt.Fprintf(&b, "== %s: %d events\n", name, len(c.Events))
		for _, p := range problems {
			fmt.Fprintf(&b, "   line %d: %s\n", p.Line, p.Text)
		}
		from := time.Date(2026, 10, 1, 0, 0, 0, 0, berlin)
		if strings.HasPrefix(name, "rfc5545_") {
			from = time.Date(1996, 1, 1, 0, 0, 0, 0, berlin)
		}
		found, cut := c.Between(from, from.AddDate(2, 0, 0))
		for i, o := range found {
			if i == 6 {
				fmt.Fprintf(&b, "   and %d more, cut: %t\n", len(found)-i, cut)
				break
			}
			layout := "Mon 2006-01-02 15:04 -0700"
			if o.Event.AllDay {
				layout = "Mon 2006-01-02"
			}
			fmt.Fprintf(&b, "   %s to %s %s | %s | %s\n", o.Start.Format(layout), o.End.Format(layout), o.Event.Zone, o.Event.Summary, o.Event.Location)
		}
	}
	golden.Check(t, *update, filepath.Join("testdata", "read.txt"), b.String())
}
