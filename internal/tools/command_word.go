package tools

import (
	"strings"
	"unicode"
)

// IsCommand reports whether a line that somebody wrote calls a command, as in "/weather Berlin": there is a word after a slash.
// "/etc/fstab is broken", "// a comment" and "/2 of them" are words like any other. Whether there is such a command it does not
// say.
func IsCommand(line string) bool {
	word, _ := cutWord(line)
	word, ok := strings.CutPrefix(word, "/")
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && r != '_' && r != '-' && r != '.'
	}
	if !ok || word == "" || strings.HasSuffix(word, ".") || strings.ContainsFunc(word, odd) {
		return false
	}
	first := []rune(word)[0]
	return unicode.IsLetter(first) || first == '_'
}

// Nearest returns the first of words that is most like word, at most two letters away and fewer for a short one, or "".
func Nearest(word string, words []string) string { return likeliest(word, words) }
