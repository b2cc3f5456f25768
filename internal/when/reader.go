package when

import (
	"slices"
	"strconv"
	"strings"

	"hob/internal/numerals"
)

// reader holds a text against the words of one language. Its methods read one thing at a token, and return the token
// behind it.
type reader struct {
	lang   string
	words  lexicon
	tokens []token
	found  [][]found // of each token: the phrases that begin there, the longest first

	bounded *repeat // the repetition that words apart from it may bound, once it is known
}

type found struct {
	meaning
	tokens int
}

func newReader(text, lang string) *reader {
	words := lexicons()[lang]()
	p := &reader{lang: lang, words: words, tokens: tokenize(text)}
	if lang == "de" {
		p.tokens = splitCompounds(p.tokens, words)
	}
	p.found = make([][]found, len(p.tokens))
	line, begins := joinAsSpaced(p.tokens)
	for i := range p.tokens {
		for n := min(words.longest, len(p.tokens)-i); n > 0; n-- {
			for _, m := range words.phrases[joinTokens(p.tokens[i:i+n])] {
				p.found[i] = append(p.found[i], found{m, n})
			}
		}
		if value, size := numerals.Read(line[begins[i]:], lang); size > 0 {
			end, _ := slices.BinarySearch(begins, begins[i]+size)
			p.found[i] = append(p.found[i], found{meaning{"n", strconv.FormatFloat(value, 'f', -1, 64)}, end - i})
		}
		if m, ok := p.compound(p.tokens[i].text); ok {
			p.found[i] = append(p.found[i], found{m, 1})
		}
	}
	return p
}

// compound reads words that are written as one: einundzwanzigste, полшестого.
func (p *reader) compound(word string) (m meaning, ok bool) {
	ones, tens, isGerman := strings.Cut(word, "und")
	of, isRussian := strings.CutPrefix(word, "пол")
	switch {
	case isGerman && p.lang == "de":
		n, size := numerals.Read(ones, p.lang)
		of, ok := p.ordinalWord(tens)
		return meaning{"ord", strconv.Itoa(int(n) + of)}, ok && n >= 1 && n < 10 && size == len(ones) && of >= 20
	case isRussian && p.lang == "ru":
		hour, ok := p.ordinalWord(of)
		return meaning{"halfof", strconv.Itoa(hour)}, ok && hour >= 1 && hour <= 12
	}
	return meaning{}, false
}

// joinAsSpaced writes tokens with the spaces that the text has, and where each begins.
func joinAsSpaced(tokens []token) (line string, begins []int) {
	var b strings.Builder
	for _, t := range tokens {
		if t.spaced {
			b.WriteByte(' ')
		}
		begins = append(begins, b.Len())
		b.WriteString(t.text)
	}
	return b.String(), begins
}

// splitCompounds cuts a German Freitagabend into Freitag and Abend.
func splitCompounds(tokens []token, words lexicon) []token {
	var all []token
	for _, t := range tokens {
		cut := 0
		if t.kind == 'w' && t.to-t.from == len(t.text) && words.phrases[t.text] == nil {
			for n := range t.text {
				if means(words, t.text[:n], "dow") && (means(words, t.text[n:], "part") || means(words, t.text[n:], "part2")) {
					cut = n
				}
			}
		}
		if cut == 0 {
			all = append(all, t)
			continue
		}
		all = append(all, token{text: t.text[:cut], from: t.from, to: t.from + cut, kind: 'w', spaced: t.spaced, upper: t.upper},
			token{text: t.text[cut:], from: t.from + cut, to: t.to, kind: 'w', spaced: true})
	}
	return all
}

func means(words lexicon, phrase, is string) bool {
	return slices.ContainsFunc(words.phrases[phrase], func(m meaning) bool { return m.is == is })
}

// token returns a token, or none of any kind outside the text.
func (p *reader) token(i int) token {
	if i < 0 || i >= len(p.tokens) {
		return token{}
	}
	return p.tokens[i]
}

// maySay says whether words of time may begin at a token: it is one of them, or none at all.
func (p *reader) maySay(i int) bool {
	t := p.token(i)
	return t.kind != 0 && (len(p.found[i]) > 0 || t.kind == 'n' || t.kind == 'p')
}

// wordBefore returns where a phrase of one of some meanings begins that ends before a token, or that token where there is none.
func (p *reader) wordBefore(i int, meanings ...string) (from int, is string) {
	for from := max(0, i-p.words.longest); from < min(i, len(p.tokens)); from++ {
		for _, is := range meanings {
			if slices.ContainsFunc(p.found[from], func(f found) bool { return f.is == is && from+f.tokens == i }) {
				return from, is
			}
		}
	}
	return i, ""
}

// mark says whether a token is that mark.
func (p *reader) mark(i int, text string) bool {
	return p.token(i).text == text && p.token(i).kind == 'p'
}

// word reads the longest phrase of that meaning.
func (p *reader) word(i int, is string) (value string, next int, ok bool) {
	if i < 0 || i >= len(p.tokens) {
		return "", i, false
	}
	for _, f := range p.found[i] {
		if f.is == is {
			return f.value, i + f.tokens, true
		}
	}
	return "", i, false
}

// is says whether a phrase of that meaning begins there.
func (p *reader) is(i int, is string) bool {
	_, _, ok := p.word(i, is)
	return ok
}

// skip passes a phrase of that meaning, if there is one.
func (p *reader) skip(i int, is string) int {
	_, next, _ := p.word(i, is)
	return next
}
