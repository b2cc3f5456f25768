package intents

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/when"
)

// Once the time of a reminder, a timer or an alarm is read, what is left of its words is what it is about. That there was more in them shows there:
// another time, a bound ("almost every day", "not before six"), or that they only tell of a timer.

// named returns what is left of a reminder's words once its time is read, without what says only how exact that is: "about 10 minutes". It is ""
// where it names nothing: "remind me tomorrow at". The pictures behind it belong to it.
func (in later) named(l *language, rest string) string {
	t := fold(rest)
	if !in.Timer && !in.Wake {
		if l.consistsOf(t.norm, "hangs", "behind", "articles", "dangling") {
			return t.pictures()
		}
		if from := l.introduced(t.norm); from > 0 {
			return t.toEnd(from)
		}
	}
	if in.Timer && l.consistsOf(t.norm, "roughly", "articles", "hangs") {
		return t.pictures()
	}
	from, to := 0, len(t.norm)
	for {
		word, ends := l.withoutEnd("roughly", strings.TrimRight(t.norm[from:to], " "))
		if !ends {
			break
		}
		to = from + len(word)
	}
	for size := -1; size != 0 && from < to; from += size {
		from += len(t.norm[from:to]) - len(strings.TrimLeft(t.norm[from:to], " "))
		m := matcher{folded: t, lang: l}
		if size = m.longestOf(from, to, "roughly"); !t.isBoundary(from + size) {
			size = 0
		}
	}
	if from == 0 && to == len(t.norm) {
		return rest
	}
	if !in.Timer && !in.Wake {
		return strings.TrimPrefix(t.toEnd(from), "to ") // at noon sharp to eat
	}
	return strings.TrimSpace(t.original(from, to) + " " + t.pictures())
}

// swallows reports whether what is left of a reminder's words shows that there was more in them than one time and what it is for.
func (in later) swallows(l *language, words, rest string) bool {
	all, text := fold(words).norm, fold(rest).norm
	if len(numberShape().FindString(text)) == len(text) && text != "" && !in.Timer && !in.Wake || l.endsInWord("therefore", text) {
		return true // reminder 2; so remind me
	}
	if l.isLimited(all, text) || l.namesTwoDays(all, text) || l.startsWith("torn", text) || l.dangles(text) || l.takesBack(text) {
		return true
	}
	before := 0
	for before < min(len(all), len(text)) && all[before] == text[before] {
		before++
	}
	if strings.HasSuffix(all, " "+text) { // die nächsten drei Tage an | die Tropfen
		before = 0
	}
	if before < len(text) && all[before-min(before, 1)] < utf8.RuneSelf { // within a word, the words before it are the same
		before = strings.LastIndexByte(all[:before], ' ') + 1
	}
	if before < len(text) || before < len(all) {
		if l.endsInWord("binds", strings.TrimRight(all[:before], " ")) {
			return true
		}
		begins := true // "dass ich" begins a clause that is all of it
		for _, w := range l.wordsOf(all[:before]) {
			relative := strings.HasSuffix(strings.TrimRight(all[:w.from], " "), ",") && l.has("relatives", w.text)
			isClause := relative || l.has("clauses", w.text)
			if isClause && !begins {
				return true
			}
			begins = begins && isClause
		}
	}
	count := func(text string) (n int) {
		for _, w := range l.wordsOf(text) {
			if l.has("clocks", w.text) {
				n++
			}
		}
		return n
	}
	if !in.Timer && !in.Wake {
		if in.Before != "" && text != "" && l.consistsOf(text, "finite") {
			return true // every day a reminder annoys
		}
		return count(text) < count(all) || l.beginsWithTime(text) || l.goesOnAt(text)
	}
	title := fold(in.Title).norm
	if in.Wake && l.beginsWithDigits(text) {
		return true
	}
	return count(text)+count(title) > 0 || l.consistsOf(text, "vague", "behind") && text != "" || l.isNoName(text) || l.isNoName(title) ||
		in.Timer && (l.startsWith("hangs", text) || l.endsInWord("articles", text) || beginsWithNumber(title, l.name))
}

