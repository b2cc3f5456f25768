package agent

import (
	"slices"
	"strings"

	"hob/internal/agent/grounding"
	"hob/internal/llm"
	"hob/internal/tools"
)

// findUngrounded returns the numbers, names and paths of an answer that stand in no result of the turn and in no message, and
// do not follow from one. Only an answer to what tools have found is checked: a chat without tools may say what the model
// knows, and the words of a story are its driver's to check.
func (t Turn) findUngrounded(text string) []string {
	if t.Stage != nil || !t.hasLooked() {
		return nil
	}
	return grounding.Check(text, t.sources())
}

// hasLooked reports whether a tool of the turn returned what it had found.
func (t Turn) hasLooked() bool {
	return slices.ContainsFunc(t.Usage.answered, t.isFinding)
}

// isFinding reports whether a call returned what it had found: a tool that only writes or opens something has nothing to
// tell.
func (t Turn) isFinding(p callRecord) bool {
	tool := t.tool(p.tool)
	return p.ok && tool != nil && tools.DefOf(tool).Capabilities&(tools.Reads|tools.Executes) != 0
}

// sources are the texts that an answer may rest on: all results of the turn as the model read them, also where the
// conversation has been made shorter since, and every message.
func (t Turn) sources() grounding.Sources {
	var s grounding.Sources
	for _, p := range t.Usage.answered {
		if t.isFinding(p) {
			s.Results = append(s.Results, p.text)
		} else {
			s.Others = append(s.Others, p.text)
		}
		s.Others = append(s.Others, p.key)
	}
	for i, m := range t.History {
		if m.Note || m.Role != llm.UserRole && i >= t.Begin {
			continue // the results are there already, and what the model said, or a note that quotes it, proves nothing
		}
		s.Others = append(s.Others, m.Text)
		for _, c := range m.Calls {
			s.Others = append(s.Others, string(c.Args))
		}
	}
	s.Others = append(s.Others, t.System)
	return s
}

// markUngrounded returns a reply with a note on what is not grounded of its text.
func (t Turn) markUngrounded(reply, text string) string {
	if names := t.findUngrounded(text); len(names) > 0 {
		return reply + "\n\n[hob: in no result: " + strings.Join(names, ", ") + ".]"
	}
	return reply
}
