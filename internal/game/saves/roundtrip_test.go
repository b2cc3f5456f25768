package saves_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/saves"
)

func TestFixturesComeBack(t *testing.T) {
	for name, shape := range map[string]string{"w1": "000", "w2": "002", "w2b": "002", "w3": "003"} {
		t.Run(name, func(t *testing.T) {
			_, info := returns(t, fixture(t, name))
			if info.Shape != shape || len(info.Warnings) != 0 {
				t.Errorf("shape %s, warnings %q", info.Shape, info.Warnings)
			}
		})
	}
}

// TestDocumentedSaves reads the examples of docs/spec/older-saves.md.
func TestDocumentedSaves(t *testing.T) {
	page, err := os.ReadFile("../../../docs/spec/older-saves.md")
	if err != nil {
		t.Fatal(err)
	}
	var shapes []string
	for _, block := range strings.Split(string(page), "```json\n")[1:] {
		example, _, _ := strings.Cut(block, "```")
		_, info := returns(t, []byte(example))
		shapes = append(shapes, info.Shape)
	}
	if diff := cmp.Diff([]string{saves.GameState, saves.CampaignFile, saves.Session}, shapes); diff != "" {
		t.Error(diff)
	}
}

// merged is the session with all members of the others.
func merged(t rapid.TB, names ...string) []byte {
	return changed(t, "w3", func(d doc) {
		for _, name := range names {
			for k, v := range value(t, fixture(t, name)).(doc) {
				d[k] = v
			}
		}
	})
}

func TestMergedSavesComeBack(t *testing.T) {
	for _, names := range [][]string{{"w1"}, {"w2"}, {"w1", "w2"}} {
		w, info := returns(t, merged(t, names...))
		if info.Shape != saves.Session {
			t.Errorf("%v: shape %s", names, info.Shape)
		}
		if w.Place("zone_0_0_0") == nil || w.Actor("player_001") == nil {
			t.Errorf("%v: the members of the session were not read", names)
		}
		if names[0] == "w1" && (w.Actor("char_ann") == nil || w.Thing("obj_tag") == nil || w.Link("loc_hall",
			"loc_vault") == nil) {
			t.Errorf("%v: the members of the GameState were not read", names)
		}
	}
}

// TestForeignLists has a session without any list of its own.
func TestForeignLists(t *testing.T) {
	w, info := returns(t, []byte(`{"session_id":"s","player_static_data":{},"locations":[{"id":"loc_a","name":"A"}]}`))
	if info.Shape != saves.Session || w.Place("loc_a") == nil {
		t.Errorf("%s %s", info.Shape, w.AppendState(nil))
	}
}

// TestDamagedSavesComeBack damages saves at random, any number of times: whatever still reads comes back.
func TestDamagedSavesComeBack(t *testing.T) {
	samples := [][]byte{
		fixture(t, "w1"), fixture(t, "w2"), fixture(t, "w2b"), fixture(t, "w3"), merged(t, "w1"), merged(t, "w1", "w2"), rich(t),
		upstream(t),
	}
	check := func(t *rapid.T) {
		v := value(t, rapid.SampledFrom(samples).Draw(t, "sample"))
		for range rapid.IntRange(1, 12).Draw(t, "damages") {
			damage(t, v)
		}
		b := marshal(t, v)
		if _, _, err := saves.Read(b); err != nil {
			t.Skip(err)
		}
		returns(t, b)
	}
	if os.Getenv("HOB_TEST_FULL") == "" {
		rapid.Check(t, check)
		return
	}
	for range 200 {
		rapid.Check(t, check)
	}
}
