package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/race"
	"hob/internal/schedule"
	"hob/internal/store"
)

var (
	ann = event.Party{Platform: "telegram", ID: "1", Name: "Ann"}
	ben = event.Party{Platform: "telegram", ID: "2", Name: "Ben"}
)

// house is a scheduler over a journal in memory, with a clock on the wall that a test can move. Its time begins at midnight UTC of
// the first of January 2000, a Saturday.
type house struct {
	t   *testing.T
	db  *store.DB
	cfg schedule.Config
	// jump is how far the clock on the wall is ahead of the time of the bubble.
	jump time.Duration
	// before is called before a note is written, failing says why it cannot be; storeFails fails each use of the store.
	before     func(event.Noted)
	failing    func(event.Noted) error
	storeFails error
	crash      string // the scheduler ends once a note with that text is in the journal, before it knows
	end, stop  func() // the scheduler ends; and has ended
}

// inHouse runs a test in virtual time. configure may be nil.
func inHouse(t *testing.T, configure func(*house), do func(*house)) {
	t.Helper()
	race.Skip(t, "SQLite is slow there")
	synctest.Test(t, func(t *testing.T) {
		h := &house{t: t}
		db, err := store.OpenMemory(t.Context(), h.now)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		h.db = db
		h.cfg = schedule.Config{
			Store: faulty{db.Reminders(), h}, Written: db.Reminders().Written, Tell: h.tell, Now: h.now, Log: slog.New(slog.DiscardHandler),
			Place: schedule.Place{Lat: 52.52, Lon: 13.405, Known: true},
		}
		if configure != nil {
			configure(h)
		}
		h.start()
		do(h)
		h.stop()
	})
}

// faulty is a store that fails when its house says so.
type faulty struct {
	*store.Reminders
	h *house
}

func (f faulty) Due(ctx context.Context, now time.Time, limit int) ([]event.Reminder, error) {
	if f.h.storeFails != nil {
		return nil, f.h.storeFails
	}
	return f.Reminders.Due(ctx, now, limit)
}

func (f faulty) Change(ctx context.Context, id int64, change func(*event.Reminder) error) (event.Reminder, error) {
	if f.h.storeFails != nil {
		return event.Reminder{}, f.h.storeFails
	}
	return f.Reminders.Change(ctx, id, change)
}

func (h *house) now() time.Time { return time.Now().Add(h.jump) }

func (h *house) start() {
	ctx, cancel := context.WithCancel(context.Background())
	s, over := schedule.New(h.cfg), make(chan struct{})
	go func() { s.Run(ctx); close(over) }()
	h.end, h.stop = cancel, func() { cancel(); <-over }
	synctest.Wait()
}

// tell is what Sessions.Tell does.
func (h *house) tell(ctx context.Context, chat event.Chat, note event.Noted) (int64, error) {
	if h.before != nil {
		h.before(note)
	}
	if h.failing != nil {
		if err := h.failing(note); err != nil {
			return 0, err
		}
	}
	seq, err := h.db.Keyed(ctx, chat, event.Key(note))
	if err != nil || seq != 0 {
		return seq, err
	}
	events, err := h.db.Append(ctx, store.Entry{Chat: chat, Body: note})
	if err != nil {
		return 0, err
	}
	if h.crash != "" && strings.Contains(note.Text, h.crash) {
		h.crash = ""
		h.end()
		return 0, ctx.Err()
	}
	return events[0].Seq, nil
}

// add keeps a reminder of Ann, which is told at the first time of its rule.
func (h *house) add(r event.Reminder) int64 {
	h.t.Helper()
	if r.Chat == "" {
		r.Chat = "telegram/1"
	}
	if r.By == (event.Party{}) {
		r.By = ann
	}
	if r.When.Zone == "" {
		r.When.Zone = "UTC"
	}
	if r.State == "" {
		r.State = event.ReminderOpen
	}
	if r.Due.IsZero() {
		next, err := schedule.Next(r.When, h.now().Add(-1), h.cfg.Place)
		if err != nil {
			h.t.Fatal(err)
		}
		r.Due, r.Planned = next, next
	}
	kept, err := h.db.Reminders().Add(h.t.Context(), r)
	if err != nil {
		h.t.Fatal(err)
	}
	return kept.ID
}

