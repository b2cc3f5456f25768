package editdistance_test

import (
	"testing"

	"hob/internal/editdistance"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "ab", 2},
		{"ab", "", 2},
		{"read", "read", 0},
		{"read", "raed", 2}, // a swap is two changes
		{"read", "bread", 1},
		{"kitten", "sitting", 3},
		{"мир", "мор", 1},
	} {
		if got := editdistance.Of([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("from %q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
