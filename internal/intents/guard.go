package intents

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/when"
)

// The words that make a reading doubtful where they stand in a slot. Each language's file lists them:
//
//	negation    not, never: what is wanted may be the opposite
//	condition   if, when: it is wanted another time, or never
//	reported    said, asks: somebody else wants it
//	joiners     and, then: with a verb of a sentence behind it, it is two chores
//	reminds     remind: in a reminder another one begins, which is read with it
//	orders      order, tell me: another chore begins behind a joiner with these, too, though hob has no sentence for it
//	verbs       the words with which sentences that act begin; they are collected when the file is compiled
//	marks       that, text: what stands behind these is said, with a "not" at its beginning
//	describes   what, this: a text that begins so is spoken of, and not said
//	recalls     time you, day we: what is to be remembered and begins so is a story
//	scorn       yeah right: what begins so is the opposite of what it says
//	articles    the, my: what is to stand in a file and begins so is spoken of, too
//	omitted     the: left out before a thing of a list
//	vague       it, something, last: words that name nothing by themselves, see namesNothing
//	nouns       file, note: hob's own things, which are no names of what is in them
//	things      time, internet: alone, they are no note, and no service
//	selves      I am: what behind a bare "remember" is a fact, and nothing to do
//	behind      it, please, again: words behind a name that belong to the sentence
//	hangs       about, with: a name that begins so hangs on a word that the sentence has not read
//	reasons     it, because, we are: what may begin the reason for a sentence, behind its comma
//	calls       my friend, no rush: what may stand there, too
//	lacking     none left, don't need: what is missing, though the words look like a negation
//	retracts    not, said, joking: what is no reason, see withoutReason
//	asks, tags  at the end of a sentence: it is a question; it is one, and a polite wish
//	sets        set, rang, cancel: in the name of a timer or an alarm they tell of one, or end it
//	ends        off, delete: behind a time, and without a name, they end what goes off then
//	determiners some, the: behind the first word of a sentence that names things they make it a verb, unless it is one of quantities
//	quantities  half, all: see determiners
//	starters    new, fresh: they begin sentences, and are no verbs
//	spans       month, may: alone, or behind one word, they are no day, see isDayAlone
//	spoken      很, 改到: right behind 笔记 or 提醒 they say something of it, see isSpokenOf
//	times       every day: in a reminder they are a time, and no condition
//	harmless    words with a letter or a word of the above that says nothing in them, such as bin bags
//	definite    the: before "note" it is a thing, and no order
//	asides      please, my dear: between two commas they are passed over
//	fillers     words that say nothing, which Loosely passes over
//	stalls      wait, let me think: what begins so answers no question
//	yes, no     what answers "did you mean"
//	copulas     is: of the negations, those that an answer may have