// change is a person who changes a reminder.
func (h *house) change(id int64, change func(*event.Reminder)) {
	h.t.Helper()
	_, err := h.db.Reminders().Change(h.t.Context(), id, func(r *event.Reminder) error {
		change(r)
		r.Changed = h.now()
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) snooze(id int64, by time.Duration) {
	h.t.Helper()
	h.change(id, func(r *event.Reminder) { r.Due = h.now().Add(by) })
}

func (h *house) done(id int64) {
	h.t.Helper()
	h.change(id, func(r *event.Reminder) {
		answered, err := schedule.Answered(*r, h.now(), h.cfg.Place)
		if err != nil {
			h.t.Error(err)
		}
		*r = answered
	})
}

func (h *house) get(id int64) event.Reminder {
	h.t.Helper()
	r, known, err := h.db.Reminders().Get(h.t.Context(), id)
	if err != nil || !known {
		h.t.Fatal(known, err)
	}
	return r
}

// until lets time pass up to a time on the wall of the second day of January, such as "08:00", or of another day, such as "3 08:00".
func (h *house) until(clock string) {
	h.t.Helper()
	day := 2
	if d, rest, ok := strings.Cut(clock, " "); ok {
		clock = rest
		if _, err := fmt.Sscan(d, &day); err != nil {
			h.t.Fatal(err)
		}
	}
	at, err := time.Parse("15:04", clock)
	if err != nil {
		h.t.Fatal(err)
	}
	then := time.Date(2000, 1, day, at.Hour(), at.Minute(), 0, 0, time.UTC)
	if wait := then.Sub(h.now()); wait > 0 {
		<-time.After(wait)
	}
	synctest.Wait()
}

// told is what the journal says of a chat: when, and what.
func (h *house) told(chat event.Chat) (all []string) {
	h.t.Helper()
	for e, err := range h.db.Chat(h.t.Context(), chat, 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		n := e.Body.(event.Noted)
		all = append(all, e.Time.Format("2 15:04:05 ")+strings.TrimPrefix(n.Text, "⏰ "))
	}
	return all
}

func (h *house) wantTold(want ...string) {
	h.t.Helper()
	if d := cmp.Diff(want, h.told("telegram/1")); d != "" {
		h.t.Errorf("told (-want +got)\n%s", d)
	}
}

// at is a rule with a first time in January 2000, such as "2T08:00".
func at(start, repeat string) event.When {
	day, clock, _ := strings.Cut(start, "T")
	return event.When{Start: fmt.Sprintf("2000-01-%02s", strings.Repeat("0", 2-len(day))+day) + "T" + clock + ":00", Zone: "UTC", Repeat: repeat}
}

// with changes a rule.
func with(w event.When, change func(*event.When)) event.When {
	change(&w)
	return w
}

func all(w *event.When)       { w.Missed = event.MissedAll }
func skip(w *event.When)      { w.Missed = event.MissedSkip }
func untilDone(w *event.When) { w.UntilDone = true }

// What is due is told at its second, also what another process has added, and in the order of its times.
func TestScheduler_OnTime(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		h.add(event.Reminder{When: at("2T08:00", "FREQ=DAILY;COUNT=2"), Text: "pills"})
		h.add(event.Reminder{Due: time.Date(2000, 1, 2, 7, 59, 59, 300e6, time.UTC), Text: "tea", Timer: true})
		h.until("4 00:00")
		h.wantTold("2 07:59:59 Time is up: tea", "2 08:00:00 pills", "3 08:00:00 pills")
		if r := h.get(1); r.Sent != 2 || r.Unseen != 2 || !r.Due.IsZero() || r.State != event.ReminderOpen || r.Seq != 3 {
			t.Errorf("after its last time: %+v", r)
		}
	})
}

