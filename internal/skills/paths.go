package skills

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestExtension is how many letters the end of a file's name may have: ".please" ends none.
const longestExtension = 5

// hidePaths returns a message without what is in the names of files and the paths in it: blanks stand there. Who asks for
// "note.txt" asks for a file and not for notes. Of an address its scheme stays.
func hidePaths(message string) string {
	if !strings.ContainsAny(message, `./\`) {
		return message
	}
	hidden := []byte(message)
	for at := 0; at < len(message); {
		r, size := utf8.DecodeRuneInString(message[at:])
		if !isPathRune(r) {
			at += size
			continue
		}
		end := at + strings.IndexFunc(message[at:]+" ", func(r rune) bool { return !isPathRune(r) })
		for _, part := range pathsIn(message, at, end) {
			for i := part[0]; i < part[1]; i++ {
				hidden[i] = ' '
			}
		}
		at = end
	}
	return string(hidden)
}

// pathsIn returns where paths stand in a word of a message.
func pathsIn(message string, at, end int) (parts [][2]int) {
	if i := strings.Index(message[at:end], "://"); i >= 0 {
		return [][2]int{{at + i + len("://"), end}}
	}
	for at < end {
		n := endOfName(message[at:end])
		if n < 0 {
			break
		}
		parts = append(parts, [2]int{at, at + n})
		at += n
	}
	if strings.ContainsAny(message[at:end], `/\`) {
		parts = append(parts, [2]int{at, end})
	}
	return parts
}

// endOfName returns where the first name with an extension ends in a word, or -1. In a script without blanks the sentence
// goes on behind it.
func endOfName(word string) int {
	for dot := 0; dot < len(word); dot++ {
		if word[dot] != '.' || dot == 0 {
			continue
		}
		i := dot + 1
		for i < len(word) && isASCIIAlnum(word[i]) {
			i++
		}
		if n := i - dot - 1; n == 0 || n > longestExtension {
			continue
		}
		switch next, _ := utf8.DecodeRuneInString(word[i:]); {
		case i == len(word), next == '.' && i == len(word)-1, !isSpaced(next) && unicode.IsLetter(next):
			return i
		}
	}
	return -1
}

func isASCIIAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isPathRune reports whether a path may have r where nobody quotes it.
func isPathRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune(`./\_-~@+%:`, r)
}
