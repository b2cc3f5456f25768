package account

import (
	"cmp"
	"slices"
	"strings"

	"hob/internal/game/spelling"
)

// mostTold is how many sentences are told of a turn, not counting the look of a new place.
const mostTold = 5

// Tell returns the turn in plain words, in its language: what happened, and what a new place looks like. It needs no
// model and is never empty. Since it tells what happened, it needs no check; it leaves out secrets and what the players
// avoid.
func (t Turn) Tell() string {
	d := t.Digest()
	if page := d.page(); page != "" {
		return page
	}
	f, tell := d.gather(plainly), (*facts).tale
	if t.Pick > 0 {
		f, tell = d.gather(voiced), (*facts).recounted
	}
	if kept := slices.DeleteFunc(tell(f), d.hushed); len(kept) > 0 {
		return f.words.join(kept)
	}
	return f.words.say("nothing.1")
}

// tale returns the sentences of a turn before they are checked.
func (f *facts) tale() (told []string) {
	for _, s := range ranked(weighed(f.clean())) {
		told = append(told, s.Text)
	}
	seen, _ := f.view(true)
	return f.orAct(append(told, seen...), "nothing."+number(1+int64(len(f.Recent)%3)))
}

// orAct returns what was told; if that is nothing, what the hero attempted, or that nothing happened.
func (f *facts) orAct(told []string, nothing string) []string {
	if len(told) > 0 {
		return told
	}
	return []string{cmp.Or(f.act(), f.say(nothing))}
}

// ranked puts what the turn brought about after what somebody did: first clocks, then quests, then the end.
func ranked(list []Sentence) []Sentence {
	slices.SortStableFunc(list, func(a, b Sentence) int { return consequence(a) - consequence(b) })
	return list
}

// consequence returns the rank of a sentence on what the turn brought about, 0 for all others.
func consequence(s Sentence) int {
	return 1 + slices.Index([]string{"clock", "quest", "ended"}, s.Kind())
}

// weighed returns the sentences that matter most, in their order. If there are too many, those on time, clocks, rounds
// and attributes go first.
func weighed(list []Sentence) []Sentence {
	if len(list) > 1 {
		// The time stands below the words of each turn.
		list = slices.DeleteFunc(list, func(s Sentence) bool { return s.Kind() == "time" })
	}
	for i := len(list) - 1; i >= 0 && len(list) > mostTold; i-- {
		switch list[i].Key {
		case "now", "round", "more", "less", "weather", "clock.near", "clock.back":
			list = slices.Delete(list, i, i+1)
		}
	}
	return list[:min(len(list), mostTold)]
}

// join puts sentences behind each other.
func (p wording) join(list []string) string {
	between := p["between"]
	return strings.TrimPrefix(strings.ReplaceAll(strings.Join(list, between), between+"\n", "\n"), "\n") // a caption is a line of its own
}

// ended returns a text with a full stop, if it needs one.
func (p wording) ended(s string) string {
	if s == "" || spelling.HasEnd(s, ".", "!", "?", "…", "。", "！", "？", "”", "»") {
		return s
	}
	return s + p["stop"]
}
