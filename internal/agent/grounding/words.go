package grounding

import (
	"cmp"
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"hob/internal/numerals"
)

//go:embed words.txt
var wordFile string

// englishFile has the usual words of English, without most of their forms.
//
//go:embed english.txt
var englishFile string

// lexicon is the words that numbers, units and names are known by, in lower case.
type lexicon struct {
	values  map[string]map[string]float64 // by class: what a word stands for, 0 where the class gives no value
	units   map[string]*unit
	longest int      // bytes of the longest unit that is no plain word
	forms   []string // the forms of dates
}

// unit is a unit of measure. Currencies are dimensions.
type unit struct {
	dim    string
	factor float64 // how many of the dimension's base it is
	binary float64 // of data: with powers of 1024
	zero   float64 // of temperatures: where its scale begins
}

// isCurrency reports whether a unit is one of money. Currencies are known by codes of three letters.
func (u *unit) isCurrency() bool { return len(u.dim) == len("eur") }

// theWords returns what words.txt says. Nobody changes it.
var theWords = sync.OnceValue(func() lexicon { return readWords(wordFile) })

// readWords reads the lines of words.txt: a class, its values, a colon, words.
func readWords(file string) lexicon {
	l := lexicon{values: map[string]map[string]float64{}, units: map[string]*unit{}}
	for line := range strings.Lines(file) {
		head, list, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		args := strings.Fields(head)
		class := args[0]
		number := func(i int) float64 {
			if i >= len(args) {
				return 0
			}
			v, _ := strconv.ParseFloat(args[i], 64)
			return v
		}
		u := &unit{}
		if class == "unit" {
			u = &unit{dim: args[1], factor: number(2)}
			if u.dim == "data" {
				u.binary = number(3)
			} else {
				u.zero = number(3)
			}
		}
		if l.values[class] == nil {
			l.values[class] = map[string]float64{}
		}
		for w := range strings.FieldsSeq(list) {
			w = strings.ReplaceAll(w, "_", " ")
			if class == "date" {
				l.forms = append(l.forms, w)
			}
			if class == "unit" {
				l.units[w] = u
				if wordAt(w) != w {
					l.longest = max(l.longest, len(w))
				}
			}
			l.values[class][w] = number(1)
		}
	}
	return l
}

// is reports whether a word is of a class.
func (l lexicon) is(class, w string) bool {
	_, ok := l.values[class][w]
	return ok
}

// value is what a word of a class stands for.
func (l lexicon) value(class, w string) (float64, bool) {
	v, ok := l.values[class][w]
	return v, ok
}

// in reports whether a text has one of the words of a class.
func (l lexicon) in(class, text string) bool { return l.longestOf(class, text, strings.Contains) != "" }

// prefix is the longest word of a class that a text begins with, or "".
func (l lexicon) prefix(class, text string) string {
	return l.longestOf(class, text, strings.HasPrefix)
}

// suffix is the longest word of a class that a text ends with, or "".
func (l lexicon) suffix(class, text string) string {
	return l.longestOf(class, text, strings.HasSuffix)
}

func (l lexicon) longestOf(class, text string, has func(s, part string) bool) string {
	longest := ""
	for w := range l.values[class] {
		if len(w) > len(longest) && has(text, w) {
			longest = w
		}
	}
	return longest
}

// says reports whether a text begins with a word of a class and the word ends there.
func (l lexicon) says(class, text string) bool {
	w := l.prefix(class, text)
	return w != "" && (isHan(firstRune(w)) || !isLetter(firstRune(text[len(w):])))
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// isLetter reports whether a rune is a letter of a script that has words.
func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) && !isHan(r)
}

// maxWord is how many bytes of a word are looked at.
const maxWord = 64

// wordAt is the letters that s begins with.
func wordAt(s string) string {
	for i, r := range s {
		if !isLetter(r) || i > maxWord {
			return s[:i]
		}
	}
	return s
}

// wordBefore is the word that a text ends with, without marks and blanks behind it.
func wordBefore(s string) string {
	s = strings.TrimRight(tail(s, maxWord), " *_")
	return strings.Trim(s[strings.LastIndexAny(s, " (*_\n\u00a0")+1:], ".,:;")
}

// tail is the last n bytes of a text, cut at a rune.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// lowered is a text in lower case, in which each rune has as many bytes as before.
func lowered(s string) string {
	low := strings.ToLower(s)
	if len(low) == len(s) {
		return low
	}
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// stem is the beginning of a word that other forms of it share.
func stem(w string) string {
	n := utf8.RuneCountInString(w)
	for drop := min(3, max(n-4, 0)); drop > 0; drop-- {
		_, size := utf8.DecodeLastRuneInString(w)
		w = w[:len(w)-size]
	}
	if n > 2 && n <= 4 {
		w = strings.TrimSuffix(w, "s")
	}
	return w
}

// isEnglish reports whether a word, or one that it is a form of, is a usual one of English.
func (c *checker) isEnglish(w string) bool {
	if c.english == nil {
		c.english = map[string]bool{}
		for w := range strings.FieldsSeq(englishFile) {
			c.english[w] = true
		}
	}
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	is := c.english
	if is[w] || strings.ContainsAny(w, "'’") { // you'll
		return true
	}
	for ending := range c.values["ending"] {
		base, ok := strings.CutSuffix(w, ending)
		if n := len(base); ok && n > 2 && (is[base] || is[base+"e"] || base[n-1] == 'i' && is[base[:n-1]+"y"] || base[n-1] == base[n-2] && is[base[:n-1]]) {
			return true
		}
	}
	return false
}

// numberWord reads the number that a text begins with in words, with the word of its ones: three, twenty-three, dreiundzwanzig. It
// returns the bytes read, 0 where it is none.
func (l lexicon) numberWord(s string) (v float64, n int) {
	w := cmp.Or(wordAt(s), string(firstRune(s)))
	if v, ok := l.value("number", w); ok { // dozen, 半
		return v, len(w)
	}
	v, n = numerals.Small(s, "")
	if n == 0 {
		return numerals.Read(s, "zh")
	}
	isTens := v >= 20 && v <= 90 && n < len(s) && (s[n] == ' ' || s[n] == '-') && l.prefix("tens", wordAt(s[n+1:])) != ""
	if isTens || v >= 1000 { // forty-third, or of a scale
		return 0, 0
	}
	return v, n
}
