package account

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/calendar"
	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// both returns a record as it was and as it is, nil for one that did not exist or does not any more.
func both[T world.Record](e world.Event) (was, is T) {
	was, _ = e.Old.(T)
	is, _ = e.New.(T)
	return was, is
}

// event tells a change, if the hero can see it.
func (f *facts) event(e world.Event) {
	switch cmp.Or(e.New, e.Old).(type) {
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
		f.ofFact(both[*world.Fact](e))
	}
}

func (f *facts) ofThing(was, is *world.Thing) {
	now := cmp.Or(is, was)
	if now.Hidden || !f.Seen[now.ID] {
		return
	}
	name := f.thingName(now)
	switch {
	case is == nil:
		f.put("gone", name)
	case was != nil && was.Hidden && was.Parent == is.Parent && was.Rel == is.Rel:
		f.found("", is.ID, name)
	case was == nil || was.Parent != is.Parent || was.Rel != is.Rel || was.Hidden:
		f.transfer(was, is, name)
	case was.Qty != is.Qty:
		f.put(either(max(1, was.Qty) > max(1, is.Qty), "less", "more"), f.kindName(is), number(max(1, is.Qty)))
	case was.Locked && !is.Locked && is.Closed:
		f.put("box.unlocked", name)
	case was.Closed != is.Closed || was.Locked != is.Locked:
		f.put("box."+either(is.Locked, "locked", either(is.Closed, "closed", "open")), name)
		if !is.Locked && !is.Closed && len(f.Before.Contents(is.ID)) > 0 { // the contents of a box that was opened are told
			f.beat(is.ID + ".open")
		}
	default:
		f.attrs(name, was.Attrs, is.Attrs)
	}
}

// transfer tells where an object has gone.
func (f *facts) transfer(was, is *world.Thing, name string) {
	from, to := "", f.root(is.Parent)
	if was != nil {
		from = f.root(was.Parent)
	}
	holder, giver := f.After.Actor(to), f.After.Actor(from)
	if giver != nil && !f.you(from) && (!rules.CanAct(giver) || !f.At(giver.Place)) { // only who can act gives, and only if the hero sees it
		giver = nil
	}
	on := is.Rel == world.On
	switch into := f.holds(is.Parent); {
	case into != "" && giver != nil:
		f.add(either(on, "put.on", "put"), from, name, f.holderName(into))
		f.beat(into + ".put." + is.ID)
	case into != "":
		f.put(either(on, "lies.on", "lies.in"), "", name, f.holderName(into))
	case was == nil && holder != nil:
		f.add("with", to, name)
	case holder != nil && !f.you(to) && dead(holder):
		f.put("laid", "", name, f.actorName(to))
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
		f.add("steal", to, name, f.actorName(from))
	case f.you(to):
		f.add("get", to, name, f.actorName(from))
		f.beat(from + ".gives." + is.ID)
	default:
		f.add("give", from, name, f.actorName(to))
		f.beat(to+".given."+is.ID, to+".given")
	}
}

// attrs tells which descriptions have changed: if there are many, the first of them.
func (f *facts) attrs(name string, was, is map[string]string) {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(is)), func(key string) bool { return was[key] == is[key] })
	for _, key := range keys[:min(len(keys), 4)] {
		f.put("now", name, spelling.Line(key, 40), spelling.Line(is[key], 120))
	}
}

func (f *facts) ofActor(was, is *world.Actor) {
	switch here := is != nil && f.At(is.Place); {
	case is == nil || !f.Seen[is.ID] && !here:
	case was == nil && here:
		f.add("appear", is.ID)
	case was != nil:
		if was.Place != is.Place {
			f.walk(is.ID, was.Place, is.Place)
		}
		f.health(was, is)
		f.conditions(conditionsOf(was), conditionsOf(is), is.ID)
		f.answers(was, is)
		f.attrs(f.actorName(is.ID), was.Attrs, is.Attrs)
	}
}

// walk tells that somebody went. Of others it is told if the hero sees where they went.
func (f *facts) walk(id, from, to string) {
	switch {
	case f.you(id):
		f.step(to)
	case to == f.Here():
		f.add("come", id)
	case f.At(from) && f.Seen[to]:
		f.add("go", id, f.placeName(to))
	case f.At(from):
		f.add("leave", id)
	}
}

// step tells that the hero went. Several steps of one turn are told once, with the places that were passed; a recap
// tells each.
func (f *facts) step(to string) {
	name, passed := f.placeName(to), strings.Join(f.steps, f.words["list"])
	was := f.Before.Place(to)
	key, moment := "go.you", ".first"
	if was != nil && was.Visited {
		key, moment = "go.back.you", ".again"
	}
	if passed != "" {
		key = "go.far.you"
		f.list = slices.DeleteFunc(f.list, func(s Sentence) bool { return s.Key == "go.you" })
	}
	if f.manner == summedUp {
		key = "go.you"
		if f.After.Place(to).IsPage() { // nobody goes to "Ring the bell"
			key = "choose.you"
		}
		f.put(key, "", name)
		return
	}
	f.list = append(f.list, Sentence{Key: "go.you", Text: f.say(key, "", name, passed)})
	f.beat(to + moment)
	if s := f.last(); f.manner == voiced && s.Beat != "" && passed != "" {
		s.Beat = f.words.join([]string{f.say("far", "", name, passed), s.Beat})
	}
	f.steps = append(f.steps, name)
}

