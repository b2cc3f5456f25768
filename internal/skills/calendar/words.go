package calendar

import (
	"fmt"
	"time"

	"hob/internal/display"
	"hob/internal/when"
)

// words are what the tool says in a language.
type words struct {
	lang string

	noCalendar, nothing, more             string
	allDay, to, noTitle, place, tentative string
	on, between                           string // a period without appointments

	notRead, tooMany, faults, cut string // of files
	calendars, faultCount         string // how many; "": as English counts
}

func wordsOf(lang string) words {
	switch lang {
	case "de":
		return words{
			lang: "de",
			noCalendar: "es gibt noch keinen Kalender: leg eine .ics-Datei in den Arbeitsordner, etwa calendar/home.ics, " +
				"oder nenne eine in [files] calendars der config.toml",
			nothing: "es steht nichts an %s", more: "und %d weitere",
			allDay: "ganztägig", to: "bis", noTitle: "(ohne Titel)", place: ", Ort: %s", tentative: " (noch nicht sicher)",
			on: "am %s", between: "vom %s bis %s",
			notRead: "%s wird nicht gelesen: %s", tooMany: "%s mehr nicht gelesen: höchstens %d Dateien oder %s", calendars: "%d Kalender", faultCount: "%d Fehler",
			faults: "%s hat %s, den ersten in Zeile %d: %s", cut: "%s hat mehr, als hier steht: manches wiederholt sich zu oft",
		}
	case "ru":
		return words{
			lang: "ru",
			noCalendar: "календаря ещё нет: положите файл .ics в рабочую папку, например calendar/home.ics, " +
				"или укажите его в [files] calendars файла config.toml",
			nothing: "ничего нет: %s", more: "и ещё %d",
			allDay: "весь день", to: "—", noTitle: "(без названия)", place: ", место: %s", tentative: " (не точно)",
			on: "%s", between: "%s — %s",
			notRead: "%s не прочитан: %s", tooMany: "не прочитано %s: самое большее %d файлов или %s", calendars: "календарей: %d", faultCount: "ошибок: %d",
			faults: "%s, %s, первая в строке %d: %s", cut: "в %s больше, чем показано: что-то повторяется слишком часто",
		}
	case "zh":
		return words{
			lang:       "zh",
			noCalendar: "还没有日历：请把 .ics 文件放进工作文件夹，例如 calendar/home.ics，或在 config.toml 的 [files] calendars 中写明",
			nothing:    "%s没有安排", more: "还有 %d 项",
			allDay: "全天", to: "至", noTitle: "（无标题）", place: "，地点：%s", tentative: "（未确定）",
			on: "%s", between: "%s至%s",
			notRead: "%s 未读取：%s", tooMany: "还有%s未读取：最多 %d 个文件或 %s", calendars: " %d 个日历", faultCount: " %d 处错误",
			faults: "%s 有%s，第一处在第 %d 行：%s", cut: "%s 的内容多于所示：有些重复得太频繁",
		}
	}
	return words{
		lang: "en",
		noCalendar: "there is no calendar yet: put an .ics file into the workspace, such as calendar/home.ics, " +
			"or name one in [files] calendars of config.toml",
		nothing: "there is nothing %s", more: "and %d more",
		allDay: "all day", to: "to", noTitle: "(no title)", place: ", at %s", tentative: " (not certain)",
		on: "on %s", between: "from %s to %s",
		notRead: "%s is not read: %s", tooMany: "%s more not read: %d files or %s are the most",
		faults: "%s has %s, the first in line %d: %s", cut: "%s has more than is shown: some of its rules repeat too often",
	}
}

// count says how many calendars there are, or faults.
func (w words) count(n int, format, english string) string {
	if format == "" {
		return display.Count(n, english)
	}
	return fmt.Sprintf(format, n)
}

// day names a day in a list; the year is that of now unless it is said.
func (w words) day(t, from time.Time) string {
	return when.DescribeDay(t, w.lang, t.Year() != from.Year())
}

// period names the days from a midnight to another.
func (w words) period(from, to time.Time) string {
	if last := to.AddDate(0, 0, -1); last.After(from) {
		return fmt.Sprintf(w.between, w.whole(from), w.whole(last))
	}
	return fmt.Sprintf(w.on, w.whole(from))
}

func (w words) whole(t time.Time) string {
	if w.lang == "en" {
		return t.Format(longLayout)
	}
	return when.DescribeDay(t, w.lang, true)
}
