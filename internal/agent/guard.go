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

// Past these a turn goes round in circles. The numbers are those that other agents settled on; what is below them happens
// to models that get there.
const (
	maxSame    = 3 // the same call in a row: then calls are refused
	maxRounds  = 3 // of A-B-A-B
	maxErrors  = 4 // of one tool in a row
	maxNothing = 6 // results in a row that said nothing new
	maxAlike   = 8 // calls of one tool in a row that differ little and come to little
)

// Who answers in a tool's place; see [event.Returned].
const (
	byCheck  = "check"
	byGate   = "gate"
	byCache  = "cache"
	byGuard  = "guard"
	byBudget = "budget"
	byStop   = "stop"
)

// circles says how the turn goes round in circles, or nothing.
func (s Spent) circles() string {
	n := len(s.past)
	if n == 0 {
		return ""
	}
	last := s.past[n-1]
	switch {
	case s.same(last.key) > maxSame:
		return fmt.Sprintf("the same call of %s was made %d times", last.tool, s.same(last.key))
	case s.pingPong():
		return fmt.Sprintf("the same two calls of %s and %s follow each other", s.past[n-2].tool, last.tool)
	case s.failing() >= maxErrors:
		return fmt.Sprintf("%s failed %d times in a row", last.tool, s.failing())
	case s.nothingNew() >= maxNothing:
		return fmt.Sprintf("the last %d results said nothing new", s.nothingNew())
	case s.alike() >= maxAlike:
		return fmt.Sprintf("%s was called %d times in a row with nearly the same arguments", last.tool, s.alike())
	}
	return ""
}

// same counts how often the call with that key was made in a row, up to now.
func (s Spent) same(key string) int {
	n := 0
	for i := len(s.past) - 1; i >= 0 && s.past[i].key == key; i-- {
		n++
	}
	return n
}

// pingPong reports whether the turn ends with A-B-A-B-A-B.
func (s Spent) pingPong() bool {
	n := len(s.past)
	if n < 2*maxRounds || s.past[n-1].key == s.past[n-2].key {
		return false
	}
	for i := n - 2*maxRounds; i < n-2; i++ {
		if s.past[i].key != s.past[i+2].key || s.past[i].sum != s.past[i+2].sum && s.past[i+2].by == "" {
			return false
		}
	}
	return true
}

// failing counts the errors in a row of the tool that was called last. A call that did not fit is corrected elsewhere, and
// one that was denied is no fault of the tool.
func (s Spent) failing() int {
	n := 0
	for i := len(s.past) - 1; i >= 0; i-- {
		p := s.past[i]
		if p.ok || p.tool != s.past[len(s.past)-1].tool || p.by == byCheck || p.by == byGate {
			break
		}
		n++
	}
	return n
}

// nothingNew counts the last results in a row that had come before in this turn.
func (s Spent) nothingNew() int {
	n := 0
	for i := len(s.past) - 1; i >= 0 && s.stale(i); i-- {
		n++
	}
	return n
}

// stale reports whether the result of a call had come before.
func (s Spent) stale(i int) bool {
	p := s.past[i]
	return p.by == byCache || p.by == byGuard || slices.ContainsFunc(s.past[:i], func(q past) bool { return q.tool == p.tool && q.sum == p.sum })
}

// alike counts the calls of one tool in a row whose arguments differ by less than a tenth. Reading on page by page is
// that, too: it counts only when half of the results were errors or had come before.
func (s Spent) alike() int {
	n, vain := 0, 0
	for i := len(s.past) - 1; i >= 0; i-- {
		p := s.past[i]
		if p.tool != s.past[len(s.past)-1].tool || i+1 < len(s.past) && !similar(p.key, s.past[i+1].key) {
			break
		}
		n++
		if !p.ok || s.stale(i) {
			vain++
		}
	}
	if vain*2 < n {
		return 0
	}
	return n
}