// dangles reports whether words end as the beginning of something longer does. "... and I promised" tells something. In Chinese, 去 may stand
// behind what is to be done, 钓鱼去, and 的 at the end of a clause that says why: 妈妈交代的.
func (l *language) dangles(text string) bool {
	before, ends := l.withoutEnd("dangling", text)
	rest, goes := strings.CutSuffix(text, "去")
	goes = goes && utf8.RuneCountInString(rest) > 1
	says := strings.HasSuffix(text, "的") && utf8.RuneCountInString(text[strings.LastIndexAny(text, ",;.!")+1:]) > 3 && strings.Contains(text, ",")
	return ends && !l.endsInWord("harmless", text) && !l.endsInWord("states", strings.TrimRight(before, " ")) && !goes && !says
}

// hasOther reports whether what stands before "remind me" says when, and what stands behind it says another time, of which a part was read
// with it: 四点 and 五点开会 are no 四点五.
func (in later) hasOther(l *language, rest string) bool {
	now := anyDay()
	if _, err := when.Read(in.Before, l.name, now); in.Before == "" || err != nil {
		return false
	}
	alone, err := when.Read(in.Text, l.name, now)
	if len(rest) < len(alone.Rest) { // every day at 7, except Sunday
		return false
	}
	return err == nil && rest != in.Text && (alone.Rest != rest || l.saysDay(in.Before) && l.saysDay(in.Text))
}

// isNoName reports whether words beside the time of a timer are no name of it.
func (l *language) isNoName(words string) bool {
	return words != "" && (l.startsWith("leads", words) || l.startsWith("orders", words) || l.startsWith("finite", words) || l.goesOn(words) || l.isTorn(words) ||
		l.endsInWord("behind", words) || l.endsInWord("hangs", words) ||
		l.namesTime(words) || l.timesAt(words) != timed{})
}

// takesBack reports whether a text, or what follows a comma in it, corrects what stands before.
func (l *language) takesBack(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;.!?-", r) })
	if first, _ := strings.CutPrefix(text, "ich meine "); l.name == "de" && first != text && len(parts) == 1 && len(l.wordsOf(first)) > 1 && !l.saysTime(first) {
		return false // dass | ich meine Mutter anrufen muss
	}
	return slices.ContainsFunc(parts, func(part string) bool {
		part = strings.Trim(part, " ")
		return l.startsWith("corrects", part) || l.has("no", part) // every other... no, every Sunday
	})
}

// beginsWithDigits reports whether what an alarm is for begins with a number, which may be of its time: at 7 at 30.
func (l *language) beginsWithDigits(name string) bool {
	words := l.wordsOf(name)
	i := slices.IndexFunc(words, func(w foundWord) bool { return !l.has("hangs", w.text) })
	return i >= 0 && isDigit(words[i].text[0])
}

// hasSlip reports whether a word of a reminder is most likely one of time with a letter wrong: this aftrenoon.
func (l *language) hasSlip(text string) bool {
	times := slices.Collect(l.list("daytimes"))
	return slices.ContainsFunc(l.wordsOf(fold(text).norm), func(w foundWord) bool { return Nearest(w.text, times) != "" })
}

