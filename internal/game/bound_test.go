package game_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// played is a tale in play.
type played struct {
	t testing.TB
	*eventlog.Log
	book *rules.Book
}

// beginOwn begins a tale of hob.
func beginOwn(t testing.TB, id, seed string) *played {
	t.Helper()
	tale, ok := tales.ByID(id)
	if !ok {
		t.Fatalf("there is no tale %q", id)
	}
	book := book(t)
	w, counts, err := tale.Begin(book, tales.Start{Session: "s1", Lang: "en", Hero: "Mara"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := eventlog.Create(t.Context(), eventlog.NewMemoryStorage(),
		eventlog.Beginning{ID: id, Seed: game.SeedOf(seed), World: w, Counts: counts}, game.Options(book, noon))
	if err != nil {
		t.Fatal(err)
	}
	return &played{t, s, book}
}

// call plays one call as a turn and returns what came of it.
func (p *played) call(tool, args string) rules.Outcome {
	p.t.Helper()
	d, err := p.Play(p.t.Context(), eventlog.Request{Calls: []rules.Call{{Tool: tool, Args: json.RawMessage(args)}}})
	if err != nil {
		p.t.Fatalf("%s %s: %v", tool, args, err)
	}
	return d.Outcomes[0]
}

// does plays calls that must be applied: a tool and its arguments each.
func (p *played) does(calls ...string) {
	p.t.Helper()
	for i := 0; i < len(calls); i += 2 {
		if o := p.call(calls[i], calls[i+1]); !o.OK() {
			p.t.Fatalf("%s %s: %s", calls[i], calls[i+1], p.book.Text("en", o.Say))
		}
	}
}

// step walks Mara.
func step(place string) string {
	return fmt.Sprintf(`{"player_id":"pc_001","target_location_id":%q}`, place)
}

// edit changes the world beside all rules.
func (p *played) edit(records ...world.Record) {
	p.t.Helper()
	_, err := p.Play(p.t.Context(), eventlog.Request{Table: true, Edit: func(w *world.World, _ rules.Counts) (list []world.Event, _ error) {
		for _, r := range records {
			list = append(list, world.Event{Old: w.Record(r.Kind(), r.Key()), New: r})
		}
		return list, nil
	}})
	if err != nil {
		p.t.Fatal(err)
	}
}

// The three ways in which a model cheated before there was a gate: it ended the story by a call, it took and laid down what it had
// never found, and it made what it wanted.
func TestBound_Cheats(t *testing.T) {
	for _, c := range []struct {
		name, tool, args string
		code             rules.Code
	}{
		{"the quest is declared done", "quest", `{"action":"complete","id":"quest_supper"}`, rules.NotByCall},
		{"by its title", "quest", `{"action":"complete","title":"The Ember Supper"}`, rules.NotByCall},
		{"an objective is", "quest", `{"action":"update","id":"quest_supper","objective":"Light the oven with the old fire","done":true}`, rules.NotByCall},
		{"one is added that nobody can meet", "quest", `{"action":"update","id":"quest_supper","objective":"fly"}`, rules.NotByCall},
		{"it has failed", "quest", `{"action":"fail","id":"quest_supper"}`, rules.NotByCall},
		{"the ember comes to the hand", "move_object", `{"object_id":"obj_ember","target_id":"pc_001"}`, rules.OutOfReach},
		{"the ember comes to the oven", "move_object", `{"object_id":"obj_ember","target_id":"obj_oven"}`, rules.OutOfReach},
		{"the loaf comes to the table", "move_object", `{"object_id":"obj_loaf","target_id":"obj_table"}`, rules.OutOfReach},
		{"a sword turns up", "create_object", `{"name":"legendary sword","connection_id":"pc_001"}`, rules.CheckNeeded},
		{"an ember turns up", "create_object", `{"name":"live ember","connection_id":"obj_oven"}`, rules.NotByCall},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := beginOwn(t, "cosy", "x")
			before := p.StateHash()
			o := p.call(c.tool, c.args)
			if o.Code != c.code || p.StateHash() != before {
				t.Errorf("%s (%s), want %s", o.Code, p.book.Text("en", o.Say), c.code)
			}
		})
	}
}

