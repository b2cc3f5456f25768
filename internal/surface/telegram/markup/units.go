package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/display"
)

// Len returns the length of s in UTF-16 units.
func Len(s string) int {
	n := 0
	for _, r := range s {
		n += unitsOf(r)
	}
	return n
}

func unitsOf(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// Cut returns the beginning of s with at most so many units. It does not cut within what readers
// see as one character, unless that alone is longer.
func Cut(s string, units int) string {
	end, used := 0, 0
	for end < len(s) {
		n := cluster(s[end:])
		if used += Len(s[end : end+n]); used > units {
			break
		}
		end += n
	}
	if end > 0 || s == "" {
		return s[:end]
	}
	return cutRunes(s, units)
}

// cutRunes is Cut, but only respects runes.
func cutRunes(s string, units int) string {
	for i, r := range s {
		if units -= unitsOf(r); units < 0 {
			return s[:i]
		}
	}
	return s
}

const joiner = '\u200d' // makes one picture of two

// cluster returns the length in bytes of the first visible character of s, which is not empty. It
// knows combining marks, sequences of emoji, flags and Korean syllables.
func cluster(s string) int {
	before, n := utf8.DecodeRuneInString(s)
	half := isFlag(before) // one of the two letters of a flag
	for n < len(s) {
		if s[n] < utf8.RuneSelf {
			return n
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case before < 0x20:
			return n
		case isExtender(r):
		case before == joiner && r > 0x2000:
		case half && isFlag(r) && isFlag(before):
			half = false
		case inSyllable(before, r):
		default:
			return n
		}
		before, n = r, n+size
	}
	return n
}

func isFlag(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

func isExtender(r rune) bool {
	return r >= 0x300 && (r == joiner || r == '\u200c' || isTag(r) || 0x1f3fb <= r && r <= 0x1f3ff ||
		unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc))
}

// inSyllable reports whether a Korean letter continues the syllable of the one before.
func inSyllable(before, r rune) bool {
	return 0x1160 <= r && r <= 0x11ff && (0x1100 <= before && before <= 0x11ff || 0xac00 <= before && before <= 0xd7a3)
}

// columns returns the width of s in a monospaced font; East Asian characters and emoji count
// double.
func columns(s string) int {
	sum := 0
	for s != "" {
		n := cluster(s)
		sum += clusterColumns(s[:n])
		s = s[n:]
	}
	return sum
}

func clusterColumns(s string) int {
	width, flags := 0, 0
	for _, r := range s {
		if isFlag(r) {
			flags++
		}
		width = max(width, display.RuneWidth(r))
		if r == '\ufe0f' { // shows the rune before it as an emoji
			width = 2
		}
	}
	return max(width, min(flags, 2))
}

// Shorten returns text in at most limit units. A longer one ends with an ellipsis.
func Shorten(text string, limit int) string {
	if Len(text) <= limit {
		return text
	}
	return strings.TrimSpace(Cut(text, limit-1)) + "…"
}
