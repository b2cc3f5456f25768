package toolcall

import (
	"slices"
	"strings"

	"hob/internal/llm"
)

// Arrange returns req, which [Render] may have put into words, in a layout of which a model's chat template prints
// everything. req itself stays as it is.
//
// Arranging keeps the prefix except for the message that closes a request: that one is in no later request.
func Arrange(req llm.Request, l llm.Layout) llm.Request {
	if l == (llm.Layout{}) {
		return req
	}
	req.Messages = slices.Clone(req.Messages)
	for i := range req.Messages {
		if m := &req.Messages[i]; l.CallsAlone && len(m.Calls) > 0 {
			m.Text = ""
		}
	}
	if l.SystemInUser && req.System != "" {
		if len(req.Messages) == 0 || req.Messages[0].Role != llm.UserRole {
			req.Messages = slices.Insert(req.Messages, 0, llm.Message{Role: llm.UserRole})
		}
		first := &req.Messages[0]
		first.Text = strings.TrimSpace(strings.TrimRight(req.System, "\n") + "\n\n" + first.Text)
		req.System = ""
	}
	last := len(req.Messages) - 1
	if l.EndsWithUser && len(req.Tools) > 0 && last >= 0 && req.Messages[last].Role != llm.UserRole {
		req.Messages = append(req.Messages, llm.Message{Role: llm.UserRole, Text: say("continue"), Note: true})
	}
	return req
}
