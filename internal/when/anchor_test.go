package when_test

import (
	"slices"
	"testing"
	"time"

	"hob/internal/when"
)

func TestReadAnchor(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 11, 25, 19, 0, 0, 0, berlin)
	end := start.Add(90 * time.Minute)
	for _, c := range []struct{ text, event, at string }{
		{"half an hour before the parents' evening", "parents' evening", "25 18:30"},
		{"30 minutes before the parents' evening starts", "parents' evening", "25 18:30"},
		{"an hour and a half before my dentist appointment", "my dentist appointment", "25 17:30"},
		{"ten minutes after choir", "choir", "25 20:40"},
		{"two hours ahead of the Christmas party", "Christmas party", "25 17:00"},
		{"the day before Mum's birthday", "Mum's birthday", "24 19:00"},
		{"a week before the exam", "exam", "18 19:00"},
		{"15 minutes before the start of the match", "match", "25 18:45"},
		{"eine halbe Stunde vor dem Elternabend", "Elternabend", "25 18:30"},
		{"eine Stunde bevor der Elternabend anfängt", "Elternabend", "25 18:00"},
		{"30 Minuten nach der Probe", "Probe", "25 21:00"},
		{"am Tag vor Mamas Geburtstag", "Mamas Geburtstag", "24 19:00"},
		{"zwei Tage vor der Prüfung", "Prüfung", "23 19:00"},
		{"за 30 минут до родительского собрания", "родительского собрания", "25 18:30"},
		{"за полчаса до визита к стоматологу", "визита к стоматологу", "25 18:30"},
		{"за час до начала собрания", "собрания", "25 18:00"},
		{"за день до дня рождения мамы", "дня рождения мамы", "24 19:00"},
		{"через час после тренировки", "тренировки", "25 21:30"},
		{"牙医预约前一小时", "牙医预约", "25 18:00"},
		{"家长会开始前半小时", "家长会", "25 18:30"},
		{"在妈妈生日前一天", "妈妈生日", "24 19:00"},
		{"家长会提前半小时", "家长会", "25 18:30"},
		{"家长会结束后十分钟", "家长会结束", "25 20:40"},
		{"when the parents' evening starts", "parents' evening", "25 19:00"},
		{"as soon as choir is over", "choir", "25 20:30"},
		{"at the start of the match", "match", "25 19:00"},
		{"wenn der Elternabend anfängt", "Elternabend", "25 19:00"},
		{"zu Beginn des Elternabends", "Elternabends", "25 19:00"},
		{"sobald die Probe vorbei ist", "Probe", "25 20:30"},
		{"когда начнётся собрание", "собрание", "25 19:00"},
		{"когда тренировка закончится", "тренировка", "25 20:30"},
		{"家长会开始时", "家长会", "25 19:00"},
		{"会议结束的时候", "会议", "25 20:30"},
	} {
		a, ok := when.ReadAnchor(c.text, "")
		if !ok {
			t.Errorf("%s is none", c.text)
			continue
		}
		if at, _ := a.At(start, end, false); a.Event != c.event || at.Format("2 15:04") != c.at {
			t.Errorf("%s: of %q, %s", c.text, a.Event, at.Format("2 15:04"))
		}
		if again, ok := when.ReadAnchor(a.WithEvent("XYZ"), a.Lang); !ok || again.Event != "XYZ" {
			t.Errorf("%s: %q reads %q", c.text, a.WithEvent("XYZ"), again.Event)
		}
	}
}

// What Read reads itself, and what is no time, is none.
func TestReadAnchor_None(t *testing.T) {
	for _, text := range []string{
		"", "before", "five minutes before", "before the meeting", "an hour", "the dentist", "half an hour before midnight", "10 minutes before sunset",
		"ten minutes before the meeting at 3", "two days before Christmas", "an hour before 4pm", "an hour before every lesson", "leave an hour before the dentist",
		"zehn Minuten vor Mitternacht", "eine Stunde vor Sonnenuntergang", "eine Stunde vor jedem Training", "eine Stunde vor 18 Uhr",
		"за час до полуночи", "за полчаса до заката", "за час до каждой тренировки", "до собрания",
		"when Ana comes", "when it starts at 3", "at the end of the month", "am Ende der Woche", "в конце месяца", "开始时", "日落前30分钟", "三点前十分钟", "每次开会前十分钟", "会议前",
	} {
		if a, ok := when.ReadAnchor(text, ""); ok {
			t.Errorf("%s is of %q", text, a.Event)
		}
	}
}

func TestAnchor_Shorter(t *testing.T) {
	a, ok := when.ReadAnchor("an hour before the flight to Rome to pack", "en")
	if !ok {
		t.Fatal("it is none")
	}
	var got []string
	for short, rest := range a.Shorter() {
		got = append(got, short.Event+"|"+rest+"|"+short.WithEvent("X"))
	}
	want := []string{"flight to Rome to|pack|an hour before the X", "flight to Rome|pack|an hour before the X", "flight to|Rome to pack|an hour before the X", "flight|Rome to pack|an hour before the X"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAnchor_At(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		t.Helper()
		at, err := time.ParseInLocation("2006-01-02 15:04", text, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, c := range []struct{ name, words, start, end, want string }{
		{"a day over the change to summer time keeps the hour", "a day before the flight", "2027-03-28 12:00", "2027-03-28 14:00", "2027-03-27 12:00"},
		{"hours elapse over it", "24 hours before the flight", "2027-03-28 12:00", "2027-03-28 14:00", "2027-03-27 11:00"},
		{"a whole day", "the day before the trip", "2026-12-03 00:00", "2026-12-04 00:00", "2026-12-02 09:00"},
		{"behind whole days", "a day after the trip", "2026-12-03 00:00", "2026-12-06 00:00", "2026-12-06 09:00"},
		{"months", "a month before the trip", "2026-12-31 00:00", "2027-01-01 00:00", "2026-11-30 09:00"},
		{"a whole day has no hour", "an hour before the trip", "2026-12-03 00:00", "2026-12-04 00:00", ""},
	} {
		a, ok := when.ReadAnchor(c.words, "en")
		if !ok {
			t.Errorf("%s: %s is none", c.name, c.words)
			continue
		}
		start := at(c.start)
		isAllDay := start.Hour() == 0
		got, ok := a.At(start, at(c.end), isAllDay)
		if ok != (c.want != "") || ok && !got.Equal(at(c.want)) {
			t.Errorf("%s: %s, %v", c.name, got, ok)
		}
	}
}
