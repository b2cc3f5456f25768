// Package cli shows a chat in a terminal and reads a person's words there.
//
// Its pieces know nothing of each other; client and client/prompt put them together:
//
//   - [Markdown] renders a whole text; [Stream] does so while the text is still being written.
//   - [Printer] shows the events of a turn to a person, [JSONLines] to a program.
//   - [Prompt] reads lines with editing and history, and asks questions.
//   - [Progress] shows how far a download is.
//   - [Terminal] is the streams of a command, and which of them are a terminal.
//
// Everything that somebody else wrote (a model, a tool's result, a file's name) is hostile: it must not move the
// cursor, set the title, hide text or look like a line of hob's own. Three rules see to that:
//
//  1. No control character gets to a terminal, except for those that this package writes itself. They are shown as
//     pictures such as ␛, or as numbers such as ⟨U+202E⟩.
//  2. hob's own lines begin with one of its marks (→ ✓ ✗ ■ · ◆ ›) in the first column. No other line does: where a
//     mark would come to stand there, a blank goes before it.
//  3. What a person is asked to allow is shown whole, and every rune that cannot be seen is shown as its number.
//
// Widths are columns of a terminal; East Asian text takes two a rune. A width of 0 means that nothing is wrapped or
// cut, which is for pipes.
package cli

import "strings"

// marks begin hob's own lines.
const marks = "→✓✗■·◆›"

func isMark(r rune) bool { return strings.ContainsRune(marks, r) }
