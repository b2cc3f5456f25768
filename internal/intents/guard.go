package intents

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"hob/internal/numerals"
	"hob/internal/when"
)

// A reading is none where something in it could turn the meaning of the sentence. The doubts are in three lists: of the whole sentence, of what a slot
// holds, and of each word of it. docs/intents.md says which words each language's file lists for them.

// sentenceDoubt is something around the slots of a sentence of a kind that could turn its meaning. The sentence begins at begin.
type sentenceDoubt struct {
	name  string
	holds func(m *matcher, kind string, begin int, slots []slot) bool
}

// sentenceDoubts are looked for in what has been read, in this order.
var sentenceDoubts = sync.OnceValue(func() []sentenceDoubt {
	return []sentenceDoubt{
		// It begins behind the first letter of a Chinese word, as behind 快 in 快递到了，记一下.
		{"splits a word", func(m *matcher, _ string, begin int, slots []slot) bool {
			first, n := utf8.DecodeRuneInString(m.norm)
			return begin == n && isHan(first) && !strings.ContainsRune("哦噢喔哎诶欸唉嘿喂嗨你您", first) && len(slots) > 0 && slots[0].from == begin && slots[0].is(stopped|many)
		}},
		{"is of a number", (*matcher).isOfNumber},
		// What is to be remembered or noted, and stands before that, was said by somebody: he said so, remember.
		{"was said", func(m *matcher, kind string, begin int, slots []slot) bool {
			return (kind == "remember" || kind == "note") && len(slots) > 0 && slots[0].from == m.skip(begin) && m.hasWord(slots[0].from, slots[0].to, "speech")
		}},
		// 你把闹钟关了 tells what hob has done, or wants it.
		{"tells of hob", func(m *matcher, _ string, begin int, _ []slot) bool {
			before := strings.TrimRight(m.norm[:begin], " ,")
			return (strings.HasSuffix(before, "你") || strings.HasSuffix(before, "您")) && strings.HasSuffix(m.norm, "了")
		}},
		// 笔记这东西，记得再多也没用; 以后记着就好了; 你记住的东西太多了
		{"is no fact", func(m *matcher, kind string, begin int, slots []slot) bool {
			isOwned := len(slots) > 0 && slots[0].from == m.skip(begin) && m.lang.endsInWord("owns", m.before(begin)) // 我的 | 血型是O型，你记好
			if isOwned && (kind == "remember" || kind == "note" || kind == "fact_forget/that") {
				return true
			}
			return (kind == "remember" || kind == "note") && slices.ContainsFunc(slots, func(s slot) bool {
				text := m.norm[s.from:s.to]
				return strings.HasPrefix(text, "就") && !m.isBehindColon(s) || strings.HasPrefix(text, "的") || strings.HasPrefix(text, "再") && kind == "remember"
			})
		}},
		{"names a reminder", (*matcher).namesReminder},
		// The words are of a note that there is: "the note said so", "die Notiz über die Schule kann weg".
		{"names a note", func(m *matcher, kind string, begin int, _ []slot) bool {
			words, first := strings.Fields(m.norm[:begin]), m.norm[m.skip(begin):m.wordEnd(m.skip(begin))]
			return kind == "note" && (m.lang.has("definite", first) || len(words) > 0 && m.lang.has("definite", words[len(words)-1]))
		}},
		// "не надо: спасибо" stops nothing.
		{"goes on behind a colon", func(m *matcher, _ string, begin int, slots []slot) bool {
			return len(slots) == 0 && strings.Contains(m.norm[begin:], ":")
		}},
		// A German infinitive with "zu" stands behind the slots, and no word before them wants that: "bitte Jonas Milch auf die Liste zu setzen" asks Jonas.
		{"hangs on a verb", func(m *matcher, _ string, _ int, slots []slot) bool {
			return len(slots) > 0 && m.lang.name == "de" && m.lang.consistsOf(m.norm[:slots[0].from], "asides") &&
				slices.ContainsFunc(m.wordsIn(slots[len(slots)-1].to, len(m.norm)), func(w foundWord) bool { return w.text == "zu" })
		}},
		// A note would name a thing and say nothing of it: "note the time", "add a note to the shopping list".
		{"says nothing", func(m *matcher, kind string, _ int, slots []slot) bool {
			return kind == "note" && slices.ContainsFunc(slots, func(s slot) bool { return s.name == "text" && m.isNoNote(s) })
		}},
		{"is a task", (*matcher).isTask},
	}
})

