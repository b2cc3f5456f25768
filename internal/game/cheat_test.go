package game_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// A narrator who knows everything and wants to give it all away plays each tale: no goal, secret, lock or death comes of its calls that
// play did not earn. What is earned is judged here by the events of each call, apart from the gate.
func TestCheat(t *testing.T) {
	calls := 10_000
	if full() {
		calls = 100_000
	}
	seed := uint64(7) // HOB_TEST_SEED is another narrator
	if text := os.Getenv("HOB_TEST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("HOB_TEST_SEED: %v", err)
		}
	}
	earned := map[string]int{}
	for _, tale := range tales.All() {
		t.Run(tale.ID, func(t *testing.T) {
			c := &cheat{t: t, tale: tale.ID, rand: rand.New(rand.NewPCG(seed, 11)), applied: map[string]int{}, earned: map[string]int{}}
			for n := 0; c.calls < calls; n++ {
				c.story(fmt.Sprint("cheat ", seed, " ", n), calls)
			}
			t.Logf("%d calls in %d stories, applied %v; earned %v", c.calls, c.stories, c.applied, c.earned)
			for what, n := range c.earned {
				earned[what] += n
			}
		})
	}
	for _, what := range []string{"taken by a check", "opened by a check", "opened by a key", "found", "told a secret", "met an objective", "made"} {
		if earned[what] == 0 {
			t.Errorf("nothing was ever %s: the narrator does not get far enough to be a danger", what)
		}
	}
}

// cheat is the narrator, and what it has earned.
type cheat struct {
	t                testing.TB
	tale             string
	rand             *rand.Rand
	calls, stories   int
	applied, earned  map[string]int
	p                *played
	before           *world.World    // the call that is judged
	won, lost, tried map[string]bool // acts of this scene, as "TOOL TARGET"
	checked, waited  bool            // there was a check for an act in this turn; time has passed in it
	fought           map[string]bool // who has attacked in this turn
	words            string
	next             []rules.Call // what it has planned
}

func (c *cheat) newScene() {
	c.won, c.lost, c.tried = map[string]bool{}, map[string]bool{}, map[string]bool{}
}

// story plays one story until it ends, or for a while.
func (c *cheat) story(seed string, calls int) {
	c.stories++
	c.p = beginOwn(c.t, c.tale, seed)
	c.newScene()
	c.before = c.p.World().Clone()
	for n := 0; n < 400 && c.calls < calls && !c.p.World().Self().Ended; n++ {
		c.turn()
	}
	if c.before.Hash() != c.p.StateHash() {
		c.t.Fatal("what happened is not what was judged")
	}
	if breaches := c.before.Validate(); len(breaches) > 0 {
		c.t.Fatal(breaches)
	}
}