// isCertain reports whether a slot holds nothing that could turn the meaning of the sentence.
func (m *matcher) isCertain(s slot) bool {
	if !s.is(guarded) {
		if text := m.norm[s.from:s.to]; !s.is(guardedHan) || !strings.ContainsFunc(text, isHan) {
			return s.kind != "dir" || m.lang.name != "ru" || !m.lang.hasScript(text) || m.isCalledSo(s)
		}
	}
	text := m.norm[s.from:s.to]
	if rest, ok := strings.CutPrefix(text, "hob"); ok && m.isBoundary(s.to-len(rest)) && s.from == m.skip(0) && s.kind != "command" {
		return false // it is who is spoken to
	}
	if !s.mayHave("?!") && strings.ContainsAny(text, "?!") {
		return false // another sentence begins
	}
	if s.is(brief) && strings.Contains(strings.Trim(text, " ,"), ",") && !strings.Contains(text, `"`) {
		return false // why, or what else, stands behind a name
	}
	if s.name == "list" && (strings.Contains(text, ",") || m.isLongerThanAList(text) || m.lang.isDated(text)) {
		return false // a name has no comma, and no thing behind the name of another list: the sentence began before it, or goes on
	}
	if s.isLater() && (m.isForAnother(s) || m.isOfAThing(s)) {
		return false
	}
	if s.name == "about" && (m.lang.hangsOnTime(text) || s.kind == "name" && isDigit(text[0])) { // a number is that of a reminder
		return false
	}
	if !s.mayHave(":") && strings.Contains(strings.TrimRight(text, " ,:"), ":") {
		return false // what stands before a colon may be who says it
	}
	if quotes := strings.Count(text, `"`); quotes == 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return true // in quotes it is what it is
	} else if quotes%2 != 0 || quotes > 0 && (s.is(written) || text[0] == '"' && !s.is(many)) {
		// it goes on behind the quotes, or begins before them
		return false
	}
	if s.is(written) && m.isSaidOf(s) || s.name == "why" && !m.lang.isReason(text) {
		return false
	}
	free := s.isFree() || s.kind == "command" || s.name == "command"
	words := m.wordsIn(s.from, s.to)
	if len(words) > 0 && (free && (m.describes(s, words[0].text) || m.describesLater(s, words)) || s.is(written) && m.lang.has("articles", words[0].text) && !m.isBehindColon(s)) {
		return false
	}
	if before := m.wordsIn(0, s.from); s.is(written) && len(before) > 0 && m.lang.has("articles", before[len(before)-1].text) {
		return false
	}
	if (s.kind == "program" || s.name == "command") && !strings.ContainsAny(text, `"'`) && m.namesPlace(words) {
		return false
	}
	for i, w := range words {
		if s.kind == "program" && slices.Contains([]string{"and", "then", "und", "dann", "и"}, w.text) {
			return false // a command has no such word; English ones are read in each language of Latin letters
		}
		edge := i == 0 && !m.isMarked(s) || i == len(words)-1
		switch {
		case m.lang.has("negation", w.text) && (edge || !free),
			m.lang.has("condition", w.text) && (!s.isLater() || !m.lang.has("times", w.text) && !m.isBehindTime(s, w.from+len(w.text))) && !m.isWithinTime(s, w) && !m.endsWithTime(s, w),
			m.lang.has("reported", w.text) && !free,
			i > 0 && (m.lang.has("verbs", w.text) || m.lang.startsWith("orders", m.norm[w.from:s.to])) && !(s.isLater() && m.lang.has("reminds", w.text) && !sentenceEnd().MatchString(m.norm[s.from:w.from])) && m.isJoined(s.from, w.from) && !m.isBehindTime(s, w.from) && !(free && i == len(words)-1 && m.lang.has("behind", w.text)), // there and back
			i == 0 && s.is(written) && m.lang.has("verbs", w.text) && m.isJoined(0, w.from): // make a.txt, delete b.txt
			return false
		}
	}
	return true
}

// endsWithTime reports whether nothing but a time stands behind a word in what is noted: "until the twelfth" is no condition.
func (m *matcher) endsWithTime(s slot, w foundWord) bool {
	return s.kind == "text" && s.name == "text" && w.from > s.from && isTimeAlone(strings.TrimSpace(m.norm[w.from+len(w.text):s.to]), m.lang.name)
}

// isCalledSo reports whether a word before a name says what it is the name of: a folder, or files. "What lies in the fridge" has none.
func (m *matcher) isCalledSo(s slot) bool {
	return slices.ContainsFunc(m.wordsIn(0, s.from), func(w foundWord) bool { return m.lang.has("nouns", w.text) })
}

// describes reports whether a slot that begins with a word is spoken of, and not said. "This evening" is a time.
func (m *matcher) describes(s slot, first string) bool {
	if !m.lang.has("describes", first) || !s.isLater() {
		return m.lang.has("describes", first)
	}
	read, _ := when.Read(m.norm[s.from:s.to], m.lang.name, anyDay()) // an error says that there is no time
	return strings.HasPrefix(read.Rest, first)
}

