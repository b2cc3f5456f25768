package intents

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// language is the sentences of one language, as they lie in the compiled file: strings that are searched where they lie.
type language struct {
	name string // "en"
	// sections are the programs of what may stand before and behind every sentence, and of what asks politely before a "?"; the heads of the
	// templates and their programs; needed, the words that templates cannot do without; help; and words.NAME, values.NAME,
	// rule.NAME, translations.NAME, answer.KIND, ask.KIND, complete.KIND, phrases.NAME; and offers.
	sections func() parts
	needed   func() parts // the section of that name, which has a word on each line
	own      templates    // the owner's sentences
}

// section returns a section, "" where there is none.
func (l *language) section(name string) string { return l.sections().find(name) }

// missing stands before the kind of a sentence that lacks one thing.
const missing = "?"

// templates are sentences. The heads say of each its kind, its needs and the size of its program, with their sizes; they stand apart from
// the programs, for most sentences are passed over.
type templates struct{ heads, programs string }

// template is a sentence of a kind, and the words that it needs, as [wordTable.encode] returns them.
type template struct{ kind, needs, program string }

// next removes the first sentence, and returns it.
func (t *templates) next() (one template) {
	cut := func(s *string, size int) (first string) { first, *s = (*s)[:size], (*s)[size:]; return first }
	number := func(s string) int { return int(s[0])<<8 + int(s[1]) }
	one.kind = cut(&t.heads, int(cut(&t.heads, 1)[0]))
	one.needs = cut(&t.heads, number(cut(&t.heads, 2)))
	one.program = cut(&t.programs, number(cut(&t.heads, 2)))
	return one
}

// languages returns the languages in a compiled file. The sections of each are read when they are first needed.
func languages(file string) (all []language) {
	for file != "" {
		var name, encoded string
		name, file = cutSized(file)
		encoded, file = cutSized(file)
		sections := sync.OnceValue(func() parts { return sectionsOf(encoded) })
		l := language{name: name, sections: sections}
		l.needed = sync.OnceValue(func() parts { return linesOf(l.section("needed")) })
		all = append(all, l)
	}
	return all
}

// builtin returns the languages that come with hob. They are decoded when they are first needed.
var builtin = sync.OnceValue(func() []language { return languages(compiled) })

// phrase returns one of hob's own phrases in a language, in English where there is none of that name.
func phrase(lang, name string) string {
	return languageNamed(builtin(), lang).section("phrases." + name)
}

// languageNamed returns the language of a name, English where there is none.
func languageNamed(all []language, name string) *language {
	for _, wanted := range [...]string{name, "en"} {
		if i := slices.IndexFunc(all, func(l language) bool { return l.name == wanted }); i >= 0 {
			return &all[i]
		}
	}
	return &all[0]
}

// neededWordsOf looks in a text for the words that sentences cannot do without, each once.
type neededWordsOf struct {
	*matcher
	words parts
	found []int8 // by word: 0 is not known yet, 1 is there, -1 is not
}

func (n *neededWordsOf) has(word int) bool {
	if n.found[word] == 0 {
		n.found[word] = -1
		if text := n.words.line(word); strings.Contains(n.norm, text) || n.loose && n.hasMisspelled(text) {
			n.found[word] = 1
		}
	}
	return n.found[word] > 0
}

// hasMisspelled reports whether a word of the text may be another, with a mistake.
func (m *matcher) hasMisspelled(word string) bool {
	most := allowed(word)
	for pos := range m.norm {
		if most > 0 && m.isBoundary(pos) && distance(m.norm[pos:m.wordAt(pos).end], word, most) <= most {
			return true
		}
	}
	return false
}

// mayFit reports whether the text has one word of each of the lists, as [wordTable.encode] returns them.
func (n *neededWordsOf) mayFit(lists string) bool {
	number := func(at int) int { return int(lists[at])<<8 + int(lists[at+1]) }
	for lists != "" {
		end, found := 2+2*number(0), false
		for at := 2; at < end && !found; at += 2 {
			found = n.has(number(at))
		}
		if !found {
			return false
		}
		lists = lists[end:]
	}
	return true
}

