// Package spelling reads words by their letters: it cuts a text into words, brings them to small letters and takes their endings away,
// in the three languages of stories. It knows no meanings.
package spelling

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Language returns lang if stories are told in it, else en.
func Language(lang string) string {
	if lang == "ru" || lang == "zh" {
		return lang
	}
	return "en"
}

// Lower returns s in small letters, without ё, with one kind of apostrophe.
func Lower(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 'ё', 'Ё':
			return 'е'
		case '’':
			return '\''
		}
		return unicode.ToLower(r)
	}, s)
}

// IsLetter reports whether a character is part of a word.
func IsLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// HasHan reports whether a text has Chinese characters.
func HasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// HasEnd reports whether s ends as one of some endings does.
func HasEnd(s string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// Line returns a text as one line without control characters, at most n runes.
func Line(s string, n int) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))), " ")
	if utf8.RuneCountInString(s) > n {
		s = string([]rune(s)[:n-1]) + "…"
	}
	return s
}

// Words returns the words of a text in small letters.
func Words(s string) []string {
	return strings.FieldsFunc(Lower(s), func(r rune) bool { return !IsLetter(r) && !strings.ContainsRune("'-_", r) })
}

// Stem returns what the forms of a word have in common, as far as its end shows. w is in small letters.
func Stem(lang, w string) string {
	switch {
	case w == "" || lang == "zh":
		return w
	case w[0] >= 0x80:
		return stemRussian(w)
	}
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'")
	n := len(w)
	switch {
	case n > 4 && HasEnd(w, "xes", "ches", "shes", "sses"):
		return w[:n-2]
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		return w[:n-1]
	}
	return w
}

// endings are those of cases and numbers, between spaces.
const endings = " ами ями ого его ому ему ыми ими иям иях ией ая яя ую юю ой ей ий ый ое ее ие ые ых их ым им ом ем ам ям ах ях " +
	"ов ев ою ею ия ию ии ья ью ье ьи а я о е и ы у ю ь й "

// stemRussian takes the ending of a case away, then the vowel that some forms have before their last letter (осколок, осколка).
func stemRussian(w string) string {
	long := utf8.RuneCountInString(w)
	if long < 4 {
		return w
	}
	for n := min(3, long-3); n > 0; n-- {
		if cut := len(w) - 2*n; cut > 0 && utf8.RuneStart(w[cut]) && strings.Contains(endings, " "+w[cut:]+" ") {
			w = w[:cut]
			long -= n
			break
		}
	}
	if long > 4 && strings.HasSuffix(w, "е") {
		w = strings.TrimSuffix(w, "е") // галерея, галерею, галерей
		long--
	}
	if long < 5 || len(w) < 10 {
		return w
	}
	before, last := w[len(w)-4:len(w)-2], w[len(w)-2:]
	if (before == "о" || before == "е") && !strings.Contains("аеиоуыэюяйь", last) {
		return w[:len(w)-4] + last
	}
	return w
}
