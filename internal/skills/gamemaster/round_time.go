package gamemaster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/game/eventlog"
)

// roundMinutes is the rule for the minutes after which a round is played without the players who
// have made no plan; 0 is never.
const roundMinutes = "round_minutes"

// mostMinutes is the longest time for a round: a day.
const mostMinutes = 1440

// The ends of the request ids of turns that restart the time of a round.
const (
	partMode  = "/mode"  // the table has changed how it takes turns
	partAgain = "/again" // the story goes on after a rest, or from an earlier moment
)

// dueInput is the prefix of the ids of inputs that play a round whose time is up.
const dueInput = "round/"

// Due is a round that will be played at a certain time, without the players who have no plan by then.
type Due struct {
	Chat  event.Chat // where the first plan came from, among the chats that still play the story
	Said  int64      // the input that made it
	At    time.Time
	Pick  string // marks the choice to go on, so it is void once the round was played
	Input string // the id of the input that goes on: always the same for one round and moment
}

// minutes returns how long a round of the campaign waits, 0 for ever.
func (camp *campaign) minutes() int64 {
	if !camp.inRound() {
		return 0
	}
	return camp.World().Self().Rules[roundMinutes]
}

// due returns when the current round will be played. Everything comes from the log: time runs from the first plan, or
// from a later restart of the timer.
func (camp *campaign) due(ctx context.Context) (d Due, ok bool, err error) {
	minutes := camp.minutes()
	if minutes == 0 {
		return d, false, nil
	}
	var from eventlog.Part
	var plans []eventlog.Part // the newest first
	for parts, err := range camp.history(ctx, whole) {
		if err != nil {
			return d, false, err
		}
		if !keepsRound(parts[0]) {
			break
		}
		switch p := parts[0]; {
		case strings.HasSuffix(p.Request, partIntent):
			if camp.inParty(camp.actorOf(p.User)) {
				plans = append(plans, p)
			}
		case from.Turn == 0 && (strings.HasSuffix(p.Request, partMode) || strings.HasSuffix(p.Request, partAgain)):
			from = p
		}
	}
	first, d, err := camp.firstPlan(ctx, plans)
	if err != nil || first.Turn == 0 {
		return d, false, err
	}
	if from.Turn < first.Turn {
		from = first
	}
	at, err := time.Parse(time.RFC3339, from.Time)
	if err != nil {
		return d, false, nil //nolint:nilerr // hob did not write this time
	}
	now := camp.present(ctx)
	d.At, d.Pick = at.Add(time.Duration(minutes)*time.Minute), strconv.FormatInt(now, 10)
	d.Input = fmt.Sprintf("%s%s/%d/%d/%d", dueInput, camp.id, first.Turn, from.Turn, now)
	return d, true, nil
}

// firstPlan returns the oldest of some plans (the newest is first in the list) whose chat still plays this story, and
// what is known of its round. A chat that plays another story by now must not play this round.
func (camp *campaign) firstPlan(ctx context.Context, plans []eventlog.Part) (eventlog.Part, Due, error) {
	for _, p := range slices.Backward(plans) {
		input := strings.TrimSuffix(p.Request, partIntent)
		end := max(strings.LastIndexByte(input, '/'), 0)
		said, bad := strconv.ParseInt(strings.TrimPrefix(input[end:], "/"), 10, 64)
		if end == 0 || bad != nil {
			continue // no chat made this plan, so there is none to go on in
		}
		chat := event.Chat(input[:end])
		if id, err := camp.m.cfg.Campaigns.Bound(ctx, chat); err != nil || id == camp.id {
			return p, Due{Chat: chat, Said: said}, err
		}
	}
	return eventlog.Part{}, Due{}, nil
}

// keepsRound reports whether a round goes on after a turn: the turn notes a plan, or it changes a
// setting of the campaign.
func keepsRound(p eventlog.Part) bool {
	return p.Table || strings.HasSuffix(p.Request, partIntent)
}

// timeLeft says how many minutes the round still waits, "" if it waits for ever.
func (camp *campaign) timeLeft(ctx context.Context) string {
	d, ok, err := camp.due(ctx)
	if err != nil || !ok {
		return ""
	}
	minutes := (d.At.Sub(camp.m.cfg.Now()) + time.Minute - 1) / time.Minute
	return " " + camp.say("round_left", strconv.FormatInt(max(1, int64(minutes)), 10))
}

// restartTimer restarts the time of the current round.
func (tn turn) restartTimer(ctx context.Context) error {
	if _, ok, err := tn.due(ctx); err != nil || !ok {
		return err
	}
	r := eventlog.Request{User: tn.caller.User, Table: true, Open: true}
	if tn.caller.Turn != 0 {
		r.ID = prefix(tn.caller) + partAgain
	} else {
		r.ID = fmt.Sprintf("%s/%d%s", tn.caller.Chat, tn.Turns()+1, partAgain)
	}
	_, err := tn.Play(ctx, r)
	return err
}