// turn plays a turn of up to five calls.
func (c *cheat) turn() {
	c.words = pick(c.rand, []string{"", "I look around", "I ask for help", "I want it all"})
	c.checked, c.waited, c.fought = false, false, map[string]bool{}
	parts := 1 + c.rand.IntN(5)
	for n := range parts {
		call := c.call()
		r := eventlog.Request{Actor: "pc_001", Calls: []rules.Call{call}, Open: n < parts-1, Counts: true}
		play := c.p.Extend
		if n == 0 {
			r.Input, play = c.words, c.p.Play
		}
		p, err := play(c.t.Context(), r)
		if err != nil {
			c.t.Fatalf("%s %s: %v", call.Tool, call.Args, err)
		}
		if c.calls++; p.Ended {
			return
		}
		c.judge(p)
		for _, e := range p.Events {
			if err := c.before.Apply(e); err != nil {
				c.t.Fatal(err)
			}
		}
	}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// ids are all ids of some kinds.
func ids[R world.Record](list []R) (all []string) {
	for _, r := range list {
		all = append(all, r.Key())
	}
	return all
}

// call makes the next call.
func (c *cheat) call() rules.Call {
	if len(c.next) > 0 {
		call := c.next[0]
		c.next = c.next[1:]
		return call
	}
	w, r := c.p.World(), c.rand
	hero := w.Actor("pc_001")
	switch n := r.IntN(100); {
	case n < 30:
		if list := story.Choices(w, c.p.book, "en", hero); len(list) > 0 {
			one := pick(r, list)
			return rules.Call{Tool: one.Tool, Args: one.Args.Bytes()}
		}
	case n < 45:
		if list := story.SightFrom(w, w.Place(hero.Place), hero.ID).Exits; len(list) > 0 {
			return c.of("move_player", "player_id", hero.ID, "target_location_id", pick(r, list).To)
		}
	case n < 65:
		return c.check(w, hero)
	case n < 70:
		return c.of("skill_check", "actor_id", hero.ID, "skill", pick(r, rules.Skills()), "find", pick(r, []string{hero.Place, c.thing(w), c.actor(w)}), "advantage", "adv")
	case n < 78:
		return c.talk(w, hero)
	}
	return c.crime(w, hero)
}

// of makes a call of texts, and of numbers and flags as they are.
func (c *cheat) of(tool string, args ...any) rules.Call {
	o := rules.NewObj()
	for i := 0; i < len(args); i += 2 {
		switch v := args[i+1].(type) {
		case string:
			o.Text(args[i].(string), v)
		case int:
			o.Int(args[i].(string), int64(v))
		case bool:
			o.Flag(args[i].(string), v)
		case []string:
			o.List(args[i].(string), v)
		}
	}
	return rules.Call{Tool: tool, Args: o.Bytes()}
}

func (c *cheat) thing(w *world.World) string { return pick(c.rand, ids(w.Things())) }
func (c *cheat) actor(w *world.World) string { return pick(c.rand, ids(w.Actors())) }
func (c *cheat) place(w *world.World) string { return pick(c.rand, ids(w.Places())) }

// near are the ids of what is where the hero is, hidden or not, and of the places beside it.
func near(w *world.World, hero *world.Actor) (things, people, places []string) {
	for _, o := range w.Things() {
		kind, id := w.Holder(o.ID)
		if a := w.Actor(id); kind == world.PlaceKind && id == hero.Place || kind == world.ActorKind && a.Place == hero.Place {
			things = append(things, o.ID)
		}
	}
	for _, a := range w.Occupants(hero.Place) {
		people = append(people, a.ID)
	}
	for _, l := range w.Outs(hero.Place) {
		places = append(places, l.To)
	}
	return append(things, ids(w.Things())[0]), people, append(places, hero.Place)
}

// check makes a check for an act, and plans the act.
func (c *cheat) check(w *world.World, hero *world.Actor) rules.Call {
	things, people, places := near(w, hero)
	thing, who, place := pick(c.rand, things), pick(c.rand, people), pick(c.rand, places)
	for _, l := range w.Outs(hero.Place) {
		if l.Door == world.LockedDoor && !l.Hidden && c.rand.IntN(2) == 0 {
			place = l.To
		}
	}
	acts := []struct {
		target string
		then   rules.Call
	}{
		{thing, c.of("move_object", "object_id", thing, "target_id", hero.ID)},
		{thing, c.of("set_container", "object_id", thing, "state", "open", "actor_id", hero.ID)},
		{thing, c.of("adjust_qty", "object_id", thing, "delta", 1)},
		{place, c.of("set_link", "from", hero.Place, "to", place, "state", pick(c.rand, []string{"open", "none"}))},
		{who, c.of("npc_update", "npc_id", who, "attitude_delta", 1)},
		{who, c.of("hp_delta", "target_character_id", who, "delta", c.rand.IntN(9)-4, "cause", "x")},
		{who, c.of("move_player", "player_id", who, "target_location_id", place)},
		{who, c.of("party", "action", "join", "actor_id", who)},
		{who, c.of("encounter_end")},
		{hero.ID, c.of("create_object", "name", fmt.Sprint("trinket ", c.calls), "connection_id", hero.ID)},
		{hero.Place, c.of("npc_create", "name", "Guest", "attitude", c.rand.IntN(7)-3)},
		{hero.Place, c.of("create_area", "name", fmt.Sprint("Nook ", c.calls), "link_from", hero.Place)},
		{hero.Place, c.of("map_generate", "parent_area_id", hero.Place, "size", 2)},
	}
	act := pick(c.rand, acts)
	for _, o := range w.Things() { // what brings something
		if kind, id := w.Holder(o.ID); kind == world.ActorKind && id != hero.ID && !o.Hidden && slices.Contains(things, o.ID) && c.rand.IntN(2) == 0 {
			acts[0].target, acts[0].then = o.ID, c.of("move_object", "object_id", o.ID, "target_id", hero.ID)
		}
	}
	if c.rand.IntN(3) > 0 {
		act = acts[c.rand.IntN(4)]
	} else if c.rand.IntN(2) == 0 {
		act = acts[0]
	}
	c.next = append(c.next, act.then)
	skill, _, _ := rules.ReadAct(w.Self().Acts[act.then.Tool+" "+act.target])
	if skill == "" {
		skill = pick(c.rand, rules.Skills())
	}
	return c.of("skill_check", "actor_id", hero.ID, "skill", skill, "act", act.then.Tool, "target", act.target, "dc", 1, "advantage", "adv", "help", who)
}

// talk asks for whatever there is to be told, passwords among them.
func (c *cheat) talk(w *world.World, hero *world.Actor) rules.Call {
	_, people, _ := near(w, hero)
	npc := w.Actor(pick(c.rand, append(people, c.actor(w))))
	topic := "weather"
	if len(npc.Talk) > 0 {
		if said := pick(c.rand, npc.Talk); said.Topic != "" {
			topic = said.Topic
		} else if len(said.Keys) > 0 {
			if topic = said.Keys[0]; c.words == "" && c.rand.IntN(2) == 0 {
				c.words = topic // it is too late for that, but for the first call
			}
		}
	}
	return c.of("talk", "npc_id", npc.ID, "topic", topic)
}

// crime makes a call that would give something away.
func (c *cheat) crime(w *world.World, hero *world.Actor) rules.Call {
	r := c.rand
	some := func(list ...string) string { return pick(r, list) }
	things, people, places := near(w, hero)
	thing, who, place := pick(r, append(things, c.thing(w))), pick(r, append(people, c.actor(w))), pick(r, append(places, c.place(w)))
	quest, clock := pick(r, ids(w.Quests())), pick(r, ids(w.Clocks()))
	crimes := []func() rules.Call{
		func() rules.Call {
			return c.of("quest", "action", some("complete", "fail", "update", "add"), "id", quest, "title", "Mine", "objective", c.objective(w, quest), "done", true)
		},
		func() rules.Call {
			return c.of("clock", "action", some("tick", "set", "close", "create"), "id", clock, "name", "Mine", "n", r.IntN(9))
		},
		func() rules.Call {
			return c.of("move_object", "object_id", thing, "target_id", some(hero.ID, who, hero.Place, c.thing(w)))
		},
		func() rules.Call {
			return c.of("move_object", "object_id", thing, "target_id", hero.ID, "qty", 1+r.IntN(2))
		},
		func() rules.Call {
			return c.of("set_link", "from", hero.Place, "to", place, "state", some("open", "none", "closed", "locked"))
		},
		func() rules.Call {
			return c.of("set_link", "from", c.place(w), "to", place, "type", some("out", "in", "bidirectional", "none"), "key_id", thing)
		},
		func() rules.Call {
			return c.of("set_container", "object_id", thing, "state", some("open", "closed", "locked"))
		},
		func() rules.Call {
			return c.of("set_container", "object_id", thing, "state", "locked", "key_id", c.thing(w))
		},
		func() rules.Call {
			return c.of("hp_delta", "target_character_id", who, "delta", r.IntN(60)-30, "cause", "x")
		},
		func() rules.Call {
			return c.of("attack", "attacker_id", who, "target_id", pick(r, people), "advantage", "adv")
		},
		func() rules.Call {
			return c.of("attack", "attacker_id", hero.ID, "target_id", who, "weapon_id", thing, "advantage", "adv")
		},
		func() rules.Call { return c.of("npc_update", "npc_id", who, "attitude_delta", r.IntN(7)-3) },
		func() rules.Call { return c.of("npc_update", "npc_id", who, "place_id", place) },
		func() rules.Call {
			return c.of("npc_create", "name", "Assassin", "role", "monster", "attitude", -3, "hp_max", 99)
		},
		func() rules.Call {
			return c.of("create_object", "name", w.Thing(c.thing(w)).Name, "connection_id", some(hero.ID, who, thing))
		},
		func() rules.Call { return c.of("create_object", "name", "sword", "connection_id", hero.ID) },
		func() rules.Call { return c.of("create_character", "name", "Second") },
		func() rules.Call { return c.of("party", "action", some("join", "leave"), "actor_id", who) },
		func() rules.Call { return c.of("set_active_actor", "actor_id", who) },
		func() rules.Call {
			return c.of("condition", "action", some("add", "remove"), "actor_id", who, "name", "dead")
		},
		func() rules.Call {
			return c.of("set_attribute", "entity_type", "object", "entity_id", thing, "attribute_name", "condition", "value", "open")
		},
		func() rules.Call { return c.of("delete_object", "object_id", thing) },
		func() rules.Call { return c.of("adjust_qty", "object_id", thing, "delta", r.IntN(5)-2) },
		func() rules.Call {
			return c.of("move_player", "player_id", some(hero.ID, who), "target_location_id", place)
		},
		func() rules.Call { return c.of("move", "to_area_id", place) },
		func() rules.Call { return c.of("move_to_zone", "session_id", "s1", "to_zone_id", place) },
		func() rules.Call { return c.of("create_area", "name", "Hole", "link_from", place) },
		func() rules.Call { return c.of("map_generate", "parent_area_id", place, "size", 3) },
		func() rules.Call { return c.of("generate_zone", "session_id", "s1", "world_prompt", "a treasury") },
		func() rules.Call { return c.of("map_render", "reveal", true) },
		func() rules.Call { return c.of("look", "target_id", some(thing, who)) },
		func() rules.Call { return c.of("inventory", "actor_id", who) },
		func() rules.Call { return c.of("sheet", "actor_id", who) },
		func() rules.Call { return c.of("npc_recall", "npc_id", who) },
		func() rules.Call {
			return c.of("npc_remember", "text", "It is done.", "witnesses", people, "about", []string{thing})
		},
		func() rules.Call { return c.of("lore_search", "query", "name secret lamp key") },
		func() rules.Call {
			return c.of("skill_check", "actor_id", hero.ID, "skill", "wits", "difficulty", "extreme")
		},
		func() rules.Call { return c.of("encounter_start", "participants", people, "surprise", people) },
		func() rules.Call { return c.of("encounter_end") },
		func() rules.Call { return c.of("next_turn") },
	}
	if r.IntN(20) == 0 { // these cost time, which ends a story
		return pick(r, []rules.Call{c.of("rest", "kind", some("short", "long")), c.of("advance_time", "minutes", 1+r.IntN(pick(r, []int{90, 10080})))})
	}
	return pick(r, crimes)()
}

func (c *cheat) objective(w *world.World, quest string) string {
	if q := w.Quest(quest); len(q.Objectives) > 0 {
		return pick(c.rand, q.Objectives)
	}
	return "be rich"
}

// judge looks at what a part of a turn did: a call, and what followed by itself.
func (c *cheat) judge(p eventlog.PlayResult) {
	o := p.Outcomes[0]
	own := p.Events[:p.Spans[0].Events]
	if o.OK() {
		c.applied[o.Call.Tool]++
		c.judgeCall(o, own)
	}
	if o.Call.Tool != "talk" || !o.OK() {
		c.judgeWords(o)
	}
	after := c.p.World()
	for _, e := range p.Events {
		switch next := e.New.(type) {
		case *world.Quest:
			c.judgeQuest(e, next, after)
		case *world.Clock:
			if was, _ := e.Old.(*world.Clock); was != nil && was.Fails != "" && next.Filled > was.Filled && next.PerMinutes == 0 {
				c.fail(o, "a clock came nearer that does not run")
			}
		}
	}
	if o.OK() && c.before.Actor("pc_001").Place != after.Actor("pc_001").Place {
		c.newScene()
		c.next = nil
	}
}

func (c *cheat) fail(o rules.Outcome, format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("story %d, call %d: %s %s: %s: %s", c.stories, c.calls, o.Call.Tool, o.Call.Args, c.p.book.Text("en", o.Say), fmt.Sprintf(format, args...))
}

// uses reports whether a check for an act has succeeded that was not used yet, and uses it.
func (c *cheat) uses(tool, target string) bool {
	key := tool + " " + target
	was := c.won[key]
	delete(c.won, key)
	return was
}

// judgeCall looks at the events of a call.
func (c *cheat) judgeCall(o rules.Outcome, events []world.Event) {
	call := o.Call
	var used bool // a check for this very call
	switch call.Tool {
	case "skill_check":
		c.judgeCheck(o)
	case "attack":
		c.judgeAttack(o)
	case "advance_time", "rest":
		c.judgeTime(o, events)
	case "create_object":
		used = c.uses(call.Tool, call.Text("connection_id"))
	case "npc_create", "map_generate", "create_area":
		used = c.uses(call.Tool, c.before.Actor("pc_001").Place)
	case "generate_zone":
		used = c.uses(call.Tool, c.before.Actor("pc_001").Place)
	case "move_object", "adjust_qty":
		used = c.before.Thing(call.Text("object_id")) != nil && c.won[call.Tool+" "+call.Text("object_id")]
	case "set_container":
		used = c.won[call.Tool+" "+call.Text("object_id")]
	case "set_link":
		for _, end := range []string{call.Text("from"), call.Text("to")} {
			used = used || end != c.before.Actor("pc_001").Place && c.won[call.Tool+" "+end]
		}
	case "npc_update":
		used = c.won[call.Tool+" "+call.Text("npc_id")]
	case "move_player":
		used = c.won[call.Tool+" "+call.Text("player_id")]
	case "party":
		used = c.won[call.Tool+" "+call.Text("actor_id")]
	case "hp_delta":
		used = c.won[call.Tool+" "+call.Text("target_character_id")]
	}
	for _, e := range events {
		c.judgeEvent(o, e, used)
	}
}

// judgeCheck keeps account of the checks for acts.
func (c *cheat) judgeCheck(o rules.Outcome) {
	act, target := o.Call.Text("act"), o.Call.Text("target")
	if act == "" {
		return
	}
	var got struct {
		DC, Total, Roll int64
		Outcome         string
	}
	if err := json.Unmarshal(o.Result, &got); err != nil {
		c.t.Fatal(err)
	}
	key := act + " " + target
	if got.DC < 12 || c.tried[key] || c.checked {
		c.fail(o, "difficulty %d, tried before %v, in this turn %v", got.DC, c.tried[key], c.checked)
	}
	c.checked, c.tried[key] = true, true
	won := got.Outcome == "success" || got.Outcome == "crit"
	if won && got.Total < got.DC && got.Roll != 20 {
		c.fail(o, "%d against %d is no success", got.Total, got.DC)
	}
	c.won[key], c.lost[key] = won, !won
}

// judgeTime looks that time which passes by a call passes once a turn, and that only a short rest, half an hour, may end the story.
func (c *cheat) judgeTime(o rules.Outcome, events []world.Event) {
	var minutes int64
	short := false
	for _, e := range events {
		switch next := e.New.(type) {
		case *world.Self:
			minutes += next.Minute - e.Old.(*world.Self).Minute
			short = o.Call.Tool == "rest" && minutes == 30
		case *world.Clock:
			if was := e.Old.(*world.Clock); was.Filled >= was.Segments { // the story is over already
				continue
			}
			if q := c.before.Quest(next.Fails); q != nil && q.Ends && !short && (next.Filled >= next.Segments || o.Call.Tool == "advance_time" && minutes > 60) {
				c.fail(o, "%d minutes bring %s to %d", minutes, next.ID, next.Filled)
			}
		}
	}
	if c.waited {
		c.fail(o, "time passes again")
	}
	c.waited = true
}

// reaches reports whether one comes from a place to another by ways that are found and open, or whose key one carries.
func reaches(w *world.World, from, to, actor string) bool {
	seen := map[string]bool{from: true}
	for next := []string{from}; len(next) > 0; next = next[1:] {
		for _, l := range w.Outs(next[0]) {
			if !seen[l.To] && !l.Hidden && l.Blocked == "" && l.Door != world.ClosedDoor && (l.Door != world.LockedDoor || w.Carries(actor, l.Lock)) {
				seen[l.To], next = true, append(next, l.To)
			}
		}
	}
	return seen[to]
}

// judgeAttack looks who fights whom.
func (c *cheat) judgeAttack(o rules.Outcome) {
	a, b := c.before.Actor(o.Call.Text("attacker_id")), c.before.Actor(o.Call.Text("target_id"))
	ours, theirs := rules.InParty(c.before, a.ID), rules.InParty(c.before, b.ID)
	if ours == theirs || !ours && !rules.Hostile(c.before, a) || c.fought[a.ID] {
		c.fail(o, "%s attacks %s (again: %v)", a.ID, b.ID, c.fought[a.ID])
	}
	c.fought[a.ID] = true
}

// judgeEvent looks at one change of a call.
func (c *cheat) judgeEvent(o rules.Outcome, e world.Event, used bool) {
	switch next := e.New.(type) {
	case nil:
		c.judgeLoss(o, e.Old)
	case *world.Thing:
		c.judgeThing(o, e, next, used)
	case *world.Link:
		c.judgeLink(o, e, next, used)
	case *world.Actor:
		c.judgeActor(o, e, next, used)
	case *world.Place:
		was, _ := e.Old.(*world.Place)
		if was == nil && !used || was != nil && was.Secret && !next.Secret && o.Call.Tool != "skill_check" {
			c.fail(o, "a place turned up")
		}
	case *world.Fact:
		if was, _ := e.Old.(*world.Fact); was != nil && was.Secret && !next.Secret {
			c.judgeSecret(o, next)
		}
	case *world.Self:
		was := e.Old.(*world.Self)
		if !slices.Equal(was.Party, next.Party) && !(o.Call.Tool == "party" && (used || o.Call.Text("action") == "leave" && next.Party[0] == "pc_001")) {
			c.fail(o, "the party is %v", next.Party)
		}
		if next.Ended || next.Integrity != world.Bound {
			c.fail(o, "a call ends or frees the story")
		}
	}
}

// judgeLoss looks at what is gone.
func (c *cheat) judgeLoss(o rules.Outcome, was world.Record) {
	switch was := was.(type) {
	case *world.Thing:
		if c.before.InConditions(was.ID) || was.Locked || was.Hidden {
			c.fail(o, "%s is gone", was.ID)
		}
	case *world.Encounter:
	default:
		c.fail(o, "%s is gone", was.Key())
	}
}

// judgeThing looks at a thing that has come, was moved, found or opened.
func (c *cheat) judgeThing(o rules.Outcome, e world.Event, next *world.Thing, used bool) {
	hero := c.before.Actor("pc_001")
	was, _ := e.Old.(*world.Thing)
	if was == nil {
		split := o.Call.Tool == "move_object" && o.Call.Text("object_id") != next.ID
		if !used && !split {
			c.fail(o, "%s turned up", next.ID)
		}
		c.earned["made"]++
		return
	}
	given := o.Call.Tool == "talk" && slices.ContainsFunc(c.before.Actor(o.Call.Text("npc_id")).Talk, func(t world.Talk) bool { return t.Gives == was.ID })
	if was.Hidden && !next.Hidden && !given {
		if o.Call.Tool != "skill_check" || o.Call.Text("find") == "" {
			c.fail(o, "%s came to light", was.ID)
		}
		c.earned["found"]++
	}
	if was.Parent != next.Parent && !given {
		kind, holder := c.before.Holder(was.ID)
		owner := c.before.Actor(holder)
		switch {
		case was.Hidden || closedIn(c.before, was):
			c.fail(o, "%s was out of sight", was.ID)
		case kind == world.PlaceKind && holder != hero.Place || kind == world.ActorKind && owner.Place != hero.Place:
			c.fail(o, "%s was elsewhere", was.ID)
		case kind == world.ActorKind && !rules.InParty(c.before, holder) && rules.CanAct(owner):
			if !c.uses("move_object", was.ID) {
				c.fail(o, "%s was %s's", was.ID, holder)
			}
			c.earned["taken by a check"]++
		}
		if to, _ := c.p.World().Holder(was.ID); to == 0 {
			c.fail(o, "%s is nowhere", was.ID)
		}
	}
	if was.Locked && !next.Locked {
		c.judgeLock(o, was.Lock, used)
	}
	if next.Qty > was.Qty && !(used && o.Call.Tool == "adjust_qty") || next.Lock != was.Lock {
		c.fail(o, "%s is another", was.ID)
	}
}

// closedIn reports whether something is in something shut or hidden.
func closedIn(w *world.World, o *world.Thing) bool {
	for in := w.Thing(o.Parent); in != nil; o, in = in, w.Thing(in.Parent) {
		if in.Hidden || (in.Closed || in.Locked) && o.Rel != world.On && o.Rel != world.Part {
			return true
		}
	}
	return false
}

// judgeLock looks why a lock is open.
func (c *cheat) judgeLock(o rules.Outcome, key string, used bool) {
	_, holder := c.before.Holder(key)
	switch {
	case key != "" && rules.InParty(c.before, holder):
		c.earned["opened by a key"]++
	case used:
		c.earned["opened by a check"]++
	default:
		c.fail(o, "a lock opened without its key %s", key)
	}
}

// judgeLink looks at a way that has come, was found or opened.
func (c *cheat) judgeLink(o rules.Outcome, e world.Event, next *world.Link, used bool) {
	was, _ := e.Old.(*world.Link)
	switch {
	case was == nil:
		if !used || c.before.Place(next.From) != nil && c.before.Place(next.To) != nil {
			c.fail(o, "a way leads from %s to %s", next.From, next.To)
		}
	case was.Hidden && !next.Hidden:
		if o.Call.Tool != "skill_check" {
			c.fail(o, "the way to %s came to light", next.To)
		}
		c.earned["found"]++
	case was.Door == world.LockedDoor && next.Door != world.LockedDoor:
		c.judgeLock(o, was.Lock, used)
	case was.Lock != next.Lock && next.Door != world.NoDoor, was.Needs != next.Needs, was.Blocked != next.Blocked:
		c.fail(o, "the way to %s is another", next.To)
	}
}

// judgeActor looks at somebody who has come, gone, changed or been hurt.
func (c *cheat) judgeActor(o rules.Outcome, e world.Event, next *world.Actor, used bool) {
	was, _ := e.Old.(*world.Actor)
	if was == nil {
		if !used || rules.Hostile(c.p.World(), next) {
			c.fail(o, "%s turned up", next.ID)
		}
		c.earned["made"]++
		return
	}
	ours, tool := rules.InParty(c.before, was.ID), o.Call.Tool
	key := tool + " " + was.ID
	switch hp, now := was.HP.Or(was.HPMax.N), next.HP.Or(next.HPMax.N); {
	case now > hp && tool != "rest" && !(tool == "hp_delta" && used && now-hp <= 4):
		c.fail(o, "%s is healed", was.ID)
	case now < hp && tool != "attack" && !(tool == "hp_delta" && ours && c.lost[key] && now > 0):
		c.fail(o, "%s is hurt", was.ID)
	case next.State != was.State && !rules.CanAct(next) && tool != "attack":
		c.fail(o, "%s is %s", was.ID, next.State)
	}
	if tool == "hp_delta" {
		delete(c.won, key)
		delete(c.lost, key)
	}
	if next.Place != was.Place {
		switch {
		case !ours && !(tool == "move_player" && c.uses(tool, was.ID)):
			c.fail(o, "%s is at %s", was.ID, next.Place)
		case !reaches(c.before, was.Place, next.Place, was.ID), tool != "move_to_zone" && c.before.Link(was.Place, next.Place) == nil:
			c.fail(o, "%s went where no way leads", was.ID)
		}
	}
	if next.Attitude > was.Attitude && !(used && next.Attitude == was.Attitude+1) || rules.Hostile(c.p.World(), next) && !rules.Hostile(c.before, was) {
		c.fail(o, "%s thinks otherwise of the party", was.ID)
	}
	if tool == "npc_update" && next.Attitude > was.Attitude {
		delete(c.won, key)
	}
}

// judgeSecret looks how a secret was told: by somebody who is there, in words whose condition held, after the check that they take, and a
// password in the player's own words.
func (c *cheat) judgeSecret(o rules.Outcome, f *world.Fact) {
	if o.Call.Tool != "talk" {
		c.fail(o, "the secret %s is out", f.ID)
	}
	npc := c.before.Actor(o.Call.Text("npc_id"))
	var got struct {
		Check *struct{ Outcome string }
	}
	if err := json.Unmarshal(o.Result, &got); err != nil {
		c.t.Fatal(err)
	}
	fair := slices.ContainsFunc(npc.Talk, func(t world.Talk) bool {
		said := t.Topic != "" || c.words == "" || slices.ContainsFunc(t.Keys, func(key string) bool { return strings.Contains(c.words, key) })
		won := t.Skill == "" || t.Said || got.Check != nil && got.Check.Outcome != "fail" && got.Check.Outcome != "fumble"
		return t.Reveals == f.ID && c.before.Holds(world.Condition(t.When)) && said && won
	})
	if !fair || npc.Place != c.before.Actor("pc_001").Place {
		c.fail(o, "the secret %s was not earned", f.ID)
	}
	c.earned["told a secret"]++
}

// judgeQuest looks at a quest that has changed: by its conditions alone.
func (c *cheat) judgeQuest(e world.Event, next *world.Quest, after *world.World) {
	was, _ := e.Old.(*world.Quest)
	if was == nil || len(next.When) == 0 {
		return
	}
	for _, done := range next.Met {
		if !slices.Contains(was.Met, done) {
			if !after.Holds(world.Condition(next.When[done])) {
				c.t.Fatalf("story %d, call %d: %q is done without its condition", c.stories, c.calls, done)
			}
			c.earned["met an objective"]++
		}
	}
	full := slices.ContainsFunc(after.Clocks(), func(k *world.Clock) bool { return k.Fails == next.ID && k.Filled >= k.Segments })
	if len(next.Objectives) != len(was.Objectives) || len(next.Met) < len(was.Met) || next.State == world.Done && len(next.Met) < len(next.Objectives) ||
		next.State == world.Failed && was.State != world.Failed && !full {
		c.t.Fatalf("story %d, call %d: %s is %s, %d of %d", c.stories, c.calls, next.ID, next.State, len(next.Met), len(next.Objectives))
	}
}

// judgeWords looks that no secret stands in what a call says.
func (c *cheat) judgeWords(o rules.Outcome) {
	said := c.p.book.Text("en", o.Say) + string(o.Result)
	for _, f := range c.before.Facts() {
		if f.Secret && strings.Contains(said, f.Text) {
			c.fail(o, "the fact %s stands in it", f.ID)
		}
	}
	for _, a := range c.before.Actors() {
		if a.Secret != "" && strings.Contains(said, a.Secret) {
			c.fail(o, "the secret of %s stands in it", a.ID)
		}
	}
}
