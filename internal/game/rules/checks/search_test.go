package checks_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// study is the hall with something to be found in it, or, empty, without.
func study(t rulestest.T, empty bool, more ...world.Record) *table {
	t.Helper()
	records := []world.Record{
		&world.Place{ID: "crypt", Name: "Crypt", Secret: true},
		&world.Thing{ID: "desk", Order: 1, Name: "Desk", Parent: "hall", Fixed: true},
		&world.Thing{ID: "chest", Order: 2, Name: "Chest", Parent: "hall", Container: true, Closed: true},
		&world.Thing{ID: "map", Order: 3, Name: "Map", Parent: "hall"},
	}
	if !empty {
		records = append(records,
			&world.Thing{ID: "coin", Order: 4, Name: "Coin", Parent: "hall", Hidden: true, Find: 10},
			&world.Thing{ID: "letter", Order: 5, Name: "Letter", Parent: "desk", Hidden: true, Find: 12},
			&world.Thing{ID: "seal", Order: 6, Name: "Seal", Parent: "letter", Hidden: true, Find: 1},
			&world.Thing{ID: "gem", Order: 7, Name: "Gem", Parent: "chest", Hidden: true, Find: 1},
			&world.Thing{ID: "label", Order: 8, Name: "Label", Parent: "chest", Rel: world.On, Hidden: true},
			&world.Thing{ID: "purse", Order: 9, Name: "Purse", Parent: "corpse", Hidden: true, Find: 5},
			&world.Thing{ID: "gift", Order: 10, Name: "Gift", Parent: "rat", Hidden: true, Find: 1},
			&world.Link{From: "hall", To: "crypt", Hidden: true, Find: 14, DoorID: "map"},
			&world.Link{From: "crypt", To: "hall", Hidden: true})
	}
	b := hall(t, append(records, more...)...)
	self := *b.World.Self()
	self.ClockSet = true
	b.Put(&self)
	return b
}

// A search is one throw against all that is hidden, as hard to find as it is; what it reaches comes to light, and nothing else.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		find    string
		faces   []int64 // Ann has no wits
		found   string
		outcome string
		minutes int64
		text    string
	}{
		{"hall", []int64{6}, ``, "fail", 10, "Ann searches “Hall” (wits 6): nothing is found."},
		{"hall", []int64{7}, `"coin"`, "partial", 20, "Ann searches “Hall” (wits 7). Found: Coin."},
		{"hall", []int64{11}, `"letter","coin","crypt"`, "success", 10, "Ann searches “Hall” (wits 11). Found: Letter, Coin, a way to Crypt."},
		{"hall", []int64{12}, `"letter","label","coin","crypt"`, "success", 10, "Ann searches “Hall” (wits 12). Found: Letter, Label, Coin, a way to Crypt."},
		{"hall", []int64{1}, ``, "fail", 10, "Ann searches “Hall” (wits 1): nothing is found."},
		{"desk", []int64{3, 9}, `"letter"`, "partial", 10, "Ann searches “Desk” (wits 9). Found: Letter."},
		{"desk", []int64{3, 8}, ``, "fail", 5, "Ann searches “Desk” (wits 8): nothing is found."},
		{"map", []int64{14, 2}, `"crypt"`, "success", 5, "Ann searches “Map” (wits 14). Found: a way to Crypt."},
		{"chest", []int64{15, 2}, `"label"`, "success", 5, "Ann searches “Chest” (wits 15). Found: Label."},
		{"corpse", []int64{2, 2}, `"purse"`, "partial", 10, "Ann searches “Corpse” (wits 2). Found: Purse."},
		{"sword", []int64{19, 19}, ``, "fail", 5, "Ann searches “Sword” (wits 19): nothing is found."},
	} {
		b := study(t, false)
		roll := slices.Max(c.faces)
		o := b.ok(fmt.Sprintf(`{"roll":%d,"total":%d,"skill":"wits","outcome":"%s","roll_no":0,"find":"%s","found":[%s],"earlier":0,"minutes":%d}`, roll, roll, c.outcome, c.find, c.found, c.minutes),
			"skill_check", `{"actor_id":"ann","skill":"wits","find":"`+c.find+`"}`, c.faces...)
		rulestest.Same(t, b.Text(o), c.text)
		rulestest.Same(t, []any{b.World.Self().Minute, b.World.Self().Searched}, []any{c.minutes, map[string]int64{c.find: 1}})
		var light []string
		for _, id := range []string{"letter", "seal", "gem", "label", "coin", "purse", "gift"} {
			if !b.World.Thing(id).Hidden {
				light = append(light, `"`+id+`"`)
			}
		}
		if way := b.World.Link("hall", "crypt"); !way.Hidden {
			light = append(light, `"crypt"`)
			rulestest.Same(t, []bool{b.World.Link("crypt", "hall").Hidden, b.World.Place("crypt").Secret, b.World.Place("crypt").Visited}, []bool{false, false, false})
		} else if !b.World.Link("crypt", "hall").Hidden || !b.World.Place("crypt").Secret {
			t.Errorf("%s: half of a way came to light", c.find)
		}
		rulestest.Same(t, strings.Join(light, ","), c.found)
	}
}

