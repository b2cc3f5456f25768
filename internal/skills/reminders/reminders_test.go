package reminders_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/skills/reminders"
	"hob/internal/tools"
)

// What is confirmed is the absolute local time, in the words of who asked, with the other reading as a button.
func TestRemind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	res := w.must(ana(), "remind", args{"text": "remind me tomorrow at 6 to call Ana"})
	if want := "⏰ #1 Thu 26 Nov 2026, 06:00: call Ana"; res.Text != want {
		t.Errorf("%q, want %q", res.Text, want)
	}
	choices := []event.Choice{
		{Label: "18:00", Text: "/reminder 1 2026-11-26T18:00:00+01:00", Trusted: true},
		{Label: "Undo", Text: "/undo #1", Beside: true, Trusted: true},
		{Label: "+1 h", Text: "/reminder 1 +1h", Beside: true, Trusted: true},
		{Label: "Done", Text: "/reminder 1 done", Beside: true, Trusted: true},
	}
	if diff := cmp.Diff(choices, res.Choices); diff != "" {
		t.Errorf("buttons (-want +got):\n%s", diff)
	}
	want := reminders.Reminder{ID: 1, Due: "2026-11-26T06:00:00+01:00", Zone: "Europe/Berlin", Text: "call Ana", State: "open"}
	if diff := cmp.Diff(want, res.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	w.says(ana(), "⏰ #1 Thu 26 Nov 2026, 18:00: call Ana", "reminder", args{"id": 1, "change": "2026-11-26T18:00:00+01:00"})
	w.says(ana(), "⏰ #1 Thu 26 Nov 2026, 19:00: call Ana", "reminder", args{"id": 1, "change": "+1h"})

	w.says(ana(), "⏰ #2 Thu 26 Nov 2026, 08:00: the bins", "remind", args{"text": "the bins", "at": "tomorrow at 8:00"})
	w.says(ana(), "⏰ #3 every day, 12:01, from Wed 25 Nov 2026: water", "remind", args{"text": "water", "repeat": "FREQ=DAILY"})
	w.says(ana(), "⏰ #4 10 min left, until 12:10:00: pasta", "remind", args{"text": "timer 10 minutes pasta"})
	for lang, words := range map[string][2]string{
		"de": {"erinnere mich jeden Montag um 7:00 an die Tonne", "⏰ #%d jeden Montag, 07:00, ab Mo. 30. November 2026: die Tonne"},
		"ru": {"напомни завтра в 18:30 позвонить Ане", "⏰ #%d чт 26 ноября 2026, 18:30: позвонить Ане"},
		"zh": {"明天下午三点提醒我给妈妈打电话", "⏰ #%d 2026年11月26日周四 15:00: 给妈妈打电话"},
	} {
		res := w.must(ana(), "remind", args{"text": words[0]})
		if want := strings.Replace(words[1], "%d", number(res.Data.(reminders.Reminder).ID), 1); res.Text != want {
			t.Errorf("%s: %q, want %q", lang, res.Text, want)
		}
	}
}

// Who sees no buttons reads the other time below the answer, and what to type for it; typing it moves the reminder.
func TestRemind_WithoutButtons(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := ana()
	at.Platform = "cli"
	w.says(at, "⏰ #1 Thu 26 Nov 2026, 06:00: call Ana\nDo you mean 18:00? Then say: /reminder 1 18:00", "remind", args{"text": "remind me tomorrow at 6 to call Ana"})
	w.says(at, "⏰ #1 Thu 26 Nov 2026, 18:00: call Ana", "reminder", args{"id": 1, "change": "18:00"})
	w.says(at, "⏰ #2 Wed 25 Nov 2026, 18:00: eat\nDo you mean tomorrow 06:00? Then say: /reminder 2 2026-11-26 06:00", "remind", args{"text": "at 6 eat"})
	w.says(at, "⏰ #3 Thu 26 Nov 2026, 18:00: eat", "remind", args{"text": "tomorrow at 18:00 eat"})
	w.says(at, "⏰ #4 Tue 12 Jan 2027, 09:00: renew it\nDo you mean Tue 1 Dec 2026, 09:00? Then say: /reminder 4 2026-12-01 09:00\nDo you mean 21:00? Then say: /reminder 4 21:00",
		"remind", args{"text": "on 12/01 at 9 renew it"})
	w.says(at, "⏰ #4 Tue 1 Dec 2026, 09:00: renew it", "reminder", args{"id": 4, "change": "2026-12-01 09:00"})
	w.says(at, "⏰ #5 Tue 12 Jan 2027, 09:00: pay it\nDo you mean Tue 1 Dec 2026, 09:00? Then say: /reminder 5 2026-12-01 09:00\nDo you mean 21:00? Then say: /reminder 5 21:00", "remind",
		args{"text": "pay it", "at": "2027-01-12T09:00:00+01:00", "other": "2026-12-01T09:00:00+01:00 2027-01-12T21:00:00+01:00", "lang": "en"})
}

// Who is reminded is no part of the text where that is who asks: people write "/remind me tomorrow at 8".
func TestRemind_Me(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, words := range []string{
		"me tomorrow at 8:00 to call Ana", "Mich morgen um 8:00 Uhr an Ana", "мне завтра в 8:00 позвонить Ане", "us tomorrow at 8:00 about the mess", "me at 5pm to melt the snow",
	} {
		want := []string{"call Ana", "Ana", "позвонить Ане", "the mess", "melt the snow"}[i]
		if got := w.get(w.remind(ana(), words)).Text; got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

// "Stop the timer" ends the only one that runs, and names it. Where several run it asks which; one that has rung runs no more.
func TestReminder_StopTimer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := args{"only": "timers", "change": "cancel"}
	w.says(ana(), "no timer is running", "reminder", stop)
	cake := w.remind(ana(), "tomorrow at 8:00 the cake")
	w.fails(ana(), "reminder 1 is no timer", "reminder", args{"id": cake, "only": "timers", "change": "cancel"})
	rung := w.remind(ana(), "timer 1 minute tea")
	w.tell(rung, time.Time{})
	w.says(ana(), "no timer is running", "reminder", stop)
	w.remind(ana(), "timer 20 minutes")
	w.says(ana(), "Cancelled: timer of 20 min", "reminder", stop)
	pasta, eggs := w.remind(ana(), "timer 10 minutes pasta"), w.remind(ana(), "timer 5 minutes eggs")
	w.says(ana(), "which timer? Say, for example: stop timer 5\n- ⏰ #5 5 min left, until 12:05:00: eggs\n- ⏰ #4 10 min left, until 12:10:00: pasta", "reminder", stop)
	w.is(pasta, event.ReminderOpen, "2026-11-25 12:10")
	w.says(ana(), "Cancelled: eggs", "reminder", args{"id": eggs, "only": "timers", "change": "cancel"})
	w.says(ana(), "Cancelled: pasta", "reminder", stop)
	w.says(ben(), "no timer is running", "reminder", stop)
}

// "The alarm" is an alarm, and "the reminder" is neither that nor a timer. Where several may be meant it asks.
func TestReminder_CancelAlarm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alarm, reminder := args{"only": "alarms", "change": "cancel"}, args{"only": "reminders", "change": "cancel"}
	w.says(ana(), "no alarm is set", "reminder", alarm)
	w.says(ana(), "no reminder is set", "reminder", reminder)
	early := w.idOf(w.must(ana(), "remind", args{"text": "⏰", "at": "2026-11-26T07:00:00+01:00"}))
	w.remind(ana(), "timer 20 minutes")
	w.says(ana(), "no reminder is set", "reminder", reminder)
	bank := w.remind(ana(), "on Saturday at 11:00 the bank")
	w.says(ana(), "Cancelled: Wake up, Thu 26 Nov 2026, 07:00", "reminder", alarm)
	w.must(ana(), "reminder", args{"id": early, "change": "restore"})
	w.must(ana(), "remind", args{"text": "⏰", "at": "2026-11-27T06:45:00+01:00"})
	w.says(ana(), "which alarm? Say, for example: cancel alarm 1\n- ⏰ #1 Thu 26 Nov 2026, 07:00: Wake up\n- ⏰ #4 Fri 27 Nov 2026, 06:45: Wake up", "reminder", alarm)
	w.says(ana(), "Cancelled: the bank", "reminder", reminder)
	w.must(ana(), "reminder", args{"id": bank, "change": "restore"})
	w.remind(ana(), "on Sunday at 11:00 the church")
	w.says(ana(), "which reminder? Say, for example: cancel reminder 3\n- ⏰ #3 Sat 28 Nov 2026, 11:00: the bank\n- ⏰ #5 Sun 29 Nov 2026, 11:00: the church", "reminder", reminder)
	w.now = w.at(13, 30)
	w.remind(ana(), "tomorrow at 8:00 the bins")
	w.says(ana(), "Cancelled: the bins", "reminder", reminder) // the one of just now
	w.says(ben(), "no alarm is set", "reminder", alarm)
}