// describesLater reports whether a slot is spoken of behind words that say nothing: "finally what I say". Chinese has no such words of one
// meaning.
func (m *matcher) describesLater(s slot, words []foundWord) bool {
	for i, w := range words {
		if m.lang.startsWith("recalls", m.norm[w.from:s.to]) {
			return true
		}
		if m.lang.name == "zh" || !m.lang.has("fillers", w.text) {
			return i > 0 && m.lang.has("describes", w.text)
		}
	}
	return false
}

// isWithinTime reports whether a word stands between a length of time and the hour that it is counted from: "10 minutes before 4pm".
func (m *matcher) isWithinTime(s slot, w foundWord) bool {
	if !s.isLater() || !isTimeAlone(phrase(m.lang.name, "timer")+strings.TrimSpace(m.norm[s.from:w.from]), m.lang.name) {
		return false
	}
	read, err := when.Read(m.norm[s.from:s.to], m.lang.name, anyDay())
	return err == nil && strings.HasSuffix(m.norm[w.from+len(w.text):s.to], " "+read.Rest)
}

// isBehindTime reports whether the words of a reminder begin with a time that ends at a position: what would be a condition, or would join another
// order, is of that time, as in 十分钟以后关火.
func (m *matcher) isBehindTime(s slot, pos int) bool {
	return s.isLater() && !strings.Contains(m.norm[s.from:pos], ",") && isTimeAlone(m.norm[s.from:pos], m.lang.name)
}

// tellsOfTimer reports whether the words around the time of a timer, an alarm or a reminder are no name of it, but tell of one that there
// was, or want it gone.
func (l *language) tellsOfTimer(t folded, p parse) bool {
	isTimer := p.isClock()
	if !isTimer && p.kind != "remind" {
		return false
	}
	m := &matcher{folded: t, lang: l}
	for _, s := range p.slots {
		if title := strings.Trim(t.norm[s.from:s.to], " ,:"); s.name == "title" && (l.startsWith("verbs", title) || s.from == t.skip(0) && l.startsWith("articles", title) || l.consistsOf(title, "vague") || l.isNoName(title) || l.endsInWord("articles", title)) { // a short timer
			return true
		}
		for _, w := range m.wordsIn(s.from, s.to) {
			if isTimer && (l.has("negation", w.text) || l.has("reported", w.text) || l.startsWith("sets", t.norm[w.from:s.to]) || l.has("condition", w.text) && !l.has("times", w.text)) {
				return true
			}
		}
		if !isTimer && l.mayBeHour(t.norm[s.from:s.to]) {
			return true
		}
		if slices.ContainsFunc(m.wordsIn(0, s.from), func(w foundWord) bool { return l.has("reminds", w.text) }) {
			continue
		}
		if read, err := when.Read(t.norm[s.from:s.to], l.name, anyDay()); err == nil && l.startsWith("finite", read.Rest) {
			return true
		}
		at, ended := l.withoutEnd("ends", t.norm[s.from:s.to])
		for more := true; more; ended = ended || more { // is not set, I had set
			more = slices.ContainsFunc([]string{"negation", "reported", "sets"}, func(list string) (found bool) {
				at, found = l.withoutEnd(list, strings.TrimRight(at, " ,"))
				return found
			})
		}
		if !ended {
			continue
		}
		for _, hour := range []string{"", phrase(l.name, "at")} {
			if read, err := when.Read(hour+at, l.name, anyDay()); err == nil && l.consistsOf(read.Rest, "hangs") {
				return true
			}
		}
	}
	return false
}

// mayBeHour reports whether a number behind the day of a reminder may be an hour as well as the first of its words: "tomorrow 9 bank".
func (l *language) mayBeHour(text string) bool {
	now := anyDay()
	read, err := when.Read(text, l.name, now)
	number := numberShape().FindString(read.Rest)
	day, ok := strings.CutSuffix(text, read.Rest)
	if err != nil || !ok || number == "" || strings.TrimSpace(day) == "" {
		return false
	}
	hour, err := when.Read(day+phrase(l.name, "at")+number, l.name, now)
	return err == nil && hour.Rest == "" && !l.endsInWord("hangs", strings.TrimSpace(day))
}

