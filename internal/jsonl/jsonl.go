// Package jsonl writes JSON on one line, reads the members of an object in order, and answers JSON Lines with JSON Lines.
package jsonl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
)

// Answer calls answer for each line of in that is not blank. answer writes its lines to out; n counts the lines of in from 1.
// A caller that waits for each answer gets it: what was written is flushed before Answer waits for a further line.
//
// Answer ends with the input, the context or the first error, and flushes what was written before.
func Answer(ctx context.Context, in io.Reader, out io.Writer, answer func(out io.Writer, n int, line []byte) error) error {
	reader, writer := bufio.NewReaderSize(in, 64<<10), bufio.NewWriter(out)
	for n := 1; ; n++ {
		line, readErr := reader.ReadBytes('\n')
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), writer.Flush())
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := answer(writer, n, line); err != nil {
				return errors.Join(err, writer.Flush())
			}
		}
		if readErr == io.EOF {
			return writer.Flush()
		}
		if readErr != nil {
			return errors.Join(readErr, writer.Flush())
		}
		if next, err := reader.Peek(reader.Buffered()); err != nil || !bytes.Contains(next, []byte{'\n'}) {
			if err := writer.Flush(); err != nil {
				return err
			}
		}
	}
}

// Marshal is [json.Marshal] without the escapes that only HTML needs: a model reads "<" more cheaply than "\u003c".
func Marshal(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members returns the members of a JSON object in the order in which they are written. ok is false for what is no object, or no
// whole one.
func Members(object json.RawMessage) (all []Member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		t, err := d.Token()
		m := Member{}
		if m.Name, ok = t.(string); err != nil || !ok || d.Decode(&m.Value) != nil {
			return nil, false
		}
		all = append(all, m)
	}
	if _, err := d.Token(); err != nil || d.More() {
		return nil, false
	}
	return all, true
}
