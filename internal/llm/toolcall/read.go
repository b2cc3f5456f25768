package toolcall

import (
	"errors"
	"slices"
	"strings"

	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

// Read classifies a reply, and returns its text and its calls.
func (o *Offer) Read(w Wire) Reading {
	said, thought := withoutThoughts(w.Message.Text)
	r := Reading{Thinking: join(strings.TrimSpace(w.Message.Thinking), thought)}
	if w.Loose && w.Truncated && thought == "" && len(w.Message.Calls) == 0 {
		said, r.Thinking = "", join(r.Thinking, strings.TrimSpace(said)) // it had not come to the end of its thoughts
	}
	s := o.scanned(said)
	p := o.promote(s, w)
	r.Text = trim(s.src[:p.cut])
	r.Thinking = join(r.Thinking, p.thought)
	if answer, ok := o.answer(s); ok && w.Err == nil && len(w.Message.Calls) == 0 {
		r.Text = join(r.Text, answer)
		return o.classify(r, promotion{}, w)
	}
	switch {
	case w.Err != nil:
		return o.failure(r, w)
	case w.Mode == llm.SchemaMode && len(w.Message.Calls) == 0:
		if read, ok := o.readSchema(r, said, w); ok {
			return read
		}
		if holdsObject().MatchString(said) {
			p = promotion{broken: noWords, half: w.Truncated}
			r.Text, r.Raw = "", w.Message.Text
			return o.classify(r, p, w)
		}
	}
	if slices.ContainsFunc(w.Message.Calls, func(c llm.Call) bool { return !nameless(c) }) {
		p = promotion{}
		r.Calls, p.half = o.sent(w)
	} else if len(o.tools) > 0 {
		r.Calls = p.calls
		if r.Text == "" && !p.any {
			p = o.thoughtCalls(&r, w)
		}
		if p.any {
			r.Raw = w.Message.Text
		}
	}
	return o.classify(r, p, w)
}

// answer returns the words of a reply whose only call is of the tool that frameworks name for an answer.
func (o *Offer) answer(s *scan) (words string, ok bool) {
	if len(s.candidates) != 1 || len(s.candidates[0].calls) != 1 {
		return "", false
	}
	f := s.candidates[0].calls[0]
	if letters(f.name) != "finalanswer" || o.resolve(f.name) != nil || !f.whole {
		return "", false
	}
	r := lenient{src: f.args}
	v, ok := r.value(0)
	if ok && len(v.members) == 1 {
		v = v.members[0].value
	}
	if !ok || v.kind != '"' {
		return "", false
	}
	return trim(v.text()), true
}

// cutCall is why a call was lost with the end of a reply.
const cutCall = "the call was cut off in the middle, at the limit of tokens: write less in one call"

// classify gives a reading of a complete reply its class.
func (o *Offer) classify(r Reading, p promotion, w Wire) Reading {
	switch {
	case len(r.Calls) > 0:
		if r.Class, r.Reason = Calls, p.broken; !valid(r.Calls) || p.broken != "" {
			r.Class = Malformed
		}
		if p.half && w.Truncated {
			r.Reason = cutCall
		}
	case w.Truncated && (p.half || p.broken != ""):
		r.Class, r.Reason = Truncated, cutCall
	case len(o.tools) == 0 && p.any && r.Text == "":
		r.Class, r.Reason, r.Raw = Malformed, "there are no tools to call", w.Message.Text
	case p.broken != "" && len(o.tools) > 0 && !(p.stray && r.Text != ""):
		r.Class, r.Reason = Malformed, p.broken
	case len(w.Message.Calls) > 0:
		r.Class, r.Reason, r.Raw = Malformed, "the call named no tool", w.Message.Text
	case r.Text == "" && r.Thinking != "":
		r.Class = Thinking
	case w.Truncated:
		r.Class, r.Reason = Truncated, "the reply was cut off at the limit of tokens"
	case r.Text == "":
		r.Class = Empty
	default:
		r.Class = Text
	}
	return r
}

// nameless reports whether a call says nothing at all.
func nameless(c llm.Call) bool {
	args := strings.TrimSpace(string(c.Args))
	return strings.TrimSpace(c.Name) == "" && (args == "" || args == "null" || args == "{}" || args == `""`)
}

// sent mends the calls that the server read. The last one of a reply that was cut off may be half of what was meant: one
// of a careful tool is left out.
func (o *Offer) sent(w Wire) (calls []Call, half bool) {
	for i, c := range w.Message.Calls {
		if nameless(c) {
			continue
		}
		cut := w.Truncated && i == len(w.Message.Calls)-1
		if tool := o.resolve(c.Name); cut && tool != nil && tool.careful {
			return calls, true
		}
		f := found{id: c.ID, name: c.Name, args: strings.TrimSpace(string(c.Args)), repairs: c.Repairs, whole: !cut}
		if f.args == "null" || f.args == `""` {
			f.args = ""
		}
		calls = append(calls, o.mend(f, cut))
	}
	return calls, false
}

// thoughtCalls takes the marked calls at the end of what a model thought and said nothing after.
func (o *Offer) thoughtCalls(r *Reading, w Wire) promotion {
	s := o.scanned(r.Thinking)
	end, first := len(s.src), len(s.candidates)
	for first > 0 {
		c := s.candidates[first-1]
		if c.sure != marked || len(c.calls) == 0 || trim(s.src[min(c.end, end):end]) != "" {
			break
		}
		first, end = first-1, c.start
	}
	s.candidates = s.candidates[first:]
	if len(s.candidates) == 0 {
		return promotion{}
	}
	p := o.promote(s, w)
	if len(p.calls) == 0 {
		return promotion{half: p.half}
	}
	r.Calls, r.Thinking, r.Raw = p.calls, trim(s.src[:p.cut]), r.Thinking
	return promotion{broken: p.broken}
}

// readSchema reads the reply of a model that could write nothing but an object with a tool and its arguments, or with an
// answer.
func (o *Offer) readSchema(r Reading, said string, w Wire) (Reading, bool) {
	calls, answer, ok := o.structured(said)
	if !ok {
		return r, false
	}
	r.Text, r.Raw = trim(answer), w.Message.Text
	p := promotion{}
	for _, f := range calls {
		if w.Truncated && !f.whole {
			p.half = true
			continue
		}
		r.Calls = append(r.Calls, o.mend(f, false))
	}
	if len(r.Calls) == 0 && r.Text == "" && !p.half {
		p.broken = noWords
	}
	return o.classify(r, p, w), true
}

// noWords is why a reply that is an object comes to nothing.
const noWords = "the reply is neither a call nor an answer"

// holdsObject is a reply that is JSON, or was to be.
var holdsObject = lazyregexp.New("^\\s*(?:```.*\n\\s*)?[{\\[]")

// failure classifies a request that got no complete reply.
func (o *Offer) failure(r Reading, w Wire) Reading {
	r.Class, r.Reason = Failed, w.Err.Error()
	var e *llm.Error
	if !errors.As(w.Err, &e) {
		return r
	}
	switch {
	case e.Kind == llm.Incomplete:
		r.Class = Incomplete
	case e.Kind == llm.ContextExceeded:
		r.Class = Context
	case e.Kind == llm.Malformed:
		r.Class, r.Raw = Malformed, e.Raw
		if e.Err != nil {
			r.Reason = "the server could not parse its call: " + e.Err.Error() // Error() speaks to a person
		}
		if calls := o.salvage(e.Raw); len(calls) > 0 {
			r.Class, r.Reason, r.Calls = Calls, "", calls
		}
	case e.Retry:
		r.Class = Transport
	}
	return r
}

// salvage returns the calls in what a server could not parse, if that is all there is and nothing is wrong with them. Half a
// call may follow calls of tools that only look.
func (o *Offer) salvage(raw string) []Call {
	said, _ := withoutThoughts(raw)
	s := o.scanned(said)
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

// join puts a line between two texts.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
