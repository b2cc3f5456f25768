package parser

import (
	"slices"
	"strings"

	"hob/internal/game/spelling"
)

// isIdle reports whether the command changes nothing and does not look.
func (r *reader) isIdle() bool {
	return slices.Contains([]string{"idle", "attack", "attack.with", "eat", "pry", "pry.with"}, r.key)
}

// guessScenery sets the guess for a command about scenery. To look at scenery, or to handle it in vain, is likely what
// was meant.
func (r *reader) guessScenery() {
	if r.guess = wild; r.isIdle() && !strings.HasPrefix(r.key, "attack") || slices.Contains([]string{"examine", "where", "who"}, r.key) {
		r.guess = sound
	}
}

// The longest verb that is not in the tables, in tokens.
const (
	mostVerb    = 1
	mostHanVerb = 3
)

// readUnknownVerb answers an unknown verb with the name of something here: nothing comes of it. It leaves words that may
// be a name or a topic.
func (r *reader) readUnknownVerb(tokens []token) (m Meaning, ok bool) {
	if r.input.question || r.input.quoted || r.input.odd {
		return m, false
	}
	for _, r.table = range r.langs {
		list := r.withoutPolite(tokens)
		most := mostVerb
		if isHan(list[0].text) {
			most = mostHanVerb
		}
		if len(list) > most+mostTopic || r.mayBeNamed(list) {
			continue
		}
		for n := 1; n <= most && n < len(list); n++ {
			if n+1 < len(list) && !isHan(list[n].text) && r.isOdd(list[n:n+1]) && !r.table.is("them", list[n:n+1]) {
				list = list[1:] // "breathe on the mushrooms"
			}
			if m, ok = r.tryOn(list[n:]); ok {
				return m, ok
			}
		}
	}
	return m, false
}

// readStrangeVerb answers an unknown verb before a noun that names nothing here: "lean over the rail". It needs an
// English noun with an article, or a Russian infinitive.
func (r *reader) readStrangeVerb(tokens []token) (m Meaning, ok bool) {
	if r.input.question || r.input.quoted || r.input.odd || len(r.joints()) != 1 {
		return m, false
	}
	for _, r.table = range r.langs {
		list := r.withoutPolite(tokens)
		rest := list[1:]
		if len(rest) > 1 && r.isOdd(rest[:1]) {
			rest = rest[1:] // "over"
		}
		if at := slices.IndexFunc(rest, func(t token) bool { return r.isOdd([]token{t}) }); isInfinitive(list[0].text) && at > 0 && at+1 < len(rest) {
			rest = rest[at+1:] // провести рукой по стене
		}
		noun := r.withoutArticle(rest)
		names := isInfinitive(list[0].text) || len(noun) < len(rest) && !isHan(list[0].text)
		if r.mayBeNamed(list) {
			continue
		}
		if m, ok = r.readMentioned(list); ok {
			return m, ok
		}
		if !names || len(noun) == 0 || len(noun) > mostWord || r.hasOdd(noun) {
			continue
		}
		r.tokens = list
		bad := r.refuseAbsent(rest, []kind{near | carried | person})
		return bad.meaning()
	}
	return m, false
}

// isInfinitive reports whether a word ends like a Russian infinitive.
func isInfinitive(word string) bool {
	return isCyrillic(word) && spelling.HasEnd(word, "ть", "ться", "ти", "тись", "чь")
}

// readBareName looks at what tokens name: "oven".
func (r *reader) readBareName(tokens []token) (m Meaning, ok bool) {
	if r.input.question || r.input.quoted || r.input.odd {
		return m, false
	}
	for _, r.table = range r.langs {
		if some := r.findBest(tokens, nil, near|carried); len(some) == 1 && r.namesKind(tokens, some[0]) {
			m, bad := r.look(some[0])
			return m, bad == nil
		} else if line := r.scenery(tokens); line != "" && len(some) == 0 {
			return Meaning{Problem: line, Done: true}, true
		}
	}
	return m, false
}

