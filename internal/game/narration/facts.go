package narration

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/calendar"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Facts returns what happened, a sentence for each thing, in the turn's language: what was thrown and what of the calls was refused
// first, then what changed, in its order. Nothing that is hidden, secret or out of sight is in it. Who acted is "you".
func (t Turn) Facts() []string {
	list := []string{}
	for _, s := range t.gather(false).clean() {
		list = append(list, s.text)
	}
	return list
}

// facts are written here.
type facts struct {
	*digest
	words wording
	hush  *checker // of what must not be told; nil: one is made
	list  []sentence
	voice bool     // it is told with the words of the tale, and in turns of phrase that change
	recap bool     // it is summed up: who told of what, and not in which words
	steps []string // the places to which you went, by name
	doors []string // those of which was told, by the ids on both sides
}

// sentence is a fact with the key of its words. beat is what the tale says in its place.
type sentence struct {
	key, text, beat string
	loose           bool // the beat does not name what it is about
}

// gather reads a turn and writes its facts, with a voice or without.
func (t Turn) gather(voice bool) *facts { return t.digest().gather(voice) }

func (d *digest) gather(voice bool) *facts {
	f := &facts{digest: d, words: wordingOf(d.lang()), voice: voice}
	f.write()
	return f
}

func (f *facts) write() {
	for i := range f.Outcomes {
		f.outcome(&f.Outcomes[i], &f.results[i])
	}
	for _, e := range f.Events {
		f.event(e)
	}
	f.time()
}

// clean returns the facts once each, without those that say what must not be told.
func (f *facts) clean() (list []sentence) {
	c := cmp.Or(f.hush, newChecker(f.digest))
	for _, s := range f.list {
		s.beat = plain(s.beat, longestBeat)
		if s.text = plain(s.text, 400); s.text != "" && !slices.Contains(list, s) && !c.hushed(s.text+" "+s.beat) {
			list = append(list, s)
		}
	}
	return list
}

// longestBeat is how many runes of a tale's words for a moment are told.
const longestBeat = 800

// you reports whether an actor is the one who is told.
func (f *facts) you(actor string) bool { return f.hero != nil && f.hero.ID == actor }

// add adds a sentence of which the first name is an actor's.
func (f *facts) add(key, actor string, more ...string) {
	if f.you(actor) {
		if you := key + ".you"; f.words[you] != "" || f.voice && f.words["told."+you] != "" {
			key = you
		}
	}
	f.put(key, append([]string{f.actorName(f.words, actor)}, more...)...)
}

// put adds a sentence as it is.
func (f *facts) put(key string, args ...string) {
	f.list = append(f.list, sentence{key: key, text: f.say(key, args...)})
}

// beat has the last sentence told as the tale has it, if it has words for one of these moments.
func (f *facts) beat(ids ...string) {
	if len(f.list) == 0 {
		return
	}
	last := &f.list[len(f.list)-1]
	last.beat = f.After.TextOf(f.start(ids[0]), f.Recent, ids...)
	last.loose = strings.HasSuffix(ids[len(ids)-1], ".given") && f.After.Beat(ids[0]) == nil
}

// outcome tells what a call came to, as far as no event does.
func (f *facts) outcome(o *rules.Outcome, r *result) {
	if !o.OK() {
		if f.failedCheck(o) {
			return // the check before it tells that
		}
		if why := f.about(f.words, o); why != "" {
			f.put("refused.why", why)
		} else if o.Code == rules.RepeatIllegal {
			f.put("refused.again")
		} else if f.Book != nil && f.Book.Tool(o.Call.Tool) != nil && f.Book.Tool(o.Call.Tool).Class != rules.Reading {
			f.put("refused")
		}
		return
	}
	switch o.Call.Tool {
	case "skill_check":
		if r.Find != "" {
			f.search(o, r)
		} else if r.Total != nil && r.DC != nil {
			f.check(o, r)
		}
	case "attack":
		f.attack(o, r)
	case "opposed_check":
		f.opposed(r)
	case "roll_dice":
		if r.Total != nil {
			if why := plain(text(o, "reason"), 120); why != "" {
				f.put("roll.for", number(*r.Total), why)
			} else {
				f.put("roll", number(*r.Total))
			}
		}
	case "oracle":
		f.put("oracle."+r.Answer, plain(text(o, "question"), 200))
		if len(r.Twist) > 0 {
			f.put("oracle.twist", strings.Join(r.Twist, " / "))
		}
	case "encounter_start":
		names := make([]string, 0, len(r.Order))
		for _, one := range r.Order {
			names = append(names, f.actorName(f.words, one.Actor))
		}
		f.put("fight.begin", strings.Join(names, f.words["list"]))
	case "encounter_end":
		f.put("fight.end")
	case "next_turn":
		f.put("round", number(r.Round))
	case "talk":
		if r.Check != nil && (r.Check.Outcome == rules.Fail || r.Check.Outcome == rules.Fumble) {
			f.put("unsaid", f.actorName(f.words, text(o, "npc_id")))
		}
	case "rest":
		f.put("rest." + text(o, "kind"))
	}
}

