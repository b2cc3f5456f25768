package parser

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// guess says how likely it is that a problem comes from a misread command.
type guess uint8

const (
	sound  guess = iota // it was read right
	absent              // words name nothing here; in Chinese, a name may begin or end elsewhere
	wild                // what is named is here, but the command makes no sense with it
)

// readWithoutModel reads input that is no command, or a command that cannot be done, in a game without a model: small
// talk, a question to somebody here, or a remark.
func (r *reader) readWithoutModel(m Meaning, ok bool) (Meaning, bool) {
	switch what := r.smallTalk(); {
	case ok && (what != "gesture" || r.guess != absent): // 叫喊 is no call to anybody
	case what == "hello" && len(r.listeners()) > 0:
		r.slots, r.forced, r.input.question = [4]span{}, [4]*entity{}, false
		return r.judge("talk")
	case what != "":
		return Meaning{Problem: r.text("small." + what)}, true
	}
	if ok && r.asked { // only the person who was asked answers
		return m, true
	}
	if one, asked := r.readQuestion(ok); asked || ok {
		if asked {
			return one, true
		}
		return m, true
	}
	if m, ok = r.readRemark(); ok {
		return m, ok
	}
	return r.readStatement()
}

// readQuestion reads a question to the person who is addressed, was named last, or is the only one here. With known, it
// counts only if the person has an answer.
func (r *reader) readQuestion(known bool) (m Meaning, ok bool) {
	if r.input.quoted || r.input.odd || r.book.Tool("talk") == nil {
		return m, false
	}
	asking := r.isAsking()
	whom := r.takeAddressee()
	if whom == nil {
		if bad := r.refuseForeign(false); bad != nil {
			return Meaning{Problem: bad.text}, true
		}
		if asking {
			whom = r.onlyOrLatest(r.listeners())
		}
		if whom != nil && !known && !r.leads("indirect", r.input.tokens) && r.speaksOf(whom, r.input.tokens[:1]) && r.topicOf(whom, joinTokens(r.input.tokens)) < 0 {
			return r.lookAtListener() // 她在撒谎吗
		}
	}
	switch {
	case whom == nil && asking && !known:
		if m, ok = r.lookAtAsked(); ok {
			return m, ok
		}
		return Meaning{Problem: r.refuseUnasked().text}, true
	case whom == nil:
		return m, false
	}
	return r.putTo(whom, known)
}

// askWhoCanTell puts a question such as "what happened?" to the only person here who has a line on it.
func (r *reader) askWhoCanTell() (m Meaning, ok bool) {
	words := joinTokens(r.input.tokens)
	some := slices.DeleteFunc(r.listeners(), func(e *entity) bool { return r.freeTopicOf(e, words) < 0 })
	if !r.isAsking() || len(some) != 1 || r.book.Tool("talk") == nil {
		return m, false
	}
	r.named = some[0]
	m, bad := r.talkTo(some[0], words)
	return m, bad == nil
}

// isAsking reports whether the input is a question, with or without a question mark.
func (r *reader) isAsking() bool {
	return r.input.question || slices.ContainsFunc(r.langs, func(t table) bool {
		asks := t.leading("asking", r.input.tokens) > 0
		for i := range r.input.tokens {
			asks = asks || t.leading("asking.in", r.input.tokens[i:]) > 0
		}
		return asks
	})
}

