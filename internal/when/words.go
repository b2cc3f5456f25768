package when

import (
	"embed"
	"strings"
)

// A lexicon is the words of time of one language that a text may have: a phrase, its tokens with a space between, to its
// meanings. It is read anew for each text, with the phrases alone whose letters are all in the text, which are few.
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

// readLexicon reads what a text may have of words/lang.txt.
func readLexicon(lang, text string) lexicon {
	letters := map[rune]bool{' ': true}
	for _, r := range text {
		letters[fold(r)] = true
	}
	// Only what stands before a choice is looked at, and ASCII: an umlaut may be spelled otherwise.
	possible := func(phrase string) bool {
		for _, r := range phrase {
			if r == '(' {
				return true
			}
			if !letters[r] && (lang != "de" || r < 0x80) {
				return false
			}
		}
		return true
	}
	return loadLexicon(lang, possible)
}

func loadLexicon(lang string, possible func(phrase string) bool) lexicon {
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
			if !possible(phrase) {
				continue
			}
			for _, spelled := range spellings(phrase, lang) {
				tokens := tokenize(spelled)
				key := joinTokens(tokens)
				l.phrases[key] = append(l.phrases[key], meaning{is, value})
				l.longest = max(l.longest, len(tokens))
			}
		}
	}
	return l
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
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
