package agent

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"hob/internal/lazyregexp"
)

// A reply repeats itself when it ends with the same piece again and again. Five tokens are some
// twenty bytes; a shorter piece counts once its repeats fill as much as those of a long one. Code,
// tables, lists and text without letters repeat naturally: a matrix of zeros, a board of empty
// squares.
const (
	maxRepeatsInWords = 8
	maxRepeatsInData  = 40
	leastUnit         = 20      // bytes
	repeatWindow      = 8 << 10 // bytes at the end of a reply that are checked
	repeatStep        = 128     // bytes between two checks
)

// tailGuard looks for repeats in a text that grows.
type tailGuard struct {
	off  bool // the person asked for repetition
	text []byte
	seen int // length at the last check
}

// add takes more of the text and reports whether it repeats itself now.
func (g *tailGuard) add(text string) bool {
	g.text = append(g.text, text...)
	if g.off || len(g.text)-g.seen < repeatStep {
		return false
	}
	g.seen = len(g.text)
	_, repeats := endlessTail(g.text)
	return repeats
}

// cut returns the text up to the end of the first of its repeats.
func (g *tailGuard) cut() string {
	end, _ := endlessTail(g.text)
	return strings.ToValidUTF8(string(g.text[:end]), "")
}

// endlessTail reports whether a text ends with repeats, and where the first of them ends; without
// repeats that is the end of the text. It takes time in proportion to the window.
func endlessTail(text []byte) (end int, repeats bool) {
	tail := slices.Clone(text[max(0, len(text)-repeatWindow):])
	slices.Reverse(tail)
	// border[n] is the length of the longest proper prefix of tail[:n] that is also its suffix, so
	// n - border[n] is its period.
	border := make([]int, len(tail)+1)
	for n, k := 1, 0; n < len(tail); n++ {
		for k > 0 && tail[n] != tail[k] {
			k = border[k]
		}
		if tail[n] == tail[k] {
			k++
		}
		border[n+1] = k
	}
	unit, isData := 0, false // the period checked last, and whether its piece is data
	for n := len(tail); n >= maxRepeatsInWords*leastUnit; n-- {
		period := n - border[n]
		if n < maxRepeatsInWords*max(period, leastUnit) {
			continue
		}
		begin := len(text) - n
		if period != unit {
			unit, isData = period, repeatsByNature(text, begin, period)
		}
		if !isData || n >= maxRepeatsInData*max(period, leastUnit) || n == repeatWindow {
			for begin > 0 && text[begin-1] == text[begin-1+period] { // the repeats may begin before the window
				begin--
			}
			return begin + period, true
		}
	}
	return len(text), false
}

var dataLine = lazyregexp.New(`(?m)^[ \t]*(?:\||[-*+•] |\d+[.)] )`)

// repeatsByNature reports whether repeats of a piece are normal: it is part of code or JSON, a
// table row, a list item, or has no letters.
func repeatsByNature(text []byte, begin, period int) bool {
	const fence = "```"
	head := bytes.TrimSpace(text[:min(len(text), repeatStep)])
	unit := text[begin : begin+period]
	return len(head) > 0 && bytes.IndexByte([]byte("{[<"), head[0]) >= 0 || dataLine().Match(unit) ||
		bytes.Contains(unit, []byte(fence)) || bytes.Count(text, []byte(fence))%2 == 1 || !bytes.ContainsFunc(unit, unicode.IsLetter)
}

// wantsRepeats matches a request for text that repeats.
var wantsRepeats = lazyregexp.New(`(?i)\b(?:\d+|hundred|thousand|ten|twenty|fifty|many) times\b|\brepeat|\bover and over\b|\b\d+ ?mal\b|wiederhol|\d+ раз|повтор|\d+ ?[次遍]|重复`)
