package checks_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/checks"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// table is a world with a turn on it, and dice that fall as they are told to.
type table struct {
	*rulestest.Table
	faces []int64 // of the next dice; when there are no more, every die shows 1
	exprs []string
}

// set makes a world of records on which every tool may be used.
func set(t rulestest.T, self *world.Self, records ...world.Record) *table {
	t.Helper()
	b := &table{Table: rulestest.New(t, []rules.Family{checks.Family()}, append([]world.Record{self}, records...)...)}
	b.Turn.Services.Throw = b.throw
	return b
}

// throw is a script for dice: NdM, with kh1 or kl1, and a bonus.
func (b *table) throw(expr string, _ int64) (rules.Roll, error) {
	b.exprs = append(b.exprs, expr)
	dice, bonus := expr, int64(0)
	if i := strings.LastIndexAny(expr, "+-"); i > 0 {
		n, err := strconv.ParseInt(expr[i:], 10, 64)
		if err != nil {
			return rules.Roll{}, err
		}
		dice, bonus = expr[:i], n
	}
	keep := ""
	if i := strings.Index(dice, "k"); i > 0 {
		dice, keep = dice[:i], dice[i:]
	}
	var count, sides int64
	if n, err := fmt.Sscanf(dice, "%dd%d", &count, &sides); err != nil || n != 2 || count < 1 || sides < 1 {
		return rules.Roll{}, errors.New("that is no dice")
	}
	r := rules.Roll{Expr: expr, Total: bonus, Detail: expr}
	best := 0
	for i := range int(count) {
		face := int64(1)
		if len(b.faces) > 0 {
			face, b.faces = b.faces[0], b.faces[1:]
		}
		r.Dice = append(r.Dice, rules.Die{Size: sides, Value: face, Kept: keep == ""})
		if keep == "kh1" && face > r.Dice[best].Value || keep == "kl1" && face < r.Dice[best].Value {
			best = i
		}
		r.Total += face
	}
	if keep != "" {
		r.Dice[best].Kept = true
		r.Total = bonus + r.Dice[best].Value
	}
	return r, nil
}

// call runs one call with dice that fall like faces.
func (b *table) call(tool, args string, faces ...int64) rules.Outcome {
	b.T.Helper()
	b.faces, b.exprs = faces, nil
	o := b.Call(tool, args)
	b.orderHolds()
	return o
}

// orderHolds looks for the invariant I9.
func (b *table) orderHolds() {
	b.T.Helper()
	e := b.World.Encounter()
	if e == nil {
		return
	}
	for i, id := range e.Actors {
		if a := b.World.Actor(id); a == nil || a.State == world.Dead || slices.Contains(e.Actors[:i], id) {
			b.T.Errorf("%s is in the order %v", id, e.Actors)
		}
	}
	if e.Turn < 0 || e.Turn >= int64(len(e.Actors)) {
		b.T.Errorf("turn %d of %v", e.Turn, e.Actors)
	}
}

// ok runs a call that is to be applied with a result.
func (b *table) ok(want, tool, args string, faces ...int64) rules.Outcome {
	b.T.Helper()
	o := b.call(tool, args, faces...)
	if !o.OK() || string(o.Result) != want {
		b.T.Errorf("%s %s: %s %s %s (%s), want %s", tool, args, o.Status, o.Code, o.Result, b.Text(o), want)
	}
	return o
}

// no runs a call that is to be refused with a detail, and words that have some in them.
func (b *table) no(status rules.Status, detail, says, tool, args string) {
	b.T.Helper()
	if o := b.call(tool, args); o.Status != status || o.Detail() != detail || !strings.Contains(b.Text(o), says) {
		b.T.Errorf("%s %s: %s %s (%s), want %s %s with %q", tool, args, o.Status, o.Detail(), b.Text(o), status, detail, says)
	}
}

