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
	name, said := "", ""
	for _, key := range []string{"tool", "name", "function", "tool_name", "action"} {
		if t := v.get(key); t != nil && t.kind == '"' {
			name = t.text()
			break
		}
	}
	if a := v.get("answer"); a != nil && a.kind != 'n' {
		said = a.text()
		if !a.scalar() {
			said = a.String()
		}
	}
	if name == "" && said == "" {
		return nil, "", false
	}
	args := arguments(v)
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
	for _, e := range []end{endCut, endWritten} { // the second only to see which tool was meant: nothing runs that is not whole
		for _, tail := range []string{"", `"`} {
			r := lenient{src: text + tail}
			if v, _ := r.repair(e); v != nil {
				if e == endCut {
					return v, r.did, true
				}
				return v, nil, false
			}
			if e == endCut {
				break
			}
		}
	}
	return nil, nil, false
}

// arguments returns those of a structured reply: what stands under their name, or all that has no meaning of its own.
func arguments(v *value) *value {
	for _, key := range wrappers() {
		if args := v.get(key); args != nil {
			return args
		}
	}
	flat := &value{kind: '{'}
	for _, m := range v.members {
		if !slices.Contains([]string{"thought", "thinking", "tool", "name", "function", "tool_name", "action", "answer"}, m.key) {
			flat.members = append(flat.members, m)
		}
	}
	return flat
}
