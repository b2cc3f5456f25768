package toolcall

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode"
)

// builder goes once through what is nearly a JSON object and holds no texts but those that were set aside, and writes the
// object down with the brackets, commas and quotes that are missing, and without those that are too many. It adds no name
// and no value, and leaves none out: where one is missing, or two could be meant, it gives up.
type builder struct {
	in string
	at int

	out    []byte
	stack  []byte // brackets that are open
	expect int
	comma  int  // a comma that nothing follows yet: where it stands in out; else -1
	text   bool // the last thing was a text
	sum    bool // and then came a plus
	over   bool // a bracket closed the first one, or one that never was: only brackets may follow
}

// restructure returns the object that in probably was, or false.
func restructure(in string) (string, bool) {
	b := &builder{in: in, comma: -1, expect: expectValue}
	b.out = make([]byte, 0, len(in)+16)
	for b.at < len(b.in) {
		if !b.step() {
			return "", false
		}
	}
	if !b.rests() {
		return "", false
	}
	b.out = append(b.out, closers(b.stack)...)
	return string(b.out), true
}

func (b *builder) step() bool {
	c := b.in[b.at]
	closes := c == '}' || c == ']'
	switch {
	case strings.IndexByte(" \t\r\n", c) >= 0:
		b.at++
		return true
	case b.over && !closes, b.sum && c != '"':
		return false
	}
	switch c {
	case '{', '[':
		return b.push(c)
	case '}', ']':
		return b.pop(c)
	case ',':
		return b.listed()
	case ':':
		if b.expect != expectColon {
			return false
		}
		b.write(":", expectValue)
		return true
	case '"':
		return b.str()
	case '+':
		b.at++
		b.sum = b.text
		return b.text
	}
	return b.words()
}

// write writes what stands in in as it is.
func (b *builder) write(text string, expect int) {
	b.out = append(b.out, text...)
	b.at += len(text)
	b.expect, b.comma, b.text = expect, -1, false
}

// inside is what is expected behind an opening bracket and behind a comma.
func (b *builder) inside() int {
	if b.stack[len(b.stack)-1] == '{' {
		return expectKey
	}
	return expectValue
}

// listing reports whether a list is being read.
func (b *builder) listing() bool { return len(b.stack) > 0 && b.inside() == expectValue }

// value makes room for a value, and reports whether there may be one.
func (b *builder) value() bool {
	if b.expect == expectNext && b.listing() {
		b.out = append(b.out, ',')
		return true
	}
	return b.expect == expectValue
}

func (b *builder) push(c byte) bool {
	if !b.value() {
		return false
	}
	b.stack = append(b.stack, c)
	b.write(string(c), b.inside())
	return true
}

// rests reports whether a bracket may close here, and leaves out a comma that nothing follows.
func (b *builder) rests() bool {
	if b.comma >= 0 {
		b.out = b.out[:b.comma]
		b.comma, b.expect = -1, expectNext
	}
	return !b.sum && b.expect != expectColon && (b.expect != expectValue || b.listing())
}

// pop reads a closing bracket. It closes whatever was opened since the one that it belongs to.
func (b *builder) pop(c byte) bool {
	if b.over { // one too many
		b.at++
		return true
	}
	if !b.rests() {
		return false
	}
	at := bytes.LastIndexByte(b.stack, c-2)
	if at < 0 {
		b.at++
		b.over = true
		return true
	}
	b.out = append(b.out, closers(b.stack[at+1:])...)
	b.stack = b.stack[:at]
	b.write(string(c), expectNext)
	b.over = at == 0
	return true
}

// listed reads a comma. The one that only an opening bracket stands before is left out; any other that is too many may stand
// for a value.
func (b *builder) listed() bool {
	if b.expect == expectNext && len(b.stack) > 0 {
		comma := len(b.out)
		b.write(",", b.inside())
		b.comma = comma
		return true
	}
	before := strings.TrimRight(b.in[:b.at], " \t\r\n")
	b.at++
	return strings.HasSuffix(before, "{") || strings.HasSuffix(before, "[")
}

// str reads a text, or adds it to the one before.
func (b *builder) str() bool {
	end := strings.IndexByte(b.in[b.at+1:], '"')
	if end < 0 {
		return false
	}
	text := b.in[b.at : b.at+end+2]
	switch {
	case b.sum:
		b.out = b.out[:len(b.out)-1]
		b.at++
		text = text[1:]
		b.sum = false
	case b.expect == expectKey:
		b.write(text, expectColon)
		return true
	case !b.value():
		return false
	}
	b.write(text, expectNext)
	b.text = true
	return true
}

// words reads a number, a literal, or the words of a text that has no quotes: up to the end of the line.
func (b *builder) words() bool {
	end := strings.IndexAny(b.in[b.at:], "{}[],:\"\n")
	if end < 0 {
		end = len(b.in) - b.at
	}
	run := strings.TrimRight(b.in[b.at:b.at+end], " \t\r")
	meant := run
	switch _, known := parse(run); {
	case known:
	case run == "undefined" || run == "None":
		meant = "null"
	case run == "True" || run == "False":
		meant = strings.ToLower(run)
	case plain(run):
		meant = quote(run)
	default:
		return false
	}
	if !b.value() {
		return false
	}
	b.write(meant, expectNext)
	b.at += len(run) - len(meant)
	return true
}

// plain reports whether words without quotes can only be a text: nothing in them is a sum, a path that may go on or half a
// quote, and they begin with nothing that is nearly a number.
func plain(run string) bool {
	for _, r := range run {
		if !unicode.IsPrint(r) || strings.ContainsRune("/+\u00b4\u2018\u2019\u201c\u201d", r) {
			return false
		}
	}
	if strings.Trim(run, "0123456789") == "" { // no number has a zero before it; 007 has
		return true
	}
	first, _, _ := strings.Cut(run, " ")
	_, err := strconv.ParseFloat(first, 64)
	number := err == nil || errors.Is(err, strconv.ErrRange) || first == "-"
	return !number || strings.IndexByte("-.0123456789", first[0]) < 0
}
