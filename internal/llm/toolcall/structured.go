package toolcall

import (
	"slices"
	"strings"
)

// structured reads a reply in [llm.SchemaMode]: {"thought":"...","tool":"read_file","arguments":{...}}, or tool "answer"
// with an answer in words. ok is false for what is not such an object. A call whose object was cut off is found, but is
// not whole.
func (o *Offer) structured(text string) (calls []found, answer string, ok bool) {
	v, did, whole := structure(text)
	if v == nil {
		return nil, "", false
	}
	keys := []string{"tool", "name", "function", "tool_name", "action"}
	name, args := v.call(keys, append(keys, "thought", "thinking", "answer"))
	said := ""
	if a := v.get("answer"); a != nil && a.kind != 'n' {
		said = a.text()
		if !a.scalar() {
			said = a.String()
		}
	}
	if name == "" && said == "" {
		return nil, "", false
	}
	if strings.EqualFold(name, o.AnswerWord()) && said == "" && len(args.members) == 1 && args.members[0].value.kind == '"' {
		said = args.members[0].value.text() // the answer as an argument
	}
	if name == "" || strings.EqualFold(name, o.AnswerWord()) || said != "" && o.resolve(name) == nil {
		return nil, said, true
	}
	raw := args.String()
	if !whole {
		raw = strings.TrimSuffix(raw, "}") + `,"x` // the brace was added to read the name; the arguments have no end
	}
	return []found{{name: name, args: raw, repairs: did, whole: whole}}, "", true
}

// structure reads one object, and says whether its end was written.
func structure(text string) (v *value, did []string, whole bool) {
	text = strings.TrimSpace(text)
	if v, ok := parse(text); ok {
		if v.kind != '{' {
			return nil, nil, false
		}
		return v, nil, true
	}
	if len(text) > largest || text == "" {
		return nil, nil, false
	}
	r := lenient{src: text}
	if v, _ := r.repair(endCut); v != nil {
		return v, r.did, true
	}
	for _, tail := range []string{"", `"`} { // only to see which tool was meant: nothing runs that is not whole
		r := lenient{src: text + tail}
		if v, _ := r.repair(endWritten); v != nil {
			return v, nil, false
		}
	}
	return nil, nil, false
}

// call returns the name of a tool in an object, which stands under one of names, and its arguments: what stands under a name of
// theirs, or else all but what stands under others.
func (v *value) call(names, others []string) (name string, args *value) {
	flat := &value{kind: '{'}
	for _, m := range v.members {
		switch {
		case name == "" && m.value.kind == '"' && slices.Contains(names, m.key):
			name = m.value.text()
		case args == nil && slices.Contains(wrappers(), m.key):
			args = m.value
		case !slices.Contains(others, m.key):
			flat.members = append(flat.members, m)
		}
	}
	if args == nil {
		args = flat
	}
	return name, args
}
