package account_test

import (
	"testing"

	"hob/internal/game/account"
	"hob/internal/game/account/turntest"
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
		turn := turntest.Scene(t, test.lang, "nothing")
		turn.Holds = narration.Holds
		turn.Says = []account.Line{{Actor: "pc_002", Text: "I sing"}, {Actor: "pc_001", Text: test.said}}
		if got := turn.Tell(); got != test.want {
			t.Errorf("%s %q: %q, want %q", test.lang, test.said, got, test.want)
		}
	}
}

// Without a check no player's words are repeated: nobody knows whether they are so.
func TestTellOfAnActWithoutACheck(t *testing.T) {
	turn := turntest.Scene(t, "en", "nothing")
	turn.Says = []account.Line{{Actor: "pc_001", Text: "I dance a waltz"}}
	if got := turn.Tell(); got != "For a moment all stays as it is." {
		t.Error(got)
	}
}
