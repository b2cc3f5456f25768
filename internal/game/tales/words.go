package tales

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/untrusted"
)

// wording holds the words of a tale in one language, by key.
type wording struct {
	text  map[string]string
	no    map[string]int // the line of each key
	used  map[string]bool
	of    string // the name of the file of things
	wrong []mistake
}

// wordsOf reads a file of words: lines "key = text", # begins a comment.
func wordsOf(text string) *wording {
	w := &wording{text: map[string]string{}, no: map[string]int{}, used: map[string]bool{}}
	no := 0
	for line := range strings.Lines(text) {
		no++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !ok:
			w.fail(no, "this is no line of words: write KEY = TEXT, or # in front of a remark")
			continue
		case w.no[key] > 0:
			w.fail(no, "%s stands in line %d already: leave one of them out", shorten(key), w.no[key])
			continue
		}
		w.text[key], w.no[key] = value, no
	}
	return w
}

func (w *wording) fail(no int, format string, args ...any) {
	w.wrong = append(w.wrong, mistake{no, fmt.Sprintf(format, args...)})
}

// The longest texts, in characters. Names stand on buttons and in lists.
const (
	mostTitle = 60
	mostPitch = 120
	mostName  = 60
	mostLine  = 300  // a description: a scene shows no more of it
	mostText  = 800  // a line that somebody says
	mostTale  = 1200 // the beginning or end of a tale
	mostKeys  = 60   // a word by which something is asked for
)

// take returns the text of a key, of at most so many characters. by is the line that needs it, 0 for a text that every
// tale needs.
func (w *wording) take(key string, most, by int) string {
	if key == "" || key[0] == '.' { // its id is missing, which is reported already
		return ""
	}
	text, ok := w.text[key]
	w.used[key] = true
	switch n := utf8.RuneCountInString(text); {
	case !ok && by > 0:
		w.fail(0, "there is no %q, which line %d of %s needs: add a line %s = TEXT", key, by, w.of, key)
	case !ok:
		w.fail(0, "there is no %q: add a line %s = TEXT", key, key)
	case text == "":
		w.fail(w.no[key], "%s has no text: write it behind the =", key)
	case n > most:
		w.fail(w.no[key], "%s has %d characters: %d at most", key, n, most)
	}
	return text
}

// checkUnused reports words that nothing uses.
func (w *wording) checkUnused() {
	for key, no := range w.no {
		if !w.used[key] {
			w.fail(no, "nothing is called %s: mend how it is spelt, or leave the line out", shorten(key))
		}
	}
}

// problemIn says what is wrong with a line of a tale's file, or returns "". Models read the words of a tale, and some
// surfaces read markup in them, so they must be plain words.
func problemIn(line string) string {
	line = strings.TrimRight(line, "\r\n")
	if !utf8.ValidString(line) {
		return "it is not UTF-8: save the file in that"
	}
	if i := strings.IndexAny(line, "<>[]{}|`\\"); i >= 0 {
		return fmt.Sprintf("there must be no %q in a tale, for it may be more than words to a model or a screen: write it otherwise", line[i:i+1])
	}
	tabs := strings.ReplaceAll(line, "\t", " ")
	if plain, _ := untrusted.Plain(tabs); plain != tabs {
		return "there are characters in it that nobody sees: write the line anew"
	}
	if strings.Contains(line, "://") {
		return "there must be no address in a tale: leave it out"
	}
	return ""
}

// Mend returns a text on one line, without anything that a tale may not have.
func Mend(s string) string {
	s, _ = untrusted.Plain(s)
	s = strings.NewReplacer("<", "", ">", "", "[", "(", "]", ")", "{", "(", "}", ")", "|", "/", "`", "'", `\`, "/", "://", " ").Replace(s)
	return strings.Join(strings.Fields(s), " ")
}

// shorten returns a piece of a file, short enough for a sentence.
func shorten(s string) string { return display.Truncate(s, 40) }

// sortMistakes sorts mistakes by line, and drops repeated ones.
func sortMistakes(all []mistake) []mistake {
	slices.SortStableFunc(all, func(a, b mistake) int { return cmp.Or(a.no-b.no, strings.Compare(a.text, b.text)) })
	return slices.Compact(all)
}
