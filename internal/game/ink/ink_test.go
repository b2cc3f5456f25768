package ink

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"hob/internal/game/proof"
	"hob/internal/game/tales"
)

// stories are those of testdata that are taken, with their languages. NAME.ink is the source of NAME.json, and NAME.walks.json is what
// another runtime of Ink tells of it; README.md there says which.
func stories() map[string]string {
	return map[string]string{"orchard": "en", "ferry": "en", "lamp": "en", "letter": "en", "mayak": "ru"}
}

func compiled(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// walk is a way through a story: the numbers of what was chosen, what is read then, and what can be chosen.
type walk struct {
	Choose  []int
	Text    string
	Choices []string
}

// The pages of a story have the words and choices that another runtime of Ink has, on every way.
func TestPages(t *testing.T) {
	for name := range stories() {
		t.Run(name, func(t *testing.T) {
			s, err := parse(compiled(t, name))
			if err != nil {
				t.Fatal(err)
			}
			first, err := s.begin()
			if err != nil {
				t.Fatal(err)
			}
			pages, err := s.explore(first)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(filepath.Join("testdata", name+".walks.json"))
			if err != nil {
				t.Fatal(err)
			}
			var walks []walk
			if err := json.Unmarshal(raw, &walks); err != nil || len(walks) < 3 {
				t.Fatal(len(walks), err)
			}
			for _, w := range walks {
				p := pages[0]
				for _, n := range w.Choose {
					if n >= len(p.choices) {
						t.Fatalf("%v: there are %d choices", w.Choose, len(p.choices))
					}
					p = pages[p.choices[n]]
				}
				var labels []string
				for _, n := range p.choices {
					labels = append(labels, pages[n].label)
				}
				got := walk{w.Choose, strings.Join(p.lines, " "), labels}
				if w.Choices = slices.Clip(w.Choices); len(w.Choices) == 0 {
					w.Choices = nil
				}
				if diff := gocmp.Diff(w, got); diff != "" {
					t.Errorf("%v: (-other +hob)\n%s", w.Choose, diff)
				}
			}
			t.Logf("figure: %d ways agree, over %d pages", len(walks), len(pages))
		})
	}
}

// What is made of a story is a tale without mistakes, and each of its ends is proven.
func TestTale(t *testing.T) {
	for name, lang := range stories() {
		files, err := Tale(compiled(t, name), name, "A title", lang)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		title := map[string]string{"letter": "The Letter"}[name]
		if got := tales.FromFiles(name, files).Title(lang); got != cmp.Or(title, "A title") {
			t.Errorf("%s is called %q", name, got)
		}
		for _, p := range tales.FromFiles(name, files).WithProver(proof.NewProver()).Problems() {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// What hob does not take is refused in a sentence that names it.
func TestRefusals(t *testing.T) {
	for name, want := range map[string]string{
		"threads": "a thread (<-)", "chance": "chance (a shuffle", "lists": "it has a LIST", "turns": "TURNS or TURNS_SINCE", "outside": `"ring", an EXTERNAL function`,
		"reference": `"n" with ref`, "counter": "more than 500 different pages", "endless": "goes on for 20000 steps", "forever": "it never comes to an end",
	} {
		_, err := Tale(compiled(t, name), name, "A title", "en")
		if refusal := (*Refusal)(nil); !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for raw, want := range map[string]string{
		"":                                           "no compiled Ink story",
		"-> END":                                     "no compiled Ink story",
		`{"inkVersion":12,"root":[null]}`:            "version 12",
		`{"inkVersion":21,"root":[]}`:                "it is damaged",
		`{"inkVersion":21,"root":["?!",null]}`:       `"?!", which hob does not know`,
		`{"inkVersion":21,"root":["+",null]}`:        "too few values",
		`{"inkVersion":21,"root":["~ret",null]}`:     "comes back",
		`{"inkVersion":21,"root":[{"->":"x"},null]}`: `nothing is at "x"`,
	} {
		_, err := Tale([]byte(raw), "a", "A title", "en")
		if refusal := (*Refusal)(nil); !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, want) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// Whatever the bytes are, they are a tale or a refusal.
func FuzzTale(f *testing.F) {
	all, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range all {
		if raw, err := os.ReadFile(path); err == nil && !strings.HasSuffix(path, ".walks.json") {
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		files, err := Tale(raw, "a", "A title", "en")
		if refusal := (*Refusal)(nil); err != nil && !errors.As(err, &refusal) || err == nil && len(files) != 2 {
			t.Error(err, files)
		}
	})
}

func TestOneLine(t *testing.T) {
	for want, lines := range map[string][]string{
		"Ring the bell. Nobody comes.": {"Ring the bell", "Nobody comes."}, "“Who?” Nobody. Chapter 2. The end": {"“Who?”", "Nobody.", "Chapter 2", "The end"},
		"敲钟。没有人来。": {"敲钟", "没有人来。"}, "": nil,
	} {
		if got := oneLine(lines); got != want {
			t.Errorf("%q is joined to %q, not %q", lines, got, want)
		}
	}
}
