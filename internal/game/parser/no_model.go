package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// guess is how far what is wrong with a command may be but a wrong guess at what was meant.
type guess uint8

const (
	sound  guess = iota
	absent       // words are taken for a name of nothing that there is: of Chinese it may be the wrong ones
	wild         // what is named is here, and nothing that the command could be about
)

// alone is what words come to that are no command, or one that cannot be done, where no model understands more: a question to
// somebody here, a command with a letter wrong, or small talk.
func (r *reader) alone(m Meaning, ok bool) (Meaning, bool) {
	if !ok {
		if what := r.small(); what == "hello" && len(r.listeners()) > 0 {
			r.slots, r.forced, r.said.question = [4]span{}, [4]*entity{}, false
			return r.judged("talk")
		} else if what != "" {
			return Meaning{Problem: r.text("small." + what)}, true
		}
	}
	if one, asked := r.asks(ok); asked || ok {
		if asked {
			return one, true
		}
		return m, true
	}
	return r.remarks()
}

// remarks takes a short sentence that is no command for a remark to the only one here, if it has to do with what they speak of.
func (r *reader) remarks() (m Meaning, ok bool) {
	some, list := r.listeners(), r.said.tokens
	if len(some) != 1 || len(list) > 2*mostTopic && !isHan(list[0].text) || len(list) > mostHanTopic || r.said.quoted || r.said.odd {
		return m, false
	}
	words := joinTokens(list)
	at := rules.Asked(some[0].actor.Talk, r.w.Open(some[0].actor), words)
	if at < 0 || some[0].actor.Talk[at].Skill != "" && !some[0].actor.Talk[at].Said {
		return m, false // dice are thrown for those who asked
	}
	long := func(key string) bool { return utf8.RuneCountInString(key) > 1 && strings.Contains(words, key) }
	if isHan(list[0].text) && !slices.ContainsFunc(some[0].actor.Talk[at].Keys, long) {
		return m, false
	}
	r.said.question = true
	return r.asks(true)
}

// small returns which kind of small talk all of the words are, or "".
func (r *reader) small() string {
	for _, t := range r.langs {
		list := r.said.tokens
		for len(list) > 0 {
			if what := t.which("small.", list); what != "" {
				return what
			}
			n := t.trailing("tail", list)
			list = list[:len(list)-max(n, 1)]
			if n == 0 {
				break
			}
		}
	}
	return ""
}

// asks reads a question that is no command: it is asked of whoever it is said to, or who was named last, or is the only one here.
// known asks for one that has an answer alone.
func (r *reader) asks(known bool) (m Meaning, ok bool) {
	if r.said.quoted || r.said.odd || r.book.Tool("talk") == nil {
		return m, false
	}
	asking := r.said.question
	for _, t := range r.langs {
		asking = asking || t.leading("asking", r.said.tokens) > 0
	}
	whom := r.addressed()
	if whom == nil {
		if a := r.away(); a != nil {
			return Meaning{Problem: r.because("elsewhere", a.Name, r.w.Place(a.Place).Name).text}, true
		}
	}
	if whom == nil && asking {
		whom = r.onlyOrLatest(r.listeners())
	}
	if whom == nil {
		if asking && !known {
			return Meaning{Problem: r.unasked().text}, true
		}
		return m, false
	}
	r.named = whom
	words := joinTokens(r.said.tokens)
	args := rules.NewObj().Text("npc_id", whom.id)
	switch {
	case r.small() == "hello":
	case rules.Asked(whom.actor.Talk, r.w.Open(whom.actor), words) >= 0:
		args.Text("topic", words)
	default:
		if known {
			return Meaning{}, false
		}
		return Meaning{Problem: r.shrug(whom).text}, true
	}
	m, bad := r.single("talk", args)
	if bad != nil {
		return Meaning{Problem: bad.text}, bad.text != ""
	}
	return m, true
}

// shrug is the answer of somebody who has nothing to say about what they are asked, with what they can be asked about.
func (r *reader) shrug(e *entity) *refusal {
	a, topics := e.actor, []string(nil)
	greeted := slices.ContainsFunc(a.Talk, func(t world.Talk) bool { return t.Said })
	for _, i := range r.w.Open(a) {
		if t := a.Talk[i]; t.Topic != "" && len(t.Keys) > 0 && !slices.Contains(topics, t.Topic) {
			topics = append(topics, t.Topic)
		}
	}
	switch {
	case len(topics) == 0:
		return r.because("shrug", e.name)
	case !greeted:
		return r.because("shrug.stranger", e.name)
	}
	return r.because("shrug.topics", e.name, r.listed(topics))
}