// Wake has a reminder told that is added between two looks.
func TestScheduler_Wake(t *testing.T) {
	inHouse(t, func(h *house) { h.stop = func() {} }, func(h *house) {
		h.stop()
		s := schedule.New(h.cfg)
		ctx, cancel := context.WithCancel(context.Background())
		over := make(chan struct{})
		go func() { s.Run(ctx); close(over) }()
		h.stop = func() { cancel(); <-over }
		<-time.After(time.Second)
		h.add(event.Reminder{Due: h.now().Add(2 * time.Second), Text: "soon"})
		s.Wake()
		s.Wake()
		<-time.After(10 * time.Second)
		h.wantTold("1 00:00:03 soon")
	})
}

// Each rule for missed times does what it says, for hob that did not run from before eight on the second to half past ten on the fifth.
func TestScheduler_Missed(t *testing.T) {
	for _, c := range []struct {
		name string
		when event.When
		want []string
	}{
		{"once", at("2T08:00", ""), []string{"5 10:30:00 x (late: it was due Sun 2 Jan 2000, 08:00)"}},
		{"skipped once", with(at("2T08:00", ""), skip), nil},
		{"daily", at("2T08:00", "FREQ=DAILY"), []string{"5 10:30:00 x (late: it was due Wed 5 Jan 2000, 08:00; 3 missed before it)", "6 08:00:00 x"}},
		{"daily, all", with(at("2T08:00", "FREQ=DAILY"), all), []string{
			"5 10:30:00 x (late: it was due Sun 2 Jan 2000, 08:00)", "5 10:30:00 x (late: it was due Mon 3 Jan 2000, 08:00)",
			"5 10:30:00 x (late: it was due Tue 4 Jan 2000, 08:00)", "5 10:30:00 x (late: it was due Wed 5 Jan 2000, 08:00)", "6 08:00:00 x"}},
		{"daily, skip", with(at("2T08:00", "FREQ=DAILY"), skip), []string{"6 08:00:00 x"}},
		{"the newest is on time", at("2T10:29", "FREQ=DAILY"), []string{"5 10:30:00 x (3 missed before it)", "6 10:29:00 x"}},
		{"hours", at("2T08:15", "FREQ=HOURLY;INTERVAL=12"), []string{
			"5 10:30:00 x (late: it was due Wed 5 Jan 2000, 08:15; 6 missed before it)", "5 20:15:00 x", "6 08:15:00 x"}},
		{"times left out, and one more", with(at("2T08:00", "FREQ=DAILY"), func(w *event.When) {
			w.Not, w.Also = []string{"2000-01-05T08:00:00", "2000-01-03T08:00:00"}, []string{"2000-01-04T20:00:00", "2000-01-06T09:00:00"}
		}), []string{"5 10:30:00 x (late: it was due Tue 4 Jan 2000, 20:00; 2 missed before it)", "6 08:00:00 x", "6 09:00:00 x"}},
		{"the last of a few", at("2T08:00", "FREQ=DAILY;COUNT=2"), []string{"5 10:30:00 x (late: it was due Mon 3 Jan 2000, 08:00; 1 missed before it)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inHouse(t, nil, func(h *house) {
				h.until("07:00")
				h.stop()
				h.add(event.Reminder{When: c.when, Text: "x"})
				h.until("5 10:30")
				h.start()
				h.until("6 12:00")
				h.wantTold(c.want...)
			})
		})
	}
}

// A reminder that was missed and is not told then is over, and not open for ever.
func TestScheduler_SkippedIsOver(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		h.stop()
		once := h.add(event.Reminder{When: with(at("2T08:00", ""), skip), Text: "once"})
		twice := h.add(event.Reminder{When: with(at("2T08:00", "FREQ=DAILY;COUNT=2"), skip), Text: "twice"})
		told := h.add(event.Reminder{When: with(at("1T08:00", "FREQ=DAILY;COUNT=2"), skip), Text: "told"})
		daily := h.add(event.Reminder{When: with(at("2T08:00", "FREQ=DAILY"), skip), Text: "daily"})
		h.until("1 07:00")
		h.start()
		h.until("1 09:00")
		h.stop()
		h.until("4 12:00")
		h.start()
		h.until("4 13:00")
		for id, want := range map[int64]event.ReminderState{
			once: event.ReminderMissed, twice: event.ReminderMissed, told: event.ReminderOpen, daily: event.ReminderOpen,
		} {
			if r := h.get(id); r.State != want {
				t.Errorf("%s is %s, want %s", r.Text, r.State, want)
			}
		}
	})
}

