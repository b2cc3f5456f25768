package tomlfile_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/tomlfile"
)

// Each key has its place, in whatever form it is written; an element of a list is its index.
func TestScan(t *testing.T) {
	const src = "\ufefftop = 1\n# [not.a]\n[a.\"b.c\"] # x\nd = [1, # ]\n {e = '''\n[x]'''}]\n[[p]]\nq.r = {}\n[p.s]\n[[ \"p\" ]]\n  t  =  'u' # v\r\n# w"
	l := tomlfile.Scan(src)
	for _, c := range []struct {
		path string // with spaces
		line int
	}{
		{"top", 1}, {"a", 3}, {"a b.c d", 4}, {"a b.c d 1 e", 5}, {"p", 7}, {"p 0 q r", 8}, {"p 0 s", 9}, {"p 1", 10}, {"p 1 t", 11},
		{"not", 0}, {"x", 0}, {"p 2", 0},
	} {
		if got := l.Line(strings.Fields(c.path)...); got != c.line {
			t.Errorf("%s is on line %d, want %d", c.path, got, c.line)
		}
	}
	last := l.Positions[len(l.Positions)-1]
	if got := src[last.Start:last.Value] + "|" + src[last.Value:last.End]; got != "t  =  |'u'" || last.Table != 2 || last.Inline || last.Header {
		t.Errorf("the last key is %q: %+v", got, last)
	}
	for path, want := range map[string]string{"p 0": "[[p]]\nq.r = {}\n[p.s]\n", "p 1": "[[ \"p\" ]]\n  t  =  'u' # v\r\n", "x": ""} {
		start, end := l.Block(strings.Fields(path)...)
		if got := src[start:end]; got != want {
			t.Errorf("the block of %s is %q, want %q", path, got, want)
		}
	}
}

// Whatever order and form the tables have, the result is read as the old file with the new value.
func TestSet_AnyLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{
			"# ollama.model = 1\n", "\n", "[shell] # c\nenabled = true\n", "[fetch]\nallow = [ # [ollama]\n  \"a:1\", # ]\n]\n",
			"[workspace]\ndir = \"\"\"/a\\\"\"\"\"\n", "[x.y]\n'k.k' = {model = \"no\", z = [1, 2]}\n", "[[list]]\nmodel = 'no'\n",
		})
		ollama := rapid.SampledFrom([]string{"", "[ollama]\n", "[ollama]\nhost = \"h\"\nmodel = \"m\"\n", "[ollama.sub]\na = 1\n"})
		seen, src := map[string]bool{}, ""
		for _, p := range append(rapid.SliceOfN(piece, 0, 5).Draw(t, "before"), ollama.Draw(t, "ollama")) {
			if !seen[p] {
				seen[p] = true
				src += p
			}
		}
		got, ok := tomlfile.Set(src, "ollama", "model", `"new"`, "new")
		if !ok {
			t.Fatalf("%q is not edited", src)
		}
		if rest := strings.Replace(got, `model = "new"`, "", 1); len(rest) > len(src)+len("\n\n[ollama]\n") {
			t.Fatalf("%q became %q", src, got)
		}
	})
}

// Scan ends on any text, and of one that can be decoded it notes each key that the decoder finds.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"", "a", "[", "[ollama]\nhost = {", "a = [[[", `x = """`, "\ufeff[shell]", "a.'b'.\"c\" = {d = [1, {e = 2}]}", "[shell]\r\nenabled = true # yes\r\n",
		"[[profile]]\n\"na\\u006de\" = '''\n[[profile]]'''", "\"\"\"", "a = [\n#]\n]", "[[", "]=", "'", "[[a]]\n[[a.b]]\nc.d = 1\n[[a.b]]\n[a.b.e]\nf = '''x''''",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		l := tomlfile.Scan(src)
		for _, p := range l.Positions {
			if p.Start > p.Value || p.Value > p.End || p.End > len(src) {
				t.Errorf("%q has an odd place: %+v", src, p)
			}
		}
		tree, bad := tomlfile.Decode(src)
		if bad != nil {
			return
		}
		for name := range tree {
			if l.Line(name) == 0 {
				t.Errorf("%q has no place in %q: %+v", name, src, l.Positions)
			}
		}
	})
}
