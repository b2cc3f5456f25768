package parser

import (
	"bytes"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// action is a command of the tables and its function.
type action struct {
	key string
	run func(*reader) (Meaning, *refusal)
}

// actions returns the commands of the tables.
func actions() []action {
	return []action{
		{"direction", (*reader).followDirection},
		{"go", (*reader).goTo},
		{"go.into", (*reader).goInto},
		{"past", (*reader).goPast},
		{"home", (*reader).goHome},
		{"out", (*reader).leave},
		{"back", (*reader).goBack},
		{"bare", (*reader).goToName},
		{"take", func(r *reader) (Meaning, *refusal) { return r.take(false) }},
		{"take.all", func(r *reader) (Meaning, *refusal) { return r.takeAllOf(func(*entity) bool { return true }) }},
		{"take.but", func(r *reader) (Meaning, *refusal) { return r.allBut(r.takeAllOf) }},
		{"take.from", func(r *reader) (Meaning, *refusal) { return r.take(true) }},
		{"drop", (*reader).drop},
		{"leave", (*reader).leaveHere},
		{"drop.but", func(r *reader) (Meaning, *refusal) { return r.allBut(r.dropAll) }},
		{"put.in", func(r *reader) (Meaning, *refusal) { return r.put(world.In, nil) }},
		{"put.on", func(r *reader) (Meaning, *refusal) { return r.put(world.On, nil) }},
		{"put.but", func(r *reader) (Meaning, *refusal) {
			return r.allBut(func(fits func(*entity) bool) (Meaning, *refusal) { return r.put(world.In, fits) })
		}},
		{"give", (*reader).give},
		{"give.last", (*reader).giveLast},
		{"carry", (*reader).carry},
		{"carry.home", (*reader).carryHome},
		{"show", (*reader).showTo},
		{"steal", (*reader).steal},
		{"tell", (*reader).tell},
		{"thank", func(r *reader) (Meaning, *refusal) { return r.courtesy("thanked") }},
		{"sorry", func(r *reader) (Meaning, *refusal) { return r.courtesy("forgiven") }},
		{"comfort", func(r *reader) (Meaning, *refusal) { return r.courtesy("told") }},
		{"part", func(r *reader) (Meaning, *refusal) { return r.courtesy("parted") }},
		{"follow", func(r *reader) (Meaning, *refusal) { return r.courtesy("followed") }},
		{"wear", (*reader).wear},
		{"remove", (*reader).takeOff},
		{"open", func(r *reader) (Meaning, *refusal) { return r.turn(world.OpenDoor) }},
		{"close", func(r *reader) (Meaning, *refusal) { return r.turn(world.ClosedDoor) }},
		{"lock", func(r *reader) (Meaning, *refusal) { return r.turn(world.LockedDoor) }},
		{"use", (*reader).use},
		{"pry.with", (*reader).pryWith},
		{"lock.with", func(r *reader) (Meaning, *refusal) { return r.turnWithKey(world.LockedDoor) }},
		{"pry", (*reader).pry},
		{"kindle", (*reader).kindle},
		{"kindle.with", (*reader).kindleWith},
		{"idle", (*reader).refuseIdle},
		{"gesture", (*reader).gesture},
		{"nod", (*reader).gesture},
		{"touch", (*reader).touch},
		{"eat", (*reader).refuseToEat},
		{"use.on", (*reader).askUse},
		{"search", func(r *reader) (Meaning, *refusal) { return r.search(false) }},
		{"leaf", (*reader).leaf},
		{"search.look", func(r *reader) (Meaning, *refusal) { return r.search(true) }},
		{"search.here", (*reader).searchHere},
		{"search.for", (*reader).searchFor},
		{"examine", (*reader).examine},
		{"approach", (*reader).approach},
		{"where", (*reader).locate},
		{"inside", (*reader).lookInside},
		{"weather", (*reader).tellWeather},
		{"who", (*reader).tellApart},
		{"talk", func(r *reader) (Meaning, *refusal) { return r.talk(false) }},
		{"talk.about", func(r *reader) (Meaning, *refusal) { return r.talk(true) }},
		{"say", (*reader).say},
		{"beg", (*reader).beg},
		{"accuse", (*reader).accuse},
		{"aid", (*reader).aid},
		{"word", (*reader).sayWord},
		{"attack", func(r *reader) (Meaning, *refusal) { return r.attack(false) }},
		{"attack.with", func(r *reader) (Meaning, *refusal) { return r.attack(true) }},
		{"swing", (*reader).swing},
		{"next", func(r *reader) (Meaning, *refusal) { return r.callInFight("next_turn") }},
		{"end", func(r *reader) (Meaning, *refusal) { return r.callInFight("encounter_end") }},
		{"roll", (*reader).rollDice},
		{"roll.one", func(r *reader) (Meaning, *refusal) { return r.throwAny("1d6") }},
		{"roll.two", func(r *reader) (Meaning, *refusal) { return r.throwAny("2d6") }},
		{"check", func(r *reader) (Meaning, *refusal) { return r.checkSkill(false) }},
		{"check.hard", func(r *reader) (Meaning, *refusal) { return r.checkSkill(true) }},
		{"wait", (*reader).wait},
		{"wait.minutes", func(r *reader) (Meaning, *refusal) { return r.passTime(r.numberIn(1)) }},
		{"wait.hours", func(r *reader) (Meaning, *refusal) { return r.passTime(hourly * r.numberIn(1)) }},
		{"wait.half", func(r *reader) (Meaning, *refusal) { return r.passTime(hourly / 2) }},
		{"wait.hour", func(r *reader) (Meaning, *refusal) { return r.passTime(hourly) }},
		{"wait.until", func(r *reader) (Meaning, *refusal) { return r.waitUntil(either) }},
		{"wait.morning", func(r *reader) (Meaning, *refusal) { return r.waitUntil(morning) }},
		{"wait.evening", func(r *reader) (Meaning, *refusal) { return r.waitUntil(evening) }},
		{"rest.short", func(r *reader) (Meaning, *refusal) { return r.rest(hourly) }},
		{"rest.half", func(r *reader) (Meaning, *refusal) { return r.rest(hourly) }},
		{"rest.long", func(r *reader) (Meaning, *refusal) { return r.rest(8 * hourly) }},
		{"rest.minutes", func(r *reader) (Meaning, *refusal) { return r.rest(r.numberIn(1)) }},
		{"rest.hours", func(r *reader) (Meaning, *refusal) { return r.rest(hourly * r.numberIn(1)) }},
		{"what.go", (*reader).goSomewhere},
		{"flee", (*reader).flee},
		{"exits", func(r *reader) (Meaning, *refusal) { return Meaning{}, r.nameExits("exits") }},
		{"exits.dir", (*reader).nameExitsTowards},
		{"what.talk", (*reader).askWhom},
		{"what.attack", (*reader).attackEnemy},
		{"what.drop", func(r *reader) (Meaning, *refusal) { return r.askWhich("bare", carried) }},
		{"what.take", func(r *reader) (Meaning, *refusal) { return r.askWhich("empty", near) }},
	}
}

// act runs the command of a key. A verb without an object gets a question.
func (r *reader) act(key string) (Meaning, *refusal) {
	for _, a := range r.actions {
		if a.key == key {
			return a.run(r)
		}
	}
	if strings.HasPrefix(key, "what.") {
		if m, ok := r.withLast(); ok {
			return m, nil
		}
		return Meaning{}, r.refuseIncomplete()
	}
	return Meaning{}, notPlain()
}

// withLast does with the thing that was named before in the line what a verb without an object says: 拿眼镜然后戴上.
func (r *reader) withLast() (m Meaning, ok bool) {
	if !r.options.NoModel || r.last == nil || r.last.thing == nil {
		return m, false
	}
	it, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(r.table.word("it")), "("), "|")
	last := r.tokens[len(r.tokens)-1]
	at, list := *r, slices.Clone(r.tokens)
	for _, t := range tokens(it).tokens {
		list = append(list, token{text: t.text, from: last.to, to: last.to})
	}
	m, ok = at.readVerb(list)
	return m, ok && len(m.Calls) > 0
}