// doubtOfSentence returns the name of the first doubt about a sentence, "" where there is none.
func (m *matcher) doubtOfSentence(kind string, begin int, slots []slot) string {
	for _, d := range sentenceDoubts() {
		if d.holds(m, kind, begin, slots) {
			return d.name
		}
	}
	return ""
}

// isOfNumber reports whether the words behind "reminder" begin with the number of one, or tell of it, and say no time: reminder 4, which we have seen
// to; reminder was late.
func (m *matcher) isOfNumber(kind string, _ int, slots []slot) bool {
	return strings.HasPrefix(kind, "remind") && slices.ContainsFunc(slots, func(s slot) bool {
		text := m.norm[s.from:s.to]
		if n, told, _ := strings.Cut(text, " "); s.name == "remind" && isDigit(n[0]) && m.lang.endsInWord("clocks", m.before(s.from)) && m.lang.startsWith("finite", told) {
			return true // reminder 2 should have come at 8
		}
		return (s.name == "remind" || kind == "reminder_move/about" && s.name == "about") && m.lang.endsInWord("clocks", m.before(s.from)) &&
			(isDigit(text[0]) || m.lang.startsWithAny(text, "numbered", "finite")) && !m.lang.saysTime(text) && !m.lang.isCounted(text)
	})
}

// namesReminder reports whether the words are of a reminder that there is: "die Erinnerung mit dem Zahnarzt kam zu spät". The sentence begins at begin,
// or behind the article.
func (m *matcher) namesReminder(kind string, begin int, slots []slot) bool {
	if kind == "remind/before" && slots[0].name == "before" { // the second reminder came too late
		words := m.wordsIn(slots[0].from, slots[0].to)
		last := words[max(0, len(words)-1):]
		return slices.ContainsFunc(last, func(w foundWord) bool {
			_, isPlace := m.lang.value("place", w.text)
			return isPlace && m.lang.consistsOf(m.norm[slots[0].from:w.from], "definite") && m.hasWord(slots[0].to, slots[len(slots)-1].from, "clocks")
		})
	}
	if kind != "remind" {
		return false
	}
	words := m.wordsIn(0, len(m.norm))
	i := slices.IndexFunc(words, func(w foundWord) bool { return w.from >= begin && m.lang.has("clocks", w.text) })
	return i > 0 && words[i].from <= m.skip(begin)+len(words[i-1].text)+1 && (m.lang.has("definite", words[i-1].text) || m.lang.has("owns", words[i-1].text))
}

// isNoNote reports whether what would be noted says something of a note, or names a thing alone. In quotes or behind a colon it is a note.
func (m *matcher) isNoNote(s slot) bool {
	l, text, isSaid := m.lang, m.norm[s.from:s.to], m.isBehindColon(s)
	switch {
	case !isSaid && m.isDatedNote(text), text[0] == '#', isDigit(text[0]) && m.isNumbered(s), m.tellsOfNumber(text), m.isSpokenOf(s):
		return true
	case isSaid || text[0] == '"':
		return false
	}
	first, rest, _ := strings.Cut(text, " ")
	if l.has("hangs", first) {
		if l.startsWith("finite", rest) || l.endsInWord("nouns", m.before(s.from)) { // the note in the paper
			return true
		}
		text = rest // to the shopping list
		first, rest, _ = strings.Cut(text, " ")
	}
	if !l.has("articles", first) {
		rest = text
	}
	isList := l.name == "de" && rest != text && strings.HasSuffix(text, "liste") // on the long list
	_, isKnown := l.value("list", rest)
	return isList || isKnown || l.consistsOf(text, "nouns", "vague", "articles", "things") || rest != text && !strings.Contains(rest, " ")
}

// isTask reports whether what is to be remembered may be something to do, as in "remember to call Ben": no word such as that stands before
// it, and it does not begin as facts about people do.
func (m *matcher) isTask(kind string, begin int, slots []slot) bool {
	return kind == "remember" && m.lang.section("words.selves") != "" && slices.ContainsFunc(slots, func(s slot) bool {
		before := strings.TrimSpace(m.norm[m.skip(begin):s.from])
		words := m.wordsIn(s.from, s.to)
		if before == "" && len(words) > 2 && m.lang.has("finite", words[1].text) && !m.lang.has("verbs", words[0].text) { // Ben hat Größe 42, merk dir das
			return false
		}
		return !strings.ContainsAny(before, " ,:") && !m.lang.begins("selves", m.norm[s.from:s.to]) && !m.states(s)
	})
}

