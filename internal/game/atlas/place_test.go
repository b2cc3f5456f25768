package atlas_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/atlas"
)

func at(x, y int64) atlas.Point { return atlas.Point{X: x, Y: y} }

func circle(x, y, radius int64) atlas.Circle { return atlas.Circle{Centre: at(x, y), Radius: radius} }

// apart is how far two points are apart. The sum of the squares is exact, and so is the root of a square: circles that touch do
// not overlap by a rounding error.
func apart(a, b atlas.Point) float64 {
	dx, dy := a.X-b.X, a.Y-b.Y
	return math.Sqrt(float64(dx*dx + dy*dy))
}

// w3 is the ground of the fixture: the player stands in the zone at the origin.
func w3(near bool) atlas.Ground {
	return atlas.Ground{Near: near, Existing: []atlas.Circle{circle(0, 0, 120), circle(600, 0, 120)}}
}

func TestZonesFindAPlace(t *testing.T) {
	for _, c := range []struct {
		name   string
		ground atlas.Ground
		wanted []atlas.Circle
		spots  []atlas.Point
		moved  []bool
	}{
		{"generate_zone-01", w3(true), []atlas.Circle{circle(120, -80, 120)}, []atlas.Point{at(120, -80)}, []bool{false}},
		{"generate_zone-01 with a small radius", w3(true), []atlas.Circle{circle(120, -80, 60)},
			[]atlas.Point{at(120, -80)}, []bool{false}},
		{"generate_zone-14 at the end of the box", w3(false), []atlas.Circle{circle(1000, -1000, 60)},
			[]atlas.Point{at(1000, -1000)}, []bool{false}},
		{"generate_zone-19", w3(false), []atlas.Circle{circle(590, 0, 60)}, []atlas.Point{at(450, -100)}, []bool{true}},
		{"generate_zone-20", w3(false), []atlas.Circle{circle(-300, 300, 100), circle(-300, 300, 100)},
			[]atlas.Point{at(-300, 300), at(-300, 100)}, []bool{false, true}},
		{"generate_zone-22 too far", w3(true), []atlas.Circle{circle(500, 0, 100)}, []atlas.Point{at(80, 0)}, []bool{true}},
		{"generate_zone-22 none is close", w3(true), []atlas.Circle{circle(250, 0, 60)}, []atlas.Point{at(80, 0)}, []bool{true}},
		{"generate_zone-22 touches another's zone",
			atlas.Ground{Near: true, Existing: []atlas.Circle{circle(0, 0, 120), circle(250, 160, 100)}},
			[]atlas.Circle{circle(250, 0, 60)}, []atlas.Point{at(80, 0)}, []bool{true}},
		{"a zone beyond numbers", atlas.Ground{Existing: []atlas.Circle{circle(1<<62, 0, 60)}},
			[]atlas.Circle{circle(0, 0, 60)}, []atlas.Point{at(0, 0)}, []bool{false}},
		{"generate_zone-22 one is close", w3(true), []atlas.Circle{circle(0, 700, 60), circle(-60, 0, 60)},
			[]atlas.Point{at(0, 300), at(-60, 0)}, []bool{true, false}},
		{"generate_zone-22 not wanted", w3(false), []atlas.Circle{circle(0, -800, 99)},
			[]atlas.Point{at(0, -800)}, []bool{false}},
		{"none", w3(true), nil, []atlas.Point{}, []bool{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			spots, moved := atlas.Place(c.ground, c.wanted)
			if diff := cmp.Diff(c.spots, spots) + cmp.Diff(c.moved, moved); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The height is the player's, and the player may be anywhere.
func TestPlacesMoveWithThePlayer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, wanted := drawGround(t), drawWanted(t)
		n := rapid.Int64Range(-1e6, 1e6)
		by := atlas.Point{X: n.Draw(t, "x"), Y: n.Draw(t, "y"), Z: n.Draw(t, "z")}
		shifted := func(p atlas.Point) atlas.Point { return at(p.X+by.X, p.Y+by.Y) }
		far := atlas.Ground{Around: atlas.Point{X: by.X, Y: by.Y, Z: by.Z}, Near: g.Near}
		for _, c := range g.Existing {
			far.Existing = append(far.Existing, atlas.Circle{Centre: shifted(c.Centre), Radius: c.Radius})
		}
		var there []atlas.Circle
		for _, c := range wanted {
			there = append(there, atlas.Circle{Centre: shifted(c.Centre), Radius: c.Radius})
		}
		here, movedHere := atlas.Place(g, wanted)
		spots, moved := atlas.Place(far, there)
		for i := range here {
			here[i] = atlas.Point{X: here[i].X + by.X, Y: here[i].Y + by.Y, Z: by.Z}
		}
		if diff := cmp.Diff(here, spots) + cmp.Diff(movedHere, moved); diff != "" {
			t.Fatal(diff)
		}
	})
}

func drawCircle(t *rapid.T, name string, reach int64) atlas.Circle {
	n := rapid.Int64Range(-reach, reach)
	return circle(n.Draw(t, name+" x"), n.Draw(t, name+" y"), rapid.Int64Range(60, 420).Draw(t, name+" radius"))
}

func drawGround(t *rapid.T) atlas.Ground {
	g := atlas.Ground{Near: rapid.Bool().Draw(t, "near")}
	for range rapid.IntRange(0, 20).Draw(t, "existing") {
		g.Existing = append(g.Existing, drawCircle(t, "existing", 1200))
	}
	return g
}

func drawWanted(t *rapid.T) (wanted []atlas.Circle) {
	reach := rapid.SampledFrom([]int64{0, 100, 1000}).Draw(t, "reach")
	for range rapid.IntRange(1, 3).Draw(t, "wanted") {
		wanted = append(wanted, drawCircle(t, "wanted", reach))
	}
	return wanted
}

// No two centres are closer than 60 m; and the limits of near and of the box hold where the ground is not full, as it cannot
// be here: 22 circles of 60 m are less than one of 300 m.
func TestPlacesKeepTheirRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, wanted := drawGround(t), drawWanted(t)
		spots, moved := atlas.Place(g, wanted)
		closest := math.Inf(1)
		for i, spot := range spots {
			for _, c := range g.Existing {
				if apart(spot, c.Centre) < 60 {
					t.Fatalf("%v is too close to the zone at %v", spot, c.Centre)
				}
			}
			for _, other := range spots[:i] {
				if apart(spot, other) < 60 {
					t.Fatalf("%v is too close to the new zone at %v", spot, other)
				}
			}
			if g.Near && apart(spot, g.Around) > 300 || max(spot.X, -spot.X, spot.Y, -spot.Y) > 1000 {
				t.Fatalf("%v is too far", spot)
			}
			if moved[i] != (spot != wanted[i].Centre) {
				t.Fatalf("wanted %v, is at %v: moved is %v", wanted[i].Centre, spot, moved[i])
			}
			closest = min(closest, gap(g, spot, wanted[i].Radius))
		}
		// Four zones can fill the circle of 80 m around the player.
		if g.Near && closest > 80 && len(g.Existing) < 4 {
			t.Fatalf("the closest of %v has its border %v m away", spots, closest)
		}
	})
}

