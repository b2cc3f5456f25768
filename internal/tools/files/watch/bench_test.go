package watch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"hob/internal/event"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
)

// What looking after a command costs, in workspaces of several sizes: the first command keeps contents, later ones do not.
func BenchmarkWatch(b *testing.B) {
	for _, many := range []int{0, 20, 1000, 5000} {
		for _, first := range []bool{true, false} {
			b.Run(fmt.Sprintf("files=%d/first=%v", many, first), func(b *testing.B) {
				m := &filestest.Log{Images: map[string][]byte{}}
				dir := b.TempDir()
				for n := range many {
					path := filepath.Join(dir, fmt.Sprint("d", n%20), fmt.Sprint(n))
					_ = os.MkdirAll(filepath.Dir(path), 0o755)
					if err := os.WriteFile(path, fmt.Appendf(nil, "%01000d", n), 0o644); err != nil {
						b.Fatal(err)
					}
				}
				f, err := files.New(files.Config{Dir: dir, Log: m})
				if err != nil {
					b.Fatal(err)
				}
				defer f.Close()
				w := f.Watch()
				for m.Taken = -1; !first && m.Taken != 0; { // until the files' times are those of a while ago
					m.Taken = 0
					w.Before(b.Context(), "true", event.Label{})(b.Context())
				}
				for b.Loop() {
					if first {
						w = f.Watch()
					}
					w.Before(b.Context(), "true", event.Label{})(b.Context())
				}
			})
		}
	}
}
