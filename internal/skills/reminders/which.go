package reminders

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/skills/pages"
	"hob/internal/tools"
	"hob/internal/when"
)

// recent is how long after a reminder was made or told words without its number are about it.
const recent = time.Hour

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
		return k.findAbout(ctx, all, in.About)
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

// rung returns the reminders that an answer such as "done" or "later" may be about: those that were told in the chat of a caller within
// the last hour, and that nobody has answered. Other changes are about none of them, nor those that name one.
func (k *keeper) rung(ctx context.Context, in changeIn) ([]event.Reminder, error) {
	isAnswer := in.Only == OnlyRung || slices.Contains(doneWords(), wordOf(in.Change))
	if !isAnswer || in.ID != 0 || in.About != "" {
		return nil, nil
	}
	now, chat := k.cfg.Now(), tools.CallerFrom(ctx).Chat
	all, err := k.mine(ctx)
	return slices.DeleteFunc(all, func(r event.Reminder) bool {
		return r.State != event.ReminderOpen || r.Chat != chat || r.Unseen == 0 || now.Sub(r.Last) >= recent
	}), err
}

// askWhich asks which of several reminders a change is about. A button for each, or a line for who sees none, says it.
func (k *keeper) askWhich(ctx context.Context, some []event.Reminder, change string) tools.Result {
	caller, res := tools.CallerFrom(ctx), tools.Result{}
	var lines []string
	for _, r := range some {
		res.Label = res.Label.Join(r.Label)
	}
	for i, r := range some {
		r = k.inLanguageOf(ctx, caller.Chat, r)
		if i == 0 {
			lines = append(lines, wordsOf(r.Lang).Text("which"))
		}
		if i >= maxNamed {
			lines = append(lines, wordsOf(r.Lang).Text("more", strconv.Itoa(len(some)-i)))
			break
		}
		line := fmt.Sprintf("- #%d %s", r.ID, markedText(r))
		if k.cfg.ShowsButtons != nil && !k.cfg.ShowsButtons(caller) {
			line += ": " + r.Command(change)
		}
		lines = append(lines, line)
	}
	res.Text, res.Choices = strings.Join(lines, "\n"), choicesOf(some, change)
	return res
}

// choicesOf returns a choice for each of some reminders that a change may be about. An answer may name one of them, or all. It returns none
// where there are more reminders than choices.
func choicesOf(some []event.Reminder, change string) (all []event.Choice) {
	if len(some) > maxOffered {
		return nil
	}
	for i, r := range some {
		all = append(all, r.Choice(fmt.Sprintf("%s #%d", display.Truncate(Title(r), 30), r.ID), change, i%2 > 0))
	}
	return all
}

// maxNamed is how many reminders an error names that may be meant.
const maxNamed = 5

// maxOffered is how many an answer may choose from.
const maxOffered = 20

// findAbout returns the only open reminder that words are about.
func (k *keeper) findAbout(ctx context.Context, all []event.Reminder, about string) (event.Reminder, error) {
	all = k.about(all, about)
	if len(all) == 1 {
		return all[0], nil
	}
	if len(all) == 0 {
		return event.Reminder{}, noneAbout(onlyReminders, about)
	}
	var which []string // without their texts: strangers may have written them
	for _, r := range all[:min(len(all), maxNamed)] {
		which = append(which, fmt.Sprintf("#%d %s", r.ID, k.at(k.inLanguageOf(ctx, tools.CallerFrom(ctx).Chat, r))))
	}
	if len(all) > maxNamed {
		which = append(which, "and others, which reminders lists")
	}
	bad := tools.Invalid(event.CodeInvalidValue, "there are %d reminders of %q (%s)", len(all), about, strings.Join(which, "; "))
	return event.Reminder{}, &severalError{bad.Suggest("give a number"), all}
}

// severalError says that words are about several reminders.
type severalError struct {
	error
	some []event.Reminder
}

// Unwrap returns what the caller reads.
func (e *severalError) Unwrap() error { return e.error }

// about returns those that are at the time that words say, or else those whose text has the words.
func (k *keeper) about(all []event.Reminder, about string) []event.Reminder {
	at := slices.DeleteFunc(slices.Clone(all), func(r event.Reminder) bool { return !k.isAt(r, about) })
	if len(at) > 0 {
		return at
	}
	for _, isOf := range []func(event.Reminder, string) bool{Says, isNamed, isPartOf} {
		some := slices.DeleteFunc(slices.Clone(all), func(r event.Reminder) bool { return !isOf(r, about) })
		if len(some) > 0 {
			return some
		}
	}
	return nil
}

// Says reports whether the text of a reminder has words just so.
func Says(r event.Reminder, words string) bool {
	return pages.HasWord(pages.Fold(Title(r)), pages.Fold(words))
}

// isNamed reports whether the text of a reminder has each of some words, in whatever form.
func isNamed(r event.Reminder, words string) bool {
	title := pages.Fold(Title(r))
	return !slices.ContainsFunc(strings.Fields(pages.Fold(words)), func(word string) bool {
		return !pages.HasWord(title, word) && !pages.HasForm(title, word)
	})
}

