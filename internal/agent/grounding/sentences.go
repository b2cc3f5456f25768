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
	first      bool // of the answer
	calculates bool // a word says so
	aside      bool // it asks, offers, advises, supposes, or says what usually is so
	strange    int  // words that no source has
}

// readSentences reads the sentences of a line.
func (r *reader) readSentences() {
	for from := 0; from < len(r.low); {
		to, asks := sentenceEnd(r.low, from)
		text := spaced(r.low[from:to])
		s := sentence{span: span{from, to}, first: !r.c.begun, calculates: r.in("calculate", text)}
		if asks && r.in("suggests", text) { // How about an omelette? Beat six eggs.
			to = len(r.low)
			s.to = to
		}
		for w := range r.c.stemsOf(r.low[from:to]) {
			if !r.c.stems[w] {
				s.strange++
			}
		}
		s.aside = asks || r.proposed || s.strange > 0 && (r.in("offer", text) || r.in("usual", text) || r.in("hedge", text) ||
			r.prefix("if", " "+strings.TrimLeft(r.low[from:to], " *-")) != "" || r.advises(r.low[from:to]))
		r.c.begun = r.c.begun || strings.IndexFunc(r.low[from:to], isLetter) >= 0 || strings.IndexFunc(r.low[from:to], isHan) >= 0
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

// isCode reports whether a place of the line is in code of several words between backticks, as of a command, of a program that
// the sources do not have.
func (r *reader) isCode(at int) bool {
	if strings.Count(r.low[:at], "`")%2 == 0 {
		return false
	}
	code, _, _ := strings.Cut(r.low[strings.LastIndexByte(r.low[:at], '`')+1:], "`")
	program := wordAt(strings.TrimPrefix(code, "sudo "))
	return strings.Contains(code, " ") && program != "" && !r.c.words[program]
}

// advises reports whether a sentence says what may be done.
func (r *reader) advises(sentence string) bool {
	isCommand := strings.ContainsRune(sentence, '`')
	for clause := range strings.FieldsFuncSeq(sentence, func(x rune) bool { return strings.ContainsRune(",;:–—", x) }) {
		clause = strings.TrimLeft(clause, " *-")
		clause = strings.TrimPrefix(clause, r.prefix("andthen", clause))
		if r.is("advise", wordAt(clause)) || isCommand && r.in("advice", spaced(clause)) {
			return true
		}
	}
	return false
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

// isProposal reports whether a line says that the list behind it is what may be done.
func (r *reader) isProposal() bool {
	return strings.HasSuffix(strings.TrimRight(r.low, " *"), ":") && (r.in("offer", spaced(r.low)) || r.in("proposal", r.low))
}

// isListed reports whether a line belongs to a list.
func isListed(line string) bool {
	line = strings.TrimSpace(line)
	v, n := digits(line, 1, 3)
	return line == "" || strings.ContainsRune("-*•+", firstRune(line)) || v > 0 && strings.HasPrefix(line[n:], ".")
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
