package cli

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
)

// Canvas is where text appears that is complete, and below it a draft of what is not.
type Canvas interface {
	io.Writer // whole lines, for good: they go above the draft

	// Draft replaces the draft. Its lines fit the width. None removes it.
	Draft(lines []string) error
}

// terminalCanvas is a canvas on a terminal where nobody types meanwhile. Its cursor stands in the first column below the
// draft.
type terminalCanvas struct {
	w      io.Writer
	height int      // of the terminal
	draft  []string // on the screen
	out    strings.Builder
}

// Resize tells the terminal's new height. What is on the screen has moved: the draft there is left as it is.
func (c *terminalCanvas) Resize(height int) { c.height, c.draft = height, nil }

// Write implements [Canvas]. A draft is gone afterwards.
func (c *terminalCanvas) Write(text []byte) (int, error) {
	c.erase(0)
	c.out.Write(text)
	return len(text), c.send()
}

// Draft implements [Canvas]: the end of a draft that is longer than the screen.
func (c *terminalCanvas) Draft(lines []string) error {
	lines = lines[max(0, len(lines)-max(c.height-1, 0)):]
	same := 0
	for same < min(len(lines), len(c.draft)) && lines[same] == c.draft[same] {
		same++
	}
	if same == len(lines) && same == len(c.draft) {
		return nil
	}
	c.erase(same)
	for _, line := range lines[same:] {
		c.out.WriteString(line + "\n")
	}
	c.draft = lines
	return c.send()
}

// erase removes the lines of the draft from the one with index from on.
func (c *terminalCanvas) erase(from int) {
	if rows := len(c.draft) - from; rows > 0 {
		c.out.WriteString("\x1b[" + strconv.Itoa(rows) + "A\x1b[J")
	}
	c.draft = c.draft[:from]
}

func (c *terminalCanvas) send() error {
	_, err := io.WriteString(c.w, c.out.String())
	c.out.Reset()
	return err
}

// foldPainted cuts a line with looks into lines of at most width columns. Each ends in the terminal's normal look. A width of 0 cuts
// nothing.
func foldPainted(line string, width int) []string {
	if width <= 0 || Width(line) <= width { // which counts what sets a look, too
		return []string{line}
	}
	var lines []string
	var b strings.Builder
	look, used := "", 0
	for rest := line; rest != ""; {
		if strings.HasPrefix(rest, "\x1b[") {
			end := strings.IndexByte(rest, 'm') + 1
			if look = rest[:end]; look == reset {
				look = ""
			}
			b.WriteString(rest[:end])
			rest = rest[end:]
			continue
		}
		r, n := utf8.DecodeRuneInString(rest)
		w := display.RuneWidth(r)
		if used+w > width && used > 0 {
			if look != "" {
				b.WriteString(reset)
			}
			lines = append(lines, b.String())
			b.Reset()
			b.WriteString(look)
			used = 0
		}
		b.WriteRune(r)
		used, rest = used+w, rest[n:]
	}
	return append(lines, b.String())
}