// namesNothing reports whether words that a person has filled in are no name of anything: all of them are vague, or the first or the
// last one belongs to the sentence around it. What is noted or written down may begin and end as it likes.
func (m *matcher) namesNothing(s slot, words string) bool {
	l, free := m.lang, s.isFree()
	words = strings.Trim(words, ` ,;:!?"`)
	switch {
	case s.name == "before" || s.is(fixed):
		return false
	case s.kind == "to" && l.consistsOf(words, "dangling"): // 移进去
		return true
	case l.consistsOf(words, "vague", "behind", "articles", "hangs"):
		return s.kind != "skill" && s.kind != "dir" || s.name == "path" || l.consistsOf(words, "behind", "articles", "hangs")
	case s.kind == "unit" && l.consistsOf(words, "things"):
		return true
	case s.is(object) && l.consistsOf(words, "nouns", "vague", "articles"):
		return true
	case s.name == "list" && l.begins("articles", words):
		return true // such as my to-do: the sentence begins before it
	case s.is(written):
		return m.norm[s.from] != '"' && !m.isBehindColon(s) && (l.begins("hangs", words) || l.begins("articles", words))
	case s.is(verbatim): // a clause behind a comma is no part of it
		return l.endsInWord("behind", words) || strings.Contains(words, ", ") && !strings.ContainsAny(words, `"'`)
	}
	return !free && (l.endsInWord("behind", words) || l.endsInWord("hangs", words) || l.begins("hangs", words) || s.name == "about" && (l.endsInWord("articles", words) || l.endsInWord("joiners", words)))
}

// isTask reports whether what is to be remembered may be something to do, as in "remember to call Ben": no word such as that stands before
// it, and it does not begin as facts about people do.
func (m *matcher) isTask(kind string, begin int, slots []slot) bool {
	return kind == "remember" && m.lang.section("words.selves") != "" && slices.ContainsFunc(slots, func(s slot) bool {
		before := strings.TrimSpace(m.norm[m.skip(begin):s.from])
		return !strings.ContainsAny(before, " ,:") && !m.lang.begins("selves", m.norm[s.from:s.to]) && !m.states(s)
	})
}

// states reports whether a slot says of something that it is something: "the ip is 192.168.1.40". What is to be done has no such words, but for
// those of a clause in it.
func (m *matcher) states(s slot) bool {
	words := m.wordsIn(s.from, s.to)
	if len(words) < 3 || !m.lang.has("articles", words[0].text) {
		return false
	}
	return slices.ContainsFunc(words[2:], func(w foundWord) bool { return m.lang.has("copulas", w.text) }) &&
		!slices.ContainsFunc(words, func(w foundWord) bool {
			return m.lang.has("clauses", w.text) || m.lang.has("condition", w.text) || m.lang.has("joiners", w.text)
		})
}

// saysNothing reports whether a note would name a thing and say nothing of it: "note the time", "add a note to the shopping list". In quotes
// or behind a colon it is a note.
func (m *matcher) saysNothing(kind string, slots []slot) bool {
	return kind == "note" && slices.ContainsFunc(slots, func(s slot) bool {
		text := m.norm[s.from:s.to]
		if s.name == "text" && !m.isBehindColon(s) && m.isDatedNote(text) {
			return true
		}
		if s.name == "text" && (text[0] == '#' || isDigit(text[0]) && m.isNumbered(s) || m.tellsOfNumber(text)) {
			return true
		}
		if s.name == "text" && m.isSpokenOf(s) {
			return true
		}
		if s.name != "text" || text[0] == '"' || strings.HasSuffix(strings.TrimRight(m.norm[:s.from], " "), ":") {
			return false
		}
		first, rest, _ := strings.Cut(text, " ")
		if m.lang.has("hangs", first) && (m.lang.startsWith("finite", rest) || m.lang.endsInWord("nouns", strings.TrimRight(m.norm[:s.from], " "))) { // the note in the paper
			return true
		}
		if m.lang.has("hangs", first) { // to the shopping list
			text = rest
			first, rest, _ = strings.Cut(text, " ")
		}
		if !m.lang.has("articles", first) {
			rest = text
		}
		isList := false
		m.lang.values("list", rest, func(written, _ string) { isList = isList || written == rest })
		isList = isList || m.lang.name == "de" && rest != text && strings.HasSuffix(text, "liste") // on the long list
		return isList || m.lang.consistsOf(text, "nouns", "vague", "articles", "things") || rest != text && !strings.Contains(rest, " ")
	})
}

