package markup

import (
	"strings"
	"unicode"

	"hob/internal/display"
)

// clean takes out of s what Telegram does not take, or what would hide or reorder other text. Line ends become "\n".
func clean(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r == unicode.ReplacementChar || !isHarmless(r) }) < 0 {
		return s
	}
	b := &strings.Builder{}
	before := rune(0)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, r := range s { // invalid UTF-8 becomes U+FFFD
		switch {
		case r == '\r' || r == '\u2028' || r == '\u2029':
			r = '\n'
		case isTag(r) && (before == blackFlag || isTag(before)): // the flag of a region
		case !isHarmless(r):
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

const blackFlag = '\U0001F3F4' // followed by the letters of a region in tags

func isTag(r rune) bool { return 0xe0020 <= r && r <= 0xe007f }

// isHarmless reports whether r neither hides nor reorders text. Variation selectors only change
// looks.
func isHarmless(r rune) bool {
	isVariant := 0xe0100 <= r && r <= 0xe01ef
	return r == '\n' || r == '\t' || isVariant || r != '\ufeff' && !display.Obeyed(r)
}

// isBlank reports whether nothing in s is visible. Telegram refuses such a message.
func isBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cf, unicode.Mn) && r != '\u2800' && r != '\u3164'
	}) < 0
}
