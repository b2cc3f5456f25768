package parser

import "slices"

// The shortest of two Chinese commands without a mark between them, in characters.
const leastSerial = 2

// The longest rest of Chinese words that is split once more, in characters.
const mostSerial = 20

// serialJoints returns the parts of Chinese words with several verbs and no mark between them: 打开桶看看 is "open the barrel"
// and "look". It returns nil if there is only one part.
func (r *reader) serialJoints() (list []span) {
	found := false
	r.serial = map[span]bool{}
	for _, p := range r.joints() {
		if n := len(list); n > 0 && p.from > list[n-1].to { // 和 may mean "with": 回酒堂和老板娘聊聊
			whole := span{list[n-1].from, p.to}
			if at := r.serialJoint(whole, n > 1); at > 0 && at == list[n-1].to {
				found, p = true, span{at, p.to}
			}
		}
		for at := r.serialJoint(p, len(list) > 0); at > 0; at = r.serialJoint(p, len(list) > 0) {
			found, list, p = true, append(list, span{p.from, at}), span{at, p.to}
		}
		list = append(list, p)
	}
	if !found {
		return nil
	}
	return list
}

// serialJoint returns where the second of several commands begins, 0 for nowhere. A first command that cannot be done
// counts if the second one can be done. Behind another command, a first one may become possible.
func (r *reader) serialJoint(p span, later bool) int {
	list := r.input.tokens[p.from:p.to]
	if !isHan(list[0].text) || len(list) > mostTokens/2 || r.input.question {
		return 0
	}
	if whole := *r; later {
		whole.verbless = false
		if m, ok := whole.readVerb(list); ok && (m.Problem == "" || whole.guess == sound) {
			return 0
		}
	}
	for n := leastSerial; n+leastSerial <= len(list); n++ {
		first, second := *r, *r
		first.verbless, second.verbless = false, false
		head, ok := first.readVerb(list[:n])
		if !ok || len(head.Calls) == 0 && head.Problem == "" {
			continue
		}
		tail, ok := second.readVerb(list[n:])
		goesOn := later || len(head.Calls) > 0 || head.Done
		if rest := (span{p.from + n, p.to}); !ok && goesOn && rest.to-rest.from <= mostSerial {
			ok = r.isSerial(rest)
		}
		if refused := first.guess == sound && second.guess != wild; ok && tail.Pick == 0 && (goesOn || tail.Problem == "" || refused) {
			return p.from + n
		}
	}
	return 0
}

// isSerial reports whether words behind a command are several commands. It remembers its answers: the same words come up
// often.
func (r *reader) isSerial(p span) bool {
	is, known := r.serial[p]
	if !known {
		is = r.serialJoint(p, true) > 0
		r.serial[p] = is
	}
	return is
}

// isGlance reports whether the input is only "look" behind a command about a thing: then that thing is looked at.
func (r *reader) isGlance() bool {
	return r.last != nil && r.last.thing != nil && slices.ContainsFunc(r.langs, func(t table) bool { return t.is("glance", r.input.tokens) })
}
