package intents

import (
	"slices"
	"strings"
)

// Politeness and the sounds of thinking say nothing of a chore. They are left out before a text is read, or passed over.

// behindAside returns the position behind words of politeness that stand at pos between two commas, as in "cancel, please, reminder 4", or before a
// colon: "new folder please: recipes"; pos where there are none.
func (m *matcher) behindAside(pos int) int {
	end := strings.IndexAny(m.norm[pos:], ",:")
	if end <= 0 || !strings.HasSuffix(m.before(pos), ",") && m.norm[pos+end] != ':' || !m.lang.has("asides", strings.TrimRight(m.norm[pos:pos+end], " ")) {
		return pos
	}
	return m.skip(pos + end)
}

// behindComma returns the last of some positions that stands behind a comma, 0 where none does.
func (m *matcher) behindComma(begins map[int]bool) (last int) {
	for begin := range begins {
		if strings.HasSuffix(m.before(begin), ",") {
			last = max(last, begin)
		}
	}
	return last
}

// parsesSpoken is parses of a text without the sounds that people make while they think, such as um, and without words that are mere politeness. A
// command and the words of a file may have them.
func (l *language) parsesSpoken(t folded, loose bool) []parse {
	spoken := l.spoken(t.text)
	if spoken == t.text {
		return l.parses(t, loose)
	}
	all := l.parses(t, loose)
	if slices.ContainsFunc(all, func(p parse) bool { return slices.ContainsFunc(p.slots, func(s slot) bool { return s.is(verbatim) }) }) {
		return all
	}
	if short := l.parses(fold(spoken), loose); len(short) > 0 {
		return short
	}
	return slices.DeleteFunc(all, func(p parse) bool { return kindOf(p.kind).tool != "" }) // hello, hob
}

// spoken returns a text as it would be written.
func (l *language) spoken(text string) string {
	return l.withoutCourtesies(l.withAfterthoughts(l.withDots(l.withoutHums(l.withoutEmphasis(text)))))
}

// withoutEmphasis returns a text without the endings that only stress a word, as in "масло-то кончилось". With some words they make another one: кто-то. In
// quotes they are meant.
func (l *language) withoutEmphasis(text string) string {
	if l.section("words.emphasis") == "" || strings.Contains(fold(text).norm, `"`) {
		return text
	}
	words := strings.Fields(text)
	for i, word := range words {
		bare := strings.TrimRight(word, ",;.!?:")
		for ending := range l.list("emphasis") {
			if short, ok := strings.CutSuffix(bare, ending); ok && short != "" && !l.has("indefinite", fold(short).norm) {
				words[i] = short + word[len(bare):]
			}
		}
	}
	if short := strings.Join(words, " "); len(short) < len(text) && strings.Join(strings.Fields(text), " ") != short {
		return short
	}
	return text
}

// longestHum is how many words a hum has at most: "это как его".
const longestHum = 3

// withoutHums returns a text without the words of hums, which Chinese writes within others. In quotes they are meant, and behind a comma
// what follows may be a correction.
func (l *language) withoutHums(text string) string {
	kept, last := strings.Fields(text), ""
	for i, word := range kept {
		if strings.Contains(fold(word).norm, `"`) || i > 0 && strings.HasSuffix(kept[i-1], ",") && l.has("hums", fold(word).norm) {
			return text
		}
	}
	hummed := false
	for at := 0; at < len(kept); {
		n := min(longestHum, len(kept)-at)
		for n > 0 && !l.has("hums", fold(strings.Join(kept[at:at+n], " ")).norm) {
			n--
		}
		if word := fold(kept[at]).norm; n > 0 {
			hummed = true
		} else if hummed && last != "" && word == last { // the uh the lamps
			n = 1
		} else {
			at, last, hummed = at+1, word, false
			continue
		}
		kept = slices.Delete(kept, at, at+n)
	}
	if l.name == "zh" {
		for hum := range l.list("hums") {
			text = strings.ReplaceAll(text, hum, "")
		}
		kept = strings.Fields(text)
	}
	if len(kept) == 0 || len(kept) == len(strings.Fields(text)) && l.name != "zh" {
		return text
	}
	return strings.Join(kept, " ")
}

// withDots returns a text with the names of files and hosts as they are written, where it has them as they are said: "poem dot txt". In quotes
// they are meant.
func (l *language) withDots(text string) string {
	words := strings.Fields(text)
	if strings.Contains(fold(text).norm, `"`) {
		return text
	}
	for i := len(words) - 2; i > 0; i-- {
		if i+1 < len(words) && l.has("dots", fold(words[i]+" "+words[i+1]).norm) {
			words[i-1] += "." + words[i+1]
			words = slices.Delete(words, i, i+2)
		}
	}
	if len(words) == len(strings.Fields(text)) {
		return text
	}
	return strings.Join(words, " ")
}

