package when_test

import (
	"testing"

	"hob/internal/when"
)

// TestAdjust changes a time that was Wednesday, 25 November 2026, 18:00.
func TestAdjust(t *testing.T) {
	now := parseNow(t, "2026-11-24 10:20 Europe/Berlin")
	at := parseNow(t, "2026-11-25 18:00 Europe/Berlin")
	for _, test := range []struct{ text, want string }{
		{"make it 7", "Wed 2026-11-25 19:00 [07:00]"},
		{"make it 7 am", "Wed 2026-11-25 07:00"},
		{"at 20:30", "Wed 2026-11-25 20:30"},
		{"no, half past eight", "Wed 2026-11-25 20:30 [08:30]"},
		{"make it 9 in the morning", "Wed 2026-11-25 09:00"},
		{"an hour later", "Wed 2026-11-25 19:00"},
		{"30 minutes earlier", "Wed 2026-11-25 17:30"},
		{"half an hour earlier please", "Wed 2026-11-25 17:30"},
		{"push it by 2 hours", "Wed 2026-11-25 20:00"},
		{"move it back an hour", "Wed 2026-11-25 19:00"},
		{"a day later", "Thu 2026-11-26 18:00"},
		{"one week later", "Wed 2026-12-02 18:00"},
		{"tomorrow instead", "Wed 2026-11-25 18:00"},
		{"on Friday instead", "Fri 2026-11-27 18:00"},
		{"move it to Friday at 9", "Fri 2026-11-27 09:00 [21:00]"},
		{"not today, on Saturday", "Sat 2026-11-28 18:00"},
		{"3 December", "Thu 2026-12-03 18:00"},
		{"tomorrow morning", "Wed 2026-11-25 09:00"},
		{"in 10 minutes", "Tue 2026-11-24 10:30"},
		{"snooze 10 minutes", "Wed 2026-11-25 18:10"},
		{"every day at 8pm", "Tue 2026-11-24 20:00 FREQ=DAILY"},
		{"make it every Monday", "Mon 2026-11-30 18:00 FREQ=WEEKLY;BYDAY=MO"},
		{"every day instead", "Tue 2026-11-24 18:00 FREQ=DAILY"},
		{"make it every week", "Wed 2026-11-25 18:00 FREQ=WEEKLY"},
		{"make it every month", "Wed 2026-11-25 18:00 FREQ=MONTHLY"},
		{"make it every year", "Wed 2026-11-25 18:00 FREQ=YEARLY"},
		{"make it every Monday morning", "Mon 2026-11-30 09:00 FREQ=WEEKLY;BYDAY=MO"},
		{"make it every 2 hours", "Tue 2026-11-24 12:20 FREQ=HOURLY;INTERVAL=2"},
		{"jeden Montag stattdessen", "Mon 2026-11-30 18:00 FREQ=WEEKLY;BYDAY=MO"},
		{"лучше каждый понедельник", "Mon 2026-11-30 18:00 FREQ=WEEKLY;BYDAY=MO"},
		{"改成每周一", "Mon 2026-11-30 18:00 FREQ=WEEKLY;BYDAY=MO"},
		{"10 minutes", "Tue 2026-11-24 10:30"},
		{"two and a half hours", "Tue 2026-11-24 12:50"}, // no two o'clock
		{"zehn Minuten", "Tue 2026-11-24 10:30"},
		{"полчаса", "Tue 2026-11-24 10:50"},
		{"十分钟", "Tue 2026-11-24 10:30"},
		{"make it 8 and 20", "Wed 2026-11-25 08:00 FREQ=DAILY;COUNT=2;BYHOUR=8,20;BYMINUTE=0"},
		{"make it 25", "the time is impossible"},
		{"make it blue", "no time was said"},
		{"two days earlier", "the time is past"},
		{"auf 7 verschieben", "Wed 2026-11-25 19:00 [07:00]"},
		{"verschiebe es auf 20 Uhr", "Wed 2026-11-25 20:00"},
		{"eine Stunde später", "Wed 2026-11-25 19:00"},
		{"um eine Stunde nach hinten", "Wed 2026-11-25 19:00"},
		{"eine halbe Stunde früher", "Wed 2026-11-25 17:30"},
		{"doch lieber Freitag", "Fri 2026-11-27 18:00"},
		{"mach halb acht daraus", "Wed 2026-11-25 19:30 [07:30]"},
		{"lieber morgen Mittag", "Wed 2026-11-25 12:00"},
		{"на час позже", "Wed 2026-11-25 19:00"},
		{"перенеси на 7", "Wed 2026-11-25 19:00 [07:00]"},
		{"перенеси на пятницу", "Fri 2026-11-27 18:00"},
		{"на полчаса раньше", "Wed 2026-11-25 17:30"},
		{"лучше в восемь", "Wed 2026-11-25 20:00 [08:00]"},
		{"давай в семь утра", "Wed 2026-11-25 07:00"},
		{"отложи на 10 минут", "Wed 2026-11-25 18:10"},
		{"改到七点", "Wed 2026-11-25 19:00 [07:00]"},
		{"改到周五", "Fri 2026-11-27 18:00"},
		{"推迟一小时", "Wed 2026-11-25 19:00"},
		{"提前半小时", "Wed 2026-11-25 17:30"},
		{"晚一个小时", "Wed 2026-11-25 19:00"},
		{"改成早上八点", "Wed 2026-11-25 08:00"},
		{"move the piano to Friday", "Fri 2026-11-27 18:00 \"the piano\""},
		{"no, make it 7", "Wed 2026-11-25 19:00 [07:00]"},
		{"nein, lieber um 7", "Wed 2026-11-25 19:00 [07:00]"},
		{"нет, давай в 7", "Wed 2026-11-25 19:00 [07:00]"},
		{"不，改成七点", "Wed 2026-11-25 19:00 [07:00]"},
		{"snooze 10 more minutes", "Wed 2026-11-25 18:10"},
		{"noch 10 Minuten", "Wed 2026-11-25 18:10"},
		{"in 10 Minuten nochmal", "Tue 2026-11-24 10:30"},
		{"ещё раз через 10 минут", "Tue 2026-11-24 10:30"},
		{"отложить на час", "Wed 2026-11-25 19:00"},
		{"отложи на час", "Wed 2026-11-25 19:00"},
		{"再等十分钟", "Wed 2026-11-25 18:10"},
		{"not 6 but 7", "Wed 2026-11-25 19:00 [07:00]"},
		{"again in 10 minutes", "Tue 2026-11-24 10:30"},
		{"between 2 and 4", "Wed 2026-11-25 14:00 [02:00]"},
		{"call Ana an hour later", "Wed 2026-11-25 19:00 \"call Ana\""},
	} {
		if got := summary(when.Adjust(test.text, "", when.Reading{Start: at}, now)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

// TestAdjustRule: several times of a day go into the rule that is changed, and one of several is changed alone.
func TestAdjustRule(t *testing.T) {
	now := parseNow(t, "2026-11-24 10:20 Europe/Berlin")
	old := when.Reading{Start: parseNow(t, "2026-11-26 18:00 Europe/Berlin"), Repeat: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"}
	got, err := when.Adjust("make it 7 and 19", "en", old, now)
	const twice = "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;BYHOUR=7,19;BYMINUTE=0"
	if want := "Thu 2026-11-26 07:00 " + twice; summary(got, err) != want {
		t.Errorf("got %s, want %s", summary(got, err), want)
	}
	for _, test := range []struct{ text, rule, sun, want string }{ // a new rule keeps all times of the day, and the sun
		{"on weekdays", "FREQ=DAILY;BYHOUR=18,20;BYMINUTE=0", "", "Tue 2026-11-24 18:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=18,20;BYMINUTE=0"},
		{"every Monday at 9", "FREQ=DAILY;BYHOUR=18,20;BYMINUTE=0", "", "Mon 2026-11-30 09:00 FREQ=WEEKLY;BYDAY=MO [21:00]"},
		{"every Monday", "FREQ=DAILY", "sunset-30m", "Mon 2026-11-30 FREQ=WEEKLY;BYDAY=MO sunset-30m"},
		{"every week", "FREQ=DAILY", "sunset", "Thu 2026-11-26 FREQ=WEEKLY sunset"},
		{"every Monday at 9", "FREQ=DAILY", "sunset", "Mon 2026-11-30 09:00 FREQ=WEEKLY;BYDAY=MO [21:00]"},
	} {
		old := when.Reading{Start: old.Start, Repeat: test.rule, Sun: test.sun}
		if got := summary(when.Adjust(test.text, "en", old, now)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
	}
	for _, test := range []struct{ rule, from, to, want string }{
		{twice, "07:00", "08:30", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;BYHOUR=8,19;BYMINUTE=0,30;BYSETPOS=2,3"},
		{"FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=8,19;BYMINUTE=0,30;BYSETPOS=2,3,6,7", "08:30", "20:00", "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=19,20;BYMINUTE=0"},
		{twice, "07:00", "19:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"},
		{"FREQ=DAILY", "07:00", "19:00", "FREQ=DAILY"},
		{"FREQ=DAILY;BYEASTER=1", "07:00", "19:00", "FREQ=DAILY;BYEASTER=1"},
	} {
		from, to := parseNow(t, "2026-11-26 "+test.from+" UTC"), parseNow(t, "2026-11-26 "+test.to+" UTC")
		if got := when.Retime(test.rule, from, to); got != test.want {
			t.Errorf("%s, %s to %s: got %s, want %s", test.rule, test.from, test.to, got, test.want)
		}
	}
}

// TestAdjustKeepsTheZone: the time that is changed may be in another zone than the person.
func TestAdjustKeepsTheZone(t *testing.T) {
	now := parseNow(t, "2026-11-24 10:20 Europe/Berlin")
	at := parseNow(t, "2026-11-25 12:00 America/New_York") // 18:00 in Berlin
	if got := summary(when.Adjust("make it 7", "en", when.Reading{Start: at}, now)); got != "Wed 2026-11-25 19:00 [07:00]" {
		t.Error(got)
	}
}

// TestAdjustKeepsEnd: a new rule ends where the old one did, unless it says its own end.
func TestAdjustKeepsEnd(t *testing.T) {
	now := parseNow(t, "2026-11-24 10:20 Europe/Berlin")
	for _, test := range []struct{ old, change, want string }{
		{"every Tuesday until Christmas at 17:00", "no, every Wednesday", "Wed 2026-11-25 17:00 FREQ=WEEKLY;UNTIL=20261225T225959Z;BYDAY=WE"},
		{"every Tuesday until Christmas at 17:00", "no, every Wednesday until 9 December", "Wed 2026-11-25 17:00 FREQ=WEEKLY;UNTIL=20261209T225959Z;BYDAY=WE"},
		{"jeden Dienstag bis Weihnachten um 17 Uhr", "nein, jeden Mittwoch", "Wed 2026-11-25 17:00 FREQ=WEEKLY;UNTIL=20261225T225959Z;BYDAY=WE"},
		{"каждый вторник до 25 декабря в 17:00", "нет, каждую среду", "Wed 2026-11-25 17:00 FREQ=WEEKLY;UNTIL=20261225T225959Z;BYDAY=WE"},
		{"每周二17点到12月25日为止", "不，改成每周三", "Wed 2026-11-25 17:00 FREQ=WEEKLY;UNTIL=20261225T225959Z;BYDAY=WE"},
		{"every day at 20:00 for a week", "no, every day at 21:00", "Tue 2026-11-24 21:00 FREQ=DAILY;COUNT=7"},
		{"every day at 20:00 for a week", "no, every other day", "Tue 2026-11-24 20:00 FREQ=DAILY;UNTIL=20261130T225959Z;INTERVAL=2"},
		{"every 30 minutes until 18:00", "make it every 20 minutes", "Tue 2026-11-24 10:40 FREQ=MINUTELY;UNTIL=20261124T170000Z;INTERVAL=20"},
		{"Monday and Thursday at 19:00", "make it every Monday", "Mon 2026-11-30 19:00 FREQ=WEEKLY;BYDAY=MO"},
	} {
		old, err := when.Read(test.old, "", now)
		if err != nil {
			t.Fatal(test.old, err)
		}
		if got := summary(when.Adjust(test.change, old.Lang, old, now)); got != test.want {
			t.Errorf("%s, %s\n got %s\nwant %s", test.old, test.change, got, test.want)
		}
	}
}
