package ical

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"

	"hob/internal/recurrence"
)

const (
	product = "-//hob//hob//EN"
	maxFold = 75 // bytes of a line that is written
)

// Write writes a calendar: the same bytes for the same values. A zone that is unknown on this machine is an error.
func (c Calendar) Write(to io.Writer) error {
	w := &writer{zones: map[string]*time.Location{}}
	for _, e := range c.Events {
		if err := w.event(e); err != nil {
			return fmt.Errorf("write calendar: %w", err)
		}
	}
	events := w.lines
	w.lines = nil
	w.add("BEGIN", "VCALENDAR")
	w.add("VERSION", "2.0")
	w.add("PRODID", product)
	w.add("CALSCALE", "GREGORIAN")
	w.clocks()
	w.lines = append(w.lines, events...)
	w.add("END", "VCALENDAR")
	var b bytes.Buffer
	for _, l := range w.lines {
		fold(&b, l)
	}
	if _, err := to.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write calendar: %w", err)
	}
	return nil
}

// writer collects lines that are not folded yet.
type writer struct {
	lines []string
	zones map[string]*time.Location // that are used
	years [2]int                    // of the times in them
}

func (w *writer) add(name, value string) { w.lines = append(w.lines, name+":"+value) }

// addText adds a property that is a text, if there is one.
func (w *writer) addText(name, text string) {
	if text = clean(text); text != "" {
		w.add(name, ics.ToText(text))
	}
}

// event adds a VEVENT.
func (w *writer) event(e Event) error {
	if e.Zone != "" && !e.AllDay {
		z := loadZone(e.Zone)
		if z.name != e.Zone {
			return fmt.Errorf("there is no time zone %q", e.Zone)
		}
		w.use(e, z.Location)
	}
	begin := len(w.lines)
	w.add("BEGIN", "VEVENT")
	uid := len(w.lines)
	w.addText("UID", e.UID)
	stamp := e.Stamp
	if stamp.IsZero() {
		stamp = e.Start
	}
	w.add("DTSTAMP", stamp.UTC().Format(utcLayout))
	w.times("RECURRENCE-ID", e, map[bool]string{true: ";RANGE=THISANDFUTURE"}[e.Following], e.RecurrenceID)
	w.times("DTSTART", e, "", e.Start)
	if e.End.After(e.Start) {
		w.times("DTEND", e, "", e.End)
	}
	for _, r := range e.Repeat {
		w.add("RRULE", strings.ReplaceAll(clean(r), "\n", "")) // a line of text could end the event that it stands in
	}
	w.times("RDATE", e, "", e.RDates...)
	for _, p := range e.Periods {
		form, first := e.form(p.Start)
		_, last := e.form(p.End)
		w.add("RDATE;VALUE=PERIOD"+form, first+"/"+last)
	}
	w.times("EXDATE", e, "", e.ExDates...)
	w.addText("SUMMARY", e.Summary)
	w.addText("DESCRIPTION", e.Description)
	w.addText("LOCATION", e.Location)
	w.addText("STATUS", e.Status)
	for _, a := range e.Alarms {
		w.alarm(a)
	}
	w.add("END", "VEVENT")
	if e.UID == "" {
		w.lines = slices.Insert(w.lines, uid, "UID:"+makeUID(w.lines[begin:]))
	}
	return nil
}

// times adds a property with times, some on each line.
func (w *writer) times(name string, e Event, params string, times ...time.Time) {
	const most = 50
	for some := range slices.Chunk(slices.DeleteFunc(slices.Clone(times), time.Time.IsZero), most) {
		values := map[string][]string{}
		var forms []string
		for _, t := range some {
			form, value := e.form(t)
			if !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
			values[form] = append(values[form], value)
		}
		for _, form := range forms {
			w.add(name+params+form, strings.Join(values[form], ","))
		}
	}
}

// form returns the parameter and the value that make a time of an event. A local time that comes twice means the first, so the
// second is in UTC.
func (e Event) form(t time.Time) (param, value string) {
	switch {
	case e.AllDay:
		return ";VALUE=DATE", t.Format(dateLayout)
	case e.Zone == "":
		return "", recurrence.Wall(t).Format(localLayout)
	}
	zone := loadZone(e.Zone).Location
	t = t.In(zone)
	if e.Zone == "UTC" || !instant(recurrence.Wall(t), zone).Equal(t.Truncate(time.Second)) && len(e.Repeat) == 0 {
		return "", t.UTC().Format(utcLayout)
	}
	return ";TZID=" + e.Zone, t.Format(localLayout)
}

// alarm adds a VALARM.
func (w *writer) alarm(a Alarm) {
	w.add("BEGIN", "VALARM")
	w.addText("ACTION", a.Action)
	switch {
	case !a.At.IsZero():
		w.add("TRIGGER;VALUE=DATE-TIME", a.At.UTC().Format(utcLayout))
	case a.FromEnd:
		w.add("TRIGGER;RELATED=END", formatDuration(a.Trigger))
	default:
		w.add("TRIGGER", formatDuration(a.Trigger))
	}
	if a.Repeat > 0 {
		w.add("REPEAT", fmt.Sprint(a.Repeat))
	}
	if a.Every != 0 {
		w.add("DURATION", formatDuration(a.Every))
	}
	w.addText("DESCRIPTION", a.Text)
	w.add("END", "VALARM")
}

// fold writes a line in pieces of at most 75 bytes, each but the first behind a space, and cuts no letter.
func fold(b *bytes.Buffer, l string) {
	for room := maxFold; len(l) > room; room = maxFold - 1 {
		cut := room
		for !utf8.RuneStart(l[cut]) {
			cut--
		}
		b.WriteString(l[:cut] + "\r\n ")
		l = l[cut:]
	}
	b.WriteString(l + "\r\n")
}
