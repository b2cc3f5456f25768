package things_test

import (
	"context"
	"fmt"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// BenchmarkCalls runs calls in a world of 1,000 objects: the bar is 20 µs each (game.md, 4.2).
func BenchmarkCalls(b *testing.B) {
	var more []world.Record
	for i := range 1000 {
		more = append(more, &world.Thing{ID: fmt.Sprint("obj_x", i), Order: int64(100 + i), Parent: "loc_road"})
	}
	for _, tt := range []struct{ name, tool, args string }{
		{"move", "move_object", `{"object_id":"obj_map","target_id":"char_ann"}`},
		{"set", "set_attribute", `{"entity_type":"object","entity_id":"obj_map","attribute_name":"condition","value":"wet"}`},
		{"create", "create_object", `{"name":"Cup","connection_id":"char_ann","attributes":"{'condition':'full'}"}`},
		{"delete", "delete_object", `{"object_id":"obj_box"}`},
		{"refused", "move_object", `{"object_id":"obj_box","target_id":"obj_tag"}`},
	} {
		b.Run(tt.name, func(b *testing.B) {
			table := w1(b, "en", more...)
			call := rules.Call{Tool: tt.tool, Args: []byte(tt.args)}
			for b.Loop() {
				table.Turn.Do(context.Background(), call, nil)
				if err := table.World.Revert(table.Turn.Events); err != nil {
					b.Fatal(err)
				}
				table.Turn.Events, table.Turn.Outcomes = nil, nil
			}
		})
	}
}
