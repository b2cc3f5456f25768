package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// What people ask to be reminded of is read with its time: as it stands, or where there is no model, after a question.
func TestReminders(t *testing.T) {
	t.Parallel()
	all, count := intents.Default(), map[string]map[string]int{}
	reminders := corpus(t, "testdata/later/reminders.jsonl")
	right := 0
	for _, s := range reminders {
		r := all.Loosely(s.Text).At(midday)
		how := outcome(t, s, r)
		if count[s.Lang] == nil {
			count[s.Lang] = map[string]int{}
		}
		if count[s.Lang][how]++; how == "right" {
			right++
			continue
		}
		t.Logf("%s %s %q: want %s %v, got %s %s %s", how, s.Lang, s.Text, s.Intent, s.Args, r.Kind, r.Call.Args, r.Ask)
		if how == "wrong" {
			t.Errorf("%q is read wrongly", s.Text)
		}
	}
	if t.Logf("%v", count); right*20 < len(reminders)*19 {
		t.Errorf("of %d reminders %d are read right: at least 95 %% shall be", len(reminders), right)
	}
}

// What sounds like a reminder and is none makes none, and changes none.
func TestReminders_NearMisses(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for _, s := range corpus(t, "testdata/later/near_misses.jsonl") {
		if r := all.Loosely(s.Text).At(midday); r.Acts {
			t.Errorf("%q is read as %s %s", s.Text, r.Call.Name, r.Call.Args)
		}
	}
}