func (f *facts) health(was, is *world.Actor) {
	from := was.HP.Or(was.HPMax.Or(is.HPMax.N))
	left := number(is.HP.N)
	if is.HPMax.Known {
		left = f.words.say("hp.of", left, is.HPMax.String())
	}
	switch {
	case is.HP == was.HP || !is.HP.Known:
	case is.HP.N < from && f.manner != plainly:
		f.add(either(is.HP.N*2 <= is.HPMax.Or(is.HP.N), "hurt.heavy", "hurt.light"), is.ID) // with a voice, harm is not told in numbers
		f.last().Key = "hp.loss"
	case is.HP.N < from:
		f.add("hp.loss", is.ID, number(from-is.HP.N), left)
	case is.HP.N > from:
		f.add("hp.gain", is.ID, number(is.HP.N-from), left)
	}
	if state := rules.StateOf(is); rules.StateOf(was) != state && f.words["state."+state] != "" {
		if f.add("state."+state, is.ID); f.last().IsFall() && rules.StateOf(was) != world.Dying {
			f.beat(is.ID + ".dead")
		}
	}
}

// without returns the items of a list that another list lacks.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

func (f *facts) conditions(had, has []string, id string) {
	for _, name := range without(has, had) {
		f.add("condition.on", id, spelling.Line(name, longestName))
	}
	for _, name := range without(had, has) {
		f.add("condition.off", id, spelling.Line(name, longestName))
	}
}

func conditionsOf(a *world.Actor) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a.Conditions)), maps.Keys(a.Rounds))
	slices.Sort(names)
	return names
}

// answers tells what somebody said for the first time. A recap tells only the topic, or that the hero met them.
func (f *facts) answers(was, is *world.Actor) {
	for i, t := range is.Talk {
		if t.Said && (i >= len(was.Talk) || !was.Talk[i].Said) {
			f.add(either(f.manner == summedUp && t.Topic == "", "met", "says"), is.ID, spelling.Line(t.Text, 300), spelling.Line(t.Topic, longestName))
		}
	}
}

func (f *facts) ofLink(was, is *world.Link) {
	if is == nil {
		if f.At(was.From) && !was.Hidden && f.Seen[was.To] {
			f.put("way.gone", f.placeName(was.To))
		}
		return
	}
	to, name := f.After.Place(is.To), f.placeName(is.To)
	if !f.At(is.From) || is.Hidden || to == nil || to.Secret && !to.Visited {
		return
	}
	switch {
	case was != nil && was.Hidden:
		f.found("way.", is.To, name)
	case was == nil:
		f.put("way.new", name)
	case was.Door != is.Door && is.Door == world.NoDoor, was.Blocked != "" && is.Blocked == "":
		f.put("door.none", name)
	case was.Door != is.Door && slices.Contains(f.doors, is.To+" "+is.From+" "+is.Door): // the other side of the door was told already
	case was.Door != is.Door:
		f.doors = append(f.doors, is.From+" "+is.To+" "+is.Door)
		if f.put("door."+is.Door, name); is.Door == world.OpenDoor {
			f.beat(is.From+".open."+is.To, is.To+".open."+is.From)
		}
	}
}

func (f *facts) ofQuest(was, is *world.Quest) {
	if is == nil {
		return
	}
	title := spelling.Line(is.Title, longestName)
	if was == nil {
		f.put("quest.new", title)
		return
	}
	for _, o := range without(is.Met, was.Met) {
		f.put("quest.step", title, spelling.Line(o, 200))
		f.beat(is.ID + ".goal." + number(int64(1+slices.Index(is.Objectives, o))))
	}
	switch {
	case was.State == is.State:
	case is.State == world.Done || is.State == world.Failed:
		f.put("quest."+is.State, title)
		f.beat(is.ID + "." + is.State)
	case was.State == world.Offered && is.State == world.Active:
		f.put("quest.new", title)
	}
}

func (f *facts) ofClock(was, is *world.Clock) {
	if was == nil || is == nil || was.Filled == is.Filled || !rules.ShowsClock(f.After, is) {
		return
	}
	name, full := spelling.Line(is.Name, longestName), spelling.Line(is.OnFull, 300)
	switch {
	case is.Filled >= is.Segments:
		f.put("clock.full", name, full)
		f.last().Beat = full
	case is.Filled > was.Filled:
		f.put("clock.near", name, number(is.Filled), number(is.Segments))
		if b := f.After.Beat(is.ID + ".near"); b != nil && len(b.Texts) > 0 {
			f.last().Beat = b.Texts[min(int(is.Filled), len(b.Texts))-1]
		}
	default:
		f.put("clock.back", name, number(is.Filled), number(is.Segments))
	}
}

func (f *facts) ofSelf(was, is *world.Self) {
	if was == nil || is == nil {
		return
	}
	for _, id := range without(is.Party, was.Party) {
		f.add("join", id)
	}
	for _, id := range without(was.Party, is.Party) {
		f.add("part", id)
	}
	if was.Weather != is.Weather && is.Weather != "" {
		f.put("weather", spelling.Line(is.Weather, longestName))
	}
	if is.Ended && !was.Ended {
		if f.put("ended"); is.EndedReason == "party_dead" {
			f.beat("fallen")
		}
	}
}

// ofFact tells what one of the party has learned.
func (f *facts) ofFact(was, is *world.Fact) {
	ours := func(id string) bool { return id == f.HeroID() || rules.InParty(f.After, id) }
	if was != nil && is != nil && was.Secret && !is.Secret && slices.ContainsFunc(is.Witnesses, ours) {
		f.put("learn", spelling.Line(is.Text, 300))
	}
}

// time tells how much time has passed.
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
