package telegram_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/schedule"
	"hob/internal/surface/telegram/telegramtest"
)

// yearZones are where the people of the year live, one in each, and the hour there at which they are awake while it is afternoon
// in Greenwich: hob runs then.
func yearZones() []struct {
	name  string
	awake int
} {
	return []struct {
		name  string
		awake int
	}{{"Europe/Berlin", 15}, {"America/New_York", 9}, {"Asia/Shanghai", 22}, {"Australia/Lord_Howe", 0}, {"America/Santiago", 11}}
}

// TestAYearOfReminders tells reminders of all kinds to five people in five zones, around each change of their clocks, and with
// HOB_TEST_FULL for the whole year, month by month. Telegram and the model are away in spells, Telegram fails in all the ways that it can, hob does
// not run for hours, and is killed right after durable writes. Each reminder is told once for each of its times, when the clocks
// on the wall show it: that is worked out here by looking at each quarter of an hour of the year.
func TestAYearOfReminders(t *testing.T) {
	notShort(t)
	type span struct {
		from string
		days int
	}
	spans := []span{ // the clocks change in New York, Berlin, Lord Howe and Santiago, Santiago, Lord Howe, Berlin, New York
		{"2027-03-14", 1}, {"2027-03-28", 1}, {"2027-04-03", 2}, {"2027-09-05", 1}, {"2027-10-02", 1}, {"2027-10-31", 1}, {"2027-11-07", 1},
	}
	every := 25
	if os.Getenv("HOB_TEST_FULL") != "" {
		spans, every = nil, 100
		for month := time.January; month <= time.December; month++ {
			first := time.Date(2027, month, 1, 0, 0, 0, 0, time.UTC)
			spans = append(spans, span{first.Format(time.DateOnly), first.AddDate(0, 1, -1).Day()})
		}
	}
	seed := uint64(1) // HOB_TEST_SEED has another year
	if text := os.Getenv("HOB_TEST_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatalf("HOB_TEST_SEED: %v", err)
		}
	}
	total := tally{}
	for _, s := range spans {
		t.Run(s.from, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				from, err := time.Parse(time.DateOnly, s.from)
				if err != nil {
					t.Fatal(err)
				}
				y := newYear(t, from, from.AddDate(0, 0, s.days), seed, every)
				y.pass()
				total.add(y.inspect())
			})
		})
	}
	goleak.VerifyNone(t)
	text := fmt.Sprintf("reminders in five zones: %d due, %d told, %d of them again and marked so, of %d whose answer was cut off; %d kills (aim: all told, at most 1 %% again)",
		total.due, total.told, total.again, total.cut, total.kills)
	if os.Getenv("HOB_TEST_FULL") == "" { // hob is killed so often that many answers are cut off
		t.Log(text)
		return
	}
	fmt.Println("figure: " + text)
	if total.again*100 > total.due {
		t.Errorf("%d of %d were told again: more than one in a hundred", total.again, total.due)
	}
}

func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
}

// tally counts what became of reminders.
type tally struct{ due, told, again, cut, kills int }

func (t *tally) add(o tally) {
	t.due, t.told, t.again, t.cut, t.kills = t.due+o.due, t.told+o.told, t.again+o.again, t.cut+o.cut, t.kills+o.kills
}

// spell is a time at which something is not there.
type spell struct{ from, to time.Time }

func (s spell) has(t time.Time) bool { return !t.Before(s.from) && t.Before(s.to) }

// year is a stretch of it, its people, and what they are to be told.
type year struct {
	mortal
	from, to time.Time
	random   *rand.Rand
	people   []*telegramtest.User
	acts     []moment
	off, cut []spell // hob does not run; Telegram is away
	mindless []spell // the model is away
	plans    []*plan
}

// moment is something that happens at a time.
type moment struct {
	at time.Time
	do func()
}

// plan is a reminder, and when its person is to read of it.
type plan struct {
	event.Reminder
	person int
	want   []told
}

