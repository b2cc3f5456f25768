package inbound

import (
	"context"
	"slices"
	"strconv"

	"hob/internal/event"
	"hob/internal/surface/telegram/client"
)

// thumbs are the reactions to a reminder that mark it as done.
func thumbs() []string { return []string{"👍", "👌", "💯", "🎉", "❤", "🙏"} }

// handleReaction treats a thumb below a reminder as its answer.
func (in *Handler) handleReaction(ctx context.Context, it item) error {
	r := it.up.Reaction
	isThumb := func(s client.EmojiState) bool { return s.Type == "emoji" && slices.Contains(thumbs(), s.Emoji) }
	if r.From == nil || !slices.ContainsFunc(r.New, isThumb) {
		return nil
	}
	sp, known, err := in.admit(ctx, r.From, r.Chat, nil, it.queue.Address)
	if err != nil || !known {
		return err
	}
	id, err := in.reminderOf(ctx, sp, r.Message)
	if err != nil || id == 0 {
		return err
	}
	return in.changeReminder(ctx, sp, it, id, "done")
}

// answerReminder treats a reply to a reminder as a change of it.
func (in *Handler) answerReminder(ctx context.Context, sp speaker, it item, text string) (done bool, err error) {
	to := it.up.Message.RepliesTo()
	if in.cfg.ChangesReminder == nil || to == nil || to.From == nil || !to.From.IsBot || !in.cfg.ChangesReminder(text) {
		return false, nil
	}
	id, err := in.reminderOf(ctx, sp, to.ID)
	if err != nil || id == 0 {
		return false, err
	}
	return true, in.changeReminder(ctx, sp, it, id, text)
}

// reminderOf returns the reminder that a message of the bot delivers, or 0.
func (in *Handler) reminderOf(ctx context.Context, sp speaker, message int64) (int64, error) {
	e, known, err := in.eventOf(ctx, sp.address.Name(), message)
	note, isNote := e.Body.(event.Noted)
	if err != nil || !known || !isNote {
		return 0, err
	}
	return note.Reminder, nil
}

// changeReminder hands in the command that a person could have typed.
func (in *Handler) changeReminder(ctx context.Context, sp speaker, it item, id int64, change string) error {
	_, err := in.submit(ctx, sp, commandInput(sp, it, sp.groupLabel(), "/reminder "+strconv.FormatInt(id, 10)+" "+change))
	return err
}
