package reminders

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/tools"
	"hob/internal/when"
)

// recent is how long after a reminder was made or told words without its number are about it.
const recent = time.Hour

type changeIn struct {
	ID     int64  `json:"id,omitempty" jsonschema:"its number"`
	About  string `json:"about,omitempty" jsonschema:"words of its text, where its number is not known"`
	Change string `json:"change,omitempty" jsonschema:"done, cancel, restore, or a time such as in 1 hour or tomorrow at 9"`
	Text   string `json:"text,omitempty" jsonschema:"what to remind of from now on"`
	Missed string `json:"missed,omitempty" enum:"late,skip,once" jsonschema:"for times at which hob does not run"`
	Only   string `json:"only,omitempty" enum:"timers,alarms,reminders,rung" jsonschema:"what it is, where its number is not known: rung is one that has rung a short while ago" quiet:"true"`
	Zone   string `json:"zone,omitempty" jsonschema:"whose clocks it keeps from now on, at the same hour: such as Europe/Berlin"`
}

func (k *keeper) change(ctx context.Context, in changeIn) (tools.Result, error) {
	err := k.checkKnown(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	word := wordOf(in.Change)
	if in.ID == 0 && in.About == "" && word == cancelAll {
		return k.cancelMine(ctx, in.Only)
	}
	if in.Only != "" && in.Only != OnlyRung {
		some, err := k.meant(ctx, in)
		if err != nil || len(some) != 1 {
			return tools.Result{Text: k.which(in.Only, some)}, err
		}
		in.ID = some[0].ID
	}
	r, err := k.find(ctx, in)
	if errors.Is(err, errNoneRung) {
		return tools.Result{Text: noneRung}, nil
	}
	if err != nil {
		return tools.Result{}, err
	}
	switch {
	case word == "" && in.Text == "" && in.Missed == "" && in.Zone == "":
		return k.result(r, k.describeState(r)), nil
	case slices.Contains(consentWords(), word):
		return k.answerConsent(ctx, r, word)
	}
	did, what, caller := "", "", tools.CallerFrom(ctx)
	label, ctx := labelOf(caller), event.WithCause(ctx, named(caller.Cause("reminder"), r))
	if in.Text != "" {
		if in.Text, err = tidy(in.Text, false); err != nil {
			return tools.Result{}, err
		}
	}
	reopened, notReopened := k.reopen(ctx, r)
	before := r
	r, err = k.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
		before = *cur
		if in.Text != "" {
			cur.Text, cur.Label = in.Text, label
		}
		if did, what, err = k.apply(cur, word, in.Change); err != nil {
			return err
		}
		if in.Missed != "" {
			cur.When.Missed = missedRule(in.Missed)
		}
		if in.Zone != "" {
			if err = k.rezone(cur, in.Zone); err != nil {
				return err
			}
		}
		if isOver(before) && !isOver(*cur) {
			cur.State, err = reopened, notReopened
		}
		if err == nil && what == "moved" && in.Text == "" && in.Missed == "" && in.Zone == "" && before.Unseen == 0 && isSame(before, *cur) {
			err = errSame
		}
		cur.Changed = k.cfg.Now().UTC()
		return err
	})
	if errors.Is(err, errSame) {
		return k.result(before, wordsOf(before.Lang).same+" "+k.describe(before)), nil
	}
	if err != nil {
		return tools.Result{}, err
	}
	k.cfg.Changed()
	text := did + ": " + markedText(r)
	if sort(r) == onlyAlarms && !r.Due.IsZero() { // they have one name
		text += ", " + k.at(r)
	}
	if r.State == event.ReminderOpen && !r.Due.IsZero() {
		text = k.describe(r)
		if did == wordsOf(r.Lang).done {
			text = did + ". " + text
		}
	}
	res := k.result(r, text)
	id := strconv.FormatInt(r.ID, 10)
	res.Effects = []event.Effect{{Kind: "reminder", Target: id, Detail: what, Change: r.Change}}
	if before.State != r.State && r.State == event.ReminderCancelled {
		res.Choices = []event.Choice{undoChoice(wordsOf(r.Lang).restore, r.Change, false)}
	}
	return res, nil
}

