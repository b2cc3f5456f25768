package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
)

// key is what a fact can say of a person, and how people say it.
type key struct {
	name string
	many bool   // there may be several: another value takes the place of none
	says string // beginnings of sentences in which people say it of themselves
	asks string // words of questions that are about it
}

// keys are the keys that hob knows by itself. Any other word can be one, too.
func keys() (all []key) {
	for _, name := range []string{"name", "birthday", "address", "phone", "email", "allergy", "likes"} {
		all = append(all, key{name, name == "allergy" || name == "likes", wordsOf("says." + name), wordsOf("asks." + name)})
	}
	return all
}

// keyTerm is the term of a key: no word of a person is one.
func keyTerm(key string) string {
	return "key" + strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return r
	}, plain(strings.ToLower(key)))
}

// subordinate are the last words of what people say behind "dass", with the key of each: German puts the verb there.
func subordinate() [][2]string {
	return [][2]string{
		{"heiße", "name"}, {"heisse", "name"}, {"geboren bin", "birthday"}, {"geboren wurde", "birthday"}, {"geburtstag habe", "birthday"},
		{"wohne", "address"}, {"allergisch bin", "allergy"}, {"mag", "likes"}, {"liebe", "likes"},
	}
}

// keyOf returns what a text says of whoever says it, or "".
func (r *reader) keyOf(text string) string {
	text = strings.TrimRight(fold(text), ".!")
	if strings.HasPrefix(text, "ich ") {
		for _, last := range subordinate() {
			if strings.HasSuffix(text, " "+last[0]) {
				return last[1]
			}
		}
	}
	for _, k := range r.keys {
		for says := range strings.SplitSeq(k.says, "|") {
			rest, begins := strings.CutPrefix(text, fold(says))
			switch {
			case !begins || goesOn(rest) && !strings.HasSuffix(says, "lieblings"):
			case k.name == "allergy" && strings.HasPrefix(says, "我对") && !strings.Contains(text, "过敏"):
			case k.name == "allergy" && says == "ich bin gegen" && !strings.Contains(text, "allergisch"):
			case k.name == "birthday" && strings.HasSuffix(says, " am") && !strings.Contains(text, "gebor") && !strings.Contains(text, "geburtstag"):
			default:
				return k.name
			}
		}
	}
	return ""
}

// asked returns the keys that a question is about.
func (r *reader) asked(text string) (names []string) {
	all := runs(text)
	for _, k := range r.keys {
		for w := range strings.FieldsSeq(k.asks) {
			is := func(run string) bool {
				return run == w || isIdeograph([]rune(w)[0]) && strings.Contains(run, w)
			}
			if slices.ContainsFunc(all, is) {
				names = append(names, k.name)
				break
			}
		}
	}
	return names
}

// isSingle reports whether a person has one value of a key at most.
func (r *reader) isSingle(name string) bool {
	return name != "" && !slices.ContainsFunc(r.keys, func(k key) bool { return k.name == name && k.many })
}

// subjectOf returns the subject that a text is for, which says nothing of it: what is ours is the house's.
func subjectOf(text string, own event.Subject, house bool) event.Subject {
	const ours = " our we us ours unser unsere unseren unserem unserer unseres wir uns наш наша наше наши нашего нашей наших нашу мы нас нам "
	const mine = " my i me mine i'm mein meine meinen meinem meiner ich mir mich мой моя мое мои меня мне я "
	isOurs, isMine := strings.Contains(text, "我们") || strings.Contains(text, "咱们") || strings.Contains(text, "家里"), false
	for _, run := range runs(text) {
		isOurs = isOurs || strings.Contains(ours, " "+plain(run)+" ")
		isMine = isMine || strings.Contains(mine, " "+plain(run)+" ")
	}
	if house && isOurs && !isMine {
		return event.House
	}
	return own
}

// fold returns a text in small letters, with one blank between its words.
func fold(text string) string {
	text = strings.ReplaceAll(strings.ToLower(text), "ё", "е")
	return strings.Join(strings.Fields(strings.NewReplacer("’", "'", "，", " ", ",", " ", ":", " ", "：", " ").Replace(text)), " ")
}

// goesOn reports whether a text goes on with a letter, so that the word before it is not at its end.
func goesOn(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) && !isIdeograph(first)
}
