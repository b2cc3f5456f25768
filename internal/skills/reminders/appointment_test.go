package reminders_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/skills/reminders"
	"hob/internal/tools"
)

// appointment is one of an hour in Berlin, or of a whole day.
func (w *world) appointment(title, start string) reminders.Appointment {
	w.t.Helper()
	if day, err := time.ParseInLocation(time.DateOnly, start, w.now.Location()); err == nil {
		return reminders.Appointment{Title: title, Start: day, End: day.AddDate(0, 0, 1), AllDay: true}
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", start, w.now.Location())
	if err != nil {
		w.t.Fatal(err)
	}
	return reminders.Appointment{Title: title, Start: at, End: at.Add(time.Hour)}
}

// withCalendar has a calendar in which everything is that anybody looks for, in the order of time. It is Wednesday 25 November 2026, noon.
func withCalendar(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.calendar = []reminders.Appointment{
		w.appointment("Zahnarzt", "2026-11-25 08:00"),
		w.appointment("Team lunch", "2026-11-25 12:30"),
		w.appointment("Parents' evening", "2026-11-25 19:00"),
		w.appointment("Choir", "2026-11-26 19:00"),
		w.appointment("Elternabend 3b", "2026-11-27 19:00"),
		w.appointment("Родительское собрание", "2026-11-28 18:00"),
		w.appointment("家长会", "2026-11-28 19:00"),
		w.appointment("Mum's birthday", "2026-12-01"),
		w.appointment("День рождения мамы", "2026-12-02"),
		w.appointment("Mamas Geburtstag", "2026-12-02"),
		w.appointment("Choir", "2026-12-03 19:00"),
		w.appointment("Dentist Ben", "2026-12-03 10:00"),
		w.appointment("Dentist Ana", "2026-12-04 10:00"),
		w.appointment("Zahnarzt", "2026-12-07 09:00"),
		w.appointment("Стоматолог", "2026-12-07 11:00"),
		w.appointment("看牙医", "2026-12-08 09:00"),
		w.appointment("Christmas party", "2026-12-11 18:00"),
		w.appointment("Sports day", "2026-12-14 10:00"),
		w.appointment("Sports lesson", "2026-12-15 10:00"),
	}
	return w
}

func TestRemind_OfAppointment(t *testing.T) {
	w := withCalendar(t)
	for _, c := range []struct{ at, text, due, want string }{
		{"half an hour before the parents' evening", "", "2026-11-25 18:30", "Parents' evening, 19:00"},
		{"an hour before the parents evening", "take the papers", "2026-11-25 18:00", "take the papers"},
		{"an hour after choir", "", "2026-11-26 21:00", "Choir, 19:00"},
		{"eine halbe Stunde vor dem Elternabend", "", "2026-11-27 18:30", "Elternabend 3b, 19:00"},
		{"eine Stunde vor meinem Zahnarzttermin", "losfahren", "2026-12-07 08:00", "losfahren"},
		{"am Tag vor Mamas Geburtstag", "", "2026-12-01 09:00", "Mamas Geburtstag, Mi. 2. Dezember 2026"},
		{"за 30 минут до родительского собрания", "", "2026-11-28 17:30", "Родительское собрание, 18:00"},
		{"за час до визита к стоматологу", "взять снимок", "2026-12-07 10:00", "взять снимок"},
		{"за день до дня рождения мамы", "купить цветы", "2026-12-01 09:00", "купить цветы"},
		{"家长会开始前半小时", "", "2026-11-28 18:30", "家长会，19:00"},
		{"牙医预约前一小时", "出门", "2026-12-08 08:00", "出门"},
		{"the day before Mum's birthday", "buy flowers", "2026-11-30 09:00", "buy flowers"},
		{"two days before the dentist of Ben", "", "2026-12-01 10:00", "Dentist Ben, Thu 3 Dec 2026, 10:00"},
		{"two hours before the Christmas party", "iron the shirt", "2026-12-11 16:00", "iron the shirt"},
		{"an hour before the dentist on 4 December", "leave", "2026-12-04 09:00", "leave"},
	} {
		t.Run(c.at, func(t *testing.T) {
			res := w.must(ana(), "remind", args{"at": c.at, "text": c.text})
			r, _, err := w.store.Get(t.Context(), res.Data.(reminders.Reminder).ID)
			if err != nil {
				t.Fatal(err)
			}
			if due := r.Due.In(w.now.Location()).Format("2006-01-02 15:04"); due != c.due || r.Text != c.want {
				t.Errorf("%s: %q\n%s", due, r.Text, res.Text)
			}
			if r.Label.Untrusted != (c.text == "") { // a title is a stranger's, and what the person said is not
				t.Error(r.Label)
			}
			if !res.Label.Untrusted || !res.Label.Private { // its title is in the answer
				t.Error(res.Label)
			}
		})
	}
}

// The answer names the appointment, and says that the reminder stays where that moves.
func TestRemind_OfAppointmentSaysSo(t *testing.T) {
	w := withCalendar(t)
	res := w.must(ana(), "remind", args{"at": "an hour before the parents' evening", "text": "leave", "lang": "en"})
	want := "⏰ #1 Wed 25 Nov 2026, 18:00: leave\nFor Parents' evening, Wed 25 Nov 2026, 19:00. If that changes in the calendar, this reminder stays as it is."
	if diff := cmp.Diff(want, res.Text); diff != "" {
		t.Error(diff)
	}
}

// A person who types the words alone may say first or last of what the reminder is.
func TestRemind_OfAppointmentInWords(t *testing.T) {
	w := withCalendar(t)
	for _, c := range []struct{ words, due, want string }{
		{"half an hour before the parents' evening", "2026-11-25T18:30:00+01:00", "Parents' evening, 19:00"},
		{"half an hour before the parents' evening to take the papers", "2026-11-25T18:30:00+01:00", "take the papers"},
		{"me to take the papers half an hour before the parents' evening", "2026-11-25T18:30:00+01:00", "to take the papers"},
		{"half an hour before the parents' evening to take the papers.", "2026-11-25T18:30:00+01:00", "take the papers"},
		{"an hour before the dentist on 4 December", "2026-12-04T09:00:00+01:00", "Dentist Ana, 10:00"},
		{"eine Stunde vor dem Elternabend losfahren", "2026-11-27T18:00:00+01:00", "losfahren"},
		{"за час до родительского собрания взять документы", "2026-11-28T17:00:00+01:00", "взять документы"},
		{"10 minutes before sunset to close the hens in", "2026-11-25T15:51:08+01:00", "close the hens in"},
	} {
		res := w.must(ana(), "remind", args{"text": c.words})
		if r := res.Data.(reminders.Reminder); r.Due != c.due || r.Text != c.want {
			t.Errorf("%s: %s %q", c.words, r.Due, r.Text)
		}
	}
}

// What goes on counts behind it, and not before it: the next one is meant then, or what is meant is past.
func TestRemind_OfAppointmentThatGoesOn(t *testing.T) {
	w := withCalendar(t)
	w.now = w.now.Add(45 * time.Minute)
	w.calendar = append(w.calendar, w.appointment("Team lunch", "2026-12-02 12:30"))
	for words, want := range map[string]string{
		"an hour after the team lunch":  "2026-11-25T14:30:00+01:00",
		"an hour before the team lunch": "2026-12-02T11:30:00+01:00",
	} {
		if r := w.must(ana(), "remind", args{"at": words, "text": "x"}).Data.(reminders.Reminder); r.Due != want {
			t.Errorf("%s: %s", words, r.Due)
		}
	}
}

func TestRemind_OfNoAppointment(t *testing.T) {
	w := withCalendar(t)
	for _, c := range []struct{ at, lang, want string }{
		{"an hour before the opera", "en", `No calendar has "opera" in the coming year, so nothing is set`},
		{"an hour before the dentist on Monday", "en", `No calendar has "dentist on Monday" in the coming year, so nothing is set`},
		{"an hour before Choirin", "en", `No calendar has "Choirin" in the coming year, so nothing is set`},
		{"eine Stunde vor der Oper", "de", `Kein Kalender hat „Oper“ im kommenden Jahr, also ist nichts eingestellt`},
		{"an hour before the team lunch", "en", "Team lunch is on Wed 25 Nov 2026, 12:30: Wed 25 Nov 2026, 11:30 is past"},
		{"an hour before Mum's birthday", "en", "Mum's birthday takes the whole of Tue 1 Dec 2026, and has no hour"},
	} {
		_, err := w.call(ana(), "remind", args{"at": c.at, "text": "x", "lang": c.lang})
		if bad := (*tools.Error)(nil); !errors.As(err, &bad) || bad.Message != c.want || bad.Suggestion == "" {
			t.Errorf("%s: %v", c.at, err)
		}
	}
	if open, err := w.store.Open(t.Context()); err != nil || len(open) > 0 {
		t.Error(open, err)
	}
}

// Of several it asks which, and a button makes it. A button has no stranger's words in it.
func TestRemind_OfSeveralAppointments(t *testing.T) {
	w := withCalendar(t)
	res := w.must(ana(), "remind", args{"at": "an hour before the dentist", "text": "leave", "lang": "en"})
	if want := "Which one?\n- Dentist Ben, Thu 3 Dec 2026, 10:00\n- Dentist Ana, Fri 4 Dec 2026, 10:00"; res.Text != want || len(res.Choices) != 2 || len(res.Effects) > 0 {
		t.Fatalf("%s\n%v", res.Text, res.Choices)
	}
	pick := res.Choices[1]
	if want := `/remind event=2026-12-04T10:00:00+01:00 lang=en at="an hour before the dentist" leave`; pick.Text != want || strings.Contains(pick.Text, "Ana") {
		t.Errorf("%s", pick.Text)
	}
	commands, _ := tools.NewCommands(w.skill.Tools)
	tool, raw, err := commands.Parse(pick.Text)
	if err != nil {
		t.Fatal(err)
	}
	made, err := tools.Call(tools.WithCaller(t.Context(), ana()), tool, raw)
	if err != nil || made.Data.(reminders.Reminder).Due != "2026-12-04T09:00:00+01:00" {
		t.Error(made.Data, err)
	}
}

// The button says all that was asked for, also where the reminder has no words of its own.
func TestRemind_OfSeveralAppointmentsWithoutText(t *testing.T) {
	w := withCalendar(t)
	res := w.must(ana(), "remind", args{"at": "an hour before the dentist", "text": "", "lang": "en", "until_done": true})
	pick := res.Choices[0].Text
	if want := "/remind event=2026-12-03T10:00:00+01:00 lang=en until_done=true an hour before the dentist"; pick != want {
		t.Errorf("%s", pick)
	}
	commands, _ := tools.NewCommands(w.skill.Tools)
	tool, raw, err := commands.Parse(pick)
	if err != nil {
		t.Fatal(err)
	}
	made, err := tools.Call(tools.WithCaller(t.Context(), ana()), tool, raw)
	if r := made.Data.(reminders.Reminder); err != nil || r.Due != "2026-12-03T09:00:00+01:00" || r.Text != "Dentist Ben, 10:00" {
		t.Error(r, err)
	}
}

// It asks where the time is another, which after an appointment is its end. What is over is none of several.
func TestRemind_OfAppointmentsWithOtherEnds(t *testing.T) {
	w := withCalendar(t)
	long := w.appointment("Dentist Kim", "2026-12-03 10:00")
	long.End = long.End.Add(time.Hour)
	w.calendar = []reminders.Appointment{w.appointment("Dentist", "2026-11-25 08:00"), w.appointment("Dentist Ben", "2026-12-03 10:00"), long}
	if r := w.must(ana(), "remind", args{"at": "an hour before the dentist", "text": "x"}).Data.(reminders.Reminder); r.Due != "2026-12-03T09:00:00+01:00" {
		t.Error(r.Due)
	}
	res := w.must(ana(), "remind", args{"at": "an hour after the dentist", "text": "x", "lang": "en"})
	if len(res.Choices) != 2 {
		t.Fatal(res.Text)
	}
	commands, _ := tools.NewCommands(w.skill.Tools)
	tool, raw, err := commands.Parse(res.Choices[1].Text)
	if err != nil {
		t.Fatal(err)
	}
	made, err := tools.Call(tools.WithCaller(t.Context(), ana()), tool, raw)
	if r, ok := made.Data.(reminders.Reminder); err != nil || !ok || r.Due != "2026-12-03T13:00:00+01:00" {
		t.Error(made.Data, err)
	}
}

// A group reads along, and calendars are nobody's there.
func TestRemind_OfAppointmentInGroup(t *testing.T) {
	w := withCalendar(t)
	_, err := w.call(person("7", group), "remind", args{"at": "an hour before the parents' evening", "text": "leave", "lang": "en"})
	if bad := (*tools.Error)(nil); !errors.As(err, &bad) || bad.Message != "calendars are looked at in a private chat only" {
		t.Error(err)
	}
}

func (w *world) appointments(context.Context, time.Time, time.Time, string) (reminders.Appointments, error) {
	return reminders.Appointments{All: w.calendar, Label: event.Label{Private: true, Untrusted: true, Source: "file:home.ics"}}, nil
}
