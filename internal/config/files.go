package config

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Folder is one that is open to the file tools.
type Folder struct {
	Path  string // absolute and clean
	Write bool
	Key   string // its key, such as "[files] write"
}

// checkFolder takes a folder, absolute or in the home folder.
func checkFolder(s string) (string, error) {
	home := s == "~" || strings.HasPrefix(s, "~/")
	if !home && !filepath.IsAbs(s) || strings.ContainsRune(s, 0) {
		return "", fmt.Errorf(`must hold absolute paths, or such as begin with "~/", not %q`, s)
	}
	return filepath.Clean(s), nil
}

// checkCalendar takes the name of a calendar file, or a pattern of some in one folder.
func checkCalendar(s string) (string, error) {
	inHome := strings.HasPrefix(s, "~/")
	dir, name := path.Split(s)
	switch _, err := path.Match(name, ""); {
	case !inHome && !path.IsAbs(s) && !filepath.IsLocal(s) || strings.ContainsRune(s, 0):
		return "", fmt.Errorf(`must hold files in the workspace, absolute paths, or such as begin with "~/", not %q`, s)
	case err != nil || strings.ContainsAny(dir, "*?["):
		return "", fmt.Errorf(`must hold patterns such as "calendar/*.ics", with a * only in the last part, not %q`, s)
	}
	return path.Clean(s), nil
}

// CalendarFiles returns the patterns of calendar files, with ~ for home.
func (f Folders) CalendarFiles(home string) ([]string, error) {
	var all []string
	for _, p := range f.Calendars {
		if strings.HasPrefix(p, "~/") {
			var err error
			if p, err = InHome(p, home); err != nil {
				return nil, fmt.Errorf("[files] calendars: %w", err)
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// Open returns the folders that f opens, each once and those to be written first, with ~ for home. One that is not there,
// or is no folder, is an error: whoever opened it would otherwise wonder why nothing is found.
func (f Folders) Open(home string) ([]Folder, error) {
	var all []Folder
	for _, list := range []struct {
		key   string
		paths []string
		write bool
	}{{"[files] write", f.Write, true}, {"[files] read", f.Read, false}} {
		for _, path := range list.paths {
			path, err := InHome(path, home)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", list.key, err)
			}
			if slices.ContainsFunc(all, func(f Folder) bool { return f.Path == path }) {
				continue
			}
			if err := isFolder(path); err != nil {
				return nil, fmt.Errorf("%s: %q %w: make that folder, or take it off the list", list.key, path, err)
			}
			all = append(all, Folder{Path: path, Write: list.write, Key: list.key})
		}
	}
	return all, nil
}

// isFolder says what is wrong with path, if it is no folder.
func isFolder(path string) error {
	info, err := os.Stat(path)
	fault := (*os.PathError)(nil)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return errors.New("does not exist")
	case errors.As(err, &fault):
		return fmt.Errorf("cannot be looked at (%w)", fault.Err)
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("is no folder")
	}
	return nil
}
