package live

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"hob/internal/lists"
	"hob/internal/surface/cli"
	"hob/internal/surface/cli/lineedit"
)

// The looks of the prompt.
const (
	dim    = "\x1b[2m"
	yellow = "\x1b[33m"
	red    = "\x1b[31m"
	normal = "\x1b[0m"
)

func (m model) styled(look, text string) string {
	if !m.options.Colour || text == "" {
		return text
	}
	return look + text + normal
}

// mark stands before the line of a person.
const mark = "› "

// widthOf measures a cluster as the terminal draws it.
func (m model) widthOf(cluster string) int {
	if m.clusters {
		return ansi.StringWidth(cluster)
	}
	return ansi.StringWidthWc(cluster)
}

func (m model) layout() lineedit.Layout { return m.line.Lay(m.width-len("› ")+1, m.widthOf) }

// saidLines is what stays of a line that was entered.
func (m model) saidLines() string {
	said, head := "", mark
	for _, row := range m.layout().Rows {
		said += "\n" + m.styled(dim, head+row)
		head = "  "
	}
	return said
}

// View implements [tea.Model].
func (m model) View() tea.View {
	if m.lent { // one empty row: bubbletea draws its rows anew above the cursor, over what was written meanwhile
		m.prompt.screen.view(frame{[]string{""}, 0, 0, m.widthOf})
		return tea.NewView("")
	}
	o := m.layout()
	rows, x, y := m.inputRows(o)
	below := m.menuRows()
	above := m.headRows(max(m.height-len(rows)-len(below)-chunkOf(m.height), 0))
	v := tea.NewView(strings.Join(append(append(above, rows...), below...), "\n"))
	v.Cursor = tea.NewCursor(x, y+len(above))
	v.Cursor.Blink = false
	m.prompt.screen.view(frame{strings.Split(v.Content, "\n"), v.Cursor.X, v.Cursor.Y, m.widthOf})
	return v
}

// headRows are the rows above the line: the draft, or its end, and the status.
func (m model) headRows(most int) []string {
	var status []string
	if m.status != "" && m.question == nil { // it is the person who is waited for
		seconds := int(m.now().Sub(m.since) / time.Second)
		status = []string{m.styled(dim, ansi.Truncate(fmt.Sprintf("· %s · %d s", m.status, seconds), m.width, "…"))}
	}
	var rows []string
	for _, row := range m.draft {
		rows = append(rows, strings.Split(ansi.Hardwrap(row, m.width, true), "\n")...) // it may be of a wider terminal
	}
	if len(rows) > 0 || len(status) > 0 || m.question == nil {
		rows = append(rows, "")
	}
	rows = append(rows, status...)
	return rows[max(0, len(rows)-most):]
}

// inputRows are the rows of the line, or a part of them with the cursor, and where the cursor is.
func (m model) inputRows(o lineedit.Layout) (rows []string, x, y int) {
	heads := []string{mark}
	switch {
	case m.search != nil:
		heads = []string{cli.Words(m.options.Lang).Text("search", strconv.Quote(m.search.words))}
	case m.question != nil:
		heads = m.questionHeads()
	}
	last := heads[len(heads)-1]
	width := ansi.StringWidth(last)
	if width > m.width/2 { // the line gets rows of its own
		heads, last, width = append(heads, mark), mark, len("› ")-1
	}
	rows = lists.Map(heads[:len(heads)-1], m.questionLook)
	before := len(rows)
	o = m.line.Lay(m.width-width+1, m.widthOf)
	most := max(m.height/2, 1)
	first := min(max(o.Y-most+1, 0), max(len(o.Rows)-most, 0))
	for i, row := range o.Rows[first:min(len(o.Rows), first+most)] {
		head := strings.Repeat(" ", width)
		if i == 0 {
			head = m.questionLook(last)
		}
		rows = append(rows, head+row)
	}
	return rows, o.X + width, before + o.Y - first
}

func (m model) questionLook(text string) string {
	if m.question != nil && m.search == nil {
		return m.styled(yellow, text)
	}
	return text
}

// questionHeads are the lines of a question; the last of them is followed by what is typed.
func (m model) questionHeads() []string {
	text := m.question.prompt()
	if m.question.again != "" {
		text = m.question.again + "\n" + text
	}
	return strings.Split(ansi.Wrap(text, m.width, ""), "\n")
}

// menuRows are the rows of what a word can become.
func (m model) menuRows() []string {
	if m.menu == nil {
		return nil
	}
	const most = 6
	width := 0
	for _, c := range m.menu.candidates {
		width = max(width, ansi.StringWidth(c)+2)
	}
	columns := max(m.width/width, 1)
	first := max(m.menu.at/columns-most+1, 0) * columns
	var rows []string
	for i := first; i < len(m.menu.candidates) && len(rows) < most; i += columns {
		var row strings.Builder
		for j := i; j < min(i+columns, len(m.menu.candidates)); j++ {
			c := ansi.Truncate(m.menu.candidates[j], m.width-1, "…")
			look := dim
			if j == m.menu.at {
				look = "\x1b[7m"
			}
			row.WriteString(m.styled(look, c) + strings.Repeat(" ", max(width-ansi.StringWidth(c), 0)))
		}
		rows = append(rows, strings.TrimRight(row.String(), " "))
	}
	return rows
}