// check tells a check: with a voice whether it came off.
func (f *facts) check(o *rules.Outcome, r *result) {
	who := text(o, "actor_id")
	f.add("check", who, f.skill(r.Skill), number(*r.Total), number(*r.DC), f.words["check."+r.Outcome])
	if last := &f.list[len(f.list)-1]; f.voice && f.you(who) {
		last.key = "check." + map[bool]string{true: "fail", false: "success"}[r.Outcome == rules.Fail || r.Outcome == rules.Fumble]
		last.text = f.say(last.key)
	}
}

// text returns an argument of a call.
func text(o *rules.Outcome, name string) string {
	var args map[string]json.RawMessage
	var s string
	if json.Unmarshal(o.Call.Args, &args) != nil || json.Unmarshal(args[name], &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

func (f *facts) skill(name string) string {
	if word := f.words["skill."+name]; word != "" {
		return word
	}
	return plain(name, 40)
}

func (f *facts) attack(o *rules.Outcome, r *result) {
	attacker, target := text(o, "attacker_id"), text(o, "target_id")
	if f.recap {
		if f.you(attacker) || f.you(target) {
			f.put("recap.fight", f.actorName(f.words, map[bool]string{true: target, false: attacker}[f.you(attacker)]))
			f.list[len(f.list)-1].key = "hit"
		}
		return
	}
	if r.ToHit == nil || r.Defence == nil || !f.seen[attacker] && !f.seen[target] {
		return
	}
	key := "miss"
	if r.Hit {
		key = "hit"
	}
	if f.you(target) {
		key += ".me"
	}
	f.add(key, attacker, f.actorName(f.words, target), number(*r.ToHit), number(*r.Defence))
	switch moment := map[bool]string{true: "hit", false: "miss"}[r.Hit]; {
	case f.you(attacker):
		f.beat(target + map[bool]string{true: ".hit", false: ".missed"}[r.Hit])
	case f.you(target):
		f.beat(attacker + "." + map[string]string{"hit": "hits", "miss": "misses"}[moment])
	}
}

func (f *facts) opposed(r *result) {
	var one, two side
	if json.Unmarshal(r.Actor, &one) != nil || json.Unmarshal(r.Target, &two) != nil {
		return
	}
	if r.Winner == two.ID {
		one, two = two, one
	}
	f.put("opposed", f.actorName(f.words, one.ID), f.actorName(f.words, two.ID), number(one.Total), number(two.Total))
}

// both returns a record as it was and as it is, nil where there was or is none.
func both[T world.Record](e world.Event) (was, is T) {
	was, _ = e.Old.(T)
	is, _ = e.New.(T)
	return was, is
}

// event tells a change that can be seen.
func (f *facts) event(e world.Event) {
	switch e.New.(type) {
	case *world.Thing:
		f.ofThing(both[*world.Thing](e))
	case *world.Actor:
		f.ofActor(both[*world.Actor](e))
	case *world.Link:
		f.ofLink(both[*world.Link](e))
	case *world.Quest:
		f.ofQuest(both[*world.Quest](e))
	case *world.Clock:
		f.ofClock(both[*world.Clock](e))
	case *world.Self:
		f.ofSelf(both[*world.Self](e))
	case *world.Fact:
		if was, is := both[*world.Fact](e); was != nil && was.Secret && !is.Secret && f.witnessed(is) {
			f.put("learn", plain(is.Text, 300))
		}
	case nil:
		if was, ok := e.Old.(*world.Thing); ok {
			f.ofThing(was, nil)
		}
		if was, ok := e.Old.(*world.Link); ok && f.isHere(was.From) && !was.Hidden && f.seen[was.To] {
			f.put("way.gone", f.placeName(f.words, was.To))
		}
	}
}

func (f *facts) isHere(place string) bool { return f.at(place) }

// witnessed reports whether somebody of the party knows a fact.
func (f *facts) witnessed(is *world.Fact) bool {
	return slices.ContainsFunc(is.Witnesses, func(id string) bool {
		return id == f.heroID() || slices.Contains(f.After.Self().Party, id)
	})
}

func (f *facts) ofThing(was, is *world.Thing) {
	now := cmp.Or(is, was)
	if now == nil || now.Hidden || !f.seen[now.ID] {
		return
	}
	name := f.thingName(f.words, now)
	switch {
	case is == nil:
		f.put("gone", name)
	case was != nil && was.Hidden && was.Parent == is.Parent && was.Rel == is.Rel:
		f.found("", is.ID, name)
	case was == nil || was.Parent != is.Parent || was.Rel != is.Rel || was.Hidden:
		f.transfer(was, is, name)
	case was.Qty != is.Qty:
		one := *is
		one.Qty = 0
		key := "more"
		if max(1, was.Qty) > max(1, is.Qty) {
			key = "less"
		}
		f.put(key, f.thingName(f.words, &one), number(max(1, is.Qty)))
	case was.Locked && !is.Locked && is.Closed:
		f.put("box.unlocked", name)
	case was.Closed != is.Closed || was.Locked != is.Locked:
		key := "box.open"
		if is.Locked {
			key = "box.locked"
		} else if is.Closed {
			key = "box.closed"
		}
		if f.put(key, name); key == "box.open" {
			if len(f.Before.Contents(is.ID)) > 0 { // it says what comes to light
				f.beat(is.ID + ".open")
			}
		}
	default:
		f.attrs(name, was.Attrs, is.Attrs)
	}
}

// transfer tells where an object came to.
func (f *facts) transfer(was, is *world.Thing, name string) {
	from, to := "", f.root(is.Parent)
	if was != nil {
		from = f.root(was.Parent)
	}
	holder := f.After.Actor(to)
	giver := f.After.Actor(from)
	if giver != nil && !f.you(from) && (dead(giver) || !f.isHere(giver.Place)) { // the dead give nothing, nor does who is not here
		giver = nil
	}
	switch into := f.holds(is.Parent); {
	case into != "" && giver != nil:
		f.add("put"+on(is), from, name, f.holderName(f.words, into))
		f.beat(into + ".put." + is.ID)
	case into != "":
		f.put("lies."+in(is), "", name, f.holderName(f.words, into))
	case was == nil && holder != nil:
		f.add("with", to, name)
	case holder != nil && !f.you(to) && dead(holder):
		f.put("laid", "", name, f.actorName(f.words, to))
	case holder == nil && giver != nil:
		f.add("drop", from, name)
	case holder == nil:
		f.put("lies", "", name)
	case is.Rel == world.Worn:
		f.add("wear", to, name)
	case giver == nil || from == to:
		if f.add("take", to, name); f.you(to) {
			f.beat(is.ID + ".take")
		}
	case f.you(to) && f.stolen(is.ID):
		f.add("steal", to, name, f.actorName(f.words, from))
	case f.you(to):
		f.add("get", to, name, f.actorName(f.words, from))
		f.beat(from + ".gives." + is.ID)
	default:
		f.add("give", from, name, f.actorName(f.words, to))
		f.beat(to+".given."+is.ID, to+".given")
	}
}

// stolen reports whether a check was made for taking something.
func (f *facts) stolen(id string) bool {
	return slices.ContainsFunc(f.Outcomes, func(o rules.Outcome) bool {
		return o.OK() && o.Call.Tool == "skill_check" && text(&o, "act") == "move_object" && text(&o, "target") == id
	})
}

func on(t *world.Thing) string { return map[bool]string{true: ".on"}[t.Rel == world.On] }

func in(t *world.Thing) string { return map[bool]string{true: "on", false: "in"}[t.Rel == world.On] }

// attrs tells which prose attributes changed.
func (f *facts) attrs(name string, was, is map[string]string) {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(is)), func(key string) bool { return was[key] == is[key] })
	for _, key := range keys[:min(len(keys), 4)] {
		f.put("now", name, plain(key, 40), plain(is[key], 120))
	}
}

// failedCheck reports whether a call was refused because the check for it was made in this turn, and failed.
func (f *facts) failedCheck(o *rules.Outcome) bool {
	code := rules.Code(o.Detail())
	return (code == rules.CheckNeeded || code == rules.CheckSpent) && slices.ContainsFunc(f.Outcomes, func(before rules.Outcome) bool {
		return before.OK() && before.Call.Tool == "skill_check" && before.Call.Text("act") == o.Call.Tool
	})
}

func (f *facts) time() {
	was, is := f.Before.Self(), f.After.Self()
	if !is.ClockSet || is.Minute <= was.Minute {
		return
	}
	if date, err := calendar.FromMinutes(is.Minute); err == nil {
		key, passed := "time", is.Minute-was.Minute
		switch {
		case passed == 1:
			key = "time.one"
		case passed == 60:
			key = "time.hour"
		case passed%60 == 0:
			key, passed = "time.hours", passed/60
		}
		f.put(key, number(passed), fmt.Sprintf("%02d:%02d", date.Hour, date.Minute))
	}
}
