package folder

import (
	"math"
	"os"

	"golang.org/x/sys/unix"

	"hob/internal/linux"
)

// mark tells two states of a skill's folder apart without reading it: what the folder, its SKILL.md and the folders that hold
// pages are. What is deeper can change unseen: it changes the list of pages alone.
type mark [5]state

// state is what the kernel knows of one name; the zero state is that of none.
type state struct {
	dev, ino uint64
	mode     uint32
	size     int64
	written  int64 // in Unix nanoseconds
	changed  int64 // likewise, whatever time somebody has given the file
}

// markOf looks at a folder in dir, which is open. It follows no links.
func markOf(dir *os.File, name string) (m mark) {
	fd, err := unix.Openat(int(dir.Fd()), name, linux.OPath|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return mark{}
	}
	defer unix.Close(fd)
	for i, n := range []string{"", skillFile, "references", "scripts", "assets"} {
		var st unix.Stat_t
		if unix.Fstatat(fd, n, &st, unix.AT_SYMLINK_NOFOLLOW|linux.EmptyPath) == nil {
			m[i] = state{uint64(st.Dev), st.Ino, uint32(st.Mode), st.Size, st.Mtim.Nano(), st.Ctim.Nano()} //nolint:unconvert // other systems
		}
	}
	return m
}

// changed is when the last change was, in Unix nanoseconds. Of a link to the SKILL.md it cannot be said.
func (m mark) changed() (last int64) {
	for _, s := range m {
		last = max(last, s.changed)
	}
	if m[1].mode&unix.S_IFMT == unix.S_IFLNK {
		return math.MaxInt64
	}
	return last
}
