package when

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/recurrence"
)

// Describe returns the time of a reading for a confirmation in a language: "Wed 25 Nov 2026, 18:00", "every Monday, 08:00,
// from Mon 30 Nov 2026". Read reads it as the same instant and rule.
func Describe(r Reading, lang string, now time.Time) string {
	if !speaks(lang) {
		lang = "en"
	}
	w := voices()[lang]
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
		parts = append(parts, w.afterDone(lengthText(r.AfterDone, w)), dateText(start, lang), clock)
	case r.Repeat != "" && !repeats:
		parts = append(parts, r.Repeat, dateText(start, lang), clock)
	case repeats:
		parts = append(parts, w.every(rl))
		if len(rl.times) > 0 {
			clock = w.clocks(rl.times)
		}
		parts = append(parts, clock, w.from(dateText(start, lang)))
		if !rl.until.IsZero() {
			last := rl.until.In(now.Location())
			bounds = w.until(dateText(last, lang))
			if last.Format("15:04:05") != "23:59:59" {
				bounds += " " + clockText(last)
			}
		} else if rl.count > 0 {
			bounds = w.times(rl.count)
		}
	default:
		parts = append(parts, dateText(start, lang), clock)
	}
	if bounds != "" {
		parts = append(parts, bounds)
	}
	if r.UntilAcknowledged {
		parts = append(parts, w.untilDone)
	}
	if text := w.missed[r.Missed]; text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, w.comma)
}

