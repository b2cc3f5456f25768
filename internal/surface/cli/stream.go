package cli

import (
	"strings"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/markdown"
)

// Stream shows a Markdown text while it is being written, as [Markdown] renders it. A block (a paragraph, a list, a table ...)
// that is complete is written for good; the one that is still growing is the canvas's draft.
//
// Nobody else writes to the canvas between the first Write and Flush. One goroutine uses it.
type Stream struct {
	canvas Canvas
	r      *renderer
	err    error // the first of canvas; nothing is written after it

	held    string // the end of the last delta, where it could be half of something
	src     string // the text of the blocks that are not complete
	line    int    // offset in src of the line that is being written
	tried   int    // length of src when it was last looked at for complete blocks
	written bool   // a block was written: an empty line goes before the next
}

// NewStream returns a stream to a canvas of width columns, above 0.
func NewStream(canvas Canvas, width int, colour bool) *Stream {
	return &Stream{canvas: canvas, r: newRenderer(width, colour)}
}

// Resize tells the width of the canvas, from now on.
func (s *Stream) Resize(width int) { s.r.width = width }

// Write shows more text. Deltas may be cut anywhere, within a rune too.
func (s *Stream) Write(delta string) error {
	text := s.held + delta
	cut := len(display.TrimRune([]byte(strings.TrimSuffix(text, "\r"))))
	s.held = text[cut:]
	s.add(text[:cut])
	s.draft()
	return s.err
}

// Flush says that the text is complete. Afterwards the stream is ready for another.
func (s *Stream) Flush() error {
	s.add(s.held)
	s.finish(len(s.src))
	s.note(s.canvas.Draft(nil))
	err := s.err
	*s = Stream{canvas: s.canvas, r: s.r, err: s.err}
	return err
}

func (s *Stream) note(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *Stream) add(text string) {
	for line := range strings.SplitAfterSeq(display.Clean(strings.ReplaceAll(text, "\r\n", "\n")), "\n") {
		s.src += line
		if strings.HasSuffix(line, "\n") {
			s.lineDone()
		}
	}
}

// lineDone looks whether the line that has just ended completes blocks.
func (s *Stream) lineDone() {
	defer func() { s.line = len(s.src) }()
	if strings.TrimSpace(s.src) == "" {
		s.src, s.tried = "", 0
		return
	}
	if !s.worthALook() {
		return
	}
	s.tried = len(s.src)
	if n := markdown.Settled(s.src); n > 0 {
		s.finish(n)
	}
}

// fenceOf returns the fence that a block of code begins with, or "".
func fenceOf(src string) string {
	first := strings.TrimLeft(src, " \n")
	for _, fence := range []string{"```", "~~~"} {
		if strings.HasPrefix(first, fence) {
			return fence
		}
	}
	return ""
}

// worthALook keeps the cost of long blocks in proportion to their length.
func (s *Stream) worthALook() bool {
	if fence := fenceOf(s.src); fence != "" {
		return strings.HasPrefix(strings.TrimLeft(s.src[s.line:], " "), fence)
	}
	return len(s.src) < 1<<14 || len(s.src) > s.tried+s.tried/4
}

// finish writes the first n bytes of src, which are complete blocks.
func (s *Stream) finish(n int) {
	done := s.src[:n]
	s.src, s.line, s.tried = s.src[n:], 0, 0
	for _, block := range s.r.blocks(done) {
		if s.written {
			block = "\n" + block
		}
		if s.err == nil {
			_, err := s.canvas.Write([]byte(block))
			s.note(err)
		}
		s.written = true
	}
}

// draftOf is how much of the end of a block that grows is rendered, in bytes: it is rendered again with each delta.
const draftOf = 4 << 10

// draft shows the block that is not complete, or its end.
func (s *Stream) draft() {
	src := s.src
	if cut := len(src) - draftOf; cut > 0 {
		if end := strings.IndexByte(src[cut:], '\n'); end >= 0 {
			cut += end + 1
		}
		for !utf8.RuneStart(src[cut]) {
			cut++
		}
		head := ""
		if fenceOf(src) != "" {
			head, _, _ = strings.Cut(strings.TrimLeft(src, " \n"), "\n")
			head += "\n"
		}
		src = head + src[cut:]
	}
	var lines []string
	for i, block := range s.r.blocks(src) {
		if s.written || i > 0 {
			lines = append(lines, "")
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(block, "\n"), "\n") {
			lines = append(lines, foldPainted(line, s.r.width)...) // code may be wider than the terminal
		}
	}
	if fenceOf(src) != "" && len(lines) > 1 {
		lines = lines[:len(lines)-1] // the fence that ends it is not there yet
	}
	if s.err == nil {
		s.note(s.canvas.Draft(lines))
	}
}
