package saves_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/game/saves"
)

// large is a GameState with n objects.
func large(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"world":{"worldDescription":"","gameGenre":""},"locations":[{"id":"l","name":"L","description":"",
		"currentSituation":"",` +
		`"connections":[],"attributes":{}}],"players":[],"objects":[`)
	for i := range n {
		fmt.Fprintf(&b, `%.*s{"id":"obj_%d_x","name":"Thing %d","connectionId":"l","attributes":{"condition":"good"}}`,
			min(i, 1), ",", i, i)
	}
	b.WriteString("]}")
	return []byte(b.String())
}

func TestLarge(t *testing.T) {
	_, info := returns(t, large(3000))
	if len(info.Warnings) != 0 || info.Counts["obj"] != 2999 {
		t.Errorf("%q %v", info.Warnings, info.Counts)
	}
	_, info = read(t, []byte(strings.ReplaceAll(string(large(3000)), `"id":"obj_`, `"xd":"obj_`)))
	if len(info.Warnings) > 300 {
		t.Errorf("%d warnings", len(info.Warnings))
	}
}

func BenchmarkRead(b *testing.B) {
	save := large(100_000)
	b.SetBytes(int64(len(save)))
	for b.Loop() {
		read(b, save)
	}
}

func BenchmarkWrite(b *testing.B) {
	w, _ := read(b, large(100_000))
	for b.Loop() {
		write(b, w, saves.GameState, saves.Options{})
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"w1", "w2", "w2b", "w3"} {
		f.Add(fixture(f, name))
	}
	f.Add(upstream(f))
	f.Add(rich(f))
	w, info := read(f, fixture(f, "w2"))
	f.Add(write(f, w, saves.Own, saves.Options{Counts: info.Counts}))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, info, err := saves.Read(b)
		if err != nil {
			return
		}
		for _, shape := range []string{info.Shape, saves.GameState, saves.CampaignFile, saves.Session} {
			out := write(t, w, shape, saves.Options{})
			again, _, err := saves.Read(out)
			if err != nil {
				t.Fatalf("what was written as %s does not read: %v\n%s", shape, err, out)
			}
			if shape == info.Shape && again.Hash() != w.Hash() {
				t.Fatalf("another world came back:\n%s\n%s", w.AppendState(nil), again.AppendState(nil))
			}
		}
	})
}
