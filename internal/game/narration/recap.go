package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// recapReach is how many sentences of a recap have other turns of phrase than the next one.
const recapReach = 8

// Recap sums up turns in prose, the oldest first: where you went, what you took and gave, who told you about what, and what came of it.
// Of several steps in a row only the last place is named. It is "" where nothing of the kind happened.
func Recap(turns []Turn) string {
	var told []sentence
	lang := ""
	for _, t := range turns {
		t.Recent = nil
		for _, s := range told[max(0, len(told)-recapReach):] {
			t.Recent = append(t.Recent, s.text)
		}
		d := t.digest()
		f := facts{digest: d, words: wordingOf(t.lang()), voice: true, recap: true}
		f.write()
		lang = t.lang()
		for _, s := range f.clean() {
			if s = f.summed(s); s.text == "" || slices.Contains(told, s) {
				continue
			}
			if n := len(told); s.key == "go.you" && n > 0 && told[n-1].key == "go.you" {
				told = told[:n-1]
			}
			told = append(told, s)
		}
	}
	texts := make([]string, 0, len(told))
	for _, s := range told {
		texts = append(texts, s.text)
	}
	return joined(texts, lang)
}

// summed returns a sentence as a recap has it, without text where it has none of it.
func (f *facts) summed(s sentence) sentence {
	kind, _, _ := strings.Cut(s.key, ".")
	switch kind {
	case "take", "get", "steal", "give", "put", "wear", "find", "way", "learn", "state", "join", "part", "ended":
	case "quest", "clock":
		if s.key == "clock.near" || s.key == "clock.back" {
			return sentence{}
		}
		if s.beat != "" {
			s.text = s.beat
		}
	case "go", "says", "hit", "miss":
		if s.key == "go" {
			return sentence{}
		}
	default:
		return sentence{}
	}
	if s.key == "find.nothing" || s.key == "find.nothing.you" || s.key == "find.harder" {
		return sentence{}
	}
	s.beat = "" // the same words twice are told once
	return s
}

// learned tells for a recap that somebody told you about something, or that you met them.
func (f *facts) learned(is *world.Actor, t *world.Talk) {
	if t.Topic == "" {
		f.put("recap.met", f.actorName(f.words, is.ID))
	} else {
		f.put("recap.says", f.actorName(f.words, is.ID), plain(t.Topic, longestName))
	}
	f.list[len(f.list)-1].key = "says"
}