// isLimited reports whether what is left of a reminder's words bounds their time, or counts it from another one.
func (l *language) isLimited(all, text string) bool {
	head, tail := aroundTime(all, text)
	if l.startsWith("limits", text) && head+tail != "" || l.endsInWord("limits", head) || l.startsWith("limits", tail) {
		return true
	}
	// Chinese has no spaces, and a word of one letter may be a part of another.
	if l.name == "zh" && l.anyIn("limits", func(word string) bool { return utf8.RuneCountInString(word) > 1 && strings.Contains(text, word) }) {
		return true
	}
	for _, w := range l.wordsOf(text) {
		if w.from == 0 || !l.has("ahead", w.text) {
			continue
		}
		length := strings.TrimSpace(text[:w.from])
		if first, rest, _ := strings.Cut(length, " "); l.has("hangs", first) { // за 10 минут до
			length = rest
		}
		if _, isDays := lengthFrom(anyDay(), length, l.name); isDays && w.from+len(w.text) == len(text) { // a week before
			return true
		}
		if isLength(length, l.name) || isLength(strings.TrimSpace(text[w.from+len(w.text):]), l.name) { // 会开始前十分钟
			return true
		}
	}
	return false
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
			if l.consistsOf(rest, "utters") { // danke zu sagen
				return 0
			}
			return len(text) - len(strings.TrimLeft(rest, " ,:"))
		}
	}
	return 0
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

// tellsOfTimer reports whether the words around the time of a timer, an alarm or a reminder are no name of it, but tell of one that there
// was, or want it gone.
func (l *language) tellsOfTimer(t folded, p parse) bool {
	if !p.isClock() && p.kind != "remind" {
		return false
	}
	m := &matcher{folded: t, lang: l}
	return slices.ContainsFunc(p.slots, func(s slot) bool {
		text := t.norm[s.from:s.to]
		if s.name == "title" && m.isNoTitle(s) || p.isClock() && m.tellsOfClock(s) || !p.isClock() && l.mayBeHour(text) {
			return true
		}
		if p.kind == "remind" && m.hasWord(0, s.from, "clocks") && m.hasWord(s.from, s.to, "arrives") { // напоминание про химчистку завтра придёт само
			return true
		}
		if m.hasWord(0, s.from, "reminds") {
			return false
		}
		read, err := when.Read(text, l.name, anyDay())
		return err == nil && l.startsWith("finite", read.Rest) || l.isEnded(text) // 7 minutes felt too long
	})
}

// isNoTitle reports whether what would be the name of a timer is none: a short timer.
func (m *matcher) isNoTitle(s slot) bool {
	l, title := m.lang, strings.Trim(m.norm[s.from:s.to], " ,:")
	return l.startsWith("verbs", title) || s.from == m.skip(0) && l.startsWith("articles", title) || l.consistsOf(title, "vague") || l.isNoName(title) || l.endsInWord("articles", title)
}

// tellsOfClock reports whether a word beside the time of a timer or an alarm tells of one, or ends it.
func (m *matcher) tellsOfClock(s slot) bool {
	l := m.lang
	isOrder := m.hasWord(0, s.from, "imperatives") || l.has("infinitives", m.norm[strings.LastIndexByte(m.norm, ' ')+1:])
	return slices.ContainsFunc(m.wordsIn(s.from, s.to), func(w foundWord) bool {
		if isOrder && l.has("steady", w.text) { // weck mich schon um fünf
			return false
		}
		return l.has("negation", w.text) || l.has("reported", w.text) || l.startsWith("sets", m.norm[w.from:s.to]) || l.has("condition", w.text) && !l.has("times", w.text)
	})
}

// isEnded reports whether a time is followed by nothing but words that end what goes off then, or tell of it: "at 7 off", "is not set", "I had set".
func (l *language) isEnded(text string) bool {
	at, ended := l.withoutEnd("ends", text)
	for more := true; more; ended = ended || more {
		more = slices.ContainsFunc([]string{"negation", "reported", "sets"}, func(list string) (found bool) {
			at, found = l.withoutEnd(list, strings.TrimRight(at, " ,"))
			return found
		})
	}
	return ended && slices.ContainsFunc([]string{"", phrase(l.name, "at")}, func(hour string) bool {
		read, err := when.Read(hour+at, l.name, anyDay())
		return err == nil && l.consistsOf(read.Rest, "hangs")
	})
}
