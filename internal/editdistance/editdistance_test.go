package editdistance_test

import (
	"strings"
	"testing"

	"hob/internal/editdistance"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		want, swaps int // swaps: where a swap is one change
	}{
		{"", "", 0, 0},
		{"", "ab", 2, 2},
		{"ab", "", 2, 2},
		{"read", "read", 0, 0},
		{"read", "raed", 2, 1},
		{"read", "bread", 1, 1},
		{"abcd", "badc", 3, 2},
		{"kitten", "sitting", 3, 3},
		{"мир", "мор", 1, 1},
		{strings.Repeat("ab", 40), strings.Repeat("ab", 39) + "ba", 2, 1},
	} {
		a, b := []rune(c.a), []rune(c.b)
		if got, swaps := editdistance.Of(a, b), editdistance.WithSwaps(a, b); got != c.want || swaps != c.swaps {
			t.Errorf("from %q to %q: %d, with swaps %d; want %d, %d", c.a, c.b, got, swaps, c.want, c.swaps)
		}
	}
}
