package inbound

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/retry"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

// How long a message without a record may still be in the middle of being sent.
const (
	noteTries = 10
	noteWait  = 50 * time.Millisecond
)

// pickedChoice is a choice with the event that offers it.
type pickedChoice struct {
	event.Choice
	chat.ChoiceRef
}

// pressChoice hands in a choice that a person pressed, and returns the text to show them. The
// pressed message must be the reply that offers the choice, and the story may refuse it. press is
// the id of this press; again says that it is no repetition of an earlier one.
func (in *Handler) pressChoice(ctx context.Context, sp speaker, data, press string, again bool) (string, error) {
	c, from, known, err := in.findChoice(ctx, sp, data)
	if err != nil {
		return "", err
	}
	if !known {
		return in.say(ctx, sp, "old.choice"), nil
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
		Text: c.Text, Pick: c.Pick, Principal: sp.principal,
	}
	if _, isCommand := parseCommand(c.Text); !isCommand && c.Pick == "" && !from.Untrusted {
		input.Typed = true // hob wrote the sentence, and the person says it by picking it
	}
	if input.Command, err = in.isToolCall(ctx, sp, c.Choice, from); err != nil {
		return "", err
	}
	if sp.guest && input.Command { // it would be refused, and the buttons would be lost for the people they are for
		return in.say(ctx, sp, "not.yours"), nil
	}
	if row, line, known := in.findRow(sp, c.Text); known && input.Command {
		if err := in.runRow(ctx, sp, row, line); err != nil {
			return "", err
		}
		in.cfg.Cleaner.RemoveButtons(sp.address, sp.message)
		return toast, nil
	}
	if picked.Remains || again { // it can be pressed again, as a new press
		input.ID += "/" + press
	}
	if from.Untrusted {
		input.Label = from
	}
	if !sp.address.Private() {
		if !from.Untrusted {
			input.Own = c.Text // hob wrote it, so by picking it they say it themselves
		}
		input.Label = input.Label.Join(sp.groupLabel())
	}
	input.AppLang = phrases.Language(sp.Lang)
	_, err = in.cfg.Sessions.Submit(ctx, input)
	if other := (*event.ReusedIDError)(nil); err != nil && !errors.As(err, &other) {
		return "", err
	}
	in.cfg.Sender.Wake(name)
	if !picked.Remains {
		in.cfg.Cleaner.RemoveButtons(sp.address, sp.message)
	}
	return toast, nil
}

// answerChoice treats a reply to a message with choices as a press, if it is the label of one,
// because buttons do not work everywhere. A yes or no in another language counts, too. A story
// reads such words itself.
func (in *Handler) answerChoice(ctx context.Context, sp speaker, it item, text string) (done bool, err error) {
	to := it.up.Message.RepliesTo()
	if to == nil || to.From == nil || !to.From.IsBot || text == "" {
		return false, nil
	}
	e, known, err := in.eventOf(ctx, sp.address.Name(), to.ID)
	if err != nil || !known {
		return false, err
	}
	var all []event.Choice
	switch b := e.Body.(type) {
	case event.Replied:
		all = b.Choices
	case event.Noted:
		if all = b.Choices; b.Reminder != 0 { // see [Handler.answerReminder]
			return false, nil
		}
	}
	at := slices.IndexFunc(all, func(c event.Choice) bool { return c.Pick == "" && saysLabel(text, c.Label) })
	_, replied := e.Body.(event.Replied)
	isUndo := replied && slices.ContainsFunc(phrases.Languages(), func(l string) bool { return saysLabel(text, chat.Words(l).Text("undo")) })
	if isUndo && at < 0 && in.cfg.Story != nil {
		story, _ := in.cfg.Story.Takes(ctx, sp.address.Name(), "undo", "")
		isUndo = !story
	}
	if at < 0 && !isUndo {
		return false, nil
	}
	sp.message = to.ID
	var outcome string
	if at >= 0 {
		outcome, err = in.pressChoice(ctx, sp, chat.ChoiceRef{Seq: e.Seq, At: at}.Data(), it.inputID(), true)
	} else { // only the changes of that turn, not later ones
		outcome, err = in.pressUndo(ctx, sp, e.Turn)
	}
	if outcome, err = in.outcomeText(ctx, sp, outcome, err); err != nil || outcome == "" {
		return true, err
	}
	sp.message = it.up.Message.ID
	in.reply(ctx, sp, outcome)
	return true, context.Cause(ctx)
}

