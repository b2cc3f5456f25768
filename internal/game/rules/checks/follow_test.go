package checks_test

import (
	"context"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// den is the hall with hostile people in it: a monster, and somebody who hates the party.
func den(t rulestest.T, more ...world.Record) *table {
	t.Helper()
	b := hall(t, append([]world.Record{
		&world.Actor{ID: "rat", Order: 3, Name: "Rat", Role: "monster", Place: "hall", HP: world.Known(5),
			Stats: map[string]int64{"finesse": 2}},
		&world.Actor{ID: "foe", Order: 9, Name: "Foe", Role: "npc", Attitude: -3, Place: "hall", HP: world.Known(5)},
		&world.Thing{ID: "club", Name: "Club", Parent: "foe", Stats: map[string]int64{"damage": 4}},
	}, more...)...)
	self := *b.World.Self()
	self.Rules = map[string]int64{"hp_zero_ends_game": 1, "strike_back": 1}
	b.Put(&self)
	return b
}

// after begins a new turn, plays calls, and returns what follows of them by itself.
func (b *table) after(counts bool, faces []int64, calls ...rules.Call) (said []string) {
	b.T.Helper()
	b.Turn.Number++
	b.Turn.Outcomes, b.Turn.Events, b.Turn.Rolls = nil, nil, nil
	b.faces = faces
	for _, c := range calls {
		b.Turn.Do(context.Background(), c, nil)
	}
	before := len(b.Turn.Outcomes)
	for {
		o, ok, err := b.Turn.Follow(context.Background(), counts)
		if err != nil {
			b.T.Fatalf("%v", err)
		}
		if !ok {
			break
		}
		if !o.Automatic || !o.Changed {
			b.T.Errorf("%s: %+v", o.Call.Tool, o)
		}
		said = append(said, b.Text(o))
	}
	rulestest.Same(b.T, len(b.Turn.Outcomes), before+len(said))
	b.orderHolds()
	return said
}

func do(tool, args string) rules.Call { return rules.Call{Tool: tool, Args: []byte(args)} }

func TestStrikeBack(t *testing.T) {
	check := do("skill_check", `{"actor_id":"ann","skill":"wits","dc":5}`)
	hitFoe := do("attack", `{"attacker_id":"ann","target_id":"foe"}`)
	for _, test := range []struct {
		name   string
		more   []world.Record
		counts bool
		calls  []rules.Call
		faces  []int64
		want   []string
	}{
		{"who was attacked", nil, false, []rules.Call{hitFoe}, []int64{2, 15, 3},
			[]string{"Foe hits Ann (Club, 15 against 11). Damage: 3. HP: 6."}},
		{"who was attacked has the first word", nil, false, []rules.Call{check, hitFoe, check}, []int64{9, 2, 9, 3},
			[]string{"Foe misses Ann (Club, 3 against 11)."}},
		{"who was attacked and is down", nil, false, []rules.Call{do("attack", `{"attacker_id":"ann","target_id":"foe"}`)},
			[]int64{20, 1, 2, 12, 2},
			[]string{"Rat hits Ann (bare hands, 12 against 11). Damage: 2. HP: 7."}},
		{"something else was done", nil, false, []rules.Call{check}, []int64{9, 3},
			[]string{"Rat misses Ann (bare hands, 3 against 11)."}},
		{"by somebody else", nil, false, []rules.Call{do("skill_check", `{"actor_id":"bo","skill":"wits","dc":5}`)}, []int64{9,
			3},
			[]string{"Rat misses Bo (bare hands, 3 against 14)."}},
		{"only words", nil, true, nil, []int64{3}, []string{"Rat misses Ann (bare hands, 3 against 11)."}},
		{"nothing at all", nil, false, nil, nil, nil},
		{"what the narrator does", nil, true, []rules.Call{do("oracle", `{"question":"Is it wet?"}`), do("roll_dice",
			`{"expr":"1d4"}`)}, nil, nil},
		{"what was refused", nil, true, []rules.Call{do("skill_check", `{"actor_id":"ann","skill":"sums","dc":5}`)}, nil, nil},
		{"they attacked already", nil, false, []rules.Call{check, do("attack", `{"attacker_id":"rat","target_id":"ann"}`)},
			[]int64{9, 2}, nil},
		{"nobody is hostile", []world.Record{&world.Actor{ID: "rat", Place: "hall", Role: "monster", Attitude: 1,
			HP: world.Known(1)},
			&world.Actor{ID: "foe", Place: "hall", Attitude: -2, HP: world.Known(1)}}, false, []rules.Call{check}, nil, nil},
		{"they are elsewhere, or can do nothing", []world.Record{&world.Actor{ID: "rat", Place: "yard", Role: "monster",
			HP: world.Known(1)},
			&world.Actor{ID: "foe", Place: "hall", Attitude: -3, State: world.Unconscious, HP: world.Known(1)}}, false,
			[]rules.Call{check}, nil, nil},
		{"one of the party hates it", []world.Record{&world.Actor{ID: "bo", Place: "hall", Attitude: -3, HP: world.Known(1)},
			&world.Actor{ID: "rat", Place: "yard"}, &world.Actor{ID: "foe", Place: "yard"}}, false, []rules.Call{check}, nil,
			nil},
		{"who acts has no hit points", []world.Record{&world.Actor{ID: "ann", Place: "hall"}}, false, []rules.Call{check}, nil,
			nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := den(t, test.more...)
			before := b.World.Hash()
			rulestest.Same(t, b.after(test.counts, test.faces, test.calls...), test.want)
			if err := b.World.Revert(b.Turn.Events); err != nil || b.World.Hash() != before {
				t.Errorf("the turn is not taken back by its events: %v", err)
			}
		})
	}
	b := den(t)
	b.after(false, []int64{2, 2}, hitFoe)
	b.Turn.Earlier.Outcomes, b.Turn.Outcomes = b.Turn.Outcomes, nil
	b.Turn.Do(context.Background(), hitFoe, nil)
	if _, ok, _ := b.Turn.Follow(context.Background(), true); ok {
		t.Error("somebody strikes twice in a turn")
	}
	b.Turn.Earlier.Outcomes = nil
	self := *b.World.Self()
	self.Rules = map[string]int64{"strike_back": 0}
	b.Put(&self)
	rulestest.Same(t, b.after(true, nil, hitFoe), []string(nil))
	self.Rules, self.AllowAll, self.Allow = map[string]int64{"strike_back": 1}, false, []string{"skill_check"}
	b.Put(&self)
	rulestest.Same(t, b.after(true, nil, check), []string(nil))
}

