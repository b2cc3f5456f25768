package chart

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	nameRunes  = 80 // of a name; the rest is cut
	stackMarks = 2  // combining marks on one letter; names with more run over their neighbours
)

// wideRunes holds pairs of runes: the first and the last of each range that Unicode's EastAsianWidth calls W or F, with gaps
// of unassigned runes and combining marks closed (https://www.unicode.org/reports/tr11/). Its test holds it against
// golang.org/x/text/width, whose tables are fifteen times as large.
const wideRunes = "" +
	"\u1100\u115f\u231a\u231b\u2329\u232a\u23e9\u23ec\u23f0\u23f0\u23f3\u23f3\u25fd\u25fe\u2614\u2615\u2648\u2653" +
	"\u267f\u267f\u2693\u2693\u26a1\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26ce\u26d4\u26d4\u26ea\u26ea" +
	"\u26f2\u26f3\u26f5\u26f5\u26fa\u26fa\u26fd\u26fd\u2705\u2705\u270a\u270b\u2728\u2728\u274c\u274c\u274e\u274e" +
	"\u2753\u2755\u2757\u2757\u2795\u2797\u27b0\u27b0\u27bf\u27bf\u2b1b\u2b1c\u2b50\u2b50\u2b55\u2b55\u2e80\u2e99" +
	"\u2e9b\u2ef3\u2f00\u2fd5\u2ff0\u2ffb\u3000\u303e\u3041\u3096\u309b\u30ff\u3105\u312f\u3131\u318e\u3190\u31e3" +
	"\u31f0\u321e\u3220\u3247\u3250\u4dbf\u4e00\ua48c\ua490\ua4c6\ua960\ua97c\uac00\ud7a3\uf900\ufaff\ufe10\ufe19" +
	"\ufe30\ufe52\ufe54\ufe66\ufe68\ufe6b\uff01\uff60\uffe0\uffe6\U00016fe0\U00016fe3\U00016ff0\U00016ff1" +
	"\U00017000\U000187f7\U00018800\U00018cd5\U00018d00\U00018d08\U0001aff0\U0001aff3\U0001aff5\U0001affb" +
	"\U0001affd\U0001affe\U0001b000\U0001b122\U0001b132\U0001b132\U0001b150\U0001b152\U0001b155\U0001b155" +
	"\U0001b164\U0001b167\U0001b170\U0001b2fb\U0001f004\U0001f004\U0001f0cf\U0001f0cf\U0001f18e\U0001f18e" +
	"\U0001f191\U0001f19a\U0001f200\U0001f202\U0001f210\U0001f23b\U0001f240\U0001f248\U0001f250\U0001f251" +
	"\U0001f260\U0001f265\U0001f300\U0001f320\U0001f32d\U0001f335\U0001f337\U0001f37c\U0001f37e\U0001f393" +
	"\U0001f3a0\U0001f3ca\U0001f3cf\U0001f3d3\U0001f3e0\U0001f3f0\U0001f3f4\U0001f3f4\U0001f3f8\U0001f43e" +
	"\U0001f440\U0001f440\U0001f442\U0001f4fc\U0001f4ff\U0001f53d\U0001f54b\U0001f54e\U0001f550\U0001f567" +
	"\U0001f57a\U0001f57a\U0001f595\U0001f596\U0001f5a4\U0001f5a4\U0001f5fb\U0001f64f\U0001f680\U0001f6c5" +
	"\U0001f6cc\U0001f6cc\U0001f6d0\U0001f6d2\U0001f6d5\U0001f6d7\U0001f6dc\U0001f6df\U0001f6eb\U0001f6ec" +
	"\U0001f6f4\U0001f6fc\U0001f7e0\U0001f7eb\U0001f7f0\U0001f7f0\U0001f90c\U0001f93a\U0001f93c\U0001f945" +
	"\U0001f947\U0001f9ff\U0001fa70\U0001fa7c\U0001fa80\U0001fa88\U0001fa90\U0001fabd\U0001fabf\U0001fac5" +
	"\U0001face\U0001fadb\U0001fae0\U0001fae8\U0001faf0\U0001faf8\U00020000\U0003ffff"

// clean returns s as one line that can stand in any document: no control and no format characters (such as those that turn
// the direction of the text after them), no invalid UTF-8, single spaces, at most nameRunes.
func clean(s string) string {
	var b strings.Builder
	runes, marks, space := 0, 0, false
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 && i > 0 && s[i-1] >= utf8.RuneSelf && !utf8.RuneStart(s[i]) {
				continue // one sign for a run of broken bytes
			}
		}
		if unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) {
			space = runes > 0
			continue
		}
		if !unicode.IsGraphic(r) {
			continue
		}
		if unicode.Is(unicode.M, r) {
			if marks++; marks > stackMarks || runes == 0 || space {
				continue
			}
		} else {
			marks = 0
		}
		if runes >= nameRunes {
			return strings.TrimRight(b.String(), " ") + "…"
		}
		if space {
			b.WriteByte(' ')
			runes++
			space = false
		}
		b.WriteRune(r)
		runes++
	}
	return b.String()
}

// columns returns how many columns of a terminal s takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	for rest := wideRunes; rest != ""; {
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

// leftward tells whether s has letters of a script that is written from right to left. On a line of a terminal they would
// draw their neighbours with them.
func leftward(s string) bool {
	for _, r := range s {
		if 0x590 <= r && r <= 0x8ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfeff || 0x10800 <= r && r <= 0x10fff ||
			0x1e800 <= r && r <= 0x1efff {
			return true
		}
	}
	return false
}

// cut returns the beginning of s that takes at most limit columns.
func cut(s string, limit int) string {
	n := 0
	for i, r := range s {
		if n += runeColumns(r); n > limit {
			return s[:i]
		}
	}
	return s
}

// breakLine splits s into its beginning of at most limit columns, at a space where there is one, and the rest.
func breakLine(s string, limit int) (head, rest string) {
	head = cut(s, limit)
	if len(head) == len(s) {
		return s, ""
	}
	if head == "" { // a wide rune in a single column
		_, n := utf8.DecodeRuneInString(s)
		return "?", s[n:]
	}
	if at := strings.LastIndexByte(head, ' '); at > 0 && s[len(head)] != ' ' {
		head = head[:at]
	}
	return strings.TrimRight(head, " "), strings.TrimLeft(s[len(head):], " ")
}
