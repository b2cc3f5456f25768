package cgroup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

var errNone = errors.New("this machine has no control groups of version 2")

// ownGroup returns the folder of this process's group.
func ownGroup(p Place) (string, error) {
	path, err := ownPath(p.self("cgroup"))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(p.self("mountinfo"))
	if err != nil {
		return "", fmt.Errorf("find the control groups: %w", err)
	}
	found := false
	for line := range strings.Lines(string(text)) {
		root, point, ok := parseMount(line)
		if !ok {
			continue
		}
		found = true
		// A mount may show a part of the hierarchy only.
		rel, err := filepath.Rel(root, path)
		if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			continue
		}
		dir := filepath.Join(point, rel)
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

// parseMount reads a line of /proc/self/mountinfo; see proc_pid_mountinfo(5). ok means that it is of version 2.
func parseMount(line string) (root, point string, ok bool) {
	front, back, found := strings.Cut(line, " - ")
	if !found || !strings.HasPrefix(back, "cgroup2 ") {
		return "", "", false
	}
	fields := strings.Fields(front)
	if len(fields) < 6 {
		return "", "", false
	}
	return unescape(fields[3]), unescape(fields[4]), true
}

// unescape undoes \040 and its like.
func unescape(s string) string {
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

// BornAt returns when a process, named by its number, began, in the kernel's ticks since the machine's start; 0 for one
// that is gone.
func BornAt(process string) uint64 {
	const starttime = 22
	return Stat(process, starttime)
}

// Stat returns a field of /proc/PROCESS/stat that is a number, by the number of the field in proc_pid_stat(5); 0 for a process
// that is gone. The fields before the fourth are no numbers.
func Stat(process string, field int) uint64 {
	stat, err := os.ReadFile("/proc/" + process + "/stat")
	if err != nil {
		return 0
	}
	const state = 3 // the first behind the name, which may hold anything
	end := bytes.LastIndex(stat, []byte(") "))
	if end < 0 {
		return 0
	}
	fields := bytes.Fields(stat[end+2:])
	if len(fields) <= field-state {
		return 0
	}
	n, err := strconv.ParseUint(string(fields[field-state]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
