package atlas_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/atlas"
)

func TestSizes(t *testing.T) {
	sized := func(size string) atlas.Bounds {
		e, ok := atlas.Sized(size)
		if !ok {
			t.Fatalf("%s is no size", size)
		}
		return e
	}
	t.Run("generate_zone-16", func(t *testing.T) {
		small := sized("small")
		got := []int64{small.Radius(5), small.Radius(9999), small.Usual, sized("medium").Usual}
		if diff := cmp.Diff([]int64{60, 180, 120, 210}, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("generate_zone-17", func(t *testing.T) {
		for size, want := range map[string][3]int{"small": {3, 3, 5}, "medium": {5, 5, 10}, "large": {8, 8, 15}} {
			e := sized(size)
			if diff := cmp.Diff(want, [3]int{e.LeastSubs, e.UsualSubs, e.MostSubs}); diff != "" {
				t.Error(diff)
			}
			for _, lang := range []string{"en", "ru", "zh"} {
				checkSubs(t, atlas.SubZones(atlas.KeyOf(size), lang, "no such kind", size, e.Usual), e.UsualSubs, e.Usual, lang)
			}
		}
		checkSubs(t, atlas.SubZones(atlas.KeyOf("k"), "en", "road", "no such size", 60), 3, 60, "en")
	})
	for _, size := range []string{"small", "medium", "large"} {
		if e := sized(size); e.Radius(e.Usual) != e.Usual || e.LeastSubs > e.UsualSubs || e.UsualSubs > e.MostSubs {
			t.Errorf("%s: %+v", size, e)
		}
	}
	if e, ok := atlas.Sized("huge"); ok || e != (atlas.Bounds{}) {
		t.Errorf("huge: %+v", e)
	}
}

func checkSubs(t interface{ Errorf(string, ...any) }, subs []atlas.SubZone, count int, radius int64, lang string) {
	names, offsets := map[string]bool{}, map[atlas.Point]bool{}
	for _, s := range subs {
		names[s.Name], offsets[s.Offset] = true, true
		want := map[string]string{"ru": "ru", "zh": "zh"}[lang]
		if script(s.Name) != want || script(s.Description) != want || atlas.Within(s.Offset, radius) != s.Offset {
			t.Errorf("%s, radius %d: %+v", lang, radius, s)
		}
	}
	if len(subs) != count || len(names) != count || len(offsets) != count {
		t.Errorf("%d sub zones with %d names at %d spots, want %d", len(subs), len(names), len(offsets), count)
	}
}

func TestFallbackZonesAreZones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lang := rapid.SampledFrom([]string{"en", "ru", "zh"}).Draw(t, "lang")
		key, count := atlas.KeyOf(rapid.String().Draw(t, "key")), rapid.IntRange(1, 3).Draw(t, "count")
		w := atlas.Request{Key: key, Lang: lang, Prompt: "w", Count: count}
		g := w3(rapid.Bool().Draw(t, "near"))
		for range rapid.IntRange(0, 3).Draw(t, "existing") {
			g.Existing = append(g.Existing, drawCircle(t, "existing", 400))
		}
		zones := atlas.FallbackZones(w, g)
		if diff := cmp.Diff(atlas.FallbackZones(w, g), zones); diff != "" {
			t.Fatal(diff)
		}
		if len(zones) != w.Count {
			t.Fatalf("%d zones, want %d", len(zones), w.Count)
		}
		names := map[string]bool{}
		for i, z := range zones {
			e, ok := atlas.Sized(z.Size)
			want := map[string]string{"ru": "ru", "zh": "zh"}[lang]
			if !ok || e.Radius(z.Radius) != z.Radius || !slices.Contains(atlas.Kinds(), z.Kind) || names[z.Name] ||
				script(z.Name) != want || script(z.Description) != want || !slices.Equal(z.Tags, []string{"generated", z.Kind}) {
				t.Errorf("%+v", z)
			}
			names[z.Name] = true
			checkSubs(t, z.Subs, e.UsualSubs, z.Radius, lang)
			for _, c := range g.Existing {
				if apart(z.Centre, c.Centre) < 60 {
					t.Errorf("%v is too close to %v", z.Centre, c.Centre)
				}
			}
			for _, other := range zones[:i] {
				if apart(z.Centre, other.Centre) < 60 {
					t.Errorf("%v is too close to %v", z.Centre, other.Centre)
				}
			}
			if g.Near && apart(z.Centre, g.Around) > 300 || max(z.Centre.X, -z.Centre.X, z.Centre.Y, -z.Centre.Y) > 1000 {
				t.Errorf("%v is too far", z.Centre)
			}
		}
		// generate_zone-22, with the plain reading: the centre.
		if g.Near && apart(zones[0].Centre, g.Around) > 80 {
			t.Errorf("the first zone is at %v", zones[0].Centre)
		}
	})
}

