package watch

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/linux"
	"hob/internal/tools/files/tree"
)

// identity is what tells that a file has the content that it had.
type identity struct {
	tree.Inode

	size             int64
	content, changed int64 // when the content, and anything at all, was changed, in ns since 1970
}

// fileInfo is what a look at a file, a link or a folder shows.
type fileInfo struct {
	identity

	kind        event.FileKind
	mode        fs.FileMode
	user, group int
}

// walk is a look at all that is in the workspace. Links are not followed, other mounts not entered; what is neither file
// nor link nor folder, what is denied and what is being written are left out.
type walk struct {
	tree  *tree.Tree
	ctx   context.Context
	limit time.Time
	deny  map[tree.Inode]bool
	since *walk // nil: the first look

	began    int64               // ns since 1970
	top      fileInfo            // the workspace itself
	seen     map[string]fileInfo // by the path in the workspace
	closed   map[string]bool     // folders that could not be looked into
	odd      []string            // what was left out, except for what is denied
	rights   []named             // what is set-uid or set-gid, or has got file capabilities; "." is the workspace itself
	plain    bool                // the file system has no capabilities
	complete bool
}

// walk looks at the workspace, for the first time or since an earlier look.
func (w *Watcher) walk(ctx context.Context, limit time.Time, since *walk) *walk {
	s := &walk{
		tree: w.tree, ctx: ctx, limit: limit, since: since, deny: w.tree.DeniedInodes(), began: time.Now().UnixNano(),
		seen: map[string]fileInfo{}, closed: map[string]bool{}, complete: true,
	}
	top, err := w.tree.Workspace().Root.Open(".")
	if err != nil {
		s.complete = false
		return s
	}
	err = tree.Control(top, func(fd int) (err error) {
		s.top, _, err = lookAt(fd)
		return err
	})
	s.complete = err == nil
	if s.top.mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
		s.rights = append(s.rights, named{".", s.top})
	}
	s.folder(top, "", 1)
	return s
}

// folder looks at what is in a folder, and closes it.
func (s *walk) folder(dir *os.File, rel string, level int) {
	defer dir.Close()
	names, err := dir.Readdirnames(tree.MaxNames + 1)
	if err != nil && err != io.EOF || level > tree.MaxLevels || s.ctx.Err() != nil || time.Now().After(s.limit) {
		s.complete = false
		return
	}
	if len(names) > tree.MaxNames || len(names)+len(s.seen) > maxNames {
		s.complete = false
		return
	}
	_ = tree.Control(dir, func(fd int) error {
		for _, name := range names {
			switch at := filepath.Join(rel, name); {
			case strings.HasPrefix(name, tree.TempPrefix):
				s.odd = append(s.odd, at)
				s.unfinished(fd, name, at)
			case s.complete:
				s.name(fd, name, at, level)
			}
		}
		return nil
	})
}

// name looks at what has a name in an open folder.
func (s *walk) name(dir int, name, rel string, level int) {
	var st linux.StatxInfo
	err := linux.Statx(dir, name, unix.AT_SYMLINK_NOFOLLOW|linux.NoAutomount, linux.StatxBasic|linux.StatxMountID, &st)
	if err != nil {
		s.complete = s.complete && err == unix.ENOENT //nolint:errorlint // a bare number
		return
	}
	found := fileInfoOf(&st)
	mount := found.Dev
	if st.Mask&linux.StatxMountID != 0 {
		mount = st.Mnt_id
	}
	if s.deny[found.Inode] {
		return
	}
	if found.kind == event.NoFile || !s.tree.Entered(s.tree.Workspace(), mount) {
		s.odd = append(s.odd, rel)
		return
	}
	s.seen[rel] = found
	s.noteRights(dir, name, rel, found)
	if found.kind != event.Folder {
		return
	}
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		s.closed[rel] = true
		return
	}
	s.folder(os.NewFile(uintptr(fd), name), rel, level+1) //nolint:gosec // a descriptor is no negative number
}

// lookAt looks at an open file, link or folder.
func lookAt(fd int) (fileInfo, *linux.StatxInfo, error) {
	var st linux.StatxInfo
	err := linux.Statx(fd, "", linux.EmptyPath, linux.StatxBasic, &st)
	return fileInfoOf(&st), &st, err
}

func fileInfoOf(st *linux.StatxInfo) fileInfo {
	s := fileInfo{
		identity: identity{
			Inode: tree.Inode{Dev: unix.Mkdev(st.Dev_major, st.Dev_minor), Ino: st.Ino}, size: int64(st.Size), //nolint:gosec // no file is that large
			content: st.Mtime.Sec*1e9 + int64(st.Mtime.Nsec), changed: st.Ctime.Sec*1e9 + int64(st.Ctime.Nsec),
		},
		user: int(st.Uid), group: int(st.Gid), mode: fs.FileMode(st.Mode).Perm(),
	}
	for bit, mode := range map[uint16]fs.FileMode{
		unix.S_ISUID: fs.ModeSetuid, unix.S_ISGID: fs.ModeSetgid, unix.S_ISVTX: fs.ModeSticky,
	} {
		if st.Mode&bit != 0 {
			s.mode |= mode
		}
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.kind = event.RegFile
	case unix.S_IFLNK:
		s.kind, s.mode = event.Link, 0
	case unix.S_IFDIR:
		s.kind, s.size = event.Folder, 0
	}
	return s
}

// state is what is known of a file without its content.
func (s fileInfo) state() event.FileState {
	if s.kind == event.NoFile {
		return event.FileState{}
	}
	return event.FileState{
		Kind: s.kind, Size: s.size, Mode: s.mode, Time: time.Unix(0, s.content), User: s.user, Group: s.group,
	}
}

// hidden reports whether rel lies in a folder that could not be looked into.
func (s *walk) hidden(rel string) bool {
	if len(s.closed) == 0 {
		return false
	}
	for dir := filepath.Dir(rel); dir != "."; dir = filepath.Dir(dir) {
		if s.closed[dir] {
			return true
		}
	}
	return false
}

// undoable reports whether a file of that name could be brought back.
func (w *Watcher) undoable(rel string) bool {
	return utf8.ValidString(rel) && !tree.IsHandle(rel) && len(w.tree.Workspace().Real)+len(rel) < tree.MaxPath
}

// contentOf reads a file or link that was seen, if it still is the one.
func (w *Watcher) contentOf(rel string, s fileInfo) (st event.FileState, content []byte, ok bool) {
	root := w.tree.Workspace().Root
	if st = s.state(); s.kind == event.Link {
		target, err := root.Readlink(rel)
		st.Sum = tree.SumOf([]byte(target))
		return st, []byte(target), err == nil
	}
	file, err := root.OpenFile(rel, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return st, nil, false
	}
	defer file.Close()
	var now fileInfo
	err = tree.Control(file, func(fd int) (err error) {
		now, _, err = lookAt(fd)
		return err
	})
	if err != nil || now.identity != s.identity {
		return st, nil, false
	}
	content = make([]byte, s.size)
	if _, err := io.ReadFull(file, content); err != nil {
		return st, nil, false
	}
	st.Sum, st.Attrs = tree.SumOf(content), tree.Attributes(file)
	return st, content, true
}
