package event

import (
	"fmt"
	"strings"
	"time"
)

// Reminder is something that a person is told later, once or again and again.
type Reminder struct {
	ID    int64         `json:"id"`
	Chat  Chat          `json:"chat"` // in which it is told
	State ReminderState `json:"state"`
	When  When          `json:"when"`

	Text  string `json:"text"`            // what is told, in the words of who asked for it
	Label Label  `json:"label,omitzero"`  // of Text
	Lang  string `json:"lang,omitempty"`  // of what hob says around it, such as "de"; "": English
	Timer bool   `json:"timer,omitempty"` // it is a countdown

	By      Party `json:"by"`                 // who asked for it
	For     Party `json:"for,omitzero"`       // whom it is for, where that is somebody else
	AskedIn Chat  `json:"asked_in,omitempty"` // the chat in which By asked for it, where that is not Chat

	Due     time.Time `json:"due,omitzero"`     // when it is told next; zero: not again
	Planned time.Time `json:"planned,omitzero"` // the first time of When that was not told yet: a snooze moves Due alone
	Held    time.Time `json:"held,omitzero"`    // where that is after Due, it is told then: it is quiet, its chat is full, or a note failed
	Sent    int       `json:"sent,omitempty"`   // how often it was told
	Unseen  int       `json:"unseen,omitempty"` // how often it was told since somebody last said that it is done
	Last    time.Time `json:"last,omitzero"`    // when it was told last
	Seq     int64     `json:"seq,omitempty"`    // of the [Noted] that told it last
	Seen    time.Time `json:"seen,omitzero"`    // when somebody last said that it is done
	SeenBy  Party     `json:"seen_by,omitzero"` // who did
	Digest  string    `json:"digest,omitempty"` // the note in which it is told together with others; "": in one of its own
	Created time.Time `json:"created,omitzero"` //
	Changed time.Time `json:"changed,omitzero"` // by a person; the zero time: never

	Change int64 `json:"-"` // of one that was just made or changed by a person: the number by which that is taken back
}

// Name names a reminder in the log of changes.
func (r Reminder) Name() string { return fmt.Sprintf("reminder/%d", r.ID) }

// NeedsConsent reports whether it is told to somebody else in their own chat.
func (r Reminder) NeedsConsent() bool { return r.For != (Party{}) && !r.Chat.Shared() }

// Command is what a person types to change the reminder: done, cancel, or another time.
func (r Reminder) Command(change string) string { return fmt.Sprintf("/reminder %d %s", r.ID, change) }

// Choice is a button that changes the reminder. Beside says that it stands beside the one before.
func (r Reminder) Choice(label, change string, beside bool) Choice {
	return Choice{Label: label, Text: r.Command(change), Beside: beside, Trusted: true}
}

// ReminderSet is the Detail of the [Effect] of a call that has made a reminder.
const ReminderSet = "set"

// IsNewReminder reports whether a call has made a reminder that can be taken back.
func (e Effect) IsNewReminder() bool {
	return e.Kind == "reminder" && e.Detail == ReminderSet && e.Change != 0 && !e.Failed
}

// ReminderWakes is the Text of an alarm, which is told as words of the person's language. What the alarm is for may stand behind it.
const ReminderWakes = "⏰"

// Wakes reports whether a reminder is an alarm, and what it is for: "" where it only wakes.
func (r Reminder) Wakes() (what string, wakes bool) {
	what, wakes = strings.CutPrefix(r.Text, ReminderWakes)
	return strings.TrimSpace(what), wakes
}

// ReminderState says whether a [Reminder] is to be told.
type ReminderState string

// The states of a reminder.
const (
	ReminderOpen      ReminderState = "open"      // it is to be told, or was told and nobody has said yet that it is done
	ReminderWaiting   ReminderState = "waiting"   // the person whom it is for has not agreed yet
	ReminderDone      ReminderState = "done"      // it was told, and is done
	ReminderCancelled ReminderState = "cancelled" // somebody took it back
	ReminderRefused   ReminderState = "refused"   // the person whom it was for did not want it
	ReminderMissed    ReminderState = "missed"    // its time passed while hob did not run, and it was not to be told late
)

// Party is a person as a reminder knows them.
type Party struct {
	Platform string `json:"platform,omitempty"` // "telegram"
	ID       string `json:"id,omitempty"`       // on the platform
	Name     string `json:"name,omitempty"`     // as it was then; for people to read, it proves nothing
}

// Is reports whether two parties are the same person.
func (p Party) Is(other Party) bool { return p.Platform == other.Platform && p.ID == other.ID }

// Person returns whom the reminder is for.
func (r Reminder) Person() Party {
	if r.For != (Party{}) {
		return r.For
	}
	return r.By
}

// When is a time, or a rule for many. It is kept as people mean it, in local time: an appointment at eight stays at eight when
// the clocks change.
type When struct {
	Start  string `json:"start,omitempty"`  // local time of the first, as "2006-01-02T15:04:05"
	Zone   string `json:"zone"`             // of Start, by its IANA name
	Repeat string `json:"repeat,omitempty"` // an RRULE of RFC 5545, without its name; "": once

	Also []string `json:"also,omitempty"` // further local times, as Start
	Not  []string `json:"not,omitempty"`  // local times of Repeat that are left out

	Sun       string        `json:"sun,omitempty"`        // on the days from Start on: "sunrise", "sunset+30m", "sunset-1h"
	AfterDone time.Duration `json:"after_done,omitempty"` // the next is that long after somebody said that it is done
	UntilDone bool          `json:"until_done,omitempty"` // it is told again until somebody says that it is done
	Missed    MissedRule    `json:"missed,omitempty"`     // what to do with times at which hob did not run
}

// Repeats reports whether there may be more than one time. A time by the sun is one, unless a rule says on which days.
func (w When) Repeats() bool { return w.Repeat != "" || len(w.Also) > 0 }

// MissedRule says what becomes of the times of a reminder that passed while hob did not run.
type MissedRule string

// What to do with missed times. The zero rule is MissedOnce.
const (
	MissedOnce MissedRule = ""     // the newest is told, late, and says how many there were
	MissedAll  MissedRule = "late" // each is told, late
	MissedSkip MissedRule = "skip" // none is told
)

// StartLayout is the format of [When.Start].
const StartLayout = "2006-01-02T15:04:05"
