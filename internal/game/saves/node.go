package saves

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// What sort of JSON value a [node] is.
type kind byte

const (
	object kind = '{'
	array  kind = '['
	text   kind = '"'
	token  kind = '0' // a number, true, false or null
)

// How many levels of a save are read. A record's Extra adds a few, of which its reader takes a hundred, and a state of hob a
// few more.
const (
	deepest    = 80
	deepestOwn = 110
)

// few is up to how many members an object is searched one by one.
const few = 12

// node is a JSON value. Numbers are kept as they were written.
type node struct {
	name string // of a member of an object
	text string // what a text says; the bytes of a token
	kids []node // members or items
	kind kind
}

// parser reads JSON (RFC 8259). Of members with the same name the last counts, as with most readers.
type parser struct {
	s      string
	i      int
	levels int    // the most that there were
	twice  string // a member that stood twice in its object
	failed string // why it reads nothing more
}

// parse reads a whole text.
func parse(s string) (node, *parser) {
	p := &parser{s: s}
	n := p.value(0)
	if p.space(); p.failed == "" && p.i != len(s) {
		p.fail("something follows where it should end")
	}
	return n, p
}

func (p *parser) fail(why string) {
	if p.failed == "" {
		p.failed = why + ", at byte " + strconv.Itoa(p.i)
	}
}

func (p *parser) space() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\n' || p.s[p.i] == '\t' || p.s[p.i] == '\r') {
		p.i++
	}
}

// next reports whether c comes next after blanks, and reads it if it does.
func (p *parser) next(c byte) bool {
	if p.space(); p.failed == "" && p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *parser) value(levels int) node {
	p.space()
	if p.failed != "" || p.i >= len(p.s) {
		p.fail("it ends too early")
		return node{}
	}
	if levels == deepestOwn {
		p.fail("it is nested deeper than " + strconv.Itoa(deepest) + " levels")
		return node{}
	}
	p.levels = max(p.levels, levels)
	switch p.s[p.i] {
	case '{':
		p.i++
		return p.object(levels)
	case '[':
		p.i++
		n := node{kind: array}
		for !p.next(']') && p.failed == "" {
			if len(n.kids) > 0 && !p.next(',') {
				p.fail("a comma or a bracket is missing")
			}
			n.kids = append(n.kids, p.value(levels+1))
		}
		return n
	case '"':
		return node{kind: text, text: p.text()}
	}
	return p.token()
}

func (p *parser) object(levels int) node {
	n := node{kind: object}
	var seen map[string]int
	for !p.next('}') && p.failed == "" {
		if len(n.kids) > 0 && !p.next(',') {
			p.fail("a comma or a brace is missing")
		}
		if p.space(); p.i >= len(p.s) || p.s[p.i] != '"' {
			p.fail("the name of a member is missing")
			break
		}
		name := p.text()
		if !p.next(':') {
			p.fail("a colon is missing")
		}
		kid := p.value(levels + 1)
		kid.name = name
		at := -1
		if seen != nil {
			if i, ok := seen[name]; ok {
				at = i
			}
		} else if old := n.get(name); old != nil {
			at = n.index(name)
		}
		if at >= 0 {
			p.twice, n.kids[at] = name, kid
			continue
		}
		n.kids = append(n.kids, kid)
		if seen != nil {
			seen[name] = len(n.kids) - 1
		} else if len(n.kids) > few {
			seen = make(map[string]int, 4*few)
			for i := range n.kids {
				seen[n.kids[i].name] = i
			}
		}
	}
	return n
}

// token reads a number, true, false or null.
func (p *parser) token() node {
	from := p.i
	for p.i < len(p.s) && (p.s[p.i] >= '0' && p.s[p.i] <= '9' || p.s[p.i] >= 'a' && p.s[p.i] <= 'z' ||
		p.s[p.i] == '-' || p.s[p.i] == '+' || p.s[p.i] == '.' || p.s[p.i] == 'E') {
		p.i++
	}
	word := p.s[from:p.i]
	if word != "true" && word != "false" && word != "null" && !isNumber(word) {
		p.i = from
		p.fail("this is no value")
	}
	return node{kind: token, text: word}
}

// isNumber reports whether s is a number as JSON has them.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	digits := func() int {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n
	}
	zero := strings.HasPrefix(s, "0")
	if n := digits(); n == 0 || zero && n > 1 {
		return false
	}
	if strings.HasPrefix(s, ".") {
		if s = s[1:]; digits() == 0 {
			return false
		}
	}
	if strings.HasPrefix(s, "e") || strings.HasPrefix(s, "E") {
		if s = s[1:]; strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") {
			s = s[1:]
		}
		if digits() == 0 {
			return false
		}
	}
	return s == ""
}

// text reads a string.
func (p *parser) text() string {
	p.i++
	from := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return p.s[from : p.i-1]
		case c == '\\':
			return p.escaped(from)
		case c < ' ':
			p.fail("a control character stands in a string")
			return ""
		}
		p.i++
	}
	p.fail("a string does not end")
	return ""
}

// escaped reads a string that has an escape in it, from its beginning.
func (p *parser) escaped(from int) string {
	b := append([]byte(nil), p.s[from:p.i]...)
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == '"':
			return string(b)
		case c < ' ':
			p.fail("a control character stands in a string")
			return ""
		case c != '\\':
			b = append(b, c)
			continue
		case p.i == len(p.s):
			continue
		}
		c = p.s[p.i]
		p.i++
		if c == 'u' {
			b = utf8.AppendRune(b, p.rune())
			continue
		}
		at := strings.IndexByte(`"\/bfnrt`, c)
		if at < 0 {
			p.fail("this escape is unknown")
			return ""
		}
		b = append(b, "\"\\/\b\f\n\r\t"[at])
	}
	p.fail("a string does not end")
	return ""
}

// rune reads what follows \u. Half of a pair becomes U+FFFD.
func (p *parser) rune() rune {
	r := p.unit()
	if utf16.IsSurrogate(r) && strings.HasPrefix(p.s[p.i:], `\u`) {
		at := p.i
		p.i += 2
		if pair := utf16.DecodeRune(r, p.unit()); pair != utf8.RuneError {
			return pair
		}
		p.i = at
	}
	if utf16.IsSurrogate(r) {
		return utf8.RuneError
	}
	return r
}

func (p *parser) unit() rune {
	if p.i+4 > len(p.s) {
		p.fail("an escape is too short")
		return 0
	}
	n, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 16)
	if err != nil {
		p.fail("an escape has no number")
	}
	p.i += 4
	return rune(n)
}
