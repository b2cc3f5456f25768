package cli

import (
	"strings"

	"hob/internal/display"
)

// style is a set of ways in which text looks.
type style uint16

const (
	bold style = 1 << iota
	italic
	underline
	strike
	dim
	codeColour
	linkColour
	red
	yellow
	whole // no line ends within: an address, which a person wants to click
)

// sgr returns the sequence that switches from the terminal's normal look to s.
func (s style) sgr() string {
	codes := make([]string, 0, 8)
	for _, c := range []struct {
		style style
		code  string
	}{{bold, "1"}, {dim, "2"}, {italic, "3"}, {underline, "4"}, {strike, "9"}, {codeColour, "36"}, {linkColour, "34"}, {red, "31"}, {yellow, "33"}} {
		if s&c.style != 0 {
			codes = append(codes, c.code)
		}
	}
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

const reset = "\x1b[0m"

// span is text of one style. A "\n" in it is a line end.
type span struct {
	text  string
	style style
}

// cell is a rune with its place on a terminal. A rune without width belongs to the cell before it.
type cell struct {
	text  string
	width int
	style style
}

func (c cell) blank() bool { return c.text == " " }

func cells(spans []span) []cell {
	var out []cell
	for _, s := range spans {
		for _, r := range s.text {
			if r == '\t' {
				r = ' '
			}
			w, n := display.RuneWidth(r), len(out)
			switch {
			case w > 0 || r == '\n':
				out = append(out, cell{string(r), w, s.style})
			case n == 0 || out[n-1].text == "\n": // nothing to join: it would only hide what follows from a look at the first cell
			default:
				out[n-1].text += string(r)
				if r == emojiPresentation {
					out[n-1].width = 2
				}
			}
		}
	}
	return out
}

// notFirst are the marks that close something: a line of East Asian text does not begin with them.
const notFirst = "、。，．：；！？）」』】〉》〕”’%,.:;!?)]}"

// wrap lays cells into lines of at most width columns. first says whether the lines begin in the first column: then
// none begins with a mark.
func wrap(in []cell, width int, first bool) [][]cell {
	var lines [][]cell
	var line []cell
	used, breakAt := 0, 0 // a line may end before line[breakAt]; 0 means nowhere
	begin := func(rest []cell) {
		line, breakAt = nil, 0
		for len(rest) > 0 && rest[0].blank() {
			rest = rest[1:]
		}
		if first && len(rest) > 0 && isMark([]rune(rest[0].text)[0]) {
			rest = append([]cell{{" ", 1, 0}}, rest...)
		}
		line = append(line, rest...)
		used = cellsWidth(line)
	}
	for _, c := range in {
		switch {
		case c.text == "\n":
			lines = append(lines, trimRight(line))
			begin(nil)
			continue
		case len(line) == 0:
			begin([]cell{c})
			continue
		case c.blank():
			line, used = append(line, c), used+1
			breakAt = len(line)
			continue
		case (c.width == 2 || line[len(line)-1].width == 2) && !strings.Contains(notFirst, c.text):
			breakAt = len(line)
		}
		for width > 0 && used+c.width > width && len(line) > 0 {
			at := breakAt
			if at == 0 || at > len(line) {
				if c.style&whole != 0 {
					break
				}
				at = len(line)
			}
			rest := line[at:]
			lines = append(lines, trimRight(line[:at]))
			if begin(rest); len(rest) == 0 {
				break
			}
		}
		if len(line) == 0 {
			begin([]cell{c})
			continue
		}
		line, used = append(line, c), used+c.width
	}
	if len(line) > 0 {
		lines = append(lines, trimRight(line))
	}
	return lines
}

func trimRight(line []cell) []cell {
	for len(line) > 0 && line[len(line)-1].blank() && line[len(line)-1].style&(underline|strike) == 0 {
		line = line[:len(line)-1]
	}
	return line
}

// paint returns the text of a line, with colour when wanted. Each line ends in the terminal's normal look.
func paint(line []cell, colour bool) string {
	b, now := &strings.Builder{}, style(0)
	for _, c := range line {
		if want := c.style &^ whole; colour && want != now {
			if now != 0 {
				b.WriteString(reset)
			}
			b.WriteString(want.sgr())
			now = want
		}
		b.WriteString(c.text)
	}
	if now != 0 {
		b.WriteString(reset)
	}
	return b.String()
}

func cellsWidth(line []cell) int {
	n := 0
	for _, c := range line {
		n += c.width
	}
	return n
}
