package reminders

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/tools"
	"hob/internal/when"
)

// undoChoice is a button that takes back a change.
func undoChoice(label string, change int64, beside bool) event.Choice {
	return event.Choice{Label: label, Text: fmt.Sprintf("/undo #%d", change), Beside: beside, Trusted: true}
}

// result is a text about a reminder, with its data.
func (k *keeper) result(r event.Reminder, text string) tools.Result {
	return tools.Result{Text: text, Data: dataOf(r), Label: r.Label}
}

func dataOf(r event.Reminder) Reminder {
	d := Reminder{ID: r.ID, Zone: r.When.Zone, Text: r.Text, Repeat: r.When.Repeat, Missed: string(r.When.Missed), State: string(r.State), For: r.For.Name}
	if zone, err := time.LoadLocation(r.When.Zone); err == nil && !r.Due.IsZero() {
		d.Due = r.Due.In(zone).Format(time.RFC3339)
	}
	return d
}

// describe is a reminder in a line: its number, when, and of what.
func (k *keeper) describe(r event.Reminder) string {
	text := "⏰ #" + strconv.FormatInt(r.ID, 10) + " " + k.at(r)
	if r.For.Name != "" {
		text += " " + wordsOf(r.Lang).Text("for", r.For.Name)
	}
	if r.Text != "" || r.Due.IsZero() { // what is left of a timer says which it is
		text += ": " + markedText(r)
	}
	return text
}

// Title names a reminder for a person: by its text, and a timer without one by its length.
func Title(r event.Reminder) string {
	w := wordsOf(r.Lang)
	if what, wakes := r.Wakes(); wakes {
		return cmp.Or(what, w.Text("wake"))
	}
	if r.Text == "" && r.Timer {
		end, _ := time.ParseInLocation(event.StartLayout, r.When.Start, readingOf(r).Start.Location()) // whenOf wrote it
		return w.Text("timer", when.DescribeLength(end.Sub(r.Created), r.Lang))
	}
	return r.Text
}

// named has a change of a reminder whose text is not its title under that title in the log of changes.
func named(c event.Cause, r event.Reminder) event.Cause {
	if title := Title(r); title != r.Text {
		c.What = title
	}
	return c
}

// markedText is the text of a reminder. It says where it comes from if strangers wrote it.
func markedText(r event.Reminder) string {
	text := Title(r)
	if r.Label.Untrusted && r.Label.Source != "" {
		text += " (" + wordsOf(r.Lang).Text("stranger", r.Label.Source) + ")"
	}
	return text
}

// describeState is describe for one that may be over.
func (k *keeper) describeState(r event.Reminder) string {
	w := wordsOf(r.Lang)
	switch r.State {
	case event.ReminderDone:
		return w.Text("done") + ": " + markedText(r)
	case event.ReminderCancelled:
		return w.Text("cancelled") + ": " + markedText(r)
	case event.ReminderMissed:
		return k.describe(r) + " (" + w.Text("missed") + ")"
	case event.ReminderRefused:
		return w.Text("consent.refused", nameIn(w, r.For)) + " " + k.describe(r)
	case event.ReminderWaiting:
		return k.describe(r) + " (" + w.Text("waits") + ")"
	}
	return k.describe(r)
}

// at says when a reminder comes next, in absolute local time with the weekday, and by which rule.
func (k *keeper) at(r event.Reminder) string {
	read := readingOf(r)
	if r.Timer && !r.Due.IsZero() {
		left, layout := r.Due.Sub(k.cfg.Now()), "15:04:05"
		if left > time.Hour {
			layout = "15:04"
		}
		due := r.Due.In(read.Start.Location()).Format(layout)
		if left <= 0 { // no hob ran to tell it
			return wordsOf(r.Lang).Text("over", due)
		}
		return wordsOf(r.Lang).Text("left", when.DescribeLength(left, r.Lang), due)
	}
	if r.Timer { // it has rung, and nobody counts its seconds any more
		read.Start = read.Start.Truncate(time.Minute)
	}
	text := when.Describe(read, r.Lang, k.cfg.Now().In(read.Start.Location()))
	if !r.Due.IsZero() && !r.Planned.IsZero() && !r.Due.Equal(r.Planned) {
		again := when.Describe(when.Reading{Start: r.Due.In(read.Start.Location())}, r.Lang, k.cfg.Now())
		text += " (" + wordsOf(r.Lang).Text("again", again) + ")"
	}
	if now := k.cfg.Now(); !schedule.ShowsSame(r, now.Location(), now) {
		text += " (" + r.When.Zone + ")"
	}
	return text
}
