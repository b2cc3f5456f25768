package ollamaserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// serverPackage is the command that is the server.
const serverPackage = "github.com/ollama/ollama"

// failureLines is how much of a failed command's output an error repeats.
const failureLines = 25

// build compiles into a folder beside the final one and moves it there when it is whole. The caller holds the lock.
func (p *plan) build(ctx context.Context, report func(Progress)) error {
	progress := startReporting(report, "building Ollama "+p.version+" from source")
	defer progress.stop()
	work := p.dir + buildingSuffix
	if err := os.RemoveAll(work); err != nil {
		return fmt.Errorf("remove interrupted build of ollama: %w", err)
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("make folder for the build of ollama: %w", err)
	}
	env, err := p.environment()
	if err != nil {
		return err
	}
	if env, err = p.includes(ctx, work, env); err != nil {
		return err
	}
	progress.count(p.packages(ctx, env))
	target := filepath.Join(out, serverName)
	if _, err := run(ctx, p.src, env, progress, "go", "build", "-v", "-mod=readonly", "-buildvcs=false", "-trimpath", "-o", target, serverPackage); err != nil {
		return fmt.Errorf("build ollama: %w", err)
	}
	for _, step := range []func() error{
		func() error { return flush(target) },
		func() error { return flush(out) },
		func() error { return os.RemoveAll(p.dir) }, // not whole, or it would have been used
		func() error { return os.Rename(out, p.dir) },
		func() error { return flush(filepath.Dir(p.dir)) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("keep the build of ollama: %w", err)
		}
	}
	return nil
}

// Check returns an error that says what is missing to [Build] from srcDir. It does not look for headers: Build tries to get
// them.
func Check(ctx context.Context, srcDir string) error {
	p, err := newPlan(srcDir)
	if err != nil {
		return err
	}
	env, err := p.environment()
	if err != nil {
		return err
	}
	_, err = p.compiler(ctx, env)
	return err
}

// packages returns the import paths of all that is compiled where nothing was before, or nothing if go does not say. It
// downloads their sources.
func (p *plan) packages(ctx context.Context, env []string) []string {
	out, err := output(ctx, p.src, env, "go", "list", "-mod=readonly", "-deps", serverPackage)
	if err != nil {
		return nil // the build says what is wrong
	}
	return strings.Fields(string(out))
}

// flush makes the kernel write a file or a folder to the disk, so that a name never outlives a crash without its bytes.
func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// environment is the user's, except for what would make the build another one than the hash says.
func (p *plan) environment() ([]string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, errors.New("building Ollama needs the Go toolchain, and there is no go command; install it from https://go.dev/dl")
	}
	fixed := map[string]string{
		"GOOS": runtime.GOOS, "GOARCH": runtime.GOARCH, "GOWORK": "off", "GOFLAGS": "", "CGO_ENABLED": "1",
		"CGO_CFLAGS": strings.Join(p.flags, " "), "CGO_CXXFLAGS": strings.Join(p.flags, " "), "CGO_CPPFLAGS": "",
	}
	if _, err := os.UserHomeDir(); err != nil {
		fixed["HOME"] = filepath.Join(filepath.Dir(p.dir), "home") // where Go keeps its caches
	}
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if _, ok := fixed[name]; !ok {
			env = append(env, kv)
		}
	}
	for name, value := range fixed {
		env = append(env, name+"="+value)
	}
	return env, nil
}

// compilerFlags returns the flags of the C and C++ compilers. Without a processor's vector instructions reading a prompt
// takes some eleven times longer.
func compilerFlags() []string {
	flags := []string{"-O3"}
	if runtime.GOARCH == "amd64" && vectors() {
		flags = append(flags, "-march=x86-64-v3")
	}
	return flags
}

// vectors reports whether Linux says that the processor has what x86-64-v3 stands for.
func vectors() bool {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "flags" {
			has := strings.Fields(value)
			return !slices.ContainsFunc([]string{"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}, func(want string) bool {
				return !slices.Contains(has, want)
			})
		}
	}
	return false
}

// moduleDir returns the folder of a module that go.mod names, after downloading it where needed.
func moduleDir(ctx context.Context, src string, env []string, module string) (string, error) {
	out, err := output(ctx, src, env, "go", "mod", "download", "-json", module)
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	return found.Dir, nil
}

// output runs a command in a process group of its own, which ends with ctx, and returns its standard output. An error
// has the last lines of what it wrote.
func output(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	return run(ctx, dir, env, nil, name, args...)
}

// run is [output] of a command whose progress is counted by the packages that it names.
func run(ctx context.Context, dir string, env []string, progress *reporting, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	var out bytes.Buffer
	log := &logTail{limit: logLimit}
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, log), log
	if progress != nil {
		cmd.Stderr = &packageLines{progress: progress, rest: log}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = stopLimit
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, log.lines(failureLines))
	}
	return out.Bytes(), nil
}
