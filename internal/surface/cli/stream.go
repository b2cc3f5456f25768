package cli

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"hob/internal/display"
)

// Stream shows a Markdown text in a terminal while it is being written. What comes is shown at once, as it is; when a
// block (a paragraph, a list, a table ...) is complete, it is erased and painted again as [Markdown] renders it. A
// block of which the beginning has left the screen stays as it came.
//
// A Stream begins in the first column of an empty line and leaves the cursor there when it is flushed; nobody else
// writes to the terminal in between. One goroutine uses it.
type Stream struct {
	w      io.Writer
	r      *renderer
	height int
	err    error // the first of w; nothing is written after it

	held    string // the end of the last delta, where it could be half of something
	src     string // the text of the blocks that are not complete
	line    int    // offset in src of the line that is being written
	shown   int    // offset in src up to which it is on the screen
	tried   int    // length of src when it was last looked at for complete blocks
	written bool   // a block has been shown: an empty line goes before the next
	gap     bool   // that line is there

	// where the raw text of src stands on the screen
	rows   int  // above the cursor
	column int  // of the cursor
	last   int  // width of the last rune
	raw    bool // it cannot be painted again

	out strings.Builder
}

// NewStream returns a stream for a terminal of width columns and height rows, both above 0.
func NewStream(w io.Writer, width, height int, colour bool) *Stream {
	return &Stream{w: w, r: newRenderer(width, colour), height: height}
}

// Resize tells the terminal's new size. What is on the screen has moved, so the block being written stays as it is.
func (s *Stream) Resize(width, height int) {
	s.r.width, s.height = width, height
	s.raw = s.raw || s.shown > 0
}

// Write shows more text. Deltas may be cut anywhere, within a rune too.
func (s *Stream) Write(delta string) error {
	text := s.held + delta
	cut := len(text)
	if strings.HasSuffix(text, "\r") {
		cut--
	}
	for i := 1; i < utf8.UTFMax && i <= cut; i++ {
		if b := text[cut-i]; utf8.RuneStart(b) {
			if !utf8.FullRuneInString(text[cut-i : cut]) {
				cut -= i
			}
			break
		}
	}
	s.held = text[cut:]
	s.add(text[:cut])
	return s.send()
}

// Flush says that the text is complete. Afterwards the stream is ready for another.
func (s *Stream) Flush() error {
	s.add(s.held)
	if strings.TrimSpace(s.src) != "" {
		s.finish(len(s.src))
	}
	if s.column > 0 {
		s.out.WriteByte('\n')
	}
	err := s.send()
	*s = Stream{w: s.w, r: s.r, height: s.height, err: s.err}
	return err
}

func (s *Stream) send() error {
	if s.out.Len() > 0 && s.err == nil {
		_, s.err = io.WriteString(s.w, s.out.String())
	}
	s.out.Reset()
	return s.err
}

func (s *Stream) add(text string) {
	for line := range strings.SplitAfterSeq(display.Clean(strings.ReplaceAll(text, "\r\n", "\n")), "\n") {
		s.src += line
		s.show()
		if strings.HasSuffix(line, "\n") {
			s.lineDone()
		}
	}
}

// show puts on the screen what is not yet there. Blanks wait for what comes after them: a line that has nothing else
// is no part of a block that begins there.
func (s *Stream) show() {
	if s.shown >= s.line && strings.TrimSpace(s.src[s.shown:]) == "" && (s.shown == 0 || s.src[len(s.src)-1] != '\n') {
		return
	}
	if s.shown == 0 && s.written && !s.gap {
		s.out.WriteByte('\n')
		s.gap = true
	}
	for _, r := range s.src[s.shown:] {
		s.rune(r)
	}
	s.shown = len(s.src)
}

