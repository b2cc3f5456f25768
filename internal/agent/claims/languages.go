package claims

import (
	"embed"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"hob/internal/phrases"
)

// files are the words of each language. A line is "name = words", with bars between the words, or "~name = pattern", a regular
// expression in which {name} stands for these words. The patterns of one name are alternatives, and each is compiled when it is first
// needed: all of them would take two milliseconds. Everything is in small letters.
//
//	write, delete, send, run, change   verbs by what they do; in Russian their stems
//	ended                              what a command has done that has run
//	alldone                            a whole sentence that says that what was asked for is done
//	agrees                             words that may stand before it, with a comma
//	later, soon                        what no promise, and no announcement, is without
//	vain, well                         words of failure and of success
//	command, whole, part               what can be run; a file or a folder; a part of one
//	aside, article                     words that begin a clause about a thing: everywhere, or only at its beginning
//	thing                              words before the name of a thing
//	mark                               what says behind a Chinese verb that it is done
//
//go:embed words
var files embed.FS

// language is how a reply is put in one language.
type language struct {
	words    map[string][]string
	patterns map[string][]func() *regexp.Regexp
}

type languageFile struct {
	script *unicode.RangeTable
	load   func() language
}

// languages returns the languages by their letters: a sentence without these is not in the language. Each is read when it is first needed.
var languages = sync.OnceValue(func() []languageFile {
	file := func(name string, script *unicode.RangeTable) languageFile {
		return languageFile{script, sync.OnceValue(func() language { return load(name) })}
	}
	return []languageFile{file("en", unicode.Latin), file("de", unicode.Latin), file("ru", unicode.Cyrillic), file("zh", unicode.Han)}
})

// load reads the file of a language. What the file lacks is a mistake of the program's.
func load(name string) language {
	text, err := files.ReadFile("words/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	l := language{map[string][]string{}, map[string][]func() *regexp.Regexp{}}
	var lists []string // for a replacer: {name}, its words
	for key, words := range phrases.File(text).All() {
		before := lists
		if key, isPattern := strings.CutPrefix(key, "~"); isPattern {
			l.patterns[key] = append(l.patterns[key], sync.OnceValue(func() *regexp.Regexp {
				return regexp.MustCompile(strings.NewReplacer(before...).Replace(words))
			}))
			continue
		}
		if strings.Contains(words, "{") {
			words = strings.NewReplacer(before...).Replace(words)
		}
		l.words[key] = strings.Split(words, "|")
		lists = append(lists, "{"+key+"}", "(?:"+words+")")
	}
	return l
}

// languagesOf yields the languages whose letters are in s.
func languagesOf(s string) iter.Seq[language] {
	return func(yield func(language) bool) {
		for _, l := range languages() {
			if strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(l.script, r) }) && !yield(l.load()) {
				return
			}
		}
	}
}

// inLanguageOf reports whether something is so in one of the languages whose letters are in s.
func inLanguageOf(s string, so func(language) bool) bool {
	for l := range languagesOf(s) {
		if so(l) {
			return true
		}
	}
	return false
}

// matches reports whether s matches a pattern of that name.
func matches(s, name string) bool {
	return inLanguageOf(s, func(l language) bool {
		return slices.ContainsFunc(l.patterns[name], func(pattern func() *regexp.Regexp) bool { return pattern().MatchString(s) })
	})
}

// holds reports whether s holds a word of that list, or the beginning of one.
func holds(s, list string) bool {
	return inLanguageOf(s, func(l language) bool {
		return slices.ContainsFunc(l.words[list], func(word string) bool { return strings.Contains(s, word) })
	})
}

// isIn reports whether a word, or a sentence, is in a list.
func isIn(word, list string) bool {
	return inLanguageOf(word, func(l language) bool { return slices.Contains(l.words[list], word) })
}

// isRussianOrChinese reports whether a letter is. What a text in these languages may say is not looked for in lists first.
func isRussianOrChinese(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Han) }
