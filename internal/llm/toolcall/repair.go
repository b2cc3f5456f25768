package toolcall

import (
	"strings"

	"hob/internal/schema"
)

// end is what is known of the end of arguments.
type end int

const (
	endCut     end = iota // they may have been cut off: nothing is added
	endLost               // the model came to an end, they did not: only what is missing behind a complete value is added
	endWritten            // what is missing at the end was forgotten
)

// read reads arguments: strictly; else from their first bracket to the one that closes it, with what is wrong in between
// mended. Arguments that were cut off are never mended, because then they would look complete.
func (m *mender) read(text string) (*value, *schema.Problem) {
	text = strings.TrimSpace(text)
	if text == "" {
		return &value{kind: '{'}, nil
	}
	if v, ok := parse(text); ok {
		return v, nil
	}
	if len(text) > largest {
		return nil, m.unreadable(text)
	}
	if text[0] == '<' {
		s := newScan(&Offer{})
		s.grow(text, true)
		if v, _, closed := s.elements(0); closed || m.end == endWritten {
			return v, nil
		}
		return nil, &schema.Problem{Kind: schema.Format, Text: cutOff}
	}
	r := lenient{src: text, names: m.names(), lax: m.lax}
	v, cut := r.repair(m.end)
	switch {
	case v == nil && cut:
		return nil, &schema.Problem{Kind: schema.Format, Text: cutOff}
	case v == nil:
		return nil, m.unreadable(text)
	}
	m.repairs = append(m.repairs, r.did...)
	m.doubts(r.doubt)
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

// repair reads the first object in a text although it is not quite JSON. e says which brackets that are missing at the end may
// be added. cut reports that there is no object because the text ends before it does.
func (r *lenient) repair(e end) (v *value, cut bool) {
	text := r.src
	start := 0
	if text[0] != '(' {
		start = strings.IndexByte(text, '{')
	}
	if start < 0 {
		return nil, false
	}
	r.at, r.begin = start, text[start]
	v, ok := r.value(0)
	switch {
	case r.torn:
		return nil, true
	case !ok:
		return nil, r.at >= len(text) && e != endWritten && !r.lost
	case r.open > 0 && (e == endCut || e == endLost && !r.sound):
		return nil, true
	case r.open > 0:
		r.note(noBrackets)
	case r.doubt != "" && e != endWritten:
		return nil, false
	}
	around, ok := litter(text[:start], r.rest())
	if !ok || r.open > 0 && start > 0 {
		return nil, false
	}
	r.did = append(r.did, around...)
	return v, false
}

// plainly reads a text inside of the arguments that is nearly JSON. Nothing is guessed and nothing is added.
func plainly(text string) (*value, bool) {
	r := lenient{src: strings.TrimSpace(text), plain: true}
	v, ok := r.value(0)
	if !ok || r.at < len(r.src) || r.open > 0 || r.doubt != "" {
		return nil, false
	}
	return parse(v.String())
}

// litter checks the text around an object. A stray bracket, a fence or a sentence may stand there, but no more JSON: nobody
// knows which of two objects is meant.
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