// An alarm that says what it is for is one, and is named by that.
func TestReminder_CancelAlarmFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plane := args{"text": "⏰ the plane", "at": "2026-11-26T05:00:00+01:00"}
	w.says(ana(), "⏰ #1 Thu 26 Nov 2026, 05:00: the plane", "remind", plane)
	w.says(ana(), "Cancelled: the plane, Thu 26 Nov 2026, 05:00", "reminder", args{"only": "alarms", "change": "cancel"})
	w.must(ana(), "remind", plane)
	w.says(ana(), "Cancelled: the plane, Thu 26 Nov 2026, 05:00", "reminder", args{"only": "alarms", "about": "plane", "change": "cancel"})
	w.says(ana(), "no alarm is set", "reminder", args{"only": "alarms", "change": "cancel"})
	w.says(ana(), "no alarm is set", "reminders", args{"only": "alarms"})
	w.remind(ana(), "tomorrow at 4:00 the bread")
	w.must(ana(), "remind", plane)
	w.says(ana(), "- ⏰ #4 Thu 26 Nov 2026, 05:00: the plane", "reminders", args{"only": "alarms"})
}

// An alarm is named by its hour, and a timer by how long it runs.
func TestReminder_CancelAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, at := range []string{"2026-11-26T07:00:00+01:00", "2026-11-27T06:45:00+01:00", "2026-11-27T19:00:00+01:00"} {
		w.must(ana(), "remind", args{"text": "⏰", "at": at})
	}
	alarm := func(about string) args { return args{"only": "alarms", "about": about, "change": "cancel"} }
	w.says(ana(), "which alarm? Say, for example: cancel alarm 1\n- ⏰ #1 Thu 26 Nov 2026, 07:00: Wake up\n- ⏰ #3 Fri 27 Nov 2026, 19:00: Wake up", "reminder", alarm("7"))
	w.fails(ana(), `there is no alarm of "8:15"`, "reminder", alarm("8:15"))
	w.fails(ana(), `there is no alarm of "tomorrow at 6:45"`, "reminder", alarm("tomorrow at 6:45"))
	w.says(ana(), "Cancelled: Wake up, Fri 27 Nov 2026, 06:45", "reminder", alarm("6:45"))
	w.is(2, event.ReminderCancelled, "2026-11-27 06:45")
	w.says(ana(), "Cancelled: Wake up, Thu 26 Nov 2026, 07:00", "reminder", alarm("tomorrow at 7"))
	w.is(1, event.ReminderCancelled, "2026-11-26 07:00")
	w.says(ana(), "Cancelled: Wake up, Fri 27 Nov 2026, 19:00", "reminder", args{"id": 7, "only": "alarms", "change": "cancel"}) // no alarm has that number
	w.is(3, event.ReminderCancelled, "2026-11-27 19:00")
	w.remind(ana(), "timer 5 minutes")
	w.remind(ana(), "timer 15 minutes")
	w.remind(ana(), "timer 25 minutes pasta")
	w.now = w.at(12, 1)
	timer := func(about string) args { return args{"only": "timers", "about": about, "change": "cancel"} }
	w.says(ana(), "Cancelled: timer of 5 min", "reminder", timer("5 minutes"))
	w.says(ana(), "Cancelled: pasta", "reminder", timer("pasta"))
	w.fails(ana(), `there is no timer of "7 minutes"`, "reminder", timer("7 minutes"))
	w.fails(ana(), `there is no timer of "ten minutes"`, "reminder", timer("ten minutes"))
	w.says(ana(), "Cancelled: timer of 15 min", "reminder", timer("rice")) // the only one, which has no name
	w.remind(ana(), "timer 5 minutes eggs")
	w.fails(ana(), `there is no timer of "rice"`, "reminder", timer("rice"))
}

// Of all reminders only the timers that run are listed, or what comes next.
func TestReminders_Only(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.says(ana(), "no timer is running", "reminders", args{"only": "timers"})
	w.says(ana(), "There are no reminders to come. Make one: remind me tomorrow at 8 to call Ana", "reminders", args{"only": "next"})
	w.remind(ana(), "at 13:00 the cake")
	w.remind(ana(), "tomorrow at 8:00 the train")
	w.tell(w.remind(ana(), "timer 1 minute tea"), time.Time{})
	w.remind(ana(), "timer 90 minutes bread")
	w.says(ana(), "- ⏰ #4 1 h 30 min left, until 13:30: bread", "reminders", args{"only": "timers"})
	w.says(ana(), "- ⏰ #1 Wed 25 Nov 2026, 13:00: the cake", "reminders", args{"only": "next"})
	w.now = w.at(15, 0) // and no hob ran to tell it
	w.says(ana(), "- ⏰ #4 over since 13:30:00: bread", "reminders", args{"only": "timers"})
}

// A time that passed while the call was on its way is told at once: "in 1 second" has less than that.
func TestRemind_JustPassed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.idOf(w.must(ana(), "remind", args{"text": "the tea", "at": "2026-11-25T11:59:30+01:00"}))
	w.is(id, event.ReminderOpen, "2026-11-25 12:00")
	w.fails(ana(), "at: 2026-11-25 11:58 is past", "remind", args{"text": "the tea", "at": "2026-11-25T11:58:59+01:00"})
}

// Where nobody has said which zone the house is in, and the machine does not know, the first confirmation of a chat says whose clocks
// it means and asks for others, which an owner can press. The reminder is made all the same. A countdown needs no zone.
func TestRemind_AsksForTheZone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.unsure = true
	w.says(ana(), "⏰ #1 10 min left, until 12:10:00: pasta", "remind", args{"text": "timer 10 minutes pasta"})
	const ask = "\nThis is the time of this machine: Europe/Berlin. Is yours another? Then say: my time zone is Europe/Berlin"
	res := w.must(ana(), "remind", args{"text": "tomorrow at 8:00 the cake"})
	if want := "⏰ #2 Thu 26 Nov 2026, 08:00: the cake" + ask; res.Text != want {
		t.Errorf("%q, want %q", res.Text, want)
	}
	choices := []event.Choice{
		{Label: "20:00", Text: "/reminder 2 2026-11-26T20:00:00+01:00", Trusted: true},
		{Label: "Undo", Text: "/undo #2", Beside: true, Trusted: true},
		{Label: "+1 h", Text: "/reminder 2 +1h", Beside: true, Trusted: true},
		{Label: "Done", Text: "/reminder 2 done", Beside: true, Trusted: true},
		{Label: "Europe/Berlin is right", Text: "/zone Europe/Berlin", Trusted: true},
		{Label: "London 11:00", Text: "/zone Europe/London", Trusted: true},
		{Label: "New York 06:00", Text: "/zone America/New_York", Beside: true, Trusted: true},
		{Label: "Los Angeles 03:00", Text: "/zone America/Los_Angeles", Beside: true, Trusted: true},
	}
	if diff := cmp.Diff(choices, res.Choices); diff != "" {
		t.Errorf("buttons (-want +got):\n%s", diff)
	}
	w.says(ana(), "⏰ #3 Thu 26 Nov 2026, 09:00: the bread", "remind", args{"text": "tomorrow at 9:00 the bread"})
	const frage = "\nDas ist die Zeit dieses Rechners: Europe/Berlin. Zeigt deine Uhr eine andere, stellt der Besitzer die Zeitzone ein: /zone"
	w.says(ben(), "⏰ #4 Do. 26. November 2026, 08:00: Ana"+frage, "remind", args{"text": "erinnere mich morgen um 8:00 Uhr an Ana"})
	w.says(person("7", group), "⏰ #5 Thu 26 Nov 2026, 10:00 for Ben: the bins"+ask, "remind", args{"text": "the bins", "at": "tomorrow at 10:00", "for": "Ben"})
	w.says(person("8", group), "⏰ #6 Thu 26 Nov 2026, 10:00: the lamp", "remind", args{"text": "tomorrow at 10:00 the lamp"})
}