// gap is how far a zone's border is from the player, or 0 where it touches a zone that the player stands in.
func gap(g atlas.Ground, spot atlas.Point, radius int64) float64 {
	for _, c := range g.Existing {
		if apart(c.Centre, g.Around) <= float64(c.Radius) && apart(spot, c.Centre) <= float64(c.Radius+radius) {
			return 0
		}
	}
	return apart(spot, g.Around) - float64(radius)
}

// On ground with room for all, circles do not overlap, but for those of the zones the player stands in.
func TestCirclesDoNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.Bool().Draw(t, "near")
		n := rapid.Int64Range(-250, 250)
		var wanted []atlas.Circle
		for range rapid.IntRange(1, 3).Draw(t, "wanted") {
			wanted = append(wanted, circle(n.Draw(t, "x"), n.Draw(t, "y"), rapid.Int64Range(60, 100).Draw(t, "radius")))
		}
		spots, _ := atlas.Place(w3(near), wanted)
		for i, spot := range spots {
			for j := range i {
				if apart(spot, spots[j]) < float64(wanted[i].Radius+wanted[j].Radius) {
					t.Fatalf("%v and %v overlap", spot, spots[j])
				}
			}
			for k, c := range w3(near).Existing {
				if home := near && k == 0; !home && apart(spot, c.Centre) < float64(wanted[i].Radius+c.Radius) {
					t.Fatalf("%v overlaps the zone at %v", spot, c.Centre)
				}
			}
		}
	})
}

