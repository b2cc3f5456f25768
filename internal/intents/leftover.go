package intents

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hob/internal/when"
)

// What a slot of a person's own words has swallowed of the sentence around it shows at its edges, and in what is left of a reminder's words
// once its time is read. Each language's file lists what shows it:
//
//	torn      or, as soon as: no thing and no reminder begins so: it is the rest of a longer sentence
//	states    it's for, we: what begins so is no thing, but says something of the others
//	corrects  sorry, I mean: behind a comma, or first, they take back what stands before them
//	dangling  for, or: no reminder ends so: the time was taken out of the middle of a clause
//	clauses   who, because: a time behind them is that of their clause, and not the reminder's
//	relatives die: behind a comma, they begin a clause, too
//	binds     the: what follows it is no time, but a thing of that time: "the 8 o'clock news"
//	clocks    timer, alarm: in the name of one, or taken out of a reminder's words, they are another order
//	foreign   und: the "and" or the verb of another language, which this one does not know
//	leads     for example, tell: what begins with a name and with these is no order, or somebody else's
//	greets    hey, hi: behind these and before a comma stands who is spoken to
//	finite    would, was: a reminder without a verb that goes on so is spoken of, and not wanted
//	attached  with: what follows it hangs on a thing, and an "and" behind it may go on with that
//	flavoured 酸奶: with the thing before it, it is one
//	wholes    mac and cheese: a thing that is one, in spite of its "and"
//	measures  the words with which Chinese counts: a thing that is counted twice is two

// isTorn reports whether a thing begins as no thing does, takes another one back, or is several.
func (l *language) isTorn(thing string) bool {
	return l.startsWith("torn", thing) || l.begins("states", thing) || l.startsWith("corrects", thing) || l.areMore(thing) ||
		l.startsWith("vague", thing) && l.hasWord(thing, "torn") || // all but milk
		l.hasWord(thing, "foreign")
}

// named returns what is left of a reminder's words once its time is read, without what says only how exact that is: "about 10 minutes". It is ""
// where it names nothing: "remind me tomorrow at".
func (in later) named(l *language, rest string) string {
	t := fold(rest)
	if !in.Timer && !in.Wake {
		if l.consistsOf(t.norm, "hangs", "behind", "articles", "dangling") {
			return ""
		}
		if from := l.introduced(t.norm); from > 0 {
			return t.original(from, len(t.norm))
		}
	}
	if in.Timer && l.consistsOf(t.norm, "roughly", "articles", "hangs") {
		return ""
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
		return strings.TrimPrefix(t.original(from, len(t.norm)), "to ") // at noon sharp to eat
	}
	return t.original(from, to)
}

