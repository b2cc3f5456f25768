package telegram_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/surface/telegram/telegramtest"
)

// TestRemindersKilledAtEachWrite kills hob right after a durable write, another one in each run until there are no more, and starts
// it again on a copy of its disk there: each reminder is told when it is without a kill, and as often. There is one that is told
// until it is done, one that is moved, five at once of which three come in one note, one that comes again after it is done, and a
// timer.
func TestRemindersKilledAtEachWrite(t *testing.T) {
	notShort(t)
	want, writes, _ := anHour(t, 0)
	if n := strings.Count(strings.Join(want, "\n"), "\n") + 1; n != 13 {
		t.Fatalf("without a kill %d are told:\n%s", n, strings.Join(want, "\n"))
	}
	again := 0
	for n := 1; n <= writes; n++ {
		got, _, twice := anHour(t, n)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("killed after write %d of %d: (-want +got)\n%s", n, writes, d)
		}
		again += twice
	}
	goleak.VerifyNone(t)
	t.Logf("killed after each of %d writes; %d messages were cut off and sent again", writes, again)
}

// anHour lives for an hour in which hob is killed after so many writes; 0 is never. It returns what was told, and in which minute.
func anHour(t *testing.T, kill int) (read []string, writes, again int) {
	synctest.Test(t, func(t *testing.T) {
		m := &mortal{perHour: 3}
		m.live = live{t: t, srv: telegramtest.New(telegramtest.Options{}), files: emptyFiles{}, model: &monthMind{}}
		m.nextKill = func() int { defer func() { kill = 0 }(); return kill }
		m.be()
		var chats []*telegramtest.Chat
		for n := range 4 {
			u := m.srv.User(int64(1000+n), fmt.Sprint("p", n))
			chats = append(chats, m.srv.Private(u))
			m.allow(u.ID, event.Owner)
		}
		begin := time.Now()
		m.begin()
		ids := map[string]int64{}
		keep := func(person int, text string, after time.Duration, w event.When) {
			w.Start, w.Zone = begin.Add(after).UTC().Format(event.StartLayout), "UTC"
			r, err := m.db.Reminders().Add(t.Context(), event.Reminder{
				Chat: event.Chat(fmt.Sprint("telegram/", 1000+person)), State: event.ReminderOpen, Text: text, When: w,
				By: event.Party{Platform: "telegram", ID: fmt.Sprint(1000 + person)}, Due: begin.Add(after), Planned: begin.Add(after),
			})
			if err != nil {
				t.Fatal(err)
			}
			ids[text] = r.ID
		}
		answer := func(text string) {
			m.change(ids[text], func(r *event.Reminder) (err error) {
				*r, err = schedule.Answered(*r, time.Now(), schedule.Place{})
				return err
			})
		}
		keep(0, "r0.", 10*time.Minute, event.When{UntilDone: true})
		keep(1, "r1.", 10*time.Minute, event.When{Repeat: "FREQ=DAILY"})
		for n := range 5 {
			keep(2, fmt.Sprintf("r2%d.", n), 20*time.Minute, event.When{Repeat: "FREQ=WEEKLY"})
		}
		keep(3, "r3.", 15*time.Minute, event.When{AfterDone: 20 * time.Minute})
		keep(3, "r4.", 35*time.Minute, event.When{})
		m.until(begin.Add(25 * time.Minute))
		answer("r3.")
		m.until(begin.Add(34 * time.Minute))
		m.change(ids["r1."], func(r *event.Reminder) error { r.Due = time.Now().Add(6 * time.Minute); return nil })
		answer("r0.")
		m.until(begin.Add(time.Hour))
		writes = m.fate.writes
		m.quit()
		read, again = readReminders(chats, begin)
		if again > m.cuts {
			t.Errorf("%d were told again, and of %d hob did not know", again, m.cuts)
		}
	})
	return read, writes, again
}

var reminderToken = regexp.MustCompile(`r[0-9]+\.`)

// readReminders returns which reminders were told in the chats, and in which minute; of a message that was sent again, and had arrived,
// the first.
func readReminders(chats []*telegramtest.Chat, begin time.Time) (read []string, again int) {
	for _, c := range chats {
		for _, m := range c.FromBot() {
			var all []string
			for _, token := range reminderToken.FindAllString(m.Text, -1) {
				all = append(all, fmt.Sprintf("%02d %s", int(m.Date.Sub(begin).Minutes()), token))
			}
			if strings.Contains(m.Text, "sent again") && len(all) > 0 && slices.Contains(read, all[0]) {
				again++
				continue
			}
			read = append(read, all...)
		}
	}
	slices.Sort(read)
	return read, again
}

// TestManyRemindersAtOnce has a thousand reminders due when hob starts, ten thousand with HOB_TEST_FULL, in twenty chats of a Telegram
// that takes one message a second in a chat and thirty in all: all are told, once, in the order of their times, and none is sent
// before Telegram wants it.
func TestManyRemindersAtOnce(t *testing.T) {
	notShort(t)
	all := 1000
	if os.Getenv("HOB_TEST_FULL") != "" {
		all = 10_000
	}
	const people = 20
	synctest.Test(t, func(t *testing.T) {
		m := &mortal{nextKill: func() int { return 0 }}
		m.live = live{t: t, srv: telegramtest.New(telegramtest.Options{Limits: telegramtest.Usual()}), files: emptyFiles{}, model: &monthMind{}}
		m.be()
		var chats []*telegramtest.Chat
		for n := range people {
			u := m.srv.User(int64(1000+n), fmt.Sprint("p", n))
			chats = append(chats, m.srv.Private(u))
			m.allow(u.ID, event.Owner)
		}
		_, shut := m.open()
		begin := time.Now()
		for _, n := range rand.New(rand.NewPCG(1, 1)).Perm(all) {
			due := begin.Add(-time.Minute + time.Duration(n)*time.Millisecond)
			_, err := m.db.Reminders().Add(t.Context(), event.Reminder{
				Chat: event.Chat(fmt.Sprint("telegram/", 1000+n%people)), State: event.ReminderOpen, Text: fmt.Sprintf("r%d.", n),
				When: event.When{Zone: "UTC", Start: due.UTC().Format(event.StartLayout)}, Due: due, Planned: due,
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		shut()
		m.begin()
		m.until(begin.Add(2 * time.Hour))
		m.quit()
		last := begin
		for n, c := range chats {
			var got, want []string
			for _, msg := range c.FromBot() {
				got = append(got, reminderToken.FindString(msg.Text))
				if msg.Date.After(last) {
					last = msg.Date
				}
			}
			for i := n; i < all; i += people {
				want = append(want, fmt.Sprintf("r%d.", i))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("chat %d (-want +got)\n%s", n, d)
			}
		}
		if v := m.srv.Violations(); len(v) > 0 {
			t.Errorf("%d calls came before the time that Telegram had named: %v", len(v), v[0])
		}
		if all == 10_000 {
			fmt.Printf("figure: reminders due at once, at Telegram's limits: %d told once and in order, in %v of its time\n", all, last.Sub(begin).Round(time.Second))
		}
	})
	goleak.VerifyNone(t)
}
