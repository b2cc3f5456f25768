package cli

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/lists"
	"hob/internal/phrases"
	"hob/internal/session"
)

//go:embed words
var files embed.FS

// Words are what hob says at a terminal in a language, such as "de".
func Words(lang string) phrases.Words { return phrases.In(files, lang) }

// Answers are what may be typed for an answer, which is yes, always or no: what is shown for it, its whole word, and what else counts. Of a
// no that may be several words, such as "never mind": nobody means yes by them.
func Answers(w phrases.Words, answer string) []string {
	all := strings.Fields(w.Text(answer))
	if more, ok := w.Find(answer + ".more"); ok {
		all = append(all, strings.Split(more, " | ")...)
	}
	return all
}

// IsAnswer reports whether a line is one of some answers in a language, or several of them: "no, rather not". The marks in it count as
// spaces, and polite words as nothing.
func IsAnswer(lang string, answers []string, line string) (is bool) {
	marks := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",.!;，。！；、", r) }
	rest := strings.Join(strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(line), "’", "'"), marks), " ")
	polite := strings.Split(Words(lang).Text("polite"), " | ")
	for rest != "" {
		word := ""
		for _, w := range slices.Concat(polite, answers) {
			behind, begins := strings.CutPrefix(rest, w)
			if begins && len(w) > len(word) && (behind == "" || behind[0] == ' ' || isHan(w)) {
				word = w
			}
		}
		if word == "" {
			return false
		}
		is = is || slices.Contains(answers, word)
		rest = strings.TrimPrefix(rest[len(word):], " ")
	}
	return is
}

// isHan reports whether a word is Chinese: then no space stands behind it.
func isHan(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// IsYes reports whether an answer is yes in a language.
func IsYes(lang, answer string) bool {
	return slices.ContainsFunc(Answers(Words(lang), "yes"), func(yes string) bool { return strings.HasPrefix(strings.ToLower(answer), yes) })
}

// GrantTexts are what grants allow.
func GrantTexts(w phrases.Words, grants []event.Grant) string {
	return strings.Join(lists.Map(grants, func(g event.Grant) string { return g.In(w.Text) }), ", ")
}

// voice is the language in which a printer speaks: that of the newest question, or of the newest words of a person that say one.
type voice struct {
	lang      string
	typed     string // words that may say one, and were not looked at yet
	sentences *intents.Sentences
}

// receive takes an event that may say a language.
func (v *voice) receive(e event.Event) {
	switch b := e.Body.(type) {
	case event.Said:
		if words := session.TypedWords(b); words != "" {
			v.Language()
			v.typed = words
		}
	case event.Asked:
		v.lang, v.typed = b.Lang, ""
	}
}

// Language is the language of the chat, as far as its events say one.
func (v *voice) Language() string {
	if v.typed != "" {
		if lang := v.sentences.LanguageOf(v.typed); lang != "" {
			v.lang = lang
		}
		v.typed = ""
	}
	return v.lang
}

// Text returns the words of a key.
func (v *voice) Text(key string, args ...any) string {
	return Words(v.Language()).Text(key, lists.Map(args, func(arg any) string { return fmt.Sprint(arg) })...)
}

// translate translates what a tool says, or hob itself. What there are no words for stays.
func (v *voice) translate(of, text string) string {
	return v.sentences.Translate(v.Language(), text, of)
}
