package notes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Whatever is added and removed, what is left is what a plain list would hold, each as it was written.
func TestNotesAreAList(t *testing.T) {
	outer := newWorld(t)
	rapid.Check(t, func(t *rapid.T) {
		w := *outer
		w.T = t
		if err := os.RemoveAll(filepath.Join(w.Dir, "notes")); err != nil {
			t.Fatal(err)
		}
		model := map[string][]string{} // the texts by topic
		text := rapid.StringMatching(`[-*+#>0-9a-cA-Cäё洗衣 \]\[.)/_=]{1,12}[a-z]`)
		topic := rapid.SampledFrom([]string{"home", "car"})
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			in := topic.Draw(t, "topic")
			if n := len(model[in]); n > 0 && rapid.Bool().Draw(t, "remove") {
				i := rapid.IntRange(0, n-1).Draw(t, "which")
				said := model[in][i]
				if _, err := w.Call("note_remove", map[string]string{"note": said, "topic": in}); err != nil {
					if !strings.Contains(err.Error(), "could be meant") {
						t.Fatalf("remove %q: %v", said, err)
					}
					continue // a note in other letters
				}
				model[in] = append(model[in][:i:i], model[in][i+1:]...)
				continue
			}
			said := strings.Join(strings.Fields(text.Draw(t, "text")), " ")
			res := w.add(said, in)
			if known := strings.Contains(strings.Join(model[in], "\n")+"\n", said+"\n") && has(model[in], said); known == (len(res.Effects) == 1) {
				t.Fatalf("%q was there: %v, and has the effects %v", said, known, res.Effects)
			} else if !known {
				model[in] = append(model[in], said)
			}
		}
		for in, texts := range model {
			want := "# " + in + "\n\n"
			for _, said := range texts {
				want += "- 2026-11-22 " + said + "\n"
			}
			if got := w.Page(in + ".md"); got != want {
				t.Fatalf("the page is\n%s\nwant\n%s", got, want)
			}
			got := w.find("", in) + "\n"
			for _, said := range texts {
				if !strings.Contains(got, "("+in+", 2026-11-22) "+said+"\n") {
					t.Fatalf("%q is not in\n%s", said, got)
				}
			}
		}
	})
}

func has(all []string, text string) bool {
	for _, one := range all {
		if one == text {
			return true
		}
	}
	return false
}
