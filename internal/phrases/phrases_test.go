package phrases_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/phrases"
)

const file = phrases.File(`first = one
# a comment = of nothing
go = You go to {0}.
go.2 = Off to {0}.

sum = a = b
join = {0}, 
`)

func TestFile(t *testing.T) {
	want := map[string]string{"first": "one", "go": "You go to {0}.", "go.2": "Off to {0}.", "sum": "a = b", "join": "{0}, "}
	if diff := cmp.Diff(want, maps.Collect(file.All())); diff != "" {
		t.Error(diff)
	}
	for key, words := range map[string]string{"first": "one", "go": "You go to {0}.", "sum": "a = b", "join": "{0}, "} {
		if got, ok := file.Find(key); !ok || got != words {
			t.Errorf("Find(%q) = %q, %t", key, got, ok)
		}
	}
	for _, key := range []string{"o", "a comment", "go.3", ""} {
		if got, ok := file.Find(key); ok {
			t.Errorf("Find(%q) = %q", key, got)
		}
	}
	if got := file.Variants("go"); !slices.Equal(got, []string{"You go to {0}.", "Off to {0}."}) {
		t.Errorf("Variants are %q", got)
	}
}

func TestFill(t *testing.T) {
	if got := phrases.Fill("{1} of {0}, {2}", "{1}", "two"); got != "two of {1}, {2}" {
		t.Error(got)
	}
}
