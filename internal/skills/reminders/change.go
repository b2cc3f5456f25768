package reminders

import (
	"cmp"
	"context"
	"errors"
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
	if err := k.checkKnown(ctx); err != nil {
		return tools.Result{}, err
	}
	word := wordOf(in.Change)
	if in.ID == 0 && in.About == "" && word == cancelAll {
		return k.cancelMine(ctx, in.Only)
	}
	r, answer, err := k.pick(ctx, in)
	if missing := (*tools.Error)(nil); slices.Contains(consentWords(), word) && errors.As(err, &missing) && missing.Code == event.CodeFileNotFound {
		lang := k.inLanguageOf(ctx, tools.CallerFrom(ctx).Chat, event.Reminder{}).Lang
		return tools.Result{Text: wordsOf(lang).Text("consent.gone")}, nil
	}
	switch {
	case err != nil:
		return answer, err
	case answer.Text != "":
		return answer, nil
	case word == "" && in.Text == "" && in.Missed == "" && in.Zone == "":
		return k.result(r, k.describeState(r)), nil
	case slices.Contains(consentWords(), word):
		return k.answerConsent(ctx, r, word)
	}
	return k.edit(ctx, r, in, word)
}

// pick returns the reminder that a change is about, or the answer where it is about none or about several.
func (k *keeper) pick(ctx context.Context, in changeIn) (r event.Reminder, answer tools.Result, err error) {
	if in.Only != "" && in.Only != OnlyRung {
		some, err := k.meant(ctx, in)
		if err != nil || len(some) != 1 {
			return r, k.which(ctx, in.Only, some, in.Change), err
		}
		in.ID = some[0].ID
	}
	if some, err := k.rung(ctx, in); err != nil || len(some) > 1 {
		return r, k.askWhich(ctx, some, in.Change), err
	}
	r, err = k.find(ctx, in)
	if several := (*severalError)(nil); errors.As(err, &several) {
		answer.Choices = choicesOf(several.some, in.Change)
	}
	if errors.Is(err, errNoneRung) {
		return r, tools.Result{Text: noneRung}, nil
	}
	return r, answer, err
}

// edit changes a reminder as a call says, and returns what a person reads of it.
func (k *keeper) edit(ctx context.Context, r event.Reminder, in changeIn, word string) (tools.Result, error) {
	caller, err := tools.CallerFrom(ctx), error(nil)
	ctx = event.WithCause(ctx, named(caller.Cause("reminder"), r))
	if in.Text != "" {
		if in.Text, err = tidy(in.Text, false); err != nil {
			return tools.Result{}, err
		}
	}
	reopened, notReopened := k.reopen(ctx, r)
	me := k.party(caller)
	people, err := k.cfg.People(ctx) // before the change: within it the journal may have no other connection
	if err != nil {
		return tools.Result{}, err
	}
	me.Name = nameOf(people, me)
	before, did := r, ""
	r, err = k.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
		before = *cur
		if in.Text != "" {
			cur.Text, cur.Label = in.Text, labelOf(caller)
		}
		if did, err = k.apply(cur, me, word, in.Change); err != nil {
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
		if err == nil && did == "moved" && in.Text == "" && in.Missed == "" && in.Zone == "" && before.Unseen == 0 && isSame(before, *cur) {
			err = errSame
		}
		cur.Changed = k.cfg.Now().UTC()
		return err
	})
	shown := k.inLanguageOf(ctx, caller.Chat, r)
	if errors.Is(err, errSame) || errors.Is(err, errAlready) {
		shown = k.inLanguageOf(ctx, caller.Chat, before)
		return k.result(before, k.describeSame(shown, err)), nil
	}
	if err != nil {
		return tools.Result{}, err
	}
	k.cfg.Changed()
	res := k.result(r, k.describeChange(shown, did))
	res.Effects = []event.Effect{{Kind: "reminder", Target: strconv.FormatInt(r.ID, 10), Detail: did, Change: r.Change}}
	if before.State != r.State && r.State == event.ReminderCancelled {
		res.Choices = []event.Choice{undoChoice(wordsOf(shown.Lang).Text("restore"), r.Change, false)}
		err = k.announce(ctx, wasCancelled, r)
	}
	switch {
	case did == "restored":
		err = k.announce(ctx, wasRestored, r)
	case did == "moved", did == "changed" && !r.Due.Equal(before.Due): // by another zone
		err = k.announce(ctx, wasMoved, r)
	}
	return res, err
}

