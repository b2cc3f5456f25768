package schedule

import (
	"cmp"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/phrases"
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

//go:embed words
var files embed.FS

// wordsOf returns what hob says around a reminder in a language.
func wordsOf(lang string) phrases.Words { return phrases.In(files, lang) }

// title is the text of a reminder. A timer says that it is over, an alarm that it wakes.
func (n reminded) title() string {
	w, text := wordsOf(n.Lang), n.Text
	what, wakes := n.Wakes()
	switch {
	case wakes:
		text = cmp.Or(what, w.Text("wake"))
	case n.Timer && text == "":
		text = w.Text("timer")
	case n.Timer:
		text = w.Text("timer") + ": " + text
	}
	return text
}

// line is what a person reads of one reminder.
func (n reminded) line() string {
	w := wordsOf(n.Lang)
	text := n.title()
	if whose := cmp.Or(n.For.Name, n.By.Name); whose != "" && n.Chat.Shared() {
		text = whose + ": " + text
	}
	var about []string
	add := func(key string, args ...string) { about = append(about, w.Text(key, args...)) }
	if n.For != (event.Party{}) && n.By.Name != "" {
		add("from", n.By.Name)
	}
	if n.late {
		due := n.due
		if n.again && !n.Planned.IsZero() {
			due = n.Planned
		}
		at := local(due, n.When.Zone)
		add("late", when.Describe(when.Reading{Start: at}, n.Lang, at))
	}
	if n.missed > 0 {
		add("missed", strconv.Itoa(n.missed))
	}
	if n.again {
		add("unseen", strconv.Itoa(n.Unseen%maxAgain+1), strconv.Itoa(maxAgain))
	}
	if n.Label.Untrusted && n.Label.Source != "" {
		add("stranger", n.Label.Source)
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, "; ") + ")"
	}
	return "⏰ " + text
}

// note is the note that tells one reminder. The buttons give the commands that a person could type.
func (n reminded) note() event.Noted {
	w := wordsOf(n.Lang)
	return event.Noted{
		ID: "reminder/" + n.key(), Text: n.line(), Label: n.Label, Loud: true, Reminder: n.ID,
		Choices: []event.Choice{
			n.Choice(w.Text("done"), "done", false), n.Choice("+10 min", "in 10 minutes", true),
			n.Choice("+1 h", "in 1 hour", true), n.Choice(w.Text("tomorrow"), "tomorrow", true),
		},
	}
}

// maxButtons is how many buttons a note of several has: further ones have their command alone.
const maxButtons = 8

// digestNote is the note that tells several.
func digestNote(all []reminded) event.Noted {
	note := event.Noted{ID: all[0].Digest, Loud: true}
	lines := []string{wordsOf(all[0].Lang).Text("more", strconv.Itoa(len(all)))}
	for _, n := range all {
		note.Label = note.Label.Join(n.Label)
		id := strconv.FormatInt(n.ID, 10)
		lines = append(lines, n.line()+"  /reminder "+id)
		if len(note.Choices) < maxButtons {
			note.Choices = append(note.Choices, n.Choice(wordsOf(n.Lang).Text("done")+" #"+id, "done", len(note.Choices)%2 > 0))
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
