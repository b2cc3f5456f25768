package atlas

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/spelling"
)

//go:embed words.txt
var wordsFile string

// Naming gives the rooms of one layout their names and descriptions. It does not change and may be used by many at once.
type Naming struct {
	theme, lang   string
	nouns, traits []string
	looks         []string
	tags          string
}

// NewNaming draws the words for a theme, which may be any text, in the language en, ru or zh; any other language is en. A theme
// that names a kind of place (a cave, a forest, a town…) in one of the three languages gets words of its own, any other theme
// gets words that suit all. A blank theme is [DefaultTheme].
func NewNaming(key Key, theme, lang string) Naming {
	lang, theme = spelling.Language(lang), strings.TrimSpace(theme)
	theme = cmp.Or(theme, DefaultTheme)
	about := cmp.Or(findMatch("match themes", theme), "any")
	words := section(about + " " + lang)
	random := key.stream(forNames)
	return Naming{
		theme:  theme,
		lang:   lang,
		nouns:  random.shuffled(list(words, "nouns")),
		traits: random.shuffled(list(words, "traits")),
		looks:  random.shuffled(list(words, "looks")),
		tags:   section("tags " + lang),
	}
}

// Name returns the name of room i, which carries the theme as it was given. The first 144 rooms have different names.
func (n Naming) Name(i int) string {
	noun := i % len(n.nouns)
	trait := (noun + i/len(n.nouns)) % len(n.traits)
	colon := ": "
	if n.lang == "zh" {
		colon = "·"
	}
	return n.theme + colon + joinName(n.lang, n.traits[trait], n.nouns[noun])
}

// Describe returns a sentence on room i, and one for each of its tags.
func (n Naming) Describe(i int, tags []string) string {
	text := n.looks[i%len(n.looks)]
	for _, tag := range tags {
		text = joinSentences(n.lang, text, value(n.tags, tag))
	}
	return text
}

// joinName returns a trait and a noun in the order of the language.
func joinName(lang, trait, noun string) string {
	switch lang {
	case "ru":
		return noun + " " + trait
	case "zh":
		return trait + noun
	}
	return trait + " " + noun
}

// joinSentences returns a and b, either of which may be "", as the language sets them.
func joinSentences(lang, a, b string) string {
	if a == "" || b == "" || lang == "zh" {
		return a + b
	}
	return a + " " + b
}

// section returns the lines of a section of the file of words, or "".
func section(name string) string {
	_, rest, _ := strings.Cut(wordsFile, "\n["+name+"]\n")
	text, _, _ := strings.Cut(rest, "\n[")
	return text
}

// value returns what stands in a section's line, or "".
func value(section, name string) string {
	for line := range strings.Lines(section) {
		if text, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

func list(section, name string) []string {
	return strings.Split(value(section, name), "|")
}

// shuffled returns words in a random order.
func (c *chance) shuffled(words []string) []string {
	out := make([]string, len(words))
	for i, j := range c.order(len(words)) {
		out[i] = words[j]
	}
	return out
}

// findMatch returns the name of the first line of a section that has a word of the text, or "".
func findMatch(name, text string) string {
	spoken := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	for line := range strings.Lines(section(name)) {
		about, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		for word := range strings.SplitSeq(words, "|") {
			if slices.ContainsFunc(spoken, func(s string) bool { return isFormOf(s, word) }) {
				return about
			}
		}
	}
	return ""
}

// isFormOf reports whether a spoken word is a form of one of the file: itself or its plural in English, with up to three
// letters more in Russian, and part of it in Chinese, which does not set words apart.
func isFormOf(spoken, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case first < utf8.RuneSelf:
		return spoken == word || spoken == word+"s"
	case unicode.Is(unicode.Cyrillic, first):
		rest, ok := strings.CutPrefix(spoken, word)
		return ok && utf8.RuneCountInString(rest) <= 3
	}
	return strings.Contains(spoken, word)
}
