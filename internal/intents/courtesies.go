package intents

import (
	"slices"
	"strings"
	"unicode/utf8"
)

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
	text := f.norm[clause.from:clause.to]
	clause.from += len(text) - len(strings.TrimLeft(text, " "))
	clause.to -= len(text) - len(strings.TrimRight(text, " "))
	return clause
}

// isCourtesy reports whether a clause is nothing but politeness, such as "if it isn't too much trouble".
func (m *matcher) isCourtesy(clause span) (found bool) {
	if clause.from >= clause.to || strings.Count(m.norm[:clause.from], `"`)%2 != 0 || m.lang.has("corrects", m.norm[clause.from:clause.to]) {
		return false
	}
	m.rule("alone", clause.from, func(end int) { found = found || end == clause.to })
	return found
}

// withoutCourtesies returns a text without the clauses that are nothing but politeness. They say nothing of a chore, wherever they stand; a text
// that is nothing else stays, and so does one whose colon has nothing else behind it: "не надо: спасибо" is no "stop", and "note: thanks" a note.
func (l *language) withoutCourtesies(text string) string {
	t := fold(text)
	m := &matcher{folded: t, lang: l, rules: map[ruleAt][]ruleEnd{}}
	clauses := t.clausesOf()
	kept := slices.DeleteFunc(slices.Clone(clauses), func(c span) bool { return m.isCourtesy(t.trimmed(c)) })
	if len(kept) == len(clauses) || len(kept) == 0 || strings.Trim(t.norm[kept[0].from:kept[len(kept)-1].to], " ,;.!?:-") == "" {
		return text
	}
	if end := kept[len(kept)-1].to; strings.HasPrefix(t.norm[end:], ":") {
		return text
	}
	asks := false // a courtesy does: "would you be so kind, put tea on the list?"
	for _, c := range clauses {
		m.sequence(l.section("polite"), t.trimmed(c).from, func(end int) { asks = asks || end > t.trimmed(c).from && end <= c.to && !slices.Contains(kept, c) })
	}
	var out strings.Builder
	for i, c := range kept {
		end := c.to
		if i+1 < len(kept) {
			end = min(c.to+1, len(t.norm)) // with its mark
		}
		part := t.text[t.at[c.from]:t.at[end]]
		if c.to == len(t.norm) {
			part = t.text[t.at[c.from]:]
		}
		out.WriteString(part)
	}
	if asks {
		return strings.TrimRight(out.String(), " ?？")
	}
	return strings.TrimSpace(out.String())
}