// Who has just come is not struck, and nobody is by who has just come.
func TestStrikeBack_TheFirstTurnIsFree(t *testing.T) {
	for _, was := range []*world.Actor{
		{ID: "ann", Place: "yard", HP: world.Known(9)}, {ID: "rat", Place: "yard", Role: "monster", HP: world.Known(5)},
		{ID: "rat", Place: "hall", HP: world.Known(5)}, {ID: "rat", Place: "hall", Role: "monster", HP: world.Known(5),
			State: world.Unconscious}, nil,
	} {
		b := den(t, &world.Actor{ID: "foe", Place: "yard"})
		check := do("skill_check", `{"actor_id":"ann","skill":"wits","dc":5}`)
		b.Turn.Number++
		b.Turn.Events = []world.Event{{New: b.World.Actor("rat")}}
		if was != nil {
			b.Turn.Events = []world.Event{{Old: was, New: b.World.Actor(was.ID)}}
		}
		b.Turn.Do(context.Background(), check, nil)
		if o, ok, err := b.Turn.Follow(context.Background(), true); ok || err != nil {
			t.Errorf("%v: %v, %v", was, o, err)
		}
		rulestest.Same(t, len(b.after(false, nil, check)), 1) // but the next one is not
	}
}

func TestFightsEnd(t *testing.T) {
	fight := &world.Encounter{Round: 1, Actors: []string{"ann", "rat"}, Initiative: map[string]int64{"ann": 2, "rat": 1}}
	b := den(t, fight, &world.Actor{ID: "foe", Place: "yard"})
	hit := do("attack", `{"attacker_id":"ann","target_id":"rat","weapon_id":"sword"}`)
	rulestest.Same(t, b.after(false, []int64{5, 5}, hit), []string{"Rat misses Ann (bare hands, 5 against 11)."})
	rulestest.Same(t, b.after(false, []int64{19, 8}, hit), []string{"The fight is over. Rounds: 1."})
	rulestest.Same(t, b.World.Encounter() == nil, true)
}
