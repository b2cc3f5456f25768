// Package pdf reads the text of a PDF that a stranger wrote.
//
// It is a program of this binary's own, to be run behind walls: [Main] reads the file from standard input, writes its
// text to standard output and does nothing else. A PDF is a program for somebody else's code, so nothing here is
// expected to be safe by itself. What can be bounded is: the file, the text, pages, nesting, time. What cannot, such as
// a file that makes the library loop or take all memory, ends this process and no other.
//
// The text is UTF-8 without control characters, in the order in which the file draws it, which is the reading order of
// almost everything that office programs, browsers and TeX write. Lines are the page's lines; a blank line stands where
// the page leaves more room. In a file of several pages each begins with a line such as "[page 2]". What is missing is
// said in its place, in brackets.
//
// Not read: encryption with a password or with AES-256, pictures of text, the compressions LZW and RunLength, fonts that
// do not say what their glyphs mean.
//
// The exit status says what went wrong, and [Explain] says it in words; standard error has the same words. No word of the
// file's is in them.
package pdf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// Name is the program's name within this binary.
const Name = "__pdf"

// Bounds.
const (
	MaxFile     = 32 << 20         // bytes of a PDF
	MaxText     = 4 << 20          // bytes of text; the rest is left out, and a line says so
	MaxTime     = 15 * time.Second // the text read by then is the result
	memoryLimit = 384 << 20        // bytes past which memory is saved rather than time
	maxStack    = 64 << 20         // bytes, after which a recursion without an end ends the process
)

// The exit statuses besides 0. They stay clear of what shells and the Go runtime use.
const (
	exitDamaged = iota + 11
	exitLocked
	exitPictures
	exitLarge
	exitSlow
	exitBroken
)

// Explain returns what an exit status means, as a sentence without a capital and a full stop. Any other status is that
// of a process that was ended by what the file made of it.
func Explain(status int) string {
	switch status {
	case 0:
		return "the PDF was read"
	case exitDamaged:
		return "the PDF is damaged, or written in a way that is not understood"
	case exitLocked:
		return "the PDF is encrypted"
	case exitPictures:
		return "the PDF holds no text that can be read: it is made of pictures"
	case exitLarge:
		return fmt.Sprintf("the PDF is larger than %d MiB", MaxFile>>20)
	case exitSlow:
		return fmt.Sprintf("nothing of the PDF could be read within %s", MaxTime)
	case exitBroken:
		return "the PDF's text could not be handed on"
	}
	return "the PDF could not be read: it takes too much memory, or breaks its reader"
}

// Main is the program. It takes no arguments.
func Main([]string) int { return program(MaxTime) }

func program(within time.Duration) int {
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(memoryLimit)
	status := run(os.Stdin, os.Stdout, within)
	if status != 0 {
		fmt.Fprintln(os.Stderr, Explain(status))
	}
	return status
}

// run is Main with its surroundings as parameters.
func run(in io.Reader, out io.Writer, within time.Duration) int {
	file, err := io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err != nil {
		return exitBroken
	}
	if len(file) > MaxFile {
		return exitLarge
	}
	text := &pages{}
	done := make(chan error, 1)
	go func() { done <- read(file, text) }()
	alarm := time.NewTimer(within)
	defer alarm.Stop()
	select {
	case err = <-done:
	case <-alarm.C: // whoever reads on ends with the process
		err = errSlow
	}
	whole, status := text.all(err)
	if status != 0 {
		return status
	}
	if _, err := io.WriteString(out, whole); err != nil {
		return exitBroken
	}
	return 0
}

// Why a text ends early. The words are for the place where it does.
var (
	errDamaged = errors.New("the rest is damaged")
	errLocked  = errors.New("the rest is encrypted")
	errSlow    = errors.New("the rest took too long to read")
	errFull    = errors.New("the rest is left out: the text is too long")
	errMany    = errors.New("the rest is left out: there are too many pages")
)

// exitOf is the status for a file of which there is no text, err being why.
func exitOf(err error) int {
	switch {
	case errors.Is(err, errDamaged):
		return exitDamaged
	case errors.Is(err, errLocked):
		return exitLocked
	case errors.Is(err, errSlow):
		return exitSlow
	}
	return exitPictures
}

// pages is what was read so far. One goroutine adds and another may look.
type pages struct {
	mu   sync.Mutex
	text []string // of each page, "" for one without
	size int
}

// add adds a page, or returns errFull and adds what of it there is room for.
func (p *pages) add(text string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if room := MaxText - p.size; len(text) > room {
		p.text = append(p.text, strings.ToValidUTF8(text[:room], ""))
		return errFull
	}
	p.text = append(p.text, text)
	p.size += len(text)
	return nil
}

// all returns the whole text, or the exit status where there is none. err is why it ends early, or nil.
func (p *pages) all(err error) (string, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	status := exitOf(err)
	for i, text := range p.text {
		if len(p.text) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "[page %d]\n", i+1)
		}
		if text != "" {
			b.WriteString(text)
			b.WriteString("\n")
		}
		switch {
		case text == unreadable && status == exitPictures:
			status = exitDamaged
		case text != "" && text != unreadable:
			status = 0
		}
	}
	if status != 0 {
		return "", status
	}
	if err != nil {
		fmt.Fprintf(&b, "\n[%s]\n", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), 0
}
