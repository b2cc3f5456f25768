package inbound

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/retry"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// maxToast limits the text that Telegram shows after a press, in UTF-16 units.
const maxToast = 200

// asksQuestion reports whether data belongs to a button below a question.
func asksQuestion(data string) bool {
	return strings.HasPrefix(data, chat.PressYes) || strings.HasPrefix(data, chat.PressNo) || strings.HasPrefix(data, chat.PressAlways)
}

// handlePress handles a press of a button. Its data proves nothing, because whoever has the message
// can send any data.
func (in *Handler) handlePress(ctx context.Context, it item) error {
	cb := it.up.Callback
	at := cb.Message.Address()
	sp, known, err := in.admit(ctx, &cb.From, cb.Message.Chat, nil, at)
	if err != nil {
		return err
	}
	if !known {
		in.strangers.Add(1)
		return in.dismissPress(ctx, speaker{User: cb.From}, cb.ID)
	}
	sp.message = cb.Message.ID
	if sp.principal.Level, err = in.levelOf(ctx, sp); err != nil {
		return err
	}
	text, err := in.press(ctx, sp, cb.Data, it.inputID())
	if text, err = in.outcomeText(ctx, sp, text, err); err != nil {
		return err
	}
	return in.acknowledge(ctx, cb.ID, text)
}

// press acts on the data of a button, and returns the text to show.
func (in *Handler) press(ctx context.Context, sp speaker, data, id string) (string, error) {
	if asksQuestion(data) {
		return in.pressQuestion(ctx, sp, data[:len(chat.PressYes)], data[len(chat.PressYes):])
	}
	if nonce, ok := strings.CutPrefix(data, chat.PressButton); ok {
		return in.pressButton(ctx, sp, nonce)
	}
	if turn, ok := chat.ParseTurnData(chat.PressRetry, data); ok {
		return in.pressRetry(ctx, sp, turn)
	}
	if turn, ok := chat.ParseTurnData(chat.PressUndo, data); ok {
		return in.pressUndo(ctx, sp, turn)
	}
	if strings.HasPrefix(data, chat.PressChoice) {
		return in.pressChoice(ctx, sp, data, id, false)
	}
	return in.say(ctx, sp, "old.button"), nil
}

// outcomeText returns the text for an outcome, for a speaker. It fails only if ctx ends.
func (in *Handler) outcomeText(ctx context.Context, sp speaker, text string, err error) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return chat.OneLine(in.sentence(ctx, sp, err), 180), nil
	}
	return text, nil
}

// acknowledge answers a press. Telegram accepts that for about a minute.
func (in *Handler) acknowledge(ctx context.Context, id, text string) error {
	within, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	err := retry.Policy{Backoff: retry.Backoff{First: firstWait}, Permanent: client.IsPermanent}.Do(within, func() error {
		if left := in.ackLimits.Left(0); left > 0 {
			if err := retry.Wait(within, left); err != nil {
				return retry.Stop(err)
			}
		}
		return in.answerPress(within, id, text)
	})
	if err != nil && ctx.Err() == nil {
		in.cfg.Log.Debug("press not acknowledged", "err", err)
	}
	return context.Cause(ctx)
}

// dismissPress answers the press of a stranger. It tries once, and not at all during a rate limit.
func (in *Handler) dismissPress(ctx context.Context, sp speaker, id string) error {
	within, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if in.ackLimits.Left(0) == 0 {
		if err := in.answerPress(within, id, sayFirst(sp, "not.yours")); err != nil {
			in.cfg.Log.Debug("press not acknowledged", "err", err)
		}
	}
	return context.Cause(ctx)
}

// answerPress shows a text, if any, to the person who pressed.
func (in *Handler) answerPress(ctx context.Context, id, text string) error {
	err := in.cfg.Client.Call(ctx, "answerCallbackQuery", client.Params{"callback_query_id": id, "text": text}, nil)
	if after := client.RetryAfter(err); after > 0 {
		in.ackLimits.Note(0, after)
	}
	return err
}

// eventOf returns the event that a message of the bot shows. Only hob can determine it.
func (in *Handler) eventOf(ctx context.Context, name event.Chat, message int64) (e event.Event, known bool, err error) {
	var s event.Send
	err = in.retry(ctx, "look up a message", func() (err error) {
		s, known, err = in.cfg.Sent.SentAs(ctx, name, message)
		return err
	})
	if err != nil || !known || s.State == event.SendGone {
		return event.Event{}, false, err
	}
	return in.eventAt(ctx, name, s.Seq)
}

// eventAt reads one event of a chat; known is false if it does not exist or cannot be read.
func (in *Handler) eventAt(ctx context.Context, name event.Chat, seq int64) (e event.Event, known bool, err error) {
	within, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for e, err := range in.cfg.Journal.Follow(within, name, seq-1) {
		switch {
		case ctx.Err() != nil:
			return event.Event{}, false, context.Cause(ctx)
		case err != nil:
			in.cfg.Log.Warn("event of a message not read", "chat", name, "seq", seq, "err", err)
			return event.Event{}, false, nil
		case e.Seq == 0:
			continue
		}
		return e, e.Seq == seq, nil
	}
	return event.Event{}, false, context.Cause(ctx)
}

// pressQuestion answers the question with this id, if the message asks it, and returns the outcome.
func (in *Handler) pressQuestion(ctx context.Context, sp speaker, kind, id string) (string, error) {
	e, known, err := in.pressedEvent(ctx, sp)
	if err != nil {
		return "", err
	}
	q, ok := e.Body.(event.Asked)
	if !known || !ok || q.ID != id || id == "" || kind == chat.PressAlways && len(q.Grants) == 0 {
		return in.say(ctx, sp, "old.question"), nil
	}
	return in.decide(ctx, sp, q, kind)
}

