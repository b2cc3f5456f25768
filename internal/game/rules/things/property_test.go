package things_test

import (
	"encoding/json"
	"os"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Whatever is called with whatever arguments: nothing panics, a refused call changes nothing (see batch), every object stays
// where a walk upwards ends, nothing is fuller than it may be, and nothing points to what is gone.
func TestRandomCalls(t *testing.T) {
	most := 30
	if os.Getenv("HOB_TEST_FULL") != "" {
		most = 1000
	}
	rapid.Check(t, func(t *rapid.T) {
		b, overflow := busy(t), false // what was in a deleted object passes to its holder, however much that holds
		for range rapid.IntRange(1, most).Draw(t, "calls") {
			tool := rapid.SampledFrom([]string{
				"move_object", "move_object", "set_attribute", "delete_attribute", "create_object", "delete_object",
				"adjust_qty", "inventory",
			}).Draw(t, "tool")
			o := b.Call(tool, b.random(t, tool))
			if o.Code == rules.Internal || !o.OK() && b.Text(o) == "" {
				t.Fatalf("%s %s: %s %s", tool, o.Call.Args, o.Code, b.Text(o))
			}
			overflow = overflow || tool == "delete_object" || tool == "adjust_qty"
			b.sound(t, overflow)
		}
	})
}

// busy is W1 with bags, stacks, locks and facts in it.
func busy(t *rapid.T) *table {
	return w1(t, rapid.SampledFrom([]string{"en", "ru", "zh"}).Draw(t, "lang"),
		&world.Thing{ID: "obj_bag", Parent: "char_bo", Container: true, Capacity: 5, Lock: "obj_key"},
		&world.Thing{ID: "obj_coin", Parent: "obj_bag", Qty: 3},
		&world.Thing{ID: "obj_safe", Parent: "loc_hall", Container: true, Closed: true, Fixed: true, Lock: "obj_tag"},
		&world.Thing{ID: "obj_gem", Parent: "obj_safe"},
		&world.Link{From: "loc_hall", To: "loc_yard", Door: world.LockedDoor, DoorID: "obj_safe", Lock: "obj_key",
			Needs: "obj_map"},
		&world.Fact{ID: "fact_001", About: []string{"obj_gem", "obj_coin", "char_bo"}})
}

// random draws arguments: mostly such that fit.
func (b *table) random(t *rapid.T, tool string) string {
	ids := []string{"loc_hall", "char_ann", "char_bo", "ghost", ""}
	for _, o := range b.World.Things() {
		ids = append(ids, o.ID)
	}
	args := map[string]any{}
	for _, p := range b.Turn.Book.Tool(tool).Params {
		if !p.Need && rapid.Bool().Draw(t, "left out") {
			continue
		}
		switch {
		case rapid.IntRange(0, 19).Draw(t, "odd") == 0:
			args[p.Name] = rapid.SampledFrom([]any{nil, 1.5, "", true, []int{1}, map[string]string{"a": "b"}, "{'x':1"}).Draw(t,
				p.Name)
		case len(p.Enum) > 0:
			args[p.Name] = rapid.SampledFrom(p.Enum).Draw(t, p.Name)
		case p.Name == "attribute_name":
			args[p.Name] = rapid.SampledFrom([]string{"a", "b", "condition", "hp"}).Draw(t, p.Name)
		case p.Type == rules.ID:
			args[p.Name] = rapid.SampledFrom(ids).Draw(t, p.Name)
		case p.Type == rules.Int:
			args[p.Name] = rapid.Int64Range(-4, 9).Draw(t, p.Name)
		case p.Type == rules.Flag:
			args[p.Name] = true
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
func (b *table) sound(t *rapid.T, overflow bool) {
	known := func(id string) bool { return id == "" || b.World.Thing(id) != nil }
	for _, o := range b.World.Things() {
		at, steps := o.Parent, 0
		for ; b.World.Thing(at) != nil; at = b.World.Thing(at).Parent {
			if steps++; steps > 1000 {
				t.Fatalf("%s holds itself", o.ID)
			}
		}
		if b.World.Actor(at) == nil && b.World.Place(at) == nil || !known(o.Lock) || o.Qty < 0 {
			t.Fatalf("%s is in %q, with the key %q, %d times", o.ID, at, o.Lock, o.Qty)
		}
		held := int64(0)
		for _, c := range b.World.Contents(o.ID) {
			if c.Rel != world.On && c.Rel != world.Part {
				held += max(1, c.Qty)
			}
		}
		if !overflow && o.Capacity > 0 && held > o.Capacity {
			t.Fatalf("%s holds %d of %d", o.ID, held, o.Capacity)
		}
	}
	for _, l := range b.World.Links() {
		if !known(l.DoorID) || !known(l.Lock) || !known(l.Needs) {
			t.Fatalf("the way from %s to %s points to what is gone", l.From, l.To)
		}
	}
	for _, f := range b.World.Facts() {
		for _, id := range f.About {
			if b.World.Thing(id) == nil && b.World.Actor(id) == nil {
				t.Fatalf("%s is about %s, which is gone", f.ID, id)
			}
		}
	}
}
