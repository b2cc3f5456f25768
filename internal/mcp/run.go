package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	longPause = 5 * time.Minute
	// goodRun is how long a server must have run for its next pause to be the first again.
	goodRun = time.Minute
	// parting is how long a server may take to end by itself when its input has ended.
	parting = time.Second
	// maxLate is how many calls in a row may run out of time before the server is taken for dead.
	maxLate = 3
)

// Why a server was ended that had done nothing wrong.
const (
	errClosed = notice("hob has ended it")
	errIdle   = notice("nobody has called it for a while")
)

// run is a server that runs.
type run struct {
	session *mcp.ClientSession
	process *Process // nil: it is somewhere else
	wire    *wire    // likewise
	began   time.Time
	stale   atomic.Bool // its list has changed, it says

	mu   sync.Mutex
	why  error         // set before over is closed
	over chan struct{} // closed when it must end, or has: it takes no more calls
	gone chan struct{} // closed when nothing of it is left
	busy int           // calls under way
	used time.Time     // when the last one ended
	late int           // calls in a row that ran out of time
}

// take reserves the server for a call, which ends with drop. It fails when the server is over.
func (r *run) take() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isOver() {
		return false
	}
	r.busy++
	return true
}

func (r *run) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy--
	r.used = time.Now()
}

func (r *run) isOver() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// end says that the server must end. The first reason stays.
func (r *run) end(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endLocked(why)
}

func (r *run) endLocked(why error) {
	if !r.isOver() {
		r.why = why
		close(r.over)
	}
}

// rest ends the server if it has been idle for so long, and returns after what time to look again.
func (r *run) rest(idle time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy > 0 {
		return idle
	}
	left := idle - time.Since(r.used)
	if left <= 0 {
		r.endLocked(errIdle)
	}
	return left
}

// answered keeps count of calls that ran out of time.
func (r *run) answered(inTime bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.late++; inTime {
		r.late = 0
	}
	if r.late >= maxLate {
		r.endLocked(noticef("it did not answer %d calls in a row in time", r.late))
	}
}

// ensure returns the server, reserved, and starts it where it does not run.
func (c *Client) ensure(ctx context.Context) (*run, error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-c.turn }()
	r, err := c.current()
	if err != nil {
		return nil, err
	}
	if r != nil {
		if r.take() {
			return r, nil
		}
		select {
		case <-r.gone:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if err := c.pause(); err != nil {
		return nil, err
	}
	return c.start(ctx)
}

func (c *Client) current() (*run, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, &failure{server: c.cfg.Name, what: "is not started", err: errClosed}
	}
	return c.run, nil
}

// pause refuses a start that comes too soon after a failure.
func (c *Client) pause() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := time.Until(c.until)
	if left <= 0 {
		return nil
	}
	return &failure{server: c.cfg.Name, what: "is not started again for " + round(left), err: c.last}
}

// round is a time in words, in whole seconds and never too short.
func round(d time.Duration) string { return (d + time.Second - 1).Truncate(time.Second).String() }

// until calls do when end is closed before ctx ends, and returns then.
func until(ctx context.Context, end <-chan struct{}, do func()) {
	select {
	case <-end:
		do()
	case <-ctx.Done():
	}
}

// failed makes a note of a server that did not start, or ended by itself, and of how long it is left alone.
func (c *Client) failed(err error, lived time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if lived >= goodRun {
		c.fails = 0
	}
	wait := longPause
	if c.fails < 9 {
		wait = min(c.cfg.Times.Pause<<c.fails, longPause)
	}
	c.fails, c.last, c.until = c.fails+1, err, time.Now().Add(wait)
}

