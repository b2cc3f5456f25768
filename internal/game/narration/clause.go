package narration

import (
	"slices"
	"strings"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// start returns the first token of the clause, or of the sentence, that i is in.
func (c *checker) start(i int, sentence bool) int {
	for i > 0 && (c.toks[i].stop == 0 || sentence && !ends(c.toks[i].stop)) {
		i--
	}
	return i
}

// end returns the token behind the clause, or the sentence, that i is in.
func (c *checker) end(i int, sentence bool) int {
	for i = min(i+1, len(c.toks)-1); i < len(c.toks)-1 && (c.toks[i].stop == 0 || sentence && !ends(c.toks[i].stop)); {
		i++
	}
	return i
}

func (c *checker) clause(i int) []token { return c.toks[c.start(i, false):c.end(i, false)] }

func ends(stop rune) bool { return stop == '.' || stop == '!' || stop == '?' }

// has reports whether one of some words is of a class.
func has(list []token, k class) bool {
	return slices.ContainsFunc(list, func(t token) bool { return t.class&k != 0 })
}

// signed reports whether one of some words has a sign.
func signed(list []token, k class) bool {
	return slices.ContainsFunc(list, func(t token) bool { return t.sign&k != 0 })
}

// reach is how many words before a claim may take it back.
const reach = 14

// asked reports whether the sentence that i is in ends with a question mark.
func (c *checker) asked(i int) bool { return c.toks[c.end(i, true)].stop == '?' }

// cancelled reports whether what is said at i is not said to be so: it is denied, asked, wished, likened or remembered.
func (c *checker) cancelled(i int) bool {
	first, from := c.start(i, true), c.start(i, false)
	if c.asked(i) || c.lang == "ru" && c.relative(i) || has(c.toks[first:i], cDream) || c.reported(i) {
		return true
	}
	if slices.ContainsFunc(c.toks[i:min(i+6, c.end(i, false))], func(t token) bool { return c.lex.lists.has("denials", t) }) ||
		slices.ContainsFunc(c.toks[first:from], func(t token) bool { return t.word == "说" && strings.HasPrefix(c.draft.open[t.end:], "，") }) ||
		c.toks[i+1].word == "的" || c.toks[i+1].word == "过" {
		return true // in speech that no marks show
	}
	if before := c.toks[min(from, max(c.start(max(0, from-1), false), i-reach)):from]; from > first && c.toks[from].stop == ',' && !has(c.toks[from:i], cYou|cPron|cIt) &&
		!slices.ContainsFunc(c.toks[from:i], func(t token) bool { return len(t.names) > 0 && t.names[0].kind == world.ActorKind && !t.names[0].bent }) &&
		(has(before, cIf) || has(before, cMay) && !c.finite(from, i)) && !has(c.toks[c.start(from-1, false):from], cWhich) { // "you could look for it, or leave"
		return true
	}
	denied := cNot | cPast | cLike
	for j := i - 1; j >= max(from, i-reach); j-- {
		if c.toks[j].class&(cMay|cIf|denied) != 0 {
			return true
		}
		if c.toks[j].class&cConj != 0 {
			denied = 0 // "he says nothing and leaves", "he falls like a stone and dies"
			if len(c.toks[i].names) > 0 {
				denied = cLike // "as if you and Marta"
			}
		}
	}
	return false
}

// finite reports whether the verb at i, in words from another on, shows that no "can" or "will" before them is meant for it.
func (c *checker) finite(from, i int) bool {
	if c.lang == "ru" {
		return c.toks[i].class&cVerb != 0 && spelling.HasEnd(c.toks[i].word, "ет", "ит", "ют", "ут", "ят", "ат", "ется", "ится", "ла", "ло", "ли")
	}
	return c.lang == "en" && slices.ContainsFunc(c.toks[from:i+1], func(t token) bool { return t.class&(cVerb|cAux|cNot) != 0 && spelling.HasEnd(t.word, "s", "doesn't") })
}

// reported reports whether somebody says, in words without marks, what the sentence at i says: "the spectacles, he says, are gone".
func (c *checker) reported(i int) bool {
	for j := c.start(i, true); j < c.end(i, true); j = c.end(j, false) {
		if part := c.clause(j); len(part) < 4 && slices.ContainsFunc(part, func(t token) bool { return c.lex.lists.has("saying", t) }) &&
			part[0].stop == ',' && c.toks[c.end(j, false)].stop == ',' {
			return true
		}
	}
	return false
}

// withdrawn reports whether what is told at i is said not to be so.
func (c *checker) withdrawn(i int) bool {
	behind := c.toks[i:min(i+6, c.end(i, false))]
	if and := slices.IndexFunc(behind, func(t token) bool { return t.class&cConj != 0 }); and > 0 {
		behind = behind[:and]
	}
	return c.cancelled(i) || has(behind, cMay|cNot)
}

// relative reports whether a name at i stands in words that only say which thing is meant: "the fire Ilse gave you".
func (c *checker) relative(i int) bool {
	switch c.lang {
	case "zh":
		for j := i + 1; j < min(i+5, c.end(i, false)); j++ {
			if c.toks[j].word == "的" && c.toks[j-1].class&(cPron|cYou) == 0 {
				return true
			}
		}
		return false
	case "ru":
		return has(c.toks[c.start(i, false):i], cWhich)
	}
	return i > 1 && c.toks[i].stop == 0 && c.toks[c.start(i, false)].class&cPrep == 0 && c.toks[i-1].class&(cGrammar|cVerb|cTitle) == 0 && !c.toks[i-1].large
}

// noun reports whether the English word at i stands behind an article, so that it is no verb.
func (c *checker) noun(i int) bool {
	return c.lang == "en" && i > 0 && c.toks[i].stop == 0 && c.toks[i-1].class&(cDet|cYour) != 0
}
