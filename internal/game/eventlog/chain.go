package eventlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// version is that of the lines' format.
const version = 1

// How a line ends: ,"prev":"<64 digits>","hash":"<64 digits>"}.
const (
	prevIs  = `,"prev":"`
	hashIs  = `","hash":"`
	lineEnd = `"}`

	digits       = 2 * sha256.Size
	tailSize     = len(prevIs) + digits + len(hashIs) + digits + len(lineEnd)
	unhashedSize = len(hashIs) - 1 + digits + len(lineEnd) // what the hash does not cover; it does cover the quote after prev
)

// hash is the hash of a line in hexadecimal.
type hash [digits]byte

// noHash is what stands as the hash of the line before the first.
func noHash() (h hash) {
	copy(h[:], bytes.Repeat([]byte{'0'}, digits))
	return h
}

// seal ends a line whose brace is still open.
func seal(b, prev []byte) ([]byte, hash) {
	b = append(append(b, prevIs...), prev...)
	b = append(b, '"')
	sum := sha256.Sum256(b)
	var h hash
	hex.Encode(h[:], sum[:])
	b = append(append(b, hashIs[1:]...), h[:]...)
	return append(b, lineEnd...), h
}

// readHashes returns the hash of a line that is as it was written, and the one of the line before it.
func readHashes(b []byte) (prev, own []byte, ok bool) {
	if len(b) < tailSize {
		return nil, nil, false
	}
	end := b[len(b)-tailSize:]
	prev = end[len(prevIs) : len(prevIs)+digits]
	own = end[len(end)-len(lineEnd)-digits : len(end)-len(lineEnd)]
	if string(end[:len(prevIs)]) != prevIs || string(end[len(prevIs)+digits:tailSize-digits-len(lineEnd)]) != hashIs ||
		string(end[tailSize-len(lineEnd):]) != lineEnd {
		return nil, nil, false
	}
	sum := sha256.Sum256(b[:len(b)-unhashedSize])
	var h hash
	hex.Encode(h[:], sum[:])
	return prev, own, string(h[:]) == string(own)
}

// checkReadable refuses a line that could not be read back: it would damage the log for ever.
func checkReadable(b []byte) error {
	if !isPacked(b) || bytes.IndexByte(b, '\n') >= 0 {
		return errors.New("write turn: a tool gave a result, or a record members, that are not packed JSON")
	}
	return nil
}