// A reminder keeps the clocks that it was made by, until a person has it keep others: at eight stays at eight, over a change of the
// clocks, too. What counts down is at the same instant.
func TestReminder_Zone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	once, daily, timer := w.remind(ana(), "tomorrow at 8:00 the cake"), w.remind(ana(), "every day at 9:00 the pill"), w.remind(ana(), "timer 10 minutes pasta")
	sun, after := w.remind(ana(), "at sunset the hens"), w.remind(ana(), "every! 8 hours the drops")
	w.says(ana(), "⏰ #1 Thu 26 Nov 2026, 08:00 (America/New_York): the cake", "reminder", args{"id": once, "zone": "America/New_York"})
	w.is(once, event.ReminderOpen, "2026-11-26 14:00")
	w.must(ana(), "reminder", args{"id": daily, "zone": "America/New_York"})
	w.is(daily, event.ReminderOpen, "2026-11-26 15:00")
	for id, due := range map[int64]string{timer: "2026-11-25 12:10", sun: w.due(sun), after: "2026-11-25 20:00"} {
		w.must(ana(), "reminder", args{"id": id, "zone": "Asia/Tokyo"})
		w.is(id, event.ReminderOpen, due)
	}
	spring := time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC)
	if next, err := schedule.Next(w.get(daily).When, spring, schedule.Place{}); err != nil || next.UTC().Format(time.DateTime) != "2027-04-01 13:00:00" {
		t.Errorf("in summer the pill is at %v, %v", next.UTC(), err)
	}
	w.fails(ana(), `zone: there is no time zone "Mars"`, "reminder", args{"id": once, "zone": "Mars"})
	w.fails(ben(), "there is no reminder 1", "reminder", args{"id": once, "zone": "Asia/Tokyo"})
	late := w.remind(ana(), "at 13:00 the train")
	w.fails(ana(), "change: that time is past", "reminder", args{"id": late, "zone": "Asia/Tokyo"})
}

// A zone is named where its clocks show another time: now, then, or at a later time of a rule.
func TestReminder_SameClocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.remind(ana(), "tomorrow at 8:00 the cake")
	w.remind(ana(), "every day at 9:00 the pill")
	for _, test := range []struct{ zone, once, daily string }{
		{"Europe/Paris", "", ""}, {"Africa/Lagos", "", " (Africa/Lagos)"}, {"Europe/Moscow", " (Europe/Moscow)", " (Europe/Moscow)"},
	} {
		for id := range int64(2) {
			w.must(ana(), "reminder", args{"id": id + 1, "zone": test.zone})
		}
		w.says(ana(), "⏰ #1 Thu 26 Nov 2026, 08:00"+test.once+": the cake", "reminder", args{"id": 1})
		w.says(ana(), "⏰ #2 every day, 09:00, from Thu 26 Nov 2026"+test.daily+": the pill", "reminder", args{"id": 2})
	}
}

// What cannot be a reminder is none, and the person reads why.
func TestRemind_Unclear(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		want string
		in   args
	}{
		{"When?", args{"text": "remind me to call Ana"}},
		{"Wann?", args{"text": "erinnere mich an Ana", "lang": "de"}},
		{"That time does not exist. When?", args{"text": "remind me at 25:00 to call Ana"}},
		{"That time is past. When?", args{"text": "remind me on 3 March 2020 to call Ana"}},
		{"text: says nothing to remind of", args{"text": "remind me tomorrow at 8:00"}},
		{"text: says nothing to remind of", args{"text": "\n\x1b\u202e ", "at": "tomorrow at 8:00"}},
		{"at: 2020-03-01 08:00 is past", args{"text": "x", "at": "2020-03-01T08:00:00+01:00"}},
		{"text: has 501 bytes, and a reminder has at most 500", args{"text": strings.Repeat("x", 501), "at": "tomorrow at 8:00"}},
		{"for: there is no Zoe here", args{"text": "x", "at": "tomorrow at 8:00", "for": "Zoe"}},
	} {
		w.fails(ana(), c.want, "remind", c.in)
	}
	if _, err := w.call(ana(), "remind", args{"text": "x", "repeat": "FREQ=SECONDLY"}); err == nil {
		t.Error("a reminder comes every second")
	}
	if all, err := w.store.Open(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("there are %v, %v", all, err)
	}
}

// A person sees what they asked for and what is for them; in a group all see what is of the group, and an owner in private all.
func TestReminders_WhoSeesWhat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.says(ana(), "There are no reminders to come. Make one: remind me tomorrow at 8 to call Ana", "reminders", nil)
	w.remind(ana(), "tomorrow at 8:00 the cake")
	w.remind(ben(), "tomorrow at 9:00 the drill")
	w.remind(person("7", group), "tomorrow at 10:00 the bins")
	const first, second, third = "- ⏰ #1 Thu 26 Nov 2026, 08:00: the cake", "- ⏰ #2 Thu 26 Nov 2026, 09:00: the drill", "- ⏰ #3 Thu 26 Nov 2026, 10:00: the bins"
	w.says(ana(), first+"\n- ⏰ #2 Thu 26 Nov 2026, 09:00 for Ben: the drill\n- ⏰ #3 Thu 26 Nov 2026, 10:00 for the group: the bins", "reminders", nil) // whose it is
	w.says(ben(), second, "reminders", nil)
	w.says(person("8", group), third, "reminders", nil)
	w.says(person("9", group), third, "reminders", nil)
	w.says(person("9", "telegram/9"), "Es stehen keine Erinnerungen an. Zum Beispiel: erinnere mich morgen um 8 an Ana", "reminders", args{"lang": "de"})
	w.says(person("9", "telegram/9"), "Напоминаний нет. Например: напомни завтра в 8 позвонить Ане", "reminders", args{"lang": "ru"})
	w.says(person("9", "telegram/9"), "没有提醒。例如：明天早上八点提醒我给安娜打电话", "reminders", args{"lang": "zh"})
	w.says(person("9", "telegram/9"), "There are no reminders to come. Make one: remind me tomorrow at 8 to call Ana", "reminders", nil)
	// In a group an owner is one of many.
	w.fails(person("7", group), "there is no reminder 2", "reminder", args{"id": 2})
	w.fails(ben(), "there is no reminder 1", "reminder", args{"id": 1, "change": "cancel"})
	w.fails(ben(), "there is no reminder 9", "reminder", args{"id": 9})
	w.says(person("8", group), "⏰ #3 Thu 26 Nov 2026, 11:00: the bins", "reminder", args{"id": 3, "change": "+1h"})
	w.says(ana(), "Cancelled: the drill", "reminder", args{"id": 2, "change": "cancel"})
}

// Who is only in a group that was let in asks for nothing that stays.
func TestRemind_Guests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(person("7", group), "tomorrow at 10:00 the bins")
	for _, chat := range []event.Chat{group, "telegram/9"} {
		w.fails(person("9", chat), "reminders are for people who were let in", "remind", args{"text": "tomorrow at 8:00 x"})
		w.fails(person("9", chat), "reminders are for people who were let in", "reminder", args{"id": id, "change": "cancel"})
	}
	w.is(id, event.ReminderOpen, "2026-11-26 10:00")
}

