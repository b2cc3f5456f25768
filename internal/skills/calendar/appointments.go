package calendar

import (
	"context"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
)

// Appointment is what is in a calendar at a time.
type Appointment struct {
	Title      string // of one line; a stranger's words
	Start, End time.Time
	AllDay     bool // Start and End are midnights then
}

// Appointments returns what is in all calendars between two times, in order of days; the zone is that of from. What has no title is left out. Where there is no
// calendar, the error says so in a language. Notes say what could not be read.
func Appointments(ctx context.Context, c Config, from, to time.Time, lang string) (all []Appointment, label event.Label, notes []string, err error) {
	w := wordsOf(lang)
	found, label, notes, err := c.find(ctx, w, from, to)
	label.Untrusted = true
	if err == nil && found == nil {
		err = tools.Missing(event.CodeFileNotFound, "%s", w.Text("no calendar"))
	}
	for _, o := range inOrder(found, from) {
		if title := short(o.Event.Summary, maxSummary); title != "" {
			all = append(all, Appointment{title, local(o.Start, o, from.Location()), local(o.End, o, from.Location()), o.Event.AllDay})
		}
	}
	return all, label, notes, err
}
