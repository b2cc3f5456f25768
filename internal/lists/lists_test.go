package lists_test

import (
	"slices"
	"strconv"
	"testing"

	"hob/internal/lists"
)

func TestMap(t *testing.T) {
	if got := lists.Map([]int{2, 1, 3}, strconv.Itoa); !slices.Equal(got, []string{"2", "1", "3"}) {
		t.Errorf("Map returns %q", got)
	}
	if got := lists.Map(nil, strconv.Itoa); got == nil || len(got) > 0 {
		t.Errorf("Map of nothing returns %#v", got)
	}
}

func TestNonEmpty(t *testing.T) {
	all := []string{"", "a", "", "b"}
	if got := lists.NonEmpty(all...); !slices.Equal(got, []string{"a", "b"}) || all[0] != "" {
		t.Errorf("NonEmpty returns %q, and leaves %q", got, all)
	}
}