// similar reports whether nine tenths of the longer text are what both begin and end with.
func similar(a, b string) bool {
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

// repeated answers a call that was just made with the same arguments: a read with the result that it had, anything else,
// once it has come to the same thing twice, with a refusal.
func (t Turn) repeated(tool tools.Tool, c llm.Call) (event.Returned, bool) {
	powers := tools.DefOf(tool).Powers
	k := key(c.Name, c.Args)
	n := t.Spent.same(k)
	if n == 0 || powers.Has(tools.Polls) {
		return event.Returned{}, false
	}
	run := t.Spent.past[len(t.Spent.past)-n:]
	if !powers.Repeatable() {
		if n < 2 || run[n-1].by == "" && run[n-1].sum != run[n-2].sum {
			return event.Returned{}, false
		}
		r := returned(c, tools.Result{}, &tools.Error{Type: event.TypeRateLimit, Code: event.CodeRateLimitExceeded,
			Message:    fmt.Sprintf("not run: the same call was made %d times and came to the same", n),
			Suggestion: "change the arguments, use another tool, or answer"})
		r.By = byGuard
		return r, true
	}
	if !run[0].ok && run[0].retry && n == 1 {
		return event.Returned{}, false // what failed may have passed
	}
	text, ok := t.resultOf(run)
	if !ok {
		return event.Returned{}, false // it is no longer in the conversation: the model may need it again
	}
	r := event.Returned{ID: c.ID, Tool: c.Name, OK: run[0].ok, By: byCache, Text: text + sameAgain(n)}
	if !r.OK {
		r.Error = &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: text}
	}
	return r, true
}

// sameMark begins what is added to a result that was given before.
const sameMark = "\n[note: "

func sameAgain(n int) string {
	if n == 1 {
		return sameMark + "not run again: the same call had this result just now. Change the arguments, use another tool, or answer.]"
	}
	return sameMark + fmt.Sprintf("you have made this very call %d times, and this is all it says. Do not make it again. Answer now with what you have, or do something else.]", n+1)
}

// resultOf returns the result of one of the calls of run, which are the same call, without what [sameAgain] added to it.
// It has none where the conversation was made shorter since: what stands there then is not all that was said.
func (t Turn) resultOf(run []past) (string, bool) {
	for _, p := range run {
		for _, m := range t.History[t.Begin:] {
			if m.Role != llm.ToolRole || m.CallID != p.id || sha256.Sum256([]byte(m.Text)) != p.sum {
				continue
			}
			switch at := strings.LastIndex(m.Text, sameMark); {
			case p.by == "":
				return m.Text, true
			case p.by == byCache && at >= 0:
				return m.Text[:at], true
			}
		}
	}
	return "", false
}

// pruned returns the turn's history without the earlier ones of calls that were made over and over in a row, and whether
// it is shorter: a small model repeats what it reads, so the more often it stands there the likelier it comes again. Only
// calls that were alone in their reply are taken out.
func (t Turn) pruned() ([]llm.Message, bool) {
	s := t.Spent
	if len(s.past) == 0 {
		return nil, false
	}
	run := s.past[len(s.past)-s.same(s.past[len(s.past)-1].key):]
	if len(run) <= 2 {
		return nil, false
	}
	drop, told := map[string]bool{}, run[len(run)-1].by == byCache
	for i := len(run) - 2; i >= 0; i-- {
		if by := run[i].by; !told && (by == "" || by == byCache) {
			told = true // it says what came of the call, which a refusal does not
			continue
		}
		drop[run[i].id] = true
	}
	var kept []llm.Message
	for _, m := range t.History {
		alone := m.Role == llm.AssistantRole && len(m.Calls) == 1 && drop[m.Calls[0].ID]
		if m.Role == llm.AssistantRole && len(m.Calls) > 1 {
			for _, c := range m.Calls {
				delete(drop, c.ID) // it stays, so its result does
			}
		}
		if alone || m.Role == llm.ToolRole && drop[m.CallID] {
			continue
		}
		kept = append(kept, m)
	}
	return kept, len(kept) < len(t.History)
}
