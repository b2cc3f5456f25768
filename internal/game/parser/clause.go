package parser

import (
	"slices"
	"strings"

	"hob/internal/game/spelling"
)

// withoutReason removes a clause at the end that says why or how: "before the wind takes it", "without a sound". It
// leaves conditions, and clauses that have another command behind them.
func (r *reader) withoutReason(list []token) []token {
	if !r.options.NoModel {
		return list
	}
	for i := 1; i < len(list); i++ {
		if r.table.leading("reason", list[i:]) > 0 || list[i].gap == comma && (isGerund(list[i:]) || r.isRemark(list[i:]) && r.table.leading("asking", list[i:]) == 0) {
			joins := func(t token) bool { return t.gap != noGap || r.table.leading("join", []token{t}) > 0 }
			if slices.ContainsFunc(list[i+1:], joins) {
				return list
			}
			return list[:i]
		}
	}
	return list
}

// saysHow reports whether tokens begin a clause that says why or how.
func (r *reader) saysHow(list []token) bool { return r.leads("reason", list) || isGerund(list) }

// isGerund reports whether tokens begin with a Russian verb form that says how something is done: держась стены, не
// оглядываясь.
func isGerund(list []token) bool {
	ends := []string{"аясь", "яясь", "жась", "вшись"}
	if len(list) > 1 && list[0].text == "не" {
		list, ends = list[1:], append(ends, "ая", "яя", "уя", "дя", "ря", "ав", "ив")
	}
	if len(list) > 1 {
		ends = append(ends, "рыв", "рав", "пив", "тив", "тав", "кав", "зяв")
	}
	return isCyrillic(list[0].text) && spelling.HasEnd(list[0].text, ends...)
}

// isManner reports whether tokens only say how something is done: "carefully".
func (r *reader) isManner(list []token) bool {
	return len(list) == 1 && isRussianAdverb(list[0].text) || slices.ContainsFunc(r.langs, func(t table) bool {
		return t.leading("lead.alone", list) == len(list) || t.leading("tail.alone", list) == len(list)
	})
}

// Corrects reports whether words take back the words before them and say what is meant instead: "no, the lid".
func Corrects(words string) bool {
	input := tokens(strings.TrimSpace(words))
	r := &reader{langs: tables("", input.tokens), input: input}
	parts := r.parts()
	return len(parts) > 1 && r.retracts(parts[0], false)
}

// leads reports whether tokens begin with a word of a key in any of the languages.
func (r *reader) leads(key string, list []token) bool {
	return slices.ContainsFunc(r.langs, func(t table) bool { return t.leading(key, list) > 0 })
}

// isRemark reports whether tokens state something and command nothing: "give Voss the spoon, he looks hungry".
func (r *reader) isRemark(list []token) bool {
	if r.table.leading("remark", list) == 0 {
		return false
	}
	_, ok := r.tryVerb(list, r.verbless)
	return !ok
}

// saysOnly reports whether tokens are a remark in any of the languages. A condition is none: "if she moves, hit her".
func (r *reader) saysOnly(list []token) bool {
	for i := range list {
		if r.leads("condition", list[i:]) {
			return false
		}
	}
	return slices.ContainsFunc(r.langs, func(t table) bool {
		at := *r
		at.table = t
		return at.isRemark(list)
	})
}

// takeBack removes the words that the input takes back: "take the lamp. No, wait, the rope". A new name gets the command
// of the old one.
func (r *reader) takeBack() {
	parts := r.joints()
	if len(parts) > 1 && r.input.tokens[parts[1].from].gap == comma && r.retracts(r.input.tokens[:parts[0].to], true) && !r.retracts(r.input.tokens[:parts[0].to], false) {
		r.input.tokens = r.input.tokens[parts[1].from:] // "wait, I look at it first"
		parts = r.joints()
	}
	from, to := -1, -1 // the last words that take something back
	for i, p := range parts {
		again := to == i && i > 0
		if r.retracts(r.input.tokens[p.from:p.to], again) {
			if to = i + 1; !again {
				from = i
			}
		}
	}
	if from < 0 || to == len(parts) || r.input.quoted {
		return
	}
	rest := r.input.tokens[parts[to].from:]
	if from > 0 {
		at, other := *r, *r
		at.input.tokens = r.input.tokens[parts[from-1].from:parts[from-1].to]
		_, _ = at.readCommand(at.input.tokens)
		r.last = at.named
		if _, verb := other.readVerb(rest); !verb && !at.verbless {
			rest = at.withOther(rest)
		}
	}
	r.input.tokens = rest
}

