package when

import (
	"embed"
	"strings"
)

// A lexicon is the words of time of one language: a phrase, its tokens with a space between, to its meanings.
type lexicon struct {
	phrases map[string][]meaning
	longest int // tokens of the longest phrase
}

// meaning is what a phrase may mean: {"dow", "1"} is Monday.
type meaning struct{ is, value string }

//go:embed words
var files embed.FS

// speaks says whether there are words of a language.
func speaks(lang string) bool { return lang == "en" || lang == "de" || lang == "ru" || lang == "zh" }

// readLexicon reads words/lang.txt.
func readLexicon(lang string) lexicon {
	text, err := files.ReadFile("words/" + lang + ".txt")
	if err != nil {
		panic(err) // the file is part of the program
	}
	l := lexicon{phrases: map[string][]meaning{}}
	for line := range strings.Lines(string(text)) {
		name, phrases, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		is, value, _ := strings.Cut(name, " ")
		for phrase := range strings.SplitSeq(phrases, ", ") {
			for _, spelled := range spell(phrase) {
				tokens := tokenize(spelled)
				key := joinTokens(tokens)
				l.phrases[key] = append(l.phrases[key], meaning{is, value})
				l.longest = max(l.longest, len(tokens))
			}
		}
	}
	return l
}

// spell writes the choices of a phrase out: a(|b)c is ac and abc.
func spell(phrase string) []string {
	before, rest, ok := strings.Cut(phrase, "(")
	if !ok {
		return []string{phrase}
	}
	choices, after, _ := strings.Cut(rest, ")")
	var all []string
	for choice := range strings.SplitSeq(choices, "|") {
		all = append(all, spell(before+choice+after)...)
	}
	return all
}

func joinTokens(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
