package cli

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
)

// screen is a terminal of the kind that the sequences of this package need. It fails the test on any other.
type screen struct {
	t             interface{ Fatalf(string, ...any) }
	width, height int
	lines         [][]string // each cell with its look; "" is the right half of a wide one
	x, y          int        // the cursor; x may be width: the next rune wraps
	top           int        // the first line that is not scrolled away
	look          string
}

func newScreen(t interface{ Fatalf(string, ...any) }, width, height int) *screen {
	return &screen{t: t, width: width, height: height, lines: [][]string{nil}}
}

func (s *screen) Write(p []byte) (int, error) {
	if !utf8.Valid(p) {
		s.t.Fatalf("bytes that are no UTF-8 were written: %q", p)
	}
	for rest := string(p); rest != ""; {
		if strings.HasPrefix(rest, "\x1b") {
			rest = rest[s.sequence(rest):]
			continue
		}
		r, n := utf8.DecodeRuneInString(rest)
		s.put(r)
		rest = rest[n:]
	}
	return len(p), nil
}

func (s *screen) sequence(text string) int {
	end := strings.IndexAny(text, "ABCDJKmhl")
	if !strings.HasPrefix(text, "\x1b[") || end < 0 {
		s.t.Fatalf("an unknown sequence: %q", text)
	}
	n := 1
	if v, err := strconv.Atoi(text[2:end]); err == nil {
		n = v
	}
	switch text[end] {
	case 'm':
		s.look = strings.TrimPrefix(text[:end+1], reset)
	case 'A':
		s.y -= n
		if s.y < s.top {
			s.t.Fatalf("the cursor went %d lines above the screen", s.top-s.y)
		}
		s.x = min(s.x, s.width-1)
	case 'B':
		s.y = min(s.y+n, len(s.lines)-1)
	case 'C':
		s.x = min(s.x+n, s.width-1)
	case 'D':
		s.x = max(s.x-n, 0)
	case 'J':
		s.lines = s.lines[:s.y+1]
		fallthrough
	case 'K':
		s.lines[s.y] = s.lines[s.y][:min(s.x, len(s.lines[s.y]))]
	case 'h', 'l': // modes, such as bracketed paste
	}
	return end + 1
}

func (s *screen) put(r rune) {
	switch {
	case r == '\n':
		s.down()
		s.x = 0
		return
	case r == '\r':
		s.x = 0
		return
	case r < ' ' || 0x7f <= r && r < 0xa0:
		s.t.Fatalf("the control character %U was written", r)
	}
	w := display.RuneWidth(r)
	if w == 0 {
		if s.x > 0 && s.x <= len(s.lines[s.y]) {
			s.lines[s.y][s.x-1] += string(r)
		}
		return
	}
	if s.x+w > s.width {
		s.down()
		s.x = 0
	}
	line := s.lines[s.y]
	for len(line) < s.x+w {
		line = append(line, " ")
	}
	line[s.x] = string(r)
	if s.look != "" {
		line[s.x] = s.look + string(r) + reset
	}
	if w == 2 {
		line[s.x+1] = ""
	}
	s.lines[s.y] = line
	s.x += w
}

func (s *screen) down() {
	s.y++
	if s.y == len(s.lines) {
		s.lines = append(s.lines, nil)
	}
	s.top = max(s.top, s.y-s.height+1)
}

// text returns what is and was on the screen, with its looks, without empty lines at the end.
func (s *screen) text() string {
	b := &strings.Builder{}
	for _, line := range s.lines {
		b.WriteString(strings.TrimRight(strings.Join(line, ""), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