// doubt is something in a slot that could turn the meaning of its sentence.
type doubt struct {
	name   string
	quoted bool // it is one in quotes, too
	holds  func(m *matcher, s slot, text string) bool
}

// doubts are looked for in the text of a slot, in this order.
var doubts = sync.OnceValue(func() []doubt {
	return []doubt{
		// A message begins with hob, who is spoken to, and the slot has swallowed that.
		{"speaks to hob", true, func(m *matcher, s slot, text string) bool {
			rest, ok := strings.CutPrefix(text, "hob")
			return ok && m.isBoundary(s.to-len(rest)) && s.from == m.skip(0) && s.kind != "command"
		}},
		{"begins a sentence", true, func(_ *matcher, s slot, text string) bool { return !s.mayHave("?!") && strings.ContainsAny(text, "?!") }},
		{"names nothing", false, func(m *matcher, s slot, text string) bool { // the reminder about it; 灯泡、电池，这两样
			return !s.isFree() && slices.ContainsFunc(strings.Split(text, ","), func(thing string) bool {
				thing = strings.TrimSpace(thing)
				return thing != "" && (s.is(many) || thing == strings.TrimSpace(text)) && m.lang.consistsOf(thing, "leans")
			})
		}},
		// Why, or what else, stands behind a name.
		{"goes on behind a comma", true, func(m *matcher, s slot, text string) bool {
			isName := s.is(brief) || s.name == "about" && m.lang.name == "zh"
			return isName && strings.Contains(strings.Trim(text, " ,"), ",") && !strings.Contains(text, `"`)
		}},
		// It has a comma, a day, or a thing behind the name of another list: the sentence began before it, or goes on.
		{"is no name of a list", true, func(m *matcher, s slot, text string) bool {
			return s.name == "list" && (strings.Contains(strings.TrimRight(text, " ,"), ",") || m.isLongerThanAList(text) || m.lang.isDated(text))
		}},
		{"is for another person", true, (*matcher).isForAnother},
		{"has the time of a thing", true, (*matcher).isOfAThing},
		// It goes on with a time, or is a number or a place: the fourth reminder may be any.
		{"is no name of a reminder", true, func(m *matcher, s slot, text string) bool {
			name := text
			if first, rest, more := strings.Cut(text, " "); more && m.lang.has("definite", first) {
				name = rest
			}
			_, isPlace := m.lang.value("place", name)
			return s.name == "about" && (isPlace || m.lang.hangsOnTime(text) || s.kind == "name" && isDigit(text[0]) || m.isHanNumber(text))
		}},
		// It looks like a file: save this under notes.txt.
		{"is no topic", true, func(m *matcher, s slot, text string) bool {
			return s.name == "topic" && (s.kind == "topic" && m.lang.name == "zh" && m.lang.beginsWithOrder(text) ||
				strings.Contains(text, "/") || endingShape().MatchString(strings.TrimRight(text, " ,:")))
		}},
		// Before a colon may stand who says what is behind it.
		{"quotes somebody", true, func(_ *matcher, s slot, text string) bool {
			return !s.mayHave(":") && strings.Contains(strings.TrimRight(text, " ,:"), ":")
		}},
		// Or begins before them.
		{"goes on behind quotes", false, func(_ *matcher, s slot, text string) bool {
			quotes := strings.Count(text, `"`)
			return quotes%2 != 0 || quotes > 0 && (s.is(written) || text[0] == '"' && !s.is(many))
		}},
		{"speaks of a file", false, (*matcher).speaksOfFile},
		{"splits a name", false, (*matcher).splitsName},
		{"is no reason", false, func(m *matcher, s slot, text string) bool { return s.name == "why" && !m.lang.isReason(text) }},
	}
})

// wordDoubt is a word of a slot that could turn the meaning of its sentence, outside of quotes: words[i].
type wordDoubt struct {
	name  string
	holds func(m *matcher, s slot, words []foundWord, i int) bool
}

