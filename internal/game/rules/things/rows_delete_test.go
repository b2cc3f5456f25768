package things_test

import (
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// The rows of delete_object, by their ids.
func TestDeleteObjectRows(t *testing.T) {
	const tool, box = "delete_object", `{"objectId":"obj_box"}`
	t.Run("delete_object-01", func(t *testing.T) {
		b := w1(t, "ru")
		o := b.ok(tool, `{"objectId":"obj_knife"}`, "удалён", "Knife")
		if strings.Contains(b.Text(o), "ложенн") {
			t.Errorf("it tells of nested objects: %s", b.Text(o))
		}
		rulestest.Same(t, b.parent("obj_knife"), "-")
		rulestest.Same(t, string(o.Result), `{"moved_children":[],"to":"char_ann"}`)
	})
	t.Run("delete_object-02", func(t *testing.T) {
		b := w1(t, "ru")
		b.ok(tool, `{"objectId":"obj_map"}`)
		rulestest.Same(t, b.parent("obj_map"), "-")
	})
	t.Run("delete_object-04", func(t *testing.T) {
		b := w1(t, "ru")
		o := b.ok(tool, box, "«Key»", "(1)", "в локации «Hall»")
		rulestest.Same(t, b.parent("obj_key")+" "+b.parent("obj_tag"), "loc_hall obj_key")
		rulestest.Same(t, string(o.Result), `{"moved_children":["obj_key"],"to":"loc_hall"}`)
	})
	t.Run("delete_object-05", func(t *testing.T) {
		b := w1(t, "ru", &world.Thing{ID: "obj_pin", Name: "Pin", Order: 20, Parent: "obj_box"})
		o := b.ok(tool, box, "(2)", "«Key», «Pin»")
		rulestest.Same(t, b.parent("obj_key")+" "+b.parent("obj_pin"), "loc_hall loc_hall")
		rulestest.Same(t, string(o.Result), `{"moved_children":["obj_key","obj_pin"],"to":"loc_hall"}`)
	})
	t.Run("delete_object-07", func(t *testing.T) {
		b := w1(t, "ru")
		b.ok(tool, `{"objectId":"obj_key"}`, "внутри объекта «Box»")
		rulestest.Same(t, b.parent("obj_tag"), "obj_box")
	})
	t.Run("delete_object-08", func(t *testing.T) {
		b := w1(t, "ru")
		for _, args := range []string{`{"objectId":""}`, `{"objectId":null}`, `{}`, ``} {
			b.no(rules.InvalidArgs, tool, args, "обязателен")
		}
		b.no(rules.EntityNotFound, tool, `{"objectId":"obj_999"}`, "obj_999", "не найден")
	})
	t.Run("delete_object-10", func(t *testing.T) {
		b := w1(t, "ru", &world.Thing{ID: "obj_box", Name: "Box"})
		o := b.ok(tool, box)
		rulestest.Same(t, b.parent("obj_key"), "")
		rulestest.Same(t, string(o.Result), `{"moved_children":["obj_key"],"to":""}`)
	})
	t.Run("delete_object-11", func(t *testing.T) {
		b := w1(t, "ru", &world.Thing{ID: "obj_box", Name: "Box", Parent: "ghost"})
		b.ok(tool, box)
		rulestest.Same(t, b.parent("obj_key"), "")
	})
	t.Run("delete_object-13", func(t *testing.T) {
		b := set(t, "ru", &world.Place{ID: "loc_hall"}, &world.Thing{ID: "obj_map", Parent: "loc_hall"})
		b.ok(tool, `{"objectId":"obj_map"}`)
		rulestest.Same(t, len(b.World.Things()), 0)
	})
	t.Run("delete_object-14", func(t *testing.T) {
		b, other := w1(t, "ru"), w1(t, "ru")
		before := *b.World.Thing("obj_knife")
		knife := b.World.Thing("obj_knife")
		b.ok(tool, `{"objectId":"obj_knife"}`)
		rulestest.Same(t, *knife, before)
		if err := other.World.Apply(world.Event{Old: knife}); err != nil {
			t.Fatal(err)
		}
		rulestest.Same(t, b.World.Hash(), other.World.Hash())
	})
}

// In a world that holds itself, or in which ids collide, nothing is lost and nothing comes to hold itself.
func TestDeleteObjectInCircles(t *testing.T) {
	b := w1(t, "en", &world.Thing{ID: "obj_p", Parent: "obj_q"}, &world.Thing{ID: "obj_q", Parent: "obj_p"},
		&world.Thing{ID: "obj_r", Parent: "obj_r"}, &world.Thing{ID: "obj_s", Parent: "obj_r"})
	b.ok("delete_object", `{"object_id":"obj_p"}`)
	rulestest.Same(t, string(b.ok("delete_object", `{"object_id":"obj_r"}`).Result), `{"moved_children":["obj_s"],"to":""}`)
	rulestest.Same(t, []string{b.parent("obj_q"), b.parent("obj_s"), b.parent("obj_r")}, []string{"", "", "-"})

	b = w1(t, "en", &world.Thing{ID: "loc_hall", Name: "Hall of dolls", Parent: "loc_yard"})
	b.ok("delete_object", `{"object_id":"loc_hall"}`)
	rulestest.Same(t, b.parent("obj_box"), "loc_hall")
}

// What pointed to an object that is gone points to nothing.
func TestDeleteObjectCleansUp(t *testing.T) {
	b := w1(t, "en",
		&world.Link{From: "loc_hall", To: "loc_yard", Door: world.LockedDoor, DoorID: "obj_box", Lock: "obj_map"},
		&world.Link{From: "loc_yard", To: "loc_road", Door: world.LockedDoor, Lock: "obj_map", Needs: "obj_key"},
		&world.Link{From: "loc_road", To: "loc_yard", Needs: "obj_key", Blocked: "mud"},
		&world.Thing{ID: "obj_safe", Parent: "loc_hall", Locked: true, Lock: "obj_map"},
		&world.Fact{ID: "fact_001", Text: "Ann drew a map.", About: []string{"obj_map", "char_ann"}},
		&world.Fact{ID: "fact_002", Text: "Bo left.", About: []string{"char_bo"}})
	for _, id := range []string{"obj_box", "obj_map", "obj_key"} {
		b.ok("delete_object", `{"object_id":"`+id+`"}`)
	}
	rulestest.Same(t, b.World.Link("loc_hall", "loc_yard"), &world.Link{From: "loc_hall", To: "loc_yard"})
	rulestest.Same(t, b.World.Link("loc_yard", "loc_road"), &world.Link{
		From: "loc_yard", To: "loc_road", Door: world.LockedDoor, Blocked: `one needs "Key" for it, and that is gone`,
	})
	rulestest.Same(t, b.World.Link("loc_road", "loc_yard"), &world.Link{From: "loc_road", To: "loc_yard", Blocked: "mud"})
	rulestest.Same(t, b.World.Thing("obj_safe"), &world.Thing{ID: "obj_safe", Parent: "loc_hall", Locked: true})
	rulestest.Same(t, b.World.Fact("fact_001").About, []string{"char_ann"})
	rulestest.Same(t, b.World.Fact("fact_002").About, []string{"char_bo"})
}

// A thing that was on a chest leaves what it held on the chest; from a hand it passes to the hand.
func TestDeleteObjectPassesOn(t *testing.T) {
	b := w1(t, "en", &world.Thing{ID: "obj_tray", Parent: "obj_box", Rel: world.On}, &world.Thing{ID: "obj_cup",
		Parent: "obj_tray", Rel: world.On},

		&world.Thing{ID: "obj_rug", Parent: "loc_hall", Rel: world.On}, &world.Thing{ID: "obj_dust", Parent: "obj_rug",
			Rel: world.On},
		&world.Thing{ID: "obj_coat", Parent: "char_ann", Rel: world.Worn}, &world.Thing{ID: "obj_coin", Parent: "obj_coat",
			Rel: world.In})
	b.ok("delete_object", `{"object_id":"obj_tray"}`)
	b.ok("delete_object", `{"object_id":"obj_coat"}`)
	b.ok("delete_object", `{"object_id":"obj_rug"}`)
	rulestest.Same(t, []*world.Thing{b.World.Thing("obj_cup"), b.World.Thing("obj_coin"), b.World.Thing("obj_dust")}, []*world.Thing{
		{ID: "obj_cup", Parent: "obj_box", Rel: world.On}, {ID: "obj_coin", Parent: "char_ann"}, {ID: "obj_dust",
			Parent: "loc_hall"},
	})
}

// Pieces come and go; the last one takes the object with it.
func TestAdjustQty(t *testing.T) {
	coins := func(n int64) []world.Record {
		return []world.Record{
			&world.Thing{ID: "obj_purse", Name: "Кошель", Parent: "char_ann", Capacity: 12},
			&world.Thing{ID: "obj_coin", Name: "Монета", Parent: "obj_purse", Qty: n},
			&world.Thing{ID: "obj_dent", Name: "Вмятина", Parent: "obj_coin", Rel: world.Part},
		}
	}
	for _, tt := range []struct {
		name   string
		had    int64
		args   string
		code   rules.Code
		result string
		says   string
	}{
		{"some go", 10, `{"object_id":"obj_coin","delta":-3,"cause":"ужин"}`, "", `{"qty":7}`,
			"«Монета»: было 10 шт., стало 7 шт. (ужин)."},
		{"some come", 10, `{"object_id":"obj_coin","delta":2}`, "", `{"qty":12}`, "стало 12 шт."},
		{"none", 10, `{"object_id":"obj_coin","delta":0}`, "", `{"qty":10}`, "стало 10 шт."},
		{"one is left", 2, `{"object_id":"obj_coin","delta":-1}`, "", `{"qty":1}`, "стало 1 шт."},
		{"all go", 10, `{"object_id":"obj_coin","delta":-10}`, "", `{"qty":0,"moved_children":["obj_dent"],"to":"obj_purse"}`,
			"ничего не осталось."},
		{"the only one goes", 0, `{"object_id":"obj_coin","delta":-1,"cause":"вор"}`, "",
			`{"qty":0,"moved_children":["obj_dent"],"to":"obj_purse"}`, "ничего не осталось (вор)."},
		{"more than there are", 10, `{"object_id":"obj_coin","delta":-11}`, "not_enough", "", "только 10 шт."},
		{"more than fit", 10, `{"object_id":"obj_coin","delta":3}`, "over_capacity", "", "12"},
		{"half a piece", 10, `{"object_id":"obj_coin","delta":0.5}`, rules.InvalidArgs, "", "delta"},
		{"beyond all numbers", 10, `{"object_id":"obj_coin","delta":9223372036854775807}`, rules.InvalidArgs, "", "delta"},
		{"of nothing", 10, `{"object_id":"obj_x","delta":1}`, rules.EntityNotFound, "", "obj_x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := w1(t, "ru", coins(tt.had)...)
			if tt.code != "" {
				b.no(tt.code, "adjust_qty", tt.args, tt.says)
				return
			}
			rulestest.Same(t, string(b.ok("adjust_qty", tt.args, tt.says).Result), tt.result)
			if left := b.World.Thing("obj_coin"); left == nil {
				rulestest.Same(t, b.parent("obj_dent"), "obj_purse")
			} else if max(1, left.Qty) > 12 {
				t.Errorf("%d are left", left.Qty)
			}
		})
	}
	b := w1(t, "en", &world.Thing{ID: "obj_sand", Parent: "loc_yard", Qty: 999_999_999})
	b.no("limit", "adjust_qty", `{"object_id":"obj_sand","delta":2}`)
}

