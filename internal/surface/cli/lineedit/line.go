// Package lineedit is the text that a person edits at a prompt: a [Line] of one or several lines, and how it is laid out in
// columns. It knows no terminal: keys have the names that bubbletea gives them.
package lineedit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"hob/internal/display"
)

// A Line is a text and a cursor in it. Its units are grapheme clusters, what a person takes for one character: an accent or a
// flag is deleted as a whole.
type Line struct {
	text   []string // clusters
	at     int      // the cursor stands before text[at]
	killed string   // what was cut last, for ctrl+y
	undo   []state  // before each change, oldest first
	typing bool     // the last change was a character: the next one is undone with it
}

type state struct {
	text []string
	at   int
}

// maxUndo is how many changes can be undone.
const maxUndo = 200

// Text returns the text.
func (l *Line) Text() string { return strings.Join(l.text, "") }

// BeforeCursor returns the text before the cursor.
func (l *Line) BeforeCursor() string { return strings.Join(l.text[:l.at], "") }

// IsEmpty reports whether there is no text.
func (l *Line) IsEmpty() bool { return len(l.text) == 0 }

// Set replaces the text, with the cursor at its end. Characters that a terminal would obey become visible ones.
func (l *Line) Set(text string) {
	l.save(false)
	l.text = clusters(text)
	l.at = len(l.text)
}

// Insert inserts text at the cursor, as [Line.Set] cleans it.
func (l *Line) Insert(text string) {
	l.save(utf8.RuneCountInString(text) == 1 && text != " ")
	head := strings.Join(l.text[:l.at], "") + clean(text)
	before := len(clusters(head)) // an accent joins the character before it
	l.text = clusters(head + strings.Join(l.text[l.at:], ""))
	l.at = min(before, len(l.text))
}

// ReplaceBefore replaces the last n bytes before the cursor.
func (l *Line) ReplaceBefore(n int, text string) {
	l.save(false)
	before := l.BeforeCursor()
	after := strings.Join(l.text[l.at:], "")
	head := clusters(before[:max(0, len(before)-n)] + text)
	l.text, l.at = append(head, clusters(after)...), len(head)
}

// clean makes what a terminal would obey visible, and one kind of line end of all.
func clean(text string) string {
	return display.Clean(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
}

func clusters(text string) []string {
	var out []string
	for g := graphemes.FromString(clean(text)); g.Next(); {
		out = append(out, g.Value())
	}
	return out
}

// save remembers the text for undo. Characters typed one after another are one change.
func (l *Line) save(typing bool) {
	if typing && l.typing {
		return
	}
	l.typing = typing
	l.undo = append(l.undo, state{slices.Clone(l.text), l.at})
	l.undo = l.undo[max(0, len(l.undo)-maxUndo):]
}

// actionOf returns what a key does, or nil: the keys of what readline calls emacs mode, and those that have words on them.
func actionOf(key string) func(*Line) {
	switch key {
	case "left", "ctrl+b":
		return func(l *Line) { l.move(l.at - 1) }
	case "right", "ctrl+f":
		return func(l *Line) { l.move(l.at + 1) }
	case "home", "ctrl+a", "find":
		return func(l *Line) { l.move(l.lineBegin()) }
	case "end", "ctrl+e", "select":
		return func(l *Line) { l.move(l.lineEnd()) }
	case "ctrl+left", "alt+left", "alt+b":
		return func(l *Line) { l.move(l.wordBegin()) }
	case "ctrl+right", "alt+right", "alt+f":
		return func(l *Line) { l.move(l.wordEnd()) }
	case "backspace", "shift+backspace", "ctrl+h":
		return func(l *Line) { l.remove(l.at-1, l.at) }
	case "delete", "ctrl+d":
		return func(l *Line) { l.remove(l.at, l.at+1) }
	case "ctrl+w":
		return func(l *Line) { l.kill(l.beginOf(isNoBlank), l.at) }
	case "alt+backspace", "ctrl+backspace":
		return func(l *Line) { l.kill(l.wordBegin(), l.at) }
	case "alt+d", "ctrl+delete":
		return func(l *Line) { l.kill(l.at, l.wordEnd()) }
	case "ctrl+u":
		return func(l *Line) { l.kill(l.lineBegin(), l.at) }
	case "ctrl+k":
		return func(l *Line) { l.kill(l.at, l.lineEnd()) }
	case "ctrl+y":
		return func(l *Line) { l.Insert(l.killed) }
	case "ctrl+t":
		return (*Line).transpose
	case "ctrl+_", "ctrl+/":
		return (*Line).revert
	case "alt+enter", "shift+enter", "ctrl+j":
		return func(l *Line) { l.Insert("\n") }
	}
	return nil
}

// Key does what a key means and reports whether it means something.
func (l *Line) Key(name string) bool {
	act := actionOf(name)
	if act != nil {
		act(l)
	}
	return act != nil
}

func (l *Line) move(to int) {
	l.at = min(max(to, 0), len(l.text))
	l.typing = false
}

func (l *Line) remove(from, to int) {
	from, to = max(from, 0), min(to, len(l.text))
	if from >= to {
		return
	}
	l.save(false)
	l.text, l.at = slices.Delete(slices.Clone(l.text), from, to), from
}

func (l *Line) kill(from, to int) {
	if from = max(from, 0); from < to {
		l.killed = strings.Join(l.text[from:to], "")
	}
	l.remove(from, to)
}

// transpose swaps the two characters before the cursor, or those on both sides of it.
func (l *Line) transpose() {
	i := min(l.at, len(l.text)-1)
	if i < 1 {
		return
	}
	l.save(false)
	l.text = slices.Clone(l.text)
	l.text[i-1], l.text[i] = l.text[i], l.text[i-1]
	l.at = i + 1
}

// revert undoes the last change.
func (l *Line) revert() {
	if n := len(l.undo); n > 0 {
		l.text, l.at = l.undo[n-1].text, l.undo[n-1].at
		l.undo, l.typing = l.undo[:n-1], false
	}
}

func (l *Line) lineBegin() int {
	for i := l.at; i > 0; i-- {
		if l.text[i-1] == "\n" {
			return i
		}
	}
	return 0
}

func (l *Line) lineEnd() int {
	if i := slices.Index(l.text[l.at:], "\n"); i >= 0 {
		return l.at + i
	}
	return len(l.text)
}

func isWord(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
}

// isNoBlank tells words where blanks alone part them.
func isNoBlank(cluster string) bool { return strings.TrimSpace(cluster) != "" }

func (l *Line) wordBegin() int { return l.beginOf(isWord) }

// beginOf is where the word before the cursor begins, which is of such clusters.
func (l *Line) beginOf(of func(cluster string) bool) int {
	i := l.at
	for i > 0 && !of(l.text[i-1]) {
		i--
	}
	for i > 0 && of(l.text[i-1]) {
		i--
	}
	return i
}

func (l *Line) wordEnd() int {
	i := l.at
	for i < len(l.text) && !isWord(l.text[i]) {
		i++
	}
	for i < len(l.text) && isWord(l.text[i]) {
		i++
	}
	return i
}
