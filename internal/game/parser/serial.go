package parser

import "slices"

// The shortest command in Chinese, in characters, as one of two without a mark between them.
const leastSerial = 2

// serialJoints returns the parts of Chinese words with verbs in a row, as 打开桶看看 is: open the barrel, look. Each part is a
// command by itself. Nil: there are none.
func (r *reader) serialJoints() (list []span) {
	found := false
	for _, p := range r.joints() {
		at := r.serialJoint(p)
		if at == 0 {
			list = append(list, p)
			continue
		}
		found, list = true, append(list, span{p.from, at}, span{at, p.to})
	}
	if !found {
		return nil
	}
	return list
}

// serialJoint returns where the second of two commands begins, 0 for nowhere. A beginning that cannot be done counts before
// something that can.
func (r *reader) serialJoint(p span) int {
	list := r.input.tokens[p.from:p.to]
	if !isHan(list[0].text) || len(list) > mostTokens/2 || r.input.question {
		return 0
	}
	for n := leastSerial; n+leastSerial <= len(list); n++ {
		first, second := *r, *r
		first.verbless, second.verbless = false, false
		tail, ok := second.readVerb(list[n:])
		if !ok || tail.Pick > 0 {
			continue
		}
		head, ok := first.readVerb(list[:n])
		if ok && (len(head.Calls) > 0 || head.Problem != "" && tail.Problem == "") {
			return p.from + n
		}
	}
	return 0
}

// isGlance reports whether the input only looks, behind a command about a thing: it is that which is looked at.
func (r *reader) isGlance() bool {
	return r.last != nil && r.last.thing != nil && slices.ContainsFunc(r.langs, func(t table) bool { return t.is("glance", r.input.tokens) })
}
