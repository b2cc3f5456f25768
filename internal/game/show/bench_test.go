package show_test

import (
	"testing"

	"hob/internal/game/show"
)

// BenchmarkShow shows the texts of a small world.
func BenchmarkShow(b *testing.B) {
	w, before := mill(b, "en"), mill(b, "en")
	all := book(b)
	for _, c := range []struct {
		name string
		text func() string
	}{
		{"look", func() string { return show.Look(w, all, "en", "pc_001") }},
		{"sheet", func() string { return show.Sheet(w, "en", "pc_001") }},
		{"inventory", func() string { return show.Inventory(w, "en", "pc_001") }},
		{"map", func() string { return show.Map(w, "en", "pc_001", 80) }},
		{"quests", func() string { return show.Quests(w, "en") }},
		{"why", func() string { return show.Why(w, all, "en", parts()) }},
		{"engine line", func() string { return show.EngineLine(show.EngineTurn{Before: before, After: w, Lang: "en"}) + "." }},
		{"markup", func() string { return show.Markup(w, "[location:area_001:Old Mill] stands [player:pc_001:Mara].") }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if c.text() == "" {
					b.Fatal("there is nothing to show")
				}
			}
		})
	}
}
