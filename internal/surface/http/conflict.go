package http

import (
	"strings"

	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// conflict is a fold over a turn that finds text of the model which contradicted the state.
type conflict struct {
	problems []string
	worded   bool // the model has written a text since its last correction
	replaced bool // another text than the model's stands in the conversation, or none
}

// The marks around the runtime's notes to the model, which stand in a user's place.
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

// report returns the report at the end of the turn, nil where the text was right from the
// beginning.
func (c *conflict) report() *api.ConflictReport {
	if len(c.problems) == 0 && !c.replaced {
		return nil
	}
	return &api.ConflictReport{Retries: len(c.problems), Problems: append([]string{}, c.problems...), Resolved: c.worded}
}
