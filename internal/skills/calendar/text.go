package calendar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/ical"
)

const (
	maxSummary  = 200 // bytes
	maxLocation = 100
	longLayout  = "Monday 2 January 2006"
)

// inOrder sorts occurrences by their days, those of whole days first, and leaves out what is the same in two calendars. What has
// begun before is on the first day.
func inOrder(all []ical.Occurrence, from time.Time) []ical.Occurrence {
	day := func(o ical.Occurrence) time.Time {
		start := local(o.Start, o, from.Location())
		if start.Before(from) {
			start = from
		}
		return time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, from.Location())
	}
	timed := func(o ical.Occurrence) int {
		if o.Event.AllDay {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b ical.Occurrence) int {
		return cmp.Or(day(a).Compare(day(b)), timed(a)-timed(b), a.Start.Compare(b.Start), strings.Compare(a.Event.Summary, b.Event.Summary))
	})
	type same struct {
		uid, summary string
		start, end   int64
	}
	seen := map[same]bool{}
	return slices.DeleteFunc(all, func(o ical.Occurrence) bool {
		key := same{o.Event.UID, o.Event.Summary, o.Start.Unix(), o.End.Unix()}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// local is a time by the clock of the household. Days are the same everywhere.
func local(t time.Time, o ical.Occurrence, zone *time.Location) time.Time {
	if o.Event.AllDay {
		return t
	}
	return t.In(zone)
}

// line is what people read of an occurrence.
func (w words) line(o ical.Occurrence, from time.Time) string {
	start, end := local(o.Start, o, from.Location()), local(o.End, o, from.Location())
	when := w.day(start, from)
	switch last := end.AddDate(0, 0, -1); {
	case o.Event.AllDay && last.After(start):
		when += " " + w.Text("to") + " " + w.day(last, from) + ", " + w.Text("all day")
	case o.Event.AllDay:
		when += ", " + w.Text("all day")
	case end.Equal(start):
		when += start.Format(", 15:04")
	case end.YearDay() == start.YearDay() && end.Year() == start.Year():
		when += start.Format(", 15:04-") + end.Format("15:04")
	default:
		when += start.Format(" 15:04 ") + w.Text("to") + " " + w.day(end, from) + end.Format(" 15:04")
	}
	text := when + ": " + cmp.Or(short(o.Event.Summary, maxSummary), w.Text("no title"))
	if place := short(o.Event.Location, maxLocation); place != "" {
		text += w.Text("place", place)
	}
	if o.Event.Status == "TENTATIVE" {
		text += w.Text("tentative")
	}
	return text
}

// short makes a text one line.
func short(text string, most int) string {
	var parts []string
	for part := range strings.SplitSeq(text, "\n") {
		if part = display.OneLine(part); part != "" {
			parts = append(parts, part)
		}
	}
	return display.TruncateBytes(strings.Join(parts, ", "), most)
}

func entryOf(o ical.Occurrence, zone *time.Location) entry {
	e := entry{AllDay: o.Event.AllDay, Summary: short(o.Event.Summary, maxSummary), Location: short(o.Event.Location, maxLocation)}
	if e.AllDay {
		e.Start, e.End = o.Start.Format(time.DateOnly), o.End.AddDate(0, 0, -1).Format(time.DateOnly)
		return e
	}
	e.Start, e.End = o.Start.In(zone).Format(time.RFC3339), o.End.In(zone).Format(time.RFC3339)
	return e
}
