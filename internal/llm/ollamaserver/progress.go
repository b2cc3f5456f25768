package ollamaserver

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"

	"hob/internal/display"
)

const (
	reportEvery = time.Second
	usualTime   = 5 * time.Minute // what a build takes at most on a machine with nothing else to do
	firstLine   = time.Minute     // after which a pipe gets its second line; each further one after twice the time
)

// Progress is how far a build is.
type Progress struct {
	Doing       string        // such as "building Ollama v0.24.0 from source"
	Done, Total int           // packages: compiled now, and to compile at most; a Total of 0 is unknown
	Elapsed     time.Duration // since it began
}

// String says so in a line.
func (p Progress) String() string {
	text := p.Doing
	if p.Total > 0 {
		text += fmt.Sprintf(": %d of at most %d packages", p.Done, p.Total)
	}
	if p.Elapsed < reportEvery {
		return text + "; this usually takes 3 to 5 minutes"
	}
	text += ", " + p.Elapsed.Round(time.Second).String() + " so far"
	if p.Elapsed > usualTime {
		return text + "; it is past the usual 5 minutes: this machine is slow or busy"
	}
	return text + " of the usual 3 to 5 minutes"
}

// Reporter shows a build to a person: in a terminal in one line, elsewhere in a few. One goroutine at a time uses it.
type Reporter struct {
	w     io.Writer
	width int // of the terminal; 0 is none
	doing string
	next  time.Duration // when doing gets its next line, where there is no terminal
	open  bool          // the terminal's line has no end yet
}

// NewReporter returns a reporter to w, a terminal of width columns, or something else if width is 0.
func NewReporter(w io.Writer, width int) *Reporter { return &Reporter{w: w, width: width} }

// Report shows p. It is what [Build] calls.
func (r *Reporter) Report(p Progress) {
	if r.width > 0 {
		r.open = true
		fmt.Fprintf(r.w, "\r\x1b[K%s", display.Truncate(p.String(), r.width-1))
		return
	}
	if p.Doing != r.doing {
		r.doing, r.next = p.Doing, 0
	}
	if p.Elapsed < r.next {
		return
	}
	r.next = max(2*r.next, firstLine)
	fmt.Fprintln(r.w, p)
}

// End ends the terminal's line, if there is one.
func (r *Reporter) End() {
	if r.open {
		fmt.Fprintln(r.w)
	}
	r.open = false
}

// reporting calls a report at once, and once a second until it is stopped.
type reporting struct {
	quit, gone chan struct{}

	mu       sync.Mutex
	progress Progress
	packages map[string]bool // false: not compiled yet
}

func startReporting(report func(Progress), doing string) *reporting {
	r := &reporting{quit: make(chan struct{}), gone: make(chan struct{}), progress: Progress{Doing: doing}}
	begin := time.Now()
	report(r.progress)
	go func() {
		defer close(r.gone)
		tick := time.NewTicker(reportEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				report(r.at(time.Since(begin)))
			case <-r.quit:
				return
			}
		}
	}()
	return r
}

func (r *reporting) at(elapsed time.Duration) Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Elapsed = elapsed
	return r.progress
}

// stop ends the reports. A nil reporting has none.
func (r *reporting) stop() {
	if r == nil {
		return
	}
	close(r.quit)
	<-r.gone
}

// count begins to count packages.
func (r *reporting) count(packages []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.packages = make(map[string]bool, len(packages))
	for _, p := range packages {
		r.packages[p] = false
	}
	r.progress.Total = len(r.packages)
}

// compiled notes a package that is being compiled, and reports whether the line is the name of one.
func (r *reporting) compiled(line string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	done, known := r.packages[line]
	if known && !done {
		r.packages[line] = true
		r.progress.Done++
	}
	return known
}

// packageLines takes the names of packages out of what go build -v writes, and hands on the rest.
type packageLines struct {
	progress *reporting
	rest     io.Writer
	line     []byte // that has no end yet
}

// Write implements [io.Writer].
func (w *packageLines) Write(p []byte) (int, error) {
	for rest := p; ; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		w.line = append(w.line, line...)
		if !whole {
			return len(p), nil
		}
		if !w.progress.compiled(string(w.line)) {
			if _, err := w.rest.Write(append(w.line, '\n')); err != nil {
				return 0, err
			}
		}
		w.line, rest = w.line[:0], after
	}
}
