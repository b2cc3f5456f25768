package toolcall

import "strings"

// salvage returns the calls in what a server could not parse, if that is all there is and nothing is wrong with them. Behind
// calls of tools that only look there may be half a one.
func (o *Offer) salvage(raw string) []Call {
	said, _ := withoutThoughts(raw)
	s := newScan(o)
	s.grow(said, true)
	s.run()
	all := s.candidates
	if len(all) == 0 {
		s.trusting = true
		if b := s.calls(s.space(0), 0); b.ok && trim(s.src[b.end:]) == "" {
			all = []candidate{{calls: b.calls, end: len(s.src)}}
		}
	}
	var calls []Call
	for i, c := range all {
		rest := ""
		if i == len(all)-1 {
			rest = trim(s.src[c.end:])
		}
		half := strings.HasPrefix(rest, "{") // a call that cannot be read: what came before it was written whole
		if c.broken != "" || !half && !sentence(rest) {
			return nil
		}
		for _, f := range c.calls {
			f.form = "read from what the server could not parse"
			call := o.mend(f, false)
			if tool := o.named(call.Name); !call.Valid() || !f.whole || f.missing != "" || half && tool.careful {
				return nil
			}
			calls = append(calls, call)
		}
	}
	return calls
}
