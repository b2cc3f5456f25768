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
		s := NewStream(&terminalCanvas{w: got, height: 1 << 20}, width, colour)
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
	s := NewStream(&terminalCanvas{w: screen, height: 10}, 20, false)
	for _, step := range []struct{ delta, want string }{
		{"**bo", "**bo"},
		{"ld** text", "bold text"},
		{" that is wrapped", "bold text that is\nwrapped"},
		{"\n", "bold text that is\nwrapped"},
		{"\n", "bold text that is\nwrapped"}, // the empty line ends the paragraph
		{"- a\n", "bold text that is\nwrapped\n\n- a"},
		{"- b `", "bold text that is\nwrapped\n\n- a\n- b `"},
		{"c`\n\n", "bold text that is\nwrapped\n\n- a\n- b `c`"},
		{"Next", "bold text that is\nwrapped\n\n- a\n- b `c`\n\nNext"},
		{" one\n", "bold text that is\nwrapped\n\n- a\n- b `c`\n\nNext one"},
		{"\n✓ done *now*", "bold text that is\nwrapped\n\n- a\n- b `c`\n\nNext one\n\n ✓ done now"}, // no line of hob's, not even for a moment
	} {
		if err := s.Write(step.delta); err != nil {
			t.Fatal(err)
		}
		if got := screen.text(); got != step.want {
			t.Errorf("after %q the screen shows\n%s\nwant\n%s", step.delta, got, step.want)
		}
	}
}

// Of a block that is longer than the screen the end is shown, and the whole when it is complete.
func TestALongBlock(t *testing.T) {
	screen := newScreen(t, 20, 4)
	s := NewStream(&terminalCanvas{w: screen, height: 4}, 20, false)
	write := func(text string) {
		t.Helper()
		for _, r := range text {
			if err := s.Write(string(r)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("*first*\n\n```\n1\n2\n3\n4\n5\n")
	if want := "first\n3\n4\n5"; screen.text() != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", screen.text(), want)
	}
	write("```\n\n*then*\n\nlast *one*")
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "first\n\n```\n1\n2\n3\n4\n5\n```\n\nthen\n\nlast one"; screen.text() != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", screen.text(), want)
	}
}

// The draft of a block that grows without end is its end, and code stays code.
func TestADraftIsBounded(t *testing.T) {
	canvas := &draftCanvas{}
	s := NewStream(canvas, 40, false)
	s.Write("```\n" + strings.Repeat("a line of code *here*\n", 1000))
	if n := len(strings.Join(canvas.draft, "\n")); n > 3*draftOf || canvas.draft[len(canvas.draft)-1] != "a line of code *here*" {
		t.Errorf("the draft has %d bytes, the last line is %q", n, canvas.draft[len(canvas.draft)-1])
	}
}

// draftCanvas keeps the draft.
type draftCanvas struct {
	strings.Builder
	draft []string
}

func (c *draftCanvas) Draft(lines []string) error { c.draft = lines; return nil }

// When the window changes its size, what was shown of a block stays, and the whole follows.
func TestAWindowThatChanges(t *testing.T) {
	screen := newScreen(t, 20, 10)
	canvas := &terminalCanvas{w: screen, height: 10}
	s := NewStream(canvas, 20, false)
	s.Write("*one*\n\n*two*")
	s.Resize(15)
	canvas.Resize(10)
	s.Write(" and\n\n*three*")
	s.Flush()
	if want := "one\n\ntwo\n\ntwo and\n\nthree"; screen.text() != want {
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
		canvas := &terminalCanvas{w: screen, height: height}
		s := NewStream(canvas, width, true)
		for i, r := range src {
			if rapid.IntRange(0, 40).Draw(t, "resize") == 0 {
				canvas.Resize(max(height-1, 1))
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
		if got, want := strings.Count(screen.text(), "o"), strings.Count(src, "o"); got < want {
			t.Fatalf("%q: %d of %d words are on the screen:\n%s", src, got, want, screen.text())
		}
	})
}

func TestAStreamStopsAtTheFirstErrorOfItsTerminal(t *testing.T) {
	gone := errors.New("the terminal is gone")
	s := NewStream(&terminalCanvas{w: failingWriter{gone}, height: 10}, 20, false)
	if err := s.Write("a"); !errors.Is(err, gone) {
		t.Errorf("Write = %v", err)
	}
	if err := s.Flush(); !errors.Is(err, gone) {
		t.Errorf("Flush = %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
