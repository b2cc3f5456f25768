package narration

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// A turn is told with the words that the tale has for its moments, and else in words of the engine of which there are several: "told.KEY",
// "told.KEY.2" and so on. The plainest comes first, and then those that were not told lately. They have no numbers: these stand in the
// engine's line below.

// say returns the sentence of a key: with a voice in one of its turns of phrase, else in plain words.
func (f *facts) say(key string, args ...string) string {
	texts := f.words.variants("told." + key)
	if !f.voice || len(texts) == 0 {
		return f.words.say(key, args...)
	}
	at := slices.IndexFunc(texts, func(text string) bool { return !f.toldLately(text) })
	return f.words.fill(texts[max(at, 0)], args...)
}

// start returns the number of the text with which to begin of those for a moment.
func (f *facts) start(id string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return int(h.Sum32()%997) + f.Pick
}

// toldLately reports whether the longest fixed part of a text stands in what was told in this turn or lately.
func (f *facts) toldLately(text string) bool {
	longest := ""
	for text != "" {
		before, rest, _ := strings.Cut(text, "{")
		if len(before) > len(longest) {
			longest = before
		}
		_, text, _ = strings.Cut(rest, "}")
	}
	has := func(words string) bool { return len(longest) > 3 && strings.Contains(words, longest) }
	return slices.ContainsFunc(f.Recent, has) || slices.ContainsFunc(f.list, func(s sentence) bool { return has(s.text) || has(s.beat) })
}

// recounted returns the sentences of a turn with a voice: what somebody did, what they see where they have come, and what follows from it.
func (f *facts) recounted() (told []string) {
	list := ranked(weighed(f.spoken(f.clean())))
	at := -1 // of the step by which they came
	for i, s := range list {
		if s.key == "go.you" {
			at = i
		}
	}
	seen, caption := f.view(len(list) == 0)
	if at < 0 {
		told = append(told, seen...)
	}
	for i, s := range list {
		if s.loose && s.beat != "" {
			told = append(told, s.text)
		}
		if told = append(told, cmp.Or(s.beat, s.text)); i == at {
			told = append(told, seen...)
		}
	}
	if caption != "" {
		told = append(told, "\n"+caption)
	}
	return f.orAct(told, "nothing")
}

// spoken returns the sentences that are told with a voice: without what another one says as well, or the engine's line below.
func (f *facts) spoken(list []sentence) []sentence {
	has := func(so func(sentence) bool) bool { return slices.ContainsFunc(list, so) }
	met := has(func(s sentence) bool { return s.key == "quest.step" && s.beat != "" })
	fallen := has(func(s sentence) bool { return strings.HasPrefix(s.key, "state.d") })
	done := has(func(s sentence) bool { return s.key != "check.success" && !s.isTime() })
	is := f.After.Self()
	won := is.Ended && is.EndedReason == "goal" && slices.ContainsFunc(f.After.Quests(), func(q *world.Quest) bool { return q.Ends && q.Ending != "" })
	return slices.DeleteFunc(list, func(s sentence) bool {
		switch s.key {
		case "quest.step":
			return won && s.beat == "" && len(list) > 1
		case "quest.done":
			return (met || won) && s.beat == "" && len(list) > 1
		case "ended":
			return s.beat == "" && len(list) > 1
		case "hp.loss":
			return fallen
		case "check.success":
			return done
		}
		return false
	})
}

// view says what a place looks like, for one who has just come there or who looked: with a voice in a line of its own who and what is
// there, and where ways lead.
func (f *facts) view(alone bool) (told []string, caption string) {
	place := f.After.Place(f.here())
	asked, target := f.looked()
	came := f.moved(f.heroID(), "")
	if place == nil || !came && !asked {
		return nil, ""
	}
	if target != "" && target != place.ID {
		if alone {
			return f.closer(target), ""
		}
		return nil, ""
	}
	sight := story.SightFrom(f.After, place, f.heroID())
	if f.voice {
		return f.scenery(place, asked), f.caption(sight)
	}
	if !came {
		told = append(told, f.words.say("at", f.placeName(f.words, place.ID)))
	}
	told = append(told, f.scenery(place, asked)...)
	told = f.named(told, "people", len(sight.Actors), func(i int) string { return f.actorName(f.words, sight.Actors[i].ID) })
	told = f.named(told, "sees", len(sight.Things), func(i int) string { return f.thingName(f.words, sight.Things[i].Thing) })
	return f.named(told, "exits", len(sight.Exits), func(i int) string { return f.placeName(f.words, sight.Exits[i].To) }), ""
}

// caption is the line below a place: people and things, and behind an arrow where ways lead.
func (f *facts) caption(sight story.Sight) string {
	names := nonEmpty(
		f.firstNames(len(sight.Actors), func(i int) string { return plain(sight.Actors[i].Name, longestName) }),
		f.firstNames(len(sight.Things), func(i int) string { return plain(sight.Things[i].Name, longestName) }))
	ways := f.firstNames(len(sight.Exits), func(i int) string { return plain(f.After.Place(sight.Exits[i].To).Name, longestName) })
	line := f.placeName(f.words, sight.Place.ID)
	if len(names) > 0 {
		line += " — " + strings.Join(names, f.words["list"])
	}
	if ways != "" {
		line += " → " + ways
	}
	return line
}

func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// hurt tells harm with a voice: how much it is, not in numbers.
func (f *facts) hurt(is *world.Actor) {
	key := "hurt.light"
	if most := is.HPMax.Or(is.HP.N); is.HP.N*2 <= most {
		key = "hurt.heavy"
	}
	f.add(key, is.ID)
	f.list[len(f.list)-1].key = "hp.loss"
}