// isNumbered reports whether the number that a slot begins with is that of what stands before it: "Notiz 7 kannst du löschen". An order stands
// there, too, where the noun is a verb: "note 3 eggs".
func (m *matcher) isNumbered(s slot) bool {
	before := strings.TrimRight(m.norm[:s.from], " ")
	_, rest, more := strings.Cut(m.norm[s.from:s.to], " ")
	return m.lang.endsInWord("nouns", before) && (!m.lang.endsInWord("ambiguous", before) || !more || m.lang.startsWith("finite", rest))
}

// tellsOfNumber reports whether words say something of a number, in words or in digits: "number seven is no longer needed".
func (m *matcher) tellsOfNumber(text string) (found bool) {
	named, number, _ := strings.Cut(text, " ")
	if !m.lang.has("numbered", named) {
		return false
	}
	digits := numberShape().FindString(number)
	found = digits != "" && m.lang.startsWith("finite", strings.TrimLeft(number[len(digits):], " "))
	m.lang.values("n", number, func(written, _ string) {
		found = found || m.lang.startsWith("finite", strings.TrimLeft(number[len(written):], " "))
	})
	return found
}

// withoutReason returns a text without the reason behind its last comma or full stop, or false where there is none. A reason is one
// clause.
func (l *language) withoutReason(t folded) (folded, bool) {
	if at := l.becauseAt(t.norm); at > 0 && !t.asks {
		t.norm = strings.TrimRight(t.norm[:at], " ,;.!-")
		return t, t.norm != ""
	}
	clauses := t.clausesOf()
	last := t.trimmed(clauses[len(clauses)-1])
	reason, at := t.norm[last.from:last.to], clauses[len(clauses)-1].from-1
	if at <= 0 || t.asks || reason == "" || len(reason) > 80 || len(clauses) > mostClauses || strings.ContainsAny(reason, `":`) || t.norm[at] == ':' {
		return t, false
	}
	t.asks = t.norm[at] == '?'
	t.norm = strings.TrimRight(t.norm[:at], " .!?,;-")
	if l.consistsOf(reason, "calls") {
		return t, t.norm != ""
	}
	if !l.begins("reasons", reason) && !l.isTalk(reason, l.wordsOf(reason)) {
		return t, false
	}
	return t, t.norm != "" && l.isReason(reason)
}

// isLongerThanAList reports whether a name begins with that of a usual list, such as shopping, and goes on.
func (m *matcher) isLongerThanAList(name string) (longer bool) {
	m.lang.values("list", name, func(written, _ string) {
		longer = longer || strings.HasPrefix(name[len(written):], " ")
	})
	return longer
}

// tears reports whether a slot begins or ends within a word that is one, as 网吧, which the 吧 of a wish does not end, or 删除.
func (m *matcher) tears(s slot) bool {
	if s.kind == "day" || s.name == "ahead" {
		return false // its words are whole ones: 我们|这周 is no 我们这 and 周, and 提前|一天 no 前一天
	}
	within := func(list string, pos, least int) bool { // a word with so much before pos
		last, n := utf8.DecodeLastRuneInString(m.norm[:pos])
		first, k := utf8.DecodeRuneInString(m.norm[pos:])
		if n == 0 || k == 0 || last != ' ' && !isHan(first) {
			return false
		}
		words := m.lang.section("words." + list)
		for at := range occurrences(words, m.norm[pos-n:pos+k]) {
			before := words[strings.LastIndexByte(words[:at], '\n')+1 : at+n]
			behind, _, _ := strings.Cut(words[at+n:], "\n")
			if len(before) >= least && strings.HasSuffix(m.norm[:pos], before) && strings.HasPrefix(m.norm[pos:], behind) {
				return true
			}
		}
		return false
	}
	verb := 0 // the longest that ends before the slot, as 写上 before 一箱, where 上一 is no word
	if _, n := utf8.DecodeLastRuneInString(m.norm[:s.from]); n > 0 {
		verbs := m.lang.section("words.verbs")
		for at := range occurrences(verbs, m.norm[s.from-n:s.from]+"\n") {
			if word := verbs[strings.LastIndexByte(verbs[:at], '\n')+1 : at+n]; strings.HasSuffix(m.norm[:s.from], word) {
				verb = max(verb, len(word))
			}
		}
	}
	return within("harmless", s.to, 0) || within("harmless", s.from, 0) || !s.isLater() && within("verbs", s.from, verb)
}

