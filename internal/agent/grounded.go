package agent

import (
	"slices"

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
	return slices.ContainsFunc(t.Progress.answered, t.isFinding)
}

// isFinding reports whether a call returned what it had found: a tool that only writes or opens something has nothing to
// tell.
func (t Turn) isFinding(p callRecord) bool {
	tool := t.tool(p.tool)
	return p.ok && tool != nil && tools.DefOf(tool).Capabilities&(tools.Reads|tools.Executes) != 0
}

// sources are the texts that an answer may rest on: all results as the model read them, those of this turn also where the
// conversation has been made shorter since, and every message. What the model said itself proves nothing, nor does a note
// that quotes it.
func (t Turn) sources() grounding.Sources {
	s := grounding.Sources{Others: []string{t.System}}
	for i, m := range t.History {
		switch {
		case m.Role == llm.ToolRole && i < t.Begin:
			s.Results = append(s.Results, m.Text)
		case m.Role == llm.UserRole && !m.Note:
			s.Others, s.Question = append(s.Others, s.Question), m.Text
		}
	}
	for _, p := range t.Progress.answered {
		if t.isFinding(p) {
			s.Results = append(s.Results, p.text)
		} else {
			s.Others = append(s.Others, p.text)
		}
		s.Others = append(s.Others, p.key)
	}
	return s
}
