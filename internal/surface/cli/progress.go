package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"hob/internal/display"
)

const (
	redrawEvery = 100 * time.Millisecond
	rateOver    = 10 * time.Second // the rate is that of the last so long
)

// Progress shows how far a download is. In a terminal it is one line, drawn anew at most ten times a second; elsewhere
// a line for each tenth. One goroutine uses it.
type Progress struct {
	w     io.Writer
	width int // of the terminal; 0 is none
	now   func() time.Time

	label   string
	samples []sample // of the last rateOver
	drawn   time.Time
	line    string // on the screen now
	tenth   int64  // told last, of label
	err     error
}

type sample struct {
	at   time.Time
	done int64
}

// NewProgress returns a progress to w, a terminal of width columns, or something else if width is 0.
func NewProgress(w io.Writer, width int, now func() time.Time) *Progress {
	return &Progress{w: w, width: width, now: now, tenth: -1}
}

// Update says that done of total bytes of what label names are there. A total of 0 is unknown. Another label begins
// anew.
func (p *Progress) Update(label string, done, total int64) error {
	label, now := display.OneLine(label), p.now()
	done = max(done, 0)
	if label != p.label {
		if err := p.End(); err != nil {
			return err
		}
		p.label, p.samples, p.tenth, p.drawn = label, nil, -1, time.Time{}
	}
	if n := len(p.samples); n > 0 && done < p.samples[n-1].done {
		p.samples = nil // it began anew
	}
	p.samples = append(p.samples, sample{now, done})
	for len(p.samples) > 2 && now.Sub(p.samples[1].at) >= rateOver {
		p.samples = p.samples[1:]
	}
	finished := total > 0 && done >= total
	if p.width > 0 {
		if !finished && now.Sub(p.drawn) < redrawEvery {
			return p.err
		}
		p.drawn, p.line = now, p.bar(done, total)
		p.write("\r\x1b[K" + p.line)
		return p.err
	}
	tenth := int64(0)
	if total > 0 {
		tenth = min(int64(10*(float64(done)/float64(total))), 10)
	}
	if tenth > p.tenth {
		p.tenth = tenth
		p.write(p.words(done, total) + "\n")
	}
	return p.err
}

// End leaves the last line on the screen and the cursor below it.
func (p *Progress) End() error {
	if p.line != "" {
		p.line = ""
		p.write("\n")
	}
	return p.err
}

func (p *Progress) write(s string) {
	if p.err == nil {
		if _, err := io.WriteString(p.w, s); err != nil {
			p.err = fmt.Errorf("show progress: %w", err)
		}
	}
}

// words tells label, share, bytes, rate and how long it still takes, as far as they are known.
func (p *Progress) words(done, total int64) string {
	parts := []string{p.label}
	switch {
	case total > 0:
		parts = append(parts, fmt.Sprintf("%3d %%", percent(done, total)), display.Bytes(done)+" of "+display.Bytes(total))
	case done > 0:
		parts = append(parts, display.Bytes(done))
	}
	if rate := p.rate(); rate > 0 {
		parts = append(parts, display.Bytes(int64(rate))+"/s")
		if left := total - done; left > 0 {
			parts = append(parts, duration(time.Duration(float64(left)/rate*float64(time.Second)).Round(time.Second))+" left")
		}
	}
	return strings.Join(parts, "  ")
}

// bar is words with a bar, where there is room for one.
func (p *Progress) bar(done, total int64) string {
	words := p.words(done, total)
	room := p.width - 1 - Width(words) - len("  []")
	if total <= 0 || room < 8 {
		return truncate(words, p.width-1)
	}
	room = min(room, 30)
	full := int(int64(room) * percent(done, total) / 100)
	return words + "  [" + strings.Repeat("=", full) + strings.Repeat(" ", room-full) + "]"
}

func percent(done, total int64) int64 {
	return min(int64(100*(float64(done)/float64(total))), 100)
}

// rate is in bytes a second; 0 if it is not known.
func (p *Progress) rate() float64 {
	if len(p.samples) < 2 {
		return 0
	}
	first, last := p.samples[0], p.samples[len(p.samples)-1]
	span := last.at.Sub(first.at)
	if span < time.Second/2 {
		return 0
	}
	return float64(last.done-first.done) / span.Seconds()
}
