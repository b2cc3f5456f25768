package main

import (
	"bytes"
	"compress/flate"
	"io"
	"os"
	"testing"
)

// How the pictures are compressed may change with the library; what they are must not.
func TestTheEmbeddedLettersAreThese(t *testing.T) {
	records, pictures, err := build()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../font.bin")
	if err != nil {
		t.Fatal(err)
	}
	packed, found := bytes.CutPrefix(file, records)
	got, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if !found || err != nil || !bytes.Equal(got, pictures) {
		t.Errorf("font.bin is not what the generator writes (%v); go run ./fontgen >font.bin in the package's folder", err)
	}
}