// Thirteen days of a rule by minutes that were missed are counted, and told once.
func TestScheduler_ManyMissed(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		h.stop()
		h.add(event.Reminder{When: at("2T00:00", "FREQ=MINUTELY;COUNT=18721"), Text: "x"})
		h.until("15 00:30")
		h.start()
		h.until("16 00:00")
		h.wantTold("15 00:30:00 x (late: it was due Sat 15 Jan 2000, 00:00; 18720 missed before it)")
	})
}

// What is told until it is done is told ten times, ten minutes apart, each day anew; one that is done is not told again that day.
func TestScheduler_UntilDone(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		id := h.add(event.Reminder{When: with(at("2T08:00", "FREQ=DAILY"), untilDone), Text: "pills"})
		h.until("12:00")
		day := func(n int) []string {
			want := []string{fmt.Sprintf("%d 08:00:00 pills", n)}
			for i := 1; i < 10; i++ {
				want = append(want, fmt.Sprintf("%d %02d:%02d:00 pills (%d of 10: say done)", n, 8+i/6, i%6*10, i+1))
			}
			return want
		}
		h.wantTold(day(2)...)
		h.until("3 12:00")
		h.wantTold(append(day(2), day(3)...)...)
		h.until("4 08:15")
		h.done(id)
		h.until("5 08:00")
		h.wantTold(slices.Concat(day(2), day(3), day(4)[:2], day(5)[:1])...)
	})
}

// A daily reminder that is done after it was told is told again on the next day, also where that is said twice; one that is done
// before its time is not told that day.
func TestScheduler_Done(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		id := h.add(event.Reminder{When: at("2T08:00", "FREQ=DAILY"), Text: "pills"})
		h.until("08:05")
		h.done(id)
		h.done(id)
		h.until("3 07:00")
		h.done(id)
		h.done(id)
		h.until("4 07:00")
		h.snooze(id, 2*time.Hour)
		h.until("4 09:05")
		h.done(id)
		h.until("5 12:00")
		h.wantTold("2 08:00:00 pills", "4 09:00:00 pills", "5 08:00:00 pills")
		once := h.add(event.Reminder{When: at("6T08:00", ""), Text: "once"})
		h.done(once)
		if r := h.get(once); r.State != event.ReminderDone || !r.Due.IsZero() {
			t.Errorf("one that is done: %+v", r)
		}
	})
}

// A snooze moves one time and no other: those that follow come when their rule says.
func TestScheduler_Snooze(t *testing.T) {
	for _, c := range []struct {
		name   string
		when   event.When
		snooze time.Duration
		want   []string
	}{
		{"for ten minutes", at("2T08:00", "FREQ=DAILY"), 10 * time.Minute, []string{"2 08:00:00 x", "2 08:11:00 x", "3 08:00:00 x", "4 08:00:00 x"}},
		{"for ten minutes, all", with(at("2T08:00", "FREQ=DAILY"), all), 10 * time.Minute,
			[]string{"2 08:00:00 x", "2 08:11:00 x", "3 08:00:00 x", "4 08:00:00 x"}},
		{"over the next time", at("2T08:00", "FREQ=DAILY"), 30 * time.Hour, []string{"2 08:00:00 x", "3 14:01:00 x", "4 08:00:00 x"}},
		{"over the next time, all", with(at("2T08:00", "FREQ=DAILY"), all), 30 * time.Hour,
			[]string{"2 08:00:00 x", "3 14:01:00 x", "4 08:00:00 x"}},
		{"once", at("2T08:00", ""), time.Hour, []string{"2 08:00:00 x", "2 09:01:00 x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inHouse(t, nil, func(h *house) {
				id := h.add(event.Reminder{When: c.when, Text: "x"})
				h.until("08:01")
				h.snooze(id, c.snooze)
				h.until("4 12:00")
				h.wantTold(c.want...)
			})
		})
	}
}