// told is one telling that is expected.
type told struct {
	at  time.Time
	due time.Time // late, it was due then; zero: on time
}

func newYear(t *testing.T, from, to time.Time, seed uint64, every int) *year {
	y := &year{from: from, to: to, random: rand.New(rand.NewPCG(seed, uint64(from.Unix())))}
	y.live = live{
		t: t, srv: telegramtest.New(telegramtest.Options{}), files: emptyFiles{},
		bounds: agent.Budget{Steps: 10, Calls: 10, Time: 15 * time.Minute, Output: 10_000},
		model: played(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			if slices.ContainsFunc(y.mindless, func(s spell) bool { return s.has(time.Now()) }) {
				return nil, &llm.Error{Kind: llm.Unreachable, Message: "nothing answers"}
			}
			return llm.Say("So it is.")(ctx, req, onDelta)
		}),
	}
	y.nextKill = func() int { return 1 + y.random.IntN(2*every) }
	<-time.After(time.Until(from.Add(-7 * time.Minute)))
	y.be()
	for n := range yearZones() {
		u := y.srv.User(int64(1000+n), fmt.Sprint("p", n))
		y.srv.Private(u)
		y.people = append(y.people, u)
		y.allow(u.ID, event.Owner)
	}
	y.befall()
	y.plan()
	return y
}

// yearFaults is what fails by chance: now and then the answer to a message is lost.
func yearFaults(seed uint64) *telegramtest.Chaos {
	c := &telegramtest.Chaos{Seed: seed}
	for _, kind := range []telegramtest.Kind{telegramtest.Refused, telegramtest.DropBefore, telegramtest.Internal, telegramtest.BadGateway, telegramtest.TooMany} {
		c.Rates = append(c.Rates, telegramtest.Rate{P: 0.01, Fault: telegramtest.Fault{Kind: kind, RetryAfter: 20 * time.Second}})
	}
	for _, kind := range []telegramtest.Kind{telegramtest.DropAfter, telegramtest.HangAfter, telegramtest.Half, telegramtest.BadGatewayAfter} {
		c.Rates = append(c.Rates, telegramtest.Rate{P: 0.001, Fault: telegramtest.Fault{Kind: kind}})
	}
	return c
}

// befall draws when who is away. Hob and Telegram are there in the afternoon of Greenwich.
func (y *year) befall() {
	for day := y.from; day.Before(y.to); day = day.AddDate(0, 0, 1) {
		at := func(hours, within int) time.Time { // at no quarter of an hour
			return day.Add(time.Duration(hours+y.random.IntN(within))*time.Hour + time.Duration(y.random.IntN(4)*15+7)*time.Minute)
		}
		length := func(most int) time.Duration { return time.Duration(1+y.random.IntN(most)) * 30 * time.Minute }
		if y.random.IntN(3) == 0 {
			from := at(0, 5)
			y.off = append(y.off, spell{from, from.Add(length(10))})
		}
		from := at(17, 4)
		y.cut = append(y.cut, spell{from, from.Add(length(4))})
		from = at(0, 20)
		y.mindless = append(y.mindless, spell{from, from.Add(length(8))})
		for range 2 {
			n := y.random.IntN(len(y.people))
			y.acts = append(y.acts, moment{at(0, 23), func() { y.srv.Private(y.people[n]).Say(y.people[n], "how is it?") }})
		}
	}
	for _, s := range y.cut {
		y.acts = append(y.acts, moment{s.from, y.srv.Cut}, moment{s.to, y.srv.Mend})
	}
	for _, s := range y.off {
		y.acts = append(y.acts, moment{s.from, y.quit}, moment{s.to, y.begin})
	}
}

