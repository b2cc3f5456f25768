// Package web is the page: hob in a browser. It serves views that work without scripts, one stream of events a
// browser, and the forms with which people write, answer and command. internal/daemon runs it.
//
// # Contract with static/*.js
//
// Every view is whole HTML; a script only makes it live. Elements and addresses that scripts use:
//
//	body data-view data-chat data-seq data-running    the view (chat, tools, story, house, sign-in ...), its chat, the Seq that
//	                                                  it shows, "true" while a turn runs
//	meta[name=csrf] content                           the token of the session's forms; goes into the field csrf
//	#transcript (ol)                                  items of the chat, in order; li.item with id, data-seq, data-turn
//	#draft (div, hidden)                              the reply that is being written: .settled and .tail
//	#status (p, aria-live)                            short words for screen readers; data-writes, data-offline and data-asks are
//	                                                  words of the scripts
//	#toast (div, role alert)                          what went wrong; beside the chat a reminder that rings
//	#waits (p, hidden)                                that the turn is at work, or how long it waits
//	#lost (p, hidden)                                 the stream has broken off, and the browser tries again
//	#composer (form, POST /say)                       csrf, chat, id, text (textarea), file (multiple); a new id for each input; asks:
//	                                                  the id of the only question that is open, which a yes or a no answers
//	#files (ul, data-remove), #completions (ul)       the files that go with an input, the commands that go on what is written
//	#camera (input type=file), #notify (button)       a photo, leave to notify; .live is shown where scripts run
//	#stop (form, POST /stop)                          csrf, chat; hidden while nothing runs
//	form.decide (POST /decide)                        csrf, chat, id, answer=yes|no|always
//	form.command (POST /command)                      csrf, chat, line: a command of the table, such as "tools disable fetch"
//	li.note[data-loud]                                a note that calls the person, such as a reminder
//	form.pick (POST /say)                             csrf, chat, id, text, pick: a choice of a story
//	form.tick (POST /say)                             csrf, chat, text: the box of a thing on a list
//	form.command (POST /say)                          csrf, chat, text, more, back=/house: a command that is a tool's, such as
//	                                                  "/reminder 7 done"; more goes behind text. What hob says to it is the answer
//	#tools-panel, #story-panel, #chats-panel, #answer parts that can be got alone
//	#map (img)                                        GET /map.svg?chat=&turn=, in a .map-frame, which moves it; beside it
//	                                                  button[data-map=in|out|whole]
//	form#code (POST /sign-in/look)                    code; the fragment of the address goes into it, then it is sent
//	#sign-in (form, POST /sign-in)                    code: the press that uses a code up
//	#passkey-in, #passkey-add (button, hidden)        sign in with a passkey, make one: shown where the browser can
//	#passkey-why (p, hidden)                          shown in their place where it cannot
//
// Addresses: GET / (chat), /tools, /story, /house, /search, /devices, each with chat=; GET /complete?chat=&line= (JSON, a list of
// lines); GET /file?chat=&seq=&n=; GET /events?chat=...&after=. Any GET or POST with the header X-Hob-Part: ID answers with the
// element of that id alone: for /command, and /say with back or with a command, that is "answer"; /say with anything else, /stop and /decide have none (204), and nobody
// gets any who asks for "none". A POST carries
// csrf as a field or as the header X-Hob-CSRF. A refusal is {"error", "sign_in"} where the request has X-Hob-Part, and 401 means that
// the session is over; 403 with sign_in true wants a newer sign-in: lead to /sign-in.
//
// A passkey is made in two requests, both with X-Hob-Part: POST /passkey/begin answers with the options of navigator.credentials.create
// as JSON; POST /passkey/add has what came of it, as JSON, in the field credential. One signs in likewise: POST /sign-in/passkey/begin
// answers {"id", "options"} for navigator.credentials.get, and POST /sign-in/passkey takes id and credential.
//
// # The stream
//
// GET /events?chat=main&after=SEQ is text/event-stream, with several chat= for the tabs of one browser. After Last-Event-ID it goes on
// by seq. Data is JSON:
//
//	item   {chat, seq, turn, id, html, again}   put html (an li) into the place of #id, or at the end of #transcript; id: is the Seq.
//	                                            again: only into its place, for something was taken back, answered or ticked off
//	draft  {chat, turn, restart, settled, tail} restart: empty both; append settled to .settled, replace .tail by tail (HTML)
//	state  {chat, running, turn, text, questions}  text is how long the turn waits; "" hides it
//	story  {chat, open, turn}                   a turn has ended: get #story-panel anew where a story plays, or played
//	reset  {}                                   the browser was too slow: load the view anew
//	gone   {}                                   the session is over: lead to /sign-in
//
// A stream begins with the state of each chat, and with a draft (restart) where a reply is being written.
//
// # Invariants
//
//   - Who somebody is, and their level, is looked up for each request and for each event: see package door.
//   - A request has a Host that is the page's, and a POST an Origin and a form token too.
//   - Nothing that a model, a stranger or a file says becomes HTML but through html/template or the renderer of Markdown here, which
//     writes no raw HTML, no pictures and no styles. The Content-Security-Policy permits no inline script or style.
//   - Who is in a group reads its chat, see [door.Door.MayWatch], as the group sees it, and writes nothing in it.
//   - Files of the workspace are attachments; only PNG, JPEG, WebP and GIF by their bytes are shown.
//   - Templates are read when somebody first asks for something: an idle hob has none of them.
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/web/door"
)

