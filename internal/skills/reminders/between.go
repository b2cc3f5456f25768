package reminders

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/tools"
)

// mostOfDay is how often a reminder is named on a day: one of every hour would hide the others.
const mostOfDay = 3

// Coming is a time at which a reminder is told.
type Coming struct {
	At    time.Time
	Title string // its number and its text
}

// Between returns when the reminders that the caller of ctx may see are told between two times, from included and to not, in order of time;
// the zone is that of from. Timers are left out: they count seconds, and are about no day.
func Between(ctx context.Context, cfg Config, from, to time.Time, lang string) (all []Coming, label event.Label, err error) {
	k := &keeper{cfg}
	open, err := k.mine(ctx)
	if err != nil {
		return nil, label, err
	}
	people, err := cfg.People(ctx)
	if err != nil {
		return nil, label, err
	}
	caller := tools.CallerFrom(ctx)
	for _, r := range open {
		if r.State != event.ReminderOpen || r.Due.IsZero() || r.Timer {
			continue
		}
		r.Lang = cmp.Or(lang, r.Lang)
		r = ownedBy(r, caller.Chat, k.party(caller), people)
		some, err := k.coming(r, from, to)
		if err != nil { // as of a sunset without a place: the list of reminders says so
			continue
		}
		if all = append(all, some...); len(some) > 0 {
			label = label.Join(r.Label)
		}
	}
	slices.SortStableFunc(all, func(a, b Coming) int { return a.At.Compare(b.At) })
	return all, label, nil
}

// coming returns the times of a reminder between two times. The first is its next, wherever that was moved, and the others are those of its rule.
func (k *keeper) coming(r event.Reminder, from, to time.Time) (all []Coming, err error) {
	title, onDay := titleInList(r), map[string]int{}
	for at := r.Due; !at.IsZero() && at.Before(to); {
		at = at.In(from.Location())
		day, after := at.Format(time.DateOnly), at
		switch onDay[day]++; {
		case at.Before(from):
			after = from.Add(-1)
		case onDay[day] <= mostOfDay:
			all = append(all, Coming{at, title})
		default: // the rest of that day
			all[len(all)-1].Title = title + " ..."
			after = time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, -1, at.Location())
		}
		if r.When.AfterDone > 0 || !r.When.Repeats() && r.When.Sun == "" {
			return all, nil
		}
		if after.Before(r.Planned) {
			after = r.Planned
		}
		if at, err = schedule.Next(r.When, after, k.cfg.Place); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// titleInList is a reminder in a list of days: its number, the person it is for, and its text.
func titleInList(r event.Reminder) string {
	title := "⏰ #" + strconv.FormatInt(r.ID, 10) + " "
	if r.For.Name != "" {
		title += wordsOf(r.Lang).Text("for", r.For.Name) + ": "
	}
	return title + markedText(r)
}