// rune writes one rune of raw text. Lines are ended here, never by the terminal, so that their number is known.
func (s *Stream) rune(r rune) {
	switch r {
	case '\n':
		s.newLine()
		return
	case '\t':
		for range 4 - s.column%4 {
			s.rune(' ')
		}
		return
	}
	w := display.RuneWidth(r)
	if w == 0 && s.column == 0 {
		return
	}
	if s.column+w > s.r.width && s.column > 0 {
		s.newLine()
	}
	if s.column == 0 && isMark(r) {
		s.out.WriteByte(' ')
		s.column++
	}
	if r == emojiPresentation && s.last == 1 {
		w = 1
	}
	s.out.WriteRune(r)
	s.column += w
	s.last = w
}

func (s *Stream) newLine() {
	s.out.WriteByte('\n')
	s.column = 0
	s.rows++
	if s.rows >= s.height {
		s.raw = true
	}
}

// lineDone looks whether the line that has just ended completes blocks.
func (s *Stream) lineDone() {
	defer func() { s.line = len(s.src) }()
	if strings.TrimSpace(s.src) == "" {
		s.src, s.shown, s.tried = "", 0, 0
		return
	}
	if !s.worthALook() {
		return
	}
	s.tried = len(s.src)
	if n := s.complete(); n > 0 {
		s.finish(n)
	}
}

// worthALook keeps the cost of long blocks in proportion to their length.
func (s *Stream) worthALook() bool {
	line := strings.TrimLeft(s.src[s.line:], " ")
	first := strings.TrimLeft(s.src, " \n")
	for _, fence := range []string{"```", "~~~"} {
		if strings.HasPrefix(first, fence) {
			return strings.HasPrefix(line, fence)
		}
	}
	return len(s.src) < 1<<14 || len(s.src) > s.tried+s.tried/4
}

// complete returns how many bytes of src are blocks that no further line can change.
func (s *Stream) complete() int {
	first := s.r.parse(s.src).FirstChild()
	if first == nil {
		return 0
	}
	last := first
	for last.NextSibling() != nil {
		last = last.NextSibling()
	}
	switch last.(type) {
	case *ast.Paragraph, *ast.Heading, *ast.ThematicBreak, *ast.FencedCodeBlock, *east.Table:
		// They are complete if a line of text that follows is another block.
		if after := s.r.parse(s.src + "x\n").LastChild(); after.Kind() == ast.KindParagraph && after.Pos() == len(s.src) {
			return len(s.src)
		}
	}
	return strings.LastIndexByte(s.src[:max(last.Pos(), 0)], '\n') + 1
}

// finish paints the first n bytes of src, which are complete blocks, and shows the rest anew.
func (s *Stream) finish(n int) {
	done, rest := s.src[:n], s.src[n:]
	s.src, s.line, s.shown, s.tried = rest, 0, 0, 0
	if s.raw {
		s.leave(done)
		return
	}
	s.out.WriteByte('\r')
	if s.rows > 0 {
		s.out.WriteString("\x1b[" + strconv.Itoa(s.rows) + "A")
	}
	s.out.WriteString("\x1b[J")
	for _, block := range s.r.blocks(done) {
		if s.written && !s.gap {
			s.out.WriteByte('\n')
		}
		s.out.WriteString(block)
		s.written, s.gap = true, false
	}
	s.rows, s.column, s.last = 0, 0, 0
	if strings.TrimSpace(rest) != "" {
		s.show()
	}
}

// leave keeps the text done on the screen as it is. What follows it may be painted again, if it begins on the screen.
func (s *Stream) leave(done string) {
	if !strings.HasSuffix(done, "\n") {
		s.out.WriteByte('\n')
	}
	shown := s.out.String()
	s.rows, s.column, s.last, s.raw = 0, 0, 0, false
	for _, r := range s.src { // counts its rows; it is on the screen already
		s.rune(r)
	}
	s.out.Reset()
	s.out.WriteString(shown)
	s.shown = len(s.src)
	s.written, s.gap = true, s.src != "" || strings.HasSuffix(done, "\n\n")
}
