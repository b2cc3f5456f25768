package narration_test

import (
	"testing"

	"hob/internal/game/account/turntest"
	"hob/internal/game/narration"
)

// What a narration leaves out of what matters is told in the engine's words.
func TestRest(t *testing.T) {
	for _, test := range []struct{ lang, scene, told, want, all string }{
		{"en", "give", "Nothing.", "You give the lantern to Brother Osric.", "You give the lantern to Brother Osric."},
		{"en", "give", "Osric takes the lantern with both hands.", "", ""},
		{"en", "take", "Dust falls.", "", "You take the bone key."},
		{"en", "take", "You pick up the bone key.", "", ""},
		{"en", "kill", "The rat squeaks.", "The cave rat falls, dying.",
			"You hit the cave rat (18 against 10). The cave rat loses 4 hit points and has 0 of 4 left. The cave rat falls, dying."},
		{"en", "nothing", "All is quiet.", "", ""},
		{"ru", "get", "Тихо.", "Брат Осрик отдаёт вам лечебное зелье.", "Брат Осрик отдаёт вам лечебное зелье."},
		{"ru", "get", "Осрик вкладывает вам в руку лечебное зелье.", "", ""},
		{"zh", "give", "很安静。", "你把提灯交给奥斯里克修士。", "你把提灯交给奥斯里克修士。"},
		{"zh", "give", "奥斯里克接过提灯。", "", ""},
	} {
		turn := turntest.Scene(t, test.lang, test.scene)
		if got := narration.Rest(turn, test.told, false); got != test.want {
			t.Errorf("%s %s %q: %q, want %q", test.lang, test.scene, test.told, got, test.want)
		}
		if got := narration.Rest(turn, test.told, true); got != test.all {
			t.Errorf("%s %s %q: all %q, want %q", test.lang, test.scene, test.told, got, test.all)
		}
	}
}
