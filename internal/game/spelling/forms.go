package spelling

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Akin reports whether two words in small letters are forms of the same word.
func Akin(a, b string) bool {
	switch {
	case a == b:
		return true
	case a == "" || b == "":
		return false
	case len(a) > 1 && a[0] < utf8.RuneSelf && len(b) > 1:
		return englishForms(a, b) || englishForms(b, a)
	}
	if parts := strings.Split(b, "-"); len(parts) > 1 && isRussian(a) && !strings.Contains(a, "-") { // молот is a кирка-молот
		return slices.ContainsFunc(parts, func(part string) bool { return Akin(a, part) })
	}
	if a[0] != b[0] || !isRussian(a) {
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
	for n < min(len(a), len(b)) && a[n] == b[n] {
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

// bare returns a word without the last о or е of its stem, which disappears before an ending:
// замок, замка; огонь, огня. One of three letters stays as it is: ели is more often a verb than of ель.
func bare(word string) string {
	runes := []rune(word)
	n := len(runes)
	if n < 4 {
		return word
	}
	if runes[n-1] == 'ь' {
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
func ending(s string) bool { return s == "" || strings.Contains(endings, " "+s+" ") }

// isRussian reports whether a word begins with a letter from а to я, or a capital.
func isRussian(word string) bool { return word[0] == 0xD0 || word[0] == 0xD1 }