// A reminder that comes once is done, taken back, brought back and moved.
func TestReminder_Once(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(ana(), "today at 13:00 call Ana")
	change := func(to string) args { return args{"id": id, "change": to} }
	w.says(ana(), "⏰ #1 Wed 25 Nov 2026, 13:00: call Ana", "reminder", args{"id": id})
	w.says(ana(), "⏰ #1 Wed 25 Nov 2026, 13:00: call Ana", "reminder", args{})
	res := w.must(ana(), "reminder", change("cancel"))
	if want := []event.Choice{{Label: "Restore", Text: "/undo #2", Trusted: true}}; res.Text != "Cancelled: call Ana" || cmp.Diff(want, res.Choices) != "" {
		t.Errorf("%q with %v", res.Text, res.Choices)
	}
	w.fails(ana(), "reminder 1 is cancelled already", "reminder", change("cancel"))
	w.says(ana(), "Cancelled: call Ana", "reminder", args{"id": id})
	w.says(ana(), "⏰ #1 Wed 25 Nov 2026, 13:00: call Ana", "reminder", change("restore"))
	w.fails(ana(), "reminder 1 is still open", "reminder", change("restore"))
	w.says(ana(), "Done: call Ana", "reminder", change("Done!"))
	w.says(ana(), "Done: call Ana", "reminder", args{"id": id})
	w.says(ana(), "⏰ #1 Thu 26 Nov 2026, 09:00: call Ana", "reminder", change("tomorrow at 9:00"))
	w.says(ana(), "⏰ #1 Thu 26 Nov 2026, 19:00: call Ana", "reminder", change("make it 19:00"))
	w.says(ana(), "⏰ #1 Fri 27 Nov 2026, 19:00: call Ana", "reminder", change("Friday"))
	w.says(ana(), "⏰ #1 Fri 27 Nov 2026, 19:00: write to Ana", "reminder", args{"id": id, "text": "write to Ana"})
	w.fails(ana(), "change: that time is past", "reminder", change("2026-11-25T11:00:00+01:00"))
	w.fails(ana(), "When?", "reminder", change("blue"))
	w.is(id, event.ReminderOpen, "2026-11-27 19:00")

	w.must(ana(), "reminder", change("cancel"))
	w.now = w.now.AddDate(0, 0, 7)
	w.fails(ana(), "its time is past", "reminder", change("restore"))
	w.is(id, event.ReminderCancelled, "2026-11-27 19:00")

	_, err := w.store.Change(t.Context(), id, func(r *event.Reminder) error {
		r.State, r.Due, r.Planned = event.ReminderMissed, time.Time{}, time.Time{}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.says(ana(), "⏰ #1 Fri 27 Nov 2026, 19:00: write to Ana (missed)", "reminder", args{"id": id})
	w.says(ana(), "⏰ #1 Thu 3 Dec 2026, 09:00: write to Ana", "reminder", change("tomorrow at 9:00"))
}

// One that was told is snoozed, and done.
func TestReminder_Told(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(ana(), "today at 13:00 call Ana")
	w.now = w.at(13, 0)
	w.tell(id, time.Time{})
	w.says(ana(), "- ⏰ #1 Wed 25 Nov 2026, 13:00: call Ana (sent Wed 25 Nov 2026, 13:00, not done yet, delivered)", "reminders", nil)
	for state, want := range map[reminders.Delivery]string{
		reminders.NotDelivered: "due Wed 25 Nov 2026, 13:00, not delivered yet", reminders.Waits: "due Wed 25 Nov 2026, 13:00, waits until you open hob",
		reminders.Refused: "due Wed 25 Nov 2026, 13:00, Telegram refused it",
	} {
		w.delivered = state
		w.says(ana(), "- ⏰ #1 Wed 25 Nov 2026, 13:00: call Ana ("+want+")", "reminders", nil)
	}
	w.says(ana(), "⏰ #1 Wed 25 Nov 2026, 13:10: call Ana", "reminder", args{"id": id, "change": "in 10 minutes"})
	w.is(id, event.ReminderOpen, "2026-11-25 13:10")
	w.now = w.at(13, 10)
	w.tell(id, time.Time{})
	w.says(ana(), "⏰ #1 Thu 26 Nov 2026, 13:10: call Ana", "reminder", args{"id": id, "change": "tomorrow"})
	w.says(ana(), "Done: call Ana", "reminder", args{"id": id, "change": "done"})
	w.is(id, event.ReminderDone, "")
	w.says(ana(), "There are no reminders to come. Make one: remind me tomorrow at 8 to call Ana", "reminders", nil)

	// Of one that nobody answered for a day, the list is silent.
	id = w.remind(ana(), "today at 14:00 call Ana")
	w.now = w.at(14, 0)
	w.tell(id, time.Time{})
	w.now = w.now.Add(25 * time.Hour)
	w.says(ana(), "There are no reminders to come. Make one: remind me tomorrow at 8 to call Ana", "reminders", nil)
}

// What is put off from now by ten minutes or more is at a whole minute; a timer keeps its seconds.
func TestReminder_PutOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, timer := w.remind(ana(), "today at 13:00 call Ana"), w.remind(ana(), "timer 60 minutes pasta")
	w.now = w.at(13, 0).Add(7 * time.Second)
	for _, told := range []int64{id, timer} {
		w.tell(told, time.Time{})
	}
	w.says(ana(), "⏰ #1 Wed 25 Nov 2026, 14:00: call Ana", "reminder", args{"id": id, "change": "+1h"})
	w.must(ana(), "reminder", args{"id": timer, "change": "+1h"})
	if due := w.get(timer).Due.In(w.now.Location()).Format(time.TimeOnly); due != "14:00:07" {
		t.Errorf("the timer rings at %s", due)
	}
}

// A change to the time that it is at already is none, and stands in no list of changes.
func TestReminder_SameTime(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]struct{ same, other, says string }{
		"tomorrow at 9 call Ana":              {"make it 9", "make it 10", "It is at that time already. ⏰ #1 Thu 26 Nov 2026, 09:00: call Ana"},
		"every day at 9:00 call Ana":          {"make it 9", "make it 10", "It is at that time already. ⏰ #1 every day, 09:00, from Thu 26 Nov 2026: call Ana"},
		"morgen um 9:00 Uhr Ana anrufen":      {"mach 9 Uhr daraus", "mach 10 Uhr daraus", "Das ist schon die Zeit. ⏰ #1 Do. 26. November 2026, 09:00: Ana anrufen"},
		"напомни завтра в 9:00 позвонить":     {"перенеси на 9:00", "перенеси на 10:00", "Время уже такое. ⏰ #1 чт 26 ноября 2026, 09:00: позвонить"},
		"明天上午九点提醒我打电话":                        {"改到九点", "改到十点", "已经是这个时间了。 ⏰ #1 2026年11月26日周四 09:00: 打电话"},
		"every weekday at 9:00 call the bank": {"make it 9:00", "make it 9:30", "It is at that time already. ⏰ #1 on weekdays, 09:00, from Thu 26 Nov 2026: call the bank"},
	} {
		w := newWorld(t)
		w.remind(ana(), words)
		w.now = w.now.Add(time.Minute)
		before := w.get(1)
		res := w.must(ana(), "reminder", args{"id": 1, "change": want.same})
		if res.Text != want.says || len(res.Effects) != 0 || len(res.Choices) != 0 {
			t.Errorf("%s, %s: %q with %v, %v; want %q", words, want.same, res.Text, res.Effects, res.Choices, want.says)
		}
		if diff := cmp.Diff(before, w.get(1)); diff != "" {
			t.Errorf("%s, %s: it changed\n%s", words, want.same, diff)
		}
		if res := w.must(ana(), "reminder", args{"id": 1, "change": want.other}); len(res.Effects) != 1 || w.get(1).Due.Equal(before.Due) {
			t.Errorf("%s, %s: %q", words, want.other, res.Text)
		}
	}
}

// A year without 29 February is named where it was said, and the next year that has one is offered.
func TestRemind_LeapDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := ana()
	at.Platform = "cli"
	w.says(at, "⏰ #1 Sun 28 Feb 2027, 09:00: leap\n2027 has no 29 February, so it is on the 28th.\nDo you mean Tue 29 Feb 2028, 09:00? Then say: /reminder 1 2028-02-29 09:00",
		"remind", args{"text": "remind me on 29 feb to leap"})
	w.says(at, "⏰ #1 Tue 29 Feb 2028, 09:00: leap", "reminder", args{"id": 1, "change": "2028-02-29 09:00"})
	w.says(ana(), "⏰ #2 So. 28. Februar 2027, 09:00: springen\n2027 hat keinen 29. Februar, also ist es der 28.", "remind", args{"text": "erinnere mich am 29. Februar zu springen"})
	w.says(ana(), "⏰ #3 вс 28 февраля 2027, 09:00: прыгнуть\nВ 2027 году нет 29 февраля, поэтому это 28-е.", "remind", args{"text": "напомни 29 февраля прыгнуть"})
	w.says(ana(), "⏰ #4 2027年2月28日周日 09:00: 跳\n2027年没有2月29日，所以是28日。", "remind", args{"text": "2月29日提醒我跳"})
	w.says(ana(), "⏰ #5 Sun 28 Feb 2027, 09:00: jump\n2027 has no 29 February, so it is on the 28th.", "remind",
		args{"text": "jump", "at": "2027-02-28T09:00:00+01:00", "other": "2028-02-29T09:00:00+01:00", "lang": "en"})
	w.says(ana(), "⏰ #6 Sun 28 Feb 2027, 09:00: plain", "remind", args{"text": "on 28 feb plain"})
}

