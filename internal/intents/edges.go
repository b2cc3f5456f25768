package intents

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// What a slot of a person's own words has swallowed of the sentence around it shows at its edges: "it", "the", "the milk please", a day, or the
// name of a list.

// isVague reports whether a slot, or one of the things in it, names nothing.
func (m *matcher) isVague(s slot) bool {
	if items, ok := s.value.([]string); ok {
		for i, item := range items {
			thing := fold(item).norm
			if thing == "" && strings.ContainsFunc(item, isEmoji) { // a picture is a thing
				continue
			}
			if m.namesNothing(s, thing) || m.lang.isTorn(thing) || m.lang.isSweeping(thing) || i+1 < len(items) && m.lang.isOnList(thing) {
				return true
			}
		}
		return false
	}
	return m.namesNothing(s, m.norm[s.from:s.to])
}

// namesNothing reports whether words that a person has filled in are no name of anything: all of them are vague, or the first or the
// last one belongs to the sentence around it. What is noted or written down may begin and end as it likes.
func (m *matcher) namesNothing(s slot, words string) bool {
	l, free := m.lang, s.isFree()
	words = strings.Trim(words, ` ,;:!?"`)
	switch {
	case s.name == "before" || s.is(fixed) || s.name == "remind" && l.name == "zh" && isTimeAlone(words, l.name): // 两点 is no vague number
		return false
	case s.kind == "to" && l.consistsOf(words, "dangling"): // 移进去
		return true
	case l.consistsOf(words, "vague", "behind", "articles", "hangs"):
		return s.kind != "skill" && s.kind != "dir" || s.name == "path" || l.consistsOf(words, "behind", "articles", "hangs")
	case s.kind == "unit" && l.consistsOf(words, "things"):
		return true
	case s.is(object) && l.consistsOf(words, "nouns", "vague", "articles"), s.is(many) && l.isNumbered(words): // reminder 5
		return true
	case s.name == "list" && (l.begins("articles", words) || l.endsInWord("articles", words) || l.isDeed(words) && l.has("verbs", words)):
		return true // such as my to-do, and clear the: the sentence begins before it, or an order, which in Russian may stand last
	case s.is(written):
		return m.norm[s.from] != '"' && !m.isBehindColon(s) && (l.begins("hangs", words) || l.begins("articles", words))
	case s.is(verbatim): // a clause behind a comma is no part of it
		return l.endsInWord("behind", words) || strings.Contains(words, ", ") && !strings.ContainsAny(words, `"'`)
	}
	if s.name == "about" && l.name == "zh" && isTimeAlone(words, l.name) {
		return false // 明天早上 does not end in 上
	}
	isCut := s.name == "about" && (l.endsInWord("articles", words) || l.endsInWord("joiners", words))
	if m.isTaskOnList(s) && len(strings.Fields(words)) > 2 && l.endsInWord("particles", words) {
		return false // take the bins out
	}
	if m.isTaskOnList(s) && strings.Contains(words, "把") && strings.HasSuffix(words, "了") {
		return false // 把空调滤网洗了
	}
	if free && m.skip(s.to) < len(m.norm) && l.endsInWord("torn", words) { // ... und | ist nett
		return true
	}
	return !free && (isCut || l.endsInWord("behind", words) || l.endsInWord("hangs", words) || l.begins("hangs", words))
}

// isTaskOnList reports whether a slot holds something to be done, for the list of that.
func (m *matcher) isTaskOnList(s slot) bool {
	return s.is(many) && slices.ContainsFunc(m.slots, func(s slot) bool { return s.value == todoList })
}

// isNumbered reports whether words are one of hob's own things with its number, such as "reminder 5".
func (l *language) isNumbered(words string) bool {
	first, rest, more := strings.Cut(words, " ")
	return more && (l.has("nouns", first) || l.has("clocks", first) || l.has("numbered", first)) && len(numberShape().FindString(rest)) == len(rest)
}

// happensAtHome is what somebody tells, and no thing: 家里来客人, but 奶奶带来的药 is one.
var happensAtHome = lazyregexp.New(`^[^的]+[来没到在][^的]+$`)

