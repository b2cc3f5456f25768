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
	case has("twenty five", "двадцать пять", "fünfundzwanzig"):
		return "twenty five"
	case has("часов", "часа", "час дня") && !has("полтора", "четверть часа") && r.other.Minute() == 0 && clock(r.other) >= "01:00:00" && clock(r.other) <= "17:00:00" && clock(r.other) != now &&
		(clock(r.other) != "12:00:00" || near) && r.hob.Sub(r.other).Abs() != 12*time.Hour:
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
	case has("a week from Friday"):
		return "week from"
	case clock(r.hob) == "00:00:00" && r.hob.Sub(r.other) == 12*time.Hour && usual:
		return "day alone"
	case near && day(r.hob) != day(r.other):
		return "time alone"
	}
	return "?"
}

// meanings are the words of the phrases, and what each of them means alone: testdata/differential/words.tsv, read by a person row by
// row. A day has a date, a time of day a clock with a "?" where it could be of the afternoon, and an amount all of it.
type meanings struct {
	days, clocks, amounts map[string]string
	more                  string // what stands behind some
}

func readMeanings(t *testing.T) map[string]meanings {
	t.Helper()
	text, err := os.ReadFile("testdata/differential/words.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]meanings{}
	for lang, more := range map[string]string{"en": " call Ana", "de": " Ana anrufen", "ru": " позвонить Ане", "zh": "给安娜打电话"} {
		all[lang] = meanings{map[string]string{}, map[string]string{}, map[string]string{}, more}
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		m := all[f[0]]
		if kind := map[string]map[string]string{"day": m.days, "clock": m.clocks, "amount": m.amounts}[f[1]]; kind != nil {
			kind[f[2]] = f[3]
		}
	}
	return all
}

// of returns what a phrase means by its words, "" where it is past, and false where it is not one or two of them.
func (m meanings) of(phrase string) (string, bool) {
	phrase = strings.TrimSuffix(phrase, m.more)
	if at, ok := m.amounts[phrase]; ok {
		return at, true
	}
	const today, tomorrow, now = "2026-06-10", "2026-06-11", "09:00"
	at := func(date, clock string) string {
		hour, isBare := strings.CutSuffix(clock, "?")
		late := func() string { return fmt.Sprintf("%02d%s", (int(hour[0]-'0')*10+int(hour[1]-'0'))+12, hour[2:]) }
		day, _ := time.Parse(time.DateOnly, date)
		switch {
		case hour == "24:00":
			return day.AddDate(0, 0, 1).Format(time.DateOnly) + " 00:00:00"
		case date == today && hour <= now && isBare:
			return today + " " + late() + ":00"
		case date == today && hour <= now:
			return ""
		}
		return date + " " + hour + ":00"
	}
	if date, ok := m.days[phrase]; ok {
		if date == today {
			return today + " 12:00:00", true
		}
		return at(date, "09:00"), true
	}
	if clock, ok := m.clocks[phrase]; ok {
		if said := at(today, clock); said != "" {
			return said, true
		}
		return at(tomorrow, clock), true
	}
	found := map[string]bool{}
	for day, date := range m.days {
		for clock, hour := range m.clocks {
			for _, join := range []string{" ", ""} {
				if phrase == day+join+clock || phrase == clock+join+day {
					found[at(date, hour)] = true
				}
			}
		}
	}
	for said := range found {
		return said, len(found) == 1
	}
	return "", false
}

// misread is the class of what is listed phrase by phrase.
const misread = "?"

// TestDifferential: hob reads each of 3,000 generated phrases as its words mean. Where it differs from chrono-node and dateparser, a
// rule has the class, or differential.md lists the phrase. Its table has how many there are.
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
	counts, words := map[string][2]int{}, readMeanings(t)
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		got, err := when.Read(f[1], f[0], now)
		said := ""
		if err == nil {
			said = got.Start.Format(time.DateTime)
		}
		if want, ok := words[f[0]].of(f[1]); !ok || said != want {
			t.Errorf("%s %q is read as %q, and its words mean %q (known %v)", f[0], f[1], said, want, ok)
		}
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
