package live

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/term"

	"hob/internal/lazyregexp"
)

// screen is the terminal as bubbletea writes to it. It knows when the prompt is shown for the first time, and it sees to a width
// that changes: a terminal breaks the last rows anew, to more of them than bubbletea has drawn and would erase. The first ones would
// stay above, once for each new width. So screen erases them itself, before the next write. What was drawn for another width than
// the terminal has by then is left out: bubbletea draws all of it again once it knows.
type screen struct {
	*os.File

	seen    func() // the prompt is shown: bracketed paste is switched on with it
	reflows bool

	mu            sync.Mutex
	awaited       *awaited // the newest line that is; nil: none was yet
	viewed, shown frame    // what was made last, and what the terminal shows
	drawn, known  int      // the width that the last rows have, and the one that bubbletea knows; 0: none yet
}

func newScreen(f *os.File, reflows bool, seen func()) *screen {
	return &screen{File: f, reflows: reflows, seen: seen}
}

// A frame is the last rows as they are drawn, and where the cursor is in them.
type frame struct {
	rows    []string
	x, y    int
	widthOf func(cluster string) int
}

// view remembers the rows that are drawn next.
func (s *screen) view(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.viewed = f
}

// resize says which width bubbletea knows from now on.
func (s *screen) resize(width int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = width
}

// Write implements [io.Writer].
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	above := bytes.HasPrefix(text, []byte("\r")) // so begins what is put above the last rows
	width, _, err := term.GetSize(int(s.File.Fd()))
	if err == nil && s.reflows && s.known > 0 {
		if s.drawn > 0 && width != s.drawn {
			if _, err := io.WriteString(s.File, s.erase(width)); err != nil {
				return 0, err
			}
		}
		s.drawn = width
		if width != s.known && !above && !setsModes(text) {
			_, err := io.WriteString(s.File, s.moveTo(s.viewed.x, s.viewed.y, width))
			return len(text), err
		}
	}
	n, err := s.File.Write(text)
	if above {
		s.shown.x, s.shown.y = 0, 0 // where bubbletea leaves the cursor
	} else {
		s.shown = s.viewed
	}
	if bytes.Contains(text, []byte(ansi.SetModeBracketedPaste)) {
		s.seen()
	}
	if a := s.awaited; a != nil && len(a.line) > 0 && (err != nil || bytes.Contains(text, a.line)) {
		a.line, a.err = nil, err
		close(a.done)
	}
	return n, err
}

// WriteString writes as Write does: the file has one of its own.
func (s *screen) WriteString(text string) (int, error) { return s.Write([]byte(text)) }

// awaited is a line that is to be written: bubbletea writes later what is printed, and says of no write that it has failed.
type awaited struct {
	line []byte
	done chan struct{} // closed once a write had it, or failed
	err  error         // of the write; after done
}

// await has a line awaited, in place of the one before. A line of spaces is not.
func (s *screen) await(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaited = &awaited{line: []byte(line), done: make(chan struct{})}
}

// last returns the line that is awaited, or was last; nil where none was yet.
func (s *screen) last() *awaited {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.awaited
}

// modes are sequences that set more than what is drawn.
var modes = lazyregexp.New(`\x1b\[(?:[<=>]|\?(\d+)[hl])`)

// setsModes reports whether a text does more than to draw: it hides the cursor meanwhile, or has the terminal show all at once.
func setsModes(text []byte) bool {
	for _, m := range modes().FindAllSubmatch(text, -1) {
		if mode := string(m[1]); mode != "25" && mode != "2026" {
			return true
		}
	}
	return false
}

// erase returns what erases the last rows of a terminal that has broken them to a new width. The cursor is left where bubbletea
// takes it to be. It erases a row at a time: tmux keeps a screen that is erased as a whole from its first cell.
func (s *screen) erase(width int) string {
	x, y := s.shown.x, s.shown.y
	up := s.shown.rowsAbove(width)
	text := "\r"
	if up > 0 {
		text += fmt.Sprintf("\x1b[%dA", up) + strings.Repeat("\x1b[2K\n", up)
	}
	text += "\x1b[2K"
	if len(s.shown.rows) > y+1 {
		text += "\n\x1b[J\x1b[A"
	}
	s.shown = frame{y: up, widthOf: s.shown.widthOf} // where another width follows at once, there is nothing left that could break
	return text + s.moveTo(x, y, width)
}

// moveTo returns what moves the cursor to a place in the last rows of which nothing is drawn any more.
func (s *screen) moveTo(x, y, width int) string {
	text := "\r"
	if down := y - s.shown.y; down > 0 {
		text += strings.Repeat("\n", down)
	} else if down < 0 {
		text += fmt.Sprintf("\x1b[%dA", -down)
	}
	if x = min(x, width-1); x > 0 {
		text += fmt.Sprintf("\x1b[%dC", x)
	}
	s.shown.x, s.shown.y = x, y
	return text
}

// rowsAbove is how many rows of a terminal of that width are above the cursor, once it has broken those that are wider.
func (f frame) rowsAbove(width int) int {
	if width <= 0 {
		return f.y
	}
	n := f.y
	for i, row := range f.rows[:min(f.y+1, len(f.rows))] {
		if i == f.y {
			row = ansi.Truncate(row, f.x+1, "")
		}
		used := 0
		for g := graphemes.FromString(ansi.Strip(row)); g.Next(); {
			w := f.widthOf(g.Value())
			if used+w > width {
				n++
				used = 0
			}
			used += w
		}
	}
	return n
}

// reflows reports whether a terminal breaks its lines anew when it gets another width. What tells of itself that it is one of the
// few that cut them is left to bubbletea.
func reflows(getenv func(string) string) bool {
	name := getenv("TERM")
	switch {
	case getenv("TMUX") != "":
		return true
	case getenv("XTERM_VERSION") != "":
		return false
	}
	return !slices.ContainsFunc([]string{"linux", "rxvt", "screen", "st", "vt", "dumb", "cons"}, func(cuts string) bool {
		return name == cuts || strings.HasPrefix(name, cuts+"-") || strings.HasPrefix(name, cuts+".")
	})
}
