package notes

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode"

	"hob/internal/display"
)

// note is an item of a page, or a paragraph that somebody wrote there.
type note struct {
	file  string // its page
	topic string
	date  string // such as 2026-11-22; "" where none is written
	text  string // in one line
	first int    // the line of its page that it begins in, from 0
	last  int
}

// same reports whether two notes say the same on the same page.
func (n note) same(m note) bool { return n.topic == m.topic && n.date == m.date && n.text == m.text }

// number is what a note is called by. It is made of what the note says, so that it stays while others come and go. Two notes
// can have the same one.
func (n note) number() string {
	h := fnv.New32a()
	h.Write([]byte(n.topic + "\x00" + n.date + "\x00" + n.text)) // never fails
	return fmt.Sprint(1000 + h.Sum32()%9000)
}

// line is the note as it stands on its page.
func (n note) line() string {
	return "- " + strings.TrimPrefix(n.date+" ", " ") + n.text + "\n"
}

// render is the note as a model reads it, cut to so many bytes.
func (n note) render(most int) string {
	where := n.topic
	if n.date != "" {
		where += ", " + n.date
	}
	return fmt.Sprintf("#%s (%s) %s", n.number(), where, display.TruncateBytes(n.text, most))
}

// add returns the page of a topic with a note at its end.
func add(page string, n note) string {
	switch {
	case strings.TrimSpace(page) == "":
		page += "# " + n.topic + "\n\n"
	case !strings.HasSuffix(page, "\n"):
		page += "\n"
	}
	return page + n.line()
}

// drop returns a page without the lines of a note.
func drop(page string, n note) string {
	lines := slices.Collect(strings.Lines(page))
	return strings.Join(slices.Delete(lines, n.first, n.last+1), "")
}

// parse returns the notes of a page, in their order. Each item of a list is one, with what is indented below it, and each
// paragraph outside of lists: people write there what they like. Headings and rules are none.
func parse(topic, page string) []note {
	var all []note
	open, item, blank := false, false, false // whether the last note can go on, is an item, and a blank line came after it
	i := -1
	for line := range strings.Lines(page) {
		i++
		text := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
		marker := markerOf(text)
		switch {
		case text == "":
			blank = true
			continue
		case open && item && indented, open && !blank && marker == 0 && !isDivider(text):
			n := &all[len(all)-1]
			n.text, n.last = n.text+lineBreak+tidy(text), i
		case isDivider(text):
			open = false
		default:
			open, item = true, marker > 0
			n := note{topic: topic, text: tidy(text[marker:]), first: i, last: i}
			if date, rest, ok := strings.Cut(n.text, " "); ok && isDate(date) {
				n.date, n.text = date, rest
			}
			all = append(all, n)
		}
		blank = false
	}
	return slices.DeleteFunc(all, func(n note) bool { return n.text == "" })
}

// markerOf returns how many bytes of a line make it an item of a list, 0 where it is none.
func markerOf(text string) int {
	mark, _, ok := strings.Cut(text, " ")
	if !ok {
		return 0
	}
	digits := strings.TrimRight(mark, ".)")
	numbered := len(mark) == len(digits)+1 && digits != "" && len(digits) < 10 && strings.Trim(digits, "0123456789") == ""
	if mark == "-" || mark == "*" || mark == "+" || numbered {
		return len(mark) + 1
	}
	return 0
}

// isDivider reports whether a line is a heading or a rule.
func isDivider(text string) bool {
	hashes := len(text) - len(strings.TrimLeft(text, "#"))
	heading := hashes >= 1 && hashes <= 6 && (len(text) == hashes || text[hashes] == ' ')
	return heading || len(text) >= 3 && strings.Trim(text, text[:1]) == "" && strings.Contains("-=_*", text[:1])
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// lineBreak stands in a note where a line ended.
const lineBreak = " / "

// tidy makes one line of what somebody wrote: line ends become slashes, all other blanks one, and what cannot be seen goes.
func tidy(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r):
			b.WriteByte('\n')
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d': // these two join letters
		default:
			b.WriteRune(r)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, lineBreak)
}

// maxTopic is how many bytes the name of a topic has.
const maxTopic = 60

// topicName is the name of a topic, made of whatever somebody calls it: small letters, digits and dashes.
func topicName(topic string) string {
	topic = strings.TrimSpace(topic)
	topic = strings.TrimPrefix(strings.TrimSuffix(topic, ext), folder+"/")
	words := strings.FieldsFunc(fold(topic), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
	})
	name := strings.Join(words, "-")
	return cmp.Or(strings.Trim(name[:display.CutAt(name, maxTopic)], "-"), plainTopic)
}

// fold is the form in which words are compared.
func fold(text string) string { return strings.ReplaceAll(strings.ToLower(text), "ё", "е") }
