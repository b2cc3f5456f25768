package prompt

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/client"
)

// Tab completes commands, what they are followed by, tools, and files.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes/a.md", "notes/b.md", ".secret", "nothing.txt", "with blank.txt"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hob := &recorder{}
	c := &completer{conversation: &conversation{client: &client.Client{Backend: hob}}, workspace: dir}
	for _, tc := range []struct {
		before string
		bytes  int
		want   []string
	}{
		{"/sta", 4, []string{"/status"}},
		{"/list_f", 7, []string{"/list_files"}},
		{"/help list_f", 12, []string{"/help list_files"}},
		{"/skill n", 8, []string{"/skill notes"}},
		{"read no", 2, []string{"notes/", "nothing.txt"}},
		{"read notes/a", 7, []string{"notes/a.md"}},
		{"/read_file path=not", 3, []string{"notes/", "nothing.txt"}},
		{"read ../", 3, nil},
		{"read /etc/pass", 9, nil},
		{"read .s", 2, []string{".secret"}},
		{"read ", 0, nil},
		{"one\ntwo no", 0, nil},
	} {
		n, got := c.complete(t.Context(), tc.before)
		if diff := cmp.Diff(tc.want, got); diff != "" || n != tc.bytes && len(got) > 0 {
			t.Errorf("%q: %d bytes (-want +got):\n%s", tc.before, n, diff)
		}
	}
}
