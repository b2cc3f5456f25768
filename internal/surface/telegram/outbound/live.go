package outbound

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/client"
)

const (
	typingEvery = 4500 * time.Millisecond // Telegram shows it for 5 s
	firstDraft  = 400 * time.Millisecond  // from when there is something to show
	earlyDraft  = 150 * time.Millisecond  // where that has earlyBytes, more than a word
	earlyBytes  = 20
	freshDraft  = 20 * time.Second // Telegram shows one for 30 s
	firstStatus = 10 * time.Second // from when the turn runs: a crash may leave the message, so most turns have none
	statusEvery = 3 * time.Second  // Telegram lets 20 messages a minute into a group
	defaultPace = 700 * time.Millisecond

	showTime  = 10 * time.Second       // for a call
	hurryTime = 500 * time.Millisecond // for the rest of a call when the reply is there
)

// liveCall is a call of the live view, and its result once it was made.
type liveCall struct {
	method       string
	turn         int64
	preview      preview
	status       int64   // the status message: the one to change, or the new one
	statusFailed bool    // as in liveTurn
	picture      picture // to be replaced
	err          error
}

// showLive makes the next live call if it is due, unless one is under way, and returns when to look again.
func (c *chatSender) showLive(ctx context.Context) time.Duration {
	if c.liveMethod != "" {
		return idleAfter
	}
	now := c.senders.cfg.Now()
	method, view, at := c.nextLive(now)
	if due, ok := c.nextPicture(); ok && (method == "" || due.Before(at)) {
		method, at = methodEditMedia, due
	}
	if method == "" {
		return idleAfter
	}
	if wait := max(at.Sub(now), c.senders.limits.Left(c.to.Chat)); wait > 0 {
		return wait
	}
	c.liveMethod = method
	callCtx, cancel := context.WithTimeout(ctx, showTime)
	if method == methodSend { // cut short, nobody would know the id of the message
		cancel()
		callCtx, cancel = context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	}
	hurried := false
	c.hurryLive = func() {
		if !hurried {
			hurried = true
			time.AfterFunc(hurryTime, cancel)
		}
	}
	call := liveCall{method: method, turn: c.live.turn, preview: view, status: c.live.status}
	if method == methodEditMedia {
		call.picture, c.pictures = c.pictures[0], c.pictures[1:]
	}
	go func() {
		defer cancel()
		c.liveDone <- c.callLive(callCtx, call)
	}()
	return idleAfter
}

// nextLive returns the next live call, and when it is due. The view waits while there are items. Typing is shown
// beside a status message, but not beside a draft, and not while a question is open.
func (c *chatSender) nextLive(now time.Time) (method string, view preview, at time.Time) {
	o := c.turns.running()
	if o == nil || c.live.paused || c.live.turn != o.seq {
		return "", view, now
	}
	asks := o.isAsking()
	drafts := c.to.Private() && !c.senders.noDraft.Load()
	if view = c.live.preview(); view != (preview{}) && c.sending == nil && len(c.items) == 0 {
		switch {
		case drafts && !asks:
			method, at = methodDraft, c.live.draftAt(view, c.senders.cfg.Pace)
		case !drafts && c.live.status == 0 && !c.live.statusFailed && !c.senders.noEdit.Load():
			method, at = methodSend, c.live.began.Add(firstStatus)
		case !drafts && c.live.status != 0 && view != c.live.shown:
			method, at = methodEdit, c.live.sentAt.Add(max(statusEvery, c.senders.cfg.Pace))
		}
	}
	if asks || drafts && c.live.shown != (preview{}) {
		return method, view, at
	}
	if soon := c.live.typedAt.Add(typingEvery); method == "" || soon.Before(at) {
		return methodTyping, view, soon
	}
	return method, view, at
}