// What a call may not do in a bound story, tool by tool.
func TestBound_Refused(t *testing.T) {
	for _, c := range []struct {
		name, tale, tool, args string
		code                   rules.Code
		first                  []string
	}{
		{"what somebody else holds", "cosy", "move_object", `{"object_id":"obj_tape","target_id":"pc_001"}`, rules.CheckNeeded, []string{"move_player", step("area_green")}},
		{"what is in something shut", "cosy", "move_object", `{"object_id":"obj_cellar_key","target_id":"pc_001"}`, rules.OutOfReach, []string{"move_player", step("area_orchard")}},
		{"what is far", "cosy", "move_object", `{"object_id":"obj_ladder","target_id":"pc_001"}`, rules.OutOfReach, nil},
		{"to somebody far", "cosy", "move_object", `{"object_id":"obj_note","target_id":"npc_voss"}`, rules.OutOfReach, nil},
		{"a lock without its key", "cosy", "set_link", `{"from":"area_teahouse","to":"area_cellar","state":"open"}`, rules.NotByCall, nil},
		{"a lock that may be forced", "mystery", "set_link", `{"from":"area_yard","to":"area_icehouse","state":"open"}`, rules.CheckNeeded, []string{"move_player", step("area_yard")}},
		{"a door that is taken away", "mystery", "set_link", `{"from":"area_yard","to":"area_icehouse","state":"none"}`, rules.CheckNeeded, []string{"move_player", step("area_yard")}},
		{"another key", "cosy", "set_link", `{"from":"area_teahouse","to":"area_cellar","state":"locked","key_id":"obj_note"}`, rules.NotByCall, nil},
		{"a new way", "cosy", "set_link", `{"from":"area_teahouse","to":"area_landing"}`, rules.OutOfReach, nil},
		{"a way that nobody found", "cosy", "set_link", `{"from":"area_lane","to":"area_cellar","state":"open"}`, rules.OutOfReach, []string{"move_player", step("area_green"), "move_player", step("area_lane")}},
		{"through a way that nobody found", "cosy", "move_player", step("area_cellar"), rules.NotReachable, []string{"move_player", step("area_green"), "move_player", step("area_lane")}},
		{"the acting one through it", "cosy", "move", `{"to_area_id":"area_cellar"}`, rules.NotReachable, []string{"move_player", step("area_green"), "move_player", step("area_lane")}},
		{"somebody else is led away", "cosy", "move_player", `{"player_id":"npc_voss","target_location_id":"area_lane"}`, rules.CheckNeeded, []string{"move_player", step("area_green")}},
		{"somebody far is", "cosy", "move_player", `{"player_id":"npc_ilse","target_location_id":"area_lane"}`, rules.OutOfReach, nil},
		{"healing", "dungeon", "hp_delta", `{"target_character_id":"pc_001","delta":3,"cause":"hope"}`, rules.CheckNeeded, nil},
		{"harm", "dungeon", "hp_delta", `{"target_character_id":"pc_001","delta":-3,"cause":"a fall"}`, rules.CheckNeeded, nil},
		{"deadly harm", "dungeon", "hp_delta", `{"target_character_id":"pc_001","delta":-99,"cause":"a fall"}`, rules.NotByCall, nil},
		{"harm to others", "dungeon", "hp_delta", `{"target_character_id":"npc_sable","delta":-2,"cause":"a push"}`, rules.NotByCall, []string{"move_player", step("area_stair")}},
		{"winning over", "dungeon", "npc_update", `{"npc_id":"npc_sable","attitude_delta":1}`, rules.CheckNeeded, []string{"move_player", step("area_stair")}},
		{"making an enemy", "dungeon", "npc_update", `{"npc_id":"npc_sable","attitude_delta":-3}`, rules.NotByCall, []string{"move_player", step("area_stair")}},
		{"being elsewhere", "dungeon", "npc_update", `{"npc_id":"npc_sable","place_id":"area_rim"}`, rules.NotByCall, []string{"move_player", step("area_stair")}},
		{"a companion with a part of her own", "dungeon", "party", `{"action":"join","actor_id":"npc_sable"}`, rules.NotByCall, []string{"move_player", step("area_stair")}},
		{"the hero leaves", "dungeon", "party", `{"action":"leave","actor_id":"pc_001"}`, rules.NotByCall, nil},
		{"another hero", "dungeon", "create_character", `{"name":"Ann"}`, rules.NotByCall, nil},
		{"somebody new", "dungeon", "npc_create", `{"name":"Ann","place_id":"area_rim"}`, rules.CheckNeeded, nil},
		{"a monster", "dungeon", "npc_create", `{"name":"Ann","role":"monster"}`, rules.NotByCall, nil},
		{"an attack of somebody peaceful", "dungeon", "attack", `{"attacker_id":"npc_sable","target_id":"pc_001"}`, rules.NotByCall, []string{"move_player", step("area_stair")}},
		{"a clock on which the end hangs", "dungeon", "clock", `{"action":"set","id":"clock_water","n":0}`, rules.NotByCall, nil},
		{"its end", "dungeon", "clock", `{"action":"tick","id":"clock_water","n":8}`, rules.NotByCall, nil},
		{"time that ends the story", "dungeon", "advance_time", `{"minutes":10080}`, rules.NotByCall, nil},
		{"more than an hour", "dungeon", "advance_time", `{"minutes":61}`, rules.NotByCall, nil},
		{"a sleep that ends the story", "dungeon", "rest", `{"kind":"long"}`, rules.NotByCall, nil},
		{"new ground", "dungeon", "create_area", `{"name":"Backdoor","link_from":"area_rim"}`, rules.CheckNeeded, nil},
		{"a new map", "dungeon", "map_generate", `{"parent_area_id":null}`, rules.OutOfReach, nil},
		{"all of the map", "dungeon", "map_render", `{"reveal":true}`, rules.NotByCall, nil},
		{"what the story needs is gone", "cosy", "delete_object", `{"object_id":"obj_oven"}`, rules.NotByCall, nil},
		{"more of it", "cosy", "adjust_qty", `{"object_id":"obj_note","delta":9}`, rules.NotByCall, nil},
		{"a trait of what is far", "cosy", "set_attribute", `{"entity_type":"object","entity_id":"obj_ladder","attribute_name":"mood","value":"odd"}`, rules.OutOfReach, nil},
		{"a witness who is far", "cosy", "npc_remember", `{"text":"It is done.","witnesses":["npc_ilse"]}`, rules.OutOfReach, nil},
		{"a check that nothing needs", "cosy", "skill_check", `{"actor_id":"pc_001","skill":"wits","act":"quest","target":"quest_supper"}`, rules.InvalidArgs, nil},
		{"a check of what is far", "cosy", "skill_check", `{"actor_id":"pc_001","skill":"wits","act":"move_object","target":"obj_ember"}`, rules.OutOfReach, nil},
	} {
		t.Run(c.tool+" "+c.name, func(t *testing.T) {
			p := beginOwn(t, c.tale, "x")
			p.does(c.first...)
			before := p.StateHash()
			o := p.call(c.tool, c.args)
			if o.Code != c.code || p.StateHash() != before {
				t.Errorf("%s (%s), want %s", o.Code, p.book.Text("en", o.Say), c.code)
			}
		})
	}
}

