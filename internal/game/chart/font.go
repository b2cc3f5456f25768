package chart

import (
	"cmp"
	"compress/flate"
	_ "embed"
	"io"
	"sort"
	"strings"

	"hob/internal/display"
)

// letters holds Go Regular in two sizes; fontgen says how and under which licence.
//
//go:embed font.bin
var letters string

// The sizes of text, in pixels of the em: of names, and of numbers and titles.
const (
	small = 18
	large = 28
)

// glyph is a letter of the embedded font.
type glyph struct {
	advance   int // eighths of a pixel
	left, top int // from the pen to its picture: columns to the right, rows up
	w, h      int
	at        int // where its picture begins, among all
}

// face is the embedded font in one size: records of 10 bytes, by rune.
type face struct{ records string }

const recordSize = 10

func newFace(size int) face {
	from, to := records(0)
	if int(letters[0]) != size {
		from, to = records(to)
	}
	return face{letters[from:to]}
}

// records returns where the records of the size that begins at a byte of the file lie.
func records(at int) (from, to int) {
	return at + 3, at + 3 + recordSize*(int(letters[at+1])|int(letters[at+2])<<8)
}

// pictures unpacks what follows the records: two bits a pixel.
func pictures() ([]byte, error) {
	_, end := records(0)
	_, end = records(end)
	return io.ReadAll(flate.NewReader(strings.NewReader(letters[end:])))
}

// glyph returns the letter, and false where the font has none.
func (f face) glyph(r rune) (glyph, bool) {
	at, known := sort.Find(len(f.records)/recordSize, func(i int) int {
		g := f.records[i*recordSize:]
		return cmp.Compare(r, rune(g[0])|rune(g[1])<<8)
	})
	if !known {
		return glyph{}, false
	}
	g := f.records[at*recordSize:]
	return glyph{advance: int(g[2]), left: int(int8(g[3])), top: int(int8(g[4])), w: int(g[5]), h: int(g[6]),
		at: int(g[7]) | int(g[8])<<8 | int(g[9])<<16}, true
}

// measure returns the width of s in pixels, rounded up, and whether the font has all of its letters. Those that it has not
// are taken for as wide as the em, or half of it where a terminal would give them one column.
func measure(s string, size int) (w int, drawable bool) {
	f, drawable := newFace(size), true
	for _, r := range s {
		g, ok := f.glyph(r)
		if !ok {
			drawable = false
			g.advance = display.RuneWidth(r) * size * 4
		}
		w += g.advance
	}
	return (w + 7) / 8, drawable
}
