package ical

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"hob/internal/lists"
	"hob/internal/recurrence"
)

// event reads a VEVENT. A property that cannot be read breaks it if it says when the event is.
func (p *parser) event(c *component) (Event, error) {
	props := map[string][]property{}
	var e Event
	for _, i := range c.own {
		l := p.lines[i]
		name, _ := propertyName(l.text)
		if !slices.Contains(eventProperties(), name) || isText(name) && len(props[name]) > 0 {
			if name == "EXRULE" {
				p.report(l.number, "EXRULE is not followed: the times that it leaves out are shown")
			}
			continue
		}
		prop, err := parseProperty(l.text)
		switch {
		case err != nil && isText(name):
			p.report(l.number, "%s; it is left out", err)
		case err != nil:
			return Event{}, fmt.Errorf("line %d: %w", l.number, err)
		case isText(name) && len(ics.ToText(prop.value)) > maxLine-len(name)-1:
			p.report(l.number, "%s has more than %d kB; it is left out", name, maxLine>>10)
		default:
			props[name] = append(props[name], prop)
		}
	}
	text := func(name string) string {
		if len(props[name]) == 0 {
			return ""
		}
		return props[name][0].value
	}
	e.UID, e.Summary, e.Description, e.Location = strings.TrimSpace(text("UID")), text("SUMMARY"), text("DESCRIPTION"), text("LOCATION")
	e.Status = strings.ToUpper(strings.TrimSpace(text("STATUS")))
	if e.UID == "" {
		e.UID = makeUID(lists.Map(p.lines[c.first:c.last+1], func(l line) string { return l.text }))
	}
	if err := p.readTimes(c, props, &e); err != nil {
		return Event{}, err
	}
	for _, prop := range props["RRULE"] {
		rule := strings.ToUpper(strings.TrimSpace(prop.value))
		if _, err := recurrence.Parse(rule, e.Start.Location()); err != nil {
			p.report(p.lines[c.first].number, "the rule %q is not followed: %s", shorten(rule), err)
		}
		e.Repeat = append(e.Repeat, rule)
	}
	for _, part := range c.parts {
		if part.name != "VALARM" {
			continue
		}
		a, err := p.alarm(part)
		if err != nil {
			p.report(p.lines[part.first].number, "%s; the alarm is left out", err)
			continue
		}
		e.Alarms = append(e.Alarms, a)
	}
	return e, nil
}

// eventProperties are those that have a field.
func eventProperties() []string {
	return []string{"UID", "SUMMARY", "DESCRIPTION", "LOCATION", "STATUS", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"}
}

// isText reports whether an event has at most one such property, which does not say when it is.
func isText(name string) bool {
	return slices.Contains([]string{"UID", "SUMMARY", "DESCRIPTION", "LOCATION", "STATUS", "DTSTAMP"}, name)
}

// makeUID makes a UID of what an event says: the same for the same.
func makeUID(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:16]) + "@hob"
}

// readTimes reads when an event is.
func (p *parser) readTimes(c *component, props map[string][]property, e *Event) error {
	if len(props["DTSTART"]) == 0 {
		return errors.New("it has no start")
	}
	start, err := p.moment(props["DTSTART"][0], props["DTSTART"][0].value)
	if err != nil {
		return err
	}
	e.Start, e.AllDay, e.Zone = start.at, start.day, start.zone
	if err := p.readEnd(c, props, e); err != nil {
		return err
	}
	for _, prop := range props["RECURRENCE-ID"] {
		m, err := p.moment(prop, prop.value)
		if err != nil {
			return err
		}
		e.RecurrenceID = e.align(m)
		e.Following = strings.EqualFold(prop.param("RANGE"), "THISANDFUTURE")
	}
	for _, prop := range props["EXDATE"] {
		for value := range strings.SplitSeq(prop.value, ",") {
			if strings.TrimSpace(value) == "" {
				continue
			}
			m, err := p.moment(prop, value)
			if err != nil {
				return err
			}
			e.ExDates = append(e.ExDates, e.align(m))
		}
	}
	for _, prop := range props["RDATE"] {
		for value := range strings.SplitSeq(prop.value, ",") {
			if err := p.readRDate(prop, value, e); err != nil {
				return err
			}
		}
	}
	e.Stamp = e.Start.UTC()
	for _, prop := range props["DTSTAMP"] {
		if m, err := p.moment(prop, prop.value); err == nil && !m.day {
			e.Stamp = m.at.UTC()
		}
	}
	return nil
}

