package things_test

import (
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// What the story counts on cannot be gone, and nobody gives away what is.
func TestDeleteObject_Bound(t *testing.T) {
	quest := &world.Quest{ID: "q", State: world.Active, Objectives: []string{"o"},
		When: map[string]string{"o": "not in obj_knife loc_hall"}}
	for _, lang := range rules.Langs() {
		b := w1(t, lang, quest, &world.Self{Lang: lang, AllowAll: true, Party: []string{"char_ann"}, Active: "char_ann", Integrity: world.Bound})
		b.Turn.Unbound = false
		b.no("story_needs", "delete_object", `{"object_id":"obj_knife"}`, "Knife")
		b.no("story_needs", "adjust_qty", `{"object_id":"obj_knife","delta":-1}`, "Knife")
		b.no(rules.OutOfReach, "delete_object", `{"object_id":"obj_map"}`)
		b.ok("move_object", `{"object_id":"obj_knife","target_id":"loc_hall"}`)
		b.Turn.Unbound = true
		b.ok("adjust_qty", `{"object_id":"obj_knife","delta":1}`)
		b.ok("delete_object", `{"object_id":"obj_map"}`)
	}
	b := w1(t, "en")
	ann := *b.World.Actor("char_ann")
	ann.Talk = []world.Talk{{Text: "Here.", Gives: "obj_knife"}, {Gives: "obj_map"}}
	b.Put(&ann)
	b.ok("delete_object", `{"object_id":"obj_knife"}`)
	rulestest.Same(t, b.World.Actor("char_ann").Talk, []world.Talk{{Text: "Here."}, {Gives: "obj_map"}})
	rulestest.Same(t, ann.Talk[0].Gives, "obj_knife") // what was there is never changed
}
