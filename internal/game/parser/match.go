package parser

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// How well words fit a name; more is better.
const (
	noFit     = iota
	beginning // they are words of it, or how words of it begin
	someWords // they are words of it
	lastWords // and its last one is: a salt herring is a herring, and a herring barrel is a barrel
	allWords  // they are its words, in whatever case
	exactly
)

// fit returns how well words fit a name.
func fit(words, name []string) int {
	switch {
	case len(words) == 0 || len(name) == 0:
		return noFit
	case slices.Equal(words, name):
		return exactly
	}
	if slices.ContainsFunc(words, isHan) {
		return fitPart(words, name)
	}
	best := someWords
	for _, word := range words {
		switch {
		case slices.ContainsFunc(name, func(n string) bool { return akin(word, n) }):
		case slices.ContainsFunc(name, func(n string) bool { return begins(word, n) || isDiminutive(word, n) || isDiminutive(n, word) }):
			best = beginning
		default:
			return noFit
		}
	}
	if last := name[len(name)-1]; best == someWords && last[0] < 128 && akin(words[len(words)-1], last) {
		best = lastWords
	}
	if best > beginning && len(words) == len(name) && !slices.ContainsFunc(name, func(n string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return akin(word, n) })
	}) {
		return allWords
	}
	return best
}

// fitPart is fit for Chinese: any part of a name fits.
func fitPart(words, name []string) int {
	best := noFit
	for i := 0; i+len(words) <= len(name); i++ {
		if slices.Equal(words, name[i:i+len(words)]) && (len(words) > 1 || isHead(name, i)) {
			best = someWords
			if i+len(words) == len(name) {
				return lastWords
			}
		}
	}
	if best > noFit {
		return best
	}
	// 箱子 is said of a 橡木箱, too.
	if n := len(words) - 1; n > 0 && (words[n] == "子" || words[n] == "头") && slices.Contains(name, words[n-1]) && fitPart(words[:n], name) > noFit {
		return beginning
	}
	return noFit
}

// isHead reports whether one character of a Chinese name says what kind of thing it is: the last one, but for 子 or 头 behind it. 看海 is
// no look at 海丝特.
func isHead(name []string, at int) bool {
	rest := name[at+1:]
	return len(rest) == 0 || len(rest) == 1 && (rest[0] == "子" || rest[0] == "头")
}

// isGivenName reports whether one character is the first part of a Chinese name: 南·托利弗.
func isGivenName(word, name string) bool {
	return isHan(word) && strings.HasPrefix(name, word+"·")
}

// begins reports whether a word is a prefix of another one, of at least four letters.
func begins(word, of string) bool {
	return len(word) >= 4 && strings.HasPrefix(of, word) && utf8.RuneCountInString(word) >= 4
}

// akin reports whether two words are forms of the same word.
func akin(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > 1 && a[0] < 128 && len(b) > 1 {
		return englishForms(a, b) || englishForms(b, a)
	}
	if parts := strings.Split(b, "-"); len(parts) > 1 && a != "" && isCyrillic(a) && !strings.Contains(a, "-") { // молот is a кирка-молот
		return slices.ContainsFunc(parts, func(part string) bool { return akin(a, part) })
	}
	if a == "" || b == "" || a[0] != b[0] || !isCyrillic(a) {
		return false
	}
	return russianForms(a, b) || russianForms(bare(a), bare(b)) || russianForms(short(a), bare(b)) || russianForms(bare(a), short(b))
}

// englishForms reports whether many is the plural or the genitive of one.
func englishForms(one, many string) bool {
	rest, ok := strings.CutPrefix(many, one)
	return ok && (rest == "s" || rest == "es" || rest == "'s" || rest == "'")
}

// russianForms reports whether two words differ in their endings alone.
func russianForms(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	// A stem has three letters, or two if they are the whole of one of the words: рука, руке; яд,
	// яда. Endings may begin alike: железный, железным.
	for range 3 {
		if n < 4 || n < 6 && n < len(a) && n < len(b) {
			return false
		}
		if ending(a[n:]) && ending(b[n:]) {
			return true
		}
		n -= 2
	}
	return false
}

// isDiminutive reports whether a Russian noun is a small one of another: уголёк, of уголь.
func isDiminutive(word, small string) bool {
	if word == "" || !isCyrillic(word) {
		return false
	}
	base := strings.TrimRight(word, "аеиоуыэюяьй")
	rest, ok := strings.CutPrefix(strings.TrimRight(small, "аеиоуыэюяьй"), base)
	return ok && utf8.RuneCountInString(base) > 3 && slices.Contains([]string{"ек", "ок", "ик", "ечек", "очек", "к", "очк", "ечк"}, rest)
}

func isCyrillic(word string) bool { return word[0] == 0xD0 || word[0] == 0xD1 }

// bare returns a word without the last о or е of its stem, which disappears before an ending:
// замок, замка; огонь, огня.
func bare(word string) string {
	runes := []rune(word)
	n := len(runes)
	if n > 0 && runes[n-1] == 'ь' {
		n--
	}
	if n >= 4 && (runes[n-2] == 'о' || runes[n-2] == 'е') && !vowel(runes[n-1]) {
		return string(runes[:n-2]) + string(runes[n-1])
	}
	return strings.ReplaceAll(word, "ь", "") // письма, писем
}

// short is bare for a word of three letters: пёс, пса; лёд, льда. It is "" for any other word, and
// for кот, which would become кто.
func short(word string) string {
	runes := []rune(strings.TrimSuffix(word, "ь"))
	if len(runes) != 3 || runes[1] != 'о' && runes[1] != 'е' || vowel(runes[0]) || vowel(runes[2]) || word == "кот" {
		return ""
	}
	return string(runes[0]) + string(runes[2])
}

func vowel(r rune) bool { return strings.ContainsRune("аеиоуыэюяй", r) }

// ending reports whether s is an ending of nouns or adjectives.
func ending(s string) bool {
	switch s {
	case "", "а", "я", "о", "е", "у", "ю", "ы", "и", "ь", "й", "ой", "ей", "ою", "ею", "ом", "ем", "ам", "ям", "ах", "ях", "ами", "ями", "ов",
		"ев", "ый", "ий", "ая", "яя", "ое", "ее", "ые", "ие", "ого", "его", "ому", "ему", "ым", "им", "ых", "их", "ую", "юю", "ыми", "ими",
		"ия", "ию", "ией", "ии", "ью":
		return true
	}
	return false
}
