package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/term"

	"hob/internal/surface/cli"
)

// rawKeys are lines of keys, as terminals send them, and what a person means by them.
func rawKeys() []rawKey {
	const esc = "\x1b"
	long := strings.TrimSuffix(strings.Repeat("a line of 200\n", 200), "\n")
	return []rawKey{
		{"letters", "abc", "abc"},
		{"Ctrl-A", "bc\x01a", "abc"},
		{"Ctrl-E", "bc\x01a\x05d", "abcd"},
		{"Home of xterm", "bc" + esc + "[Ha", "abc"},
		{"Home of tmux and the Linux console", "bc" + esc + "[1~a", "abc"},
		{"Home of rxvt", "bc" + esc + "[7~a", "abc"},
		{"Home in application mode", "bc" + esc + "OHa", "abc"},
		{"End of xterm", "bc\x01" + esc + "[Fd", "bcd"},
		{"End of tmux and the Linux console", "bc\x01" + esc + "[4~d", "bcd"},
		{"End of rxvt", "bc\x01" + esc + "[8~d", "bcd"},
		{"End in application mode", "bc\x01" + esc + "OFd", "bcd"},
		{"Left", "ac" + esc + "[Db", "abc"},
		{"Left in application mode", "ac" + esc + "ODb", "abc"},
		{"Right", "bc\x01" + esc + "[Ca", "bac"},
		{"Right in application mode", "bc\x01" + esc + "OCa", "bac"},
		{"Ctrl-B and Ctrl-F", "ad\x02b\x06\x02c", "abcd"},
		{"Delete", "abcd\x01" + esc + "[3~", "bcd"},
		{"Ctrl-D in a line", "abc\x01\x04", "bc"},
		{"Backspace", "abcd\x7f", "abc"},
		{"Ctrl-H", "abcd\x08", "abc"},
		{"Ctrl-W", "foo bar\x17", "foo "},
		{"Ctrl-U", "foo bar\x15x", "x"},
		{"Ctrl-K", "foo bar\x01\x0bx", "x"},
		{"Ctrl-Y", "foo\x15\x19x", "foox"},
		{"Ctrl-T", "ba\x14", "ab"},
		{"Ctrl-_", "one two\x17\x1f", "one two"},
		{"Alt-B", "foo bar" + esc + "bx", "foo xbar"},
		{"Alt-F", "foo bar\x01" + esc + "fx", "foox bar"},
		{"Alt-D", "foo bar\x01" + esc + "d", " bar"},
		{"Alt-Backspace", "foo bar" + esc + "\x7f", "foo "},
		{"Ctrl-Left", "foo bar" + esc + "[1;5Dx", "foo xbar"},
		{"Ctrl-Right", "foo bar\x01" + esc + "[1;5Cx", "foox bar"},
		{"Ctrl-Left of rxvt", "foo bar" + esc + "Odx", "foo xbar"},
		{"Alt-Left", "foo bar" + esc + "[1;3Dx", "foo xbar"},
		{"Alt-Enter", "a" + esc + "\rb", "a\nb"},
		{"Ctrl-J", "a\nb", "a\nb"},
		{"Enter with Kitty's codes", "a" + esc + "[13;2ub", "a\nb"},
		{"a backslash at the end", "one\\\rtwo", "one\ntwo"},
		{"two backslashes at the end", `one\\`, `one\\`},
		{"F5", "a" + esc + "[15~b", "ab"},
		{"an unknown key", "a" + esc + "[99;7ub", "ab"},
		{"a focus event", "a" + esc + "[Ib", "ab"},
		{"Chinese in the middle", "你好世界 hello" + strings.Repeat(esc+"[D", 8) + "Z", "你好Z世界 hello"},
		{"Chinese deleted", "你好世\x7f", "你好"},
		{"a family deleted", "a👨‍👩‍👧\x7fb", "ab"},
		{"a flag deleted", "a🇩🇪\x7fb", "ab"},
		{"Up, Up, Down", "x" + esc + "[A" + esc + "OA" + esc + "[B" + esc + "OB", "x"},
		{"a paste of lines", esc + "[200~one\r\ntwo\rthree\n" + esc + "[201~end", "one\ntwo\nthree\nend"},
		{"a paste of a control sequence", esc + "[200~a" + esc + "[31mb" + esc + "[201~", "ab"},
		{"a paste of 200 lines", esc + "[200~" + long + esc + "[201~", long},
	}
}

type rawKey struct{ name, keys, want string }