// mayBe reports whether a text may be of the language, by its letters.
func (l *language) mayBe(t folded) bool {
	if l.name == "ru" || l.name == "zh" {
		return l.hasScript(t.norm)
	}
	isOther := func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) || isHan(r) }
	return !strings.ContainsFunc(t.norm, isOther) || strings.ContainsFunc(t.norm, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// values yields what is written at the beginning of s in a table of values, and what it means. There may be several.
func (l *language) values(table, s string, yield func(written, means string)) {
	for line := range linesLike(l.section("values."+table), s) {
		written, means, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(s, written) {
			yield(written, means)
		}
	}
}

// value returns what a word means in a table of values, or false where it has none.
func (l *language) value(table, word string) (means string, known bool) {
	l.values(table, word, func(written, is string) {
		if written == word {
			means, known = is, true
		}
	})
	return means, known
}

// linesLike yields the lines of a section that begin as s does, with its first letter.
func linesLike(section, s string) iter.Seq[string] {
	_, n := utf8.DecodeRuneInString(s)
	first := s[:n]
	return func(yield func(string) bool) {
		if line, _, _ := strings.Cut(section, "\n"); n == 0 || strings.HasPrefix(line, first) && !yield(line) {
			return
		}
		for at := range occurrences(section, "\n"+first) {
			if line, _, _ := strings.Cut(section[at+1:], "\n"); !yield(line) {
				return
			}
		}
	}
}

// occurrences yields where part stands in a text. It is faster than to look at each line.
func occurrences(text, part string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at++ {
			i := strings.Index(text[at:], part)
			if i < 0 || !yield(at+i) {
				return
			}
			at += i
		}
	}
}

// LanguageOf returns the language of a text, "" where its words do not say. Cyrillic and Chinese letters do; of Latin ones the small
// words do that the other languages lack, or else a chore that only one language says like this.
func (s *Sentences) LanguageOf(text string) string {
	t, best, most, tied := fold(text), "", 0, false
	for _, l := range s.langs() {
		if !l.mayBe(t) {
			continue
		}
		n := 0
		for _, w := range (&matcher{folded: t, lang: &l}).wordsIn(0, len(t.norm)) {
			if l.isSmall(w.text) || l.hasScript(w.text) {
				n++
			}
		}
		switch {
		case n > most:
			best, most, tied = l.name, n, false
		case n == most:
			tied = true
		}
	}
	if !tied {
		return best
	}
	if r := s.Read(text); r.Kind != "" && !r.IsOfSeveral() {
		return r.Lang
	}
	return ""
}

// hasScript reports whether a word is written in a script that no other of the languages has.
func (l *language) hasScript(word string) bool {
	switch l.name {
	case "ru":
		return strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
	case "zh":
		return strings.ContainsFunc(word, isHan)
	}
	return false
}

// isSmall reports whether a word is one of those that hold the sentences of the language together.
func (l *language) isSmall(word string) bool {
	return slices.ContainsFunc([]string{"fillers", "joiners", "negation", "condition", "reported", "articles", "behind", "hangs", "times", "verbs"},
		func(list string) bool { return l.has(list, word) })
}

// Zone returns the IANA name of the time zone of a city, "" where no sentences know it.
func (s *Sentences) Zone(city string) (zone string) {
	for _, l := range s.langs() {
		if name, known := l.value("zone", fold(city).norm); known {
			zone = name
		}
	}
	return zone
}

// parts are the parts of a text, by where they start: there are thousands, and strings of them would take more memory.
type parts struct {
	text   string
	starts []uint32
}

// sectionsOf returns the sections of a language, as [encode] writes them.
func sectionsOf(encoded string) parts {
	all := parts{text: encoded}
	for rest := encoded; rest != ""; {
		all.starts = append(all.starts, uint32(len(encoded)-len(rest)))
		_, rest = cutSized(rest)
		_, rest = cutSized(rest)
	}
	return all
}

// find returns the section of a name, of those that sectionsOf returns; "" where there is none.
func (p parts) find(name string) string {
	i, found := sort.Find(len(p.starts), func(i int) int {
		other, _ := cutSized(p.text[p.starts[i]:])
		return strings.Compare(name, other)
	})
	if !found {
		return ""
	}
	_, rest := cutSized(p.text[p.starts[i]:])
	content, _ := cutSized(rest)
	return content
}

func cutSized(s string) (first, rest string) {
	n := int(s[0])<<24 | int(s[1])<<16 | int(s[2])<<8 | int(s[3])
	return s[4 : 4+n], s[4+n:]
}

// linesOf returns the lines of a text.
func linesOf(text string) parts {
	all := parts{text: text, starts: make([]uint32, 1, 1+strings.Count(text, "\n"))}
	for i := range len(text) {
		if text[i] == '\n' {
			all.starts = append(all.starts, uint32(i+1))
		}
	}
	return all
}

// line returns a line of those that linesOf returns.
func (p parts) line(n int) string {
	line, _, _ := strings.Cut(p.text[p.starts[n]:], "\n")
	return line
}
