package ollamaserver

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Find returns the path of the server that was built last, by any checkout, or "" if there is none. A folder that others
// can write to does not count: what is in it would be run.
func Find() string {
	var path string
	var newest time.Time
	for _, dir := range cacheDirs() {
		if checkOwner(dir) != nil {
			continue
		}
		found, _ := filepath.Glob(filepath.Join(dir, "ollama-*", serverName)) // the pattern is a good one
		for _, p := range found {
			info, err := os.Stat(p)
			if err == nil && filepath.Ext(filepath.Dir(p)) != buildingSuffix && isProgram(info) && info.ModTime().After(newest) {
				path, newest = p, info.ModTime()
			}
		}
	}
	return path
}

// isProgram reports whether a file is one that can be run.
func isProgram(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode()&0o100 != 0 && info.Size() > 0
}

// errShared is the error of a folder that others can change.
var errShared = errors.New("it belongs to somebody else or can be written by others")

// checkOwner returns an error for a folder that somebody else owns or can write to.
func checkOwner(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || info.Mode().Perm()&0o022 != 0 || int(st.Uid) != os.Getuid() {
		return errShared
	}
	return nil
}

// Local is the server that this process runs where no other answers at an address. It is safe for concurrent use.
type Local struct {
	address string
	find    func() string
	lock    chan struct{} // held while the server starts or ends
	server  *Server       // nil: none was started, or the last one has ended
}

// NewLocal returns a server that does not run yet. Address is where it will listen, such as 127.0.0.1:11434; find returns
// the path of its program, or "".
func NewLocal(address string, find func() string) *Local {
	return &Local{address: address, find: find, lock: make(chan struct{}, 1)}
}

// Program returns the path of the program that Start would run, or "".
func (l *Local) Program() string { return l.find() }

// Start runs the server, and returns when it answers. It does nothing where the server runs already, where there is no
// program, or where another process has the address: another hob may have started its own just now.
func (l *Local) Start(ctx context.Context) error {
	select {
	case l.lock <- struct{}{}:
		defer func() { <-l.lock }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	path := l.find()
	if path == "" || l.isRunning() {
		return nil
	}
	s, err := Command(ctx, path, l.address)
	if err != nil && isTaken(err) {
		return nil
	}
	l.server = s
	return err
}

// isRunning reports whether the server runs. The caller holds lock.
func (l *Local) isRunning() bool {
	if l.server == nil {
		return false
	}
	select {
	case <-l.server.Done():
		return false
	default:
		return true
	}
}

// Running reports whether this process runs the server.
func (l *Local) Running() bool {
	l.lock <- struct{}{}
	defer func() { <-l.lock }()
	return l.isRunning()
}

// Close ends the server, if this process has started it.
func (l *Local) Close() error {
	l.lock <- struct{}{}
	defer func() { <-l.lock }()
	if l.server == nil {
		return nil
	}
	err := l.server.Close()
	l.server = nil
	return err
}
