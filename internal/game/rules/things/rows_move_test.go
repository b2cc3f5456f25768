package things_test

import (
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// The rows of move_object, by their ids.
func TestMoveObjectRows(t *testing.T) {
	t.Run("move_object-01", func(t *testing.T) {
		b := w1(t, "ru")
		before := b.World.Thing("obj_knife")
		o := b.ok("move_object", `{"objectId":"obj_knife","targetId":"loc_hall"}`, "Knife", "Hall", "перемещён в локацию")
		rulestest.Same(t, string(o.Result), `{"from":"char_ann","to":"loc_hall"}`)
		rulestest.Same(t, b.parent("obj_knife"), "loc_hall")
		rulestest.Same(t, before.Parent, "char_ann")
	})
	t.Run("move_object-02", func(t *testing.T) {
		b := w1(t, "ru")
		b.ok("move_object", `{"objectId":"obj_map","targetId":"char_ann"}`, "передан игроку", "Map", "Ann")
		rulestest.Same(t, b.parent("obj_map"), "char_ann")
	})
	t.Run("move_object-04", func(t *testing.T) {
		b := w1(t, "ru")
		b.ok("move_object", `{"objectId":"obj_key","targetId":"char_ann"}`)
		rulestest.Same(t, b.parent("obj_key")+" "+b.parent("obj_tag"), "char_ann obj_key")
	})
	t.Run("move_object-05", func(t *testing.T) {
		b := w1(t, "ru")
		o := b.ok("move_object", `{"objectId":"obj_map","targetId":"loc_yard"}`, "Map", "перемещён в локацию «Yard»")
		rulestest.Same(t, string(o.Result), `{"from":"loc_yard","to":"loc_yard"}`)
	})
	t.Run("move_object-07", func(t *testing.T) {
		b := w1(t, "ru")
		for _, args := range []string{`{"objectId":"","targetId":"loc_hall"}`, `{"objectId":null,"targetId":"loc_hall"}`,
			`{"targetId":"loc_hall"}`} {
			b.no(rules.InvalidArgs, "move_object", args, "не могут быть пустыми", "object_id")
		}
	})
	t.Run("move_object-08", func(t *testing.T) {
		b := w1(t, "ru")
		for _, args := range []string{`{"objectId":"obj_map","targetId":""}`, `{"objectId":"obj_map","targetId":null}`,
			`{"object_id":"obj_map"}`} {
			b.no(rules.InvalidArgs, "move_object", args, "не могут быть пустыми")
		}
	})
	t.Run("move_object-10", func(t *testing.T) {
		b := w1(t, "ru")
		b.no(rules.EntityNotFound, "move_object", `{"objectId":"obj_map","targetId":"ghost_999"}`, "ghost_999", "не найдена")
		b.no(rules.EntityNotFound, "move_object", `{"objectId":"ghost_999","targetId":"nowhere"}`, "ghost_999", "не найден.")
	})
	t.Run("move_object-11", func(t *testing.T) {
		w1(t, "ru").no(rules.SelfTarget, "move_object", `{"objectId":"obj_box","targetId":"obj_box"}`, "в себя")
	})
	t.Run("move_object-13", func(t *testing.T) {
		w1(t, "ru").no(rules.Cycle, "move_object", `{"objectId":"obj_box","targetId":"obj_tag"}`, "циклическую зависимость")
	})
	t.Run("move_object-14", func(t *testing.T) {
		b := w1(t, "ru", &world.Thing{ID: "obj_p", Parent: "obj_q"}, &world.Thing{ID: "obj_q", Parent: "obj_p"})
		b.no(rules.Cycle, "move_object", `{"objectId":"obj_p","targetId":"obj_q"}`)
		b.no(rules.Cycle, "move_object", `{"objectId":"obj_map","targetId":"obj_q"}`)
		b.ok("move_object", `{"objectId":"obj_p","targetId":"loc_hall"}`)
	})
	t.Run("move_object-16", func(t *testing.T) {
		b := w1(t, "ru", &world.Thing{ID: "obj_box", Name: "Box", Parent: "ghost"})
		b.ok("move_object", `{"objectId":"obj_map","targetId":"obj_box"}`, "помещён внутрь объекта")
		rulestest.Same(t, b.parent("obj_map"), "obj_box")
	})
	t.Run("move_object-17", func(t *testing.T) {
		place, thing := &world.Place{ID: "dup", Name: "Nook"}, &world.Thing{ID: "dup", Name: "Urn", Parent: "obj_box"}
		b := w1(t, "ru", place, thing)
		b.ok("move_object", `{"objectId":"obj_box","targetId":"dup"}`, "в локацию «Nook»")
		b = w1(t, "ru", place, thing, &world.Actor{ID: "dup", Name: "Cy"})
		b.ok("move_object", `{"objectId":"obj_map","targetId":"dup"}`, "игроку «Cy»")
		rulestest.Same(t, b.parent("obj_map"), "dup")
	})
	t.Run("move_object-19", func(t *testing.T) {
		b := w1(t, "ru")
		list := b.Batch(t.Context(),
			rules.Call{Tool: "create_object", Args: []byte(`{"name":"Cup","connectionId":"loc_hall"}`)},
			rules.Call{Tool: "set_attribute", Args: []byte(`{"entityType":"player","entityId":"char_ann","attributeName":"mood",` +
				`"value":"glad"}`)},
			rules.Call{Tool: "move_object", Args: []byte(`{"objectId":"$1.createdId","targetId":"char_ann"}`)},
			rules.Call{Tool: "move_object", Args: []byte(`{"objectId":"$0.createdId","targetId":"char_ann"}`)},
		)
		rulestest.Same(t, list[2].Code, rules.EntityNotFound)
		b.Says(list[2], "$1.createdId")
		rulestest.Same(t, list[3].Status, rules.Applied)
		rulestest.Same(t, b.parent(list[0].Created), "char_ann")
	})
	t.Run("move_object-20", func(t *testing.T) {
		b := w1(t, "ru", &world.Self{Lang: "ru", Allow: []string{"set_attribute"}})
		o := b.no(rules.ToolNotAllowed, "move_object", `{"objectId":"obj_map","targetId":"loc_hall"}`, "не найден или отключен")
		rulestest.Same(t, o.Status, rules.Rejected)
	})
}

// How an object is held, and what keeps it away.
func TestMoveObjectBeyondTheSeed(t *testing.T) {
	chest := func(c world.Thing) *world.Thing {
		c.ID, c.Name, c.Parent, c.Container = "obj_chest", "Chest", "loc_hall", true
		return &c
	}
	in := func(id, parent, rel string, n int64) *world.Thing {
		return &world.Thing{ID: id, Name: id, Parent: parent, Rel: rel, Qty: n, Order: 50}
	}
	for _, tt := range []struct {
		name   string
		more   []world.Record
		args   string
		code   rules.Code
		result string
	}{
		{"worn by an actor", nil, `{"object_id":"obj_map","target_id":"char_bo","relation":"worn"}`, "",
			`{"from":"loc_yard","to":"char_bo"}`},
		{"worn by a box", nil, `{"object_id":"obj_map","target_id":"obj_box","relation":"worn"}`, rules.InvalidArgs, ""},
		{"in an actor", nil, `{"object_id":"obj_map","target_id":"char_bo","relation":"in"}`, rules.InvalidArgs, ""},
		{"part of something", nil, `{"object_id":"obj_map","target_id":"obj_box","relation":"part"}`, rules.InvalidArgs, ""},
		{"on a box", nil, `{"object_id":"obj_map","target_id":"obj_box","relation":"on"}`, "",
			`{"from":"loc_yard","to":"obj_box"}`},
		{"into a closed one", []world.Record{chest(world.Thing{Closed: true})},
			`{"object_id":"obj_map","target_id":"obj_chest"}`, "closed_container", ""},
		{"into a locked one", []world.Record{chest(world.Thing{Locked: true})},
			`{"object_id":"obj_map","target_id":"obj_chest"}`, "closed_container", ""},
		{"onto a closed one", []world.Record{chest(world.Thing{Closed: true})},
			`{"object_id":"obj_map","target_id":"obj_chest","relation":"on"}`,
			"", `{"from":"loc_yard","to":"obj_chest"}`},
		{"out of a closed one, deep within", []world.Record{chest(world.Thing{Closed: true}), in("obj_bag", "obj_chest", "", 0),
			in("obj_pin", "obj_bag", "", 0)},
			`{"object_id":"obj_pin","target_id":"char_ann"}`, "closed_container", ""},
		{"from the lid of a closed one", []world.Record{chest(world.Thing{Closed: true}), in("obj_pin", "obj_chest", "on", 0)},
			`{"object_id":"obj_pin","target_id":"char_ann"}`, "", `{"from":"obj_chest","to":"char_ann"}`},
		{"into a bag in a closed one", []world.Record{chest(world.Thing{Closed: true}), in("obj_bag", "obj_chest", "", 0)},
			`{"object_id":"obj_map","target_id":"obj_bag"}`, "closed_container", ""},
		{"within a closed one already", []world.Record{chest(world.Thing{Closed: true}), in("obj_pin", "obj_chest", "", 0)},
			`{"object_id":"obj_pin","target_id":"obj_chest"}`, "", `{"from":"obj_chest","to":"obj_chest"}`},
		{"a fixed one", []world.Record{chest(world.Thing{Fixed: true})}, `{"object_id":"obj_chest","target_id":"char_ann"}`,
			"fixed", ""},
		{"one too many", []world.Record{chest(world.Thing{Capacity: 3}), in("obj_coin", "obj_chest", "", 3)},
			`{"object_id":"obj_map","target_id":"obj_chest"}`, "over_capacity", ""},
		{"the last that fits", []world.Record{chest(world.Thing{Capacity: 3}), in("obj_coin", "obj_chest", "", 2), in("obj_lid",
			"obj_chest", "on", 9)},
			`{"object_id":"obj_map","target_id":"obj_chest"}`, "", `{"from":"loc_yard","to":"obj_chest"}`},
		{"more than there are", []world.Record{in("obj_coin", "char_ann", "", 3)},
			`{"object_id":"obj_coin","target_id":"char_bo","qty":4}`, "not_enough", ""},
		{"no pieces", []world.Record{in("obj_coin", "char_ann", "", 3)},
			`{"object_id":"obj_coin","target_id":"char_bo","qty":0}`, rules.InvalidArgs, ""},
		{"all pieces keep the id", []world.Record{in("obj_coin", "char_ann", "", 3)},
			`{"object_id":"obj_coin","target_id":"char_bo","qty":3}`, "", `{"from":"char_ann","to":"char_bo"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := w1(t, "en", tt.more...)
			if tt.code != "" {
				b.no(tt.code, "move_object", tt.args)
				return
			}
			rulestest.Same(t, string(b.ok("move_object", tt.args).Result), tt.result)
		})
	}
}

// A part of a stack is an object of its own; an equal stack that is there stays one of its own, too.
func TestStacksAreSplit(t *testing.T) {
	b := w1(t, "ru", &world.Thing{ID: "obj_coin", Name: "Монета", Parent: "char_ann", Qty: 10, Hidden: true},
		&world.Thing{ID: "obj_more", Name: "Монета", Parent: "char_bo", Qty: 4})
	o := b.ok("move_object", `{"objectId":"obj_coin","targetId":"char_bo","qty":3,"relation":"held"}`,
		"«Монета» (3 шт., теперь это obj_1_obj1)", "игроку «Bo»")
	rulestest.Same(t, string(o.Result), `{"from":"char_ann","to":"char_bo","object_id":"obj_1_obj1","qty":3}`)
	rulestest.Same(t, []*world.Thing{b.World.Thing("obj_coin"), b.World.Thing("obj_more"), b.World.Thing("obj_1_obj1")}, []*world.Thing{
		{ID: "obj_coin", Name: "Монета", Parent: "char_ann", Qty: 7, Hidden: true},
		{ID: "obj_more", Name: "Монета", Parent: "char_bo", Qty: 4},
		{ID: "obj_1_obj1", Order: 1001, Name: "Монета", Parent: "char_bo", Rel: "held", Qty: 3},
	})
	b.ok("move_object", `{"objectId":"obj_coin","targetId":"loc_hall","qty":6}`)
	rulestest.Same(t, b.World.Thing("obj_coin").Hidden, true)
	b.ok("move_object", `{"objectId":"obj_coin","targetId":"loc_hall"}`)
	rulestest.Same(t, b.World.Thing("obj_coin").Hidden, true)
	b.ok("move_object", `{"objectId":"obj_coin","targetId":"char_bo"}`, "передан игроку")
	rulestest.Same(t, b.World.Thing("obj_coin").Hidden, false)
	rulestest.Same(t, b.World.Thing("obj_coin").Qty, int64(0))
}
