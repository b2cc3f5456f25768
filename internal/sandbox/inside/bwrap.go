package inside

import (
	"errors"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// BwrapArgs are the arguments with which bwrap makes the namespaces and the root of T2, and then starts the program self
// as the helper: the same root as that of T1. What bwrap leaves to do (the files of /etc that are made, Landlock, the
// filter, descriptors, limits) the helper does.
func BwrapArgs(s Spec, self string) ([]string, error) {
	sources, err := sourcesOf(&s)
	if err != nil {
		return nil, err
	}
	held, err := heldPaths(&s)
	if err != nil {
		return nil, at("protect", err)
	}
	names, err := folder("/etc")
	if err != nil {
		return nil, err
	}
	args := []string{
		"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--hostname", "hob",
		"--cap-drop", "ALL", "--die-with-parent", "--new-session", "--as-pid-1",
		"--dir", "/etc", "--dir", "/run", "--dir", "/var",
	}
	for _, name := range systemFolders() {
		args = append(args, bwrapShow(name)...)
	}
	for _, name := range names {
		if wanted(name) {
			args = append(args, bwrapShow("etc/"+name)...)
		}
	}
	for _, name := range wantedDeep() {
		args = append(args, bwrapShow("etc/"+name)...)
	}
	args = append(args, "--proc", "/proc", "--tmpfs", "/dev")
	for _, name := range devices() {
		args = append(args, "--dev-bind", "/dev/"+name, "/dev/"+name)
	}
	for _, l := range deviceLinks() {
		args = append(args, "--symlink", l[1], "/dev/"+l[0])
	}
	args = append(args, bwrapTemp("/dev/shm", shmBytes)...)
	args = append(args, bwrapTemp("/tmp", tmpBytes)...)
	if hasVarTmp(sources) {
		args = append(args, bwrapTemp("/var/tmp", shmBytes)...)
	} else {
		args = append(args, "--symlink", "../tmp", "/var/tmp")
	}
	for _, src := range sources {
		if src.at != ProgramPath {
			args = append(args, bwrapBind(src.attr == onlyRead, src.path)...)
		}
	}
	for _, h := range held {
		args = append(args, bwrapBind(h.readOnly, s.Workspace+"/"+h.rel)...)
	}
	for _, c := range s.Copies {
		args = append(args, "--perms", strconv.FormatUint(uint64(c.Mode), 8), "--ro-bind-data", strconv.Itoa(c.FD), c.Path)
	}
	return append(args, "--ro-bind", self, ProgramPath, "--", ProgramPath, Name), nil
}

func bwrapBind(readOnly bool, path string) []string {
	if readOnly {
		return []string{"--ro-bind", path, path}
	}
	return []string{"--bind", path, path}
}

func bwrapTemp(path string, size int) []string {
	return []string{"--perms", "1777", "--size", strconv.Itoa(size), "--tmpfs", path}
}

// bwrapShow is what [show] is in T1.
func bwrapShow(name string) []string {
	var st unix.Stat_t
	if err := unix.Lstat("/"+name, &st); err != nil {
		return nil
	}
	if st.Mode&unix.S_IFMT == unix.S_IFLNK {
		target, err := readLink("/" + name)
		if err != nil {
			return nil
		}
		return []string{"--symlink", target, "/" + name}
	}
	return []string{"--ro-bind", "/" + name, "/" + name}
}

// finishRoot does what bwrap cannot: it makes the files of /etc, and makes sure that what is protected is what it should
// be. bwrap follows links, and a command that runs at the same time could have put one there.
func finishRoot(s *Spec) error {
	for _, f := range made(s.Workspace) {
		if err := writeFile("/etc/"+f[0], f[1]); err != nil {
			return at("etc", about("make /etc/"+f[0], err))
		}
	}
	held, err := heldPaths(s)
	if err == nil && len(s.Copies) > 0 && !copiesStand(s) {
		return at("copies", errors.New("a file changed while a copy was put in its place"))
	}
	if err != nil || len(held) == 0 {
		return at("protect", err)
	}
	mounts, err := readMounts()
	if err != nil {
		return at("protect", err)
	}
	workspace, ok := mounts[s.Workspace]
	if !ok {
		return at("protect", errors.New("the workspace is not mounted"))
	}
	for _, h := range held {
		path := s.Workspace + "/" + h.rel
		m, ok := mounts[path]
		if !ok || m.device != workspace.device || m.root != strings.TrimSuffix(workspace.root, "/")+"/"+h.rel || h.readOnly && !m.readOnly {
			return at("protect", errors.New(path+" changed while it was being protected"))
		}
	}
	return nil
}

// mounted is what is mounted somewhere.
type mounted struct {
	device   string // of the file system, "8:1"
	root     string // the path on it
	readOnly bool
}

// readMounts returns the mounts of this process by their place; of several at one place, the uppermost.
func readMounts() (map[string]mounted, error) {
	data, err := readAll("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	mounts := map[string]mounted{}
	for line := range strings.Lines(data) {
		// 36 35 98:0 /root /place rw,noatime ... - type source options
		if f := strings.Fields(line); len(f) > 5 {
			mounts[unescape(f[4])] = mounted{f[2], unescape(f[3]), f[5] == "ro" || strings.HasPrefix(f[5], "ro,")}
		}
	}
	return mounts, nil
}

// unescape takes back how mountinfo writes spaces and the like: \040.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// readAll reads a file of any size.
func readAll(path string) (string, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	var all []byte
	buf := make([]byte, 16<<10)
	for {
		n, err := unix.Read(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return string(all), err
		}
		all = append(all, buf[:n]...)
	}
}