// A timer without words is named by its length where what is left of it does not say which it is.
func TestReminder_TimerWithoutWords(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]struct{ words, list, cancelled, done string }{
		"en": {"timer 4 minutes", "⏰ #1 Wed 25 Nov 2026, 12:04: timer of 4 min", "Cancelled: timer of 4 min", "Done: timer of 4 min"},
		"de": {"Timer 4 Minuten", "⏰ #1 Mi. 25. November 2026, 12:04: Timer über 4 Min.", "Gestrichen: Timer über 4 Min.", "Erledigt: Timer über 4 Min."},
		"ru": {"таймер на 4 минуты", "⏰ #1 ср 25 ноября 2026, 12:04: таймер на 4 мин", "Отменено: таймер на 4 мин", "Готово: таймер на 4 мин"},
		"zh": {"计时4分钟", "⏰ #1 2026年11月25日周三 12:04: 4分钟计时", "已取消: 4分钟计时", "完成: 4分钟计时"},
	} {
		w := newWorld(t)
		w.now = w.now.Add(7 * time.Second)
		id := w.remind(ana(), want.words)
		w.says(ana(), want.cancelled, "reminder", args{"id": id, "change": "cancel"})
		w.says(ana(), want.cancelled, "reminder", args{"id": id})
		w.must(ana(), "reminder", args{"id": id, "change": "restore"})
		w.now = w.now.Add(4 * time.Minute)
		w.tell(id, time.Time{})
		w.says(ana(), want.list, "reminder", args{"id": id})
		w.says(ana(), want.done, "reminder", args{"about": "4", "change": "done"})
		if title := reminders.Title(w.get(id)); !strings.HasSuffix(want.done, ": "+title) {
			t.Errorf("%s: the title is %q", lang, title)
		}
	}
	w := newWorld(t)
	w.says(ana(), "Cancelled: wake", "reminder", args{"id": w.remind(ana(), "timer 4 minutes wake"), "change": "cancel"})
}

// One that comes again keeps its rule when it is snoozed, and comes again when it is done.
func TestReminder_Repeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(ana(), "every day at 13:00 the pill")
	change := func(to string) args { return args{"id": id, "change": to} }
	w.says(ana(), "⏰ #1 every day, 14:00, from Wed 25 Nov 2026: the pill", "reminder", change("make it 14:00"))
	w.now = w.at(14, 0)
	w.tell(id, w.at(14, 0).AddDate(0, 0, 1))
	w.says(ana(), "⏰ #1 every day, 14:00, from Thu 26 Nov 2026 (again on Wed 25 Nov 2026, 14:10): the pill", "reminder", change("in 10 minutes"))
	w.says(ana(), "- ⏰ #1 every day, 14:00, from Thu 26 Nov 2026 (again on Wed 25 Nov 2026, 14:10): the pill (sent Wed 25 Nov 2026, 14:00, not done yet, delivered)",
		"reminders", nil)
	w.fails(ana(), "change: that time is past", "reminder", change("2026-11-25T11:00:00+01:00"))
	w.is(id, event.ReminderOpen, "2026-11-25 14:10")
	w.must(ana(), "reminder", change("+1h")) // from now: its next time is tomorrow's
	w.is(id, event.ReminderOpen, "2026-11-25 15:00")
	w.says(ana(), "Done. ⏰ #1 every day, 14:00, from Thu 26 Nov 2026: the pill", "reminder", change("done"))
	w.is(id, event.ReminderOpen, "2026-11-26 14:00")
	w.says(ana(), "Done. ⏰ #1 every day, 14:00, from Thu 26 Nov 2026: the pill", "reminder", change("done"))
	w.now = w.at(13, 0).AddDate(0, 0, 1)
	w.says(ana(), "Done. ⏰ #1 every day, 14:00, from Fri 27 Nov 2026: the pill", "reminder", change("done"))
	w.says(ana(), "⏰ #1 every Monday, 14:00, from Mon 30 Nov 2026: the pill", "reminder", change("every Monday at 14:00"))
	w.says(ana(), "Cancelled: the pill", "reminder", change("stop"))
	w.says(ana(), "⏰ #1 every Monday, 14:00, from Mon 30 Nov 2026: the pill", "reminder", change("restore"))

	// By the sun once, and on the days that were said.
	for words, want := range map[string][2]string{
		"at sunset water the roses": {"2026-11-26", ""}, "every Saturday at sunset call Ben": {"2026-11-28", "2026-12-05"}, "every day at sunset feed the cat": {"2026-11-26", "2026-11-27"},
	} {
		r := w.get(w.remind(ana(), words))
		next := ""
		if r.When.Repeats() {
			after, err := schedule.Next(r.When, r.Due, schedule.Place{Lat: 52.52, Lon: 13.4, Known: true})
			if err != nil {
				t.Fatal(err)
			}
			next = after.Format(time.DateOnly)
		}
		if got := [2]string{r.Due.Format(time.DateOnly), next}; got != want {
			t.Errorf("%q is told on %q, want %q", words, got, want)
		}
	}

	// By the sun, too: an hour later today is no other rule.
	id = w.remind(ana(), "every day at sunset close the shutters")
	w.must(ana(), "reminder", change("+1h"))
	if r := w.get(id); r.When.Sun != "sunset" {
		t.Errorf("the rule by the sun became %+v", r.When)
	}
}

// A new rule keeps the time of day, also of one that was told at another time.
func TestReminder_NewRule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(ana(), "tomorrow at 14:00 the pill")
	change := func(to string) args { return args{"id": id, "change": to} }
	w.says(ana(), "⏰ #1 every Monday, 14:00, from Mon 30 Nov 2026: the pill", "reminder", change("make it every Monday"))
	w.says(ana(), "⏰ #1 every week, 14:00, from Mon 30 Nov 2026: the pill", "reminder", change("every week"))
	w.now = w.at(14, 0).AddDate(0, 0, 5)
	w.tell(id, w.now.AddDate(0, 0, 7))
	w.now = w.at(18, 30)
	w.says(ana(), "⏰ #1 every Thursday, 14:00, from Thu 3 Dec 2026: the pill", "reminder", change("every Thursday instead"))
	w.now = w.at(14, 0).AddDate(0, 0, 3)
	w.tell(id, time.Time{})
	w.now = w.at(18, 30)
	w.says(ana(), "⏰ #1 every month, 14:00, from Mon 7 Dec 2026: the pill", "reminder", change("every month from Monday on"))
}

// A month without the day that was said is named, and the next that has one is offered.
func TestRemind_ShortMonth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := ana()
	at.Platform = "cli"
	w.says(at, "⏰ #1 Mon 30 Nov 2026, 09:00: pay\nThat month has no day 31, so it is on its last.\nDo you mean Thu 31 Dec 2026, 09:00? Then say: /reminder 1 2026-12-31 09:00",
		"remind", args{"text": "remind me on the 31st to pay"})
	w.says(ana(), "⏰ #2 Mo. 30. November 2026, 09:00: zahlen\nDieser Monat hat keinen 31., also ist es sein letzter Tag.", "remind", args{"text": "erinnere mich am 31. zu zahlen"})
	w.says(ana(), "⏰ #3 пн 30 ноября 2026, 09:00: заплатить\nВ этом месяце нет 31-го числа, поэтому это его последний день.", "remind", args{"text": "напомни 31-го заплатить"})
	w.says(ana(), "⏰ #4 2026年11月30日周一 09:00: 交房租\n这个月没有31号，所以是月底那天。", "remind", args{"text": "31号提醒我交房租"})
	w.says(ana(), "⏰ #5 Mon 30 Nov 2026, 09:00: pay", "remind", args{"text": "remind me on the 30th to pay"})
}

// Another day of a rule by the month or the year is its day from then on.
func TestReminder_AnotherDayOfTheMonth(t *testing.T) {
	t.Parallel()
	for words, want := range map[string][2]string{
		"every month on the 15th at 09:00":              {"on the 20th", "⏰ #1 every month on the 20th, 09:00, from Sun 20 Dec 2026: pay"},
		"every month on the 14th at 09:00":              {"on the 31st", "⏰ #1 every month on the 30th, 09:00, from Mon 30 Nov 2026: pay"},
		"every month on the last day at 09:00":          {"on the 20th", "⏰ #1 every month on the 20th, 09:00, from Sun 20 Dec 2026: pay"},
		"every year on 3 May at 09:00":                  {"on 4 June", "⏰ #1 every year on 4 Jun, 09:00, from Fri 4 Jun 2027: pay"},
		"every first Monday of the month at 09:00":      {"on Tuesday", "⏰ #1 every month on the first Tuesday, 09:00, from Tue 1 Dec 2026: pay"},
		"every last Friday of the month at 09:00":       {"on Thursday", "⏰ #1 every month on the last Thursday, 09:00, from Thu 26 Nov 2026: pay"},
		"every month on the 16th at 09:00":              {"at 10:00", "⏰ #1 every month on the 16th, 10:00, from Wed 16 Dec 2026: pay"},
		"every month on the last day of the month at 8": {"at 10:00", "⏰ #1 every month on the last day, 10:00, from Mon 30 Nov 2026: pay"},
	} {
		w := newWorld(t)
		id := w.remind(ana(), words+" pay")
		w.says(ana(), want[1], "reminder", args{"id": id, "change": want[0]})
	}
}