// Sessions is the part of [*session.Sessions] that the page needs. The sessions behind it may be exchanged for others.
type Sessions interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Decide(ctx context.Context, a session.Answer) error
}

// Resetter begins conversations anew.
type Resetter interface {
	Reset(ctx context.Context, chat event.Chat) error
}

// Journal is the part of the journal that the page needs.
type Journal interface {
	Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	Last(ctx context.Context, chat event.Chat) (int64, error)
	OpenTurns(ctx context.Context, chat event.Chat) ([]int64, error)
	Chats(ctx context.Context) ([]store.ChatInfo, error)
	Search(ctx context.Context, chat event.Chat, words string, limit int) ([]event.Event, error)
}

// Files is the workspace, and the files of stories.
type Files interface {
	Receive(ctx context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error)
	Open(ctx context.Context, f event.File) (io.ReadCloser, error)
}

// Stories shows the stories that chats play.
type Stories interface {
	// Story returns the story of a chat; ok is false where it plays none.
	Story(ctx context.Context, chat event.Chat) (s Story, ok bool, err error)
	// DrawMap returns its map as players know it, as a file such as svg.
	DrawMap(ctx context.Context, chat event.Chat, zones bool, format string) ([]byte, error)
	// Takes reports whether the story of a chat takes a command of that name.
	Takes(ctx context.Context, chat event.Chat, name, args string) (takes, discreet bool)
}

// Story is what players are shown of a story beside its words.
type Story struct {
	Title string
	Turn  int64
	Map   bool     // there is a map of places
	Zones bool     // there is a map of zones
	Parts []string // sheet, inventory, clocks and the like, each Markdown
}

// Tool is a tool as the page explains it.
type Tool struct {
	Name string
	May  string // what it may do, in words
}

// Reminder is a reminder that is still to come.
type Reminder struct {
	ID   int64
	Line string // as people read it
}

// Config has the parts of a [Server].
type Config struct {
	Site     Site
	Door     *door.Door
	Sessions Sessions
	Resetter Resetter
	Journal  Journal
	Files    Files
	Stories  Stories
	Commands func() commands.Table // the current table
	// Translate translates a sentence of hob's, or of a command, into a language of package phrases. May be nil: it stays English.
	Translate func(lang, of, text string) string
	// Tools returns the tools that a person can call in a chat.
	Tools func(ctx context.Context, chat event.Chat, of event.Principal) ([]Tool, error)
	// Reminders returns those that a person may read in a chat. May be nil.
	Reminders func(ctx context.Context, by commands.Request) ([]Reminder, error)
	Present   Present // may be nil: what chats show stays as it was said
	// Calls returns the records of the last calls, the newest first.
	Calls func(ctx context.Context, n int) ([]event.Audit, error)
	// Free returns how many bytes there is room for on the disk that hob writes to. May be nil.
	Free func() (uint64, error)
	// Backup writes all that hob keeps into one file. May be nil.
	Backup  func(ctx context.Context, to io.Writer) error
	TLS     *tls.Config // nil: plain HTTP, for this machine alone or a proxy on it
	Now     func() time.Time
	Zone    func() *time.Location // of the household: the times on the page are in it
	Log     *slog.Logger
	MaxFile int64 // bytes of a file that is received
}

