//go:build linux

package inside

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// prepareAlone does what T3 needs instead of a root of its own.
func (h *helper) prepareAlone() error {
	// The starter's end is seen at the end of the socket; this process must outlive it, to end the command.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0); err != nil {
		return atStage("start", err)
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return atStage("start", wrap("become the reaper", err))
	}
	temp, err := os.MkdirTemp("/tmp", "hob-")
	if err != nil {
		return atStage("temp", err)
	}
	h.temp = temp
	return nil
}

// removeTemp removes the folder for temporary files. Nothing runs any more that could change it meanwhile.
func (h *helper) removeTemp() {
	if h.temp == "" || os.RemoveAll(h.temp) == nil {
		return
	}
	// A folder that its owner may not look into.
	open := func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return err
	}
	if filepath.WalkDir(h.temp, open) == nil {
		os.RemoveAll(h.temp) //nolint:errcheck // nobody is left who could do more
	}
}

// environ is the command's environment: in T3 TMPDIR is where it can really write.
func (h *helper) environ() []string {
	if h.temp == "" {
		return h.spec.Env
	}
	var env []string
	for _, e := range h.spec.Env {
		if !strings.HasPrefix(e, "TMPDIR=") {
			env = append(env, e)
		}
	}
	return append(env, "TMPDIR="+h.temp)
}

// placesAlone are where a command may go on the host's own root.
func placesAlone(s *Spec, temp string, workspace uint64) []place {
	ps := []place{{s.Workspace, workspace}, {temp, accessWrite}, {"/proc", accessRead}}
	for _, name := range devices() {
		ps = append(ps, place{"/dev/" + name, accessDevice})
	}
	names, _ := shown() // what cannot be listed is not shown
	for _, name := range append(names, "etc/passwd", "etc/group", "etc/hosts", "etc/nsswitch.conf") {
		ps = append(ps, place{"/" + name, accessRead})
	}
	for _, path := range s.Read {
		ps = append(ps, place{path, accessRead})
	}
	if s.Program != "" {
		ps = append(ps, place{s.Program, accessRead})
	}
	return ps
}