// errSame ends a change that would change nothing: it is none, and nobody can take it back.
var errSame = errors.New("it is at that time already")

// isSame reports whether a reminder is told when it was to be told before. Its first day is no part of that.
func isSame(a, b event.Reminder) bool {
	a.When.Start, a.Changed = b.When.Start, b.Changed
	return reflect.DeepEqual(instantsOf(a), instantsOf(b))
}

// instantsOf is a reminder with its times in one zone, so that those of an instant are equal.
func instantsOf(r event.Reminder) event.Reminder {
	for _, t := range []*time.Time{&r.Due, &r.Planned, &r.Held, &r.Last, &r.Seen, &r.Created} {
		*t = t.UTC()
	}
	return r
}

// isOver reports whether a reminder is told no more unless somebody brings it back.
func isOver(r event.Reminder) bool {
	return r.State != event.ReminderOpen && r.State != event.ReminderWaiting
}

// reopen returns the state of a reminder that is brought back, or an error that says why it cannot be: as a new one it needs the
// consent of the person whom it is for, and counts.
func (k *keeper) reopen(ctx context.Context, r event.Reminder) (event.ReminderState, error) {
	if err := k.checkCount(ctx, r, 0); err != nil {
		return r.State, err
	}
	return k.openState(ctx, r)
}

// apply changes a reminder as a word or a time says, and returns what was done: for the person, and for the receipt.
func (k *keeper) apply(r *event.Reminder, word, words string) (did, what string, err error) {
	w, now := wordsOf(r.Lang), k.cfg.Now()
	switch {
	case word == "":
		return w.changed, "changed", nil
	case slices.Contains(doneWords(), word):
		next, err := schedule.Answered(*r, now, k.cfg.Place)
		*r = next
		return w.done, "done", err
	case slices.Contains(cancelWords(), word):
		if r.State == event.ReminderCancelled {
			return "", "", tools.Invalid(event.CodeInvalidValue, "reminder %d is cancelled already", r.ID)
		}
		r.State = event.ReminderCancelled
		return w.cancelled, "cancelled", nil
	case word == "restore":
		if !isOver(*r) {
			return "", "", tools.Invalid(event.CodeInvalidValue, "reminder %d is still open", r.ID)
		}
		if !r.Due.After(now) {
			next, err := schedule.Next(r.When, now, k.cfg.Place)
			if err != nil || next.IsZero() {
				return "", "", tools.Invalid(event.CodeInvalidValue, "its time is past").Suggest("give it another, such as: reminder " + strconv.FormatInt(r.ID, 10) + " tomorrow at 8")
			}
			r.Due, r.Planned = next, next
		}
		r.State = event.ReminderOpen
		return w.restored, "restored", nil
	}
	return w.changed, "moved", k.move(r, words, now)
}

// move gives a reminder another time. One that was told comes again then, and its rule stays; one that is still to come is
// changed.
func (k *keeper) move(r *event.Reminder, words string, now time.Time) error {
	planned := readingOf(*r)
	at, wasTold := planned, r.When.Repeats() && r.Unseen > 0
	if wasTold { // what was just told is to come later, and not what comes next
		at.Start = now.In(at.Start.Location())
	}
	read, err := k.readChange(words, at, now)
	if wasTold && read.Repeat != "" { // a new rule is for what comes next
		read, err = k.readChange(words, planned, now)
	}
	if err != nil {
		return err
	}
	if isOver(*r) {
		r.State = event.ReminderOpen
	}
	repeats := r.When.Repeats()
	isRule := read.Repeat != "" || read.Sun != "" || read.AfterDone != 0
	if repeats && !isRule && (r.Unseen > 0 || r.When.Sun != "") { // it was told, or has no hour: a snooze
		if !read.Start.After(now) {
			return errPast()
		}
		r.Due = read.Start
		return nil
	}
	fresh := whenOf(read)
	fresh.UntilDone, fresh.Missed = r.When.UntilDone || fresh.UntilDone, cmp.Or(fresh.Missed, r.When.Missed)
	if !isRule { // another hour of the same rule
		fresh.AfterDone = r.When.AfterDone
		fresh.Also, fresh.Not = moveAll(r.When.Also, whenOf(planned).Start, fresh.Start), moveAll(r.When.Not, whenOf(planned).Start, fresh.Start)
		fresh.Repeat = when.Retime(r.When.Repeat, planned.Start, read.Start.In(planned.Start.Location()))
	}
	next, err := schedule.Next(fresh, now, k.cfg.Place)
	switch {
	case err != nil:
		return tools.Invalid(event.CodeInvalidValue, "change: %v", err)
	case next.IsZero():
		return errPast()
	}
	r.When, r.Due, r.Planned, r.Unseen = fresh, next, next, 0
	return nil
}

