package display_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hob/internal/display"
)

// Numbers and shortened texts are written in one way everywhere.
func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{display.Count(1, "file"), "1 file"},
		{display.Count(0, "entry"), "0 entries"},
		{display.Count(2, "match"), "2 matches"},
		{display.Count(3, "key"), "3 keys"},
		{display.Count(2, "changed file"), "2 changed files"},
		{display.Count(9, "process"), "9 processes"},

		{display.Bytes(0), "0 B"},
		{display.Bytes(999), "999 B"},
		{display.Bytes(1000), "1 kB"},
		{display.Bytes(1536), "1.5 kB"},
		{display.Bytes(99_949), "99.9 kB"},
		{display.Bytes(99_950), "100 kB"},
		{display.Bytes(999_499), "999 kB"},
		{display.Bytes(999_500), "1 MB"},
		{display.Bytes(4_661_224_676), "4.7 GB"},
		{display.Bytes(5e15), "5000 TB"},

		{display.Limit(2 << 30), "2 GiB"},
		{display.Limit(5e6), "5 MB"},
		{display.Limit(64 << 10), "64 KiB"},
		{display.Limit(1001), "1001 B"},

		{display.Truncate("привет", 6), "привет"},
		{display.Truncate("привет", 5), "прив…"},
		{display.Truncate("a b c", 3), "a…"},
		{display.Truncate("abc", 0), "…"},
		{display.TruncateBytes("привет", 12), "привет"},
		{display.TruncateBytes("привет", 11), "прив…"},
		{display.TruncateBytes("abc", 1), "…"},

		{display.FirstLine("\n one\ntwo"), "one"},
		{display.Join(" one\n\ttwo "), "one two"},
		{display.Visible(" a\u200bb\n\u202e \xff c\t"), "ab \ufffd c"},
		{display.Without("<a]\"b", "[]<>"), "a\"b"},
		{display.Quote("a.txt"), "a.txt"},
		{display.Quote("a b"), `"a b"`},
		{display.Quote("a\nb"), `"a\nb"`},
		{display.ShellWord("/a/b-c_1.sh"), "/a/b-c_1.sh"},
		{display.ShellWord("/it's here"), `'/it'\''s here'`},
		{display.ShellWord("$HOME"), "'$HOME'"},
		{display.ShellWord(""), "''"},
		{display.Reason(&fs.PathError{Op: "open", Path: "/secret", Err: fs.ErrNotExist}), "file does not exist"},
		{display.Reason(&os.LinkError{Op: "link", Old: "/a", New: "/b", Err: fs.ErrExist}), "file already exists"},
		{display.Reason(errors.New("no")), "no"},
		{display.OneLine("a\nb\x1b"), "a␊b␛"},
		{display.Duration(0), "0s"},
		{display.Duration(70 * time.Second), "1m10s"},
		{display.Duration(30 * time.Minute), "30m"},
		{display.Duration(2 * time.Hour), "2h"},
		{display.Duration(2*time.Hour + 30*time.Second), "2h0m30s"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// What is cut stays UTF-8, within its limit, and begins as the text does.
func TestTruncate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, limit := rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "limit")
		runes, cut := display.Truncate(s, limit), display.TruncateBytes(s, limit+2)
		if utf8.RuneCountInString(runes) > limit || len(cut) > limit+2 {
			t.Fatalf("%q and %q of %q: too long", runes, cut, s)
		}
		for _, short := range []string{runes, cut} {
			if !utf8.ValidString(short) || short != s && !strings.HasPrefix(s, strings.TrimSuffix(short, "…")) {
				t.Fatalf("%q is not the beginning of %q", short, s)
			}
		}
	})
}
