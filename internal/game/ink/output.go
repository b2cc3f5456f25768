package ink

import "strings"

// print adds a piece to what is read. A line never ends twice, and glue keeps it from ending.
func (st *state) print(item any) {
	switch v := item.(type) {
	case text:
		for i, line := range strings.Split(string(v), "\n") {
			if i > 0 {
				st.endLine()
			}
			if st.printed += len(line); line != "" && !(isBlank(text(line)) && len(st.output) > 0 && isBlank(st.output[len(st.output)-1])) {
				st.output = append(st.output, text(line))
			}
		}
	case newline:
		st.endLine()
	case glue:
		st.unendLine()
		st.output = append(st.output, v)
	case int64, float64, bool:
		st.output = append(st.output, text(show(v)))
	}
}

// endLine ends a line, if there is one. A function does not begin with the end of a line.
func (st *state) endLine() {
	from, some := 0, false
	for i := len(st.frames) - 1; i >= 0 && st.frames[i].kind == "~ret"; i-- {
		from = max(from, st.frames[i].from)
	}
	for i := len(st.output) - 1; i >= 0; i-- {
		switch p := st.output[i].(type) {
		case glue, newline:
			return
		case textBegins, tagBegins:
			i = 0
		case text:
			if some = true; strings.TrimSpace(string(p)) != "" {
				if i < from {
					return
				}
				st.output = append(st.output, newline{})
				return
			}
		}
	}
	if some && from == 0 {
		st.output = append(st.output, newline{})
	}
}

// unendLine takes the end of the last line away.
func (st *state) unendLine() {
	for i := len(st.output) - 1; i >= 0; i-- {
		switch p := st.output[i].(type) {
		case newline:
			st.output = st.output[:i]
			return
		case text:
			if strings.TrimSpace(string(p)) != "" {
				return
			}
		default:
			return
		}
	}
}

// isBlank reports whether a piece is white space.
func isBlank(item any) bool {
	switch p := item.(type) {
	case newline:
		return true
	case text:
		return strings.TrimSpace(string(p)) == ""
	}
	return false
}

// joined returns pieces as they are read.
func joined(pieces []any) string {
	var b strings.Builder
	for _, piece := range pieces {
		switch p := piece.(type) {
		case text:
			b.WriteString(string(p))
		case newline:
			b.WriteString("\n")
		}
	}
	return b.String()
}

// lines returns what was printed, line by line.
func (st *state) lines() (lines []string) {
	for line := range strings.SplitSeq(joined(st.output), "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
