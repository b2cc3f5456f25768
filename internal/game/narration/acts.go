package narration

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// longestAct is how many runes of what a player said are told as what they did.
const longestAct = 200

// act tells what the hero did where nothing came of it, from the player's words: "I dance a waltz" is "You dance a waltz." Words that
// claim what is not so, or that cannot be turned to the hero, are told as an attempt. It is "" where the hero's player said nothing.
func (f *facts) act() string {
	i := slices.IndexFunc(f.Says, func(l Line) bool { return f.you(l.Actor) })
	if i < 0 {
		return ""
	}
	said := plain(f.Says[i].Text, longestAct)
	if said = strings.TrimRight(said, " .!。！"); said == "" || strings.HasPrefix(said, "/") {
		return ""
	}
	c := newChecker(f.digest)
	c.own = true
	for _, s := range []string{f.second(said), f.words.say("act.try", said)} {
		if s != "" && len(c.check(s)) == 0 {
			return s
		}
	}
	return ""
}

// second turns words in the first person to the second, as a sentence; "" is for words that are not in the first person.
func (f *facts) second(said string) string {
	low := lowered(said)
	switch {
	case hasAny(said, "?", "？"):
		return ""
	case f.lang() == "zh":
		if !strings.HasPrefix(said, "我") {
			return ""
		}
		return strings.ReplaceAll(said, "我", "你") + "。"
	case f.lang() == "ru":
		return secondRussian(strings.TrimPrefix(low, "я "), said)
	case !strings.HasPrefix(low, "i "):
		return ""
	}
	list := strings.Fields(said)
	for i, w := range list {
		word, mark := w, ""
		if n := strings.TrimRight(w, ",;:"); n != w {
			word, mark = n, w[len(n):]
		}
		if you := map[string]string{"i": "you", "i'm": "you're", "i've": "you've", "i'll": "you'll", "i'd": "you'd", "am": "are", "was": "were", "me": "you",
			"my": "your", "mine": "yours", "myself": "yourself"}[lowered(word)]; you != "" {
			list[i] = you + mark
		}
	}
	return capital(strings.Join(list, " ")) + "."
}

// secondRussian turns the verb with which words begin to the second person, where its ending shows how.
func secondRussian(low, said string) string {
	verb, rest, _ := strings.Cut(low, " ")
	bare, back := strings.CutSuffix(verb, "сь")
	for _, e := range [][2]string{{"ую", "уете"}, {"юю", "юете"}, {"аю", "аете"}, {"яю", "яете"}, {"ею", "еете"}, {"хочу", "хотите"}} {
		if base, ok := strings.CutSuffix(bare, e[0]); ok && (utf8.RuneCountInString(base) > 1 || e[0] == "хочу") {
			verb = base + e[1]
			if back {
				verb += "сь"
			}
			if n := strings.LastIndex(lowered(said), rest); rest != "" && n >= 0 && len(lowered(said)) == len(said) {
				rest = said[n:]
			}
			for _, my := range [][2]string{{"мой", "ваш"}, {"моя", "ваша"}, {"мою", "вашу"}, {"мне", "вам"}, {"меня", "вас"}} {
				rest = strings.ReplaceAll(" "+rest+" ", " "+my[0]+" ", " "+my[1]+" ")
				rest = strings.TrimSpace(rest)
			}
			return "Вы " + strings.TrimSpace(verb+" "+rest) + "."
		}
	}
	return ""
}