// decide hands in an answer. The session decides whether it counts.
func (in *Handler) decide(ctx context.Context, sp speaker, q event.Asked, kind string) (string, error) {
	allow := kind != chat.PressNo
	if sp.principal.Level < event.BotAdmin && (allow || !sp.address.Private()) {
		return in.say(ctx, sp, "only.owner"), nil
	}
	waits, err := in.cfg.Questions.IsAsking(ctx, sp.address.Name(), q.ID)
	if err != nil {
		return "", err
	}
	a := session.Answer{Chat: sp.address.Name(), ID: q.ID, Allow: allow, By: sp.id(), Principal: sp.principal}
	if kind == chat.PressAlways {
		a.Grants = q.Grants
	}
	// The answer to a question from before a restart counts, even if the turn has not asked it
	// again.
	err = in.cfg.Questions.Decide(ctx, a)
	switch {
	case err != nil && !waits:
		return in.say(ctx, sp, "answered"), nil
	case err != nil:
		return "", err
	case !allow:
		return in.say(ctx, sp, "denied"), nil
	case kind == chat.PressYes:
		return in.say(ctx, sp, "allowed"), nil
	}
	words := chat.Words(in.language(ctx, sp))
	all := lists.Map(q.Grants, func(g event.Grant) string { return g.In(words.Text) })
	return chat.OneLine(in.say(ctx, sp, "allowed.always", strings.Join(all, ", ")), 180), nil
}

// answerQuestion treats a yes or no in reply to the message of a question as its answer, because
// buttons do not work everywhere. Other messages may say yes to something else, so while a question
// waits they are no answer, and the author is told how to answer.
func (in *Handler) answerQuestion(ctx context.Context, sp speaker, m *client.Message, text string) (done bool, err error) {
	yes, ok := session.YesOrNo(text)
	if !ok {
		return false, nil
	}
	q, known, err := in.repliedQuestion(ctx, sp, m)
	if err != nil {
		return true, err
	}
	if !known {
		if !in.isAsking(ctx, sp) {
			return false, context.Cause(ctx)
		}
		in.reply(ctx, sp, in.say(ctx, sp, "how.to.answer"))
		return true, context.Cause(ctx)
	}
	kind := chat.PressNo
	if yes {
		kind = chat.PressYes
	}
	outcome, err := in.decide(ctx, sp, q, kind)
	if outcome, err = in.outcomeText(ctx, sp, outcome, err); err != nil {
		return true, err
	}
	in.reply(ctx, sp, outcome)
	return true, context.Cause(ctx)
}

// repliedQuestion returns the question to which a message replies; known is false if there is none.
func (in *Handler) repliedQuestion(ctx context.Context, sp speaker, m *client.Message) (q event.Asked, known bool, err error) {
	r := m.RepliesTo()
	if r == nil || r.From == nil || !r.From.IsBot {
		return event.Asked{}, false, nil
	}
	e, known, err := in.eventOf(ctx, sp.address.Name(), r.ID)
	q, asks := e.Body.(event.Asked)
	return q, known && asks, err
}

// isAsking reports whether a question waits in a private chat. In a group only an owner or admin
// can answer.
func (in *Handler) isAsking(ctx context.Context, sp speaker) bool {
	if !sp.address.Private() {
		return false
	}
	waits, err := in.cfg.Questions.IsAsking(ctx, sp.address.Name(), "")
	return err == nil && waits
}

// pressRetry retries a parked turn, if the message is about it, and returns the outcome.
func (in *Handler) pressRetry(ctx context.Context, sp speaker, turn int64) (string, error) {
	e, known, err := in.eventOf(ctx, sp.address.Name(), sp.message)
	if err != nil {
		return "", err
	}
	if _, parked := e.Body.(event.Parked); !known || !parked || e.Turn != turn {
		return in.say(ctx, sp, "old.button"), nil
	}
	err = session.ErrNotParked
	if in.cfg.Retry != nil {
		err = in.cfg.Retry(ctx, sp.address.Name(), turn)
	}
	switch {
	case errors.Is(err, session.ErrNotParked):
		return in.say(ctx, sp, "answered"), nil
	case err != nil:
		return "", err
	}
	in.cfg.Sender.Wake(sp.address.Name())
	in.cfg.Cleaner.RemoveButtons(sp.address, sp.message)
	return in.say(ctx, sp, "retried"), nil
}

// pressUndo undoes the changes of a turn, if the message is its reply. In a group only the person
// who asked for the turn, and an owner, may do that. A failure is shown for the press, and the
// button stays.
func (in *Handler) pressUndo(ctx context.Context, sp speaker, turn int64) (string, error) {
	name := sp.address.Name()
	e, known, err := in.pressedEvent(ctx, sp)
	if err != nil {
		return "", err
	}
	row, c, has := in.findRow(sp, "/undo of "+strconv.FormatInt(turn, 10))
	if _, replied := e.Body.(event.Replied); !known || !replied || e.Turn != turn || !has {
		return in.say(ctx, sp, "old.button"), nil
	}
	if !sp.address.Private() && sp.principal.Level < event.Owner {
		asked, _, err := in.eventAt(ctx, name, turn)
		if said, _ := asked.Body.(event.Said); err != nil || said.From != sp.id() {
			return in.say(ctx, sp, "not.yours"), err
		}
	}
	a, err := in.cfg.Commands.Run(ctx, c.name, in.request(ctx, sp, c.args))
	if err != nil {
		return "", err
	}
	in.cfg.Sender.Wake(name) // the undo may have handed in an input
	in.cfg.Cleaner.RemoveButtons(sp.address, sp.message)
	return "", in.sendAnswer(ctx, sp, in.offer(sp.address, a, guard{least: row.Level()}))
}