// orders reports whether a slot has a verb of a sentence in it, or a mark that quotes: where it begins the text, that is another
// order than the one that is read, or somebody's who is quoted.
func (m *matcher) orders(s slot) bool {
	return strings.ContainsAny(m.norm[s.from:s.to], "<>|#") ||
		slices.ContainsFunc(m.wordsIn(s.from, s.to), func(w foundWord) bool { return m.lang.has("verbs", w.text) && !m.isAnd(w.text) })
}

// isAnd reports whether a word is an "and" between two things, as 还有 is, which also begins a sentence.
func (m *matcher) isAnd(word string) (found bool) {
	m.lang.values("and", word, func(written, _ string) { found = found || written == word })
	return found
}

// beginsWithVerb reports whether a slot begins with a word that no thing begins with, since "some" or "the" stands behind it: an order that
// no sentence knows.
func (m *matcher) beginsWithVerb(s slot) bool {
	words := m.wordsIn(s.from, s.to)
	return len(words) > 1 && m.lang.has("determiners", words[1].text) && !m.lang.has("quantities", words[0].text)
}

// foundWord is a word and where it begins.
type foundWord struct {
	text string
	from int
}

// wordsIn returns the words between two positions. Chinese has no spaces: there, what the lists of the language have is a word.
func (m *matcher) wordsIn(from, to int) (words []foundWord) {
	for at := from; at < to; {
		r, n := utf8.DecodeRuneInString(m.norm[at:])
		switch {
		case isHan(r):
			meant, verb := m.longestOf(at, to, "negation", "condition", "reported", "retracts", "harmless", "sets"), m.longestOf(at, to, "verbs")
			words = append(words, foundWord{m.norm[at : at+max(meant, n)], at})
			if verb > n && verb != meant { // it hides none of the others
				words = append(words, foundWord{m.norm[at : at+verb], at})
			}
			if meant == 0 {
				meant = max(verb, n)
			}
			at += meant
		case isJoined(r):
			end := min(max(m.wordEnd(at), at+m.longestOf(at, to, "harmless")), to) // such as bin bags, where bin is no verb
			words = append(words, foundWord{m.norm[at:end], at})
			at = end
		default:
			at += n
		}
	}
	return words
}

// longestOf returns the size of the longest word of some lists that stands at a position.
func (m *matcher) longestOf(at, to int, lists ...string) (size int) {
	for _, list := range lists {
		for word := range linesLike(m.lang.section("words."+list), m.norm[at:to]) {
			if len(word) > size && strings.HasPrefix(m.norm[at:to], word) {
				size = len(word)
			}
		}
	}
	return size
}

// isJoined reports whether what stands before pos, behind from, joins two sentences: a mark, or a word such as and.
func (m *matcher) isJoined(from, pos int) bool {
	before := strings.TrimRight(m.norm[from:pos], " ")
	if strings.HasSuffix(before, ",") || strings.HasSuffix(before, ";") || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "!") {
		return true
	}
	for word := range strings.SplitSeq(strings.Trim(m.lang.section("words.joiners"), "\n"), "\n") {
		if rest, ok := strings.CutSuffix(before, word); ok && word != "" && m.isBoundary(from+len(rest)) {
			return true
		}
	}
	return false
}
