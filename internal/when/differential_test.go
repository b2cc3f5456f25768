package when_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"hob/internal/when"
)

// read is one phrase of testdata/differential/phrases.tsv with what hob and another reader say.
type read struct {
	lang, text  string
	hob, other  time.Time
	past, blank bool // hob asks since it is over; the other reads nothing
}

// class names why hob and another reader differ, "" where they agree, and "?" where no rule knows. The rules are explained
// in testdata/differential/differential.md.
func (r read) class() string {
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	clock := func(t time.Time) string { return t.Format("15:04:05") }
	today, now := "2026-06-10", "09:00:00"
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(r.text, w) {
				return true
			}
		}
		return false
	}
	usual := clock(r.other) == "12:00:00" || clock(r.other) == "00:00:00" || clock(r.other) == now
	near := day(r.other) == today || day(r.other) == "2026-06-11"
	switch {
	case r.blank:
		return "nothing"
	case r.past:
		return "past"
	case r.hob.Equal(r.other):
		return ""
	case has("midnight", "Mitternacht", "полночь", "半夜") && clock(r.other) == "00:00:00" && r.hob.Sub(r.other) == 24*time.Hour:
		return "midnight"
	case has("next month", "next week", "nächste Woche", "nächsten Monat", "следующей неделе", "следующем месяце", "下周", "下个月") && day(r.hob) != day(r.other) &&
		(day(r.other) == "2026-06-17" || day(r.other) == "2026-07-10"):
		return "next"
	case day(r.hob) == "2026-06-17" && day(r.other) == today && has("Wednesday", "Mittwoch", "среду", "周三"):
		return "today"
	case has("часов", "часа") && r.other.Minute() == 0 && clock(r.other) >= "12:00:00" && clock(r.other) <= "17:00:00":
		return "hours"
	case day(r.hob) == day(r.other) && r.hob.Sub(r.other).Abs() == 12*time.Hour:
		return "half"
	case day(r.hob) == day(r.other) && clock(r.hob) == now && clock(r.other) == "08:00:00":
		return "summer"
	case day(r.hob) == day(r.other) && usual:
		return "day alone"
	case day(r.hob) == day(r.other) && has("morning", "evening", "night", "afternoon", "morgen", "abend", "Abend", "mittag", "утр", "веч", "ночь", "дн", "早", "晚", "夜", "下午"):
		return "part"
	case day(r.other) == "2026-03-12" && has("2026"), r.other.Year() > 2100:
		return "order"
	case r.other.Month() == 6 && clock(r.other) == "00:00:00" && has(fmt.Sprint(r.other.Day()), "sieben"):
		return "number"
	case has("一刻") && r.other.Minute() == 1:
		return "quarter"
	case has("twenty five", "двадцать пять", "fünfundzwanzig"):
		return "twenty five"
	case has("a week from Friday"):
		return "week from"
	case clock(r.hob) == "00:00:00" && r.hob.Sub(r.other) == 12*time.Hour && usual:
		return "day alone"
	case near && day(r.hob) != day(r.other):
		return "time alone"
	}
	return "?"
}

// misread is the class of what is listed phrase by phrase.
const misread = "?"

// TestDifferential: where hob differs from chrono-node and dateparser on 3,000 generated phrases, a rule has the class, or
// differential.md lists the phrase. Its table has how many there are.
func TestDifferential(t *testing.T) {
	text, err := os.ReadFile("testdata/differential/phrases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("testdata/differential/differential.md")
	if err != nil {
		t.Fatal(err)
	}
	now := parseNow(t, "2026-06-10 09:00 Europe/Berlin")
	counts := map[string][2]int{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		got, err := when.Read(f[1], f[0], now)
		for k, other := range f[2:] {
			r := read{lang: f[0], text: f[1], hob: got.Start, past: err != nil, blank: other == "-"}
			if !r.blank {
				if r.other, err = time.ParseInLocation("2006-01-02T15:04:05", other, now.Location()); err != nil {
					t.Fatal(err)
				}
			}
			class := r.class()
			n := counts[class]
			n[k]++
			counts[class] = n
			row := fmt.Sprintf("| %s | %s | %s | %s |\n", r.text, r.hob.Format("2006-01-02 15:04"), []string{"chrono", "dateparser"}[k], r.other.Format("2006-01-02 15:04"))
			if class == misread && !strings.Contains(string(page), row) {
				t.Errorf("not classed: %s", row)
			}
		}
	}
	for class, n := range counts {
		if class == "" {
			class = "same"
		}
		if row := fmt.Sprintf("| %s | %d | %d |", class, n[0], n[1]); !strings.Contains(string(page), row) {
			t.Errorf("differential.md lacks %s", row)
		}
	}
}
