package narration

import (
	"strings"
	"unicode/utf8"
)

// stem returns what the forms of a word have in common, as far as its end shows: it is light, and the same for a name and for the
// name within a sentence. w is in small letters, without ё.
func stem(lang, w string) string {
	if w == "" || w[0] < 0x80 {
		return stemEnglish(w)
	}
	if lang == "zh" {
		return w
	}
	return stemRussian(w)
}

func stemEnglish(w string) string {
	w = strings.TrimSuffix(w, "'s")
	w = strings.TrimSuffix(w, "'")
	n := len(w)
	switch {
	case n > 4 && hasAny(w, "xes", "ches", "shes", "sses"):
		return w[:n-2]
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		return w[:n-1]
	}
	return w
}

// stemRussian takes the ending of a case away, then the vowel that some forms have before their last letter.
func stemRussian(w string) string {
	long := utf8.RuneCountInString(w)
	if long < 4 {
		return w
	}
	for n := 3; n > 0; n-- {
		if long-n < 3 {
			continue
		}
		cut := len(w) - 2*n
		if cut > 0 && utf8.RuneStart(w[cut]) && ending(w[cut:]) {
			w = w[:cut]
			long -= n
			break
		}
	}
	if long > 4 && strings.HasSuffix(w, "е") {
		w = strings.TrimSuffix(w, "е") // галерея, галерею, галерей
		long--
	}
	return fleeting(w, long)
}

// ending reports whether an end is one of a case or a number.
func ending(s string) bool {
	switch s {
	case "ами", "ями", "ого", "его", "ому", "ему", "ыми", "ими", "иям", "иях", "ией",
		"ая", "яя", "ую", "юю", "ой", "ей", "ий", "ый", "ое", "ее", "ие", "ые", "ых", "их", "ым", "им", "ом", "ем", "ам", "ям", "ах", "ях",
		"ов", "ев", "ою", "ею", "ия", "ию", "ии", "ья", "ью", "ье", "ьи",
		"а", "я", "о", "е", "и", "ы", "у", "ю", "ь", "й":
		return true
	}
	return false
}

// fleeting takes the о or е before the last consonant away (осколок, осколка).
func fleeting(w string, long int) string {
	if long < 4 || len(w) < 8 {
		return w
	}
	before, last := w[len(w)-4:len(w)-2], w[len(w)-2:]
	if (before == "о" || before == "е") && !strings.Contains("аеиоуыэюяйь", last) {
		return w[:len(w)-4] + last
	}
	return w
}
