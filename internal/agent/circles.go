package agent

import (
	"fmt"
	"slices"

	"hob/internal/tools"
)

// A turn that reaches one of these limits is going in circles, and its calls are refused. Other
// agents settled on the same numbers: a model that makes progress stays below them.
const (
	maxSame    = 3 // the same call in a row; one more is a circle
	maxRounds  = 3 // of A-B-A-B
	maxErrors  = 4 // of one tool in a row
	maxNothing = 6 // results in a row without anything new
	maxAlike   = 8 // calls of one tool in a row with nearly the same arguments and little to show
)

// findCircle says how the turn goes in circles since the person's newest input, or "". It counts
// replies, not calls: calls of one reply were made without knowing each other's results. Tools made
// for polling do not count. Nor do replies whose calls did not fit: those are corrected, and
// counted, elsewhere.
func (t Turn) findCircle() string {
	rs := slices.DeleteFunc(slices.Clone(t.Progress.sinceInput()), func(p callRecord) bool { return p.unfit || t.isPolling(p.tool) })
	n := len(rs)
	if n == 0 {
		return ""
	}
	last := rs[n-1]
	switch {
	case rs.countReplies(func(p callRecord) bool { return p.key == last.key }) > maxSame:
		return fmt.Sprintf("You made the same call of %s %d times", last.tool, maxSame+1)
	case rs.isPingPong():
		return fmt.Sprintf("You made the same two calls of %s and %s again and again", rs[n-2].tool, last.tool)
	case rs.countReplies(func(p callRecord) bool { return p.failed() && p.tool == last.tool }) >= maxErrors:
		return fmt.Sprintf("%s failed %d times in a row", last.tool, maxErrors)
	case rs.countNothingNew() >= maxNothing:
		return fmt.Sprintf("The last %d results said nothing new", maxNothing)
	case rs.countAlike() >= maxAlike:
		return fmt.Sprintf("You called %s %d times with nearly the same arguments", last.tool, maxAlike)
	}
	return ""
}

// failed reports whether the tool failed. A call that did not fit is corrected elsewhere, and a
// denied call is not the tool's fault.
func (p callRecord) failed() bool { return !p.ok && !p.unfit && p.by != byGate }

// countReplies counts the newest replies in a row with a call for which holds is true.
func (rs callRecords) countReplies(holds func(callRecord) bool) int {
	n, reply := 0, -1
	for _, p := range slices.Backward(rs) {
		if !holds(p) {
			break
		}
		if p.ref.Reply != reply {
			n, reply = n+1, p.ref.Reply
		}
	}
	return n
}

// isPingPong reports whether the turn ends with A-B-A-B-A-B.
func (rs callRecords) isPingPong() bool {
	n := len(rs)
	if n < 2*maxRounds || rs[n-1].key == rs[n-2].key {
		return false
	}
	for i := n - 2*maxRounds; i < n-2; i++ {
		p, next := rs[i], rs[i+2]
		if p.key != next.key || p.sum != next.sum && next.by == "" {
			return false
		}
	}
	// Two replies are not enough, because each may have made all of its calls at once.
	return rs[n-1].ref.Reply > rs[n-2*maxRounds].ref.Reply+1
}

// countNothingNew counts the newest replies in a row whose results all came before in this turn.
func (rs callRecords) countNothingNew() int {
	n := 0
	for i := len(rs) - 1; i >= 0 && rs.isStale(i); i-- {
		if i == 0 || rs[i-1].ref.Reply != rs[i].ref.Reply {
			n++
		}
	}
	return n
}

// isStale reports whether a result came before. The first successful change is never stale,
// whatever its text.
func (rs callRecords) isStale(i int) bool {
	p := rs[i]
	if p.by == byCache || p.by == byGuard {
		return true
	}
	if p.ok && p.acted && !slices.ContainsFunc(rs[:i], func(q callRecord) bool { return q.key == p.key }) {
		return false
	}
	return slices.ContainsFunc(rs[:i], func(q callRecord) bool {
		return q.tool == p.tool && q.sum == p.sum && q.ref.Reply != p.ref.Reply
	})
}

// countAlike counts the newest replies in a row that called one tool with arguments that differ by
// less than a tenth. Paging through a file does that, too, so it counts only if half of the results
// were errors or stale.
func (rs callRecords) countAlike() int {
	calls, vain, next := 0, 0, ""
	replies := rs.countReplies(func(p callRecord) bool {
		i := len(rs) - 1 - calls
		if p.tool != rs[len(rs)-1].tool || next != "" && !isSimilar(p.key, next) {
			return false
		}
		calls, next = calls+1, p.key
		if !p.ok || rs.isStale(i) {
			vain++
		}
		return true
	})
	if vain*2 < calls {
		return 0
	}
	return replies
}

// isSimilar reports whether the common prefix and suffix of two texts make nine tenths of the
// longer one.
func isSimilar(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	head := 0
	for head < len(a) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return (head+tail)*10 >= len(b)*9
}

// isPolling reports whether the tool is made to be called again and again.
func (t Turn) isPolling(name string) bool {
	tool := t.tool(name)
	return tool != nil && tools.DefOf(tool).Capabilities.Has(tools.Polls)
}
