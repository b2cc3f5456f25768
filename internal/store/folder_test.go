package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// open1 are the ways in which a state folder is taken.
var open1 = map[string]func(t *testing.T, dir string) error{
	"lock": func(t *testing.T, dir string) error {
		held, err := Lock(filepath.Join(dir, "lock"), "test")
		if err == nil {
			err = held.Release()
		}
		return err
	},
	"journal": func(t *testing.T, dir string) error {
		db, err := Open(t.Context(), filepath.Join(dir, "hob.db"), time.Now)
		if err == nil {
			err = db.Close()
		}
		return err
	},
}

func TestFolderThatOthersWriteTo(t *testing.T) {
	for name, open := range open1 {
		for mode, fits := range map[os.FileMode]bool{
			0o700: true, 0o755: true, 0o750: true, 0o711: true, 0o700 | os.ModeSetgid: true, 0o755 | os.ModeSetgid: true,
			0o770: false, 0o775: false, 0o720: false, 0o702: false, 0o707: false, 0o777: false,
			0o777 | os.ModeSticky: false, 0o770 | os.ModeSetgid: false,
		} {
			dir := filepath.Join(t.TempDir(), "it's a state")
			if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, mode)); err != nil {
				t.Fatal(err)
			}
			err := open(t, dir)
			var bad *FolderError
			if errors.As(err, &bad) == fits || fits && err != nil {
				t.Errorf("%s, %v: %v", name, mode, err)
			}
			if fits {
				continue
			}
			if want := `chmod go-w '` + strings.ReplaceAll(dir, "'", `'\''`) + `'`; !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %v: %q does not name the command %s", name, mode, err, want)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("%s, %v: %v was made there all the same", name, mode, left)
			}
		}
	}
}

func TestFolderOfSomebodyElse(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder to somebody else")
	}
	for name, open := range open1 {
		dir := t.TempDir()
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		err := open(t, dir)
		var bad *FolderError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), "65534") || !strings.Contains(err.Error(), "chown -R 0 "+dir) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A folder that is reached by a link of its owner's is the one that it leads to.
func TestFolderBehindALink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for name, open := range open1 {
		if err := open(t, link); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, open := range open1 {
		if err := open(t, link); !errors.As(err, new(*FolderError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever lies where the lock belongs, nothing else is written to.
func TestLockIsNoOtherFile(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, lay := range map[string]func(path string) error{
		"a link":         func(path string) error { return os.Symlink(victim, path) },
		"a link to none": func(path string) error { return os.Symlink(victim+".absent", path) },
		"a pipe":         func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":       func(path string) error { return os.Mkdir(path, 0o700) },
		"somebody else's": func(path string) error {
			if os.Geteuid() != 0 {
				return os.Symlink(victim, path)
			}
			return errors.Join(os.WriteFile(path, []byte("theirs"), 0o666), os.Chown(path, 65534, 65534))
		},
	} {
		path := filepath.Join(t.TempDir(), "lock")
		if err := lay(path); err != nil {
			t.Fatal(err)
		}
		held, err := Lock(path, "test")
		if err == nil {
			held.Release()
			t.Errorf("%s was taken for the lock", name)
			continue
		}
		if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "rm") {
			t.Errorf("%s: %q does not say what to do", name, err)
		}
		if name != "somebody else's" || os.Geteuid() != 0 {
			continue
		}
		if text, err := os.ReadFile(path); string(text) != "theirs" {
			t.Errorf("it was written to: %q, %v", text, err)
		}
	}
	if text, err := os.ReadFile(victim); string(text) != "precious" || err != nil {
		t.Errorf("the file at the end of the link says %q, %v", text, err)
	}
	if _, err := os.Lstat(victim + ".absent"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made at the end of the link: %v", err)
	}
}

// The lock is the folder's: whoever removes the file lets nobody in.
func TestLockWithoutItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := Lock(path, "first")
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func() error{
		"removed":  func() error { return os.Remove(path) },
		"replaced": func() error { return os.WriteFile(path, nil, 0o600) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if second, err := Lock(path, "second"); !errors.Is(err, ErrLocked) {
			t.Errorf("%s: the second got %v, %v", name, second, err)
		}
		if by, err := Holder(path); by == "" || err != nil {
			t.Errorf("%s: nobody holds it: %v", name, err)
		}
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(path, "third")
	if err != nil {
		t.Fatal(err)
	}
	if by, err := Holder(path); !strings.HasPrefix(by, "third (pid ") || err != nil {
		t.Errorf("it is held by %q, %v", by, err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
	if by, err := Holder(path); by != "" || err != nil {
		t.Errorf("after Release it is held by %q, %v", by, err)
	}
	if by, err := Holder(filepath.Join(t.TempDir(), "absent", "lock")); by != "" || err != nil {
		t.Errorf("a lock that nobody ever took is held by %q, %v", by, err)
	}
}
