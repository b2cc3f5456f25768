package toolcall

import (
	"slices"
	"strings"
)

// mostRelayed is how often a call of the relay may be about a call of the relay. Who writes more of them wastes time.
const mostRelayed = 3

// relayed returns the call that a call of the relay is about. Models give the arguments of the other tool under a name, in a
// string, or beside its name.
func (o *Offer) relayed(f found, relay *offered, depth int) (inner found, ok bool) {
	m := mender{tool: relay, end: endOf(f, relay, false)}
	v, bad := m.unwrap(f.args)
	if bad != nil || v.kind != '{' {
		return f, false
	}
	name, args := v.call([]string{"name", "tool", "tool_name"}, nil)
	if strings.TrimSpace(name) == "" {
		return f, false
	}
	inner = f
	inner.name, inner.args = name, args.String()
	if args.kind == '"' {
		inner.args = args.text()
	}
	inner.repairs = append(slices.Clone(f.repairs), m.repairs...)
	if inner.name == o.relay && depth < mostRelayed {
		return o.relayed(inner, relay, depth+1)
	}
	inner.repairs = append(inner.repairs, "it was called through "+o.relay)
	return inner, true
}