// isPartOf reports whether one of some words is the appointment of what a word of the text of a reminder says: der Zahnarzttermin is that of
// "Zahnarzt". What else may begin with such a word is another thing.
func isPartOf(r event.Reminder, words string) bool {
	return slices.ContainsFunc(strings.Fields(pages.Fold(words)), func(word string) bool {
		of, ok := strings.CutSuffix(word, "termin")
		of = strings.TrimRight(of, "-")
		return ok && of != "" && (isNamed(r, of) || isNamed(r, strings.TrimSuffix(of, "s")))
	})
}

// Named returns the open reminders that the caller of ctx may see and whose text has words.
func Named(ctx context.Context, cfg Config, words string) ([]event.Reminder, error) {
	all, err := (&keeper{cfg}).mine(ctx)
	return slices.DeleteFunc(all, func(r event.Reminder) bool { return r.State != event.ReminderOpen || !isNamed(r, words) }), err
}

// isAt reports whether words are the time at which a reminder is told next, such as 6:45, or how long a timer runs.
func (k *keeper) isAt(r event.Reminder, about string) bool {
	due := readingOf(r).Start
	from := []time.Time{k.cfg.Now().In(due.Location()), due.Add(-time.Minute)} // an hour alone is that of any day
	if r.Timer {
		from = []time.Time{r.Created.In(due.Location())}
	}
	for _, now := range from {
		for _, before := range beforeTimes() {
			read, err := when.Read(before+about, r.Lang, now)
			isDue := func(t time.Time) bool { return t.Sub(due).Abs() < 5*time.Second } // a call has taken some
			if err == nil && strings.TrimSpace(read.Rest) == "" && (isDue(read.Start) || slices.ContainsFunc(read.Other, func(o when.Alternative) bool { return isDue(o.Start) })) {
				return true
			}
		}
	}
	return false
}

// beforeTimes are the words behind which a time or a length is read, in one language or another.
func beforeTimes() []string {
	return []string{"at ", "um ", "в ", "timer ", "таймер ", "计时", ""}
}

// saysTime reports whether words may be a time or a length, in the language of a reminder.
func (k *keeper) saysTime(r event.Reminder, words string) bool {
	return strings.ContainsAny(words, "0123456789") || slices.ContainsFunc(beforeTimes(), func(before string) bool {
		read, err := when.Read(before+words, r.Lang, k.cfg.Now())
		return err == nil && strings.TrimSpace(read.Rest) == ""
	})
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
		only := all
		if all = k.about(all, in.About); len(all) > 0 {
			break
		}
		if len(only) == 1 && only[0].Timer && only[0].Text == "" && !k.saysTime(only[0], in.About) { // the pasta is done, stop the timer
			return only, nil
		}
		err = noneAbout(in.Only, in.About)
	case in.Only == onlyReminders: // of many, that of just now
		if some := slices.DeleteFunc(slices.Clone(all), func(r event.Reminder) bool { return now.Sub(Touched(r)) >= recent }); len(some) > 0 {
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
func (k *keeper) which(ctx context.Context, only string, some []event.Reminder, change string) tools.Result {
	one, verb, none := strings.TrimSuffix(only, "s"), "cancel", "no "+strings.TrimSuffix(only, "s")+" is set"
	if only == onlyTimers {
		verb, none = "stop", noTimer
	}
	if len(some) == 0 {
		return tools.Result{Text: none}
	}
	res := tools.Result{Text: fmt.Sprintf("which %s? Say, for example: %s %s %d", one, verb, one, some[0].ID), Choices: choicesOf(some, change)}
	for _, r := range some {
		res.Text += "\n- " + k.describe(k.inLanguageOf(ctx, tools.CallerFrom(ctx).Chat, r))
		res.Label = res.Label.Join(r.Label)
	}
	return res
}

// isOf reports whether a reminder is of a sort, "" being any. A timer that has rung is none any more.
func isOf(r event.Reminder, only string) bool {
	return only == "" || sort(r) == only && (!r.Timer || runs(r))
}

// AnyOf reports whether there is one of a sort among some, "" being any: else nothing is to be cancelled.
func AnyOf(all []event.Reminder, only string) bool {
	return slices.ContainsFunc(all, func(r event.Reminder) bool { return isOf(r, only) })
}

// Newest returns the reminder that a change without a number is about: of those that were told in a chat or made there within the
// last hour the newest. "Done", and what is for [OnlyRung], is said of one that was told there. Who asked for one that was told elsewhere may take it back, and does not move it.
func Newest(all []event.Reminder, chat event.Chat, now time.Time, change, only string) (newest event.Reminder, ok bool) {
	at := now.Add(-recent)
	isDone, isCancel := slices.Contains(doneWords(), wordOf(change)), slices.Contains(cancelWords(), wordOf(change))
	for _, r := range all {
		touched := Touched(r)
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

// Touched is when a reminder was made, told or changed last.
func Touched(r event.Reminder) time.Time {
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
