package agent

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
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

// findCircle says how the turn goes in circles, or "". Tools made for polling do not count. Nor do
// replies whose calls did not fit: those are corrected, and counted, elsewhere.
func (t Turn) findCircle() string {
	return t.Progress.sinceInput().withoutPolls(t.isPolling).findCircle()
}

// findCircle says how the calls go in circles, or "". It counts replies, not calls: calls of one
// reply were made without knowing each other's results.
func (s Progress) findCircle() string {
	n := len(s.answered)
	if n == 0 {
		return ""
	}
	last := s.answered[n-1]
	switch {
	case s.countInARow(func(p callRecord) bool { return p.key == last.key }) > maxSame:
		return fmt.Sprintf("You made the same call of %s %d times", last.tool, maxSame+1)
	case s.pingPong():
		return fmt.Sprintf("You made the same two calls of %s and %s again and again", s.answered[n-2].tool, last.tool)
	case s.countInARow(func(p callRecord) bool { return p.failed() && p.tool == last.tool }) >= maxErrors:
		return fmt.Sprintf("%s failed %d times in a row", last.tool, maxErrors)
	case s.countNothingNew() >= maxNothing:
		return fmt.Sprintf("The last %d results said nothing new", maxNothing)
	case s.countAlike() >= maxAlike:
		return fmt.Sprintf("You called %s %d times with nearly the same arguments", last.tool, maxAlike)
	}
	return ""
}

// withoutPolls leaves out the calls of polling tools, and calls that count as unusable replies.
func (s Progress) withoutPolls(polls func(tool string) bool) Progress {
	s.answered = slices.DeleteFunc(slices.Clone(s.answered), func(p callRecord) bool { return p.unfit || polls(p.tool) })
	return s
}

// failed reports whether the tool failed. A call that did not fit is corrected elsewhere, and a
// denied call is not the tool's fault.
func (p callRecord) failed() bool { return !p.ok && !p.unfit && p.by != byGate }

// countInARow counts the newest replies in a row with a call for which holds is true.
func (s Progress) countInARow(holds func(callRecord) bool) int {
	n, reply := 0, -1
	for _, p := range slices.Backward(s.answered) {
		if !holds(p) {
			break
		}
		if p.ref.Reply != reply {
			n, reply = n+1, p.ref.Reply
		}
	}
	return n
}

// countSame counts how often the call with this key was just made in a row.
func (s Progress) countSame(key string) int {
	n := 0
	for i := len(s.answered) - 1; i >= 0 && s.answered[i].key == key; i-- {
		n++
	}
	return n
}

// pingPong reports whether the turn ends with A-B-A-B-A-B.
func (s Progress) pingPong() bool {
	n := len(s.answered)
	if n < 2*maxRounds || s.answered[n-1].key == s.answered[n-2].key {
		return false
	}
	for i := n - 2*maxRounds; i < n-2; i++ {
		p, next := s.answered[i], s.answered[i+2]
		if p.key != next.key || p.sum != next.sum && next.by == "" {
			return false
		}
	}
	// Two replies are not enough, because each may have made all of its calls at once.
	return s.answered[n-1].ref.Reply > s.answered[n-2*maxRounds].ref.Reply+1
}

// countNothingNew counts the newest replies in a row whose results all came before in this turn.
func (s Progress) countNothingNew() int {
	n := 0
	for i := len(s.answered) - 1; i >= 0 && s.isStale(i); i-- {
		if i == 0 || s.answered[i-1].ref.Reply != s.answered[i].ref.Reply {
			n++
		}
	}
	return n
}

// isStale reports whether a result came before. The first successful change is never stale,
// whatever its text.
func (s Progress) isStale(i int) bool {
	p := s.answered[i]
	if p.by == byCache || p.by == byGuard {
		return true
	}
	if p.ok && p.acted && !slices.ContainsFunc(s.answered[:i], func(q callRecord) bool { return q.key == p.key }) {
		return false
	}
	return slices.ContainsFunc(s.answered[:i], func(q callRecord) bool {
		return q.tool == p.tool && q.sum == p.sum && q.ref.Reply != p.ref.Reply
	})
}