// wordDoubts are looked for in each word of a slot, in this order.
var wordDoubts = sync.OnceValue(func() []wordDoubt {
	return []wordDoubt{
		{"describes", (*matcher).describes},
		// A thing that stands first may be what somebody tells: "Dan hates apples | on the shopping list", "eggs needn't stay | on it".
		{"tells of a thing", func(m *matcher, s slot, words []foundWord, i int) bool {
			word := words[i].text
			return i > 0 && s.is(many) && s.from == m.skip(0) && (m.lang.tells(word) || m.lang.has("finite", word) || m.lang.negates(word))
		}},
		// A command goes on with words of the sentence: "ls in the archive folder".
		{"names a place", func(m *matcher, s slot, words []foundWord, i int) bool {
			return (s.kind == "program" || s.name == "command") && m.lang.has("nouns", words[i].text) && !strings.ContainsAny(m.norm[s.from:s.to], `"'`) &&
				slices.ContainsFunc(words[:i], func(w foundWord) bool { return m.lang.has("hangs", w.text) })
		}},
		// A program has no such word; English ones are read in each language of Latin letters.
		{"joins commands", func(_ *matcher, s slot, words []foundWord, i int) bool {
			return s.kind == "program" && slices.Contains([]string{"and", "then", "und", "dann", "и"}, words[i].text)
		}},
		// The opposite may be wanted. Any words may have a negation within.
		{"negates", func(m *matcher, s slot, words []foundWord, i int) bool {
			isFirst := m.lang.consistsOf(m.norm[s.from:words[i].from], "asides")      // please not
			isAbsent := i > 0 && m.isMarked(s) && m.lang.has("absent", words[i].text) // запиши: горячей воды нет
			isEdge := isFirst && !m.isMarked(s) || i == len(words)-1 && !isAbsent
			return m.lang.has("negation", words[i].text) && (isEdge || !mayBeAny(s)) && !m.isOfTime(s, words[i])
		}},
		{"is a condition", (*matcher).isCondition},
		// Somebody else may want it.
		{"is reported", func(m *matcher, s slot, words []foundWord, i int) bool {
			return !mayBeAny(s) && m.lang.has("reported", words[i].text) && !m.isTaskSaid(s)
		}},
		{"begins another chore", (*matcher).beginsAnother},
	}
})

// doubtOf returns the name of the first doubt about a slot, "" where there is none.
func (m *matcher) doubtOf(s slot) string {
	text := m.norm[s.from:s.to]
	if !s.is(guarded) && !(s.is(guardedHan) && strings.ContainsFunc(text, isHan)) {
		if m.isNoFolder(s, text) {
			return "is no folder"
		}
		return "" // its shape says what it is
	}
	isQuoted := strings.Count(text, `"`) == 2 && text[0] == '"' && strings.HasSuffix(strings.TrimRight(text, " ,"), `"`) // it is what it is
	for _, d := range doubts() {
		if (d.quoted || !isQuoted) && d.holds(m, s, text) {
			return d.name
		}
	}
	if isQuoted {
		return ""
	}
	words := m.wordsIn(s.from, s.to)
	for i, w := range words {
		if s.isFree() && strings.Count(m.norm[s.from:w.from], `"`)%2 != 0 {
			continue // it is said
		}
		for _, d := range wordDoubts() {
			if d.holds(m, s, words, i) {
				return d.name
			}
		}
	}
	return ""
}

// beginsWithOrder reports whether a Chinese text is a verb, or begins with one of more than a letter: 看看笔记 has no topic.
func (l *language) beginsWithOrder(text string) bool {
	text = strings.Trim(text, " ,:")
	isOrder := func(verb string) bool {
		return text == verb || utf8.RuneCountInString(verb) > 1 && strings.HasPrefix(text, verb)
	}
	return l.anyIn("verbs", isOrder) || l.anyIn("imperatives", isOrder)
}

// splitsName reports whether a file's name in Chinese letters begins within a word that stands behind a space: the first letter of 出差.md, in
// 新建 出差.md, is no part of the sentence.
func (m *matcher) splitsName(s slot, text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	before, size := utf8.DecodeLastRuneInString(m.norm[:s.from])
	return isHan(first) && isHan(before) && strings.HasSuffix(m.norm[:s.from-size], " ") && slices.Contains([]string{"path", "new", "to", "dir"}, s.kind)
}

// isNoFolder reports whether Russian words are what would be the name of a folder: "что лежит в холодильнике". A word before a name says what it is
// the name of: a folder, or files.
func (m *matcher) isNoFolder(s slot, text string) bool {
	return s.kind == "dir" && m.lang.does("inflects") && m.lang.hasScript(text) && !m.hasWord(0, s.from, "nouns")
}