// lookAtAsked answers a question, where nobody is here to answer it, with the description of what it is about: "are there
// any pears left?" A question why or where something is has no such answer.
func (r *reader) lookAtAsked() (m Meaning, ok bool) {
	list := r.input.tokens
	if !r.input.question || len(list) > 2*mostMention || len(r.listeners()) > 0 {
		return m, false
	}
	for _, r.table = range r.langs {
		if n := r.table.leading("lead.alone", list); r.table.leading("asking.why", list[n%len(list):]) > 0 {
			return m, false
		}
		for n := mostNoun; n > 0; n-- {
			for from := 0; from+n <= len(list); from++ {
				name := list[from : from+n]
				if r.isOdd(name) {
					continue
				}
				if line := r.scenery(name); line != "" {
					return Meaning{Problem: line, Done: true}, true
				}
				if some := r.findBest(name, nil, near|carried); len(some) == 1 && r.namesKind(name, some[0]) {
					m, bad := r.look(some[0])
					return m, bad == nil
				}
			}
		}
		if slices.ContainsFunc(list, func(t token) bool { return r.table.leading("yours", []token{t}) > 0 }) {
			continue // "is this your shawl?"
		}
		isIt := func(t token) bool {
			return !isHan(t.text) && r.table.is("it", []token{t}) && !r.table.is("them", []token{t})
		}
		if e := r.latestThing(slices.Collect(r.visible(near|carried, nil))); e != nil && slices.ContainsFunc(list, isIt) {
			m, bad := r.look(e) // what is it for?
			return m, bad == nil
		}
	}
	return m, false
}

// refuseTopic answers for a person who has no line on a topic. It lists the topics that they know.
func (r *reader) refuseTopic(e *entity) *refusal {
	greeted := slices.ContainsFunc(e.actor.Talk, func(t world.Talk) bool { return t.Said })
	topics, shrug := r.topicsIn(e.actor), r.beat(e.id+".shrug")
	switch {
	case shrug != "" && len(topics) > 0 && greeted:
		return &refusal{text: r.text("bracket", shrug, r.joinNames(topics))}
	case shrug != "" && greeted:
		return &refusal{text: shrug}
	case len(topics) == 0:
		return r.refuse("shrug", e.name)
	case !greeted:
		return r.refuse("shrug.stranger", e.name)
	}
	return r.refuse("shrug.topics", e.name, r.joinNames(topics))
}

// findMet returns the person elsewhere whom tokens name, if the party was at their place.
func (r *reader) findMet(list []token) *world.Actor {
	return r.findElsewhere(list, func(a *world.Actor, at *world.Place) bool { return at.Visited })
}

// findHeardOf returns the person elsewhere whom tokens name, if the party has read or heard the name.
func (r *reader) findHeardOf(list []token) *world.Actor {
	if !r.options.NoModel {
		return nil
	}
	return r.findElsewhere(list, func(a *world.Actor, _ *world.Place) bool {
		return r.fitName(list, a.Name) > beginning && r.isHeardOf(a)
	})
}

// isHeardOf reports whether the party has seen, read or heard a person's name.
func (r *reader) isHeardOf(a *world.Actor) bool {
	name := texts(r.withoutArticle(tokens(a.Name).tokens))
	names := func(text string) bool {
		if len(name) == 0 || text == "" {
			return false
		}
		if isHan(name[0]) {
			return strings.Contains(text, strings.Join(name, ""))
		}
		return mentions(text, name[len(name)-1])
	}
	for _, p := range r.w.Places() {
		if p.Visited && (names(p.Desc) || names(p.Situation)) || (p.Visited || r.isGlimpsed(p)) && names(p.Name) {
			return true
		}
	}
	read := func(id string) bool {
		return slices.ContainsFunc(story.VisibleInside(r.w, id, 6), func(t story.VisibleThing) bool { return names(t.Desc) })
	}
	if read(r.actor.ID) || slices.ContainsFunc(r.w.Places(), func(p *world.Place) bool { return p.Visited && read(p.ID) }) {
		return true
	}
	for _, who := range r.w.Actors() {
		if slices.ContainsFunc(who.Talk, func(t world.Talk) bool { return t.Said && (names(t.Text) || names(t.Topic)) }) {
			return true
		}
	}
	return slices.ContainsFunc(r.w.Quests(), func(q *world.Quest) bool {
		return q.State == world.Active && slices.ContainsFunc(append([]string{q.Title}, q.Objectives...), names)
	})
}