// hall is two heroes and two foes in a hall, and a door to a yard.
func hall(t rulestest.T, more ...world.Record) *table {
	t.Helper()
	stats := func(pairs ...any) map[string]int64 {
		m := map[string]int64{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = int64(pairs[i+1].(int))
		}
		return m
	}
	return set(t, &world.Self{AllowAll: true, Party: []string{"ann", "bo"}, Active: "ann",
		Rules: map[string]int64{"hp_zero_ends_game": 1}},
		append([]world.Record{
			&world.Place{ID: "hall", Name: "Hall"}, &world.Place{ID: "yard", Name: "Yard"}, &world.Link{From: "hall", To: "yard"},
			&world.Actor{ID: "ann", Order: 1, Name: "Ann", Place: "hall", HP: world.Known(9), HPMax: world.Known(9),
				Stats: stats("force", 3, "finesse", 1, "sailing", 2)},
			&world.Actor{ID: "bo", Order: 2, Name: "Bo", Place: "hall", HP: world.Known(8), Stats: stats("finesse", 4)},
			&world.Actor{ID: "rat", Order: 3, Name: "Rat", Place: "hall", HP: world.Known(5), Stats: stats("finesse", 2)},
			&world.Actor{ID: "cat", Order: 4, Name: "Cat", Place: "yard", HPMax: world.Known(6), Stats: stats("defence", 15)},
			&world.Actor{ID: "ghost", Order: 5, Place: "hall"},
			&world.Actor{ID: "sleeper", Order: 6, Name: "Sleeper", Place: "hall", State: world.Unconscious, HP: world.Known(1)},
			&world.Actor{ID: "corpse", Order: 7, Name: "Corpse", Place: "hall", State: world.Dead, HP: world.Known(0)},
			&world.Actor{ID: "odd", Order: 8, Name: "Odd", Place: "hall", State: "melted"},
			&world.Thing{ID: "sword", Name: "Sword", Parent: "ann", Stats: stats("damage", 8, "hit", 1)},
			&world.Thing{ID: "bow", Name: "Bow", Parent: "bo", Stats: stats("damage", 6, "range", 1)},
			&world.Thing{ID: "mug", Name: "Mug", Parent: "ann"}, &world.Thing{ID: "pike", Name: "Pike", Parent: "hall"},
		}, more...)...)
}

func TestRollDice(t *testing.T) {
	b := hall(t)
	o := b.ok(`{"total":9,"detail":"2d6+2","dice":[{"size":6,"value":3,"kept":true},{"size":6,"value":4,"kept":true}],"roll_no":0}`,
		"roll_dice", `{"expr":"2d6+2"}`, 3, 4)
	rulestest.Same(t, b.Text(o), "🎲 2d6+2")
	o = b.call("roll_dice", `{"expr":"1d4","reason":" luck "}`)
	rulestest.Same(t, []any{b.Text(o), b.Turn.Rolls[1].Why, b.Turn.Rolls[1].No}, []any{"🎲 luck: 1d4", " luck ", int64(1)})
	b.no(rules.Failed, "invalid_args", "no dice", "roll_dice", `{"expr":"fish"}`)
	b.no(rules.Failed, "invalid_args", "120", "roll_dice", `{"expr":"`+strings.Repeat("1", 121)+`"}`)
	b.Turn.Services.Throw = nil
	b.no(rules.Failed, "invalid_args", "there are no dice", "roll_dice", `{"expr":"1d6"}`)
	b.no(rules.Failed, "internal", "there are no dice", "skill_check", `{"actor_id":"ann","skill":"force","dc":10}`)
}

func TestLadder(t *testing.T) {
	// Ann has force 3: the face of the die, the difficulty, and what comes of them
	for _, c := range []struct {
		face    int64
		dc      string
		outcome string
	}{
		{12, `"difficulty":"medium"`, "success"}, {11, `"dc":15`, "partial"}, {9, `"dc":15`, "partial"}, {8, `"dc":15`, "fail"},
		{20, `"dc":15`, "crit"}, {20, `"dc":26`, "success"}, {20, `"dc":23`, "crit"}, {20, `"dc":27`, "fail to partial"},
		{1, `"dc":4`, "success to partial"}, {1, `"dc":7`, "partial to fail"}, {1, `"dc":8`, "fumble"}, {2,
			`"difficulty":"trivial"`, "success"},
		{7, `"difficulty":"easy"`, "success"}, {17, `"difficulty":"hard"`, "success"}, {19, `"difficulty":"extreme"`, "partial"},
	} {
		o := hall(t).call("skill_check", `{"actor_id":"ann","skill":"force",`+c.dc+`}`, c.face)
		want := c.outcome[strings.LastIndex(c.outcome, " ")+1:]
		if !strings.Contains(string(o.Result), `"outcome":"`+want+`"`) || o.Say.Key != "skill_check."+want {
			t.Errorf("%d against %s: %s, want %s", c.face, c.dc, o.Result, want)
		}
	}
}

