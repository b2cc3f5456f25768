package telegram

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

// What is shown while a turn runs is sent where there is time for it, and what comes of it matters to nobody: but for the
// message that it is in a group, which has to be taken away when the turn is over, and is therefore recorded.

// The methods that show something. Only one is on its way at a time in a chat.
const (
	typing   = "sendChatAction"
	drafting = "sendMessageDraft"
	posting  = "sendMessage"
	editing  = "editMessageText"
	// exchanging changes a picture that was sent; nobody need have asked for it just now.
	exchanging = "editMessageMedia"
)

const (
	typingEvery = 4500 * time.Millisecond // Telegram shows it for 5 s
	firstDraft  = 400 * time.Millisecond  // from when there is something to show
	earlyDraft  = 150 * time.Millisecond  // where that is more than a word
	fewUnits    = 20
	freshDraft  = 20 * time.Second // Telegram shows one for 30 s
	firstStatus = 10 * time.Second // from when the turn runs; a crash may leave the message behind, so most turns have none
	statusEvery = 3 * time.Second  // Telegram lets 20 messages a minute into a group
	defaultPace = 700 * time.Millisecond

	showTime  = 10 * time.Second       // for a call that shows something
	hurryTime = 500 * time.Millisecond // what is left of it when the reply is there
)

// liveResult is what came of showing something.
type liveResult struct {
	method string
	turn   int64
	look   glimpse
	status int64 // the message that tells of the turn
	fresh  fresh // of exchanging
	orphan bool  // there may be one that nobody knows the id of, or it is not ours any more: there will be no other
	err    error
}

// display shows what there is to show now, and returns after how long there may be more.
func (c *telling) display(ctx context.Context) time.Duration {
	if c.showing != "" {
		return idleAfter
	}
	now := c.t.cfg.Now()
	method, look, at := c.nextShow(now)
	slot, due := c.nextFresh()
	if slot != "" && (method == "" || due.Before(at)) {
		method, at = exchanging, due
	}
	if method == "" {
		return idleAfter
	}
	if wait := max(at.Sub(now), c.t.pauses.Left(c.to.Chat)); wait > 0 {
		return wait
	}
	c.showing = method
	call, cancel := context.WithTimeout(ctx, showTime)
	if method == posting { // cut short, nobody would know the message
		cancel()
		call, cancel = context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	}
	hurried := false
	c.hurry = func() {
		if !hurried {
			hurried = true
			time.AfterFunc(hurryTime, cancel)
		}
	}
	r := liveResult{method: method, turn: c.show.turn, look: look, status: c.show.status}
	if method == exchanging {
		r.fresh = c.fresh[slot]
		delete(c.fresh, slot)
	}
	go func() {
		defer cancel()
		c.shown <- c.reveal(call, r)
	}()
	return idleAfter
}

// nextShow says what is to be shown next, and when.
func (c *telling) nextShow(now time.Time) (method string, look glimpse, at time.Time) {
	o := c.told.running()
	if o == nil || c.show.still || c.show.turn != o.seq {
		return "", look, now
	}
	waits := o.waits()
	drafts := c.to.Private() && !c.t.noDraft.Load()
	if look = c.show.look(); look != (glimpse{}) && c.busy == nil && len(c.queue) == 0 {
		switch {
		case drafts && !waits:
			method, at = drafting, c.show.draftAt(look, c.pace())
		case !drafts && c.show.status == 0 && !c.show.orphan && !c.t.stays.Load():
			method, at = posting, c.show.began.Add(firstStatus)
		case !drafts && c.show.status != 0 && look != c.show.shown:
			method, at = editing, c.show.sentAt.Add(max(statusEvery, c.pace()))
		}
	}
	if waits || drafts && c.show.shown != (glimpse{}) {
		return method, look, at
	}
	if soon := c.show.typedAt.Add(typingEvery); method == "" || soon.Before(at) {
		return typing, look, soon
	}
	return method, look, at
}

func (c *telling) pace() time.Duration {
	if c.t.cfg.Pace > 0 {
		return c.t.cfg.Pace
	}
	return defaultPace
}

