// Package mcp makes skills of the tools that other people's programs offer over the Model Context Protocol, by the official
// SDK. A [Client] is one such server: [Client.Skill] describes it to a chat, and each of its tools is a tool of hob's.
//
// # What a server has no say in
//
// Whoever wrote the server wrote its descriptions, its schemas, its annotations and its answers. None of them changes what a
// call may do: a tool counts as able to do anything unless the owner says otherwise ([Rights]), whatever it says of itself.
// Its words are made fit for a prompt and cut; its answers are untrusted, always. The words by which its skill is found are the
// owner's, and its name: a server that could choose them would be about every message. Nothing is offered to it: it cannot ask
// the model or a person anything, and sees no folders.
//
// # Its life
//
// It is started when it is first needed, which is when its skill is opened or a tool of it is called, and ended when nobody
// has called it for a while. What tools it has is kept in a [Cache], so that a later process knows them before that. One that
// ends by itself, floods, writes what is no message or does not answer is started again by the next call that comes after a
// pause: 1 s, 2 s, 4 s and so on up to 5 min. A call that was under way then has failed with an unknown outcome. It is not made
// again.
//
// What it sends is bounded: a message, the messages that nobody asked for, what stands between messages, the number of its
// tools, and what is kept of an answer.
//
// # What callers must not assume
//
//   - that the tools stay as they are: [Client.Begin] tells what they are now. A tool that is gone fails when it is called;
//   - that a call that was cancelled or late did nothing. The server was told, and may not have listened.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

// Server is what the owner says about a server. It has a Command or a URL.
type Server struct {
	Name        string // a-z, 0-9 and single dashes, at most 32; its skill has the same
	Description string // what it is for; "" is made from the names of its tools
	Keywords    []string
	Only        []string // the tools to take, in the server's own words; none means all

	Rights  Rights
	Command Command
	URL     string // of a streamable HTTP endpoint
	Times   Times
	// Version is the protocol's, such as "2025-11-25", for a server that does not answer when it is asked for its versions.
	Version string
}

// Rights are what the owner lets a server's tools do.
type Rights struct {
	Level event.Level // the lowest that may use them
	// Trusted says that the words with which the server describes itself do not count as a stranger's. Its answers do.
	Trusted bool
	// Capabilities are what a call of its tools may do; 0 is anything. Untrusted is always added, and so is Sends unless Sealed.
	Capabilities tools.Capabilities
	// Sealed reports whether the kernel keeps the server off the network, see [IsSealed]. Nil means that nothing does.
	Sealed func(ctx context.Context) bool
}

// Times bound what a server may take. What is 0 gets the default.
type Times struct {
	Call  time.Duration // 60 s, for one call
	Start time.Duration // 30 s, until it has said what tools it has
	Idle  time.Duration // 10 min without a call, after which it is ended
	Pause time.Duration // 1 s, until it is started again after it has failed once; twice as much after each further time, at most 5 min
}

// Config is what a [Client] is made of.
type Config struct {
	Server
	Start   Start        // starts the Command
	HTTP    *http.Client // asks the URL; its Transport, which must be set, decides what may be reached
	Memory  Cache        // may be nil
	Release string       // hob's own, which servers are told
	// Taken reports whether a name is that of a tool that the server must not stand in for. Nil: none is.
	Taken func(tool string) bool
}

// Client is one server and what is known of it. It is safe for concurrent use.
type Client struct {
	cfg   Config
	turn  chan struct{} // holds one token: whoever has it may start the server or read its list
	known atomic.Pointer[catalog]

	mu      sync.Mutex // guards what follows, and is never held for long
	run     *run       // nil: it does not run
	fails   int        // how often in a row it ended by itself, or did not start
	until   time.Time  // it is not started before
	last    error      // why it ended last, where nobody wished it
	starts  int
	left    string // what is to be said of what it left when it ended
	closed  bool
	closing chan struct{} // closed with it
	watches sync.WaitGroup
}

