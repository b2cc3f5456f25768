package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

const (
	// forgetOffset is how long nothing comes until the server is asked without an offset: after a week of silence the ids
	// begin anew anywhere, and with an old offset all that is below it would count as confirmed.
	forgetOffset = 24 * time.Hour
	// emptyPause is the least time between two requests when the first has led nowhere.
	emptyPause = time.Second
	// heartbeat is how often somebody who waits says that they live.
	heartbeat = 20 * time.Second
	// afterKill is how long to wait after a conflict that may be none.
	afterKill = 2 * time.Second
	// spell is how long it must have gone well until a conflict is over: two programs that ask for the same messages take
	// them from each other in turn.
	spell = 2 * time.Minute
	// unknownPause is how long to wait for somebody to put the right token in its place.
	unknownPause = time.Minute
)

// trouble is what keeps the poller from polling.
type trouble string

const (
	tokenUnknown trouble = "the token is not known"
	pollConflict trouble = "another program asks for the messages"
	keepFailed   trouble = "nothing can be kept"
	askedToWait  trouble = "telegram wants to be left alone"
	unreachable  trouble = "telegram cannot be reached"
)

// alarming reports whether somebody has to do something about it; the rest goes by.
func (t trouble) alarming() bool { return t == tokenUnknown || t == pollConflict || t == keepFailed }

// poller asks for updates, one request at a time. An update that was received is durable before a request confirms it.
type poller struct {
	api    caller
	memory interface {
		Receive(ctx context.Context, all []event.Update) ([]event.Update, error)
	}
	hand   func(ctx context.Context, u event.Update) // may not block for long
	unkept func(ctx context.Context, all []event.Update, why error, told map[chat.Address]bool)
	alert  func(what trouble, problem string) // both "" that it is over
	note   func(change func(*State))
	log    *slog.Logger
	now    func() time.Time
	jitter func(d time.Duration) time.Duration // something below d

	excused map[chat.Address]bool // where somebody was told that nothing can be kept, since something last could

	offset int64     // of the next request; 0 asks for all that were not confirmed
	limit  int       // updates of an answer
	bot    int64     // whose updates they are
	heard  time.Time // when there was an update
	fails  int       // in a row

	ill      trouble   // "" if all is well
	stale    bool      // it was logged that all that came was known
	told     trouble   // the owner has been told of it, and not that it is over
	conflict time.Time // when there last was one
}

// run polls until its context ends.
func (p *poller) run(ctx context.Context) {
	p.heard, p.limit = p.now(), 100
	for ctx.Err() == nil {
		wait := p.round(ctx)
		p.beat()
		idle(ctx, wait, p.beat)
	}
}

// beat says that the loop goes round.
func (p *poller) beat() { p.note(func(s *State) { s.Polled = p.now() }) }

// idle waits, and calls beat now and then.
func idle(ctx context.Context, d time.Duration, beat func()) {
	for d > 0 && ctx.Err() == nil {
		step := min(d, heartbeat)
		timer := time.NewTimer(step)
		select {
		case <-ctx.Done():
			timer.Stop()
		case <-timer.C:
			beat()
		}
		d -= step
	}
}

// round asks once and returns how long to wait until it is asked again.
func (p *poller) round(ctx context.Context) time.Duration {
	began := p.now()
	if began.Sub(p.heard) > forgetOffset {
		p.offset = 0
	}
	var raw []json.RawMessage
	if err := p.api.Call(ctx, "getUpdates", p.request(), &raw); err != nil {
		return p.failed(ctx, err)
	}
	p.note(func(s *State) { s.Answered = p.now() })
	before := p.offset
	fresh, err := p.keep(ctx, raw)
	if err != nil {
		return p.ail(ctx, keepFailed, fmt.Errorf("what was written cannot be kept: %w", err), p.backoff())
	}
	p.well()
	for _, u := range fresh {
		p.hand(ctx, u)
	}
	if took := p.now().Sub(began); len(fresh) == 0 && p.offset == before && took < emptyPause {
		return emptyPause - max(took, 0)
	}
	return 0
}

func (p *poller) request() client.Params {
	ask := client.Params{
		"timeout":         strconv.Itoa(int(client.LongPoll.Seconds())),
		"limit":           strconv.Itoa(p.limit),
		"allowed_updates": `["message","edited_message","callback_query","stopped_message_generation"]`,
	}
	if p.offset != 0 {
		ask["offset"] = strconv.FormatInt(p.offset, 10)
	}
	return ask
}

