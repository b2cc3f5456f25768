package things_test

import (
	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/rules/things"
	"hob/internal/game/world"
)

// table is a world with a turn on it.
type table struct{ *rulestest.Table }

// set makes a world of records in which a language is spoken.
func set(t rulestest.T, lang string, records ...world.Record) *table {
	t.Helper()
	self := &world.Self{Lang: lang, AllowAll: true}
	return &table{rulestest.New(t, []rules.Family{things.Family()}, append([]world.Record{self}, records...)...)}
}

// w1 is the world W1 of the cases.
func w1(t rulestest.T, lang string, more ...world.Record) *table {
	t.Helper()
	one := func(name, text string) map[string]string { return map[string]string{name: text} }
	both := func(from, to string) []world.Record {
		return []world.Record{&world.Link{From: from, To: to}, &world.Link{From: to, To: from}}
	}
	records := []world.Record{
		&world.Place{ID: "loc_hall", Order: 1, Name: "Hall", Type: "location"},
		&world.Place{ID: "loc_yard", Order: 2, Name: "Yard", Type: "location"},
		&world.Place{ID: "loc_vault", Order: 3, Name: "Vault", Type: "location"},
		&world.Place{ID: "loc_attic", Order: 4, Name: "Attic", Type: "location"},
		&world.Place{ID: "loc_isle", Order: 5, Name: "Isle", Type: "location"},
		&world.Place{ID: "loc_road", Order: 6, Name: "Road", Type: "location"},
		&world.Link{From: "loc_hall", To: "loc_yard"}, &world.Link{From: "loc_hall", To: "loc_vault"},
		&world.Actor{ID: "char_ann", Order: 7, Role: "pc", Name: "Ann", Place: "loc_hall", Attrs: one("health", "well")},
		&world.Actor{ID: "char_bo", Order: 8, Role: "pc", Name: "Bo", Place: "loc_yard"},
		&world.Thing{ID: "obj_box", Order: 9, Name: "Box", Parent: "loc_hall", Attrs: one("condition", "good")},
		&world.Thing{ID: "obj_key", Order: 10, Name: "Key", Parent: "obj_box", Attrs: one("condition", "rusty")},
		&world.Thing{ID: "obj_tag", Order: 11, Name: "Tag", Parent: "obj_key", Attrs: one("text", "cellar")},
		&world.Thing{ID: "obj_knife", Order: 12, Name: "Knife", Parent: "char_ann", Attrs: one("condition", "sharp")},
		&world.Thing{ID: "obj_map", Order: 13, Name: "Map", Parent: "loc_yard", Attrs: one("condition", "torn")},
	}
	records = append(records, both("loc_hall", "loc_attic")...)
	records = append(records, both("loc_yard", "loc_road")...)
	return set(t, lang, append(records, more...)...)
}

// ok runs a call that is to be applied, and whose words are to have all of says in them.
func (b *table) ok(tool, args string, says ...string) rules.Outcome {
	b.T.Helper()
	o := b.Call(tool, args)
	if !o.OK() || o.Code != "" {
		b.T.Fatalf("%s %s: %s %s (%s)", tool, args, o.Status, o.Code, b.Text(o))
	}
	b.Says(o, says...)
	return o
}

// no runs a call that is to be refused with a code.
func (b *table) no(code rules.Code, tool, args string, says ...string) rules.Outcome {
	b.T.Helper()
	o := b.Call(tool, args)
	if o.OK() || o.Code != code {
		b.T.Fatalf("%s %s: %s %s (%s), want %s", tool, args, o.Status, o.Code, b.Text(o), code)
	}
	b.Says(o, says...)
	return o
}

// parent returns the parent of an object, "-" where there is no such object.
func (b *table) parent(id string) string {
	if t := b.World.Thing(id); t != nil {
		return t.Parent
	}
	return "-"
}
