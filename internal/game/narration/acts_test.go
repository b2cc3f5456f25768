package narration_test

import (
	"testing"

	"hob/internal/game/narration"
)

// An act that changes nothing is told with what the player did, and a claim as an attempt.
func TestTellOfAnActThatChangesNothing(t *testing.T) {
	for _, test := range []struct{ lang, said, want string }{
		{"en", "I dance a waltz", "You dance a waltz."},
		{"en", "I bow, and I dust my coat.", "You bow, and you dust your coat."},
		{"en", "I'm tired", "You try: “I'm tired”."},
		{"en", "dance a waltz", "You try: “dance a waltz”."},
		{"en", "I find a legendary sword", "You try: “I find a legendary sword”."},
		{"en", "I kill Brother Osric", "You try: “I kill Brother Osric”."},
		{"en", "I pet the spiders", "For a moment all stays as it is."},
		{"en", "I show you ```code```", "For a moment all stays as it is."},
		{"en", "", "For a moment all stays as it is."},
		{"ru", "Я танцую вальс", "Вы танцуете вальс."},
		{"ru", "хочу потанцевать", "Вы хотите потанцевать."},
		{"ru", "Улыбаюсь Осрику", "Вы улыбаетесь Осрику."},
		{"ru", "потанцевать бы", "Вы пробуете: «потанцевать бы»."},
		{"zh", "我跳一支华尔兹", "你跳一支华尔兹。"},
		{"zh", "跳舞", "你试着：“跳舞”。"},
	} {
		turn := scene(t, test.lang, "nothing")
		turn.Says = []narration.Line{{Actor: "pc_002", Text: "I sing"}, {Actor: "pc_001", Text: test.said}}
		if got := turn.Tell(); got != test.want {
			t.Errorf("%s %q: %q, want %q", test.lang, test.said, got, test.want)
		}
	}
}

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
		turn := scene(t, test.lang, test.scene)
		if got := turn.Rest(test.told, false); got != test.want {
			t.Errorf("%s %s %q: %q, want %q", test.lang, test.scene, test.told, got, test.want)
		}
		if got := turn.Rest(test.told, true); got != test.all {
			t.Errorf("%s %s %q: all %q, want %q", test.lang, test.scene, test.told, got, test.all)
		}
	}
}
