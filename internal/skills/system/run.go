package system

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	runTime   = 15 * time.Second
	maxOut    = 512 << 10 // bytes of what a program says
	maxErrOut = 4 << 10   // bytes of its complaints
)

// ErrNoProgram says that a program is not on this machine.
var ErrNoProgram = errors.New("there is no such program")

// Machine is the Config of the machine that this runs on.
func Machine() Config {
	return Config{Proc: os.DirFS("/proc"), Sys: os.DirFS("/sys"), Statfs: statfs, Sysinfo: sysinfo, CPUs: runtime.NumCPU(), Run: Run,
		Now: time.Now, Zone: time.LoadLocation}
}

// programDirs are where the programs of a system are; the PATH is hob's own and none of its business.
func programDirs() []string { return []string{"/usr/bin", "/bin", "/run/current-system/sw/bin"} }

// Run runs a program, whose name has no folder, and returns the first 512 KiB of what it says, followed by the first 4 KiB of
// its complaints. It is given no input, no shell and an environment that does not depend on who started hob, and is killed
// after 15 seconds. The error is [ErrNoProgram] where there is none, or that of the program, which has said why in out.
func Run(ctx context.Context, argv []string) (out string, err error) {
	name := ""
	for _, dir := range programDirs() {
		at := filepath.Join(dir, argv[0])
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
			name = at
			break
		}
	}
	if name == "" {
		return "", fmt.Errorf("run %s: %w", argv[0], ErrNoProgram)
	}
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	said, complained := &head{most: maxOut}, &head{most: maxErrOut}
	cmd := exec.CommandContext(ctx, name, argv[1:]...)
	cmd.Dir = "/"
	cmd.Env = []string{"LC_ALL=C", "PATH=" + strings.Join(programDirs(), ":"), "SYSTEMD_COLORS=0", "SYSTEMD_PAGER=", "SYSTEMD_URLIFY=0"}
	cmd.Stdout, cmd.Stderr = said, complained
	cmd.WaitDelay = time.Second // for what it may have started
	err = cmd.Run()
	out = said.text()
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	out += complained.text()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return out, fmt.Errorf("run %s: %w", argv[0], err)
	}
	return out, nil
}

// head keeps the beginning of what is written to it.
type head struct {
	most int
	buf  bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.buf.Write(p[:min(len(p), h.most-h.buf.Len())])
	return len(p), nil
}

func (h *head) text() string { return strings.ToValidUTF8(h.buf.String(), "\uFFFD") }
