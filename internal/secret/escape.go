package secret

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// beginsEscape reports whether b may begin an escape.
func beginsEscape(b byte) bool { return b == '%' || b == '\\' || b == '&' }

// escaped is a character that was written as an escape.
type escaped struct {
	text  [4]byte // what it stands for: a byte, or a character in UTF-8
	bytes int     // of text
	size  int     // of the escape; 0 where there is none
}

func escapedByte(b byte, size int) escaped { return escaped{[4]byte{b}, 1, size} }

func escapedRune(r rune, size int) escaped {
	if !utf8.ValidRune(r) {
		return escaped{}
	}
	c := escaped{size: size}
	c.bytes = utf8.EncodeRune(c.text[:], r)
	return c
}

// unescape reads the escape that s begins with. Cut says that s ends where it could become one, or a longer one.
func unescape(s string) (c escaped, cut bool) {
	switch {
	case s[0] == '%':
		r, n := hex(s[1:], 2)
		if n < 2 {
			return c, 1+n == len(s)
		}
		return escapedByte(byte(r), 3), false
	case len(s) == 1:
		return c, true
	case s[0] == '&':
		return entity(s)
	}
	switch b := s[1]; b {
	case 'u':
		return unicodeEscape(s)
	case 'U':
		r, n := hex(s[2:], 8)
		if n < 8 {
			return c, 2+n == len(s)
		}
		return escapedRune(r, 10), false
	case 'x':
		r, n := hex(s[2:], 2)
		if n < 2 {
			return c, 2+n == len(s)
		}
		return escapedRune(r, 4), false
	default:
		if i := strings.IndexByte("ntrbfva", b); i >= 0 {
			b = "\n\t\r\b\f\v\a"[i]
		} else if b <= ' ' || b >= 0x7f || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' {
			return c, false
		}
		return escapedByte(b, 2), false // what is no letter stands for itself, as in Markdown
	}
}

// unicodeEscape reads \u0041, \u{41}, or two of the former that are one character.
func unicodeEscape(s string) (c escaped, cut bool) {
	if strings.HasPrefix(s, `\u{`) {
		r, n := hex(s[3:], 6)
		if 3+n == len(s) || n == 0 || s[3+n] != '}' {
			return c, 3+n == len(s)
		}
		return escapedRune(r, 4+n), false
	}
	r, n := hex(s[2:], 4)
	if n < 4 {
		return c, 2+n == len(s)
	}
	if !utf16.IsSurrogate(r) {
		return escapedRune(r, 6), false
	}
	low := s[6:]
	if len(low) < 2 || low[:2] != `\u` {
		return c, strings.HasPrefix(`\u`, low)
	}
	second, n := hex(low[2:], 4)
	if n < 4 {
		return c, 2+n == len(low)
	}
	if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
		return c, false
	}
	return escapedRune(r, 12), false
}

// hex reads up to most digits and returns how many there were.
func hex(s string, most int) (r rune, n int) {
	for n < min(len(s), most) {
		switch d := s[n] | 0x20; {
		case '0' <= s[n] && s[n] <= '9':
			r = r<<4 | rune(s[n]-'0')
		case 'a' <= d && d <= 'f':
			r = r<<4 | rune(d-'a'+10)
		default:
			return r, n
		}
		n++
	}
	return r, n
}

// entity reads &#65; &#x41; or a name. HTML lets a number end without a semicolon. Here it may not: where an escape ends must not
// hang on what comes behind it, or a secret could appear where another one was taken out.
func entity(s string) (c escaped, cut bool) {
	if s[1] != '#' {
		return namedEntity(s)
	}
	const most = 8 // digits: there are numbers with zeros before them
	var r rune
	n := 2
	switch {
	case len(s) == 2:
		return c, true
	case s[2]|0x20 == 'x':
		value, digits := hex(s[3:], most)
		if digits == 0 {
			return c, len(s) == 3
		}
		r, n = value, 3+digits
	default:
		for ; n < len(s) && n < 2+most && '0' <= s[n] && s[n] <= '9'; n++ {
			r = r*10 + rune(s[n]-'0')
		}
		if n == 2 {
			return c, false
		}
	}
	if n == len(s) || s[n] != ';' {
		return c, n == len(s)
	}
	return escapedRune(r, n+1), false
}

func namedEntity(s string) (c escaped, cut bool) {
	if strings.IndexByte("alpsqgce", s[1]) < 0 {
		return c, false
	}
	for _, e := range [...]struct {
		name string
		is   byte
	}{
		{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&colon;", ':'}, {"&lowbar;", '_'}, {"&sol;", '/'},
		{"&plus;", '+'}, {"&equals;", '='}, {"&period;", '.'},
	} {
		if strings.HasPrefix(s, e.name) {
			return escapedByte(e.is, len(e.name)), false
		}
		cut = cut || strings.HasPrefix(e.name, s)
	}
	return c, cut
}
