package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// systemFile is the configuration of a machine's own daemon.
const systemFile = "/etc/hob/config.toml"

// systemState is its state, which is the home of the user that it runs as.
const systemState = "/var/lib/hob"

// Files returns where the configuration may be, the first that exists counts. flag is the value of --config. named
// says that a person named the one path there is, by flag or HOB_CONFIG. home may be empty.
func Files(flag string, env func(string) string, home string) (paths []string, named bool) {
	for _, path := range []string{flag, env("HOB_CONFIG")} {
		if path != "" {
			return []string{path}, true
		}
	}
	if dir := xdg(env("XDG_CONFIG_HOME"), home, ".config"); dir != "" {
		paths = append(paths, filepath.Join(dir, "hob", "config.toml"))
	}
	return append(paths, systemFile), false
}

// Find returns the configuration file to load: the first of Files that exists or, if none does, the first, which is
// where one would be made. The machine's own is none for whoever may not look at it, unless systemd has started them.
func Find(flag string, env func(string) string, home string) (string, error) {
	paths, _ := Files(flag, env, home)
	return findFirst(paths, env("STATE_DIRECTORY") != "", os.Stat)
}

func findFirst(paths []string, service bool, stat func(string) (fs.FileInfo, error)) (string, error) {
	for _, path := range paths {
		_, err := stat(path)
		switch {
		case err == nil:
			return path, nil
		case errors.Is(err, fs.ErrPermission) && path == systemFile && !service && len(paths) > 1:
		case !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("find configuration: %w", err)
		}
	}
	return paths[0], nil
}

// StateDir returns the folder that holds what hob keeps: HOB_STATE_DIR, else STATE_DIRECTORY (the first, where systemd
// names several), else hob in XDG_STATE_HOME, else .local/state/hob in home. A command of the user that the machine's daemon
// runs as works on the daemon's state.
func StateDir(env func(string) string, home string) (string, error) {
	if dir := env("HOB_STATE_DIR"); dir != "" {
		return dir, nil
	}
	if dir, _, _ := strings.Cut(env("STATE_DIRECTORY"), ":"); dir != "" {
		return dir, nil
	}
	if filepath.Clean(home) == systemState {
		return systemState, nil
	}
	if dir := xdg(env("XDG_STATE_HOME"), home, ".local", "state"); dir != "" {
		return filepath.Join(dir, "hob"), nil
	}
	return "", errors.New("find state folder: there is no home folder; set HOB_STATE_DIR to a folder that hob may write")
}

// xdg returns an XDG folder. The XDG specification has relative ones ignored.
func xdg(dir, home string, otherwise ...string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	if home == "" {
		return ""
	}
	return filepath.Join(append([]string{home}, otherwise...)...)
}

// WorkspaceDir returns the folder the agent writes in: the one named, with ~ for home, else workspace in state.
func (w Workspace) WorkspaceDir(state, home string) (string, error) {
	if w.Dir == "" {
		return filepath.Join(state, "workspace"), nil
	}
	dir, err := InHome(w.Dir, home)
	if err != nil {
		return "", fmt.Errorf("find workspace: [workspace] dir: %w", err)
	}
	return dir, nil
}

// InHome returns the path with home in the place of ~ at its beginning. home may be empty.
func InHome(path, home string) (string, error) {
	rest, is := strings.CutPrefix(path, "~")
	switch {
	case !is:
		return filepath.Clean(path), nil
	case home == "":
		return "", fmt.Errorf("%q is in the home folder, and there is none; write an absolute path", path)
	}
	return filepath.Join(home, rest), nil
}
