package intents

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/when"
)

// A reminder may be counted from an appointment: "half an hour before the parents' evening". When that is stands in a calendar, which the tool looks at: the words
// of time go to it as they are.

// counted returns where the words of a time that is counted from an appointment stand in the words of a reminder, which say nothing else, or before or behind
// them what it is about.
func (l *language) counted(text string) (s span, ok bool) {
	isOne := func(s span) bool {
		a, ok := when.ReadAnchor(strings.Trim(text[s.from:s.to], " ,"), l.name)
		name := fold(a.Event).norm
		tells := l.name != "zh" && l.hasWord(name, "finite", "tells") // the pasta is done
		return ok && a.Lang == l.name && !tells && !strings.Contains(name, ",") && !l.hasWord(name, "negation", "condition", "reported", "reminds", "wonders", "joiners", "clocks") &&
			!l.consistsOf(name, "vague", "behind", "articles", "hangs")
	}
	if l.name == "zh" {
		for to := len(text); to > 0; {
			if isOne(span{0, to}) {
				return span{0, to}, true
			}
			_, n := utf8.DecodeLastRuneInString(text[:to])
			to -= n
		}
		return s, false
	}
	for from := range text {
		if from > 0 && text[from-1] != ' ' {
			continue
		}
		before := fold(text[:from]).norm
		isFirst := from == 0 || l.consistsOf(before, "behind", "asides", "introduces")
		for to := range ends(text, from, l) {
			if isOne(span{from, to}) && (isFirst || to == len(text)) {
				return span{from, to}, true
			}
		}
	}
	return s, false
}

// isCounted reports whether the words of a reminder have a time that is counted from an appointment.
func (l *language) isCounted(text string) bool {
	_, ok := l.counted(text)
	return ok
}

// ends yields where the words of an appointment that begin at a position of a text may end: before what says of what the reminder is, and at the end of the text.
func ends(text string, from int, l *language) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i, r := range text {
			if i <= from || r != ' ' && r != ',' {
				continue
			}
			rest := strings.TrimLeft(text[i:], " ,")
			first, behind, _ := strings.Cut(rest, " ")
			next, _ := utf8.DecodeRuneInString(behind)
			isName := l.name == "en" && unicode.IsUpper(next) // the flight to Rome
			isText := r == ',' || l.has("tells_of", fold(first).norm) && !isName || l.isDeed(fold(first).norm)
			if isText && rest != "" && !yield(i) {
				return
			}
		}
		yield(len(text))
	}
}

// isWithinCounted reports whether a word of a slot is one of a time that is counted from an appointment.
func (m *matcher) isWithinCounted(s slot, w foundWord) bool {
	if !s.isLater() {
		return false
	}
	at, ok := m.lang.counted(m.norm[s.from:s.to])
	return ok && w.from >= s.from+at.from && w.from < s.from+at.to
}

// ofAppointment is At for a reminder whose time is counted from an appointment, or none. Where another time was read in its words, that is one only where it left
// the appointment to what the reminder is about, with the word before it: in an hour | после прививки.
func (r Reading) ofAppointment(in later, read Reading) Reading {
	l := r.language()
	if l == nil || in.Timer || in.Wake || in.Ahead != "" {
		return Reading{}
	}
	words, text := in.Text, in.Title
	if in.Before != "" {
		words, text = in.Before, in.Text
	}
	at, ok := l.counted(words)
	if !ok {
		return Reading{}
	}
	before, behind := strings.Trim(words[:at.from], " ,"), strings.Trim(words[at.to:], " ,")
	if l.consistsOf(fold(before).norm, "behind", "asides", "introduces") {
		before = ""
	}
	if first, rest, more := strings.Cut(behind, " "); more && l.has("tells_of", fold(strings.Trim(first, ",")).norm) {
		behind = strings.TrimLeft(rest, " ,")
	}
	some := 0
	for _, part := range []string{before, behind, text} {
		if part != "" {
			text = part
			some++
		}
	}
	text = strings.TrimSpace(r.withoutSmallWords(in, text))
	anchor, _ := when.ReadAnchor(strings.Trim(words[at.from:at.to], " ,"), r.Lang)
	if read.Call.Name != "" && !isLeftOut(read, anchor) {
		return Reading{}
	}
	if some > 1 || l.timesAt(fold(text).norm) != (timed{}) || l.startsWith("torn", fold(text).norm) || l.dangles(fold(text).norm) || l.takesBack(fold(text).norm) {
		return Reading{}
	}
	args := remindArgs{At: anchor.Text(), Text: text, For: in.For, Lang: r.Lang}
	raw, err := json.Marshal(args)
	if err != nil {
		return Reading{}
	}
	r.Call.Args = raw
	r.Everyday = anchor.IsAt() || l.consistsOf(fold(anchor.Event).norm, "everyday", "articles")
	return r
}

// isLeftOut reports whether a reminder whose time was read in some words is about the appointment that a time is counted from, with the word before it.
func isLeftOut(read Reading, anchor when.Anchor) bool {
	var args remindArgs
	before, _, _ := strings.Cut(fold(anchor.Text()).norm, fold(anchor.Event).norm)
	side := before[strings.LastIndexByte(strings.TrimRight(before, " "), ' ')+1:]
	return json.Unmarshal(read.Call.Args, &args) == nil && side != "" && strings.HasPrefix(fold(args.Text).norm, side+fold(anchor.Event).norm)
}
