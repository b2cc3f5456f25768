package intents

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hob/internal/lazyregexp"
)

// translations are lines that a tool answers, and the same in a language. Tools answer in English, which a model reads, too. In a
// language's file
//
//	[translations.list_add]
//	"added to {list}: {items}" = "Auf {list}: {items}"
//
// a name in braces is what stands there: a number where the name is one letter. What stands for a name that begins with word_, a word
// or several, and the marks between the parts of a line, are translated by translations.words; what stands for one that begins with
// thing_, such as "reminder 3 (bins)", by translations.things. One that begins with number_ has the decimal mark of the language, and one that
// begins with next_ is one more than it was: people count lines from 1.
type translations map[string]string

// slotName is a name in braces, as it is written and as regexp.QuoteMeta leaves it.
var slotName = lazyregexp.New(`\\?\{(\w+)\\?\}`)

// compile returns lines of two columns, an expression and the translation of what it matches. The one with the most letters is first.
func (t translations) compile() (string, error) {
	letters := func(line string) int { return len(slotName().ReplaceAllString(line, "")) }
	var lines, rows []string
	for line := range t {
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b string) int { return cmp.Or(letters(b)-letters(a), strings.Compare(a, b)) })
	for _, line := range lines {
		for _, slot := range slotName().FindAllString(t[line], -1) {
			if !strings.Contains(line, slot) {
				return "", fmt.Errorf("%q has no %s", line, slot)
			}
		}
		expression := slotName().ReplaceAllStringFunc(regexp.QuoteMeta(line), func(slot string) string {
			if name := strings.Trim(slot, `\{}`); len(name) == 1 {
				return `(?P<` + name + `>\d+)`
			}
			return `(?P<` + strings.Trim(slot, `\{}`) + `>.+?)`
		})
		if _, err := regexp.Compile(expression); err != nil {
			return "", fmt.Errorf("%q: %w", line, err)
		}
		rows = append(rows, "^"+expression+"$\t"+t[line])
	}
	return strings.Join(rows, "\n"), nil
}

// HobsOwn stands, in place of a tool's name, for what hob says of itself.
const HobsOwn = "hob"

// Speakers returns what may have answered a reading: its kind, its tool, and hob, where the words are not what a tool has read.
func (r Reading) Speakers() []string {
	names := []string{r.Kind, r.Call.Name}
	if r.Command || r.Call.Name == "" || r.Ask != "" {
		names = append(names, HobsOwn)
	}
	return names
}

// Translate returns in a language what was said in English by the first of some kinds of chores, tools or rows of the table of commands that
// has words for it. Lines that the language has no translation of stay as they are.
func (s *Sentences) Translate(lang, text string, speakers ...string) string {
	all := s.langs()
	i := slices.IndexFunc(all, func(l language) bool { return l.name == lang })
	if i < 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		for _, of := range speakers {
			if text, ok := all[i].translate(of, line); ok && !strings.HasPrefix(line, "[") { // an item of a list is a person's words
				lines[n] = text
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

// translate returns the translation of a line: of each of its parts, if the language has them all, or of the whole.
func (l *language) translate(of, line string) (text string, ok bool) {
	rows := l.section("translations." + of)
	if rows == "" {
		return "", false
	}
	for _, mark := range []string{" WARNING: ", "; ", ", "} {
		if before, behind, several := strings.Cut(line, mark); several {
			first, ok := l.translate(of, before)
			rest, okToo := l.translate(of, behind)
			if ok && okToo {
				return first + l.word(mark) + rest, true
			}
		}
	}
	quoted := "^" + regexp.QuoteMeta(line) + "$"
	for row := range strings.SplitSeq(rows, "\n") {
		expression, text, _ := strings.Cut(row, "\t")
		if !mayMatch(expression, quoted) {
			continue // there are hundreds of rows, and to compile one takes longer than to read them all
		}
		if expression == quoted {
			return text, true
		}
		re := regexp.MustCompile(expression) // translations.compile has compiled it
		values := re.FindStringSubmatch(line)
		if values == nil {
			continue
		}
		return slotName().ReplaceAllStringFunc(text, func(slot string) string {
			name := strings.Trim(slot, "{}")
			value := values[re.SubexpIndex(name)]
			if thing, ok := l.translate("things", value); ok && strings.HasPrefix(name, "thing_") {
				return thing
			}
			if strings.HasPrefix(name, "number_") {
				return strings.Replace(value, ".", l.word("."), 1)
			}
			if n, err := strconv.Atoi(value); err == nil && strings.HasPrefix(name, "next_") {
				return strconv.Itoa(n + 1)
			}
			if strings.HasPrefix(name, "word_") {
				words := strings.Split(value, ", ")
				for i := range words {
					words[i] = l.word(words[i])
				}
				value = strings.Join(words, l.word(", "))
			}
			return value
		}), true
	}
	return "", false
}

// mayMatch reports whether a quoted line has what stands in an expression of translations.compile around its slots, in that order.
func mayMatch(expression, quoted string) bool {
	words, behind, hasSlot := strings.Cut(expression, "(?P<")
	if !hasSlot {
		return words == quoted
	}
	rest, found := strings.CutPrefix(quoted, words)
	for found && hasSlot {
		_, behind, _ = strings.Cut(behind, ")")
		words, behind, hasSlot = strings.Cut(behind, "(?P<")
		_, rest, found = strings.Cut(rest, words)
	}
	return found
}

// word returns the translation of a word or a mark, itself where there is none.
func (l *language) word(word string) string {
	for row := range strings.SplitSeq(l.section("translations.words"), "\n") {
		if text, ok := strings.CutPrefix(row, "^"+regexp.QuoteMeta(word)+"$\t"); ok {
			return text
		}
	}
	return word
}
