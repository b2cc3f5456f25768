//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// protect returns the places in the workspace that commands may not change, because what is in them is run or believed
// later, by people and not by commands. What is missing in a repository is made first: what does not exist cannot be
// protected, and somebody else would make it. The workspace is whatever earlier commands made of it, so nothing here
// follows a link.
func protect(r Rules) ([]string, error) {
	if r.ReadOnly {
		return nil, nil
	}
	top, err := unix.Open(r.Workspace, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", &os.PathError{Op: "open", Path: r.Workspace, Err: err})
	}
	defer unix.Close(top)
	var all []string
	for _, name := range []string{".hob", ".git"} {
		mode, err := modeAt(top, name)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		path := filepath.Join(r.Workspace, name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("look at %s: %w", path, err)
		case mode == unix.S_IFLNK:
			return nil, linkError(path)
		case name == ".git" && mode == unix.S_IFDIR:
			paths, err := protectRepository(top, path)
			if err != nil {
				return nil, err
			}
			all = append(all, paths...)
		default: // a .git that is a file says where the repository is
			all = append(all, path)
		}
	}
	return all, nil
}

func protectRepository(top int, path string) ([]string, error) {
	git, err := unix.Openat(top, ".git", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	defer unix.Close(git)
	var all []string
	for _, one := range []struct {
		name string
		mode uint32
		make func() error
	}{
		{"hooks", unix.S_IFDIR, func() error { return unix.Mkdirat(git, "hooks", 0o755) }},
		{"config", unix.S_IFREG, func() error { return unix.Mknodat(git, "config", unix.S_IFREG|0o644, 0) }},
	} {
		place := filepath.Join(path, one.name)
		mode, err := modeAt(git, one.name)
		if errors.Is(err, unix.ENOENT) {
			if err := one.make(); err != nil && !errors.Is(err, unix.EEXIST) {
				return nil, fmt.Errorf("make %s, so that it can be protected: %w", place, err)
			}
			mode, err = modeAt(git, one.name)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("look at %s: %w", place, err)
		case mode == unix.S_IFLNK:
			return nil, linkError(place)
		case mode != one.mode:
			return nil, fmt.Errorf("protect %s: it is not what git puts there; remove it to run commands in this workspace", place)
		}
		all = append(all, place)
	}
	return all, nil
}

func linkError(path string) error {
	return fmt.Errorf("protect %s: it is a symbolic link, which cannot be; remove it to run commands in this workspace", path)
}

// modeAt returns what kind of file name is, itself if it is a link.
func modeAt(dir int, name string) (uint32, error) {
	var st unix.Stat_t
	err := unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	return st.Mode & unix.S_IFMT, err
}
