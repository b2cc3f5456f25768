package reminders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/schedule"
	"hob/internal/skills/pages"
	"hob/internal/tools"
	"hob/internal/when"
)

// oneIn is one reminder that is asked for.
type oneIn struct {
	Text      string `json:"text" jsonschema:"what to remind of; may hold the time, too"`
	At        string `json:"at,omitempty" jsonschema:"when: RFC 3339, or words such as tomorrow at 8, every Monday at 7, or an hour before the dentist (in the calendar)"`
	Repeat    string `json:"repeat,omitempty" jsonschema:"an RRULE such as FREQ=DAILY"`
	UntilDone bool   `json:"until_done,omitempty" jsonschema:"tell it again until it is done"`
	Missed    string `json:"missed,omitempty" enum:"late,skip,once" jsonschema:"for times at which hob did not run: late tells each of them, skip none, once the newest"`
	Other     string `json:"other,omitempty" jsonschema:"another time that may be meant, as RFC 3339"`
	Timer     bool   `json:"timer,omitempty" jsonschema:"it is a countdown"`
	Event     string `json:"event,omitempty" jsonschema:"the start of the appointment that at counts from, where several may be meant, as RFC 3339" quiet:"true"`
}

type remindIn struct {
	oneIn
	For  string  `json:"for,omitempty" jsonschema:"the name of another person"`
	Lang string  `json:"lang,omitempty" jsonschema:"en, de, ru or zh"`
	Also []oneIn `json:"also,omitempty" jsonschema:"further ones of the same words" quiet:"true"`
}

