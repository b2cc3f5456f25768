// Package excerpt finds the lines of a long text that a task is about: those with the words of the task that are rare in
// the text. It asks no model, and the same task and text give the same lines.
//
// A word of the task matches another form of it: a word that begins like it and is at most three letters longer. Of
// languages without spaces each pair of neighbouring characters counts as a word.
package excerpt

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/display"
)

// Bounds of what is looked at and returned.
const (
	maxWords = 64      // of a task
	maxText  = 4 << 20 // bytes of a text
	maxLine  = 240     // bytes of a line that is shown
	maxShown = 16      // lines
)

// Query is the words of a task. The zero Query finds nothing.
type Query struct{ words []word }

// word is a word of a task as it is looked for, in lower case.
type word struct {
	stem string
	more int // letters that may follow
}

// For returns the query for a task, such as the words of a person.
func For(task string) Query {
	var q Query
	seen := map[string]bool{}
	add := func(stem string, more int) {
		if !seen[stem] && len(q.words) < maxWords {
			seen[stem] = true
			q.words = append(q.words, word{stem, more})
		}
	}
	for _, w := range split(strings.ToLower(task)) {
		n := utf8.RuneCountInString(w)
		first, _ := utf8.DecodeRuneInString(w)
		switch {
		case isWide(first):
			for rest := w; utf8.RuneCountInString(rest) > 1; {
				_, one := utf8.DecodeRuneInString(rest)
				_, two := utf8.DecodeRuneInString(rest[one:])
				add(rest[:one+two], math.MaxInt)
				rest = rest[one:]
			}
		case isCommon(w):
		case unicode.IsDigit(first):
			add(w, 0)
		case n < 3:
		case n < 4:
			add(w, 1)
		default:
			add(stemOf(w, n), 3+n-utf8.RuneCountInString(stemOf(w, n)))
		}
	}
	return q
}

// stemOf is a word of n letters without its last two, where four stay.
func stemOf(w string, n int) string {
	for drop := min(2, n-4); drop > 0; drop-- {
		_, size := utf8.DecodeLastRuneInString(w)
		w = w[:len(w)-size]
	}
	return w
}

// split returns the runs of letters, of digits and of characters that are written without spaces.
func split(text string) []string {
	var all []string
	begin, last := 0, 0
	for i, r := range text {
		if now := kindOf(r); now != last {
			if last != 0 {
				all = append(all, text[begin:i])
			}
			begin, last = i, now
		}
	}
	if last != 0 {
		all = append(all, text[begin:])
	}
	return all
}

func kindOf(r rune) int {
	switch {
	case isWide(r):
		return 3
	case unicode.IsDigit(r):
		return 2
	case unicode.IsLetter(r), unicode.Is(unicode.Mn, r):
		return 1
	}
	return 0
}

// isWide reports whether r is of a script without spaces between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// isCommon reports whether a word says nothing about what a task is about.
func isCommon(w string) bool {
	const common = " the and for with from that this what which who how when where are was were has have had not you your our all any " +
		"each every into then them they there here its their please tell give show can could would should will does did about one " +
		"der die das den dem des und oder mit von vom zum zur für ist sind war hat haben wie was wer wann ein eine einen einem einer " +
		"mir mich dir dich uns euch ich bitte auf aus bei nach nicht auch alle jede jeden jeder jedes als dann steht sag " +
		"что это как кто где когда для или все его она они мне нас вас при над под без был была было были есть мой моя мои " +
		"пожалуйста скажи какой какая какие сколько каждый каждого каждой "
	return strings.Contains(common, " "+w+" ")
}

// find returns where w stands in a line in lower case, or -1.
func (w word) find(line string) int {
	for at := 0; ; {
		i := strings.Index(line[at:], w.stem)
		if i < 0 {
			return -1
		}
		i += at
		if w.stands(line, i) {
			return i
		}
		_, n := utf8.DecodeRuneInString(line[i:])
		at = i + n
	}
}

// stands reports whether a word that is w begins at i.
func (w word) stands(line string, i int) bool {
	if w.more == math.MaxInt {
		return true
	}
	first, _ := utf8.DecodeRuneInString(w.stem)
	kind := kindOf(first)
	if before, _ := utf8.DecodeLastRuneInString(line[:i]); i > 0 && kindOf(before) == kind {
		return false
	}
	more := 0
	for _, r := range line[i+len(w.stem):] {
		if kindOf(r) != kind {
			break
		}
		if more++; more > w.more {
			return false
		}
	}
	return true
}

