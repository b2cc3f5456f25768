package chart

import (
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"sort"
	"strings"

	"hob/internal/display"
)

//go:generate go run ./glyphs /usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf glyphs.bin

// glyphs is the letters: Latin, Greek and Cyrillic ones, and the Chinese ones of GB 2312's level 1, about 4,500 in all. They are
// from LXGW WenKai, Copyright (c) 2021-2022 lxgw, under the SIL Open Font License 1.1, which stands in glyphs.OFL.txt.
//
// The file has the number of letters (2 bytes, little-endian, as all of its numbers), for each in order its code (2) and its width (1)
// in units of which the em has 250; then for each 64 of them where their outlines begin in the rest (4), and these, each 64
// deflated together. The outlines of a letter are varints, as encode of the command glyphs writes them.
//
//go:embed glyphs.bin
var glyphs string

// The parts of glyphs.
const (
	em         = 250
	glyphBlock = 64
	glyphEntry = 3
)

// The sizes of text, in pixels of the em: the least of names, and of titles and numbers.
const (
	small = 16
	large = 28
)

// letters are the letters of one picture. They read the outlines that it needs.
type letters struct {
	blocks map[int][][][]knot // by block: outlines of each letter
}

func newLetters() *letters { return &letters{map[int][][][]knot{}} }

func countGlyphs() int { return int(glyphs[0]) | int(glyphs[1])<<8 }

// glyphIndex returns the place of a letter, and false if there is none.
func glyphIndex(r rune) (int, bool) {
	code := func(i int) rune { return rune(glyphs[2+i*glyphEntry]) | rune(glyphs[3+i*glyphEntry])<<8 }
	n := countGlyphs()
	i := sort.Search(n, func(i int) bool { return code(i) >= r })
	return i, i < n && code(i) == r
}

// advance returns the width of a letter in eighths of a pixel, and false if there is none. It is taken then for as wide as
// the em, or half of it if a terminal would give it one column.
func (l *letters) advance(r rune, size int) (eighths int, known bool) {
	if i, ok := glyphIndex(r); ok {
		return (int(glyphs[4+i*glyphEntry])*size*8 + em/2) / em, true
	}
	return display.RuneWidth(r) * size * 4, false
}

// measure returns the width of s in pixels, rounded up, and whether there are all of its letters.
func (l *letters) measure(s string, size int) (w int, drawable bool) {
	drawable = true
	for _, r := range s {
		eighths, known := l.advance(r, size)
		w += eighths
		drawable = drawable && known
	}
	return (w + 7) / 8, drawable
}

// outlines returns the outlines of a letter from the pen, in units; y grows downwards.
func (l *letters) outlines(r rune) [][]knot {
	i, ok := glyphIndex(r)
	if !ok {
		return nil
	}
	block, known := l.blocks[i/glyphBlock]
	if !known {
		block = readBlock(i / glyphBlock)
		l.blocks[i/glyphBlock] = block
	}
	if i%glyphBlock >= len(block) {
		return nil
	}
	return block[i%glyphBlock]
}

// readBlock reads the outlines of a block of letters.
func readBlock(block int) (letters [][][]knot) {
	n := countGlyphs()
	offsets := 2 + n*glyphEntry
	rest := offsets + (n+glyphBlock-1)/glyphBlock*4
	at := binary.LittleEndian.Uint32([]byte(glyphs[offsets+4*block:][:4]))
	b, err := io.ReadAll(flate.NewReader(strings.NewReader(glyphs[rest+int(at):])))
	if err != nil {
		return nil
	}
	next := func() int {
		v, n := binary.Varint(b)
		b = b[max(n, 0):]
		return int(v)
	}
	for len(b) > 0 {
		letter := make([][]knot, next())
		for i := range letter {
			outline := make([]knot, next())
			p := point{}
			for k := range outline {
				x := next()
				p = point{p.x + x>>1, p.y + next()}
				outline[k] = knot{p, x&1 == 1}
			}
			letter[i] = outline
		}
		letters = append(letters, letter)
	}
	return letters
}