func TestFallbackOnTheFixture(t *testing.T) {
	for seed := range 100 {
		g := w3(true)
		g.Existing = append(g.Existing, circle(120, -80, 60))
		zones := atlas.FallbackZones(atlas.Request{Key: atlas.KeyOf(strconv.Itoa(seed)), Lang: "en", Count: 1}, g)
		z := zones[0]
		if d := apart(z.Centre, at(0, 0)); d < 60 || d > 80 || apart(z.Centre, at(120, -80)) < float64(60+z.Radius) {
			t.Errorf("seed %d: %v with the radius %d", seed, z.Centre, z.Radius)
		}
	}
}

func TestFallbackListensToThePrompt(t *testing.T) {
	for prompt, want := range map[string]string{
		"A dark forest, please": "wood", "тёмный лес": "wood", "一座黑暗的森林": "wood",
		"high mountains": "heights", "горный кряж": "heights",
		"портовый город": "settlement", "a river": "water", "древние руины": "ruin", "王国商队": "road",
	} {
		for seed := range 5 {
			w := atlas.Request{Key: atlas.KeyOf(strconv.Itoa(seed)), Lang: "en", Prompt: prompt, Count: 3}
			zones := atlas.FallbackZones(w, w3(true))
			if zones[0].Kind != want || zones[1].Kind == want || zones[2].Kind == zones[1].Kind {
				t.Errorf("%s: %s, %s, %s", prompt, zones[0].Kind, zones[1].Kind, zones[2].Kind)
			}
		}
	}
}

func TestFallbackNamesAreNew(t *testing.T) {
	g := w3(false)
	var taken []string
	for i := range 150 { // there are 64 names of a kind
		w := atlas.Request{Key: atlas.KeyOf(strconv.Itoa(i)), Lang: "en", Prompt: "road", Count: 1, Taken: taken}
		z := atlas.FallbackZones(w, g)[0]
		if slices.Contains(taken, z.Name) || z.Kind != "road" {
			t.Fatalf("%s is there already", z.Name)
		}
		taken = append(taken, z.Name)
		g.Existing = append(g.Existing, atlas.Circle{Centre: z.Centre, Radius: z.Radius})
	}
	if zones := atlas.FallbackZones(atlas.Request{Count: -1}, g); zones != nil {
		t.Errorf("no zones are %v", zones)
	}
}

func TestLayingOut(t *testing.T) {
	for size := 1; size <= atlas.MaxRooms; size++ {
		for seed := range 30 {
			l := generated(t, plan(size, strconv.Itoa(seed)))
			for _, radius := range []int64{-1, 0, 1, 12, 60, 120, 420, 1 << 40} {
				centre := atlas.Point{X: 120, Y: -80, Z: 7}
				points := atlas.Lay(l, centre, radius)
				for _, problem := range layProblems(l, points, centre, radius) {
					t.Fatalf("size %d, seed %d, radius %d: %s", size, seed, radius, problem)
				}
			}
		}
	}
	if got := atlas.Lay(atlas.Layout{}, at(0, 0), 60); got != nil {
		t.Errorf("no rooms lie at %v", got)
	}
}

func layProblems(l atlas.Layout, points []atlas.Point, centre atlas.Point, radius int64) (all []string) {
	seen := map[atlas.Point]bool{}
	for _, p := range points {
		if radius >= 30 && apart(p, centre) > float64(radius) || p.Z != 7 {
			all = append(all, "a room lies outside")
		}
		seen[p] = true
	}
	if len(points) != len(l.Rooms) || len(seen) != len(points) {
		all = append(all, "rooms share a spot")
	}
	cell := int64(0)
	for _, link := range l.Links {
		a, b := points[link.A], points[link.B]
		step := max(a.X-b.X, b.X-a.X) + max(a.Y-b.Y, b.Y-a.Y)
		if cell == 0 {
			cell = step
		}
		east, south := b.X > a.X, b.Y > a.Y
		if step != cell || (link.Dir == "e") != east || (link.Dir == "s") != south || step < 1 || step > 30 {
			all = append(all, "rooms are not where the map has them")
		}
	}
	if radius == 420 && len(l.Links) > 0 && cell < 20 {
		all = append(all, "the ground is not used")
	}
	return all
}