// A check for an act makes it possible, once; a failed one does not, and is not made again before who tried has been elsewhere.
func TestBound_Check(t *testing.T) {
	const check = `{"actor_id":"pc_001","skill":"finesse","act":"move_object","target":"obj_tape","dc":1,"advantage":"adv"}`
	const take = `{"object_id":"obj_tape","target_id":"pc_001"}`
	won, lost := false, false
	for n := 0; !won || !lost; n++ {
		if n > 50 {
			t.Fatal("the dice always fall alike")
		}
		p := beginOwn(t, "cosy", fmt.Sprint("check ", n))
		p.does("move_player", step("area_green"))
		o := p.call("skill_check", check)
		var got struct {
			DC           int64
			Outcome, Act string
		}
		if err := json.Unmarshal(o.Result, &got); err != nil || got.DC < rules.Least || got.Act != "move_object" || strings.Contains(string(o.Call.Args), "adv") {
			t.Fatalf("%s %s: %v", o.Result, o.Call.Args, err)
		}
		if got.Outcome == "success" || got.Outcome == "crit" {
			won = true
			p.does("move_object", take, "move_object", `{"object_id":"obj_tape","target_id":"npc_voss"}`)
			if o := p.call("move_object", take); o.Code != rules.CheckSpent { // that was one check, for one act
				t.Fatalf("%s", o.Code)
			}
			continue
		}
		lost = true
		for _, c := range [][2]string{{"move_object", take}, {"skill_check", check}} {
			if o := p.call(c[0], c[1]); o.Code != rules.CheckSpent {
				t.Fatalf("%s after %s: %s", c[0], got.Outcome, o.Code)
			}
		}
		p.does("move_player", step("area_lane"), "move_player", step("area_green"), "skill_check", check)
	}
}

