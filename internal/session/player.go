package session

import (
	"context"
	"errors"
	"maps"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// player plays one turn, on the turn's goroutine. It reaches the chat's state only through
// [chat.access] and [chat.doInTurn].
type player struct {
	c       *chat
	seq     int64      // of the turn
	input   event.Said // the input that began it
	chooser chooser    // see [player.refresh]
	gate    gate
	lang    string       // see [chat.language]
	turn    agent.Turn   // the turn for the agent
	literal bool         // its replies are hob's own answers to a chore
	refusal string       // the reply that refuses a command line or a chore, or ""
	parking event.Parked // how to park the turn, once its model is away
}

// play plays the open turn to its end. It runs on a goroutine of its own, because the settings may
// have to be asked from a server.
func (c *chat) play(ctx context.Context, seq int64) error {
	p, err := c.newPlayer(ctx, seq)
	if err != nil {
		return err
	}
	lasting := context.WithoutCancel(ctx) // a stopped turn still journals its end
	if err := p.beginHook(lasting); err != nil {
		return err
	}
	answer, err := p.prepare(ctx)
	if err != nil {
		return err
	}
	emit := func(bodies ...event.Body) error { return p.emit(lasting, p.closeTurn(ctx, p.markReplies(bodies))) }
	if answer != "" {
		return emit(append(giveUpCalls(p.turn), event.Replied{Text: answer}, event.Ended{Reason: event.Done})...)
	}
	_, err = agent.New(c.cfg.Model, p.gate, c.cfg.Sanitizer, c.cfg.Blobs, c.cfg.Now).Run(ctx, p.turn, emit)
	if errors.Is(err, agent.ErrAway) {
		return c.doInTurn(lasting, func(ctx context.Context) error { return c.park(ctx, seq, p.parking) })
	}
	return err
}

// newPlayer returns the player of the open turn, with the present tools and rules.
func (c *chat) newPlayer(ctx context.Context, seq int64) (*player, error) {
	lasting := context.WithoutCancel(ctx)
	toolset := c.sessions.toolset(lasting)
	inForce, err := c.cfg.Policy(lasting)
	if err != nil {
		return nil, err
	}
	p := &player{c: c, seq: seq, gate: gate{c: c, turn: seq, refusals: map[string]string{}}}
	err = c.access(ctx, func() {
		cur := c.tr.current()
		c.toolset, p.input, p.lang = toolset, cur.input, c.language()
		p.gate.denied, p.gate.command = maps.Clone(cur.denied), cur.input.Command
		p.chooser, p.gate.lang = c.newChooser(inForce, tools.CallerFrom(ctx)), p.lang
	})
	p.turn = agent.Turn{Denied: p.whyDenied(ctx), Enter: c.beginActing, ParkIfAway: p.planParking}
	return p, err
}

// prepare prepares the turn for the agent. A non-empty answer ends the turn without the agent.
func (p *player) prepare(ctx context.Context) (answer string, err error) {
	chore, err := p.planChore(ctx)
	if err == nil {
		err = p.leaveOutOldest(context.WithoutCancel(ctx)) // only now: a chore may refer to the turn before
	}
	p.literal = chore.answer != "" || len(chore.calls) > 0
	switch {
	case err != nil || chore.answer != "":
		return chore.answer, err
	case len(chore.calls) > 0:
		return "", p.prepareChore(ctx, chore)
	case !p.input.Command:
		return "", p.prepareModelTurn(ctx)
	}
	p.refusal, err = p.prepareCommand(ctx)
	p.refusal = p.say(p.refusal)
	if p.turn.Stage == nil {
		return p.refusal, err
	}
	p.turn.Answer = p.refusal // unless the driver has an answer
	return "", err
}

// markReplies marks replies as hob's own, or as a refusal.
func (p *player) markReplies(bodies []event.Body) []event.Body {
	for i, b := range bodies {
		if r, ok := b.(event.Replied); ok {
			r.Literal = r.Literal || p.literal
			r.Refused = p.refusal != "" && r.Text == p.refusal
			bodies[i] = r
		}
	}
	return bodies
}

// giveUpCalls returns results for the calls that wait at the end of a conversation. None of them
// ran.
func giveUpCalls(t agent.Turn) (bodies []event.Body) {
	for _, call := range t.WaitingCalls() {
		bodies = append(bodies, agent.NotRun(call))
	}
	return bodies
}

// fillHistory gives the turn the chat's conversation, and returns the pictures in it.
func (p *player) fillHistory(ctx context.Context, keep llm.Keep) (pictures []messagePictures, err error) {
	err = p.c.access(ctx, func() {
		p.turn.History, p.turn.Begin, pictures = p.c.tr.history(keep)
		p.turn.Progress = p.c.tr.current().progress
	})
	return pictures, err
}

// refresh gives the chooser the chat's present tools and open skills.
func (p *player) refresh(ctx context.Context) error {
	return p.c.access(ctx, func() { p.chooser.toolset, p.chooser.openSkills = p.c.toolset, p.c.tr.openSkills() })
}

// beginHook calls the turn hook at the beginning of the turn, and journals its notes.
func (p *player) beginHook(ctx context.Context) error {
	if p.c.cfg.TurnHook == nil {
		return nil
	}
	if notes := notesOf(p.c.cfg.TurnHook.Begin(ctx, p.c.name)); len(notes) > 0 {
		return p.emit(ctx, notes)
	}
	return nil
}

func notesOf(notes []string) (bodies []event.Body) {
	for _, n := range notes {
		bodies = append(bodies, event.Noted{Text: n})
	}
	return bodies
}

// Limits for the conversation in a chat without a model, or with a huge context, so that a restart
// need not read all of the past. Reading a turn takes some 40 microseconds, and hob ask reads the
// chat for each chore.
const (
	maxTurns          = 256
	keptMessages      = 512 // applies once there are more turns
	maxChoreTurns     = 16  // applies if no turn asked a model
	keptChoreMessages = 48
	keptTokens        = 64 << 10
)

// leaveOutOldest shortens the conversation of the open turn if the chat has too many turns.
func (p *player) leaveOutOldest(ctx context.Context) error {
	var short event.Compacted
	c := p.c
	err := c.access(ctx, func() {
		most, kept := maxTurns, keptMessages
		if !c.tr.askedModel() {
			most, kept = maxChoreTurns, keptChoreMessages
		}
		if len(c.tr.turns) <= most {
			return
		}
		all, begin, _ := c.tr.history(llm.KeepAll)
		from, size := begin, 0
		for i := begin - 1; i >= 0 && begin-i <= kept && size <= keptTokens; i-- {
			if size += window.Tokens(all[i]); all[i].Role == llm.UserRole && !all[i].Note && size <= keptTokens {
				from = i
			}
		}
		short = event.Compacted{
			Messages: all[from:], Begin: begin - from, Why: "turns",
			Before: window.Tokens(all...), After: window.Tokens(all[from:]...),
		}
	})
	if err != nil || len(short.Messages) == 0 {
		return err
	}
	return p.emit(ctx, []event.Body{short})
}
