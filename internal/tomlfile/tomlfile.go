// Package tomlfile knows where things stand in the text of a TOML file, and changes one value without touching the rest.
//
// github.com/BurntSushi/toml decodes; it says neither where a key stands nor does it keep comments. [Decode] adds the place to
// its errors. [Scan] finds the place of each key in a text that Decode has accepted: it checks nothing, and on any other text it
// returns something, and ends. [Set] edits, and lets the decoder judge the edit: what is read from the new text is what was read
// from the old one, except for the one value. Nothing here writes a file; package atomicfile does.
package tomlfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Layout is where things stand in a text, in the text's order.
type Layout struct {
	Positions []Position

	src string
}

// Position is the line of a [table], or a key with its value.
type Position struct {
	Path   []string // with the table's; an element of a list is its index, so the third [[profile]] is "profile", "2"
	Table  int      // how many elements of Path come from the line of the table
	Header bool     // it is the line of a table, and has no value
	Inline bool     // it stands in an inline table
	Line   int      // from 1
	Start  int      // offset of the key, or of the bracket that opens the table's line
	Value  int      // offset of the value
	End    int      // offset of what follows the value, or the line's brackets
}

// Line returns the line of the first thing at or below path, or 0.
func (l Layout) Line(path ...string) int {
	for _, p := range l.Positions {
		if p.isBelow(path) {
			return p.Line
		}
	}
	return 0
}

func (p Position) isBelow(path []string) bool {
	return len(p.Path) >= len(path) && slices.Equal(p.Path[:len(path)], path)
}

// Block returns where the lines of the things at and below path begin and end. A comment after the last value's line belongs to
// what follows.
func (l Layout) Block(path ...string) (start, end int) {
	start = -1
	for _, p := range l.Positions {
		if !p.isBelow(path) {
			continue
		}
		if start < 0 {
			start = strings.LastIndexByte(l.src[:p.Start], '\n') + 1
		}
		end = l.nextLine(p.End)
	}
	return max(start, 0), end
}

// nextLine returns the offset of the line after the one that offset is in.
func (l Layout) nextLine(offset int) int {
	if n := strings.IndexByte(l.src[offset:], '\n'); n >= 0 {
		return offset + n + 1
	}
	return len(l.src)
}

// Read returns the text of the file at path, which may have so many bytes.
func Read(path string, limit int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s is a folder; name the file in it", path)
	}
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return "", err
	}
	if int64(len(raw)) > limit {
		return "", fmt.Errorf("%s is longer than %d bytes; is it the right file?", path, limit)
	}
	return string(raw), nil
}

// SyntaxError is a text that is no TOML.
type SyntaxError struct {
	Line   int // from 1
	Column int // from 1, in bytes
	Text   string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// Decode returns what stands in a text.
func Decode(src string) (map[string]any, *SyntaxError) {
	tree := map[string]any{}
	_, err := toml.Decode(src, &tree)
	if err == nil {
		return tree, nil
	}
	bad := toml.ParseError{}
	if !errors.As(err, &bad) {
		return nil, &SyntaxError{Line: 1, Column: 1, Text: err.Error()}
	}
	e := &SyntaxError{Line: bad.Position.Line, Column: bad.Position.Col, Text: strings.TrimSuffix(bad.Message, ".")}
	if at := bad.Position.Start; 0 < at && at <= len(src) { // its line is one too far where the line's end is the mistake
		e.Line = 1 + strings.Count(src[:at], "\n")
		e.Column = at - strings.LastIndexByte(src[:at], '\n')
	}
	if bad.LastKey != "" {
		e.Text += "; the last key was " + Name(bad.LastKey)
	}
	return nil, e
}
