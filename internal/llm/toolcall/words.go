package toolcall

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed words.md
var wordFile string

// wordSections are the sections of words.md by their names.
var wordSections = sync.OnceValue(func() map[string]section {
	all := map[string]section{}
	for text := range strings.SplitSeq(wordFile, "\n\n## ") {
		name, body, _ := strings.Cut(text, "\n")
		s := section{lines: strings.Split(strings.TrimRight(body, "\n"), "\n")}
		for _, line := range s.lines {
			const columns = 4
			row := append(strings.Split(line, "\t"), make([]string, columns)...)
			s.rows = append(s.rows, row[:columns])
		}
		all[name] = s
	}
	return all
})

// section is a section of words.md: its lines, and each line as columns.
type section struct {
	lines []string
	rows  [][]string
}

// list returns the lines of a section of words.md.
func list(section string) []string { return wordSections()[section].lines }

// table returns the lines of a section of words.md as columns; those that a line lacks are empty.
func table(section string) [][]string { return wordSections()[section].rows }

// nameKeys are what models call the name of a tool, the most certain first, and argumentKeys its arguments.
func nameKeys() []string     { return list("names") }
func argumentKeys() []string { return list("arguments") }
