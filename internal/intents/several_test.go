package intents_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"hob/internal/intents"
)

// callOf is a call as a corpus has it.
type callOf struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// callsOf returns the calls of a reading at a time, without what is for the buttons and the words around them.
func callsOf(t *testing.T, r intents.Reading) (calls []callOf) {
	t.Helper()
	for _, part := range r.Chores() {
		c := callOf{Tool: part.Call.Name}
		if err := json.Unmarshal(part.Call.Args, &c.Args); err != nil {
			t.Fatal(err)
		}
		delete(c.Args, "other")
		delete(c.Args, "lang")
		calls = append(calls, c)
	}
	return calls
}

// isCalls reports whether a reading becomes some calls.
func isCalls(t *testing.T, r intents.Reading, calls []callOf) bool {
	t.Helper()
	return reflect.DeepEqual(callsOf(t, r), calls)
}

// What is truly two chores is read as both, and what only looks like that is one, or goes to the model.
func TestSeveral(t *testing.T) {
	t.Parallel()
	all, read, of := intents.Default(), 0, 0
	for _, s := range corpus(t, "testdata/several/sentences.jsonl") {
		r := all.Read(s.Text).At(midday)
		got := callsOf(t, r)
		isRight := len(got)+len(s.Calls) == 0 || isCalls(t, r, s.Calls)
		if len(s.Calls) > 1 {
			of++
		}
		switch {
		case isRight && len(s.Calls) > 1:
			read++
		case len(got) > 0 && !isRight:
			t.Errorf("%q is read as %s %v, want %v", s.Text, r.Kind, got, s.Calls)
		case !isRight:
			t.Logf("%q is not read, want %v", s.Text, s.Calls)
		}
		if loose := all.Loosely(s.Text); r.Kind == "" && loose.Acts {
			t.Errorf("without a model, %q is read as %s %s", s.Text, loose.Kind, loose.Call.Args)
		}
	}
	if t.Logf("of %d messages that are several chores %d are read", of, read); read*20 < of*19 {
		t.Errorf("of %d messages that are several chores %d are read: at least 95 %% shall be", of, read)
	}
}

// Numbers with marks or a word between them name several things, where the sentence takes the number of one.
func TestSeveral_Numbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int{
		"cancel reminder 29 and 30": {29, 30}, "cancel reminders 29, 30 and 31": {29, 30, 31}, "lösch Erinnerung 29 und 30": {29, 30}, "die Erinnerungen #29, #30 löschen": {29, 30},
		"удали напоминание 29 и 30": {29, 30}, "удали напоминания 29, 30": {29, 30}, "取消提醒29和30": {29, 30}, "取消提醒29、30": {29, 30}, "stop process 2 and 3": {2, 3},
		"cancel reminder 29 or 30": nil, "cancel reminder 29 to 31": nil, "lösch Erinnerung 29 oder 30": nil, "lösch Erinnerung 29 nicht 30": nil, "undo the last 2 and 3 changes": nil,
		"cancel reminder 1, 2, 3, 4 and 5": nil,
	} {
		var got []int
		for _, part := range intents.Default().Read(text).Chores() {
			var args struct{ ID int }
			if err := json.Unmarshal(part.Call.Args, &args); err != nil {
				t.Fatal(err)
			}
			got = append(got, args.ID)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q is of %v, want %v", text, got, want)
		}
	}
}

// What takes back the reminder or stops the timer that is named by a word more is read, in each language.
func TestReminderCancel(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"lösch die Erinnerung wieder": `{"only":"reminders","change":"cancel"}`, "nimm die Erinnerung wieder raus": `{"only":"reminders","change":"cancel"}`,
		"delete that reminder again": `{"only":"reminders","change":"cancel"}`, "take that reminder back": `{"only":"reminders","change":"cancel"}`,
		"убери напоминание обратно": `{"only":"reminders","change":"cancel"}`, "把刚才的提醒删掉": `{"only":"reminders","change":"cancel"}`,
		"stop the timer pasta": `{"only":"timers","about":"pasta","change":"cancel"}`, "取消面条计时器": `{"only":"timers","about":"面条","change":"cancel"}`,
		"stop the timer": `{"only":"timers","change":"cancel"}`, "stop timer 3": `{"id":3,"only":"timers","change":"cancel"}`, "lösch den Timer 3": `{"id":3,"only":"timers","change":"cancel"}`,
		"stop all timers": `{"only":"timers","change":"cancel all"}`, "取消所有计时器": `{"only":"timers","change":"cancel all"}`, "stop the timer please": `{"only":"timers","change":"cancel"}`,
	} {
		if r := intents.Default().Read(text); string(r.Call.Args) != want && strings.ReplaceAll(string(r.Call.Args), `\u0020`, " ") != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}