// askWhom answers a verb that needs a person and has none.
func (r *reader) askWhom() (Meaning, *refusal) {
	if !r.options.NoModel {
		return Meaning{}, r.refuseIncomplete()
	}
	return r.askWhich("nobody", person)
}

// attackEnemy attacks the only enemy here, for a verb without an object.
func (r *reader) attackEnemy() (Meaning, *refusal) {
	enemies := slices.Collect(r.visible(person, func(e *entity) bool {
		return e.actor.Role == "monster" && !r.isOurs(e.actor) && rules.CanAct(e.actor) && canBeHurt(e)
	}))
	for range r.visible(person, func(e *entity) bool { return e.actor.Role == "monster" && !rules.CanAct(e.actor) }) {
		if len(enemies) == 0 && r.options.NoModel {
			return Meaning{}, r.refuse("peace")
		}
	}
	if len(enemies) != 1 || !r.options.NoModel {
		return r.askWhom()
	}
	r.forced[1] = enemies[0]
	return r.attack(false)
}

// askWhich answers a verb that needs a thing of some kinds and has none. If there is no such thing in sight, the answer
// has the key none.
func (r *reader) askWhich(none string, of kind) (Meaning, *refusal) {
	list := slices.Collect(r.visible(of, func(e *entity) bool { return e.thing == nil || loose(e.thing) }))
	if len(list) == 0 {
		return Meaning{}, r.refuse(none)
	}
	return Meaning{}, r.refuse("incomplete", r.joinEntities(list[:min(len(list), MostCalls)]))
}

