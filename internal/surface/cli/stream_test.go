package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// atOnce is the screen after the whole text was rendered at once.
func atOnce(t interface{ Fatalf(string, ...any) }, src string, width int, colour bool) string {
	s := newScreen(t, width, 1<<20)
	s.Write([]byte(Markdown(src, width, colour)))
	return s.text()
}

func TestAStreamEndsAsTheWholeTextRendered(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"# Title\n", "text", " ", "\n", "\n\n", "a word and **bold** `code`\n", "- one\n", "- two\n  more\n", "  - nested\n", "1. first\n", "2) second\n",
		"```go\n", "```\n", "~~~\n", "    indented\n", "\tfmt.Println()\n", "> quote\n", "> > deep\n", "| a | b |\n", "|---|--:|\n", "| 1 | 漢字漢字漢字漢字 |\n",
		"---\n", "===\n", "***\n", "<div>\n", "</div>\n", "[x]: http://example.org\n", "[x]\n", "[text](http://example.org/long)\n", "- [ ] task\n",
		"✓ 12 lines\n", "→ rm\n", "日本語のテキストは空白なしで折り返されます。", "\r\n", "\r", "\x1b[2J", "\x1b]0;title\x07", "&#27;[31m", "❤️", "👩‍👩‍👧", "e\u0301", "\u202e",
		"\x80", "\xf0\x9f", "averyveryveryveryverylongwordthatdoesnotfitintoaline", "\\*no\\*", "~~gone~~ ", "  \n", "<br>", "- \n", "1234567890. x\n", "*", "_", "`", "\x00",
		"<!-- c\n", "-->\n", "+ plus\n", "####### seven\n", "####\n", "        x\n", " x\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(piece, 0, 25).Draw(t, "text"), "")
		width := rapid.IntRange(10, 60).Draw(t, "width")
		colour := rapid.Bool().Draw(t, "colour")
		got := newScreen(t, width, 1<<20)
		s := NewStream(got, width, 1<<20, colour)
		for rest := src; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 12)).Draw(t, "delta")
			if err := s.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
		if got.x != 0 {
			t.Fatalf("the cursor is left in column %d", got.x)
		}
		if diff := cmp.Diff(atOnce(t, src, width, colour), got.text()); diff != "" {
			t.Fatalf("%q (-at once +streamed):\n%s", src, diff)
		}
	})
}

func TestTheCurrentBlockIsShownAsItComes(t *testing.T) {
	screen := newScreen(t, 20, 10)
	s := NewStream(screen, 20, 10, false)
	for _, step := range []struct{ delta, want string }{
		{"**bo", "**bo"},
		{"ld** text", "**bold** text"},
		{"\n", "**bold** text"},
		{"\n", "bold text"}, // the empty line ends the paragraph
		{"- a\n", "bold text\n\n- a"},
		{"- b `", "bold text\n\n- a\n- b `"},
		{"c`\n\n", "bold text\n\n- a\n- b `c`"},
		{"Next", "bold text\n\n- a\n- b `c`\n\nNext"},
		{" one\n", "bold text\n\n- a\n- b `c`\n\nNext one"},
		{"\n✓ done *now*", "bold text\n\n- a\n- b `c`\n\nNext one\n\n ✓ done *now*"}, // no line of hob's, not even for a moment
	} {
		if err := s.Write(step.delta); err != nil {
			t.Fatal(err)
		}
		if got := screen.text(); got != step.want {
			t.Errorf("after %q the screen shows\n%s\nwant\n%s", step.delta, got, step.want)
		}
	}
}

func TestABlockThatLeftTheScreenStaysAsItCame(t *testing.T) {
	screen := newScreen(t, 20, 4)
	s := NewStream(screen, 20, 4, false)
	text := "*first*\n\n```\n1\n2\n3\n4\n5\n```\n\n*then*\n\nlast *one*"
	for _, r := range text {
		if err := s.Write(string(r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "first\n\n```\n1\n2\n3\n4\n5\n```\n\nthen\n\nlast one"; screen.text() != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", screen.text(), want)
	}
}

func TestABlockThatIsWrittenWhileTheWindowChangesStaysAsItCame(t *testing.T) {
	screen := newScreen(t, 20, 10)
	s := NewStream(screen, 20, 10, false)
	s.Write("*one*\n\n*two")
	s.Resize(15, 10)
	s.Write("*\n\n*three*")
	s.Flush()
	s.Resize(20, 10)
	s.Write("*four*")
	s.Flush()
	if want := "one\n\n*two*\n\nthree\nfour"; screen.text() != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", screen.text(), want)
	}
}

// On a screen of any height the cursor stays on it (the screen sees to that) and no words are lost.
func TestAStreamOnASmallScreen(t *testing.T) {
	piece := rapid.SampledFrom([]string{"w ", "word ", "\n", "\n\n", "- ", "```\n", "> ", "漢字", "✓ ", "| a | b |\n|---|---|\n", "\t"})
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "text"), "")
		width, height := rapid.IntRange(4, 30).Draw(t, "width"), rapid.IntRange(1, 8).Draw(t, "height")
		screen := newScreen(t, width, height)
		s := NewStream(screen, width, height, true)
		for i, r := range src {
			if rapid.IntRange(0, 40).Draw(t, "resize") == 0 {
				s.Resize(width, max(height-1, 1))
			}
			if err := s.Write(src[i : i+len(string(r))]); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
		if screen.x != 0 {
			t.Fatalf("%q leaves the cursor in column %d", src, screen.x)
		}
		if got, want := strings.Count(screen.text(), "o"), strings.Count(src, "o"); got != want {
			t.Fatalf("%q: %d of %d words are on the screen:\n%s", src, got, want, screen.text())
		}
	})
}

func TestAStreamStopsAtTheFirstErrorOfItsTerminal(t *testing.T) {
	gone := errors.New("the terminal is gone")
	s := NewStream(failingWriter{gone}, 20, 10, false)
	if err := s.Write("a"); !errors.Is(err, gone) {
		t.Errorf("Write = %v", err)
	}
	if err := s.Flush(); !errors.Is(err, gone) {
		t.Errorf("Flush = %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