// start starts the server and learns what tools it has. It is called by whoever has the turn.
func (c *Client) start(ctx context.Context) (*run, error) {
	within, cancel := context.WithTimeoutCause(ctx, c.cfg.Times.Start, noticef("it was not ready within %s", c.cfg.Times.Start))
	defer cancel()
	within, stop := context.WithCancelCause(within)
	defer stop(nil)
	c.watches.Go(func() { until(within, c.closing, func() { stop(errClosed) }) })
	r, err := c.connect(within)
	if err == nil {
		if err = c.refresh(within, r); err != nil {
			r.end(err)
			r.clear()
		}
	}
	if err != nil {
		if cause := context.Cause(within); cause != nil && ctx.Err() == nil {
			err = cause
		}
		f := &failure{server: c.cfg.Name, what: "did not start", err: err}
		if r != nil {
			f.stderr, f.err = r.lastStderr(), r.reason(err)
			if f.err == endedAlone && r.process != nil && r.process.Sees != "" { // mostly it misses a file
				f.err = noticef("%s; in its sandbox it sees %s", endedAlone, r.process.Sees)
			}
			c.leave(r)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx) // whoever wanted it does so no more; it has done nothing wrong
		}
		c.failed(f, 0)
		return nil, f
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run, c.last = r, nil
	c.starts++
	if c.closed {
		r.end(errClosed)
	}
	c.watches.Go(func() { c.watch(r) })
	if !r.take() {
		return nil, &failure{server: c.cfg.Name, what: "is not started", err: errClosed}
	}
	return r, nil
}

// connect starts the server and greets it. Beside an error the run may say more, and nothing of it is left.
func (c *Client) connect(ctx context.Context) (*run, error) {
	r := &run{began: time.Now(), used: time.Now(), over: make(chan struct{}), gone: make(chan struct{})}
	var to mcp.Transport
	if c.cfg.URL != "" {
		to = c.remote()
	} else {
		p, err := c.cfg.Start(ctx, c.cfg.Command)
		if err != nil {
			return nil, noticef("%v", err) // it has said nothing yet
		}
		r.process, r.wire = p, newWire(p)
		to = r.wire
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "hob", Version: c.cfg.Release}, &mcp.ClientOptions{
		Capabilities:           &mcp.ClientCapabilities{}, // it is offered nothing
		MultiRoundTrip:         &mcp.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { r.stale.Store(true) },
	})
	session, err := client.Connect(ctx, to, &mcp.ClientSessionOptions{ProtocolVersion: c.cfg.Version})
	if err != nil {
		r.end(err)
		r.clear()
		return r, err
	}
	r.session = session
	return r, nil
}

// watch lives as long as a run and clears it away.
func (c *Client) watch(r *run) {
	ended := make(chan error, 1)
	go func() { ended <- r.session.Wait() }()
	idle := time.NewTimer(c.cfg.Times.Idle)
	defer idle.Stop()
	for waiting := true; waiting; {
		select {
		case err := <-ended:
			r.end(r.reason(err))
			ended <- nil // for whoever waits below
			waiting = false
		case <-r.over:
			waiting = false
		case <-idle.C:
			idle.Reset(max(r.rest(c.cfg.Times.Idle), time.Millisecond))
		}
	}
	r.clear()
	c.leave(r)
	<-ended //nolint:errcheck // r.why says more
	if !errors.Is(r.why, errClosed) && !errors.Is(r.why, errIdle) {
		c.failed(&failure{server: c.cfg.Name, what: "has ended", err: r.reason(r.why), stderr: r.lastStderr()}, time.Since(r.began))
	}
	close(r.gone)
}

// clear ends everything of a run that is over, and waits for it.
func (r *run) clear() {
	if r.wire != nil {
		r.wire.Close() // first: what still waits for an answer has none then
	}
	if r.session != nil {
		_ = r.session.Close() // what it could say is said by the run's reason
	}
	if r.process == nil {
		return
	}
	grace := time.NewTimer(parting)
	defer grace.Stop()
	select {
	case <-r.process.Done:
	case <-grace.C:
	}
	r.process.Stop()
	r.wire.wait()
}

// leave notes what is to be said of what a run that was cleared away has left.
func (c *Client) leave(r *run) {
	if r.process == nil || r.process.Left == nil {
		return
	}
	left := r.process.Left()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left += left
}

// takeLeft returns what is to be said, once.
func (c *Client) takeLeft() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.left
	c.left = ""
	return left
}

// reason is why the server ended: what this side found wrong with it, or else err.
func (r *run) reason(err error) error {
	if r.wire != nil {
		if why := r.wire.reason(); why != nil {
			return why
		}
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return endedAlone
	}
	return err
}

// endedAlone is why a server ended that nobody ended.
const endedAlone notice = "it ended by itself"

// lastStderr is the last that the server wrote to standard error.
func (r *run) lastStderr() string {
	if r.process == nil || r.process.Tail == nil {
		return ""
	}
	return r.process.Tail()
}
