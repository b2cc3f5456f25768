package reminders_test

import (
	"strings"
	"testing"
)

// A reminder is that of any form of its words, and its appointment; what only begins like one is another thing.
func TestChange_AboutForms(t *testing.T) {
	for about, found := range map[string]bool{
		"Zahnarzt": true, "zahnarzttermin": true, "Zahnarzt-Termin": true, "Akten Zahnarzt": true, "Zahnarztakte": false, "Arztbrief": false, "Termin": false,
		"Arzt": false, "kten": false, "mit": true,
	} {
		w := newWorld(t)
		w.remind(ben(), "am Freitag um 9 Uhr Zahnarzt mit Akten")
		res, err := w.call(ben(), "reminder", args{"about": about, "change": "cancel"})
		if got := err == nil && strings.Contains(res.Text, "Zahnarzt mit Akten"); got != found {
			t.Errorf("%s: %q, %v, want it found: %v", about, res.Text, err, found)
		}
	}
	w := newWorld(t)
	w.remind(ben(), "завтра в 9 записаться к стоматологу")
	if _, err := w.call(ben(), "reminder", args{"about": "стоматолога", "change": "cancel"}); err != nil {
		t.Error(err)
	}
}
