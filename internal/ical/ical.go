// Package ical reads and writes calendars in iCalendar (RFC 5545), the .ics files of every calendar program, and lists what
// stands in them between two times. It is pure: bytes in, values out.
//
//	read.go    [Parse]: lines to components, and each component on its own
//	event.go   a component to an [Event]
//	value.go   the times and durations of properties
//	zone.go    names of time zones, those of Windows too, to IANA's
//	repeat.go  [Calendar.Between]: repeated events, one by one
//	write.go   [Calendar.Write]
//	clocks.go  the VTIMEZONE of a zone
//
// # What is kept
//
// What is read, written and read again is equal. The package reads what has a field of an [Event] or an [Alarm] and leaves all else
// out: other properties and components, parameters such as the LANGUAGE of a SUMMARY, and VTIMEZONEs, of which Write makes its own.
//
// # Hostile input
//
// Files come from strangers. Each bound is a constant below. A broken event is left out with a [Problem], and the others stay.
// Only a file that is no calendar, or breaks a bound of the whole, is an error.
//
// # Libraries
//
// golang-ical takes lines apart and quotes texts. Its ParseCalendar and Serialize are not used: one bad line ends the former,
// and between them "CATEGORIES:a,b" becomes "CATEGORIES:a\,b". Rules are followed by package recurrence.
package ical

import "time"

const (
	maxBytes    = 5 << 20 // of a file
	maxLine     = 8 << 10 // bytes of a line, unfolded
	maxEvents   = 20_000
	maxDepth    = 8   // components within components
	maxParams   = 100 // parameters of a property, and their values
	maxZones    = 200 // names of time zones in a file
	maxProblems = 100 // that Parse returns

	// MaxOccurrences is how many occurrences [Calendar.Between] returns at most.
	MaxOccurrences = 10_000
)

// Calendar is a calendar.
type Calendar struct {
	Events []Event // in the order of the file
}

// Event is an appointment, and how it repeats.
type Event struct {
	UID, Summary, Description, Location string
	Status                              string // CONFIRMED, TENTATIVE, CANCELLED or ""
	// Start and End are in Zone. They are equal where the event takes no time. End is not part of the event.
	Start, End time.Time
	// AllDay means that the event takes whole days: Start and End are midnights, in whatever zone it is read.
	AllDay bool
	// Zone is an IANA name. It is "" for days, and for times that are the same on every clock ("floating"): they are in the zone
	// that Parse was given.
	Zone string
	// Repeat has RRULE values, such as FREQ=WEEKLY;BYDAY=MO.
	Repeat []string
	// RDates are further starts, ExDates those that are left out.
	RDates, ExDates []time.Time
	// Periods are further occurrences with an end of their own.
	Periods []Span
	// RecurrenceID is set for an occurrence that was moved or changed: it is when the event with the same UID has it.
	RecurrenceID time.Time
	// Following means that the occurrences after this one are changed in the same way (RANGE=THISANDFUTURE).
	Following bool
	// Stamp is when this was written (DTSTAMP), or Start.
	Stamp  time.Time
	Alarms []Alarm
}

// Span is a time with an end.
type Span struct{ Start, End time.Time }

// Alarm is a VALARM.
type Alarm struct {
	Action, Text string        // DISPLAY, AUDIO, EMAIL; DESCRIPTION
	Trigger      time.Duration // from the start, negative before it
	FromEnd      bool          // the Trigger counts from the end
	At           time.Time     // instead of Trigger, in UTC
	Repeat       int           // how many times more,
	Every        time.Duration // this far apart
}

// Problem is what is wrong with a line of a file, for people.
type Problem struct {
	Line int // from 1
	Text string
}
