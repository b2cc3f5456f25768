// Package http serves hob's local API, for other programs of this machine and for hob itself: a
// command that finds a running hob speaks to it. It listens on a unix socket in hob's state folder,
// which commands of the agent never see, and on a loopback address where the owner says so. The
// paths, their types and a client are the package api.
//
// # Callers
//
// On the socket the kernel names the caller, and not the request: the socket's file is for this
// user only, and the server asks for the user of each connection; a process that is confined more
// than hob is refused. On a loopback address a request needs the owner's token, a Host that is this
// machine's and, where a browser sends one, an Origin that is (see [ListenTCP]). Every caller is an
// owner.
//
// # Requests
//
// Requests are strict: an unknown field or parameter is an error, and so is a value of another
// type.
//
// The input of a chat request is the last message of a user; the messages before it are the
// caller's own copy of a conversation that hob keeps itself. Untrusted messages right beside the
// owner's message are attachments. With a request_id a caller can repeat a request: the same
// message in the same session is one input, whose reply is read from the journal, however often and
// after whatever crash; another message under that id is an error. Without one every request is an
// input of its own. A caller that leaves does not stop the turn.
//
// The turn of a chat request is unattended: a call that would ask a person is denied, and the model
// reads so. A program that waits for its answer cannot give one, and would wait for as long as a
// question does. A person who wants to be asked talks in a terminal, or over Telegram.
package http

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/retry"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// Sessions is the part of [*session.Sessions] that the API needs. The sessions behind it may be
// exchanged for others while the server runs: streams then go on.
type Sessions interface {
	Turns
	Chats
	Parking
	Questions
	Skills
}

// Turns plays the turns of a chat.
type Turns interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Halt(ctx context.Context, chat event.Chat) (bool, error)
}

// Chats knows all chats.
type Chats interface {
	Chats(ctx context.Context) ([]event.Chat, error)
	IsBusy(ctx context.Context, chat event.Chat) (bool, error)
	Reset(ctx context.Context, chat event.Chat) error
}

// Parking is the turns that wait for the model or are parked.
type Parking interface {
	Parked(ctx context.Context, chat event.Chat) ([]event.ParkedTurn, error)
	Park(ctx context.Context, chat event.Chat) (*event.ParkedTurn, error)
	Retry(ctx context.Context, chat event.Chat, turn int64) error
}

// Questions takes the answers to questions.
type Questions interface {
	Decide(ctx context.Context, a session.Answer) error
	IsAsking(ctx context.Context, chat event.Chat, id string) (bool, error)
}

// Skills opens and closes skills.
type Skills interface {
	OpenSkill(ctx context.Context, in session.SkillRequest) error
	CloseSkill(ctx context.Context, in session.SkillRequest) error
}

// Journal is the part of the journal that the API needs.
type Journal interface {
	// Keyed returns the Seq of the chat's event with that [event.Key], 0 if there is none.
	Keyed(ctx context.Context, chat event.Chat, key string) (int64, error)
	// Last returns the Seq of the chat's newest event, 0 if there is none.
	Last(ctx context.Context, chat event.Chat) (int64, error)
}

// Config has the parts of a server.
type Config struct {
	Sessions Sessions
	Journal  Journal
	NewID    func() string                // a new id that no input has
	ArgsHash func(json.RawMessage) string // of a call's arguments, as hob audit has it
	Commands func() commands.Table        // the current table
	Prices   func() price.Table           // the current prices of models
	Entry    Entry                        // of all servers of these sessions; nil: this is the only one

	// Line returns an event as a line of hob ask --json without its end, nil where there is none.
	Line func(event.Event) ([]byte, error)
	// Status describes this hob. The server adds the chats that have an open turn.
	Status func(context.Context) api.Status
	// Parked returns the parked turns of all chats.
	Parked func(context.Context) ([]event.ParkedTurn, error)
	// Skills returns the skills that the owner has in a chat.
	Skills  func(ctx context.Context, chat event.Chat) (commands.SkillList, error)
	Stories Stories
}

// Entry is a lock that chat requests hold one after the other, each while it looks whether its chat
// is free and hands in its input.
type Entry chan struct{}

// NewEntry returns a lock that nobody holds.
func NewEntry() Entry { return make(Entry, 1) }

// The bounds of a request and of its answer.
const (
	maxBody     = 1 << 20
	maxHead     = 16 << 10
	headTimeout = 5 * time.Second
	bodyTimeout = 30 * time.Second
	sendTimeout = 30 * time.Second // for each piece of an answer
	idleTimeout = time.Minute
	againAfter  = 100 * time.Millisecond // a stream looks for new sessions when its own were closed
)

// Server serves the API until Close.
type Server struct {
	cfg     Config
	path    string // of the socket, "" for none
	socket  os.FileInfo
	addr    net.Addr
	server  http.Server
	closing chan struct{} // closed when requests that wait are to end
	once    sync.Once
	done    chan struct{}
}

