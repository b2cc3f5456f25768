package http

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// isConfined reports whether a process has more filters on its system calls than this one, or may
// gain no rights where this one may: then it sits in a sandbox. A process that cannot be looked at
// counts as confined.
func isConfined(pid int) bool {
	theirs, err := readRestraints(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return true
	}
	mine, err := readRestraints("/proc/self/status")
	if err != nil {
		return true
	}
	for name, n := range theirs {
		if n > mine[name] {
			return true
		}
	}
	return false
}

// readRestraints reads how a process is restrained, from its status file.
func readRestraints(path string) (map[string]int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := map[string]int{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if name != "NoNewPrivs" && name != "Seccomp" && name != "Seccomp_filters" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil {
			return nil, err
		}
		found[name] = n
	}
	return found, nil
}
