package schedule

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/when"
)

// reminded is what is said of a reminder that is due.
type reminded struct {
	event.Reminder
	due     time.Time // the time that is told: the newest, where some were missed
	again   bool      // it was told before, for the same time, and nobody has said that it is done
	late    bool
	missed  int  // times before it that were not told
	skipped bool // it was missed, and is not told then
}

// key says which reminder is told, for the how-manieth time, and for which time.
func (n reminded) key() string {
	return fmt.Sprintf("%d/%d/%d", n.ID, n.Sent+1, n.due.UnixMilli())
}

// words are what hob says around a reminder in a language.
type words struct {
	late, missed, from, stranger, unseen, timer, more string
	done, tomorrow, wake                              string
	notAsked, notDone                                 string // to who asked for it: %[1]s is for whom, %[2]s of what
}

func wordsOf(lang string) words {
	switch lang {
	case "de":
		return words{
			late: "spät: fällig war %s", missed: "%d-mal davor verpasst", from: "von %s", stranger: "fremde Worte, aus %s",
			unseen: "%d. von %d Malen: sag „erledigt“", timer: "Die Zeit ist um", more: "%d Erinnerungen",
			done: "Erledigt", tomorrow: "Morgen", wake: "Aufwachen",
			notAsked: "%[1]s hat noch nicht gesagt, ob ich erinnern darf. Nicht erinnert: %[2]s",
			notDone:  "%[1]s hat auf die Erinnerung nicht geantwortet: %[2]s. Ich habe %[3]d-mal erinnert.",
		}
	case "ru":
		return words{
			late: "поздно: надо было %s", missed: "пропущено раз: %d", from: "от %s", stranger: "чужие слова, из %s",
			unseen: "%d-й раз из %d: скажите «готово»", timer: "Время вышло", more: "Напоминаний: %d",
			done: "Готово", tomorrow: "Завтра", wake: "Подъём",
			notAsked: "%[1]s ещё не отвечает, можно ли напоминать. Напоминания не было: %[2]s",
			notDone:  "%[1]s не отвечает на напоминание: %[2]s. Напомнил раз: %[3]d.",
		}
	case "zh":
		return words{
			late: "晚了：应在 %s", missed: "之前错过 %d 次", from: "来自 %s", stranger: "他人的文字，来自 %s",
			unseen: "第 %d 次，共 %d 次：请说“完成了”", timer: "时间到", more: "%d 条提醒",
			done: "完成", tomorrow: "明天", wake: "起床了",
			notAsked: "%[1]s还没有回答是否可以提醒，所以没有提醒：%[2]s",
			notDone:  "%[1]s没有回应这条提醒：%[2]s。我提醒了 %[3]d 次。",
		}
	}
	return words{
		late: "late: it was due %s", missed: "%d missed before it", from: "from %s", stranger: "a stranger's words, from %s",
		unseen: "%d of %d: say done", timer: "Time is up", more: "%d reminders",
		done: "Done", tomorrow: "Tomorrow", wake: "Wake up",
		notAsked: "%[1]s has not answered yet whether I may. Not reminded of: %[2]s",
		notDone:  "%[1]s has not answered the reminder: %[2]s. I said it %[3]d times.",
	}
}

// title is the text of a reminder. A timer says that it is over, an alarm that it wakes.
func (n reminded) title() string {
	w, text := wordsOf(n.Lang), n.Text
	what, wakes := n.Wakes()
	switch {
	case wakes:
		text = cmp.Or(what, w.wake)
	case n.Timer && text == "":
		text = w.timer
	case n.Timer:
		text = w.timer + ": " + text
	}
	return text
}

// line is what a person reads of one reminder.
func (n reminded) line() string {
	w := wordsOf(n.Lang)
	text := n.title()
	if n.For.Name != "" && n.Chat.Shared() {
		text = n.For.Name + ": " + text
	}
	var about []string
	add := func(format string, args ...any) { about = append(about, fmt.Sprintf(format, args...)) }
	if n.For != (event.Party{}) && n.By.Name != "" {
		add(w.from, n.By.Name)
	}
	if n.late {
		due := n.due
		if n.again && !n.Planned.IsZero() {
			due = n.Planned
		}
		at := local(due, n.When.Zone)
		add(w.late, when.Describe(when.Reading{Start: at}, n.Lang, at))
	}
	if n.missed > 0 {
		add(w.missed, n.missed)
	}
	if n.again {
		add(w.unseen, n.Unseen%maxAgain+1, maxAgain)
	}
	if n.Label.Untrusted {
		add(w.stranger, n.Label.Source)
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, "; ") + ")"
	}
	return "⏰ " + text
}

// note is the note that tells one reminder. The buttons give the commands that a person could type.
func (n reminded) note() event.Noted {
	w, id := wordsOf(n.Lang), strconv.FormatInt(n.ID, 10)
	return event.Noted{
		ID: "reminder/" + n.key(), Text: n.line(), Label: n.Label, Loud: true, Reminder: n.ID,
		Choices: []event.Choice{
			{Label: w.done, Text: "/reminder " + id + " done"},
			{Label: "+10 min", Text: "/reminder " + id + " in 10 minutes", Beside: true},
			{Label: "+1 h", Text: "/reminder " + id + " in 1 hour", Beside: true},
			{Label: w.tomorrow, Text: "/reminder " + id + " tomorrow", Beside: true},
		},
	}
}

// maxButtons is how many buttons a note of several has: further ones have their command alone.
const maxButtons = 8

// digestNote is the note that tells several.
func digestNote(all []reminded) event.Noted {
	note := event.Noted{ID: all[0].Digest, Loud: true}
	lines := []string{fmt.Sprintf(wordsOf(all[0].Lang).more, len(all))}
	for _, n := range all {
		note.Label = note.Label.Join(n.Label)
		id := strconv.FormatInt(n.ID, 10)
		lines = append(lines, n.line()+"  /reminder "+id)
		if len(note.Choices) < maxButtons {
			note.Choices = append(note.Choices, event.Choice{
				Label: wordsOf(n.Lang).done + " #" + id, Text: "/reminder " + id + " done", Beside: len(note.Choices)%2 > 0,
			})
		}
	}
	note.Text = strings.Join(lines, "\n")
	return note
}

// local is t on the clocks of a zone.
func local(t time.Time, zone string) time.Time {
	if l, err := time.LoadLocation(zone); err == nil {
		return t.In(l)
	}
	return t
}