// Listen serves the API on a unix socket at path, for this user alone. It removes a socket that a
// killed hob left there: the caller holds the lock of the state folder, so nobody else serves it.
func Listen(path string, cfg Config) (*Server, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("serve the local API: %w", err)
	}
	l, err := listenPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("serve the local API: %w", err)
	}
	s := newServer(cfg)
	s.path = path
	if s.socket, err = os.Lstat(path); err != nil {
		l.Close()
		return nil, fmt.Errorf("serve the local API: %w", err)
	}
	routes := sync.OnceValue(func() *http.ServeMux { // most commands are over before anybody asks
		mux := s.public(commands.Terminal)
		s.private(mux)
		return mux
	})
	s.serve(ownListener{l}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serveKnown(routes(), w, r) }))
	return s, nil
}

func newServer(cfg Config) *Server {
	if cfg.Entry == nil {
		cfg.Entry = NewEntry()
	}
	return &Server{cfg: cfg, closing: make(chan struct{}), done: make(chan struct{})}
}

func (s *Server) serve(l net.Listener, h http.Handler) {
	s.addr = l.Addr()
	s.server = http.Server{
		Handler: h, ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHead,
		ErrorLog: log.New(io.Discard, "", 0), // the caller gets the error
	}
	go func() {
		defer close(s.done)
		_ = s.server.Serve(l) // it ends with Close
	}()
}

// public returns the handlers for other programs. A command runs as if it was given on that
// surface.
func (s *Server) public(on commands.Surfaces) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/chat", s.chat)
	mux.HandleFunc("GET /api/v1/events", s.events)
	mux.HandleFunc("POST /api/v1/stop", s.stop)
	mux.HandleFunc("POST /api/v1/command", s.command(on))
	mux.HandleFunc("GET /api/v1/parked", s.parked)
	mux.HandleFunc("POST /api/v1/retry", s.retry)
	mux.HandleFunc("GET /api/v1/story", s.story)
	mux.HandleFunc("GET /api/v1/map", s.storyMap)
	return mux
}

// serveKnown serves a request by a handler of mux. Where there is none the mux decides the status, and the answer is like any other.
func serveKnown(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	h, pattern := mux.Handler(r)
	if pattern != "" {
		mux.ServeHTTP(w, r)
		return
	}
	refused := &statusWriter{ResponseWriter: w, status: http.StatusNotFound}
	h.ServeHTTP(refused, r)
	err := errors.New("there is nothing at this address: docs/api.md lists what there is")
	if allow := w.Header().Get("Allow"); allow != "" {
		err = errors.New("this address is for " + allow + " alone")
	}
	answerProblem(w, refused.status, err)
}

// statusWriter keeps the status of an answer, and drops its text.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements [http.ResponseWriter].
func (s *statusWriter) WriteHeader(status int) { s.status = status }

// Write implements [http.ResponseWriter].
func (s *statusWriter) Write(text []byte) (int, error) { return len(text), nil }

// private adds the handlers for hob's own commands.
func (s *Server) private(mux *http.ServeMux) {
	mux.HandleFunc("POST /api/v1/decide", s.decide)
	mux.HandleFunc("POST /api/v1/say", s.say)
	mux.HandleFunc("POST /api/v1/reset", s.reset)
	mux.HandleFunc("GET /api/v1/follow", s.follow)
	mux.HandleFunc("POST /api/v1/park", s.park)
	mux.HandleFunc("GET /api/v1/waiting", s.waiting)
	mux.HandleFunc("GET /api/v1/last", s.last)
	mux.HandleFunc("GET /api/v1/status", s.status)
	mux.HandleFunc("GET /api/v1/skills", s.skills)
	mux.HandleFunc("POST /api/v1/skills/open", s.switchSkill(Sessions.OpenSkill))
	mux.HandleFunc("POST /api/v1/skills/close", s.switchSkill(Sessions.CloseSkill))
}

// Addr returns the address on which the server listens.
func (s *Server) Addr() net.Addr { return s.addr }

// Close ends the API. Streams, and requests that wait for a turn, end at once. Other requests are
// answered until ctx ends, for one of them may be the reason why hob ends. Then they are cut off.
func (s *Server) Close(ctx context.Context) error {
	s.once.Do(func() { close(s.closing) })
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = s.server.Close()
	}
	<-s.done
	if s.path == "" {
		return err
	}
	if is, gone := os.Lstat(s.path); gone != nil || !os.SameFile(s.socket, is) {
		return err // the folder was replaced: what lies there now is another hob's
	}
	if gone := os.Remove(s.path); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// waitContext returns the context of a request that waits for events: it ends with the request or
// with the server. leave must be called.
func (s *Server) waitContext(r *http.Request) (_ context.Context, leave func()) {
	ctx, cancel := context.WithCancelCause(r.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		select {
		case <-s.closing:
			cancel(session.ErrClosed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-over
	}
}

// eventsAfter yields the events of a chat after a Seq, and new ones until ctx ends. When the
// sessions are exchanged for others it goes on with those.
func (s *Server) eventsAfter(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for {
			again := false
			for e, err := range s.cfg.Sessions.Follow(ctx, chat, after) {
				if again = errors.Is(err, session.ErrClosed) && ctx.Err() == nil; again {
					break
				}
				if !yield(e, err) || err != nil {
					return
				}
				after = max(after, e.Seq)
			}
			if !again {
				return
			}
			_ = retry.Wait(ctx, againAfter) // Follow says that ctx has ended
		}
	}
}
