package outbound

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/client"
)

const (
	typingEvery = 4500 * time.Millisecond // Telegram shows it for 5 s
	firstDraft  = 400 * time.Millisecond  // after there is something to show
	earlyDraft  = 150 * time.Millisecond  // if that has earlyBytes, more than a word
	earlyBytes  = 20
	freshDraft  = 20 * time.Second // Telegram shows one for 30 s
	firstStatus = 10 * time.Second // after the turn began: a crash may leave the message behind, so most turns have none
	statusEvery = 3 * time.Second  // Telegram lets 20 messages a minute into a group
	defaultPace = 700 * time.Millisecond
)

// liveCall is a call of the live view, and later its result.
type liveCall struct {
	method       string // "": no call
	turn         int64
	preview      preview
	status       int64   // the status message to change, or the new one
	statusFailed bool    // as in liveTurn
	picture      picture // the picture to update
	err          error
}

// showLive makes the next live call if it is due, unless one is in progress, and returns when to
// check again.
func (c *chatSender) showLive(ctx context.Context) time.Duration {
	if c.liveMethod != "" {
		return idleAfter
	}
	call, due := c.nextLive()
	if call.method == "" {
		return idleAfter
	}
	if wait := max(due.Sub(c.cfg.Now()), c.senders.limits.Left(c.to.Chat)); wait > 0 {
		return wait
	}
	c.startLive(ctx, call)
	return idleAfter
}

// startLive starts a live call.
func (c *chatSender) startLive(ctx context.Context, call liveCall) {
	if call.method == methodEditMedia {
		c.pictures = c.pictures[1:]
	}
	limit := showTime
	if call.method == methodSend { // not ended with ctx, which could leave a message with an unknown id
		ctx, limit = context.WithoutCancel(ctx), statusTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	c.liveMethod = call.method
	c.hurryLive = sync.OnceFunc(func() { time.AfterFunc(hurryTime, cancel) })
	go func() {
		defer cancel()
		if err := c.senders.contain(c.name, func() error { call = c.callLive(ctx, call); return nil }); err != nil {
			call.err = err
		}
		c.liveDone <- call
	}()
}

// nextLive returns the live call that is due first, and when.
func (c *chatSender) nextLive() (call liveCall, due time.Time) {
	if o := c.turns.open.Running(); o != nil && !c.live.paused && c.live.turn == o.Seq {
		call, due = c.nextOfTurn(o)
	}
	if at, ok := c.nextPicture(); ok && (call.method == "" || at.Before(due)) {
		return liveCall{method: methodEditMedia, picture: c.pictures[0]}, at
	}
	return call, due
}

// nextOfTurn returns the next live call of the running turn. Typing is shown together with a status
// message, but not with a draft, and not while a question is open.
func (c *chatSender) nextOfTurn(o *openTurn) (call liveCall, due time.Time) {
	call = liveCall{turn: o.Seq, preview: c.live.preview(), status: c.live.status}
	drafts, asks := c.to.Private() && !c.senders.noDraft.Load(), o.isAsking()
	if call.preview != (preview{}) && c.sending == nil && len(c.items) == 0 { // items go first
		switch {
		case !drafts:
			call.method, due = c.nextStatus(call.preview)
		case !asks:
			call.method, due = methodDraft, c.live.draftAt(call.preview, c.cfg.Pace)
		}
	}
	if asks || drafts && c.live.shown != (preview{}) {
		return call, due
	}
	if at := c.live.typedAt.Add(typingEvery); call.method == "" || at.Before(due) {
		call.method, due = methodTyping, at
	}
	return call, due
}

// nextStatus returns the method for the status message, or "".
func (c *chatSender) nextStatus(view preview) (method string, due time.Time) {
	switch {
	case c.live.status != 0 && view != c.live.shown:
		return methodEdit, c.live.lastCallAt.Add(max(statusEvery, c.cfg.Pace))
	case c.live.status == 0 && !c.live.statusFailed && !c.senders.noStatus.Load():
		return methodSend, c.live.began.Add(firstStatus)
	}
	return "", due
}

// callLive makes a live call and returns it with its result.
func (c *chatSender) callLive(ctx context.Context, call liveCall) liveCall {
	switch call.method {
	case methodTyping:
		p := client.ParamsFor(c.to)
		p["action"] = "typing"
		call.err = c.post.call(ctx, methodTyping, p, nil)
	case methodDraft:
		p := client.ParamsFor(c.to)
		p["draft_id"] = strconv.FormatInt(call.turn, 10)
		p["can_stop"] = "true"
		call.err = c.post.callWithText(ctx, methodDraft, p, call.preview.message(), nil)
	case methodEdit:
		call.err = c.post.editText(ctx, call.status, call.preview.message(), "")
	case methodSend:
		call = c.postStatus(ctx, call)
	case methodEditMedia:
		call.err = c.replacePicture(ctx, call.picture.file)
	}
	return call
}

// postStatus sends the status message of a turn.
func (c *chatSender) postStatus(ctx context.Context, call liveCall) liveCall {
	rec, err := c.cfg.Outbox.BeginSend(ctx, c.name, call.turn, statusPart)
	if err == nil && (rec.State == event.SendHeld || rec.State == event.SendGone) { // there is none
		rec.State, rec.Message = event.SendBegun, 0
		err = c.cfg.Outbox.SetSend(ctx, rec, "", 0)
	}
	switch {
	case err != nil:
		call.err = err
		return call
	case rec.State != event.SendBegun || rec.Tries > 1:
		call.statusFailed = true
		return call
	}
	id, err := c.post.sendText(ctx, call.preview.message(), options{silent: true}, false)
	switch {
	case err == nil:
		rec.State, rec.Message, call.status = event.SendSent, id, id
	case isFinal(err):
		rec.State, call.statusFailed = event.SendRefused, true
	case client.MayHaveArrived(err):
		call.statusFailed = true
	default:
		rec.State = event.SendHeld
	}
	call.err = err
	if err := c.cfg.Outbox.SetSend(context.WithoutCancel(ctx), rec, "", 0); err != nil {
		c.cfg.Log.Error("cannot note what is sent", "chat", c.name, "err", err)
	}
	return call
}

// finishLive folds in the result of a live call.
func (c *chatSender) finishLive(call liveCall) {
	c.liveMethod, c.hurryLive = "", nil
	now := c.cfg.Now()
	if after := client.RetryAfter(call.err); after > 0 {
		c.senders.limits.Note(c.to.Chat, after)
	}
	if call.err != nil {
		c.cfg.Log.Debug("a live call has failed", "chat", c.name, "method", call.method, "err", call.err)
	}
	switch call.method {
	case methodEditMedia:
		c.finishPicture(call)
		return
	case methodDraft:
		if client.RefusesDrafts(call.err) {
			c.senders.noDraft.Store(true)
		}
	default: // a server without sendChatAction is a partial imitation: do not try edits either
		if client.IsUnknownMethod(call.err) {
			c.senders.noStatus.Store(true)
		}
	}
	switch {
	case c.live.turn != call.turn:
	case call.method == methodTyping:
		c.live.typedAt = now
	default:
		c.live.lastCallAt, c.live.status = now, call.status
		c.live.statusFailed = c.live.statusFailed || call.statusFailed
		if call.err == nil || errors.Is(call.err, errFault) || call.method == methodEdit && client.IsRefusal(call.err) { // a person may have deleted it
			c.live.shown = call.preview
		}
	}
}
