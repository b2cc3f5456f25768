package app

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/ical"
	"hob/internal/lists"
	"hob/internal/schedule"
	"hob/internal/store"
	"hob/internal/tools"
)

// maxImported limits the reminders from one calendar.
const maxImported = 500

// dayHour is the hour at which a person is reminded of a whole day.
const dayHour = 9 * time.Hour

// ReadCalendar returns the coming events of a calendar as reminders that nobody has asked for yet,
// and the parts that could not be read. name is the name of the file. Its text is a stranger's.
func (s *Environment) ReadCalendar(r io.Reader, name string) (all []event.Reminder, problems []ical.Problem, err error) {
	now := s.Clock()()
	calendar, problems, err := ical.Parse(r, now.Location())
	if err != nil {
		return nil, nil, exit.Errorf(exit.Usage, "%s: %v", name, err)
	}
	for _, e := range calendar.Events {
		if e.Status == "CANCELLED" || !e.RecurrenceID.IsZero() || len(e.Repeat) > 1 {
			continue
		}
		made := s.fromEvent(e, now)
		made.Label = event.Label{Untrusted: true, Source: "calendar:" + name}
		if made.Due, err = schedule.Next(made.When, now, s.place()); err != nil || made.Due.IsZero() {
			if err != nil {
				problems = append(problems, ical.Problem{Text: fmt.Sprintf("%s: %v", e.Summary, err)})
			}
			continue
		}
		made.Planned = made.Due
		all = append(all, made)
	}
	if len(all) > maxImported {
		return nil, nil, exit.Errorf(exit.Usage, "%s has %d events to come, and hob takes %d of one calendar: make it shorter", name, len(all), maxImported)
	}
	return all, problems, nil
}

// fromEvent returns an event as a reminder: due at its first alarm, else at its begin.
func (s *Environment) fromEvent(e ical.Event, now time.Time) event.Reminder {
	zone := e.Zone
	if zone == "" {
		zone = now.Location().String()
	}
	offset := time.Duration(0)
	if e.AllDay {
		offset = dayHour
	}
	for _, a := range e.Alarms {
		if a.At.IsZero() && !a.FromEnd {
			offset = a.Trigger
			break
		}
	}
	if at := e.Start.Add(offset); len(e.Repeat) > 0 && at.YearDay() != e.Start.YearDay() {
		offset = 0 // an offset could move a rule of weekdays to other days
	}
	local := func(t time.Time) string { return t.Add(offset).Format(event.StartLayout) }
	w := event.When{Start: local(e.Start), Zone: zone, Also: lists.Map(e.RDates, local), Not: lists.Map(e.ExDates, local)}
	if len(e.Repeat) > 0 {
		w.Repeat = e.Repeat[0]
	}
	text := e.Summary
	if e.Location != "" {
		text += " (" + e.Location + ")"
	}
	return event.Reminder{State: event.ReminderOpen, When: w, Text: strings.TrimSpace(text)}
}

// AddReminders stores reminders that an owner asked for in a chat. They are undone together.
func AddReminders(ctx context.Context, db *store.DB, chat event.Chat, all []event.Reminder) error {
	cause := tools.Caller{Chat: chat, User: "owner", Principal: LocalOwner()}.Cause("remind")
	for _, r := range all {
		r.Chat, r.By = chat, event.Party{Platform: LocalOwner().Platform, ID: "owner"}
		made, err := db.Reminders().Add(event.WithCause(ctx, cause), r)
		if err != nil {
			return err
		}
		cause.Part = cmp.Or(cause.Part, made.Change)
	}
	return nil
}

// readTimes parses local times of reminders.
func readTimes(texts []string, zone *time.Location) (all []time.Time) {
	for _, text := range texts {
		if t, err := time.ParseInLocation(event.StartLayout, text, zone); err == nil {
			all = append(all, t)
		}
	}
	return all
}

// WriteCalendar writes the coming reminders as a calendar, for other programs. A reminder by the
// sun, or one that counts from its last completion, has no rule in a calendar, so only its next
// time is written.
func WriteCalendar(to io.Writer, all []event.Reminder) error {
	var c ical.Calendar
	for _, r := range all {
		zone, err := time.LoadLocation(r.When.Zone)
		if err != nil || r.State != event.ReminderOpen || r.Due.IsZero() {
			continue
		}
		start := r.Due.In(zone)
		e := ical.Event{
			UID: fmt.Sprintf("reminder-%d@hob", r.ID), Summary: r.Text, Zone: zone.String(), Stamp: r.Created,
			Alarms: []ical.Alarm{{Action: "DISPLAY", Text: r.Text}},
		}
		if r.When.Repeat != "" {
			e.Repeat = []string{r.When.Repeat}
			if start, err = time.ParseInLocation(event.StartLayout, r.When.Start, zone); err != nil {
				return err
			}
			e.ExDates, e.RDates = readTimes(r.When.Not, zone), readTimes(r.When.Also, zone)
		}
		e.Start, e.End = start, start
		c.Events = append(c.Events, e)
	}
	return c.Write(to)
}