// mayBeNamed reports whether tokens may not begin with a verb: they, or their first word, are a name or a topic, or they
// ask something.
func (r *reader) mayBeNamed(list []token) bool {
	first := list[:1]
	if r.isOdd(first) || r.table.leading("article", first) > 0 || r.table.leading("asking", list) > 0 {
		return true
	}
	if len(r.findBest(list, nil, ^kind(0))) > 0 || r.scenery(list) != "" || !isHan(list[0].text) && len(r.findBest(first, nil, ^kind(0))) > 0 {
		return true
	}
	for _, e := range r.listeners() {
		if !isHan(first[0].text) && r.topicOf(e, first[0].text) >= 0 {
			return true
		}
		for _, i := range r.w.OpenTalk(e.actor) {
			t := e.actor.Talk[i]
			if slices.ContainsFunc(append([]string{t.Topic}, t.Keys...), func(key string) bool { return key != "" && r.is(list, key) }) {
				return true
			}
		}
	}
	return false
}

// tryOn answers that nothing comes of an unknown verb with what tokens name.
func (r *reader) tryOn(list []token) (m Meaning, ok bool) {
	if list = r.withoutArticle(list); isHan(list[0].text) && len(list) < 2 {
		return m, false
	}
	if m, ok = r.fumbleWith(list, near|carried|held|person); ok {
		return m, ok
	}
	if r.table.is("them", list) { // she is nobody here, although the text of the place has a she
		bad := r.refuse("nobody")
		return Meaning{Problem: bad.text}, len(r.listeners()) == 0
	}
	if len(list) > 2 && !isHan(list[0].text) || !r.mentionsHere(list) || r.hasOdd(list) {
		return m, false
	}
	return Meaning{Problem: r.text("idle", r.spoken(list)), Idle: true}, true
}

// fumbleWith answers that nothing comes of an act with an entity of some kinds that tokens name, or with what a pronoun
// means.
func (r *reader) fumbleWith(list []token, mask kind) (m Meaning, ok bool) {
	other := func(e *entity) bool { return e.kind != person || !r.isOurs(e.actor) }
	if r.table.is("you", list) {
		return m, false // "I miss you" is said, and nothing is done
	}
	some, isPronoun := r.pronoun(list, other, []kind{near | carried | held | person})
	if !isPronoun {
		some = slices.DeleteFunc(r.findBest(list, other, mask), func(e *entity) bool {
			return e.kind != person && !r.namesKind(list, e)
		})
	}
	if len(some) == 1 {
		r.named = some[0]
		return Meaning{Problem: r.refuseIdleWith(some[0]).text, Idle: true}, true
	}
	line := r.scenery(list)
	return Meaning{Problem: line, Idle: true}, line != "" && !isPronoun
}

// The longest sentence that is searched for names, and the longest name in it, in tokens.
const (
	mostMention = 7
	mostNoun    = 4
)

// readMentioned answers a sentence that means nothing else with the longest name in it of something here. It says that
// only the name was understood.
func (r *reader) readMentioned(list []token) (m Meaning, ok bool) {
	most := mostMention
	if isHan(list[0].text) {
		most = 2 * mostMention
	}
	if len(list) > most {
		return m, false
	}
	for n := min(mostNoun, len(list)-1); n > 0; n-- {
		for from := 1; from+n <= len(list); from++ {
			name := list[from : from+n]
			if n > 1 && r.isOdd(name) {
				continue // "for the spear"
			}
			if m, ok = r.fumbleWith(name, near|carried|held); ok && (from > 1 || r.named == nil || r.named.kind != person) {
				m.Partly, m.Idle, m.Problem = true, false, r.text("partly", r.spoken(name))
			}
			if ok {
				return m, ok
			}
		}
	}
	return m, false
}

// refuseAway answers Chinese words that begin with the name of a person elsewhere. Nobody here answers for them.
func (r *reader) refuseAway(list []token) *refusal {
	if !isHan(list[0].text) {
		return nil
	}
	for n := len(list) - 1; n > 1; n-- {
		name := list[:n]
		if r.verbless && list[n].gap == noGap {
			continue // it may be a name, or what is asked about
		}
		if len(r.findBest(name, nil, person)) > 0 {
			return nil
		}
		if bad := r.refuseElsewhere(name, person); bad != nil {
			r.asked = true
			return bad
		}
	}
	return nil
}

// lookAtListener describes the person here, who was asked who they are.
func (r *reader) lookAtListener() (m Meaning, ok bool) {
	e := r.onlyOrLatest(r.listeners())
	if e == nil {
		return m, false
	}
	m, bad := r.look(e)
	return m, bad == nil
}
