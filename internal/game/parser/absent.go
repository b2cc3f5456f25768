package parser

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/spelling"
)

// refuseAbsent answers tokens that name nothing in sight, if they can only be a name.
func (r *reader) refuseAbsent(list []token, masks []kind) *refusal {
	if r.input.quoted || r.vague && !r.options.NoModel {
		return notPlain()
	}
	if bad := r.refuseOtherKind(list, union(masks)); bad != nil {
		return bad
	}
	if r.options.NoModel {
		return r.refuseAbsentNoModel(list, masks)
	}
	return r.refuseSurelyAbsent(list, masks)
}

// refuseSurelyAbsent is refuseAbsent for a game with a model, which gets everything that may not be a name.
func (r *reader) refuseSurelyAbsent(list []token, masks []kind) *refusal {
	mask, bare := union(masks), r.withoutArticle(list)
	if len(r.findBest(list, nil, way&^mask)) > 0 || r.table.is("indefinite", list[:len(list)-len(bare)]) {
		return notPlain()
	}
	if bad := r.refuseElsewhere(bare, mask); bad != nil {
		return bad
	}
	if r.isNoName(bare, isNoun(list, bare)) {
		return notPlain()
	}
	return r.refuseName(bare, masks[0])
}

// refuseAbsentNoModel is refuseAbsent for a game without a model.
func (r *reader) refuseAbsentNoModel(list []token, masks []kind) *refusal {
	if len(r.listeners()) > 0 && r.table.leading("yours", list) > 0 {
		return notPlain() // it belongs to the person who is asked
	}
	if len(list) > 1 && r.table.is("them", list[:1]) && len(r.listeners()) == 0 {
		return r.refuse("nobody") // "her clock"
	}
	bare := r.withoutArticle(list)
	noun := isNoun(list, bare)
	bare = r.withoutMeasure(bare)
	if line := r.scenery(bare); line != "" {
		r.guessScenery()
		return r.refuseMere(line)
	}
	if bad := r.refuseElsewhere(bare, union(masks)); bad != nil {
		return bad
	}
	if bad := r.refuseModified(bare, masks); bad != nil {
		return bad
	}
	if line := r.partOfPerson(bare); line != "" {
		r.guess = wild
		return &refusal{text: line}
	}
	if whose := r.ownerOf(list); whose != nil && r.reachesFor() && r.key != "examine" && (!r.table.is("them", list[:1]) || r.table.leading("whose", list) > 0) {
		return r.refuse("awake", whose.name) // "steal his bag"
	}
	part := masks[0]&near != 0 && (len(bare) == 1 || isHan(bare[0].text)) && r.reachesFor() && r.partOfThing(bare, near) != ""
	if part || r.isNoName(bare, noun) {
		return r.refuseScenery(bare)
	}
	if r.table.is("bounds", bare) && r.reachesFor() { // no tale tells of each floor
		r.guess = absent
		return r.refuseMere(r.text("bounds", r.spoken(bare)))
	}
	if bad := r.refuseSeen(bare, union(masks)); bad != nil {
		return bad
	}
	if weather := r.w.Self().Weather; r.key == "examine" && weather != "" && r.table.is("skies", bare) {
		return r.refuseMere(r.text("weather", weather))
	}
	r.sought = union(masks)
	return r.refuseName(bare, masks[0])
}

// refuseSeen answers a name of something, or of a place, that the party has seen elsewhere; nil if it is none.
func (r *reader) refuseSeen(list []token, mask kind) *refusal {
	if mask&near == 0 || len(list) > mostNoun && !isHan(list[0].text) {
		return nil
	}
	var found, at string
	for _, p := range r.w.Places() {
		if !p.Visited || p.ID == r.actor.Place {
			continue
		}
		for _, t := range story.VisibleInside(r.w, p.ID, 6) {
			if e := (&entity{kind: near, id: t.ID, name: t.Name, thing: t.Thing}); !r.namesKind(list, e) {
				continue
			}
			if found != "" {
				return nil // neither of two
			}
			found, at = t.Name, p.Name
		}
	}
	switch far := r.findKnown(list); {
	case found != "":
		r.guess = absent
		return r.refuse("seen", found, at)
	case far != nil && r.fitName(list, far.Name) > beginning && slices.Contains([]string{"examine", "search", "search.look"}, r.key):
		r.guess = absent
		return r.refuse("leads", rules.NameOrID(far.Name, far.ID))
	}
	return nil
}