// findElsewhere returns the person elsewhere whom tokens name and who fits; nil for several.
func (r *reader) findElsewhere(list []token, fits func(*world.Actor, *world.Place) bool) (found *world.Actor) {
	for _, a := range r.w.Actors() {
		place := r.w.Place(a.Place)
		if place == nil || place.ID == r.actor.Place || r.isOurs(a) || !fits(a, place) {
			continue
		}
		e := &entity{kind: person, name: a.Name, actor: a}
		if r.table.leading("article", list) == len(list) || len(list) == 1 && r.isOdd(list) || r.fitName(list, a.Name) <= beginning && !fitsDescription(texts(list), r.firstWords(e)) {
			continue
		}
		if found != nil {
			return nil
		}
		found = a
	}
	return found
}

// beside returns the person here whom tokens name, or nil.
func (r *reader) beside(list []token) *entity {
	some := r.findBest(list, nil, person)
	if len(some) == 0 && r.options.NoModel {
		var is bool
		if some, is = r.pronoun(list, func(e *entity) bool { return !r.isOurs(e.actor) }, []kind{person}); !is {
			some = r.findAlias(list, nil, person)
		}
	}
	if len(some) != 1 {
		return nil
	}
	return some[0]
}

// seek goes to a person who was met elsewhere and is not here.
func (r *reader) seek(list []token) (m Meaning, bad *refusal, found bool) {
	away := r.namedAway(list)
	if e := r.beside(list); e != nil && (away == nil || len(r.withGender(list, []*entity{e})) > 0) {
		r.named = e
		return m, r.already("beside", e.name), r.options.NoModel
	}
	a := r.findMet(list)
	if a == nil {
		a = away
	}
	if a == nil {
		if a = r.findHeardOf(list); a == nil {
			return m, nil, false
		}
		if at := r.w.Place(a.Place); !r.isGlimpsed(at) || len(r.path(at.ID)) == 0 {
			return m, r.refuse("heard", a.Name), true
		}
	}
	m, bad = r.journey(r.w.Place(a.Place))
	return m, bad, true
}

// namedAway returns the person who was named last of those met elsewhere whom a pronoun can mean, in a game without a
// model.
func (r *reader) namedAway(list []token) *world.Actor {
	if !r.options.NoModel || !r.table.is("them", list) {
		return nil
	}
	for _, id := range slices.Concat(r.options.Named, r.options.Earlier) {
		a := r.w.Actor(id)
		if a == nil || r.isOurs(a) || a.Place == r.actor.Place || len(r.withGender(list, []*entity{{kind: person, id: id, name: a.Name, actor: a}})) == 0 {
			continue
		}
		if at := r.w.Place(a.Place); at != nil && at.Visited {
			return a
		}
	}
	return nil
}

// locate says where a person is who is elsewhere, or shows a thing that is here.
func (r *reader) locate() (Meaning, *refusal) {
	p := r.phrase(1)
	if far := r.findKnown(p); far != nil {
		return Meaning{}, r.refuse("leads", rules.NameOrID(far.Name, far.ID))
	}
	return r.lookAt(1)
}

// tellApart says who or what something is. A place that is named after a person is not meant.
func (r *reader) tellApart() (Meaning, *refusal) {
	if r.last == nil && r.table.is("it", r.phrase(1)) && !r.table.is("them", r.phrase(1)) {
		if m, ok := r.lookAtListener(); ok {
			return m, nil // "who is that?"
		}
	}
	if p := r.phrase(1); r.findKnown(p) != nil && r.is(p, r.findKnown(p).Name) {
		return r.locate()
	}
	e, bad := r.need(1, near|carried|held|person|myself)
	if bad == nil && e.thing != nil && !r.namesKind(r.phrase(1), e) || bad != nil && len(r.phrase(1)) > 1 && (r.guess == absent && len(r.listeners()) == 0 || isPredicate(r.phrase(1)[0].text)) {
		return Meaning{}, notPlain() // Oda's note does not say who Oda is; "who is staying here" is a question
	}
	return r.lookAt(1)
}

