package intents

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"hob/internal/when"
)

// later are the arguments of a reading that has words of time in it, before [Reading.At].
type later struct {
	Before string `json:"before"` // what stands before "remind me": words of time alone
	Text   string `json:"text"`   // what stands behind it
	Title  string `json:"title"`  // what it is about where the words say only when
	For    string `json:"for"`
	Timer  bool   `json:"timer"`
	Wake   bool   `json:"wake"` // the person is to be woken
}

// remindArgs are the arguments of the tool remind.
type remindArgs struct {
	At        string `json:"at,omitempty"`
	Repeat    string `json:"repeat,omitempty"`
	Text      string `json:"text"`
	For       string `json:"for,omitempty"`
	Other     string `json:"other,omitempty"`
	UntilDone bool   `json:"until_done,omitempty"`
	Missed    string `json:"missed,omitempty"`
	Timer     bool   `json:"timer,omitempty"`
	Lang      string `json:"lang,omitempty"`
}

// The tools whose calls have words of time.
const (
	remindTool = "remind"
	changeTool = "reminder"
	listTool   = "reminders"
)

// timeBefore is what stands before "remind me" and holds words of time alone, "" where there is no such slot.
func (p parse) timeBefore() string {
	if !strings.Contains(kindOf(p.kind).args, "before=") {
		return ""
	}
	for _, s := range p.slots {
		if text, ok := s.value.(string); ok && s.name == "before" {
			return text
		}
	}
	return ""
}

// saysWhen reports whether what stands before "remind me" is a time, and no words of another sentence.
func (p parse) saysWhen() bool {
	words := p.timeBefore()
	if words == "" {
		return true
	}
	read, err := when.Read(words, p.lang.name, time.Time{}.AddDate(2000, 0, 0)) // whenever that is
	unclear := (*when.Unclear)(nil)
	return strings.TrimSpace(read.Rest) == "" && (!errors.As(err, &unclear) || unclear.Problem != when.Missing)
}

// forWhom is the name of whom a reminder is for.
func (p parse) forWhom() string {
	i := slices.IndexFunc(p.slots, func(s slot) bool { return s.name == "for" })
	if i < 0 {
		return ""
	}
	text, _ := p.slots[i].value.(string)
	return text
}

// isForSelf reports whether whom a reminder is for is who asks: "me tomorow" is nobody's name.
func (p parse) isForSelf() bool {
	first, _, _ := strings.Cut(strings.ToLower(p.forWhom()), " ")
	return slices.Contains([]string{"me", "us", "mich", "uns", "мне", "нам", "我", "我们"}, first)
}

// isLaterWith reports whether another parse of the same kind leaves out words before the same time, such as the first of "в 21:00".
func (p parse) isLaterWith(other parse) bool {
	mine, theirs := p.timeBefore(), other.timeBefore()
	if theirs == "" || !strings.HasSuffix(mine, theirs) {
		return false
	}
	args := kindOf(p.kind).args
	_, rest, _ := strings.Cut(args, " ")
	if name := p.forWhom(); name != "" && strings.HasPrefix(other.forWhom(), name+" ") { // Ben tomorrow
		rest = strings.ReplaceAll(rest, " for={for}", "")
	}
	return string(p.arguments(rest)) == string(other.arguments(rest))
}

// movedAt is At for a change of a reminder.
func (r Reading) movedAt(now time.Time) Reading {
	var in struct{ Change string }
	if json.Unmarshal(r.Call.Args, &in) != nil {
		return Reading{}
	}
	if in.Change == "done" || in.Change == "cancel" || in.Change == "cancel all" {
		return r
	}
	if read, err := when.Adjust(in.Change, r.Lang, when.Reading{Start: now}, now); err != nil || strings.TrimSpace(read.Rest) != "" {
		return Reading{}
	}
	return r
}

// At returns a reading with its words of time read, as they are meant at now, in the zone of now. Where they say no time, or one
// that cannot be, the reading asks. Other readings are returned as they are.
func (r Reading) At(now time.Time) Reading {
	switch {
	case r.Command:
		return r
	case r.Call.Name == changeTool:
		return r.movedAt(now)
	case r.Call.Name == listTool && r.Lang != "en":
		r.Call.Args, _ = json.Marshal(map[string]string{"lang": r.Lang})
		return r
	case r.Call.Name != remindTool:
		return r
	}
	var in later
	if err := json.Unmarshal(r.Call.Args, &in); err != nil {
		return Reading{}
	}
	if in.Before != "" { // else it would be another chore, or a story about one
		read, err := when.Read(in.Before, r.Lang, now)
		if err != nil || strings.TrimSpace(read.Rest) != "" {
			return Reading{}
		}
	}
	words := strings.TrimSpace(in.Before + " " + in.Text)
	read, err := when.Read(words, r.Lang, now)
	if unclear := (*when.Unclear)(nil); errors.As(err, &unclear) {
		r.Ask, r.Call.Name, r.Call.Args, r.Acts = unclear.Question, "", nil, false
		return r
	}
	if err != nil {
		return Reading{}
	}
	if in.Wake && len(read.Other) > 0 && read.Start.Hour() >= 12 && read.Other[0].Start.Hour() < 12 { // nobody is woken in the evening
		other := read.Other[0]
		read.Other[0] = when.Alternative{Start: read.Start, Repeat: read.Repeat}
		read.Start = other.Start
	}
	r.Lang = cmp.Or(read.Lang, r.Lang) // "timer 10 minutes pasta" is a sentence in German, too
	args := remindArgs{
		Repeat: read.Repeat, Text: strings.TrimSpace(read.Rest), For: in.For, UntilDone: read.UntilAcknowledged, Missed: read.Missed, Timer: in.Timer || read.Timer, Lang: r.Lang,
	}
	if args.Text == "" {
		args.Text = in.Title
	}
	if args.Text == "" && !args.Timer {
		return Reading{} // when, but not of what: a model may know
	}
	switch {
	case read.Sun != "" || read.AfterDone != 0: // the tool knows where the house stands
		args.At, args.Repeat = words, ""
	default:
		args.At = read.Start.Format(time.RFC3339)
	}
	if len(read.Other) > 0 {
		args.Other = read.Other[0].Start.Format(time.RFC3339)
	}
	r.Call.Args, err = json.Marshal(args)
	if err != nil {
		return Reading{}
	}
	return r
}