// A snooze that hob was not there for is late by the time that was asked for, not by that of the rule.
func TestScheduler_LateSnooze(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		id := h.add(event.Reminder{When: with(at("2T08:00", "FREQ=DAILY"), skip), Text: "x"})
		h.until("08:01")
		h.snooze(id, 10*time.Minute)
		h.stop()
		h.until("09:00")
		h.start()
		h.until("3 12:00")
		h.wantTold("2 08:00:00 x", "2 09:00:00 x (late: it was due Sun 2 Jan 2000, 08:11)", "3 08:00:00 x")
	})
}

// The next one after "done" comes when it is done, and not before, also where it was missed.
func TestScheduler_AfterDone(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		w := with(at("2T08:00", ""), func(w *event.When) { w.AfterDone, w.Missed = 48*time.Hour, event.MissedSkip })
		id := h.add(event.Reminder{When: w, Text: "water"})
		h.until("3 09:00")
		h.done(id)
		h.stop()
		h.until("6 07:00")
		h.start()
		h.until("9 12:00")
		h.wantTold("2 08:00:00 water", "6 07:00:00 water (late: it was due Wed 5 Jan 2000, 09:00)")
	})
}

// In quiet hours nobody is called who has not asked for it: what others ask for waits, as does what is told again.
func TestScheduler_Quiet(t *testing.T) {
	quiet := func(h *house) { h.cfg.Quiet = schedule.Quiet{From: 22 * time.Hour, To: 7 * time.Hour} }
	inHouse(t, quiet, func(h *house) {
		h.add(event.Reminder{When: at("2T23:00", ""), Text: "mine"})
		forBen := h.add(event.Reminder{When: at("2T23:30", ""), Text: "for Ben", For: ben})
		again := h.add(event.Reminder{When: with(at("2T21:55", ""), untilDone), Text: "door"})
		bens := h.add(event.Reminder{When: at("2T21:50", "FREQ=DAILY"), Text: "Ben's", For: ben})
		h.until("22:05")
		h.snooze(bens, 10*time.Minute)
		h.until("23:45")
		if r := h.get(forBen); !r.Held.Equal(time.Date(2000, 1, 3, 7, 0, 0, 0, time.UTC)) { // nobody looks at it until then
			t.Errorf("it is held until %v", r.Held)
		}
		h.change(again, func(r *event.Reminder) { r.Due = h.now().Add(10 * time.Minute) }) // who says so wants it then
		h.until("3 07:05")
		h.wantTold("2 21:50:00 Ben's (from Ann)", "2 21:55:00 door", "2 22:15:00 Ben's (from Ann)", "2 23:00:00 mine", "2 23:55:00 door (2 of 10: say done)",
			"3 07:00:00 for Ben (from Ann; late: it was due Sun 2 Jan 2000, 23:30)",
			"3 07:00:00 door (late: it was due Sun 2 Jan 2000, 21:55; 3 of 10: say done)")
	})
	// They are those of the clocks that the reminder was asked for by: at eleven UTC it is past ten in the evening in Auckland.
	inHouse(t, quiet, func(h *house) {
		h.add(event.Reminder{When: event.When{Start: "2000-01-02T23:30:00", Zone: "Pacific/Auckland"}, Text: "for Ben", For: ben})
		h.until("20:00")
		h.wantTold("2 18:00:00 for Ben (from Ann; late: it was due Sun 2 Jan 2000, 23:30)")
	})
}

