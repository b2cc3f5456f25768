// Package ollama is [llm.Model] over Ollama's native HTTP API.
//
// # What goes over the wire
//
// A chat is POST /api/chat, always streamed. Its body is made by one pure function: the same [Config], the same
// [llm.Request] and the same answer to "can this model think" give the same bytes. The body begins with a frozen block
// (model, stream, keep_alive, truncate, shift, options.num_ctx) which a [Client] never varies, because Ollama loads a
// model anew, and forgets all it had read, when one of them differs from the request before. Sent explicitly every
// time: num_ctx, num_predict, temperature, think, and truncate:false, so that a conversation which is too long is an
// error ([llm.ContextExceeded]) and not a silent loss of its oldest messages. keep_alive and num_ctx never take the
// server's defaults. How tokens are chosen beside the temperature ([llm.Sampling]) is sent as far as it is set.
//
// System text is the first message. A tool result names its tool (Go templates read tool_name) and its call
// (llama-server reads tool_call_id). A tool's JSON Schema is sent as it is, key order included, except that a
// property's schema of true or false is written {} or {"not":{}}: Ollama refuses a request with the short form. What a
// schema says beyond the fields of Ollama's api.ToolProperty (default, additionalProperties, bounds) reaches the
// server but may be dropped by it before the model reads it; callers validate arguments themselves.
//
// The answer is one JSON object a line. Text and thinking are handed on as they come; calls are collected from every
// line, the last one included, where llama-server's models put all of them. A call's arguments are kept as the bytes
// that came and replayed as those bytes, so their order and their digits never change here. (The server itself reads
// numbers as float64 on the way in and out: integers above 2^53 are for strings.) Arguments that are null become {};
// arguments that are a string with an object in it, as other servers send, become that object; anything else is passed
// on for package toolcall to judge. A call without an ID, or with one that this conversation already uses, gets a new
// random one.
//
// A schema for the reply's text goes as format, and never together with tools: Ollama's grammar for the text would leave
// the model no way to call one.
//
// Only done:true is success. An end of the stream before it is [llm.Incomplete], however clean it looks. Errors are of
// type *[llm.Error]; they carry no text of the conversation, and at most 300 characters of what the server said. Retry is
// set where the connection or the server broke: for Incomplete, which includes a connection that closed before the first
// byte; for a status of 500 and more, or an error in the stream, that is of no kind known here; for a runner that died.
//
// # Waiting
//
// There is no limit on a whole request: loading a model and reading a long conversation on a CPU take minutes in which
// Ollama sends nothing, not even headers. Instead, two watchdogs: until the first line of the answer FirstByte, for each
// 8 KiB of the conversation, while /api/ps is polled to say whether the model is still loading; then Idle between lines.
// Where tools are offered, a silence of Idle only brings a status, and one of FirstByte ends the request: Ollama sends
// nothing while a model writes a tool call, which on a CPU may take longer than Idle. A full queue (503) is asked again
// for a minute.
//
// # Several hosts
//
// The first host that answers /api/version is used, and used until it cannot be reached; then the first healthy one
// again. A chat moves to another host only when nothing had come from the first.
//
// # What is not used of Ollama's client
//
// [api.Client] does everything but chat. Its Chat takes api.ChatRequest, which loses parts of a JSON Schema, reads
// arguments into float64, refuses string arguments, takes an unknown error object for an empty line, reports success
// for a stream without done and for an empty 502, and allocates a line buffer of 8 MB for every call, which the runtime
// clears from the third call on: after five chats of 200 lines the peak of a process was 25.6 MB with it and 9.7 MB with
// this package's reader. So chat has its own reader, whose lines may have 16 MiB, over the same wire types where they fit.
package ollama

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ollama/ollama/api"

	"hob/internal/llm"
)

