package when

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/lists"
	"hob/internal/phrases"
	"hob/internal/recurrence"
)

// Describe returns the time of a reading for a confirmation in a language: "Wed 25 Nov 2026, 18:00", "every Monday, 08:00,
// from Mon 30 Nov 2026". Read reads it as the same instant and rule.
func Describe(r Reading, lang string, now time.Time) string {
	w := newVoice(lang)
	start := r.Start.In(now.Location())
	var parts []string
	bounds := ""
	rl, repeats := parseRule(r.Repeat)
	clock := clockText(start)
	if r.Sun != "" {
		clock = w.sun(r.Sun)
	}
	switch {
	case r.AfterDone != 0:
		parts = append(parts, w.Text("after.done", w.length(r.AfterDone)), w.day(start, true), clock)
	case r.Repeat != "" && !repeats:
		parts = append(parts, r.Repeat, w.day(start, true), clock)
	case repeats:
		parts = append(parts, w.every(rl))
		if len(rl.times) > 0 {
			clock = w.clocks(rl.times)
		}
		parts = append(parts, clock, w.Text("from", w.day(start, true)))
		if !rl.until.IsZero() {
			last := rl.until.In(now.Location())
			bounds = w.Text("until", w.day(last, true))
			if last.Format("15:04:05") != "23:59:59" {
				bounds += " " + clockText(last)
			}
		} else if rl.count > 0 {
			bounds = w.amount(rl.count, "times")
		}
	default:
		parts = append(parts, w.day(start, true), clock)
	}
	if bounds != "" {
		parts = append(parts, bounds)
	}
	if r.UntilAcknowledged {
		parts = append(parts, w.Text("until.done"))
	}
	if text, ok := w.Find("missed." + r.Missed); ok {
		parts = append(parts, text)
	}
	return strings.Join(parts, w.Text("comma"))
}

// clocks writes several times of a day.
func (w voice) clocks(times []int) string {
	all := lists.Map(times, func(t int) string { return fmt.Sprintf("%02d:%02d", t/60, t%60) })
	return w.list(all, "clocks.and")
}

// list writes several in a row, the last behind the words of a key.
func (w voice) list(all []string, and string) string {
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return strings.Join(all[:last], w.Text("list.comma")) + w.Text(and) + all[last]
}

// clockText writes a time of day. Where clocks go back, the second of two has its offset from UTC.
func clockText(t time.Time) string {
	text := t.Format("15:04")
	if t.Second() != 0 {
		text = t.Format("15:04:05")
	}
	if all := recurrence.Instants(recurrence.Wall(t), t.Location()); len(all) == 2 && all[1].Equal(t) {
		text += " (UTC" + t.Format("-07:00") + ")"
	}
	return text
}

// DescribeDay returns a day with its weekday in a language, English for one that is not known: "Wed 25 Nov 2026".
func DescribeDay(t time.Time, lang string, withYear bool) string {
	return newVoice(lang).day(t, withYear)
}

//go:embed say
var sayings embed.FS

// voice says times in a language, in the words of say/words.
type voice struct {
	phrases.Words
	lang string
}

// newVoice returns the voice of a language, the English one for a language that is not known.
func newVoice(lang string) voice {
	folder, _ := fs.Sub(sayings, "say") // the path is a good one
	return voice{phrases.In(folder, lang), lang}
}

// member returns one of the words of a list, counted from 0.
func (w voice) member(list string, i int) string { return strings.Split(w.Text(list), "|")[i] }

func (w voice) day(t time.Time, withYear bool) string {
	key := "date.short"
	if withYear {
		key = "date"
	}
	weekday, month := w.member("days", isoWeekday(t)-1), w.member("months", int(t.Month())-1)
	return w.Text(key, weekday, strconv.Itoa(t.Day()), month, strconv.Itoa(t.Year()))
}

