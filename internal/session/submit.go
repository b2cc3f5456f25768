package session

import (
	"context"
	"slices"

	"hob/internal/event"
	"hob/internal/llm"
)

// submit journals an input, unless its id is known, and returns its Seq.
func (c *chat) submit(ctx context.Context, in Input) (int64, error) {
	if c.name.Shared() && in.Scope == "private" {
		in.Scope = "group" // everybody in the group reads the answer
	}
	if in.AppLang != "" && !c.name.Shared() {
		c.appLang = in.AppLang
	}
	// Somebody else's text is no command. In a group all text is somebody else's, and people may
	// command what their level allows.
	isOwn := !in.Label.Untrusted || c.name.Shared()
	body := event.Said{
		InputID: in.ID, From: in.From, Text: in.Text, Tail: c.cfg.Now().Format(llm.TimeLine),
		Principal: in.Principal, Label: in.Label, Files: in.Files,
		Own: in.Own, Pick: in.Pick,
		Command: in.Command && isOwn, Typed: in.Typed && isOwn,
	}
	if in.Label.Untrusted {
		body.Text, body.Fence = c.cfg.Sanitizer.SanitizeMessage(in.Text, in.Label)
		body.Label = c.cfg.Sanitizer.SanitizeLabel(in.Label)
	} else {
		body.Text, body.Aside = c.cleanAsides(in)
	}
	body.Attachments = c.cleanAttachments(in)
	known, err := c.cfg.Journal.Keyed(ctx, c.name, event.Key(body))
	if err != nil {
		return 0, err
	}
	if known != 0 {
		return known, c.checkSameInput(ctx, known, body)
	}
	if c.cfg.Limiter != nil {
		text := in.Text
		for _, a := range in.Attachments {
			text += a.Text
		}
		if err := c.cfg.Limiter.Allow(in.Platform, in.From, text); err != nil {
			return 0, err
		}
	}
	r := c.readTyped(body)
	stops, isCertain := c.isStop(r), c.needsNoModel(ctx, r)
	isChore := isCertain || r.Kind == "" && c.isAboutChore(body)
	// A message that stops the turn waiting for the model is answered after that turn has ended.
	body.NeedsNoModel = c.tr.parkedForModel() != nil && isChore && (!stops || c.tr.current() != nil)
	if !isCertain && !body.Command { // a message about a chore may still go to the model
		c.addFacts(ctx, &body)
	}
	events, err := c.append(ctx, 0, body)
	if err != nil {
		return 0, err
	}
	if stops {
		c.stopTurn()
	}
	return events[0].Seq, nil
}

// checkSameInput returns an error if the input journaled under this id has another text or other
// attachments.
func (c *chat) checkSameInput(ctx context.Context, seq int64, in event.Said) error {
	for e, err := range c.cfg.Journal.Chat(ctx, c.name, seq-1) {
		if said, ok := e.Body.(event.Said); err == nil && ok && !isSameInput(said, in) {
			return &event.ReusedIDError{ID: in.InputID}
		}
		return err
	}
	return nil
}

// isSameInput reports whether two inputs have the same text and attachments. It ignores the fences,
// which are random.
func isSameInput(a, b event.Said) bool {
	return a.Text == b.Text && a.Label.Untrusted == b.Label.Untrusted &&
		slices.EqualFunc(a.Attachments, b.Attachments, func(a, b event.Attachment) bool {
			return a.Text == b.Text && a.Label.Source == b.Label.Source
		})
}
