package account

import (
	"cmp"
	"slices"
	"strings"

	"hob/internal/game/spelling"
)

// longestAct is how many runes of what a player said are told as what they did.
const longestAct = 200

// act tells what the hero did when nothing came of it, from the player's own words: "I dance a waltz" becomes "You
// dance a waltz." Words that claim something untrue, or that cannot be turned to "you", are told as an attempt. It is
// "" if the player said nothing.
func (f *facts) act() string {
	i := slices.IndexFunc(f.Says, func(l Line) bool { return f.you(l.Actor) })
	if i < 0 {
		return ""
	}
	said := spelling.Line(f.Says[i].Text, longestAct)
	if said = strings.TrimRight(said, " .!。！"); said == "" || strings.HasPrefix(said, "/") {
		return ""
	}
	for _, s := range []string{f.second(said), f.words.say("act.try", said)} {
		if s != "" && f.Holds != nil && f.Holds(f.Digest, s) {
			return s
		}
	}
	return ""
}

// second turns a sentence in the first person into the second; it returns "" for any other. The table has the word for
// "I", the words to exchange, and the endings to exchange where the verb alone shows the person.
func (f *facts) second(said string) string {
	i, verbs, words := f.words["act.i"], strings.Fields(f.words["act.verbs"]), strings.Fields(f.words["act.words"])
	if n := len(i); len(said) >= n && strings.EqualFold(said[:n], i) {
		said = said[n:]
	} else if len(verbs) == 0 {
		return ""
	}
	list := strings.Split(said, " ")
	for n, w := range list {
		if n == 0 && len(verbs) > 0 {
			list[n] = exchange(spelling.Lower(w), verbs)
			continue
		}
		bare := strings.TrimRight(w, ",;:")
		list[n] = cmp.Or(exchange(spelling.Lower(bare), words), bare) + w[len(bare):]
	}
	if list[0] == "" || spelling.HasEnd(said, "?", "？") {
		return ""
	}
	text := strings.Join(list, " ")
	if spelling.HasHan(i) {
		text = strings.ReplaceAll(text, i, f.words["act.you"])
	}
	return f.words.say("act.told", text)
}
