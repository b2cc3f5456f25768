package http

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// confined reports whether a process has more filters on its system calls than this one, or may gain no rights where this
// one may: then it is what somebody put into a sandbox. One that cannot be looked at is taken for one.
func confined(pid int) bool {
	theirs, err := restraints(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return true
	}
	mine, err := restraints("/proc/self/status")
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

// restraints reads how a process is restrained.
func restraints(path string) (map[string]int, error) {
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