// isTorn reports whether a thing begins as no thing does, says why it is wanted (孩子们早上喝), takes another one back, or is several.
func (l *language) isTorn(thing string) bool {
	isSaidOf := func(w foundWord) bool { // хлеб закончился
		_, is := l.value("task", thing[w.from:])
		return is && w.from > 0
	}
	if l.name != "zh" && slices.ContainsFunc(l.wordsOf(thing), isSaidOf) {
		return true
	}
	return l.startsWith("torn", thing) || l.begins("states", thing) || l.name == "zh" && l.begins("reasons", thing) && (l.ends("uses", thing) || happensAtHome().MatchString(thing)) || l.startsWith("corrects", thing) || l.areMore(thing) ||
		l.startsWith("vague", thing) && l.hasWord(thing, "torn") || // all but milk
		l.hasWord(thing, "foreign")
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

// isOnList reports whether a thing ends with the list that it is for: what follows it has a list of its own, as in "milk on the shopping list and
// eggs on the to-do list".
func (l *language) isOnList(thing string) bool {
	isList := l.endsInWord("nouns", thing)
	for _, w := range l.wordsOf(thing) {
		_, isKnown := l.value("list", thing[w.from:])
		isList = isList || isKnown
	}
	return isList && slices.ContainsFunc(l.wordsOf(thing), func(w foundWord) bool { return w.from > 0 && l.has("hangs", w.text) })
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
	if m.isToBeSaid(s) || s.name == "for" && m.endsTime(s, slots) {
		return true
	}
	if s.isFree() || !s.is(edged) || s.kind == "query" && s.name != "list" || s.name == "why" {
		return false
	}
	if first && (m.isLed(s) && !m.belongsOnTodo(s, slots) || m.isCall(s)) || last && m.lang.goesOn(text) || m.lang.hasAside(text) {
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

// isToBeSaid reports whether the polite words behind a slot are what somebody is to say, and belong to it: remind me at 8 to say thanks.
func (m *matcher) isToBeSaid(s slot) bool {
	return s.to < len(m.norm) && m.norm[s.to] != ',' && m.lang.endsInWord("utters", m.norm[s.from:s.to])
}

// endsTime reports whether the first word of a name is the last one of the time before it: um 14 | Uhr Papa.
func (m *matcher) endsTime(name slot, slots []slot) bool {
	return slices.ContainsFunc(slots, func(s slot) bool {
		return s.name == "before" && m.skip(s.to) == name.from && isTimeAlone(m.norm[s.from:m.wordEnd(name.from)], m.lang.name)
	})
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

// hasAside reports whether a polite word stands within a name: it is of the sentence.
func (l *language) hasAside(name string) bool {
	words := l.wordsOf(name)
	return len(words) > 2 && slices.ContainsFunc(words[1:len(words)-1], func(w foundWord) bool { return l.has("asides", w.text) })
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
	return strings.ContainsAny(m.norm[s.from:s.to], "<>|#") || slices.ContainsFunc(m.wordsIn(s.from, s.to), func(w foundWord) bool {
		_, isAnd := m.lang.value("and", w.text) // 还有 also begins a sentence
		return m.lang.has("verbs", w.text) && !isAnd
	})
}

// beginsWithVerb reports whether a slot begins with a word that no thing begins with, since "some" or "the" stands behind it: an order that
// no sentence knows.
func (m *matcher) beginsWithVerb(s slot) bool {
	words := m.wordsIn(s.from, s.to)
	return len(words) > 1 && m.lang.has("determiners", words[1].text) && !m.lang.has("quantities", words[0].text)
}

// belongsOnTodo reports whether what stands first is something to be done, of which the words behind it say that it belongs on the list of such things: "ring the
// vet needs to go on my to-do list".
func (m *matcher) belongsOnTodo(s slot, all []slot) bool {
	isOrder := len(m.wordsIn(s.from, s.to)) < 2 || strings.ContainsAny(m.norm[s.from:s.to], "<>|#") || m.hasWord(s.from, s.to, "joiners")
	return !isOrder && slices.ContainsFunc(all, func(list slot) bool {
		return list.name == "list" && list.value == "todo" && list.from > s.to && m.lang.hasVerb(m.norm[s.to:list.from])
	})
}
