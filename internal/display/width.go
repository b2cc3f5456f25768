package display

import (
	"strings"
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

// ExpandTabs puts blanks in the place of tabs, to the next of the columns that are multiples of four. A line end begins a line.
func ExpandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	const every = 4
	b, column := &strings.Builder{}, 0
	for _, r := range s {
		switch r {
		case '\t':
			n := every - column%every
			b.WriteString(strings.Repeat(" ", n))
			column += n
			continue
		case '\n':
			column = 0
		}
		b.WriteRune(r)
		column += RuneWidth(r)
	}
	return b.String()
}
