package things_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

func attribute(kind, id, name, value string) string {
	return fmt.Sprintf(`{"entityType":%q,"entityId":%q,"attributeName":%q,"value":%s}`, kind, id, name, value)
}

// The rows of set_attribute, by their ids.
func TestSetAttributeRows(t *testing.T) {
	const tool = "set_attribute"
	t.Run("set_attribute-01", func(t *testing.T) {
		b := w1(t, "ru")
		o := b.ok(tool, attribute("player", "char_ann", "magic", `"v"`), "создана", "magic", "игрока «Ann»")
		rulestest.Same(t, string(o.Result), `{"old":null,"new":"v"}`)
		rulestest.Same(t, b.World.Actor("char_ann").Attrs, map[string]string{"health": "well", "magic": "v"})
	})
	t.Run("set_attribute-02", func(t *testing.T) {
		o := w1(t, "ru").ok(tool, attribute("player", "char_ann", "health", `"hurt"`), "изменена", "well", "hurt")
		rulestest.Same(t, string(o.Result), `{"old":"well","new":"hurt"}`)
	})
	t.Run("set_attribute-04", func(t *testing.T) {
		b := w1(t, "ru")
		b.ok(tool, attribute("location", "loc_hall", "safety", `"v"`), "создана", "локации «Hall»")
		b.ok(tool, attribute("place", "loc_hall", "safety", `"v"`), "уже такая")
		rulestest.Same(t, b.World.Place("loc_hall").Attrs, map[string]string{"safety": "v"})
	})
	t.Run("set_attribute-05", func(t *testing.T) {
		b := w1(t, "ru")
		b.ok(tool, attribute("player", "char_bo", "stamina", `"v"`))
		rulestest.Same(t, b.World.Actor("char_bo").Attrs, map[string]string{"stamina": "v"})
	})
	t.Run("set_attribute-07", func(t *testing.T) {
		b := w1(t, "ru")
		b.no(rules.InvalidArgs, tool, attribute("player", "char_ann", "health", "null"), "обязательны")
		b.no(rules.InvalidArgs, tool, `{"entityType":"player","entityId":"char_ann","attributeName":"health"}`, "обязательны",
			"value")
		b.no(rules.InvalidArgs, tool, attribute("player", "char_ann", "health", `["x"]`))
		b.no(rules.InvalidArgs, tool, attribute("player", "char_ann", "health", `{"x":1}`))
		b.no(rules.InvalidArgs, tool, attribute("player", "char_ann", "health", `""`), "обязательны", "value")
		b.no(rules.InvalidArgs, tool, attribute("player", "char_ann", "health", `" \u3000 "`), "обязательны", "value")
		b.no(rules.InvalidArgs, tool, attribute("player", "char_999", "hp", `""`), "обязательны")
		rulestest.Same(t, b.World.Actor("char_ann").Attrs, map[string]string{"health": "well"})
	})
	t.Run("set_attribute-08", func(t *testing.T) {
		b := w1(t, "ru")
		for _, kind := range []string{"invalid", "Player"} {
			b.no(rules.InvalidArgs, tool, attribute(kind, "char_ann", "health", `"v"`), "должен быть")
		}
	})
	t.Run("set_attribute-10", func(t *testing.T) {
		b := w1(t, "ru")
		b.no(rules.EntityNotFound, tool, attribute("object", "char_ann", "health", `"v"`), "char_ann", "Объект")
		b.no(rules.EntityNotFound, tool, attribute("actor", "loc_hall", "health", `"v"`), "Игрок")
		b.no(rules.EntityNotFound, tool, attribute("location", "obj_box", "health", `"v"`), "Локация")
	})
	t.Run("set_attribute-11", func(t *testing.T) {
		b := w1(t, "ru")
		b.no(rules.ReservedAttribute, tool, attribute("player", "char_ann", "locationId", `"loc_yard"`), "move_player")
		b.no(rules.EntityNotFound, tool, attribute("player", "char_x", "locationId", `"loc_yard"`))
		rulestest.Same(t, b.World.Actor("char_ann").Place, "loc_hall")
		b.ok(tool, attribute("object", "obj_box", "locationId", `"v"`))
	})
	t.Run("set_attribute-13", func(t *testing.T) {
		b := w1(t, "ru")
		for name, hint := range map[string]string{
			"hp": "hp_delta", "position": "move", "character_state": "hp_delta", "inventory": "move_object",
			"location_id": "move_player",
		} {
			b.no(rules.ReservedAttribute, tool, attribute("player", "char_ann", name, `"3"`), name, hint)
		}
	})
	t.Run("set_attribute-14", func(t *testing.T) {
		b := w1(t, "ru")
		for i, v := range []string{"0", "false", "12"} {
			b.ok(tool, attribute("object", "obj_map", fmt.Sprint(i), v), v)
		}
		rulestest.Same(t, b.World.Thing("obj_map").Attrs, map[string]string{"condition": "torn", "0": "0", "1": "false", "2": "12"})
	})
	t.Run("set_attribute-16", func(t *testing.T) {
		b := w1(t, "ru")
		for _, name := range []string{"__proto__", "toString"} {
			o := b.ok(tool, attribute("player", "char_ann", name, `"v"`), "создана")
			rulestest.Same(t, string(o.Result), `{"old":null,"new":"v"}`)
		}
	})
	t.Run("set_attribute-17", func(t *testing.T) {
		b, other := w1(t, "ru"), w1(t, "ru")
		for _, name := range []string{"a", "b", "c"} {
			b.ok(tool, attribute("player", "char_ann", name, `"v"`))
		}
		rulestest.Same(t, b.World.Actor("char_ann").Attrs, map[string]string{"health": "well", "a": "v", "b": "v", "c": "v"})
		other.Put(b.World.Actor("char_ann"))
		rulestest.Same(t, other.World.Hash(), b.World.Hash())
	})
}

