package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// judgeHere judges an action on somebody or something in the group of the call. Anybody in a group
// can put words before the model, so those words must not choose the target. The action needs no
// question only if the asking person named the target, in this turn. At worst it then hits the
// named target for a wrong reason, and can be undone.
func judgeHere(c Call, what string) Ruling {
	for _, text := range c.Asks {
		if standsIn(text, what) {
			return allow(RuleNamedHere)
		}
	}
	return ask(RuleSends)
}

// standsIn reports whether a text contains a name as a word of its own, in any case. Next to a
// letter of a script without spaces, a word begins and ends by itself. An @ before the name in the
// text does not matter, but one in the name must be in the text: "cem" does not name @cem.
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

// isOneWord reports whether two adjacent runes belong to one word.
func isOneWord(a, b rune) bool {
	of := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_') &&
			!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	return of(a) && of(b)
}
