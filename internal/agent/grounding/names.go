package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// capital is a word with a capital letter.
type capital struct {
	text   string
	at     int
	begins bool   // a sentence
	before string // the word before it, in lower case
	follow bool   // nothing but a space stands between it and the one before
}

// names adds the names of a line to the claims. A capital that begins a sentence says nothing of a usual word, and in German
// no capital does; there it takes a title, a family or a street.
func (r *reader) names() {
	for i, w := range r.caps {
		if r.isNameLike(w.text) && r.c.scripts[scriptOf(firstRune(w.text))] && !r.isShortened(i) && (r.c.hasName(w.text) || r.isNameAt(i)) {
			r.add(claim{mark: mark{kind: name, from: w.at}, text: w.text})
		}
	}
}

// isNameLike reports whether a word with a capital can be a name: it has small letters, too, and is no short form, day,
// month or unit.
func (r *reader) isNameLike(w string) bool {
	n, low := utf8.RuneCountInString(w), lowered(w)
	calendar := r.is("month", low) || r.is("weekday", low) || r.is("title", low) || r.is("program", low) && camelForm().MatchString(w)
	return !calendar && r.units[low] == nil && (strings.IndexFunc(w, unicode.IsLower) > 0 || r.is("proper", low)) && (n >= 4 || n == 3 && !strings.ContainsAny(w, "'’"))
}

// isNameAt reports whether the capital word at i, which no source has, is a name.
func (r *reader) isNameAt(i int) bool {
	w := r.caps[i]
	low := lowered(w.text)
	switch {
	case r.is("title", strings.TrimRight(w.before, ".")) || r.besideOthers(i) && !r.is("common", low) && !r.is("world", low) || r.is("proper", low) || r.is("proper", strings.TrimSuffix(low, "s")) || r.is("program", low):
		return true
	case r.c.german && !isCyrillic(low):
		street := r.suffix("street", low)
		behind := strings.TrimLeft(r.text[w.at+len(w.text):], " ")
		isStrange := func(i int) bool { // one alone may be a plain noun
			return i >= 0 && i < len(r.caps) && !r.caps[i].begins && r.text[r.caps[i].at-1] == ' ' && !r.c.hasName(r.caps[i].text) && r.isNameLike(r.caps[i].text) && !r.is("common", lowered(r.caps[i].text))
		}
		if isStrange(i) && (w.follow && isStrange(i-1) || i+1 < len(r.caps) && r.caps[i+1].follow && isStrange(i+1)) {
			return true
		}
		return street != "" && len(low) > len(street)+2 && (behind != "" && isDigit(behind[0]) || strings.HasSuffix(street, "e") && strings.HasPrefix(street, "s"))
	}
	placeholder := strings.LastIndexByte(r.text[:w.at], '[') > strings.LastIndexByte(r.text[:w.at], ']')
	if r.is("common", low) || w.at < r.label || placeholder || w.begins && isCyrillic(low) || r.isKnown(i) {
		return false
	}
	return !w.begins && !r.isTerm(i) || !r.c.isEnglish(low)
}

// maxRun is how many capital words before and behind one are taken together with it.
const maxRun = 5

// run is the capital words around the one at i that nothing but blanks part.
func (r *reader) run(i int) []capital {
	first, last := i, i+1
	for first > 0 && i-first < maxRun && r.caps[first].follow {
		first--
	}
	for last < len(r.caps) && last-i <= maxRun && r.caps[last].follow {
		last++
	}
	return r.caps[first:last]
}

// isKnown reports whether one of the capital words around the one at i is of what everybody knows: Google Maps.
func (r *reader) isKnown(i int) bool {
	return slices.ContainsFunc(r.run(i), func(w capital) bool { return r.is("world", lowered(w.text)) })
}

// isTerm reports whether the word at i is one of three or more usual words with capitals, or of two between brackets: Internal
// Server Error, (Not Found).
func (r *reader) isTerm(i int) bool {
	run := r.run(i)
	inBrackets := len(run) == 2 && strings.HasSuffix(r.text[:run[0].at], "(") && strings.HasPrefix(r.text[run[1].at+len(run[1].text):], ")")
	return (len(run) > 2 || inBrackets) && !slices.ContainsFunc(run, func(w capital) bool { return !r.c.isEnglish(lowered(w.text)) })
}