// pass lives through it.
func (y *year) pass() {
	slices.SortStableFunc(y.acts, func(a, b moment) int { return a.at.Compare(b.at) })
	y.begin()
	for _, p := range y.plans {
		y.keep(p)
	}
	y.srv.Heal(yearFaults(y.random.Uint64()))
	for _, a := range y.acts {
		if y.isOff() {
			<-time.After(time.Until(a.at))
		} else {
			y.until(a.at)
		}
		a.do()
	}
	y.until(y.to)
	y.quit()
}

func (y *year) isOff() bool {
	return slices.ContainsFunc(y.off, func(s spell) bool { return s.has(time.Now()) })
}

// keep adds a reminder as a tool does, with the next of its times.
func (y *year) keep(p *plan) {
	y.t.Helper()
	next, err := schedule.Next(p.When, time.Now(), schedule.Place{})
	if err != nil {
		y.t.Fatal(err)
	}
	p.Due, p.Planned = next, next
	r, err := y.db.Reminders().Add(y.t.Context(), p.Reminder)
	if err != nil {
		y.t.Fatal(err)
	}
	p.ID = r.ID
}

// clock is a time of the day.
type clock struct{ hour, minute int }

// add plans a reminder of a person. days says on which days it comes.
func (y *year) add(person int, w event.When, at clock, days func(time.Time) bool) *plan {
	zone := yearZones()[person].name
	p := &plan{person: person, Reminder: event.Reminder{
		Chat: event.Chat(fmt.Sprint("telegram/", y.people[person].ID)), State: event.ReminderOpen, Text: fmt.Sprintf("r%d.", len(y.plans)),
		By: event.Party{Platform: "telegram", ID: fmt.Sprint(y.people[person].ID)}, When: w,
	}}
	p.When.Zone = zone
	y.plans = append(y.plans, p)
	if days != nil {
		y.expect(p, y.times(zone, at, days))
	}
	return p
}

// expect plans the tellings of times, some of which pass while hob does not run.
func (y *year) expect(p *plan, times []time.Time) {
	missed := map[time.Time][]time.Time{} // by when hob is back
	for _, at := range times {
		i := slices.IndexFunc(y.off, func(s spell) bool { return s.has(at) })
		if i < 0 {
			p.want = append(p.want, told{at: at})
			continue
		}
		missed[y.off[i].to] = append(missed[y.off[i].to], at)
	}
	for back, all := range missed {
		switch p.When.Missed {
		case event.MissedOnce:
			p.want = append(p.want, told{back, all[len(all)-1]})
		case event.MissedAll:
			for _, due := range all {
				p.want = append(p.want, told{back, due})
			}
		}
	}
	slices.SortStableFunc(p.want, func(a, b told) int { return cmp.Or(a.at.Compare(b.at), a.due.Compare(b.due)) })
}

// times are when the clocks of a zone show a time, for the first time of its days; where they never do, when they first show a later
// one. It looks at each quarter of an hour.
func (y *year) times(zone string, at clock, days func(time.Time) bool) (all []time.Time) {
	in, err := time.LoadLocation(zone)
	if err != nil {
		y.t.Fatal(err)
	}
	shows := func(t time.Time) string { return t.In(in).Format("2006-01-02 15:04") }
	for day := y.from.AddDate(0, 0, -2); day.Before(y.to.AddDate(0, 0, 2)); day = day.AddDate(0, 0, 1) {
		if !days(day) {
			continue
		}
		want := fmt.Sprintf("%s %02d:%02d", day.Format(time.DateOnly), at.hour, at.minute)
		t := day.AddDate(0, 0, -1)
		for shows(t) < want { // the clocks go up to it, whatever happens to them later
			t = t.Add(15 * time.Minute)
		}
		if !t.Before(y.from) && t.Before(y.to) {
			all = append(all, t)
		}
	}
	return all
}