// New checks what the owner says and returns a client. Nothing is started; ctx is for reading the memory.
func New(ctx context.Context, cfg Config) (*Client, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("set up the MCP server %q: %w", cfg.Name, err)
	}
	t := &cfg.Times
	for _, one := range []struct {
		of      *time.Duration
		without time.Duration
	}{{&t.Call, time.Minute}, {&t.Start, 30 * time.Second}, {&t.Idle, 10 * time.Minute}, {&t.Pause, time.Second}} {
		if *one.of <= 0 {
			*one.of = one.without
		}
	}
	c := &Client{cfg: cfg, turn: make(chan struct{}, 1), closing: make(chan struct{})}
	c.known.Store(c.catalog(c.recall(ctx)))
	return c, nil
}

func (c Config) check() error {
	switch {
	case !plainName(c.Name):
		return errors.New("its name is made of a-z, 0-9 and single dashes, and is at most 32 letters long")
	case (len(c.Command.Args) == 0) == (c.URL == ""):
		return errors.New("give it either a command or a url")
	case c.URL == "" && c.Start == nil:
		return errors.New("nothing can start its command")
	case c.URL != "" && (c.HTTP == nil || c.HTTP.Transport == nil):
		return errors.New("nothing can reach its url")
	case c.URL == "":
		return nil
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return err
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return errors.New("its url is like https://example.org/mcp, without a name and password in it")
	}
	return nil
}

// plainName reports whether a name can be a skill's and the beginning of a tool's.
func plainName(name string) bool {
	strange := func(r rune) bool { return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') }
	return name != "" && len(name) <= 32 && !strings.ContainsFunc(name, strange) && !strings.Contains(name, "--") &&
		!strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}

// source is where what a server says comes from: "mcp:" and its name.
func (c *Client) source() string { return "mcp:" + c.cfg.Name }

// Skill returns the skill as far as it is known without starting the server.
func (c *Client) Skill() skills.Skill {
	known := c.known.Load()
	s := skills.Skill{
		Name: c.cfg.Name, Description: c.cfg.Description, Instructions: known.instructions,
		Keywords: append([]string{c.cfg.Name}, c.cfg.Keywords...),
		Tools:    slices.Clone(known.tools), Source: c.source(), Level: c.cfg.Rights.Level, Begin: c.Begin,
	}
	if s.Description == "" {
		s.Description = known.about(c.cfg.Name)
	}
	if !c.cfg.Rights.Trusted {
		s.Label = event.Label{Untrusted: true, Source: c.source()}
	}
	return s
}

// Begin starts the server unless it runs, and returns the skill with the tools that it has now. The error has no words of the
// server's in it unless it is trusted.
func (c *Client) Begin(ctx context.Context) (skills.Skill, error) {
	r, err := c.ensure(ctx)
	if err != nil {
		return c.Skill(), c.hideServerWords(err)
	}
	defer r.drop()
	if r.stale.Swap(false) {
		if err := c.refresh(ctx, r); err != nil {
			return c.Skill(), c.hideServerWords(err)
		}
	}
	return c.Skill(), nil
}

// Status is how a server fares.
type Status struct {
	Name    string
	Running bool
	Tools   int
	Starts  int       // since this process began
	Next    time.Time // it is not started before; zero: whenever it is needed
	Missing []string  // of Only, what it does not have
	Error   string    // why it ended last, the server's own words included; "" where somebody wished it
}

// Status returns how the server fares.
func (c *Client) Status() Status {
	known := c.known.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Status{Name: c.cfg.Name, Running: c.run != nil && !c.run.isOver(), Tools: len(known.tools), Starts: c.starts, Missing: known.missing}
	if time.Now().Before(c.until) {
		s.Next = c.until
	}
	if c.last != nil {
		s.Error = c.last.Error()
	}
	return s
}

// Close ends the server, and waits until it and all that is under way has ended. Nothing starts it again.
func (c *Client) Close() {
	c.mu.Lock()
	if !c.closed {
		close(c.closing)
	}
	c.closed = true
	if c.run != nil {
		c.run.end(errClosed)
	}
	c.mu.Unlock()
	c.turn <- struct{}{} // a start that is under way sees it, too
	<-c.turn
	c.watches.Wait()
}
