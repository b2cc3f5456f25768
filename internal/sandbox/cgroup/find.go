package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hob/internal/sandbox/proc"
)

var errNone = errors.New("this machine has no control groups of version 2")

// ownGroup returns the folder of this process's group.
func ownGroup(self string) (string, error) {
	path, err := ownPath(filepath.Join(self, "cgroup"))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(self, "mountinfo"))
	if err != nil {
		return "", fmt.Errorf("find the control groups: %w", err)
	}
	found := false
	for _, m := range proc.ParseMounts(string(text)) {
		if m.Type != "cgroup2" {
			continue
		}
		found = true
		// A mount may show a part of the hierarchy only.
		rel, err := filepath.Rel(m.Root, path)
		if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			continue
		}
		dir := filepath.Join(m.Place, rel)
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir, nil
		}
	}
	if found {
		return "", errors.New("hob's own control group cannot be seen from here")
	}
	return "", errNone
}

// ownPath reads the line of version 2 from /proc/self/cgroup: "0::/path".
func ownPath(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("find hob's control group: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::"); ok {
			if path, gone := strings.CutSuffix(path, " (deleted)"); gone {
				return "", fmt.Errorf("hob's control group %s was removed", path)
			}
			if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "/..") {
				return "", errors.New("hob's own control group cannot be seen from here")
			}
			return filepath.Clean(path), nil
		}
	}
	return "", errNone
}