func (k *keeper) remind(ctx context.Context, in remindIn) (tools.Result, error) {
	caller := tools.CallerFrom(ctx)
	ctx = event.WithCause(ctx, caller.Cause("remind"))
	if err := k.checkKnown(ctx); err != nil {
		return tools.Result{}, err
	}
	all, err := k.prepare(ctx, in, caller)
	if which := (*whichError)(nil); errors.As(err, &which) {
		return k.askWhichAppointment(ctx, in, which), nil
	}
	if err != nil {
		return tools.Result{Label: labelOfAll(all)}, err
	}
	people, err := k.cfg.People(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	for i := range all { // before any of them is kept
		all[i].By.Name = nameOf(people, all[i].By)
		if err := k.checkCount(ctx, all[i].Reminder, i); err != nil {
			return tools.Result{}, err
		}
	}
	more := ""
	if in.For != "" {
		if more, err = k.address(ctx, all, in.For, people); err != nil {
			return tools.Result{}, err
		}
	}
	for i := range all {
		ctx := event.WithCause(ctx, named(caller.Cause("remind"), all[i].Reminder))
		if all[i].Reminder, err = k.cfg.Store.Add(ctx, all[i].Reminder); err != nil {
			return tools.Result{}, err
		}
	}
	if all[0].State == event.ReminderWaiting { // so do all of them
		if err := k.askConsent(ctx, all); err != nil {
			return tools.Result{}, err
		}
	}
	k.cfg.Changed()
	return k.confirm(ctx, all, more), nil
}

// newReminder is a reminder that is to be made, and how its words were read.
type newReminder struct {
	event.Reminder
	read reading
}

// reading is how words were read, and from what their time is counted.
type reading struct {
	when.Reading
	from countedFrom
}

// labelOfAll is the label of the calendars that some reminders are counted from.
func labelOfAll(all []newReminder) (label event.Label) {
	for _, r := range all {
		label = label.Join(r.read.from.label)
	}
	return label
}

// prepare returns the reminders that a call asks for. None is kept yet. Beside an error, they say what was looked at.
func (k *keeper) prepare(ctx context.Context, in remindIn, caller tools.Caller) (all []newReminder, err error) {
	now := k.cfg.Now()
	var reads []reading
	for _, one := range append([]oneIn{in.oneIn}, in.Also...) {
		some, err := k.read(ctx, one, in.Lang, now)
		if err != nil {
			return lists.Map(some, func(r reading) newReminder { return newReminder{read: r} }), err
		}
		reads = append(reads, some...)
	}
	for _, read := range reads {
		label := labelOf(caller)
		if strings.TrimSpace(read.Rest) == "" && read.from.Title != "" {
			read.Rest = k.titleAt(read.from.Appointment, read.Start, read.Lang)
			label = label.Join(event.Label{Untrusted: true, Source: fromCalendar})
		}
		if read.Rest, err = tidy(read.Rest, read.Timer); err != nil {
			return nil, err
		}
		r := event.Reminder{
			Chat: cmp.Or(caller.Chat, "main"), State: event.ReminderOpen, When: whenOf(read.Reading), Text: read.Rest, Lang: read.Lang, Timer: read.Timer,
			Label: label, By: k.party(caller), Created: now,
		}
		if r.Due, err = schedule.Next(r.When, now, k.cfg.Place); err != nil {
			return nil, tools.Invalid(event.CodeInvalidValue, "at: %v", err)
		}
		if r.Due.IsZero() {
			return nil, tools.Invalid(event.CodeInvalidValue, "at: that time is past").Suggest("give one that is still to come")
		}
		r.Planned = r.Due
		all = append(all, newReminder{r, read})
	}
	return all, nil
}

// tidy returns a text as it is kept: one line, without what cannot be seen. A timer may have none.
func tidy(text string, mayBeEmpty bool) (string, error) {
	switch text = pages.Tidy(text); {
	case len(text) > maxText:
		return "", tools.Invalid(event.CodeInvalidValue, "text: has %d bytes, and a reminder has at most %d", len(text), maxText)
	case text == "" && !mayBeEmpty:
		return "", tools.Invalid(event.CodeRequiredField, "text: says nothing to remind of").Suggest("such as: remind tomorrow at 8 to call Ana")
	}
	return text, nil
}

// labelOf is the label of a text that comes from a caller. What somebody who was let in has typed in a group is nobody else's: it has
// their name with it, and needs no source.
func labelOf(c tools.Caller) event.Label {
	if !c.Label.Untrusted {
		return event.Label{}
	}
	if c.Typed && c.Chat.Shared() {
		return event.Label{Untrusted: true}
	}
	return event.Label{Untrusted: true, Source: cmp.Or(c.Label.Source, "elsewhere")}
}

// read returns when and of what a person is to be reminded: several things where the words have a time for each.
func (k *keeper) read(ctx context.Context, in oneIn, lang string, now time.Time) (reads []reading, err error) {
	if anchor, in, ok := k.anchorOf(in, lang, now); ok {
		one := reading{Reading: when.Reading{Rest: in.Text, Lang: cmp.Or(lang, anchor.Lang)}}
		err = k.readAnchored(ctx, anchor, in.Event, &one)
		reads = []reading{one}
	} else {
		all, failed := k.readTimes(in, lang, now)
		reads, err = lists.Map(all, func(r when.Reading) reading { return reading{Reading: r} }), failed
	}
	for i := range reads {
		reads[i].UntilAcknowledged = reads[i].UntilAcknowledged || in.UntilDone
		reads[i].Missed = cmp.Or(in.Missed, reads[i].Missed)
	}
	return reads, err
}

func (k *keeper) readTimes(in oneIn, lang string, now time.Time) ([]when.Reading, error) {
	if at, err := time.Parse(time.RFC3339, in.At); err == nil {
		at = at.In(now.Location())
		if now.Sub(at) >= 0 && now.Sub(at) < onItsWay {
			at = now.Truncate(time.Second).Add(time.Second)
		}
		if !at.After(now) {
			return nil, tools.Invalid(event.CodeInvalidValue, "at: %s is past", at.Format("2006-01-02 15:04")).Suggest("give a time that is still to come")
		}
		r := when.Reading{Start: at, Repeat: in.Repeat, Rest: in.Text, Timer: in.Timer, Lang: lang}
		for one := range strings.FieldsSeq(in.Other) { // the sentences of people have several
			if other, err := time.Parse(time.RFC3339, one); err == nil {
				r.Other = append(r.Other, when.Alternative{Label: otherLabel(in, lang, at, other.In(now.Location())), Start: other.In(now.Location())})
			}
		}
		return []when.Reading{r}, nil
	}
	if in.At == "" && in.Repeat != "" {
		return []when.Reading{{Start: now.Truncate(time.Minute).Add(time.Minute), Repeat: in.Repeat, Rest: in.Text, Lang: lang}}, nil
	}
	var all []when.Reading
	var err error
	if in.At == "" {
		all, err = when.ReadAll(withoutSelf(in.Text), lang, now)
	} else {
		all = make([]when.Reading, 1)
		all[0], err = when.Read(in.At, lang, now)
		all[0].Rest = in.Text
	}
	if unclear := (*when.Unclear)(nil); errors.As(err, &unclear) {
		return nil, tools.Invalid(event.CodeInvalidValue, "%s", unclear.Question).Suggest("say it in full, such as tomorrow at 8:00")
	}
	if err != nil {
		return nil, tools.Invalid(event.CodeInvalidValue, "at: %v", err)
	}
	if in.Repeat != "" {
		all[0].Repeat = in.Repeat
	}
	for i := range all {
		all[i] = all[i].ByDay(now)
	}
	return all, nil
}

// withoutSelf returns words without who is reminded, where that is who asks: people write "/remind me tomorrow at 8".
func withoutSelf(words string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(words), " ")
	if slices.Contains(meWords(), strings.ToLower(first)) {
		return rest
	}
	return words
}

