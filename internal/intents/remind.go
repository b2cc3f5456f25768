package intents

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/when"
)

// Around "remind me" people say when, of what and for whom, before it or behind it. A sentence is one of those only where its slots say that.

// saysDate reports whether the day of a calendar is said in words of time that no table has: 下周三.
func (p *parse) saysDate() bool {
	return p != nil && slices.ContainsFunc(p.slots, func(s slot) bool { return s.name == "day" && s.kind == "text" })
}

// timeBefore is what stands before "remind me" and holds words of time, "" where there is no such slot.
func (p parse) timeBefore() string {
	name, _, _ := strings.Cut(kindOf(p.kind).args, "=")
	if name != "before" && name != "event" {
		return ""
	}
	return p.textOf(name)
}

// leading is what stands before "remind me": a time, what happens, or a time with what the reminder is of.
func (p parse) leading() string { return cmp.Or(p.textOf("before"), p.textOf("event")) }

// saysWhen reports whether what stands before "remind me" is a time, and no words of another sentence, and whether it is the name of a timer
// that stands in its place, and not how long it runs. What comes at another time comes at one.
func (p parse) saysWhen() bool {
	switch p.kind {
	case "timer/named":
		length := p.textOf("remind")
		return isLength(length, p.lang.name) && !p.splitsNumber() && !(p.lang.name == "zh" && p.lang.contains("clocks", length)) // 给Anna定个明早六点的闹钟
	case "remind/that":
		return p.saysOfWhat()
	case "remind/counted":
		at, ok := p.lang.counted(p.textOf("remind"))
		return ok && at == (span{0, len(p.textOf("remind"))})
	case "remind/ahead", "remind/behind", "remind/yearly", "remind/day":
		return p.saysOfHappening()
	case "remind/other", "remind/other_before":
		if p.mayBeOwn() || strings.HasPrefix(p.textOf("before"), "昨") {
			return false
		}
	case "remind/after":
		if p.tellsBefore() || p.isToWhom() || p.ordersBefore() || p.has("title") && !p.has("ahead") && !isTimeAlone(p.textOf("before"), p.lang.name) {
			return false // what the reminder is of stands in a slot of its own
		}
	}
	for _, s := range p.slots {
		text := p.text.norm[s.from:s.to]
		isNoDay := s.name == "day" && s.kind == "text" && !p.lang.isDayAlone(text)
		isTwo := slices.ContainsFunc(p.slots, func(o slot) bool { return o.kind == "who" }) && p.lang.startsWith("joiners", text) // 提醒小安和小本喂猫
		isOther := s.name == "remind" && (isTwo || p.isOfReminder(s) || p.isForKin(s) || p.tellsWho(s) || p.kind == "alarm/before" && !isTimeAlone(text, p.lang.name))
		if isNoDay || isOther {
			return false
		}
		if words, ok := s.value.(string); ok && s.name == "time" && !isNewTime(words, p.lang.name, anyDay()) { // to Rome
			return false
		}
	}
	words := p.timeBefore()
	if at, ok := p.lang.counted(words); words == "" || ok && at == (span{0, len(words)}) {
		return true
	}
	read, err := when.Read(words, p.lang.name, anyDay())
	unclear := (*when.Unclear)(nil)
	return strings.TrimSpace(read.Rest) == "" && (!errors.As(err, &unclear) || unclear.Problem != when.Missing)
}

// splitsNumber reports whether the length of a timer begins within a Chinese number, as 五分钟 does in 十五分钟.
func (p parse) splitsNumber() bool {
	isDigit := func(r rune) bool { return strings.ContainsRune("一二两三四五六七八九十百", r) }
	return slices.ContainsFunc(p.slots, func(s slot) bool {
		last, _ := utf8.DecodeLastRuneInString(p.text.norm[:s.from])
		first, _ := utf8.DecodeRuneInString(p.text.norm[s.from:])
		return s.name == "remind" && isDigit(last) && isDigit(first)
	})
}