// What comes again after Done takes another length, another time to begin, or a rule in its place.
func TestReminder_AnotherLength(t *testing.T) {
	t.Parallel()
	for change, want := range map[string]string{
		"every! 4 hours":        "⏰ #1 4 hours after done, Wed 25 Nov 2026, 16:00: the drops",
		"at 18:00":              "⏰ #1 8 hours after done, Wed 25 Nov 2026, 18:00: the drops",
		"every Monday at 09:00": "⏰ #1 every Monday, 09:00, from Mon 30 Nov 2026: the drops",
	} {
		w := newWorld(t)
		w.says(ana(), "⏰ #1 8 hours after done, Wed 25 Nov 2026, 20:00: the drops", "remind", args{"text": "every! 8 hours the drops"})
		w.says(ana(), want, "reminder", args{"id": 1, "change": change})
	}
	w := newWorld(t)
	id := w.remind(ana(), "every day at 14:00 the drops")
	w.says(ana(), "⏰ #1 8 hours after done, Wed 25 Nov 2026, 20:00: the drops", "reminder", args{"id": id, "change": "every! 8 hours"})
	if r := w.get(id); r.When.Repeat != "" {
		t.Errorf("the old rule stays: %+v", r.When)
	}
	id = w.remind(ana(), "every day at 14:00 the drops")
	w.now = w.at(14, 0)
	w.tell(id, w.now.AddDate(0, 0, 1))
	w.says(ana(), "⏰ #2 8 hours after done, Wed 25 Nov 2026, 22:00: the drops", "reminder", args{"id": id, "change": "every! 8 hours"})
}

// The times that an imported rule leaves out, and those that it has besides, move with it.
func TestReminder_MoveLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(ana(), "every day at 14:00 the drops")
	_, err := w.store.Change(t.Context(), id, func(r *event.Reminder) error {
		r.When.Not, r.When.Also = []string{"2026-11-26T14:00:00"}, []string{"2026-11-27T20:00:00"}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.must(ana(), "reminder", args{"id": id, "change": "at 15:00"})
	got := w.get(id).When
	if diff := cmp.Diff([][]string{{"2026-11-26T15:00:00"}, {"2026-11-27T21:00:00"}}, [][]string{got.Not, got.Also}); diff != "" {
		t.Errorf("left out, and besides (-want +got):\n%s", diff)
	}
	w.must(ana(), "reminder", args{"id": id, "change": "every Monday"})
	if got := w.get(id).When; len(got.Not)+len(got.Also) > 0 {
		t.Errorf("a new rule has the times of the old one: %+v", got)
	}
}

// One that comes several times a day is confirmed with all of them. A change of its time is one of the time that comes next.
func TestReminder_SeveralTimes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(ana(), "every day at 8 and at 20 the pill")
	change := func(to string) args { return args{"id": id, "change": to} }
	w.says(ana(), "⏰ #1 every day, 08:00 and 20:00, from Wed 25 Nov 2026: the pill", "reminder", args{"id": id})
	w.is(id, event.ReminderOpen, "2026-11-25 20:00")
	w.says(ana(), "⏰ #1 every day, 08:00 and 21:30, from Wed 25 Nov 2026: the pill", "reminder", change("make it 21:30"))
	w.says(ana(), "⏰ #1 every day, 07:00, 13:00 and 19:00, from Wed 25 Nov 2026: the pill", "reminder", change("make it 7, 13 and 19"))
	w.is(id, event.ReminderOpen, "2026-11-25 13:00")
	w.now = w.at(13, 0)
	w.tell(id, w.at(19, 0))
	w.says(ana(), "⏰ #1 every day, 07:00, 13:00 and 19:00, from Wed 25 Nov 2026 (again on Wed 25 Nov 2026, 13:10): the pill", "reminder", change("in 10 minutes"))
	w.says(ana(), "Done. ⏰ #1 every day, 07:00, 13:00 and 19:00, from Wed 25 Nov 2026: the pill", "reminder", change("done"))
	w.is(id, event.ReminderOpen, "2026-11-25 19:00")

	once := w.remind(ana(), "tomorrow at 8 and at 18 feed the cat")
	w.says(ana(), "⏰ #2 every day, 08:00 and 18:00, from Thu 26 Nov 2026, 2 times: feed the cat", "reminder", args{"id": once})
}

// Words without a number are about the newest that was made or told in the chat within the hour; "done" about one that was told.
func TestReminder_Newest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	told := w.remind(ana(), "in 5 minutes the oven")
	w.now = w.at(12, 5)
	w.tell(told, time.Time{})
	w.now = w.at(12, 10)
	w.remind(ana(), "tomorrow at 8:00 the bins")
	w.remind(ben(), "tomorrow at 8:00 the drill")
	w.says(ana(), "⏰ #2 Thu 26 Nov 2026, 09:00: the bins", "reminder", args{"change": "make it 9:00"})
	w.says(ana(), "Done: the oven", "reminder", args{"change": "Done!"})
	w.fails(ana(), "it is not clear which reminder", "reminder", args{"change": "done"})
	w.says(ben(), "Cancelled: the drill", "reminder", args{"change": "cancel"})
	w.now = w.at(13, 11)
	w.fails(ana(), "it is not clear which reminder", "reminder", args{"change": "cancel"})
}

// A snooze is of what has rung a short while ago, and moves nothing that is still to come.
func TestReminder_Snooze(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	snooze := args{"only": "rung", "change": "in 10 minutes"}
	market := w.remind(ana(), "on Saturday at 11:00 the market")
	w.says(ana(), "nothing has rung a short while ago", "reminder", snooze)
	oven := w.remind(ana(), "in 5 minutes the oven")
	w.now = w.at(12, 5)
	w.tell(oven, time.Time{})
	w.remind(ana(), "tomorrow at 8:00 the bins")
	w.says(ana(), "⏰ #2 Wed 25 Nov 2026, 12:15: the oven", "reminder", snooze)
	w.says(ana(), "nothing has rung a short while ago", "reminder", snooze)
	w.now = w.at(12, 15)
	w.tell(oven, time.Time{})
	w.now = w.at(13, 30)
	w.says(ana(), "nothing has rung a short while ago", "reminder", snooze)
	w.is(market, event.ReminderOpen, "2026-11-28 11:00")
}

// A reminder is named by words of its text, where one alone has them.
func TestReminder_About(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.remind(ana(), "tomorrow at 8:00 call the dentist")
	w.remind(ana(), "tomorrow at 9:00 call Ben")
	w.remind(ben(), "tomorrow at 9:00 the dentist's bill")
	cancel := func(about string) args { return args{"about": about, "change": "cancel"} }
	w.fails(ben(), `there is no reminder of "call Ben"`, "reminder", cancel("call Ben"))
	w.fails(ana(), `there are 2 reminders of "dentist" (#1 Thu 26 Nov 2026, 08:00; #3 Thu 26 Nov 2026, 09:00)`, "reminder", cancel("dentist")) // an owner sees Ben's, too
	w.says(ana(), "Cancelled: call Ben", "reminder", cancel("ben"))
	w.says(ben(), "Cancelled: the dentist's bill", "reminder", cancel("Dentist"))
	for range 6 {
		w.remind(ben(), "tomorrow at 10:00 the rent")
	}
	w.fails(ben(), `there are 6 reminders of "rent" (#4 Thu 26 Nov 2026, 10:00; #5 Thu 26 Nov 2026, 10:00; #6 Thu 26 Nov 2026, 10:00; `+
		`#7 Thu 26 Nov 2026, 10:00; #8 Thu 26 Nov 2026, 10:00; and others, which reminders lists)`, "reminder", cancel("rent"))
}

// All that a person has asked for is cancelled at once, and nothing of others; in a group what they have asked for there.
func TestReminder_CancelAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mine, told := w.remind(ana(), "tomorrow at 8:00 the cake"), w.remind(ana(), "in 5 minutes the oven")
	w.now = w.at(12, 5)
	w.tell(told, time.Time{})
	inGroup, bens := w.remind(person("7", group), "tomorrow at 10:00 the bins"), w.remind(ben(), "tomorrow at 9:00 the drill")
	all := args{"change": "cancel all"}
	if res := w.must(person("7", group), "reminder", all); res.Text != "1 cancelled" || len(res.Effects) != 1 {
		t.Errorf("in the group: %q, %v", res.Text, res.Effects)
	}
	if res := w.must(ana(), "reminder", all); res.Text != "2 cancelled" || len(res.Effects) != 2 {
		t.Errorf("%q, %v", res.Text, res.Effects)
	}
	for _, id := range []int64{mine, told, inGroup} {
		if got := w.get(id).State; got != event.ReminderCancelled {
			t.Errorf("reminder %d is %s", id, got)
		}
	}
	w.is(bens, event.ReminderOpen, "2026-11-26 09:00")
	w.says(ana(), "There are no reminders to come. Make one: remind me tomorrow at 8 to call Ana", "reminder", all)
}

