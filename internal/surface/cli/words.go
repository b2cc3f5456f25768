package cli

import (
	"embed"
	"fmt"
	"slices"
	"strings"

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

// Answers are what may be typed for an answer, which is yes, always or no: what is shown for it, its whole word, and what else counts.
func Answers(w phrases.Words, answer string) []string { return strings.Fields(w.Text(answer)) }

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
