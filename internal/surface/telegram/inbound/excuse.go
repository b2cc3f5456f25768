package inbound

import (
	"context"
	"errors"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// excuseFor limits how long excuses delay the next try.
const excuseFor = 20 * time.Second

// Excuse tells the authors of messages that could not be stored that these are not lost, except in
// the chats in excused, to which it adds. It writes nothing to the disk. Strangers get no answer.
func (in *Handler) Excuse(ctx context.Context, all []event.Update, why error, excused map[chat.Address]bool) {
	ctx, cancel := context.WithTimeout(ctx, excuseFor)
	defer cancel()
	for _, u := range all {
		it := in.newItem(u)
		if it.up.Message == nil || excused[it.queue.Address] || !in.isExpected(ctx, it) {
			continue
		}
		said := client.ParamsFor(it.queue.Address)
		said["text"] = excuseText(speaker{User: *it.up.Message.From}, why)
		if err := in.cfg.Client.Call(ctx, "sendMessage", said, nil); err != nil {
			in.cfg.Log.Warn("telegram: excuse not sent", "err", err)
			continue
		}
		excused[it.queue.Address] = true
	}
}

// isExpected reports whether a message comes from a known person and is for the bot.
func (in *Handler) isExpected(ctx context.Context, it item) bool {
	m := it.up.Message
	sp, known, err := in.admit(ctx, m.From, m.Chat, m.SenderChat, m.Address())
	if err != nil || !known || !sp.address.Private() && in.cfg.Me().ID == 0 {
		return false
	}
	h, err := in.readMessages(ctx, sp, []item{it})
	return err == nil && h.addressed
}

// peopleError is an error that can explain itself to people far from the machine.
type peopleError interface {
	error
	ForPeople() (cause, mended string) // such as "the disk is full" and "when there is room"
}

// excuseText returns the reason why a message cannot be stored.
func excuseText(sp speaker, why error) string {
	cause, then := "", sayFirst(sp, "excuse.then")
	if e := peopleError(nil); errors.As(why, &e) {
		cause, then = e.ForPeople()
		cause = ": " + cause
	}
	return sayFirst(sp, "excuse", cause, then)
}
