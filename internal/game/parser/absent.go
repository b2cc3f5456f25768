package parser

import (
	"slices"
	"strings"
)

// refuseAbsent answers a name of nothing in sight, if the tokens can be nothing but a name.
func (r *reader) refuseAbsent(list []token, masks []kind) *refusal {
	mask := union(masks)
	if r.vague && !r.options.Alone || r.input.quoted {
		return notPlain()
	}
	others := slices.DeleteFunc(r.findBest(list, nil, ^mask&^way), func(e *entity) bool { return e.thing != nil && !r.namesKind(list, e) })
	if len(others) > 0 {
		if mask == carried && slices.ContainsFunc(others, func(e *entity) bool { return e.kind&(near|held) != 0 }) {
			return r.refuse("mine", others[0].name)
		}
		return r.refuseUnfit(others)
	}
	if !r.options.Alone && len(r.findBest(list, nil, way&^mask)) > 0 {
		return notPlain()
	}
	noun := false // the well is no adverb
	if r.options.Alone && len(r.listeners()) > 0 && r.table.leading("yours", list) > 0 {
		return notPlain() // it is asked about by somebody to whom it belongs
	}
	if n := r.table.leading("article", list); n > 0 && n < len(list) {
		noun = len(list) == n+1 && !isHan(list[n].text)
		if r.table.is("indefinite", list[:n]) && !r.options.Alone {
			return notPlain()
		}
		list = list[n:]
	}
	if n := r.table.leading("measure", list[1:]); n > 0 && n+1 < len(list) && r.table.which("num.", list[:1]) != "" {
		if rest := list[n+1:]; r.options.Alone && r.mentionsHere(rest) {
			list = rest // 一块蓝瓷砖
		}
	}
	if line := r.scenery(list); line != "" && r.options.Alone {
		r.guessScenery()
		return &refusal{text: line}
	}
	if mask&person != 0 {
		if a := r.findMet(list); a != nil {
			return r.refuse("elsewhere", a.Name, r.w.Place(a.Place).Name)
		}
		if a := r.findHeardOf(list); a != nil {
			return r.refuse("heard", a.Name)
		}
	}
	if bad := r.refuseModified(list, masks); bad != nil {
		return bad
	}
	if line := r.partOfPerson(list); line != "" {
		r.guess = wild
		return &refusal{text: line}
	}
	if here := r.sight().place; !noun && !r.mayBeName(list) || noun && r.mentionsHere(list) || here != nil && r.is(list, here.Name) {
		return r.refuseScenery(list)
	}
	if r.options.Alone && masks[0]&near != 0 && len(list) == 1 && r.reachesFor() && r.partOfThing(list, near) != "" {
		return r.refuseScenery(list)
	}
	r.guess = absent
	last := r.tokens[len(r.tokens)-1]
	if n := r.table.leading("article", list); n == len(list) || isHan(list[0].text) && list[0].to < last.to && (r.endsOpen(list) || len(list) == 1 && !r.endsClosed(list)) {
		r.guess = wild // it is the beginning of a longer name more often
	}
	spoken := r.input.raw[list[0].from:list[len(list)-1].to]
	if r.unknown = spoken; len(list) == 1 && isHan(spoken) && r.endsClosed(list) {
		r.unknown = r.input.raw // one character is hardly a name
	}
	if masks[0] == carried {
		return r.refuse("mine", spoken)
	}
	return r.refuse("absent", spoken)
}

// endsOpen reports whether a slot for whatever is done begins right behind tokens: where the one ends is not said.
func (r *reader) endsOpen(list []token) bool {
	rest := r.slots[3]
	return rest.to > rest.from && r.tokens[rest.from].from == list[len(list)-1].to
}

// endsClosed reports whether tokens are all of a slot, behind which a word of the command stands.
func (r *reader) endsClosed(list []token) bool {
	closed := false
	for _, s := range r.slots {
		if s.to == s.from {
			continue
		}
		if r.tokens[s.from].from == list[len(list)-1].to {
			return false
		}
		closed = closed || s.to < len(r.tokens) && r.tokens[s.from].from == list[0].from && r.tokens[s.to-1].to == list[len(list)-1].to
	}
	return closed
}

// mayBeName reports whether tokens that name nothing here may be a name all the same: a few words
// that are nothing else, that the description of the place does not mention, and that are not the
// name of something with other words behind it.
func (r *reader) mayBeName(list []token) bool {
	limit := 3
	if isHan(list[0].text) {
		limit = 5
	}
	if len(list) > limit {
		return false
	}
	for i, t := range list {
		adverb := len(t.text) > 4 && strings.HasSuffix(t.text, "ly")
		if i > 0 && t.gap != noGap || r.isOdd(list[i:]) || adverb || t.text[0] >= '0' && t.text[0] <= '9' {
			return false
		}
	}
	last := list[len(list)-1]
	if r.mentionsHere(list) {
		return false
	}
	for _, e := range r.sight().list {
		words := e.words()
		if r.options.Alone && isHan(last.text) {
			break // of Chinese most characters are a part of something else as well
		}
		related := func(word string) bool {
			return slices.ContainsFunc(words, func(n string) bool { return akin(word, n) })
		}
		if !related(last.text) && slices.ContainsFunc(list[:len(list)-1], func(t token) bool { return related(t.text) }) {
			return false
		}
	}
	return true
}

// isOdd reports whether tokens begin with a word that is part of no name. Those of phrases such as take heart are, where no
// model knows the phrase.
func (r *reader) isOdd(list []token) bool {
	return r.table.leading("odd", list) > 0 || r.table.leading("join", list) > 0 || !r.options.Alone && r.table.leading("idiom", list) > 0
}
