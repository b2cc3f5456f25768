package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Rules are what a [Policy] is made of.
type Rules struct {
	Workspace string   // the folder in which commands run, and that they may change; it must exist
	ReadOnly  bool     // they may not change it either
	Read      []string // further files and folders that they may read
	Limits    Limits

	// Serve serves the proxy that is a command's only way to the network, until the listener is closed. Nil means that
	// there is no network. Tiers below T2 have none.
	Serve func(ctx context.Context, l net.Listener)
}

// Limits bound a command and all that it starts. What is 0 gets the default.
type Limits struct {
	Processes int   // 256
	Memory    int64 // bytes; 2 GiB
	FileSize  int64 // bytes of one file; 1 GiB
	OpenFiles int   // of one process; 1024
	Output    int64 // bytes on both streams, after which it is killed; 64 MiB
	Keep      int   // bytes kept of each end of each stream; 16 KiB
}

// Policy says what commands may touch. Only [NewPolicy] makes one: the zero Policy is refused.
type Policy struct {
	rules Rules
	valid bool
}

// errZeroPolicy is what a policy that nobody made gets: a forgotten one must not mean that everything is allowed.
var errZeroPolicy = errors.New("a policy value cannot be zero: make it with NewPolicy")

// NewPolicy checks rules and fills in the defaults. The workspace's links are followed here, once, and never again.
func NewPolicy(r Rules) (Policy, error) {
	workspace, err := checkWorkspace(r.Workspace)
	if err != nil {
		return Policy{}, err
	}
	r.Workspace, r.Read = workspace, slices.Clone(r.Read)
	for _, p := range r.Read {
		if err := checkRead(p); err != nil {
			return Policy{}, err
		}
	}
	if err := r.Limits.fill(); err != nil {
		return Policy{}, err
	}
	if _, err := protect(r); err != nil {
		return Policy{}, err
	}
	return Policy{rules: r, valid: true}, nil
}

func checkWorkspace(given string) (string, error) {
	if !filepath.IsAbs(given) {
		return "", fmt.Errorf("check the workspace %q: it must be an absolute path", given)
	}
	path, err := filepath.EvalSymlinks(given)
	if err != nil {
		return "", fmt.Errorf("check the workspace: %w; make the folder, or name another one", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("check the workspace: %w", err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("check the workspace: %s is not a folder", path)
	}
	for _, dir := range []string{
		"/bin", "/boot", "/dev/shm", "/etc", "/home", "/lib", "/lib64", "/opt", "/proc", "/root", "/run", "/sbin", "/sys",
		"/tmp", "/usr/bin", "/usr/lib", "/usr/local/bin", "/usr/sbin", "/var/lib", "/var/tmp",
	} {
		if within(dir, path) {
			return "", fmt.Errorf("check the workspace: %s holds what belongs to the system; name a folder made for this purpose", path)
		}
	}
	for _, dir := range []string{"/boot", "/dev", "/etc", "/proc", "/sys", "/usr/bin", "/usr/lib", "/usr/sbin"} {
		if within(path, dir) && !within(path, "/dev/shm") {
			return "", fmt.Errorf("check the workspace: %s belongs to the system; name a folder made for this purpose", path)
		}
	}
	return path, nil
}

// within reports whether path is dir or somewhere below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func checkRead(path string) error {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return fmt.Errorf("check the path %q that commands may read: it must be absolute, and without . and .. in it", path)
	}
	if path == "/" {
		return errors.New("check the paths that commands may read: / would show them everything; name single folders")
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("check the paths that commands may read: %w", err)
	}
	return nil
}

// fill puts the defaults in.
func (l *Limits) fill() error {
	const mib = 1 << 20
	for _, one := range []struct {
		name  string
		value int64
	}{
		{"processes", int64(l.Processes)}, {"memory", l.Memory}, {"file size", l.FileSize},
		{"open files", int64(l.OpenFiles)}, {"output", l.Output}, {"kept output", int64(l.Keep)},
	} {
		if one.value < 0 {
			return fmt.Errorf("check the limits: that of %s is %d; it must be 0 for the default, or more", one.name, one.value)
		}
	}
	*l = Limits{
		Processes: cmp.Or(l.Processes, 256), Memory: cmp.Or(l.Memory, 2048*mib), FileSize: cmp.Or(l.FileSize, 1024*mib),
		OpenFiles: cmp.Or(l.OpenFiles, 1024), Output: cmp.Or(l.Output, 64*mib), Keep: cmp.Or(l.Keep, 16<<10),
	}
	return nil
}

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
