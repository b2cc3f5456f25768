package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/linux"
	"hob/internal/lists"
	"hob/internal/tools/files/tree"
)

// capabilityAttr is the extended attribute that gives a program capabilities.
const capabilityAttr = "security.capability"

// idBits are the bits that make a program run as its owner or group.
const idBits = fs.ModeSetuid | fs.ModeSetgid

// errNamedElsewhere says why a file keeps its bits: it may be a program of the machine, to which somebody gave a second name.
var errNamedElsewhere = errors.New("it has another name outside of the workspace")

// namedRights bounds the files of a [Rights] that a note names.
const namedRights = 5

// Rights are those that a command left to files and folders: set-uid and set-gid bits and file capabilities, with which they would
// act as hob's user for whoever starts them, outside of the sandbox.
type Rights struct {
	Removed int    // files and folders that had some and have none any more
	Note    string // lines that name them, and those that still have theirs; each begins with a line break
}

// noteRights notes what was seen under a name in an open folder if it is set-uid or set-gid, or has capabilities. To look for those
// takes long, so that it is done for programs alone that were changed since the first look.
func (s *walk) noteRights(dir int, name, rel string, is fileInfo) {
	switch {
	case is.kind != event.RegFile && is.kind != event.Folder:
	case is.mode&idBits != 0:
		s.rights = append(s.rights, named{rel, is})
	case is.kind == event.RegFile && is.mode&0o111 != 0 && s.since != nil && !s.plain && s.since.changedSince(rel, is):
		_, err := unix.Lgetxattr("/proc/self/fd/"+strconv.Itoa(dir)+"/"+name, capabilityAttr, nil)
		if err == nil {
			s.rights = append(s.rights, named{rel, is})
		}
		s.plain = err == unix.ENOTSUP //nolint:errorlint // a bare number
	}
}

// changedSince reports whether a file that is like this now may have been changed since the look.
func (s *walk) changedSince(rel string, is fileInfo) bool {
	return s.seen[rel] != is || s.began-is.changed < clockStep
}

// unfinished looks at what has the name of a file that is being written: a command may have given it.
func (s *walk) unfinished(dir int, name, rel string) {
	var st linux.StatxInfo
	if linux.Statx(dir, name, unix.AT_SYMLINK_NOFOLLOW|linux.NoAutomount, linux.StatxBasic, &st) == nil {
		s.noteRights(dir, name, rel, fileInfoOf(&st))
	}
}

// removeRights removes what the walls should have kept a command from setting. A regular file loses it whoever set it; a folder
// keeps a bit that it had before, or that it got because the folder in which it was made has it. What has another mode then is
// noted as it is.
func (w *Watcher) removeRights(n *snapshot, now *walk) (r Rights) {
	if len(now.rights) == 0 {
		return r
	}
	before := map[tree.Inode]fs.FileMode{n.top.Inode: n.top.mode}
	for _, was := range n.seen {
		if was.kind == event.Folder {
			before[was.Inode] = was.mode
		}
	}
	sort.Slice(now.rights, func(i, j int) bool { return now.rights[i].rel < now.rights[j].rel }) // a folder before what is in it
	var removed, left []string
	why := error(nil)
	for _, one := range now.rights {
		keep := fs.FileMode(0)
		if one.kind == event.Folder {
			was, known := before[one.Inode]
			switch {
			case known:
				keep = was & idBits
			case n.complete:
				keep = now.at(parentOf(one.rel)).mode & fs.ModeSetgid
			default: // it may have been there before
				keep = idBits
			}
			if one.mode&idBits&^keep == 0 {
				continue
			}
		}
		is, err := w.removeRightsOf(one, keep, now)
		switch {
		case err != nil:
			left, why = append(left, one.rel), err
		case is.kind != event.NoFile:
			now.set(one.rel, is)
			removed = append(removed, one.rel)
		}
	}
	if r.Removed = len(removed); r.Removed > 0 {
		r.Note = "\n[the set-uid and set-gid bits and capabilities were removed from " + nameSome(removed) +
			": nothing in the workspace may run with the rights of another user]"
	}
	if len(left) > 0 {
		r.Note += "\n[the set-uid and set-gid bits and capabilities of " + nameSome(left) + " could not be removed: " + display.Reason(why) + "]"
	}
	return r
}