// examine looks at something, or at the place.
func (r *reader) examine() (Meaning, *refusal) {
	p := r.phrase(1)
	if r.table.is("me", p) {
		if r.options.NoModel {
			return Meaning{Show: ShowSheet}, nil
		}
		return r.oneCall("look", rules.NewObj().Text("target_id", r.actor.ID))
	}
	if here := r.sight().place; here != nil && r.is(p, here.Name) {
		return Meaning{Show: ShowLook}, nil
	}
	m, bad := r.lookAt(1)
	if here := r.sight().place; bad != nil && r.guess == absent && r.options.NoModel && here != nil && r.fitName(p, here.Name) > beginning {
		return Meaning{Show: ShowLook}, nil // "the orchard" in Oda's Orchard
	}
	if line := r.doorLines(p); bad != nil && line != "" {
		r.guess = sound
		return Meaning{Problem: line, Done: true}, nil
	}
	genitive := func(t token) bool { return strings.HasSuffix(t.text, "'s") }
	if bad == nil || len(bad.many) > 0 || len(p) > mostWord && (!isHan(p[0].text) || len(p) > 2*mostWord) || isCyrillic(p[0].text) || r.guess != absent && !slices.ContainsFunc(p, genitive) {
		return m, bad
	}
	if whose := r.ownerOf(p); whose != nil { // who looks at his shoes looks at him
		r.guess = sound
		return r.look(whose)
	}
	return m, bad
}

// approach looks at the thing that somebody steps up to.
func (r *reader) approach() (Meaning, *refusal) {
	e, bad := r.need(1, near)
	if bad != nil || !r.options.NoModel {
		return Meaning{}, notPlain()
	}
	return r.look(e)
}

// doorLines returns a line on the state of each door that tokens name; "" if they name no door.
func (r *reader) doorLines(list []token) string {
	if !r.options.NoModel || len(list) == 0 {
		return ""
	}
	doors, _ := r.doors(list)
	lines := make([]string, 0, len(doors))
	for _, e := range doors {
		if state := e.link.Door; state != world.NoDoor {
			lines = append(lines, r.text("state."+state, e.name))
		}
	}
	return strings.Join(lines, "\n")
}

// tellWeather says what the weather is like.
func (r *reader) tellWeather() (m Meaning, bad *refusal) {
	weather := r.w.Self().Weather
	if weather == "" {
		return m, notPlain()
	}
	return Meaning{Problem: r.text("weather", weather), Done: true}, nil
}

// lookAt looks at what a slot names.
func (r *reader) lookAt(slot int) (Meaning, *refusal) {
	e, bad := r.need(slot, near|carried|held|person|myself)
	if bad != nil {
		if line := r.scenery(r.phrase(slot)); line != "" { // in a game with a model, too
			return Meaning{Problem: line, Done: true}, nil
		}
		bad.done = r.mentionsHere(r.phrase(slot))
		return Meaning{}, bad
	}
	if p := r.phrase(slot); r.options.NoModel && e.thing != nil && len(p) > 0 && r.forced[slot] == nil && !r.table.is("it", p) && !slices.ContainsFunc(p, func(t token) bool { return r.namesKind([]token{t}, e) }) {
		if line := r.scenery(p); line != "" {
			return Meaning{Problem: line, Done: true}, nil // goats are no goat bell
		}
	}
	return r.look(e)
}

