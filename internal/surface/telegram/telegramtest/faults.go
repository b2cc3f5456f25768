package telegramtest

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Kind is how a call fails.
type Kind int

// Ways to fail. Before some the call is dealt with, before others it is not; the latter ones only say so in this list.
const (
	None            Kind = iota
	Refused              // not dealt with: nobody listens (over a socket: hung up on)
	DropBefore           // not dealt with: the connection ends
	HangBefore           // not dealt with: no answer, until the caller gives up
	TooMany              // not dealt with: 429 with Fault.RetryAfter
	Conflict             // not dealt with: 409
	Unauthorized         // not dealt with: 401
	BadRequest           // not dealt with: 400 with Fault.Message
	Internal             // not dealt with: 500 and a page of HTML
	BadGateway           // not dealt with: 502 and a page of HTML
	BadGatewayAfter      // dealt with: the same
	DropAfter            // dealt with: the connection ends
	HangAfter            // dealt with: no answer, until the caller gives up
	Half                 // dealt with: half of the answer
	NotJSON              // dealt with: 200 and a page of HTML
	Huge                 // dealt with: an answer of Fault.Bytes
	Slow                 // dealt with: the answer comes after Fault.Delay
	Duplicates           // getUpdates: each update twice
	Shuffled             // getUpdates: in the opposite order
)

func (k Kind) String() string {
	return [...]string{"None", "Refused", "DropBefore", "HangBefore", "TooMany", "Conflict", "Unauthorized", "BadRequest", "Internal", "BadGateway",
		"BadGatewayAfter", "DropAfter", "HangAfter", "Half", "NotJSON", "Huge", "Slow", "Duplicates", "Shuffled"}[k]
}

// before reports whether the call is not dealt with.
func (k Kind) before() bool { return k >= Refused && k <= BadGateway }

// loses reports whether the call is dealt with, and the caller cannot know.
func (k Kind) loses() bool { return k >= BadGatewayAfter && k <= Huge }

// Fault is a failure that is asked for.
type Fault struct {
	Method string // "" for any; "file" for the download of one
	Chat   int64  // 0 for any
	Kind   Kind
	Times  int           // how many calls fail, 0 for one, or with For for all
	For    time.Duration // since Fail, 0 until Times are used up

	RetryAfter time.Duration // of TooMany, whole seconds, 0 for 3 s
	Delay      time.Duration // of Slow, 0 for 10 s
	Bytes      int64         // of Huge, 0 for 64 MiB
	Message    string        // of BadRequest

	until time.Time
}

// Chaos draws failures by chance, the same ones for the same seed: whether the n-th call of a method fails, and how, depends on
// nothing else.
type Chaos struct {
	Seed  uint64
	Rates []Rate
}

// Rate is how probable a failure is. The rates of a method add up to at most 1.
type Rate struct {
	Fault         // Times and For are not looked at
	P     float64 // from 0 to 1
}

// faults is what is to fail, and what has.
type faults struct {
	asked  []*Fault
	chaos  *Chaos
	nth    map[string]uint64
	counts map[Kind]int
}

// Fail makes coming calls fail; of several faults that are for a call, the first one asked for is used.
func (s *Server) Fail(all ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.opts.Now()
	for _, f := range all {
		if f.For > 0 {
			f.until = now.Add(f.For)
		}
		if f.Times == 0 && f.For == 0 {
			f.Times = 1
		}
		s.faults.asked = append(s.faults.asked, &f)
	}
}

// Heal takes back what was asked for with Fail, and replaces what fails by chance; nil for nothing.
func (s *Server) Heal(c *Chaos) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.asked, s.faults.chaos = nil, c
}

// Faults counts the failures so far.
func (s *Server) Faults() map[Kind]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.faults.counts)
}

// draw is how a call fails.
func (s *Server) draw(c *call) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.drawn(c)
	if f.Delay == 0 {
		f.Delay = 10 * time.Second
	}
	if f.RetryAfter == 0 {
		f.RetryAfter = 3 * time.Second
	}
	if f.Bytes == 0 {
		f.Bytes = 64 << 20
	}
	if f.Kind != None {
		s.faults.counts[f.Kind]++
		c.rec.Fault = f.Kind
	}
	return f
}

func (s *Server) drawn(c *call) Fault {
	name := c.rec.Method
	fits := func(f Fault) bool {
		return (f.Method == "" || f.Method == name) && (f.Chat == 0 || f.Chat == c.p.number("chat_id", 0)) &&
			(f.Kind < Duplicates || name == "getUpdates")
	}
	n := s.faults.nth[name]
	s.faults.nth[name]++
	now := s.opts.Now()
	s.faults.asked = slices.DeleteFunc(s.faults.asked, func(f *Fault) bool { return f.For > 0 && !now.Before(f.until) })
	for i, f := range s.faults.asked {
		if !fits(*f) {
			continue
		}
		if f.Times > 0 {
			f.Times--
			if f.Times == 0 {
				s.faults.asked = slices.Delete(s.faults.asked, i, i+1)
			}
		}
		return *f
	}
	if s.faults.chaos == nil {
		return Fault{}
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	x := rand.New(rand.NewPCG(s.faults.chaos.Seed^h.Sum64(), n)).Float64()
	for _, r := range s.faults.chaos.Rates {
		if !fits(r.Fault) {
			continue
		}
		if x -= r.P; x < 0 {
			return r.Fault
		}
	}
	return Fault{}
}

// serveBefore answers a call that is not dealt with.
func (s *Server) serveBefore(w http.ResponseWriter, r *http.Request, c *call, f Fault) {
	var no *refusal
	switch f.Kind {
	case TooMany:
		s.mu.Lock()
		c.now = s.opts.Now()
		no = s.early(c) // it counts as early all the same
		no = s.wait(c, max(f.RetryAfter, retryOf(no)))
		s.mu.Unlock()
	case Conflict:
		no = &refusal{code: http.StatusConflict, text: "Conflict: terminated by other getUpdates request; " +
			"make sure that only one bot instance is running"}
	case BadRequest:
		no = &refusal{code: http.StatusBadRequest, text: "Bad Request: " + f.Message}
	case Unauthorized:
		no = &refusal{code: http.StatusUnauthorized, text: "Unauthorized"}
	}
	switch {
	case no != nil:
		s.finish(c, no.code, false)
		refuse(w, no)
	case f.Kind == Internal:
		s.finish(c, http.StatusInternalServerError, false)
		page(w, http.StatusInternalServerError)
	case f.Kind == BadGateway:
		s.finish(c, http.StatusBadGateway, false)
		page(w, http.StatusBadGateway)
	default:
		s.finish(c, 0, false)
		if f.Kind == HangBefore {
			s.hang(r.Context(), c)
		}
		hangUp(w, f.Kind == Refused)
	}
}

func retryOf(no *refusal) time.Duration {
	if no == nil {
		return 0
	}
	return time.Duration(no.retry) * time.Second
}

func number(n int) string { return strconv.Itoa(n) }
