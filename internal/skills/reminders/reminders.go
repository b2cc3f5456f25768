// Package reminders is the skill that tells people things later: reminders, timers, and what comes again and again.
//
// A reminder is made here and told by package schedule, without a model. Its tools are made for people first: /remind takes the
// words of a person, and /reminder 7 what is to become of the seventh. The buttons below what hob says give those commands.
//
// A person sees and changes what they have asked for and what is for them; an owner, in private, everything. Who wants somebody
// else reminded asks them: see consent.go.
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
	"hob/internal/schedule"
	"hob/internal/skills"
	"hob/internal/skills/pages"
	"hob/internal/tools"
	"hob/internal/when"
)

const (
	maxText  = 500 // bytes
	maxOpen  = 500 // of a person
	maxShown = 50  // in a list
	shownFor = 24 * time.Hour
	onItsWay = time.Minute // how long a call may take from the words to here: what was due meanwhile is told at once
)

// Store keeps reminders. *store.Reminders is one.
type Store interface {
	Add(ctx context.Context, r event.Reminder) (event.Reminder, error)
	Change(ctx context.Context, id int64, change func(*event.Reminder) error) (event.Reminder, error)
	Get(ctx context.Context, id int64) (event.Reminder, bool, error)
	Open(ctx context.Context) ([]event.Reminder, error)
}

// Consents keeps who may remind whom. *store.Reminders is one.
type Consents interface {
	Consent(ctx context.Context, person, author event.Party) (string, error)
	// SetConsent keeps an answer, and returns the number of the change in the log of changes.
	SetConsent(ctx context.Context, person, author event.Party, answer string) (change int64, err error)
}

// Person is somebody who can be reminded.
type Person struct {
	event.Party
	Chat event.Chat // their own
}

// Config is what the skill needs.
type Config struct {
	Store    Store
	Consents Consents
	// Now is the time; its zone is that of the house.
	Now   func() time.Time
	Place schedule.Place
	// Who returns who a caller is, on the platform that knows them. Nil: by the platform that they come by.
	Who func(tools.Caller) event.Party
	// ShowsButtons reports whether a caller sees the buttons below an answer. Nil: all do.
	ShowsButtons func(tools.Caller) bool
	// AskZone reports whether a chat has to be asked for its zone: nobody has set it, the machine does not know it, and the chat was
	// not asked before. It keeps that it is asked now.
	AskZone func(ctx context.Context, chat event.Chat) bool
	// Known reports whether somebody was let in: in a group others speak, too.
	Known func(ctx context.Context, who event.Party) (bool, error)
	// People returns who was let in and can be written to.
	People func(ctx context.Context) ([]Person, error)
	// Calendar is the skill that reads calendars. Its tools are of this skill, too: a model asks both when something is.
	Calendar skills.Skill
	// Tell puts a note into a chat.
	Tell func(ctx context.Context, chat event.Chat, note event.Noted) error
	// Language returns the language in which hob speaks in a chat, "" where nothing says it. Nil: it is never known.
	Language func(ctx context.Context, chat event.Chat) string
	// Delivered says how far the note of that Seq came: "delivered", "not delivered yet", "waits until you open hob", "Telegram refused
	// it", or "" where nobody knows.
	Delivered func(ctx context.Context, chat event.Chat, seq int64) string
	// Changed is called after a change, so that what is due is looked for anew.
	Changed func()
}

// New returns the skill, with the tools remind, reminders and reminder.
func New(cfg Config) skills.Skill {
	k := &keeper{cfg}
	beside := cfg.Calendar
	own := skills.Declare(skills.Skill{
		Name:        "reminders",
		Description: "Timers and calendars.",
		Instructions: "remind makes a reminder: text is what to say then, at is the time in the user's words or as RFC 3339. " +
			"For what comes again give at such as \"every Monday 8:00\". reminder changes one by its number: done, cancel, or a new time. " +
			"hob itself tells it at its time: never promise that you will. Never say that a reminder is set unless the tool said so. " + beside.Instructions,
		Keywords: append([]string{
			"remind", "reminder", "reminders", "timer", "alarm", "wake me", "snooze",
			"erinnere", "erinnern", "erinnerung", "erinnerungen", "wecker", "weck mich", "timer",
			"напомни", "напомнить", "напоминание", "напоминания", "таймер", "будильник", "разбуди",
			"提醒", "闹钟", "定时", "计时", "鬧鐘", "計時",
		}, beside.Keywords...),
		Tags: []string{"reminders"},
	}, tools.New(tools.Def{
		Name: "remind", Description: "Remind somebody later, once or again and again.",
		Capabilities: tools.Writes, Command: "remind <text:string...>",
		Examples: []string{"remind tomorrow at 8 to call Ana", "remind every Monday at 7 take the bins out"},
	}, k.remind), tools.New(tools.Def{
		Name: "reminders", Description: "Show the reminders that are still to come.",
		Capabilities: tools.Reads | tools.Private, Examples: []string{"reminders"}, Command: "reminders",
	}, k.list), tools.New(tools.Def{
		Name: "reminder", Description: "Change a reminder: done, cancel, or another time. Without an id: the newest.",
		Capabilities: tools.Writes | tools.Private, Command: "reminder <id:integer> [change:string...]",
		Examples: []string{"reminder 7 done", "reminder 7 in 1 hour", "reminder 7 cancel"}, Bind: k.bind,
	}, k.change))
	return skills.Declare(own, beside.Tools...)
}

