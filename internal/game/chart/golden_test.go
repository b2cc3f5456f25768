package chart_test

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/game/chart"
	"hob/internal/golden"
)

var update = flag.Bool("update", false, "accept what is drawn as the new testdata")

// samples are the maps that are kept as they should look.
func samples() map[string]chart.Map {
	dark, tower := dungeon(6, 7, "ru"), chart.Arrange(tower())
	dark.Dark = true
	return map[string]chart.Map{"one": dungeon(1, 7, "en"), "six": dungeon(6, 7, "en"), "six-ru-dark": dark,
		"six-zh": dungeon(6, 7, "zh"), "thirty": dungeon(30, 7, "en"), "zones": land(6, 3, "en"), "tower": tower, "none": {}, "village": village(false), "village-dark": village(true)}
}

// village has a place of each kind, people, things, stairs and a trail.
func village(dark bool) chart.Map {
	m := chart.Map{Title: "Деревня 村庄", Lang: "zh", North: true, Dark: dark, Trail: []int{0, 1, 4, 7}}
	for i, kind := range append([]chart.Kind{""}, chart.Kinds()...) {
		m.Rooms = append(m.Rooms, chart.Room{Name: []string{"Kitchen", "Long Hall", "Сторожевая башня", "Ледник", "村中草坪", "Oda's Orchard", "渡口",
			"Ferry Lane"}[i], X: int64(i % 3), Y: int64(i / 3), Visited: true, Kind: kind, People: i % 4, Things: i % 3})
	}
	m.Rooms[7].Current, m.Rooms[7].Party, m.Rooms[2].Up = true, []string{"Mara", "Лев", "小梨"}, true
	m.Links = []chart.Link{{From: 0, To: 1}, {From: 1, To: 2, Door: chart.Closed}, {From: 1, To: 4}, {From: 4, To: 5, Door: chart.Open},
		{From: 4, To: 7}, {From: 6, To: 7, OneWay: true}, {From: 0, To: 3, Dir: "d", Door: chart.Locked}, {From: 2, To: 5, Dir: "d"}}
	return m
}

// tower is a map without positions, as an imported world is, with links that have directions, links that have none, one that
// has to go round, stairs, and two links that are one.
func tower() chart.Map {
	room := func(name string) chart.Room { return chart.Room{Name: name, Visited: true} }
	rooms := []chart.Room{room("Hall"), room("East"), room("Far east"), room("North"), room("Loft"), room("Well"), room("Island")}
	rooms[0].Current, rooms[5].Down = true, true
	return chart.Map{Title: "A tower", Rooms: rooms, Links: []chart.Link{
		{From: 0, To: 1, Dir: "e"}, {From: 1, To: 2, Dir: "e", Door: chart.Closed}, {From: 2, To: 0, OneWay: true, Door: chart.Locked},
		{From: 0, To: 3, Dir: "n", OneWay: true}, {From: 3, To: 0, Dir: "s", OneWay: true, Door: chart.Open},
		{From: 3, To: 4, Dir: "u"}, {From: 0, To: 5}, {From: 5, To: 5}, {From: 5, To: 99}, {From: -1, To: 0}}}
}

func TestSamples(t *testing.T) {
	for name, m := range samples() {
		t.Run(name, func(t *testing.T) {
			p := draw(t, m)
			golden.Check(t, *update, filepath.Join("testdata", name+".svg"), chart.SVG(m))
			golden.Check(t, *update, filepath.Join("testdata", name+".txt"), chart.Text(m, 80)+"\n"+strings.Join(p.Legend, "\n")+"\n")
			file := filepath.Join("testdata", name+".png")
			if *update {
				if err := os.WriteFile(file, p.PNG, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			// The pixels are ours; how they are compressed is the library's, and may change with it.
			if !bytes.Equal(pixels(t, p.PNG), pixels(t, want)) {
				t.Errorf("%s is drawn otherwise; look at it with -update", file)
			}
		})
	}
}

// draw returns the PNG of m and holds it against what Telegram takes for a photo
// (https://core.telegram.org/bots/api#sendphoto) and against the standard library's reader.
func draw(t testing.TB, m chart.Map) chart.Picture {
	t.Helper()
	p, err := chart.PNG(m)
	if err != nil {
		t.Fatal(err)
	}
	c, err := png.DecodeConfig(bytes.NewReader(p.PNG))
	if err != nil {
		t.Fatal(err)
	}
	w, h := p.Width, p.Height
	if c.Width != w || c.Height != h || min(w, h) < 320 || max(w, h) > 1280 || max(w, h) > 20*min(w, h) || len(p.PNG) > 10<<20 {
		t.Fatalf("a picture of %d x %d, said to be %d x %d, in %d bytes", c.Width, c.Height, w, h, len(p.PNG))
	}
	return p
}

func pixels(t *testing.T, data []byte) []byte {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	p, ok := img.(*image.Paletted)
	if !ok {
		t.Fatalf("it is %T and has no palette", img)
	}
	var out []byte
	for _, i := range p.Pix {
		r, g, b, _ := p.Palette[i].RGBA()
		out = append(out, byte(r>>8), byte(g>>8), byte(b>>8))
	}
	return out
}
