package checks_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

const everybody = `{"participants":["ann","bo","rat"]}`

func TestEncounterStart(t *testing.T) {
	b := hall(t)
	// Ann 10+1, Bo the worse of 9 and 18, +4, the rat 9+2
	o := b.ok(`{"order":[{"actor":"bo","init":13},{"actor":"rat","init":11},{"actor":"ann","init":11}],"round":1,"actor":"bo"}`,
		"encounter_start",
		`{"participants":["ann"," bo","rat"],"surprise":["bo"]}`, 10, 9, 18, 9)
	rulestest.Same(t, b.Text(o), "They act in this order: Bo 13, Rat 11, Ann 11.")
	rulestest.Same(t, b.exprs, []string{"1d20+1", "2d20kl1+4", "1d20+2"})
	rulestest.Same(t, b.World.Encounter(), &world.Encounter{Round: 1, Actors: []string{"bo", "rat", "ann"},
		Initiative: map[string]int64{"ann": 11, "bo": 13, "rat": 11}})
	rulestest.Same(t, []string{b.World.Self().Mode, b.World.Self().Active}, []string{"combat", "bo"})
	b.no(rules.Failed, "encounter_running", "end it", "encounter_start", everybody)

	twins := set(t, &world.Self{AllowAll: true}, &world.Actor{ID: "a"}, &world.Actor{ID: "b"}, &world.Actor{ID: "c"})
	twins.ok(`{"order":[{"actor":"c","init":5},{"actor":"a","init":5},{"actor":"b","init":4}],"round":1,"actor":"c"}`,
		"encounter_start",
		`{"participants":["c","a","b"]}`, 5, 5, 4)
	for args, want := range map[string][2]string{
		`{"participants":["ann"]}`: {"invalid_args", "2 to 40"},
		`{"participants":[]}`:      {"invalid_args", "2 to 40"},
		`{"participants":["ann"` + strings.Repeat(`,"bo"`, 40) + `]}`: {"invalid_args", "2 to 40"},
		`{"participants":["ann","ann"]}`:                              {"invalid_args", "twice"},
		`{"participants":["ann","nobody"]}`:                           {"entity_not_found", "nobody"},
		`{"participants":["ann","bo"],"surprise":["rat"]}`:            {"invalid_args", "rat"},
		`{}`: {"invalid_args", "participants"},
	} {
		hall(t).no(rules.Failed, want[0], want[1], "encounter_start", args)
	}
	hall(t).no(rules.Rejected, "actor_state_restricted", "Sleeper", "encounter_start", `{"participants":["ann","sleeper"]}`)
}

// fight is a fight in which Ann, the rat and Bo act in this order.
func fight(t rulestest.T, more ...world.Record) *table {
	t.Helper()
	b := hall(t, more...)
	b.call("encounter_start", everybody, 19, 1, 9)
	return b
}

// change replaces an actor by a changed copy.
func (b *table) change(id string, by func(*world.Actor)) {
	b.T.Helper()
	a := *b.World.Actor(id)
	by(&a)
	b.Put(&a)
}

func TestNextTurn(t *testing.T) {
	b := fight(t)
	o := b.ok(`{"actor":"rat","round":1,"over":false}`, "next_turn", `{}`)
	rulestest.Same(t, []string{b.Text(o), b.World.Self().Active}, []string{"Rat acts. Round 1.", "ann"}) // the rat is not of the party
	b.change("bo", func(a *world.Actor) { a.State = world.Dying })
	b.ok(`{"actor":"ann","round":2,"over":false}`, "next_turn", `{}`)
	b.change("rat", func(a *world.Actor) { a.State = world.Restrained })
	o = b.ok(`{"actor":"ann","round":3,"over":true}`, "next_turn", `{}`)
	if !strings.Contains(b.Text(o), "the fight can end") {
		t.Error(b.Text(o))
	}
	b.change("ann", func(a *world.Actor) { a.State = world.Unconscious })
	b.no(rules.Failed, "nobody_left", "end the fight", "next_turn", `{}`)
	hall(t).no(rules.Failed, "no_encounter", "no fight", "next_turn", `{}`)
	for _, e := range []world.Encounter{{Round: 1}, {Round: 1, Turn: 7, Actors: []string{"nobody", "ann"}}, {Round: 1, Turn: -1,
		Actors: []string{"ann"}}} {
		imported := set(t, &world.Self{AllowAll: true}, &world.Actor{ID: "ann"}, &e)
		if o := imported.call2("next_turn"); o.Code == rules.Internal {
			t.Errorf("%v: %s", e, imported.Text(o))
		}
	}
}

