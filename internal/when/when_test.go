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

	words "hob/internal/phrases"
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

// TestSeconds: what is a while away has no seconds of the clock; what is near, and a countdown, has them.
func TestSeconds(t *testing.T) {
	now := parseNow(t, "2026-11-26 16:35 Europe/Berlin").Add(4 * time.Second)
	for text, want := range map[string]string{
		"in 3 weeks": "Thu 2026-12-17 16:35", "in drei Wochen": "Thu 2026-12-17 16:35", "через три недели": "Thu 2026-12-17 16:35", "三周后": "Thu 2026-12-17 16:35",
		"in 10 minutes": "Thu 2026-11-26 16:45", "in 9 minutes": "Thu 2026-11-26 16:44:04", "in 10 minutes and 30 seconds": "Thu 2026-11-26 16:45:34",
		"every hour": "Thu 2026-11-26 17:35 FREQ=HOURLY", "jede Stunde": "Thu 2026-11-26 17:35 FREQ=HOURLY", "every 5 minutes": "Thu 2026-11-26 16:40:04 FREQ=MINUTELY;INTERVAL=5",
		"every! 8 hours": "Fri 2026-11-27 00:35 after-done 8h0m0s", "same time tomorrow": "Fri 2026-11-27 16:35",
		"timer 20 minutes": "Thu 2026-11-26 16:55:04 timer", "timer 20 minutes tea": `Thu 2026-11-26 16:55:04 timer "tea"`,
	} {
		if got := summary(when.Read(text, "", now)); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	if got := summary(when.Read("in 1 hour", "en", now.Add(40*time.Second))); got != "Thu 2026-11-26 17:36" {
		t.Errorf("rounded to %s", got)
	}
}

// TestDescribeLength: from two minutes on the minute that has begun counts.
func TestDescribeLength(t *testing.T) {
	for d, want := range map[time.Duration][4]string{
		0:                            {"0 s", "0 Sek.", "0 с", "0秒"},
		90 * time.Second:             {"1 min 30 s", "1 Min. 30 Sek.", "1 мин 30 с", "1分钟30秒"},
		5 * time.Minute:              {"5 min", "5 Min.", "5 мин", "5分钟"},
		4*time.Minute + time.Second:  {"5 min", "5 Min.", "5 мин", "5分钟"},
		time.Hour - time.Millisecond: {"1 h", "1 Std.", "1 ч", "1小时"},
		90 * time.Minute:             {"1 h 30 min", "1 Std. 30 Min.", "1 ч 30 мин", "1小时30分钟"},
	} {
		for i, lang := range []string{"en", "de", "ru", "zh"} {
			if got := when.DescribeLength(d, lang); got != want[i] {
				t.Errorf("%s in %s is %q, want %q", d, lang, got, want[i])
			}
		}
	}
}

// TestDescribeWorkdays: Monday to Friday have a word.
func TestDescribeWorkdays(t *testing.T) {
	r := when.Reading{Start: parseNow(t, "2026-11-25 07:30 UTC"), Repeat: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"}
	for lang, want := range map[string]string{
		"en": "on weekdays, 07:30, from Wed 25 Nov 2026", "de": "werktags, 07:30, ab Mi. 25. November 2026",
		"ru": "по будням, 07:30, с ср 25 ноября 2026", "zh": "每个工作日 07:30 从2026年11月25日周三",
	} {
		if got := when.Describe(r, lang, r.Start); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if read, err := when.Read(want, lang, r.Start.Add(-time.Hour)); err != nil || read.Repeat != r.Repeat || !read.Start.Equal(r.Start) {
			t.Errorf("%s is read as %+v, %v", want, read, err)
		}
	}
	r.Repeat = "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR"
	if got := when.Describe(r, "en", r.Start); !strings.HasPrefix(got, "every 2 weeks on Monday, Tuesday") {
		t.Error(got)
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

// TestWordsAreFolded: a word with a letter that a text has folded is never found.
func TestWordsAreFolded(t *testing.T) {
	files, err := filepath.Glob("words/*.txt")
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if _, words, ok := strings.Cut(line, ": "); ok && line[0] != '#' && (strings.ContainsAny(words, "ё’，、：。！") || words != strings.ToLower(words)) {
				t.Errorf("%s: %s", file, words)
			}
		}
	}
}

// TestWordsOfTimes: hob says times in each language, with the same places.
func TestWordsOfTimes(t *testing.T) {
	if err := words.Check(os.DirFS("say")); err != nil {
		t.Error(err)
	}
}

// TestDescribeStrangeRule: a rule that hob does not write, such as the sixth Monday of a month, is shown as it stands.
func TestDescribeStrangeRule(t *testing.T) {
	now := parseNow(t, "2026-11-25 07:30 UTC")
	for _, rule := range []string{"FREQ=MONTHLY;BYDAY=6MO", "FREQ=MONTHLY;BYDAY=-2MO", "FREQ=MONTHLY;BYDAY=99MO"} {
		if got, want := when.Describe(when.Reading{Start: now, Repeat: rule}, "en", now), rule+", Wed 25 Nov 2026, 07:30"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// An amount behind "less" is no time of day, and an hour that no clock has stays one beside its minutes.
func TestRead_NoClockHasThat(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 14, 20, 0, 0, time.UTC)
	for _, c := range []struct {
		lang, text string
		want       when.Problem
	}{
		{"zh", "提醒我差21个", when.Missing}, {"ru", "напомни без 23 рублей", when.Missing}, {"ru", "без двух тысяч пяти напомни", when.Missing}, {"zh", "差两千零五提醒我", when.Missing},
		{"zh", "明天30点一刻开会", when.Impossible}, {"zh", "明天99点过五分开会", when.Impossible},
	} {
		r, err := when.Read(c.text, c.lang, now)
		if unclear := (*when.Unclear)(nil); !errors.As(err, &unclear) || unclear.Problem != c.want {
			t.Errorf("%q is read as %v, %v", c.text, r.Start, err)
		}
	}
	if r, err := when.Read("明天八点差五分开会", "zh", now); err != nil || r.Start.Hour() != 7 || r.Start.Minute() != 55 {
		t.Errorf("five to eight is %v, %v", r.Start, err)
	}
}