// The bounds of a topic, in tokens.
const (
	mostTopic    = 6
	mostHanTopic = 16
)

// talk talks to somebody, about something or nothing in particular.
func (r *reader) talk(about bool) (m Meaning, bad *refusal) {
	if r.book.Tool("talk") == nil {
		return m, notPlain()
	}
	if p := r.phrase(1); len(p) > 0 && r.table.leading("asking", p) > 0 && !r.table.is("you", p) {
		return m, notPlain() // "ask where he is"
	}
	e, bad := r.other(1)
	if bad != nil {
		if bad.text != "" && r.guess == absent && !isHan(r.tokens[0].text) {
			r.asked = true // nobody else answers for the miller's wife
		}
		return m, bad
	}
	topic := ""
	if about {
		if topic, bad = r.topic(2, e.actor.Talk); bad != nil {
			return m, bad
		}
		if r.options.NoModel && r.topicOf(e, topic) < 0 {
			r.asked = r.isGiven(1)
			return m, r.refuseTopic(e).settled()
		}
	}
	return r.talkTo(e, topic)
}

// topicOf returns the index of the person's line that words ask for, -1 for none.
func (r *reader) topicOf(e *entity, words string) int {
	return rules.FindTopic(e.actor.Talk, r.w.OpenTalk(e.actor), words)
}

// freeTopicOf is topicOf for lines without a check: nobody throws dice who has not asked for it.
func (r *reader) freeTopicOf(e *entity, words string) int {
	at := r.topicOf(e, words)
	if at >= 0 && e.actor.Talk[at].Skill != "" && !e.actor.Talk[at].Said {
		return -1
	}
	return at
}

// talkTo talks to somebody, about a topic or nothing in particular.
func (r *reader) talkTo(e *entity, topic string) (Meaning, *refusal) {
	args := rules.NewObj().Text("npc_id", e.id)
	if topic != "" {
		args.Text("topic", topic)
	}
	return r.oneCall("talk", args)
}

// topic returns what a person is asked about: a few words that are no sentence. If one of the person's lines has such a
// topic, it has the form of that line.
func (r *reader) topic(slot int, known []world.Talk) (string, *refusal) {
	p := r.phrase(slot)
	most := mostTopic
	if isHan(p[0].text) {
		most = mostHanTopic
	}
	if len(p) > most || r.input.quoted {
		return "", notPlain()
	}
	for i, t := range p {
		if i > 0 && t.gap != noGap || r.table.leading("join", p[i:]) > 0 || r.table.leading("clause", p[i:]) > 0 {
			return "", notPlain()
		}
	}
	r.slots[slot].from += len(p) - len(r.withoutArticle(p))
	if key := r.keyOf(r.phrase(slot), known); key != "" {
		return key, nil
	}
	return r.textOf(slot), nil
}

// keyOf returns the topic or key of one of a person's lines that has the words of tokens and no others, with or without an
// article; "" if there is none.
func (r *reader) keyOf(list []token, known []world.Talk) string {
	words := texts(list)
	for _, talk := range known {
		for _, key := range append([]string{talk.Topic}, talk.Keys...) {
			name := tokens(key).tokens
			if key != "" && (fit(words, texts(name)) >= allWords || fit(words, texts(r.withoutArticle(name))) >= allWords) {
				return key
			}
		}
	}
	return ""
}