// reveal shows something.
func (c *telling) reveal(ctx context.Context, r liveResult) liveResult {
	switch r.method {
	case typing:
		p := client.ParamsFor(c.to)
		p["action"] = "typing"
		r.err = c.t.Call(ctx, typing, p, nil)
	case drafting:
		p := client.ParamsFor(c.to)
		p["draft_id"] = strconv.FormatInt(r.turn, 10)
		p["can_stop"] = "true"
		r.err = c.t.Call(ctx, drafting, withText(p, r.look.message()), nil)
		if client.IsRefusal(r.err) && !client.IsUnknownMethod(r.err) {
			r.err = c.t.Call(ctx, drafting, withText(p, bare(r.look.message())), nil)
		}
	case editing:
		r.err = c.t.change(ctx, c.to, r.status, r.look.message(), "")
	case posting:
		r = c.post(ctx, r)
	case exchanging:
		r.err = c.refresh(ctx, r.fresh.file)
	}
	return r
}

// post sends the message that tells of a turn while it runs, or finds the one that was sent before a restart.
func (c *telling) post(ctx context.Context, r liveResult) liveResult {
	rec, err := c.t.cfg.Outbox.BeginSend(ctx, c.name, r.turn, statusPart)
	if err == nil && rec.State == event.SendHeld {
		rec.State, rec.Tries = event.SendBegun, 1
		err = c.t.cfg.Outbox.EndSend(ctx, rec, "", 0)
	}
	switch {
	case err != nil:
		r.err = err
		return r
	case rec.State == event.SendSent:
		r.status, r.look = rec.Message, glimpse{}
		return r
	case rec.State == event.SendGone: // one of before a restart, which was taken away
		rec.State, rec.Tries, rec.Message = event.SendBegun, 1, 0
		if r.err = c.t.cfg.Outbox.EndSend(ctx, rec, "", 0); r.err != nil {
			return r
		}
	case rec.State != event.SendBegun || rec.Tries > 1:
		r.orphan = true
		return r
	}
	p := client.ParamsFor(c.to)
	p["disable_notification"], p["link_preview_options"] = "true", `{"is_disabled":true}`
	id, err := c.t.sent(ctx, withText(p, r.look.message()))
	if client.IsRefusal(err) {
		id, err = c.t.sent(ctx, withText(p, bare(r.look.message())))
	}
	failed := (*client.Error)(nil)
	switch {
	case err == nil:
		rec.State, rec.Message, r.status = event.SendSent, id, id
	case final(err):
		rec.State, r.orphan = event.SendRefused, true
	case errors.As(err, &failed) && !failed.Unknown:
		rec.State = event.SendHeld
	default:
		r.orphan = true
	}
	r.err = err
	if err := c.t.cfg.Outbox.EndSend(context.WithoutCancel(ctx), rec, "", 0); err != nil {
		c.t.cfg.Log.Error("cannot note what is sent", "chat", c.name, "err", err)
	}
	return r
}

// showed takes in what came of showing something.
func (c *telling) showed(r liveResult) {
	c.showing, c.hurry = "", nil
	now := c.t.cfg.Now()
	failed := (*client.Error)(nil)
	if errors.As(r.err, &failed) {
		if r.method != drafting && r.method != exchanging && client.IsUnknownMethod(r.err) { // what does not know typing knows nothing else, either
			c.t.stays.Store(true)
		}
		if failed.RetryAfter > 0 {
			c.t.pauses.Note(c.to.Chat, failed.RetryAfter)
		} else if r.method == drafting && (failed.Code == http.StatusBadRequest || failed.Code == http.StatusNotFound) &&
			!strings.Contains(failed.Message, "chat not found") {
			c.t.noDraft.Store(true)
		}
	}
	if r.err != nil {
		c.t.cfg.Log.Debug("nothing was shown", "chat", c.name, "method", r.method, "err", r.err)
	}
	if r.method == exchanging {
		c.refreshed(r)
		return
	}
	if c.show.turn != r.turn {
		return
	}
	if r.method == typing {
		c.show.typedAt = now
		return
	}
	c.show.sentAt, c.show.status, c.show.orphan = now, r.status, c.show.orphan || r.orphan
	if r.err == nil || r.method == editing && client.IsRefusal(r.err) { // somebody may have deleted it
		c.show.shown = r.look
	}
}
