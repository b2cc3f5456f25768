package intents

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// items returns the things of a list that stand between two positions, or nil where it is none.
func (m *matcher) items(from, to int) (items []string) {
	begin := from
	cut := func(end int) bool {
		item := unquote(strings.Trim(m.original(begin, end), " ,;:"))
		if first, rest, _ := strings.Cut(item, " "); m.lang.has("omitted", fold(first).norm) && slices.Contains([]int{1, 2}, len(strings.Fields(rest))) {
			item = strings.TrimSpace(rest) // a list says yoghurt, and not the yoghurt; what is longer is something to do
		}
		if item == "" {
			return end > begin || begin > from // two commas
		}
		if strings.Contains(item, ":") || len(strings.Fields(item)) > 7 || utf8.RuneCountInString(item) > 60 {
			return false
		}
		items = append(items, m.things(item)...)
		return true
	}
	for at := from; at < to; {
		at = max(at, m.quoteEnd(at, to)) // what stands in quotes is one, with its commas
		if at == to {
			break
		}
		if c := m.norm[at]; (c == ',' || c == ';') && !(at > from && at+1 < to && isDigit(m.norm[at-1]) && isDigit(m.norm[at+1])) {
			if !cut(at) {
				return nil
			}
			begin, at = at+1, at+1
			continue
		}
		joined := 0
		if m.isBoundary(at) && at > begin {
			m.lang.values("and", m.norm[at:to], func(written, _ string) {
				if joined == 0 && m.isBoundary(at+len(written)) && !m.isWhole(at, at+len(written)) {
					joined = len(written)
				}
			})
		}
		if joined > 0 {
			if m.isAttached(begin, at) || !cut(at) {
				return nil
			}
			begin, at = at+joined, at+joined
			continue
		}
		_, n := utf8.DecodeRuneInString(m.norm[at:])
		at += n
	}
	if begin >= to || !cut(to) {
		return nil
	}
	return items
}

// isAttached reports whether a thing between two positions has a part, so that it is unclear what an "and" behind it goes on with: chips with
// salt and vinegar.
func (m *matcher) isAttached(from, to int) bool {
	return slices.ContainsFunc(m.wordsIn(from, to), func(w foundWord) bool { return m.lang.has("attached", w.text) })
}

// quoteEnd returns where the quotes that begin at a position end, if a thing of a list that ends at to does there; else 0.
func (m *matcher) quoteEnd(at, to int) (end int) {
	m.quoted(at, func(behind int, _ any) {
		if behind == to || behind < to && strings.IndexByte(" ,;", m.norm[behind]) >= 0 {
			end = behind
		}
	})
	return end
}

// things returns the things that stand side by side in a part of a list, as in "milk eggs": each is a word of goods, and no two of them are
// the name of another, as in "rice milk" or 蜂蜜酸奶. Chinese has no spaces within a name.
func (m *matcher) things(item string) []string {
	parts, space := strings.Fields(item), " "
	if isChinese := func(s string) bool { return !strings.ContainsFunc(s, func(r rune) bool { return !isHan(r) }) }; isChinese(item) {
		parts, space = m.goodsIn(item), ""
	} else if len(parts) > 1 && !slices.ContainsFunc(parts, func(s string) bool { return !isChinese(s) }) {
		return parts
	}
	var things []string
	for i := 0; i < len(parts); i++ {
		if !m.lang.has("goods", fold(parts[i]).norm) {
			return []string{item}
		}
		thing := parts[i]
		if i+1 < len(parts) && (m.lang.has("flavoured", fold(parts[i+1]).norm) || m.lang.has("compounds", fold(thing+" "+parts[i+1]).norm)) {
			things = append(things, thing+space+parts[i+1])
			i++
			continue
		}
		things = append(things, parts[i])
	}
	if len(things) < 2 {
		return []string{item}
	}
	return things
}

// goodsIn cuts Chinese that is nothing but words of goods into those, the longest first; nil where it is not.
func (m *matcher) goodsIn(text string) (words []string) {
	for text != "" {
		longest := 0
		for end := range text + "." {
			if m.lang.has("goods", fold(text[:end]).norm) {
				longest = end
			}
		}
		if longest == 0 {
			return nil
		}
		words, text = append(words, text[:longest]), text[longest:]
	}
	return words
}

// isWhole reports whether a joiner between two positions stands in a name that is one, such as "mac and cheese", or between hyphens.
func (m *matcher) isWhole(from, to int) bool {
	if strings.HasSuffix(m.before(from), "-") { // Salz- und Pfefferstreuer
		return true
	}
	for name := range m.lang.list("wholes") {
		for at := max(0, from-len(name)); at <= from; at++ {
			if strings.HasPrefix(m.norm[at:], name) && at+len(name) >= to && m.isBoundary(at) && m.isBoundary(at+len(name)) {
				return true
			}
		}
	}
	return false
}
