package land_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

func TestCellsAreNeverShared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := one(t, &world.Place{ID: "far", Type: "area", Name: "Far", Grid: &world.Cell{X: int64(rapid.IntRange(-40,
			10).Draw(t, "x")), Y: 0}})
		for range rapid.IntRange(1, 4).Draw(t, "maps") {
			b.generate(fmt.Sprintf(`{"parent_area_id":null,"constraints":{"size":%d,"seed":%q}}`,
				rapid.IntRange(1, 30).Draw(t, "size"), rapid.StringMatching(`[a-z]{1,3}`).Draw(t, "seed")))
			from := rapid.SampledFrom(b.World.Places()).Draw(t, "from")
			dir := rapid.SampledFrom([]string{"n", "e", "s", "w", "u"}).Draw(t, "dir")
			b.Call("create_area", `{"name":"x","link_from":"`+from.ID+`","direction":"`+dir+`"}`)
			b.layersHold()
		}
	})
}

func TestCreateArea(t *testing.T) {
	b := one(t)
	b.no(rules.Rejected, "tool_not_allowed", "create_area", `{"name":"Inn","link_from":"area_001"}`)
	b = set(t, &world.Self{AllowAll: true}, &world.Place{ID: "area_001", Name: "Gate", Type: "area", Parent: "town",
		Grid: &world.Cell{X: 2, Y: 3}},
		&world.Place{ID: "town", Type: "area"})
	o := b.ok("create_area", `{"name":"  Inn ","link_from":"area_001","desc":" warm ","direction":"n"}`)
	rulestest.Same(t, string(o.Result), `{"area_id":"area_002"}`)
	rulestest.Same(t, o.Created, "area_002")
	rulestest.Same(t, b.World.Place("area_002"), &world.Place{
		ID: "area_002", Order: 1001, Name: "Inn", Desc: "warm", Parent: "town", Type: "area", Grid: &world.Cell{X: 2, Y: 2},
	})
	rulestest.Same(t, b.World.Link("area_001", "area_002"), &world.Link{From: "area_001", To: "area_002", Order: 1002, Dir: "n"})
	rulestest.Same(t, b.World.Link("area_002", "area_001"), &world.Link{From: "area_002", To: "area_001", Order: 1003, Dir: "s"})
	if o := b.no(rules.Failed, badArgs, "create_area",
		`{"name":"Barn","link_from":"area_001","direction":"n"}`); o.Detail() != "direction_taken" {
		t.Error(o.Detail())
	}
	b.ok("create_area", `{"name":"Barn","link_from":"area_001"}`)
	for _, args := range []string{
		`{"name":"x","link_from":"nowhere"}`, `{"name":" ","link_from":"area_001"}`, `{"link_from":"area_001"}`,
		`{"name":"x","link_from":"area_001","direction":"up"}`, `{"name":"` + strings.Repeat("x", 81) +
			`","link_from":"area_001"}`,
	} {
		b.no(rules.Failed, badArgs, "create_area", args)
	}
}

// TestTheFirstPlaceIsWhereEverybodyIs begins with people and no places.
func TestTheFirstPlaceIsWhereEverybodyIs(t *testing.T) {
	people := []world.Record{
		&world.Actor{ID: "pc"}, &world.Actor{ID: "npc"}, &world.Actor{ID: "far", Pos: &world.Point{X: 1}}, &world.Actor{ID: "lost", Place: "gone"},
	}
	for tool, args := range map[string]string{"map_generate": `{"parent_area_id":null}`, "generate_zone": ask} {
		b := set(t, &world.Self{Active: "pc", Session: "s1"}, people...)
		b.ok(tool, args)
		at := b.World.Actor("pc").Place
		rulestest.Same(t, []string{b.World.Actor("npc").Place, b.World.Actor("far").Place, b.World.Actor("lost").Place}, []string{at, "", "gone"})
		if b.World.Place(at) == nil {
			t.Errorf("%s: nobody is anywhere", tool)
		}
		b.Put(&world.Actor{ID: "late"})
		b.ok(tool, args)
		rulestest.Same(t, b.World.Actor("late").Place, "")
	}
}

// TestAnyArguments holds refused calls against the world's hash, which call does.
func TestAnyArguments(t *testing.T) {
	value := rapid.SampledFrom([]string{
		`null`, `""`, `" "`, `"area_001"`, `"n"`, `"png"`, `"zone"`, `5`, `-1`, `1.5`, `1e99`, `true`, `[]`, `["a"]`, `{}`,
		`{"size":3}`,
		`{"size":2,"seed":"x","hub":true,"locks":true,"loops":0.5}`, `{"size":null,"loops":9}`, `"s1"`, `"\u0000"`, `"` +
			strings.Repeat("长", 700) + `"`,
	})
	name := rapid.SampledFrom([]string{
		"parent_area_id", "theme", "constraints", "size", "seed", "name", "link_from", "linkFrom", "desc", "direction",
		"session_id",
		"world_prompt", "count", "near_player", "format", "scope", "reveal", "actor_id", "x",
	})
	tool := rapid.SampledFrom([]string{"map_generate", "create_area", "generate_zone", "map_render"})
	rapid.Check(t, func(t *rapid.T) {
		b := set(t, &world.Self{AllowAll: true, Session: "s1", Active: "pc_001", Lang: "zh"},
			&world.Place{ID: "area_001", Name: "Gate", Type: "area"}, &world.Actor{ID: "pc_001", Place: "area_001"})
		for range 6 {
			members := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
				return `"` + name.Draw(t, "name") + `":` + value.Draw(t, "value")
			}), 0, 4).Draw(t, "args")
			b.Call(tool.Draw(t, "tool"), "{"+strings.Join(members, ",")+"}")
		}
		b.layersHold()
	})
}

func BenchmarkMapGenerate(b *testing.B) {
	call := rules.Call{Tool: "map_generate", Args: []byte(`{"parent_area_id":null,"constraints":{"size":30,"seed":"a"}}`)}
	for b.Loop() {
		b.StopTimer()
		turn := set(b, &world.Self{AllowAll: true, Active: "pc"}, &world.Actor{ID: "pc"}).Turn
		b.StartTimer()
		turn.Do(b.Context(), call, nil)
	}
}
