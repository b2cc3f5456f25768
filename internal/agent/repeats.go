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

// answerRepeatedCall answers a call that was just made with the same arguments. A read gets its
// earlier result again. Anything else is refused once it was denied, or had the same result twice.
func (t Turn) answerRepeatedCall(tool tools.Tool, c llm.Call) (event.Returned, bool) {
	caps := tools.DefOf(tool).Capabilities
	run := t.Progress.sinceInput().sameAtEnd(callKey(c.Name, c.Args))
	n := len(run)
	if n == 0 || caps.Has(tools.Polls) {
		return event.Returned{}, false
	}
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
	text, was, found := t.newestResult(run)
	if !found {
		return event.Returned{}, false // the conversation no longer has the result, so the model may need it again
	}
	r := event.Returned{ID: c.ID, Tool: c.Name, OK: was.ok, By: byCache, Text: text + repeatNote(n), Label: was.label}
	if !was.ok {
		r.Error = &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: text}
	}
	return r, true
}

// sameAtEnd returns the newest calls in a row that have this key.
func (rs callRecords) sameAtEnd(key string) callRecords {
	i := len(rs)
	for i > 0 && rs[i-1].key == key {
		i--
	}
	return rs[i:]
}

// guardResult is the result of a call that does not run because it would change nothing.
func guardResult(c llm.Call, why string) event.Returned {
	return errorResult(c, byGuard, tools.RateLimited("%s", why).Suggest("change the arguments, use another tool, or answer"))
}

// sameMark begins the note below a repeated result.
const sameMark = "\n[note: "

func repeatNote(n int) string {
	if n == 1 {
		return sameMark + "not run again: the same call had this result just now. Change the arguments, use another tool, or answer.]"
	}
	return sameMark + fmt.Sprintf("you made this call %d times. The result is always the same. Do not make it again. Answer now, or use another tool.]", n+1)
}

// newestResult returns the newest result of some calls, as the model read it but without
// [repeatNote], and its call. found is false if the conversation was shortened since, because then
// only part of the result is left.
func (t Turn) newestResult(rs callRecords) (text string, of callRecord, found bool) {
	for _, p := range slices.Backward(rs) {
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
	rs := t.Progress.sinceInput()
	if len(rs) == 0 || t.isPolling(rs[len(rs)-1].tool) {
		return nil, false
	}
	run := rs.sameAtEnd(rs[len(rs)-1].key)
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
