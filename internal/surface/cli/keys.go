package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
)

// What keys hands to the line editor for what the editor itself does not treat as it should. The editor takes no
// other notice of these bytes than to tell its callback.
const (
	keyInterrupt = 0x1c // Ctrl-C
	keyEnd       = 0x1d // Ctrl-D
	keyPaste     = 0x1e // a paste is complete; it is in keys.pasted
)

const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
	maxPaste    = 1 << 20 // bytes; more is dropped
)

// keys reads what is typed and hands it on up to, and with, the next key that matters: so nothing is lost between two
// lines, each of which has an editor of its own.
type keys struct {
	in    io.Reader
	chunk chan chunk // of a read under way; nil if there is none

	queue   []byte // read, not looked at
	ready   []byte // looked at, not handed on
	err     error  // of in, to be told after queue
	afterCR bool   // a line feed that comes next belongs to the end of line before it

	pasting bool
	paste   []byte
	pasted  string
}

type chunk struct {
	data []byte
	err  error
}

// read fills p. It returns when ctx ends. A read of a terminal cannot be interrupted: it goes on, in the one goroutine
// that nobody waits for, and what it brings is for the next call.
func (k *keys) read(ctx context.Context, p []byte) (int, error) {
	for len(k.ready) == 0 {
		if k.scan() {
			continue
		}
		if k.err != nil {
			return 0, k.err
		}
		if err := k.fetch(ctx); err != nil {
			return 0, err
		}
	}
	n := copy(p, k.ready)
	k.ready = k.ready[n:]
	return n, nil
}

func (k *keys) fetch(ctx context.Context) error {
	if k.chunk == nil {
		k.chunk = make(chan chunk, 1)
		go func(to chan<- chunk) {
			buf := make([]byte, 4096)
			n, err := k.in.Read(buf)
			to <- chunk{buf[:n], err}
		}(k.chunk)
	}
	select {
	case c := <-k.chunk:
		k.take(c)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (k *keys) take(c chunk) {
	k.chunk = nil
	k.queue = append(k.queue, c.data...)
	k.err = c.err
}

// discard drops what was typed and not yet read.
func (k *keys) discard() {
	select {
	case c := <-k.chunk: // nil blocks
		k.take(c)
	default:
	}
	k.queue, k.ready, k.paste, k.pasting = nil, nil, nil, false
}

// scan moves some of the queue on, and reports whether it did.
func (k *keys) scan() bool {
	if k.afterCR && len(k.queue) > 0 {
		k.afterCR = false
		k.queue = bytes.TrimPrefix(k.queue, []byte("\n"))
	}
	switch {
	case len(k.queue) == 0:
		return false
	case k.pasting:
		return k.scanPaste()
	}
	switch c := k.queue[0]; {
	case c == 0x03:
		k.pass(keyInterrupt)
	case c == 0x04:
		k.pass(keyEnd)
	case c == '\r' || c == '\n':
		k.afterCR = c == '\r'
		k.pass('\r')
	case c == 0x1b && strings.HasPrefix(string(k.queue), pasteBegins):
		k.queue = k.queue[len(pasteBegins):]
		k.pasting = true
	case c == 0x1b && k.err == nil && strings.HasPrefix(pasteBegins, string(k.queue)):
		return false // the beginning of some sequence
	case c == keyInterrupt || c == keyEnd || c == keyPaste:
		k.queue = k.queue[1:]
	case c < utf8.RuneSelf:
		k.pass(c)
	case !utf8.FullRune(k.queue) && k.err == nil:
		return false
	default:
		r, n := utf8.DecodeRune(k.queue)
		if !display.Obeyed(r) && r != utf8.RuneError {
			k.ready = append(k.ready, k.queue[:n]...)
		}
		k.queue = k.queue[n:]
	}
	return true
}

func (k *keys) pass(key byte) {
	k.ready = append(k.ready, key)
	k.queue = k.queue[1:]
}

func (k *keys) scanPaste() bool {
	end := bytes.Index(k.queue, []byte(pasteEnds))
	n := end
	if end < 0 { // the end of the queue may be the beginning of the mark
		n = len(k.queue)
		if i := bytes.LastIndexByte(k.queue, 0x1b); i >= 0 && strings.HasPrefix(pasteEnds, string(k.queue[i:])) && k.err == nil {
			n = i
		}
	}
	k.paste = append(k.paste, k.queue[:min(n, maxPaste-len(k.paste))]...)
	k.queue = k.queue[n:]
	if end < 0 && k.err == nil {
		return n > 0
	}
	k.queue = bytes.TrimPrefix(k.queue, []byte(pasteEnds))
	k.pasted = display.Clean(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(k.paste)))
	k.pasting, k.paste = false, nil
	k.ready = append(k.ready, keyPaste)
	return true
}
