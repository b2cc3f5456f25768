package store

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
)

// minPacked is how many bytes a content has at least that is worth compressing.
const minPacked = 2048

// pack returns data as it is stored: compressed (DEFLATE) where that makes it shorter, else as it is.
func pack(data []byte) []byte {
	if len(data) < minPacked {
		return data
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return data
	}
	_, err = w.Write(data)
	if err != nil || w.Close() != nil || b.Len() >= len(data) {
		return data
	}
	return b.Bytes()
}

// unpack returns the size bytes that pack was given. What is as long as that was not compressed.
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
