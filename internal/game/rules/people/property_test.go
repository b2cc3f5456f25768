package people_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Whatever is called with whatever arguments: nothing panics, a refused call changes nothing (see batch), hit points and
// attitudes stay in their bounds, who acts is of the party, everybody is somewhere, time does not go back, and no secret is
// told.
func TestRandomCalls(t *testing.T) {
	most := 30
	if os.Getenv("HOB_TEST_FULL") != "" {
		most = 1000
	}
	rapid.Check(t, func(t *rapid.T) {
		b := village(t, rapid.SampledFrom([]string{"en", "ru", "zh"}).Draw(t, "lang"),
			&world.Fact{ID: "fact_000", Text: "the bell is false", Witnesses: []string{"npc_001"}, Secret: true},
			&world.Clock{ID: "clock_001", Segments: 4, PerMinutes: 20, Since: 1000})
		self := *b.World.Self()
		self.Session, self.Rules = "s1", map[string]int64{"hp_zero_ends_game": 1}
		b.Put(&self)
		if rapid.Bool().Draw(t, "fight") {
			b.Put(&world.Encounter{Round: 1, Actors: []string{"pc_001"}})
		}
		for range rapid.IntRange(1, most).Draw(t, "calls") {
			tool := rapid.SampledFrom(b.Turn.Book.Names()).Draw(t, "tool")
			minute := b.World.Self().Minute
			o := b.Call(tool, b.random(t, tool))
			if said := b.Text(o); o.Code == rules.Internal || said == "" || strings.Contains(said+string(o.Result),
				"bell is false") {
				t.Fatalf("%s %s: %s %s %s", tool, o.Call.Args, o.Code, said, o.Result)
			}
			if b.World.Self().Minute < minute {
				t.Fatalf("%s: time went back", tool)
			}
			b.sound(t)
		}
	})
}

// random draws arguments: mostly such that fit.
func (b *table) random(t *rapid.T, tool string) string {
	ids := []string{"inn", "mill", "ghost", "fact_000", "", "s1", "poisoned"}
	for _, a := range b.World.Actors() {
		ids = append(ids, a.ID, a.ID)
	}
	args := map[string]any{}
	for _, p := range b.Turn.Book.Tool(tool).Params {
		if !p.Need && rapid.Bool().Draw(t, "left out") {
			continue
		}
		switch {
		case rapid.IntRange(0, 19).Draw(t, "odd") == 0:
			args[p.Name] = rapid.SampledFrom([]any{nil, 1.5, "", true, []any{1, nil}, map[string]string{"a": "b"},
				"{'x':1"}).Draw(t, p.Name)
		case p.Name == "session_id":
			args[p.Name] = "s1"
		case len(p.Enum) > 0:
			args[p.Name] = rapid.SampledFrom(p.Enum).Draw(t, p.Name)
		case p.Type == rules.ID:
			args[p.Name] = rapid.SampledFrom(ids).Draw(t, p.Name)
		case p.Type == rules.List:
			args[p.Name] = rapid.SliceOfN(rapid.SampledFrom(ids), 0, 3).Draw(t, p.Name)
		case p.Type == rules.Int:
			args[p.Name] = rapid.OneOf(rapid.Int64Range(-9, 9), rapid.Int64()).Draw(t, p.Name)
		case p.Type == rules.Object:
			args[p.Name] = map[string]int64{"wits": rapid.Int64Range(-3, 5).Draw(t, p.Name)}
		default:
			args[p.Name] = rapid.String().Draw(t, p.Name)
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// sound looks that the world holds together.
func (b *table) sound(t *rapid.T) {
	for _, a := range b.World.Actors() {
		outside := a.HP.Known && (a.HP.N < 0 || a.HPMax.Known && a.HP.N > a.HPMax.N)
		if outside || a.Attitude < -3 || a.Attitude > 3 || b.World.Place(a.Place) == nil {
			t.Fatalf("%s has %v of %v, thinks %d, is at %q", a.ID, a.HP, a.HPMax, a.Attitude, a.Place)
		}
		if a.HP.Known && a.HP.N == 0 && a.State == world.Alive {
			t.Fatalf("%s lives without hit points", a.ID)
		}
	}
	if self := b.World.Self(); self.Active != "" && !slices.Contains(self.Party, self.Active) {
		t.Fatalf("%s acts and is not of the party %v", self.Active, self.Party)
	}
	for _, f := range b.World.Facts() {
		for _, id := range f.Witnesses {
			if b.World.Actor(id) == nil {
				t.Fatalf("%s was witnessed by %q", f.ID, id)
			}
		}
	}
}
