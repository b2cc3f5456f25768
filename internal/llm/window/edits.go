package window

import (
	"encoding/json"
	"maps"
	"slices"

	"hob/internal/llm"
)

// pair is a call with its result: the index of its round, and the call's ID.
type pair struct {
	part int
	call string
}

// pruneEdits returns the edits of the first tier. Repeated pairs with results of at most limit
// bytes stay.
func (p *plan) pruneEdits(limit int) []edit {
	gone := map[pair]bool{}
	p.markCorrected(gone)
	p.markRepeated(gone, limit)
	var edits []edit
	for i := range p.parts {
		part := &p.parts[i]
		if part.kind == runtimeNote && part.obsolete {
			edits = append(edits, edit{action: drop, parts: append(p.rejectedText(i), i)})
		}
		if part.kind != toolRound || len(part.ms[0].Text) > shortResult && !slices.ContainsFunc(part.ms[0].Calls, func(c llm.Call) bool { return !gone[pair{i, c.ID}] }) {
			continue // dropping all calls would drop the text beside them
		}
		for _, c := range part.ms[0].Calls {
			if gone[pair{i, c.ID}] {
				edits = append(edits, edit{parts: []int{i}, call: c.ID})
			}
		}
	}
	return edits
}

// rejectedText finds the words that the nudge at i rejected: those just before it, if the model
// spoke again after it. They are dropped with the nudge, because some templates refuse two messages
// of the model in a row.
func (p *plan) rejectedText(i int) []int {
	if i == 0 || p.parts[i-1].kind != modelText {
		return nil
	}
	for _, next := range p.parts[i+1:] {
		if next.kind != runtimeNote || !next.obsolete {
			if next.kind == modelText || next.kind == toolRound {
				return []int{i - 1}
			}
			return nil
		}
	}
	return nil
}

// markCorrected finds failed calls that were then corrected: the next call of the same tool in the
// turn shares an argument value, or has other argument names, and succeeded or was corrected in
// turn. A call that failed for something else, such as another file, is a fact about that file and
// stays.
func (p *plan) markCorrected(found map[pair]bool) {
	type made struct {
		turn int
		args json.RawMessage
		good bool
	}
	next := map[string]made{} // by tool
	for i := len(p.parts) - 1; i >= 0; i-- {
		part := &p.parts[i]
		if part.kind != toolRound {
			continue
		}
		now := map[string]made{}
		for _, c := range part.ms[0].Calls {
			r := part.result(c.ID)
			if r == nil {
				continue
			}
			good := !isFailure(r.Text)
			after, ok := next[c.Name]
			if !good && !isDeniedResult(r.Text) && ok && after.turn == part.turn && after.good && isCorrection(c.Args, after.args) {
				good = true
				if !part.fixed && !part.late {
					found[pair{i, c.ID}] = true
				}
			}
			now[c.Name] = made{part.turn, c.Args, good}
		}
		maps.Copy(next, now)
	}
}

// isCorrection reports whether b can be a corrected form of a.
func isCorrection(a, b json.RawMessage) bool {
	keysA, valuesA, okA := members(a)
	keysB, valuesB, okB := members(b)
	if !okA || !okB {
		return true // unreadable arguments are not worth keeping
	}
	slices.Sort(keysA)
	slices.Sort(keysB)
	if !slices.Equal(keysA, keysB) {
		return true
	}
	return slices.ContainsFunc(valuesA, func(v string) bool { return slices.Contains(valuesB, v) })
}

// markRepeated finds calls that were repeated with the same arguments and the same result of more
// than limit bytes, and calls whose result only says that it was given before, if it is elsewhere.
// Denials stay.
func (p *plan) markRepeated(found map[pair]bool, limit int) {
	real := map[string]bool{} // calls that have a result of their own
	for pass := range 2 {
		again := map[string]bool{} // calls with their results that come again later
		for i := len(p.parts) - 1; i >= 0; i-- {
			part := &p.parts[i]
			if part.kind != toolRound {
				continue
			}
			for _, c := range slices.Backward(part.ms[0].Calls) {
				r := part.result(c.ID)
				if r == nil || isDeniedResult(r.Text) {
					continue
				}
				key := c.Name + "\x00" + llm.CanonicalArgs(c.Args)
				echo := p.h.Nudge != nil && p.h.Nudge(*r)
				if pass == 0 {
					real[key] = real[key] || !echo
					continue
				}
				whole := key + "\x00" + r.Text
				if !part.fixed && !part.late && (echo && real[key] || again[whole] && len(r.Text) > limit) {
					found[pair{i, c.ID}] = true
				}
				again[whole] = true
			}
		}
	}
}

// lineEdits returns the edits of the second tier, or the same edits for the newest rounds of
// earlier turns.
func (p *plan) lineEdits(late bool) []edit {
	var edits []edit
	for i := range p.parts {
		if part := &p.parts[i]; part.kind == toolRound && !part.fixed && part.late == late && !p.keepsTurn(part) {
			edits = append(edits, edit{action: resultsToLines, parts: []int{i}})
		}
	}
	return edits
}

// stepEdits returns the edits of the third tier for the open turn, and for earlier turns with some
// of the newest rounds, up to these.
func (p *plan) stepEdits() []edit {
	var edits []edit
	for i := range p.parts {
		part := &p.parts[i]
		late := -1
		if p.keepsTurn(part) {
			continue
		}
		if part.turn < p.open {
			if late = p.firstLate(part.turn); late < 0 {
				continue
			}
		}
		if part.canBecomeLine() && (part.kind == toolRound || part.kind == modelText) && (late < 0 || i < late) {
			edits = append(edits, edit{action: toSteps, parts: []int{i}})
		}
	}
	return edits
}

// joinEdits returns the edit that joins all summaries before the open turn, before everything that
// is a list by then.
func (p *plan) joinEdits() []edit {
	e := edit{action: joinSummaries}
	for i := range p.parts {
		if q := &p.parts[i]; q.kind == summary && q.turn < p.open && isSummary(q.ms[0].Text) {
			e.parts = append(e.parts, i)
		}
	}
	if len(e.parts) == 0 || len(e.parts) == 1 && e.parts[0] == 0 {
		return nil
	}
	return []edit{e}
}

// turnEdits returns the edits that reduce earlier turns to question and answer, or to a part of
// these: turns with some of the newest rounds, or the others. Summaries stay.
func (p *plan) turnEdits(does action, late bool) []edit {
	var edits []edit
	for turn := range p.recent {
		e := edit{action: does}
		isNews := does == toBrief
		for i := range p.parts {
			if q := &p.parts[i]; q.turn == turn && q.kind != summary {
				e.parts = append(e.parts, i)
				isNews = isNews || q.kind != stepList || q.head != earlierHead
			}
		}
		if len(e.parts) > 0 && isNews && (p.firstLate(turn) >= 0) == late {
			edits = append(edits, e)
		}
	}
	return edits
}

// firstLate returns the first part of a turn that is one of the newest rounds, or -1.
func (p *plan) firstLate(turn int) int {
	return slices.IndexFunc(p.parts, func(q part) bool { return q.turn == turn && q.late })
}
