package parser

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// whom returns the person that a slot names. An empty slot means the person who was named just before, or the only one
// here.
func (r *reader) whom(slot int) (*entity, *refusal) {
	if r.isGiven(slot) {
		return r.need(slot, person)
	}
	some := r.listeners()
	e := r.onlyOrLatest(some)
	switch {
	case len(some) == 0:
		return nil, notPlain()
	case e == nil:
		return nil, &refusal{many: some, slot: slot}
	}
	r.named = e
	return e, nil
}

// other is whom for acts on people outside of the party. A Chinese name must not go on behind the slot.
func (r *reader) other(slot int) (*entity, *refusal) {
	e, bad := r.whom(slot)
	if len(r.phrase(slot)) > 0 && (bad != nil || r.isOurs(e.actor)) {
		theirs, no := r.needWhere(slot, func(e *entity) bool { return !r.isOurs(e.actor) }, person)
		if no == nil {
			e, bad = theirs, nil
		}
	}
	if bad != nil {
		return nil, bad
	}
	if r.goesOn(slot) {
		return nil, notPlain()
	}
	if at := r.slots[slot]; r.forced[slot] == nil && at.to > at.from && at.to < len(r.tokens) && isHan(r.tokens[at.to].text) {
		if fitPart(texts(r.tokens[at.from:at.to+1]), e.words()) > noFit {
			return nil, notPlain()
		}
	}
	return e, nil
}

// listeners returns the people here who do not belong to the party.
func (r *reader) listeners() []*entity {
	return slices.Collect(r.visible(person, func(e *entity) bool { return !r.isOurs(e.actor) }))
}

// mostWord is the longest phrase without a verb that counts as speech. In Chinese it is twice as long.
const mostWord = 3

// sayWord says a phrase without a verb aloud.
func (r *reader) sayWord() (Meaning, *refusal) {
	p := r.phrase(2)
	if len(p) > mostWord && !isHan(p[0].text) || len(p) > 2*mostWord || r.options.NoModel && isHan(p[0].text) && r.commandsPart(p) {
		return Meaning{}, notPlain()
	}
	return r.say()
}

// say says words to the named person, or to the one here who has a line on them.
func (r *reader) say() (m Meaning, bad *refusal) {
	p := r.phrase(2)
	if r.isNoSpeech(p) {
		return m, notPlain()
	}
	spokenTo, bad := r.addressee(p)
	if bad != nil {
		return m, bad
	}
	some := r.listeners()
	hello := r.options.NoModel && r.table.which("small.", p) == "hello" && r.book.Tool("talk") != nil
	if hello && spokenTo == nil {
		spokenTo = r.onlyOrLatest(some)
	}
	if spokenTo != nil {
		some = []*entity{spokenTo}
		if hello {
			r.named = spokenTo
			return r.talkTo(spokenTo, "")
		}
	}
	words := joinTokens(p)
	some = slices.DeleteFunc(some, func(e *entity) bool { return r.topicOf(e, words) < 0 })
	if bad = r.refuseUnheard(spokenTo, some); bad != nil {
		return m, bad
	}
	r.named = some[0]
	return r.talkTo(some[0], words)
}

// isNoSpeech reports whether words cannot only be speech.
func (r *reader) isNoSpeech(p []token) bool {
	whom := r.phrase(1)
	long := len(p) > mostTopic && !isHan(p[0].text) || len(p) > mostHanTopic
	hidesWhom := len(whom) == 0 && !isHan(p[0].text) && !r.input.quoted && r.hasOdd(p)
	asks := len(whom) > 0 && r.table.leading("asking", whom) > 0 // "ask what he knows"
	return long && !r.options.NoModel || hidesWhom || asks
}

// addressee returns the person whom slot 1 or the words name; nil for nobody.
func (r *reader) addressee(p []token) (e *entity, bad *refusal) {
	if !r.isGiven(1) {
		if !r.options.NoModel {
			return nil, nil
		}
		if e = r.onlyNamed(p); e == nil {
			bad = r.refuseAway(p)
		}
		return e, bad
	}
	e, bad = r.need(1, person)
	switch whom := r.phrase(1); {
	case r.goesOn(1), bad != nil && r.isOnlyEpithet(whom):
		e, bad = nil, notPlain()
	case bad == nil:
	case len(bad.many) == 0 && isHan(p[0].text) && r.slots[1].to == r.slots[2].from && !r.table.is("them", whom):
		bad = notPlain() // nothing says where the name ends: it may be none
	case len(bad.many) > 1 && r.options.NoModel && r.table.is("somebody", whom):
		bad = notPlain() // "ask everybody to stay"
	}
	return e, bad
}

