//go:build linux

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/display"
	"hob/internal/sandbox/inside"
)

// defaultTimeout is how long a command may run that names no time of its own.
const defaultTimeout = 60 * time.Second

// Process is a command under way.
type Process struct {
	capture *capture
	stop    func() // asks for the end
	done    chan struct{}
	walls   inside.Message // the helper's message when they stood
	outcome Outcome        // valid when done is closed
	link    *link          // to its helper; nil in T4
	input   io.WriteCloser // our end of its standard input, after Stdin; nil without Open
}

// Wait waits for the end and returns the outcome; it may be called any number of times.
func (p *Process) Wait() Outcome {
	<-p.done
	return p.outcome
}

// Done is closed when Wait would return at once.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stop kills the command and all that it started, and waits until they are gone.
func (p *Process) Stop() {
	p.stop()
	<-p.done
}

// Input is the standard input of a command that was started with [Command].Open, and nil for any other. A Write blocks while
// the command does not read, and fails when it has ended; Close ends the command's input, and a Write under way.
func (p *Process) Input() io.WriteCloser { return p.input }

// Output returns what the command has written so far.
func (p *Process) Output() (stdout, stderr Output) { return p.capture.output() }

// runner is one command in one kind of walls. Its methods are called in this order, by one goroutine.
type runner interface {
	// begin starts the command and returns when it runs, or why it does not. Then nothing of it is left.
	begin(ctx context.Context) error
	// ended is closed when the command ended by itself. Nothing of it is running then.
	ended() <-chan struct{}
	// kill ends the command and everything that it started. It takes a bounded time.
	kill()
	// killEscaped kills processes of the command that got away.
	killEscaped()
	// settle fills in how the command ended, and lets go of everything.
	settle(o *Outcome)
}

// start starts a command. It returns when the command runs.
func start(ctx context.Context, l *launch) (*Process, error) {
	c, stdout, stderr, err := newCapture(l.rules.Limits, l.Live)
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	l.stdout, l.stderr = stdout, stderr
	var stdin *os.File // our end
	if len(l.Stdin) > 0 || l.Open {
		l.stdin, stdin, err = os.Pipe()
	} else {
		l.stdin, err = os.Open(os.DevNull)
	}
	if err != nil {
		stdout.Close()
		stderr.Close()
		c.start()
		c.abandon()
		return nil, fmt.Errorf("make the standard input: %w", err)
	}
	stop := make(chan struct{})
	p := &Process{capture: c, stop: sync.OnceFunc(func() { close(stop) }), done: make(chan struct{})}
	if l.Open {
		p.input = &input{pipe: stdin, fed: make(chan struct{})}
	}
	var r runner
	if l.tier == T4 {
		r = &plain{launch: l}
	} else {
		r = &walled{launch: l}
	}
	began := make(chan error, 1)
	go func() {
		// The kernel kills the command when the thread that started it ends, and so when hob is killed. The thread is
		// kept for the command's whole life, lest it end for reasons of Go's.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		p.run(ctx, r, l, stdin, stop, began)
	}()
	if err := <-began; err != nil {
		<-p.done
		return nil, err
	}
	return p, nil
}

// run is a command's whole life.
func (p *Process) run(ctx context.Context, r runner, l *launch, stdin *os.File, stop <-chan struct{}, began chan<- error) {
	defer close(p.done)
	p.capture.start()
	err := r.begin(ctx)
	for _, f := range []*os.File{l.stdin, l.stdout, l.stderr} {
		f.Close() // the command has its own by now
	}
	feeding := make(chan struct{})
	if err != nil || stdin == nil {
		stdin.Close() // nil can be closed
		close(feeding)
	} else {
		go func() { defer close(feeding); p.feed(stdin, l.Stdin) }()
	}
	if err != nil {
		began <- explain(err, p.capture.abandon())
		return
	}
	since := time.Now()
	if w, ok := r.(*walled); ok {
		p.walls, p.link = w.link.answer, w.link
	}
	began <- nil
	p.watch(ctx, r, l.Timeout, stop)
	stdin.Close()
	p.capture.stop(r.killEscaped)
	<-feeding
	o := &p.outcome
	o.Duration, o.Tier = time.Since(since), l.tier
	o.Stdout, o.Stderr = p.capture.output()
	r.settle(o)
}

// watch waits for the end of the command, or brings it about.
func (p *Process) watch(ctx context.Context, r runner, timeout time.Duration, stop <-chan struct{}) {
	timeout = cmp.Or(timeout, defaultTimeout)
	var late <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-r.ended():
		return
	case <-late:
		if isClosed(r.ended()) { // while this machine stood still
			return
		}
		p.outcome.TimedOut = true
	case <-ctx.Done():
		p.outcome.Stopped = true
	case <-stop:
		p.outcome.Stopped = true
	case <-p.capture.flood:
		p.outcome.Flooded = true
	}
	r.kill()
}

// isClosed reports whether a channel is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// setKilled fills in that a command was ended from without.
func (o *Outcome) setKilled() { o.Exit, o.Signal = -1, unix.SIGKILL.String() }

// failure is why the walls could not be built.
type failure struct {
	stage  string // the step, in a word
	err    error
	stderr string // what was printed meanwhile
}

func (f *failure) Error() string {
	text := fmt.Sprintf("build the sandbox's walls (%s): %v", f.stage, f.err)
	if f.stderr != "" {
		text += "; it said: " + f.stderr
	}
	return text
}

func (f *failure) Unwrap() error { return f.err }

// explain adds what a helper that failed has printed.
func explain(err error, stderr string) error {
	if f := (*failure)(nil); errors.As(err, &f) {
		f.stderr = display.Truncate(strings.ToValidUTF8(display.FirstLine(stderr), "?"), 300)
	}
	return err
}
