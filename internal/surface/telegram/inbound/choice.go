package inbound

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/retry"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

// How long a message that nobody knows may still be one that is being sent.
const (
	noteTries = 10
	noteWait  = 50 * time.Millisecond
)

// pickedChoice is a choice, and the event that offers it.
type pickedChoice struct {
	event.Choice
	chat.ChoiceRef
}

// pressChoice says for a person what they have picked, and returns what is shown to them. The message has to be that of the reply which
// offers it, and what leads the chat has a word in it. press is the id of this press.
func (in *Handler) pressChoice(ctx context.Context, sp speaker, data, press string) (string, error) {
	c, from, known, err := in.findChoice(ctx, sp, data)
	if err != nil {
		return "", err
	}
	if !known {
		return oldChoice, nil
	}
	name := sp.address.Name()
	var picked Picking
	if in.cfg.Story != nil {
		picked = in.cfg.Story.Picked(ctx, name, sp.request(""), c.Choice)
	}
	toast := markup.Shorten(strings.TrimSpace(picked.Say), maxToast)
	if picked.No {
		return toast, nil
	}
	input := session.Input{
		Chat: name, ID: "choice/" + strconv.FormatInt(c.Seq, 10) + "/" + strconv.Itoa(c.At) + "/" + sp.id(), From: sp.id(),
		Text: c.Text, Pick: c.Pick, Standing: sp.standing,
	}
	if input.Command, err = in.isToolCall(ctx, sp, c.Choice, from); err != nil {
		return "", err
	}
	if picked.Stays { // it can be pressed again, and that is no repetition
		input.ID += "/" + press
	}
	if from.Untrusted {
		input.Label = from
	}
	if !sp.address.Private() {
		if !from.Untrusted {
			input.Own = c.Text // by picking it they say it: nobody else has put words into their mouth
		}
		input.Label = input.Label.Join(event.Label{Untrusted: true, Source: "telegram group " + sp.title})
	}
	_, err = in.cfg.Sessions.Submit(ctx, input)
	switch other := (*event.ReusedIDError)(nil); {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil && !errors.As(err, &other):
		return errorText(err), nil
	}
	in.cfg.Sender.Wake(name)
	if !picked.Stays {
		in.cfg.Cleaner.RemoveButtons(sp.address, sp.message)
	}
	return toast, nil
}

// isToolCall reports whether what is said by a press calls a tool, as it would if it were written: not what leads the chat takes or has
// offered, which may have any name, and not what strangers have offered.
func (in *Handler) isToolCall(ctx context.Context, sp speaker, of event.Choice, from event.Label) (bool, error) {
	c, ok := parseCommand(of.Text)
	if !ok || of.Pick != "" || from.Untrusted {
		return false, nil
	}
	if in.cfg.Story == nil {
		return true, nil
	}
	takes, _ := in.cfg.Story.Takes(ctx, sp.address.Name(), c.name)
	return !takes, context.Cause(ctx)
}

// findChoice finds the choice that was pressed below a message, and where it came from: whoever wrote it wrote what is said by
// picking it.
func (in *Handler) findChoice(ctx context.Context, sp speaker, data string) (o pickedChoice, from event.Label, known bool, err error) {
	ref, ok := chat.ParseChoiceRef(data)
	o.ChoiceRef = ref
	if !ok {
		return o, from, false, nil
	}
	name := sp.address.Name()
	told, known, err := in.eventOf(ctx, name, sp.message)
	for range noteTries { // people may see a message a moment before hob has noted which it is
		if known || err != nil || retry.Wait(ctx, noteWait) != nil {
			break
		}
		told, known, err = in.eventOf(ctx, name, sp.message)
	}
	if _, isReply := told.Body.(event.Replied); err != nil || !known || !isReply || o.Seq > told.Seq {
		return o, from, false, err
	}
	e := told
	if o.Seq != told.Seq {
		if e, known, err = in.eventAt(ctx, name, o.Seq); err != nil || !known || e.Turn != told.Turn {
			return o, from, false, err
		}
	}
	var all []event.Choice
	switch b := e.Body.(type) {
	case event.Replied:
		all, from = b.Choices, b.Label
	case event.Returned:
		all, from = b.Choices, b.Label
	}
	if o.At >= len(all) {
		return o, from, false, nil
	}
	o.Choice = all[o.At]
	return o, from, true, nil
}