// align makes a moment of the kind that the start of an event is: a day, or that day at the same time of day; in its zone.
func (e Event) align(m moment) time.Time {
	zone := e.Start.Location()
	switch w := recurrence.Wall(m.at); {
	case m.day && !e.AllDay:
		h, min, s := e.Start.Clock()
		return instant(time.Date(w.Year(), w.Month(), w.Day(), h, min, s, 0, time.UTC), zone)
	case !m.day && e.AllDay:
		if m.zone == "UTC" { // which is nobody's midnight
			w = recurrence.Wall(m.at.In(zone))
		}
		return instant(w.Truncate(day), zone)
	}
	return m.at.In(zone)
}

// wall is [wall] for a time of the event. Where clocks skip midnight, a day still begins at midnight.
func (e Event) wall(t time.Time) time.Time {
	if e.AllDay {
		return recurrence.Wall(t).Truncate(day)
	}
	return recurrence.Wall(t)
}

// readEnd reads when an event ends.
func (p *parser) readEnd(c *component, props map[string][]property, e *Event) error {
	e.End = e.Start
	switch {
	case len(props["DTEND"]) > 0:
		m, err := p.moment(props["DTEND"][0], props["DTEND"][0].value)
		if err != nil {
			return err
		}
		if m.day && !e.AllDay {
			e.End = m.at
		} else {
			e.End = e.align(m)
		}
	case len(props["DURATION"]) > 0:
		d, err := parseDuration(props["DURATION"][0].value)
		if err != nil {
			return err
		}
		// Days are days by the calendar, hours are hours.
		if e.End = instant(e.wall(e.Start).AddDate(0, 0, int(d/day)), e.Start.Location()); !e.AllDay {
			e.End = e.End.Add(d % day)
		}
	}
	if e.End.Before(e.Start) || e.End.Sub(e.Start) > maxLasting {
		p.report(p.lines[c.first].number, "the event ends before it begins, or lasts more than a hundred years; its end is left out")
		e.End = e.Start
	}
	if e.AllDay && !e.End.After(e.Start) {
		e.End = instant(e.wall(e.Start).AddDate(0, 0, 1), e.Start.Location())
	}
	return nil
}

// readRDate reads a further start, or a further start with its end.
func (p *parser) readRDate(prop property, value string, e *Event) error {
	begin, end, isPeriod := strings.Cut(value, "/")
	m, err := p.moment(prop, begin)
	if err != nil {
		return err
	}
	if !isPeriod {
		e.RDates = append(e.RDates, e.align(m))
		return nil
	}
	span := Span{Start: m.at.In(e.Start.Location())}
	if last, err := p.moment(prop, end); err == nil {
		span.End = last.at.In(e.Start.Location())
	} else if d, err := parseDuration(end); err == nil {
		span.End = span.Start.Add(d)
	} else {
		return fmt.Errorf("RDATE has no period: %q", shorten(value))
	}
	if m.day || e.AllDay || span.End.Before(span.Start) || span.End.Sub(span.Start) > maxLasting {
		return fmt.Errorf("RDATE has no period: %q", shorten(value))
	}
	e.Periods = append(e.Periods, span)
	return nil
}

// alarm reads a VALARM.
func (p *parser) alarm(c *component) (a Alarm, err error) {
	triggered := false
	for _, i := range c.own {
		l := p.lines[i]
		name, _ := propertyName(l.text)
		if !slices.Contains([]string{"ACTION", "DESCRIPTION", "TRIGGER", "REPEAT", "DURATION"}, name) {
			continue
		}
		prop, err := parseProperty(l.text)
		if err != nil {
			return Alarm{}, err
		}
		value := strings.TrimSpace(prop.value)
		switch name {
		case "ACTION":
			a.Action = strings.ToUpper(value)
		case "DESCRIPTION":
			if len(ics.ToText(prop.value)) > maxLine-len(name)-1 {
				return Alarm{}, fmt.Errorf("DESCRIPTION has more than %d kB", maxLine>>10)
			}
			a.Text = prop.value
		case "REPEAT":
			if a.Repeat, err = strconv.Atoi(value); err != nil || a.Repeat < 0 {
				return Alarm{}, fmt.Errorf("%q is no number of repetitions", shorten(value))
			}
		case "DURATION":
			if a.Every, err = parseDuration(value); err != nil {
				return Alarm{}, err
			}
		case "TRIGGER":
			triggered = true
			if m, err := p.moment(prop, value); err == nil && !m.day {
				a.At = m.at.UTC()
				continue
			}
			if a.Trigger, err = parseDuration(value); err != nil {
				return Alarm{}, err
			}
			a.FromEnd = strings.EqualFold(prop.param("RELATED"), "END")
		}
	}
	if !triggered {
		return Alarm{}, errors.New("it has no time")
	}
	return a, nil
}
