package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/russian"
	"golang.org/x/text/unicode/norm"
)

// Bounds of words.
const (
	maxWords = 60 // of what is searched for; those behind them are not looked at
	maxWord  = 40 // letters that a word has which is stemmed
)

// word is a word of a text: its forms, each of which stands for it, the shortest last.
type word struct {
	forms []string
	start string // what words of the same stem may begin with; "" where it is too short to say
}

// is reports how well the word fits one of a fact: 1 is a form of both, [nearly] the same beginning, 0 no match.
func (w word) is(terms []string) float64 {
	for _, form := range w.forms {
		if _, found := slices.BinarySearch(terms, form); found {
			return 1
		}
	}
	if w.start != "" {
		if i, _ := slices.BinarySearch(terms, w.start); i < len(terms) && strings.HasPrefix(terms[i], w.start) {
			return nearly
		}
	}
	return 0
}

// nearly is what the same beginning is worth of a word.
const nearly = 0.5

// reader reads the words of texts.
type reader struct {
	stops     map[string]languages
	everyday  map[string]bool // forms of words that say something of a fact, and nothing of what a message is about
	particles *strings.Replacer
	keys      []key
	known     map[string]word // words that were read, of a reader that one goroutine has; see [reader.forMany]
}

// maxKnown is how many words a reader for many texts knows.
const maxKnown = 100_000

// forMany returns a reader for one goroutine that reads many texts: most words stand in more than one.
func (r *reader) forMany() *reader {
	many := *r
	many.known = map[string]word{}
	return &many
}

// spelled is [spelled] of a word that may have been read before.
func (r *reader) spelled(run string) word {
	w, ok := r.known[run]
	if !ok {
		if w = spelled(run); r.known != nil && len(r.known) < maxKnown {
			r.known[run] = w
		}
	}
	return w
}

// words returns the words of a text that say something, each once. Chinese, Japanese and Korean, which are written without blanks, come
// as pairs of characters.
func (r *reader) words(text string) []word { return r.wordsOf(r.parts(text)) }

func (r *reader) wordsOf(parts []string) (all []word) {
	seen, read := map[string]bool{}, map[string]bool{}
	for _, part := range parts {
		if read[part] {
			continue
		}
		read[part] = true
		found := []word{}
		if isIdeograph([]rune(part)[0]) {
			found = pairs(part)
		} else {
			found = append(found, r.spelled(part))
		}
		for _, w := range found {
			if !seen[w.forms[0]] {
				seen[w.forms[0]] = true
				all = append(all, w)
			}
		}
	}
	return all
}

// languages are those in which a word says nothing, a bit each.
type languages uint8

// spoken returns the languages of some runs: those of which the most of them are stop words. "Bin" says nothing in German, and is a thing where
// the words around it are English.
func (r *reader) spoken(all []string) (most languages) {
	n := map[languages]int{}
	for _, run := range all {
		in := r.stops[run]
		for one := languages(1); one <= in; one <<= 1 {
			n[one] += int(in & one / one)
		}
	}
	best := 0
	for one, count := range n {
		if count > best {
			most, best = 0, count
		}
		if count == best {
			most |= one
		}
	}
	return most
}

// parts returns the runs of a text without what says nothing.
func (r *reader) parts(text string) (all []string) {
	found := runs(text)
	spoken := r.spoken(found)
	for _, run := range found {
		switch {
		case isIdeograph([]rune(run)[0]):
			all = append(all, strings.Fields(r.particles.Replace(run))...)
		case r.stops[run]&spoken == 0:
			all = append(all, run)
		}
	}
	return all
}

