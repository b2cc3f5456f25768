package intents

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longest is how many bytes of a text are read. What is longer is no chore in a sentence.
const longest = 1000

// folded is a text as sentences are held against it: without what writers do differently, such as capital letters.
type folded struct {
	text string // composed as NFC
	norm string // without the marks at its end
	at   []int  // of each byte of norm, and of its end: where it stands in text
	asks bool   // a question mark stands at the end

	after string // the tool right after whose call the text was said, see [Sentences.Following]; "" is none
}

// fold folds a text. Spaces that follow each other are one space.
func fold(s string) folded {
	f := folded{text: strings.TrimSpace(norm.NFC.String(strings.ToValidUTF8(s, "\ufffd")))}
	b := make([]byte, 0, len(f.text)+8)
	space := false
	particle := 0 // the end of one that is left out
	for i, r := range f.text {
		if r == '-' && particleEnd(f.text[i:]) > 0 {
			particle = i + particleEnd(f.text[i:])
		}
		r = foldRune(r)
		if r == '.' && strings.HasSuffix(" "+string(b), " nr") { // Nr. 3
			r = ' '
		}
		if r == ' ' && space || i < particle {
			continue
		}
		space = r == ' '
		if at := contracted(b, f.text[i:]); at > 0 {
			b, f.at = slices.Insert(b, at, '\''), slices.Insert(f.at, at, f.at[at])
		}
		letters := lettersOf(r)
		b = append(b, letters...)
		for range len(letters) {
			f.at = append(f.at, i)
		}
	}
	if at := contracted(b, ""); at > 0 {
		b, f.at = slices.Insert(b, at, '\''), slices.Insert(f.at, at, f.at[at])
	}
	f.at = append(f.at, len(f.text))
	f.norm = strings.TrimRightFunc(string(b), func(r rune) bool { return strings.ContainsRune(" .!?,", r) || isEmoji(r) })
	f.asks = strings.Contains(string(b[len(f.norm):]), "?")
	return f
}

// contracted returns where the apostrophe belongs in the last word of a folded text, which an English one has lost in haste; 0 where it has not. What
// is another word without it, such as its, were and well, has not. rest is what follows the word.
func contracted(folded []byte, rest string) int {
	if next, n := utf8.DecodeRuneInString(rest); isJoined(next) || n > 0 && strings.ContainsRune("'’_-/@", next) || next == '.' && len(rest) > 1 && rest[1] != ' ' {
		return 0
	}
	word := folded[bytes.LastIndexByte(folded, ' ')+1:]
	if len(word) > len("shouldnt") {
		return 0
	}
	var behind int
	switch string(word) {
	case "whats", "whens", "wheres", "whos", "hows", "thats", "theres", "heres", "isnt", "arent", "wasnt", "werent", "hasnt", "havent", "hadnt", "dont", "doesnt", "didnt",
		"wont", "wouldnt", "couldnt", "shouldnt", "cant":
		behind = 1
	case "theyre", "youre", "theyve", "youve", "weve", "ive":
		behind = 2
	default:
		return 0
	}
	return len(folded) - behind
}

// particleEnd returns where the Russian particle ends that a text begins with, as in напомни-ка, or 0. It makes an order friendly, and says nothing.
func particleEnd(s string) int {
	const particle = "-ка"
	if rest, ok := strings.CutPrefix(s, particle); ok {
		if next, _ := utf8.DecodeRuneInString(rest); rest == "" || !isJoined(next) {
			return len(particle)
		}
	}
	return 0
}

// foldRune returns a letter as sentences have it.
func foldRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r >= 0xFF01 && r < 0xFF5E: // full width, but for ～
		r -= 0xFEE0
	}
	switch r {
	case 'ё', 'Ё':
		return 'е'
	case '’', '‘', '`', '´':
		return '\''
	case '“', '”', '„', '«', '»', '「', '」', '『', '』', '《', '》', '‹', '›':
		return '"'
	case '。', '｡':
		return '.'
	case '…', '～': // what a voice does at the end of words
		return '!'
	case '、':
		return ','
	case '–', '—', '−':
		return '-'
	case '×':
		return '*'
	case '÷':
		return '/'
	}
	if isHan(r) {
		return simplify(r)
	}
	return unicode.ToLower(r)
}

