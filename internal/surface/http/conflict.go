package http

import (
	"strings"

	"hob/internal/event"
)

// ConflictReport says that the model's words did not agree with what is so. What is so is written by tools alone, so that
// only the words were put right: the model wrote them again, or others stand in their place.
type ConflictReport struct {
	Retries  int      `json:"retries"`  // how often it was told
	Problems []string `json:"problems"` // what it was told, once each time
	Resolved bool     `json:"resolved"` // its last words stand
}

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
func (c *conflict) report() *ConflictReport {
	if len(c.problems) == 0 && !c.replaced {
		return nil
	}
	return &ConflictReport{Retries: len(c.problems), Problems: append([]string{}, c.problems...), Resolved: c.worded}
}
