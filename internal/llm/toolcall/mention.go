package toolcall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mentioned reports whether the mark from i to end is only spoken of: in backticks or in quotes.
func (s *scan) mentioned(i, end int) bool {
	if s.tick {
		if _, which := s.first(end, "`", "\n"); which == "`" {
			return true
		}
	}
	before, _ := utf8.DecodeLastRuneInString(s.src[:i])
	if closing := closes(before); closing != 0 {
		if s.byte(end) != 0 && runeAt(s.src, end) == closing {
			return true
		}
	}
	return false
}

// inSentence reports whether the mark o, which begins at i, is a word of a sentence: words go on behind it, and before it
// stand words, or nothing although "is" comes next.
func (s *scan) inSentence(i int, o format) bool {
	end := i + len(o.open)
	if o.body == element {
		at := s.near(">", end, longestWord+1)
		if at < 0 {
			return false
		}
		end = at + 1
	} else if o.self() {
		return false
	}
	before := s.src[max(0, i-longestWord):i] // more of the line says no more
	line := strings.TrimRight(before[strings.LastIndexByte(before, '\n')+1:], " \t")
	last, _ := utf8.DecodeLastRuneInString(line)
	within := line != "" && len(line) < i && s.src[i-1] == ' ' && (last == ',' || last == '(' || unicode.IsLetter(last) || unicode.IsDigit(last))
	switch c := s.byte(end); {
	case within && strings.IndexByte(",.;:)!?", c) >= 0 && c != 0:
		return true
	case c != ' ' || !within && line != "":
		return false
	}
	from := s.blanks(end)
	word, next := s.word(from)
	if !within {
		return word == "is" && s.byte(next) == ' '
	}
	if c := s.byte(next); word == "" || c == '(' || c == '{' || c == '[' {
		return false
	}
	return s.resolve(word) == nil && s.byte(s.space(next)) != '{'
}

// closes returns the quote that closes what before opens, or 0.
func closes(before rune) rune {
	pairs := []rune(`""''“”„”‘’«»`)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == before {
			return pairs[i+1]
		}
	}
	return 0
}
