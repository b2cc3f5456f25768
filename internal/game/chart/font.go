package chart

import (
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"hob/internal/display"
)

// The sizes of text, in pixels of the em: of names, and of numbers and titles.
const (
	small = 18
	large = 28
)

// letters are the letters of one picture: those of Go Regular, without hinting. The Go fonts are by Bigelow & Holmes,
// Copyright (c) 2016 Bigelow & Holmes Inc., under the licence of Go itself: BSD with three clauses, https://go.dev/LICENSE.
type letters struct {
	font  *opentype.Font
	faces map[int]font.Face // by size
	buf   sfnt.Buffer
}

func newLetters() *letters {
	l := &letters{faces: map[int]font.Face{}}
	f, err := opentype.Parse(goregular.TTF)
	for _, size := range []int{small, large} {
		if err == nil {
			l.faces[size], err = opentype.NewFace(f, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		}
	}
	if err == nil {
		l.font = f
	}
	return l
}

// advance returns the width of a letter in eighths of a pixel, and false if the font has none. It is taken then for as wide as
// the em, or half of it if a terminal would give it one column.
func (l *letters) advance(r rune, size int) (eighths int, known bool) {
	if l.font != nil && r != '\u00ad' { // a soft hyphen is not shown
		if i, err := l.font.GlyphIndex(&l.buf, r); err == nil && i != 0 {
			wide, _ := l.faces[size].GlyphAdvance(r)
			return (int(wide) + 4) / 8, true
		}
	}
	return display.RuneWidth(r) * size * 4, false
}

// measure returns the width of s in pixels, rounded up, and whether the font has all of its letters.
func (l *letters) measure(s string, size int) (w int, drawable bool) {
	drawable = true
	for _, r := range s {
		eighths, known := l.advance(r, size)
		w += eighths
		drawable = drawable && known
	}
	return (w + 7) / 8, drawable
}

// draw calls dot for the pixels of a letter around the pen, with how much of each is covered: 1 to 3 parts of 3.
func (l *letters) draw(r rune, size int, dot func(x, y, level int)) {
	box, mask, from, _, ok := l.faces[size].Glyph(fixed.Point26_6{}, r)
	if !ok {
		return
	}
	for y := range box.Dy() {
		for x := range box.Dx() {
			_, _, _, alpha := mask.At(from.X+x, from.Y+y).RGBA()
			if level := (int(alpha>>8)*3 + 127) / 255; level > 0 {
				dot(box.Min.X+x, box.Min.Y+y, level)
			}
		}
	}
}