// plan draws what is to be told: for each person some of each kind.
func (y *year) plan() {
	starts := y.from.AddDate(-1, 0, -y.random.IntN(300)) // the rules are old
	for person, zone := range yearZones() {
		drawn := func() clock { return clock{y.random.IntN(24), y.random.IntN(4) * 15} }
		begin := func(day time.Time, at clock) string {
			return fmt.Sprintf("%sT%02d:%02d:00", day.Format(time.DateOnly), at.hour, at.minute)
		}
		rule := func(repeat string, at clock, days func(time.Time) bool) *plan {
			return y.add(person, event.When{Start: begin(starts, at), Repeat: repeat}, at, days)
		}
		daily := func(time.Time) bool { return true }
		for _, at := range []clock{{0, 0}, {1, 30}, {2, 0}, {2, 15}, {2, 30}, {3, 0}, drawn()} { // around when clocks change
			rule("FREQ=DAILY", at, daily)
		}
		for _, missed := range []event.MissedRule{event.MissedAll, event.MissedSkip} {
			at := drawn()
			y.add(person, event.When{Start: begin(starts, at), Repeat: "FREQ=DAILY", Missed: missed}, at, nil)
			p := y.plans[len(y.plans)-1]
			y.expect(p, y.times(zone.name, at, daily))
		}
		rule("FREQ=WEEKLY;BYDAY=MO,SU", drawn(), func(d time.Time) bool { return d.Weekday() <= time.Monday })
		rule("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", drawn(), func(d time.Time) bool { return d.Weekday() != time.Sunday && d.Weekday() != time.Saturday })
		rule("FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", drawn(), func(d time.Time) bool { return d.AddDate(0, 0, 1).Day() == 1 })
		rule("FREQ=MONTHLY;BYDAY=-1SU", drawn(), func(d time.Time) bool { return d.Weekday() == time.Sunday && d.AddDate(0, 0, 7).Month() != d.Month() })
		rule("FREQ=YEARLY;BYMONTH=3,4,10,11;BYMONTHDAY=3,14,28", drawn(), func(d time.Time) bool {
			return slices.Contains([]time.Month{3, 4, 10, 11}, d.Month()) && slices.Contains([]int{3, 14, 28}, d.Day())
		})
		for day := y.from.AddDate(0, 0, 1); day.Before(y.to); day = day.AddDate(0, 0, 1+y.random.IntN(20)) {
			at := drawn()
			y.add(person, event.When{Start: begin(day, at)}, at, day.Equal)
		}
		y.planElapsed(person, zone.name)
		y.planAnswered(person, zone.name, zone.awake)
	}
}

// planElapsed plans one every eight hours, which are eight hours on every day.
func (y *year) planElapsed(person int, zone string) {
	in, err := time.LoadLocation(zone)
	if err != nil {
		y.t.Fatal(err)
	}
	first := y.from.Add(-200 * time.Hour)
	p := y.add(person, event.When{Start: first.In(in).Format(event.StartLayout), Repeat: "FREQ=HOURLY;INTERVAL=8"}, clock{}, nil)
	var times []time.Time
	for at := first; at.Before(y.to); at = at.Add(8 * time.Hour) {
		if !at.Before(y.from) {
			times = append(times, at)
		}
	}
	y.expect(p, times)
}

