package chart_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/width"
	"pgregory.net/rapid"

	"hob/internal/game/chart"
)

// hostile names try to leave the place where they are written.
func hostile() []string {
	return []string{`</title><script>alert(1)</script>`, `]]>`, `<![CDATA[x`, `"><rect/>`, `&amp;&#0;`, "'", "a\x00b\x1b[2Jc\r\nd",
		"\xff\xfe\xf0\x90", "\u202egnp.exe", "שלום עולם", "مرحبا", strings.Repeat("long ", 500),
		"e" + strings.Repeat("\u0301", 300), "\u200b\u200d", "\ufffe\uffff",
		"🏰👨‍👩‍👧", "ＷＩＤＥ", "\u2028\u2029", "{{.}}", "%s%n", "--><!--", ""}
}

func TestHostileNames(t *testing.T) {
	for i, name := range hostile() {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			for _, layer := range []chart.Layer{chart.Areas, chart.Zones, "other"} {
				m := dungeon(5, 7, "en")
				m.Layer, m.Title, m.Lang = layer, name, name
				for k := range m.Rooms {
					m.Rooms[k].Name, m.Rooms[k].ID, m.Rooms[k].Party = name, name, []string{name, name + "x"}
				}
				held(t, m, 30)
				if svg := chart.SVG(m); strings.Count(svg, "<title>") != 6 || strings.Contains(svg, "<script") {
					t.Errorf("a name became markup:\n%s", svg)
				}
			}
		})
	}
}

// held draws m in all ways and holds the pictures against what is said of all pictures.
func held(t testing.TB, m chart.Map, columns int) (svg, txt string, p chart.Picture) {
	t.Helper()
	p, svg, txt = draw(t, m), chart.SVG(m), chart.Text(m, columns)
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the SVG is no XML: %v", err)
		}
	}
	for _, s := range append(append([]string{}, strings.Split(txt, "\n")...), p.Legend...) {
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r\x00\x1b\u202e\u2028\u200b") {
			t.Fatalf("line %q holds what no line should", s)
		}
	}
	for line := range strings.SplitSeq(txt, "\n") {
		if n := wide(line); n > columns {
			t.Fatalf("line %q takes %d of %d columns", line, n, columns)
		}
	}
	return svg, txt, p
}

// wide counts the columns of a line, with combining marks for one each unless they are common accents.
func wide(line string) (n int) {
	for _, r := range line {
		switch k := width.LookupRune(r).Kind(); {
		case k == width.EastAsianWide || k == width.EastAsianFullwidth:
			n += 2
		case r < 0x300 || r > 0x36f:
			n++
		}
	}
	return n
}

func TestWhatNobodySawIsNotTold(t *testing.T) {
	m := dungeon(12, 3, "en")
	for i := range m.Rooms {
		m.Rooms[i].Name, m.Rooms[i].ID = "Secret", "hidden"
		m.Rooms[i].Visited, m.Rooms[i].Known, m.Rooms[i].Current = false, false, false
	}
	svg, txt, p := held(t, m, 80)
	all := svg + txt + strings.Join(p.Legend, "\n")
	if strings.Contains(all, "Secret") || strings.Contains(all, "hidden") {
		t.Error("a room that nobody visited is named")
	}
	if n := strings.Count(svg, ">?</text>"); n != 12 {
		t.Errorf("%d rooms have a question mark, want 12", n)
	}
	m.Rooms[5].Known = true
	svg, txt, _ = held(t, m, 80)
	if strings.Count(svg, "<title>Secret, not visited yet</title>") != 1 || strings.Count(txt, "Secret") != 1 {
		t.Error("a room that is known is not named once")
	}
}

// A map drawn twice is the same bytes, and each room is described once, whatever the size.
func TestAnyMap(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := anyMap(r)
		columns := rapid.IntRange(12, 120).Draw(r, "columns")
		svg, txt, p := held(t, m, columns)
		if string(draw(t, m).PNG) != string(p.PNG) || svg != chart.SVG(m) || txt != chart.Text(m, columns) {
			r.Fatal("a map drawn twice is two pictures")
		}
		if n := strings.Count(svg, "<title>"); n != len(m.Rooms)+1 {
			r.Fatalf("%d descriptions of %d rooms and their map", n, len(m.Rooms))
		}
	})
}