// moveAll moves local times as one of them was moved.
func moveAll(all []string, from, to string) (moved []string) {
	at := func(text string) time.Time { t, _ := time.Parse(event.StartLayout, text); return t } // the store has no others
	for _, text := range all {
		moved = append(moved, at(text).Add(at(to).Sub(at(from))).Format(event.StartLayout))
	}
	return moved
}

// rezone has a reminder keep the clocks of another zone: at eight stays at eight. What counts down, or goes by the sun, is at the same instant.
func (k *keeper) rezone(r *event.Reminder, name string) error {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return tools.Invalid(event.CodeInvalidValue, "zone: there is no time zone %q", name).Suggest("they have names such as Europe/Berlin")
	}
	old := readingOf(*r).Start.Location()
	if r.When.Zone = name; r.Timer || r.When.AfterDone > 0 {
		r.When.Start = r.Planned.In(zone).Format(event.StartLayout)
	}
	if r.Timer || r.When.AfterDone > 0 || r.When.Sun != "" || r.Due.IsZero() {
		return nil
	}
	once := event.When{Zone: name, Start: r.Due.In(old).Format(event.StartLayout)}
	due, err := schedule.Next(once, k.cfg.Now(), k.cfg.Place)
	if err == nil && due.IsZero() {
		return errPast()
	}
	planned := due
	if err == nil && r.When.Repeats() {
		planned, err = schedule.Next(r.When, k.cfg.Now(), k.cfg.Place)
	}
	if r.Due.Equal(r.Planned) { // else it was put off
		due = planned
	}
	r.Due, r.Planned = due, planned
	return err
}

func errPast() error {
	return tools.Invalid(event.CodeInvalidValue, "change: that time is past").Suggest("give one that is still to come")
}

// readChange reads a time, or how far to move one: "+1h", "in 10 minutes", "make it 7", RFC 3339.
func (k *keeper) readChange(words string, old when.Reading, now time.Time) (when.Reading, error) {
	at, lang := old.Start, old.Lang
	words = strings.TrimSpace(words)
	if t, err := time.Parse(time.RFC3339, words); err == nil {
		return when.Reading{Start: t.In(at.Location()), Lang: lang}, nil
	}
	if d, err := time.ParseDuration(strings.TrimPrefix(words, "+")); err == nil && strings.HasPrefix(words, "+") {
		if at.Before(now) {
			at = now
		}
		if at = at.Add(d); d >= 10*time.Minute && !old.Timer { // nobody means the seconds of the clock
			at = at.Round(time.Minute)
		}
		return when.Reading{Start: at, Lang: lang}, nil
	}
	read, err := when.Adjust(words, lang, old, now)
	if unclear := (*when.Unclear)(nil); errors.As(err, &unclear) {
		return read, tools.Invalid(event.CodeInvalidValue, "%s", unclear.Question).Suggest("say done, cancel, or a time such as in 1 hour")
	}
	if err != nil {
		return read, tools.Invalid(event.CodeInvalidValue, "change: %v", err).Suggest("say done, cancel, or a time such as in 1 hour")
	}
	return read, nil
}

