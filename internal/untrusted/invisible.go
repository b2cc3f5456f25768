package untrusted

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that the rules name.
const (
	nonJoiner   = '\u200c'
	joiner      = '\u200d'
	asText      = '\ufe0e'
	asEmoji     = '\ufe0f'
	keycap      = '\u20e3'
	blackFlag   = '\U0001f3f4'
	vowelMark   = '\u180e' // Mongolian vowel separator
	firstTag    = '\U000e0000'
	lastTag     = '\U000e007f'
	replacement = utf8.RuneError
)

// visible returns s without what is not seen, and how many runs of that went.
func visible(s string) (string, int) {
	var b strings.Builder
	from, gone, cut := 0, 0, -1 // s[from:i] is to be kept; a run went that ended at cut
	var before rune             // the last character that was kept
	for i := nextSuspect(s, 0); i < len(s); i = nextSuspect(s, i) {
		if from < i {
			before, _ = utf8.DecodeLastRuneInString(s[from:i])
		}
		keep, instead := decide(before, s[i:])
		if keep > 0 {
			i += keep
			continue
		}
		b.WriteString(s[from:i])
		b.WriteString(instead)
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case instead == "":
			if cut != i {
				gone++
			}
			cut = i + size
		case strings.HasPrefix(s[i:], "\r\n"):
			size = 2
			fallthrough
		default:
			before = '\n'
		}
		i += size
		from = i
	}
	if from == 0 {
		return s, 0
	}
	b.WriteString(s[from:])
	return b.String(), gone
}

// nextSuspect returns where the next character begins, from i on, that [decide] has to be asked about, or len(s). It knows the large
// blocks that hold nothing invisible, and is there to be fast.
func nextSuspect(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case ' ' <= c && c <= '~' || c == '\n' || c == '\t':
			i++
		case c < utf8.RuneSelf:
			return i
		case 0xc4 <= c && c <= 0xd7 && c != 0xcd && i+1 < len(s) && s[i+1]&0xc0 == 0x80: // from Latin to Hebrew, without U+0340 to U+037F
			i += 2
		case c >= 0xe0 && i+2 < len(s) && isCommon(c, s[i+1]) && s[i+1]&0xc0 == 0x80 && s[i+2]&0xc0 == 0x80:
			i += 3
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !isLetter(r) {
				return i
			}
			i += size
		}
	}
	return i
}

// isCommon reports whether a character of three bytes that begins with these is one of the scripts of India and South East
// Asia (without Hangul, which has fillers), a sign or kana of East Asia, one of its ideographs or syllables, or full-width.
func isCommon(a, b byte) bool {
	return 0xe4 <= a && a <= 0xec || a == 0xe0 && b >= 0xa4 || a == 0xe3 && b < 0x85 || a == 0xef && b == 0xbc
}

// isLetter reports whether r is in another of those blocks.
func isLetter(r rune) bool {
	return 0xa0 <= r && r < 0x34f && r != 0xad || 0x350 <= r && r < 0x600 || 0x61d <= r && r < 0x6dd || 0x900 <= r && r < 0x115f ||
		0x2010 <= r && r < 0x2028 || 0x3000 <= r && r < 0x3164 || 0x3165 <= r && r < 0xd800 || 0xff01 <= r && r < 0xffa0 ||
		0x1f000 <= r && r < 0x1fb00 && r != blackFlag
}

// decide returns how many bytes of the character at the beginning of s are kept, or the text in its place. Where both are zero the
// character is dropped.
func decide(before rune, s string) (keep int, instead string) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == replacement && size == 1:
		return 0, ""
	case r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029:
		return 0, "\n"
	case r == blackFlag:
		return size + nation(s[size:]), ""
	case r == nonJoiner || r == joiner || r == vowelMark:
		after, _ := utf8.DecodeRuneInString(s[size:])
		if isJoining(before) && isJoining(after) && !isSelector(after) || r == joiner && (isEmoji(before) || before == asEmoji) && isEmoji(after) {
			return size, ""
		}
		return 0, ""
	case r == asText || r == asEmoji:
		after, _ := utf8.DecodeRuneInString(s[size:])
		if isEmoji(before) || after == keycap && (before == '#' || before == '*' || '0' <= before && before <= '9') {
			return size, ""
		}
		return 0, ""
	case isSelector(r):
		if 0x1820 <= before && before < 0x18b0 {
			return size, ""
		}
		return 0, ""
	case isHidden(r):
		return 0, ""
	}
	return size, ""
}

// isHidden reports whether r is not seen, whatever stands around it.
func isHidden(r rune) bool {
	switch {
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0: // fillers, and joiners of marks
		return true
	case 0x2060 <= r && r <= 0x206f, 0xfff0 <= r && r <= 0xfffb, 0xfe00 <= r && r <= 0xfe0f, 0xe0000 <= r && r <= 0xe0fff:
		return true // whole blocks of what is not seen: also what is not assigned yet
	case r&0xfffe == 0xfffe, 0xfdd0 <= r && r <= 0xfdef: // no characters
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r): // seen, although its class is Cf
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// isSelector reports whether r selects a variant of the Mongolian letter before it.
func isSelector(r rune) bool { return 0x180b <= r && r <= 0x180f && r != vowelMark }

// isJoining reports whether r is a letter, a mark or a digit of a script whose letters change with those beside them.
func isJoining(r rune) bool {
	switch {
	case 0x600 <= r && r < 0x900, 0x900 <= r && r < 0xe00, 0xf00 <= r && r < 0x10a0, 0x1700 <= r && r < 0x18b0, 0x1900 <= r && r < 0x1c50,
		0xa800 <= r && r < 0xa830, 0xa840 <= r && r < 0xa900, 0xa980 <= r && r < 0xaae0, 0xabc0 <= r && r < 0xac00,
		0xfb50 <= r && r < 0xfdd0, 0xfe70 <= r && r < 0xfeff, 0x10a00 <= r && r < 0x11c00, 0x11d00 <= r && r < 0x11f60, 0x1e900 <= r && r < 0x1e960:
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && !isHidden(r)
	}
	return false
}

// isEmoji reports whether r may be shown as an emoji, or gives one the colour of a skin. It says so of some signs beside them too.
func isEmoji(r rune) bool {
	switch r {
	case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x24c2, 0x3030, 0x303d, 0x3297, 0x3299:
		return true
	}
	return 0x2190 <= r && r < 0x2400 || 0x25a0 <= r && r < 0x27c0 || 0x2900 <= r && r < 0x2980 || 0x2b00 <= r && r < 0x2c00 || 0x1f000 <= r && r < 0x1fb00
}

// nation returns the length of the tag characters that s begins with where they make a flag in use of the flag before them.
func nation(s string) int {
	for _, code := range []string{"gbeng", "gbsct", "gbwls"} {
		var tags [6]rune
		for i := range code {
			tags[i] = firstTag + rune(code[i])
		}
		tags[5] = lastTag
		if flag := string(tags[:]); strings.HasPrefix(s, flag) {
			return len(flag)
		}
	}
	return 0
}
