package catalog

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"hob/internal/config"
)

// Every fact of every model is there, and could be true.
func TestTable(t *testing.T) {
	table, err := parse(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(table) < 4 {
		t.Fatalf("only %d models", len(table))
	}
	seen := map[string]bool{}
	for _, m := range table {
		if seen[m.Name] {
			t.Errorf("%s stands there twice", m.Name)
		}
		seen[m.Name] = true
		for what, text := range map[string]string{"parameters": m.Parameters, "licence": m.Licence, "languages": m.Languages, "good_for": m.GoodFor} {
			if text == "" || strings.TrimSpace(text) != text {
				t.Errorf("%s: %s is %q", m.Name, what, text)
			}
		}
		if name, tag, ok := strings.Cut(m.Name, ":"); !ok || name == "" || tag == "" {
			t.Errorf("%q has no tag: what it means could change", m.Name)
		}
		if _, err := time.Parse(time.DateOnly, m.Released); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if m.Size < 1e9 || m.Read > m.Size || m.Read <= 0 || m.Cache <= 0 || m.Context < 8192 {
			t.Errorf("%s has strange figures: %+v", m.Name, m)
		}
		if m.Needs() > m.Memory*9/10 {
			t.Errorf("%s needs %.1f GiB of %d", m.Name, float64(m.Needs())/gib, m.Memory/gib)
		}
		if got, ok := table.ByName(strings.ToUpper(m.Name)); !ok || got != m {
			t.Errorf("%s is not found by its name", m.Name)
		}
	}
	if !slices.IsSortedFunc(table, func(a, b Model) int { return int(a.Memory/gib) - int(b.Memory/gib) }) {
		t.Error("the models are not sorted by memory")
	}
	if _, ok := table.ByName("no-such:1b"); ok {
		t.Error("a model was found that is not there")
	}
}

func TestPropose(t *testing.T) {
	table := Read()
	for _, c := range []struct {
		memory  uint64
		model   string
		context int
	}{
		{0, "qwen3:1.7b", 8192}, {6*gib - 1, "qwen3:1.7b", 8192}, {6 * gib, "qwen3:4b", 8192}, {12 * gib, "qwen3:4b", 8192},
		{UsualMemory, "ministral-3:8b", 16384}, {24 * gib, "ministral-3:8b", 16384}, {25 * gib, "qwen3:14b", 16384}, {1 << 50, "qwen3:14b", 16384},
	} {
		if m := table.Propose(c.memory); m.Name != c.model || m.Context != c.context {
			t.Errorf("%d bytes: %s at %d; want %s at %d", c.memory, m.Name, m.Context, c.model, c.context)
		}
	}
	if m := (Table{}).Propose(gib); m.Name != "" {
		t.Errorf("%s comes out of an empty table", m.Name)
	}
}

// What is read of the file is what it says as TOML.
func TestParse(t *testing.T) {
	var want struct{ Model []map[string]any }
	if _, err := toml.Decode(file, &want); err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	for _, m := range Read() {
		facts := map[string]any{"name": m.Name, "parameters": m.Parameters, "size": m.Size, "cache": m.Cache, "context": int64(m.Context),
			"memory": int64(m.Memory / gib), "licence": m.Licence, "released": m.Released, "languages": m.Languages, "good_for": m.GoodFor}
		if m.Read != m.Size {
			facts["read"] = m.Read
		}
		if m.Proposed {
			facts["proposed"] = true
		}
		got = append(got, facts)
	}
	if diff := cmp.Diff(want.Model, got); diff != "" {
		t.Errorf("-file +read:\n%s", diff)
	}
}

// A configuration can name every model.
func TestNamesFitTheConfiguration(t *testing.T) {
	for _, m := range Read() {
		path := t.TempDir() + "/config.toml"
		if err := (config.Editor{}).SetModel(path, m.Name); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

func TestParse_Refuses(t *testing.T) {
	for _, text := range []string{"[[model]]\nnmae = \"a:1b\"\n", "[[model]]\nname = 3\n", "[", "name = \"a\"", "[[model]]\nsize = -1", "[[model]]\nproposed = 1", "[[model]]\nsize"} {
		if got, err := parse(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestTokensPerSecond(t *testing.T) {
	for _, c := range []struct {
		rate float64
		read int64
		want float64
	}{{12e9, 6e9, 2}, {0, 6e9, 0}, {12e9, 0, 0}} {
		if got := TokensPerSecond(c.rate, c.read); got != c.want {
			t.Errorf("%v / %d: %v, not %v", c.rate, c.read, got, c.want)
		}
	}
}
