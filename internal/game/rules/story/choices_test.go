package story_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// labels returns what choices say.
func labels(list []story.Choice) (all []string) {
	for _, c := range list {
		all = append(all, c.Label)
	}
	return all
}

func TestChoices(t *testing.T) {
	b := crypt(t, &world.Thing{ID: "obj_050", Order: 20, Name: "rope", Parent: "area_007"})
	b.ok(`{"choices":[{"label":"Take silver bowl","call":{"tool":"move_object","args":{"object_id":"obj_025","target_id":"pc_001"}}},`+
		`{"label":"Look at Brother Osric","call":{"tool":"look","args":{"target_id":"npc_004"}}},`+
		`{"label":"Take iron chest","call":{"tool":"move_object","args":{"object_id":"obj_029","target_id":"pc_001"}}},`+
		`{"label":"Take rope","call":{"tool":"move_object","args":{"object_id":"obj_050","target_id":"pc_001"}}}]}`,
		"Take silver bowl\nLook at Brother Osric\nTake iron chest\nTake rope", "choices", `{}`)
	for lang, want := range map[string]string{"ru": "Взять: silver bowl", "zh": "拿起silver bowl"} {
		rulestest.Same(t, labels(story.Choices(b.World, b.Turn.Book, lang, b.World.Actor("pc_001")))[0], want)
	}
	self := *b.World.Self()
	self.AllowAll, self.Allow = false, []string{"look", "choices"}
	b.Put(&self)
	rulestest.Same(t, labels(story.Choices(b.World, b.Turn.Book, "en", b.World.Actor("pc_001"))), []string{"Look at Brother Osric"})
	rulestest.Same(t, story.Choices(b.World, b.Turn.Book, "en", nil), []story.Choice(nil))
	set(t, &world.Self{}, &world.Actor{ID: "a", Place: "p"}, &world.Place{ID: "p"}).
		ok(`{"choices":[]}`, "There is nothing to be done here.", "choices", `{}`)
}

func TestChoicesInAFight(t *testing.T) {
	b := crypt(t, &world.Thing{ID: "club", Order: 20, Parent: "pc_001", Stats: map[string]int64{"damage": 6}},
		&world.Thing{ID: "axe", Order: 21, Parent: "pc_001", Stats: map[string]int64{"damage": 10}},
		&world.Actor{ID: "rat", Order: 9, Name: "Rat", Place: "area_007", HP: world.Known(3)}, &world.Actor{ID: "far",
			Name: "Far", Place: "area_003", HP: world.Known(3)},
		&world.Encounter{Round: 1, Actors: []string{"pc_001", "npc_004", "rat", "far"}})
	list := story.Choices(b.World, b.Turn.Book, "en", b.World.Actor("pc_001"))
	rulestest.Same(t, labels(list), []string{"Attack Rat", "Wait"}) // a monk without hit points cannot lose any
	rulestest.Same(t, string(list[0].Args.Bytes()), `{"attacker_id":"pc_001","target_id":"rat","weapon_id":"axe"}`)
	b.Put(&world.Encounter{Round: 1, Actors: []string{"pc_001"}})
	rulestest.Same(t, labels(story.Choices(b.World, b.Turn.Book, "en", b.World.Actor("pc_001"))), []string{"End the fight"})
}

// TestChoicesAreLegal makes each choice in a copy of its world, where it must be applied.
func TestChoicesAreLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := func(kind string, n int) string { return fmt.Sprintf("%s%d", kind, rapid.IntRange(0, n).Draw(t, kind)) }
		flag := func(label string) bool { return rapid.IntRange(0, 3).Draw(t, label) == 0 }
		self := &world.Self{AllowAll: !flag("strict"), Allow: []string{"look", "move_player", "attack"}, Active: "a0",
			Party: []string{"a0", "a1"}}
		var records []world.Record
		for i := range 3 {
			records = append(records, &world.Place{ID: fmt.Sprintf("p%d", i), Name: rapid.SampledFrom([]string{"Hall", "Yard",
				""}).Draw(t, "name"), Visited: flag("visited"), Secret: flag("secret")})
		}
		for i := range 5 {
			a := &world.Actor{ID: fmt.Sprintf("a%d", i), Place: id("p", 2), State: rapid.SampledFrom([]string{"", world.Alive,
				world.Dying, world.Dead, "odd"}).Draw(t, "state")}
			if !flag("no hp") {
				a.HP = world.Known(4)
			}
			records = append(records, a)
		}
		for range rapid.IntRange(0, 6).Draw(t, "links") {
			l := &world.Link{From: id("p", 2), To: id("p", 3), Hidden: flag("hidden"), Door: rapid.SampledFrom([]string{"",
				"open", "closed", "locked"}).Draw(t, "door")}
			if flag("blocked") {
				l.Blocked = "rubble"
			}
			if flag("needs") {
				l.Needs = "o1"
			}
			records = append(records, l)
		}
		for i := range 6 {
			records = append(records, &world.Thing{
				ID: fmt.Sprintf("o%d", i), Name: "o", Parent: rapid.SampledFrom([]string{"p0", "p1", "a0", "a1", "o0", "o1",
					"x"}).Draw(t, "parent"),
				Fixed: flag("fixed"), Hidden: flag("hidden"), Closed: flag("closed"), Rel: rapid.SampledFrom([]string{"", "on",
					"part"}).Draw(t, "rel"),
				Stats: map[string]int64{"damage": rapid.Int64().Draw(t, "damage")},
			})
		}
		if rapid.Bool().Draw(t, "fight") {
			e := &world.Encounter{Round: 1, Actors: []string{"a0", "a1", "a2", "a3", "a4"}[rapid.IntRange(0, 4).Draw(t, "from"):]}
			records = append(records, e)
		}
		b := set(t, self, records...)
		actor := b.World.Actor(id("a", 1))
		list := story.Choices(b.World, b.Turn.Book, "en", actor)
		if len(list) > 4 {
			t.Fatalf("%d choices", len(list))
		}
		again := story.Choices(b.World.Clone(), b.Turn.Book, "en", actor)
		rulestest.Same(t, labels(again), labels(list))
		for i, c := range list {
			turn := *b.Turn
			turn.World = b.World.Clone()
			o := turn.Do(context.Background(), rules.Call{Tool: c.Tool, Args: c.Args.Bytes(), Actor: actor.ID}, nil)
			if !o.OK() {
				t.Fatalf("%s %s is offered and refused: %s (%s)", c.Tool, c.Args.Bytes(), o.Code, b.Text(o))
			}
			if strings.Contains(strings.Join(labels(list[:i]), "\n")+"\n", c.Label+"\n") {
				t.Fatalf("two choices are called %q", c.Label)
			}
		}
	})
}

