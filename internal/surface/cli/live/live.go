// Package live is the prompt of an open conversation: a person types in the last rows of the terminal, at any time, while what
// hob says appears above. It uses the normal screen, so that all of it can be scrolled back to.
//
// A [Prompt] is a bubbletea program: model.go has what keys do, view.go what the last rows show, question.go what a question
// shows. It is a [cli.Canvas]: what is complete goes above for good, what is still written is drawn below it.
package live

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/sys/unix"

	"hob/internal/surface/cli"
)

// Options says how a prompt reads.
type Options struct {
	In, Out *os.File // a terminal
	Env     []string // of the process
	Colour  bool
	History *cli.History

	Lang string // of what the prompt says

	// Complete returns what the last bytes before the cursor can become, and how many of them. Nil: nothing.
	Complete func(before string) (bytes int, candidates []string)

	// More is called on Ctrl-O, and must not wait for the prompt. Nil: nothing is.
	More func()

	// Interrupt is called on Ctrl-C where no line is written. It must not wait for the prompt.
	Interrupt func()

	more func(f *os.File, within time.Duration) bool // waits for the rest of a key; nil: canRead
}

// Prompt is an open prompt. Its methods may be called by several goroutines.
type Prompt struct {
	program *tea.Program
	screen  *screen
	lines   chan string
	opened  chan struct{} // closed when the prompt stands there: what is put above it before is lost
	ended   chan struct{}
	err     error // why it ended; after ended

	mu            sync.Mutex
	width, height int
	printed       <-chan struct{} // closed when the line that was entered last stands above; nil: none was
}

// framesASecond is how often bubbletea looks for something to draw, also where nothing happens: at its 60 an idle prompt takes
// 0.9 % of a processor.
const framesASecond = 20

// Open shows a prompt. It ends with ctx, or with [Prompt.Close].
func Open(ctx context.Context, o Options) *Prompt {
	p := &Prompt{lines: make(chan string, 64), opened: make(chan struct{}), ended: make(chan struct{}), width: 80, height: 24}
	p.screen = newScreen(o.Out, reflows(o.getenv), sync.OnceFunc(func() { close(p.opened) }))
	p.program = tea.NewProgram(newModel(p, o), tea.WithInput(newKeyboard(o.In, o.more)), tea.WithOutput(p.screen),
		tea.WithEnvironment(o.Env), tea.WithoutSignalHandler(), tea.WithColorProfile(colorprofile.ANSI), tea.WithFPS(framesASecond),
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			if size, ok := msg.(tea.WindowSizeMsg); ok {
				p.screen.resize(size.Width)
			}
			return msg
		}))
	// Given the context, bubbletea would close its input while it is still read.
	stop := context.AfterFunc(ctx, p.program.Quit)
	go func() {
		defer close(p.ended)
		_, p.err = p.program.Run()
		if !stop() && p.err == nil {
			p.err = context.Cause(ctx)
		}
	}()
	return p
}

// Line returns the next message that was entered. It is io.EOF after Ctrl-D, or when the terminal is gone.
func (p *Prompt) Line(ctx context.Context) (string, error) {
	select {
	case line := <-p.lines:
		return line, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-p.ended:
	}
	select {
	case line := <-p.lines:
		return line, nil
	default:
	}
	if p.err != nil {
		return "", p.err
	}
	return "", io.EOF
}

// Size is the size of the terminal, in columns and rows.
func (p *Prompt) Size() (width, height int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.width, p.height
}

func (p *Prompt) resize(width, height int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.width, p.height = width, height
}

// enter returns a command that puts an entered line above, below those that were entered before it.
func (p *Prompt) enter(line string) tea.Cmd {
	printed := make(chan struct{})
	p.mu.Lock()
	before, height := p.printed, p.height
	p.printed = printed
	p.mu.Unlock()
	steps := []tea.Cmd{func() tea.Msg {
		if before != nil {
			<-before
		}
		return nil
	}}
	for _, lines := range chunksOf(line, height) {
		steps = append(steps, tea.Println(lines))
	}
	return tea.Sequence(append(steps, func() tea.Msg {
		close(printed)
		return nil
	})...)
}