// keeper makes and changes reminders.
type keeper struct{ cfg Config }

// Reminder is the Data of a result about a reminder.
type Reminder struct {
	ID     int64  `json:"id"`
	Due    string `json:"due,omitempty"` // RFC 3339, in the reminder's zone
	Zone   string `json:"zone"`
	Text   string `json:"text"`
	Repeat string `json:"repeat"`
	Missed string `json:"missed,omitempty"` // "late" or "skip"; as a rule the newest of those that were missed is told
	State  string `json:"state"`
	For    string `json:"for,omitempty"`
	Line   string `json:"-"` // as people read it

	Also []Reminder `json:"also,omitempty"` // that were made with it, of the same words
}

// oneIn is one reminder that is asked for.
type oneIn struct {
	Text      string `json:"text" jsonschema:"what to remind of; may hold the time, too"`
	At        string `json:"at,omitempty" jsonschema:"when: RFC 3339, or words such as tomorrow at 8 or every Monday at 7"`
	Repeat    string `json:"repeat,omitempty" jsonschema:"an RRULE such as FREQ=DAILY"`
	UntilDone bool   `json:"until_done,omitempty" jsonschema:"tell it again until it is done"`
	Missed    string `json:"missed,omitempty" enum:"late,skip,once" jsonschema:"for times at which hob did not run: late tells each of them, skip none, once the newest"`
	Other     string `json:"other,omitempty" jsonschema:"another time that may be meant, as RFC 3339"`
	Timer     bool   `json:"timer,omitempty" jsonschema:"it is a countdown"`
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
	all, err := k.prepare(in, caller)
	if err != nil {
		return tools.Result{}, err
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
	read when.Reading
}

// prepare returns the reminders that a call asks for. None is kept yet.
func (k *keeper) prepare(in remindIn, caller tools.Caller) (all []newReminder, err error) {
	now := k.cfg.Now()
	var reads []when.Reading
	for _, one := range append([]oneIn{in.oneIn}, in.Also...) {
		some, err := k.read(one, in.Lang, now)
		if err != nil {
			return nil, err
		}
		reads = append(reads, some...)
	}
	for _, read := range reads {
		if read.Rest, err = tidy(read.Rest, read.Timer); err != nil {
			return nil, err
		}
		r := event.Reminder{
			Chat: cmp.Or(caller.Chat, "main"), State: event.ReminderOpen, When: whenOf(read), Text: read.Rest, Lang: read.Lang, Timer: read.Timer,
			Label: labelOf(caller), By: k.party(caller), Created: now,
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

// labelOf is the label of a text that comes from a caller.
func labelOf(c tools.Caller) event.Label {
	if !c.Label.Untrusted {
		return event.Label{}
	}
	return event.Label{Untrusted: true, Source: cmp.Or(c.Label.Source, "elsewhere")}
}

// read returns when and of what a person is to be reminded: several things where the words have a time for each.
func (k *keeper) read(in oneIn, lang string, now time.Time) ([]when.Reading, error) {
	all, err := k.readTimes(in, lang, now)
	for i := range all {
		all[i].UntilAcknowledged = all[i].UntilAcknowledged || in.UntilDone
		all[i].Missed = cmp.Or(in.Missed, all[i].Missed)
	}
	return all, err
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
	return all, nil
}

// withoutSelf returns words without who is reminded, where that is who asks: people write "/remind me tomorrow at 8".
func withoutSelf(words string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(words), " ")
	if slices.Contains([]string{"me", "us", "mich", "uns", "мне", "нам"}, strings.ToLower(first)) {
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
	for _, r := range all {
		res.Label = res.Label.Join(r.Label)
		lines = append(lines, k.describe(r.Reminder))
		if r.lacksLeapDay() {
			lines = append(lines, fmt.Sprintf(wordsOf(r.Lang).noLeapDay, r.read.Start.Year()))
		}
		if k.cfg.ShowsButtons != nil && !k.cfg.ShowsButtons(tools.CallerFrom(ctx)) {
			lines = append(lines, r.otherLines()...)
		}
		res.Effects = append(res.Effects, event.Effect{Kind: "reminder", Target: strconv.FormatInt(r.ID, 10), Detail: event.ReminderSet, Change: r.Change})
		res.Choices = append(res.Choices, r.choices(len(all) > 1)...)
	}
	for _, r := range all[1:] {
		data.Also = append(data.Also, dataOf(r.Reminder))
	}
	res.Data = data
	if more != "" {
		lines = append(lines, more)
	}
	if r := all[0]; !r.Timer && k.cfg.AskZone(ctx, cmp.Or(r.AskedIn, r.Chat)) {
		text, choices := k.askZone(r.Lang, tools.CallerFrom(ctx).Level >= event.Owner)
		lines, res.Choices = append(lines, text), append(res.Choices, choices...)
	}
	res.Text = strings.Join(lines, "\n")
	return res
}

// askZone asks which clocks a person means. An owner can press one.
func (k *keeper) askZone(lang string, isOwner bool) (text string, choices []event.Choice) {
	w, here := wordsOf(lang), k.houseZone()
	text = fmt.Sprintf(w.thisZone, here) + " "
	if !isOwner {
		return text + w.ownersZone, nil
	}
	if k.cfg.Now().Location().String() == here {
		choices = append(choices, event.Choice{Label: fmt.Sprintf(w.zoneIsRight, here), Text: "/zone " + here})
	}
	for i, name := range w.zones {
		if zone, err := time.LoadLocation(name); err == nil {
			city := strings.ReplaceAll(name[strings.LastIndex(name, "/")+1:], "_", " ")
			choices = append(choices, event.Choice{Label: city + " " + k.cfg.Now().In(zone).Format("15:04"), Text: "/zone " + name, Beside: i > 0})
		}
	}
	return text + w.yourZone, choices
}

// lacksLeapDay reports whether 29 February was said, and it is the 28th since its year has no other last day.
func (r newReminder) lacksLeapDay() bool {
	isDay := func(t time.Time, day int) bool { return t.Month() == time.February && t.Day() == day }
	return r.read.Repeat == "" && isDay(r.read.Start, 28) && slices.ContainsFunc(r.read.Other, func(o when.Alternative) bool { return isDay(o.Start, 29) })
}

// otherLines are the other times that the words may mean, and what to type for them, for who sees no buttons.
func (r newReminder) otherLines() (lines []string) {
	for _, o := range r.read.Other {
		at := o.Start.Format("2006-01-02 15:04")
		if o.Start.Format(time.DateOnly) == r.read.Start.Format(time.DateOnly) {
			at = o.Start.Format("15:04")
		}
		lines = append(lines, fmt.Sprintf("· %s: /reminder %d %s", o.Label, r.ID, at))
	}
	return lines
}

// choices are the buttons below a new reminder. Of several, each says which one it is about.
func (r newReminder) choices(several bool) (all []event.Choice) {
	id, w, which := strconv.FormatInt(r.ID, 10), wordsOf(r.Lang), ""
	if several {
		which = " #" + id
	}
	for _, o := range r.read.Other {
		all = append(all, event.Choice{Label: o.Label + which, Text: "/reminder " + id + " " + o.Start.Format(time.RFC3339), Beside: len(all) > 0})
	}
	return append(all,
		undoChoice(w.undo+which, r.Change, len(all) > 0),
		event.Choice{Label: "+1 h" + which, Text: "/reminder " + id + " +1h", Beside: true},
		event.Choice{Label: w.done + which, Text: "/reminder " + id + " done", Beside: true})
}

// undoChoice is a button that takes back a change.
func undoChoice(label string, change int64, beside bool) event.Choice {
	return event.Choice{Label: label, Text: fmt.Sprintf("/undo #%d", change), Beside: beside}
}

// result is a text about a reminder, with its data.
func (k *keeper) result(r event.Reminder, text string) tools.Result {
	return tools.Result{Text: text, Data: dataOf(r), Label: r.Label}
}

func dataOf(r event.Reminder) Reminder {
	d := Reminder{ID: r.ID, Zone: r.When.Zone, Text: r.Text, Repeat: r.When.Repeat, Missed: string(r.When.Missed), State: string(r.State), For: r.For.Name}
	if zone, err := time.LoadLocation(r.When.Zone); err == nil && !r.Due.IsZero() {
		d.Due = r.Due.In(zone).Format(time.RFC3339)
	}
	return d
}

// describe is a reminder in a line: its number, when, and of what.
func (k *keeper) describe(r event.Reminder) string {
	text := "⏰ #" + strconv.FormatInt(r.ID, 10) + " " + k.at(r)
	if r.For.Name != "" {
		text += " " + fmt.Sprintf(wordsOf(r.Lang).forName, r.For.Name)
	}
	if r.Text != "" || r.Due.IsZero() { // what is left of a timer says which it is
		text += ": " + markedText(r)
	}
	return text
}

// Title names a reminder for a person: by its text, and a timer without one by its length.
func Title(r event.Reminder) string {
	w := wordsOf(r.Lang)
	if what, wakes := r.Wakes(); wakes {
		return cmp.Or(what, w.wake)
	}
	if r.Text == "" && r.Timer {
		end, _ := time.ParseInLocation(event.StartLayout, r.When.Start, readingOf(r).Start.Location()) // whenOf wrote it
		return fmt.Sprintf(w.timer, when.DescribeLength(end.Sub(r.Created), r.Lang))
	}
	return r.Text
}

// named has a change of a reminder whose text is not its title under that title in the log of changes.
func named(c event.Cause, r event.Reminder) event.Cause {
	if title := Title(r); title != r.Text {
		c.What = title
	}
	return c
}

// markedText is the text of a reminder. It says where it comes from if strangers wrote it.
func markedText(r event.Reminder) string {
	text := Title(r)
	if r.Label.Untrusted {
		text += " (" + fmt.Sprintf(wordsOf(r.Lang).stranger, r.Label.Source) + ")"
	}
	return text
}

// describeState is describe for one that may be over.
func (k *keeper) describeState(r event.Reminder) string {
	w := wordsOf(r.Lang)
	switch r.State {
	case event.ReminderDone:
		return w.done + ": " + markedText(r)
	case event.ReminderCancelled:
		return w.cancelled + ": " + markedText(r)
	case event.ReminderMissed:
		return k.describe(r) + " (" + w.missed + ")"
	case event.ReminderRefused:
		return fmt.Sprintf(w.refused, nameOr(r.For)) + " " + k.describe(r)
	case event.ReminderWaiting:
		return k.describe(r) + " (" + w.waits + ")"
	}
	return k.describe(r)
}

// at says when a reminder comes next, in absolute local time with the weekday, and by which rule.
func (k *keeper) at(r event.Reminder) string {
	read := readingOf(r)
	if r.Timer && !r.Due.IsZero() {
		left, layout := r.Due.Sub(k.cfg.Now()), "15:04:05"
		if left > time.Hour {
			layout = "15:04"
		}
		return fmt.Sprintf(wordsOf(r.Lang).left, when.DescribeLength(left, r.Lang), r.Due.In(read.Start.Location()).Format(layout))
	}
	if r.Timer { // it has rung, and nobody counts its seconds any more
		read.Start = read.Start.Truncate(time.Minute)
	}
	text := when.Describe(read, r.Lang, k.cfg.Now().In(read.Start.Location()))
	if !r.Due.IsZero() && !r.Planned.IsZero() && !r.Due.Equal(r.Planned) {
		again := when.Describe(when.Reading{Start: r.Due.In(read.Start.Location())}, r.Lang, k.cfg.Now())
		text += " (" + fmt.Sprintf(wordsOf(r.Lang).again, again) + ")"
	}
	if now := k.cfg.Now(); !schedule.ShowsSame(r, now.Location(), now) {
		text += " (" + r.When.Zone + ")"
	}
	return text
}

// checkCount refuses a reminder of somebody who has too many, or too many for others. Besides are those that are made with it.
func (k *keeper) checkCount(ctx context.Context, r event.Reminder, besides int) error {
	all, err := k.cfg.Store.Open(ctx)
	if err != nil {
		return err
	}
	n, forOthers := besides, besides
	for _, o := range all {
		if !o.By.Is(r.By) || o.State == event.ReminderOpen && o.Due.IsZero() {
			continue // that one was told, and has no time to come
		}
		if n++; o.For != (event.Party{}) {
			forOthers++
		}
	}
	switch {
	case n >= maxOpen:
		return tools.Invalid(event.CodeInvalidValue, "there are %d reminders still to come, and that is the most", n).Suggest("cancel some first")
	case forOthers >= maxForOthers && r.NeedsConsent():
		return tools.Invalid(event.CodeInvalidValue, "you have %d reminders for others open, and that is the most", forOthers).Suggest("cancel one first")
	}
	return nil
}

// checkKnown refuses people who are only in a group that was let in: what they ask for would stay.
func (k *keeper) checkKnown(ctx context.Context) error {
	known, err := k.cfg.Known(ctx, k.party(tools.CallerFrom(ctx)))
	if err == nil && !known {
		err = tools.Invalid(event.CodePermissionDenied, "reminders are for people who were let in").Suggest("ask the owner to let you in: hob pair")
	}
	return err
}

// party is the person who calls.
func (k *keeper) party(c tools.Caller) event.Party {
	if k.cfg.Who != nil {
		return k.cfg.Who(c)
	}
	return event.Party{Platform: c.Platform, ID: c.User}
}

func nameOf(people []Person, p event.Party) string {
	if i := slices.IndexFunc(people, func(o Person) bool { return o.Is(p) }); i >= 0 {
		return people[i].Name
	}
	return ""
}

// sees reports whether a caller may see and change a reminder: who asked for it and whom it is for, all who read its chat where
// that is a group, and an owner in private.
func (k *keeper) sees(c tools.Caller, r event.Reminder) bool {
	me := k.party(c)
	return r.By.Is(me) || r.For.Is(me) && r.For != (event.Party{}) || r.Chat == c.Chat && r.Chat.Shared() ||
		c.Level >= event.Owner && c.Scope == "private"
}

// mine returns the open reminders that a caller may see.
func (k *keeper) mine(ctx context.Context) ([]event.Reminder, error) {
	c := tools.CallerFrom(ctx)
	all, err := k.cfg.Store.Open(ctx)
	return slices.DeleteFunc(all, func(r event.Reminder) bool {
		return !k.sees(c, r) || c.Chat.Shared() && r.Chat != c.Chat
	}), err
}

type listIn struct {
	Lang string `json:"lang,omitempty" jsonschema:"en, de, ru or zh"`
	Only string `json:"only,omitempty" enum:"timers,alarms,next" jsonschema:"timers that run, alarms, or what comes next" quiet:"true"`
}

// inLanguageOf returns a reminder as it is shown in a chat: in the language there, where it is known.
func (k *keeper) inLanguageOf(ctx context.Context, chat event.Chat, r event.Reminder) event.Reminder {
	if k.cfg.Language != nil && chat != "" {
		r.Lang = cmp.Or(k.cfg.Language(ctx, chat), r.Lang)
	}
	return r
}

func (k *keeper) list(ctx context.Context, in listIn) (tools.Result, error) {
	all, err := k.mine(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	switch in.Only {
	case "next":
		all = slices.DeleteFunc(all, func(r event.Reminder) bool { return r.State != event.ReminderOpen || r.Due.IsZero() })
		all = all[:min(len(all), 1)]
	case onlyTimers, onlyAlarms:
		if all = slices.DeleteFunc(all, func(r event.Reminder) bool { return !isOf(r, in.Only) }); len(all) == 0 {
			return tools.Result{Text: k.which(in.Only, nil), Data: map[string]any{"reminders": []Reminder{}}}, nil
		}
	}
	now, lang := k.cfg.Now(), in.Lang
	data, lines := []Reminder{}, []string(nil)
	res := tools.Result{}
	for _, r := range all {
		if r.Due.IsZero() && r.State == event.ReminderOpen && now.Sub(r.Last) > shownFor {
			continue // it was told, and nobody has said a word for a day
		}
		if r.Lang = cmp.Or(in.Lang, r.Lang); in.Lang == "" {
			r = k.inLanguageOf(ctx, tools.CallerFrom(ctx).Chat, r)
		}
		line := k.describeState(r)
		lang = r.Lang
		if r.State == event.ReminderOpen && r.Sent > 0 && r.Unseen > 0 {
			line += " (" + wordsOf(r.Lang).fate(r.Last.In(now.Location()), k.cfg.Delivered(ctx, r.Chat, r.Seq)) + ")"
		}
		one := dataOf(r)
		one.Line = line
		if data = append(data, one); len(data) > maxShown {
			continue
		}
		lines = append(lines, "- "+line)
		res.Label = res.Label.Join(r.Label)
	}
	if len(data) > maxShown {
		lines = append(lines, fmt.Sprintf(wordsOf(lang).more, len(data)-maxShown))
	}
	if len(lines) == 0 {
		lines = []string{wordsOf(lang).none}
	}
	res.Text, res.Data = strings.Join(lines, "\n"), map[string]any{"reminders": data}
	return res, nil
}
