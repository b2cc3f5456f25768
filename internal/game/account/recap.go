package account

import (
	"slices"
	"strings"
)

// recapReach is for how many sentences a recap does not repeat a phrase.
const recapReach = 8

// Recap sums up turns in prose, the oldest first: where the hero went, what they took and gave, who told them what, and
// what came of it. Of several steps in a row only the last place is named. It is "" if there is nothing of the kind.
func Recap(turns []Turn) string {
	var texts []string
	var words wording
	walking := false
	for _, t := range turns {
		t.Recent = slices.Clone(texts[max(0, len(texts)-recapReach):])
		f := t.Digest().gather(summedUp)
		words = f.words
		for _, s := range f.clean() {
			text := s.recapText()
			if text == "" || slices.Contains(texts, text) {
				continue
			}
			if walking && s.Key == "go.you" {
				texts = texts[:len(texts)-1]
			}
			texts, walking = append(texts, text), s.Key == "go.you"
		}
	}
	return words.join(texts)
}

// recapKinds are the kinds of facts that a recap has, but for some keys of them.
const (
	recapKinds = " choose take get steal give put wear find way learn state join part ended go says met combat quest clock "
	notRecaps  = " go clock.near clock.back find.nothing find.nothing.you find.harder "
)

// recapText returns a sentence in the form of a recap, "" if a recap leaves it out.
func (s Sentence) recapText() string {
	switch kind := s.Kind(); {
	case !strings.Contains(recapKinds, " "+kind+" ") || strings.Contains(notRecaps, " "+s.Key+" "):
		return ""
	case s.Beat != "" && (kind == "quest" || kind == "clock"):
		return s.Beat
	}
	return s.Text
}
