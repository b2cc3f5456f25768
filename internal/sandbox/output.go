package sandbox

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
)

// Output is what a command wrote to a stream: its beginning and, when it was longer than both, its end.
type Output struct {
	Head, Tail []byte
	Total      int64 // bytes written
}

// String is the output as text. Where a part is left out a line says how much.
func (o Output) String() string {
	return o.TextWith("left out; send the output to a file to see all of it")
}

// TextWith is the output as text. Where a part is left out a line says how many bytes are missing, and then what; the cuts
// are at the ends of lines where there are any near.
func (o Output) TextWith(what string) string {
	missing := o.Total - int64(len(o.Head)+len(o.Tail))
	if missing <= 0 {
		return strings.ToValidUTF8(string(o.Head)+string(o.Tail), "\uFFFD")
	}
	head, tail := display.TrimRune(o.Head), o.Tail
	const near = 512
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 && len(head)-i <= near {
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i < near {
		tail = tail[i+1:]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	missing = o.Total - int64(len(head)+len(tail))
	after := ""
	if !bytes.HasSuffix(head, []byte("\n")) {
		after = "\n"
	}
	text := fmt.Sprintf("%s%s[... %d bytes %s ...]\n%s", head, after, missing, what, tail)
	return strings.ToValidUTF8(text, "\uFFFD")
}

// ends keeps the beginning and the end of a stream.
type ends struct {
	keep  int
	head  []byte
	ring  []byte // the newest bytes after head; next is where the oldest of them is
	next  int
	total int64
}

func (e *ends) add(p []byte) {
	e.total += int64(len(p))
	if room := e.keep - len(e.head); room > 0 {
		n := min(room, len(p))
		e.head, p = append(e.head, p[:n]...), p[n:]
	}
	if len(p) > e.keep {
		p = p[len(p)-e.keep:]
	}
	if room := e.keep - len(e.ring); room > 0 {
		n := min(room, len(p))
		e.ring, p = append(e.ring, p[:n]...), p[n:]
	}
	for len(p) > 0 {
		n := copy(e.ring[e.next:], p)
		p, e.next = p[n:], (e.next+n)%len(e.ring)
	}
}

// output is a copy of what was kept.
func (e *ends) output() Output {
	tail := append(bytes.Clone(e.ring[e.next:]), e.ring[:e.next]...)
	return Output{Head: bytes.Clone(e.head), Tail: tail, Total: e.total}
}