// call2 is call for a world whose encounter need not hold.
func (b *table) call2(tool string) rules.Outcome {
	return b.Turn.Do(context.Background(), rules.Call{Tool: tool}, nil)
}

func TestConditionsByRounds(t *testing.T) {
	b := fight(t)
	b.change("ann", func(a *world.Actor) { a.Rounds = map[string]int64{"stunned": 2, "blind": 1, "deaf": 1} })
	b.change("rat", func(a *world.Actor) { a.Rounds, a.State = map[string]int64{"slow": 1}, world.Dying })
	b.ok(`{"actor":"bo","round":1,"over":true,"expired":[{"actor_id":"ann","name":"blind"},{"actor_id":"ann","name":"deaf"},`+
		`{"actor_id":"rat","name":"slow"}]}`, "next_turn", `{}`)
	rulestest.Same(t, b.World.Actor("ann").Rounds, map[string]int64{"stunned": 1})
	b.ok(`{"actor":"ann","round":2,"over":true}`, "next_turn", `{}`)
	b.ok(`{"actor":"bo","round":2,"over":true,"expired":[{"actor_id":"ann","name":"stunned"}]}`, "next_turn", `{}`)
	rulestest.Same(t, b.World.Actor("ann").Rounds, map[string]int64(nil))
}

func TestContestsWithinThePartyGoOn(t *testing.T) {
	b := hall(t)
	b.call("encounter_start", `{"participants":["ann","bo"]}`, 10, 1)
	b.ok(`{"actor":"bo","round":1,"over":false}`, "next_turn", `{}`)
}

func TestTheDeadLeaveTheOrder(t *testing.T) {
	kill := func(b *table, who, by string) {
		b.change(who, func(a *world.Actor) { a.State, a.HP = world.Dying, world.Known(0) })
		b.call("attack", `{"attacker_id":"`+by+`","target_id":"`+who+`"}`, 20)
		rulestest.Same(b.T, b.World.Actor(who).State, world.Dead)
	}
	b := fight(t) // Ann, the rat, Bo
	b.call("next_turn", `{}`)
	kill(b, "ann", "rat")
	rulestest.Same(t, []any{b.World.Encounter().Actors, b.World.Encounter().Turn}, []any{[]string{"rat", "bo"}, int64(0)})
	b.ok(`{"actor":"bo","round":1,"over":false}`, "next_turn", `{}`)
	kill(b, "rat", "bo")
	b.ok(`{"actor":"bo","round":2,"over":true}`, "next_turn", `{}`)
	b = fight(t)
	b.call("next_turn", `{}`)
	b.call("next_turn", `{}`)
	kill(b, "bo", "ann") // on his own turn, the last of the round
	rulestest.Same(t, []any{b.World.Encounter().Actors, b.World.Encounter().Turn, b.World.Encounter().Round}, []any{[]string{"ann", "rat"}, int64(0),
		int64(2)})
}

func TestTheLastDeadEndsTheEncounter(t *testing.T) {
	b := hall(t, &world.Encounter{Round: 3, Actors: []string{"rat"}})
	b.change("rat", func(a *world.Actor) { a.State, a.HP = world.Dying, world.Known(0) })
	b.call("attack", `{"attacker_id":"ann","target_id":"rat"}`, 20)
	if b.World.Encounter() != nil || b.World.Self().Mode != "" {
		t.Errorf("%v, mode %q", b.World.Encounter(), b.World.Self().Mode)
	}
}