// A chat gets so many notes in an hour. The last tells all that is due then; what comes later waits for the next, but for timers.
func TestScheduler_PerHour(t *testing.T) {
	limit := func(h *house) { h.cfg.PerHour = 3 }
	inHouse(t, limit, func(h *house) {
		for n := range 5 {
			h.add(event.Reminder{When: at("2T08:00", ""), Text: fmt.Sprint("at eight ", n)})
		}
		h.add(event.Reminder{When: at("2T08:00", ""), Text: "elsewhere", Chat: "telegram/2"})
		h.add(event.Reminder{When: at("2T08:10", ""), Text: "ten past"})
		h.add(event.Reminder{When: at("2T08:20", ""), Text: "eggs", Timer: true})
		h.add(event.Reminder{When: at("2T08:20", ""), Text: "twenty past"})
		h.until("12:00")
		h.wantTold("2 08:00:00 at eight 0", "2 08:00:00 at eight 1",
			"2 08:00:00 3 reminders\n⏰ at eight 2  /reminder 3\n⏰ at eight 3  /reminder 4\n⏰ at eight 4  /reminder 5",
			"2 08:20:00 Time is up: eggs",
			"2 09:00:00 ten past (late: it was due Sun 2 Jan 2000, 08:10)", "2 09:00:00 twenty past (late: it was due Sun 2 Jan 2000, 08:20)")
		if got := h.told("telegram/2"); len(got) != 1 {
			t.Errorf("the other chat was told %q", got)
		}
	})
	// The notes of before a restart count.
	inHouse(t, limit, func(h *house) {
		for n := range 5 {
			h.add(event.Reminder{When: at(fmt.Sprintf("2T08:0%d", n), ""), Text: fmt.Sprint(n)})
		}
		h.until("08:01")
		h.stop()
		h.start()
		h.until("12:00")
		h.wantTold("2 08:00:00 0", "2 08:01:00 1", "2 08:02:00 2",
			"2 09:00:00 2 reminders\n⏰ 3 (late: it was due Sun 2 Jan 2000, 08:03)  /reminder 4\n⏰ 4 (late: it was due Sun 2 Jan 2000, 08:04)  /reminder 5")
	})
	// A clock that was put back does not make the notes of before count for longer.
	inHouse(t, limit, func(h *house) {
		for n := range 3 {
			h.add(event.Reminder{When: at("2T08:00", ""), Text: fmt.Sprint(n)})
		}
		h.until("08:01")
		h.jump = -7 * time.Hour
		h.add(event.Reminder{When: at("2T02:00", ""), Text: "back"})
		h.until("02:05")
		if got := h.told("telegram/1"); got[len(got)-1] != "2 02:00:00 back" {
			t.Errorf("told %q", got)
		}
	})
}

// More than fit into one note come in several.
func TestScheduler_LongDigest(t *testing.T) {
	inHouse(t, func(h *house) { h.cfg.PerHour = 2 }, func(h *house) {
		for range 600 {
			h.add(event.Reminder{When: at("2T08:00", ""), Text: "x"})
		}
		h.until("09:05")
		var got []string
		for _, line := range h.told("telegram/1") {
			head, _, _ := strings.Cut(line, "\n")
			got = append(got, head)
		}
		want := []string{"2 08:00:00 x", "2 08:00:00 200 reminders", "2 09:00:00 x (late: it was due Sun 2 Jan 2000, 08:00)", "2 09:00:00 200 reminders"}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("told (-want +got)\n%s", d)
		}
	})
}

// What a person changes while a note is written stays, and is not told in its old shape where there is time.
func TestScheduler_ChangedMeanwhile(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		first := h.add(event.Reminder{When: at("2T08:00", "FREQ=DAILY"), Text: "first"})
		second := h.add(event.Reminder{When: at("2T08:00", ""), Text: "second"})
		third := h.add(event.Reminder{When: at("2T08:00", ""), Text: "third"})
		fourth := h.add(event.Reminder{When: with(at("2T08:00", "FREQ=DAILY"), untilDone), Text: "fourth"})
		once := false
		h.before = func(n event.Noted) {
			if n.Reminder == first && !once {
				once = true
				h.snooze(first, 10*time.Minute)
				h.change(second, func(r *event.Reminder) { r.State = event.ReminderCancelled })
				h.change(third, func(r *event.Reminder) { r.Text = "third, in other words" })
				h.snooze(fourth, 10*time.Minute)
			}
			if n.Reminder == fourth {
				h.before = nil
				h.done(fourth)
			}
		}
		h.until("3 08:05")
		h.wantTold("2 08:00:00 first", "2 08:00:00 third, in other words", "2 08:10:00 first", "2 08:10:00 fourth", "3 08:00:00 first", "3 08:00:00 fourth")
		if r := h.get(second); r.State != event.ReminderCancelled || r.Sent != 0 {
			t.Errorf("cancelled: %+v", r)
		}
	})
}