// Who makes an attempt makes one a turn, and attacks once.
func TestBound_Once(t *testing.T) {
	p := beginOwn(t, "cosy", "x")
	p.does("move_player", step("area_green"))
	d, err := p.Play(t.Context(), eventlog.Request{Calls: []rules.Call{
		{Tool: "skill_check", Args: []byte(`{"actor_id":"pc_001","skill":"finesse","act":"move_object","target":"obj_tape"}`)},
		{Tool: "skill_check", Args: []byte(`{"actor_id":"pc_001","skill":"charm","act":"npc_update","target":"npc_voss"}`)},
	}})
	if err != nil || !d.Outcomes[0].OK() || d.Outcomes[1].Code != rules.CheckSpent {
		t.Fatal(d.Outcomes, err)
	}
	more, err := p.Extend(t.Context(), eventlog.Request{Calls: []rules.Call{
		{Tool: "skill_check", Args: []byte(`{"actor_id":"pc_001","skill":"charm","act":"create_object","target":"pc_001"}`)},
	}})
	if err != nil || more.Outcomes[0].Code != rules.CheckSpent {
		t.Fatal(more.Outcomes, err)
	}
	p = beginOwn(t, "dungeon", "x")
	d, err = p.Play(t.Context(), eventlog.Request{Calls: []rules.Call{
		{Tool: "advance_time", Args: []byte(`{"minutes":5}`)}, {Tool: "rest", Args: []byte(`{"kind":"short"}`)},
	}})
	if err != nil || !d.Outcomes[0].OK() || d.Outcomes[1].Code != rules.CheckSpent {
		t.Fatal(d.Outcomes, err)
	}
	hound := *p.World().Actor("npc_hound")
	hound.Place = "area_rim"
	p.edit(&hound)
	strike := rules.Call{Tool: "attack", Args: []byte(`{"attacker_id":"npc_hound","target_id":"pc_001"}`)}
	d, err = p.Play(t.Context(), eventlog.Request{Calls: []rules.Call{strike, strike}})
	if err != nil || !d.Outcomes[0].OK() || d.Outcomes[1].Code != rules.CheckSpent {
		t.Fatal(d.Outcomes, err)
	}
	if o := p.call("rest", `{"kind":"short"}`); o.Code != rules.NotByCall {
		t.Errorf("a rest beside a hound: %s", o.Code)
	}
}

// What nobody is told can be asked for is asked for in the player's own words, or not at all.
func TestBound_Password(t *testing.T) {
	ask := []rules.Call{{Tool: "talk", Args: []byte(`{"npc_id":"npc_ilse","topic":"Wren"}`)}}
	for words, opens := range map[string]bool{"I ask Ilse what she has in that lamp": false, "I ask Ilse whether her name is Wren": true} {
		p := beginOwn(t, "cosy", "x")
		p.does("move_player", step("area_green"), "move_player", step("area_lane"), "move_player", step("area_landing"))
		d, err := p.Play(t.Context(), eventlog.Request{Input: words, Calls: ask})
		if err != nil || d.Outcomes[0].OK() != opens || p.World().Holds("knows fact_lamp") != opens {
			t.Errorf("%q: %+v %v", words, d.Outcomes, err)
		}
	}
}

