//go:build linux

package inside

import (
	"errors"
	"os"
	"strconv"
	"strings"

	"hob/internal/sandbox/proc"
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
		return nil, atStage("protect", err)
	}
	names, err := shown()
	if err != nil {
		return nil, err
	}
	args := []string{
		"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--hostname", "hob",
		"--cap-drop", "ALL", "--die-with-parent", "--new-session", "--as-pid-1",
		"--dir", "/etc", "--dir", "/run", "--dir", "/var",
	}
	for _, name := range names {
		args = append(args, bwrapShow(name)...)
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
	path := "/" + name
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil
	case info.Mode().Type() != os.ModeSymlink:
		return bwrapBind(true, path)
	}
	target, err := os.Readlink(path)
	if err != nil {
		return nil
	}
	return []string{"--symlink", target, path}
}

// finishRoot does what bwrap cannot: it makes the files of /etc, and makes sure that what is protected is what it should
// be. bwrap follows links, and a command that runs at the same time could have put one there.
func finishRoot(s *Spec) error {
	for _, f := range etcFiles(s.Workspace) {
		if err := writeFile("/etc/"+f[0], os.O_CREATE|os.O_EXCL, f[1]); err != nil {
			return atStage("etc", wrap("make /etc/"+f[0], err))
		}
	}
	held, err := heldPaths(s)
	if err == nil && len(s.Copies) > 0 && !copiesStand(s) {
		return atStage("copies", errors.New("a file changed while a copy was put in its place"))
	}
	if err != nil || len(held) == 0 {
		return atStage("protect", err)
	}
	mounts, err := readMounts()
	if err != nil {
		return atStage("protect", err)
	}
	workspace, ok := mounts[s.Workspace]
	if !ok {
		return atStage("protect", errors.New("the workspace is not mounted"))
	}
	for _, h := range held {
		path := s.Workspace + "/" + h.rel
		m, ok := mounts[path]
		if !ok || m.Device != workspace.Device || m.Root != strings.TrimSuffix(workspace.Root, "/")+"/"+h.rel || h.readOnly && !m.ReadOnly {
			return atStage("protect", errors.New(path+" changed while it was being protected"))
		}
	}
	return nil
}

// readMounts returns the mounts of this process by their place; of several at one place, the uppermost.
func readMounts() (map[string]proc.Mount, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	mounts := map[string]proc.Mount{}
	for _, m := range proc.ParseMounts(string(text)) {
		mounts[m.Place] = m
	}
	return mounts, err
}
