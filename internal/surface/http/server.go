// Package http is hob's local API, for other programs of this machine and for hob itself: a command that finds a running
// hob speaks to it. It is served on a unix socket in hob's state folder, which commands of the agent never see, and on a
// loopback address where the owner says so.
//
// # Who may speak
//
// On the socket that is said by the kernel and not by the request: the socket's file is for this user only, and the server
// asks for the user of each connection; who is confined more than hob is does not count. On a loopback address it takes the
// owner's token, a Host that is this machine's and, where a browser sends one, an Origin that is (see [ListenTCP]). All who
// may are owners.
//
// # Requests
//
// The package api has the paths and their types. Requests are strict: an unknown field or parameter is an error, and so is a
// value of another type.
//
// # What a chat request is
//
// Its words are the last message of a user; the messages before it are the caller's own copy of a conversation that hob
// keeps itself. Untrusted messages right beside the owner's words are attachments. With a request_id it can be made again: the same words in the same session are one input, whose reply is
// read from the journal, however often and after whatever crash; other words under that id are an error. Without one every
// request is an input of its own. A caller that leaves does not stop the turn.
//
// The turn of a chat request is unattended: what would ask a person is denied, and the model told so. A program that waits
// for its answer cannot give one, and would wait for as long as a question does. Who wants to be asked talks in a terminal,
// or over Telegram.
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
	"strconv"
	"sync"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// Sessions is what the API needs of [*session.Sessions]. What is behind it may be exchanged for another while the server
// runs: what is followed then goes on.
type Sessions interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Decide(ctx context.Context, a session.Answer) error
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Halt(ctx context.Context, chat event.Chat) (bool, error)
	Reset(ctx context.Context, chat event.Chat) error
	Resume(ctx context.Context, chat event.Chat) (bool, error)
	Waiting(ctx context.Context, chat event.Chat, id string) (bool, error)
	Parked(ctx context.Context, chat event.Chat) ([]session.Parked, error)
	Park(ctx context.Context, chat event.Chat) (*session.Parked, error)
	Retry(ctx context.Context, chat event.Chat, turn int64) error
	Chats(ctx context.Context) ([]event.Chat, error)
	OpenSkill(ctx context.Context, in session.Wish) error
	CloseSkill(ctx context.Context, in session.Wish) error
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
}

// Journal is what the API needs of the journal.
type Journal interface {
	// Keyed returns the Seq of the chat's event with that [event.Key], 0 if there is none.
	Keyed(ctx context.Context, chat event.Chat, key string) (int64, error)
	// Last returns the Seq of the chat's newest event, 0 if there is none.
	Last(ctx context.Context, chat event.Chat) (int64, error)
}

// Config is what a server is made of.
type Config struct {
	Sessions Sessions
	Journal  Journal
	NewID    func() string                                        // an id that no other has
	Line     func(event.Event) ([]byte, error)                    // a line of hob ask --json without its end, nil where there is none
	ArgsHash func(json.RawMessage) string                         // of a call's arguments, as hob audit has it
	Status   func(context.Context) api.Status                     // nil: there is none
	Parked   func(context.Context) ([]commands.ParkedTurn, error) // of all chats; nil: nobody knows
	Commands func() commands.Table                                // of the hob of now; nil: there are none
	Skills   Skills                                               // nil: there are none
	Prices   func() price.Table                                   // of models, as they are now; nil: there are none
	Entry    Entry                                                // of all servers of these sessions; nil: there is no other server
}

// Entry lets chat requests in one after the other: each looks whether its chat is free, and hands in.
type Entry chan struct{}

// NewEntry returns one through which nobody goes.
func NewEntry() Entry { return make(Entry, 1) }

// The bounds of a request and of its answer.
const (
	maxBody     = 1 << 20
	maxHead     = 16 << 10
	headTimeout = 5 * time.Second
	bodyTimeout = 30 * time.Second
	sendTimeout = 30 * time.Second // for each piece of an answer
	idleTimeout = time.Minute
	againAfter  = 100 * time.Millisecond // what is followed is looked for again when its sessions were closed
)

// Server serves the API until Close.
type Server struct {
	cfg     Config
	path    string // of the socket, "" for none
	socket  os.FileInfo
	addr    net.Addr
	server  http.Server
	closing chan struct{} // closed when whoever waits for something is to leave
	once    sync.Once
	done    chan struct{}
}

