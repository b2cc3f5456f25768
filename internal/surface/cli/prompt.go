package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"hob/internal/display"
)

// ErrInterrupted is what a person says with Ctrl-C on an empty line.
var ErrInterrupted = errors.New("interrupted")

// Prompt reads a person's words: with editing, history (the arrow keys) and pastes of several lines, which stay one
// message. A line that ends in a backslash goes on in the next.
//
// The terminal is in raw mode only while Read, Ask or Confirm run; so Ctrl-C is a signal at all other times. In the
// line being edited a line end is shown as ␤ and a tab as ␉, and these two runes mean what they show.
//
// One goroutine reads; others may Write meanwhile, whole lines.
type Prompt struct {
	// Complete returns the lines that one can become; the key Tab makes of a line what all of them begin with. Nil: none.
	Complete func(line string) []string

	out     io.Writer
	fd      int // of a terminal; -1 if there is none
	history *History
	keys    *keys
	secret  bool // what is typed is not shown

	mu     sync.Mutex
	editor *term.Terminal // while a line is being read
}

// NewPrompt returns a prompt that reads from in and writes to out. If in is a terminal (has a method Fd and is one),
// it is switched to raw mode for each line; anything else is taken to be one that is.
func NewPrompt(in io.Reader, out io.Writer, history *History) *Prompt {
	p := &Prompt{out: out, fd: -1, history: history, keys: &keys{in: in}}
	if f, ok := in.(interface{ Fd() uintptr }); ok && term.IsTerminal(int(f.Fd())) {
		p.fd = int(f.Fd())
	}
	return p
}

// Read reads a message and adds it to the history. Ctrl-C drops what was typed; on an empty line it is
// ErrInterrupted. Ctrl-D on an empty line, and the end of the input, are io.EOF. When ctx ends it is ctx's cause.
func (p *Prompt) Read(ctx context.Context, prompt string) (string, error) {
	var parts []string
	for {
		now := prompt
		if len(parts) > 0 {
			now = strings.Repeat(" ", max(stringWidth(prompt)-2, 0)) + "… "
		}
		line, err := p.line(ctx, now, len(parts) > 0, p.history.entries)
		if errors.Is(err, errDropped) {
			parts = nil
			continue
		}
		if err != nil {
			return "", err
		}
		rest, more := continues(line)
		parts = append(parts, rest)
		if more {
			continue
		}
		message := strings.Join(parts, "\n")
		if err := p.history.Add(message); err != nil { // told once: the history keeps nothing from now on
			fmt.Fprintf(p, "· %s\n", display.OneLine(err.Error()))
		}
		return message, nil
	}
}

// Ask reads one line that is no message: it has no history.
func (p *Prompt) Ask(ctx context.Context, prompt string) (string, error) {
	for {
		line, err := p.line(ctx, prompt, false, nil)
		if !errors.Is(err, errDropped) {
			return strings.TrimSpace(line), err
		}
	}
}

// Secret reads one line and shows nothing of it.
func (p *Prompt) Secret(ctx context.Context, prompt string) (string, error) {
	p.secret = true
	defer func() { p.secret = false }()
	return p.Ask(ctx, prompt)
}

// Confirm asks a question and reports whether the answer was yes. All but "y" and "yes" is a no, the end of the input too;
// Ctrl-C is a no, and ErrInterrupted.
func (p *Prompt) Confirm(ctx context.Context, question string) (bool, error) {
	answer, err := p.Choose(ctx, question+" [y/N]", "y", "yes")
	return answer != "", err
}

// Choose asks a question and returns the answer, in small letters, if it is one of answers; else, and at the end of the
// input, "". Whatever was typed before the question stood there is dropped: it was no answer to it.
func (p *Prompt) Choose(ctx context.Context, question string, answers ...string) (string, error) {
	p.keys.discard()
	if p.fd >= 0 {
		_ = unix.IoctlSetInt(p.fd, unix.TCFLSH, unix.TCIFLUSH) // else what was typed before is an answer
	}
	line, err := p.line(ctx, exactLine(question)+" ", false, nil)
	switch {
	case errors.Is(err, io.EOF):
		return "", nil
	case errors.Is(err, errDropped):
		return "", ErrInterrupted
	case err != nil:
		return "", err
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); slices.Contains(answers, answer) {
		return answer, nil
	}
	return "", nil
}

// Write prints whole lines. While a line is being read they go above it.
func (p *Prompt) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.editor != nil {
		return p.editor.Write(text)
	}
	return p.out.Write(text)
}

// errDropped says that Ctrl-C dropped a line that was not empty.
var errDropped = errors.New("the line was dropped")

// continues returns the line without the backslash that says that the next belongs to it.
func continues(line string) (string, bool) {
	rest, ok := strings.CutSuffix(line, "\\")
	if before := strings.TrimRight(rest, "\\"); !ok || (len(rest)-len(before))%2 == 1 { // an even number of them ends a line
		return line, false
	}
	return rest, true
}

