package reminders_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/skills/reminders"
	"hob/internal/tools"
)

// It is Wednesday noon. What comes again is named on each of its days, one of every hour a few times only, and a timer on none.
func TestBetween(t *testing.T) {
	w := newWorld(t)
	w.remind(ana(), "Saturday at 9 dentist")
	w.remind(ana(), "every day at 8 and at 20 pill")
	w.remind(ana(), "every Friday at 7 bins")
	w.remind(ana(), "timer 10 minutes pasta")
	w.remind(ana(), "every hour from Monday at 8 drink")
	w.remind(ben(), "tomorrow at 10 bank")
	moved := w.remind(ana(), "every Thursday at 18 choir")
	w.must(ana(), "reminder", args{"id": moved, "change": "tomorrow at 19"})
	w.remind(ana(), "every day at sunset lights") // below nobody knows the place any more: it hides no other
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, w.now.Location()) }
	for _, c := range []struct {
		who      tools.Caller
		from, to int
		lang     string
		want     []string
	}{
		{ana(), 25, 26, "", []string{"Wed 20:00 ⏰ #2 pill"}},
		{ana(), 26, 28, "de", []string{"Thu 08:00 ⏰ #2 pill", "Thu 10:00 ⏰ #6 für Ben: bank", "Thu 19:00 ⏰ #7 choir", "Thu 20:00 ⏰ #2 pill",
			"Fri 07:00 ⏰ #3 bins", "Fri 08:00 ⏰ #2 pill", "Fri 20:00 ⏰ #2 pill"}},
		{ben(), 26, 28, "", []string{"Thu 10:00 ⏰ #6 bank"}},
		{ana(), 30, 31, "", []string{"Mon 08:00 ⏰ #2 pill", "Mon 08:00 ⏰ #5 drink", "Mon 09:00 ⏰ #5 drink", "Mon 10:00 ⏰ #5 drink ...", "Mon 20:00 ⏰ #2 pill"}},
	} {
		cfg := reminders.Config{
			Store: w.store, Now: func() time.Time { return w.now }, Place: schedule.Place{},
			People: func(context.Context) ([]reminders.Person, error) {
				return []reminders.Person{{Party: event.Party{Platform: "telegram", ID: "8", Name: "Ben"}, Chat: bens}}, nil
			},
		}
		all, _, err := reminders.Between(tools.WithCaller(t.Context(), c.who), cfg, day(c.from), day(c.to), c.lang)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range all {
			got = append(got, one.At.Format("Mon 15:04 ")+one.Title)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d to %d of %s (-want +got):\n%s", c.from, c.to, c.who.User, diff)
		}
	}
}