// find returns the reminder of that number, or without one the one that words are about.
func (k *keeper) find(ctx context.Context, in changeIn) (event.Reminder, error) {
	caller, id := tools.CallerFrom(ctx), in.ID
	if id != 0 {
		r, known, err := k.cfg.Store.Get(ctx, id)
		if err == nil && (!known || !k.sees(caller, r)) {
			err = tools.Missing(event.CodeFileNotFound, "there is no reminder %d", id).Suggest("reminders lists them")
		}
		return r, err
	}
	all, err := k.mine(ctx)
	if err != nil {
		return event.Reminder{}, err
	}
	if in.About != "" {
		return k.findAbout(all, in.About)
	}
	if r, ok := Newest(all, caller.Chat, k.cfg.Now(), in.Change, in.Only); ok {
		return r, nil
	}
	if in.Only == OnlyRung {
		return event.Reminder{}, errNoneRung
	}
	return event.Reminder{}, tools.Missing(event.CodeFileNotFound, "it is not clear which reminder").Suggest("give its number: reminders lists them")
}

// OnlyRung is what a change is about that makes sense only of what was told, such as a snooze.
const OnlyRung = "rung"

// noneRung is said where nothing was told that could be put off.
const noneRung = "nothing has rung a short while ago"

var errNoneRung = errors.New(noneRung)

// maxNamed is how many reminders an error names that may be meant.
const maxNamed = 5

// findAbout returns the only open reminder that words are about.
func (k *keeper) findAbout(all []event.Reminder, about string) (event.Reminder, error) {
	all = k.about(all, about)
	if len(all) == 1 {
		return all[0], nil
	}
	if len(all) == 0 {
		return event.Reminder{}, noneAbout(onlyReminders, about)
	}
	var which []string // without their texts: strangers may have written them
	for _, r := range all[:min(len(all), maxNamed)] {
		which = append(which, fmt.Sprintf("#%d %s", r.ID, k.at(r)))
	}
	if len(all) > maxNamed {
		which = append(which, "and others, which reminders lists")
	}
	return event.Reminder{}, tools.Invalid(event.CodeInvalidValue, "there are %d reminders of %q (%s)", len(all), about, strings.Join(which, "; ")).Suggest("give a number")
}

// about returns those that are at the time that words say, or else those whose text has the words.
func (k *keeper) about(all []event.Reminder, about string) []event.Reminder {
	at := slices.DeleteFunc(slices.Clone(all), func(r event.Reminder) bool { return !k.isAt(r, about) })
	if len(at) > 0 {
		return at
	}
	return slices.DeleteFunc(all, func(r event.Reminder) bool {
		return !strings.Contains(strings.ToLower(Title(r)), strings.ToLower(about))
	})
}

// isAt reports whether words are the time at which a reminder is told next, such as 6:45, or how long a timer runs.
func (k *keeper) isAt(r event.Reminder, about string) bool {
	due := readingOf(r).Start
	from := []time.Time{k.cfg.Now().In(due.Location()), due.Add(-time.Minute)} // an hour alone is that of any day
	if r.Timer {
		from = []time.Time{r.Created.In(due.Location())}
	}
	for _, now := range from {
		for _, before := range []string{"at ", "um ", "в ", "timer ", "таймер ", "计时", ""} {
			read, err := when.Read(before+about, r.Lang, now)
			isDue := func(t time.Time) bool { return t.Sub(due).Abs() < 5*time.Second } // a call has taken some
			if err == nil && strings.TrimSpace(read.Rest) == "" && (isDue(read.Start) || slices.ContainsFunc(read.Other, func(o when.Alternative) bool { return isDue(o.Start) })) {
				return true
			}
		}
	}
	return false
}

func noneAbout(only, about string) error {
	return tools.Missing(event.CodeFileNotFound, "there is no %s of %q", strings.TrimSuffix(only, "s"), about).Suggest("reminders lists them")
}