// isPredicate reports whether a word ends like an English participle, or like a Russian verb in the past.
func isPredicate(word string) bool {
	return len(word) > 5 && strings.HasSuffix(word, "ing") || isCyrillic(word) && len(word) > 6 && spelling.HasEnd(word, "ал", "ил", "ел", "ала", "ила", "ела", "али", "или", "ели", "ался", "алась")
}

// refuseIdle answers a command that changes nothing: to push a table, to eat a lamp.
func (r *reader) refuseIdle() (Meaning, *refusal) {
	p := r.phrase(1)
	if len(r.phrase(3)) > 0 {
		defer func() { // slot 3 may say anything about it
			if r.guess == sound {
				r.guess = wild
			}
		}()
	}
	e, bad := r.needWhere(1, func(e *entity) bool { // a pear-wood spoon is no tree to climb
		return e.kind == person || r.namesKind(p, e) || fit(texts(r.withoutArticle(p)), e.bareWords()) == noFit
	}, near|carried|person|held)
	if bad == nil {
		bad = r.refuseAim()
	}
	switch rest := r.slots[3]; {
	case bad != nil:
		return Meaning{}, r.askAmong(bad)
	case rest.to > rest.from && rest.from >= r.slots[1].to && e.kind != person:
		bad := r.refuse("partly", e.name) // slot 3 says what is done with it
		bad.part = true
		return Meaning{}, bad
	}
	return Meaning{}, r.refuseIdleWith(e)
}

// hasTarget reports whether slot 2 says what a thing is thrown or pointed at, or what it is pried off.
func (r *reader) hasTarget() bool {
	at := r.slots[2].from
	if len(r.phrase(2)) == 0 || at == 0 {
		return false
	}
	for _, key := range [...]string{"aiming", "prying"} {
		n := r.table.leading(key+".by", r.tokens[at-1:])
		if n == 0 && at > 1 {
			n = r.table.leading(key+".by", r.tokens[at-2:]) - 1
		}
		if n > 0 && r.table.leading(key, r.tokens) > 0 {
			return true
		}
	}
	return false
}

// refuseAim answers a name in slot 2 that nothing here has: there is no dragon to throw the lamp at. It returns nil for all
// others.
func (r *reader) refuseAim() *refusal {
	p := r.phrase(2)
	if !r.hasTarget() || r.table.is("bounds", p) || r.table.leading("indefinite", p) > 0 || r.table.is("them", p[:1]) {
		return nil // "its eyes" are a part of it
	}
	if doors, _ := r.doors(p); len(doors) > 0 {
		return nil
	}
	was := r.understanding
	if _, bad := r.need(2, near|carried|held|person|way); bad != nil && r.guess == absent && r.unknown != "" {
		return bad
	}
	r.understanding = was
	return nil
}

// askAmong asks which person is meant, where the command changes nothing for any of them.
func (r *reader) askAmong(bad *refusal) *refusal {
	if len(bad.many) < 2 || slices.ContainsFunc(bad.many, func(e *entity) bool { return e.kind != person }) {
		return bad
	}
	return r.refuse("incomplete", r.joinEntities(bad.many))
}

// askUse asks what a thing is to be used for.
func (r *reader) askUse() (Meaning, *refusal) {
	e, bad := r.need(1, carried|near, person|held)
	if bad == nil && e.kind == person {
		bad = r.refuseIdleWith(e)
	} else if bad == nil {
		bad = r.refuse("use", e.name)
	}
	return Meaning{}, bad
}

// refuseToEat answers a command to eat or drink something. It must name the kind of thing: a spoon of pear wood is no
// pear.
func (r *reader) refuseToEat() (Meaning, *refusal) {
	p := r.phrase(1)
	if r.smallTalk() == "drink" {
		return Meaning{}, notPlain()
	}
	e, bad := r.needWhere(1, func(e *entity) bool {
		return e.kind == person || r.table.is("it", p) || r.namesKind(p, e) || e.kind == carried && fitsDescription(texts(r.withoutArticle(p)), r.firstWords(e))
	}, near|carried|person|held)
	if bad == nil && e.kind == person {
		bad = r.refuseIdleWith(e)
	} else if bad == nil {
		bad = r.refuseAs([]string{e.id + ".no"}, "uneaten", e.name)
		bad.idle = true
	}
	return Meaning{}, bad
}