// retracts reports whether words take back the words before them. again: they follow other words that do.
func (r *reader) retracts(words []token, again bool) bool {
	return slices.ContainsFunc(r.langs, func(t table) bool {
		return t.leading("retract", words) == len(words) || again && t.leading("retract.again", words) == len(words)
	})
}

// withOther returns the tokens of the last command with another name in them.
func (r *reader) withOther(name []token) []token {
	s := r.slots[1]
	if at := r.slots[2]; at.from < at.to && at.to <= len(r.tokens) && len(name) > 1 {
		for i := max(0, at.from-2); i < at.from; i++ { // an article may stand between
			if r.tokens[i].text == name[0].text {
				s, name = at, name[1:] // "ask Pell about the key. No, about the herring"
				break
			}
		}
	}
	if s.from < s.to && s.to <= len(r.tokens) {
		name = slices.Concat(r.tokens[:s.from], name, r.tokens[s.to:])
	}
	return name
}

// speaksOf reports whether tokens have a "he" or "she" that may be this person. Nobody says such words to the person
// themselves.
func (r *reader) speaksOf(whom *entity, list []token) bool {
	if r.leads("saying", list) {
		return false // "demand that she hand it over"
	}
	for i := range list {
		one := list[i : i+1]
		beast := whom.actor.Role == "monster"
		is := slices.ContainsFunc(r.langs, func(t table) bool { return t.is("them", one) || beast && t.is("it", one) })
		if is && (i == 0 || list[i-1].text != "其") && len(r.withGender(one, []*entity{whom})) > 0 {
			return true
		}
	}
	return false
}

// readNegated answers a command not to do something: nothing is done.
func (r *reader) readNegated(list []token) (m Meaning, ok bool) {
	if !r.options.NoModel || r.actor == nil || r.smallTalk() != "" || r.saysHow(list) || slices.ContainsFunc(list[1:], func(t token) bool { return t.gap != noGap }) {
		return m, false
	}
	for _, r.table = range r.langs {
		for _, key := range [...]string{"join", "lead", "lead.alone"} {
			if n := r.table.leading(key, list); n < len(list) && r.table.leading("not", list) == 0 {
				list = list[n:]
			}
		}
		n := r.table.leading("not", list)
		for i := 1; n == 0 && i < min(len(list), mostNoun) && isCyrillic(list[0].text); i++ {
			if r.table.leading("not", list[i:]) == 1 && len(r.findBest(list[:i], nil, near|carried|person)) > 0 {
				return Meaning{Problem: r.text("spared"), Done: true}, true // жестянку не трогай
			}
		}
		if n == 0 || n == len(list) || r.input.question || r.input.quoted {
			continue
		}
		at := *r
		at.verbless = false
		_, deed := at.readVerb(list[n:])
		_, named := at.readMentioned(list[n:])
		if whom := r.onlyOrLatest(r.listeners()); deed || named || whom != nil && r.speaksOf(whom, list) {
			return Meaning{Problem: r.text("spared"), Done: true}, true
		}
	}
	return m, false
}

// ownerOf returns the person here who owns what tokens name: "Mr. Crane's pockets".
func (r *reader) ownerOf(list []token) *entity {
	if !r.options.NoModel || len(list) < 2 || r.isKin(list) {
		return nil
	}
	if isCyrillic(list[0].text) {
		if e := r.beside(list[1:]); e != nil {
			return e // карманы Крейна
		}
		return r.beside(list[:1])
	}
	for i := range list[:len(list)-1] {
		switch text := list[i].text; {
		case text == "的" && i > 0:
			return r.beside(list[:i])
		case strings.HasSuffix(text, "'s"):
			name := slices.Clone(list[:i+1])
			name[i].text = strings.TrimSuffix(text, "'s")
			return r.beside(name)
		case i == 0 && r.table.is("them", list[:1]):
			return r.beside(list[:1])
		}
	}
	return nil
}