// An inventory is what can be seen of what somebody has.
func TestInventory(t *testing.T) {
	b := w1(t, "ru", &world.Self{Lang: "ru", AllowAll: true, Party: []string{"char_ann"}, Active: "char_ann"},
		&world.Thing{ID: "obj_bag", Order: 20, Name: "Сумка", Parent: "char_ann", Rel: world.Worn, Container: true},
		&world.Thing{ID: "obj_coin", Order: 21, Name: "Монета", Parent: "obj_bag", Qty: 12},
		&world.Thing{ID: "obj_note", Order: 22, Name: "Записка", Parent: "obj_bag", Hidden: true},
		&world.Thing{ID: "obj_tin", Order: 23, Name: "Коробка", Parent: "obj_bag", Container: true, Closed: true},
		&world.Thing{ID: "obj_ring", Order: 24, Name: "Кольцо", Parent: "obj_tin"},
		&world.Thing{ID: "obj_bow", Order: 25, Name: "Бант", Parent: "obj_tin", Rel: world.On},
		&world.Thing{ID: "char_ann", Order: 26, Name: "Кукла", Parent: "char_ann"})
	o := b.ok("inventory", `{}`, "У персонажа «Ann» есть: «Knife»; «Сумка», внутри «Монета» (12 шт.), «Коробка» (закрыто), внутри «Бант»; «Кукла».")
	rulestest.Same(t, string(o.Result), `{"actor_id":"char_ann","items":[{"id":"obj_knife","name":"Knife","qty":1},`+
		`{"id":"obj_bag","name":"Сумка","qty":1,"relation":"worn","container":true,"items":[{"id":"obj_coin","name":"Монета",`+
		`"qty":12},`+
		`{"id":"obj_tin","name":"Коробка","qty":1,"container":true,"closed":true,"items":[{"id":"obj_bow","name":"Бант","qty":1,`+
		`"relation":"on"}]}]},`+
		`{"id":"char_ann","name":"Кукла","qty":1}]}`)
	rulestest.Same(t, string(b.ok("inventory", `{"actor_id":"char_bo"}`, "ничего нет").Result), `{"actor_id":"char_bo","items":[]}`)
	b.no(rules.EntityNotFound, "inventory", `{"actor_id":"obj_box"}`, "obj_box")
	w1(t, "ru").no(rules.InvalidArgs, "inventory", `{}`, "actor_id")
}
