package parser

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, or a single Chinese character: Chinese has no spaces between words.
type token struct {
	text     string // in small letters, е for ё
	from, to int    // where it stands in the input, in bytes
	gap      gap    // the mark before it
}

// gap is the punctuation between two tokens.
type gap uint8

const (
	noGap gap = iota
	comma
	stop // the end of a sentence
)

// utterance is the input as tokens.
type utterance struct {
	raw      string // without tabs and the like
	tokens   []token
	question bool // a question mark ends it
	quoted   bool // there are quotation marks in it
	odd      bool // there are signs in it that belong to no plain sentence
}

// tokenize splits input into tokens. It rejects control characters.
func tokenize(raw string) (s utterance, ok bool) {
	for _, r := range raw {
		if r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return utterance{}, false
		}
	}
	return tokens(raw), true
}

// tokens splits any text into tokens.
func tokens(raw string) utterance {
	s := utterance{raw: raw, tokens: make([]token, 0, 6)}
	folded := make([]byte, 0, len(raw)+8)
	var pending gap
	start, from := -1, 0        // of the word that goes on, in folded and in raw
	words := make([]span, 0, 6) // of the tokens, in folded
	end := func(at int) {
		if start < 0 {
			return
		}
		for folded[len(folded)-1] == '\'' || folded[len(folded)-1] == '-' {
			folded = folded[:len(folded)-1]
		}
		s.tokens, words = append(s.tokens, token{from: from, to: at, gap: pending}), append(words, span{start, len(folded)})
		start, pending = -1, noGap
	}
	for i, r := range raw {
		r = fold(r)
		switch {
		case han(r):
			end(i)
			start, from = len(folded), i
			folded = utf8.AppendRune(folded, r)
			end(i + utf8.RuneLen(r))
		case inWord(r):
			if start < 0 {
				start, from = len(folded), i
			}
			folded = utf8.AppendRune(folded, r)
		case (r == '\'' || r == '-') && start >= 0:
			folded = utf8.AppendRune(folded, r)
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r):
			if r == '\u0306' && start >= 0 && strings.HasSuffix(string(folded), "и") {
				folded = append(folded[:len(folded)-2], "й"...) // a letter that came as two characters
			}
		default:
			end(i)
			var last []byte
			if n := len(words); n > 0 {
				last = folded[words[n-1].from:]
			}
			pending = max(pending, s.sign(r, last))
		}
	}
	end(len(raw))
	whole := string(folded)
	for i, word := range words {
		s.tokens[i].text = whole[word.from:word.to]
	}
	if len(s.tokens) > 0 {
		s.tokens[0].gap = noGap
	}
	return s
}

// isTitle reports whether a word such as "Mr" begins a name, so that its full stop ends no sentence.
func isTitle(word []byte) bool {
	return slices.Contains([]string{"mr", "mrs", "ms", "dr", "prof"}, string(word))
}

// sign notes a character that belongs to no word, and returns the gap that it makes behind the last word.
func (s *utterance) sign(r rune, last []byte) gap {
	question := s.question
	if !unicode.IsSpace(r) {
		s.question = false
	}
	switch r {
	case ',', '、', '—', '–', '-', '&':
		return comma
	case '.', '!', ';', '。', '…':
		s.question = question // ?!
		if r == '.' && isTitle(last) {
			return noGap
		}
		return stop
	case '?':
		s.question = true
		return stop
	case '"', '«', '»', '“', '”', '„', '「', '」', '『', '』', '《', '》', '\'':
		s.quoted = true
	case '/':
		s.odd = s.odd || string(last) != "w" // w/ is with
	case '(', ')', '[', ']', '{', '}', '<', '>', '=', '+', '*', '\\', '|', '%', '#', '@', '$', '^', '~':
		s.odd = true
	}
	return noGap
}

// fold returns a character in half width and lower case, without diacritics that people leave out.
func fold(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z' || r == ' ':
		return r
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r == '\u3000':
		return ' '
	case r > '\uFF00' && r < '\uFF5F':
		return fold(r - 0xFEE0)
	}
	switch r {
	case 'ё', 'Ё':
		return 'е'
	case '’', '‘', 'ʼ':
		return '\''
	case '‐', '‑':
		return '-'
	}
	if r < 128 || han(r) {
		return r
	}
	return unicode.ToLower(r)
}

// han reports whether r belongs to a script without spaces between words.
func han(r rune) bool {
	return r >= 0x3400 && r <= 0x9FFF || r == '々' || r == '〇' || r >= 0x3041 && r <= 0x30FF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x3FFFF
}

// inWord reports whether r is a part of words in a script with spaces between them.
func inWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r > 127 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isHan reports whether a token is such a character: see [han].
func isHan(text string) bool { return len(text) >= 3 && text[0] >= 0xE3 }

// texts returns the texts of tokens.
func texts(list []token) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].text
	}
	return out
}

// joinTokens returns the text of tokens, with spaces if their script has any.
func joinTokens(list []token) string {
	space := " "
	if slices.ContainsFunc(list, func(t token) bool { return isHan(t.text) }) {
		space = ""
	}
	return strings.Join(texts(list), space)
}
