package tales

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// line is a line of a tale's file. Whoever reads it takes words and fields away, so what is left at the end is a
// mistake.
type line struct {
	no     int
	kind   string
	words  []string          // the words that are no fields, in their order
	was    []string          // all of words, before reading takes any
	fields map[string]string // name=value
	when   string
	asked  bool // there is a "when"
	wrong  []mistake
	refs   []ref
}

// mistake is a mistake in a line of a file. Line 0 is the file as a whole.
type mistake struct {
	no   int
	text string
}

// ref is an id that one line names and that another line has to define.
type ref struct {
	id    string
	kinds string // the kinds that it may have, separated by spaces
}

// lines splits a tale's file.
func lines(text string) (list []*line) {
	no := 0
	for raw := range strings.Lines(text) {
		no++
		raw = strings.TrimSpace(raw)
		if raw == "" || raw[0] == '#' {
			continue
		}
		l := &line{no: no, fields: map[string]string{}}
		raw, l.when, l.asked = strings.Cut(raw+" ", " when ")
		for i, word := range strings.Fields(raw) {
			switch name, value, isField := strings.Cut(word, "="); {
			case i == 0:
				l.kind = shorten(word)
			case isField:
				if _, twice := l.fields[name]; twice {
					l.fail("%s= stands there twice", shorten(name))
				}
				l.fields[name] = value
			default:
				l.words = append(l.words, word)
			}
		}
		l.was = slices.Clone(l.words)
		list = append(list, l)
	}
	return list
}

// next takes the first word that is left.
func (l *line) next() string {
	if len(l.words) == 0 {
		l.fail("there is a word too few: %s", usage(l.kind))
		return ""
	}
	word := l.words[0]
	l.words = l.words[1:]
	return word
}

// flag takes a word from anywhere in the line, and reports whether it was there.
func (l *line) flag(name string) bool {
	for i, word := range l.words {
		if word == name {
			l.words = append(l.words[:i:i], l.words[i+1:]...)
			return true
		}
	}
	return false
}

// text takes a field, "" if there is none.
func (l *line) text(name string) string {
	value := l.fields[name]
	delete(l.fields, name)
	return value
}

// list takes a field with commas between its items.
func (l *line) list(name string) []string {
	if value := l.text(name); value != "" {
		return strings.Split(value, ",")
	}
	return nil
}

// num takes a field with a whole number from least to most, 0 if there is none.
func (l *line) num(name string, least, most int64) int64 {
	value, ok := l.fields[name]
	delete(l.fields, name)
	if !ok {
		return 0
	}
	n := l.whole(value)
	if n < least || n > most {
		l.fail("%s=%d is out of reach: use %d to %d", name, n, least, most)
	}
	return n
}

func (l *line) whole(value string) int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		l.fail("%q is no whole number", value)
	}
	return n
}

// names notes that the line refers to an id, and returns the id; "" is none.
func (l *line) names(id, kinds string) string {
	if id != "" {
		l.refs = append(l.refs, ref{id, kinds})
	}
	return id
}

// condition takes the text after "when", and notes the ids that it names.
func (l *line) condition() string {
	when := strings.TrimSpace(l.when)
	if l.asked && when == "" {
		l.fail("there is nothing behind when: leave it out, or say what must be so, such as has obj_key")
	}
	l.when, l.asked = "", false
	for _, t := range world.Condition(when).Terms() {
		l.term(t)
	}
	return when
}

// term notes the ids that a term of a condition names.
func (l *line) term(t world.Term) {
	for _, shape := range []struct{ word, first, second string }{
		{"at", "place page", ""}, {"has", "thing", ""}, {"opened", "thing", ""}, {"in", "thing", "actor place thing"}, {"dead", "actor", ""},
		{"knows", "fact", ""}, {"open", "place", "place"}, {"done", "quest", ""}, {"full", "clock", ""},
	} {
		if len(t.Words) < 2 || t.Words[0] != shape.word || (len(t.Words) == 3) != (shape.second != "") || len(t.Words) > 3 {
			continue
		}
		l.names(t.Words[1], shape.first)
		if shape.second != "" {
			l.names(t.Words[2], shape.second)
		}
		return
	}
	if len(t.Words) == 4 && t.Words[0] == "set" {
		l.names(t.Words[1], "actor place thing")
		return
	}
	l.fail("the condition %.80q cannot be read: use at, has, in, dead, knows, open, opened, done, full or set with ids, and & between them",
		strings.Join(t.Words, " "))
}

// numbers takes the fields of these names, nil if there is none.
func (l *line) numbers(names ...string) (stats map[string]int64) {
	for _, name := range names {
		if _, ok := l.fields[name]; !ok {
			continue
		}
		if stats == nil {
			stats = map[string]int64{}
		}
		stats[name] = l.num(name, -mostStat, mostStat)
	}
	return stats
}

// rules takes all fields as numbers and adds them to those that there are.
func (l *line) rules(are map[string]int64) map[string]int64 {
	known := []string{rules.ZeroEnds, rules.StrikeBack, rules.TwistAfter, rules.Resurrection}
	for _, name := range slices.Sorted(maps.Keys(l.fields)) {
		n := l.num(name, 0, mostRule)
		if !slices.Contains(known, name) {
			l.fail("there is no rule %.40q: use %s", name, strings.Join(known, ", "))
		}
		are = world.With(are, name, n)
	}
	return are
}

func (l *line) fail(format string, args ...any) {
	l.wrong = append(l.wrong, mistake{l.no, l.kind + ": " + fmt.Sprintf(format, args...)})
}

// end returns the mistakes in the line. Words and fields that nobody took are one of them.
func (l *line) end() []mistake {
	left := slices.AppendSeq(slices.Clone(l.words), maps.Keys(l.fields))
	slices.Sort(left)
	if l.asked {
		left = append(left, "when")
	}
	if len(left) > 0 {
		l.fail("it has no use for %q: leave that out, or mend how it is spelt", left)
	}
	return l.wrong
}