// swallows reports whether what is left of a reminder's words shows that there was more in them than one time and what it is for.
func (in later) swallows(l *language, words, rest string) bool {
	all, text := fold(words).norm, fold(rest).norm
	if len(numberShape().FindString(text)) == len(text) && text != "" && !in.Timer && !in.Wake || l.endsInWord("therefore", text) {
		return true // reminder 2; so remind me
	}
	if l.isLimited(all, text) || l.namesTwoDays(all, text) || l.startsWith("torn", text) || l.endsInWord("dangling", text) && !l.endsInWord("harmless", text) || l.takesBack(text) {
		return true
	}
	before := 0
	for before < min(len(all), len(text)) && all[before] == text[before] {
		before++
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

// hasOther reports whether what stands before "remind me" says when, and what stands behind it says another time, of which a part was read
// with it: 四点 and 五点开会 are no 四点五.
func (in later) hasOther(l *language, rest string) bool {
	now := anyDay()
	if _, err := when.Read(in.Before, l.name, now); in.Before == "" || err != nil {
		return false
	}
	alone, err := when.Read(in.Text, l.name, now)
	return err == nil && rest != in.Text && (alone.Rest != rest || l.saysDay(in.Before) && l.saysDay(in.Text))
}

// overruns reports whether a name has swallowed what stands at the edge of the message and is no part of it. The sentence begins at begin.
func (m *matcher) overruns(begin int, s slot, slots []slot) bool {
	text, first, last := m.norm[s.from:s.to], s.from == begin, m.skip(s.to) == len(m.norm)
	if s.name == "time" {
		isNumber := len(numberShape().FindString(text)) == len(text) && m.lang.endsInWord("clocks", m.before(s.from))
		return m.lang.endsInWord("corrects", text) || m.namesAnother(s) || isNumber // move reminder 6
	}
	if s.name == "list" && s.kind != "list" && m.namesList(s.from+1, s.to) { // the sentence began before it
		return true
	}
	if s.isFree() || !s.is(edged) || s.kind == "query" && s.name != "list" || s.name == "why" {
		return false
	}
	if first && (m.isLed(s) || m.isCall(s)) || last && m.lang.goesOn(text) || m.lang.hasAside(text) {
		return true
	}
	switch {
	case s.is(brief):
		return m.isTimed(text, false, last) || text[0] != '#' && m.lang.startsWith("numbered", text)
	case s.is(many):
		if !slices.ContainsFunc(slots, func(s slot) bool { return s.name == "list" }) && m.namesList(s.from, s.to) {
			return true // which the sentence has not read
		}
		return !slices.ContainsFunc(slots, func(s slot) bool { return s.value == todoList }) && m.isTimed(text, first, last)
	}
	return false
}

// namesAnother reports whether a second chore begins behind the "and" of a time: move reminder 3 to 5 and 4 to 6.
func (m *matcher) namesAnother(s slot) bool {
	joined := false
	for _, w := range m.wordsIn(s.from, s.to) {
		if joined && m.lang.has("hangs", w.text) {
			return true
		}
		joined = joined || w.from > s.from && m.isJoined(s.from, w.from)
	}
	return false
}

// todoList is the list whose things may have a time: that is when they are to be done.
const todoList = "todo"

// isLed reports whether a slot with which a sentence begins has the beginning of another one. Chinese has no spaces: there it may follow a
// name.
func (m *matcher) isLed(s slot) bool {
	text := m.norm[s.from:s.to]
	if m.lang.startsWith("leads", text) || m.lang.startsWith("orders", text) || m.lang.endsInWord("orders", m.before(s.from)) {
		return true
	}
	return m.lang.name == "zh" && m.lang.contains("leads", text)
}

// isCall reports whether a slot behind a greeting begins with who is greeted.
func (m *matcher) isCall(s slot) bool {
	before := strings.TrimRight(m.norm[:s.from], " ,")
	called, _, comma := strings.Cut(strings.TrimRight(m.norm[s.from:min(s.to+1, len(m.norm))], " "), ",")
	return comma && len(strings.Fields(called)) == 1 && m.lang.endsInWord("greets", before)
}

// goesOn reports whether a clause begins within a name: the reminder about the vet as soon as Ben comes. An "and" or an "or" begins none.
func (l *language) goesOn(name string) bool {
	return slices.ContainsFunc(l.wordsOf(name), func(w foundWord) bool {
		return w.from > 0 && !l.has("joiners", w.text) && l.startsWith("torn", name[w.from:])
	})
}

// isOnList reports whether a thing ends with the list that it is for: what follows it has a list of its own, as in "milk on the shopping list and
// eggs on the to-do list".
func (l *language) isOnList(thing string) bool {
	isList := l.endsInWord("nouns", thing)
	for _, w := range l.wordsOf(thing) {
		l.values("list", thing[w.from:], func(written, _ string) { isList = isList || written == thing[w.from:] })
	}
	return isList && slices.ContainsFunc(l.wordsOf(thing), func(w foundWord) bool { return w.from > 0 && l.has("hangs", w.text) })
}

// hasAside reports whether a polite word stands within a name: it is of the sentence.
func (l *language) hasAside(name string) bool {
	words := l.wordsOf(name)
	return len(words) > 2 && slices.ContainsFunc(words[1:len(words)-1], func(w foundWord) bool { return l.has("asides", w.text) })
}

// isMarked reports whether the words before a slot say that a text begins: "note: don't" and "with the text don't" want it. So does 提醒我.
func (m *matcher) isMarked(s slot) bool {
	before := strings.TrimRight(m.norm[:s.from], " ,")
	return strings.HasSuffix(before, ":") || m.lang.endsInWord("marks", before) || s.isLater() && m.lang.name == "zh"
}

// asksWhether reports whether a Chinese text ends in a question such as 够不够: the same word before and behind a "not".
func asksWhether(text string) bool {
	last := []rune(text[max(0, len(text)-3*utf8.UTFMax):])
	n := len(last)
	return n >= 3 && last[n-1] == last[n-3] && (last[n-2] == '不' || last[n-2] == '没')
}

// isNoName reports whether words beside the time of a timer are no name of it.
func (l *language) isNoName(words string) bool {
	return words != "" && (l.startsWith("leads", words) || l.startsWith("orders", words) || l.startsWith("finite", words) || l.goesOn(words) || l.isTorn(words) ||
		l.endsInWord("behind", words) || l.endsInWord("hangs", words) ||
		l.namesTime(words) || l.timesAt(words) != timed{})
}

// namesList reports whether the name of a usual list begins between two positions.
func (m *matcher) namesList(from, to int) (named bool) {
	for at := from; at < to; at++ {
		if utf8.RuneStart(m.norm[at]) && m.isBoundary(at) {
			m.lang.values("list", m.norm[at:], func(written, _ string) { named = named || m.isBoundary(at+len(written)) })
		}
	}
	return named
}

// timed says whether a time stands first and last in a text, though not behind a word that it hangs on, such as "milk for tomorrow".
type timed struct{ first, last bool }

// timesAt returns where times stand in a text.
func (l *language) timesAt(text string) (at timed) {
	read, err := when.Read(text, l.name, anyDay())
	unclear := (*when.Unclear)(nil)
	if rest := read.Rest; err == nil && rest != text || errors.As(err, &unclear) && unclear.Problem == when.Past {
		at = timed{strings.HasSuffix(text, rest), strings.HasPrefix(text, rest) && !l.endsInWord("hangs", rest)}
	}
	return at
}

// isTimed reports whether a time stands first or last in a text. Many sentences have the same slots, and a time is read once.
func (m *matcher) isTimed(text string, first, last bool) bool {
	if !first && !last {
		return false
	}
	at, known := m.timed[text]
	if !known {
		at = m.lang.timesAt(text)
		if m.timed == nil {
			m.timed = map[string]timed{}
		}
		m.timed[text] = at
	}
	return first && at.first || last && at.last
}

// takesBack reports whether a text, or what follows a comma in it, corrects what stands before.
func (l *language) takesBack(text string) bool {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;.!?-", r) }) {
		if l.startsWith("corrects", strings.TrimLeft(part, " ")) {
			return true
		}
	}
	return false
}

// beginsWithTime reports whether the words of a reminder go on with another time: "5 o'clock is the meeting".
func (l *language) beginsWithTime(text string) bool {
	read, err := when.Read(text, l.name, anyDay())
	return err == nil && read.Rest != text && strings.HasSuffix(text, read.Rest)
}

// namesTime reports whether the name of a timer or an alarm holds another time, or a number behind "and": "the eggs and 5 for the rice".
func (l *language) namesTime(text string) bool {
	for _, words := range []string{text, phrase(l.name, "timer") + text} { // 20 minutes
		if _, err := when.Read(words, l.name, anyDay()); err == nil {
			return true
		}
	}
	m := &matcher{folded: folded{norm: text}, lang: l}
	for _, w := range l.wordsOf(text) {
		if numberShape().MatchString(w.text) && m.isJoined(0, w.from) {
			return true
		}
	}
	return false
}

// beginsWithNumber reports whether the name of a timer begins with what may be its minutes or seconds: an hour twenty.
func beginsWithNumber(name, lang string) bool {
	now := anyDay()
	first, _, _ := strings.Cut(name, " ")
	if lang == "zh" {
		first = name[:len(name)-len(strings.TrimLeft(name, "零〇一二三四五六七八九十半0123456789"))]
	}
	read, err := when.Read(phrase(lang, "timer")+first+phrase(lang, "minutes"), lang, now)
	return name == "半" || name == "半钟" || first != "" && err == nil && read.Rest == "" && read.Start.Sub(now) >= 5*time.Minute
}

// isSpokenOf reports whether what stands right behind a noun such as 笔记 says something of it: 做笔记是个好习惯.
func (m *matcher) isSpokenOf(s slot) bool {
	last, _ := utf8.DecodeLastRuneInString(m.norm[:s.from])
	return isHan(last) && m.lang.endsInWord("nouns", m.norm[:s.from]) && m.lang.startsWith("spoken", m.norm[s.from:s.to])
}

// beginsWithDigits reports whether what an alarm is for begins with a number, which may be of its time: at 7 at 30.
func (l *language) beginsWithDigits(name string) bool {
	for _, w := range l.wordsOf(name) {
		if !l.has("hangs", w.text) {
			return isDigit(w.text[0])
		}
	}
	return false
}

// wordsOf returns the words of a folded text.
func (l *language) wordsOf(text string) []foundWord {
	return (&matcher{folded: folded{norm: text}, lang: l}).wordsIn(0, len(text))
}

// isForAnother reports whether the words behind a bare "remind" begin with a name, or those behind a comma call somebody: it may be
// that person who is to be reminded, or to remind.
func (m *matcher) isForAnother(s slot, _ string) bool {
	if !s.isLater() {
		return false
	}
	before := m.before(s.from)
	if words := m.wordsIn(0, s.from); len(words) > 0 && m.lang.name == "ru" && m.lang.has("reminds", words[len(words)-1].text) {
		first, _ := utf8.DecodeRuneInString(m.original(s.from, s.to))
		return unicode.IsUpper(first)
	}
	called, _, ok := strings.Cut(m.norm[s.from:s.to], ",")
	if !ok || !strings.HasSuffix(before, ",") || len(strings.Fields(called)) > 2 || m.lang.has("asides", called) {
		return false
	}
	_, err := when.Read(called, m.lang.name, anyDay())
	return err != nil
}

// isOfAThing reports whether the time with which a reminder's words begin is that of a thing, as in 提醒我去四点的会.
func (m *matcher) isOfAThing(s slot, text string) bool {
	if !s.isLater() || slices.ContainsFunc(m.slots, func(s slot) bool { return s.name == "what" }) {
		return false // call Ana, remind me of that at 7
	}
	return s.to == len(m.norm) && m.lang.endsInWord("binds", m.before(s.from)) && m.lang.beginsWithTime(text)
}

// isWhole reports whether a joiner between two positions stands in a name that is one, such as "mac and cheese", or between hyphens.
func (m *matcher) isWhole(from, to int) bool {
	if strings.HasSuffix(m.before(from), "-") { // Salz- und Pfefferstreuer
		return true
	}
	for name := range m.lang.list("wholes") {
		for at := max(0, from-len(name)); at <= from; at++ {
			if strings.HasPrefix(m.norm[at:], name) && at+len(name) >= to && m.isBoundary(at) && m.isBoundary(at+len(name)) {
				return true
			}
		}
	}
	return false
}

// isDated reports whether the name of a list begins or ends with a day that is near, or over: "the list for Sunday" is no list of that name. That of
// Christmas is.
func (l *language) isDated(name string) bool {
	now := anyDay()
	read, err := when.Read(name, l.name, now)
	unclear := (*when.Unclear)(nil)
	begins, ends := strings.HasSuffix(name, read.Rest), strings.HasPrefix(name, read.Rest)
	return errors.As(err, &unclear) && unclear.Problem == when.Past || err == nil && (begins || ends) && read.Start.Before(now.AddDate(0, 0, 8))
}

// hangsOnTime reports whether what a reminder is about goes on with a time: "the vet from Friday".
func (l *language) hangsOnTime(about string) bool {
	for _, w := range l.wordsOf(about) {
		if rest := about[w.from+len(w.text):]; w.from > 0 && l.has("hangs", w.text) && rest != "" {
			if read, err := when.Read(phrase(l.name, "at")+rest, l.name, anyDay()); err == nil && read.Rest == "" {
				return true
			}
		}
	}
	return false
}

// namesTwoDays reports whether a day stands before what is left of a reminder's words, and another, or the same in other words, behind it:
// one of them is of the thing, and not of the reminder.
func (l *language) namesTwoDays(all, text string) bool {
	at := strings.Index(all, text)
	if at <= 0 || text == "" {
		return false
	}
	return l.saysDay(all[:at]) && l.saysDay(all[at+len(text):])
}

// saysDay reports whether words name a day to come.
func (l *language) saysDay(words string) bool {
	now := anyDay() // at midnight, an hour alone is of today
	read, err := when.Read(words, l.name, now)
	return err == nil && read.Start.YearDay() != now.YearDay()
}

// areMore reports whether a Chinese thing is two that are counted, as in 一把伞一双鞋.
func (l *language) areMore(thing string) bool {
	counted := 0
	for i, r := range thing {
		if strings.ContainsRune("一二两三四五六七八九十半", r) && slices.ContainsFunc([]rune(l.section("words.measures")), func(m rune) bool {
			return m != '\n' && strings.HasPrefix(thing[i+len(string(r)):], string(m))
		}) {
			counted++
		}
	}
	return counted > 1
}

// wantsRepeat reports whether the words of a reminder say that it comes more than once: напоминай.
func (l *language) wantsRepeat(input string) bool {
	return l.hasWord(fold(input).norm, "repeated")
}

// hasSlip reports whether a word of a reminder is most likely one of time with a letter wrong: this aftrenoon.
func (l *language) hasSlip(text string) bool {
	times := slices.Collect(l.list("daytimes"))
	return slices.ContainsFunc(l.wordsOf(fold(text).norm), func(w foundWord) bool { return Nearest(w.text, times) != "" })
}