// keep makes what came durable and returns what of it is new and can be read. Only then the offset moves: what could not be
// kept will be told again.
func (p *poller) keep(ctx context.Context, raw []json.RawMessage) ([]event.Update, error) {
	all := make([]event.Update, 0, len(raw))
	for _, r := range raw {
		id, err := idOf(r)
		if err != nil {
			p.log.Warn("telegram: an update has no id and is left out", "err", err)
			continue
		}
		u := event.Update{Platform: chat.Platform, Bot: p.bot, ID: id, Raw: r, State: event.UpdateNew}
		if err := readable(r); err != nil {
			p.log.Warn("telegram: an update cannot be read and is left out", "update", id, "err", err)
			u.State = event.UpdateDone
		}
		all = append(all, u)
	}
	if len(all) == 0 {
		return nil, nil
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	fresh, err := p.memory.Receive(ctx, all)
	if err != nil && ctx.Err() == nil {
		p.unkept(ctx, all, err, p.excused)
	}
	if err != nil {
		return nil, err
	}
	clear(p.excused)
	p.heard = p.now()
	p.offset = all[len(all)-1].ID + 1 // also where that is below the last one: the server numbers anew
	if len(fresh) == 0 && !p.stale {
		p.stale = true
		p.log.Warn("telegram: all that came was known already and is not dealt with again", "updates", len(all), "last", p.offset-1)
	}
	return slices.DeleteFunc(fresh, func(u event.Update) bool { return u.State == event.UpdateDone }), nil
}

// idOf reads the id of an update, whatever else is in it.
func idOf(raw json.RawMessage) (int64, error) {
	var u struct {
		ID *int64 `json:"update_id"`
	}
	if err := json.Unmarshal(raw, &u); err != nil {
		return 0, err
	}
	if u.ID == nil {
		return 0, errors.New("there is no update_id")
	}
	return *u.ID, nil
}

// readable returns nil if an update can be decoded.
func readable(raw json.RawMessage) error { return json.Unmarshal(raw, new(client.Update)) }

// failed is what a request that failed leads to.
func (p *poller) failed(ctx context.Context, err error) time.Duration {
	var e *client.Error
	known := errors.As(err, &e)
	switch {
	case known && e.RetryAfter > 0:
		return p.ail(ctx, askedToWait, err, e.RetryAfter)
	case errors.Is(err, client.ErrUnauthorized):
		return p.ail(ctx, tokenUnknown, err, unknownPause)
	case errors.Is(err, client.ErrConflict):
		return p.other(ctx, e)
	case errors.Is(err, client.ErrLongAnswer):
		p.limit = max(p.limit/4, 1)
	}
	// The server may have been restarted and number anew: an offset from before would confirm what nobody has seen. Without
	// one, what was not confirmed comes again, and is known.
	p.offset = 0
	return p.ail(ctx, unreachable, err, p.backoff())
}

// other is what happens when the server has somebody else to tell. A webhook is taken away: nobody can be at its end who also
// wants hob to answer.
func (p *poller) other(ctx context.Context, e *client.Error) time.Duration {
	wait := 10*time.Second + p.jitter(20*time.Second)
	again := p.now().Sub(p.conflict) < spell
	p.conflict = p.now()
	if strings.Contains(strings.ToLower(e.Message), "webhook") {
		if err := p.api.Call(ctx, "deleteWebhook", client.Params{}, nil); err != nil {
			return p.ail(ctx, pollConflict, err, wait)
		}
		p.log.Warn("telegram: a webhook was set for this bot and is gone now")
		if !again { // or somebody sets it again and again
			return emptyPause
		}
	}
	if !again { // what a hob that was killed had asked may still be open there
		p.log.Info("telegram: somebody else has asked for the messages", "err", e)
		return afterKill
	}
	return p.ail(ctx, pollConflict, e, wait)
}

// backoff is how long to wait after so many failures in a row: 1 s to 60 s.
func (p *poller) backoff() time.Duration {
	d := backoff(p.fails, p.jitter)
	p.fails++
	return d
}

func backoff(fails int, jitter func(time.Duration) time.Duration) time.Duration {
	d := min(time.Second<<min(fails, 6), 40*time.Second)
	return d + jitter(d/2)
}

// ail notes what is wrong, tells the owner of it once if there is something to be done, and returns how long to wait.
func (p *poller) ail(ctx context.Context, what trouble, err error, wait time.Duration) time.Duration {
	if ctx.Err() != nil {
		return 0
	}
	if p.ill != what {
		p.log.Warn("telegram: "+string(what), "err", err, "again_in", wait)
	}
	p.ill = what
	problem := advice(what, err)
	p.note(func(s *State) { s.Problem = problem })
	if what.alarming() && p.told != what {
		p.told = what
		p.alert(what, problem)
	}
	return wait
}

// advice is one sentence for the owner.
func advice(what trouble, err error) string {
	switch what {
	case tokenUnknown:
		return "Telegram does not know the bot's token: put the one that @BotFather shows into token_file."
	case pollConflict:
		return "Another program asks for this bot's messages: stop it, or give hob a bot of its own."
	case keepFailed:
		return fmt.Sprintf("Messages are left with Telegram, for %v.", err)
	}
	return fmt.Sprintf("%s%s: %v.", strings.ToUpper(string(what[:1])), what[1:], err)
}

// well notes that all went well.
func (p *poller) well() {
	p.fails, p.limit = 0, 100
	switch {
	case p.told == pollConflict && p.now().Sub(p.conflict) < spell:
		p.ill = p.told
		p.note(func(s *State) { s.Problem = advice(p.told, nil) })
		return
	case p.ill == "":
		return
	}
	p.log.Info("telegram: it works again", "after", string(p.ill))
	p.ill = ""
	p.note(func(s *State) { s.Problem = "" })
	if p.told != "" {
		p.told = ""
		p.alert("", "")
	}
}
