package markdown

import (
	"unicode"
	"unicode/utf8"
)

// wideRunes holds pairs of runes: the first and the last of each range that Unicode 15's EastAsianWidth calls W or F,
// with gaps of unassigned runes closed. It is a constant, for a package keeps no state.
const wideRunes = "\u1100\u115f\u231a\u231b\u2329\u232a\u23e9\u23ec\u23f0\u23f0\u23f3\u23f3\u25fd\u25fe\u2614\u2615" +
	"\u2648\u2653\u267f\u267f\u2693\u2693\u26a1\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26ce" +
	"\u26d4\u26d4\u26ea\u26ea\u26f2\u26f3\u26f5\u26f5\u26fa\u26fa\u26fd\u26fd\u2705\u2705\u270a\u270b" +
	"\u2728\u2728\u274c\u274c\u274e\u274e\u2753\u2755\u2757\u2757\u2795\u2797\u27b0\u27b0\u27bf\u27bf" +
	"\u2b1b\u2b1c\u2b50\u2b50\u2b55\u2b55\u2e80\u303e\u3041\u3247\u3250\u4dbf\u4e00\ua4c6\ua960\ua97c" +
	"\uac00\ud7a3\uf900\ufaff\ufe10\ufe19\ufe30\ufe6b\uff01\uff60\uffe0\uffe6\U00016fe0\U00016fe4" +
	"\U00016ff0\U00016ff1\U00017000\U000187f7\U00018800\U00018cd5\U00018d00\U00018d08" +
	"\U0001aff0\U0001affe\U0001b000\U0001b122\U0001b132\U0001b132\U0001b150\U0001b152" +
	"\U0001b155\U0001b155\U0001b164\U0001b167\U0001b170\U0001b2fb\U0001f004\U0001f004" +
	"\U0001f0cf\U0001f0cf\U0001f18e\U0001f18e\U0001f191\U0001f19a\U0001f200\U0001f202" +
	"\U0001f210\U0001f23b\U0001f240\U0001f248\U0001f250\U0001f251\U0001f260\U0001f265" +
	"\U0001f300\U0001f320\U0001f32d\U0001f335\U0001f337\U0001f37c\U0001f37e\U0001f393" +
	"\U0001f3a0\U0001f3ca\U0001f3cf\U0001f3d3\U0001f3e0\U0001f3f0\U0001f3f4\U0001f3f4" +
	"\U0001f3f8\U0001f43e\U0001f440\U0001f440\U0001f442\U0001f4fc\U0001f4ff\U0001f53d" +
	"\U0001f54b\U0001f54e\U0001f550\U0001f567\U0001f57a\U0001f57a\U0001f595\U0001f596" +
	"\U0001f5a4\U0001f5a4\U0001f5fb\U0001f64f\U0001f680\U0001f6c5\U0001f6cc\U0001f6cc" +
	"\U0001f6d0\U0001f6d2\U0001f6d5\U0001f6d7\U0001f6dc\U0001f6df\U0001f6eb\U0001f6ec" +
	"\U0001f6f4\U0001f6fc\U0001f7e0\U0001f7eb\U0001f7f0\U0001f7f0\U0001f90c\U0001f93a" +
	"\U0001f93c\U0001f945\U0001f947\U0001f9ff\U0001fa70\U0001faff\U00020000\U0003fffd"

const softHyphen = '\u00AD' // a format rune that terminals show

// RuneWidth returns the columns of a terminal, or of any fixed-width font, that r takes: 0, 1 or 2. It is 0 for control
// characters.
func RuneWidth(r rune) int {
	switch {
	case r < 0x20 || 0x7f <= r && r < 0xa0:
		return 0
	case r < 0x300:
		return 1
	case 0x1160 <= r && r <= 0x11ff: // the vowels and ends of a Korean syllable join its beginning
		return 0
	case 0x4e00 <= r && r <= 0xa4c6 || 0xac00 <= r && r <= 0xd7a3:
		return 2
	case r != softHyphen && unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	for rest := wideRunes; r >= 0x1100 && rest != ""; {
		low, n := utf8.DecodeRuneInString(rest)
		high, m := utf8.DecodeRuneInString(rest[n:])
		if r <= high {
			if r >= low {
				return 2
			}
			break
		}
		rest = rest[n+m:]
	}
	return 1
}