// refuseIdleWith answers that nothing comes of an act with this person or thing.
func (r *reader) refuseIdleWith(e *entity) *refusal {
	key := "idle"
	if e.kind == person {
		key = "idle.person"
	}
	bad := r.refuseAs([]string{e.id + ".no"}, key, e.name)
	bad.idle = true
	return bad
}

// refuseUnfit answers that the command does not work with what it names.
func (r *reader) refuseUnfit(some []*entity) *refusal {
	if !r.options.NoModel {
		return notPlain()
	}
	e := some[0]
	if e.kind == held {
		return r.refuse("theirs", e.name, rules.NameOrID(e.actor.Name, e.actor.ID))
	}
	r.guess = wild
	switch {
	case e.kind == person:
		return r.refuseAs([]string{e.id + ".no"}, "idle.person", e.name)
	case e.thing != nil && strings.HasPrefix(r.key, "talk"):
		return r.refuse("mute", e.name)
	}
	return r.refuseAs([]string{e.id + ".no"}, "unfit", e.name)
}

// refuseMere answers with what a part of the scene is. If the command only handles it, what follows is still done.
func (r *reader) refuseMere(text string) *refusal {
	return &refusal{text: text, idle: r.isIdle() || r.reachesFor() || r.key == "gesture" || r.key == "nod"}
}

// refuseScenery answers a name that a description mentions and that is no thing of its own.
func (r *reader) refuseScenery(list []token) *refusal {
	strange := func(t token) bool { return t.text != "of" && t.text != "的" && r.isOdd([]token{t}) }
	if len(list) == 1 && isHan(list[0].text) && r.endsOpen(list) {
		return notPlain() // it may be the first half of 蜡烛
	}
	if last := list[len(list)-1:]; !r.options.NoModel || len(list) > 5 || r.input.question || r.table.leading("article", last) > 0 || slices.ContainsFunc(list, strange) {
		return notPlain()
	}
	r.guess = wild
	spoken := r.spoken(list)
	if line := r.scenery(list); line != "" {
		r.guessScenery()
		return r.refuseMere(line)
	}
	if words := r.description(); r.key == "where" && slices.ContainsFunc(list, func(t token) bool { return !isHan(t.text) && !r.sharesWord([]token{t}, words) }) {
		return r.refuse("absent", spoken) // "the rain stone" is no stone face
	}
	if r.isIdle() && r.mentionsHere(list) && (len(list) > 1 || !isHan(list[0].text)) {
		if r.guessScenery(); !isHan(list[0].text) && !r.sharesWord(list[:1], r.description()) {
			r.guess = wild // "open the grating" is no name
		}
		return r.refuseMere(r.text("idle", spoken))
	}
	if here := r.sight().place; here != nil {
		if line := r.sentenceOf(here.Desc+" "+here.Situation, list); line != "" {
			return r.refuseMere(line)
		}
	}
	if line := r.partOfThing(list, near|carried|person); line != "" {
		return r.refuseMere(line)
	}
	if r.mentionsHere(list) {
		return r.refuseMere(r.text("scenery", spoken))
	}
	return notPlain()
}

// lastWord returns the last word of a name, or the last two characters of a Chinese one.
func lastWord(name []token) string {
	if n := len(name); n > 1 && isHan(name[n-1].text) {
		return name[n-2].text + name[n-1].text
	}
	return name[len(name)-1].text
}

// mentions reports whether a text has a word in any form.
func mentions(text, word string) bool {
	if isHan(word) {
		return strings.Contains(text, word)
	}
	return slices.ContainsFunc(tokens(text).tokens, func(t token) bool { return spelling.Akin(word, t.text) })
}