// chunkOf is how many lines are put above at once on a terminal of height rows. bubbletea scrolls as many empty ones in: there has to be
// room for them beside the last rows.
func chunkOf(height int) int { return min(max(height/4, 1), 8) }

// chunksOf splits lines into those that are put above at once.
func chunksOf(text string, height int) []string {
	var all []string
	for lines := range slices.Chunk(strings.Split(text, "\n"), chunkOf(height)) {
		all = append(all, strings.Join(lines, "\n"))
	}
	return all
}

// Write implements [cli.Canvas].
func (p *Prompt) Write(text []byte) (int, error) {
	select {
	case <-p.opened:
	case <-p.ended:
		return 0, os.ErrClosed
	}
	p.mu.Lock()
	printed := p.printed
	p.mu.Unlock()
	if printed != nil {
		select {
		case <-printed: // what is written may answer that line
		case <-p.ended:
			return 0, os.ErrClosed
		}
	}
	p.program.Send(draftMsg(nil))
	_, height := p.Size()
	chunks := chunksOf(strings.TrimSuffix(string(text), "\n"), height)
	for i, lines := range chunks {
		if i == len(chunks)-1 {
			p.screen.await(lines[strings.LastIndexByte(lines, '\n')+1:])
		}
		if p.print(lines); p.hasEnded() {
			return 0, os.ErrClosed
		}
	}
	return len(text), nil
}

// Flush returns once the terminal has taken what was written before. An error says that the terminal is gone, or that the prompt is.
func (p *Prompt) Flush(ctx context.Context) error {
	last := p.screen.last()
	if last == nil {
		return nil // nothing was written yet
	}
	select {
	case <-last.done:
		return last.err
	case <-p.ended:
		return os.ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// IsInForeground reports whether the person who sits at the terminal sees the prompt: it was not put into the background of its shell.
func (p *Prompt) IsInForeground() bool {
	group, err := unix.IoctlGetInt(int(p.screen.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// print puts lines above. bubbletea would wait for ever where the program has ended.
func (p *Prompt) print(lines string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.program.Println(lines)
	}()
	select {
	case <-done:
	case <-p.ended:
	}
}

func (p *Prompt) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// Draft implements [cli.Canvas].
func (p *Prompt) Draft(lines []string) error {
	p.program.Send(draftMsg(lines))
	return nil
}

// Status shows what hob is doing, in a line above the prompt, with the time that it has taken. None, if text is "".
func (p *Prompt) Status(text string) { p.program.Send(statusMsg(text)) }

// Ask puts a question in place of the line, until one of its answers is entered; what was being written comes back
// afterwards. What the question is about can be printed next: it appears when it can be answered. answer waits, and returns which one it was.
func (p *Prompt) Ask(q Question) (answer func(context.Context) (int, error)) {
	got := make(chan answered, 1)
	p.program.Send(askMsg{q, got})
	return func(ctx context.Context) (int, error) {
		select {
		case a := <-got:
			return a.index, a.err
		case <-ctx.Done():
			p.program.Send(withdrawMsg{})
			return 0, context.Cause(ctx)
		case <-p.ended:
			return 0, io.EOF
		}
	}
}

// Edit opens the editor of the environment on the line that is being written.
func (p *Prompt) Edit() { p.program.Send(editMsg{}) }

// Lend gives the terminal to f, and shows the prompt again afterwards.
func (p *Prompt) Lend(f func() error) error {
	p.program.Send(lendMsg(true))
	p.program.Send(lendMsg(true)) // it is taken once the rows of the first are those to be shown
	defer p.program.Send(lendMsg(false))
	if err := p.program.ReleaseTerminal(); err != nil {
		return err
	}
	return errors.Join(f(), p.program.RestoreTerminal())
}

// Close ends the prompt and leaves the terminal as it was.
func (p *Prompt) Close() error {
	p.program.Quit()
	<-p.ended
	return p.err
}

// getenv looks up a variable of Env.
func (o Options) getenv(name string) string {
	for _, v := range o.Env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}