// countAlike counts the newest replies in a row that called one tool with arguments that differ by
// less than a tenth. Paging through a file does that, too, so it counts only if half of the results
// were errors or stale.
func (s Progress) countAlike() int {
	calls, vain, next := 0, 0, ""
	replies := s.countInARow(func(p callRecord) bool {
		i := len(s.answered) - 1 - calls
		if p.tool != s.answered[len(s.answered)-1].tool || next != "" && !isSimilar(p.key, next) {
			return false
		}
		calls, next = calls+1, p.key
		if !p.ok || s.isStale(i) {
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

// answerRepeatedCall answers a call that was just made with the same arguments. A read gets its
// earlier result again. Anything else is refused once it was denied, or had the same result twice.
func (t Turn) answerRepeatedCall(tool tools.Tool, c llm.Call) (event.Returned, bool) {
	caps := tools.DefOf(tool).Capabilities
	s := t.Progress.sinceInput()
	n := s.countSame(callKey(c.Name, c.Args))
	if n == 0 || caps.Has(tools.Polls) {
		return event.Returned{}, false
	}
	run := s.answered[len(s.answered)-n:]
	last := run[n-1]
	switch {
	case last.by == byGate || last.by == byGuard:
		return guardResult(c, "not run: the same call was refused just now"), true
	case !caps.Repeatable() && (n < 2 || last.sum != run[n-2].sum):
		return event.Returned{}, false
	case !caps.Repeatable():
		return guardResult(c, fmt.Sprintf("not run: the same call was made %d times with the same result", n)), true
	case last.by == "" && !last.ok && last.retry, // the cause may have passed
		caps.Has(tools.Replays): // the tool itself recognizes a repeated call
		return event.Returned{}, false
	}
	text, was, found := t.resultOf(run)
	if !found {
		return event.Returned{}, false // the conversation no longer has the result, so the model may need it again
	}
	r := event.Returned{ID: c.ID, Tool: c.Name, OK: was.ok, By: byCache, Text: text + repeatNote(n), Label: was.label}
	if !was.ok {
		r.Error = &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: text}
	}
	return r, true
}

// guardResult is the result of a call that does not run because it would change nothing.
func guardResult(c llm.Call, why string) event.Returned {
	r := newReturned(c, tools.Result{}, tools.RateLimited("%s", why).Suggest("change the arguments, use another tool, or answer"))
	r.By = byGuard
	return r
}

// sameMark begins the note below a repeated result.
const sameMark = "\n[note: "

func repeatNote(n int) string {
	if n == 1 {
		return sameMark + "not run again: the same call had this result just now. Change the arguments, use another tool, or answer.]"
	}
	return sameMark + fmt.Sprintf("you made this call %d times. The result is always the same. Do not make it again. Answer now, or use another tool.]", n+1)
}

// resultOf returns the newest result in run, which holds repeats of one call, as the model read it
// but without [repeatNote], and the call. found is false if the conversation was shortened since,
// because then only part of the result is left.
func (t Turn) resultOf(run []callRecord) (text string, of callRecord, found bool) {
	for _, p := range slices.Backward(run) {
		for _, m := range t.History[t.Begin:] {
			if m.Role != llm.ToolRole || m.CallID != p.ref.ID || sha256.Sum256([]byte(m.Text)) != p.shown {
				continue
			}
			switch at := strings.LastIndex(m.Text, sameMark); {
			case p.by == "":
				return m.Text, p, true
			case p.by == byCache && at >= 0:
				return m.Text[:at], p, true
			}
		}
	}
	return "", callRecord{}, false
}

// pruneRepeats returns the history without earlier repeats of one call, and whether that is
// shorter. A small model imitates what it reads, so each repeat in the prompt makes the next more
// likely. It removes only calls that were alone in their reply.
func (t Turn) pruneRepeats() ([]llm.Message, bool) {
	s := t.Progress.sinceInput()
	if len(s.answered) == 0 || t.isPolling(s.answered[len(s.answered)-1].tool) {
		return nil, false
	}
	run := s.answered[len(s.answered)-s.countSame(s.answered[len(s.answered)-1].key):]
	if len(run) <= 2 {
		return nil, false
	}
	drop := map[string]bool{}
	hasResult := run[len(run)-1].by == byCache // the remaining result says what the call did; a refusal would not
	for i := len(run) - 2; i >= 0; i-- {
		if by := run[i].by; !hasResult && (by == "" || by == byCache) {
			hasResult = true
			continue
		}
		drop[run[i].ref.ID] = true
	}
	var kept []llm.Message
	for _, m := range t.History {
		alone := m.Role == llm.AssistantRole && len(m.Calls) == 1 && drop[m.Calls[0].ID]
		if m.Role == llm.AssistantRole && len(m.Calls) > 1 {
			for _, c := range m.Calls {
				delete(drop, c.ID) // the call stays, so its result stays
			}
		}
		if alone || m.Role == llm.ToolRole && drop[m.CallID] {
			continue
		}
		kept = append(kept, m)
	}
	return kept, len(kept) < len(t.History)
}

// isPolling reports whether the tool is made to be called again and again.
func (t Turn) isPolling(name string) bool {
	tool := t.tool(name)
	return tool != nil && tools.DefOf(tool).Capabilities.Has(tools.Polls)
}