func TestEncounterEnd(t *testing.T) {
	b := hall(t, &world.Encounter{Round: 11, Actors: []string{"ann", "rat"}})
	self := *b.World.Self()
	self.ClockSet, self.Minute, self.Mode = true, 100, "combat"
	b.Put(&self)
	b.change("ann", func(a *world.Actor) {
		a.Rounds, a.Conditions = map[string]int64{"blind": 5}, map[string]int64{"wet": 102, "cold": 0}
	})
	o := b.ok(`{"rounds":11,"minutes":2}`, "encounter_end", `{}`)
	rulestest.Same(t, b.Text(o), "The fight is over. Rounds: 11.")
	rulestest.Same(t, []any{b.World.Encounter(), b.World.Self().Mode, b.World.Self().Minute, b.World.Actor("ann").Rounds, b.World.Actor("ann").Conditions},
		[]any{(*world.Encounter)(nil), "", int64(102), map[string]int64(nil), map[string]int64{"cold": 0}})
	b.no(rules.Failed, "no_encounter", "no fight", "encounter_end", `{}`)
	rulestest.Same(t, string(fight(t).call("encounter_end", `{}`).Result), `{"rounds":1,"minutes":0}`) // there is no clock
}

// TestAnyCall holds refused calls against the world's hash and the order against the living, both of which call does.
func TestAnyCall(t *testing.T) {
	book := hall(t).Turn.Book
	tools := book.Names()
	var params []string
	for _, tool := range tools {
		for _, p := range book.Tool(tool).Params {
			if !slices.Contains(params, p.Name) {
				params = append(params, p.Name)
			}
		}
	}
	value := rapid.SampledFrom([]string{
		`"ann"`, `"bo"`, `"rat"`, `"cat"`, `"nobody"`, `"force"`, `"easy"`, `"adv"`, `"dis"`, `"bow"`, `"sword"`, `"1d20"`,
		`""`, `5`, `-1`, `1.5`,
		`["ann","bo","rat"]`, `["rat","cat"]`, `[]`, `[null]`, `null`, `{}`, `true`, `"x\ny"`,
	})
	rapid.Check(t, func(t *rapid.T) {
		b := hall(t)
		for range rapid.IntRange(1, 20).Draw(t, "calls") {
			tool := rapid.SampledFrom(tools).Draw(t, "tool")
			args := map[string]string{}
			for range rapid.IntRange(0, 5).Draw(t, "args") {
				args[rapid.SampledFrom(params).Draw(t, "name")] = value.Draw(t, "value")
			}
			if rapid.Bool().Draw(t, "sensible") { // most random calls would be refused
				who := rapid.SampledFrom([]string{"ann", "bo", "rat"})
				args = map[string]string{"attacker_id": `"` + who.Draw(t, "a") + `"`, "target_id": `"` + who.Draw(t, "b") + `"`}
				tool = "attack"
			}
			members := make([]string, 0, len(args))
			for _, p := range append(params, "attacker_id") {
				if v, ok := args[p]; ok {
					members = append(members, fmt.Sprintf("%q:%s", p, v))
					delete(args, p)
				}
			}
			faces := rapid.SliceOfN(rapid.Int64Range(1, 20), 0, 4).Draw(t, "faces")
			if o := b.call(tool, "{"+strings.Join(members, ",")+"}", faces...); o.Code == rules.Internal {
				t.Fatalf("%s %v: %s", tool, members, b.Text(o))
			}
			for _, a := range b.World.Actors() {
				if a.HP.Known && (a.HP.N < 0 || a.HP.N == 0 && rules.CanAct(a)) {
					t.Fatalf("%s has %s hit points and is %q", a.ID, a.HP, a.State)
				}
			}
		}
	})
}

func TestWordsInEveryLanguage(t *testing.T) {
	for _, lang := range []string{"ru", "zh"} {
		b := fight(t)
		self := *b.World.Self()
		self.Lang = lang
		b.Put(&self)
		for _, call := range [][2]string{
			{"skill_check", `{"actor_id":"ann","skill":"force","difficulty":"easy"}`}, {"attack",
				`{"attacker_id":"ann","target_id":"rat"}`},
			{"next_turn", `{}`}, {"attack", `{"attacker_id":"sleeper","target_id":"rat"}`}, {"encounter_end", `{}`},
		} {
			if o := b.call(call[0], call[1], 20, 20, 20); b.Text(o) == b.Turn.Book.Text("en", o.Say) {
				t.Errorf("%s %s: %q", lang, call[0], b.Text(o))
			}
		}
	}
}
