// Package http is hob's local API, for other programs of this machine and for hob itself: a command that finds a running
// hob speaks to it. It is served on a unix socket in hob's state folder, which commands of the agent never see.
//
// Who may speak is said by the kernel and not by the request: the socket's file is for this user only, and the server asks
// for the user of each connection. All who may are owners.
package http

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/session"
)

// Sessions is what the API needs of [*session.Sessions].
type Sessions interface {
	Chats(ctx context.Context) ([]event.Chat, error)
	Halt(ctx context.Context, chat event.Chat) (bool, error)
	Decide(ctx context.Context, a session.Answer) error
}

// The bounds of a request.
const (
	maxBody     = 1 << 20
	headTimeout = 5 * time.Second
)

// StopRequest is the body of POST /api/v1/stop.
type StopRequest struct {
	Chat event.Chat `json:"chat,omitempty"` // "" means all
}

// StopReply says in which chats a turn was stopped; nothing of those turns runs any more.
type StopReply struct {
	Stopped []event.Chat `json:"stopped"`
}

// DecideRequest is the body of POST /api/v1/decide.
type DecideRequest struct {
	Chat   event.Chat    `json:"chat"`
	ID     string        `json:"id"` // of the question
	Allow  bool          `json:"allow"`
	Grants []event.Grant `json:"grants,omitempty"`
}

// problem is the body of an answer that is no success.
type problem struct {
	Error string `json:"error"`
}

// Server serves the API until Close.
type Server struct {
	path     string
	server   http.Server
	sessions Sessions
	done     chan struct{}
}

// Listen serves the API on a unix socket at path, for this user alone. A socket that a hob which was killed left there is
// taken away: the caller holds the lock of the state folder, so nobody else serves it.
func Listen(path string, s Sessions) (*Server, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("serve the local API: %w", err)
	}
	l, err := listenPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("serve the local API: %w", err)
	}
	srv := &Server{path: path, sessions: s, done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/stop", srv.stop)
	mux.HandleFunc("POST /api/v1/decide", srv.decide)
	srv.server = http.Server{Handler: mux, ReadHeaderTimeout: headTimeout}
	go func() {
		defer close(srv.done)
		_ = srv.server.Serve(known{l}) // it ends with Close
	}()
	return srv, nil
}

// listenPrivate makes the socket in a folder of its own, and moves it to where it can be found once its permissions are
// right.
func listenPrivate(path string) (net.Listener, error) {
	folder, err := os.MkdirTemp(filepath.Dir(path), ".socket-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	near, done, err := short(filepath.Join(folder, "s"))
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: near, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(near, 0o600), os.Rename(near, path)); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// short returns another name for path, which is good until done is called: the kernel takes at most 107 bytes for that of a
// socket.
func short(path string) (name string, done func(), err error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path)), func() { folder.Close() }, nil
}

// Close ends the API. Requests that are under way are answered until ctx ends: what ends this hob may be what one of them
// asked for. The others are cut off.
func (s *Server) Close(ctx context.Context) error {
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = s.server.Close()
	}
	<-s.done
	if gone := os.Remove(s.path); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// known is a listener that lets nobody in but this user and root.
type known struct{ net.Listener }

// Accept implements [net.Listener].
func (k known) Accept() (net.Conn, error) {
	for {
		conn, err := k.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if mayCome(conn) {
			return conn, nil
		}
		conn.Close()
	}
}

// mayCome reports whether the peer of a connection is this user or root, and no less free than this process is: what runs
// in a sandbox has the same user.
func mayCome(conn net.Conn) bool {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	var cred *unix.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		cred, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err != nil || asked != nil {
		return false
	}
	return (cred.Uid == 0 || int(cred.Uid) == os.Geteuid()) && !confined(int(cred.Pid))
}

func (s *Server) stop(w http.ResponseWriter, r *http.Request) {
	var in StopRequest
	if !read(w, r, &in) {
		return
	}
	chats := []event.Chat{in.Chat}
	if in.Chat == "" {
		var err error
		if chats, err = s.sessions.Chats(r.Context()); err != nil {
			answer(w, http.StatusServiceUnavailable, problem{err.Error()})
			return
		}
	}
	out := StopReply{Stopped: []event.Chat{}}
	for _, c := range chats {
		ran, err := s.sessions.Halt(r.Context(), c)
		if err != nil {
			answer(w, http.StatusServiceUnavailable, problem{err.Error()})
			return
		}
		if ran {
			out.Stopped = append(out.Stopped, c)
		}
	}
	answer(w, http.StatusOK, out)
}

func (s *Server) decide(w http.ResponseWriter, r *http.Request) {
	var in DecideRequest
	if !read(w, r, &in) {
		return
	}
	err := s.sessions.Decide(r.Context(), session.Answer{
		Chat: in.Chat, ID: in.ID, Allow: in.Allow, Grants: in.Grants, By: "owner",
		Standing: event.Standing{Platform: "cli", Scope: "private", Level: event.Owner},
	})
	if err != nil {
		answer(w, http.StatusConflict, problem{err.Error()})
		return
	}
	answer(w, http.StatusOK, struct{}{})
}

// read reads the body of a request, or answers what is wrong with it.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		answer(w, http.StatusBadRequest, problem{"the body is not what is asked for: " + err.Error()})
		return false
	}
	return true
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // who does not listen any more has no answer
}