// lettersOf returns a folded letter, or what German writes for it on keys that lack it. The other languages have none of these.
func lettersOf(r rune) string {
	switch r {
	case 'ä':
		return "ae"
	case 'ö':
		return "oe"
	case 'ü':
		return "ue"
	case 'ß':
		return "ss"
	}
	return string(r)
}

// original returns a part of the text as it was written.
func (f folded) original(from, to int) string {
	if from >= to || to >= len(f.at) { // no text stands behind what is only looked at
		return ""
	}
	return strings.TrimSpace(f.text[f.at[from]:f.at[to]])
}

// pictures returns those behind the last word, where they are more than a nod.
func (f folded) pictures() string {
	behind := f.text[f.at[len(f.norm)]:]
	if !strings.ContainsFunc(behind, isEmoji) || isNod(behind) {
		return ""
	}
	return strings.Trim(behind, " .!?,")
}

// toEnd returns the words from a position on, with the pictures behind them.
func (f folded) toEnd(from int) string {
	return strings.TrimSpace(f.original(from, len(f.norm)) + " " + f.pictures())
}

// isBoundary reports whether a word may begin or end at pos: letters of alphabets hold together, Chinese ones do not.
func (f folded) isBoundary(pos int) bool {
	if pos <= 0 || pos >= len(f.norm) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(f.norm[:pos])
	after, n := utf8.DecodeRuneInString(f.norm[pos:])
	if after == '.' && pos+n < len(f.norm) { // as in notes.txt
		after, _ = utf8.DecodeRuneInString(f.norm[pos+n:])
	}
	return !isJoined(before) && before != '_' || !isJoined(after) && after != '_' // shopping_old.txt
}

func isJoined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !isHan(r)
}

// isEmoji reports whether a letter is a picture, or changes the one before it.
func isEmoji(r rune) bool {
	return r >= 0x1F000 && !isHan(r) || r >= 0x2300 && unicode.Is(unicode.So, r) || r == '\ufe0f' || r == '\u200d'
}

// isNod reports whether what stands behind the last word only thanks or agrees, as 👍 and 🙏 do.
func isNod(behind string) bool {
	return strings.Trim(behind, " .!?,👍👌🙏👏🤝🏻🏼🏽🏾🏿️") == ""
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// skip returns the position behind what separates words: spaces, commas, semicolons, colons, a dash between spaces, the marks of "Oh! Please ..." and "在吗？请……". A
// full stop may begin a name, but for the Chinese one.
func (f folded) skip(pos int) int {
	for pos < len(f.norm) && (strings.IndexByte(" ,;:!?", f.norm[pos]) >= 0 ||
		f.norm[pos] == '.' && f.text[f.at[pos]] >= utf8.RuneSelf || pos > 0 && strings.HasPrefix(f.norm[pos-1:], " - ")) {
		pos++
	}
	return pos
}

// span is a part of a folded text.
type span struct{ from, to int }

// clausesOf returns the parts of a folded text that stand between its marks. A mark within a number or a name parts nothing. In Chinese a space
// does, which is written there as a comma is elsewhere.
func (f folded) clausesOf() (clauses []span) {
	from := 0
	for at := range len(f.norm) {
		if f.isMark(at) {
			clauses = append(clauses, span{from, at})
			from = at + 1
		}
	}
	return append(clauses, span{from, len(f.norm)})
}

// isMark reports whether a mark that parts clauses stands at a position.
func (f folded) isMark(at int) bool {
	before, _ := utf8.DecodeLastRuneInString(f.norm[:at])
	after, _ := utf8.DecodeRuneInString(f.norm[min(at+1, len(f.norm)):])
	switch f.norm[at] {
	case '.':
		return after == ' ' || isHan(after)
	case ',', ';', '!', '?', ':':
		return after == ' ' || isHan(before) || isHan(after)
	case '-':
		return before == ' ' && after == ' '
	}
	return f.norm[at] == ' ' && isHan(before) && isHan(after)
}

// trimmed returns a clause without the spaces around it.
func (f folded) trimmed(clause span) span {
	text := strings.TrimRight(f.norm[clause.from:clause.to], " ")
	clause.to = clause.from + len(text)
	clause.from += len(text) - len(strings.TrimLeft(text, " "))
	return clause
}