// meant returns the open ones of a sort that a caller may mean where they do not say which: their own, and those of their chat. A
// number of another sort is an error, and of an alarm its hour.
func (k *keeper) meant(ctx context.Context, in changeIn) ([]event.Reminder, error) {
	if in.ID != 0 {
		r, err := k.find(ctx, in)
		switch {
		case err == nil && sort(r) == in.Only:
			return []event.Reminder{r}, nil
		case in.Only == onlyAlarms:
			in.About = strconv.FormatInt(in.ID, 10)
		case err == nil:
			return nil, tools.Missing(event.CodeFileNotFound, "reminder %d is no %s", r.ID, strings.TrimSuffix(in.Only, "s")).Suggest("say: cancel reminder " + strconv.FormatInt(r.ID, 10))
		default:
			return nil, err
		}
	}
	c := tools.CallerFrom(ctx)
	me, now := k.party(c), k.cfg.Now()
	all, err := k.mine(ctx)
	all = slices.DeleteFunc(all, func(r event.Reminder) bool {
		isOpen := runs(r) || !r.Timer && (!r.Due.IsZero() || now.Sub(r.Last) < recent)
		return sort(r) != in.Only || !isOpen || r.Chat != c.Chat && !r.By.Is(me) && !r.For.Is(me)
	})
	switch {
	case err != nil:
	case in.About != "":
		if all = k.about(all, in.About); len(all) == 0 {
			err = noneAbout(in.Only, in.About)
		}
	case in.Only == onlyReminders: // of many, that of just now
		if some := slices.DeleteFunc(slices.Clone(all), func(r event.Reminder) bool { return now.Sub(touched(r)) >= recent }); len(some) > 0 {
			all = some
		}
	}
	return all, err
}

// The sorts of reminders, as Only names them.
const (
	onlyTimers    = "timers"
	onlyAlarms    = "alarms"
	onlyReminders = "reminders"
)

// sort returns what a reminder is.
func sort(r event.Reminder) string {
	if r.Timer {
		return onlyTimers
	}
	if _, wakes := r.Wakes(); wakes {
		return onlyAlarms
	}
	return onlyReminders
}

// runs reports whether a reminder is a timer that is still to ring.
func runs(r event.Reminder) bool {
	return r.Timer && r.State == event.ReminderOpen && r.Unseen == 0 && !r.Due.IsZero()
}

// noTimer is said where no timer runs.
const noTimer = "no timer is running"

// which asks which of several of a sort is meant, or says that there is none.
func (k *keeper) which(only string, some []event.Reminder) string {
	one, verb, none := strings.TrimSuffix(only, "s"), "cancel", "no "+strings.TrimSuffix(only, "s")+" is set"
	if only == onlyTimers {
		verb, none = "stop", noTimer
	}
	if len(some) == 0 {
		return none
	}
	text := fmt.Sprintf("which %s? Say, for example: %s %s %d", one, verb, one, some[0].ID)
	for _, r := range some {
		text += "\n- " + k.describe(r)
	}
	return text
}

// cancelAll is the change of all reminders that a person has asked for, in a group of those that they have asked for there.
const cancelAll = "cancel all"

// asked returns the open reminders of a sort that a caller has asked for, "" being any.
func (k *keeper) asked(ctx context.Context, only string) ([]event.Reminder, error) {
	me := k.party(tools.CallerFrom(ctx))
	all, err := k.mine(ctx)
	return slices.DeleteFunc(all, func(r event.Reminder) bool { return !r.By.Is(me) || !isOf(r, only) }), err
}

// isOf reports whether a reminder is of a sort, "" being any. A timer that has rung is none any more.
func isOf(r event.Reminder, only string) bool {
	return only == "" || sort(r) == only && (!r.Timer || runs(r))
}

// AnyOf reports whether there is one of a sort among some, "" being any: else nothing is to be cancelled.
func AnyOf(all []event.Reminder, only string) bool {
	return slices.ContainsFunc(all, func(r event.Reminder) bool { return isOf(r, only) })
}

