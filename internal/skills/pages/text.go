package pages

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/memory"
)

// LineBreak stands in a tidy text where a line ended.
const LineBreak = " / "

// Tidy makes one line of what somebody wrote: line ends become slashes, all other blanks one, and what cannot be seen goes.
func Tidy(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r):
			b.WriteByte('\n')
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d': // these two join letters
		default:
			b.WriteRune(r)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, LineBreak)
}

// Fold is the form in which words are compared.
func Fold(text string) string { return strings.ReplaceAll(strings.ToLower(text), "ё", "е") }

// minStem is how many letters the forms of a word share at least: fewer stand in too many words.
const minStem = 3

// compoundFrom is how many letters a word has at least that may begin a longer one: Zahnarzt begins Zahnarzttermin, and tea no team.
const compoundFrom = 4

// HasWord reports whether a folded text has a folded word, or some words as they stand: whole, or at the beginning of a longer word. Chinese has no
// spaces between words.
func HasWord(text, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	isPart := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.Is(unicode.M, r)) && !unicode.Is(unicode.Han, r)
	}
	if unicode.IsDigit(first) {
		isPart = unicode.IsDigit
	}
	for at := 0; word != ""; {
		found := strings.Index(text[at:], word)
		if found < 0 {
			break
		}
		begin, end := at+found, at+found+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:begin])
		behind, _ := utf8.DecodeRuneInString(text[end:])
		if unicode.Is(unicode.Han, first) || !isPart(before) && (!isPart(behind) || utf8.RuneCountInString(word) >= compoundFrom) {
			return true
		}
		at = end
	}
	return false
}

// HasForm reports whether a folded text has some form of a folded word: "ключ" of "ключи", "key" of "keys". They begin with the same letter.
func HasForm(text, word string) bool {
	forms, first := memory.Forms(word), string([]rune(word)[:1])
	if slices.ContainsFunc(forms, func(f string) bool { return utf8.RuneCountInString(f) < minStem }) {
		return slices.Contains(strings.Fields(text), word)
	}
	isLetter := func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.M, r) }
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isLetter(r) }) {
		if strings.HasPrefix(run, first) && slices.ContainsFunc(memory.Forms(run), func(f string) bool { return slices.Contains(forms, f) }) {
			return true
		}
	}
	return false
}

// Runs yields the pieces of a word, and whether their letters are written together, without blanks between words, as Chinese,
// Japanese and Korean are.
func Runs(word string) iter.Seq2[string, bool] {
	together := func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	}
	return func(yield func(string, bool) bool) {
		begin, was := 0, false
		for i, r := range word {
			if is := together(r); is != was {
				if i > begin && !yield(word[begin:i], was) {
					return
				}
				begin, was = i, is
			}
		}
		if begin < len(word) {
			yield(word[begin:], was)
		}
	}
}

// Block is an item of a list, or a paragraph outside of lists.
type Block struct {
	Item  bool
	Text  string // tidy, without the marker of an item; "" where there is nothing beside it
	First int    // the line of the page that it begins in, from 0
	Last  int
}

// Blocks returns the blocks of a page, in their order. Headings and rules are none. An item has the lines right below it and all
// that is indented there. With each, every item is a block of its own, also one below another, and has no more than the lines
// that are indented below it.
func Blocks(page string, each bool) []Block {
	var all []Block
	open, blank := false, false // whether the last block can go on, and a blank line came after it
	i := -1
	for line := range strings.Lines(page) {
		i++
		text := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
		marker := MarkerOf(text)
		item := open && all[len(all)-1].Item
		switch {
		case text == "":
			blank = true
			continue
		case item && indented && (marker == 0 || !each), open && !blank && marker == 0 && !isDivider(text) && !(item && each):
			b := &all[len(all)-1]
			b.Text, b.Last = b.Text+LineBreak+Tidy(text), i
		case isDivider(text):
			open = false
		default:
			open = true
			all = append(all, Block{Item: marker > 0, Text: Tidy(text[marker:]), First: i, Last: i})
		}
		blank = false
	}
	return all
}

// MarkerOf returns how many bytes of a line without indentation make it an item of a list, 0 where it is none.
func MarkerOf(text string) int {
	mark, _, ok := strings.Cut(text, " ")
	if !ok {
		return 0
	}
	digits := strings.TrimRight(mark, ".)")
	numbered := len(mark) == len(digits)+1 && digits != "" && len(digits) < 10 && strings.Trim(digits, "0123456789") == ""
	if mark == "-" || mark == "*" || mark == "+" || numbered {
		return len(mark) + 1
	}
	return 0
}

// isDivider reports whether a line is a heading or a rule.
func isDivider(text string) bool {
	hashes := len(text) - len(strings.TrimLeft(text, "#"))
	heading := hashes >= 1 && hashes <= 6 && (len(text) == hashes || text[hashes] == ' ')
	return heading || len(text) >= 3 && strings.Trim(text, text[:1]) == "" && strings.Contains("-=_*", text[:1])
}

// Drop returns a page without the lines of some of its blocks.
func Drop(page string, gone ...Block) string {
	i := -1
	var left []string
	for line := range strings.Lines(page) {
		i++
		if !slices.ContainsFunc(gone, func(b Block) bool { return b.First <= i && i <= b.Last }) {
			left = append(left, line)
		}
	}
	return strings.Join(left, "")
}
