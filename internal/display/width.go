package display

import (
	"unicode"

	"golang.org/x/text/width"
)

// RuneWidth returns how many columns of a terminal, or of any font with letters of one width, r takes: 0, 1 or 2. A control
// character takes none.
func RuneWidth(r rune) int {
	switch {
	case r < 0x20 || 0x7f <= r && r < 0xa0:
		return 0
	case r < 0x300:
		return 1
	case 0x1160 <= r && r <= 0x11ff: // the vowels and ends of a Korean syllable join its beginning
		return 0
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