// isCourtesy reports whether a clause is nothing but politeness, such as "if it isn't too much trouble".
func (m *matcher) isCourtesy(clause span) (found bool) {
	if clause.from >= clause.to || strings.Count(m.norm[:clause.from], `"`)%2 != 0 || clause.from > 0 && m.lang.has("corrects", m.norm[clause.from:clause.to]) ||
		strings.HasPrefix(m.norm[clause.to:], ":") && m.lang.has("announces", m.norm[clause.from:clause.to]) {
		return false
	}
	ends := func(end int) { found = found || end == clause.to }
	m.rule("alone", clause.from, ends)
	if strings.HasSuffix(m.before(clause.from), "?") { // which file has that? search
		m.rule("nudged", clause.from, ends)
	}
	return found || m.isTag(clause)
}

// isTag reports whether a clause is a question of a word or two behind an order, which wants no answer: "set a timer, okay?" What tells something is no
// order: "the timer is set, okay?"
func (m *matcher) isTag(clause span) (found bool) {
	if m.asks && clause.from > 0 && clause.to == len(m.norm) && m.lang.section("rule.tagged") != "" {
		m.rule("tagged", clause.from, func(end int) { found = found || end == clause.to })
	}
	clauses := m.clausesOf()
	return found && len(clauses) > 1 && !m.hasWord(clauses[len(clauses)-2].from, clauses[len(clauses)-2].to, "untagged")
}

// withoutCourtesies returns a text without the clauses that are nothing but politeness. They say nothing of a chore, wherever they stand; a text
// that is nothing else stays, and so does one whose colon has nothing else behind it: "не надо: спасибо" is no "stop", and "note: thanks" a note.
func (l *language) withoutCourtesies(text string) string {
	t := fold(text)
	m := &matcher{folded: t, lang: l}
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
		asks = asks || m.isTag(t.trimmed(c))
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

// withAfterthoughts returns a text with what is said of a thing behind its sentence where it belongs: "cancel the reminder, the one about the tyres" is
// "cancel the reminder about the tyres".
func (l *language) withAfterthoughts(text string) string {
	t := fold(text)
	clauses := t.clausesOf()
	if len(clauses) < 2 || len(clauses) > mostClauses || strings.ContainsAny(t.norm, `":`) {
		return text
	}
	m := &matcher{folded: t, lang: l}
	for i, clause := range clauses[1:] {
		c := t.trimmed(clause)
		if c.from >= c.to {
			continue
		}
		n := m.longestOf(c.from, c.to, "afterthoughts")                                               // "the one about", whose last word stays
		if n == 0 || !t.isBoundary(c.from+n) || l.hasWord(t.norm[c.from+n:c.to], "finite", "tells") { // the one about the tyres stays
			continue
		}
		from := c.from + strings.LastIndexByte(t.norm[c.from:c.from+n], ' ') + 1
		if n := m.longestOf(from, c.to, "lately"); n > 0 && from+n < c.to { // the one of this morning about the tyres
			from = t.skip(from + n)
		}
		before := t.norm[:clauses[i].to]
		for _, w := range slices.Backward(l.wordsOf(before)) {
			if end := t.at[w.from+len(w.text)]; l.has("singled", w.text) {
				return text[:end] + " " + t.original(from, c.to) + text[end:t.at[clauses[i].to]] + text[t.at[c.to]:]
			}
		}
	}
	return text
}

// parsesOfNudged returns how a text is read whose first or last clause only asks for an answer, without that: "which lists are there, can you look?".
// What acts is no answer.
func (l *language) parsesOfNudged(t folded, loose bool) []parse {
	clauses := t.clausesOf()
	if len(clauses) < 2 || len(clauses) > mostClauses || strings.Contains(t.norm, `":`) {
		return nil
	}
	m := &matcher{folded: t, lang: l}
	isNudge := func(clause span) (found bool) {
		m.rule("nudged", clause.from, func(end int) { found = found || end == clause.to })
		return found && clause.from < clause.to
	}
	rest, last := t, len(clauses)-1
	switch {
	case isNudge(t.trimmed(clauses[last])):
		rest.norm, rest.asks = strings.TrimRight(t.norm[:clauses[last-1].to], " ,;.!?-"), true
	case isNudge(t.trimmed(clauses[0])):
		from := t.trimmed(clauses[1]).from
		rest.norm, rest.at = t.norm[from:], t.at[from:]
	default:
		return nil
	}
	return slices.DeleteFunc(l.parses(rest, loose), func(p parse) bool { return p.isOwn() || !p.onlyLooks() })
}
