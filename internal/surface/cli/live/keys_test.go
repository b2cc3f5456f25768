package live

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hob/internal/surface/cli"
)

// A key ends where it ends, and not before.
func TestCutKey(t *testing.T) {
	for sent, want := range map[string]int{
		"": 0, "a": 1, "\x1b": 0, "a\x1b": 1, "\x1b[": 0, "\x1b[A": 3, "\x1b[1;5": 0, "\x1b[1;5D": 6, "\x1bO": 0, "\x1bOH": 3, "\x1b[[": 0, "\x1b[[A": 4,
		"\x1b\x1b": 0, "\x1b\x1b[A": 4, "\x1b\x1b[": 0, "\x1bb": 2, "你": 3, "\xe4\xbd": 0, "a\xe4": 1, "\x1b\xe4": 0, "\xff": 1,
		"\x1b]11;rgb:0/0/0": 0, "\x1b]11;rgb:0/0/0\x07": 15, "\x1bP>|x\x1b": 0, "\x1bP>|x\x1b\\": 7, "\x1b[200~a\x1b[20": 7, "\x1b[1\x1b[A": 6,
	} {
		if got := cutKey([]byte(sent)); got != want {
			t.Errorf("%q is cut at %d, want %d", sent, got, want)
		}
	}
}

// pieces opens a keyboard on a pipe whose bytes come in pieces. Where a key has been cut, the next piece is there in time.
func pieces(t interface{ Fatal(...any) }, all []string) (*keyboard, func()) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	send := func() bool {
		if len(all) == 0 {
			return false
		}
		_, err := io.WriteString(w, all[0])
		all = all[1:]
		if len(all) == 0 {
			err = errors.Join(err, w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return true
	}
	if !send() {
		w.Close()
	}
	k := newKeyboard(r, func(*os.File, time.Duration) bool { return send() })
	return k, func() { r.Close(); w.Close() }
}

// However what was typed is cut into pieces, each read has whole keys, and all of them are read.
func TestKeyboard_Pieces(t *testing.T) {
	keys := []string{"a", "你", "👨‍👩‍👧", "\r", "\x1b[A", "\x1b[1;5D", "\x1bOH", "\x1bb", "\x1b[200~x\x1b[201~", "\x1b[?2027;2$y", "\x1b]11;rgb:0/0/0\x1b\\"}
	rapid.Check(t, func(t *rapid.T) {
		typed := strings.Join(rapid.SliceOfN(rapid.SampledFrom(keys), 1, 30).Draw(t, "keys"), "")
		var all []string
		for rest := typed; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			all, rest = append(all, rest[:n]), rest[n:]
		}
		k, done := pieces(t, all)
		defer done()
		buf := make([]byte, rapid.IntRange(32, 64).Draw(t, "room"))
		var got strings.Builder
		for {
			n, err := k.Read(buf)
			if cutKey(buf[:n]) != n {
				t.Fatalf("a read ends within a key: %q", buf[:n])
			}
			got.Write(buf[:n])
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(got.String()) < len(typed) {
				k.more(nil, 0) // which is what the reader of the terminal waits for
			}
		}
		if got.String() != typed {
			t.Fatalf("%q was read of %q", got.String(), typed)
		}
	})
}

// A key that is cut short and goes no further is handed on all the same: Esc is one.
func TestKeyboard_Escape(t *testing.T) {
	k, done := pieces(t, []string{"\x1b"})
	defer done()
	buf := make([]byte, 16)
	if n, err := k.Read(buf); string(buf[:n]) != "\x1b" || err != nil {
		t.Errorf("%q, %v", buf[:n], err)
	}
}

// A prompt reads a key that comes a byte at a time, as over a slow line.
func TestSlowLine(t *testing.T) {
	waits := make(chan struct{})
	_, keyboard, p := open(t, Options{History: &cli.History{}, more: func(f *os.File, _ time.Duration) bool {
		waits <- struct{}{}
		return canRead(f, time.Hour)
	}})
	for _, c := range []struct{ keys, want string }{
		{"bc\x1b[Ha", "abc"}, {"bc\x1bOHa", "abc"}, {"bc\x1b[1~a", "abc"}, {"foo bar\x1b[1;5Dx", "foo xbar"}, {"foo bar\x1bbx", "foo xbar"},
		{"你好世界\x1b[D\x1b[D字", "你好字世界"}, {"\x1b[200~one\ntwo\x1b[201~end", "one\ntwoend"},
	} {
		sent := c.keys + "\r"
		for i := range len(sent) {
			if _, err := io.WriteString(keyboard, sent[i:i+1]); err != nil {
				t.Fatal(err)
			}
			if cutKey([]byte(sent[:i+1])) <= i {
				<-waits // the piece has been read
			}
		}
		if got, err := p.Line(t.Context()); got != c.want || err != nil {
			t.Errorf("%q: %q, %v; want %q", c.keys, got, err, c.want)
		}
	}
}

// A paste that is longer than what is read at once is read whole, whatever is cut in it.
func TestLongPaste(t *testing.T) {
	_, keyboard, p := open(t, Options{History: &cli.History{}})
	text := strings.Repeat("ab 你好世界 👨‍👩‍👧 ", 1000)
	go io.WriteString(keyboard, "\x1b[200~"+text+"\x1b[201~\r")
	if got, err := p.Line(t.Context()); got != text || err != nil {
		i := slices.IndexFunc([]byte(got), func(b byte) bool { return b == 0xEF })
		t.Errorf("%v; %d bytes of %d, the first odd one at %d", err, len(got), len(text), i)
	}
}
