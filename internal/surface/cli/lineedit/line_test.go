package lineedit_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"hob/internal/surface/cli/lineedit"
)

// Each key does what readline does. "|" is the cursor.
func TestKeys(t *testing.T) {
	for _, c := range []struct{ keys, before, after string }{
		{"left", "ab|", "a|b"}, {"left", "|ab", "|ab"}, {"right", "a|b", "ab|"}, {"right", "ab|", "ab|"},
		{"ctrl+b", "ab|", "a|b"}, {"ctrl+f", "|ab", "a|b"},
		{"home", "one\ntwo|", "one\n|two"}, {"ctrl+a", "a b|c", "|a bc"}, {"end", "o|ne\ntwo", "one|\ntwo"}, {"ctrl+e", "|abc", "abc|"},
		{"ctrl+left", "foo bar|", "foo |bar"}, {"alt+b", "foo, |bar", "|foo, bar"}, {"ctrl+right", "|foo bar", "foo| bar"}, {"alt+f", "foo| bar.", "foo bar|."},
		{"backspace", "ab|c", "a|c"}, {"backspace", "|c", "|c"}, {"ctrl+h", "ab|", "a|"}, {"delete", "a|bc", "a|c"}, {"ctrl+d", "abc|", "abc|"},
		{"ctrl+w", "rm notes/a.md|", "rm |"}, {"alt+backspace", "rm notes/a|", "rm notes/|"}, {"alt+d", "|foo bar", "| bar"},
		{"ctrl+u", "one\ntwo| three", "one\n| three"}, {"ctrl+k", "on|e\ntwo", "on|\ntwo"}, {"ctrl+u ctrl+y ctrl+y", "ab|", "abab|"},
		{"ctrl+t", "ab|", "ba|"}, {"ctrl+t", "a|bc", "ba|c"}, {"ctrl+t", "a|", "a|"}, {"alt+enter", "a|b", "a\n|b"},
		{"ctrl+w ctrl+_", "one two|", "one two|"},
		{"backspace", "你好世|", "你好|"}, {"left left", "你好世|", "你|好世"}, {"backspace", "a👨‍👩‍👧|", "a|"}, {"backspace", "a🇩🇪|b", "a|b"}, {"left", "ae\u0301|", "a|e\u0301"},
	} {
		l := typed(c.before)
		for key := range strings.FieldsSeq(c.keys) {
			if !l.Key(key) {
				t.Errorf("%s means nothing", key)
			}
		}
		if got := shown(l); got != c.after {
			t.Errorf("%s in %q: %q, want %q", c.keys, c.before, got, c.after)
		}
	}
}

// typed is a line with the text, and the cursor where the bar is.
func typed(text string) *lineedit.Line {
	before, after, _ := strings.Cut(text, "|")
	l := &lineedit.Line{}
	l.Set(before + after)
	for l.BeforeCursor() != before {
		l.Key("left")
	}
	return forget(l)
}

// forget returns the line without what can be undone.
func forget(l *lineedit.Line) *lineedit.Line {
	out := &lineedit.Line{}
	out.Insert(l.Text())
	for out.BeforeCursor() != l.BeforeCursor() {
		out.Key("left")
	}
	return out
}

func shown(l *lineedit.Line) string {
	return l.BeforeCursor() + "|" + strings.TrimPrefix(l.Text(), l.BeforeCursor())
}

// What is typed is undone as a word, what is pasted as a whole. Nothing that a terminal would obey gets in.
func TestInsert(t *testing.T) {
	l := &lineedit.Line{}
	for _, text := range []string{"a", "b", " ", "c", "d"} {
		l.Insert(text)
	}
	l.Insert("one\r\ntwo\rthree\x1b[2J\u202e\x80")
	if want := "ab cdone\ntwo\nthree␛[2J⟨U+202E⟩\uFFFD"; l.Text() != want {
		t.Errorf("the text is %q, want %q", l.Text(), want)
	}
	for _, want := range []string{"ab cd", "ab ", "ab", "", ""} {
		if l.Key("ctrl+_"); l.Text() != want {
			t.Errorf("after undo %q, want %q", l.Text(), want)
		}
	}
	l.Insert("e")
	l.Insert("\u0301")
	if l.Key("left"); l.BeforeCursor() != "" {
		t.Errorf("the accent is a character of its own: %q", l.BeforeCursor())
	}
	l.Set("see nootes")
	l.ReplaceBefore(len("nootes"), "notes/")
	if got := shown(l); got != "see notes/|" {
		t.Errorf("replaced: %q", got)
	}
}

// Rows are wrapped at words, and the cursor stands where the next character goes.
func TestLay(t *testing.T) {
	for _, c := range []struct {
		text string
		rows []string
		x, y int
	}{
		{"|", []string{""}, 0, 0},
		{"one two three|", []string{"one two", "three"}, 5, 1},
		{"one two |three", []string{"one two", "three"}, 0, 1},
		{"one|\ntwo", []string{"one", "two"}, 3, 0},
		{"one\n|", []string{"one", ""}, 0, 1},
		{"averylongwordindeed|", []string{"averylong", "wordindee", "d"}, 1, 2},
		{"你好世界你好|", []string{"你好世界", "你好"}, 4, 1},
		{"a\tb|", []string{"a   b"}, 5, 0},
	} {
		o := typed(c.text).Lay(10, ansi.StringWidth)
		if !slices.Equal(o.Rows, c.rows) || o.X != c.x || o.Y != c.y {
			t.Errorf("%q: %q, %d, %d; want %q, %d, %d", c.text, o.Rows, o.X, o.Y, c.rows, c.x, c.y)
		}
	}
	l := typed("one two\nthr|ee")
	if !l.Up(l.Lay(80, ansi.StringWidth)) || shown(l) != "one| two\nthree" {
		t.Errorf("a row up: %q", shown(l))
	}
	if l.Up(l.Lay(80, ansi.StringWidth)) || !l.Down(l.Lay(80, ansi.StringWidth)) || l.Down(l.Lay(80, ansi.StringWidth)) {
		t.Error("there are two rows")
	}
}

// Whatever is typed: no row is too wide, no word is lost, and the cursor is inside.
func TestAnyKeys(t *testing.T) {
	pieces := []string{"a", "word ", "你", "👨‍👩‍👧", "\u0301", "\n", "\t", " ", "\x1b[31m", "averyveryverylongword",
		"left", "right", "home", "end", "ctrl+w", "ctrl+y", "ctrl+t", "backspace", "delete", "ctrl+k", "ctrl+_", "alt+b", "alt+f"}
	rapid.Check(t, func(t *rapid.T) {
		l, width := &lineedit.Line{}, rapid.IntRange(3, 30).Draw(t, "width")
		for _, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "keys") {
			if !l.Key(piece) {
				l.Insert(piece)
			}
			if !utf8.ValidString(l.Text()) || !strings.HasPrefix(l.Text(), l.BeforeCursor()) {
				t.Fatalf("%q with the cursor behind %q", l.Text(), l.BeforeCursor())
			}
			o := l.Lay(width, ansi.StringWidth)
			for _, row := range o.Rows {
				if w := ansi.StringWidth(row); w > width {
					t.Fatalf("a row of %d columns: %q", w, row)
				}
			}
			bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
			if got, want := bare(strings.Join(o.Rows, "")), bare(l.Text()); got != want {
				t.Fatalf("laid out as %q of %q", got, want)
			}
			if o.Y >= len(o.Rows) || o.X >= width {
				t.Fatalf("the cursor is at %d, %d of %q", o.X, o.Y, o.Rows)
			}
		}
	})
}