// All of a sort are that sort alone, and the question before it says how many of what.
func TestReminder_CancelAllOfASort(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	timers, all := args{"only": "timers", "change": "cancel all"}, args{"change": "cancel all"}
	w.says(ana(), "no timer is running", "reminder", timers)
	bank := w.remind(ana(), "on Saturday at 11:00 the bank")
	w.must(ana(), "remind", args{"text": "⏰", "at": "2026-11-26T07:00:00+01:00"})
	w.remind(ana(), "timer 20 minutes")
	w.remind(ana(), "timer 10 minutes")
	w.remind(ben(), "timer 5 minutes")
	changes := func(in args) string {
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(w.skill.Tools, func(t tools.Tool) bool { return t.Name() == "reminder" })
		b, err := tools.BindingOf(tools.WithCaller(t.Context(), ana()), w.skill.Tools[i], raw)
		if err != nil {
			t.Fatal(err)
		}
		return b.Changes
	}
	for want, in := range map[string]args{"2 timers": timers, "1 reminder, 1 alarm, 2 timers": all, "": {"id": bank, "change": "cancel"}, `#1 "the bank"`: {"only": "reminders", "change": "cancel"}} {
		if got := changes(in); got != want {
			t.Errorf("%v changes %q, want %q", in, got, want)
		}
	}
	w.says(ana(), "2 cancelled", "reminder", timers)
	w.says(ana(), "no timer is running", "reminder", timers)
	if got := changes(timers); got != "nothing" {
		t.Errorf("without timers it changes %q", got)
	}
	w.says(ana(), "1 cancelled", "reminder", args{"only": "alarms", "change": "cancel all"})
	w.is(bank, event.ReminderOpen, "2026-11-28 11:00")
}

// What was told to somebody else is no more about the chat in which it was asked for.
func TestReminder_NewestOfOthers(t *testing.T) {
	t.Parallel()
	now := newWorld(t).now
	all := []event.Reminder{{ID: 1, Chat: bens, AskedIn: home, Created: now.Add(-30 * time.Minute)}}
	if _, ok := reminders.Newest(all, home, now, "make it 7", ""); !ok {
		t.Error("one that was just asked for is not found")
	}
	all[0].Unseen, all[0].Last = 1, now.Add(-time.Minute)
	if r, ok := reminders.Newest(all, home, now, "in 10 minutes", ""); ok {
		t.Errorf("%v was told to Ben, and Ana moves it", r.ID)
	}
	if _, ok := reminders.Newest(all, bens, now, "in 10 minutes", ""); !ok {
		t.Error("Ben cannot move what he was told")
	}
}

// Words that say more than what is to become of a reminder are none.
func TestIsChange(t *testing.T) {
	t.Parallel()
	now := newWorld(t).now
	for text, want := range map[string]bool{
		"done": true, "Done!": true, "ok": true, "👍": true, "cancel": true, "in an hour": true, "at 7": true, "make it 7": true, "tomorrow": true,
		"erledigt": true, "in 20 Minuten": true, "готово": true, "через час": true, "完成了": true, "一小时后": true,
		"what is that about": false, "who asked for that?": false, "": false, "7": true,
		"thanks": false, "Thank you!": false, "danke": false, "Danke.": false, "спасибо": false, "谢谢！": false, // it may be for a snooze
	} {
		if got := reminders.IsChange(text, now); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// What somebody has typed in a group has their name with it, and no source beside it; what a model has read there has its source.
func TestLabelsInAGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ben := person("8", group)
	ben.Label = event.Label{Untrusted: true, Source: "telegram group Home"}
	for i, want := range []event.Label{{Untrusted: true}, ben.Label} {
		ben.Typed = i == 0
		if got := w.get(w.remind(ben, "tomorrow at 10:00 the bins")).Label; got != want {
			t.Errorf("%d: the label is %+v, want %+v", i, got, want)
		}
	}
	w.says(ben, "- ⏰ #1 Thu 26 Nov 2026, 10:00: the bins\n- ⏰ #2 Thu 26 Nov 2026, 10:00: the bins (a stranger's words, from telegram group Home)", "reminders", nil)
}

// A stranger's words keep their label, in a reminder that is made of them and in one whose text becomes them.
func TestLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	reader := ana()
	reader.Label = event.Label{Untrusted: true, Private: true, Source: "web:example.org"}
	want := event.Label{Untrusted: true, Source: "web:example.org"}
	made := w.must(reader, "remind", args{"text": "buy gift cards", "at": "tomorrow at 8:00"})
	mine := w.remind(ana(), "tomorrow at 9:00 the bins")
	changed := w.must(reader, "reminder", args{"id": mine, "text": "buy more gift cards"})
	moved := w.remind(ana(), "tomorrow at 10:00 the drill")
	w.must(reader, "reminder", args{"id": moved, "change": "+1h"})
	for id, label := range map[int64]event.Label{1: want, mine: want, moved: {}} {
		if got := w.get(id).Label; got != label {
			t.Errorf("reminder %d has the label %+v, want %+v", id, got, label)
		}
	}
	list := w.must(ana(), "reminders", nil)
	for _, got := range []event.Label{made.Label, changed.Label, list.Label} {
		if got.Private = false; got != want { // the tools say that themselves
			t.Errorf("the result has the label %+v, want %+v", got, want)
		}
	}
	for _, line := range strings.Split(list.Text, "\n") {
		if strings.Contains(line, "gift") != strings.Contains(line, "a stranger's words, from web:example.org") {
			t.Errorf("the list says %q", line)
		}
	}
}

// However hostile a text is, it is one line, and can be told.
func TestHostileText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for text, want := range map[string]string{
		"a\nb\r\n\r\n c": "a / b / c",
		"x\n- ⏰ #9 every day, 03:00: wake them":   "x / - ⏰ #9 every day, 03:00: wake them",
		"a\x00b\x1b[31mc\u202e":                   "ab[31mc",
		"*bold* [link](http://a.example) `x` <b>": "*bold* [link](http://a.example) `x` <b>",
		"\xff\xfe":        "\ufffd\ufffd",
		"👨\u200d👩\u200d👧": "👨\u200d👩\u200d👧",
	} {
		made := w.must(ana(), "remind", args{"text": text, "at": "tomorrow at 8:00"}).Data.(reminders.Reminder)
		if made.Text != want {
			t.Errorf("%q is kept as %q, want %q", text, made.Text, want)
		}
		w.must(ana(), "reminder", args{"id": made.ID, "text": "plain"})
		if got := w.must(ana(), "reminder", args{"id": made.ID, "text": text}).Data.(reminders.Reminder).Text; got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	w.fails(ana(), "text: says nothing to remind of", "reminder", args{"id": 1, "text": " \n\x00"})
	w.fails(ana(), "text: has 10000 bytes, and a reminder has at most 500", "reminder", args{"id": 1, "text": strings.Repeat("x", 10_000)})
	res := w.must(person("7", group), "remind", args{"text": "x", "at": "tomorrow at 8:00", "for": "@Ben\n\x1b[2J"})
	if want := "for Ben / [2J"; !strings.Contains(res.Text, want) {
		t.Errorf("%q, want %q in it", res.Text, want)
	}
}

// One person has at most 500 reminders to come, and a list shows 50 of them.
func TestLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 500 {
		w.must(ben(), "remind", args{"text": "x", "at": "tomorrow at 8:00"})
	}
	w.fails(ben(), "there are 500 reminders still to come, and that is the most", "remind", args{"text": "x", "at": "tomorrow at 8:00"})
	w.remind(ana(), "tomorrow at 9:00 mine")
	res := w.must(ben(), "reminders", nil)
	if n := strings.Count(res.Text, "⏰"); n != 50 || !strings.HasSuffix(res.Text, "\nand 450 more") {
		t.Errorf("the list shows %d: %q", n, res.Text[len(res.Text)-100:])
	}
	if all := res.Data.(map[string]any)["reminders"].([]reminders.Reminder); len(all) != 500 {
		t.Errorf("a program reads %d", len(all))
	}
	// Who has too many brings none back.
	w.must(ben(), "reminder", args{"id": 1, "change": "cancel"})
	w.must(ben(), "remind", args{"text": "x", "at": "tomorrow at 8:00"})
	w.fails(ben(), "there are 500 reminders still to come, and that is the most", "reminder", args{"id": 1, "change": "restore"})
	// One that was told and has no time to come is none of them.
	w.now = w.now.AddDate(0, 0, 1)
	w.tell(3, time.Time{})
	w.must(ben(), "reminder", args{"id": w.idOf(w.must(ben(), "remind", args{"text": "x", "at": "tomorrow at 8:00"})), "change": "cancel"})
	w.must(ben(), "reminder", args{"id": 3, "change": "tomorrow at 8:00"})
}

