package notes

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/skills/pages"
)

// note is an item of a page, or a paragraph that somebody wrote there.
type note struct {
	file  string // its page
	topic string
	date  string      // such as 2026-11-22; "" where none is written
	text  string      // in one line
	lines pages.Block // of its page
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

// parse returns the notes of a page, in their order. Each item of a list is one, with what is indented below it, and each
// paragraph outside of lists: people write there what they like. Headings and rules are none.
func parse(topic, page string) []note {
	var all []note
	for _, b := range pages.Blocks(page, false) {
		n := note{topic: topic, text: b.Text, lines: b}
		if date, rest, ok := strings.Cut(n.text, " "); ok && isDate(date) {
			n.date, n.text = date, rest
		}
		if n.text != "" {
			all = append(all, n)
		}
	}
	return all
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// topicName is the name of a topic, made of whatever somebody calls it.
func topicName(topic string) string { return cmp.Or(pages.Folder{Dir: folder}.Name(topic), plainTopic) }
