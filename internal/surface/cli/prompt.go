package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/term"

	"hob/internal/linux"
)

// ErrInterrupted is what a person says with Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// Prompt asks a person questions, a line each, outside of the prompt of package live. The terminal is in raw mode only while a
// question stands there, so that Ctrl-C is a signal at all other times. One goroutine asks.
type Prompt struct {
	out io.Writer
	fd  int // of a terminal; -1 if there is none

	keys   *keys
	editor *term.Terminal
}

// NewPrompt returns a prompt that reads from in and writes to out. If in is a terminal (has a method Fd and is one), it is switched
// to raw mode for each line; anything else is taken to be one that is.
func NewPrompt(in io.Reader, out io.Writer) *Prompt {
	p := &Prompt{out: out, fd: -1, keys: &keys{in: in, out: out}}
	if f, ok := in.(interface{ Fd() uintptr }); ok && term.IsTerminal(int(f.Fd())) {
		p.fd = int(f.Fd())
	}
	p.editor = newEditor(p.keys)
	return p
}

func newEditor(keys *keys) *term.Terminal {
	e := term.NewTerminal(keys, "")
	e.History = noHistory{}
	return e
}

// Ask reads one line. Ctrl-C is ErrInterrupted; Ctrl-D on an empty line, and the end of the input, are io.EOF. When ctx ends it is
// ctx's cause.
func (p *Prompt) Ask(ctx context.Context, question string) (string, error) {
	return p.line(ctx, func() (string, error) {
		p.editor.SetPrompt(question)
		return p.editor.ReadLine()
	})
}

// Secret is Ask, and shows nothing of what is typed.
func (p *Prompt) Secret(ctx context.Context, question string) (string, error) {
	return p.line(ctx, func() (string, error) { return p.editor.ReadPassword(question) })
}

// Confirm asks a question of a language and reports whether the answer was yes. All but its words for yes is a no, the end of the input
// too; Ctrl-C is a no, and ErrInterrupted.
func (p *Prompt) Confirm(ctx context.Context, lang, question string) (bool, error) {
	w := Words(lang)
	answer, err := p.Choose(ctx, question+" "+w.Text("confirm"), Answers(w, "yes")...)
	return answer != "", err
}

// Choose asks a question and returns the answer, in small letters, if it is one of answers; else, and at the end of the input, "".
// Whatever was typed before the question stood there is dropped: it was no answer to it.
func (p *Prompt) Choose(ctx context.Context, question string, answers ...string) (string, error) {
	p.keys.discard()
	p.editor = newEditor(p.keys)
	if p.fd >= 0 {
		_ = linux.DropTyped(p.fd) // else what was typed before is an answer
	}
	line, err := p.Ask(ctx, exactLine(question)+" ")
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if answer := strings.ToLower(line); err == nil && slices.Contains(answers, answer) {
		return answer, nil
	}
	return "", nil
}

// line has read read one line of the terminal, which is in raw mode meanwhile.
func (p *Prompt) line(ctx context.Context, read func() (string, error)) (_ string, err error) {
	if p.fd >= 0 {
		state, err := term.MakeRaw(p.fd)
		if err != nil {
			return "", fmt.Errorf("read line: %w", err)
		}
		defer func() {
			if bad := term.Restore(p.fd, state); bad != nil && err == nil {
				err = fmt.Errorf("restore terminal: %w", bad)
			}
		}()
		if width, height, err := term.GetSize(p.fd); err == nil && width > 0 {
			_ = p.editor.SetSize(width, height)
		}
	}
	p.keys.ctx, p.keys.interrupted = ctx, false
	line, err := read()
	if err != nil && p.keys.interrupted {
		err = ErrInterrupted
	}
	if err != nil {
		p.editor = newEditor(p.keys) // what was typed of the answer is none
		_, _ = io.WriteString(p.out, "\r\n")
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// keys is what an editor reads from and writes to. A read of a terminal cannot be interrupted: it goes on, in the one goroutine that
// nobody waits for, and what it brings is for the next call.
type keys struct {
	in          io.Reader
	out         io.Writer
	ctx         context.Context // of the question that is asked
	interrupted bool            // the last key was Ctrl-C

	chunk chan chunk // of a read under way; nil if there is none
	rest  chunk      // was read, and not handed on
}

type chunk struct {
	data []byte
	err  error
}

func (k *keys) Write(text []byte) (int, error) { return k.out.Write(text) }

func (k *keys) Read(p []byte) (int, error) {
	if len(k.rest.data) == 0 && k.rest.err == nil {
		if k.chunk == nil {
			k.chunk = make(chan chunk, 1)
			go func(to chan<- chunk) {
				buf := make([]byte, 4096)
				n, err := k.in.Read(buf)
				to <- chunk{buf[:n], err}
			}(k.chunk)
		}
		select {
		case k.rest = <-k.chunk:
			k.chunk = nil
		case <-k.ctx.Done():
			return 0, context.Cause(k.ctx)
		}
	}
	if len(k.rest.data) == 0 {
		return 0, k.rest.err
	}
	n := copy(p[:1], k.rest.data) // a key at a time: what comes behind the line is for the next question
	k.rest.data = k.rest.data[n:]
	k.interrupted = p[0] == ctrlC
	return n, nil
}

// ctrlC is what a terminal in raw mode sends for that key; the editor takes it for the end of the input.
const ctrlC = 0x03

// discard drops what was typed and not yet read.
func (k *keys) discard() {
	select {
	case c := <-k.chunk: // nil blocks
		k.chunk, k.rest.err = nil, c.err
	default:
	}
	k.rest.data = nil
}

// noHistory keeps no answer.
type noHistory struct{}

func (noHistory) Add(string)    {}
func (noHistory) Len() int      { return 0 }
func (noHistory) At(int) string { panic("an answer is asked for that was not kept") }
