package saves_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/saves"
	"hob/internal/game/world"
)

type doc = map[string]any

// fixture returns one of the samples of the three shapes.
func fixture(t rapid.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// value reads JSON with its numbers as they are written.
func value(t rapid.TB, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("no JSON: %v\n%.2000s", err, b)
	}
	return v
}

func marshal(t rapid.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// changed returns a fixture after edit.
func changed(t rapid.TB, name string, edit func(d doc)) []byte {
	t.Helper()
	d := value(t, fixture(t, name)).(doc)
	edit(d)
	return marshal(t, d)
}

func read(t rapid.TB, b []byte) (*world.World, saves.Info) {
	t.Helper()
	w, info, err := saves.Read(b)
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, b)
	}
	return w, info
}

func write(t rapid.TB, w *world.World, shape string, opt saves.Options) []byte {
	t.Helper()
	b, err := saves.Write(w, shape, opt)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsRune(b, '\n') {
		t.Fatalf("more than one line: %.200s", b)
	}
	return b
}

// modern returns a save in the later form of a campaign.json. It is written a second time here, from the words of its program.
func modern(v any) any {
	d, ok := v.(doc)
	if !ok {
		return v
	}
	m, _ := d["map"].(doc)
	areas, ok := m["areas"].(doc)
	if !ok {
		return v
	}
	ways, _ := m["connections"].([]any)
	for id, a := range areas {
		area, ok := a.(doc)
		if !ok {
			continue
		}
		if _, ok := area["reachable_area_ids"]; !ok {
			to := map[string]bool{}
			for _, way := range ways {
				if way, ok := way.(doc); ok && way["from_area_id"] == id {
					if s, ok := way["to_area_id"].(string); ok {
						to[s] = true
					}
				}
			}
			list := []any{}
			for _, s := range sorted(to) {
				list = append(list, s)
			}
			area["reachable_area_ids"] = list
		}
	}
	more := map[string]doc{}
	for _, way := range ways {
		if way, ok := way.(doc); ok && len(way) > 2 {
			from, _ := way["from_area_id"].(string)
			to, _ := way["to_area_id"].(string)
			if _, ok := more[from+">"+to]; !ok {
				more[from+">"+to] = way
			}
		}
	}
	m["connections"] = projection(areas, more)
	return v
}

func projection(areas doc, more map[string]doc) []any {
	list := []any{}
	for _, from := range sorted(areas) {
		area, _ := areas[from].(doc)
		reach, _ := area["reachable_area_ids"].([]any)
		var to []string
		for _, s := range reach {
			if s, ok := s.(string); ok {
				to = append(to, s)
			}
		}
		sort.Strings(to)
		for _, s := range to {
			entry := doc{"from_area_id": from, "to_area_id": s}
			_, known := areas[s].(doc)
			for name, v := range more[from+">"+s] {
				if known && s != from {
					entry[name] = v
				}
			}
			list = append(list, entry)
		}
	}
	return list
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// returns checks that a save comes back as it was, and that what came back is the same world.
func returns(t rapid.TB, b []byte) (*world.World, saves.Info) {
	t.Helper()
	w, info := read(t, b)
	out := write(t, w, info.Shape, saves.Options{})
	// cmp.Diff takes twice as long for each level of lists, so it is asked only where there is a difference to show.
	if want, got := modern(value(t, b)), value(t, out); !bytes.Equal(marshal(t, want), marshal(t, got)) {
		diff := cmp.Diff(want, got)
		t.Fatalf("the save did not come back (-was +is):\n%.6000s\nfrom %.3000s\nto %.3000s", diff, b, out)
	}
	again, _ := read(t, out)
	if w.Hash() != again.Hash() {
		t.Fatalf("another world came back:\n%s\n%s\nfrom %.3000s\nto %.3000s", w.AppendState(nil), again.AppendState(nil), b, out)
	}
	own := write(t, w, saves.Own, saves.Options{Seed: "ab", Counts: info.Counts})
	third, about := read(t, own)
	if third.Hash() != w.Hash() || about.Seed != "ab" || !cmp.Equal(about.Counts, info.Counts) {
		t.Fatalf("the state of hob is another one: %s", own)
	}
	return w, info
}

// warned checks that exactly one warning has these words.
func warned(t rapid.TB, info saves.Info, words string) {
	t.Helper()
	n := 0
	for _, s := range info.Warnings {
		if strings.Contains(s, words) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d warnings have %q: %q", n, words, info.Warnings)
	}
}
