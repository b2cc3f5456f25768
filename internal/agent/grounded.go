package agent

import (
	"slices"

	"hob/internal/agent/grounding"
	"hob/internal/llm"
	"hob/internal/tools"
)

// findUngrounded returns the numbers, names and paths in an answer that appear in no result and no
// message, and follow from none. It checks only answers to what tools have found: without tools the
// model may say what it knows, and a driver checks its own story.
func (t Turn) findUngrounded(text string) []string {
	if t.Stage != nil || !t.hasLooked() {
		return nil
	}
	return grounding.Check(text, t.sources())
}

// hasLooked reports whether a tool of the turn returned findings.
func (t Turn) hasLooked() bool {
	return slices.ContainsFunc(t.Progress.answered, t.isFinding)
}

// isFinding reports whether a call returned findings. A tool that only writes or opens something
// has none.
func (t Turn) isFinding(p callRecord) bool {
	tool := t.tool(p.tool)
	return p.ok && tool != nil && tools.DefOf(tool).Capabilities&(tools.Reads|tools.Executes) != 0
}

// sources are the texts that an answer may rely on: every message, and every result as the model
// read it, even if the conversation was shortened since. The model's own words prove nothing, nor
// do nudges that quote them.
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
