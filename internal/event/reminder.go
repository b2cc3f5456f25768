package event

import (
	"fmt"
	"strings"
	"time"
)

// Reminder is a message to a person at a later time, once or repeatedly.
type Reminder struct {
	ID    int64         `json:"id"`
	Chat  Chat          `json:"chat"` // the chat that gets it
	State ReminderState `json:"state"`
	When  When          `json:"when"`

	Text  string `json:"text"`            // the message, in the words of the person who asked for it
	Label Label  `json:"label,omitzero"`  // of Text
	Lang  string `json:"lang,omitempty"`  // language of hob's own words around Text, such as "de"; "": English
	Timer bool   `json:"timer,omitempty"` // it is a countdown

	By      Party `json:"by"`                 // who asked for it
	For     Party `json:"for,omitzero"`       // the recipient, if that is somebody else
	AskedIn Chat  `json:"asked_in,omitempty"` // the chat in which By asked for it, if that is not Chat

	Due     time.Time `json:"due,omitzero"`     // the next delivery; zero: none
	Planned time.Time `json:"planned,omitzero"` // the first time of When that was not delivered yet: a snooze moves only Due
	Held    time.Time `json:"held,omitzero"`    // if after Due, the delivery is held until then: quiet hours, a full chat, or a failed note
	Sent    int       `json:"sent,omitempty"`   // number of deliveries
	Unseen  int       `json:"unseen,omitempty"` // deliveries since a person last marked it as done
	Last    time.Time `json:"last,omitzero"`    // time of the last delivery
	Seq     int64     `json:"seq,omitempty"`    // of the [Noted] of the last delivery
	Seen    time.Time `json:"seen,omitzero"`    // when a person last marked it as done
	SeenBy  Party     `json:"seen_by,omitzero"` // who did
	Digest  string    `json:"digest,omitempty"` // the note that delivers it together with others; "": it has its own
	Created time.Time `json:"created,omitzero"` //
	Changed time.Time `json:"changed,omitzero"` // when a person last changed it; zero: never

	Change int64 `json:"-"` // number for undo, if a person has just made or changed it
}

// Name is the reminder's name in the log of changes.
func (r Reminder) Name() string { return fmt.Sprintf("reminder/%d", r.ID) }

// NeedsConsent reports whether it goes to somebody else in their private chat.
func (r Reminder) NeedsConsent() bool { return r.For != (Party{}) && !r.Chat.Shared() }

// Command returns what a person types to change the reminder: done, cancel, or another time.
func (r Reminder) Command(change string) string { return fmt.Sprintf("/reminder %d %s", r.ID, change) }

// Choice returns a button that changes the reminder. beside puts it next to the one before.
func (r Reminder) Choice(label, change string, beside bool) Choice {
	return Choice{Label: label, Text: r.Command(change), Beside: beside, Trusted: true}
}

// ReminderSet is the Detail of the [Effect] of a call that made a reminder.
const ReminderSet = "set"

// IsNewReminder reports whether a call made a reminder that can be undone.
func (e Effect) IsNewReminder() bool {
	return e.Kind == "reminder" && e.Detail == ReminderSet && e.Change != 0 && !e.Failed
}

// ReminderWakes is the Text of an alarm, which is shown in the person's language. The purpose of
// the alarm may follow it.
const ReminderWakes = "⏰"

// Wakes reports whether a reminder is an alarm, and its purpose: "" if it only wakes.
func (r Reminder) Wakes() (what string, wakes bool) {
	what, wakes = strings.CutPrefix(r.Text, ReminderWakes)
	return strings.TrimSpace(what), wakes
}

// ReminderState says whether a [Reminder] is still to be delivered.
type ReminderState string

// The states of a reminder.
const (
	ReminderOpen      ReminderState = "open"      // to be delivered, or delivered and not yet marked as done
	ReminderWaiting   ReminderState = "waiting"   // the recipient has not agreed yet
	ReminderDone      ReminderState = "done"      // delivered, and done
	ReminderCancelled ReminderState = "cancelled" // cancelled by a person
	ReminderRefused   ReminderState = "refused"   // the recipient did not agree
	ReminderMissed    ReminderState = "missed"    // its time passed while hob did not run, and its rule skips late delivery
)

// Party is a person in a reminder.
type Party struct {
	Platform string `json:"platform,omitempty"` // "telegram"
	ID       string `json:"id,omitempty"`       // on the platform
	Name     string `json:"name,omitempty"`     // their name at that time; for people to read, it proves nothing
}

// Is reports whether two parties are the same person.
func (p Party) Is(other Party) bool { return p.Platform == other.Platform && p.ID == other.ID }

// Person returns the recipient of the reminder.
func (r Reminder) Person() Party {
	if r.For != (Party{}) {
		return r.For
	}
	return r.By
}

// When is a time, or a rule for many. It is stored as people mean it, in local time: an appointment
// at eight stays at eight when the clocks change.
type When struct {
	Start  string `json:"start,omitempty"`  // local time of the first, as "2006-01-02T15:04:05"
	Zone   string `json:"zone"`             // time zone of Start, an IANA name
	Repeat string `json:"repeat,omitempty"` // an RRULE of RFC 5545, without its name; "": once

	Also []string `json:"also,omitempty"` // further local times, as Start
	Not  []string `json:"not,omitempty"`  // local times of Repeat to leave out

	Sun       string        `json:"sun,omitempty"`        // a time by the sun on the days from Start on: "sunrise", "sunset+30m", "sunset-1h"
	AfterDone time.Duration `json:"after_done,omitempty"` // the next is due so long after a person marked the last as done
	UntilDone bool          `json:"until_done,omitempty"` // repeat it until a person marks it as done
	Missed    MissedRule    `json:"missed,omitempty"`     // what to do about times at which hob did not run
}

// Repeats reports whether there may be more than one time. A time by the sun is a single one,
// unless a rule names the days.
func (w When) Repeats() bool { return w.Repeat != "" || len(w.Also) > 0 }

// MissedRule says what to do about times that passed while hob did not run.
type MissedRule string

// The rules. The zero rule is MissedOnce.
const (
	MissedOnce MissedRule = ""     // deliver the newest, late, with the number of missed ones
	MissedAll  MissedRule = "late" // deliver each, late
	MissedSkip MissedRule = "skip" // deliver none
)

// StartLayout is the format of [When.Start].
const StartLayout = "2006-01-02T15:04:05"