// Every tool that does more than look has a gate, and what a tale says of acts is of tools that want checks.
func TestBound_Declared(t *testing.T) {
	book := book(t)
	for _, name := range book.Names() {
		if tool := book.Tool(name); tool.Gate.Judge == nil && tool.Class != rules.Reading {
			t.Errorf("%s has no gate: it is refused in every bound story", name)
		}
	}
	for _, tale := range tales.All() {
		w, _, err := tale.Begin(book, tales.Start{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		if !w.Self().IsBound() {
			t.Errorf("%s is not bound", tale.ID)
		}
	}
}

// A story is bound as its save says; one that says nothing is, unless it is a save of an older system, and a file that says nothing is not.
func TestIntegrity(t *testing.T) {
	for _, c := range []struct {
		self  world.Self
		bound bool
	}{
		{world.Self{}, true}, {world.Self{Shape: "000"}, false}, {world.Self{Shape: "002"}, false}, {world.Self{Integrity: world.Free}, false},
		{world.Self{Integrity: world.Bound, Shape: "003"}, true},
	} {
		if c.self.IsBound() != c.bound {
			t.Errorf("%+v", c.self)
		}
	}
	p := beginOwn(t, "cosy", "x")
	for drop, want := range map[string]string{"": world.Bound, `"integrity":"bound",`: world.Free} {
		state, err := game.State(t.Context(), p.Log, "hob")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := game.Read(t.Context(), []byte(strings.Replace(string(state), drop, "", 1)), eventlog.NewMemoryStorage(), game.Import{Opt: game.Options(p.book, noon)})
		if err != nil || s.World().Self().Integrity != want {
			t.Errorf("without %q: %q %v", drop, s.World().Self().Integrity, err)
		}
	}
	for _, free := range []bool{false, true} {
		w, _, err := game.Begin(t.Context(), p.book, game.Start{Session: "s", Lang: "en", Free: free})
		if err != nil || w.Self().IsBound() == free {
			t.Errorf("free %v: %v", free, err)
		}
	}
}

// A log from before stories were bound is what it was: every line and every state of it. From its next turn on it is bound.
func TestBound_Before(t *testing.T) {
	data, err := os.ReadFile("testdata/before.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	log := eventlog.NewMemoryStorage()
	s, _, err := game.Read(t.Context(), data, log, game.Import{Opt: game.Options(book(t), noon)})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Verify(t.Context(), (*world.World).Validate); err != nil || len(r.Problems) > 0 || r.Rolls == 0 {
		t.Fatalf("%+v %v", r, err)
	}
	if again := export(t, s); string(again) != string(data) {
		t.Error("its export is another")
	}
	p := &played{t, s, book(t)}
	if w := s.World(); w.Self().Integrity != "" || w.Actor("pc_001").HP.N != 11 || w.Quest("quest_001").State != world.Active {
		t.Errorf("%+v", w.Actor("pc_001"))
	}
	if o := p.call("hp_delta", `{"target_character_id":"pc_001","delta":1,"cause":"hope"}`); o.Code != rules.CheckNeeded {
		t.Errorf("%s", o.Code)
	}
	p.does("quest", `{"action":"complete","id":"quest_001"}`) // no condition: it is the narrator's own
	for range 4 {
		if m, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil || m.Turns != 1 {
			t.Fatal(m, err)
		}
	}
}

// Who has something uses it, wherever others of the party are: nothing passes from one place to another.
func TestBound_Apart(t *testing.T) {
	p := beginOwn(t, "cosy", "x")
	bo := *p.World().Actor("pc_001")
	bo.ID, bo.Place = "pc_002", "area_green"
	bag := world.Thing{ID: "bag", Name: "bag", Parent: "pc_002", Container: true}
	self := *p.World().Self()
	self.Party = []string{"pc_001", "pc_002"}
	p.edit(&bo, &bag, &self)
	for _, target := range []string{"pc_002", "bag", "npc_voss"} {
		if o := p.call("move_object", fmt.Sprintf(`{"object_id":"obj_spoon_001","target_id":%q}`, target)); o.Code != rules.OutOfReach {
			t.Errorf("to %s: %s", target, o.Code)
		}
	}
	p.does("move_object", `{"object_id":"bag","target_id":"npc_voss"}`) // Bo gives it, though Mara acts
}

// A tale says how hard its own acts are, and which none makes possible.
func TestBound_Tale(t *testing.T) {
	p := beginOwn(t, "cosy", "x")
	if o := p.call("set_link", `{"from":"area_teahouse","to":"area_cellar","state":"open"}`); o.Code != rules.NotByCall {
		t.Errorf("the cellar: %s", o.Code)
	}
	p.does("move_player", step("area_green"))
	if o := p.call("skill_check", `{"actor_id":"pc_001","skill":"charm","act":"move_object","target":"obj_tape"}`); !strings.Contains(p.book.Text("en", o.Say), `skill "finesse"`) {
		t.Errorf("%s", p.book.Text("en", o.Say))
	}
	o := p.call("skill_check", `{"actor_id":"pc_001","skill":"finesse","act":"move_object","target":"obj_tape"}`)
	if !strings.Contains(string(o.Result), `"dc":14`) {
		t.Errorf("%s", o.Result)
	}
	self := *p.World().Self()
	self.Acts = map[string]string{"party npc_voss": "15", "move_object": "3"}
	p.edit(&self)
	for act, dc := range map[string]string{`"party","target":"npc_voss"`: `"dc":15`, `"move_object","target":"obj_tape"`: `"dc":12`} { // what it allows is; below 12 is nothing
		p.does("move_player", step("area_lane"), "move_player", step("area_green"))
		if o := p.call("skill_check", `{"actor_id":"pc_001","skill":"charm","act":`+act+`}`); !strings.Contains(string(o.Result), dc) {
			t.Errorf("%s: %s %s", act, o.Result, p.book.Text("en", o.Say))
		}
	}
}

// A check for no act costs nothing and brings nothing; one for an act has the price that the tale sets.
func TestBound_Price(t *testing.T) {
	failed := map[string]bool{}
	for n := 0; len(failed) < 2; n++ {
		if n > 50 {
			t.Fatal("nothing ever fails")
		}
		for act, ticks := range map[string]int64{"": 0, `,"act":"move_object","target":"obj_tape"`: 1} {
			p := beginOwn(t, "cosy", fmt.Sprint("price ", n))
			p.does("move_player", step("area_green"))
			o := p.call("skill_check", `{"actor_id":"pc_001","skill":"finesse"`+act+`}`)
			if !strings.Contains(string(o.Result), `"outcome":"f`) {
				continue
			}
			if failed[act] = true; p.World().Clock("clock_patience").Filled != ticks {
				t.Errorf("%q: %d", act, p.World().Clock("clock_patience").Filled)
			}
		}
	}
}

// That somebody tried is no event of the story: it does not put off what comes of a quiet time.
func TestBound_Quiet(t *testing.T) {
	p := beginOwn(t, "dungeon", "x")
	before := p.World().Clock("clock_water").Filled
	for range 13 {
		p.does("advance_time", `{"minutes":1}`)
	}
	if after := p.World().Clock("clock_water").Filled; after == before {
		t.Error("nothing comes nearer")
	}
}

// A way that is hidden on this side is none, even where it is known on the other.
func TestBound_OneSide(t *testing.T) {
	p := beginOwn(t, "cosy", "x")
	back := *p.World().Link("area_cellar", "area_lane")
	back.Hidden = false
	p.edit(&back)
	p.does("move_player", step("area_green"), "move_player", step("area_lane"))
	if o := p.call("move_player", step("area_cellar")); o.Code != rules.NotReachable {
		t.Errorf("%s", o.Code)
	}
}