// signal asks [Master.Rounds] to look at a campaign again.
func (m *Master) signal(id string) {
	m.mu.Lock()
	m.signalled[id] = true
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// takeSignals returns the campaigns to look at, and forgets them.
func (m *Master) takeSignals() (all []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.signalled {
		all = append(all, id)
	}
	clear(m.signalled)
	slices.Sort(all)
	return all
}

// dueOf returns the round of a campaign that is waiting. If nobody plays the campaign, it does not stay in memory for
// this.
func (m *Master) dueOf(ctx context.Context, id string) (d Due, ok bool, err error) {
	camp := m.campaign(id)
	err = camp.exclusively(ctx, func() (err error) {
		played := camp.Log != nil
		if err = camp.reload(ctx); err == nil {
			d, ok, err = camp.due(ctx)
		}
		if !played && !ok {
			camp.Log = nil
		}
		return err
	})
	return d, ok, err
}

// The longest sleep while a round waits (clocks are set and machines sleep), and the pause after a
// failure.
const (
	longestNap = time.Minute
	dueAgain   = time.Minute
)

// Rounds plays rounds whose time is up, until ctx ends. chats are those that may have had a round
// before. hand submits the input that plays a round; it may get the same one twice.
func (m *Master) Rounds(ctx context.Context, chats []event.Chat, hand func(context.Context, Due) error) {
	for _, chat := range chats {
		if id, err := m.cfg.Campaigns.Bound(ctx, chat); err == nil && id != "" {
			m.signal(id)
		}
	}
	due := map[string]Due{}
	timer := time.NewTimer(longestNap)
	defer timer.Stop()
	for {
		nap := time.Duration(-1)
		for _, d := range due {
			if wait := max(0, min(d.At.Sub(m.cfg.Now()), longestNap)); nap < 0 || wait < nap {
				nap = wait
			}
		}
		var up <-chan time.Time // nil, so that nothing comes, if no round waits
		if nap >= 0 {
			timer.Reset(nap)
			up = timer.C
		}
		select {
		case <-ctx.Done():
			return
		case <-m.wake:
			for _, id := range m.takeSignals() {
				m.noteDue(ctx, due, id)
			}
		case <-up:
			m.playDue(ctx, due, hand)
		}
	}
}

// noteDue notes the due round of a campaign, if there is one.
func (m *Master) noteDue(ctx context.Context, due map[string]Due, id string) {
	d, ok, err := m.dueOf(ctx, id)
	gone := (*goneError)(nil)
	switch {
	case err == nil && ok:
		due[id] = d
	case err == nil, errors.As(err, &gone):
		delete(due, id)
	case ctx.Err() == nil: // it cannot be read now, so what is known stays
		due[id] = retryLater(due[id], m.cfg.Now())
	}
}

// playDue submits the rounds whose time is up.
func (m *Master) playDue(ctx context.Context, due map[string]Due, hand func(context.Context, Due) error) {
	now := m.cfg.Now()
	for id, d := range due {
		if d.At.After(now) {
			continue
		}
		m.noteDue(ctx, due, id)
		if is, still := due[id]; !still || is.Input != d.Input || is.At.After(now) {
			continue
		}
		delete(due, id)
		if err := hand(ctx, d); err != nil {
			due[id] = retryLater(d, now)
		}
	}
}

// retryLater returns a round that failed, with the time of the next attempt.
func retryLater(d Due, now time.Time) Due {
	d.At = now.Add(dueAgain)
	return d
}

// timeUp returns the sentence before a round that was played because its time was up, "" for any
// other.
func (tn turn) timeUp(all []intent) string {
	if !strings.HasPrefix(tn.caller.RequestID, dueInput) {
		return ""
	}
	_, names := tn.missingPlans(all)
	return tn.say("time_up", strings.Join(names, ", "))
}

// parseWait reads the minutes of a round in /mode: "10", or "" for ever.
func parseWait(words string) (minutes int64, ok bool) {
	if words == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(words, 10, 64)
	return n, err == nil && n >= 1 && n <= mostMinutes
}

// describeMode says how the party takes turns.
func (camp *campaign) describeMode() string {
	self := camp.World().Self()
	switch n := self.Rules[roundMinutes]; {
	case self.TurnMode == "":
		return camp.say("mode_" + modeFree)
	case self.TurnMode == modeRound && n > 0:
		return camp.say("mode_"+modeRound) + " " + camp.say("mode_waits", strconv.FormatInt(n, 10))
	default:
		return camp.say("mode_" + self.TurnMode)
	}
}
