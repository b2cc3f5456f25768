package intents

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// How texts are held against the lists of words of a language.

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

// does reports whether the file of the language says that its sentences have a habit, of those that docs/intents.md names.
func (l *language) does(habit string) bool { return l.has("habits", habit) }

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

// anyIn reports whether something holds of a word of a list.
func (l *language) anyIn(list string, holds func(word string) bool) bool {
	for word := range l.list(list) {
		if holds(word) {
			return true
		}
	}
	return false
}

// hasWord reports whether a word between two positions is in one of some lists.
func (m *matcher) hasWord(from, to int, lists ...string) bool {
	return slices.ContainsFunc(m.wordsIn(from, to), func(w foundWord) bool {
		return slices.ContainsFunc(lists, func(list string) bool { return m.lang.has(list, w.text) })
	})
}

// hasWord reports whether a word of a text is in one of some lists.
func (l *language) hasWord(text string, lists ...string) bool {
	return (&matcher{folded: folded{norm: text}, lang: l}).hasWord(0, len(text), lists...)
}

// negates reports whether a word is a negation, and no verb such as is, which makes one of "note" in "note is a word".
func (l *language) negates(word string) bool {
	return l.has("negation", word) && !l.has("copulas", word)
}

// hasPhrase reports whether some words of a text, which follow each other, are in a list.
func (l *language) hasPhrase(list, text string) bool {
	return slices.ContainsFunc(l.wordsOf(text), func(w foundWord) bool { return l.startsWith(list, text[w.from:]) })
}

// hasLongPhrase reports whether several words of a text, which follow each other, are in a list together: in case.
func (l *language) hasLongPhrase(list, text string) bool {
	t := folded{norm: text}
	return l.anyIn(list, func(words string) bool {
		at := strings.Index(text, words)
		return at >= 0 && strings.Contains(words, " ") && t.isBoundary(at) && t.isBoundary(at+len(words))
	})
}

// contains reports whether a word of a list stands anywhere in a text, as it may in Chinese, which has no spaces.
func (l *language) contains(list, text string) bool {
	return l.anyIn(list, func(word string) bool { return strings.Contains(text, word) })
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
	return l.anyIn(list, func(word string) bool {
		return strings.HasPrefix(text, word) && (folded{norm: text}).isBoundary(len(word))
	})
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

// foundWord is a word and where it begins.
type foundWord struct {
	text string
	from int
}

// wordsIn returns the words between two positions. Chinese has no spaces: there, what the lists of the language have is a word.
func (m *matcher) wordsIn(from, to int) (words []foundWord) {
	for at := from; at < to; {
		r, n := utf8.DecodeRuneInString(m.norm[at:])
		switch {
		case isHan(r):
			meant, verb := m.longestOf(at, to, "negation", "condition", "reported", "retracts", "harmless", "sets"), m.longestOf(at, to, "verbs")
			words = append(words, foundWord{m.norm[at : at+max(meant, n)], at})
			if verb > n && verb != meant { // it hides none of the others
				words = append(words, foundWord{m.norm[at : at+verb], at})
			}
			if meant == 0 {
				meant = max(verb, n)
			}
			at += meant
		case isJoined(r):
			end := min(max(m.wordEnd(at), at+m.longestOf(at, to, "harmless")), to) // such as bin bags, where bin is no verb
			words = append(words, foundWord{m.norm[at:end], at})
			at = end
		default:
			at += n
		}
	}
	return words
}

// longestOf returns the size of the longest word of some lists that stands at a position.
func (m *matcher) longestOf(at, to int, lists ...string) (size int) {
	text := m.norm[at:to]
	_, first := utf8.DecodeRuneInString(text)
	for _, list := range lists {
		for line := range strings.Lines(seek(m.lang.section("words."+list), text[:first])) {
			if !strings.HasPrefix(line, text[:first]) {
				break
			}
			if word := strings.TrimSuffix(line, "\n"); len(word) > size && strings.HasPrefix(text, word) {
				size = len(word)
			}
		}
	}
	return size
}

// longestValue returns where the longest words at a position end that a table of values has, and what they mean; 0 where it has none.
func (m *matcher) longestValue(table string, at int) (end int, means string) {
	m.lang.values(table, m.norm[at:], func(written, value string) {
		if at+len(written) > end && m.isBoundary(at+len(written)) {
			end, means = at+len(written), value
		}
	})
	return end, means
}

// isJoined reports whether what stands before pos, behind from, joins two sentences: a mark, or a word such as and.
func (m *matcher) isJoined(from, pos int) bool {
	before := strings.TrimRight(m.norm[from:pos], " ")
	if before != "" && strings.IndexByte(",;.!", before[len(before)-1]) >= 0 {
		return !strings.HasPrefix(m.original(from+len(before)-1, pos), "、") // which joins things alone
	}
	return m.lang.anyIn("joiners", func(word string) bool {
		rest, ok := strings.CutSuffix(before, word)
		return ok && m.isBoundary(from+len(rest))
	})
}

// wordsOf returns the words of a folded text.
func (l *language) wordsOf(text string) []foundWord {
	return (&matcher{folded: folded{norm: text}, lang: l}).wordsIn(0, len(text))
}

// has reports whether a word is in a list of the language.
func (l *language) has(list, word string) bool {
	first, _, _ := strings.Cut(seek(l.section("words."+list), word), "\n")
	return word != "" && first == word
}

// seek returns what of a list, as [listOf] makes it, begins with the first word that is not less than another.
func seek(list, word string) string {
	behind := func(at int) string { // the words behind the next end of a line
		_, rest, _ := strings.Cut(list[at:], "\n")
		return rest
	}
	return behind(sort.Search(len(list), func(at int) bool {
		line, _, _ := strings.Cut(behind(at), "\n")
		return line == "" || line >= word
	}))
}

// ends reports whether s ends in a word of a list of the language.
func (l *language) ends(list, s string) bool {
	return l.anyIn(list, func(word string) bool { return strings.HasSuffix(s, word) })
}