// The bounds of requests.
const (
	maxHead     = 16 << 10
	maxForm     = 1 << 20
	headTimeout = 5 * time.Second
	bodyTimeout = 2 * time.Minute // files come over slow lines
	sendTimeout = 30 * time.Second
	idleTimeout = time.Minute
	maxConns    = 512
)

// Server serves the page until Close.
type Server struct {
	cfg      Config
	assets   func() (*assets, error) // made when somebody first asks for something
	passkeys *door.Passkeys
	markdown *markdownCache
	items    *itemCache
	streams  *streams
	sources  *sources
	server   http.Server
	closing  chan struct{}
	once     sync.Once
	serving  sync.WaitGroup
}

// New returns a page that does not listen yet.
func New(cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	keys, err := cfg.Door.Passkeys(cfg.Site.Origin)
	if err != nil {
		return nil, err
	}
	return &Server{cfg: cfg, assets: sync.OnceValues(func() (*assets, error) { return newAssets(cfg.Zone) }), passkeys: keys, markdown: newMarkdownCache(), items: newItemCache(), streams: newStreams(), sources: &sources{sessions: cfg.Sessions}, closing: make(chan struct{})}, nil
}

// Serve serves the page on listeners, until Close.
func (s *Server) Serve(listeners ...net.Listener) {
	s.server = http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHead,
		TLSConfig: s.cfg.TLS, ErrorLog: log.New(io.Discard, "", 0), // a browser that breaks off is none of the owner's business
	}
	for _, l := range listeners {
		s.serving.Go(func() {
			limited := netutil.LimitListener(l, maxConns/len(listeners)) // others wait in the kernel
			if s.cfg.TLS != nil {
				_ = s.server.ServeTLS(limited, "", "") // it ends with Close
				return
			}
			_ = s.server.Serve(limited) // likewise
		})
	}
}

// Close ends the page: streams at once, other requests when they are answered or ctx ends.
func (s *Server) Close(ctx context.Context) error {
	s.once.Do(func() { close(s.closing) })
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = errors.Join(fmt.Errorf("close the page: %w", err), s.server.Close())
	}
	s.serving.Wait()
	return err
}

// Handler returns the page with all its walls.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /static/", s.serveStatic)
	mux.HandleFunc("GET /manifest.json", s.serveStatic)
	for pattern, h := range map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /sign-in":       s.showSignIn,
		"POST /sign-in/look": s.lookAtCode,
		"POST /sign-in":      s.enter,

		"POST /sign-in/passkey/begin": s.beginPasskeySignIn,
		"POST /sign-in/passkey":       s.enterWithPasskey,
	} {
		mux.HandleFunc(pattern, s.open(h))
	}
	for pattern, h := range map[string]handler{
		"GET /{$}":            s.showChat,
		"GET /":               s.showNothing,
		"GET /tools":          s.inChat(s.showTools),
		"GET /story":          s.showStory,
		"GET /house":          s.inChat(s.showHouse),
		"GET /search":         s.inChat(s.search),
		"GET /devices":        s.showDevices,
		"GET /complete":       s.inChat(s.complete),
		"GET /events":         s.events,
		"GET /file":           s.file,
		"GET /map.svg":        s.drawMap,
		"POST /say":           s.say,
		"POST /stop":          s.inChat(s.stop),
		"POST /decide":        s.decide,
		"POST /command":       s.inChat(s.command),
		"POST /new":           s.reset,
		"POST /backup":        s.backup,
		"POST /devices/end":   s.endDevice,
		"POST /passkey/begin": s.fresh(s.beginPasskey),
		"POST /passkey/add":   s.fresh(s.addPasskey),
		"POST /sign-in/leave": s.leave,
	} {
		mux.HandleFunc(pattern, s.signedIn(h))
	}
	return s.walls(mux)
}
