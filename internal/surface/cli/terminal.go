package cli

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"

	"hob/internal/display"
	"hob/internal/phrases"
)

// Terminal is where a command reads and writes. Any of its streams may be a pipe or a file instead: its methods find out.
// One goroutine uses it.
type Terminal struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string // the environment

	prompt *Prompt // nil until something is asked
}

// The size of a common terminal.
const (
	commonWidth  = 80
	commonHeight = 24
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// IsInteractive reports whether a person is there: they type, and read the output.
func (t *Terminal) IsInteractive() bool { return IsTerminal(t.In) && IsTerminal(t.Out) }

// Color reports whether the output shows colours.
func (t *Terminal) Color() bool {
	return IsTerminal(t.Out) && t.Env("NO_COLOR") == "" && t.Env("TERM") != "dumb"
}

// Size is the size of the terminal that the output is, or that of a common one.
func (t *Terminal) Size() (width, height int) {
	if f, ok := t.Out.(*os.File); ok {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w, h
		}
	}
	return commonWidth, commonHeight
}

// Wrap is [Wrap] for the output, if it is a terminal.
func (t *Terminal) Wrap(text string) string {
	if !IsTerminal(t.Out) {
		return text
	}
	width, _ := t.Size()
	return Wrap(text, width)
}

// Look is how a [Printer] prints to the output while a turn is played.
func (t *Terminal) Look() Look {
	width, height := t.Size()
	return Look{Colour: t.Color(), Width: width, Height: height, Live: true, Lang: t.Language()}
}

// Language is the language that the environment asks for, such as "de"; "" is none that hob speaks.
func (t *Terminal) Language() string { return phrases.Environment(t.Env) }

// Clean removes from a text what could harm the terminal, if the output is one.
func (t *Terminal) Clean(text string) string {
	if IsTerminal(t.Out) {
		return display.Clean(text)
	}
	return text
}

// Prompt returns the prompt that asks questions, where errors go. There is one: keys that one has read are lost for another.
func (t *Terminal) Prompt() *Prompt {
	if t.prompt == nil {
		t.prompt = NewPrompt(t.In, t.Err)
	}
	return t.prompt
}

// Confirm asks a yes-or-no question, which is in the language of the terminal. Where nobody can type, the answer is no.
func (t *Terminal) Confirm(ctx context.Context, question string) (yes bool, err error) {
	if !IsTerminal(t.In) {
		return false, nil
	}
	return t.Prompt().Confirm(ctx, t.Language(), question)
}

// HasInput reports whether the input was given to this command to read. A device or a socket was not: a service manager or a
// remote shell leaves one open that never ends.
func (t *Terminal) HasInput() bool {
	f, ok := t.In.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}
