package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// judgeHere judges what is done to somebody or something in the group that the call is made in. Everybody in a group can put
// words before the model, so what those say must choose nobody: it is done without a question only to what whoever asks has
// named themselves, in this turn. At worst it is then done to the right one for a wrong reason, and can be taken back.
func judgeHere(c Call, what string) Ruling {
	for _, text := range c.Asks {
		if standsIn(text, what) {
			return allow(RuleNamedHere)
		}
	}
	return ask(RuleSends)
}

// standsIn reports whether a text has a name as a word of its own, in small or capital letters. Beside a letter of a script
// that is written without blanks a word begins and ends by itself. With or without an @ is the same name only where the text
// has one: "cem" does not name @cem.
func standsIn(text, name string) bool {
	text, name = strings.ToLower(text), strings.ToLower(strings.TrimSpace(name))
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		begin := from + i
		end := begin + len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:begin])
		after, _ := utf8.DecodeRuneInString(text[end:])
		first, n := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		if (begin == 0 || !isOneWord(before, first)) && (end == len(text) || !isOneWord(last, after)) {
			return true
		}
		from = begin + n
	}
}

// isOneWord reports whether two neighbouring runes are of one word.
func isOneWord(a, b rune) bool {
	of := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_') &&
			!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	return of(a) && of(b)
}
