// Command fontgen draws the letters of package chart: it renders Go Regular in the sizes that maps use and writes them as
// one file, which the package embeds. So hob carries thirty kilobytes of pictures of letters instead of a font and what reads
// fonts, and a map's bytes do not depend on the font library's release.
//
// Run it in the package's folder: go run ./fontgen >font.bin. Its test holds the file against what it would write.
//
// The letters are those of the Go fonts by Bigelow & Holmes, Copyright (c) 2016 Bigelow & Holmes Inc., which are licensed
// under the same terms as Go itself: the BSD licence with three clauses, https://go.dev/LICENSE.
package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"image"
	"os"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

func main() {
	data, err := pack()
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fontgen:", err)
		os.Exit(1)
	}
}

// sizes are the heights of the em in pixels: for names, and for numbers and titles.
func sizes() []int { return []int{18, 28} }

// runes returns what is drawn, in order: Latin-1, Latin Extended-A, Greek, Cyrillic and the usual punctuation, as far as
// the font has them.
func runes(f *sfnt.Font) ([]rune, error) {
	var buf sfnt.Buffer
	var out []rune
	for _, r := range [][2]rune{{' ', '~'}, {0xa0, 0x17f}, {0x218, 0x21b}, {0x384, 0x3ce}, {0x400, 0x45f}, {0x490, 0x491},
		{0x2013, 0x2014}, {0x2018, 0x201a}, {0x201c, 0x201e}, {0x2026, 0x2026}, {0x2116, 0x2116}} {
		for c := r[0]; c <= r[1]; c++ {
			i, err := f.GlyphIndex(&buf, c)
			if err != nil {
				return nil, fmt.Errorf("look up %U: %w", c, err)
			}
			if i != 0 && c != 0xad { // a soft hyphen is not shown
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// build returns the records and the pictures of the letters. For each size there are: the size (1 byte), the number of
// glyphs (2), and for each glyph, in order of its rune, 10 bytes: the rune (2), the advance in eighths of a pixel (1), the
// columns from the pen to the picture (1, signed), the rows from the baseline up to its top (1, signed), its width and height
// (1 each), and where among the pictures its own begins (3). A picture is row by row, two bits a pixel, the first pixel in
// the lowest bits, and begins on a new byte. Numbers are little endian.
func build() (records, pictures []byte, err error) {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, nil, fmt.Errorf("read Go Regular: %w", err)
	}
	all, err := runes(f)
	if err != nil {
		return nil, nil, err
	}
	for _, size := range sizes() {
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return nil, nil, fmt.Errorf("scale Go Regular to %d: %w", size, err)
		}
		records = append(records, byte(size))
		records = binary.LittleEndian.AppendUint16(records, uint16(len(all)))
		for _, r := range all {
			record, picture, err := glyph(face, r, len(pictures))
			if err != nil {
				return nil, nil, err
			}
			records, pictures = append(records, record...), append(pictures, picture...)
		}
	}
	return records, pictures, nil
}

// pack returns the file: the records, and the pictures compressed with DEFLATE.
func pack() ([]byte, error) {
	records, pictures, err := build()
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(records)
	w, err := flate.NewWriter(out, flate.BestCompression)
	if err == nil {
		_, err = w.Write(pictures)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress the letters: %w", err)
	}
	return out.Bytes(), nil
}

// glyph returns the record and the picture of r, which begins at byte at of all pictures.
func glyph(face font.Face, r rune, at int) (record, picture []byte, err error) {
	box, mask, from, advance, ok := face.Glyph(fixed.Point26_6{}, r)
	if !ok {
		return nil, nil, fmt.Errorf("draw %U: the font has it and the face has not", r)
	}
	gray := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
	for y := range box.Dy() {
		for x := range box.Dx() {
			gray.Set(x, y, mask.At(from.X+x, from.Y+y))
		}
	}
	w, h := box.Dx(), box.Dy()
	bits := make([]byte, (w*h+3)/4)
	for i := range w * h {
		level := (int(gray.Pix[i/w*gray.Stride+i%w])*3 + 127) / 255
		bits[i/4] |= byte(level) << (i % 4 * 2)
	}
	eighths := (int(advance) + 4) / 8
	if r > 0xffff || eighths > 255 || w > 255 || h > 255 || at > 1<<24-1 || box.Min.X < -128 || -box.Min.Y > 127 {
		return nil, nil, fmt.Errorf("record %U: it is larger than its record allows", r)
	}
	record = binary.LittleEndian.AppendUint16(nil, uint16(r))
	record = append(record, byte(eighths), byte(box.Min.X), byte(-box.Min.Y), byte(w), byte(h))
	return append(record, byte(at), byte(at>>8), byte(at>>16)), bits, nil
}
