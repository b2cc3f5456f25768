package chart

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// PNG returns m as a picture that Telegram shows as a photo: its sides are 320 to 1280 pixels. Letters that the embedded
// font has not, such as Chinese ones, and names that do not fit stand in the legend, under a number that is in the picture.
// Where a map is larger than can be read in that size, what is around the current room is drawn, and the legend says so.
// Equal maps are equal bytes.
func PNG(m Map) (Picture, error) {
	l, legend := pngList(m)
	c, err := newCanvas(l)
	if err != nil {
		return Picture{}, fmt.Errorf("unpack letters: %w", err)
	}
	data, err := c.encode()
	if err != nil {
		return Picture{}, fmt.Errorf("write map picture: %w", err)
	}
	return Picture{PNG: data, Width: l.w, Height: l.h, Legend: legend}, nil
}

// Legend returns the legend of m's picture without drawing it.
func Legend(m Map) []string {
	_, legend := pngList(m)
	return legend
}

// encode returns the canvas as a PNG file with a palette (https://www.w3.org/TR/png-3/): 4 bits a pixel where 16 colours do,
// else 8; no filter, for equal neighbours are what is compressed best.
func (c *canvas) encode() ([]byte, error) {
	depth := 8
	if len(c.colours) <= 16 {
		depth = 4
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(c.w))
	head = binary.BigEndian.AppendUint32(head, uint32(c.h))
	head = append(head, byte(depth), 3, 0, 0, 0) // 3: colours are indices into the palette
	palette := make([]byte, 0, 3*len(c.colours))
	for _, v := range c.colours {
		palette = append(palette, byte(v>>16), byte(v>>8), byte(v))
	}
	var data bytes.Buffer
	z, err := zlib.NewWriterLevel(&data, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	row := make([]byte, 1+(c.w*depth+7)/8)
	for y := range c.h {
		pix := c.pix[y*c.w : (y+1)*c.w]
		if depth == 8 {
			copy(row[1:], pix)
		} else {
			clear(row)
			for x, v := range pix {
				row[1+x/2] |= v << (4 - x%2*4)
			}
		}
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	out := []byte("\x89PNG\r\n\x1a\n")
	out = chunk(out, "IHDR", head)
	out = chunk(out, "PLTE", palette)
	out = chunk(out, "IDAT", data.Bytes())
	return chunk(out, "IEND", nil), nil
}

// chunk appends a part of a PNG file: its length, its kind, its data and their checksum.
func chunk(out []byte, kind string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	from := len(out)
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
}