// TestAnyCall holds refused calls against the world's hash, which call does.
func TestAnyCall(t *testing.T) {
	var tools, params []string
	for _, tool := range family(t) {
		tools = append(tools, tool.Name)
		for _, p := range tool.Params {
			params = append(params, p.Name)
		}
	}
	value := rapid.SampledFrom([]string{
		`"add"`, `"update"`, `"complete"`, `"create"`, `"tick"`, `"set"`, `"close"`, `"show"`, `"line_add"`, `"quest_001"`,
		`"clock_001"`, `"npc_004"`, `"obj_029"`,
		`""`, `" "`, `"звон"`, `0`, `1`, `4`, `-5`, `9223372036854775807`, `1.5`, `true`, `false`, `null`, `[]`, `["a","b"]`,
		`[null]`, `{}`, `"\u0000"`,
	})
	rapid.Check(t, func(t *rapid.T) {
		b := crypt(t)
		for range rapid.IntRange(1, 12).Draw(t, "calls") {
			tool := b.Turn.Book.Tool(rapid.SampledFrom(tools).Draw(t, "tool"))
			var members []string
			for _, p := range tool.Params {
				if p.Need || rapid.Bool().Draw(t, p.Name) {
					v := value.Draw(t, "value")
					if len(p.Enum) > 0 && rapid.Bool().Draw(t, "known") {
						v = `"` + rapid.SampledFrom(p.Enum).Draw(t, "enum") + `"`
					}
					members = append(members, `"`+p.Name+`":`+v)
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "foreign") == 0 {
				members = append(members, `"`+rapid.SampledFrom(params).Draw(t, "param")+`":1`)
			}
			b.Call(tool.Name, "{"+strings.Join(members, ",")+"}")
			for _, c := range b.World.Clocks() {
				if c.Filled < 0 || c.Filled > c.Segments {
					t.Fatalf("%v", *c)
				}
			}
			if got := story.Scene(b.World, story.SceneInput{}); len(got) > story.MaxScene {
				t.Fatal(got)
			}
		}
	})
}

// A place that invites it can be searched, until somebody has; whether anything is hidden there makes no difference.
func TestChoicesToSearch(t *testing.T) {
	b := crypt(t)
	place := *b.World.Place("area_007")
	place.Search = "lore"
	b.Put(&place)
	list := story.Choices(b.World, b.Turn.Book, "en", b.World.Actor("pc_001"))
	at := slices.Index(labels(list), "Search "+place.Name)
	if at < 0 {
		t.Fatalf("%q", labels(list))
	}
	rulestest.Same(t, string(list[at].Args.Bytes()), `{"actor_id":"pc_001","skill":"lore","find":"area_007"}`)
	b.Put(&world.Thing{ID: "obj_gold", Name: "gold", Parent: "area_007", Hidden: true})
	rulestest.Same(t, labels(story.Choices(b.World, b.Turn.Book, "en", b.World.Actor("pc_001"))), labels(list))
	self := *b.World.Self()
	self.Searched = map[string]int64{"area_007": 1}
	b.Put(&self)
	if some := labels(story.Choices(b.World, b.Turn.Book, "en", b.World.Actor("pc_001"))); slices.Contains(some, "Search "+place.Name) {
		t.Errorf("%q", some)
	}
}
