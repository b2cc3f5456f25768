package intents

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// People say why they want something, before they say what or behind it: "we have visitors, put tea on the shopping list", "wake me at five, I have
// the early shift". Such talk means nothing to a chore.

// mostClauses is how many clauses a message has at most that is looked through for talk. What has more is prose.
const mostClauses = 5

// parsesBehindStory returns how the order is read that follows a story.
func (l *language) parsesBehindStory(t folded, loose bool) []parse {
	starts := l.startsOfOrders(t)
	if len(starts) > mostClauses {
		return nil
	}
	for _, start := range starts {
		s, isStory := l.storyBefore(t, start)
		if !isStory {
			return nil
		}
		order := t
		order.norm, order.at = t.norm[start:], t.at[start:]
		if l.startsWith("purposes", order.norm) || l.name == "zh" && utf8.RuneCountInString(order.norm) < 4 {
			continue
		}
		all, _ := l.orders(order, loose)
		isAlarm := s.certain && len(all) > 0 && !slices.MaxFunc(all, parse.compare).isNoAlarm()
		if all = slices.DeleteFunc(all, func(p parse) bool { return !s.goesBefore(p, order) }); s.isOrder(t) { // two orders are none
			continue
		}
		if day := l.dayOf(s.text); day != "" && isAlarm { // we fly on Saturday, wake us at four
			if dated := slices.DeleteFunc(l.parsesOf(fold(t.text[t.at[start]:]+" "+day), loose), parse.isNoAlarm); len(dated) > 0 {
				return dated
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// story is what somebody tells before an order.
type story struct {
	*language
	text    string // without the mark behind it
	before  string // all that stands before the order
	certain bool   // it tells something for sure: an order that acts may follow it
	wishes  bool   // it says what somebody else wants: the shop wants proof, so could you send me the bill
	quotes  bool   // it ends in a colon: the sign says: delete old.txt
}

// storyBefore returns the story before an order, or false where a clause of it is none.
func (l *language) storyBefore(t folded, start int) (story, bool) {
	s := story{language: l, before: t.norm[:start], text: strings.TrimRight(t.norm[:start], " ,;:.!?-")}
	if rest, ends := l.withoutEnd("therefore", s.text); ends { // the call was moved, so ...
		s.text = strings.TrimRight(rest, " ,;:.!?-")
	}
	told, quotes := strings.CutSuffix(strings.TrimRight(s.before, " "), ":")
	s.quotes, s.certain = quotes, !quotes || l.isWholeStory(told)
	for i, clause := range (folded{norm: s.text}).clausesOf() {
		clause = folded{norm: s.text}.trimmed(clause)
		told := s.text[clause.from:clause.to]
		switch {
		case l.isStory(told) || l.dayOf(told) != "" || i > 0 && l.isSubordinate(told):
		case l.isStory(l.withoutWish(told)):
			s.wishes = true
		case l.isTold(told):
			s.certain = false
		default:
			return s, false
		}
	}
	return s, true
}

// goesBefore reports whether nothing in the story can change what an order behind it means.
func (s story) goesBefore(p parse, order folded) bool {
	switch isReminder := kindOf(p.kind).tool == remindTool && !p.isClock(); {
	case s.quotes && kindOf(p.kind).acts && !isReminder: // somebody else may have said it
		return false
	case !s.certain && !p.onlyLooks(), s.wishes && (!p.polite || p.takesAway()):
		return false
	case strings.HasPrefix(p.kind, "list_show") && !s.begins("reasons", s.text):
		return false
	case !p.saysWhen(), p.mayBeOfTime(s.text), p.mayBeOfStory(), p.namesTheRest(order, s.before):
		return false
	}
	isReason := s.begins("reasons", s.text) && (happensAtHome().MatchString(s.text) || s.endsInWord("past", s.text))
	return p.standsBehind(s.saysTime(s.text) || isReason) || p.endsClock()
}

// isOrder reports whether the story can be read as an order of its own.
func (s story) isOrder(t folded) bool {
	return slices.ContainsFunc(s.parsesOf(folded{text: t.text, norm: s.text, at: t.at}, false), func(p parse) bool {
		isState := p.onlyLooks() && s.states(s.text, s.wordsOf(s.text)) // the washing machine is running
		return !kindOf(p.kind).bare && p.saysWhen() && !isState
	})
}

// mayBeOfStory reports whether a Chinese order may want what the story names, too: 家里没米了，面粉也快没了，都写到清单上.
func (p parse) mayBeOfStory() bool {
	return p.lang.name == "zh" && strings.HasPrefix(p.kind, "list_add") && strings.ContainsAny(p.text.norm, "也都")
}

// namesTheRest reports whether an order speaks of things that are named before it, of which the first stand in the story: "da brauche ich Tee, Milch und Brot.
// Setz sie auf die Liste".
func (p parse) namesTheRest(order folded, story string) bool {
	first := order.norm[:order.clausesOf()[0].to]
	return p.text.text != order.text && strings.HasSuffix(strings.TrimRight(story, " "), ",") && !p.lang.hasVerb(first) && !p.lang.startsWith("imperatives", first)
}

// isDoubtful reports whether what is read as the words of a reminder, or as the name of a timer, is talk.
func (l *language) isDoubtful(t folded, p parse) bool {
	return l.tellsOfTimer(t, p) || !p.saysWhen() || slices.ContainsFunc(p.slots, func(s slot) bool { return s.name == "remind" && l.startsWith("torn", t.norm[s.from:s.to]) })
}

// startsOfOrders returns where an order may start behind a story: behind a mark, and behind words such as so.
func (l *language) startsOfOrders(t folded) (starts []int) {
	for _, c := range t.clausesOf()[1:] {
		starts = append(starts, t.trimmed(c).from)
	}
	for _, w := range l.wordsOf(t.norm) {
		for word := range l.list("therefore") {
			if end := w.from + len(word); w.from > 0 && strings.HasPrefix(t.norm[w.from:], word) && t.isBoundary(end) && end < len(t.norm) {
				starts = append(starts, t.skip(end))
			}
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// isWholeStory reports whether what stands before a colon is a story, and not the begin of what stands behind it.
func (l *language) isWholeStory(told string) bool {
	return l.hasVerb(told) && l.isStory(told) && !slices.ContainsFunc([]string{"finite", "tells", "speech"}, func(list string) bool { return l.endsInWord(list, told) })
}

// isStory reports whether a clause before an order tells something, and is no order, no condition, and no words of somebody else.
func (l *language) isStory(clause string) bool {
	for word := range l.list("because") { // because we have visitors, put tea on the list
		if rest, ok := strings.CutPrefix(clause, word+" "); ok && l.has("torn", word) {
			clause = rest
		}
	}
	words := l.wordsOf(clause)
	if !l.isTalk(clause, words) || len(words) == 3 && l.name != "zh" && !l.begins("reasons", clause) && !l.tellsShortly(words) {
		return false
	}
	if l.name == "zh" && l.contains("speech", clause) {
		return false
	}
	rest := l.withoutLacking(clause)
	states := l.states(clause, words)
	return !slices.ContainsFunc(l.wordsOf(rest), func(w foundWord) bool { // a negation may be said of the order
		isSaid := l.startsWith("speech", rest[w.from:]) && !(states && (w.from == 0 || l.has("intending", w.text) && l.ends("verbal", clause)))
		return isSaid || l.negates(w.text) && !states
	})
}

// withoutWish returns a clause without the words that say what somebody else wants: it is no order, but an order behind it that asks hob politely is.
func (l *language) withoutWish(clause string) string {
	var kept []string
	for _, w := range l.wordsOf(clause) {
		if !l.has("needs", strings.TrimSuffix(w.text, "s")) {
			kept = append(kept, w.text)
		}
	}
	return strings.Join(kept, " ")
}

// states reports whether a clause has its own subject, so that what it negates or wants is said of that, and not of the order behind it: "I can't get at my
// computer", "Ben wants to bake".
func (l *language) states(clause string, words []foundWord) bool {
	return len(words) > 2 && (l.startsWith("persons", clause) || l.startsWith("subjects", clause) && l.hasVerb(clause))
}

// withoutNegatedVerb returns a clause without what did not happen, так и не купила, or what others do not do: гости не придут. Words that want something
// stay: не стоит.
func (l *language) withoutNegatedVerb(clause string) string {
	for _, w := range l.wordsOf(clause) {
		for not := range l.list("denies") {
			rest, ok := strings.CutPrefix(clause[w.from:], not+" ")
			verb, behind, _ := strings.Cut(rest, " ")
			if ok && l.ends("denied", verb) && !l.has("retracts", verb) && !l.has("speech", verb) && !l.has("needs", verb) {
				return clause[:w.from] + behind
			}
		}
	}
	return clause
}

// mayBeOfTime reports whether the time that a story tells may be that of the reminder behind it: "tomorrow I hand in the report, remind me at 8". One that
// says its own day is of that. A reminder that is moved may be moved to it, "ten more minutes, snooze it", and the calendar may be asked of it.
func (p parse) mayBeOfTime(story string) bool {
	isDated := func(s slot) bool { return p.lang.saysDay(p.text.norm[s.from:s.to]) }
	isMoved := strings.HasPrefix(p.kind, "reminder_move") && !slices.ContainsFunc(p.slots, func(s slot) bool {
		return s.name == "time" && (isDated(s) || p.lang.namesDay(p.text.norm[s.from:s.to]))
	})
	if slices.ContainsFunc(p.slots, func(s slot) bool { return s.isLater() && p.lang.hasPhrase("sameday", p.text.norm[s.from:s.to]) }) {
		return true // 我们下周三体检，当天七点提醒我
	}
	return p.lang.saysTime(story) && (isMoved || p.kind == "calendar/week" || slices.ContainsFunc(p.slots, func(s slot) bool { return s.isLater() && !isDated(s) }))
}

// isTold reports whether a clause before an order is no order and no condition, and takes nothing back: what only looks may follow it.
func (l *language) isTold(clause string) bool {
	first, rest, isAhead := strings.Cut(clause, " ")
	if isAhead = isAhead && l.has("ahead", first); isAhead { // before I go
		clause = rest
	}
	words := l.wordsOf(clause)
	if len(words) < 2 || strings.ContainsAny(clause, `":#<>|`) || l.hasWord(clause, "condition", "others") {
		return false
	}
	if l.name == "zh" {
		return l.asksItself(clause)
	}
	if l.has("stalls", clause) {
		return true
	}
	_, isOrder := (&matcher{folded: fold(clause), lang: l}).mayOrder(0)
	isQuestion := l.startsWith("wonders", clause) // whose turn is it?
	isWhole := isQuestion || !l.startsWithAny(clause, "torn", "hangs")
	return isWhole && !isOrder && (isQuestion || isAhead || l.hasVerb(clause)) && !l.startsWithAny(clause, "corrects", "leads", "orders", "scorn")
}

// isSubordinate reports whether a clause is part of the statement before it: "we can't decide, who washes up".
func (l *language) isSubordinate(clause string) bool {
	_, rest, _ := strings.Cut(clause, " ")
	return l.begins("subordinates", clause) && !l.hasWord(rest, "condition", "clocks", "verbs") && !l.hasPhrase("speech", rest) && !strings.ContainsAny(clause, `":`)
}

// asksItself reports whether a Chinese clause is talk but for what it asks, 谁洗碗我们定不下来, and nobody's words.
func (l *language) asksItself(clause string) bool {
	if l.startsWith("muses", clause) { // 忘了存哪儿了
		return true
	}
	for word := range l.list("wonders") {
		clause = strings.ReplaceAll(clause, word, "")
	}
	return l.isStory(clause)
}

// hasVerb reports whether a clause has a verb that tells something. "What a day" has none.
func (l *language) hasVerb(clause string) bool {
	return strings.Contains(clause, "'") || l.hasWord(clause, "finite", "tells", "needs") || l.startsWith("persons", clause) && len(l.wordsOf(clause)) > 2
}

// onlyLooks reports whether an order changes nothing.
func (p parse) onlyLooks() bool { return kindOf(p.kind).tool != "" && !kindOf(p.kind).acts }

// withoutLacking returns a clause without the words that say what is missing, or what did not happen.
func (l *language) withoutLacking(clause string) string {
	clause = l.withoutNegatedVerb(clause)
	if l.startsWith("muses", clause) { // what it asks, somebody asks himself: 我看看先干哪样
		return ""
	}
	for word := range l.list("lacking") {
		clause = strings.ReplaceAll(clause, word, "")
	}
	if l.name == "zh" {
		clause = l.withoutPlainNegations(clause)
	}
	return clause
}

// plainNegation is a Chinese negation that may say how something is, and not what is to be done.
var plainNegation = lazyregexp.New(`没有|[没不]`)

// withoutPlainNegations returns a Chinese clause without the negations that only tell how something is, 家里没人爱吃, and refuse nothing, as 没让你删 does.
func (l *language) withoutPlainNegations(clause string) string {
	var out strings.Builder
	from := 0
	for _, at := range plainNegation().FindAllStringIndex(clause, -1) {
		if rest := clause[at[1]:]; rest != "" && !l.startsWith("refuses", rest) {
			out.WriteString(clause[from:at[0]])
			from = at[1]
		}
	}
	return out.String() + clause[from:]
}

// isReason reports whether a clause behind an order says why, takes nothing back, wants nothing else and quotes nobody.
func (l *language) isReason(clause string) bool {
	if l.startsWith("afterthoughts", clause) {
		return false // it says which one is meant, or which one is not
	}
	clause = l.withoutLacking(clause)
	words := l.wordsOf(clause)
	states := len(words) > 2 && l.begins("reasons", clause) && !l.has("articles", words[0].text) && (l.has("needs", words[1].text) || l.has("tells", words[1].text)) // I have to be up early
	wants := !slices.ContainsFunc(words, func(w foundWord) bool {
		return l.has("negation", w.text) || l.name != "zh" && w.from > 0 && !states && l.has("behind", w.text)
	})
	isOwn := l.statesReason(clause, words)
	return !slices.ContainsFunc(words, func(w foundWord) bool {
		isJoined := l.has("joiners", w.text) && !l.startsWith("reasons", strings.TrimLeft(clause[w.from+len(w.text):], " ")) // Ben and I are late
		mayWish := wants && l.has("needs", w.text) || l.startsWith("intends", clause[w.from:])
		isOfSubject := isOwn && (l.negates(w.text) || l.has("intending", w.text) || l.has("needs", w.text))
		retracts := l.startsWith("retracts", clause[w.from:]) && !mayWish && !isOfSubject
		return retracts || isJoined || l.has("condition", w.text) || l.has("others", w.text)
	})
}

// statesReason reports whether what a clause behind an order negates or wants is its own: "I never remember it", "I don't want to be late". "I don't want it"
// may be said of the order.
func (l *language) statesReason(clause string, words []foundWord) bool {
	negates := slices.ContainsFunc(words, func(w foundWord) bool { return l.negates(w.text) })
	return l.states(clause, words) && !l.startsWithAny(clause, "addressed", "corrects") && (!negates || !l.hasWord(clause, "intending", "needs") || l.ends("verbal", clause) &&
		(l.startsWith("speakers", clause) || !l.hasWord(words[1].text, "intending", "needs", "finite", "tells", "negation"))) // and not "that shall not be"
}

// isTalk reports whether the words of a clause are those of somebody who tells something. In Chinese the lists find only some of the words.
func (l *language) isTalk(clause string, words []foundWord) bool {
	if len(words) == 0 || strings.ContainsAny(clause, `":#<>|`) {
		return false
	}
	first := words[0].text
	if l.has("verbs", first) && !l.has("needs", first) && !l.has("tells", first) && !l.begins("reasons", clause) && !l.isSubject(words) {
		return false // another order
	}
	if l.startsWithAny(clause, "corrects", "leads", "greets", "orders", "torn", "scorn", "stalls") { // a correction, an example, a greeting ...
		return false
	}
	if l.hasWord(clause, "condition", "others", "clocks") || l.isHanOrder(clause) {
		return false
	}
	if l.name == "zh" { // 开饭了 and 赶飞机 tell something, and 鸡蛋糕 may be a thing
		n := utf8.RuneCountInString(clause)
		return n > 3 || n == 3 && (l.ends("tells", clause) || l.begins("errands", clause))
	}
	return len(words) > 2 || len(words) > 1 && (l.begins("reasons", clause) || l.tellsShortly(words))
}

// tellsShortly reports whether a few words are a clause: "the vet rang", "got new numbers", "job's stuck".
func (l *language) tellsShortly(words []foundWord) bool {
	return slices.ContainsFunc(words, func(w foundWord) bool {
		return l.tells(w.text) && (w.from > 0 || len(words) > 2) || l.name == "en" && strings.HasSuffix(w.text, "'s") && w.from < words[len(words)-1].from
	})
}

// isSubject reports whether the first of some words is no verb, since one follows it: "call got moved".
func (l *language) isSubject(words []foundWord) bool {
	return len(words) > 2 && (l.has("tells", words[1].text) || l.has("finite", words[1].text))
}

// tells reports whether a word tells something: has, came.
func (l *language) tells(word string) bool {
	return l.has("tells", word) || l.anyIn("telling", func(ending string) bool { // сменили, разбегаются, придут
		stem, ends := strings.CutSuffix(word, ending)
		return ends && utf8.RuneCountInString(stem) > 1 && strings.IndexFunc(stem, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	})
}

// isHanOrder reports whether a Chinese clause may be an order that no sentence knows: it begins with the verb of one, 定个八点的, or ends with it, 牛奶勾掉.
func (l *language) isHanOrder(clause string) bool {
	if l.name != "zh" || strings.HasPrefix(clause, "看") || strings.HasSuffix(clause, "看") { // who looks wants no second thing
		return false
	}
	isLast := func(verb string) bool { return utf8.RuneCountInString(verb) > 1 && strings.HasSuffix(clause, verb) }
	if l.anyIn("ends", isLast) || l.anyIn("imperatives", isLast) {
		return true
	}
	return l.startsWith("imperatives", clause) && !l.startsWithAny(clause, "joins", "starters") && !l.endsInWord("past", clause) && !strings.ContainsAny(clause, "不没")
}

// isClock reports whether the sentence is one of timers or alarms.
func (p parse) isClock() bool {
	return strings.HasPrefix(p.kind, "timer") || strings.HasPrefix(p.kind, "alarm")
}

// isNoAlarm reports whether an order sets no alarm, or one without an hour.
func (p parse) isNoAlarm() bool {
	return !strings.HasPrefix(p.kind, "alarm") || !p.standsAlone() || !slices.ContainsFunc(p.slots, func(s slot) bool {
		text := p.text.norm[s.from:s.to]
		return s.isLater() && (p.lang.timesAt(text).first || p.lang.timesAt(phrase(p.lang.name, "at")+text).first) // at six, for six
	})
}

// dayOf returns the words for the day of which a clause tells what happens, "" where it says none, or an hour too.
func (l *language) dayOf(clause string) string {
	isDenied := slices.ContainsFunc(l.wordsOf(clause), func(w foundWord) bool { return l.negates(w.text) || l.has("until", w.text) })
	isOver := l.hasPhrase("moot", clause) || l.endsInWord("past", clause)
	isUnsure := l.hasPhrase("speech", clause) || l.hasWord(clause, "unsettled", "hearsay", "condition", "clocks")
	isOther := l.startsWithAny(clause, "corrects", "greets", "leads", "torn", "stalls", "limits", "scorn", "imperatives", "orders")
	if isDenied || isOver || isUnsure || isOther || len((folded{norm: clause}).clausesOf()) > 1 {
		return ""
	}
	h, ok := l.happeningOf(clause, anyDay())
	day := h.date
	for word := range l.list("happens") { // the flight | is on Sunday
		if rest, is := strings.CutPrefix(h.date, word+" "); is && l.isDayAlone(rest) {
			day = rest
		}
	}
	if !ok || h.Repeat != "" || !l.isDayAlone(day) {
		return ""
	}
	return day
}

// standsAlone reports whether an order says by itself what is to be done: it begins with its own words, and is no answer and no "stop" that may
// belong to the story. "Cancel all alarms" does, and needs a yes besides. Chinese begins with what the order is about: 鸡蛋加到购物清单.
func (p parse) standsAlone() bool { return p.standsBehind(false) }

// standsBehind is standsAlone of an order behind a story. Where that is one for sure, some things may stand first: 周末包饺子，韭菜、肉馅加到购物清单.
func (p parse) standsBehind(isStory bool) bool {
	k := kindOf(p.kind)
	if slices.ContainsFunc(p.slots, func(s slot) bool {
		text := p.text.norm[s.from:s.to]
		isTopic := p.lang.name == "zh" && k.tool != remindTool && !s.isFree() && (isStory || !strings.Contains(text, ","))
		isFirst := strings.Trim(p.text.norm[:s.from], " ,") == "" && s.name != "before" && s.kind != "list"
		return p.lang.startsWith("torn", text) || isFirst && !isTopic
	}) {
		return false
	}
	isNear := k.near && !p.has("n") && !p.has("about")
	return !p.isOwn() && k.tool != "" && !isNear && !k.bare && !k.retracts && (!k.acts || len(p.slots) > 0 || k.many || k.name == "reminder_move/snooze")
}

// endsClock reports whether an order ends a timer or an alarm, which it names.
func (p parse) endsClock() bool {
	return strings.HasPrefix(p.kind, "reminder_cancel/timer") || strings.HasPrefix(p.kind, "reminder_cancel/alarm")
}

// runsPastQuestion reports whether the words of a polite question go on behind its mark: "could you note that the boiler man is Ted? I always forget it".
func (p parse) runsPastQuestion() bool {
	return p.polite && slices.ContainsFunc(p.slots, func(s slot) bool {
		return s.isFree() && strings.Contains(p.text.norm[s.from:s.to], "? ") && !strings.ContainsAny(p.text.norm[:s.to], `":`)
	})
}

// endsBefore reports whether an order may end where a reason begins, which is no part of what is noted, written or looked for.
func (p parse) endsBefore(order folded, reason string) bool {
	k, l, why := kindOf(p.kind), p.lang, strings.Trim(reason, " ,;.!?-")
	saysWhy := l.begins("reasons", why)
	holdsThings := k.acts && !p.isClock() && slices.ContainsFunc(p.slots, func(s slot) bool { return s.is(many) || s.is(brief) })
	isSaidFirst := (p.kind == "note" || p.kind == "remember") && p.slots[len(p.slots)-1].to < len(order.norm)
	switch {
	case holdsThings && !saysWhy && !l.consistsOf(reason, "calls") && p.mayListToo(reason): // it may be another thing
		return false
	case k.acts && l.hasWord(why, "intending") && (p.takesAway() && !strings.HasPrefix(p.kind, "list") || l.endsInWord("negation", why)):
		return false // delete it, Ben wants to keep it; wake me, I don't want that
	case k.acts && k.tool != remindTool && (l.hasPhrase("doubting", why) || l.endsInWord("unsaid", why)):
		return false // delete it, I'm not sure; delete it, nobody needs to
	case strings.HasPrefix(p.kind, "reminders") && l.saysTime(reason): // a timer that is to be set: 计时器 泡面 4分钟
		return false
	case isSaidFirst && !saysWhy && !l.consistsOf(reason, "calls"): // the words may go on behind the order: the code has changed, note that, it is 4711
		return false
	case p.isOnlyAdded() && l.hasPhrase("moot", reason): // then it is not wanted any more
		return false
	}
	return !slices.ContainsFunc(p.slots, func(s slot) bool { return p.slotGoesOn(s, order, reason) })
}

// isCondition reports whether a text is a condition in one of the languages.
func (s *Sentences) isCondition(text string) bool {
	t := fold(text)
	return slices.ContainsFunc(s.langs(), func(l language) bool { return l.isCondition(t) })
}

// isCondition reports whether a text says what comes of an order that stands before it as a question: löschst du alt.txt, ist alles weg.
func (l *language) isCondition(t folded) bool {
	words, clauses := l.wordsOf(t.norm), t.clausesOf()
	if len(clauses) < 2 {
		return false
	}
	last := t.trimmed(clauses[len(clauses)-1])
	return last.from < last.to && len(words) > 1 && l.has("addressed", words[1].text) && l.startsWith("consequences", t.norm[last.from:last.to])
}

// isOnlyAdded reports whether an order acts and takes nothing away: what is over by now, as its reason says, is not wanted any more.
func (p parse) isOnlyAdded() bool {
	return kindOf(p.kind).acts && !p.takesAway() && p.kind != "list_untick"
}

// mayListToo reports whether words behind the things of an order may be another of them.
func (p parse) mayListToo(words string) bool {
	found := p.lang.wordsOf(words)
	return p.lang.name != "zh" && len(found) < 4 && !(p.takesAway() && p.lang.tellsShortly(found))
}

// slotGoesOn reports whether what fills a slot may go on in what stands behind the order.
func (p parse) slotGoesOn(s slot, order folded, reason string) bool {
	l, why := p.lang, strings.Trim(reason, " ,;.!?-")
	saysWhy := l.begins("reasons", why)
	switch {
	case p.polite && order.asks && s.to == len(p.text.norm):
		return s.isLater() && l.saysTime(reason)
	case s.name == "time": // also of a reminder that is moved
		return l.saysTime(reason)
	case s.isLater():
		return p.deedGoesOn(s, reason)
	case s.to < len(p.text.norm): // of an order about what is named before it the text is another
		return false
	case s.kind == "note" && strings.HasPrefix(p.kind, "note_remove"):
		tells := l.hasVerb(why) || slices.ContainsFunc(l.wordsOf(why), func(w foundWord) bool { return l.tells(w.text) })
		return !saysWhy && !l.isStory(why) || !tells
	case s.is(many|brief) && !s.is(whole):
		isTold := l.name == "zh" && l.endsInWord("past", why) && !strings.HasPrefix(why, "把") // no thing ends in 了
		isOfAll := !p.isOnlyAdded() && s.is(many) && l.isClause(why)
		return !isTold && !saysWhy && !l.consistsOf(why, "calls") && !isOfAll
	}
	return s.is(whole) && s.name != "about" && !strings.HasPrefix(p.kind, "fact_forget") && !(p.kind == "note_remove" && saysWhy)
}

// deedGoesOn reports whether the words of a reminder, or the name of a timer, may go on in what stands behind the order.
func (p parse) deedGoesOn(s slot, reason string) bool {
	l, why := p.lang, strings.Trim(reason, " ,;.!?-")
	behind := strings.TrimLeft(reason, " ,")
	isPurpose := l.begins("because", behind) && !l.begins("condition", behind) && !l.does("whole reasons") // and not "or else", "а то просплю"
	isWithin := s.to < len(p.text.norm) && l.begins("because", why)                                        // ... erinnern, sonst ...
	isOwn := l.begins("because", why) && l.begins("condition", why) ||                                     // or else I forget
		l.startsWith("speakers", why) && l.states(why, l.wordsOf(why))
	saysNewTime := l.saysTime(reason) && (l.saysDay(reason) || !l.begins("reasons", behind))
	return !p.isClock() && !isWithin && !isOwn || saysNewTime || isPurpose
}

// isClause reports whether words say something of a thing, and name none: "the shop was out of it".
func (l *language) isClause(text string) bool {
	words := l.wordsOf(text)
	return len(words) > 3 && slices.ContainsFunc(words[1:], func(w foundWord) bool { return l.has("finite", w.text) })
}

// becauseAt returns where the last reason begins that says so itself, as behind "so I can", or 0.
func (l *language) becauseAt(text string) (at int) {
	for _, w := range l.wordsOf(text) {
		if reason := text[w.from:]; w.from > 0 && l.begins("because", reason) && len(reason) < 80 && l.isReason(l.withoutPurpose(reason)) {
			at = w.from
		}
	}
	return at
}

// withoutPurpose returns a reason without the words that say that it is one, and the verb behind them, which is no order: "so I can show it to Ann".
func (l *language) withoutPurpose(reason string) string {
	for word := range l.list("because") {
		rest, ok := strings.CutPrefix(reason, word+" ")
		if first, more, _ := strings.Cut(rest, " "); ok && l.has("verbs", first) && !l.does("whole reasons") {
			return more
		} else if ok && l.has("condition", word) && !l.does("whole reasons") { // or else nobody remembers
			return strings.Join(slices.DeleteFunc(strings.Fields(rest), func(w string) bool { return l.negates(w) || l.has("times", w) || l.has("moments", w) }), " ")
		} else if ok && l.does("whole reasons") {
			return rest
		}
	}
	return reason
}

// parsesAroundReason returns how a Chinese text is read without a clause in its middle that says why: 那条笔记没用了，鱼都送人了，删了吧. No words of a person's own go on
// behind one.
func (l *language) parsesAroundReason(t folded, loose bool) []parse {
	clauses := t.clausesOf()
	if t.asks || len(clauses) < 3 || len(clauses) > mostClauses || strings.ContainsAny(t.norm, `":`) {
		return nil
	}
	for i, c := range clauses[1 : len(clauses)-1] {
		middle := t.trimmed(c)
		if clause := t.norm[middle.from:middle.to]; !l.isStory(clause) || !l.isReason(clause) || strings.Contains(clause, "也") {
			continue
		}
		before := t.text[t.at[0]:t.at[c.from]]
		all := l.parsesOf(fold(before+t.text[t.at[clauses[i+2].from]:]), loose)
		all = slices.DeleteFunc(all, func(p parse) bool {
			return p.isOwn() || kindOf(p.kind).tool == "" || kindOf(p.kind).acts && !p.takesAway() || slices.ContainsFunc(p.slots, func(s slot) bool {
				end := len(fold(before).norm)
				return s.isFree() || s.is(many) && s.from < end+2 && s.to >= end
			})
		})
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// withoutReason returns a text without the reason behind its last comma or full stop, or false where there is none. A reason is one
// clause. It is sure where nothing in it could be said of the order; what only looks needs no more than talk.
func (l *language) withoutReason(t folded) (order folded, hasReason, isSure bool) {
	whole := t
	if at := l.becauseAt(t.norm); at > 0 && !t.asks {
		t.norm = strings.TrimRight(t.norm[:at], " ,;.!-")
		return t, t.norm != "", true
	}
	clauses := t.clausesOf()
	last := t.trimmed(clauses[len(clauses)-1])
	reason, at := t.norm[last.from:last.to], clauses[len(clauses)-1].from-1
	if at <= 0 || t.asks || reason == "" || len(reason) > 80 || len(clauses) > mostClauses || strings.ContainsAny(reason, `":`) || t.norm[at] == ':' {
		return t, false, false
	}
	t.asks = t.norm[at] == '?'
	t.norm = strings.TrimRight(t.norm[:at], " .!?,;-")
	if l.consistsOf(reason, "calls") {
		return t, t.norm != "", true
	}
	isTalk := l.isTalk(reason, l.wordsOf(reason))
	isSure = (isTalk || l.begins("reasons", reason)) && l.isReason(reason) && !l.isHanOrder(reason)
	if l.name == "zh" {
		isSure = isSure && (l.startsWith("muses", reason) || !l.isOrderToo(t, folded{text: whole.text, norm: reason, at: whole.at[last.from:]}))
		return t, t.norm != "" && isSure, isSure
	}
	isOther := func() bool { // or no clause
		may, _ := (&matcher{folded: fold(reason), lang: l}).mayOrder(0)
		return may || !l.hasVerb(reason) || l.startsWithAny(reason, "wonders", "negation", "therefore", "follows", "joins")
	}
	return t, t.norm != "" && (isSure || isTalk && !isOther()), isSure
}

// isOrderToo reports whether a clause behind an order is one of its own: two orders are none, but where they are of one kind, as is said twice.
func (l *language) isOrderToo(order, clause folded) bool {
	others := l.parsesOf(clause, false)
	i := slices.IndexFunc(others, func(p parse) bool {
		return kindOf(p.kind).tool != "" && !kindOf(p.kind).bare && !kindOf(p.kind).near && !strings.HasPrefix(p.kind, missing) && p.saysWhen()
	})
	return i >= 0 && !slices.ContainsFunc(l.parsesOf(order, false), func(p parse) bool {
		return kindOf(p.kind).tool == kindOf(others[i].kind).tool && (!kindOf(p.kind).acts || len(p.slots)+len(others[i].slots) == 0)
	})
}
