package atlas

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The first numbers of the reference library's own demonstration: pcg32 with the state 42 and the sequence 54.
func TestChanceIsPCG32(t *testing.T) {
	c := newChance(42, 54)
	var got []uint32
	for range 6 {
		got = append(got, c.next())
	}
	want := []uint32{0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBelowIsFair(t *testing.T) {
	c := KeyOf("fair").stream(forRooms)
	const draws = 70_000
	for _, n := range []int{1, 2, 7, 30} {
		seen := make([]int, n)
		for range draws {
			seen[c.below(n)]++
		}
		for value, times := range seen {
			if want := draws / n; times < want*9/10 || times > want*11/10 {
				t.Errorf("%d of %d came %d times, want about %d", value, n, times, want)
			}
		}
	}
	// Three quarters of 2^32 would make every third number twice as likely, were the rest not thrown away.
	low := 0
	for range draws {
		if c.below(3<<30) < 1<<30 {
			low++
		}
	}
	if low < draws*30/100 || low > draws*37/100 {
		t.Errorf("the lowest third came %d of %d times", low, draws)
	}
}

func TestPartsAreFramed(t *testing.T) {
	seen := map[Key][]string{}
	for _, parts := range [][]string{
		{}, {""}, {"", ""}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {"a|b"}, {"a", "b"},
	} {
		if other, twice := seen[KeyOf(parts...)]; twice {
			t.Errorf("%q has the key of %q", parts, other)
		}
		seen[KeyOf(parts...)] = parts
	}
}
