package event_test

import (
	"testing"

	"hob/internal/event"
)

func TestCleanCode(t *testing.T) {
	for text, want := range map[string]string{
		"K7QX-9M2P": "K7QX9M2P", " k7qx 9m2p\u0020": "K7QX9M2P", "OIL0–0001": "01100001", "K7QX9M2": "", "K7QX-9M2PX": "",
		"K7QX9M2U": "", "hello you": "", "": "", "K7QX\n9M2P": "", "Ⅻ": "", "--------------------------------------K7QX9M2P": "",
	} {
		if got, ok := event.CleanCode(text); got != want && ok || ok != (want != "") {
			t.Errorf("CleanCode(%q) = %q, %t, want %q", text, got, ok, want)
		}
	}
	if got := event.ShowCode("K7QX9M2P"); got != "K7QX-9M2P" {
		t.Error(got)
	}
}
