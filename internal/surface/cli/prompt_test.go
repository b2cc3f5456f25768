package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"
	"unicode/utf8"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/term"
	"pgregory.net/rapid"
)

// typed returns the messages that a prompt reads from the keys, and how it ended.
func typed(t interface{ Fatalf(string, ...any) }, keys io.Reader, h *History) ([]string, error) {
	p := NewPrompt(keys, io.Discard, h)
	var messages []string
	for range 100 {
		m, err := p.Read(context.Background(), "> ")
		if err != nil {
			return messages, err
		}
		messages = append(messages, m)
	}
	t.Fatalf("the prompt reads for ever")
	return nil, nil
}

func noHistory() *History { return &History{} }

func TestWhatIsTypedIsRead(t *testing.T) {
	const up, left, del = "\x1b[A", "\x1b[D", "\x1b[3~"
	paste := func(s string) string { return "\x1b[200~" + s + "\x1b[201~" }
	for _, c := range []struct {
		name, keys string
		want       []string
		end        error
	}{
		{"lines", "one\rtwo\n", []string{"one", "two"}, io.EOF},
		{"line ends of another system", "one\r\ntwo\r\n", []string{"one", "two"}, io.EOF},
		{"other scripts", "привет 你好\r", []string{"привет 你好"}, io.EOF},
		{"editing", "ac" + left + "b\r", []string{"abc"}, io.EOF},
		{"history", "one\rtwo\r" + up + up + "!\r", []string{"one", "two", "one!"}, io.EOF},
		{"a line that goes on", "one\\\rtwo\\\rthree\r", []string{"one\ntwo\nthree"}, io.EOF},
		{"a backslash at the end", "one\\\\\rtwo\r", []string{"one\\\\", "two"}, io.EOF},
		{"a paste of several lines", "a " + paste("1\r\n\t2\n") + "z\r", []string{"a 1\n\t2\nz"}, io.EOF},
		{"a paste recalled", paste("1\n2") + "\r" + up + "3\r", []string{"1\n2", "1\n23"}, io.EOF},
		{"a paste within a line", "ad" + left + paste("bc") + "\r", []string{"abcd"}, io.EOF},
		{"a paste of control characters", paste("a\x1b[31m\x03\x04\x1c\x07b") + "\r", []string{"a␛[31m␃␄␜␇b"}, io.EOF},
		{"control characters", "a\x07\x1c\x1e\u009b\u202eb\r", []string{"ab"}, io.EOF},
		{"Ctrl-C on an empty line", "one\r\x03two\r", []string{"one"}, ErrInterrupted},
		{"Ctrl-C within a line", "on\x03two\r", []string{"two"}, io.EOF},
		{"Ctrl-C in a second line", "one\\\r\x03two\r", []string{"two"}, io.EOF},
		{"Ctrl-D on an empty line", "one\r\x04two\r", []string{"one"}, io.EOF},
		{"Ctrl-D within a line", "abc" + left + left + "\x04\r", []string{"ac"}, io.EOF},
		{"the key Delete", "abc" + left + del + "\r", []string{"ab"}, io.EOF},
		{"the end within a line", "one\rtw", []string{"one"}, io.EOF},
		{"the end within a paste", "\x1b[200~tw", nil, io.EOF},
		{"the end within a key", "one\r\x1b[", []string{"one"}, io.EOF},
	} {
		for name, reader := range map[string]io.Reader{"": strings.NewReader(c.keys), " byte by byte": iotest.OneByteReader(strings.NewReader(c.keys))} {
			got, err := typed(t, reader, noHistory())
			if diff := cmp.Diff(c.want, got); diff != "" || !errors.Is(err, c.end) {
				t.Errorf("%s%s: ended with %v, want %v (-want +got):\n%s", c.name, name, err, c.end, diff)
			}
		}
	}
}

// What is read does not depend on how the keys arrive.
func TestKeysMayArriveInAnyPieces(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "é", "\r", "\n", "\x1b[A", "\x1b[D", "\x1b[200~", "\x1b[201~", "\x03", "\x04", "\\", "\x1b", "\x7f", "\xff", "\x15"})
	rapid.Check(t, func(t *rapid.T) {
		keys := strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "keys"), "")
		want, wantErr := typed(t, strings.NewReader(keys), noHistory())
		got, gotErr := typed(t, iotest.OneByteReader(strings.NewReader(keys)), noHistory())
		if diff := cmp.Diff(want, got); diff != "" || gotErr != wantErr {
			t.Fatalf("%q: %v at once, %v byte by byte (-at once +byte by byte):\n%s", keys, wantErr, gotErr, diff)
		}
	})
}

