package grounding

import (
	"os"
	"strings"
	"testing"
)

func TestScore(t *testing.T) {
	type s struct{ h, w, i, f int }
	by := map[string]*s{}
	all := &s{}
	only := os.Getenv("SET")
	for _, l := range readLabelled(t) {
		if only != "" && !strings.Contains(only, l.File) {
			continue
		}
		if by[l.File] == nil {
			by[l.File] = &s{}
		}
		got := Check(l.Answer, l.Sources)
		for _, x := range []*s{by[l.File], all} {
			if l.Invented == "" {
				x.h++
				if len(got) > 0 {
					x.w++
					if x == all {
						t.Logf("HONEST %s %s, %s: %q in %q", l.File, l.ID, l.Kind, got, l.Answer)
					}
				}
				continue
			}
			x.i++
			hit := false
			for _, g := range got {
				hit = hit || l.isInvented(g)
			}
			if hit {
				x.f++
			} else if x == all {
				t.Logf("MISSED %s %s: %q in %q, found %q", l.File, l.ID, l.Invented, l.Answer, got)
			}
		}
	}
	for n, x := range by {
		t.Logf("SCORE %s: %d of %d found, %d of %d false", n, x.f, x.i, x.w, x.h)
	}
	t.Logf("SCORE all: %d of %d found %.1f%%, %d of %d false %.1f%%", all.f, all.i, 100*float64(all.f)/float64(all.i), all.w, all.h, 100*float64(all.w)/float64(all.h))
}