// at returns what was seen at a path, "." being the workspace itself.
func (s *walk) at(rel string) fileInfo {
	if rel == "." {
		return s.top
	}
	return s.seen[rel]
}

func (s *walk) set(rel string, is fileInfo) {
	if rel == "." {
		s.top = is
	} else if _, seen := s.seen[rel]; seen {
		s.seen[rel] = is
	}
}

// parentOf is the folder in which rel lies, "." for the workspace.
func parentOf(rel string) string {
	if i := strings.LastIndexByte(rel, '/'); i > 0 {
		return rel[:i]
	}
	return "."
}

// names counts the names that a file has in the workspace.
func (s *walk) names(id tree.Inode) (names int) {
	for _, is := range s.seen {
		if is.Inode == id {
			names++
		}
	}
	return names
}

// removeRightsOf removes the capabilities and the bits, except for those of keep, and returns what the file or folder is then; the
// zero info where it is gone, or belongs to another user, as whom no command runs. It is changed by an open descriptor, since its
// name may lead to another file by then.
func (w *Watcher) removeRightsOf(one named, keep fs.FileMode, now *walk) (is fileInfo, _ error) {
	file, err := w.tree.Workspace().Root.OpenFile(one.rel, linux.OPath|unix.O_NOFOLLOW, 0)
	if err != nil {
		return is, tree.IgnoreMissing(err)
	}
	defer file.Close()
	err = tree.Control(file, func(fd int) error {
		found, st, err := lookAt(fd)
		if err != nil {
			return err
		}
		me := os.Geteuid()
		if found.Inode != one.Inode || found.kind != one.kind || me != 0 && me != found.user {
			return nil
		}
		if found.kind == event.RegFile && st.Nlink > 1 && now.names(found.Inode) < int(st.Nlink) {
			return errNamedElsewhere
		}
		path := "/proc/self/fd/" + strconv.Itoa(fd)
		if err := dropCapabilities(fd, path); err != nil {
			return err
		}
		if bits := found.mode & idBits &^ keep; bits != 0 {
			mode := uint32(st.Mode) &^ unix.S_IFMT
			if bits&fs.ModeSetuid != 0 {
				mode &^= unix.S_ISUID
			}
			if bits&fs.ModeSetgid != 0 {
				mode &^= unix.S_ISGID
			}
			if err := unix.Chmod(path, mode); err != nil {
				return err
			}
		}
		after, _, err := lookAt(fd)
		if err == nil {
			is = after
		}
		return err
	})
	return is, err
}

// dropCapabilities removes the capabilities of an open file. To remove the attribute takes more than to own the file, but a change of
// the owner, even to the same one, has the kernel do it.
func dropCapabilities(fd int, path string) error {
	if _, err := unix.Getxattr(path, capabilityAttr, nil); err != nil {
		return nil //nolint:nilerr // there are none
	}
	if err := unix.Fchownat(fd, "", -1, -1, linux.EmptyPath); err != nil {
		return err
	}
	if _, err := unix.Getxattr(path, capabilityAttr, nil); err == nil {
		return unix.EPERM
	}
	return nil
}

// detail is for a receipt.
func (r Rights) detail() string {
	if r.Removed == 0 {
		return ""
	}
	return "; removed set-uid from " + display.Count(r.Removed, "file")
}

// nameSome names the first few of some files.
func nameSome(files []string) string {
	some := files[:min(len(files), namedRights)]
	list := strings.Join(lists.Map(some, display.Quote), ", ")
	if more := len(files) - len(some); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
