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
