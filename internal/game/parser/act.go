package parser

import (
	"bytes"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// act is what a command of the tables comes to.
func (r *reader) act(key string) (Meaning, *refusal) {
	if verb, ok := strings.CutPrefix(key, "what."); ok {
		return Meaning{}, r.what(verb)
	}
	switch key {
	case "direction", "go":
		return r.goes(key == "direction")
	case "out":
		return r.leaves()
	case "take", "take.from":
		return r.takes(key == "take.from")
	case "drop":
		return r.drops()
	case "put.in":
		return r.puts(world.In)
	case "put.on":
		return r.puts(world.On)
	case "give":
		return r.gives()
	case "show":
		return r.shows()
	case "wear":
		return r.wears()
	case "remove":
		return r.removes()
	case "open":
		return r.turns(world.OpenDoor)
	case "close":
		return r.turns(world.ClosedDoor)
	case "lock":
		return r.turns(world.LockedDoor)
	case "use":
		return r.uses(world.OpenDoor)
	case "lock.with":
		return r.uses(world.LockedDoor)
	case "search", "search.look":
		return r.searches(key == "search.look")
	case "search.here":
		return r.searchesHere()
	case "search.for":
		return r.searchesFor()
	}
	return r.actMore(key)
}

// actMore is act of what no object is moved by.
func (r *reader) actMore(key string) (Meaning, *refusal) {
	switch key {
	case "examine":
		return r.examines()
	case "talk", "talk.about":
		return r.talks(key == "talk.about")
	case "say":
		return r.says()
	case "back":
		return r.returns()
	case "word":
		if p := r.phrase(2); len(p) > mostWord && !isHan(p[0].text) || len(p) > 2*mostWord {
			return Meaning{}, unplain()
		}
		return r.says()
	case "bare":
		if e := r.forced[1]; e != nil {
			return r.travels(e)
		}
		return r.bare()
	case "where":
		return r.where()
	case "idle":
		return r.idles()
	case "kindle":
		return r.kindles()
	case "pry":
		return r.pries()
	case "attack", "attack.with":
		return r.attacks(key == "attack.with")
	case "next":
		return r.fights("next_turn")
	case "end":
		return r.fights("encounter_end")
	case "roll":
		return r.rolls()
	case "check", "check.hard":
		return r.checks(key == "check.hard")
	}
	return r.actLater(key)
}

// actLater is act of what takes time and no more.
func (r *reader) actLater(key string) (Meaning, *refusal) {
	switch key {
	case "wait":
		return r.waits()
	case "wait.minutes":
		return r.passes(r.spelled(1))
	case "wait.hours":
		return r.passes(60 * r.spelled(1))
	case "wait.half":
		return r.passes(30)
	case "wait.hour":
		return r.passes(60)
	case "wait.until":
		return r.until(either)
	case "wait.morning":
		return r.until(morning)
	case "wait.evening":
		return r.until(evening)
	case "rest.short", "rest.half":
		return r.single("rest", rules.NewObj().Text("kind", "short"))
	case "rest.long":
		return r.single("rest", rules.NewObj().Text("kind", "long"))
	case "rest.minutes":
		return r.rests(r.spelled(1))
	case "rest.hours":
		return r.rests(60 * r.spelled(1))
	}
	return Meaning{}, unplain()
}

// what answers a verb that stands alone.
func (r *reader) what(verb string) *refusal {
	switch verb {
	case "go":
		return r.whither()
	case "talk", "attack":
		if r.ear.Alone {
			return r.nothing("nobody", person)
		}
	case "drop":
		return r.nothing("bare", carried)
	case "take":
		return r.nothing("empty", near)
	}
	return r.incomplete()
}

// nothing is incomplete where only things of a kind are asked for.
func (r *reader) nothing(none string, of kind) *refusal {
	var names []string
	for _, e := range r.sight().list {
		if e.kind&of != 0 && len(names) < MostCalls && (e.thing == nil || loose(e.thing)) {
			names = append(names, e.name)
		}
	}
	if len(names) == 0 {
		return r.because(none)
	}
	return r.because("incomplete", r.listed(names))
}

// examines looks at something, or at the place.
func (r *reader) examines() (Meaning, *refusal) {
	p := r.phrase(1)
	if r.table.is("me", p) {
		if r.ear.Alone {
			return Meaning{Show: ShowSheet}, nil
		}
		return r.single("look", rules.NewObj().Text("target_id", r.actor.ID))
	}
	if here := r.sight().place; here != nil && r.is(p, here.Name) {
		return Meaning{Show: ShowLook}, nil
	}
	e, bad := r.need(1, near|carried|held|person|myself)
	if bad != nil {
		return Meaning{}, bad
	}
	return r.single("look", rules.NewObj().Text("target_id", e.id))
}

// The bounds of what can be asked about, in tokens.
const (
	mostTopic    = 6
	mostHanTopic = 16
)

// talks talks to somebody, about something or nothing in particular.
func (r *reader) talks(about bool) (m Meaning, bad *refusal) {
	if r.book.Tool("talk") == nil {
		return m, unplain()
	}
	e, bad := r.whom(1)
	if bad != nil {
		return m, bad
	}
	args := rules.NewObj().Text("npc_id", e.id)
	if about {
		topic, bad := r.topic(2, e.actor.Talk)
		if bad != nil {
			return m, bad
		}
		if r.ear.Alone && rules.Asked(e.actor.Talk, r.w.Open(e.actor), topic) < 0 {
			return m, r.shrugs(e)
		}
		args.Text("topic", topic)
	}
	return r.single("talk", args)
}

// topic returns what somebody is asked about: a few words that are no sentence, in the form in which they have something to say about it.
func (r *reader) topic(slot int, known []world.Talk) (string, *refusal) {
	p := r.phrase(slot)
	most := mostTopic
	if isHan(p[0].text) {
		most = mostHanTopic
	}
	if len(p) > most || r.said.quoted {
		return "", unplain()
	}
	for i, t := range p {
		if i > 0 && t.gap != noGap || r.table.leading("join", p[i:]) > 0 || r.table.leading("clause", p[i:]) > 0 {
			return "", unplain()
		}
	}
	if n := r.table.leading("article", p); n < len(p) {
		r.slots[slot].from += n
	}
	words := texts(r.phrase(slot))
	for _, talk := range known {
		for _, key := range append([]string{talk.Topic}, talk.Keys...) {
			if key != "" && fit(words, texts(tokens(key).tokens)) >= allWords {
				return key, nil
			}
		}
	}
	return r.spoken(slot), nil
}

// attacks attacks somebody, with the best weapon in hand unless one is named.
func (r *reader) attacks(armed bool) (m Meaning, bad *refusal) {
	e, bad := r.need(1, person)
	if bad != nil {
		return m, bad
	}
	switch {
	case !r.ear.Alone:
	case e.actor.State == world.Dead:
		return m, r.because("dead", e.name)
	case !e.actor.HP.Known && !e.actor.HPMax.Known:
		return m, r.because("idle", e.name) // nobody who has no hit points can be hurt
	}
	weapon := r.weapon()
	if armed {
		with, bad := r.need(2, carried)
		if bad != nil {
			return m, bad
		}
		weapon = with.id
	}
	if r.ours(e.actor) {
		return m, unplain() // friends come to blows only where a story is told of it
	}
	args := rules.NewObj().Text("attacker_id", r.actor.ID).Text("target_id", e.id)
	if weapon != "" {
		args.Text("weapon_id", weapon)
	}
	return r.single("attack", args)
}

// fights is a call that is made in a fight alone.
func (r *reader) fights(tool string) (Meaning, *refusal) {
	if r.w.Encounter() == nil {
		return Meaning{}, unplain()
	}
	return r.single(tool, rules.NewObj())
}

// rolls throws dice. Whether the expression is one is for the dice to say; here it only must not be words.
func (r *reader) rolls() (Meaning, *refusal) {
	from := 0
	if at := r.slots[1].from; at > 0 {
		from = r.tokens[at-1].to
	}
	expr := make([]byte, 0, 24)
	for _, c := range r.said.raw[from:] {
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
			return Meaning{}, unplain()
		}
		expr = append(expr, byte(c))
	}
	if die, digit := bytes.IndexByte(expr, 'd'), bytes.IndexAny(expr, "0123456789%"); die < 0 || digit < 0 {
		return Meaning{}, unplain()
	}
	return r.single("roll_dice", rules.NewObj().Text("expr", string(expr)))
}

// checks tries a skill, against a medium difficulty unless one is named.
func (r *reader) checks(hard bool) (Meaning, *refusal) {
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
		return Meaning{}, unplain()
	case !hard:
		args.Text("difficulty", "medium")
	default:
		level, dc := r.table.which("level.", r.phrase(2)), r.spelled(2)
		switch {
		case level != "":
			args.Text("difficulty", level)
		case dc > 0 && dc <= 40:
			args.Int("dc", dc)
		default:
			return Meaning{}, unplain()
		}
	}
	return r.single("skill_check", args)
}
