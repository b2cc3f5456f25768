package agent

import (
	"slices"

	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// Relay is the name of the tool with which a model calls another that it was not told of. Such a call is read as one of that
// other tool, before anything else is done with it: what is journaled, judged and asked about is what runs.
const Relay = "call_tool"

// ToolList is what a model may call at one point of a turn.
type ToolList struct {
	Shown  []tools.Tool // of these it is told, in this order; only more come, at the end
	Hidden []tools.Tool // these it may call all the same, by their exact names or through [Relay]
}

// choosing is the turn with what the model may call now.
func (t Turn) choosing() Turn {
	if t.List != nil {
		l := t.List()
		if !slices.EqualFunc(l.Shown, t.Tools, tools.Same) || !slices.EqualFunc(l.Hidden, t.hidden, tools.Same) {
			t.offer = nil
		}
		if !slices.EqualFunc(l.Shown, t.Tools, func(a, b tools.Tool) bool { return a.Name() == b.Name() }) {
			t.counted = counted{} // what the server counted was another prompt
		}
		t.Tools, t.hidden = l.Shown, l.Hidden
	}
	if t.offer == nil {
		t.offer = toolcall.NewOffer(tools.Schema(t.Tools), t.careful)
		if len(t.hidden) > 0 || byName(t.Tools, Relay) != nil {
			t.offer = t.offer.Beyond(tools.Schema(t.hidden), t.careful, Relay)
		}
	}
	return t
}

// tool is the tool of that name which the model may call, or a plan where one was just made, or nil.
func (t Turn) tool(name string) tools.Tool {
	if tool := byName(t.Tools, name); tool != nil {
		return tool
	}
	if tool := byName(t.hidden, name); tool != nil || !t.Usage.planned {
		return tool
	}
	return byName(t.Own, name)
}

// callable are all tools that the model may call.
func (t Turn) callable() []tools.Tool {
	return append(t.Tools[:len(t.Tools):len(t.Tools)], t.hidden...)
}
