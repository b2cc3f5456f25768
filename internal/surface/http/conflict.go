package http

import (
	"strings"

	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// conflict is a fold over a turn that looks for such words.
type conflict struct {
	problems []string
	worded   bool // the model has said something since it was told last
	replaced bool // other words than what it said stand in the conversation, or none
}

// The marks around what the runtime tells the model in a user's place.
const nudgeHead, nudgeTail = "[note: ", "]"

func (c *conflict) add(b event.Body) {
	switch b := b.(type) {
	case event.Nudged:
		if b.Why == event.ForUntrue {
			c.problems = append(c.problems, strings.TrimSuffix(strings.TrimPrefix(b.Text, nudgeHead), nudgeTail))
			c.worded, c.replaced = false, false
		}
	case event.Generated:
		switch b.Class {
		case "text", "narration", "rewrite":
			silent := b.Message.Text == "" || b.Raw == event.NoWords
			c.replaced = b.Raw != "" && b.Raw != event.NoWords && (b.Message.Text == "" || !strings.Contains(b.Raw, b.Message.Text))
			c.worded = !silent && !c.replaced
		}
	}
}

// report is what there is to say at the end, nil where the words were right from the beginning.
func (c *conflict) report() *api.ConflictReport {
	if len(c.problems) == 0 && !c.replaced {
		return nil
	}
	return &api.ConflictReport{Retries: len(c.problems), Problems: append([]string{}, c.problems...), Resolved: c.worded}
}
