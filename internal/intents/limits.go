package intents

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/when"
)

// A time that is bounded, or is said of another one, is not the time of a reminder: "almost every day at 8", "not before six", "ten minutes before
// the meeting at 3". Each language's file lists what shows it:
//
//	limits      almost, only, not before, the day before: beside a time, or at the beginning, they say that it is another one
//	ahead       before: behind or before a length of time, it counts back from something
//	introduces  to, about: what a reminder is about begins behind these
//	past        了: a clause before the order that ends so tells something
//	sequel      then: timers that run one after another are no timers of now
//	sweeping    almost, everything from: a thing of a list that begins so is many, or none
//	instead     instead of: within a thing of a list, another one is put in its place

// isLimited reports whether what is left of a reminder's words bounds their time, or counts it from another one.
func (l *language) isLimited(all, text string) bool {
	head, tail := aroundTime(all, text)
	if l.startsWith("limits", text) && head+tail != "" || l.endsInWord("limits", head) || l.startsWith("limits", tail) {
		return true
	}
	if l.name == "zh" { // it has no spaces, and a word of one letter may be a part of another
		for word := range l.list("limits") {
			if utf8.RuneCountInString(word) > 1 && strings.Contains(text, word) {
				return true
			}
		}
	}
	for _, w := range l.wordsOf(text) {
		if w.from == 0 || !l.has("ahead", w.text) {
			continue
		}
		length := strings.TrimSpace(text[:w.from])
		if first, rest, _ := strings.Cut(length, " "); l.has("hangs", first) { // за 10 минут до
			length = rest
		}
		if l.isLength(length) || l.isLength(strings.TrimSpace(text[w.from+len(w.text):])) { // 会开始前十分钟
			return true
		}
	}
	return false
}

// isLength reports whether words are a length of time alone.
func (l *language) isLength(words string) bool {
	read, err := when.Read(phrase(l.name, "timer")+words, l.name, anyDay())
	return words != "" && err == nil && read.Rest == ""
}

// aroundTime returns what stands before the time of some words, and behind it, of what is left of them without the time.
func aroundTime(all, text string) (head, tail string) {
	before := 0
	for before < min(len(all), len(text)) && all[before] == text[before] {
		before++
	}
	for before > 0 && before < len(text) && !utf8.RuneStart(text[before]) {
		before--
	}
	if before < len(text) && all[before-min(before, 1)] < utf8.RuneSelf {
		before = strings.LastIndexByte(all[:before], ' ') + 1
	}
	return strings.TrimRight(text[:before], " ,"), strings.TrimLeft(text[before:], " ,")
}

// introduced returns where that begins of which a person is to be reminded, behind words that say nothing of it: "again to call Ana". It is 0 where
// no such words stand there.
func (l *language) introduced(text string) int {
	if l.startsWith("limits", text) {
		return 0
	}
	for _, w := range l.wordsOf(text) {
		if w.from > 0 && l.has("introduces", w.text) && l.consistsOf(text[:w.from], "behind", "asides") {
			rest := text[w.from+len(w.text):]
			return len(text) - len(strings.TrimLeft(rest, " ,:"))
		}
	}
	return 0
}

// isSweeping reports whether a thing of a list is many at once, or is put in the place of another: "everything from the recipe", "butter instead of
// margarine".
func (l *language) isSweeping(thing string) bool {
	if l.ends("nouns", thing) && slices.ContainsFunc(l.wordsOf(thing), func(w foundWord) bool { return w.from > 0 && l.has("hangs", w.text) }) {
		return true // flour on the baking list, and eggs on another one
	}
	if (l.begins("hangs", thing) || l.name != "zh" && strings.HasPrefix(thing, phrase(l.name, "at"))) && l.timesAt(thing).first { // at 5 milk
		return true
	}
	return l.startsWith("sweeping", thing) || slices.ContainsFunc(l.wordsOf(thing), func(w foundWord) bool { return w.from > 0 && l.startsWith("instead", thing[w.from:]) })
}

// isSaidOf reports whether what is to be written to a file begins with words of the sentence, and with a colon behind them: "and write in it: milk".
func (m *matcher) isSaidOf(s slot) bool {
	text := m.norm[s.from:s.to]
	before, _, colon := strings.Cut(text, ":")
	if text[0] != '"' && !m.isBehindColon(s) && m.lang.startsWith("torn", text) {
		return true // make a.txt and b.txt
	}
	if !colon || text[0] == '"' || m.isBehindColon(s) {
		return false
	}
	for _, w := range m.lang.wordsOf(before) {
		if m.lang.has("verbs", w.text) || m.lang.has("finite", w.text) {
			return true
		}
	}
	return m.lang.endsInWord("hangs", before) || m.lang.consistsOf(before, "behind", "fillers", "vague")
}

// isBehindColon reports whether a colon stands before a slot: what follows it is said, and not spoken of.
func (m *matcher) isBehindColon(s slot) bool {
	return strings.HasSuffix(m.before(s.from), ":")
}

// withoutAside returns a text without the words of politeness behind its last comma: "send the rent, please".
func (l *language) withoutAside(text string) string {
	t := fold(text)
	comma := strings.LastIndexByte(t.norm, ',')
	if comma <= 0 || !l.consistsOf(t.norm[comma:], "asides") {
		return text
	}
	return strings.TrimRight(t.original(0, comma), " ")
}

// goesOnAt reports whether a clause of a reminder's words begins with a time of its own: "take out the bins, at 9 post the letter".
func (l *language) goesOnAt(text string) bool {
	return slices.ContainsFunc((folded{norm: text}).clausesOf()[1:], func(c span) bool {
		return l.beginsWithTime(strings.TrimSpace(text[c.from:c.to]))
	})
}

// follow reports whether timers of the same words run one after another.
func (l *language) follow(words string) bool {
	return l.hasWord(fold(words).norm, "sequel")
}

// isDatedNote reports whether a note has a time before its colon, so that it may be to be made then.
func (m *matcher) isDatedNote(text string) bool {
	before, rest, colon := strings.Cut(text, ":")
	return colon && rest != "" && !isDigit(rest[0]) && isTimeAlone(before, m.lang.name)
}
