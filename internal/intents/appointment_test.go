package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// What is counted from an appointment is a call with the words of its time, whatever stands in the calendars.
func TestReminders_OfAppointments(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for _, s := range corpus(t, "testdata/later/appointments.jsonl") {
		if r := all.Read(s.Text).At(midday); outcome(t, s, r) != "right" || r.Lang != s.Lang {
			t.Errorf("%q is read as %s %s %s %s", s.Text, r.Lang, r.Kind, r.Call.Args, r.Ask)
		}
	}
}

// What is in no calendar as a rule says so, and what is a time itself is no appointment.
func TestReminders_OfNoAppointment(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for text, args := range map[string]string{
		"remind me five minutes before dinner to lay the table":   `{"at":"five minutes before dinner","text":"lay the table","lang":"en"}`,
		"erinnere mich 10 Minuten vor dem Abendessen ans Brot":    `{"at":"10 Minuten vor dem Abendessen","text":"Brot","lang":"de"}`,
		"напомни за час до ужина накрыть на стол":                 `{"at":"за час до ужина","text":"накрыть на стол","lang":"ru"}`,
		"晚饭前十分钟提醒我摆碗筷":                                            `{"at":"晚饭前十分钟","text":"摆碗筷","lang":"zh"}`,
		"remind me an hour before Ben's dinner to lay the table":  "",
		"remind me five minutes before midnight to stop":          "",
		"remind me ten minutes before the meeting at 3 to print":  "",
		"remind me 10 minutes before sunset to close the hens in": "",
	} {
		r := all.Read(text).At(midday)
		if r.Everyday != (args != "") || args != "" && string(r.Call.Args) != args {
			t.Errorf("%q: %v %s", text, r.Everyday, r.Call.Args)
		}
	}
}
