package skills

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/tools"
)

// Match returns the skills that a message opens, the best first: those that [Search] gives [MinOpen] for more than a piece of
// another word, and for more than a piece of a path. To be found by "log" in "blog" costs nothing; to be opened by it costs the
// server all that it has read. Nor does the name of a tool, such as time, open its skill where it stands only within a longer keyword
// of another skill, such as "last time": that one is meant. A skill that drives the chat takes the place of all else, so only its name
// and its keywords open it: its tools have everyday names such as look and rest.
func Match(all []Skill, message string) []Skill {
	folded := fold(message)
	words := hidePaths(folded)
	asked := slices.Clone(all)
	for i, s := range asked {
		if s.Driver != nil {
			asked[i] = Skill{Name: s.Name, Keywords: s.Keywords, Driver: s.Driver}
		}
	}
	var opens []Skill
	found := Search(asked, message, 0)
	for _, f := range found {
		if f.Score < MinOpen {
			break
		}
		if !f.Skill.isNamedIn(folded, words, phrasesOf(found, f.Skill)) && (f.Skill.Driver != nil || f.Skill.scoredByWords(folded)) {
			continue
		}
		i := slices.IndexFunc(all, func(s Skill) bool { return s.Name == f.Skill.Name })
		opens = append(opens, all[i])
	}
	return opens
}

// scoredByWords reports whether one of the skill's words is in a message at all; where none is, the message was found by pairs
// of letters or by what the skill is about.
func (s Skill) scoredByWords(message string) bool {
	is := func(word string) bool { return containsWord(message, word) }
	return s.anyWord(is) || s.anyTool(is)
}

// phrasesOf returns the keywords of the skills that were found, except for one.
func phrasesOf(found []Scored, but Skill) (phrases []string) {
	for _, f := range found {
		if f.Skill.Name == but.Name {
			continue
		}
		for _, word := range f.Skill.Keywords {
			phrases = append(phrases, fold(word))
		}
	}
	return phrases
}

// isNamedIn reports whether one of the skill's words stands in a message as a word, or as the beginning of one where it is long
// enough to mean something. In paths only a word counts that is a path or an address itself, and the name of a tool only outside of
// longer phrases of others.
func (s Skill) isNamedIn(message, withoutPaths string, phrases []string) bool {
	stands := func(word string) bool {
		if strings.ContainsAny(word, `./\`) {
			return standsIn(message, fold(word))
		}
		return standsIn(withoutPaths, fold(word))
	}
	return s.anyWord(stands) || s.anyTool(func(name string) bool {
		if !stands(name) || strings.ContainsAny(name, `./\`) {
			return stands(name)
		}
		name, rest := fold(name), withoutPaths
		for _, phrase := range phrases {
			if len(phrase) > len(name) && strings.Contains(phrase, name) {
				rest = strings.ReplaceAll(rest, phrase, strings.Repeat(".", len(phrase)))
			}
		}
		return standsIn(rest, name)
	})
}

// anyWord reports whether a word of the skill's own is one.
func (s Skill) anyWord(is func(word string) bool) bool {
	for _, words := range [][]string{{s.Name, strings.ReplaceAll(s.Name, "-", " ")}, s.Keywords, s.Tags} {
		for _, w := range words {
			if is(w) {
				return true
			}
		}
	}
	return false
}

func (s Skill) anyTool(is func(name string) bool) bool {
	return slices.ContainsFunc(s.Tools, func(t tools.Tool) bool { return is(tools.DefOf(t).Name) })
}

// shortWord is the length in bytes up to which a word has to stand alone, with an s at most behind it: "memo" does not mean "memory".
// Words of other languages take more bytes, and have other endings.
const shortWord = 4

// standsIn reports whether a word stands in a message, both folded. Scripts that do not say where words begin have no such
// borders.
func standsIn(message, word string) bool {
	if word == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(word)
	for from := 0; ; {
		i := strings.Index(message[from:], word)
		if i < 0 {
			return false
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(message[:at])
		rest := message[at+len(word):]
		after, _ := utf8.DecodeRuneInString(strings.TrimPrefix(rest, "s"))
		switch {
		case !isSpaced(first):
			return true
		case at > 0 && isWordPart(before), strings.HasPrefix(rest, "/"), strings.HasPrefix(rest, "_"): // of a path, or of a name
		case len(word) <= shortWord && strings.TrimPrefix(rest, "s") != "" && isWordPart(after):
		default:
			return true
		}
		from = at + len(word)
	}
}

// isWordPart reports whether a word goes on over r.
func isWordPart(r rune) bool {
	return r != utf8.RuneError && isSpaced(r) || unicode.IsDigit(r) || strings.ContainsRune(`/_\`, r)
}

// isSpaced reports whether r is a letter of a script that has blanks between words.
func isSpaced(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}