// The limits of attributes (game.md, I11), at and past them.
func TestAttributeLimits(t *testing.T) {
	full := map[string]string{}
	for i := range 32 {
		full[fmt.Sprint("a", i)] = "v"
	}
	b := w1(t, "en", &world.Thing{ID: "obj_full", Parent: "loc_hall", Attrs: full},
		&world.Thing{ID: "obj_over", Parent: "loc_hall", Attrs: world.With(full, "b", "v")})
	for _, tt := range []struct {
		id, name, value string
		code            rules.Code
	}{
		{"obj_box", strings.Repeat("я", 64), "v", ""},
		{"obj_box", strings.Repeat("я", 65), "v", "limit"},
		{"obj_box", "a", strings.Repeat("洞", 500), ""},
		{"obj_box", "a", strings.Repeat("洞", 501), "limit"},
		{"obj_full", "b", "v", "limit"},
		{"obj_full", "a1", "w", ""},
		{"obj_over", "a1", "w", ""},
	} {
		args := attribute("object", tt.id, tt.name, `"`+tt.value+`"`)
		if tt.code == "" {
			b.ok("set_attribute", args)
		} else {
			b.no(tt.code, "set_attribute", args)
		}
	}
}

// The rows of delete_attribute, by their ids.
func TestDeleteAttributeRows(t *testing.T) {
	const tool = "delete_attribute"
	named := func(kind, id, name string) string {
		return fmt.Sprintf(`{"entityType":%q,"entityId":%q,"attributeName":%q}`, kind, id, name)
	}
	t.Run("delete_attribute-01", func(t *testing.T) {
		b := w1(t, "ru")
		o := b.ok(tool, named("player", "char_ann", "health"), "удалена", "было:", "well")
		rulestest.Same(t, string(o.Result), `{"old":"well"}`)
		rulestest.Same(t, b.World.Actor("char_ann").Attrs, map[string]string{})
	})
	t.Run("delete_attribute-02", func(t *testing.T) {
		w1(t, "ru").ok(tool, named("object", "obj_box", "condition"), "объекта «Box»")
	})
	t.Run("delete_attribute-04", func(t *testing.T) {
		b := w1(t, "ru")
		for _, args := range []string{named("", "char_ann", "health"), named("player", "", "health"), named("player",
			"char_ann", "")} {
			b.no(rules.InvalidArgs, tool, args, "обязательны")
		}
	})
	t.Run("delete_attribute-05", func(t *testing.T) {
		w1(t, "ru").no(rules.InvalidArgs, tool, named("invalid", "char_ann", "health"), "должен быть")
	})
	t.Run("delete_attribute-07", func(t *testing.T) {
		w1(t, "ru").no(rules.EntityNotFound, tool, named("object", "obj_999", "condition"), "obj_999")
	})
	t.Run("delete_attribute-08", func(t *testing.T) {
		w1(t, "ru").no(rules.EntityNotFound, tool, named("location", "loc_999", "state"), "loc_999")
	})
	t.Run("delete_attribute-10", func(t *testing.T) {
		w1(t, "ru").no(rules.AttributeNotFound, tool, named("player", "char_bo", "health"), "health")
	})
	t.Run("delete_attribute-11", func(t *testing.T) {
		w1(t, "ru").no(rules.AttributeNotFound, tool, named("player", "char_ann", "toString"))
	})
	t.Run("delete_attribute-13", func(t *testing.T) {
		b := w1(t, "ru")
		b.ok(tool, named("player", "char_ann", "health"))
		b.ok("set_attribute", attribute("player", "char_ann", "health", `"fine"`), "создана")
	})
	t.Run("delete_attribute-14", func(t *testing.T) {
		b := w1(t, "ru", &world.Actor{ID: "char_cy", Name: "Cy", Place: "loc_hall", Attrs: map[string]string{"blank": ""}})
		o := b.ok(tool, named("player", "char_cy", "blank"), "удалена")
		rulestest.Same(t, string(o.Result), `{"old":""}`)
	})
}