// A full ground is left for the ground around it, and numbers without sense are no failure either.
func TestThereIsAlwaysAPlace(t *testing.T) {
	full := atlas.Ground{Near: true}
	for x := int64(-350); x <= 350; x += 50 {
		for y := int64(-350); y <= 350; y += 50 {
			full.Existing = append(full.Existing, circle(x, y, 120))
		}
	}
	spots, moved := atlas.Place(full, []atlas.Circle{circle(0, 0, 60), circle(0, 0, 60)})
	for i, spot := range spots {
		for _, c := range full.Existing {
			if apart(spot, c.Centre) < 60 || !moved[i] {
				t.Errorf("%v is too close to %v", spot, c.Centre)
			}
		}
		if apart(spot, at(0, 0)) > 600 {
			t.Errorf("%v is farther than it must", spot)
		}
	}
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	mad := atlas.Ground{Around: at(most, least), Near: true}
	mad.Existing = []atlas.Circle{circle(least, most, most), circle(most, least, least)}
	spots, _ = atlas.Place(mad, []atlas.Circle{circle(least, least, most), circle(most, most, least)})
	for _, spot := range spots {
		if apart(spot, at(atlas.Farthest, -atlas.Farthest)) > 300 {
			t.Errorf("%v is not near", spot)
		}
	}
}

func TestOffsetsStayWithin(t *testing.T) {
	for _, c := range []struct {
		offset, want atlas.Point
		radius       int64
	}{
		{at(10, -20), at(10, -20), 60},
		{at(60, 0), at(60, 0), 60},
		{at(61, 0), at(60, 0), 60},
		{at(0, -9999), at(0, -180), 180},
		{at(300, 400), at(60, 80), 100},
		{atlas.Point{X: 200, Y: 200, Z: 100}, atlas.Point{X: 80, Y: 80, Z: 40}, 120},
		{at(5, 5), at(0, 0), 0},
		{at(5, 5), at(0, 0), -1},
		{at(math.MinInt64, 0), at(-60, 0), 60},
	} {
		if got := atlas.Within(c.offset, c.radius); got != c.want {
			t.Errorf("%v within %d is %v, want %v", c.offset, c.radius, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-5000, 5000)
		offset := atlas.Point{X: n.Draw(t, "x"), Y: n.Draw(t, "y"), Z: n.Draw(t, "z")}
		radius := rapid.Int64Range(0, 420).Draw(t, "radius")
		o := atlas.Within(offset, radius)
		if o.X*o.X+o.Y*o.Y+o.Z*o.Z > radius*radius {
			t.Fatalf("%v is out of %d", o, radius)
		}
	})
}

func BenchmarkPlace(b *testing.B) {
	g := w3(true)
	for i := range int64(1000) {
		g.Existing = append(g.Existing, circle(i%40*100-2000, i/40*100-1200, 120))
	}
	for b.Loop() {
		atlas.Place(g, []atlas.Circle{circle(0, 0, 120), circle(0, 0, 120), circle(0, 0, 120)})
	}
}