// speaksOfFile reports whether what is to be written to a file is spoken of, or goes on with another chore: "write the main points to a.md",
// "make a.txt, delete b.txt".
func (m *matcher) speaksOfFile(s slot, text string) bool {
	if !s.is(written) {
		return false
	}
	words, before := m.wordsIn(s.from, s.to), m.wordsIn(0, s.from)
	return m.isSaidOf(s) || len(before) > 0 && m.lang.has("articles", before[len(before)-1].text) ||
		len(words) > 0 && (m.lang.has("articles", words[0].text) && !m.isBehindColon(s) || m.lang.has("verbs", words[0].text) && m.isJoined(0, words[0].from))
}

// mayBeAny reports whether a slot may have any words, but for its first and its last one.
func mayBeAny(s slot) bool { return s.isFree() || s.kind == "command" || s.name == "command" }

// describes reports whether a slot is spoken of, and not said: "what I say", or behind words that say nothing, "finally what I say". "This evening" is
// a time, and "it is -5 degrees" says something itself. Chinese has no such words of one meaning.
func (m *matcher) describes(s slot, words []foundWord, i int) bool {
	if i > 0 || !mayBeAny(s) {
		return false
	}
	text := m.norm[s.from:s.to]
	if s.isFree() && !s.isLater() && m.lang.has("leans", words[0].text) && (len(words) > 2 && m.lang.has("finite", words[1].text) || len(words) == 2 && m.isMarked(s)) {
		return false
	}
	if m.lang.has("describes", words[0].text) {
		read, _ := when.Read(text, m.lang.name, anyDay()) // an error says that there is no time
		if !s.isLater() || strings.HasPrefix(read.Rest, words[0].text) {
			return true
		}
	}
	for i, w := range words {
		if m.lang.startsWith("recalls", m.norm[w.from:s.to]) {
			return true
		}
		isLead := i == 0 && s.isLater() && m.lang.has("introduces", w.text) // о чём я говорил
		if m.lang.name == "zh" || !m.lang.has("fillers", w.text) && !isLead {
			return i > 0 && m.lang.has("describes", w.text)
		}
	}
	return false
}

// isCondition reports whether it is wanted another time, or never. In a reminder, the word may be of its time: "10 minutes before 4pm", "every day
// when". "Until the twelfth", at the end of what is noted, is none, nor is "before the frost" behind a colon.
func (m *matcher) isCondition(s slot, words []foundWord, i int) bool {
	w := words[i]
	if i > 0 && s.isLater() && m.lang.has("otherwise", w.text) { // or else I get a ticket
		return false
	}
	if isSaid := i == 0 && s.isFree() && !s.isLater() && m.isBehindColon(s); isSaid || !m.lang.has("condition", w.text) || s.isLater() && (m.lang.has("times", w.text) || m.isBehindTime(s, w.from+len(w.text))) {
		return false
	}
	isPlain := s.isFree() && !s.isLater() && m.isMarked(s) && i+1 < len(words) && m.lang.has("during", w.text)
	return !isPlain && !m.isWithinCounted(s, w) && !m.isWithinTime(s, w) && !m.endsWithTime(s, w) && !m.isOfTime(s, w)
}

// isOfTime reports whether a word is one of those that say when, and not of what: "every year two days before 14 March buy a gift".
func (m *matcher) isOfTime(s slot, w foundWord) bool {
	if !s.isLater() {
		return false
	}
	read, err := when.Read(m.norm[s.from:s.to], m.lang.name, anyDay())
	return (err == nil && read.Repeat != "" || isUnruled(err)) && !slices.ContainsFunc(m.lang.wordsOf(fold(read.Rest).norm), func(left foundWord) bool { return left.text == w.text })
}

