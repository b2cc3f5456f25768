package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/term"
)

func TestPrompt_Ask(t *testing.T) {
	const left, up = "\x1b[D", "\x1b[A"
	for _, c := range []struct {
		name, keys string
		want       []string
		end        error
	}{
		{"lines", "one\rtwo\r", []string{"one", "two"}, io.EOF},
		{"other scripts", "привет 你好\r", []string{"привет 你好"}, io.EOF},
		{"blanks", "  one \r", []string{"one"}, io.EOF},
		{"editing", "ac" + left + "b\x7f\x7fa\r", []string{"ac"}, io.EOF},
		{"no history", "one\r" + up + "two\r", []string{"one", "two"}, io.EOF},
		{"Ctrl-C on an empty line", "one\r\x03two\r", []string{"one"}, ErrInterrupted},
		{"Ctrl-C within a line", "on\x03two\r", nil, ErrInterrupted},
		{"Ctrl-D on an empty line", "one\r\x04two\r", []string{"one"}, io.EOF},
		{"the end within a line", "one\rtw", []string{"one"}, io.EOF},
		{"the end within a key", "one\r\x1b[", []string{"one"}, io.EOF},
	} {
		for name, reader := range map[string]io.Reader{"": strings.NewReader(c.keys), " byte by byte": iotest.OneByteReader(strings.NewReader(c.keys))} {
			for how, secret := range map[string]bool{"": false, ", unseen": true} {
				if secret && c.name == "editing" {
					continue
				}
				var out strings.Builder
				p, got, err := NewPrompt(reader, &out), []string(nil), error(nil)
				for err == nil {
					read := p.Ask
					if secret {
						read = p.Secret
					}
					var line string
					if line, err = read(t.Context(), "? "); err == nil {
						got = append(got, line)
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" || !errors.Is(err, c.end) {
					t.Errorf("%s%s%s: ended with %v, want %v (-want +got):\n%s", c.name, name, how, err, c.end, diff)
				}
				if secret && len(got) > 0 && strings.Contains(out.String(), got[0]) {
					t.Errorf("%s is shown: %q", c.name, out.String())
				}
				if reader = strings.NewReader(c.keys); name != "" {
					reader = iotest.OneByteReader(reader)
				}
			}
		}
	}
}

func TestPrompt_Confirm(t *testing.T) {
	for _, c := range []struct {
		keys string
		want bool
		err  error
	}{
		{"y\r", true, nil}, {"Yes \r", true, nil}, {"\r", false, nil}, {"n\r", false, nil}, {"yep\r", false, nil}, {"", false, nil}, {"y", false, nil},
		{"\x04", false, nil}, {"\x03", false, ErrInterrupted}, {"y\x03", false, ErrInterrupted},
	} {
		got, err := NewPrompt(strings.NewReader(c.keys), io.Discard).Confirm(t.Context(), "", "Run it?")
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%q is %v, %v; want %v, %v", c.keys, got, err, c.want, c.err)
		}
	}

	p := NewPrompt(strings.NewReader("do it\ry\r"), io.Discard)
	if _, err := p.Ask(t.Context(), "> "); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Confirm(t.Context(), "", "Run it?"); got || err != nil {
		t.Errorf("what was typed before the question is %v, %v", got, err)
	}

	out := &strings.Builder{}
	_, _ = NewPrompt(strings.NewReader(""), out).Confirm(t.Context(), "", "Run a\u200bb\x1b[2J\nnow?")
	if want := "Run a⟨U+200B⟩b␛[2J␊now? [y/N] "; !strings.HasPrefix(out.String(), want) {
		t.Errorf("the question is %q, want %q", out, want)
	}
}

// Where a read cannot be interrupted it goes on, and what it brings is not lost.
func TestPrompt_EndsWithItsContext(t *testing.T) {
	in, keyboard := io.Pipe()
	p := NewPrompt(in, io.Discard)
	gone := errors.New("decided elsewhere")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	if _, err := p.Confirm(ctx, "", "Run it?"); !errors.Is(err, gone) {
		t.Errorf("Confirm = %v, want the cause", err)
	}
	go func() {
		_, _ = keyboard.Write([]byte("hello\r"))
		keyboard.Close()
	}()
	if got, err := p.Ask(t.Context(), "> "); got != "hello" || err != nil {
		t.Errorf("Ask = %q, %v", got, err)
	}
}

func TestPrompt_LeavesTheTerminalAsItWas(t *testing.T) {
	master, slave := pty(t)
	before, err := term.GetState(int(slave.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	same := func(when string) {
		t.Helper()
		if after, err := term.GetState(int(slave.Fd())); err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%s the terminal is in another mode: %v", when, err)
		}
	}
	shown := newMatcher(master)
	p := NewPrompt(slave, slave)
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer)
	ask := func(ctx context.Context) {
		m, err := p.Ask(ctx, "> ")
		answers <- answer{m, err}
	}

	go ask(t.Context())
	shown.wait("> ")
	if during, err := term.GetState(int(slave.Fd())); err != nil || reflect.DeepEqual(before, during) {
		t.Errorf("while a line is read the terminal is not in raw mode: %v", err)
	}
	master.Write([]byte("hello\r"))
	if a := <-answers; a.text != "hello" || a.err != nil {
		t.Errorf("Ask = %q, %v", a.text, a.err)
	}
	same("after a line")

	go ask(t.Context())
	shown.wait("> ")
	master.Write([]byte("\x03"))
	if a := <-answers; !errors.Is(a.err, ErrInterrupted) {
		t.Errorf("Ask = %q, %v", a.text, a.err)
	}
	same("after Ctrl-C")

	ctx, cancel := context.WithCancel(t.Context())
	go ask(ctx)
	shown.wait("> ")
	cancel()
	if a := <-answers; !errors.Is(a.err, context.Canceled) {
		t.Errorf("Ask = %q, %v", a.text, a.err)
	}
	same("after its context ended")
}

// pty opens a terminal of its own.
func pty(t *testing.T) (master, slave *os.File) {
	t.Helper()
	const unlock, number = 0x40045431, 0x80045430 // TIOCSPTLCK, TIOCGPTN
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	var n, zero uint32
	for _, call := range []struct {
		what uintptr
		arg  *uint32
	}{{unlock, &zero}, {number, &n}} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), call.what, uintptr(unsafe.Pointer(call.arg))); errno != 0 {
			t.Fatal(errno)
		}
	}
	if slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

// matcher waits for what a terminal shows.
type matcher struct {
	from io.Reader
	seen string
}

func newMatcher(from io.Reader) *matcher { return &matcher{from: from} }

// wait returns when text was shown, and forgets all up to it.
func (m *matcher) wait(text string) {
	for buf := make([]byte, 256); !strings.Contains(m.seen, text); {
		n, err := m.from.Read(buf)
		if err != nil {
			return
		}
		m.seen += string(buf[:n])
	}
	_, m.seen, _ = strings.Cut(m.seen, text)
}

// A question in German is answered in it, or in English.
func TestPrompt_ConfirmInALanguage(t *testing.T) {
	for keys, want := range map[string]bool{"j\r": true, "ja\r": true, "yes\r": true, "n\r": false, "да\r": false} {
		out := &strings.Builder{}
		got, err := NewPrompt(strings.NewReader(keys), out).Confirm(t.Context(), "de", "Weiter?")
		if got != want || err != nil || !strings.HasPrefix(out.String(), "Weiter? [j/N] ") {
			t.Errorf("%q is %v, %v, after %q", keys, got, err, out)
		}
	}
}
