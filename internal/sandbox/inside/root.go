//go:build linux

package inside

import (
	"errors"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	newRoot   = "/tmp" // where the new root is put together; what it hides is opened before
	rootBytes = 16 << 20
	tmpBytes  = 256 << 20
	shmBytes  = 64 << 20
	onlyRead  = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	writable  = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	freshFlag = unix.MS_NOSUID | unix.MS_NODEV
)

// systemFolders are the folders of the host that are there for every command, below /.
func systemFolders() []string {
	return []string{"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "opt", "nix/store"}
}

// devices are the nodes of /dev that are there. There is no terminal among them.
func devices() []string { return []string{"null", "zero", "full", "random", "urandom"} }

// source is a tree of the host that is shown at its own place, or at another.
type source struct {
	stage string // what to blame when it cannot be shown
	path  string // absolute, on the host
	at    string // absolute, inside
	attr  uint64 // of the mount
	fd    int    // the tree, detached
	file  bool   // it is no folder
}

// buildRoot makes this process's root: what a command sees is built up from nothing.
func buildRoot(s *Spec) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return atStage("mount", wrap("keep mounts private", err))
	}
	sources, err := sourcesOf(s)
	if err != nil {
		return err
	}
	for i := range sources {
		if err := sources[i].open(); err != nil {
			return atStage(sources[i].stage, err)
		}
	}
	for _, step := range []struct {
		stage string
		do    func() error
	}{
		{"mount", func() error { return layRoot(s.Workspace, sources) }},
		{"proc", func() error { return layProc(s) }},
		{"mount", func() error { return attachSources(sources) }},
		{"protect", func() error { return protect(s) }},
		{"copies", func() error { return layCopies(s) }},
		{"mount", enterRoot},
	} {
		if err := step.do(); err != nil {
			return atStage(step.stage, err)
		}
	}
	return atStage("mount", wrap("name the machine", unix.Sethostname([]byte("hob"))))
}

// sourcesOf are the trees of the host that a command in s is shown besides the system's, those that lie above others
// first.
func sourcesOf(s *Spec) ([]source, error) {
	attr := uint64(writable)
	if s.ReadOnly {
		attr = onlyRead
	}
	sources := []source{{stage: "workspace", path: s.Workspace, at: s.Workspace, attr: attr}}
	if err := atStage("workspace", placeable(s.Workspace)); err != nil {
		return nil, err
	}
	for _, path := range s.Read {
		if err := atStage("read", placeable(path)); err != nil {
			return nil, err
		}
		if !shownAnyway(s, path) {
			sources = append(sources, source{stage: "read", path: path, at: path, attr: onlyRead})
		}
	}
	sort.SliceStable(sources, func(i, j int) bool { return len(sources[i].at) < len(sources[j].at) })
	if s.Program != "" {
		sources = append(sources, source{stage: "program", path: s.Program, at: ProgramPath, attr: onlyRead})
	}
	return sources, nil
}

// open takes hold of the tree. All are held before the new root hides any: their paths may be below /tmp.
func (src *source) open() error {
	var st unix.Stat_t
	if err := unix.Stat(src.path, &st); err != nil {
		return wrap("look at "+src.path, err)
	}
	src.file = st.Mode&unix.S_IFMT != unix.S_IFDIR
	fd, err := unix.OpenTree(unix.AT_FDCWD, src.path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return wrap("take "+src.path, err)
	}
	src.fd = fd
	return wrap("limit "+src.path, setAttr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, src.attr))
}

// shownAnyway says whether path is there without being asked for.
func shownAnyway(s *Spec, path string) bool {
	return below(path, s.Workspace) || slices.ContainsFunc(systemFolders(), func(f string) bool { return below(path, "/"+f) })
}

// below says whether path is folder or lies in it.
func below(path, folder string) bool {
	return path == folder || len(path) > len(folder) && path[:len(folder)] == folder && (path[len(folder)] == '/' || folder == "/")
}

// placeable says why path cannot be shown at its own place.
func placeable(path string) error {
	if path == "" || path[0] != '/' || strings.Contains(path+"/", "//") || strings.Contains(path+"/", "/../") || strings.Contains(path+"/", "/./") {
		return errors.New(strconv.Quote(path) + " is not a clean absolute path")
	}
	switch path {
	case "/", "/tmp", "/var", "/var/tmp", "/run", "/etc", "/dev/shm":
		return errors.New(path + " cannot be opened to commands as a whole; name a folder in it")
	}
	if below(path, "/proc") || below(path, "/dev") && !below(path, "/dev/shm") {
		return errors.New(path + " cannot be opened to commands: they have their own")
	}
	return nil
}

func setAttr(fd int, path string, flags uint, attr uint64) error {
	return unix.MountSetattr(fd, path, flags, &unix.MountAttr{Attr_set: attr})
}

// layRoot makes the new root with all that is the same for every command, and leaves the process's working folder in it.
func layRoot(home string, sources []source) error {
	if err := unix.Mount("tmpfs", newRoot, "tmpfs", freshFlag, "mode=0755,size="+strconv.Itoa(rootBytes)); err != nil {
		return wrap("mount the new root", err)
	}
	if err := unix.Chdir(newRoot); err != nil {
		return err
	}
	for _, dir := range []string{"dev", "proc", "tmp", "run", "var"} {
		if err := unix.Mkdir(dir, 0o755); err != nil {
			return wrap("make /"+dir, err)
		}
	}
	if err := layEtc(home); err != nil {
		return err
	}
	names, err := shown()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := show(name); err != nil {
			return err
		}
	}
	varTmp := hasVarTmp(sources)
	if varTmp {
		if err := unix.Mkdir("var/tmp", 0o755); err != nil {
			return err
		}
	} else if err := unix.Symlink("../tmp", "var/tmp"); err != nil {
		return err
	}
	if err := makePlaces(sources, false); err != nil {
		return err
	}
	// From here on nothing below the root can be written but what is mounted on it from now on.
	if err := setAttr(unix.AT_FDCWD, ".", unix.AT_RECURSIVE, onlyRead); err != nil {
		return wrap("make the new root read-only", err)
	}
	return layFresh(varTmp, sources)
}

