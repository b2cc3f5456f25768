// Package phrases reads embedded files of words, which have a line "key = words" for each. Lines that begin with # are comments.
package phrases

import (
	"iter"
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
