package session

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
)

// Input is a person's message for a chat.
type Input struct {
	Chat event.Chat
	ID   string // chosen by the surface; the same id twice is one input
	From string // the sender
	Text string
	event.Principal
	Label event.Label  // untrusted: somebody else's words, such as a forwarded message
	Files []event.File // that came with the text
	Own   string       // the part of Text that the sender wrote now, without quotes and additions
	// Command says that Text calls a tool, as in "/weather Berlin", without a model.
	Command bool
	// Typed says that the sender typed Text, or Own if that is set, to hob: nothing in it is
	// forwarded, quoted, piped or transcribed. Only such words may be a chore, see [Chores].
	Typed bool
	Pick  string // the [event.Choice] that the person picked, or ""
	// Aside are parts of Text that others chose. They count as nobody's words, and make the turn
	// untrusted; see [event.Said].
	Aside []string
	// Attachments came with Text, each with its own label. Submit adds the fences.
	Attachments []event.Attachment
	// AppLang is the language of the sender's app, such as "de". hob uses it in their chat until
	// their messages show a language.
	AppLang string
}

// Submit hands in an input and returns the Seq of its Said once that is durable. The input later
// begins a turn, or joins a running one: follow the chat to see it, and ask [TurnOf] which turn it
// is. An input whose id was submitted before is not journaled again: Submit returns its first Seq.
func (s *Sessions) Submit(ctx context.Context, in Input) (int64, error) {
	if in.ID == "" {
		return 0, errors.New("an input needs an id of its own")
	}
	if strings.TrimSpace(in.Text) == "" && len(in.Files) == 0 {
		return 0, errors.New("there is nothing to do: the message is empty")
	}
	c, err := s.chat(ctx, in.Chat)
	if err != nil {
		return 0, err
	}
	if !c.hasLoaded() { // read the words while the chat loads; the sentences cache the reading for submit
		s.cfg.Chores.read(TypedWords(event.Said{Text: in.Text, Own: in.Own, Typed: in.Typed}))
	}
	var seq int64
	err = s.onChat(ctx, in.Chat, func(ctx context.Context, c *chat) (err error) {
		seq, err = c.submit(ctx, in)
		return err
	})
	return seq, err
}

// submit journals an input, unless its id is known, and returns its Seq.
func (c *chat) submit(ctx context.Context, in Input) (int64, error) {
	if in.AppLang != "" && !c.name.Shared() {
		c.appLang = in.AppLang
	}
	body := c.newSaid(in)
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

// newSaid returns the event of an input. It sanitizes what others wrote.
func (c *chat) newSaid(in Input) event.Said {
	if c.name.Shared() && in.Scope == "private" {
		in.Scope = "group" // everybody in the group reads the answer
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
	return body
}

// cleanAsides sanitizes the parts of an input that others chose, and returns the text with them
// replaced.
func (c *chat) cleanAsides(in Input) (text string, aside []string) {
	text = in.Text
	for _, part := range in.Aside {
		clean, _ := c.cfg.Sanitizer.SanitizeMessage(part, event.Label{Untrusted: true})
		if before, after, found := cutLast(text, part); found {
			text = before + clean + after
			aside = append(aside, clean)
		}
	}
	return text, aside
}

// cleanAttachments returns the sanitized attachments of an input.
func (c *chat) cleanAttachments(in Input) []event.Attachment {
	all := slices.Clone(in.Attachments)
	for i, a := range all {
		all[i].Text, all[i].Fence = c.cfg.Sanitizer.SanitizeMessage(a.Text, a.Label)
		all[i].Label = c.cfg.Sanitizer.SanitizeLabel(a.Label)
	}
	return all
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