// isOfReminder reports whether the words behind a bare noun, with only a time before it, are about a reminder, or are for somebody who has no
// name: 八点提醒取消了, 八点提醒他吃药.
func (p parse) isOfReminder(s slot) bool {
	i := slices.IndexFunc(p.slots, func(s slot) bool { return s.name == "before" })
	if i < 0 || p.slots[i].to > s.from || !p.lang.has("reminds", strings.Trim(p.text.norm[p.slots[i].to:s.from], " ,")) {
		return false
	}
	text := p.text.norm[s.from:s.to]
	if p.lang.name == "zh" && p.text.nameAt(s.from) != "" { // it is for that person
		return true
	}
	return p.lang.startsWith("spoken", text) || p.lang.consistsOf(text, "kin") || p.lang.consistsOf(text, "ends", "behind") || p.lang.endsInWord("past", text)
}

// isForKin reports whether a reminder is for one of the family, and not for who asks, whose "my" is written as "me" is: 提醒我妈吃药. What tells of that
// person is none, such as 提醒我妈妈生日.
func (p parse) isForKin(s slot) bool {
	text := p.text.norm[s.from:s.to]
	return strings.HasSuffix(p.text.norm[:s.from], "我") && slices.ContainsFunc(strings.Fields(p.lang.section("words.kin")), func(kin string) bool {
		rest, ok := strings.CutPrefix(text, kin)
		if read, err := when.Read(rest, p.lang.name, anyDay()); err == nil {
			rest = fold(read.Rest).norm
		}
		return ok && (rest == "" || p.lang.startsWith("elides", rest) || p.lang.startsWith("imperatives", rest))
	})
}

// mayBeOwn reports whether a Russian reminder that seems to be for somebody may be one of one's own, as no word such as "что" stands before its
// words. It is for a person of a usual name where the order stands behind that, "Диме напомни в 5 позвонить", or where behind it stands what people
// do themselves, or, where it has a capital letter, what it is about, what nobody does for somebody, or a time and then what is to be done: в 5 напомни
// диме погулять, в 5 напомни Диме про уроки, в 5 напомни Диме забрать посылку, напомни Диме в 5 позвонить.
func (p parse) mayBeOwn() bool {
	i := slices.IndexFunc(p.slots, func(s slot) bool { return s.name == "for" })
	last := p.slots[len(p.slots)-1]
	if i < 0 || last.name != "remind" || p.lang.section("words.names") == "" {
		return false
	}
	whom, text := p.slots[i], p.text.norm[last.from:last.to]
	if p.lang.hasWord(p.text.norm[last.to:], "them") {
		return false // Бену в 7:30 на автобус, напомни ему
	}
	between := strings.Trim(p.text.norm[whom.to:last.from], " ,")
	isBehind := p.lang.hasWord(between, "reminds")
	isUsual := p.lang.has("names", p.text.norm[whom.from:whom.to])
	if between != "" && !isBehind {
		return p.forgiven > 0 && !isUsual // "напоминала" may be no slip
	}
	read, _ := when.Read(text, p.lang.name, anyDay()) // where it fails, nothing is a time
	first, _, _ := strings.Cut(read.Rest, " ")
	lead := strings.TrimSuffix(text, fold(read.Rest).norm) // в 5 про
	isDone, isAbout := p.lang.isDeed(first), p.lang.has("introduces", first) || p.lang.endsInWord("introduces", between) || p.lang.endsInWord("introduces", strings.TrimSpace(lead))
	capital, _ := utf8.DecodeRuneInString(p.text.original(whom.from, whom.to))
	isCapital := unicode.IsUpper(capital)
	isNamed := isBehind || isCapital && isAbout || isDone && (p.lang.has("routines", first) || isCapital && (p.lang.beginsWithTime(text) || !p.lang.has("datives", first)))
	return !isUsual || !isNamed || !isDone && !isAbout
}

// isDeed reports whether words end as the infinitive of the language does: to be done.
func (l *language) isDeed(words string) bool { return l.ends("deeds", words) }

// tellsBefore reports whether a clause before "remind me" tells of what is over: 家里没盐了，五点提醒我.
func (p parse) tellsBefore() bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool {
		text := folded{norm: p.text.norm[s.from:s.to]}
		return slices.ContainsFunc(text.clausesOf(), func(c span) bool {
			clause := text.norm[c.from:c.to]
			return p.lang.endsInWord("past", clause) || strings.HasPrefix(clause, "昨") || asksWhether(strings.TrimRight(clause, " ,?")) // 昨晚九点开会
		})
	})
}

// ordersBefore reports whether a clause before "remind me" is an order of a list: 把牛奶加到购物清单，明天提醒我.
func (p parse) ordersBefore() bool {
	m := &matcher{folded: p.text, lang: p.lang}
	return p.lang.name == "zh" && slices.ContainsFunc(p.slots, func(s slot) bool {
		return s.name == "before" && p.lang.startsWith("imperatives", p.text.norm[s.from:s.to]) && m.namesList(s.from, s.to)
	})
}

