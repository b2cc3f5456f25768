package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// A terminal breaks a row where the next character has no room.
func TestRowsAbove(t *testing.T) {
	for _, c := range []struct {
		rows       []string
		x, y, want int
	}{
		{[]string{"", "› half"}, 6, 1, 1},
		{[]string{"ten columns", "› half"}, 6, 1, 2},
		{[]string{"ten column", "› half"}, 6, 1, 1},
		{[]string{"\x1b[2m· thirty columns of a status\x1b[0m", "› half"}, 6, 1, 3},
		{[]string{"你好世界你好", "› half"}, 6, 1, 2},
		{[]string{"a你好世界你好世界", "› half"}, 6, 1, 2},
		{[]string{"› a line of thirty columns, or so"}, 12, 0, 1},
		{[]string{"› a line of thirty columns, or so"}, 5, 0, 0},
		{[]string{"", "› half", "a menu that is wide"}, 6, 1, 1},
		{nil, 3, 2, 2},
	} {
		f := frame{c.rows, c.x, c.y, func(cluster string) int { return ansi.StringWidthWc(cluster) }}
		if got := f.rowsAbove(10); got != c.want {
			t.Errorf("%q: %d rows above the cursor, want %d", c.rows, got, c.want)
		}
	}
}

// What says of itself that it cuts its lines is taken at its word.
func TestReflows(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"TERM": "xterm-256color"}, true},
		{map[string]string{"TERM": "xterm-kitty"}, true},
		{map[string]string{"TERM": "xterm-256color", "XTERM_VERSION": "XTerm(390)"}, false},
		{map[string]string{"TERM": "linux"}, false},
		{map[string]string{"TERM": "rxvt-unicode-256color"}, false},
		{map[string]string{"TERM": "screen.xterm-256color"}, false},
		{map[string]string{"TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0"}, true},
		{map[string]string{"TERM": "st-256color"}, false},
		{map[string]string{"TERM": "stterm"}, true},
	} {
		if got := reflows(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}

// A write that sets modes is never left out.
func TestSetsModes(t *testing.T) {
	for text, want := range map[string]bool{
		"\x1b[?25l\r\x1b[2A\x1b[Jabc\x1b[2mdim\x1b[m\x1b[?25h": false, "\x1b[?2026h\x1b[3A\x1b[?2026l": false,
		"\x1b[?2004h": true, "abc\x1b[?2027h": true, "\x1b[>4m": true, "\x1b[<1u": true, "\x1b[=1;1u": true,
	} {
		if setsModes([]byte(text)) != want {
			t.Errorf("%q sets modes: %v", text, !want)
		}
	}
}

// What was drawn for another width than the terminal has is not written: the last rows are erased, and drawn once bubbletea knows.
// What goes above them, and what sets modes, is written whatever the width is.
func TestScreen_AnotherWidth(t *testing.T) {
	master, slave := pty(t)
	if _, err := term.MakeRaw(int(slave.Fd())); err != nil {
		t.Fatal(err)
	}
	seen := watch(master)
	s := newScreen(slave, true, func() {})
	s.resize(80)
	write := func(text string, f frame) string {
		t.Helper()
		f.widthOf = func(cluster string) int { return ansi.StringWidthWc(cluster) }
		s.view(f)
		if n, err := s.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
		fmt.Fprint(slave, "<end>")
		seen.text = ""
		seen.wait("<end>")
		return strings.TrimSuffix(seen.text, "<end>")
	}
	rows := []string{strings.Repeat("x", 60), "› half"}
	for _, c := range []struct {
		width, known int
		text         string
		frame        frame
		want         string
	}{
		{80, 80, "drawn", frame{rows: rows, x: 6, y: 1}, "drawn"},
		{40, 80, "stale", frame{rows: rows, x: 7, y: 1}, "\r\x1b[2A\x1b[2K\n\x1b[2K\n\x1b[2K\r\x1b[1A\x1b[6C" + "\r\x1b[7C"},
		{40, 80, "\r\nabove", frame{rows: rows, x: 7, y: 1}, "\r\nabove"},
		{40, 80, "\x1b[?2004lmodes", frame{rows: rows, x: 7, y: 1}, "\x1b[?2004lmodes"},
		{40, 40, "drawn again", frame{rows: rows, x: 7, y: 1}, "drawn again"},
	} {
		if err := unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(c.width)}); err != nil {
			t.Fatal(err)
		}
		s.resize(c.known)
		if got := write(c.text, c.frame); got != c.want {
			t.Errorf("%q at %d columns, %d known: %q, want %q", c.text, c.width, c.known, got, c.want)
		}
	}
}
