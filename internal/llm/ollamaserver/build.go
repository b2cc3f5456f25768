package ollamaserver

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"hob/internal/lazyregexp"
)

const (
	lockEvery      = 200 * time.Millisecond
	buildingSuffix = ".building" // of the folder of a build under way
)

// pinned finds the server's version in the module file of the sources.
var pinned = lazyregexp.New(`(?m)^\s*(?:require\s+)?github\.com/ollama/ollama\s+(v\S+)`)

// Source returns the folder of the server's sources, tools/ollama, in dir or in the nearest folder above it.
func Source(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find tools/ollama: %w", err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		src := filepath.Join(at, "tools", "ollama")
		if _, err := os.Stat(filepath.Join(src, "go.mod")); err == nil {
			return src, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("find tools/ollama: it is in no folder above %s; run this inside hob's repository", dir)
		}
	}
}

// Build returns the absolute path of the server, and compiles it first where no earlier call has. That takes three to five minutes, a Go toolchain, a C++ compiler and, once, the network. SrcDir is the folder
// tools/ollama; see [Source]. It calls report once a second while it waits, and not at all where nothing is to be done.
//
// Any number of processes may call it at once; one of them builds. An error says what is missing.
func Build(ctx context.Context, srcDir string, report func(Progress)) (server string, err error) {
	p, err := newPlan(srcDir)
	if err != nil {
		return "", err
	}
	if p.built() {
		return p.server(), nil
	}
	unlock, err := lock(ctx, p.dir+".lock", report)
	if err != nil {
		return "", err
	}
	defer unlock()
	if p.built() {
		return p.server(), nil
	}
	if err := p.build(ctx, report); err != nil {
		return "", err
	}
	return p.server(), nil
}

// plan says what is built from where to where.
type plan struct {
	src     string   // the folder tools/ollama
	version string   // of the server, such as v0.24.0
	flags   []string // of the C and C++ compilers
	dir     string   // where the server ends up
}

func newPlan(srcDir string) (*plan, error) {
	src, err := filepath.Abs(srcDir)
	if err != nil {
		return nil, fmt.Errorf("find sources of ollama: %w", err)
	}
	p := &plan{src: src, flags: compilerFlags()}
	module, err := os.ReadFile(filepath.Join(src, "go.mod"))
	if err != nil {
		return nil, fmt.Errorf("find sources of ollama: %w", err)
	}
	found := pinned().FindSubmatch(module)
	if found == nil {
		return nil, fmt.Errorf("find version of ollama: %s names none", filepath.Join(src, "go.mod"))
	}
	p.version = string(found[1])
	hash, err := p.hash()
	if err != nil {
		return nil, err
	}
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	p.dir = filepath.Join(cache, "ollama-"+p.version+"-"+hash)
	return p, nil
}

// hash is different for everything that would build something different.
func (p *plan) hash() (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s/%s %q\n", runtime.GOOS, runtime.GOARCH, p.flags)
	err := filepath.WalkDir(p.src, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if ext := filepath.Ext(path); ext != ".go" && ext != ".mod" && ext != ".sum" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.src, path)
		fmt.Fprintf(h, "%q %d\n", filepath.ToSlash(name), len(content))
		h.Write(content)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("hash sources of ollama: %w", err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6]), nil
}

// serverName is the file of the server in the folder of its build.
const serverName = "ollama"

func (p *plan) server() string { return filepath.Join(p.dir, serverName) }

// built reports whether the server is there. The folder appears whole, but people delete things.
func (p *plan) built() bool {
	info, err := os.Stat(p.server())
	return err == nil && isProgram(info)
}

// cacheDirs are the folders where a build may be, the better one first. They need not exist.
func cacheDirs() []string {
	var dirs []string
	if user, err := os.UserCacheDir(); err == nil {
		dirs = append(dirs, filepath.Join(user, "hob"))
	}
	return append(dirs, filepath.Join(os.TempDir(), fmt.Sprintf("hob-cache-%d", os.Getuid())))
}

// cacheDir returns a folder for builds that exists and belongs to this user.
func cacheDir() (string, error) {
	dirs := cacheDirs()
	if dir := dirs[0]; len(dirs) > 1 && os.MkdirAll(dir, 0o755) == nil && writable(dir) {
		return dir, nil
	}
	dir := dirs[len(dirs)-1]
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("make folder for the build of ollama: %w", err)
	}
	// Anybody may make a folder there first, and what is in it will be run.
	if err := checkOwner(dir); errors.Is(err, errShared) {
		return "", fmt.Errorf("use folder for the build of ollama: %s belongs to somebody else or can be written by others; remove it, or set XDG_CACHE_HOME", dir)
	} else if err != nil {
		return "", fmt.Errorf("look at folder for the build of ollama: %w", err)
	}
	return dir, nil
}

func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".probe-")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}

// lock waits until this process alone holds the lock file. The kernel frees it when the process ends, however it ends.
func lock(ctx context.Context, path string, report func(Progress)) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock of the build of ollama: %w", err)
	}
	var waiting *reporting
	defer func() { waiting.stop() }()
	tick := time.NewTicker(lockEvery)
	defer tick.Stop()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock the build of ollama: %w", err), f.Close())
		}
		if waiting == nil {
			waiting = startReporting(report, "another process builds Ollama")
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for another build of ollama: %w", context.Cause(ctx)), f.Close())
		case <-tick.C:
		}
	}
}
