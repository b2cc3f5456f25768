package cli

import (
	"bytes"
	"io"
	"strings"
)

// Wrap breaks the lines of a text that are wider than width columns at words. What goes on is set below what it goes on with:
// behind the blanks, the mark (hob's or that of a list) or the first column of the line. A line that has looks or moves the cursor is laid out already. A
// width of 0 breaks nothing.
func Wrap(text string, width int) string {
	if width <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if Width(line) > width && !strings.ContainsAny(line, "\x1b\r") {
			lines[i] = wrapLine(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

// WrapWriter breaks at words whole lines that are written to a terminal. Anything else it writes as it is, such as a question, whose
// terminal may be in raw mode.
func (t *Terminal) WrapWriter(to io.Writer) io.Writer { return wrapWriter{to, t} }

type wrapWriter struct {
	io.Writer

	terminal *Terminal
}

func (w wrapWriter) Write(text []byte) (int, error) {
	if !bytes.HasSuffix(text, []byte("\n")) {
		return w.Writer.Write(text)
	}
	if _, err := io.WriteString(w.Writer, w.terminal.Wrap(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

func wrapLine(line string, width int) string {
	lead := hangingPart(line)
	if Width(lead) > width/2 {
		if column := strings.TrimSpace(lead); column != "" && strings.HasSuffix(lead, "  ") && Width(strings.TrimRight(lead, " ")) <= width { // a line of its own
			blanks := strings.Repeat(" ", len(lead)-len(strings.TrimLeft(lead, " ")))
			return blanks + column + "\n" + wrapLine(blanks+"    "+line[len(lead):], width)
		}
		lead = line[:min(len(line)-len(strings.TrimLeft(line, " ")), width/2)]
	}
	hang := Width(lead)
	var out strings.Builder
	for i, words := range wrap(cells([]span{{line[len(lead):], 0}}), width-hang, hang == 0) {
		if i == 0 {
			out.WriteString(lead)
		} else {
			out.WriteString("\n" + strings.Repeat(" ", hang))
		}
		out.WriteString(paint(words, false))
	}
	return out.String()
}

// hangingPart is what stands before the words of a line: blanks, one of hob's marks, a column of a table.
func hangingPart(line string) string {
	blanks := len(line) - len(strings.TrimLeft(line, " "))
	rest := line[blanks:]
	if i := strings.Index(rest, "  "); i > 0 {
		column := rest[i:]
		return line[:len(line)-len(strings.TrimLeft(column, " "))]
	}
	if mark, _, ok := strings.Cut(rest, " "); ok && len([]rune(mark)) == 1 && (isMark([]rune(mark)[0]) || strings.Contains("-•", mark)) {
		return line[:blanks+len(mark)+1]
	}
	return line[:blanks]
}
