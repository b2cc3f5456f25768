package when

import (
	"embed"
	"strings"
	"sync"
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

// lexicons has what reads the words of each language, when they are first asked for.
var lexicons = sync.OnceValue(func() map[string]func() lexicon {
	all := map[string]func() lexicon{}
	for _, lang := range []string{"en", "de", "ru", "zh"} {
		all[lang] = sync.OnceValue(func() lexicon { return readLexicon(lang) })
	}
	return all
})

// speaks says whether there are words of a language.
func speaks(lang string) bool { return lexicons()[lang] != nil }

// readLexicon reads words/lang.txt.
func readLexicon(lang string) lexicon {
	text, err := files.ReadFile("words/" + lang + ".txt")
	if err != nil {
		panic(err) // the file is part of the program
	}
	l := lexicon{phrases: make(map[string][]meaning, 900)}
	for line := range strings.Lines(string(text)) {
		name, phrases, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		is, value, _ := strings.Cut(name, " ")
		for phrase := range strings.SplitSeq(phrases, ", ") {
			for _, spelled := range spellings(phrase, lang) {
				key, tokens := keyOf(spelled)
				l.phrases[key] = append(l.phrases[key], meaning{is, value})
				l.longest = max(l.longest, tokens)
			}
		}
	}
	return l
}

// keyOf returns the tokens of a phrase with a space between, and how many there are. Most phrases are words of small letters, and their own key.
func keyOf(phrase string) (key string, tokens int) {
	isWords := !strings.ContainsFunc(phrase, func(r rune) bool { return r != ' ' && (fold(r) != r || kindOf(r) != 'w') })
	if isWords {
		return phrase, 1 + strings.Count(phrase, " ")
	}
	all := tokenize(phrase)
	return joinTokens(all), len(all)
}

// spellings lists how a phrase is written. Who has no umlauts writes ae, oe, ue and ss.
func spellings(phrase, lang string) []string {
	all := spell(phrase)
	if lang != "de" || !strings.ContainsAny(phrase, "äöüß") {
		return all
	}
	ascii := strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss")
	for _, spelled := range all {
		all = append(all, ascii.Replace(spelled))
	}
	return all
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
	if len(tokens) == 1 {
		return tokens[0].text
	}
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