// isToWhom reports whether all that a Chinese reminder would say is who is asked for it, or who reminds: 你八点提醒我; 我妈每天八点都提醒我.
func (p parse) isToWhom() bool {
	before := p.textOf("before")
	if at, counted := p.lang.counted(before); counted { // 看牙前一小时我妈
		before = "八点" + before[at.to:]
	}
	read, err := when.Read(before, p.lang.name, anyDay())
	clauses := strings.FieldsFunc(fold(read.Rest).norm, func(r rune) bool { return r == ',' || r == ' ' })
	return err == nil && p.lang.name == "zh" && len(clauses) > 0 && p.lang.isHanPerson(strings.Trim(clauses[len(clauses)-1], "都也会就是总"))
}

// isHanPerson reports whether a Chinese word is somebody: 你, 我妈.
func (l *language) isHanPerson(word string) bool {
	return slices.Contains([]string{"我", "你", "您", "他", "她", "他们", "她们", "你们"}, word) || l.has("kin", strings.TrimPrefix(word, "我"))
}

// tellsWho reports whether the words of a Chinese reminder say who it is that reminds: 八点提醒Ben带伞的是我.
func (p parse) tellsWho(s slot) bool {
	text := p.text.norm[s.from:s.to]
	at := strings.LastIndex(text, "是")
	if at < 0 || p.lang.name != "zh" {
		return false
	}
	begin := s.from + at + len("是")
	isName := p.text.nameAt(min(begin, s.to-1)) != ""
	return (strings.HasSuffix(text[:at], "的") || strings.HasSuffix(text[:at], "的人")) && (p.has("for") || p.lang.isHanPerson(text[at+len("是"):]) || begin < s.to && isName)
}

// saysOfWhat reports whether a reminder whose words stand before the order has its time alone behind it, and whether those words are no story.
func (p parse) saysOfWhat() bool {
	for _, s := range p.slots {
		words, _ := s.value.(string)
		switch s.name {
		case "what":
			text := strings.Trim(p.text.norm[s.from:s.to], " ,")
			isName := len(p.lang.wordsOf(text)) < 2 || p.lang.name == "zh" && utf8.RuneCountInString(text) < 3
			if isName || p.lang.saysTime(text) || p.lang.startsWithAny(text, "corrects", "greets", "torn", "stalls", "states", "reasons", "limits") || p.lang.endsInWord("past", text) {
				return false
			}
			if p.lang.name != "zh" && p.lang.hasWord(text, "reported", "negation") {
				return false
			}
		case "remind":
			read, err := when.Read(words, p.lang.name, anyDay())
			if err != nil || !p.lang.consistsOf(fold(read.Rest).norm, "asides", "behind") {
				return false
			}
		}
	}
	return true
}

// isForSelf reports whether whom a reminder is for is who asks, or no name: "me tomorow" is nobody's, and no name ends in a time, such as
// "everybody tomorrow", or is one.
func (p parse) isForSelf() bool {
	whom := strings.ToLower(p.textOf("for"))
	first, _, _ := strings.Cut(whom, " ")
	if whom != "" && isTimeAlone(whom[strings.LastIndex(whom, " ")+1:], p.lang.name) {
		return true
	}
	if behind, own := strings.CutPrefix(whom, "我"); own && !p.lang.startsWith("kin", behind) { // 提醒我下午六点去
		return true
	}
	return slices.Contains([]string{"me", "us", "mich", "mir", "uns", "мне", "нам", "我", "我们"}, first)
}

// isLaterWith reports whether another parse of the same kind leaves out words before the same time, such as the first of "в 21:00".
func (p parse) isLaterWith(other parse) bool {
	mine, theirs := p.leading(), other.leading()
	if theirs == "" || !strings.HasSuffix(mine, theirs) {
		return false
	}
	args := kindOf(p.kind).args
	_, rest, _ := strings.Cut(args, " ")
	if name := p.textOf("for"); name != "" && strings.HasPrefix(other.textOf("for"), name+" ") { // Ben tomorrow
		rest = strings.ReplaceAll(rest, " for={for}", "")
	}
	return string(p.arguments(rest)) == string(other.arguments(rest))
}
