package intents

import (
	"slices"
	"strings"
)

// An order may be said as a question, "schiebst du sie ins Archiv?", with its verb at the end, "kannst du sie ins Archiv schieben", "es wäre lieb, wenn du
// sie ins Archiv schieben würdest", or behind the thing, "die Milch kannst du abhaken". The table orders of a language's values has the forms of verbs,
// and the form that sentences begin with. A text that is no chore is read with its orders in that form.

// asOrders returns a text with the orders in its clauses as sentences have them.
func (l *language) asOrders(text string) string {
	if l.section("values.orders") == "" {
		return text
	}
	t := fold(text)
	m := &matcher{folded: t, lang: l}
	clauses := t.clausesOf()
	var out strings.Builder
	from, asked := 0, false
	for i, clause := range clauses {
		c := t.trimmed(clause)
		if c.from >= c.to {
			continue
		}
		begin := c.from
		if i > 0 && m.isWish(t.trimmed(clauses[i-1])) {
			begin = t.trimmed(clauses[i-1]).from // ich möchte, dass du
		}
		order, asks := m.asOrder(c, begin < c.from, len(clauses) == 1)
		if order == "" || t.at[begin] < from {
			continue
		}
		out.WriteString(text[from:t.at[begin]] + order)
		from, asked = t.at[c.to], asked || asks
		if asks && strings.HasPrefix(text[from:], "? ") {
			from++
			out.WriteString(".")
		}
	}
	if asked {
		return strings.TrimRight(out.String()+text[from:], "? ")
	}
	return out.String() + text[from:]
}

// isWish reports whether a clause is nothing but the wish that the next one names: "ich möchte, dass ...".
func (m *matcher) isWish(clause span) (found bool) {
	m.rule("wished", clause.from, func(end int) { found = found || end == clause.to })
	return found
}

// asOrder returns a clause as an order, "" where it is none, and whether it may be asked. What stands behind a wish may have the verb of a statement, and
// an infinitive is an order where there is no other clause.
func (m *matcher) asOrder(c span, isWished, isAlone bool) (order string, asks bool) {
	words := strings.Fields(m.original(c.from, c.to))
	is := func(list string, i, n int) bool {
		return i+n <= len(words) && m.lang.has(list, fold(strings.Join(words[i:i+n], " ")).norm)
	}
	at := 0 // behind "and", "then" and "please"
	for at < len(words)-1 && is("openings", at, 1) {
		at++
	}
	lead := words[:at]
	words = words[at:]
	join := func(verb string, parts ...[]string) string {
		return strings.Join(slices.Concat(append([][]string{lead, {verb}}, parts...)...), " ")
	}
	if verb, known := m.lang.value("orders", fold(words[0]).norm); known && is("addressed", 1, 1) {
		return join(verb, words[2:]), true
	}
	for len(words) > 2 && is("openings", len(words)-1, 1) {
		words = words[:len(words)-1]
	}
	last, isClausal := len(words)-1, is("clausal", 0, 2)
	if isModal := last > 2 && is("modal", last, 1); isClausal && isModal {
		last--
	} else if last < 1 || isClausal && !isWished {
		return "", false
	}
	verb, particle := m.lang.orderOf(fold(words[last]).norm)
	switch {
	case verb == "":
		return "", false
	case isClausal:
		return join(verb, words[2:last], particle), false
	}
	for i := range last - 1 {
		between := fold(strings.Join(slices.Concat(words[:i], words[i+2:last]), " ")).norm
		isDoubted := m.lang.hasWord(between, "limits", "negation", "condition", "seldom") || m.lang.startsWith("limits", between)
		if is("fronted", i, 2) && !isDoubted && (i == 0 || !is("hopeless", last, 1)) {
			return join(verb, words[:i], words[i+2:last], particle), true
		}
	}
	if !isAlone || slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc([]string{"finite", "tells", "needs", "reported", "condition", "wonders", "negation", "orders"}, func(list string) bool {
			return m.lang.has(list, fold(word).norm)
		})
	}) {
		return "", false
	}
	return join(verb, words[:last], particle), false
}

// orderOf returns the form of an order for a verb, and the particle that stood before it: abhaken and abzuhaken are "hak ... ab".
func (l *language) orderOf(word string) (verb string, particle []string) {
	if verb, known := l.value("orders", word); known {
		return verb, nil
	}
	for p := range l.list("separable") {
		rest, ok := strings.CutPrefix(word, p)
		if !ok {
			continue
		}
		if verb, known := l.value("orders", strings.TrimPrefix(rest, "zu")); known {
			return verb, []string{p}
		}
	}
	return "", nil
}