// Defaults of [Config].
const (
	DefaultHost      = "http://127.0.0.1:11434"
	DefaultNumCtx    = 8192             // tokens; Ollama's own default is 4096 on most machines
	DefaultKeepAlive = 30 * time.Minute // Ollama's own 5 minutes make every pause in a chat cost a cold start
	DefaultFirstByte = 300 * time.Second
	DefaultIdle      = 120 * time.Second
	DefaultPoll      = 2 * time.Second
)

// Config says where Ollama is and how a model is run there. The zero value of every field but Model has a default.
type Config struct {
	Hosts       []string      // tried in order: base URLs such as DefaultHost, which none means
	Model       string        // may be empty in a client that only lists and pulls
	NumCtx      int           // context in tokens
	KeepAlive   time.Duration // how long a model stays loaded after a request; negative means for ever
	Shift       *bool         // what Ollama does at the end of the context while it generates; nil leaves it to Ollama
	FirstByte   time.Duration // longest wait for the first line of an answer, for each 8 KiB of the conversation
	Idle        time.Duration // longest wait between two lines
	Poll        time.Duration // how often a wait for the first line looks at what the server is doing
	AllowRemote bool          // whether a model may run on somebody else's machine
	Dial        Dial          // how hosts are reached; without it, and without a Transport, none is
	Transport   http.RoundTripper
	Start       func(ctx context.Context) error // starts a server where no host answers; nil: none is started
	NewID       func() string                   // makes call IDs; nil means random ones
}

// Dial connects to an address, a "host:port"; network is "tcp". This package has no way out of its own.
type Dial = func(ctx context.Context, network, address string) (net.Conn, error)

// Client talks to one model on the first healthy one of several hosts. It is safe for concurrent use and keeps nothing
// but which host that is and what its model can do.
type Client struct {
	cfg   Config
	http  *http.Client
	hosts []*host

	mu      sync.Mutex
	current *host // nil until one was needed, and after it was lost
}

// host is one server.
type host struct {
	base *url.URL
	api  *api.Client

	mu    sync.Mutex
	model *Facts   // what the model can do here; nil until asked, and after an error that makes it doubtful
	found struct { // when it was last found healthy, and its version then; guarded by mu
		at      time.Time
		version string
	}

	waiting map[*exchange]time.Time // chats of which nothing has come yet, and since when; guarded by mu

	abandoned atomic.Bool // the last chat here was left in the middle of its answer, see exchange.free
}

// New returns a client, or an error that says which part of cfg is wrong. It contacts nobody.
func New(cfg Config) (*Client, error) {
	cfg.Model = strings.TrimSpace(cfg.Model)
	if cfg.NumCtx < 0 || cfg.FirstByte < 0 || cfg.Idle < 0 || cfg.Poll < 0 {
		return nil, fmt.Errorf("configure ollama: num_ctx and the waits must not be negative")
	}
	cfg.NumCtx = cmp.Or(cfg.NumCtx, DefaultNumCtx)
	cfg.KeepAlive = cmp.Or(cfg.KeepAlive, DefaultKeepAlive)
	cfg.FirstByte = cmp.Or(cfg.FirstByte, DefaultFirstByte)
	cfg.Idle = cmp.Or(cfg.Idle, DefaultIdle)
	cfg.Poll = cmp.Or(cfg.Poll, DefaultPoll)
	if len(cfg.Hosts) == 0 {
		cfg.Hosts = []string{DefaultHost}
	}
	if cfg.Transport == nil {
		cfg.Transport = plainTransport(cfg.Dial)
	}
	if cfg.NewID == nil {
		cfg.NewID = func() string { return "call_" + strings.ToLower(rand.Text()[:16]) }
	}
	c := &Client{cfg: cfg, http: &http.Client{Transport: guard{cfg.Transport}}}
	for _, address := range cfg.Hosts {
		base, err := parseBase(address)
		if err != nil {
			return nil, fmt.Errorf("configure ollama: %w", err)
		}
		same := func(h *host) bool { return h.base.String() == base.String() }
		if !slices.ContainsFunc(c.hosts, same) {
			c.hosts = append(c.hosts, &host{base: base, api: api.NewClient(base, c.http)})
		}
	}
	return c, nil
}