func anyMap(r *rapid.T) chart.Map {
	m := dungeon(rapid.IntRange(1, 30).Draw(r, "rooms"), rapid.Uint64().Draw(r, "seed"),
		rapid.SampledFrom([]string{"en", "ru", "zh"}).Draw(r, "lang"))
	if rapid.Bool().Draw(r, "zones") {
		m.Layer = chart.Zones
		for i := range m.Rooms {
			m.Rooms[i].X, m.Rooms[i].Y, m.Rooms[i].Radius = m.Rooms[i].X*100, m.Rooms[i].Y*90, 40
		}
	}
	m.Dark = rapid.Bool().Draw(r, "dark")
	return m
}

func TestCoordinatesDoNotMakeAPictureLarge(t *testing.T) {
	far := []int64{-1 << 63, -1 << 62, -1, 0, 1, 2, 1 << 40, 1<<63 - 1}
	for _, layer := range []chart.Layer{chart.Areas, chart.Zones} {
		m := chart.Map{Layer: layer, North: true}
		for i, x := range far {
			for k := range 2 { // two on each spot
				m.Rooms = append(m.Rooms, chart.Room{ID: strconv.Itoa(2*i + k), X: x, Y: far[len(far)-1-i], Radius: x,
					Visited: true, Current: i == 3})
			}
		}
		svg, _, _ := held(t, m, 60)
		if len(svg) > 32_000 {
			t.Errorf("%s: the SVG has %d bytes", layer, len(svg))
		}
	}
}

// The largest maps are drawn in part; what is not shown is counted.
func TestLargeMaps(t *testing.T) {
	for _, c := range []struct {
		rooms int
		m     chart.Map
		svg   string
	}{
		{2000, dungeon(2000, 5, "en"), ""},
		{2500, dungeon(2500, 5, "en"), "places shown: 2000 of 2500"},
		{3000, star(3000), "places shown: 2000 of 3000"},
		{2000, land(2000, 5, "en"), "places shown: "},
		{2000, heap(2000, chart.Areas), ""},
		{2000, heap(2000, chart.Zones), "drawn apart"},
	} {
		svg, txt, p := held(t, c.m, 80)
		if !strings.Contains(svg, c.svg) || c.svg == "" && strings.Contains(svg, "places shown") {
			t.Errorf("the SVG of %d rooms does not say %q", c.rooms, c.svg)
		}
		said := " of " + strconv.Itoa(c.rooms)
		if legend := strings.Join(p.Legend, "\n"); !strings.HasSuffix(legend, said) || !strings.Contains(txt, said) {
			t.Errorf("a map of %d rooms does not say how many are shown: %q", c.rooms, legend[max(0, len(legend)-200):])
		}
		if lines := strings.Count(txt, "\n"); lines > 1500 {
			t.Errorf("%d lines for %d rooms", lines, c.rooms)
		}
	}
}

// star is a hub with links to all others, without directions, laid out.
func star(n int) chart.Map {
	m := chart.Map{}
	for i := range n {
		m.Rooms = append(m.Rooms, chart.Room{ID: strconv.Itoa(i), Visited: true})
		m.Links = append(m.Links, chart.Link{From: 0, To: i})
	}
	return chart.Arrange(m)
}

// heap has all rooms on one spot, and a link from each to the next.
func heap(n int, layer chart.Layer) chart.Map {
	m := chart.Map{Layer: layer}
	for i := range n {
		m.Rooms = append(m.Rooms, chart.Room{ID: strconv.Itoa(i), Visited: true})
		m.Links = append(m.Links, chart.Link{From: i, To: i + 1})
	}
	return m
}

func TestCaption(t *testing.T) {
	type result struct {
		caption string
		rest    []string
	}
	for _, c := range []struct {
		legend []string
		units  int
		want   result
	}{
		{nil, 10, result{}},
		{[]string{"1 Hall", "2 Yard"}, 13, result{caption: "1 Hall\n2 Yard"}},
		{[]string{"1 Hall", "2 Yard"}, 12, result{"1 Hall", []string{"2 Yard"}}},
		{[]string{"🏰🏰", "x"}, 4, result{"🏰🏰", []string{"x"}}},
		{[]string{"🏰🏰", "x"}, 3, result{"", []string{"🏰🏰", "x"}}},
	} {
		caption, rest := chart.Caption(c.legend, c.units)
		if diff := cmp.Diff(c.want, result{caption, rest}, cmp.AllowUnexported(result{})); diff != "" {
			t.Errorf("%q in %d (-want +got):\n%s", c.legend, c.units, diff)
		}
	}
}
