package story_test

import (
	"context"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/checks"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// table is a world with a turn on it.
type table struct{ *rulestest.Table }

// set makes a world of records on which every tool may be used, unless self says otherwise.
func set(t rulestest.T, self *world.Self, records ...world.Record) *table {
	t.Helper()
	families := []rules.Family{story.Family(), checks.Family(), movers()}
	b := rulestest.New(t, families, append([]world.Record{self}, records...)...)
	b.Turn.Number = 7
	b.Turn.Services.Throw = func(expr string, _ int64) (rules.Roll, error) {
		return rules.Roll{Expr: expr, Total: 1, Dice: []rules.Die{{Size: 20, Value: 1, Kept: true}}}, nil
	}
	return &table{b}
}

// movers is the tools of other families that choices are made of, as far as they refuse.
func movers() rules.Family {
	no := func(key string) *rules.Verdict { return rules.Refuse(rules.InvalidArgs, key) }
	return rules.Family{Tools: []rules.Tool{
		{
			Name: "move_player", Params: []rules.Param{{Name: "player_id", Type: rules.ID, Need: true},
				{Name: "target_location_id", Type: rules.ID, Need: true}},
			Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
				actor := s.World.Actor(a.Text("player_id"))
				if actor == nil || !rules.CanAct(actor) {
					return no("actor")
				}
				l := s.World.Link(actor.Place, a.Text("target_location_id"))
				if l == nil || l.Blocked != "" || l.Needs != "" || l.Door == world.ClosedDoor || l.Door == world.LockedDoor ||
					l.To == l.From {
					return no("link")
				}
				next := *actor
				next.Place = l.To
				s.Put(&next)
				return rules.Accept(rules.NewObj(), "moved")
			},
		},
		{
			Name: "move_object", Params: []rules.Param{{Name: "object_id", Type: rules.ID, Need: true}, {Name: "target_id",
				Type: rules.ID, Need: true}},
			Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
				t := s.World.Thing(a.Text("object_id"))
				if t == nil || s.World.Actor(a.Text("target_id")) == nil || t.Fixed {
					return no("object")
				}
				if kind, _ := s.World.Holder(t.ID); kind != world.PlaceKind {
					return no("holder")
				}
				next := *t
				next.Parent = a.Text("target_id")
				s.Put(&next)
				return rules.Accept(rules.NewObj(), "moved")
			},
		},
	}}
}

// ok runs a call that is to be applied with a result and words.
func (b *table) ok(result, says, tool, args string) {
	b.T.Helper()
	o := b.Call(tool, args)
	if !o.OK() || string(o.Result) != result || b.Text(o) != says {
		b.T.Errorf("%s %s: %s %s\n%s\n%s\nwant\n%s\n%s", tool, args, o.Status, o.Code, o.Result, b.Text(o), result, says)
	}
}

// no runs a call that is to be refused with a detail, and words that have some in them.
func (b *table) no(detail, says, tool, args string) {
	b.T.Helper()
	o := b.Call(tool, args)
	if text := b.Text(o); o.OK() || o.Detail() != detail || !strings.Contains(text, says) || strings.Contains(text, "{") ||
		strings.HasPrefix(text, o.Say.Key) {
		b.T.Errorf("%s %s: %s %s (%s), want %s with %q", tool, args, o.Status, o.Detail(), text, detail, says)
	}
}