func TestSkillCheck(t *testing.T) {
	b := hall(t)
	o := b.ok(`{"roll":17,"total":20,"dc":15,"outcome":"success","skill":"force","roll_no":0}`, "skill_check",
		`{"actor_id":" ann ","skill":"force","difficulty":"medium","advantage":"adv"}`, 4, 17)
	rulestest.Same(t, b.Text(o), "Ann (force 20 against 15): success.")
	rulestest.Same(t, b.exprs, []string{"2d20kh1+3"})
	for args, expr := range map[string]string{
		`"skill":"sailing","advantage":"dis"`: "2d20kl1+2", `"skill":"lore"`: "1d20", `"skill":"wits","help":"bo"`: "2d20kh1",
		`"skill":"wits","help":"bo","advantage":"dis"`: "1d20", `"skill":"wits","help":"bo","advantage":"adv"`: "2d20kh1",
	} {
		b.call("skill_check", `{"actor_id":"ann","dc":5,`+args+`}`)
		rulestest.Same(t, b.exprs, []string{expr})
	}
	for args, want := range map[string][2]string{
		`{"actor_id":"nobody","skill":"force","dc":5}`: {"entity_not_found", "nobody"},
		`{"actor_id":"ann","skill":"Force","dc":5}`: {"no_such_skill",
			"force, finesse, wits, charm, lore, sailing"},
		`{"actor_id":"ann","skill":"сила","dc":5}`:                           {"no_such_skill", "сила"},
		`{"actor_id":"ann","skill":"force","dc":5,"difficulty":"easy"}`:      {"invalid_args", "either"},
		`{"actor_id":"ann","skill":"force","dc":41}`:                         {"invalid_args", "40"},
		`{"actor_id":"ann","skill":"force","dc":0}`:                          {"invalid_args", "40"},
		`{"actor_id":"ann","skill":"force","difficulty":"легко"}`:            {"invalid_args", "extreme"},
		`{"actor_id":"ann","skill":"force","dc":5,"advantage":"yes"}`:        {"invalid_args", "adv"},
		`{"actor_id":"ann","skill":"force","dc":5,"help":"ann"}`:             {"not_here", "somebody else"},
		`{"actor_id":"ann","skill":"force","dc":5,"help":"cat"}`:             {"not_here", "Cat"},
		`{"actor_id":"ann","skill":"force","dc":5,"help":"nobody"}`:          {"entity_not_found", "nobody"},
		`{"actor_id":"ann","skill":"force","dc":5,"help":"ann","loud":true}`: {"invalid_args", "loud"},
	} {
		b.no(rules.Failed, want[0], want[1], "skill_check", args)
	}
	b.no(rules.Rejected, "actor_state_restricted", "Sleeper", "skill_check", `{"actor_id":"sleeper","skill":"force","dc":5}`)
	b.no(rules.Rejected, "actor_state_restricted", "unconscious", "skill_check",
		`{"actor_id":"ann","skill":"force","dc":5,"help":"sleeper"}`)
	b.no(rules.Rejected, "invalid_actor_state", "melted", "skill_check", `{"actor_id":"odd","skill":"force","dc":5}`)
}