// otherLabel says how another time differs from one: by its hour, or by its day, too. A rule has its days.
func otherLabel(in oneIn, lang string, at, other time.Time) string {
	if in.Repeat != "" || at.YearDay() == other.YearDay() && at.Year() == other.Year() {
		return other.Format("15:04")
	}
	return when.Describe(when.Reading{Start: other}, lang, at)
}

// missedRule returns the rule for missed times of that name: "once" is the usual one.
func missedRule(name string) event.MissedRule {
	if name == missedOnce {
		return event.MissedOnce
	}
	return event.MissedRule(name)
}

// missedOnce names [event.MissedOnce].
const missedOnce = "once"

// whenOf returns a reading as it is kept.
func whenOf(r when.Reading) event.When {
	w := event.When{
		Zone: r.Start.Location().String(), Repeat: r.Repeat, Sun: r.Sun, AfterDone: r.AfterDone, UntilDone: r.UntilAcknowledged, Missed: missedRule(r.Missed),
	}
	if !r.Start.IsZero() { // with Sun it is the first day
		w.Start = r.Start.Format(event.StartLayout)
	}
	return w
}

// readingOf is the reverse.
func readingOf(r event.Reminder) when.Reading {
	zone, err := time.LoadLocation(r.When.Zone)
	if err != nil {
		zone = time.UTC
	}
	start := r.Planned
	if start.IsZero() {
		start, _ = time.ParseInLocation(event.StartLayout, r.When.Start, zone)
	}
	return when.Reading{
		Start: start.In(zone), Repeat: r.When.Repeat, Sun: r.When.Sun, AfterDone: r.When.AfterDone, UntilAcknowledged: r.When.UntilDone, Missed: string(r.When.Missed),
		Rest: r.Text, Timer: r.Timer, Lang: r.Lang,
	}
}

// houseZone names the zone of the house for a person: that of a machine without a name by its distance from UTC.
func (k *keeper) houseZone() string {
	now := k.cfg.Now()
	if name := now.Location().String(); name != "Local" {
		return name
	}
	return "UTC" + now.Format("-07:00")
}

// confirm returns what a person reads of new reminders, with the buttons below it: a row for each. more is said besides.
func (k *keeper) confirm(ctx context.Context, all []newReminder, more string) tools.Result {
	res := k.result(all[0].Reminder, "")
	var lines []string
	data := dataOf(all[0].Reminder)
	asksZone := !all[0].Timer && k.cfg.AskZone(ctx, cmp.Or(all[0].AskedIn, all[0].Chat))
	for _, r := range all {
		res.Label = res.Label.Join(r.Label)
		lines = append(lines, k.describe(r.Reminder))
		if of := r.read.from; of.Title != "" {
			lines = append(lines, wordsOf(r.Lang).Text("event.kept", of.Title, k.dayOf(of.Appointment, r.Lang)))
		}
		if r.lacksLeapDay() {
			lines = append(lines, wordsOf(r.Lang).Text("no leap day", strconv.Itoa(r.read.Start.Year())))
		} else if day := r.lacksDay(); day > 0 {
			lines = append(lines, wordsOf(r.Lang).Text("no such day", strconv.Itoa(day)))
		}
		isAsked := k.cfg.ShowsButtons != nil && !k.cfg.ShowsButtons(tools.CallerFrom(ctx))
		if isAsked {
			lines = append(lines, r.otherLines()...)
		}
		res.Effects = append(res.Effects, event.Effect{Kind: "reminder", Target: strconv.FormatInt(r.ID, 10), Detail: event.ReminderSet, Change: r.Change})
		res.Choices = append(res.Choices, r.choices(len(all) > 1, isAsked && !asksZone)...)
	}
	for _, r := range all[1:] {
		data.Also = append(data.Also, dataOf(r.Reminder))
	}
	res.Data = data
	if more != "" {
		lines = append(lines, more)
	}
	res.Label = res.Label.Join(labelOfAll(all))
	if asksZone {
		text, choices := k.askZone(all[0].Lang, tools.CallerFrom(ctx).Level >= event.Owner)
		lines, res.Choices = append(lines, text), append(res.Choices, choices...)
	}
	res.Text = strings.Join(lines, "\n")
	return res
}