// What becomes of times at which hob did not run is kept as it was said, by words or as an argument, and changed by a word.
func TestRemind_Missed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	is := func(id int64, want event.MissedRule) {
		t.Helper()
		if got := w.get(id).When.Missed; got != want {
			t.Errorf("reminder %d has the rule %q for missed times, want %q", id, got, want)
		}
	}
	w.says(ana(), "⏰ #1 every day, 08:00, from Thu 26 Nov 2026, not if late: stretch", "remind", args{"text": "every day at 8:00 stretch, skip it if missed"})
	is(1, event.MissedSkip)
	w.says(ana(), "⏰ #2 every day, 08:00, from Thu 26 Nov 2026, also if late: the scales", "remind", args{"text": "every day at 8:00 the scales", "missed": "late"})
	is(2, event.MissedAll)
	w.says(ana(), "⏰ #3 every day, 08:00, from Thu 26 Nov 2026: the pill", "remind", args{"text": "every day at 8:00 the pill, even if late", "missed": "once"})
	is(3, event.MissedOnce)
	w.says(ana(), "⏰ #3 every day, 08:00, from Thu 26 Nov 2026, not if late: the pill", "reminder", args{"id": 3, "missed": "skip"})
	is(3, event.MissedSkip)
	w.says(ana(), "⏰ #3 every day, 09:00, from Thu 26 Nov 2026, not if late: the pill", "reminder", args{"id": 3, "change": "make it 9:00"})
	is(3, event.MissedSkip)
	w.says(ana(), "⏰ #3 every day, 09:00, from Thu 26 Nov 2026: the pill", "reminder", args{"id": 3, "missed": "once"})
	is(3, event.MissedOnce)
}

// Two things with a time each are two reminders: one answer confirms both, and each has an undo of its own. None is made where one of
// them cannot be.
func TestRemind_Two(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	res := w.must(ana(), "remind", args{"text": "in 20 minutes check the oven and tomorrow at 6 turn it off"})
	if want := "⏰ #1 Wed 25 Nov 2026, 12:20: check the oven\n⏰ #2 Thu 26 Nov 2026, 06:00: turn it off"; res.Text != want {
		t.Errorf("%q, want %q", res.Text, want)
	}
	choices := []event.Choice{
		{Label: "Undo #1", Text: "/undo #1", Trusted: true},
		{Label: "+1 h #1", Text: "/reminder 1 +1h", Beside: true, Trusted: true},
		{Label: "Done #1", Text: "/reminder 1 done", Beside: true, Trusted: true},
		{Label: "18:00 #2", Text: "/reminder 2 2026-11-26T18:00:00+01:00", Trusted: true},
		{Label: "Undo #2", Text: "/undo #2", Beside: true, Trusted: true},
		{Label: "+1 h #2", Text: "/reminder 2 +1h", Beside: true, Trusted: true},
		{Label: "Done #2", Text: "/reminder 2 done", Beside: true, Trusted: true},
	}
	if diff := cmp.Diff(choices, res.Choices); diff != "" {
		t.Errorf("buttons (-want +got):\n%s", diff)
	}
	effects := []event.Effect{{Kind: "reminder", Target: "1", Detail: "set", Change: 1}, {Kind: "reminder", Target: "2", Detail: "set", Change: 2}}
	if diff := cmp.Diff(effects, res.Effects); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	want := reminders.Reminder{
		ID: 1, Due: "2026-11-25T12:20:00+01:00", Zone: "Europe/Berlin", Text: "check the oven", State: "open",
		Also: []reminders.Reminder{{ID: 2, Due: "2026-11-26T06:00:00+01:00", Zone: "Europe/Berlin", Text: "turn it off", State: "open"}},
	}
	if diff := cmp.Diff(want, res.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	w.says(ana(), "⏰ #3 10 min left, until 12:10:00: pasta\n⏰ #4 12 min left, until 12:12:00: eggs", "remind", args{
		"text": "pasta", "at": "2026-11-25T12:10:00+01:00", "timer": true, "also": []args{{"text": "eggs", "at": "2026-11-25T12:12:00+01:00", "timer": true}},
	})
	w.says(ana(), "⏰ #5 Wed 25 Nov 2026, 13:00 for Ben: the drill\n⏰ #6 Wed 25 Nov 2026, 14:00 for Ben: the saw\nI ask Ben first.", "remind",
		args{"text": "in an hour the drill and in two hours the saw", "for": "Ben"})
	if len(w.told) != 1 || w.told[0].chat != bens || !strings.Contains(w.told[0].Text, "13:00: the drill\nWed 25 Nov 2026, 14:00: the saw\n") {
		t.Errorf("Ben is asked %v, want one question about both", w.told)
	}
	w.fails(ana(), "These are two times. Is it two reminders? Then say one after the other.", "remind", args{"text": "on Friday call Ana and tell her to come on Monday"})
	w.fails(ana(), "text: says nothing to remind of", "remind", args{"text": "the tea", "at": "tomorrow at 8:00", "also": []args{{"text": " ", "at": "tomorrow at 9:00"}}})
	w.fails(ana(), "at: 2020-03-01 08:00 is past", "remind", args{"text": "the tea", "at": "tomorrow at 8:00", "also": []args{{"text": "x", "at": "2020-03-01T08:00:00+01:00"}}})
	if all, err := w.store.Open(t.Context()); err != nil || len(all) != 6 {
		t.Errorf("there are %d reminders, %v", len(all), err)
	}
}

// Another day of a weekly rule is a day of the rule from then on; the hour, and the other days, stay.
func TestReminder_AnotherDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.says(ana(), "⏰ #1 every Monday, 19:00, from Mon 30 Nov 2026: the bins", "remind", args{"text": "every Monday at 19:00 the bins"})
	w.says(ana(), "⏰ #1 every Tuesday, 19:00, from Tue 1 Dec 2026: the bins", "reminder", args{"id": 1, "change": "make it Tuesday"})
	w.says(ana(), "⏰ #1 every Tuesday, 20:00, from Tue 1 Dec 2026: the bins", "reminder", args{"id": 1, "change": "make it 20:00"})
	w.says(ana(), "⏰ #2 every Monday and Thursday, 19:00, from Thu 26 Nov 2026: the gym", "remind", args{"text": "every Monday and Thursday at 19:00 the gym"})
	w.says(ana(), "⏰ #2 every Monday and Friday, 18:00, from Fri 27 Nov 2026: the gym", "reminder", args{"id": 2, "change": "Friday at 18:00"})
}

// The other hour of a rule keeps its days, also where it comes first on another of them, as a line and as a button.
func TestReminder_OtherHourKeepsDays(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]struct{ line, after string }{
		"every weekday at 6:30 get up":          {"2026-11-25 18:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"},
		"Mondays and Wednesdays at 7 swim":      {"2026-11-25 19:00", "FREQ=WEEKLY;BYDAY=MO,WE"},
		"jeden Mittwoch und Freitag um 7 baden": {"2026-11-25 19:00", "FREQ=WEEKLY;BYDAY=WE,FR"},
		"каждую среду и пятницу в 7 бассейн":    {"2026-11-25 19:00", "FREQ=WEEKLY;BYDAY=WE,FR"},
		"每周三和周五七点游泳":                            {"2026-11-25 19:00", "FREQ=WEEKLY;BYDAY=WE,FR"},
	} {
		w := newWorld(t)
		at := ana()
		at.Platform = "cli"
		res := w.must(at, "remind", args{"text": words})
		_, line, _ := strings.Cut(res.Text, "/reminder 1 ")
		if line != want.line {
			t.Errorf("%q offers the line %q, want %q", words, line, want.line)
		}
		button, before := strings.TrimPrefix(res.Choices[0].Text, "/reminder 1 "), w.get(1)
		for _, change := range []string{line, button} {
			w.must(at, "reminder", args{"id": 1, "change": change})
			if got := w.get(1); got.When.Repeat != want.after || got.Due.In(w.now.Location()).Format("2006-01-02 15:04") != want.line {
				t.Errorf("%q and then %q is %+v, due %s", words, change, got.When, got.Due)
			}
			_, err := w.store.Change(t.Context(), 1, func(r *event.Reminder) error {
				r.When, r.Due, r.Planned = before.When, before.Due, before.Planned
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