// hasVarTmp says whether /var/tmp must be a folder of its own. Else it is /tmp by another name.
func hasVarTmp(sources []source) bool {
	return slices.ContainsFunc(sources, func(s source) bool { return below(s.at, "/var/tmp") })
}

// onFresh says whether path lies on a file system that is made for this command.
func onFresh(path string) bool {
	return below(path, "/tmp") || below(path, "/dev/shm") || below(path, "/var/tmp")
}

// layFresh mounts what is new for each command: /dev, /dev/shm and /tmp.
func layFresh(varTmp bool, sources []source) error {
	if err := layDev(); err != nil {
		return wrap("make /dev", err)
	}
	if err := mountTemp("tmp", tmpBytes); err != nil {
		return wrap("mount /tmp", err)
	}
	if varTmp {
		if err := mountTemp("var/tmp", shmBytes); err != nil {
			return wrap("mount /var/tmp", err)
		}
	}
	return makePlaces(sources, true)
}

// makePlaces makes the files and folders over which sources are mounted: those that are to lie on fresh file systems, or
// all others.
func makePlaces(sources []source, fresh bool) error {
	for _, s := range sources {
		if onFresh(s.at) != fresh {
			continue
		}
		if err := mountpoint(s.at[1:], s.file); err != nil {
			return wrap("make a place for "+s.at, err)
		}
	}
	return nil
}

// layDev makes /dev. Its mounts are read-only, which stops nobody from writing to a device, but root from changing the
// host's nodes.
func layDev() error {
	if err := unix.Mount("tmpfs", "dev", "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC, "mode=0755,size=64k"); err != nil {
		return err
	}
	for _, name := range devices() {
		if err := bind("/dev/"+name, "dev/"+name, true); err != nil {
			return err
		}
	}
	for _, link := range deviceLinks() {
		if err := unix.Symlink(link[1], "dev/"+link[0]); err != nil {
			return err
		}
	}
	if err := unix.Mkdir("dev/shm", 0o755); err != nil {
		return err
	}
	if err := setAttr(unix.AT_FDCWD, "dev", unix.AT_RECURSIVE, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC); err != nil {
		return err
	}
	return mountTemp("dev/shm", shmBytes)
}

// deviceLinks are the links of /dev and where they lead.
func deviceLinks() [][2]string {
	return [][2]string{{"fd", "/proc/self/fd"}, {"stdin", "fd/0"}, {"stdout", "fd/1"}, {"stderr", "fd/2"}}
}

// mountTemp mounts a new file system that everybody can write.
func mountTemp(path string, bytes int) error {
	return unix.Mount("tmpfs", path, "tmpfs", freshFlag, "mode=1777,size="+strconv.Itoa(bytes))
}

func attachSources(sources []source) error {
	for _, s := range sources {
		if err := unix.MoveMount(s.fd, "", unix.AT_FDCWD, s.at[1:], unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return wrap("show "+s.at, err)
		}
		unix.Close(s.fd) //nolint:errcheck // a handle on what is mounted now
	}
	return nil
}

// enterRoot makes the working folder the root of all and lets go of the old one.
func enterRoot() error {
	if err := unix.PivotRoot(".", "."); err != nil {
		return wrap("change the root", err)
	}
	return wrap("let go of the old root", unix.Unmount(".", unix.MNT_DETACH))
}

// show puts what the host has at /name at the same place in the new root, in which the working folder is. What the host
// has not is left out; a link stays a link.
func show(name string) error {
	path := "/" + name
	info, err := os.Lstat(path)
	if err != nil {
		return nil //nolint:nilerr // not on this machine
	}
	switch info.Mode().Type() {
	case os.ModeSymlink:
		target, err := os.Readlink(path)
		if err == nil {
			err = unix.Symlink(target, name)
		}
		return wrap("make the link "+path, err)
	case os.ModeDir, 0:
		return bind(path, name, !info.IsDir())
	}
	return nil
}

// bind shows the host's from at to, which it makes.
func bind(from, to string, file bool) error {
	if err := mountpoint(to, file); err != nil {
		return wrap("make a place for "+from, err)
	}
	return wrap("show "+from, unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""))
}

// mountpoint makes path, which is relative, with the folders above it.
func mountpoint(path string, file bool) error {
	make := func() error {
		if file {
			return unix.Mknod(path, unix.S_IFREG|0o644, 0)
		}
		return unix.Mkdir(path, 0o755)
	}
	err := make()
	if err == unix.ENOENT {
		if i := strings.LastIndexByte(path, '/'); i > 0 {
			if err := mountpoint(path[:i], false); err != nil {
				return err
			}
			err = make()
		}
	}
	if err == unix.EROFS {
		if _, missing := os.Lstat(path); missing == nil {
			return nil
		}
	}
	if err == unix.EEXIST {
		return nil
	}
	return err
}
