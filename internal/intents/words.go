package intents

import (
	"iter"
	"slices"
	"strings"
)

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
			for word := range l.list(list) {
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

// list yields the words of a list.
func (l *language) list(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.SplitSeq(strings.Trim(l.section("words."+name), "\n"), "\n") {
			if word != "" && !yield(word) {
				return
			}
		}
	}
}

// hasWord reports whether a word of a text is in one of some lists.
func (l *language) hasWord(text string, lists ...string) bool {
	return slices.ContainsFunc(l.wordsOf(text), func(w foundWord) bool {
		return slices.ContainsFunc(lists, func(list string) bool { return l.has(list, w.text) })
	})
}

// hasPhrase reports whether some words of a text, which follow each other, are in a list.
func (l *language) hasPhrase(list, text string) bool {
	return slices.ContainsFunc(l.wordsOf(text), func(w foundWord) bool { return l.startsWith(list, text[w.from:]) })
}

// contains reports whether a word of a list stands anywhere in a text, as it may in Chinese, which has no spaces.
func (l *language) contains(list, text string) bool {
	for word := range l.list(list) {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// startsWithAny reports whether the first words of a text are in one of some lists.
func (l *language) startsWithAny(text string, lists ...string) bool {
	return slices.ContainsFunc(lists, func(list string) bool { return l.startsWith(list, text) })
}

// begins reports whether the first word of a text is in a list, and others follow.
func (l *language) begins(list, text string) bool {
	return l.startsWith(list, text) && !l.has(list, text)
}

// startsWith reports whether the first words of a text are in a list.
func (l *language) startsWith(list, text string) bool {
	for word := range l.list(list) {
		if strings.HasPrefix(text, word) && (folded{norm: text}).isBoundary(len(word)) {
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
	for word := range l.list(list) {
		if rest, ends = strings.CutSuffix(text, word); ends && (folded{norm: text}).isBoundary(len(rest)) {
			return rest, true
		}
	}
	return text, false
}