// clocks writes several times of a day.
func (w voice) clocks(times []int) string {
	var all []string
	for _, t := range times {
		all = append(all, fmt.Sprintf("%02d:%02d", t/60, t%60))
	}
	comma := ", "
	if w.lang == "zh" {
		comma = "、"
	}
	last := len(all) - 1
	return strings.Join(all[:last], comma) + w.and + all[last]
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

// dateText writes a day with its weekday.
func dateText(t time.Time, lang string) string { return DescribeDay(t, lang, true) }

// DescribeDay returns a day with its weekday in a language, English for one that is not known: "Wed 25 Nov 2026".
func DescribeDay(t time.Time, lang string, withYear bool) string {
	if !speaks(lang) {
		lang = "en"
	}
	w, year := voices()[lang], ""
	day := isoWeekday(dayOf(t))
	if withYear {
		year = " " + strconv.Itoa(t.Year())
	}
	switch lang {
	case "de":
		return fmt.Sprintf("%s %d. %s%s", w.days[day], t.Day(), w.months[t.Month()], year)
	case "zh":
		if withYear {
			year = strconv.Itoa(t.Year()) + "年"
		}
		return fmt.Sprintf("%s%d月%d日%s", year, int(t.Month()), t.Day(), w.days[day])
	}
	return fmt.Sprintf("%s %d %s%s", w.days[day], t.Day(), w.months[t.Month()], year)
}

// timeGap stands between a date and a time.
func timeGap(lang string) string {
	if lang == "zh" {
		return " "
	}
	return ", "
}

func tomorrowWord(lang string) string {
	return map[string]string{"en": "tomorrow", "de": "morgen", "ru": "завтра", "zh": "明天"}[lang]
}

// voice is how a language says times.
type voice struct {
	lang      string
	comma     string
	days      [8]string // short
	longDays  [8]string
	months    [13]string
	untilDone string
	missed    map[string]string // by [Reading.Missed]
	and       string
	units     map[string][3]string // one, few, many
	ordinals  [6]string            // of a weekday in its month, 0 is the last
	workdays  string
	short     [3]string // hours, minutes and seconds
	gap       string    // between an amount and its unit
}

func voices() map[string]voice {
	return map[string]voice{
		"en": {
			lang: "en", workdays: "on weekdays", short: [3]string{"h", "min", "s"}, gap: " ", comma: ", ", and: " and ", untilDone: "until you say done",
			missed:   map[string]string{"late": "also if late", "skip": "not if late"},
			days:     [8]string{"", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"},
			longDays: [8]string{"", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
			months:   [13]string{"", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
			units: map[string][3]string{"sec": {"second", "seconds", "seconds"}, "min": {"minute", "minutes", "minutes"}, "hour": {"hour", "hours", "hours"},
				"day": {"day", "days", "days"}, "week": {"week", "weeks", "weeks"}, "month": {"month", "months", "months"}, "year": {"year", "years", "years"}},
			ordinals: [6]string{"last", "first", "second", "third", "fourth", "fifth"},
		},
		"de": {
			lang: "de", workdays: "werktags", short: [3]string{"Std.", "Min.", "Sek."}, gap: " ", comma: ", ", and: " und ", untilDone: "bis du erledigt sagst",
			missed:   map[string]string{"late": "auch nachträglich", "skip": "nicht nachträglich"},
			days:     [8]string{"", "Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa.", "So."},
			longDays: [8]string{"", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"},
			months:   [13]string{"", "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
			units: map[string][3]string{"sec": {"Sekunde", "Sekunden", "Sekunden"}, "min": {"Minute", "Minuten", "Minuten"}, "hour": {"Stunde", "Stunden", "Stunden"},
				"day": {"Tag", "Tage", "Tage"}, "week": {"Woche", "Wochen", "Wochen"}, "month": {"Monat", "Monate", "Monate"}, "year": {"Jahr", "Jahre", "Jahre"}},
			ordinals: [6]string{"letzten", "ersten", "zweiten", "dritten", "vierten", "fünften"},
		},
		"ru": {
			lang: "ru", workdays: "по будням", short: [3]string{"ч", "мин", "с"}, gap: " ", comma: ", ", and: " и ", untilDone: "пока вы не скажете готово",
			missed:   map[string]string{"late": "даже с опозданием", "skip": "но не с опозданием"},
			days:     [8]string{"", "пн", "вт", "ср", "чт", "пт", "сб", "вс"},
			longDays: [8]string{"", "понедельник", "вторник", "среду", "четверг", "пятницу", "субботу", "воскресенье"},
			months:   [13]string{"", "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря"},
			units: map[string][3]string{"sec": {"секунду", "секунды", "секунд"}, "min": {"минуту", "минуты", "минут"}, "hour": {"час", "часа", "часов"},
				"day": {"день", "дня", "дней"}, "week": {"неделю", "недели", "недель"}, "month": {"месяц", "месяца", "месяцев"}, "year": {"год", "года", "лет"}},
		},
		"zh": {
			lang: "zh", workdays: "每个工作日", short: [3]string{"小时", "分钟", "秒"}, comma: " ", and: "和", untilDone: "直到你说完成",
			missed:   map[string]string{"late": "错过也要补上", "skip": "错过就算了"},
			days:     [8]string{"", "周一", "周二", "周三", "周四", "周五", "周六", "周日"},
			longDays: [8]string{"", "周一", "周二", "周三", "周四", "周五", "周六", "周日"},
			units: map[string][3]string{"sec": {"秒", "秒", "秒"}, "min": {"分钟", "分钟", "分钟"}, "hour": {"个小时", "个小时", "个小时"},
				"day": {"天", "天", "天"}, "week": {"周", "周", "周"}, "month": {"个月", "个月", "个月"}, "year": {"年", "年", "年"}},
		},
	}
}

// amount writes a number with its unit.
func (w voice) amount(n int, unit string) string {
	forms := w.units[unit]
	form := forms[1]
	switch {
	case w.lang == "ru":
		form = forms[2]
		if n%10 == 1 && n%100 != 11 {
			form = forms[0]
		} else if n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14) {
			form = forms[1]
		}
	case n == 1:
		form = forms[0]
	}
	if w.lang == "zh" {
		return strconv.Itoa(n) + form
	}
	return strconv.Itoa(n) + " " + form
}

// lengthText writes an amount of time in its largest whole unit.
func lengthText(d time.Duration, w voice) string {
	for _, u := range []struct {
		unit string
		each time.Duration
	}{{"day", 24 * hour}, {"hour", hour}, {"min", minute}} {
		if d%u.each == 0 {
			return w.amount(int(d/u.each), u.unit)
		}
	}
	return w.amount(int(d/second), "sec")
}

// DescribeLength returns a length of time in the short units of a language: "1 h 30 min", "5 Min.". It is rounded up, from two minutes on
// to the minute.
func DescribeLength(d time.Duration, lang string) string {
	if !speaks(lang) {
		lang = "en"
	}
	w, step := voices()[lang], minute
	if d < 2*minute {
		step = second
	}
	d = (max(0, d) + step - 1).Truncate(step)
	var parts []string
	for i, n := range []int{int(d / hour), int(d % hour / minute), int(d % minute / second)} {
		if n > 0 || i == 2 && len(parts) == 0 {
			parts = append(parts, strconv.Itoa(n)+w.gap+w.short[i])
		}
	}
	return strings.Join(parts, w.gap)
}

func (w voice) afterDone(length string) string {
	switch w.lang {
	case "de":
		return length + " nach Erledigung"
	case "ru":
		return length + " после выполнения"
	case "zh":
		return length + "完成后"
	}
	return length + " after done"
}

func (w voice) from(date string) string {
	return map[string]string{"en": "from ", "de": "ab ", "ru": "с ", "zh": "从"}[w.lang] + date
}

func (w voice) until(date string) string {
	return map[string]string{"en": "until ", "de": "bis ", "ru": "до ", "zh": "到"}[w.lang] + date
}

func (w voice) times(n int) string {
	switch w.lang {
	case "de":
		return fmt.Sprintf("%d Mal", n)
	case "ru":
		if n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14) {
			return fmt.Sprintf("%d раза", n)
		}
		return fmt.Sprintf("%d раз", n)
	case "zh":
		return fmt.Sprintf("%d次", n)
	}
	if n == 1 {
		return "1 time"
	}
	return fmt.Sprintf("%d times", n)
}

// sun writes a time by the sun: 30 minutes before sunset.
func (w voice) sun(text string) string {
	name, offset := parseSun(text)
	names := map[string][2]string{"en": {"sunrise", "sunset"}, "de": {"Sonnenaufgang", "Sonnenuntergang"}, "ru": {"восхода солнца", "заката солнца"}, "zh": {"日出", "日落"}}
	at := map[string][2]string{"en": {"at sunrise", "at sunset"}, "de": {"bei Sonnenaufgang", "bei Sonnenuntergang"}, "ru": {"на восходе солнца", "на закате солнца"}, "zh": {"日出", "日落"}}
	i := 0
	if name == "sunset" {
		i = 1
	}
	if offset == 0 {
		return at[w.lang][i]
	}
	length, sun := lengthText(offset.Abs(), w), names[w.lang][i]
	before := offset < 0
	side := func(b, a string) string {
		if before {
			return b
		}
		return a
	}
	switch w.lang {
	case "de":
		return length + side(" vor ", " nach ") + sun
	case "ru":
		return side("за ", "через ") + length + side(" до ", " после ") + sun
	case "zh":
		return sun + side("前", "后") + length
	}
	return length + side(" before ", " after ") + sun
}

// every writes a rule: every 2 weeks on Monday and Thursday.
func (w voice) every(r rule) string {
	n := max(r.interval, 1)
	unit := map[string]string{"SECONDLY": "sec", "MINUTELY": "min", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}[r.freq]
	cycle := w.cycle(n, unit)
	var days []string
	for _, d := range r.days {
		days = append(days, w.longDays[d])
	}
	month := ""
	if r.month != 0 && w.lang != "zh" {
		month = w.months[r.month]
	}
	switch {
	case r.nth != 0:
		return w.everyNth(r, cycle, days[0], month)
	case len(days) > 0:
		return w.everyWeekdays(n, cycle, days)
	case len(r.monthDays) > 0:
		return w.everyDate(r, cycle, month)
	}
	return cycle
}

// cycle writes every 2 weeks.
func (w voice) cycle(n int, unit string) string {
	switch w.lang {
	case "de":
		if n == 1 {
			return map[string]string{"sec": "jede Sekunde", "min": "jede Minute", "hour": "jede Stunde", "day": "jeden Tag", "week": "jede Woche", "month": "jeden Monat", "year": "jedes Jahr"}[unit]
		}
		return "alle " + w.amount(n, unit)
	case "ru":
		if n == 1 {
			return map[string]string{"sec": "каждую секунду", "min": "каждую минуту", "hour": "каждый час", "day": "каждый день", "week": "каждую неделю", "month": "каждый месяц", "year": "каждый год"}[unit]
		}
		return "каждые " + w.amount(n, unit)
	case "zh":
		if n == 1 {
			return "每" + strings.TrimPrefix(w.units[unit][0], "个")
		}
		return "每" + w.amount(n, unit)
	}
	if n == 1 {
		return "every " + w.units[unit][0]
	}
	return "every " + w.amount(n, unit)
}

func (w voice) everyWeekdays(n int, cycle string, days []string) string {
	if n == 1 && slices.Equal(days, w.longDays[1:6]) {
		return w.workdays
	}
	list := days[0]
	if len(days) > 1 {
		list = strings.Join(days[:len(days)-1], ", ") + w.and + days[len(days)-1]
	}
	switch w.lang {
	case "de":
		if n == 1 {
			return "jeden " + list
		}
		return cycle + " am " + list
	case "ru":
		if n == 1 {
			return [...]string{"каждый ", "каждую ", "каждое "}[w.gender(days[0])] + list
		}
		return cycle + w.in(list) + list
	case "zh":
		list = strings.Join(days, "、")
		if n == 1 {
			return "每" + list
		}
		return cycle + "的" + list
	}
	if n == 1 {
		return "every " + list
	}
	return cycle + " on " + list
}

// gender returns that of a Russian weekday: 0 понедельник, 1 среду, 2 воскресенье.
func (w voice) gender(day string) int {
	switch {
	case strings.HasSuffix(day, "у"):
		return 1
	case strings.HasSuffix(day, "е"):
		return 2
	}
	return 0
}

// in is the Russian word before a weekday.
func (w voice) in(day string) string {
	if strings.HasPrefix(day, "вт") {
		return " во "
	}
	return " в "
}

func (w voice) everyNth(r rule, cycle, day, month string) string {
	if w.lang == "zh" {
		which := fmt.Sprintf("第%d个", r.nth)
		if r.nth < 0 {
			which = "最后一个"
		}
		if r.month != 0 {
			return fmt.Sprintf("%s%d月的%s%s", cycle, r.month, which, day)
		}
		return cycle + "的" + which + day
	}
	if w.lang == "ru" {
		gender := w.gender(day)
		which := strconv.Itoa(r.nth) + [...]string{"-й", "-ю", "-е"}[gender]
		if r.nth < 0 {
			which = [...]string{"последний", "последнюю", "последнее"}[gender]
		}
		if month != "" {
			return cycle + " в " + which + " " + day + " " + month
		}
		return cycle + " в " + which + " " + day
	}
	which := w.ordinals[max(r.nth, 0)]
	if w.lang == "de" {
		if month != "" {
			return cycle + " am " + which + " " + day + " im " + month
		}
		return cycle + " am " + which + " " + day
	}
	if month != "" {
		return cycle + " on the " + which + " " + day + " of " + month
	}
	return cycle + " on the " + which + " " + day
}

func (w voice) everyDate(r rule, cycle, month string) string {
	day := r.monthDays[len(r.monthDays)-1]
	if day < 0 {
		return cycle + map[string]string{"en": " on the last day", "de": " am letzten Tag", "ru": " в последний день", "zh": "的最后一天"}[w.lang]
	}
	if w.lang == "zh" {
		if r.month != 0 {
			return fmt.Sprintf("%s%d月%d日", cycle, r.month, day)
		}
		return fmt.Sprintf("%s%d号", cycle, day)
	}
	if month != "" {
		switch w.lang {
		case "de":
			return fmt.Sprintf("%s am %d. %s", cycle, day, month)
		case "ru":
			return fmt.Sprintf("%s %d %s", cycle, day, month)
		}
		return fmt.Sprintf("%s on %d %s", cycle, day, month)
	}
	switch w.lang {
	case "de":
		return fmt.Sprintf("%s am %d.", cycle, day)
	case "ru":
		return fmt.Sprintf("%s %d-го числа", cycle, day)
	}
	return fmt.Sprintf("%s on the %s", cycle, ordinalText(day))
}

// ordinalText writes 3rd.
func ordinalText(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
