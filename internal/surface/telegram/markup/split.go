package markup

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Split splits a message into messages of at most limit units, at least 2, none of them empty.
// Together they have its text, except for blanks around the cuts; an entity across a cut ends and
// begins again.
//
// A cut is at an empty line, else at the end of a line, a sentence, a word or a character. Code
// that fits into one message is never cut; longer code is cut between lines.
//
// Telegram shows [MaxEntities] of a message. If there are more, styles are dropped, italics first
// and those of writeStruck last. Links, code and quotations are kept: a message ends before there
// are too many.
func Split(m Message, limit int) []Message {
	var all []Message
	limit = max(limit, 2)
	for m = tidy(m); !isBlank(m.Text); {
		var head Message
		head, m = m.divide(m.findBorder(limit))
		if head = tidy(head); head.Text != "" {
			head.Entities = dropStyles(head.Entities)
			all = append(all, head)
		}
		from := m.textStart()
		_, m = m.divide(from, Len(m.Text[:from]))
	}
	return all
}

// divide cuts m at a place.
func (m Message) divide(at, units int) (head, rest Message) {
	head, rest = Message{Text: m.Text[:at]}, Message{Text: m.Text[at:]}
	rest.Entities = make([]Entity, 0, len(m.Entities))
	for _, e := range m.Entities {
		if e.Offset < units {
			first := e
			first.Length = min(e.end(), units) - e.Offset
			head.Entities = append(head.Entities, first)
		}
		if e.end() > units {
			second := e
			second.Offset = max(e.Offset, units)
			second.Length = e.end() - second.Offset
			second.Offset -= units
			rest.Entities = append(rest.Entities, second)
		}
	}
	return head, rest
}

// isStyle reports whether dropping the entity changes only the looks of the text.
func isStyle(e Entity) bool { return e.Type == Bold || e.Type == Italic || e.Type == Strike }

// dropStyles drops styles beyond the limit.
func dropStyles(all []Entity) []Entity {
	for _, least := range []string{Italic, Bold, Strike} {
		for i := len(all) - 1; i >= 0 && len(all) > MaxEntities; i-- {
			if all[i].Type == least {
				all = slices.Delete(all, i, i+1)
			}
		}
	}
	return all
}

// The places for a cut, best first.
const (
	atEmptyLine = iota
	atLine
	atSentence
	atWord
	nowhere
)

// place is an offset in a text, in bytes and units.
type place struct{ bytes, units int }

// findBorder returns where the first message of m ends, in bytes and units; blanks beyond the limit
// belong to it.
func (m Message) findBorder(limit int) (bytes, units int) {
	if n := m.firstExcess(); n > 0 {
		limit = min(limit, n)
	} else if len(cutRunes(m.Text, limit)) == len(m.Text) {
		return len(m.Text), Len(m.Text)
	}
	var best [nowhere]place
	code := codes{all: m.Entities, limit: limit}
	at, end := place{}, place{} // end is the last place within the limit, not counting blanks
	for at.bytes < len(m.Text) {
		n := cluster(m.Text[at.bytes:])
		next := place{at.bytes + n, at.units + Len(m.Text[at.bytes:at.bytes+n])}
		space := isSpace(m.Text[at.bytes:next.bytes])
		if next.units > limit && !space {
			break
		}
		at = next
		if !space || at.units <= limit {
			end = at
		}
		whole, within := code.at(at.units)
		if kind := borderKind(m.Text[:at.bytes], within); !whole && kind < nowhere && 4*at.units >= limit {
			best[kind] = at
		}
	}
	if at.bytes == len(m.Text) {
		return at.bytes, at.units
	}
	for _, p := range best {
		if p.bytes > 0 {
			return p.bytes, p.units
		}
	}
	if whole, _ := code.at(end.units); whole && code.begin > 0 {
		return len(cutRunes(m.Text, code.begin)), code.begin
	}
	if end.bytes > 0 {
		return end.bytes, end.units
	}
	text := cutRunes(m.Text, limit) // a single character longer than a message
	return len(text), Len(text)
}

// firstExcess returns where the first entity beyond the limit begins, or 0 if there is none.
func (m Message) firstExcess() int {
	n := 0
	for _, e := range m.Entities {
		if isStyle(e) {
			continue
		}
		if n++; n > MaxEntities {
			return e.Offset
		}
	}
	return 0
}

// codes finds code around places that only move forward.
type codes struct {
	all   []Entity // not yet passed
	limit int
	begin int // begin of the code around the last place
}

// at reports whether a place is within code, and whether that code fits into a message.
func (c *codes) at(units int) (whole, within bool) {
	for len(c.all) > 0 && (c.all[0].Type != Pre || c.all[0].end() <= units) {
		c.all = c.all[1:]
	}
	if len(c.all) == 0 || c.all[0].Offset >= units {
		return false, false
	}
	c.begin = c.all[0].Offset
	return c.all[0].Length <= c.limit, true
}

// borderKind says what ends at the end of text. In code all lines are equal, and there are no
// sentences.
func borderKind(text string, code bool) int {
	last, n := utf8.DecodeLastRuneInString(text)
	before := strings.TrimRight(text[:len(text)-n], " ")
	switch {
	case last == '\n' && !code && strings.HasSuffix(before, "\n"):
		return atEmptyLine
	case last == '\n':
		return atLine
	case strings.ContainsRune("。！？", last) && !code:
		return atSentence
	case !unicode.IsSpace(last) || last == '\u00a0' || last == '\u202f':
		return nowhere
	case !code && endsSentence(strings.TrimRight(before, "\"')]”’»")):
		return atSentence
	}
	return atWord
}

func endsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?…:;", last)
}

func isSpace(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n == len(s) && unicode.IsSpace(r)
}