// terms returns what a fact is found by, in the order of the alphabet.
func (r *reader) terms(text, key string) []string {
	var terms []string
	parts := r.parts(text)
	for _, w := range append(r.wordsOf(parts), r.words(key)...) {
		terms = append(terms, w.forms...)
	}
	for _, part := range parts { // a character alone is found where a pair begins with it, and at the end
		if last, n := utf8.DecodeLastRuneInString(part); isIdeograph(last) && n < len(part) {
			terms = append(terms, string(last))
		}
	}
	if key != "" {
		terms = append(terms, keyTerm(key))
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// runs cuts a text into runs of letters and digits, in small letters. Where the script changes to or from one without blanks, a new
// run begins. A mark belongs to the letter before it; without one, as in the emoji ❤️, or in a script without blanks, it says nothing.
func runs(text string) (all []string) {
	text = strings.ToLower(norm.NFKC.String(strings.ToValidUTF8(text, " ")))
	var b strings.Builder
	was := false
	end := func() {
		if b.Len() > 0 {
			all = append(all, b.String())
			b.Reset()
		}
	}
	for _, r := range text {
		if unicode.Is(unicode.Mn, r) {
			if b.Len() > 0 && !was {
				b.WriteRune(r)
			}
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		if is := isIdeograph(r); is != was {
			end()
			was = is
		}
		b.WriteRune(r)
	}
	end()
	return all
}

// isIdeograph reports whether a letter is of a script that is written without blanks, or with few.
func isIdeograph(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// pairs returns the pairs of characters of a run. A run of one stands for all pairs that begin with it.
func pairs(run string) (all []word) {
	letters := []rune(run)
	if len(letters) == 1 {
		return []word{{forms: []string{run}, start: run}}
	}
	for i := range len(letters) - 1 {
		all = append(all, word{forms: []string{string(letters[i : i+2])}})
	}
	return all
}

// Forms returns what a word in small letters is found by: itself, without the marks on its letters, and its stems in the languages that it
// may be of.
func Forms(word string) []string { return spelled(word).forms }

// spelled returns a word with its stems.
func spelled(run string) word {
	w := word{forms: []string{plain(run)}}
	if utf8.RuneCountInString(run) > maxWord {
		return w
	}
	stem := func(by func(*snowballstem.Env) bool, of string) {
		env := snowballstem.NewEnv(of)
		by(env)
		if s := plain(env.Current()); s != "" && !slices.Contains(w.forms, s) {
			w.forms = append(w.forms, s)
		}
	}
	if first, _ := utf8.DecodeRuneInString(run); unicode.Is(unicode.Cyrillic, first) {
		stem(russian.Stem, strings.ReplaceAll(run, "ё", "е"))
	} else if unicode.IsLetter(first) {
		stem(english.Stem, run)
		stem(german.Stem, run)
		if rest, ok := strings.CutPrefix(run, "ge"); ok && utf8.RuneCountInString(rest) > 3 {
			stem(german.Stem, strings.TrimSuffix(rest, "t")) // a participle: geleert is of leeren
		}
	}
	shortest := slices.MinFunc(w.forms, func(a, b string) int { return utf8.RuneCountInString(a) - utf8.RuneCountInString(b) })
	letters := []rune(shortest)
	switch {
	case len(letters) < 4 || unicode.IsDigit(letters[0]):
	case len(letters) == 4:
		w.start = shortest
	default:
		w.start = string(letters[:max(4, len(letters)-2)])
	}
	return w
}

// plain takes the marks off the letters. The Russian й is a letter of its own.
func plain(s string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(s) {
		switch r {
		case 'й':
			b.WriteRune(r)
			continue
		case 'ß':
			b.WriteString("ss")
			continue
		}
		for _, part := range norm.NFD.String(string(r)) {
			if !unicode.Is(unicode.Mn, part) {
				b.WriteRune(part)
			}
		}
	}
	return b.String()
}

// Asked returns the words of a question that say what it is about: those that stand in nearly every sentence are left out, and so are everyday
// ones, where there are others.
func Asked(text string) string {
	r := newReader()
	all := r.parts(text)
	rare := slices.DeleteFunc(slices.Clone(all), func(part string) bool { forms := spelled(part).forms; return r.everyday[forms[len(forms)-1]] })
	if len(rare) == 0 {
		rare = all
	}
	return strings.Join(rare, " ")
}
