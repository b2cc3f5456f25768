package pdf

import (
	"math"
	"strings"
	"unicode"
)

// point is where a character stands on a page: its position, the direction of its line, and its size.
type point struct{ x, y, dx, dy, size float64 }

// near reports whether two places are the same for the eye.
func (p point) near(q point) bool { return math.Hypot(p.x-q.x, p.y-q.y) < 0.1*p.size }

// How far apart characters stand that do not belong together, in sizes of a character.
const (
	newLine      = 0.6  // across the line; what is raised or lowered is less
	newParagraph = 1.75 // likewise
	newWord      = 0.17 // along the line; a blank is 0.25 and more
	newColumn    = 2.5  // likewise
	back         = -1.0 // along the line
)

// flow makes lines of characters as a page places them.
type flow struct {
	b       []byte
	end     point // where the newest character ended
	started bool
}

func (f *flow) full() bool { return len(f.b) > MaxText }

// put adds a character, or what stands for one.
func (f *flow) put(text string, from, to point) {
	if text == "" {
		return
	}
	if f.started {
		f.separate(text, from)
	}
	f.b = append(f.b, text...)
	f.end, f.started = to, true
}

// separate adds what belongs between the newest character and one that stands at a place.
func (f *flow) separate(text string, at point) {
	size := (f.end.size + at.size) / 2
	length := math.Hypot(f.end.dx, f.end.dy)
	if size == 0 || length == 0 {
		return
	}
	dx, dy := f.end.dx/length, f.end.dy/length
	along := ((at.x-f.end.x)*dx + (at.y-f.end.y)*dy) / size
	across := ((at.y-f.end.y)*dx - (at.x-f.end.x)*dy) / size // positive is up
	turned := at.dx*dx+at.dy*dy < 0.9*math.Hypot(at.dx, at.dy)
	switch {
	case turned || across > newLine || across < -newParagraph:
		f.add("\n\n")
	case across < -newLine:
		f.add("\n")
	case along > newColumn:
		f.add("  ")
	case (along > newWord || along < back) && !strings.HasPrefix(text, " "):
		f.add(" ")
	}
}

// add adds blanks, no more than are missing.
func (f *flow) add(blanks string) {
	end := len(f.b)
	for end > 0 && (f.b[end-1] == ' ' || f.b[end-1] == '\n') {
		end--
	}
	if have := string(f.b[end:]); strings.Count(blanks, "\n") > strings.Count(have, "\n") || !strings.Contains(have, "\n") && len(have) < len(blanks) {
		f.b = append(f.b[:end], blanks...)
	}
}

// text returns the lines, without what nobody would see.
func (f *flow) text() string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r): // the no-break space too: it looks the same
			return ' '
		case unicode.IsControl(r), r == 0xad, 0xe000 <= r && r <= 0xf8ff: // a private glyph means something to its font only
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(f.b), ""))
	seen = ligatures().Replace(seen)
	lines := strings.Split(seen, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// ligatures takes the letters apart that fonts draw as one.
func ligatures() *strings.Replacer {
	return strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")
}
