package grounding

import (
	"slices"
	"strings"
)

// span is a part of a line, in bytes.
type span struct{ from, to int }

func (s span) has(at int) bool { return s.from <= at && at < s.to }

// freeSpans are the parts of a line that state nothing about the results: commands of programs that they do not have, questions,
// offers, suggestions, suppositions, and what usually is so.
func (r *reader) freeSpans() []span {
	var free []span
	for i, at := 0, 0; at < len(r.low); i++ { // what stands between each second backtick and the next
		code, _, _ := strings.Cut(r.low[at:], "`")
		if program := wordAt(strings.TrimPrefix(code, "sudo ")); i%2 == 1 && strings.Contains(code, " ") && program != "" && !r.c.words[program] {
			free = append(free, span{at, at + len(code)})
		}
		at += len(code) + 1
	}
	for from := 0; from < len(r.low); {
		to, asks := sentenceEnd(r.low, from)
		sentence := spaced(r.low[from:to])
		if asks && r.in("suggests", sentence) { // How about an omelette? Beat six eggs.
			to = len(r.low)
		}
		if asks || r.in("offer", sentence) || r.in("usual", sentence) {
			free = append(free, span{from, to})
		} else if lead := " " + strings.TrimLeft(r.low[from:to], " *-"); r.prefix("if", lead) != "" {
			if n := strings.IndexAny(r.low[from:to], ",，"); n > 0 {
				free = append(free, span{from, from + n})
			}
		}
		from = to
	}
	return free
}

// advised are the sentences of a line that say what may be done, with a command or a file: what they name need not be anywhere.
func (r *reader) advised() []span {
	var all []span
	for from := 0; from < len(r.low); {
		to, _ := sentenceEnd(r.low, from)
		sentence := r.low[from:to]
		isCommand := strings.ContainsRune(sentence, '`')
		if r.in("hedge", spaced(sentence)) {
			all = append(all, span{from, to})
		}
		for clause := range strings.FieldsFuncSeq(sentence, func(x rune) bool { return strings.ContainsRune(",;:–—", x) }) {
			clause = strings.TrimLeft(clause, " *-")
			clause = strings.TrimPrefix(clause, r.prefix("andthen", clause))
			if r.is("advise", wordAt(clause)) || isCommand && r.in("advice", spaced(clause)) {
				all = append(all, span{from, to})
				break
			}
		}
		from = to
	}
	return all
}

// calculating are the sentences of a line that say that they calculate.
func (r *reader) calculating() []span {
	var all []span
	for from := 0; from < len(r.low); {
		to, _ := sentenceEnd(r.low, from)
		if r.in("calculate", spaced(r.low[from:to])) {
			all = append(all, span{from, to})
		}
		from = to
	}
	return all
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