func TestAYesHasToBeTypedAfterTheQuestion(t *testing.T) {
	for _, c := range []struct {
		keys string
		want bool
		err  error
	}{
		{"y\r", true, nil}, {"Yes \r", true, nil}, {"\r", false, nil}, {"n\r", false, nil}, {"yep\r", false, nil}, {"", false, nil}, {"y", false, nil},
		{"\x04", false, nil}, {"\x03", false, ErrInterrupted}, {"y\x03", false, ErrInterrupted}, {"\x1b[200~y\n\x1b[201~", false, nil},
	} {
		got, err := NewPrompt(strings.NewReader(c.keys), io.Discard, noHistory()).Confirm(context.Background(), "Run it?")
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%q is %v, %v; want %v, %v", c.keys, got, err, c.want, c.err)
		}
	}

	p := NewPrompt(strings.NewReader("do it\ry\r"), io.Discard, noHistory())
	if _, err := p.Read(context.Background(), "> "); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Confirm(context.Background(), "Run it?"); got || err != nil {
		t.Errorf("what was typed before the question is %v, %v", got, err)
	}

	out := &strings.Builder{}
	NewPrompt(strings.NewReader(""), out, noHistory()).Confirm(context.Background(), "Run a\u200bb\x1b[2J\nnow?")
	if want := "Run a⟨U+200B⟩b␛[2J␊now? [y/N] "; !strings.HasPrefix(out.String(), want) {
		t.Errorf("the question is %q, want %q", out, want)
	}
}

func TestAskReadsOneLineWithoutHistory(t *testing.T) {
	h := noHistory()
	h.Add("before")
	got, err := NewPrompt(strings.NewReader("\x1b[Axy\x03 qwen3:4b \r"), io.Discard, h).Ask(context.Background(), "model: ")
	if got != "qwen3:4b" || err != nil {
		t.Errorf("Ask = %q, %v", got, err)
	}
	if diff := cmp.Diff([]string{"before"}, h.Entries()); diff != "" {
		t.Errorf("the history (-want +got):\n%s", diff)
	}
}

// Where a read cannot be interrupted it goes on, and what it brings is not lost.
func TestAPromptEndsWithItsContext(t *testing.T) {
	in, keyboard := io.Pipe()
	p := NewPrompt(in, io.Discard, noHistory())
	gone := errors.New("decided elsewhere")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(gone)
	if _, err := p.Confirm(ctx, "Run it?"); !errors.Is(err, gone) {
		t.Errorf("Confirm = %v, want the cause", err)
	}
	go func() {
		keyboard.Write([]byte("hello\r"))
		keyboard.Close()
	}()
	if got, err := p.Read(context.Background(), "> "); got != "hello" || err != nil {
		t.Errorf("Read = %q, %v", got, err)
	}
}

func TestWhatIsPrintedMeanwhileGoesAboveTheLine(t *testing.T) {
	in, keyboard := io.Pipe()
	screen := &lockedScreen{screen: newScreen(t, 30, 10)}
	p := NewPrompt(in, screen, noHistory())
	done := make(chan string)
	go func() {
		m, _ := p.Read(context.Background(), "> ")
		done <- m
	}()
	keyboard.Write([]byte("half")) // returns when it is read ...
	keyboard.Write([]byte("-"))    // ... and this one when the first was shown
	fmt.Fprintf(p, "a reminder\n")
	keyboard.Write([]byte(" a line\r"))
	if got := <-done; got != "half- a line" {
		t.Errorf("Read = %q", got)
	}
	if want := "a reminder\n> half- a line"; screen.text() != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", screen.text(), want)
	}
}

type lockedScreen struct {
	mu sync.Mutex
	*screen
}

func (s *lockedScreen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.Write(p)
}

