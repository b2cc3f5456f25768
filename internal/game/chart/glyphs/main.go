// Command glyphs writes the letters of maps, glyphs.bin, from a TrueType font. It runs once for a release of the font, by
// go generate: Debian's package fonts-lxgw-wenkai has it. Package chart says what is in the file.
package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"os"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/encoding/simplifiedchinese"
)

const (
	em    = 250 // units of the em, so that no advance is more than a byte
	block = 64  // letters that are compressed together
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: glyphs FONT.ttf FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "glyphs:", err)
		os.Exit(1)
	}
}

// write writes the letters of a font to a file.
func write(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := sfnt.Parse(data)
	if err != nil {
		return fmt.Errorf("read font: %w", err)
	}
	var buf sfnt.Buffer
	var index, packed, plain bytes.Buffer
	var offsets []uint32
	count := 0
	flush := func() error {
		offsets = append(offsets, uint32(packed.Len()))
		w, err := flate.NewWriter(&packed, flate.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(plain.Bytes()); err != nil {
			return err
		}
		plain.Reset()
		return w.Close()
	}
	for _, r := range runes() {
		i, err := f.GlyphIndex(&buf, r)
		if err != nil || i == 0 {
			continue
		}
		wide, err := f.GlyphAdvance(&buf, i, fixed.I(em), font.HintingNone)
		if err != nil {
			return fmt.Errorf("measure %q: %w", r, err)
		}
		segments, err := f.LoadGlyph(&buf, i, fixed.I(em), nil)
		if err != nil {
			return fmt.Errorf("read %q: %w", r, err)
		}
		index.Write(binary.LittleEndian.AppendUint16(nil, uint16(r)))
		index.WriteByte(byte(min(wide.Round(), 255)))
		plain.Write(encode(outlines(segments)))
		if count++; count%block == 0 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	out := binary.LittleEndian.AppendUint16(nil, uint16(count))
	out = append(out, index.Bytes()...)
	for _, at := range offsets {
		out = binary.LittleEndian.AppendUint32(out, at)
	}
	return os.WriteFile(to, append(out, packed.Bytes()...), 0o644)
}

// runes returns the letters in order: Latin, Greek and Cyrillic ones, punctuation, and the 3,755 Chinese ones of GB 2312's
// level 1, with those of the tales that are not among them.
func runes() []rune {
	var list []rune
	for _, span := range [][2]rune{{0x20, 0x7e}, {0xa0, 0x17f}, {0x370, 0x4ff}, {0x2010, 0x203a}, {0x2116, 0x2116}, {0x3000, 0x3011},
		{0xff01, 0xff5e}} {
		for r := span[0]; r <= span[1]; r++ {
			if r != 0xad { // a soft hyphen is not shown
				list = append(list, r)
			}
		}
	}
	han := simplifiedchinese.GBK.NewDecoder()
	for row := byte(16); row <= 55; row++ {
		for cell := byte(1); cell <= 94; cell++ {
			if row == 55 && cell > 89 {
				break
			}
			b, err := han.Bytes([]byte{0xa0 + row, 0xa0 + cell})
			if err == nil {
				list = append(list, []rune(string(b))...)
			}
		}
	}
	list = append(list, []rune(extra)...)
	slices.Sort(list)
	return slices.Compact(list)
}

// extra is the letters of names in the tales of hob that are beyond level 1.
const extra = "咚咧喏嗒嗯妃梣椴檐盥苜蓿薇貂踝邸酊醺铐铛锉闩骰鲱鳗鸶鹭黏"

// knot is a point of an outline: on it, or one that bends it, as TrueType has them.
type knot struct {
	x, y int
	off  bool
}

// outlines returns the outlines of a letter. Points in the middle of two that bend are left out: they follow from those.
func outlines(segments sfnt.Segments) (out [][]knot) {
	at := func(p fixed.Point26_6) (x, y int) { return p.X.Round(), p.Y.Round() }
	for _, s := range segments {
		x, y := at(s.Args[0])
		last := len(out) - 1
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			out = append(out, []knot{{x: x, y: y}})
		case sfnt.SegmentOpLineTo:
			out[last] = append(out[last], knot{x: x, y: y})
		case sfnt.SegmentOpQuadTo:
			toX, toY := at(s.Args[1])
			out[last] = append(out[last], knot{x, y, true}, knot{x: toX, y: toY})
		}
	}
	for i := range out {
		out[i] = simplify(out[i])
	}
	return out
}

// simplify leaves out points that change nothing that can be seen.
func simplify(list []knot) []knot {
	if n := len(list); n > 1 && list[0] == list[n-1] {
		list = list[:n-1]
	}
	for i := 1; i < len(list) && len(list) > 3; { // the first is on the outline
		p, k, q := list[(i+len(list)-1)%len(list)], list[i], list[(i+1)%len(list)]
		switch middle := abs(p.x+q.x-2*k.x) <= 1 && abs(p.y+q.y-2*k.y) <= 1; {
		case p == k, !k.off && p.off && q.off && middle, !k.off && !p.off && !q.off && straight(p, k, q):
			list = slices.Delete(list, i, i+1)
		default:
			i++
		}
	}
	return list
}

// straight reports whether a point lies within half a unit of the line between its neighbours.
func straight(p, k, q knot) bool {
	dx, dy := q.x-p.x, q.y-p.y
	cross := dx*(k.y-p.y) - dy*(k.x-p.x)
	return 4*cross*cross <= dx*dx+dy*dy && (k.x-p.x)*(k.x-q.x)+(k.y-p.y)*(k.y-q.y) <= 0
}

func abs(n int) int { return max(n, -n) }

// encode writes outlines: their number, and of each the number of its points and these, each as its way from the one before;
// the lowest bit of x says that it bends.
func encode(outlines [][]knot) []byte {
	b := binary.AppendVarint(nil, int64(len(outlines)))
	for _, list := range outlines {
		b = binary.AppendVarint(b, int64(len(list)))
		x, y := 0, 0
		for _, k := range list {
			bend := int64(0)
			if k.off {
				bend = 1
			}
			b = binary.AppendVarint(b, int64(k.x-x)*2+bend)
			b = binary.AppendVarint(b, int64(k.y-y))
			x, y = k.x, k.y
		}
	}
	return b
}