// refuseOtherKind answers tokens that name something here with which the command does not work; nil if they name nothing
// here.
func (r *reader) refuseOtherKind(list []token, mask kind) *refusal {
	others := slices.DeleteFunc(r.findBest(list, nil, ^mask&^way), func(e *entity) bool { return e.thing != nil && !r.namesKind(list, e) })
	switch {
	case len(others) == 0:
		return nil
	case mask == carried && slices.ContainsFunc(others, func(e *entity) bool { return e.kind&(near|held) != 0 }):
		return r.refuse("mine", others[0].name)
	}
	return r.refuseUnfit(others)
}

// refuseElsewhere answers the name of a person who is known to be elsewhere; nil for all other tokens.
func (r *reader) refuseElsewhere(list []token, mask kind) *refusal {
	if mask&person == 0 {
		return nil
	}
	if a := r.findMet(list); a != nil {
		return r.refuse("elsewhere", a.Name, r.w.Place(a.Place).Name)
	}
	if a := r.findHeardOf(list); a != nil {
		return r.refuse("heard", a.Name)
	}
	return nil
}

// isNoun reports whether tokens are an article and one word: "the well" is a noun, "well" may be an adverb.
func isNoun(list, bare []token) bool {
	return len(list) > 1 && len(bare) == 1 && !isHan(bare[0].text)
}

// withoutMeasure removes a number and its measure word from tokens, if the text of the place mentions the rest: 一块蓝瓷砖.
func (r *reader) withoutMeasure(list []token) []token {
	n := r.table.leading("measure", list[1:])
	if n == 0 || n+1 >= len(list) || r.table.which("num.", list[:1]) == "" || !r.mentionsHere(list[n+1:]) {
		return list
	}
	return list[n+1:]
}

// isNoName reports whether tokens are the name of no thing: they name the place or its scenery, or are no noun.
func (r *reader) isNoName(list []token, noun bool) bool {
	if here := r.sight().place; here != nil && r.is(list, here.Name) {
		return true
	}
	if noun {
		return r.mentionsHere(list)
	}
	return !r.mayBeName(list)
}

// refuseName answers that nothing here has this name.
func (r *reader) refuseName(list []token, mask kind) *refusal {
	spoken := r.spoken(list)
	r.guess, r.unknown = absent, spoken
	goesOn := isHan(list[0].text) && list[0].to < r.tokens[len(r.tokens)-1].to && (r.endsOpen(list) || len(list) == 1 && !r.endsClosed(list))
	if goesOn || r.table.leading("article", list) == len(list) {
		r.guess = wild // it is more often the beginning of a longer name
	}
	if len(list) == 1 && isHan(spoken) && r.endsClosed(list) {
		r.unknown = r.input.raw // one character is hardly a name
	}
	return r.refuse(absence([]kind{mask}), spoken)
}

// absence returns the key of the answer to a name that nothing of these kinds has.
func absence(masks []kind) string {
	if masks[0] == carried {
		return "mine"
	}
	return "absent"
}

// endsOpen reports whether slot 3, which takes any words, begins right behind tokens: nothing says where the name ends.
func (r *reader) endsOpen(list []token) bool {
	rest := r.slots[3]
	return rest.to > rest.from && r.tokens[rest.from].from == list[len(list)-1].to
}

// endsClosed reports whether tokens fill a slot and a word of the command stands behind them: the name ends there.
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

// mayBeName reports whether tokens that name nothing here may still be a name: they are few, each may be part of a name,
// the text of the place does not mention them, and they do not begin with the name of something here.
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
	last, others := list[len(list)-1], r.isOthersKin(list)
	if r.mentionsHere(list) {
		return false
	}
	for _, e := range r.sight().list {
		words := e.words()
		if r.options.NoModel && isHan(last.text) {
			break // most Chinese characters are a part of other words too
		}
		related := func(word string) bool {
			return slices.ContainsFunc(words, func(n string) bool { return spelling.Akin(word, n) })
		}
		if !related(last.text) && slices.ContainsFunc(list[:len(list)-1], func(t token) bool { return !others && related(t.text) }) {
			return false
		}
	}
	return true
}

// hasOdd reports whether a word of tokens is part of no name: see [reader.isOdd].
func (r *reader) hasOdd(list []token) bool {
	return slices.ContainsFunc(list, func(t token) bool { return r.isOdd([]token{t}) })
}

// isOdd reports whether tokens begin with a word that no name has. In a game with a model that includes the words of
// idioms, such as "heart" in "take heart".
func (r *reader) isOdd(list []token) bool {
	return r.table.leading("odd", list) > 0 || r.table.leading("join", list) > 0 || !r.options.NoModel && r.table.leading("idiom", list) > 0
}