// planAnswered plans those that people answer, at an hour at which hob runs: one that is told until it is done, which it is after the
// third time; one that comes again after it is done; one that is moved; and a timer.
func (y *year) planAnswered(person int, zone string, hour int) {
	at := clock{hour, 15}
	start := fmt.Sprintf("%sT%02d:%02d:00", y.from.AddDate(0, 0, -1).Format(time.DateOnly), at.hour, at.minute)
	days := y.times(zone, at, func(time.Time) bool { return true })
	answer := func(p *plan, at time.Time) {
		y.acts = append(y.acts, moment{at, func() {
			y.change(p.ID, func(r *event.Reminder) (err error) {
				*r, err = schedule.Answered(*r, time.Now(), schedule.Place{})
				r.Changed = time.Now()
				return err
			})
		}})
	}
	until := y.add(person, event.When{Start: start, Repeat: "FREQ=DAILY", UntilDone: true}, at, nil)
	for _, due := range days {
		for n := range 3 {
			until.want = append(until.want, told{at: due.Add(time.Duration(n) * 10 * time.Minute)})
		}
		answer(until, due.Add(25*time.Minute))
	}
	after := y.add(person, event.When{Start: days[0].In(inZone(zone)).Format(event.StartLayout), AfterDone: 23*time.Hour + 30*time.Minute}, at, nil)
	for due := days[0]; due.Before(y.to); due = due.Add(24 * time.Hour) {
		after.want = append(after.want, told{at: due})
		answer(after, due.Add(30*time.Minute))
	}
	moved := y.add(person, event.When{Start: start, Repeat: "FREQ=DAILY"}, at, nil)
	for _, due := range days {
		moved.want = append(moved.want, told{at: due}, told{at: due.Add(80 * time.Minute)})
		y.acts = append(y.acts, moment{due.Add(20 * time.Minute), func() {
			y.change(moved.ID, func(r *event.Reminder) error { r.Due = time.Now().Add(time.Hour); return nil })
		}})
	}
	timer := y.add(person, event.When{Start: days[0].In(inZone(zone)).Format(event.StartLayout)}, at, nil)
	timer.Timer, timer.want = true, []told{{at: days[0]}}
}

func inZone(name string) *time.Location {
	in, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return in
}

// inspect holds what people have read against what they were to read.
func (y *year) inspect() (count tally) {
	count.kills, count.cut = y.kills, y.cuts
	read := map[string][]telegramtest.Message{}
	for _, u := range y.people {
		for _, m := range y.srv.Private(u).FromBot() {
			if !strings.HasPrefix(m.Text, "⏰") || !m.Date.Before(y.to) { // what is due before is told by then
				continue
			}
			if m.Lost {
				count.cut++
			}
			read[reminderToken.FindString(m.Text)] = append(read[reminderToken.FindString(m.Text)], m)
		}
	}
	for _, p := range y.plans {
		i := -1
		all := read[p.Text]
		delete(read, p.Text)
		for n, m := range all {
			if n > 0 && i >= 0 && strings.Contains(m.Text, "sent again") && m.Date.Sub(all[n-1].Date) < 5*time.Minute {
				count.again++
				continue
			}
			if i++; i >= len(p.want) {
				y.t.Errorf("%s of %+v: told at %v, which nobody wanted: %q", p.Text, p.When, m.Date, m.Text)
				continue
			}
			w := p.want[i]
			until := w.at.Add(3 * time.Minute)
			for _, s := range y.cut {
				if s.from.Before(until) && s.to.Add(3*time.Minute).After(until) {
					until = s.to.Add(3 * time.Minute)
				}
			}
			late := ""
			if !w.due.IsZero() {
				late = "late: it was due " + w.due.In(inZone(p.When.Zone)).Format("Mon 2 Jan 2006, 15:04")
			}
			if m.Date.Before(w.at) || m.Date.After(until) || strings.Contains(m.Text, "late") != (late != "") || !strings.Contains(m.Text, late) {
				y.t.Errorf("%s of %+v: told at %v %q, wanted from %v until %v %q", p.Text, p.When, m.Date.UTC(), m.Text, w.at.UTC(), until.UTC(), late)
			}
			count.told++
		}
		count.due += len(p.want)
		if i+1 < len(p.want) {
			y.t.Errorf("%s of %+v was told %d times of %d; the next was to be at %v", p.Text, p.When, i+1, len(p.want), p.want[i+1].at.UTC())
		}
	}
	for text, all := range read {
		y.t.Errorf("%d messages of %q, which is no reminder: %q", len(all), text, all[0].Text)
	}
	if count.again > count.cut {
		y.t.Errorf("%d were told again, and %d answers were cut off", count.again, count.cut)
	}
	return count
}
