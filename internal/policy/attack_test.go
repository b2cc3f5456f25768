package policy_test

import "testing"

// Who speaks of a file does not speak of the host of that name, which is somebody's.
func TestFilesAreNoHosts(t *testing.T) {
	for _, c := range []struct{ url, words, want string }{
		{"https://report.zip/?q=dear", "unpack report.zip and sum it up", ""},
		{"https://notes.md/", "what is in notes.md?", ""},
		{"https://notes.md/a", "what is in notes.md/a?", ""},
		{"https://www.notes.md/?q=dear", "what is in notes.md?", ""},
		{"https://build.sh:443/?q=dear", "run build.sh: it is slow", ""},
		{"https://docs.rs/serde?q=dear", "look at https://docs.rs/serde", "named"},
		{"https://docs.rs/serde", "look at https://docs.rs/serde", "exact"},
		{"https://www.notes.md/?q=dear", "what is on www.notes.md?", "named"},
		{"https://allegro.pl/", "what is on allegro.pl?", ""},
		{"https://allegro.pl/", "what is on allegro.pl/?", "exact"},
	} {
		if got := found(t, c.url, c.words); got != c.want {
			t.Errorf("%s in %q is %q, want %q", c.url, c.words, got, c.want)
		}
	}
}