// describeSame says why a change has changed nothing: it is at that time already, or somebody has said that it is done.
func (k *keeper) describeSame(r event.Reminder, why error) string {
	w := wordsOf(r.Lang)
	switch {
	case errors.Is(why, errSame):
		return w.Text("same") + " " + k.describe(r)
	case r.SeenBy.Name == "":
		return w.Text("done.already") + ": " + markedText(r)
	}
	return w.Text("done.already by", r.SeenBy.Name) + ": " + markedText(r)
}

// describeChange says what was done to a reminder, and what it is from now on.
func (k *keeper) describeChange(r event.Reminder, what string) string {
	comes := !r.Due.IsZero()
	did := wordsOf(r.Lang).Text(strings.Replace(what, "moved", "changed", 1))
	switch {
	case comes && r.State == event.ReminderOpen && what == "done":
		return did + ". " + k.describe(r)
	case comes && r.State == event.ReminderOpen:
		return k.describe(r)
	case comes && sort(r) == onlyAlarms: // they have one name
		return did + ": " + markedText(r) + ", " + k.at(r)
	}
	return did + ": " + markedText(r)
}

// errAlready ends a change that says done of what somebody else has done before.
var errAlready = errors.New("it is done already")

// errSame ends a change that would change nothing: it is none, and nobody can take it back.
var errSame = errors.New("it is at that time already")

// isSame reports whether two versions of a reminder are told at the same times. The first day of a rule does not count.
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

// apply changes a reminder as a word or a time says, and returns what was done: changed, done, cancelled, restored or moved.
func (k *keeper) apply(r *event.Reminder, me event.Party, word, words string) (did string, err error) {
	now := k.cfg.Now()
	switch {
	case word == "":
		return "changed", nil
	case slices.Contains(doneWords(), word):
		return "done", k.answer(r, me, now)
	case slices.Contains(cancelWords(), word):
		if r.State == event.ReminderCancelled {
			return "", tools.Invalid(event.CodeInvalidValue, "reminder %d is cancelled already", r.ID)
		}
		r.State = event.ReminderCancelled
		return "cancelled", nil
	case word == "restore":
		if !isOver(*r) {
			return "", tools.Invalid(event.CodeInvalidValue, "reminder %d is still open", r.ID)
		}
		if !r.Due.After(now) {
			next, err := schedule.Next(r.When, now, k.cfg.Place)
			if err != nil || next.IsZero() {
				return "", tools.Invalid(event.CodeInvalidValue, "its time is past").Suggest("give it another, such as: reminder " + strconv.FormatInt(r.ID, 10) + " tomorrow at 8")
			}
			r.Due, r.Planned = next, next
		}
		r.State = event.ReminderOpen
		return "restored", nil
	}
	if r.Unseen == 0 && r.SeenBy != (event.Party{}) && !r.SeenBy.Is(me) && now.Sub(r.Seen) < atOnce {
		return "", errAlready
	}
	return "moved", k.move(r, words, now)
}

// atOnce is how long after one person has said that a reminder is done another, who puts it off, may not have read that.
const atOnce = time.Minute

// answer keeps that somebody says that a reminder is done, and who it is.
func (k *keeper) answer(r *event.Reminder, me event.Party, now time.Time) error {
	next, err := schedule.Answered(*r, now, k.cfg.Place)
	if err != nil {
		return err
	}
	if (r.State == event.ReminderDone || next.Seen.Equal(r.Seen)) && !r.SeenBy.Is(me) {
		return errAlready
	}
	next.SeenBy = me
	*r = next
	return nil
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
	planned := due
	if err == nil && r.When.Repeats() {
		planned, err = schedule.Next(r.When, k.cfg.Now(), k.cfg.Place)
	}
	if r.Due.Equal(r.Planned) { // else it was put off
		due = planned
	}
	if err == nil && due.IsZero() {
		return errPast()
	}
	r.Due, r.Planned = due, planned
	return err
}

// Rezone has a reminder keep the clocks of a zone, at the same hour. The error is a [*tools.Error] where it would be over there. It
// returns a reminder only if that was moved.
func Rezone(ctx context.Context, cfg Config, id int64, zone string) (event.Reminder, error) {
	k := &keeper{cfg}
	r, err := cfg.Store.Change(ctx, id, func(cur *event.Reminder) error {
		cur.Changed = cfg.Now().UTC()
		return k.rezone(cur, zone)
	})
	if err != nil {
		return event.Reminder{}, err
	}
	cfg.Changed()
	return r, k.announce(ctx, wasMoved, r)
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