// crypt is a world with something of everything; the names of what nobody may be told begin with "Secret".
func crypt(t rulestest.T, more ...world.Record) *table {
	t.Helper()
	one := func(name, text string) map[string]string { return map[string]string{name: text} }
	return set(t, &world.Self{
		AllowAll: true, ClockSet: true, Minute: 24*60 + 21*60 + 40, Weather: "rain", Party: []string{"pc_001", "pc_002"},
		Active: "pc_001",
		Lines:  []string{"no harm to children"}, Veils: []string{"gore"},
	}, append([]world.Record{
		&world.Place{ID: "area_007", Name: "Flooded Crypt", Desc: "Knee-deep water.", Situation: "It rises.", Visited: true},
		&world.Place{ID: "area_008", Name: "Ossuary"}, &world.Place{ID: "area_003", Name: "Stairs", Visited: true},
		&world.Place{ID: "area_009", Name: "Secret Vault", Secret: true}, &world.Place{ID: "area_010", Name: "Secret Passage"},
		&world.Link{From: "area_007", To: "area_008", Order: 1, Dir: "n", Door: world.LockedDoor, Lock: "obj_031"},
		&world.Link{From: "area_007", To: "area_003", Order: 2, Dir: "u"}, &world.Link{From: "area_007", To: "area_009",
			Order: 3},
		&world.Link{From: "area_007", To: "area_010", Order: 4, Hidden: true},
		&world.Actor{ID: "pc_001", Order: 1, Name: "Jack", Place: "area_007", HP: world.Known(7), HPMax: world.Known(12),
			Secret:     "Secret father",
			Conditions: map[string]int64{"poisoned": 24*60 + 21*60 + 40 + 120, "cold": 0}, Rounds: map[string]int64{"blind": 2}},
		&world.Actor{ID: "pc_002", Order: 2, Name: "Mira", Place: "area_003", HP: world.Known(10)},
		&world.Actor{ID: "npc_004", Order: 3, Name: "Brother Osric", Place: "area_007", Attitude: -1, Wants: "Secret wish",
			Secret: "Secret guilt"},
		&world.Thing{ID: "obj_022", Order: 1, Name: "altar", Attrs: one("condition", "cracked"), Parent: "area_007", Fixed: true},
		&world.Thing{ID: "obj_025", Order: 2, Name: "silver bowl", Parent: "obj_022", Rel: world.On},
		&world.Thing{ID: "obj_029", Order: 3, Name: "iron chest", Parent: "area_007", Closed: true, Container: true},
		&world.Thing{ID: "obj_030", Order: 4, Name: "Secret ruby", Parent: "obj_029"}, &world.Thing{ID: "obj_033", Order: 5,
			Name: "lid", Parent: "obj_029", Rel: world.Part},
		&world.Thing{ID: "obj_032", Order: 6, Name: "Secret lever", Parent: "area_007", Hidden: true},
		&world.Thing{ID: "obj_001", Order: 7, Name: "knife", Parent: "pc_001", Qty: 2}, &world.Thing{ID: "obj_031", Order: 8,
			Name: "bone key", Parent: "pc_002"},
		&world.Thing{ID: "obj_002", Order: 9, Name: "bag", Parent: "npc_004"}, &world.Thing{ID: "obj_003", Order: 10,
			Name: "Secret letter", Parent: "obj_002"},
		&world.Quest{ID: "quest_001", Title: "Recover the bell", State: world.Active, Objectives: []string{"enter crypt",
			"find it"}, Met: []string{"enter crypt"}},
		&world.Quest{ID: "quest_002", Title: "Secret offer", State: world.Offered},
		&world.Clock{ID: "clock_001", Name: "Tide rises", Segments: 6, Filled: 3, Visible: true}, &world.Clock{ID: "clock_002",
			Name: "Secret plot", Segments: 4},
		&world.Lore{ID: "lore_001", Keys: []string{"bell"}, Text: "Bell of Saint Orm: cracked."},
		&world.Lore{ID: "lore_002", Keys: []string{"bell"}, Text: "Secret lore.", Secret: true, Constant: true},
	}, more...)...)
}

// family returns the tools of the package as a book has them.
func family(t *testing.T) (all []*rules.Tool) {
	book, err := rules.New(story.Family())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range book.Names() {
		all = append(all, book.Tool(name))
	}
	return all
}

func TestFamilyHasWords(t *testing.T) {
	for _, tool := range family(t) {
		if !strings.HasSuffix(tool.Doc, ".") || len(tool.Doc) > 130 {
			t.Errorf("%s: %q", tool.Name, tool.Doc)
		}
		for _, p := range tool.Params {
			if !strings.HasSuffix(p.Doc, ".") && !strings.HasSuffix(p.Doc, ")") {
				t.Errorf("%s: %s: %q", tool.Name, p.Name, p.Doc)
			}
		}
	}
}
