package intents

import "strings"

// How texts are held against the lists of words of a language, which guard.go names.

// consistsOf reports whether a text has only words of some lists.
func (l *language) consistsOf(text string, lists ...string) bool {
	t := folded{norm: text}
	for at := 0; at < len(text); {
		if strings.IndexByte(" ,;'!?", text[at]) >= 0 {
			at++
			continue
		}
		longest := 0
		for _, list := range lists {
			for word := range strings.SplitSeq(strings.Trim(l.section("words."+list), "\n"), "\n") {
				if len(word) > longest && strings.HasPrefix(text[at:], word) && t.isBoundary(at+len(word)) {
					longest = len(word)
				}
			}
		}
		if longest == 0 {
			return false
		}
		at += longest
	}
	return true
}

// begins reports whether the first word of a text is in a list, and others follow.
func (l *language) begins(list, text string) bool {
	return l.startsWith(list, text) && !l.has(list, text)
}

// startsWith reports whether the first words of a text are in a list.
func (l *language) startsWith(list, text string) bool {
	for word := range strings.SplitSeq(strings.Trim(l.section("words."+list), "\n"), "\n") {
		if strings.HasPrefix(text, word) && word != "" && (folded{norm: text}).isBoundary(len(word)) {
			return true
		}
	}
	return false
}

// endsInWord reports whether the last word of a text is in a list.
func (l *language) endsInWord(list, text string) bool {
	_, ends := l.withoutEnd(list, text)
	return ends
}

// withoutEnd returns a text without its last word, where that is in a list.
func (l *language) withoutEnd(list, text string) (rest string, ends bool) {
	for word := range strings.SplitSeq(strings.Trim(l.section("words."+list), "\n"), "\n") {
		if rest, ends = strings.CutSuffix(text, word); ends && word != "" && (folded{norm: text}).isBoundary(len(rest)) {
			return rest, true
		}
	}
	return text, false
}
