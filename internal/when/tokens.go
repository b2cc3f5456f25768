package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a number, a Han character or a mark of a text.
type token struct {
	text     string // folded: lower case, ё as е, full-width digits as digits
	from, to int    // bytes of the text
	kind     rune   // 'w' word, 'n' number, 'h' Han character, 'p' anything else
	number   int    // of kind 'n'
	spaced   bool   // a space stands before it
	upper    bool   // it begins with a capital letter
}

// mostDigits is how long a number may be: a longer one is no time.
const mostDigits = 8

// tokenize cuts a text. Bytes that are no UTF-8 are marks.
func tokenize(text string) []token {
	var all []token
	spaced := false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		folded := fold(r)
		if unicode.IsSpace(folded) {
			spaced = true
			i += size
			continue
		}
		t := token{from: i, spaced: spaced, kind: kindOf(folded), upper: unicode.IsUpper(r)}
		spaced = false
		isFolded := true
		for i < len(text) {
			r, size = utf8.DecodeRuneInString(text[i:])
			folded = fold(r)
			if i > t.from && !continues(t.kind, folded, text[i+size:]) {
				break
			}
			isFolded = isFolded && folded == r && r != utf8.RuneError
			i += size
			if t.kind == 'h' || t.kind == 'p' {
				break
			}
		}
		if t.to, t.text = i, text[t.from:i]; !isFolded {
			t.text = strings.Map(fold, t.text)
		}
		if t.kind == 'n' {
			if len(t.text) > mostDigits {
				t.kind = 'p'
			}
			for _, d := range t.text {
				t.number = t.number*10 + int(d-'0')
			}
		}
		all = append(all, t)
	}
	return all
}

// continues says whether a rune goes on a token of that kind; rest is what follows the rune. An apostrophe between
// letters belongs to the word, so that "Monday's" is not Monday.
func continues(kind, r rune, rest string) bool {
	if kind == 'w' && r == '\'' {
		next, _ := utf8.DecodeRuneInString(rest)
		return kindOf(fold(next)) == 'w'
	}
	return kindOf(r) == kind || kind == 'w' && unicode.Is(unicode.Mn, r)
}

func kindOf(r rune) rune {
	switch {
	case r >= '0' && r <= '9':
		return 'n'
	case unicode.Is(unicode.Han, r):
		return 'h'
	case unicode.IsLetter(r):
		return 'w'
	}
	return 'p'
}

// fold makes one rune of those that writers use for the same.
func fold(r rune) rune {
	switch r = unicode.ToLower(r); r {
	case '’', 'ʼ', '`':
		return '\''
	case '、':
		return ','
	case '。':
		return '.'
	case '–', '—', '‑', '−':
		return '-'
	case 'ё':
		return 'е'
	case '：', '，', '．', '！', '／', '０', '１', '２', '３', '４', '５', '６', '７', '８', '９': // full width
		return r - '：' + ':'
	}
	return r
}
