package tree

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"hob/internal/event"
)

// maxAttrs bounds the bytes of extended attributes that are kept of a file.
const maxAttrs = 64 << 10

// copyAttributes gives temp the owner and the extended attributes of the file it replaces, as far as that is permitted, and
// names the attributes that are lost.
func copyAttributes(old *Existing, temp *os.File) string {
	if uid, gid, ok := ownerOf(old.Info); ok {
		_ = temp.Chown(uid, gid) // only root may give files away; the content matters more
	}
	if old.File == nil {
		return ""
	}
	var lost []string
	for _, name := range attributes(old.File) {
		value, err := attribute(old.File, name)
		if err == nil {
			err = setAttribute(temp, name, value)
		}
		if err != nil {
			lost = append(lost, name)
		}
	}
	return lostAttributes(lost)
}

// restoreAttributes gives temp the owner, the extended attributes and the permissions that a file had, and says what is lost.
func restoreAttributes(temp *os.File, like event.FileState) (note string, err error) {
	mode := like.Mode
	if temp.Chown(like.User, like.Group) != nil {
		mode &= fs.ModePerm // what runs as its owner must not run as another
		note = "its owner could not be given back"
	}
	var lost []string
	for name, value := range like.Attrs {
		if setAttribute(temp, name, value) != nil {
			lost = append(lost, name)
		}
	}
	if words := lostAttributes(lost); words != "" {
		note = words
	}
	return note, temp.Chmod(mode)
}

func lostAttributes(names []string) string {
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return "lost its extended attributes " + strings.Join(names, ", ")
}

// attributes names the extended attributes of a file, except for those that the kernel gives to every file.
func attributes(file *os.File) []string {
	var names []string
	_ = Control(file, func(fd int) error {
		buf := make([]byte, 64<<10)
		n, err := unix.Flistxattr(fd, buf)
		if err != nil {
			return err // a file system without them
		}
		for name := range bytes.SplitSeq(buf[:n], []byte{0}) {
			if len(name) > 0 && !bytes.HasPrefix(name, []byte("security.")) {
				names = append(names, string(name))
			}
		}
		return nil
	})
	return names
}

func attribute(file *os.File, name string) (value []byte, err error) {
	err = Control(file, func(fd int) error {
		value = make([]byte, 64<<10) // the most the kernel takes
		n, err := unix.Fgetxattr(fd, name, value)
		value = value[:max(n, 0)]
		return err
	})
	return value, err
}

func setAttribute(file *os.File, name string, value []byte) error {
	return Control(file, func(fd int) error { return unix.Fsetxattr(fd, name, value, 0) })
}

// Attributes returns the extended attributes of a file, as many as are kept.
func Attributes(file *os.File) map[string][]byte {
	kept, room := map[string][]byte{}, maxAttrs
	for _, name := range attributes(file) {
		value, err := attribute(file, name)
		if room -= len(name) + len(value); err == nil && room >= 0 {
			kept[name] = slices.Clone(value)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}