// isShortened reports whether the sources have a short form of the capital words around the one at i: EDI of Edinburgh, LHR of
// London Heathrow.
func (r *reader) isShortened(i int) bool {
	run := r.run(i)
	initials := ""
	for _, w := range run {
		initials += string(firstRune(w.text))
	}
	last := run[len(run)-1].text
	return slices.ContainsFunc(r.c.shorts(), func(short string) bool {
		rest, ok := strings.CutPrefix(short, initials)
		if len(run) == 1 {
			return strings.HasPrefix(last, short[:1]+strings.ToLower(short[1:]))
		}
		return ok && (rest == "" || strings.Contains(last[1:], strings.ToLower(rest)))
	})
}

// shorts are the words of three capital letters that the sources have.
func (c *checker) shorts() []string {
	if c.short == nil {
		c.short = shortForm().FindAllString(head(c.original, maxCounted), -1)
	}
	return c.short
}

// shortForm is a short form, such as that of an airport.
var shortForm = lazyregexp.New(`\b[A-Z]{3}\b`)

// besideOthers reports whether the word before the one at i stands in the sources before another word with a capital:
// Schreinerei Hahn where they have Schreinerei Holm.
func (r *reader) besideOthers(i int) bool {
	if i == 0 || !r.caps[i].follow || isShort(r.caps[i-1].text) && r.text[r.caps[i].at-1] == '-' || !r.isNameLike(r.caps[i-1].text) && !isShort(r.caps[i-1].text) {
		return false
	}
	return slices.ContainsFunc([]string{" ", "-"}, func(gap string) bool {
		other := wordAt(r.c.behind(r.caps[i-1].text + gap))
		return unicode.IsUpper(firstRune(other)) && utf8.RuneCountInString(other) > 2
	})
}

// isShort reports whether a word is a short form, such as that of a club: SV Kirchau.
func isShort(w string) bool { return len(w) > 1 && len(w) <= 4 && strings.ToUpper(w) == w }

func isCyrillic(w string) bool { return unicode.Is(unicode.Cyrillic, firstRune(w)) }

// hasName reports whether the sources have a name, in this case or another, or as a part of a word.
func (c *checker) hasName(text string) bool {
	low := lowered(text)
	if c.hasWord(low) || c.hasFolded(low) {
		return true
	}
	if isCyrillic(low) {
		if c.cyrillic == nil {
			c.cyrillic = map[string]bool{}
			for w := range c.words {
				eachStem(w, func(stem string) { c.cyrillic[stem] = true })
			}
		}
		found := false
		eachStem(low, func(stem string) { found = found || c.cyrillic[stem] })
		if found {
			return true
		}
	}
	for n := 3; n <= 5 && n < len(low); n++ { // Str., Tel.
		if utf8.RuneStart(low[n]) && c.words[low[:n]] && c.contains(low[:n]+".") {
			return true
		}
	}
	street, isStreet := strings.CutSuffix(low, "straße")
	return isStreet && len(street) > 2 && c.contains(street+"str.") || c.contains(strings.TrimSuffix(strings.TrimSuffix(low, "'s"), "’s"))
}