// askZone asks which clocks a person means. An owner can press one.
func (k *keeper) askZone(lang string, isOwner bool) (text string, choices []event.Choice) {
	w, here := wordsOf(lang), k.houseZone()
	text = w.Text("zone.here", here) + " "
	if !isOwner {
		return text + w.Text("zone.owner"), nil
	}
	if k.cfg.Now().Location().String() == here {
		choices = append(choices, event.Choice{Label: w.Text("zone.right", here), Text: "/zone " + here, Trusted: true})
	}
	for i, name := range strings.Split(w.Text("zone.likely"), ", ") {
		if zone, err := time.LoadLocation(name); err == nil {
			city := strings.ReplaceAll(name[strings.LastIndex(name, "/")+1:], "_", " ")
			choices = append(choices, event.Choice{Label: city + " " + k.cfg.Now().In(zone).Format("15:04"), Text: "/zone " + name, Beside: i > 0, Trusted: true})
		}
	}
	return text + w.Text("zone.set"), choices
}

// lacksLeapDay reports whether 29 February was said, and it is the 28th since its year has no other last day.
func (r newReminder) lacksLeapDay() bool {
	isDay := func(t time.Time, day int) bool { return t.Month() == time.February && t.Day() == day }
	return r.read.Repeat == "" && isDay(r.read.Start, 28) && slices.ContainsFunc(r.read.Other, func(o when.Alternative) bool { return isDay(o.Start, 29) })
}

// lacksDay returns the day of a month that was said, where the reminder is on the last of one that has no such day; 0 where it is not.
func (r newReminder) lacksDay() int {
	isLast := r.read.Start.AddDate(0, 0, 1).Day() == 1
	for _, o := range r.read.Other {
		if isLast && r.read.Repeat == "" && o.Start.Day() > r.read.Start.Day() && o.Start.Month() != r.read.Start.Month() {
			return o.Start.Day()
		}
	}
	return 0
}

// otherLines are the other times that the words may mean, and what to type for them, for who sees no buttons. An alarm wakes at the hour that was said,
// and nobody means an hour of the night who does not say so: these are asked about by a button alone.
func (r newReminder) otherLines() (lines []string) {
	for _, o := range r.read.Other {
		if !r.isLikely(o) {
			continue
		}
		at := o.Start.Format("2006-01-02 15:04")
		if o.Start.Format(time.DateOnly) == r.read.Start.Format(time.DateOnly) {
			at = o.Start.Format("15:04")
		}
		lines = append(lines, wordsOf(r.Lang).Text("other", o.Label, strconv.FormatInt(r.ID, 10), at))
	}
	return lines
}

// isLikely reports whether a second meaning is worth a question.
func (r newReminder) isLikely(o when.Alternative) bool {
	isHalfADayLater := o.Start.Sub(r.read.Start) == 12*time.Hour
	return o.Start.Hour() >= 6 && !(sort(r.Reminder) == onlyAlarms && isHalfADayLater)
}

// choices are the buttons below a new reminder. Of several, each says which one it is about. isAsked says that the text asks about what else
// may be meant.
func (r newReminder) choices(several, isAsked bool) (all []event.Choice) {
	w, which := wordsOf(r.Lang), ""
	if several {
		which = fmt.Sprintf(" #%d", r.ID)
	}
	for _, o := range r.read.Other {
		c := r.Choice(o.Label+which, o.Start.Format(time.RFC3339), len(all) > 0)
		c.Asked = isAsked && r.isLikely(o)
		all = append(all, c)
	}
	return append(all, undoChoice(w.Text("undo")+which, r.Change, len(all) > 0),
		r.Choice("+1 h"+which, "+1h", true), r.Choice(w.Text("done")+which, "done", true))
}