// amount writes how many there are of what has a key. Russian counts in three forms.
func (w voice) amount(n int, of string) string {
	form := "many"
	switch russian := w.lang == "ru"; {
	case !russian && n == 1, russian && n%10 == 1 && n%100 != 11:
		form = "one"
	case russian && n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14):
		form = "few"
	}
	return w.Text(of+"."+form, strconv.Itoa(n))
}

// length writes a length in the largest unit of which it is a whole number.
func (w voice) length(d time.Duration) string {
	units := []time.Duration{24 * hour, hour, minute, second}
	i := max(0, slices.IndexFunc(units, func(unit time.Duration) bool { return d%unit == 0 }))
	return w.amount(int(d/units[i]), []string{"day", "hour", "min", "sec"}[i])
}

// DescribeLength returns a length of time in the short units of a language: "1 h 30 min", "5 Min.". It is rounded up, from two minutes on
// to the minute.
func DescribeLength(d time.Duration, lang string) string {
	w, step := newVoice(lang), minute
	if d < 2*minute {
		step = second
	}
	d = (max(0, d) + step - 1).Truncate(step)
	text := ""
	for i, n := range []int{int(d / hour), int(d % hour / minute), int(d % minute / second)} {
		part := w.Text([]string{"h", "m", "s"}[i], strconv.Itoa(n))
		switch {
		case text == "" && (n > 0 || i == 2):
			text = part
		case n > 0:
			text = w.Text("both", text, part)
		}
	}
	return text
}

func (w voice) sun(text string) string {
	name, offset, _ := ParseSun(text)
	switch length := w.length(offset.Abs()); {
	case offset < 0:
		return w.Text("before."+name, length)
	case offset > 0:
		return w.Text("after."+name, length)
	}
	return w.Text("at." + name)
}

// every says a rule without its times and bounds: every 2 weeks on Monday and Friday.
func (w voice) every(r rule) string {
	n := max(r.interval, 1)
	cycle := w.Text("every." + r.unit)
	if n > 1 {
		cycle = w.Text("every", w.amount(n, r.unit))
	}
	switch {
	case r.nth != 0:
		return w.everyNth(r, cycle)
	case len(r.days) > 0:
		return w.everyWeekdays(n, cycle, r.days)
	case len(r.monthDays) > 0:
		return w.everyDate(r, cycle)
	}
	return cycle
}

func (w voice) everyWeekdays(n int, cycle string, days []int) string {
	if n == 1 && slices.Equal(days, []int{1, 2, 3, 4, 5}) {
		return w.Text("workdays")
	}
	key := "on"
	if n == 1 {
		key = "each"
	}
	names := []string{w.member(key, days[0]-1)}
	for _, d := range days[1:] {
		names = append(names, w.member("weekdays", d-1))
	}
	list := w.list(names, "days.and")
	if n == 1 {
		return list
	}
	return w.Text("both", cycle, list)
}

func (w voice) everyNth(r rule, cycle string) string {
	day := r.days[0] - 1
	which, weekday := w.member("ordinals."+w.member("genders", day), max(r.nth, 0)), w.member("weekdays", day)
	if r.month == 0 {
		return w.Text("nth", cycle, which, weekday)
	}
	return w.Text("nth.month", cycle, which, weekday, w.member("months", r.month-1))
}

func (w voice) everyDate(r rule, cycle string) string {
	day := r.monthDays[len(r.monthDays)-1]
	switch {
	case day < 0:
		return w.Text("lastday", cycle)
	case r.month != 0:
		return w.Text("yearday", cycle, strconv.Itoa(day), w.member("months", r.month-1))
	case w.lang == "de" || w.lang == "ru" || w.lang == "zh":
		return w.Text("monthday", cycle, strconv.Itoa(day))
	}
	return w.Text("monthday", cycle, ordinalText(day))
}

// ordinalText writes 3rd.
func ordinalText(n int) string {
	suffix := map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	if suffix == "" || n/10 == 1 {
		suffix = "th"
	}
	return strconv.Itoa(n) + suffix
}
