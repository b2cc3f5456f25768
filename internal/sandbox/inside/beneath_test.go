//go:build linux

package inside

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// What is protected is found below the workspace or not at all: no link leads elsewhere, be it the last of the path or one of
// the folders above it, put there at any time.
func TestBeneath(t *testing.T) {
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	for _, made := range []error{
		os.MkdirAll(at("outside", "hooks"), 0o700), os.MkdirAll(at("work", ".git", "hooks"), 0o700),
		os.WriteFile(at("work", ".git", "config"), nil, 0o600),
		os.Symlink(at("outside"), at("work", "linked")), os.Symlink("hooks", at("work", ".git", "near")),
	} {
		if made != nil {
			t.Fatal(made)
		}
	}
	root, err := unix.Open(at("work"), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(root)
	check := func(path string, want error) {
		t.Helper()
		there, err := beneath(root, path)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if err != nil {
			return
		}
		defer unix.Close(there)
		var got, same unix.Stat_t
		if err := errors.Join(unix.Fstat(there, &got), unix.Lstat(at("work", path), &same)); err != nil || got.Ino != same.Ino {
			t.Errorf("%s is another place, %v", path, err)
		}
	}
	check(".git", nil)
	check(".git/hooks", nil)
	check(".git/config", nil)
	check("linked", unix.ELOOP)
	check("linked/hooks", unix.ELOOP)
	check(".git/near", unix.ELOOP)
	check("..", unix.EXDEV)
	check(".git/../../outside", unix.EXDEV)
	check("/etc", unix.EXDEV)
	check("", unix.EXDEV)
	check(".git/none", unix.ENOENT)
	if err := errors.Join(os.RemoveAll(at("work", ".git")), os.Symlink(at("outside"), at("work", ".git"))); err != nil {
		t.Fatal(err)
	}
	check(".git/hooks", unix.ELOOP) // what was a folder a moment ago
}