// beginsAnother reports whether another chore begins behind a joiner: "... and delete it". A reminder in a reminder is read with it, and "there and
// back" ends in no order. "And she likes tea" says something.
func (m *matcher) beginsAnother(s slot, words []foundWord, i int) bool {
	w := words[i]
	if m.ordersLast(s, w) {
		return true
	}
	isDeed := func(w foundWord) bool { return m.lang.isDeed(w.text) }
	if isDeed(w) && (m.isTaskOnList(s) && isDeed(words[0]) || s.isFree() && (m.isBehindColon(s) || slices.ContainsFunc(words[:i], isDeed))) {
		return false // починить кран, поменять лампочку; запиши: насос гудит, проверить весной
	}
	if s.name == "remind" && m.lang.startsWith("due", m.norm[w.from:s.to]) && m.hasWord(s.from, w.from, "joiners") {
		return true // and tea needs adding to the list
	}
	if i == 0 || m.lang.has("negation", w.text) || !m.lang.has("verbs", w.text) && !m.lang.startsWith("orders", m.norm[w.from:s.to]) || !m.isJoined(s.from, w.from) {
		return false
	}
	if s.name == "remind" && isTimeAlone(m.norm[w.from:s.to], m.lang.name) || m.isBehindColon(s) && m.lang.consistsOf(m.norm[s.from:w.from], "joiners") {
		return false // 上午九点, or the first words of what is said: 最后放冰糖
	}
	_, isAnd := m.lang.value("and", w.text) // 还有 also begins a sentence
	isReminder := s.isLater() && m.lang.has("reminds", w.text) && !sentenceEnd().MatchString(m.norm[s.from:w.from])
	isAdverb := mayBeAny(s) && i == len(words)-1 && m.lang.has("behind", w.text)
	tells := m.lang.has("tells", w.text) && !m.lang.has("imperatives", w.text) && m.lang.endsInWord("joiners", strings.TrimRight(m.norm[s.from:w.from], " ")) // und kommt nur vormittags
	states := tells || m.lang.begins("states", m.norm[w.from:s.to])
	isStatement := s.isFree() && (!s.isLater() || m.lang.endsInWord("otherwise", m.before(w.from))) && states
	return !isAnd && !isReminder && !isAdverb && !isStatement && !m.isBehindTime(s, w.from) && !m.isOfTime(s, w)
}

// ordersLast reports whether a Russian word in a reminder is the verb of another order, which what it is about stands before: "... и ещё мешки добавь в
// покупки", or of one about the reminder: "напоминание про шины удали".
func (m *matcher) ordersLast(s slot, w foundWord) bool {
	before := m.norm[s.from:w.from]
	if !m.lang.does("verb last") || !s.isLater() || before == "" || strings.Contains(before, `"`) || strings.Contains(before, ": ") {
		return false
	}
	words := m.wordsIn(s.from, w.from)
	isNamed := len(words) < 4 && m.hasWord(0, s.from, "clocks")
	if m.lang.isDeed(w.text) {
		return isNamed && len(words) > 0 && m.lang.has("may", words[len(words)-1].text) && m.lang.has("verbs", w.text)
	}
	isNamed = isNamed && (!m.lang.saysTime(before) || len(numberShape().FindString(before)) == len(strings.TrimRight(before, " ")) || strings.HasPrefix(strings.TrimLeft(m.norm[w.from+len(w.text):], " "), ":"))
	isBehind := slices.ContainsFunc(words, func(b foundWord) bool { return b.from > s.from && m.lang.has("joins", b.text) })
	return m.lang.has("infinitives", w.text) && (isNamed || isBehind)
}