// hasFolded reports whether the sources have a word of Latin letters with other marks on them: ragu and Ragù.
func (c *checker) hasFolded(low string) bool {
	plain := strings.IndexFunc(low, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	n := utf8.RuneCountInString(low)
	if scriptOf(firstRune(low)) != unicode.Latin || n < 4 || plain {
		return false
	}
	c.steps += len(c.words)
	letters := []rune(low)
	for w := range c.words {
		if utf8.RuneCountInString(w) != n || firstRune(w) != letters[0] {
			continue
		}
		i := 0
		for _, r := range w {
			if r != letters[i] && r < utf8.RuneSelf == (letters[i] < utf8.RuneSelf) {
				break
			}
			i++
		}
		if i == n {
			return true
		}
	}
	return false
}

// eachStem gives the beginnings of a Russian word that its cases may share, the word itself first.
func eachStem(w string, give func(stem string)) {
	n := utf8.RuneCountInString(w)
	for drop := 0; isCyrillic(w) && drop <= 3 && n-drop >= 3; drop++ {
		give(w)
		_, size := utf8.DecodeLastRuneInString(w)
		w = w[:len(w)-size]
	}
}

// hasIdentifier reports whether the sources have a path, an address or such a name: as it stands, or in parts that they all
// have.
func (c *checker) hasIdentifier(text string) bool {
	low := lowered(text)
	for _, prefix := range []string{"https://", "http://", "./", "~/", "localhost:", "127.0.0.1:"} {
		low = strings.TrimPrefix(low, prefix)
	}
	if c.is("plain", low) || c.is("world", low) {
		return true
	}
	low = strings.Trim(low, "/.")
	if low == "" || c.words[low] || utf8.RuneCountInString(low) > 1 && c.contains(low) || c.isCorrected(low) {
		return true
	}
	if strings.ContainsAny(low, "/:") && !strings.Contains(low, "@") {
		return !c.isElsewhere(low) && c.hasParts(low, "/:")
	}
	if strings.ContainsAny(low, "0123456789") && c.hasSqueezed(low) {
		return true
	}
	return isDigit(low[0]) && strings.Contains(low, "-") && !strings.Contains(low, ".") && c.hasParts(low, "-") // 44-file where they have 44 files
}

// isCorrected reports whether the answer says how something of the sources is spelled that has a letter less or more.
func (c *checker) isCorrected(low string) bool {
	if len(low) < 6 || len(low) > maxWord {
		return false
	}
	c.steps += len(c.lower)
	for at := 0; at < len(c.lower); {
		w := strings.TrimRight(c.lower[at:at+len(head(c.lower[at:], maxWord))], "\n")
		end := strings.IndexFunc(w, func(r rune) bool { return !isLetter(r) && r != '_' && r != '-' })
		if end < 0 {
			end = len(w)
		}
		if w = w[:end]; w != low && (isLess(w, low) || isLess(low, w)) && c.contains(w) {
			return true
		}
		at += max(end, 1)
	}
	return false
}

// isLess reports whether a text is another without one byte.
func isLess(a, b string) bool {
	if len(a)+1 != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return a[i:] == b[i+1:]
}

// squeeze takes out what may group the digits and letters of a name or a telephone number.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("- _()/", r) {
			return -1
		}
		return r
	}, s)
}

// hasSqueezed reports whether the sources have a name or a number, however it is grouped.
func (c *checker) hasSqueezed(low string) bool {
	if c.squeezed == "" {
		c.squeezed = squeeze(c.low) + "\n"
	}
	return !c.pay() || strings.Contains(c.squeezed, squeeze(low))
}

// hasTelephone reports whether the sources have a telephone number, with the prefix of its country or without: +7 905 is 8-905.
func (c *checker) hasTelephone(digits string) bool {
	for range 4 {
		if c.hasSqueezed(digits) {
			return true
		}
		if len(digits) < 10 {
			return false
		}
		digits = digits[1:]
	}
	return false
}

// hasParts reports whether the sources have each part of a name.
func (c *checker) hasParts(low, seps string) bool {
	for part := range strings.FieldsFuncSeq(low, func(r rune) bool { return strings.ContainsRune(seps, r) }) {
		if !c.places(part, func(before, behind string) bool {
			last, _ := utf8.DecodeLastRuneInString(before)
			return !inWord(last) && !inWord(firstRune(behind))
		}) {
			return false
		}
	}
	return true
}

func inWord(r rune) bool { return r != utf8.RuneError && (isLetter(r) || unicode.IsDigit(r)) }

// isElsewhere reports whether the sources have the file of a path, and only in other folders than the path's.
func (c *checker) isElsewhere(low string) bool {
	i := strings.LastIndexByte(low, '/')
	if i < 0 || len(low)-i < 5 || !strings.Contains(low[i:], ".") {
		return false
	}
	folder, base := "/"+strings.TrimLeft(low[:i+1], "/"), low[i+1:]
	seen := false
	return !c.places(base, func(before, _ string) bool {
		seen = true
		before = tail(before, maxToken)
		has := "/" + strings.TrimLeft(before[strings.LastIndexAny(before, " \n\t\"'`=:(|~")+1:], "./")
		return !strings.HasSuffix(before, "/") || strings.HasSuffix(has, folder) || strings.HasSuffix(folder, has)
	}) && seen
}

// places reports whether one of the places at which the sources have a text fits.
func (c *checker) places(text string, fits func(before, behind string) bool) bool {
	for at := 0; c.pay(); {
		i := strings.Index(c.low[at:], text)
		if i < 0 {
			return false
		}
		if fits(c.low[:at+i], c.low[at+i+len(text):]) {
			return true
		}
		at += i + 1
	}
	return true
}
