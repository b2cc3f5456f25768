package chart_test

import (
	"testing"

	"hob/internal/game/chart"
)

// The bars of game.md for 30 areas: SVG 1 ms, PNG with text 25 ms.
func BenchmarkSVG(b *testing.B) {
	m := dungeon(30, 7, "en")
	for b.Loop() {
		chart.SVG(m)
	}
}

func BenchmarkPNG(b *testing.B) {
	m := dungeon(30, 7, "en")
	for b.Loop() {
		if _, err := chart.PNG(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkText(b *testing.B) {
	m := dungeon(30, 7, "en")
	for b.Loop() {
		chart.Text(m, 80)
	}
}

func BenchmarkLargePNG(b *testing.B) {
	m := dungeon(2000, 7, "en")
	for b.Loop() {
		if _, err := chart.PNG(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLayout(b *testing.B) {
	m := dungeon(2000, 7, "en")
	for b.Loop() {
		chart.Layout(len(m.Rooms), m.Links, 0)
	}
}
