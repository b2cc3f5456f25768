package display

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FirstLine is the first line of a text that has words.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Join makes one line of a text: each run of blanks and line ends is one blank.
func Join(text string) string { return strings.Join(strings.Fields(text), " ") }

// Visible makes one line of a text that a stranger may have chosen, without what cannot be seen.
func Visible(text string) string {
	return Join(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, text))
}

// stackMarks is how many combining marks a letter of a name has: more run over their neighbours.
const stackMarks = 2

// Name is Visible for a name that may stand in any document: valid, with few marks on a letter, and of more than limit characters the
// first limit and "…".
func Name(text string, limit int) string {
	marks := stackMarks // a word does not begin with one
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			marks = stackMarks
		case !unicode.IsGraphic(r):
		case !unicode.Is(unicode.M, r):
			marks = 0
		default:
			if marks++; marks > stackMarks {
				return -1
			}
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return Truncate(Visible(text), limit+1)
}

// Without returns a text without some runes.
func Without(text, runes string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(runes, r) {
			return -1
		}
		return r
	}, text)
}

// Truncate returns s, or of a longer one its beginning and "…": at most limit characters (runes) in all.
func Truncate(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:max(limit-1, 0)]), " ") + "…"
}

// TruncateBytes is [Truncate] with a limit in bytes, of which "…" takes three.
func TruncateBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.TrimRight(s[:CutAt(s, max(limit-len("…"), 0))], " ") + "…"
}

// CutAt returns the last place at or before n that is between two runes of s.
func CutAt(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// TrimRune drops the beginning of a rune that the end of p cuts in two.
func TrimRune(p []byte) []byte {
	for i := len(p) - 1; i >= 0 && i >= len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				return p[:i]
			}
			break
		}
	}
	return p
}

// Quote is a file's name in a sentence: as it is when it is plain, quoted when it could be misread. Of more than 200 bytes the
// last 200 are left.
func Quote(name string) string {
	if len(name) > 200 {
		name = "..." + strings.ToValidUTF8(name[len(name)-200:], "")
	}
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` || strings.Contains(name, " ") {
		return quoted
	}
	return name
}

// ShellWord is a text as one word of a shell's command: as it is where the shell would leave it alone, else in quotes.
func ShellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,:@%", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Reason is an error's text without the operation and the path, which may name folders of this machine.
func Reason(err error) string {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err.Error()
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// Brief is a command in one line of at most 60 characters.
func Brief(command string) string { return Truncate(Join(command), 60) }
