package chart

import (
	"bytes"
	"fmt"
	"image/png"
)

// PNG returns m as a picture that Telegram shows as a photo: its sides are 320 to 1280 pixels. Names that do not fit, or with
// letters that the font lacks, such as Chinese ones, stand in the legend, under a number in the picture. A map that is too
// large to be read in that size shows the surroundings of the current room, and its legend says so. Equal maps are equal bytes.
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