// A journal that takes no notes for a day delays them, each by itself, and loses none; the words say when they were due.
func TestScheduler_TellFails(t *testing.T) {
	for _, perHour := range []int{0, 2} {
		inHouse(t, func(h *house) { h.cfg.PerHour = perHour }, func(h *house) {
			h.add(event.Reminder{When: at("2T08:00", "FREQ=DAILY"), Text: "daily"})
			h.add(event.Reminder{When: with(at("2T08:00", "FREQ=DAILY"), all), Text: "each"})
			h.add(event.Reminder{When: at("2T08:00", ""), Text: "once"})
			h.add(event.Reminder{When: at("2T08:00", ""), Text: "elsewhere", Chat: "telegram/2"})
			tries := 0
			h.failing = func(n event.Noted) error {
				if n.Reminder == 4 {
					return nil
				}
				tries++
				return errors.New("the journal is away")
			}
			h.until("3 09:00")
			h.failing = nil
			if most := 3 * (25*60 + 1); tries > most {
				t.Errorf("three reminders were tried %d times in 25 hours, more than each minute", tries)
			}
			h.until("4 12:00")
			if got := h.told("telegram/2"); len(got) != 1 || got[0] != "2 08:00:00 elsewhere" {
				t.Errorf("the other chat was told %q", got)
			}
			got := strings.Join(h.told("telegram/1"), "\n")
			for text, n := range map[string]int{"daily": 2, "each": 3, "once (late: it was due Sun 2 Jan 2000, 08:00)": 1, "each (late: it was due Mon 3 Jan 2000, 08:00)": 1,
				"4 08:00:00 daily": 1, "4 08:00:00 each": 1} {
				if strings.Count(got, text) != n {
					t.Errorf("with %d an hour %q was told %d times, want %d:\n%s", perHour, text, strings.Count(got, text), n, got)
				}
			}
		})
	}
}

// A store that fails in the middle delays what is due, and repeats nothing.
func TestScheduler_StoreFails(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		for n := range 5 {
			h.add(event.Reminder{When: at("2T08:00", ""), Text: fmt.Sprint(n)})
		}
		h.before = func(n event.Noted) {
			if n.Reminder == 3 {
				h.storeFails = errors.New("the disk is full")
			}
		}
		h.until("09:00")
		h.before, h.storeFails = nil, nil
		h.until("09:02")
		late := " (late: it was due Sun 2 Jan 2000, 08:00)"
		h.wantTold("2 08:00:00 0", "2 08:00:00 1", "2 08:00:00 2", "2 09:01:00 3"+late, "2 09:01:00 4"+late)
	})
}

// A machine that slept tells what it missed when its clock jumps, and no more; one whose clock was put back waits.
func TestScheduler_ClockJumps(t *testing.T) {
	inHouse(t, func(h *house) { h.cfg.PerHour = 1 }, func(h *house) {
		h.add(event.Reminder{When: at("2T08:00", "FREQ=DAILY"), Text: "x"})
		h.until("08:01")
		h.jump = 47 * time.Hour
		<-time.After(time.Minute)
		h.jump -= 90 * time.Minute
		h.until("5 12:00")
		h.wantTold("2 08:00:00 x", "4 07:01:30 x (late: it was due Mon 3 Jan 2000, 08:00)", "4 08:00:00 x", "5 08:00:00 x")
	})
	inHouse(t, nil, func(h *house) {
		h.add(event.Reminder{When: at("2T08:00", "FREQ=DAILY"), Text: "x"})
		h.until("08:01")
		h.jump = -3 * time.Hour
		h.until("3 12:00")
		h.wantTold("2 08:00:00 x", "3 08:00:00 x")
	})
}