// What cannot be searched is refused in the same words, whether it is hidden, elsewhere or nothing at all.
func TestSearch_Refused(t *testing.T) {
	b := study(t, false, &world.Thing{ID: "rug", Parent: "yard"}, &world.Thing{ID: "nut", Parent: "chest"}, &world.Thing{ID: "cheese", Parent: "rat"})
	far := "Ann can search only the place where they are, and what is in sight there."
	for _, id := range []string{"yard", "crypt", "cat", "rug", "coin", "seal", "gem", "nut", "cheese", "gift", "nothing"} {
		b.no(rules.Failed, "not_here", far, "skill_check", `{"actor_id":"ann","skill":"wits","find":"`+id+`"}`)
	}
	b.no(rules.Failed, "not_helpless", "Rat is not to be searched", "skill_check", `{"actor_id":"ann","skill":"wits","find":"rat"}`)
	b.no(rules.Failed, "no_such_skill", "Ann has no skill", "skill_check", `{"actor_id":"ann","skill":"sense","find":"hall"}`)
	b.no(rules.Rejected, "actor_state_restricted", "Sleeper cannot", "skill_check", `{"actor_id":"sleeper","skill":"wits","find":"hall"}`)
	b.Put(&world.Encounter{Round: 1, Actors: []string{"ann", "rat"}, Started: 1})
	b.no(rules.Failed, "in_fight", "no time to search", "skill_check", `{"actor_id":"ann","skill":"wits","find":"hall"}`)
}

// Each further search of the same is harder, for anybody; whoever knows where to look, and has help, looks better; a difficulty of
// the caller's does not count; and no clock but that of time goes on.
func TestSearch_Again(t *testing.T) {
	b := study(t, false, &world.Clock{ID: "nerves", Name: "Nerves", Segments: 4, OnFail: true, Visible: true},
		&world.Clock{ID: "night", Name: "Night", Segments: 4, PerMinutes: 20, Visible: true})
	var exprs []string
	for _, args := range []string{
		`"actor_id":"ann","find":"hall"`, `"actor_id":"ann","find":"hall","difficulty":"trivial"`, `"actor_id":"bo","find":"hall","dc":1`,
		`"actor_id":"ann","find":"hall","help":"bo"`, `"actor_id":"ann","find":"hall","advantage":"dis"`, `"actor_id":"ann","find":"hall"`,
		`"actor_id":"ann","find":"hall"`, `"actor_id":"ann","find":"desk"`, `"actor_id":"ann","find":"desk","advantage":"dis"`,
		`"actor_id":"ann","find":"map","help":"bo"`,
	} {
		o := b.call("skill_check", `{"skill":"wits",`+args+`}`, 2, 2)
		if !o.OK() || strings.Contains(string(o.Result), `"dc"`) || !strings.Contains(string(o.Result), `"outcome":"fail"`) {
			t.Errorf("%s: %s %s", args, o.Code, o.Result)
		}
		exprs = append(exprs, b.exprs...)
	}
	rulestest.Same(t, exprs, []string{"1d20", "1d20-3", "1d20-6", "2d20kh1-9", "2d20kl1-12", "1d20-15", "1d20-15", "2d20kh1", "1d20-3", "2d20kh1"})
	rulestest.Same(t, []int64{b.World.Self().Minute, b.World.Clock("nerves").Filled, b.World.Clock("night").Filled}, []int64{85, 0, 4})
	if o := b.call("skill_check", `{"actor_id":"ann","skill":"wits","find":"hall"}`, 20); !strings.Contains(string(o.Result), `"found":["letter"`) {
		t.Errorf("a natural 20 finds nothing of what is within reach: %s", o.Result)
	}
}

// Of a search that finds nothing nobody can tell whether there is anything: result, words, time and events are those of a place
// where nothing is hidden.
func TestSearch_TellsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		faces := rapid.SliceOfN(rapid.Int64Range(1, 20), 4, 4).Draw(t, "faces")
		find := rapid.SampledFrom([]string{"hall", "desk", "map", "chest", "corpse", "sword"}).Draw(t, "find")
		args := `{"actor_id":"ann","skill":"wits","find":"` + find + `"}`
		full, bare := study(t, false), study(t, true)
		for range 2 {
			o, other := full.call("skill_check", args, slices.Clone(faces)...), bare.call("skill_check", args, slices.Clone(faces)...)
			var r struct{ Found []string }
			if err := json.Unmarshal(o.Result, &r); err != nil {
				t.Fatal(err)
			}
			if len(r.Found) > 0 {
				return
			}
			rulestest.Same(t, o, other)
			rulestest.Same(t, full.World.Self(), bare.World.Self())
			rulestest.Same(t, len(full.Turn.Events), len(bare.Turn.Events))
		}
	})
}
