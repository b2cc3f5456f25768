package chart

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyMap is a map with links between any rooms.
func anyMap(r *rapid.T) Map {
	m := Map{North: rapid.Bool().Draw(r, "north"), Layer: rapid.SampledFrom([]Layer{Areas, Zones}).Draw(r, "layer")}
	n := rapid.IntRange(1, 40).Draw(r, "rooms")
	for i := range n {
		m.Rooms = append(m.Rooms, Room{Name: strings.Repeat("n", rapid.IntRange(0, 20).Draw(r, "name")) + fmt.Sprint(1000+i),
			X: rapid.Int64Range(0, 12).Draw(r, "x"), Y: rapid.Int64Range(0, 12).Draw(r, "y"), Visited: true, Current: i == 0,
			Up: rapid.Bool().Draw(r, "up"), Party: make([]string, rapid.IntRange(0, 2).Draw(r, "party"))})
		for k := range m.Rooms[i].Party {
			m.Rooms[i].Party[k] = "Ann" + fmt.Sprint(k)
		}
	}
	for range rapid.IntRange(0, 60).Draw(r, "links") {
		m.Links = append(m.Links, Link{From: rapid.IntRange(0, n-1).Draw(r, "from"), To: rapid.IntRange(0, n-1).Draw(r, "to")})
	}
	return m
}

// What is written of each room is its name or a number that the legend explains, once.
func TestEveryRoomIsNamedOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		for _, k := range []look{svgLook(), pngLook()} {
			a := newArtist(newPlan(anyMap(r)), k)
			legend := "\n" + strings.Join(a.legend(), "\n") + "\n"
			numbers := 0
			for i, room := range a.m.Rooms {
				var written []string
				for _, s := range a.list.shapes {
					switch s := s.(type) {
					case group:
						if s.about == a.describe(i) {
							written = append(written, labels(s.shapes, a)...)
						}
					case label:
						if s.text == room.Name {
							written = append(written, s.text)
						}
					}
				}
				want := room.Name
				if a.tags[i].number > 0 {
					numbers++
					want = fmt.Sprint(numbers)
					if strings.Count(legend, "\n"+want+" "+room.Name+"\n") != 1 {
						r.Fatalf("the legend does not explain %s %s once: %s", want, room.Name, legend)
					}
				}
				if got := strings.Join(written, " "); got != want {
					r.Fatalf("room %d is written %q, want %q", i, got, want)
				}
			}
		}
	})
}

// labels returns the texts of a room without those of the party's marks.
func labels(shapes []shape, a *artist) (out []string) {
	for i, s := range shapes {
		if l, ok := s.(label); ok {
			if d, ok := shapes[i-1].(path); ok && d.fill == badge {
				continue
			}
			out = append(out, l.text)
		}
	}
	return out
}

// No link of areas runs through a room that it does not join, no two rooms overlap, and all lies within the picture.
func TestLinksGoRoundRooms(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := anyMap(r)
		m.Layer = Areas
		a := newArtist(newPlan(m), pngLook())
		drawn := map[string]bool{}
		for _, s := range a.list.shapes[2:] {
			if p, ok := s.(path); ok && p.open && p.off == 0 {
				drawn[fmt.Sprint(p.outlines[0])] = true
			}
		}
		for k, way := range a.ways() {
			e := a.edges[k]
			for i, p := range a.places {
				if i != e.a && i != e.b && crosses(way, p) {
					r.Fatalf("the link from %v to %v by %v runs through the room at %v", a.places[e.a], a.places[e.b], way, p)
				}
			}
			if !drawn[fmt.Sprint(polygon(way...))] {
				r.Fatalf("the link from %v to %v is not drawn", a.places[e.a], a.places[e.b])
			}
		}
		for i, p := range a.places {
			if p.at.x-p.hw < 0 || p.at.x+p.hw > a.list.w || p.at.y-p.hh < a.top || p.at.y+p.hh > a.list.h {
				r.Fatalf("room %v lies outside %d x %d", p, a.list.w, a.list.h)
			}
			for _, q := range a.places[:i] {
				if abs(p.at.x-q.at.x) < p.hw+q.hw && abs(p.at.y-q.at.y) < p.hh+q.hh {
					r.Fatalf("rooms at %v and %v overlap", p, q)
				}
			}
		}
	})
}

// crosses looks at points along a way, a pixel apart.
func crosses(way []point, p place) bool {
	for i := 1; i < len(way); i++ {
		n := length(way[i-1], way[i])
		for t := range n {
			at := pointAlong(way[i-1], way[i], t, n)
			if abs(at.x-p.at.x) < p.hw && abs(at.y-p.at.y) < p.hh {
				return true
			}
		}
	}
	return false
}

func TestRoot(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 1<<50).Draw(r, "n")
		if x := sqrt(n); x*x > n || (x+1)*(x+1) <= n {
			r.Errorf("root of %d is %d", n, x)
		}
	})
}