// saysLabel reports whether words are the label of a button, or mean the same yes or no.
func saysLabel(text, label string) bool {
	bare := func(s string) string { return strings.ToLower(strings.Trim(s, " .!。！")) }
	if bare(text) == bare(label) {
		return true
	}
	said, ok := session.YesOrNo(text)
	means, isOne := session.YesOrNo(label)
	return ok && isOne && said == means
}

// findRow returns hob's own command in a line such as /undo #41, if the speaker has it.
func (in *Handler) findRow(sp speaker, line string) (row commands.Command, c command, known bool) {
	c, ok := parseCommand(line)
	row, known = in.cfg.Commands.Find(c.name, commands.Telegram)
	return row, c, ok && known && row.Level() <= sp.principal.Level
}

// isToolCall reports whether the text of a choice calls a tool, as if a person had written it.
// Choices of a story, and choices offered by strangers, never do.
func (in *Handler) isToolCall(ctx context.Context, sp speaker, of event.Choice, from event.Label) (bool, error) {
	c, ok := parseCommand(of.Text)
	if !ok || of.Pick != "" || from.Untrusted {
		return false, nil
	}
	if in.cfg.Story == nil {
		return true, nil
	}
	takes, _ := in.cfg.Story.Takes(ctx, sp.address.Name(), c.name, c.args)
	return !takes, context.Cause(ctx)
}

// offersChoices reports whether an event is shown as a message with choices.
func offersChoices(b event.Body) bool {
	switch b.(type) {
	case event.Replied, event.Noted:
		return true
	}
	return false
}

// pressedEvent returns the event of the message with the pressed button. People may see a message a
// moment before hob has recorded it.
func (in *Handler) pressedEvent(ctx context.Context, sp speaker) (e event.Event, known bool, err error) {
	e, known, err = in.eventOf(ctx, sp.address.Name(), sp.message)
	for range noteTries {
		if known || err != nil || retry.Wait(ctx, noteWait) != nil {
			break
		}
		e, known, err = in.eventOf(ctx, sp.address.Name(), sp.message)
	}
	return e, known, err
}

// findChoice finds the pressed choice below a message, and the label of its author, which is zero
// for hob.
func (in *Handler) findChoice(ctx context.Context, sp speaker, data string) (o pickedChoice, from event.Label, known bool, err error) {
	ref, ok := chat.ParseChoiceRef(data)
	o.ChoiceRef = ref
	if !ok {
		return o, from, false, nil
	}
	name := sp.address.Name()
	shown, known, err := in.pressedEvent(ctx, sp)
	if err != nil || !known || !offersChoices(shown.Body) || o.Seq > shown.Seq {
		return o, from, false, err
	}
	e := shown
	if o.Seq != shown.Seq {
		if e, known, err = in.eventAt(ctx, name, o.Seq); err != nil || !known || e.Turn != shown.Turn {
			return o, from, false, err
		}
	}
	var all []event.Choice
	switch b := e.Body.(type) {
	case event.Replied:
		all, from = b.Choices, b.Label
	case event.Returned:
		all, from = b.Choices, b.Label
	case event.Noted:
		all = b.Choices // hob wrote the choices, whoever wrote the text above
	}
	if o.At >= len(all) {
		return o, from, false, nil
	}
	if o.Choice = all[o.At]; o.Trusted {
		from = event.Label{}
	}
	return o, from, true, nil
}
