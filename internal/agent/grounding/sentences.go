package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// span is a part of a line, in bytes.
type span struct{ from, to int }

func (s span) has(at int) bool { return s.from <= at && at < s.to }

// sentence is one of a line of the answer.
type sentence struct {
	span
	calculates bool // a word says so
	aside      bool // it asks, offers, advises, supposes, or says what usually is so
}

// readSentences reads the sentences of a line.
func (r *reader) readSentences() {
	for from := 0; from < len(r.low); {
		to, asks := sentenceEnd(r.low, from)
		text := spaced(r.low[from:to])
		s := sentence{span: span{from, to}, calculates: r.in("calculate", text)}
		if asks && r.in("suggests", text) { // How about an omelette? Beat six eggs.
			to = len(r.low)
			s.to = to
		}
		isStrange := r.c.strange(r.low[from:to]) > 0
		s.aside = asks || isStrange && (r.in("offer", text) || r.in("usual", text) || r.in("hedge", text) ||
			r.prefix("if", " "+strings.TrimLeft(r.low[from:to], " *-")) != "" || r.advises(r.low[from:to]))
		r.sentences = append(r.sentences, s)
		from = to
	}
}

// sentenceAt is the sentence at a place of the line.
func (r *reader) sentenceAt(at int) sentence {
	for _, s := range r.sentences {
		if s.has(at) {
			return s
		}
	}
	return sentence{}
}

// strange is how many words of a text no source has.
func (c *checker) strange(text string) int {
	n := 0
	for w := range c.stemsOf(text) {
		if !c.stems[w] {
			n++
		}
	}
	return n
}

// isTranslated reports whether the answer has few words of the sources, as one in another language.
func (c *checker) isTranslated() bool {
	return c.strange(c.lower)*10 > len(c.stemsOf(c.lower))*6
}

// stemsOf gives the stems of the words of a text in lower case, and each two Chinese characters beside each other, once each.
func (l lexicon) stemsOf(low string) map[string]bool {
	all := map[string]bool{}
	last, at := rune(0), 0
	for at < len(low) {
		x, size := utf8.DecodeRuneInString(low[at:])
		if isLetter(x) {
			w := wordAt(low[at:])
			size = max(size, len(w))
			if utf8.RuneCountInString(w) > 2 {
				all[stem(w)] = true
			}
		}
		if isHan(x) && isHan(last) {
			all[string(last)+string(x)] = true
		}
		last = x
		at += size
	}
	return all
}

// advises reports whether a sentence says what may be done.
func (r *reader) advises(sentence string) bool {
	isCommand := strings.ContainsRune(sentence, '`')
	clauses := strings.FieldsFunc(sentence, func(x rune) bool { return strings.ContainsRune(",;:–—", x) })
	return slices.ContainsFunc(clauses, func(clause string) bool {
		clause = strings.TrimLeft(clause, " *-")
		return r.is("advise", wordAt(clause)) || isCommand && r.in("advice", spaced(clause))
	})
}

// sentenceEnd is where the sentence ends that begins at a place of a line, and whether it asks.
func sentenceEnd(low string, from int) (to int, asks bool) {
	for i, x := range low[from:] {
		next := low[from+i+len(string(x)):]
		switch {
		case strings.ContainsRune("。！？", x), strings.ContainsRune(".!?", x) && (next == "" || strings.ContainsAny(next[:1], " *\"")):
			return len(low) - len(next), x == '?' || x == '？'
		}
	}
	return len(low), false
}

// labelEnd is where the words end that say of what kind the rest of a line is, as in **Due date:** 3 December, and in a table
// the first cell.
func (r *reader) labelEnd() int {
	if strings.HasPrefix(r.text, "|") {
		return 1 + strings.IndexByte(r.text[1:]+"|", '|')
	}
	label, _, ok := strings.Cut(r.text, ": ")
	if label = strings.TrimRight(label, ":* "); !ok && !strings.HasSuffix(r.text, ":") && !strings.HasSuffix(r.text, ":**") {
		label, _, ok = strings.Cut(r.text, ":** ")
		if !ok {
			return 0
		}
	}
	words := strings.Fields(strings.TrimLeft(label, "-*• "))
	if len(words) > maxLabel || slices.ContainsFunc(words, func(w string) bool { return w[0] < 'A' || w[0] > 'Z' }) {
		return 0
	}
	return len(label)
}

// maxLabel is how many words a label has at most.
const maxLabel = 4