// met returns who of those that are elsewhere is meant by tokens, if the party has spoken with them and was where they are.
func (r *reader) met(list []token) (found *world.Actor) {
	for _, a := range r.w.Actors() {
		place := r.w.Place(a.Place)
		spoken := slices.ContainsFunc(a.Talk, func(t world.Talk) bool { return t.Said })
		if !spoken || place == nil || !place.Visited || place.ID == r.actor.Place || r.ours(a) {
			continue
		}
		e := &entity{kind: person, name: a.Name, actor: a}
		if r.names(list, a.Name) <= beginning && !called(texts(list), e.described()) {
			continue
		}
		if found != nil {
			return nil
		}
		found = a
	}
	return found
}

// seek goes to somebody who was met elsewhere. Who is here has been found.
func (r *reader) seek(list []token) (m Meaning, bad *refusal, found bool) {
	if some := r.best(list, nil, person); len(some) == 1 {
		return m, r.because("beside", some[0].name), r.options.Alone
	}
	a := r.met(list)
	if a == nil {
		return m, nil, false
	}
	m, bad = r.journey(r.w.Place(a.Place))
	return m, bad, true
}

// locate says where somebody is who is not here, or shows who or what is.
func (r *reader) locate() (Meaning, *refusal) {
	p := r.phrase(1)
	if far := r.known(p); far != nil {
		return Meaning{}, r.because("leads", rules.Called(far.Name, far.ID))
	}
	e, bad := r.need(1, near|carried|held|person|myself)
	if bad != nil {
		return Meaning{}, bad
	}
	return r.single("look", rules.NewObj().Text("target_id", e.id))
}

// refuseIdle answers what changes nothing: pushing a table, eating a lamp.
func (r *reader) refuseIdle() (Meaning, *refusal) {
	e, bad := r.need(1, near|carried|person|held)
	if bad != nil {
		return Meaning{}, bad
	}
	return Meaning{}, r.because("idle", e.name)
}

// unfit says of something that is here that this cannot be done with it.
func (r *reader) unfit(some []*entity) *refusal {
	if !r.options.Alone {
		return unplain()
	}
	e := some[0]
	if e.kind == held {
		return r.because("theirs", e.name, rules.Called(e.actor.Name, e.actor.ID))
	}
	r.guess = wild
	return r.because("unfit", e.name)
}

// scenery says of what descriptions here speak of, and what is no thing of its own, that it is nothing more.
func (r *reader) scenery(list []token) *refusal {
	strange := func(t token) bool { return t.text != "of" && r.odd([]token{t}) }
	if !r.options.Alone || len(list) > 5 || r.said.question || slices.ContainsFunc(list, strange) {
		return unplain()
	}
	r.guess = wild
	spoken := r.said.raw[list[0].from:list[len(list)-1].to]
	if r.described(list) {
		return r.because("scenery", spoken)
	}
	for e := range r.visible(near|carried, nil) {
		if mentions(e.thing.Desc, list[len(list)-1].text) && !isHan(list[0].text) {
			return r.because("scenery", spoken)
		}
	}
	return unplain()
}

// mentions reports whether a text has a word in it, in any form.
func mentions(text, word string) bool {
	return slices.ContainsFunc(tokens(text).tokens, func(t token) bool { return akin(word, t.text) })
}

// first says that what was said up to tokens has to be done before it is known what the rest means, and offers it.
func (r *reader) first(m Meaning, rest []token) (Meaning, bool) {
	if !r.options.Alone || len(m.Calls) == 0 || len(m.Calls) > MostCalls {
		return Meaning{}, false
	}
	end := 0
	for _, t := range r.said.tokens {
		if t.from < rest[0].from && r.table.leading("join", []token{t}) == 0 {
			end = t.to
		}
	}
	label := r.said.raw[:end]
	return Meaning{Problem: r.text("first", label), Options: []Option{{Label: label, Calls: m.Calls}}}, true
}

// unpolite takes out words between two commas that say nothing: прочти, пожалуйста, письмо; and -ка from what ends so.
func (r *reader) unpolite() {
	list := r.said.tokens
	for i := 0; i < len(list); i++ {
		if isCyrillic(list[i].text) {
			list[i].text = strings.TrimSuffix(list[i].text, "-ка")
		}
		if i == 0 || i+1 == len(list) || list[i].gap != comma || list[i+1].gap != comma {
			continue
		}
		for _, t := range r.langs {
			if t.leading("polite", list[i:i+1]) == 1 {
				list[i+1].gap = noGap
				list = slices.Delete(list, i, i+1)
				break
			}
		}
	}
	r.said.tokens = list
}

// trimmed returns tokens without the polite words at their beginning, or else at their end, if anything else is left. Who listens
// alone does without words for how something is done, too.
func (r *reader) trimmed(list []token) []token {
	for _, key := range [...]string{"", ".alone"} {
		if key != "" && !r.options.Alone {
			break
		}
		if n := r.table.leading("lead"+key, list); n > 0 && n < len(list) {
			return list[n:]
		} else if n = r.table.trailing("tail"+key, list); n > 0 && n < len(list) {
			return list[:len(list)-n]
		}
	}
	return list
}
