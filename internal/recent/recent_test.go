package recent

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Only the newest keys have a value, in the order in which they came.
func TestRecent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, keys := NewMap[int, int](3), []int{}
		for n := range rapid.IntRange(1, 30).Draw(t, "steps") {
			key := rapid.IntRange(0, 6).Draw(t, "key")
			if rapid.Bool().Draw(t, "remove") {
				r.Remove(key)
				keys = slices.DeleteFunc(keys, func(k int) bool { return k == key })
			} else {
				r.Set(key, n)
				if !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
				keys = keys[max(len(keys)-3, 0):]
			}
			if !slices.Equal(keys, r.keys) || len(r.values) != len(keys) {
				t.Fatalf("keys %v, values %v, want %v", r.keys, r.values, keys)
			}
			if value, known := r.Get(key); known != slices.Contains(keys, key) || known && value != n {
				t.Fatalf("%d is %d, %t", key, value, known)
			}
			if value, known := r.Get(key); known && r.Make(key, func() int { return -1 }) != value {
				t.Fatalf("the value of %d is made again", key)
			}
		}
	})
}
