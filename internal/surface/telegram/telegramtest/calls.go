package telegramtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Call is a request that the server has read.
type Call struct {
	Method  string
	Params  map[string]string
	Ignored []string // names of parameters that no method has, which Telegram ignores
	At      time.Time
	Code    int  // of the answer, 0 while there is none and where there was none
	Done    bool // it was answered, or never will be
	Fault   Kind
	Lost    bool // it was handled, and the bot cannot know
}

// note remembers a call.
func (s *Server) note(name string, p params) *Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Call{Method: name, Params: maps.Clone(p), At: time.Now()}
	for _, k := range slices.Sorted(maps.Keys(p)) {
		if !slices.Contains(knownParams(), k) {
			c.Ignored = append(c.Ignored, k)
		}
	}
	s.calls = keep(append(s.calls, c), s.opts.Keep)
	s.notify()
	return c
}

// finish notes how a call was answered.
func (s *Server) finish(c *call, code int, lost bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.rec.Code, c.rec.Done, c.rec.Lost = code, true, lost
	for _, m := range c.made {
		m.Lost = m.Lost || lost
	}
	s.notify()
}

// Calls returns the calls so far, of some methods or of all.
func (s *Server) Calls(methods ...string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Call
	for _, c := range s.calls {
		if len(methods) == 0 || slices.Contains(methods, c.Method) {
			all = append(all, *c)
		}
	}
	return all
}

// Wait returns when a condition holds. It looks after each thing that happens on the server; the condition may
// call the methods that look. Its error says that the context has ended before.
func (s *Server) Wait(ctx context.Context, holds func() bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if holds() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if holds() { // it came while nobody could look
				return nil
			}
			return fmt.Errorf("wait for the bot: %w", context.Cause(ctx))
		}
	}
}
