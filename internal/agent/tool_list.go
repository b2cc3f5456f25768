package agent

import (
	"slices"

	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// Relay is the name of the tool with which a model calls a tool outside its list. Such a call is
// rewritten first into a call of the other tool, so the journal, policy and people see the call
// that runs.
const Relay = "call_tool"

// ToolList is the set of tools that a model may call at one point of a turn.
type ToolList struct {
	Shown  []tools.Tool // in the model's list, in this order; the list only grows at its end
	Hidden []tools.Tool // callable, by exact name or through [Relay], but not in the list
}

// refreshTools returns the turn with the tools that the model may call now.
func (t Turn) refreshTools() Turn {
	if t.IsCommand() {
		return t
	}
	if t.List != nil || t.state.mostTools > 0 {
		l := ToolList{Shown: t.Tools, Hidden: t.state.hidden}
		if t.List != nil {
			l = t.List()
		}
		if n := t.state.mostTools; n > 0 && len(l.Shown) > n {
			l = ToolList{Shown: l.Shown[:n], Hidden: append(slices.Clone(l.Shown[n:]), l.Hidden...)}
		}
		if !slices.EqualFunc(l.Shown, t.Tools, tools.IsSame) ||
			!slices.EqualFunc(l.Hidden, t.state.hidden, tools.IsSame) {
			t.state.offer = nil
		}
		if !slices.EqualFunc(l.Shown, t.Tools, func(a, b tools.Tool) bool { return a.Name() == b.Name() }) {
			t.state.counted = counted{} // the server's count was for another prompt
		}
		t.Tools, t.state.hidden = l.Shown, l.Hidden
	}
	if t.state.offer == nil {
		t.state.offer = toolcall.NewOffer(tools.Schema(t.Tools), t.mayAct)
		if len(t.state.hidden) > 0 || tools.Find(t.Tools, Relay) != nil {
			hidden := t.state.hidden
			t.state.offer = t.state.offer.Beyond(func(name string) (llm.ToolDefinition, bool) {
				tool := tools.Find(hidden, name)
				if tool == nil {
					return llm.ToolDefinition{}, false
				}
				return tools.Schema([]tools.Tool{tool})[0], true
			}, t.mayAct, Relay)
		}
	}
	return t
}

// tool returns the tool of that name, or nil. It is a callable tool or, if the newest calls are a
// plan, a tool for plans.
func (t Turn) tool(name string) tools.Tool {
	if tool := tools.Find(t.Tools, name); tool != nil {
		return tool
	}
	if tool := tools.Find(t.state.hidden, name); tool != nil || !t.Progress.HasPlan() {
		return tool
	}
	return tools.Find(t.PlanTools, name)
}

// whyDenied returns why the tool of that name may not be called, or nil if there is no such tool.
func (t Turn) whyDenied(name string) *Denied {
	if t.Denied == nil {
		return nil
	}
	return t.Denied(name)
}

// callableTools are all tools that the model may call.
func (t Turn) callableTools() []tools.Tool {
	return append(t.Tools[:len(t.Tools):len(t.Tools)], t.state.hidden...)
}

// mayAct reports whether the tool of that name may do more than read.
func (t Turn) mayAct(name string) bool {
	tool := t.tool(name)
	return tool == nil || !tools.DefOf(tool).Capabilities.Repeatable()
}

// NeedsReceipt reports whether the receipt shows even a failed call of the tool: it may do more
// than read, or it sends something. See [receipt.New].
func NeedsReceipt(t tools.Tool) bool {
	caps := tools.DefOf(t).Capabilities
	return !caps.Repeatable() || caps.Has(tools.Sends)
}
