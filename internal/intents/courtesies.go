package intents

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"hob/internal/when"
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
	case ',', ';', '.', '!', '?', ':':
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
// that is nothing else stays.
func (l *language) withoutCourtesies(text string) string {
	t := fold(text)
	m := &matcher{folded: t, lang: l, rules: map[ruleAt][]ruleEnd{}}
	clauses := t.clausesOf()
	kept := slices.DeleteFunc(slices.Clone(clauses), func(c span) bool { return m.isCourtesy(t.trimmed(c)) })
	if len(kept) == len(clauses) || len(kept) == 0 || strings.Trim(t.norm[kept[0].from:kept[len(kept)-1].to], " ,;.!?:-") == "" {
		return text
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
	return strings.TrimSpace(out.String())
}

// parsesBehindStory returns how the order is read that follows a story, such as "we have visitors, put tea on the shopping list": the story is of the
// person's own house, takes nothing back and names no time, and the order is whole without it.
func (l *language) parsesBehindStory(t folded, loose bool) []parse {
	for _, c := range t.clausesOf()[1:] {
		c = t.trimmed(c)
		story := strings.TrimRight(t.norm[:c.from], " ,;.!?-")
		if !l.isStory(story) || strings.HasSuffix(strings.TrimRight(t.norm[:c.from], " "), ":") {
			return nil
		}
		order := t
		order.norm, order.at = t.norm[c.from:], t.at[c.from:]
		all := slices.DeleteFunc(l.parses(order, loose), func(p parse) bool { return !p.standsAlone() })
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// tellsOf reports whether a clause says something of somebody or something: a verb such as "is" stands behind its subject, as in "the
// appointment is off", and nothing in it is an order.
func (l *language) tellsOf(clause string) bool {
	words := l.wordsOf(clause)
	return len(words) > 2 && slices.ContainsFunc(words[1:min(4, len(words))], func(w foundWord) bool { return l.has("finite", w.text) }) &&
		!slices.ContainsFunc(words, func(w foundWord) bool { return l.has("verbs", w.text) || l.has("corrects", w.text) })
}

// isStory reports whether what stands before an order tells something, and is no order, no condition, and no words of somebody else.
func (l *language) isStory(text string) bool {
	if !l.begins("reasons", text) && !l.tellsOf(text) || strings.ContainsAny(text, `":`) || !l.isReason(text) {
		return false
	}
	if l.name == "zh" && slices.ContainsFunc(l.wordsOf(text), func(w foundWord) bool { return l.ends("retracts", w.text) }) { // 我说
		return false
	}
	return !l.saysTime(text) // it may be that of the order
}

// saysTime reports whether a text says when.
func (l *language) saysTime(text string) bool {
	_, err := when.Read(text, l.name, time.Time{}.AddDate(2000, 0, 0)) // whenever that is
	unclear := (*when.Unclear)(nil)
	return err == nil || errors.As(err, &unclear) && unclear.Problem != when.Missing
}

// isClock reports whether the sentence is one of timers or alarms.
func (p parse) isClock() bool {
	return strings.HasPrefix(p.kind, "timer") || strings.HasPrefix(p.kind, "alarm")
}

// standsAlone reports whether an order says by itself what is to be done: it is no answer and no "stop" that may belong to the story.
func (p parse) standsAlone() bool {
	k := kindOf(p.kind)
	if slices.ContainsFunc(p.slots, func(s slot) bool { return p.lang.startsWith("torn", p.text.norm[s.from:s.to]) }) {
		return false
	}
	return !p.isOwn() && k.tool != "" && !k.near && !k.bare && !k.retracts && (!k.acts || len(p.slots) > 0)
}
