package session

import (
	"fmt"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/tools"
)

// callRecord is what the audit needs to know about a call before its result arrives.
type callRecord struct {
	called event.Called
	usage  llm.Usage // of the reply that made the call
}

// recordCall stores what the audit records of the turn's calls need. It is idempotent.
func (t *turn) recordCall(b event.Body) {
	switch b := b.(type) {
	case event.Generated:
		t.replyUsage = b.Usage
	case event.Called:
		t.calls[b.ID] = callRecord{b, t.replyUsage}
	}
}

// entries turns bodies into journal entries. A result gets the audit record of its call, a decision
// its grants.
func (c *chat) entries(turn int64, bodies []event.Body) []store.Entry {
	entries := make([]store.Entry, len(bodies))
	cur := c.tr.current()
	for i, b := range bodies {
		entries[i] = store.Entry{Chat: c.name, Turn: turn, Body: b}
		if cur == nil || cur.seq != turn {
			continue
		}
		cur.recordCall(b) // a reply and the refusal of its call may come together
		switch b := b.(type) {
		case event.Decided:
			entries[i].Grants = b.Grants
		case event.Returned:
			entries[i].Audit = c.auditRecord(cur, b)
		}
	}
	return entries
}

// auditRecord returns the audit record of a call that has its result.
func (c *chat) auditRecord(cur *turn, r event.Returned) *event.Audit {
	made := cur.calls[r.ID]
	a := &event.Audit{
		Chat: c.name, Session: fmt.Sprintf("%s/%d", c.name, c.tr.session), Turn: cur.seq, CallID: r.ID,
		User: cur.input.From, Platform: cur.input.Platform, Tool: r.Tool, ArgsHash: policy.HashArgs(made.called.Args),
		DurationMS: r.DurationMS, Status: r.Outcome(), Rule: r.Rule,
		Tokens: made.usage.PromptTokens + made.usage.EvalTokens, Repairs: made.called.Repairs,
	}
	if canonical, err := tools.Canonical(made.called.Args); err == nil {
		a.ArgsHash = policy.HashArgs(canonical)
	}
	if t := c.toolset.tool(r.Tool); t != nil {
		a.Source = tools.SourceOf(t)
	}
	if r.Error != nil {
		a.Error = r.Error.Code
	}
	return a
}
