package toolcall

import (
	_ "embed"
	"strings"
	"sync"

	"hob/internal/prose"
)

//go:embed words.md
var wordLists string

// table returns the rows of a section of words.md, each with as many columns as the longest has.
func table(section string) func() [][]string {
	return sync.OnceValue(func() [][]string {
		var rows [][]string
		columns := 0
		for line := range strings.SplitSeq(prose.Section(wordLists, section), "\n") {
			rows = append(rows, strings.Split(line, "\t"))
			columns = max(columns, len(rows[len(rows)-1]))
		}
		for i := range rows {
			rows[i] = append(rows[i], make([]string, columns-len(rows[i]))...)
		}
		return rows
	})
}

// list returns the lines of a section of words.md.
func list(section string) func() []string {
	return sync.OnceValue(func() []string { return strings.Split(prose.Section(wordLists, section), "\n") })
}

// What models call the name of a tool, the most certain first, its arguments, and a list of calls.
var (
	nameKeys     = list("names")
	argumentKeys = list("arguments")
	callsKeys    = list("calls")
)
