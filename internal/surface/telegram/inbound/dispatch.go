package inbound

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/markdown"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// newItem decodes an update. One that cannot be decoded, or that hob does not handle, becomes an
// item all the same, which is recorded as done.
func (in *Handler) newItem(u event.Update) item {
	it := item{Update: u}
	if err := json.Unmarshal(u.Raw, &it.up); err != nil {
		in.cfg.Log.Warn("update skipped: it cannot be read", "update", u.ID, "err", err)
		it.up = client.Update{}
	}
	switch {
	case it.up.Message != nil:
		it.queue.Address = it.up.Message.Address()
	case it.up.Edited != nil:
		it.queue.Address = it.up.Edited.Address()
	case it.up.Callback != nil && it.up.Callback.Message != nil:
		it.queue = queueKey{it.up.Callback.Message.Address(), asksQuestion(it.up.Callback.Data)}
	case it.up.Stopped != nil:
		it.queue.Address = chat.Address{Chat: it.up.Stopped.Chat.ID}
	case it.up.Reaction != nil:
		it.queue.Address = chat.Address{Chat: it.up.Reaction.Chat.ID}
	}
	return it
}

// handle handles an item, with the other messages of its album, and records them as done. It
// returns their N. An item that the end of ctx interrupts comes again after the next start.
func (in *Handler) handle(ctx context.Context, it item) (done []int64) {
	all, err := in.dispatchContained(ctx, it)
	if err != nil {
		if ctx.Err() == nil {
			in.cfg.Log.Error("update left undone", "update", it.ID, "err", err)
		}
		return []int64{it.N}
	}
	// The first was handed in for all of them, so it is done last: otherwise a restart could take
	// the others for inputs of their own.
	for _, it := range slices.Backward(all) {
		done = append(done, it.N)
		if in.setState(ctx, it, event.UpdateDone) != nil {
			return done
		}
	}
	return done
}

// dispatchContained is dispatch, but if hob itself fails at an update, the update is done and its
// chat is told, because it would fail again at each start.
func (in *Handler) dispatchContained(ctx context.Context, it item) (all []item, err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		in.cfg.Log.Error("hob itself has a fault", "update", it.ID, "panic", p, "stack", string(debug.Stack()))
		all, err = []item{it}, nil
		if _, known, _ := in.lookUpPerson(ctx, it.queue.Chat); known {
			in.answer(ctx, speaker{address: it.queue.Address}, 0, chat.Answer{Text: in.say(ctx, speaker{address: it.queue.Address}, "fault")})
		}
	}()
	return in.dispatch(ctx, it)
}

// dispatch handles an update by its kind. It returns the handled items, and an error only if the
// update must be handled again.
func (in *Handler) dispatch(ctx context.Context, it item) ([]item, error) {
	one := []item{it}
	switch {
	case it.up.Message != nil:
		return in.handleMessage(ctx, it)
	case it.up.Edited != nil:
		return one, in.handleCorrection(ctx, it.up.Edited)
	case it.up.Callback != nil && it.up.Callback.Message != nil:
		return one, in.handlePress(ctx, it)
	case it.up.Stopped != nil:
		return one, in.handleStopPress(ctx, it.up.Stopped)
	case it.up.Reaction != nil:
		return one, in.handleReaction(ctx, it)
	}
	return one, nil // an unhandled kind, such as a member who joined or left
}

// handleMessage handles a message.
func (in *Handler) handleMessage(ctx context.Context, it item) ([]item, error) {
	m := it.up.Message
	one := []item{it}
	if m.MigrateTo != 0 {
		return one, in.handleMigration(ctx, m)
	}
	sp, known, err := in.admit(ctx, m.From, m.Chat, m.SenderChat, m.Address())
	if err != nil {
		return nil, err
	}
	if !known {
		in.strangers.Add(1)
		return one, in.pair(ctx, it)
	}
	sp.message = m.ID
	in.cfg.Seen.Observe(m, in.cfg.Now())
	in.lastTexts.note(m)
	if _, code := pairingCode(m.Text); code && it.State == event.UpdateBegun && sp.address.Private() {
		in.answer(ctx, sp, 0, chat.Answer{Text: welcomeText(sp, sp.principal.Level)}) // an earlier run stopped before the welcome
		return one, context.Cause(ctx)
	}
	if m.Group != "" {
		if one, err = in.collectAlbum(ctx, it); err != nil {
			return nil, err
		}
	}
	return one, in.handleWords(ctx, sp, one)
}

// handleWords handles the message, or album, of a known person.
func (in *Handler) handleWords(ctx context.Context, sp speaker, all []item) error {
	h, err := in.readMessages(ctx, sp, all)
	if err != nil || !h.addressed {
		return err
	}
	if !all[0].stops() { // anybody who may speak may stop, without a wait
		if sp.principal.Level, err = in.levelOf(ctx, sp); err != nil {
			return err
		}
	}
	if h.ownWords {
		if done, err := in.handleCommand(ctx, sp, all[0], h); done || err != nil {
			return err
		}
		if done, err := in.answerChoice(ctx, sp, all[0], h.text); done || err != nil {
			return err
		}
		if done, err := in.answerQuestion(ctx, sp, all[0].up.Message, h.text); done || err != nil {
			return err
		}
		if done, err := in.answerReminder(ctx, sp, all[0], h.text); done || err != nil {
			return err
		}
	}
	t, ok, err := in.receiveFiles(ctx, sp, all)
	if err != nil || !ok {
		return err
	}
	text := strings.Join(append(nonEmpty(h.text), t.lines...), "\n")
	if strings.TrimSpace(text) == "" && h.before == "" {
		return in.answerEmpty(ctx, sp, all[0])
	}
	if h.text == "" && h.before == "" && len(t.files) == 0 && in.lacksModel(ctx) { // a sticker or a location, for example
		in.reply(ctx, sp, in.say(ctx, sp, "words.only"))
		return context.Cause(ctx)
	}
	if !sp.address.Private() {
		text = sp.name() + ": " + text
	}
	input := session.Input{
		Chat: sp.address.Name(), ID: all[0].inputID(), From: sp.id(), Text: h.before + text,
		Principal: sp.principal, Label: h.label, Files: t.files, Aside: append(h.aside, t.aside...),
	}
	input.Typed = h.typed && (h.before == "" || h.toBot) && !sp.guest // hob's own words that it replies to are no stranger's
	if h.ownWords && (!sp.address.Private() || h.before != "") {      // it also has words of others, or of the bot
		input.Own = h.text
	}
	return in.submitWaiting(ctx, sp, input)
}

// submitWaiting is submit, but tells the author if a question must be answered before the input is
// read, or if no model can read its files now.
func (in *Handler) submitWaiting(ctx context.Context, sp speaker, input session.Input) error {
	asks := in.isAsking(ctx, sp) // checked before, because the input may ask a question itself
	taken, err := in.submit(ctx, sp, input)
	if taken && asks && in.isAsking(ctx, sp) { // otherwise it stopped the turn that asked
		in.reply(ctx, sp, in.say(ctx, sp, "read.later"))
	}
	if taken && len(input.Files) > 0 && in.lacksModel(ctx) {
		names := lists.Map(input.Files, func(f event.File) string { return markdown.Escape(quotePath(f.Path)) })
		in.reply(ctx, sp, in.say(ctx, sp, "file.kept", strings.Join(names, ", ")))
	}
	return err
}

// lacksModel reports whether no model is available now.
func (in *Handler) lacksModel(ctx context.Context) bool {
	return in.cfg.HasModel != nil && !in.cfg.HasModel(ctx)
}

func nonEmpty(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return []string{s}
}
