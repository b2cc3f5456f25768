// Package numerals reads numbers in words: "two hundred and forty", "dreiundzwanzig", "сто пять", 三百六十五. words.txt has the cardinals of
// English, German and Russian. Other words that stand for a number, such as "a couple", and what is no number where it stands, are
// the callers' matter.
package numerals

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed words.txt
var table string

// Read returns the number that begins a text in lower case, and its bytes: 0 where there is none. Lang is "en", "de", "ru" or "zh",
// or "" for any of them. Several words make a number up to 999,999; in Chinese it may be larger.
func Read(text, lang string) (value float64, size int) {
	if first, _ := utf8.DecodeRuneInString(text); lang == "zh" || lang == "" && unicode.Is(unicode.Han, first) {
		return han(text)
	}
	thousands, group := 0.0, 0.0
	for at := article(text, lang); ; {
		v, n := Small(text[at:], lang)
		switch {
		case n == 0:
			return value, size
		case v == 1000 && thousands == 0:
			thousands, group = max(group, 1)*v, 0
		case v == 100 && group > 0 && group < 100:
			group *= v
		case size == 0, v < 100 && math.Mod(group, 100) == 0 && value >= 100, v >= 100 && group == 0:
			group += v
		default:
			return value, size
		}
		value, size = thousands+group, at+n
		if at = size + space(text[size:]); at == size {
			return value, size
		}
		if joiner := wordAt(text[at:]); value >= 100 && (joiner == "and" || joiner == "und") {
			at += len(joiner) + space(text[at+len(joiner):])
		}
	}
}

// article returns how many bytes the "a" of "a hundred" takes, with what stands between them; 0 where there is none.
func article(text, lang string) int {
	const a = "a "
	if rest, ok := strings.CutPrefix(text, a); ok && (lang == "en" || lang == "") {
		if word := wordAt(rest); word == "hundred" || word == "thousand" {
			return len(a)
		}
	}
	return 0
}

// Small returns the number that one word is, or one with its ones: hundred, twenty, twenty-five.
func Small(text, lang string) (value float64, size int) {
	word := wordAt(text)
	value, ok := valueOf(word, lang)
	if !ok {
		return 0, 0
	}
	size = len(word)
	if at := size + space(text[size:]); value >= 20 && value <= 90 && at > size {
		word = wordAt(text[at:])
		if ones, ok := valueOf(word, lang); ok && ones >= 1 && ones < 10 && math.Mod(value, 10)+math.Mod(ones, 1) == 0 {
			return value + ones, at + len(word)
		}
	}
	return value, size
}

// space returns how many bytes may stand between two words of a number: a blank or a hyphen, or a hyphen between blanks.
func space(text string) int {
	n := len(text) - len(strings.TrimLeft(text, " -"))
	if n > len(" - ") {
		return 0
	}
	return n
}

// longest is how many bytes of a word, or of a number in Chinese, are read: a text is asked for a number at each of its letters.
const longest = 160

// wordAt is the letters that a text begins with, "" where they are too many for a number.
func wordAt(text string) string {
	for i, r := range text {
		if !unicode.IsLetter(r) {
			return text[:i]
		}
		if i > longest {
			return ""
		}
	}
	return text
}

// valueOf returns the value of a word, of which German writes several together: zweihundertdreiundzwanzig.
func valueOf(word, lang string) (float64, bool) {
	if v, ok := lookUp(word, lang); ok || lang != "de" && lang != "" {
		return v, ok
	}
	if whole, ok := strings.CutSuffix(word, "einhalb"); ok {
		v, ok := lookUp(strings.TrimSuffix(whole, "und"), "de")
		return v + .5, ok && v < 20
	}
	for _, unit := range []struct {
		word  string
		value float64
	}{{"tausend", 1000}, {"hundert", 100}, {"und", 1}} {
		before, after, ok := strings.Cut(word, unit.word)
		if !ok {
			continue
		}
		n, ok := valueOf(before, "de")
		if unit.value == 1 { // dreiundzwanzig
			tens, isNumber := lookUp(after, "de")
			return n + tens, ok && isNumber && n >= 1 && n < 10 && tens >= 20 && tens < 100
		}
		if before == "" {
			n, ok = 1, true
		}
		rest := 0.0
		if after = strings.TrimPrefix(after, "und"); ok && after != "" {
			rest, ok = valueOf(after, "de")
		}
		return n*unit.value + rest, ok && n >= 1 && n < 1000 && rest < unit.value
	}
	return 0, false
}

// lookUp returns the value that the table has for a word.
func lookUp(word, lang string) (float64, bool) {
	column := map[string]int{"en": 0, "de": 1, "ru": 2}
	word = " " + strings.ReplaceAll(word, "ё", "е")
	for from := 0; len(word) > 1; {
		found := strings.Index(table[from:], word)
		if found < 0 {
			break
		}
		begin, end := from+found, from+found+len(word)
		line := table[strings.LastIndexByte(table[:begin], '\n')+1 : begin]
		if from = end; table[end] != ' ' && table[end] != '\n' || line[0] == '#' || lang != "" && strings.Count(line, "|") != column[lang] {
			continue
		}
		value, err := strconv.ParseFloat(line[:strings.IndexByte(line+" ", ' ')], 64)
		return value, err == nil
	}
	return 0, false
}

// mostDigits is how many digits one by one are read: 二〇二六.
const mostDigits = 15

// han reads a number in Chinese characters. 一百五 is 150, since 105 is 一百〇五.
func han(text string) (value float64, size int) {
	var high, myriads, section, digit float64
	run := 0                            // how many digits stand last
	last, isShort := math.Inf(1), false // the last unit below 万, and whether one digit stands behind it
	for _, r := range text[:min(len(text), longest)] {
		d, isDigit := digitOf(r)
		unit := unitOf(r)
		switch {
		case isDigit && (run == 0 || digit == 0 || math.IsInf(last, 1) && run < mostDigits):
			isShort = run == 0 && d > 0 && last >= 100
			digit, run = digit*10+d, run+1
		case unit == 100_000_000 && myriads+section+digit > 0:
			high += (myriads + section + digit) * unit
			myriads, section, digit, run, last = 0, 0, 0, 0, unit
		case unit == 10_000 && section+digit > 0:
			myriads += (section + digit) * unit
			section, digit, run, last = 0, 0, 0, unit
		case unit > 0 && unit < 10_000 && unit < last && (digit > 0 || unit == 10 || unit == 20 && run == 0):
			section += max(digit, 1) * unit
			digit, run, last = 0, 0, unit
		default:
			return total(high+myriads+section, digit, last, isShort), size
		}
		size += utf8.RuneLen(r)
	}
	return total(high+myriads+section, digit, last, isShort), size
}

// total adds the last digit, which may have left out its unit.
func total(above, digit, last float64, isShort bool) float64 {
	if isShort && !math.IsInf(last, 1) {
		digit *= last / 10
	}
	return above + digit
}

// digitOf returns the value of a digit.
func digitOf(r rune) (float64, bool) {
	switch r {
	case '〇':
		return 0, true
	case '两', '兩', '俩':
		return 2, true
	case '仨':
		return 3, true
	}
	const digits = "零一二三四五六七八九"
	at := strings.IndexRune(digits, r)
	return float64(at / len("零")), at >= 0
}

// unitOf returns the value of a unit, 0 for what is none.
func unitOf(r rune) float64 {
	switch r {
	case '十':
		return 10
	case '廿':
		return 20
	case '百':
		return 100
	case '千':
		return 1000
	case '万', '萬':
		return 10_000
	case '亿', '億':
		return 100_000_000
	}
	return 0
}
