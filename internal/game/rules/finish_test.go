package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// finish ends turn number n of a world, with a change in it or not.
func finish(t *testing.T, w *world.World, n int64, changed, counts bool) *rules.Turn {
	t.Helper()
	turn := turn(t, w)
	turn.Number = n
	if changed && !call(turn, "make", `{}`).OK() {
		t.Fatal("nothing changes")
	}
	if err := turn.Finish(counts); err != nil {
		t.Fatal(err)
	}
	return turn
}

// turn-engine-25: advances every 6 turns or when pressure>=2; intro->milestone_1->milestone_2
func TestConformance_TurnEngine25(t *testing.T) {
	t.Run("turn-engine-25", func(t *testing.T) {
		w := house(t, world.Self{Active: "ann", AllowAll: true, Milestone: "intro", MilestoneSummary: "it begins", Pace: map[string]int64{"other": 1}})
		var got []string
		for n := int64(1); n <= 13; n++ {
			finish(t, w, n, n%2 == 0, true)
			got = append(got, w.Self().Milestone)
		}
		want := []string{"intro", "intro", "intro", "intro", "intro", "milestone_1", "milestone_1", "milestone_1", "milestone_1", "milestone_1",
			"milestone_1", "milestone_2", "milestone_2"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]int64{"other": 1, "last_advanced_turn": 12, "pressure": 0}, w.Self().Pace); diff != "" || w.Self().MilestoneSummary != "" {
			t.Errorf("summary %q, pace:\n%s", w.Self().MilestoneSummary, diff)
		}
	})
	for _, test := range []struct {
		name, from string
		pace       map[string]int64
		turn       int64
		want       string
	}{
		{"pressure", "intro", map[string]int64{"pressure": 2, "last_advanced_turn": 1}, 2, "milestone_1"},
		{"less pressure", "intro", map[string]int64{"pressure": 1}, 2, "intro"},
		{"another threshold", "intro", map[string]int64{"pressure": 2, "pressure_threshold": 3}, 2, "intro"},
		{"another interval", "milestone_9", map[string]int64{"turn_trigger_interval": 2}, 2, "milestone_10"},
		{"an interval of nothing", "intro", map[string]int64{"turn_trigger_interval": 0, "last_advanced_turn": 2}, 2, "intro"},
		{"a name of somebody else", "the_end", nil, 6, "milestone_1"},
		{"none", "", nil, 60, ""},
	} {
		t.Run("turn-engine-25/"+test.name, func(t *testing.T) {
			w := house(t, world.Self{Milestone: test.from, Pace: test.pace, AllowAll: true})
			finish(t, w, test.turn, true, false)
			if got := w.Self().Milestone; got != test.want {
				t.Errorf("the milestone is %q", got)
			}
		})
	}
	t.Run("turn-engine-25/a turn that did nothing", func(t *testing.T) {
		w := house(t, world.Self{Milestone: "intro", AllowAll: true})
		if turn := finish(t, w, 6, false, false); w.Self().Milestone != "intro" || len(turn.Events) != 0 {
			t.Errorf("the milestone is %q", w.Self().Milestone)
		}
	})
}

func TestFinish_PartyIsDead(t *testing.T) {
	deadly := map[string]int64{"hp_zero_ends_game": 1}
	for _, test := range []struct {
		name    string
		rules   map[string]int64
		ann, bo string
		party   []string
		want    bool
	}{
		{"all dying or dead", deadly, world.Dying, world.Dead, nil, true},
		{"one lives", deadly, world.Dying, world.Alive, nil, false},
		{"one sleeps", deadly, world.Dead, world.Unconscious, nil, false},
		{"the rules do not say so", nil, world.Dead, world.Dead, nil, false},
		{"nobody is in it", deadly, world.Dead, world.Dead, []string{}, false},
		{"who is not in it lives", deadly, world.Dead, world.Alive, []string{"ann"}, true},
		{"who is in it does not exist", deadly, world.Dead, world.Alive, []string{"ann", "zz"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := house(t, world.Self{AllowAll: true, Rules: test.rules, Party: test.party})
			state(t, w, "ann", test.ann)
			state(t, w, "bo", test.bo)
			before := w.Hash()
			turn := finish(t, w, 9, true, false)
			self := w.Self()
			if self.Ended != test.want || test.want && (self.EndedReason != "party_dead" || self.EndedTurn != 9) {
				t.Errorf("ended %v, %q in turn %d", self.Ended, self.EndedReason, self.EndedTurn)
			}
			if test.want {
				if o := call(turn, "make", `{}`); o.Detail() != "campaign_ended" {
					t.Errorf("and still %s", o.Status)
				}
			}
			if err := w.Revert(turn.Events); err != nil || w.Hash() != before {
				t.Errorf("the turn is not taken back by its events: %v", err)
			}
		})
	}
	w := house(t, world.Self{Rules: deadly, Party: []string{"ann"}, Ended: true, EndedReason: "won", EndedTurn: 3})
	state(t, w, "ann", world.Dead)
	if turn := finish(t, w, 9, false, true); len(turn.Events) != 0 || w.Self().EndedReason != "won" {
		t.Errorf("what has ended ends again: %q", w.Self().EndedReason)
	}
}
