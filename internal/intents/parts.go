package intents

import (
	"sort"
	"strings"
)

// parts are the parts of a text, by where they start: there are thousands, and strings of them would take more memory.
type parts struct {
	text   string
	starts []uint32
}

// sectionsOf returns the sections of a language, as [encode] writes them.
func sectionsOf(encoded string) parts {
	all := parts{text: encoded}
	for rest := encoded; rest != ""; {
		all.starts = append(all.starts, uint32(len(encoded)-len(rest)))
		_, rest = cutSized(rest)
		_, rest = cutSized(rest)
	}
	return all
}

// find returns the section of a name, of those that sectionsOf returns; "" where there is none.
func (p parts) find(name string) string {
	i, found := sort.Find(len(p.starts), func(i int) int {
		other, _ := cutSized(p.text[p.starts[i]:])
		return strings.Compare(name, other)
	})
	if !found {
		return ""
	}
	_, rest := cutSized(p.text[p.starts[i]:])
	content, _ := cutSized(rest)
	return content
}

func cutSized(s string) (first, rest string) {
	n := int(s[0])<<24 | int(s[1])<<16 | int(s[2])<<8 | int(s[3])
	return s[4 : 4+n], s[4+n:]
}

// linesOf returns the lines of a text.
func linesOf(text string) parts {
	all := parts{text: text, starts: make([]uint32, 1, 1+strings.Count(text, "\n"))}
	for i := range len(text) {
		if text[i] == '\n' {
			all.starts = append(all.starts, uint32(i+1))
		}
	}
	return all
}

// line returns a line of those that linesOf returns.
func (p parts) line(n int) string {
	line, _, _ := strings.Cut(p.text[p.starts[n]:], "\n")
	return line
}
