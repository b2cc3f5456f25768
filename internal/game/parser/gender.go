package parser

import "slices"

// withGender removes the people whom a pronoun cannot mean: "she" is nobody whose name or looks are a man's.
func (r *reader) withGender(pronoun []token, some []*entity) []*entity {
	other := ""
	switch {
	case r.table.is("he", pronoun):
		other = "woman"
	case r.table.is("she", pronoun):
		other = "man"
	case len(pronoun) > 0 && r.saysGender("man", pronoun[len(pronoun)-1:]):
		other = "woman"
	case len(pronoun) > 0 && r.saysGender("woman", pronoun[len(pronoun)-1:]):
		other = "man"
	default:
		return some
	}
	return slices.DeleteFunc(slices.Clone(some), func(e *entity) bool { return e.kind == person && r.gender(e) == other })
}

// saysGender reports whether a word, in any form, is said of a man, or of a woman.
func (r *reader) saysGender(key string, word []token) bool {
	return r.table.leading(key, word) > 0 || r.table.leading(key+".said", word) > 0
}

// gender returns "man" or "woman" by the first word that shows it in a person's name or description, else "".
func (r *reader) gender(e *entity) string {
	list := tokens(e.actor.Name + ". " + e.actor.Desc).tokens
	for i := range list {
		for _, key := range [...]string{"man", "woman"} {
			if r.table.leading(key, list[i:]) > 0 {
				return key
			}
		}
	}
	return ""
}

// withoutGender removes words that only say that a person is a man or a woman: "the thin man" is a thin agent. If there
// are no other words, it removes none.
func (r *reader) withoutGender(words []string, e *entity) []string {
	if e.kind != person || isHan(words[0]) {
		return words
	}
	gender := r.gender(e)
	rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return gender != "" && r.table.leading(gender, []token{{text: word}}) > 0
	})
	if len(rest) == 0 {
		return words
	}
	return rest
}