// isOnlyEpithet reports whether tokens are the beginning of a name and no name: "the old".
func (r *reader) isOnlyEpithet(list []token) bool {
	list = list[r.table.leading("article", list):]
	return len(list) == 0 || r.table.leading("epithet", list) == len(list)
}

// refuseUnheard answers words on which nobody, or more than one, has a line; nil if one person has.
func (r *reader) refuseUnheard(spokenTo *entity, some []*entity) *refusal {
	all, alone := r.listeners(), r.options.NoModel
	switch {
	case r.book.Tool("talk") == nil:
		return notPlain()
	case len(all) == 0 && alone && r.input.quoted && !r.verbless:
		return r.refuse("nobody")
	case len(some) > 1:
		return &refusal{many: some, slot: 1}
	case len(some) == 1:
		return nil
	case spokenTo != nil && alone:
		bad := r.refuseTopic(spokenTo)
		bad.done = len(r.phrase(1)) > 0
		return bad
	case len(all) == 1 && alone && !r.verbless:
		r.guess = wild // it may be no speech
		return r.refuseTopic(all[0])
	}
	return notPlain()
}

// kindle puts a carried thing where a quest wants it: fire into an oven.
func (r *reader) kindle() (m Meaning, bad *refusal) {
	var into *entity
	if len(r.phrase(1)) == 0 { // "light a fire"
		into = r.hearth()
	} else if into, bad = r.need(1, near, carried); bad != nil {
		return m, bad
	}
	if into == nil {
		return m, notPlain()
	}
	for _, q := range r.w.Quests() {
		for _, o := range q.Objectives {
			for _, t := range world.Condition(q.When[o]).Terms() {
				if t.Not || len(t.Words) != 3 || t.Words[0] != "in" || t.Words[2] != into.id || into.shut() {
					continue
				}
				switch thing := r.w.Thing(t.Words[1]); {
				case thing == nil || thing.Hidden:
				case thing.Parent == r.actor.ID:
					return r.moveTo([]*entity{{kind: carried, id: thing.ID, thing: thing}}, into.id, "", 0)
				case thing.Parent == into.id && r.options.NoModel:
					return m, r.refuse("there", rules.NameOrID(thing.Name, thing.ID), into.name)
				}
			}
		}
	}
	switch {
	case !r.options.NoModel:
		return m, notPlain()
	case into.kind == carried: // it may be burning
		bad := r.refuseAs([]string{into.id + ".no"}, "unlit", into.name)
		bad.idle = true
		return m, bad
	}
	return m, r.refuse("cold")
}

// hearth returns the only fixed thing here in which an objective wants something, or nil.
func (r *reader) hearth() *entity {
	some := slices.Collect(r.visible(near, func(e *entity) bool {
		return !loose(e.thing) && r.isWanted("in", "", e.id)
	}))
	if len(some) != 1 {
		return nil
	}
	return some[0]
}

// kindleWith lights one thing with another, where a quest wants the one in the other. Nothing else burns.
func (r *reader) kindleWith() (m Meaning, bad *refusal) {
	into, bad := r.need(2, near|carried)
	if bad != nil {
		return m, bad
	}
	e, bad := r.hand()
	if bad != nil {
		return m, bad
	}
	if !r.options.NoModel || r.isWanted("in", e.id, into.id) {
		return r.put(world.In, nil)
	}
	if r.slots[2].to == r.slots[1].from {
		r.guess = wild // a Russian adjective and its noun may be read as two things
	}
	return m, r.refuse("unfit", e.name)
}

// pry opens something with what the actor has.
func (r *reader) pry() (m Meaning, bad *refusal) {
	e, bad := r.openable(1)
	if bad != nil {
		return m, bad
	}
	_, now, key := r.lockOf(e)
	if r.options.NoModel && e.kind == way && (now == world.ClosedDoor || now == world.OpenDoor) {
		r.guess = wild
		return m, r.refuse("state."+now, e.name)
	}
	if now != world.LockedDoor || !r.options.NoModel && (key == "" || !r.w.Carries(r.actor.ID, key)) {
		return m, notPlain()
	}
	return r.turnEntity(e, world.OpenDoor)
}

// pryWith opens something with a tool that is its key. It answers for things that cannot be opened at all.
func (r *reader) pryWith() (m Meaning, bad *refusal) {
	if e, bad := r.need(2, near|person); bad == nil && r.options.NoModel && r.doorOf(e) == nil && !e.holdsThings() {
		if _, bad = r.need(1, carried, near); bad != nil {
			return m, bad
		}
		r.named = e
		return m, r.refuseIdleWith(e)
	}
	return r.turnWithKey(world.OpenDoor)
}