// Listen serves the API on a unix socket at path, for this user alone. A socket that a hob which was killed left there is
// taken away: the caller holds the lock of the state folder, so nobody else serves it.
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
	mux := s.public(commands.Terminal)
	s.private(mux)
	s.serve(known{l}, mux)
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
		ErrorLog: log.New(io.Discard, "", 0), // whoever made the request is told
	}
	go func() {
		defer close(s.done)
		_ = s.server.Serve(l) // it ends with Close
	}()
}

// public is what other programs may ask for. Who speaks to the socket is at the terminal.
func (s *Server) public(on commands.Surfaces) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/chat", s.chat)
	mux.HandleFunc("GET /api/v1/events", s.events)
	mux.HandleFunc("POST /api/v1/stop", s.stop)
	mux.HandleFunc("POST /api/v1/command", s.command(on))
	mux.HandleFunc("GET /api/v1/parked", s.parked)
	mux.HandleFunc("POST /api/v1/retry", s.retry)
	return mux
}

// private adds what only hob's own commands may ask for.
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
	mux.HandleFunc("POST /api/v1/skills/open", s.openSkill)
	mux.HandleFunc("POST /api/v1/skills/close", s.closeSkill)
}

// Addr is where the server listens.
func (s *Server) Addr() net.Addr { return s.addr }

// Close ends the API. Who waits for what happens is told to leave at once. Other requests that are under way are answered
// until ctx ends: what ends this hob may be what one of them asked for. Then they are cut off.
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

// until returns the context of a request that waits for what happens: it ends with the request or with the server. leave
// must be called.
func (s *Server) until(r *http.Request) (_ context.Context, leave func()) {
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

// happens yields what happens in a chat, until ctx ends. When the sessions are exchanged for others it goes on with those.
func (s *Server) happens(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
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
			wait := time.NewTimer(againAfter)
			select {
			case <-wait.C:
			case <-ctx.Done():
			}
			wait.Stop()
		}
	}
}

// read reads the body of a request, or answers what is wrong with it.
func (s *Server) read(w http.ResponseWriter, r *http.Request, into any) bool {
	raw, err := body(w, r)
	if err == nil {
		err = strict(raw, into)
	}
	if err != nil {
		answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
	}
	return err == nil
}

// body reads the body of a request.
func body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	wire := http.NewResponseController(w)
	_ = wire.SetReadDeadline(time.Now().Add(bodyTimeout)) // what has no deadlines is no connection that hangs
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = wire.SetReadDeadline(time.Time{}) // who waits for the answer may do so for long
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, errors.New("the body is longer than 1 MiB")
	}
	if err != nil {
		return nil, errors.New("the body did not come whole")
	}
	return raw, nil
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTimeout))
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // who does not listen any more has no answer
}

// refuse answers with what went wrong in hob.
func refuse(w http.ResponseWriter, err error) {
	other, own := (*event.ReusedIDError)(nil), (*event.Error)(nil)
	switch {
	case errors.As(err, &other):
		answer(w, http.StatusConflict, api.Problem{Error: err.Error(), Code: api.CodeReusedID, Subject: other.ID})
	case errors.Is(err, session.ErrClosed), errors.Is(err, context.Canceled): // hob ends, or whoever asks has left and hears nothing
		answer(w, http.StatusServiceUnavailable, api.Problem{Error: closed, Code: api.CodeClosed})
	case errors.As(err, &own) && own.Type == event.TypeNotFound:
		answer(w, http.StatusNotFound, api.Problem{Error: err.Error()})
	case errors.As(err, &own) && own.Type == event.TypeRateLimit:
		var again retryable
		if errors.As(err, &again) {
			w.Header().Set("Retry-After", strconv.FormatInt(int64((again.RetryAfter()+time.Second-1)/time.Second), 10))
		}
		answer(w, http.StatusTooManyRequests, api.Problem{Error: err.Error()})
	case errors.As(err, &own) && own.Type == event.TypeValidation:
		answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
	default:
		answer(w, http.StatusServiceUnavailable, api.Problem{Error: err.Error()})
	}
}

// retryable is an error that says how long it stands in the way.
type retryable interface {
	error
	RetryAfter() time.Duration
}

// closed is what whoever waits is told when hob ends.
const closed = "hob is shutting down: what was handed in goes on at its next start"
