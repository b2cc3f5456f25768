package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// TestServe_RemindersKilled kills hob serve at random moments while reminders are due each second, three times, and fifty times with
// HOB_TEST_FULL. Each reminder is told once, in the order of their times. Only one that was on its way to Telegram in the moment of
// a kill may be told again, and says so.
func TestServe_RemindersKilled(t *testing.T) {
	notShort(t)
	kills, each := 3, 20
	if os.Getenv("HOB_TEST_FULL") != "" {
		kills = 50
	}
	p := newParlour(t, nowhereToAsk, "[notify]\nper_hour = 0\n")
	ada := p.bot.Private(p.people["ada"])
	random := rand.New(rand.NewPCG(testSeed(t), 26))
	n := 0
	dues := map[string]time.Time{}
	remind := func() { // five each second
		p.look(func(db *store.DB) {
			for i := range each {
				text, due := fmt.Sprintf("r%d.", n), time.Now().Add(time.Duration(i)*time.Second/5)
				dues[text] = due
				_, err := db.Reminders().Add(t.Context(), event.Reminder{
					Chat: "telegram/77", State: event.ReminderOpen, Text: text, By: event.Party{Platform: "telegram", ID: "77"},
					When: event.When{Zone: "UTC", Start: due.UTC().Format(event.StartLayout)}, Due: due, Planned: due,
				})
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
		})
	}
	told := func() bool {
		got, _ := remindersIn(t, ada)
		return len(got) >= n
	}
	life := moments{random: random}
	remind()
	life.watch(func() {
		p.daemon = p.start()
		p.wait("the first are told", told)
	})
	p.daemon.stop()
	killed := 0
	for range kills {
		remind()
		p.daemon = p.start()
		cmd := p.daemon.cmd
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(life.whole))), func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("hob ended by itself: %v\n%s", err, p.daemon.said())
		}
		timer.Stop()
		if !told() {
			killed++
		}
	}
	p.daemon = p.serve()
	p.wait("all are told", told)
	p.daemon.stop()
	got, again := remindersIn(t, ada)
	want := slices.SortedFunc(maps.Keys(dues), func(a, b string) int { return dues[a].Compare(dues[b]) })
	if !slices.Equal(got, want) {
		t.Errorf("told, where each was to be once and in order: %v", got)
	}
	if again > kills {
		t.Errorf("%d were told again: more than the %d that can have been on their way", again, kills)
	}
	text := fmt.Sprintf("reminders told by a hob that is killed: %d of %d, %d again and marked so, %d of %d kills before all were told (aim: all, at most 1 %% again)",
		len(got), n, again, killed, kills)
	if os.Getenv("HOB_TEST_FULL") == "" {
		t.Log(text)
		return
	}
	fmt.Println("figure: " + text)
	if again*100 > n {
		t.Errorf("%d of %d were told again: more than one in a hundred", again, n)
	}
}

var reminderName = regexp.MustCompile(`r[0-9]+\.`)

// remindersIn returns the reminders that were told in a chat, and how many were told again and said so.
func remindersIn(t *testing.T, c *telegramtest.Chat) (all []string, again int) {
	t.Helper()
	for _, m := range c.FromBot() {
		name := reminderName.FindString(m.Text)
		switch {
		case name == "":
			t.Errorf("this is no reminder: %q", m.Text)
		case strings.Contains(m.Text, "sent again") && slices.Contains(all, name):
			again++
		default:
			all = append(all, name)
		}
	}
	return all, again
}
