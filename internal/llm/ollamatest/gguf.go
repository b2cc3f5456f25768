package ollamatest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// The numbers that GGUF has for kinds of tensor.
const (
	float32Tensor = 0
	halfTensor    = 1
	q8Tensor      = 8
)

// A block of Q8_0 is a scale, which is a half float, and 32 numbers of a byte.
const (
	q8Numbers = 32
	q8Bytes   = 2 + q8Numbers
)

// alignment is what offsets in a GGUF file are multiples of.
const alignment = 32

// tensor is one tensor of a file.
type tensor struct {
	name          string
	kind          uint32
	columns, rows int // a vector has no rows
	write         func(io.Writer) error
}

func (t tensor) size() int {
	switch t.kind {
	case q8Tensor:
		return t.rows * t.columns / q8Numbers * q8Bytes
	case halfTensor:
		return 2 * t.rows * t.columns
	}
	return 4 * t.columns
}

// pair is one of the facts at the front of a file. A value is a uint32, a float32, a bool, a string, or a list of int32, float32 or strings.
type pair struct {
	key   string
	value any
}

// writeGGUF writes a file of facts and tensors, as docs/gguf.md of github.com/ggml-org/ggml describes it.
func writeGGUF(w io.Writer, facts []pair, tensors []tensor) error {
	var head bytes.Buffer
	head.WriteString("GGUF")
	put(&head, uint32(3)) // the version of the format
	put(&head, uint64(len(tensors)))
	put(&head, uint64(len(facts)))
	for _, f := range facts {
		putText(&head, f.key)
		putValue(&head, f.value)
	}
	offset := 0
	for _, t := range tensors {
		putText(&head, t.name)
		shape := []uint64{uint64(t.columns), uint64(t.rows)}
		if t.rows == 0 {
			shape = shape[:1]
		}
		put(&head, uint32(len(shape)))
		put(&head, shape)
		put(&head, t.kind)
		put(&head, uint64(offset))
		offset += t.size() + padding(t.size())
	}
	b := bufio.NewWriterSize(w, 1<<20)
	pad := func(size int) { _, _ = b.Write(make([]byte, padding(size))) } // Flush returns the first error of them all
	_, _ = b.Write(head.Bytes())
	pad(head.Len())
	for _, t := range tensors {
		if err := t.write(b); err != nil {
			return fmt.Errorf("write tensor %s: %w", t.name, err)
		}
		pad(t.size())
	}
	return b.Flush()
}

// padding is how many bytes are to follow size bytes.
func padding(size int) int { return -size & (alignment - 1) }

func put(b *bytes.Buffer, v any) {
	if err := binary.Write(b, binary.LittleEndian, v); err != nil {
		panic(err) // only values of no fixed size can fail
	}
}

func putText(b *bytes.Buffer, text string) {
	put(b, uint64(len(text)))
	b.WriteString(text)
}

// putValue puts the number of a value's type, and the value.
func putValue(b *bytes.Buffer, value any) {
	const isUint32, isInt32, isFloat32, isBool, isString, isList = 4, 5, 6, 7, 8, 9
	switch v := value.(type) {
	case uint32:
		put(b, uint32(isUint32))
		put(b, v)
	case float32:
		put(b, uint32(isFloat32))
		put(b, v)
	case bool:
		put(b, uint32(isBool))
		put(b, v)
	case string:
		put(b, uint32(isString))
		putText(b, v)
	case []int32:
		put(b, []uint32{isList, isInt32})
		put(b, uint64(len(v)))
		put(b, v)
	case []float32:
		put(b, []uint32{isList, isFloat32})
		put(b, uint64(len(v)))
		put(b, v)
	case []string:
		put(b, []uint32{isList, isString})
		put(b, uint64(len(v)))
		for _, text := range v {
			putText(b, text)
		}
	default:
		panic(fmt.Sprintf("a fact of a GGUF file is a %T", value))
	}
}
