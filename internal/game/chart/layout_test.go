package chart_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/chart"
)

func TestLayout(t *testing.T) {
	cell := func(x, y int64) chart.Cell { return chart.Cell{X: x, Y: y, Placed: true} }
	for _, c := range []struct {
		name  string
		n     int
		links []chart.Link
		want  []chart.Cell
	}{
		{"none", 0, nil, nil},
		{"one", 1, []chart.Link{{From: 0, To: 0}, {From: 0, To: 1}, {From: -1, To: 0}}, []chart.Cell{cell(0, 0)}},
		{"the compass", 5,
			[]chart.Link{{From: 0, To: 1, Dir: "n"}, {From: 0, To: 2, Dir: "e"}, {From: 0, To: 3, Dir: "s"}, {From: 4, To: 0, Dir: "e"}},
			[]chart.Cell{cell(0, 0), cell(0, -1), cell(1, 0), cell(0, 1), cell(-1, 0)}},
		{"corners", 3, []chart.Link{{From: 0, To: 1, Dir: "ne"}, {From: 2, To: 0, Dir: "ne"}},
			[]chart.Cell{cell(0, 0), cell(1, -1), cell(-1, 1)}},
		{"directions first", 3, []chart.Link{{From: 0, To: 1}, {From: 0, To: 2, Dir: "e"}},
			[]chart.Cell{cell(0, 0), cell(0, -1), cell(1, 0)}},
		{"two to the east", 3, []chart.Link{{From: 0, To: 1, Dir: "e"}, {From: 0, To: 2, Dir: "e"}},
			[]chart.Cell{cell(0, 0), cell(1, 0), cell(2, 0)}},
		{"an island", 3, []chart.Link{{From: 0, To: 1, Dir: "e"}}, []chart.Cell{cell(0, 0), cell(1, 0), cell(3, 0)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, chart.Layout(c.n, c.links, 0)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLayout_NoTwoRoomsInOneCell(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(r, "rooms")
		links := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) chart.Link {
			return chart.Link{From: rapid.IntRange(-1, n).Draw(r, "from"), To: rapid.IntRange(-1, n).Draw(r, "to"),
				Dir: rapid.SampledFrom([]string{"", "", "n", "e", "s", "w", "ne", "sw", "u", "d", "x"}).Draw(r, "dir")}
		}), 0, 120).Draw(r, "links")
		start := rapid.IntRange(-1, n).Draw(r, "start")
		cells := chart.Layout(n, links, start)
		seen := map[chart.Cell]int{}
		for i, c := range cells {
			if was, taken := seen[c]; taken || !c.Placed {
				r.Fatalf("room %d is placed %v at %v, where room %d is: %v", i, c.Placed, c, was, taken)
			}
			seen[c] = i
		}
		if diff := cmp.Diff(cells, chart.Layout(n, links, start)); diff != "" {
			r.Errorf("laid out twice:\n%s", diff)
		}
	})
}

func TestLayout_IsBounded(t *testing.T) {
	links := make([]chart.Link, 4999)
	for i := range links {
		links[i] = chart.Link{From: i, To: i + 1}
	}
	placed, seen := 0, map[chart.Cell]bool{}
	for i, c := range chart.Layout(5000, links, 2500) {
		if c.Placed {
			placed++
			if i < 1500 || i > 3500 || seen[c] {
				t.Errorf("room %d is placed at %v", i, c)
			}
			seen[c] = true
		}
	}
	if placed != chart.MaxRooms {
		t.Errorf("%d rooms are placed", placed)
	}
}