// Each line of keys is read as what a person means.
func TestRawKeys(t *testing.T) {
	_, keyboard, p := open(t, Options{History: &cli.History{}})
	for _, c := range rawKeys() {
		if _, err := io.WriteString(keyboard, c.keys+"\r"); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Line(t.Context()); got != c.want || err != nil {
			t.Fatalf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// What is printed goes above the line that is being written, in order, and nothing of it is lost.
func TestPrintedAbove(t *testing.T) {
	seen, keyboard, p := open(t, Options{History: &cli.History{}})
	io.WriteString(keyboard, "half")
	seen.wait("half")
	for i := range 60 {
		p.Draft([]string{fmt.Sprintf("draft %d", i)})
		fmt.Fprintf(p, "printed %d\n", i)
	}
	io.WriteString(keyboard, " a line\r")
	if got, err := p.Line(t.Context()); got != "half a line" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	rest := seen.end(t)
	for i := range 60 {
		_, after, ok := strings.Cut(rest, fmt.Sprintf("printed %d\x1b[K\r\n", i))
		if !ok {
			t.Fatalf("printed %d is not there in its place", i)
		}
		rest = after
	}
}

// A line that was entered stands above what is printed in answer to it, however quick that is, and lines stand in their order.
func TestEnteredBeforeItsAnswer(t *testing.T) {
	seen, keyboard, p := open(t, Options{History: &cli.History{}})
	const lines, ahead = 200, 50 // a prompt takes 64 lines that nobody has asked for
	for i := range lines {
		if i%ahead == 0 {
			for next := range ahead {
				io.WriteString(keyboard, fmt.Sprintf("line %d\r", i+next))
			}
		}
		if got, err := p.Line(t.Context()); got != fmt.Sprintf("line %d", i) || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
		fmt.Fprintf(p, "answer %d\n", i)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	rest := seen.end(t)
	for i := range lines {
		before, after, ok := strings.Cut(rest, fmt.Sprintf("› line %d\x1b[K\r\n", i))
		if answered := fmt.Sprintf("answer %d\x1b", i); !ok || strings.Contains(before, answered) || !strings.Contains(after, answered) {
			t.Fatalf("line %d does not stand above its answer", i)
		}
		rest = after
	}
}

// The terminal is left as it was, whatever ends the prompt.
func TestTerminalIsRestored(t *testing.T) {
	for name, end := range map[string]func(keyboard io.Writer, p *Prompt, cancel func()) error{
		"Ctrl-D": func(keyboard io.Writer, p *Prompt, _ func()) error {
			io.WriteString(keyboard, "\x04")
			_, err := p.Line(context.Background())
			return err
		},
		"its context": func(_ io.Writer, p *Prompt, cancel func()) error {
			cancel()
			_, err := p.Line(context.Background())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			master, slave := pty(t)
			before, err := term.GetState(int(slave.Fd()))
			if err != nil {
				t.Fatal(err)
			}
			seen := watch(master)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := Open(ctx, Options{In: slave, Out: slave, History: &cli.History{}})
			seen.wait("\x1b[?2004h")
			if err := end(master, p, cancel); !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) {
				t.Errorf("it ended with %v", err)
			}
			_ = p.Close()
			if after, err := term.GetState(int(slave.Fd())); err != nil || !reflect.DeepEqual(before, after) {
				t.Errorf("the terminal is in another mode: %v", err)
			}
			if _, err := fmt.Fprintln(p, "late"); err == nil {
				t.Error("what is printed afterwards is lost without an error")
			}
		})
	}
}

// What was written counts as shown once the terminal has taken it, and not where the terminal has hung up.
func TestFlush(t *testing.T) {
	master, slave := pty(t) // whose words stay in its buffer: a read would keep it from hanging up
	ctx, cancel := context.WithCancel(t.Context())
	p := Open(ctx, Options{In: slave, Out: slave, History: &cli.History{}})
	t.Cleanup(func() { cancel(); _ = p.Close() })
	<-p.opened
	if err := p.Flush(t.Context()); err != nil {
		t.Errorf("before anything was written: %v", err)
	}
	for _, text := range []string{"⏰ the tea\n", "one\ntwo\n\n", strings.Repeat("a line\n", 3*chunkOf(24))} {
		if _, err := io.WriteString(p, text); err != nil {
			t.Fatal(err)
		}
		if err := p.Flush(t.Context()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if p.IsInForeground() {
		t.Error("this terminal is not that of the test, and counts as its own")
	}
	master.Close()
	_, written := io.WriteString(p, "⏰ the coffee\n")
	if err := p.Flush(t.Context()); written == nil && err == nil {
		t.Error("the terminal has hung up, and the words count as shown")
	}
	cancel()
	_ = p.Close()
	if _, err := io.WriteString(p, "⏰ the bread\n"); err == nil {
		t.Error("the prompt has ended, and takes words")
	}
}

// open opens a prompt on a terminal of its own.
func open(t *testing.T, o Options) (*watched, io.Writer, *Prompt) {
	t.Helper()
	master, slave := pty(t)
	seen := watch(master)
	o.In, o.Out = slave, slave
	ctx, cancel := context.WithCancel(t.Context())
	p := Open(ctx, o)
	t.Cleanup(func() { cancel(); _ = p.Close() })
	<-p.opened
	return seen, master, p
}

// watched is what a terminal has shown.
type watched struct {
	pieces chan string
	text   string
}

func watch(master *os.File) *watched {
	w := &watched{pieces: make(chan string, 1<<16)}
	go func() {
		defer close(w.pieces)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			if n > 0 {
				w.pieces <- string(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	return w
}

// wait returns when text was shown.
func (w *watched) wait(text string) {
	for !strings.Contains(w.text, text) {
		piece, ok := <-w.pieces
		if !ok {
			return
		}
		w.text += piece
	}
}

// end returns all that was shown, after the prompt has ended.
func (w *watched) end(t *testing.T) string {
	t.Helper()
	w.wait("\x1b[?2004l")
	return w.text
}
