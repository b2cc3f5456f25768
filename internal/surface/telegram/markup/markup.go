// Package markup turns Markdown, as models write it, into what Telegram shows: a text, and entities that say
// which parts of it are more than text. Telegram's own markup languages are not used: what a model has not
// balanced would be refused.
//
// # Invariants
//
//   - Lengths and offsets are units of UTF-16, as Telegram counts them, and no entity begins or ends within a rune.
//   - Two entities with a common part are one within the other. code and pre hold no entities and lie in
//     blockquotes only; a blockquote lies in none; links do not lie in links.
//   - Entities stand in the order of their offsets, the outer one first, and each shows something.
//   - A message begins and ends with what can be seen, for Telegram cuts off the rest; indentation of code with which a
//     message begins stays. A text in which nothing can be seen is "".
//   - Whatever the Markdown is, its words are shown: HTML, definitions of links and broken markup are text like
//     any other. Only what would hide or reorder other text is taken out: control characters, and overrides of
//     direction.
//
// Nothing here does any input or output, and there is no state.
package markup

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Entity marks a part of a text. Its JSON is that of the Bot API.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"` // units of UTF-16
	Length   int    `json:"length"` // in UTF-16 units
	URL      string `json:"url,omitempty"`
	Language string `json:"language,omitempty"`
}

func (e Entity) end() int { return e.Offset + e.Length }

// The types of [Entity].
const (
	Bold   = "bold"
	Italic = "italic"
	Strike = "strikethrough"
	Code   = "code"
	Pre    = "pre"
	Link   = "text_link"
	Quote  = "blockquote"
)

// Telegram's limits.
const (
	MaxText     = 4096 // UTF-16 units in a message
	MaxEntities = 100  // in a message; further ones are not shown
)

// Message is a text with its entities. The zero Message is empty.
type Message struct {
	Text     string
	Entities []Entity
}

// Messages renders Markdown and splits it into messages of at most limit units, or none if nothing
// is visible.
func Messages(markdown string, limit int) []Message { return Split(Render(markdown), limit) }

// Plain returns the text of m for a place without entities: the addresses of links follow their
// texts.
func Plain(m Message) string {
	b := &strings.Builder{}
	at := offsets(m.Text)
	from := 0
	for _, e := range m.Entities {
		if e.Type != Link || e.Offset < 0 || e.end() >= len(at) {
			continue
		}
		if to := at[e.end()]; to >= from {
			b.WriteString(m.Text[from:to])
			b.WriteString(" (" + e.URL + ")")
			from = to
		}
	}
	b.WriteString(m.Text[from:])
	return b.String()
}

// offsets returns the byte offset of each UTF-16 unit in s, and of the end of s. The second half of
// a pair has the offset of the end of its rune.
func offsets(s string) []int {
	at := make([]int, 0, len(s)+1)
	for i, r := range s {
		at = append(at, i)
		if r > 0xffff {
			at = append(at, i+4)
		}
	}
	return append(at, len(s))
}

// tidy trims a message and sorts its entities. It drops entities that show nothing.
func tidy(m Message) Message {
	if isBlank(m.Text) {
		return Message{}
	}
	from := m.textStart()
	text := strings.TrimRightFunc(m.Text[from:], unicode.IsSpace)
	skip, at := Len(m.Text[:from]), offsets(text)
	var kept []Entity
	for _, e := range m.Entities {
		start, end := max(e.Offset-skip, 0), min(e.end()-skip, len(at)-1)
		if start >= end || isBlank(text[at[start]:at[end]]) {
			continue
		}
		e.Offset, e.Length = start, end-start
		kept = append(kept, e)
	}
	slices.SortStableFunc(kept, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length), cmp.Compare(nesting(a), nesting(b)))
	})
	return Message{text, kept}
}

// textStart returns the byte offset at which the visible text of m begins.
func (m Message) textStart() int {
	from := len(m.Text) - len(strings.TrimLeftFunc(m.Text, unicode.IsSpace))
	units := Len(m.Text[:from])
	for _, e := range m.Entities {
		if e.Offset > units {
			break
		}
		if e.Type == Pre && units < e.end() { // the indent of code stays
			return max(strings.LastIndexByte(m.Text[:from], '\n')+1, len(cutRunes(m.Text, e.Offset)))
		}
	}
	return from
}

// nesting orders entities with the same range, the outer first.
func nesting(e Entity) int {
	return slices.Index([]string{Quote, Link, Bold, Italic, Strike, Code, Pre}, e.Type)
}