func TestFailedChecksTickClocks(t *testing.T) {
	b := hall(t, &world.Clock{ID: "alarm", Order: 1, Name: "Alarm", Segments: 4, Filled: 2, Visible: true, OnFail: true,
		OnFull: "Guards come."},
		&world.Clock{ID: "plot", Order: 2, Name: "Secret plot", Segments: 4, OnFail: true},
		&world.Clock{ID: "tide", Order: 3, Name: "Tide", Segments: 4, Visible: true}, &world.Clock{ID: "over", Name: "Over",
			Segments: 4, OnFail: true, Closed: true})
	check := `{"actor_id":"ann","skill":"force","dc":20}`
	o := b.ok(`{"roll":2,"total":5,"dc":20,"outcome":"fail","skill":"force","roll_no":0,"ticked_clocks":["alarm","plot"]}`,
		"skill_check", check, 2)
	rulestest.Same(t, b.Text(o), "Ann (force 5 against 20): it fails. “Alarm” comes nearer: 3 of 4.")
	o = b.ok(`{"roll":1,"total":4,"dc":20,"outcome":"fumble","skill":"force","roll_no":1,"ticked_clocks":["alarm","plot"]}`,
		"skill_check", check, 1)
	rulestest.Same(t, b.Text(o), "Ann (force 4 against 20): it goes badly wrong. “Alarm” is full! Guards come.")
	o = b.call("skill_check", check, 2)
	rulestest.Same(t, b.Text(o), "Ann (force 5 against 20): it fails.")
	b.ok(`{"roll":16,"total":19,"dc":20,"outcome":"partial","skill":"force","roll_no":3}`, "skill_check", check, 16)
	rulestest.Same(t, []int64{b.World.Clock("alarm").Filled, b.World.Clock("plot").Filled, b.World.Clock("tide").Filled, b.World.Clock("over").Filled},
		[]int64{4, 3, 0, 0})
}

func TestOpposedCheck(t *testing.T) {
	b := hall(t)
	o := b.ok(`{"actor":{"id":"ann","roll":10,"total":13},"target":{"id":"rat","roll":10,"total":12},"winner":"ann"}`,
		"opposed_check",
		`{"actor_id":"ann","skill":"force","target_id":"rat","target_skill":"finesse"}`, 10, 10)
	rulestest.Same(t, b.Text(o), "Ann beats Rat (13 against 12).")
	b.ok(`{"actor":{"id":"ann","roll":10,"total":10},"target":{"id":"rat","roll":10,"total":10},"winner":"rat"}`, "opposed_check",
		`{"actor_id":"ann","skill":"wits","target_id":"rat","advantage":"dis"}`, 11, 10, 10)
	rulestest.Same(t, b.exprs, []string{"2d20kl1", "1d20"})
	b.call("opposed_check", `{"actor_id":"ann","skill":"wits","target_id":"sleeper"}`)
	for args, want := range map[string][2]string{
		`{"actor_id":"ann","skill":"wits","target_id":"ann"}`:                        {"self_target", "themselves"},
		`{"actor_id":"ann","skill":"wits","target_id":"nobody"}`:                     {"entity_not_found", "nobody"},
		`{"actor_id":"ann","skill":"wits","target_id":"corpse"}`:                     {"target_dead", "Corpse"},
		`{"actor_id":"ann","skill":"sums","target_id":"rat"}`:                        {"no_such_skill", "sums"},
		`{"actor_id":"ann","skill":"sailing","target_id":"rat"}`:                     {"no_such_skill", "Rat"},
		`{"actor_id":"ann","skill":"wits","target_id":"rat","target_skill":"magic"}`: {"no_such_skill", "magic"},
	} {
		b.no(rules.Failed, want[0], want[1], "opposed_check", args)
	}
}

