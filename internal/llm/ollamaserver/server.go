package ollamaserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ollama/ollama/api"
)

const (
	startLimit = 3 * time.Minute       // a cold server on a slow disk, or a machine that stood still; it takes a fraction of a second otherwise
	stopLimit  = 5 * time.Second       // for a server to end by itself
	pollEvery  = 20 * time.Millisecond // while it starts
	portTries  = 4                     // another process may take the free port first
	logLimit   = 64 << 10              // bytes of its log that are kept
	debugLimit = 16 << 20              // bytes of a log at debug level, which has every request in it
)

// Options are how [Start] runs a server.
type Options struct {
	Path   string // the ollama to run, such as what [Build] returns
	Models string // where it keeps models; empty means in its own temporary folder, which Close removes
	Debug  bool   // log at debug level, and keep more of the log
}

// Server is an Ollama server that runs as a child process. It is safe for concurrent use.
type Server struct {
	cmd  *exec.Cmd
	base *url.URL
	home string // its own folder, or nothing
	log  logTail
	exit error         // why it ended; set before done is closed
	done chan struct{} // closed when it has ended
	once sync.Once
}

// Start runs a server on a free port of the loopback interface and returns when it answers. It lives until Close, or
// until the process ends; ctx bounds the start only. It sees nothing of the user's environment or HOME.
func Start(ctx context.Context, o Options) (*Server, error) {
	home, err := os.MkdirTemp("", "hob-ollama-")
	if err != nil {
		return nil, fmt.Errorf("make folder for ollama: %w", err)
	}
	models := o.Models
	if models == "" {
		models = filepath.Join(home, "models")
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + home,
		"TMPDIR=" + home,
		"OLLAMA_MODELS=" + models,
		"OLLAMA_NUM_PARALLEL=1",
		"OLLAMA_NO_CLOUD=1", // or it asks its makers' server for news at every start
	}
	limit := logLimit
	if o.Debug {
		env, limit = append(env, "OLLAMA_DEBUG=1"), debugLimit
	}
	s, err := launch(ctx, o.Path, env, limit)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(home))
	}
	s.home = home
	return s, nil
}

// Command runs an ollama as its user would: with the user's own models, keys and proxies, but without its habit of
// removing unused files at the start. Address is where it listens, such as 127.0.0.1:11434; "" means a free port of the
// loopback interface. Otherwise it is as [Start].
func Command(ctx context.Context, path, address string) (*Server, error) {
	env := append(os.Environ(), "OLLAMA_NOPRUNE=1")
	if address != "" {
		return attempt(ctx, path, address, env, logLimit)
	}
	return launch(ctx, path, env, logLimit)
}

// launch starts path on one free port after the other until the server has its port to itself.
func launch(ctx context.Context, path string, env []string, limit int) (*Server, error) {
	var err error
	for range portTries {
		var address string
		if address, err = freeAddress(ctx); err != nil {
			return nil, err
		}
		var s *Server
		if s, err = attempt(ctx, path, address, env, limit); err == nil {
			return s, nil
		}
		if !isTaken(err) {
			break
		}
	}
	return nil, err
}

// isTaken reports whether a server did not start because another process has its address.
func isTaken(err error) bool { return strings.Contains(err.Error(), "address already in use") }

func attempt(ctx context.Context, path, address string, env []string, limit int) (*Server, error) {
	s := &Server{
		cmd:  exec.Command(path, "serve"),
		base: &url.URL{Scheme: "http", Host: address},
		log:  logTail{limit: limit},
		done: make(chan struct{}),
	}
	s.cmd.Env = append(env, "OLLAMA_HOST="+address)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	s.cmd.WaitDelay = stopLimit // a runner that outlives the server holds the log open
	if err := s.run(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	if err := s.ready(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func freeAddress(ctx context.Context) (string, error) {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	address := ln.Addr().String()
	if err := ln.Close(); err != nil {
		return "", fmt.Errorf("give the free port back: %w", err)
	}
	return address, nil
}

// run starts the process and a goroutine that waits for its end, and then ends what it has left behind.
func (s *Server) run() error {
	guard, err := newGuard()
	if err != nil {
		return err
	}
	guard.member(s.cmd)
	if err := s.cmd.Start(); err != nil {
		guard.kill()
		return err
	}
	go func() {
		if s.exit = s.cmd.Wait(); s.exit == nil {
			s.exit = errors.New("exit status 0")
		}
		guard.kill()
		close(s.done)
	}()
	return nil
}

// ready waits until the server answers, and is the one that answers: somebody else's may have taken the port.
func (s *Server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, fmt.Errorf("no answer within %s", startLimit))
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if strings.Contains(s.Log(), "Listening on "+s.base.Host) {
			if _, err := s.Client().Version(ctx); err == nil {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-s.done:
			return fmt.Errorf("start ollama: it ended at once: %w\n%s", s.exit, s.log.lines(12))
		case <-ctx.Done():
			return fmt.Errorf("start ollama: %w\n%s", context.Cause(ctx), s.log.lines(12))
		}
	}
}

// URL is where the server listens, such as http://127.0.0.1:40123.
func (s *Server) URL() string { return s.base.String() }

// Client returns a client of the server that uses no proxy and keeps no connections.
func (s *Server) Client() *api.Client {
	return api.NewClient(s.base, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}})
}

// Log returns the end of what the server and its runners have logged, at most 64 KiB, or 16 MiB at debug level.
func (s *Server) Log() string { return s.log.String() }

// Done is closed when the server has ended, by Close or by itself.
func (s *Server) Done() <-chan struct{} { return s.done }

// Close ends the server and its runners and removes its own folder. Calling it again does nothing.
//
// The server is asked to end, and killed when it has not after five seconds; whoever it leaves behind is killed too.
func (s *Server) Close() error {
	var err error
	s.once.Do(func() {
		limit := time.NewTimer(stopLimit)
		defer limit.Stop()
		_ = s.cmd.Process.Signal(syscall.SIGTERM) // fails only when it has ended
		select {
		case <-s.done:
		case <-limit.C:
			_ = s.cmd.Process.Kill()
			<-s.done
		}
		if s.home != "" {
			err = os.RemoveAll(s.home)
		}
	})
	if err != nil {
		return fmt.Errorf("remove folder of ollama: %w", err)
	}
	return nil
}
