package folder

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"hob/internal/lazyregexp"
)

// field is a key of the frontmatter with its value.
type field struct {
	key   string
	line  int // in the file
	value *yaml.Node
}

// parse takes a SKILL.md apart: the fields of its frontmatter, and the body with the line that it begins at.
func (r *reading) parse(raw string) (fields []field, body string, first int, ok bool) {
	text := strings.ReplaceAll(strings.TrimPrefix(raw, "\ufeff"), "\r\n", "\n")
	if i := strings.IndexByte(text, 0); i >= 0 {
		r.fail(lineOf(text, i), "there is a NUL byte, so this is no text: save the file as UTF-8")
		return nil, "", 0, false
	}
	if i := invalidUTF8(text); i >= 0 {
		r.fail(lineOf(text, i), "there are bytes that are no UTF-8: save the file as UTF-8")
		return nil, "", 0, false
	}
	lines := strings.Split(text, "\n")
	end := 1
	for end < len(lines) && !isMark(lines[end]) {
		end++
	}
	switch {
	case strings.TrimSpace(text) == "":
		r.fail(0, "the file is empty: it needs name and description between two lines ---, and below them the instructions")
	case !isMark(lines[0]) && strings.HasPrefix(strings.TrimSpace(text), "---\n"):
		r.fail(1, "the first line must be ---: remove what stands before it")
	case !isMark(lines[0]):
		r.fail(1, "the first line must be ---: put a line ---, then name: %s, then description: and what it is for, "+
			"then another line --- above the instructions", suggest(r.name))
	case end == len(lines):
		r.fail(1, "the frontmatter has no end: put a line --- between the description and the instructions")
	case len(strings.Join(lines[1:end], "\n")) > maxFront:
		r.fail(1, "there are more than %d KiB between the two lines ---: move what is not name, description or metadata below them", maxFront>>10)
	default:
		fields, ok = r.parseFields(lines[1:end])
		return fields, strings.Join(lines[end+1:], "\n"), end + 2, ok
	}
	return nil, "", 0, false
}

func isMark(line string) bool { return strings.TrimRight(line, " \t") == "---" }

func lineOf(text string, i int) int { return 1 + strings.Count(text[:i], "\n") }

func invalidUTF8(text string) int {
	for i, c := range text {
		if c == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// parseFields reads the lines between the marks, the first of which is line 2 of the file.
func (r *reading) parseFields(lines []string) ([]field, bool) {
	top, err := parseYAML(strings.Join(lines, "\n"))
	if err != nil && err != io.EOF {
		quoted, changed := quoteLines(lines)
		again, stillBad := parseYAML(strings.Join(quoted, "\n"))
		if len(changed) == 0 || stillBad != nil {
			r.failYAML(lines, changed, err)
			return nil, false
		}
		for _, i := range changed {
			r.warn(i+2, "a character in this value means something to YAML, and hob took it for text; write it in quotes: %s", printable(strings.TrimSpace(quoted[i])))
		}
		top = again
	}
	if top == nil || top.Kind == yaml.ScalarNode && top.Tag == "!!null" {
		r.fail(1, "there is nothing between the two lines ---: put name: and description: there")
		return nil, false
	}
	if top.Kind != yaml.MappingNode {
		r.fail(top.Line+1, "this is not written as key: value: put name: and description: on lines of their own, with a blank after the colon")
		return nil, false
	}
	if line := findAlias(top); line > 0 {
		r.fail(line+1, "a value that begins with * refers to another one in YAML, which is not allowed here: put it in quotes or write it out")
		return nil, false
	}
	return r.pairs(top), true
}

// pairs returns the pairs of a mapping. A key that stands there twice is an error: nobody knows which value is meant.
func (r *reading) pairs(m *yaml.Node) []field {
	var all []field
	seen := map[string]int{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, line := m.Content[i].Value, m.Content[i].Line+1
		if m.Content[i].Kind != yaml.ScalarNode {
			r.fail(line, "this key is no word: write it as key: value")
			continue
		}
		if before := seen[key]; before > 0 {
			r.fail(line, "%s stands here a second time, after line %d: remove one of the two", quoteName(key), before)
			continue
		}
		seen[key] = line
		all = append(all, field{key, line, m.Content[i+1]})
	}
	return all
}

// failYAML says where the lines are no YAML. Where one line is wrong by itself, that is the one; the parser may name the next.
func (r *reading) failYAML(lines []string, changed []int, err error) {
	for i, line := range lines {
		if indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]; strings.Contains(indent, "\t") {
			r.fail(i+2, "YAML takes no tab at the beginning of a line: put blanks in its place")
			return
		}
	}
	line, reason := yamlReason(err)
	if len(changed) > 0 {
		line = changed[0] + 1
	}
	r.fail(min(line, len(lines))+1, "this is not valid YAML (%s): write each line as key: value, and put a value with characters such as : # [ { in 'quotes'", reason)
}

// yamlReason takes the line and the reason out of an error of the parser, which tells them in its text alone.
func yamlReason(err error) (line int, reason string) {
	reason = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, is := strings.CutPrefix(reason, "line "); is {
		if number, after, found := strings.Cut(rest, ": "); found {
			if n, err := strconv.Atoi(number); err == nil {
				return n, after
			}
		}
	}
	return 0, reason
}

// parseYAML returns the one value of a text, io.EOF where it has none. Aliases stay what they are: nothing is expanded.
func parseYAML(text string) (top *yaml.Node, err error) {
	defer func() {
		// The parser gives up with a panic on what it did not foresee, and nobody mends it any more.
		if r := recover(); r != nil {
			top, err = nil, fmt.Errorf("yaml: %v", r)
		}
	}()
	d := yaml.NewDecoder(strings.NewReader(text))
	var doc, more yaml.Node
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	if err := d.Decode(&more); err == nil {
		return nil, errors.New("yaml: line " + strconv.Itoa(max(1, more.Line)) + ": there is more than one document")
	} else if err != io.EOF {
		return nil, err
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, io.EOF
	}
	return doc.Content[0], nil
}

// findAlias returns the line of the first alias in n, 0 where there is none.
func findAlias(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode {
		return max(n.Line, 1)
	}
	for _, c := range n.Content {
		if line := findAlias(c); line > 0 {
			return line
		}
	}
	return 0
}

// pair is a line with a key and a value.
var pair = lazyregexp.New(`^( *[A-Za-z][A-Za-z0-9_-]*: +)(\S.*)$`)

// quoteLines puts the values in quotes that are wrong by themselves, such as "Use when: it rains", and says which lines these
// are. Lines of a block ("|" or ">") are text already.
func quoteLines(lines []string) (quoted []string, changed []int) {
	block := -1 // the indentation of the key whose block this is
	for i, line := range lines {
		quoted = append(quoted, line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if block >= 0 && (strings.TrimSpace(line) == "" || indent > block) {
			continue
		}
		block = -1
		m := pair().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value := strings.TrimRight(m[2], " \t")
		if value[0] == '|' || value[0] == '>' {
			block = indent
			continue
		}
		if top, err := parseYAML(strings.TrimSpace(line)); err == nil && findAlias(top) == 0 {
			continue
		}
		if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		quoted[i] = m[1] + "'" + strings.ReplaceAll(value, "'", "''") + "'"
		changed = append(changed, i)
	}
	return quoted, changed
}