// callLive makes a live call, and returns it with its result.
func (c *chatSender) callLive(ctx context.Context, call liveCall) liveCall {
	switch call.method {
	case methodTyping:
		p := client.ParamsFor(c.to)
		p["action"] = "typing"
		call.err = c.senders.call(ctx, methodTyping, p, nil)
	case methodDraft:
		p := client.ParamsFor(c.to)
		p["draft_id"] = strconv.FormatInt(call.turn, 10)
		p["can_stop"] = "true"
		call.err = c.senders.call(ctx, methodDraft, withText(p, call.preview.message()), nil)
		if client.IsRefusal(call.err) && !client.IsUnknownMethod(call.err) {
			call.err = c.senders.call(ctx, methodDraft, withText(p, withoutEntities(call.preview.message())), nil)
		}
	case methodEdit:
		call.err = c.senders.editText(ctx, c.to, call.status, call.preview.message(), "")
	case methodSend:
		call = c.postStatus(ctx, call)
	case methodEditMedia:
		call.err = c.replacePicture(ctx, call.picture.file)
	}
	return call
}

// postStatus sends the status message of a turn.
func (c *chatSender) postStatus(ctx context.Context, call liveCall) liveCall {
	rec, err := c.senders.cfg.Outbox.BeginSend(ctx, c.name, call.turn, statusPart)
	if err == nil && (rec.State == event.SendHeld || rec.State == event.SendGone) { // there is none any more
		rec.State, rec.Message = event.SendBegun, 0
		err = c.senders.cfg.Outbox.SetSend(ctx, rec, "", 0)
	}
	switch {
	case err != nil:
		call.err = err
		return call
	case rec.State != event.SendBegun || rec.Tries > 1:
		call.statusFailed = true
		return call
	}
	id, err := c.sendText(ctx, call.preview.message(), options{silent: true}, false)
	switch {
	case err == nil:
		rec.State, rec.Message, call.status = event.SendSent, id, id
	case isFinal(err):
		rec.State, call.statusFailed = event.SendRefused, true
	case mayHaveArrived(err):
		call.statusFailed = true
	default:
		rec.State = event.SendHeld
	}
	call.err = err
	if err := c.senders.cfg.Outbox.SetSend(context.WithoutCancel(ctx), rec, "", 0); err != nil {
		c.senders.cfg.Log.Error("cannot note what is sent", "chat", c.name, "err", err)
	}
	return call
}

// finishLive folds in the result of a live call.
func (c *chatSender) finishLive(call liveCall) {
	c.liveMethod, c.hurryLive = "", nil
	now := c.senders.cfg.Now()
	if after := client.RetryAfter(call.err); after > 0 {
		c.senders.limits.Note(c.to.Chat, after)
	}
	switch {
	case call.method == methodDraft:
		if refusesDrafts(call.err) {
			c.senders.noDraft.Store(true)
		}
	case call.method != methodEditMedia && client.IsUnknownMethod(call.err): // one without typing has no edits either
		c.senders.noEdit.Store(true)
	}
	if call.err != nil {
		c.senders.cfg.Log.Debug("a live call has failed", "chat", c.name, "method", call.method, "err", call.err)
	}
	switch {
	case call.method == methodEditMedia:
		c.finishPicture(call)
	case c.live.turn != call.turn:
	case call.method == methodTyping:
		c.live.typedAt = now
	default:
		c.live.sentAt, c.live.status, c.live.statusFailed = now, call.status, c.live.statusFailed || call.statusFailed
		if call.err == nil || call.method == methodEdit && client.IsRefusal(call.err) { // a person may have deleted it
			c.live.shown = call.preview
		}
	}
}

// refusesDrafts reports whether a draft has failed as each would.
func refusesDrafts(err error) bool {
	failed := (*client.Error)(nil)
	return errors.As(err, &failed) && failed.RetryAfter == 0 && !strings.Contains(failed.Message, "chat not found") &&
		(failed.Code == http.StatusBadRequest || failed.Code == http.StatusNotFound)
}