// One rule that cannot be followed any more keeps no other from being told.
func TestScheduler_BadRule(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		due := time.Date(2000, 1, 2, 8, 0, 0, 0, time.UTC)
		for _, missed := range []event.MissedRule{event.MissedOnce, event.MissedAll, event.MissedSkip} {
			h.add(event.Reminder{When: event.When{Zone: "Nowhere/Land", Start: "2000-01-02T08:00:00", Repeat: "FREQ=DAILY", Missed: missed}, Due: due, Planned: due, Text: "bad"})
		}
		h.stop()
		h.add(event.Reminder{When: at("2T09:00", ""), Text: "good"})
		h.until("10:00")
		h.start()
		h.until("10:01")
		if got := strings.Join(h.told("telegram/1"), "\n"); strings.Count(got, "bad") != 2 || !strings.Contains(got, "good") {
			t.Errorf("told\n%s", got)
		}
	})
}

// Sunset is told each day, a little later than the day before, and at a time that the almanac has.
func TestScheduler_Sun(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		h.add(event.Reminder{When: event.When{Start: "2000-01-01T00:00:00", Zone: "Europe/Berlin", Sun: "sunset-30m", Repeat: "FREQ=DAILY"}, Text: "lamp"})
		h.until("4 12:00")
		var got []string
		for _, line := range h.told("telegram/1") {
			got = append(got, line[:len("2 15:04")])
		}
		if d := cmp.Diff([]string{"1 14:32", "2 14:33", "3 14:34"}, got); d != "" { // sunset is at 16:02, 16:03 and 16:04 in Berlin
			t.Errorf("told (-want +got)\n%s", d)
		}
	})
}

// After a crash between the note and its record nothing is told twice, and nothing that is due later is taken for what was told.
func TestScheduler_Crash(t *testing.T) {
	for _, c := range []struct {
		name    string
		perHour int
		after   func(h *house) // what happens before the next start
		want    []string
	}{
		{"nothing more", 0, func(*house) {}, []string{"2 08:00:00 one", "2 08:00:05 two", "3 08:00:00 one", "3 08:00:00 two"}},
		{"a person moves it", 0, func(h *house) { h.snooze(1, 10*time.Minute) },
			[]string{"2 08:00:00 one", "2 08:00:05 two", "2 08:10:05 one", "3 08:00:00 one", "3 08:00:00 two"}},
		{"hob is away for days", 0, func(h *house) { h.until("5 09:00") }, []string{"2 08:00:00 one",
			"5 09:00:00 one (late: it was due Wed 5 Jan 2000, 08:00; 3 missed before it)",
			"5 09:00:00 two (late: it was due Wed 5 Jan 2000, 08:00; 3 missed before it)"}},
		{"nothing more, in one note", 1, func(*house) {}, []string{"2 08:00:00 2 reminders\n⏰ one  /reminder 1\n⏰ two  /reminder 2",
			"3 08:00:00 2 reminders\n⏰ one  /reminder 1\n⏰ two  /reminder 2"}},
		{"a person moves it, in one note", 1, func(h *house) { h.snooze(2, 2*time.Hour) }, []string{
			"2 08:00:00 2 reminders\n⏰ one  /reminder 1\n⏰ two  /reminder 2", "2 10:00:05 two",
			"3 08:00:00 2 reminders\n⏰ one  /reminder 1\n⏰ two  /reminder 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inHouse(t, func(h *house) { h.cfg.PerHour = c.perHour }, func(h *house) {
				h.add(event.Reminder{When: at("2T08:00", "FREQ=DAILY"), Text: "one"})
				h.add(event.Reminder{When: at("2T08:00", "FREQ=DAILY"), Text: "two"})
				h.crash = "one"
				h.until("08:00")
				<-time.After(5 * time.Second)
				h.stop()
				c.after(h)
				h.start()
				h.until("3 12:00")
				h.wantTold(c.want...)
			})
		})
	}
}