// bind says how many of what a call cancels that cancels all.
func (k *keeper) bind(ctx context.Context, raw json.RawMessage) (b event.Binding, err error) {
	var in changeIn
	if err := json.Unmarshal(raw, &in); err != nil || in.ID != 0 || in.About != "" || wordOf(in.Change) != cancelAll {
		return b, nil //nolint:nilerr // the tool says what is wrong with its arguments
	}
	all, err := k.asked(ctx, in.Only)
	n := map[string]int{}
	for _, r := range all {
		n[sort(r)]++
	}
	var parts []string
	for _, of := range []string{onlyReminders, onlyAlarms, onlyTimers} {
		if n[of] == 1 {
			parts = append(parts, "1 "+strings.TrimSuffix(of, "s"))
		} else if n[of] > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n[of], of))
		}
	}
	b.Changes = cmp.Or(strings.Join(parts, ", "), "nothing")
	return b, err
}

func (k *keeper) cancelMine(ctx context.Context, only string) (tools.Result, error) {
	all, err := k.asked(ctx, only)
	if err != nil {
		return tools.Result{}, err
	}
	if len(all) == 0 && only != "" {
		return tools.Result{Text: k.which(only, nil)}, nil
	}
	res, lang := tools.Result{}, ""
	for _, r := range all {
		r, err := k.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
			cur.State, cur.Changed = event.ReminderCancelled, k.cfg.Now().UTC()
			return nil
		})
		if err != nil {
			return res, err
		}
		lang = r.Lang
		res.Effects = append(res.Effects, event.Effect{Kind: "reminder", Target: "#" + strconv.FormatInt(r.ID, 10), Detail: "cancelled"})
	}
	k.cfg.Changed()
	if res.Text = fmt.Sprintf(wordsOf(lang).cancelledAll, len(res.Effects)); len(res.Effects) == 0 {
		res.Text = wordsOf(lang).none
	}
	return res, nil
}

// Newest returns the reminder that a change without a number is about: of those that were told in a chat or made there within the
// last hour the newest. "Done", and what is for [OnlyRung], is said of one that was told there. Who asked for one that was told elsewhere may take it back, and does not move it.
func Newest(all []event.Reminder, chat event.Chat, now time.Time, change, only string) (newest event.Reminder, ok bool) {
	at := now.Add(-recent)
	isDone, isCancel := slices.Contains(doneWords(), wordOf(change)), slices.Contains(cancelWords(), wordOf(change))
	for _, r := range all {
		touched := touched(r)
		if only == OnlyRung {
			touched = r.Last
		}
		if (isDone || only == OnlyRung) && r.Unseen == 0 {
			continue
		}
		if (r.Chat == chat || r.AskedIn == chat && !isDone && (r.Unseen == 0 || isCancel)) && touched.After(at) {
			newest, at, ok = r, touched, true
		}
	}
	return newest, ok
}

// touched is when a reminder was made, told or changed last.
func touched(r event.Reminder) time.Time {
	return slices.MaxFunc([]time.Time{r.Created, r.Last, r.Changed}, time.Time.Compare)
}

// IsChange reports whether words are a change of a reminder and nothing else: "done", "cancel", "in an hour".
func IsChange(words string, now time.Time) bool {
	word := wordOf(words)
	if slices.Contains(doneWords(), word) || slices.Contains(cancelWords(), word) {
		return true
	}
	read, err := when.Adjust(words, "", when.Reading{Start: now}, now)
	return err == nil && strings.TrimSpace(read.Rest) == ""
}

// wordOf is what a person has written, as it stands among the words of a change.
func wordOf(words string) string { return strings.ToLower(strings.Trim(words, " .!。！")) }

// doneWords are the words with which people say that something is done.
func doneWords() []string {
	return []string{
		"done", "ok", "okay", "did it", "did that", "got it", "thanks", "thank you", "✓", "👍", "✅",
		"erledigt", "fertig", "gemacht", "hab ich", "habe ich", "danke",
		"готово", "сделано", "сделал", "сделала", "спасибо",
		"完成", "完成了", "做完了", "好了", "好的", "搞定", "谢谢",
	}
}

func cancelWords() []string {
	return []string{
		"cancel", "undo", "delete", "remove", "stop", "never mind", "nevermind", "forget it",
		"abbrechen", "löschen", "streichen", "vergiss es", "lass es", "rückgängig",
		"отмени", "отмена", "удали", "не надо",
		"取消", "删除", "算了", "不用了",
	}
}
