package skills

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The short way to small letters comes to the same ones.
func TestLower(t *testing.T) {
	pieces := []string{"A", "z", "É", "天", "\u3000", "鿿", "ꀀ", "Ⰰ", "Ａ", "K", "İ", "\xe4", "\xe4\xb8", "\xff", "ー", " "}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		if got, want := lower(text), strings.ToLower(text); got != want {
			t.Fatalf("%q became %q, want %q", text, got, want)
		}
	})
}