// line reads one line. inMessage says that it is not the first of a message.
func (p *Prompt) line(ctx context.Context, prompt string, inMessage bool, history []string) (_ string, err error) {
	if p.fd >= 0 {
		state, err := term.MakeRaw(p.fd)
		if err != nil {
			return "", fmt.Errorf("read line: %w", err)
		}
		defer func() {
			p.mu.Lock() // nobody writes to a terminal in raw mode but through the editor
			defer p.mu.Unlock()
			p.editor = nil
			_, _ = io.WriteString(p.out, "\x1b[?2004l")
			if restoreErr := term.Restore(p.fd, state); restoreErr != nil && err == nil {
				err = fmt.Errorf("restore terminal: %w", restoreErr)
			}
		}()
	}
	e := &edit{keys: p.keys, inMessage: inMessage, complete: p.Complete}
	editor := term.NewTerminal(&reader{ctx: ctx, prompt: p}, prompt)
	editor.AutoCompleteCallback = e.key
	editor.History = recall(history)
	p.fit(editor)
	if p.fd >= 0 {
		_, _ = io.WriteString(p.out, "\x1b[?2004h")
	}
	p.mu.Lock()
	p.editor = editor
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.editor = nil
		p.mu.Unlock()
	}()

	read := editor.ReadLine
	if p.secret {
		read = func() (string, error) { return editor.ReadPassword(prompt) }
	}
	line, err := read()
	switch {
	case e.result != nil:
		return "", e.result
	case err != nil:
		_, _ = io.WriteString(p.out, "\r\n")
		return "", err
	}
	return restoreLineEnds(line), nil
}

// fit tells the editor the terminal's size.
func (p *Prompt) fit(editor *term.Terminal) {
	if p.fd < 0 {
		return
	}
	if width, height, err := term.GetSize(p.fd); err == nil && width > 0 {
		_ = editor.SetSize(width, height)
	}
}

// reader is what an editor reads from and writes to, for one line.
type reader struct {
	ctx    context.Context // of the one call that the reader lives for
	prompt *Prompt
}

func (r *reader) Read(buf []byte) (int, error) {
	n, err := r.prompt.keys.read(r.ctx, buf)
	if e := r.prompt.editor; e != nil {
		r.prompt.fit(e) // the window may have changed
	}
	if r.prompt.secret && err == nil { // then the editor tells its callback of no key
		switch {
		case bytes.IndexByte(buf[:n], keyInterrupt) >= 0:
			return 0, ErrInterrupted
		case bytes.IndexByte(buf[:n], keyEnd) >= 0:
			return 0, io.EOF
		}
	}
	return n, err
}

func (r *reader) Write(text []byte) (int, error) { return r.prompt.out.Write(text) }

// edit treats the keys that the editor does not.
type edit struct {
	keys      *keys
	inMessage bool
	complete  func(line string) []string
	result    error // what the line comes to, where it is not its text
}

// key implements the editor's callback.
func (e *edit) key(line string, pos int, key rune) (string, int, bool) {
	switch key {
	case keyInterrupt:
		e.result = errDropped
		if line == "" && !e.inMessage {
			e.result = ErrInterrupted
		}
		e.keys.ready = append(e.keys.ready, '\r')
		return line + "^C", len(line) + len("^C"), true
	case keyEnd:
		if line == "" {
			e.result = io.EOF
			e.keys.ready = append(e.keys.ready, '\r')
		} else {
			e.keys.ready = append(e.keys.ready, "\x1b[3~"...) // the key Delete
		}
	case '\t':
		if done := e.completeLine(line); pos == len(line) && done != "" {
			return done, len(done), true
		}
	case keyPaste:
		pasted := onOneLine(e.keys.pasted)
		return line[:pos] + pasted + line[pos:], pos + len(pasted), true
	}
	return "", 0, false
}

// completeLine is what a line becomes when it is completed: what all that it can become begin with, a blank behind the only one. It
// is "" where there is nothing to add.
func (e *edit) completeLine(line string) string {
	if e.complete == nil || e.inMessage {
		return ""
	}
	all := e.complete(line)
	if len(all) == 1 {
		return all[0] + " "
	}
	common := ""
	for i, one := range all {
		if common = one[:commonPrefix(common, one)]; i == 0 {
			common = one
		}
	}
	if len(common) <= len(line) {
		return ""
	}
	return common
}

// commonPrefix returns the length of the common prefix of a and b.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// onOneLine and restoreLineEnds turn a text into one line and back.
func onOneLine(s string) string { return strings.NewReplacer("\n", "␤", "\t", "␉").Replace(s) }

func restoreLineEnds(s string) string {
	return strings.NewReplacer("␤", "\n", "␉", "\t").Replace(s)
}

// recall is a history as the editor reads it. What to add is decided elsewhere.
type recall []string

func (recall) Add(string) {}

func (r recall) Len() int { return len(r) }

// At returns the entry so many before the newest. The file it came from is not trusted.
func (r recall) At(i int) string { return onOneLine(display.Clean(r[len(r)-1-i])) }
