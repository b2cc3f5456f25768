package show

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The short way says of no line that it is clean where the long way would change it.
func TestClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom([]rune{'a', '~', ' ', ' ', 'b', '\n', 0x7f, 0x301}), 0, 6, -1).Draw(t, "s")
		n := rapid.IntRange(1, 8).Draw(t, "n")
		long := strings.TrimSuffix(clean(s+"é", n+1), "é") // never the short way
		if isClean(s, n) && (clean(s, n) != s || long != s || strings.Join(strings.Fields(s), " ") != s) {
			t.Fatalf("%q at %d: %q, %q", s, n, clean(s, n), long)
		}
	})
}