// attack attacks somebody, with the best weapon in hand unless one is named.
func (r *reader) attack(armed bool) (m Meaning, bad *refusal) {
	e, bad := r.whom(1)
	if bad != nil && r.options.NoModel && !slices.ContainsFunc(bad.many, canBeHurt) {
		bad = r.askAmong(bad)
	}
	if bad != nil {
		return m, bad
	}
	switch {
	case !r.options.NoModel:
	case e.actor.State == world.Dead:
		return m, r.refuse("dead", e.name)
	case !canBeHurt(e):
		return m, r.refuseIdleWith(e) // without hit points nobody can be hurt
	}
	weapon := ""
	if best := rules.Weapon(r.w, r.actor.ID); best != nil {
		weapon = best.ID
	}
	if armed {
		with, bad := r.need(2, carried)
		if bad != nil {
			return m, bad
		}
		weapon = with.id
	}
	if r.isOurs(e.actor) {
		return m, notPlain() // only a model decides whether friends fight
	}
	args := rules.NewObj().Text("attacker_id", r.actor.ID).Text("target_id", e.id)
	if weapon != "" {
		args.Text("weapon_id", weapon)
	}
	return r.oneCall("attack", args)
}

// canBeHurt reports whether somebody has hit points.
func canBeHurt(e *entity) bool { return e.actor.HP.Known || e.actor.HPMax.Known }

// swing attacks somebody by swinging or throwing a carried thing at them. It is no command if the target cannot be hurt.
func (r *reader) swing() (m Meaning, bad *refusal) {
	if e, bad := r.whom(1); bad != nil || !canBeHurt(e) {
		return m, notPlain()
	}
	if _, bad := r.need(2, carried); bad != nil {
		return m, notPlain()
	}
	return r.attack(true)
}

// callInFight calls a tool that makes sense only in a fight.
func (r *reader) callInFight(tool string) (Meaning, *refusal) {
	if r.w.Encounter() == nil {
		return Meaning{}, notPlain()
	}
	return r.oneCall(tool, rules.NewObj())
}

// rollDice throws dice. The dice check the expression; here it is only told from words.
func (r *reader) rollDice() (Meaning, *refusal) {
	from, to := r.tokens[r.slots[1].from].from, r.tokens[len(r.tokens)-1].to
	for from > 0 && strings.IndexByte("(-", r.input.raw[from-1]) >= 0 {
		from--
	}
	for to < len(r.input.raw) && strings.IndexByte("!%)", r.input.raw[to]) >= 0 {
		to++
	}
	expr := make([]byte, 0, 24)
	for _, c := range r.input.raw[from:to] {
		switch c = fold(c); c {
		case 'д', 'к':
			c = 'd'
		case '×', 'х':
			c = '*'
		}
		if c == ' ' || c == '.' && len(expr) > 0 {
			continue
		}
		if !strings.ContainsRune("0123456789dkhlropmuxet+-*/%(),<>=!", c) || len(expr) > 100 {
			return Meaning{}, notPlain()
		}
		expr = append(expr, byte(c))
	}
	if die, digit := bytes.IndexByte(expr, 'd'), bytes.IndexAny(expr, "0123456789%"); die < 0 || digit < 0 {
		return Meaning{}, notPlain()
	}
	return r.throwDice(string(expr))
}

// throwAny throws dice for words that do not say which ones, unless the dice are part of the scene.
func (r *reader) throwAny(expr string) (Meaning, *refusal) {
	for from := range r.tokens {
		if r.options.NoModel && from > 0 && r.scenery(r.tokens[from:]) != "" {
			return Meaning{}, notPlain()
		}
	}
	return r.throwDice(expr)
}

// throwDice throws the dice of an expression.
func (r *reader) throwDice(expr string) (Meaning, *refusal) {
	return r.oneCall("roll_dice", rules.NewObj().Text("expr", expr))
}

// checkSkill tests a skill, against a medium difficulty unless one is named.
func (r *reader) checkSkill(hard bool) (Meaning, *refusal) {
	p := r.phrase(1)
	skill := r.table.which("skill.", p)
	if skill == "" && len(p) == 1 {
		if _, ok := r.actor.Stats[p[0].text]; ok {
			skill = p[0].text
		}
	}
	args := rules.NewObj().Text("actor_id", r.actor.ID).Text("skill", skill)
	switch {
	case skill == "":
		return Meaning{}, notPlain()
	case !hard:
		args.Text("difficulty", "medium")
	default:
		level, dc := r.table.which("level.", r.phrase(2)), r.numberIn(2)
		switch {
		case level != "":
			args.Text("difficulty", level)
		case dc > 0 && dc <= 40:
			args.Int("dc", dc)
		default:
			return Meaning{}, notPlain()
		}
	}
	return r.oneCall("skill_check", args)
}
