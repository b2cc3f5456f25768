package store

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
)

// minPacked is the least size in bytes of a content worth compressing.
const minPacked = 2048

// pack returns data as it is stored: compressed (DEFLATE) if that is shorter, otherwise unchanged.
func pack(data []byte) []byte {
	if len(data) < minPacked {
		return data
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return data
	}
	if _, err = w.Write(data); err != nil || w.Close() != nil || b.Len() >= len(data) {
		return data
	}
	return b.Bytes()
}

// unpack reverses pack, whose data had size bytes. Data of that length was not compressed.
func unpack(data []byte, size int) ([]byte, error) {
	if len(data) == size {
		return data, nil
	}
	plain := make([]byte, size)
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(data)), plain); err != nil {
		return nil, &damage{fmt.Sprintf("a content that was kept cannot be read: %v", err)}
	}
	return plain, nil
}
