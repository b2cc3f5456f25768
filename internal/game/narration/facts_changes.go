package narration

import (
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

func (f *facts) ofActor(was, is *world.Actor) {
	if !f.seen[is.ID] && !f.isHere(is.Place) {
		return
	}
	if was == nil {
		if f.isHere(is.Place) {
			f.add("appear", is.ID)
		}
		return
	}
	if was.Place != is.Place {
		f.walk(is.ID, was.Place, is.Place)
	}
	f.health(was, is)
	f.conditions(was, is)
	f.talked(was, is)
	f.attrs(f.actorName(f.words, is.ID), was.Attrs, is.Attrs)
}

// walk tells of a way. Where somebody else went is told if that place can be seen from here.
func (f *facts) walk(id, from, to string) {
	switch {
	case f.you(id):
		f.step(to)
	case to == f.here():
		f.add("come", id)
	case f.isHere(from) && f.seen[to]:
		f.add("go", id, f.placeName(f.words, to))
	case f.isHere(from):
		f.add("leave", id)
	}
}

// step tells of a way that you went. One of several steps is told once, by what was passed.
func (f *facts) step(to string) {
	name, key := f.placeName(f.words, to), "go.you"
	if was := f.Before.Place(to); was != nil && was.Visited {
		key = "go.back.you"
	}
	f.list = slices.DeleteFunc(f.list, func(s sentence) bool { return len(f.steps) > 0 && s.key == "go.you" })
	if len(f.steps) > 0 {
		key = "go.far.you"
	}
	if f.recap {
		f.put("recap.go", name)
		f.list[len(f.list)-1].key = "go.you"
		return
	}
	f.list = append(f.list, sentence{key: "go.you", text: f.say(key, "", name, strings.Join(f.steps, f.words["list"]))})
	if f.beat(to + map[bool]string{true: ".again", false: ".first"}[key != "go.you" && f.Before.Place(to) != nil && f.Before.Place(to).Visited]); f.voice {
		if last := &f.list[len(f.list)-1]; last.beat != "" && len(f.steps) > 0 {
			last.beat = joined([]string{f.say("far", "", name, strings.Join(f.steps, f.words["list"])), last.beat}, f.lang())
		}
	}
	f.steps = append(f.steps, name)
}

func (f *facts) health(was, is *world.Actor) {
	if is.HP != was.HP && is.HP.Known {
		from := was.HP.Or(was.HPMax.Or(is.HPMax.N))
		left := number(is.HP.N)
		if is.HPMax.Known {
			left = f.words.say("hp.of", left, is.HPMax.String())
		}
		switch {
		case is.HP.N < from && f.voice:
			f.hurt(is)
		case is.HP.N < from:
			f.add("hp.loss", is.ID, number(from-is.HP.N), left)
		case is.HP.N > from:
			f.add("hp.gain", is.ID, number(is.HP.N-from), left)
		}
	}
	if was.State != is.State && f.words["state."+stateOf(is)] != "" && stateOf(was) != stateOf(is) {
		f.add("state."+stateOf(is), is.ID)
		if fell := stateOf(is) == world.Dead || stateOf(is) == world.Dying; fell && stateOf(was) != world.Dying {
			f.beat(is.ID + ".dead")
		}
	}
}

// without returns those of a list that are not in another.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

func stateOf(a *world.Actor) string {
	if a.State == "" {
		return world.Alive
	}
	return a.State
}

func (f *facts) conditions(was, is *world.Actor) {
	had, has := conditionsOf(was), conditionsOf(is)
	for _, name := range without(has, had) {
		f.add("condition.on", is.ID, plain(name, longestName))
	}
	for _, name := range without(had, has) {
		f.add("condition.off", is.ID, plain(name, longestName))
	}
}

func conditionsOf(a *world.Actor) (names []string) {
	names = slices.AppendSeq(slices.Collect(maps.Keys(a.Conditions)), maps.Keys(a.Rounds))
	slices.Sort(names)
	return names
}

// talked tells what somebody answered for the first time.
func (f *facts) talked(was, is *world.Actor) {
	for i := range is.Talk {
		if is.Talk[i].Said && (i >= len(was.Talk) || !was.Talk[i].Said) {
			if f.recap {
				f.learned(is, &is.Talk[i])
				continue
			}
			f.add("says", is.ID, plain(is.Talk[i].Text, 300))
		}
	}
}

func (f *facts) ofLink(was, is *world.Link) {
	to := f.After.Place(is.To)
	if !f.isHere(is.From) || is.Hidden || to == nil || to.Secret && !to.Visited {
		return
	}
	name := f.placeName(f.words, is.To)
	switch {
	case was != nil && was.Hidden:
		f.found("way.", is.To, name)
	case was == nil:
		f.put("way.new", name)
	case was.Door != is.Door && is.Door == world.NoDoor, was.Blocked != "" && is.Blocked == "":
		f.put("door.none", name)
	case was.Door != is.Door && slices.Contains(f.doors, is.To+" "+is.From): // it was told from the other side
	case was.Door != is.Door:
		f.doors = append(f.doors, is.From+" "+is.To)
		if f.put("door."+is.Door, name); is.Door == world.OpenDoor {
			f.beat(is.From+".open."+is.To, is.To+".open."+is.From)
		}
	}
}

func (f *facts) ofQuest(was, is *world.Quest) {
	title := plain(is.Title, longestName)
	if was == nil {
		f.put("quest.new", title)
		return
	}
	for _, o := range without(is.Met, was.Met) {
		f.put("quest.step", title, plain(o, 200))
		f.beat(is.ID + ".goal." + number(int64(1+slices.Index(is.Objectives, o))))
	}
	if was.State != is.State && (is.State == world.Done || is.State == world.Failed) {
		f.put("quest."+is.State, title)
		f.beat(is.ID + "." + is.State)
	} else if was.State == world.Offered && is.State == world.Active {
		f.put("quest.new", title)
	}
}

func (f *facts) ofClock(was, is *world.Clock) {
	if was == nil || was.Filled == is.Filled || !rules.ShowsClock(f.After, is) {
		return
	}
	name := plain(is.Name, longestName)
	switch {
	case is.Filled >= is.Segments:
		if f.put("clock.full", name, plain(is.OnFull, 300)); is.OnFull != "" {
			f.list[len(f.list)-1].beat = plain(is.OnFull, 300)
		}
	case is.Filled > was.Filled:
		f.put("clock.near", name, number(is.Filled), number(is.Segments))
		if b := f.After.Beat(is.ID + ".near"); b != nil && len(b.Texts) > 0 {
			f.list[len(f.list)-1].beat = b.Texts[min(int(is.Filled), len(b.Texts))-1]
		}
	default:
		f.put("clock.back", name, number(is.Filled), number(is.Segments))
	}
}

func (f *facts) ofSelf(was, is *world.Self) {
	if was == nil {
		return
	}
	for _, id := range without(is.Party, was.Party) {
		f.add("join", id)
	}
	for _, id := range without(was.Party, is.Party) {
		f.add("part", id)
	}
	if was.Weather != is.Weather && is.Weather != "" {
		f.put("weather", plain(is.Weather, longestName))
	}
	if is.Ended && !was.Ended {
		if f.put("ended"); is.EndedReason == "party_dead" {
			f.beat("fallen")
		}
	}
}

// search tells that somebody searched, for how long, and that nothing came of it; what did is told where it comes to light.
func (f *facts) search(o *rules.Outcome, r *result) {
	if r.Total == nil {
		return
	}
	key, what := "search", ""
	switch t := f.After.Thing(r.Find); {
	case t != nil:
		key, what = "search.at", f.thingName(f.words, t)
	case f.After.Actor(r.Find) != nil:
		key, what = "search.at", f.actorName(f.words, r.Find)
	}
	if r.Minutes == 0 {
		key += ".timeless"
	}
	who := text(o, "actor_id")
	f.add(key, who, what, f.skill(r.Skill), number(*r.Total), number(r.Minutes))
	if len(r.Found) == 0 {
		f.add("find.nothing", who)
		if r.Earlier > 0 {
			f.put("find.harder")
		}
	}
}

// found tells that something has come to light, and who found it: an object (kind ""), or a way ("way.") to a place.
func (f *facts) found(kind, id, name string) {
	for i := range f.results {
		if slices.Contains(f.results[i].Found, id) {
			f.add(kind+"find", text(&f.Outcomes[i], "actor_id"), name)
			return
		}
	}
	f.put(kind+"shows", name)
}