// A description often begins with another name of the person or thing: "the baker", "a red coal". It is among its first
// words, before the first mark.
const (
	calledWords = 8
	calledHan   = 16
)

// findAlias finds what tokens name by the first words of its description.
func (r *reader) findAlias(list []token, fits func(*entity) bool, mask kind) []*entity {
	list = r.withoutArticle(list)
	words := texts(list)
	if len(list) > 1 && slices.ContainsFunc(list, func(t token) bool { return r.table.is("them", []token{t}) || r.table.is("me", []token{t}) }) {
		return nil // "her the shawl" is no name
	}
	if !isHan(words[0]) {
		words = slices.DeleteFunc(words, func(word string) bool {
			one := []token{{text: word}}
			return r.isOdd(one) || r.table.leading("article", one) > 0
		})
	}
	if n := len(list) - 1; n > 1 && mask&person != 0 && isHan(list[0].text) && r.table.is("somebody", list[n:]) {
		words = words[:n] // 灰衣人 is somebody who is 穿灰衣的
	}
	if len(words) == 0 || len(words) > 3 && !isHan(words[0]) || isHan(words[0]) && len(words) < 2 {
		return nil
	}
	return slices.DeleteFunc(slices.Collect(r.visible(mask, fits)), func(e *entity) bool {
		words, first := r.withoutGender(words, e), r.firstWords(e)
		if fitsDescription(words, first) || r.namesOrigin(words, e) {
			return false
		}
		named := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return fit([]string{word}, e.bareWords()) > beginning })
		return isHan(list[0].text) || len(named) == 0 || len(named) == len(words) || !fitsDescription(named, first) // "a live ember" is a live coal
	})
}

// firstWords returns the first words of an entity's description; of a person without their origin.
func (r *reader) firstWords(e *entity) []string {
	first, _ := r.splitOrigin(e)
	return first
}

// splitOrigin returns the first words of an entity's description, and apart from them, for a person, whom or what they
// belong to: an agent of the wool house is no house.
func (r *reader) splitOrigin(e *entity) (first, origin []string) {
	desc := ""
	switch {
	case e.thing != nil:
		desc = e.thing.Desc
	case e.kind == person:
		desc = e.actor.Desc
	case e.kind == way:
		desc = e.desc
	}
	words := opening(desc)
	from := slices.Index(words, "of") + 1
	if len(words) > 0 && isCyrillic(words[0]) {
		from = kindIn(words) + 1 // a genitive stands behind its noun
	}
	if e.kind != person {
		at := slices.IndexFunc(words, func(word string) bool {
			return !isHan(word) && word != "of" && (r.isOdd([]token{{text: word}}) || r.table.leading("modifier", []token{{text: word}}) > 0)
		})
		if at < 0 {
			at = len(words)
		}
		return words[:at], nil // a bowl at the edge of the shaft is no shaft, and what is as long as a hand is no hand
	}
	if from == 0 {
		return words, nil
	}
	to := from
	for to < len(words) && !r.isOdd([]token{{text: words[to]}}) {
		to++
	}
	return slices.Concat(words[:from], words[to:]), words[from:to]
}

// namesOrigin reports whether words name a person by their origin and something else: "the agent of the wool house".
func (r *reader) namesOrigin(words []string, e *entity) bool {
	first, origin := r.splitOrigin(e)
	return len(origin) > 0 && fitsDescription(words, slices.Concat(first, origin)) &&
		slices.ContainsFunc(words, func(word string) bool { return fitsDescription([]string{word}, first) })
}

// opening returns the first words of a description, up to its first mark.
func opening(desc string) []string {
	if i := strings.IndexAny(desc, ",.;:!?—(\"“«，。；：！？（"); i >= 0 {
		desc = desc[:i]
	}
	list := texts(tokens(desc).tokens)
	if len(list) > 0 && isHan(list[0]) {
		return list[:min(len(list), calledHan)]
	}
	return list[:min(len(list), calledWords)]
}

// fitsDescription reports whether all words are among others in any form, or in Chinese, in a row.
func fitsDescription(words, among []string) bool {
	if isHan(words[0]) {
		return fitPart(words, among) >= someWords
	}
	return !slices.ContainsFunc(words, func(word string) bool {
		return len(word) < 3 || !slices.ContainsFunc(among, func(n string) bool { return spelling.Akin(word, n) })
	})
}
