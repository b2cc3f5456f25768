//go:build linux

package inside

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strings"

	"golang.org/x/sys/unix"
)

// protect makes the paths of Protect read-only. The folders between them and the workspace become mounts, too, though
// ones that can be written: a folder that is not a mount could be renamed, with the protected one in it, and another put
// in its place. No link is followed: an earlier command may have left one.
func protect(s *Spec) error {
	if len(s.Protect) == 0 || s.ReadOnly {
		return nil
	}
	root, err := unix.Open(s.Workspace[1:], unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return wrap("open the workspace", err)
	}
	defer unix.Close(root)
	held, err := heldPaths(s)
	if err != nil {
		return err
	}
	for _, h := range held {
		attr := uint64(writable)
		if h.readOnly {
			attr = onlyRead
		}
		if err := mountOverItself(root, h.rel, attr); err != nil {
			return wrap("protect "+s.Workspace+"/"+h.rel, err)
		}
	}
	return nil
}

// held is a place in the workspace that becomes a mount.
type held struct {
	rel      string // its path below the workspace
	readOnly bool   // it is one of Protect, not a folder above one
}

// heldPaths are the places that must become mounts for the sake of Protect, folders before what is in them.
func heldPaths(s *Spec) ([]held, error) {
	if s.ReadOnly {
		return nil, nil
	}
	var paths []held
	for _, path := range s.Protect {
		rel, ok := strings.CutPrefix(path, s.Workspace+"/")
		if !ok || rel == "" {
			return nil, errors.New(path + " is to be protected, but is not in the workspace")
		}
		for i := range len(rel) {
			if rel[i] == '/' {
				paths = append(paths, held{rel: rel[:i]})
			}
		}
		paths = append(paths, held{rel, true})
	}
	// Where a path is both, read-only counts, and it covers all below it.
	sort.Slice(paths, func(i, j int) bool {
		if a, b := paths[i], paths[j]; a.rel != b.rel {
			return a.rel < b.rel
		}
		return paths[i].readOnly && !paths[j].readOnly
	})
	var kept []held
	for _, p := range paths {
		covered := func(k held) bool { return k.rel == p.rel || k.readOnly && below(p.rel, k.rel) }
		if !slices.ContainsFunc(kept, covered) {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// mountOverItself mounts what is at path below root over itself.
func mountOverItself(root int, path string, attr uint64) error {
	there, err := beneath(root, path)
	if err != nil {
		return err
	}
	defer unix.Close(there)
	return mountTree(there, "", unix.AT_RECURSIVE|unix.AT_EMPTY_PATH, attr, there)
}

// mountTree mounts a copy of the tree at path below dir, with the attributes attr, over there. flags say how it is opened.
func mountTree(dir int, path string, flags uint, attr uint64, there int) error {
	tree, err := unix.OpenTree(dir, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|flags)
	if err != nil {
		return err
	}
	defer unix.Close(tree)
	if err := setAttr(tree, "", unix.AT_EMPTY_PATH|flags, attr); err != nil {
		return err
	}
	return unix.MoveMount(tree, "", there, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// beneath opens what is at path below root, through no symbolic link, a folder at a time: openat2 would do so at once, but is
// taken away by RestrictSUIDSGID= of systemd, which services have. The caller closes what is returned.
func beneath(root int, path string) (int, error) {
	at := root
	for name := range strings.SplitSeq(path, "/") {
		next := -1
		err := error(unix.EXDEV)
		if name != "" && name != "." && name != ".." {
			next, err = unix.Openat(at, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		}
		if at != root {
			unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		var st unix.Stat_t
		if err := unix.Fstat(next, &st); err != nil || st.Mode&unix.S_IFMT == unix.S_IFLNK {
			unix.Close(next)
			return -1, cmp.Or(err, error(unix.ELOOP))
		}
		at = next
	}
	return at, nil
}
