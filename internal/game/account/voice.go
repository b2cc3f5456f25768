package account

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"hob/internal/game/world"
)

// A turn is told with the words that the tale has for its moments, and else in words of the engine of which there are several: "told.KEY",
// "told.KEY.2" and so on. The plainest comes first, and then those that were not told lately. They have no numbers: these stand in the
// engine's line below.

// phrases returns the texts of a key in the present manner, or else in a plainer one.
func (f *facts) phrases(key string) (texts []string) {
	for m := f.manner; m >= plainly && len(texts) == 0; m-- {
		texts = f.words.variants([]string{"", "told.", "recap."}[m] + key)
	}
	return texts
}

// say returns the sentence of a key, in a phrase that was not used lately.
func (f *facts) say(key string, args ...string) string {
	texts := f.phrases(key)
	if len(texts) == 0 {
		return ""
	}
	at := slices.IndexFunc(texts, func(text string) bool { return !f.toldLately(text) })
	return f.words.fill(texts[max(at, 0)], args...)
}

// start returns with which of several texts for a moment to begin.
func (f *facts) start(id string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return int(h.Sum32()%997) + f.Pick
}

// toldLately reports whether the longest fixed part of a text was told in this turn or lately.
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
	return slices.ContainsFunc(f.Recent, has) || slices.ContainsFunc(f.list, func(s Sentence) bool { return has(s.Text) || has(s.Beat) })
}

// recounted returns the sentences of a turn told with a voice: what somebody did, what the hero sees in a new place,
// and what the turn brought about.
func (f *facts) recounted() (told []string) {
	list := ranked(weighed(f.spoken(f.clean())))
	at := -1 // the step that brought the hero here
	for i, s := range list {
		if s.Key == "go.you" {
			at = i
		}
	}
	seen, caption := f.view(len(list) == 0)
	if at < 0 {
		told = append(told, seen...)
	}
	for i, s := range list {
		if s.loose && s.Beat != "" {
			told = append(told, s.Text)
		}
		if told = append(told, cmp.Or(s.Beat, s.Text)); i == at {
			told = append(told, seen...)
		}
	}
	if caption != "" {
		told = append(told, "\n"+caption)
	}
	return f.orAct(told, "nothing")
}

// spoken returns the sentences that are told with a voice, without those that repeat another one or the engine's line.
func (f *facts) spoken(list []Sentence) []Sentence {
	has := func(so func(Sentence) bool) bool { return slices.ContainsFunc(list, so) }
	met := has(func(s Sentence) bool { return s.Key == "quest.step" && s.Beat != "" })
	fallen := has(Sentence.IsFall)
	done := has(func(s Sentence) bool { return s.Key != "check.success" && s.Kind() != "time" })
	is := f.After.Self()
	won := is.Ended && is.EndedReason == "goal" && slices.ContainsFunc(f.After.Quests(), func(q *world.Quest) bool { return q.Ends && q.Ending != "" })
	return slices.DeleteFunc(list, func(s Sentence) bool {
		switch s.Key {
		case "quest.step":
			return won && s.Beat == "" && len(list) > 1
		case "quest.done":
			return (met || won) && s.Beat == "" && len(list) > 1
		case "ended":
			return s.Beat == "" && len(list) > 1
		case "hp.loss":
			return fallen
		case "check.success":
			return done
		}
		return false
	})
}
