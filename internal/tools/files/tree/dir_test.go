package tree

import "testing"

// On a folder that ignores case a new name would silently take the place of another file.
func TestTwinOf(t *testing.T) {
	for _, c := range []struct {
		base  string
		names []string
		want  string
	}{
		{"readme.md", []string{"x", "README.md"}, "README.md"},
		{"readme.md", []string{"README.md", "readme.md"}, ""},
		{"readme.md", []string{"x"}, ""},
	} {
		if got := twinOf(c.base, c.names); got != c.want {
			t.Errorf("twinOf(%q, %q) = %q, want %q", c.base, c.names, got, c.want)
		}
	}
}
