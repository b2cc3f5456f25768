// Package phrases reads embedded files of words, which have a line "key = words" for each. Lines that begin with # are comments.
//
// A package that says things to people in several languages embeds a folder words with a file for each of [Languages], such as
// words/de.txt, and reads it with [In]. All have the same keys, and the words of a key the same places: a test holds that with [Check].
package phrases

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// File is the text of such a file.
type File string

// All yields each key with its words, in their order. A space at the end of the words counts.
func (f File) All() iter.Seq2[string, string] {
	return func(yield func(key, words string) bool) {
		for line := range strings.Lines(string(f)) {
			key, words, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
			if ok && line[0] != '#' && !yield(key, words) {
				return
			}
		}
	}
}

// Find returns the words of a key. It reads no other line, which for a few keys takes less time than a map of all.
func (f File) Find(key string) (words string, ok bool) {
	rest, start := string(f), key+" = "
	if !strings.HasPrefix(rest, start) {
		if _, rest, ok = strings.Cut(rest, "\n"+start); !ok {
			return "", false
		}
	} else {
		rest = rest[len(start):]
	}
	words, _, _ = strings.Cut(rest, "\n")
	return words, true
}

// Variants returns the words of KEY, KEY.2, KEY.3 and so on, as many as there are.
func (f File) Variants(key string) (all []string) {
	for words, ok := f.Find(key); ok; words, ok = f.Find(key + "." + strconv.Itoa(len(all)+1)) {
		all = append(all, words)
	}
	return all
}

// Fill replaces {0}, {1} and so on in a text by args. What args have in braces stays.
func Fill(text string, args ...string) string {
	pairs := make([]string, 0, 2*len(args))
	for i, arg := range args {
		pairs = append(pairs, "{"+strconv.Itoa(i)+"}", arg)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Languages returns the languages that hob speaks. The first is what it speaks where no other is known.
func Languages() []string { return []string{"en", "de", "ru", "zh"} }

// Language returns which of [Languages] a tag such as "de-AT" or "ru_RU.UTF-8" stands for, "" where it is none of them.
func Language(tag string) string {
	lang := strings.ToLower(tag)
	if end := strings.IndexAny(lang, "-_."); end >= 0 {
		lang = lang[:end]
	}
	if slices.Contains(Languages(), lang) {
		return lang
	}
	return ""
}

// Environment returns which of [Languages] the environment of a process asks for, as POSIX has it; "" where it asks for none of them.
func Environment(getenv func(string) string) string {
	return Language(cmp.Or(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG")))
}

// Words are the words of a package in one language.
type Words struct{ own, english File }

// In returns the words in a language. What there are none of is in English.
func In(folder fs.FS, lang string) Words {
	w := Words{english: read(folder, Languages()[0])}
	if w.own = w.english; slices.Contains(Languages()[1:], lang) {
		w.own = read(folder, lang)
	}
	return w
}

// read reads the file of a language. Without one the program is wrong.
func read(folder fs.FS, lang string) File {
	text, err := fs.ReadFile(folder, "words/"+lang+".txt")
	if err != nil {
		panic(err)
	}
	return File(text)
}

// Find returns the words of a key, with args in their places. Where the file has \n, they have a line end.
func (w Words) Find(key string, args ...string) (text string, ok bool) {
	if text, ok = w.own.Find(key); !ok {
		text, ok = w.english.Find(key)
	}
	return Fill(strings.ReplaceAll(text, `\n`, "\n"), args...), ok
}

// Variants returns the words of KEY, KEY.2, KEY.3 and so on, as many as there are in the language.
func (w Words) Variants(key string) []string { return w.own.Variants(key) }

// Text is Find for a key that there is.
func (w Words) Text(key string, args ...string) string {
	text, ok := w.Find(key, args...)
	if !ok {
		return key
	}
	return text
}

// Check says in what the files of a folder differ: each has the keys of the English one, and their words have the same places.
func Check(folder fs.FS) error {
	english := maps.Collect(read(folder, Languages()[0]).All())
	var all []error
	for _, lang := range Languages()[1:] {
		words := maps.Collect(read(folder, lang).All())
		for key, text := range words {
			if _, ok := english[key]; !ok {
				all = append(all, fmt.Errorf("%s: %s is no key of the English file", lang, key))
			} else if a, b := places(english[key]), places(text); !slices.Equal(a, b) {
				all = append(all, fmt.Errorf("%s: %s has %v, in English %v", lang, key, b, a))
			}
		}
		for key := range english {
			if words[key] == "" {
				all = append(all, fmt.Errorf("%s: there are no words for %s", lang, key))
			}
		}
	}
	return errors.Join(all...)
}

// places returns the places of a text, sorted: {0}, and those with names.
func places(text string) (all []string) {
	for _, rest := range strings.Split(text, "{")[1:] {
		name, _, ok := strings.Cut(rest, "}")
		if place := "{" + name + "}"; ok && !strings.Contains(name, " ") && !slices.Contains(all, place) {
			all = append(all, place)
		}
	}
	slices.Sort(all)
	return all
}