// For returns a client for another model or context on the same hosts, over the same connections, that begins with the
// host that c uses. Of the same model it knows what c knows.
func (c *Client) For(model string, numCtx int) *Client {
	cfg := c.cfg
	cfg.Model, cfg.NumCtx = strings.TrimSpace(model), cmp.Or(numCtx, DefaultNumCtx)
	other := &Client{cfg: cfg, http: c.http}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.hosts {
		twin := &host{base: h.base, api: h.api}
		if cfg.Model == c.cfg.Model {
			h.mu.Lock()
			twin.model = h.model
			h.mu.Unlock()
		}
		other.hosts = append(other.hosts, twin)
		if h == c.current {
			other.current = twin
		}
	}
	return other
}

// Version returns the version of the server in use.
func (c *Client) Version(ctx context.Context) (string, error) {
	var version string
	err := c.withHost(ctx, func(h *host) (err error) {
		version, err = c.health(ctx, h)
		return err
	})
	return version, err
}

// Installed is a model that the server has.
type Installed struct {
	Name         string
	Size         int64 // bytes on disk
	Family       string
	Parameters   string // such as "4.0B"
	Quantization string // such as "Q4_K_M"
	Digest       string // SHA-256 of its manifest, in hex: the same digest is the same model
	Modified     time.Time
	Remote       string // the machine it really runs on; empty means this server's
}

// Models returns the models of the server in use, sorted by name.
func (c *Client) Models(ctx context.Context) ([]Installed, error) {
	found, err := list(ctx, c, (*api.Client).List)
	if err != nil {
		return nil, err
	}
	models := make([]Installed, 0, len(found.Models))
	for _, m := range found.Models {
		models = append(models, Installed{
			Name: m.Name, Size: m.Size, Family: m.Details.Family, Parameters: m.Details.ParameterSize,
			Quantization: m.Details.QuantizationLevel, Digest: m.Digest, Modified: m.ModifiedAt, Remote: m.RemoteHost,
		})
	}
	slices.SortFunc(models, func(a, b Installed) int { return cmp.Compare(a.Name, b.Name) })
	return models, nil
}

// list asks the server in use for a list.
func list[T any](ctx context.Context, c *Client, ask func(*api.Client, context.Context) (T, error)) (found T, err error) {
	err = c.withHost(ctx, func(h *host) error {
		limited, done := context.WithTimeout(ctx, askTimeout)
		defer done()
		if found, err = ask(h.api, limited); err != nil {
			return c.callError(ctx, h, "", err)
		}
		return nil
	})
	return found, err
}

// Loaded is a model that the server holds in memory.
type Loaded struct {
	Name    string
	Size    int64 // bytes of memory, with its context
	Card    int64 // of them in the memory of graphics cards
	Context int   // tokens that it was loaded with
}

// Loaded returns the models that the server in use holds in memory, as `ollama ps` does.
func (c *Client) Loaded(ctx context.Context) ([]Loaded, error) {
	found, err := list(ctx, c, (*api.Client).ListRunning)
	if err != nil {
		return nil, err
	}
	models := make([]Loaded, 0, len(found.Models))
	for _, m := range found.Models {
		size := max(m.Size, 0)
		models = append(models, Loaded{Name: cmp.Or(m.Name, m.Model), Size: size, Card: min(max(m.SizeVRAM, 0), size), Context: m.ContextLength})
	}
	return models, nil
}

// Context returns the context, in tokens, that the model was really loaded with, which may be less than NumCtx; 0 means
// that it is not loaded.
func (c *Client) Context(ctx context.Context) (int, error) {
	loaded, err := c.Loaded(ctx)
	tokens := 0
	for _, m := range loaded {
		if llm.SameModel(m.Name, c.cfg.Model) {
			tokens = m.Context
		}
	}
	return tokens, err
}

var _ llm.Model = (*Client)(nil)
