package when_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"

	"hob/internal/when"
)

// phrase is a row of testdata/phrases.tsv, which was written by somebody who had not seen the grammar, or of fresh.tsv, which was
// written later, by somebody who had read its code, and before the grammar was changed for it.
type phrase struct {
	lang, now, zone, text, expect, repeat, rest, other, why string
}

func phrases(t *testing.T, file string) []phrase {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	var all []phrase
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 9 {
			t.Fatalf("line %d has %d columns", i+1, len(f))
		}
		if i > 0 {
			all = append(all, phrase{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]})
		}
	}
	return all
}

// decided are the phrases whose rule docs/time.md decides otherwise: a rule for the 31st alone has no day in June.
func decided() map[string]string {
	return map[string]string{
		"FREQ=MONTHLY;BYMONTHDAY=31":          "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1",
	}
}

// sameRule says whether two rules have the same times from a start on, as far as hob looks.
func sameRule(t *testing.T, a, b string, start time.Time) bool {
	t.Helper()
	if a == b {
		return true
	}
	var times [2][]time.Time
	for i, text := range []string{a, b} {
		option, err := rrule.StrToROption(text)
		if err != nil {
			return false
		}
		option.Dtstart = start
		r, err := rrule.NewRRule(*option)
		if err != nil {
			return false
		}
		next := r.Iterator()
		for range 60 {
			at, ok := next()
			if !ok {
				break
			}
			times[i] = append(times[i], at)
		}
	}
	return len(times[0]) > 0 && slices.EqualFunc(times[0], times[1], time.Time.Equal)
}

// TestPhrases reads each phrase: its time and rule, its other reading, and what remains. Those that hob is known to miss are
// in testdata/missed.txt, which -update writes; one that is read must not be there.
func TestPhrases(t *testing.T) {
	t.Run("first", func(t *testing.T) { testPhrases(t, "phrases", "testdata/missed.txt") })
	t.Run("fresh", func(t *testing.T) { testPhrases(t, "fresh", "testdata/missed_fresh.txt") })
}

func testPhrases(t *testing.T, file, missedFile string) {
	all := phrases(t, file)
	raw, err := os.ReadFile(missedFile)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.FieldsFunc(string(raw), func(r rune) bool { return r == '\n' })
	var missed []string
	times, others, rests, whole := 0, 0, 0, 0
	for _, p := range all {
		loc, err := time.LoadLocation(p.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.Parse(time.RFC3339, p.now)
		if err != nil {
			t.Fatal(err)
		}
		r, err := when.Read(p.text, p.lang, now.In(loc))
		expect, repeat, other := spoken(r, err)
		if rule, ok := decided()[p.repeat]; ok {
			p.repeat = rule
		}
		timed := expect == p.expect && sameRule(t, repeat, p.repeat, r.Start)
		doubted := p.other == "" || other == p.other
		rested := r.Rest == p.rest
		for _, one := range []struct {
			ok  bool
			sum *int
		}{{timed, &times}, {doubted, &others}, {rested, &rests}, {timed && doubted && rested, &whole}} {
			if one.ok {
				*one.sum++
			}
		}
		ok, isKnown := timed && doubted && rested, slices.Contains(known, p.text)
		if !ok {
			missed = append(missed, p.text)
		}
		if ok && isKnown && !*update {
			t.Errorf("%s is read: take it from %s", p.text, missedFile)
		}
		if !ok && !isKnown && !*update {
			t.Errorf("%s %s %q\n got %s %s %q other %s\nwant %s %s %q other %s (%s)", p.lang, p.now, p.text, expect, repeat, r.Rest, other, p.expect, p.repeat, p.rest, p.other, p.why)
		}
	}
	if *update {
		if err := os.WriteFile(missedFile, []byte(strings.Join(append(missed, ""), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("of %d phrases: time %d, other reading %d, rest %d, all %d", len(all), times, others, rests, whole)
}

// spoken writes a reading as the columns of the file have it.
func spoken(r when.Reading, err error) (expect, repeat, other string) {
	var unclear *when.Unclear
	if errors.As(err, &unclear) {
		return map[when.Problem]string{when.Missing: "missing", when.Impossible: "impossible", when.Past: "past"}[unclear.Problem], "", ""
	}
	expect, repeat = r.Start.Format("2006-01-02T15:04"), r.Repeat
	if r.Start.Second() != 0 {
		expect = r.Start.Format("2006-01-02T15:04:05")
	}
	if r.Sun != "" {
		expect, repeat = "", strings.Trim(r.Repeat+" "+r.Sun, " ")
	}
	if r.AfterDone != 0 {
		repeat = "every! " + isoLength(r.AfterDone)
	}
	if len(r.Other) > 0 {
		other = r.Other[0].Start.Format("2006-01-02T15:04")
	}
	return expect, repeat, other
}

// isoLength writes an amount as ISO 8601 does.
func isoLength(d time.Duration) string {
	switch {
	case d%(7*24*time.Hour) == 0:
		return fmt.Sprintf("P%dW", d/(7*24*time.Hour))
	case d%(24*time.Hour) == 0:
		return fmt.Sprintf("P%dD", d/(24*time.Hour))
	case d%time.Hour == 0:
		return fmt.Sprintf("PT%dH", d/time.Hour)
	}
	return fmt.Sprintf("PT%dM", d/time.Minute)
}
