package telegramtest

import (
	"cmp"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

// Kind is how a call fails.
type Kind int

// Ways to fail, before or after the call is handled.
const (
	None            Kind = iota
	Refused              // not handled: nobody listens (over a socket: hung up on)
	DropBefore           // not handled: the connection ends
	HangBefore           // not handled: no answer, until the caller gives up
	TooMany              // not handled: 429 with Fault.RetryAfter
	Conflict             // not handled: 409
	Unauthorized         // not handled: 401
	BadRequest           // not handled: 400 with Fault.Message
	Internal             // not handled: 500 and a page of HTML
	BadGateway           // not handled: 502 and a page of HTML
	BadGatewayAfter      // handled: the same
	DropAfter            // handled: the connection ends
	HangAfter            // handled: no answer, until the caller gives up
	Half                 // handled: half of the answer
	NotJSON              // handled: 200 and a page of HTML
	Huge                 // handled: an answer of Fault.Bytes
	Slow                 // handled: the answer comes after Fault.Delay
	Duplicates           // getUpdates: each update twice
	Shuffled             // getUpdates: in the opposite order
)

func (k Kind) String() string {
	return [...]string{"None", "Refused", "DropBefore", "HangBefore", "TooMany", "Conflict", "Unauthorized", "BadRequest", "Internal", "BadGateway",
		"BadGatewayAfter", "DropAfter", "HangAfter", "Half", "NotJSON", "Huge", "Slow", "Duplicates", "Shuffled"}[k]
}

// before reports whether the call is not handled.
func (k Kind) before() bool { return k >= Refused && k <= BadGateway }

// loses reports whether the call is handled, and the caller cannot know.
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

// Chaos draws failures by chance, the same ones for the same seed: whether the n-th call of a method fails, and
// how, depends on nothing else.
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
	now := time.Now()
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

// drawFault decides how a call fails.
func (s *Server) drawFault(c *call) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.faults.draw(c)
	f.Delay = cmp.Or(f.Delay, 10*time.Second)
	f.RetryAfter = cmp.Or(f.RetryAfter, 3*time.Second)
	f.Bytes = cmp.Or(f.Bytes, 64<<20)
	if f.Kind != None {
		s.faults.counts[f.Kind]++
		c.rec.Fault = f.Kind
	}
	return f
}

func (all *faults) draw(c *call) Fault {
	name, now := c.rec.Method, time.Now()
	fits := func(f Fault) bool {
		return (f.Method == "" || f.Method == name) && (f.Chat == 0 || f.Chat == c.p.number("chat_id")) &&
			(f.Kind < Duplicates || name == "getUpdates")
	}
	n := all.nth[name]
	all.nth[name]++
	all.asked = slices.DeleteFunc(all.asked, func(f *Fault) bool { return f.For > 0 && !now.Before(f.until) })
	if i := slices.IndexFunc(all.asked, func(f *Fault) bool { return fits(*f) }); i >= 0 {
		f := all.asked[i]
		if f.Times--; f.Times == 0 {
			all.asked = slices.Delete(all.asked, i, i+1)
		}
		return *f
	}
	if all.chaos == nil {
		return Fault{}
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	x := rand.New(rand.NewPCG(all.chaos.Seed^h.Sum64(), n)).Float64()
	for _, r := range all.chaos.Rates {
		if !fits(r.Fault) {
			continue
		}
		if x -= r.P; x < 0 {
			return r.Fault
		}
	}
	return Fault{}
}

// failBefore answers a call that is not handled.
func (s *Server) failBefore(w http.ResponseWriter, r *http.Request, c *call, f Fault) {
	var no *refusal
	switch f.Kind {
	case TooMany:
		no = s.failTooMany(c, f)
	case Conflict:
		no = conflict(otherPoll)
	case BadRequest:
		no = bad(f.Message)
	case Unauthorized:
		no = unauthorized()
	case Internal, BadGateway:
		code := http.StatusInternalServerError
		if f.Kind == BadGateway {
			code = http.StatusBadGateway
		}
		s.finish(c, code, false)
		writePage(w, code)
		return
	default:
		s.finish(c, 0, false)
		if f.Kind == HangBefore {
			s.hang(r.Context(), c)
		}
		hangUp(w, f.Kind == Refused)
	}
	s.finish(c, no.code, false)
	s.refuse(w, no)
}

// failTooMany refuses a call, which counts as early all the same.
func (s *Server) failTooMany(c *call, f Fault) *refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = time.Now()
	wait := f.RetryAfter
	if early := c.noteEarly(); early != nil {
		wait = max(wait, time.Duration(early.retry)*time.Second)
	}
	return c.retryAfter(wait)
}
