package toolcall

import (
	"slices"
	"strings"

	"hob/internal/schema"
)

// mostBare is how many bytes of JSON, its texts not counted, have their structure mended: in more than this nobody knows
// what a bracket that is missing does to the rest.
const mostBare = 16 << 10

// read reads arguments: strictly; else from their first brace to the one that closes it, with what is wrong in between
// mended. Arguments that were cut off are never mended, because then they would look complete.
func (m *mender) read(text string) (*value, *schema.Problem) {
	if strings.TrimSpace(text) == "" {
		return &value{kind: '{'}, nil
	}
	if v, ok := parse(text); ok {
		return v, nil
	}
	if len(text) > largest {
		return nil, m.unreadable(text)
	}
	v, did, cut := repair(text, m.end)
	if v == nil && cut {
		return nil, &schema.Problem{Kind: schema.Format, Text: cutOff}
	}
	if v == nil {
		return nil, m.unreadable(text)
	}
	if len(did) == 0 { // around it: those between its parts are told of
		did = []string{otherBlanks}
	}
	m.repairs = append(m.repairs, did...)
	return v, nil
}

// unreadable says what is wrong with arguments that are no JSON, and shows how they begin.
func (m *mender) unreadable(text string) *schema.Problem {
	said := "the arguments are not JSON"
	if _, problems, err := m.tool.schema.Check([]byte(text)); err == nil && len(problems) > 0 {
		said = problems[0].Text
	}
	return &schema.Problem{Kind: schema.Format, Text: said + ", in " + schema.Shorten(strings.ToValidUTF8(text, "\uFFFD"))}
}

// end is what is known of the end of arguments.
type end int

const (
	endCut     end = iota // they may have been cut off: nothing is added
	endLost               // the model came to an end, they did not: only what is missing behind a complete value is added
	endWritten            // what is missing at the end was forgotten
)

// otherBlanks says that there were blanks that JSON does not know.
const otherBlanks = "its JSON had blanks of another sort"

// noBrackets says that the arguments had no end.
const noBrackets = "its closing brackets were missing"

// repair reads the first object in text although it is not quite JSON, and says what it mended. e says which brackets that
// are missing at the end may be added. cut reports that there is no object because the text ends before it does.
func repair(text string, e end) (v *value, did []string, cut bool) {
	closed := e == endWritten
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return nil, nil, !closed && strings.TrimSpace(text) == ""
	}
	first := tidy(text[start:], false)
	may := closed || e == endLost && first.sound()
	if v, did := first.read(text[:start], may); v != nil {
		return v, did, false
	}
	if v, did := first.restructured(text[:start], may); v != nil {
		return v, did, false
	}
	if closed { // whoever was cut off may have been cut off within what is now guessed
		if v, did := tidy(text[start:], true).read(text[:start], false); v != nil {
			return v, did, false
		}
	}
	return nil, nil, first.end == 0 && (!closed || first.open)
}

// plainly reads a text inside of the arguments that is nearly JSON. Nothing is guessed and nothing is added.
func plainly(text string) (*value, bool) {
	s := tidy(strings.TrimSpace(text), false)
	if s.end == 0 || s.end < len(s.in) {
		return nil, false
	}
	return parse(string(s.out))
}

// read parses what was scanned, if nothing but litter stands before and after it.
func (s *tidier) read(before string, closed bool) (*value, []string) {
	did := s.did
	out := string(s.out)
	switch {
	case s.end > 0:
		after, ok := litter(before, s.in[s.end:])
		if !ok {
			return nil, nil
		}
		did = append(did, after...)
	case closed && !s.open && len(s.stack) > 0:
		out += closers(s.stack)
		did = append(did, noBrackets)
		if lead, ok := litter(before, ""); !ok || len(lead) > 0 {
			return nil, nil
		}
	default:
		return nil, nil
	}
	v, ok := parse(out)
	if !ok {
		return nil, nil
	}
	return v, did
}

// sound reports whether what was read ends with a value that is complete: a text with its quote, an object, a list.
func (s *tidier) sound() bool {
	last := strings.TrimRight(s.in[:s.at], " \t\r\n")
	return s.expect == expectNext && s.comma < 0 && !s.open && (s.text || strings.HasSuffix(last, "}") || strings.HasSuffix(last, "]"))
}

// closers returns the brackets that close those of stack.
func closers(stack []byte) string {
	out := make([]byte, 0, len(stack))
	for _, open := range slices.Backward(stack) {
		out = append(out, closing(open))
	}
	return string(out)
}

func closing(open byte) byte {
	if open == '[' {
		return ']'
	}
	return '}'
}

// litter judges what stands around an object. It may be a stray bracket, a fence or a sentence; it may not be more JSON,
// because nobody knows which of two objects is meant.
func litter(before, after string) (did []string, ok bool) {
	before, after = strings.TrimSpace(before), strings.TrimSpace(after)
	if before == `"` && after == `"` {
		return []string{"its arguments were in quotes"}, true
	}
	if strings.ContainsAny(before, `"'`) || strings.ContainsAny(after, "{\"") {
		return nil, false
	}
	if before != "" {
		did = append(did, "before its JSON stood "+schema.Shorten(before))
	}
	if after != "" {
		did = append(did, "after its JSON stood "+schema.Shorten(after))
	}
	return did, true
}

// restructured has the structure mended. Texts are set aside for that, and put back afterwards as they were, so that nothing
// in them is taken for structure.
func (s *tidier) restructured(before string, closed bool) (*value, []string) {
	if s.hopeless || s.open || len(s.bare) > mostBare || !closed && (s.end == 0 || s.crossed) {
		return nil, nil
	}
	did := s.did
	if s.end > 0 {
		around, ok := litter(before, s.in[s.end:])
		if !ok {
			return nil, nil
		}
		did = append(did, around...)
	} else {
		did = append(did, noBrackets)
	}
	built, ok := restructure(string(s.bare))
	if !ok {
		return nil, nil
	}
	v, ok := parse(built)
	if !ok || v.kind != '{' {
		return nil, nil
	}
	s.restore(v)
	return v, append(did, "its JSON was mended")
}