// endsWithTime reports whether nothing but a time stands behind a word in what is noted: "until the twelfth" is no condition.
func (m *matcher) endsWithTime(s slot, w foundWord) bool {
	return s.kind == "text" && s.name == "text" && w.from > s.from && isTimeAlone(strings.TrimSpace(m.norm[w.from+len(w.text):s.to]), m.lang.name)
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

// states reports whether a slot says of something that it is something: "the ip is 192.168.1.40". What is to be done has no such words, but for
// those of a clause in it.
func (m *matcher) states(s slot) bool {
	words := m.wordsIn(s.from, s.to)
	if len(words) < 3 || !m.lang.has("articles", words[0].text) && !strings.HasSuffix(words[0].text, "'s") {
		return false
	}
	return slices.ContainsFunc(words[2:], func(w foundWord) bool { return m.lang.has("copulas", w.text) }) &&
		!m.hasWord(s.from, s.to, "clauses", "condition", "joiners")
}

// isHanNumber reports whether a Chinese text is the number of something, as 2号, or how many there are, as 3个.
func (m *matcher) isHanNumber(text string) bool {
	number := strings.TrimRight(text, "号个条")
	return number != text && number != "" && len(numberShape().FindString(number)) == len(number)
}

// isNumbered reports whether the number that a slot begins with is that of what stands before it: "Notiz 7 kannst du löschen". An order stands
// there, too, where the noun is a verb: "note 3 eggs".
func (m *matcher) isNumbered(s slot) bool {
	before := m.before(s.from)
	_, rest, more := strings.Cut(m.norm[s.from:s.to], " ")
	return m.lang.endsInWord("nouns", before) && (!m.lang.endsInWord("ambiguous", before) || !more || m.lang.startsWith("finite", rest))
}

// tellsOfNumber reports whether words say something of a number, in words or in digits: "number seven is no longer needed".
func (m *matcher) tellsOfNumber(text string) bool {
	named, number, _ := strings.Cut(text, " ")
	if !m.lang.has("numbered", named) {
		return false
	}
	size := len(numberShape().FindString(number))
	if size == 0 {
		_, size = numerals.Read(number, m.lang.name)
	}
	return size > 0 && m.lang.startsWith("finite", strings.TrimLeft(number[size:], " "))
}

// isLongerThanAList reports whether a name begins with that of a usual list, such as shopping, and goes on.
func (m *matcher) isLongerThanAList(name string) (longer bool) {
	m.lang.values("list", name, func(written, _ string) {
		longer = longer || strings.HasPrefix(name[len(written):], " ")
	})
	return longer
}

// isForAnother reports whether the words behind a bare "remind" begin with a name, or those behind a comma call somebody: it may be
// that person who is to be reminded, or to remind.
func (m *matcher) isForAnother(s slot, _ string) bool {
	pronoun, _, _ := strings.Cut(m.norm[s.from:s.to], " ")
	isOther := m.lang.has("them", pronoun) // of whom it was spoken before
	if !s.isLater() {
		return s.name == "for" && isOther
	}
	before := m.before(s.from)
	words := m.wordsIn(0, s.from)
	for len(words) > 1 && m.lang.has("asides", words[len(words)-1].text) { // напомни, пожалуйста, Бену
		words = words[:len(words)-1]
	}
	if len(words) > 0 && m.lang.has("reminds", words[len(words)-1].text) && m.lang.section("words.names") != "" {
		first, _ := utf8.DecodeRuneInString(m.original(s.from, s.to))
		_, deed, _ := strings.Cut(m.norm[s.from:s.to], " ")
		if read, err := when.Read(deed, m.lang.name, anyDay()); err == nil {
			deed = fold(read.Rest).norm
		}
		verb, _, _ := strings.Cut(deed, " ")
		isTheirs := m.lang.has("names", pronoun) && m.lang.isDeed(verb) && !m.lang.has("datives", verb) // маме забрать посылку
		return unicode.IsUpper(first) || isOther || isTheirs
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

// isMarked reports whether the words before a slot say that a text begins: "note: don't" and "with the text don't" want it. So does 提醒我.
func (m *matcher) isMarked(s slot) bool {
	before := strings.TrimRight(m.norm[:s.from], " ,")
	return strings.HasSuffix(before, ":") || m.lang.endsInWord("marks", before) || s.isLater() && m.lang.name == "zh"
}

// isSpokenOf reports whether what stands right behind a noun such as 笔记 says something of it, 做笔记是个好习惯, or behind a German infinitive that it
// tells of: "merken kann ich mir das nicht".
func (m *matcher) isSpokenOf(s slot) bool {
	text, before := m.norm[s.from:s.to], m.before(s.from)
	if m.lang.endsInWord("infinitives", before) {
		return m.lang.startsWith("finite", text)
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	return isHan(last) && m.lang.endsInWord("nouns", before) && m.lang.startsWith("spoken", text)
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
	return m.lang.hasWord(before, "verbs", "finite") || m.lang.endsInWord("hangs", before) || m.lang.consistsOf(before, "behind", "fillers", "vague")
}

// isTaskSaid reports whether a slot holds what is to be done, and is said behind a colon: 待办里记一条：问房东.
func (m *matcher) isTaskSaid(s slot) bool {
	return m.isBehindColon(s) && slices.ContainsFunc(m.slots, func(s slot) bool { return s.value == todoList })
}

// isBehindColon reports whether a colon stands before a slot: what follows it is said, and not spoken of.
func (m *matcher) isBehindColon(s slot) bool {
	return strings.HasSuffix(m.before(s.from), ":")
}

// isDatedNote reports whether a note has a time before its colon, so that it may be to be made then.
func (m *matcher) isDatedNote(text string) bool {
	before, rest, colon := strings.Cut(text, ":")
	return colon && rest != "" && !isDigit(rest[0]) && isTimeAlone(before, m.lang.name)
}