// isKin reports whether tokens are a person by what somebody has in them: the miller's wife, who is not the miller.
func (r *reader) isKin(list []token) bool {
	head := list[len(list)-1].text
	if isCyrillic(list[0].text) {
		head = list[0].text
	} else if isHan(head) {
		head = lastWord(list)
	}
	for _, key := range [...]string{"man", "woman", "man.said", "woman.said"} {
		for word := range strings.SplitSeq(r.table.word(key), "|") {
			if word = strings.TrimSpace(word); isHan(head) && word == head || !isHan(head) && spelling.Akin(head, word) {
				return true
			}
		}
	}
	return false
}

// isOthersKin reports whether tokens are such a person, behind the name of the other one: "Osric's wife".
func (r *reader) isOthersKin(list []token) bool {
	return r.options.NoModel && len(list) > 1 && strings.HasSuffix(list[len(list)-2].text, "'s") && r.isKin(list)
}

// goesOn reports whether the name in a slot goes on behind it: Osric's wife is not Osric.
func (r *reader) goesOn(slot int) bool {
	at := r.slots[slot]
	if r.forced[slot] != nil || at.to == at.from || at.to >= len(r.tokens) {
		return false
	}
	rest := r.tokens[at.to:]
	if rest[0].text == "的" {
		return len(rest) > 2 && r.isKin(rest[1:3])
	}
	return strings.HasSuffix(r.tokens[at.to-1].text, "'s") && r.isKin(rest[:1])
}

// readQuoted reads quoted words as said to the person whom the rest of the sentence names, or else to the person here:
// “Who hung it up?” I ask the cook. With named, the rest must name somebody.
func (r *reader) readQuoted(named bool) (m Meaning, ok bool) {
	words, rest := r.splitQuoted()
	if len(words) == 0 || r.input.odd || r.book.Tool("talk") == nil {
		return m, false
	}
	says := len(rest) == 0
	var whom *entity
	for i := range rest {
		says = says || r.leads("saying", rest[i:])
		for n := min(mostNoun, len(rest)-i); n > 0 && whom == nil; n-- {
			for _, r.table = range r.langs {
				if whom = r.beside(rest[i : i+n]); whom != nil {
					break
				}
			}
		}
	}
	if whom == nil && !named {
		whom = r.onlyOrLatest(r.listeners())
	}
	switch {
	case !says || whom == nil && named:
		return m, false
	case whom == nil:
		return Meaning{Problem: r.refuseUnasked().text}, true
	}
	r.input.tokens, r.input.quoted = words, false
	return r.putTo(whom, false)
}

// splitQuoted returns the tokens between quotation marks and the other tokens.
func (r *reader) splitQuoted() (words, rest []token) {
	inside, from := false, 0
	add := func(to int) {
		for _, t := range r.input.tokens {
			switch {
			case t.from < from || t.to > to:
			case inside:
				words = append(words, t)
			default:
				rest = append(rest, t)
			}
		}
		from = to
	}
	for i, c := range r.input.raw {
		if strings.ContainsRune("\"«»“”„「」『』", c) {
			add(i)
			inside = !inside
		}
	}
	add(len(r.input.raw))
	return words, rest
}

// putTo says the words of the input to a person, who answers with a line on them. With known, only such a line is an
// answer.
func (r *reader) putTo(whom *entity, known bool) (m Meaning, ok bool) {
	r.named = whom
	words := joinTokens(r.input.tokens)
	switch {
	case r.smallTalk() == "hello":
		words = ""
	case r.topicOf(whom, words) >= 0:
	case known:
		return Meaning{}, false
	default:
		return Meaning{Problem: r.refuseTopic(whom).text}, true
	}
	m, bad := r.talkTo(whom, words)
	if bad != nil {
		return bad.meaning()
	}
	return m, true
}
