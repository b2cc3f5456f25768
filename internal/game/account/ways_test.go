package account_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/account/turntest"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// A way of several steps is told once, one back to where somebody was as such, and a door from one side.
func TestWays(t *testing.T) {
	book := game.Rules()
	there := turntest.Call("move_player", `{"player_id":"pc_001","target_location_id":"area_002"}`)
	back := turntest.Call("move_player", `{"player_id":"pc_001","target_location_id":"area_001"}`)
	door := turntest.Call("set_link", `{"from":"area_001","to":"area_002","state":"open"}`)
	for _, test := range []struct {
		lang  string
		calls []rules.Call
		want  []string
	}{
		{"en", []rules.Call{there}, []string{"You go to Flooded Crypt."}},
		{"en", []rules.Call{there, back}, []string{"You go to Old Mill, by way of Flooded Crypt."}},
		{"ru", []rules.Call{there, back}, []string{"Вы идёте (по пути — Затопленный склеп), и вот перед вами Старая мельница."}},
		{"zh", []rules.Call{there, back}, []string{"你经过淹水墓室，来到旧磨坊。"}},
		{"en", []rules.Call{door, there}, []string{"The door to Flooded Crypt is open.", "You go to Flooded Crypt."}},
	} {
		w := turntest.Mill(t, test.lang)
		if len(test.calls) > 1 && test.calls[0].Tool == "set_link" {
			for _, key := range [][2]string{{"area_001", "area_002"}, {"area_002", "area_001"}} {
				l := *w.Link(key[0], key[1])
				l.Door = world.ClosedDoor
				if err := w.Apply(world.Event{Old: w.Link(key[0], key[1]), New: &l}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if diff := cmp.Diff(test.want, timeless(turntest.Scripted(t, book, w, nil, test.calls...).Facts())); diff != "" {
			t.Errorf("%s: %s", test.lang, diff)
		}
	}
	w := turntest.Mill(t, "en")
	turntest.Scripted(t, book, w, nil, there)
	if diff := cmp.Diff([]string{"You go back to Old Mill."}, timeless(turntest.Scripted(t, book, w, nil, back).Facts())); diff != "" {
		t.Error(diff)
	}
}

// timeless returns facts without the last one, if that is how much time went by.
func timeless(facts []string) []string {
	if n := len(facts); n > 1 {
		for _, sign := range []string{"minute", "мин", "分钟"} {
			if strings.Contains(facts[n-1], sign) {
				return facts[:n-1]
			}
		}
	}
	return facts
}