func TestAttack(t *testing.T) {
	b := hall(t)
	o := b.ok(`{"to_hit":14,"roll":10,"defence":12,"hit":true,"damage":5,"new_hp":0,"state":"dying"}`, "attack",
		`{"attacker_id":"ann","target_id":"rat","weapon_id":"sword"}`, 10, 2)
	rulestest.Same(t, b.exprs, []string{"1d20+4", "1d8+3"})
	rulestest.Same(t, b.Text(o), "Ann hits Rat (Sword, 14 against 12). Damage: 5. HP: 0, dying.")
	rulestest.Same(t, []any{b.World.Actor("rat").State, b.World.Actor("rat").HP.N}, []any{world.Dying, int64(0)})
	o = b.ok(`{"to_hit":15,"roll":12,"defence":12,"hit":true,"damage":4,"new_hp":0,"state":"dead"}`, "attack",
		`{"attacker_id":"ann","target_id":"rat"}`, 12, 1)
	rulestest.Same(t, b.Text(o), "Ann hits Rat (bare hands, 15 against 12). Damage: 4. HP: 0, dead.")
	b.no(rules.Failed, "target_dead", "Rat", "attack", `{"attacker_id":"ann","target_id":"rat"}`)

	b.ok(`{"to_hit":23,"roll":20,"defence":14,"hit":true,"damage":7,"new_hp":1,"state":"alive"}`, "attack",
		`{"attacker_id":"ann","target_id":"bo","weapon_id":"mug"}`, 20, 2, 2)
	rulestest.Same(t, b.exprs, []string{"1d20+3", "2d4+3"})
	b.ok(`{"to_hit":5,"roll":1,"defence":11,"hit":false,"damage":0,"new_hp":9,"state":"alive"}`, "attack",
		`{"attacker_id":"bo","target_id":"ann","weapon_id":"bow"}`, 1)
	o = b.ok(`{"to_hit":14,"roll":10,"defence":15,"hit":false,"damage":0,"new_hp":6,"state":"alive"}`, "attack",
		`{"attacker_id":"bo","target_id":"cat","weapon_id":"bow","advantage":"dis"}`, 19, 10)
	rulestest.Same(t, b.Text(o), "Bo misses Cat (Bow, 14 against 15).")
	b.ok(`{"to_hit":24,"roll":20,"defence":15,"hit":true,"damage":6,"new_hp":0,"state":"dying"}`, "attack",
		`{"attacker_id":"bo","target_id":"cat","weapon_id":"bow"}`, 20, 1, 1)
	for args, want := range map[string][2]string{
		`{"attacker_id":"ann","target_id":"ann"}`:                     {"self_target", "themselves"},
		`{"attacker_id":"ann","target_id":"nobody"}`:                  {"entity_not_found", "nobody"},
		`{"attacker_id":"ann","target_id":"corpse"}`:                  {"target_dead", "Corpse"},
		`{"attacker_id":"ann","target_id":"ghost"}`:                   {"no_hp", "ghost"},
		`{"attacker_id":"ann","target_id":"cat","weapon_id":"sword"}`: {"not_here", "Cat"},
		`{"attacker_id":"bo","target_id":"cat"}`:                      {"not_here", "Cat"},
		`{"attacker_id":"ann","target_id":"bo","weapon_id":"pike"}`:   {"not_carried", "Pike"},
		`{"attacker_id":"ann","target_id":"bo","weapon_id":"gun"}`:    {"entity_not_found", "gun"},
	} {
		b.no(rules.Failed, want[0], want[1], "attack", args)
	}
	b.no(rules.Rejected, "actor_state_restricted", "Sleeper", "attack", `{"attacker_id":"sleeper","target_id":"ann"}`)
	for _, l := range []world.Link{
		{Door: world.ClosedDoor}, {Door: world.LockedDoor}, {Blocked: "rubble"}, {Hidden: true},
	} {
		l.From, l.To = "hall", "yard"
		b.Put(&l)
		b.no(rules.Failed, "not_here", "Cat", "attack", `{"attacker_id":"bo","target_id":"cat","weapon_id":"bow"}`)
	}
}

func TestWithoutTheRuleNobodyDies(t *testing.T) {
	b := hall(t)
	self := *b.World.Self()
	self.Rules = nil
	b.Put(&self)
	for range 3 {
		b.ok(`{"to_hit":23,"roll":20,"defence":12,"hit":true,"damage":5,"new_hp":0,"state":"alive"}`, "attack",
			`{"attacker_id":"ann","target_id":"rat"}`, 20)
		if b.World.Actor("rat").HP.N != 0 {
			t.Error("hit points")
		}
	}
}