// Lines returns the indexes of the lines that the task is about, in their order. Each counts at most 240 bytes, and all
// of them together at most limit.
func (q Query) Lines(lines []string, limit int) []int {
	scores := q.score(lines)
	var best []int
	most := 0.0
	for i, s := range scores {
		if s > 0 {
			best, most = append(best, i), max(most, s)
		}
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var picked []int
	take := func(i int) {
		size := min(len(lines[i]), maxLine) + 8
		if size <= limit && len(picked) < maxShown && !slices.Contains(picked, i) {
			picked, limit = append(picked, i), limit-size
		}
	}
	for _, i := range best {
		if scores[i] < most/3 || len(picked) == maxShown {
			break
		}
		take(i)
		if isHeading(lines[i]) { // what it is about stands below it
			if below := belowHeading(lines, i); below > 0 {
				take(below)
			}
		}
	}
	slices.Sort(picked)
	return picked
}

// isHeading reports whether a line is a heading, be it behind its number as [Query.Numbered] writes it.
func isHeading(line string) bool {
	text := strings.TrimSpace(line)
	if number, rest, ok := strings.Cut(text, ": "); ok && strings.Trim(number, "0123456789") == "" {
		text = rest
	}
	return strings.HasPrefix(text, "#") || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// belowHeading returns the index of the line that stands below a heading, after a blank line or none, or 0.
func belowHeading(lines []string, heading int) int {
	for i := heading + 1; i < min(heading+3, len(lines)); i++ {
		if strings.TrimSpace(lines[i]) != "" {
			return i
		}
	}
	return 0
}

// score rates how much each line is about the task: the sum over its words, where a rare word counts more. A word that
// stands in every third line counts nothing.
func (q Query) score(lines []string) []float64 {
	scores := make([]float64, len(lines))
	if len(q.words) == 0 {
		return scores
	}
	low := make([]string, len(lines))
	read := 0
	for i, line := range lines {
		if read += len(line); read > maxText {
			break
		}
		low[i] = strings.ToLower(line)
	}
	var in []int
	for _, w := range q.words {
		in = in[:0]
		for i, line := range low {
			if w.find(line) >= 0 {
				in = append(in, i)
			}
		}
		if len(in)*3 > max(len(lines), 6) {
			continue
		}
		weight := math.Log(float64(len(lines)+2) / (float64(len(in)) + 0.5))
		for _, i := range in {
			scores[i] += weight
		}
	}
	return scores
}

// Clip returns a line in at most limit bytes. Of a longer one it is the part around the first words of the task.
func (q Query) Clip(line string, limit int) string {
	line = display.Join(strings.ToValidUTF8(line, ""))
	if len(line) <= limit {
		return line
	}
	low := strings.ToLower(line)
	at := -1
	for _, w := range q.words {
		if i := w.find(low); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at > limit/2 && len(low) == len(line) {
		from := min(at-limit/4, len(line)-limit+len("…"))
		for !utf8.RuneStart(line[from]) {
			from++
		}
		line = "…" + line[from:]
	}
	return display.TruncateBytes(line, limit)
}

// Best returns the lines of text that the task is about as one line of at most limit bytes, or "".
func (q Query) Best(text string, limit int) string {
	lines := strings.Split(text, "\n")
	var all []string
	for _, i := range q.Lines(lines, limit) {
		all = append(all, q.Clip(lines[i], min(maxLine, limit)))
	}
	if len(all) == 0 { // all of them are too long
		for _, i := range q.Lines(lines, maxLine+8) {
			all = append(all, q.Clip(lines[i], limit))
		}
	}
	return display.TruncateBytes(strings.Join(all, " | "), limit)
}

// Numbered returns the lines that the task is about, each below the other behind its number, in at most limit bytes; ""
// where there are none. The first of lines has the number first.
func (q Query) Numbered(lines []string, first, limit int) string {
	var b strings.Builder
	for _, i := range q.Lines(lines, limit) {
		fmt.Fprintf(&b, "%d: %s\n", first+i, q.Clip(lines[i], maxLine))
	}
	return b.String()
}

// Passages is [Query.Numbered] for a text, without numbers. Of a line that is long it returns passages.
func (q Query) Passages(text string, limit int) string {
	var pieces []string
	for line := range strings.SplitSeq(text, "\n") {
		for len(line) > maxLine {
			end := display.CutAt(line, maxLine)
			for _, mark := range []string{". ", "\\n", ", ", " "} {
				if i := strings.LastIndex(line[:end], mark); i >= end/3 {
					end = i + len(mark)
					break
				}
			}
			pieces, line = append(pieces, line[:end]), line[end:]
		}
		pieces = append(pieces, line)
	}
	var b strings.Builder
	for _, i := range q.Lines(pieces, limit) {
		b.WriteString(q.Clip(pieces[i], maxLine) + "\n")
	}
	return b.String()
}

// Ends returns the head and the tail of a text that is longer than limit bytes: so many tenths of these are the head. Both are cut
// at line ends where there are any, and a character that was cut through goes.
func Ends(text string, limit, tenths int) (head, tail string) {
	head, tail = text[:limit*tenths/10], text[len(text)-limit*(10-tenths)/10:]
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	return strings.ToValidUTF8(head, ""), strings.ToValidUTF8(tail, "")
}