func TestTheTerminalIsLeftAsItWas(t *testing.T) {
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
	p := NewPrompt(slave, slave, noHistory())
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer)
	read := func(ctx context.Context) {
		m, err := p.Read(ctx, "> ")
		answers <- answer{m, err}
	}

	go read(context.Background())
	shown.wait("> ")
	if during, err := term.GetState(int(slave.Fd())); err != nil || reflect.DeepEqual(before, during) {
		t.Errorf("while a line is read the terminal is not in raw mode: %v", err)
	}
	master.Write([]byte("hello\r"))
	if a := <-answers; a.text != "hello" || a.err != nil {
		t.Errorf("Read = %q, %v", a.text, a.err)
	}
	same("after a line")

	go read(context.Background())
	shown.wait("> ")
	master.Write([]byte("\x03"))
	if a := <-answers; !errors.Is(a.err, ErrInterrupted) {
		t.Errorf("Read = %q, %v", a.text, a.err)
	}
	same("after Ctrl-C")

	ctx, cancel := context.WithCancel(context.Background())
	go read(ctx)
	shown.wait("> ")
	cancel()
	if a := <-answers; !errors.Is(a.err, context.Canceled) {
		t.Errorf("Read = %q, %v", a.text, a.err)
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

func TestHistoryIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []string{"one", "two\nlines \\n", "two\nlines \\n", " ", strings.Repeat("x", maxHistoryEntry+1), "three"} {
		if err := h.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"one", "two\nlines \\n", "three"}
	back, err := OpenHistory(path)
	if diff := cmp.Diff(want, back.Entries()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}

	// A crash within a line costs that line only, and two processes do not mix theirs.
	raw, _ := os.ReadFile(path)
	os.WriteFile(path, append(raw, "cut of"...), 0o600)
	os.Chmod(path, 0o644)
	a, _ := OpenHistory(path)
	b, _ := OpenHistory(path)
	a.Add("from a")
	b.Add("from b")
	back, err = OpenHistory(path)
	if diff := cmp.Diff(append(want, "cut of", "from a", "from b"), back.Entries()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode became %v, %v", info.Mode(), err)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h, _ := OpenHistory(path)
	for i := range 2*maxHistory + 10 {
		if err := h.Add(fmt.Sprint("entry ", i)); err != nil {
			t.Fatal(err)
		}
	}
	raw, _ := os.ReadFile(path)
	if n := strings.Count(string(raw), "\n"); n > 2*maxHistory {
		t.Errorf("the file has %d lines", n)
	}
	h, err := OpenHistory(path)
	if got := h.Entries(); err != nil || len(got) != maxHistory || got[maxHistory-1] != fmt.Sprint("entry ", 2*maxHistory+9) {
		t.Errorf("%d entries, the last %q, %v", len(got), got[len(got)-1], err)
	}
	os.WriteFile(path, []byte(strings.Repeat("y", maxHistoryFile)+"\nlast\n"), 0o600)
	if h, err = OpenHistory(path); err != nil || !cmp.Equal(h.Entries(), []string{"last"}) {
		t.Errorf("of a huge file: %d entries, %v", len(h.Entries()), err)
	}
}

func TestAHistoryThatCannotBeKeptIsToldOnce(t *testing.T) {
	if _, err := OpenHistory(t.TempDir()); err == nil {
		t.Error("a folder is taken for a history")
	}
	h := &History{path: filepath.Join(t.TempDir(), "no", "history")}
	out := &strings.Builder{}
	p := NewPrompt(strings.NewReader("one\rtwo\r"), out, h)
	for _, want := range []string{"one", "two"} {
		if got, err := p.Read(context.Background(), "> "); got != want || err != nil {
			t.Errorf("Read = %q, %v", got, err)
		}
	}
	if n := strings.Count(out.String(), "· keep history:"); n != 1 {
		t.Errorf("told %d times: %q", n, out)
	}
}

// A history file that somebody else wrote cannot command the terminal.
func TestAHostileHistoryIsShownAsText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	os.WriteFile(path, []byte("\x1b]0;title\x07rm\\n-rf \u202e\x80\n"), 0o600)
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	out := &strings.Builder{}
	got, err := NewPrompt(strings.NewReader("\x1b[A\r"), out, h).Read(context.Background(), "> ")
	if want := "␛]0;title␇rm\n-rf ⟨U+202E⟩\uFFFD"; got != want || err != nil {
		t.Errorf("Read = %q, %v; want %q", got, err, want)
	}
	if strings.ContainsAny(out.String(), "\x07\x1b") || !utf8.ValidString(out.String()) {
		t.Errorf("the terminal got %q", out)
	}
}
