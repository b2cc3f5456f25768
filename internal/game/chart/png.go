package chart

import (
	"bytes"
	"fmt"
	"image/png"
)

// PNG returns m as a picture that Telegram shows as a photo: its sides are 320 to 1280 pixels. Letters that the embedded
// font has not, such as Chinese ones, and names that do not fit stand in the legend, under a number that is in the picture.
// Where a map is larger than can be read in that size, what is around the current room is drawn, and the legend says so.
// Equal maps are equal bytes.
func PNG(m Map) (Picture, error) {
	a := newArtist(newPlan(m), pngLook())
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, newCanvas(a.list, a.letters).picture); err != nil {
		return Picture{}, fmt.Errorf("write map picture: %w", err)
	}
	return Picture{PNG: out.Bytes(), Width: a.list.w, Height: a.list.h, Legend: a.legend()}, nil
}

// Legend returns the legend of m's picture without drawing it.
func Legend(m Map) []string { return newArtist(newPlan(m), pngLook()).legend() }
