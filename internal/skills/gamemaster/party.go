package gamemaster

import (
	"context"
	"slices"
	"strings"

	"hob/internal/driver"
	"hob/internal/game/narration"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/show"
	"hob/internal/game/world"
)

// The ways in which a party takes turns.
const (
	modeFree       = "free"       // whoever speaks first
	modeRound      = "round"      // all say what they want to do, then it happens at once
	modeInitiative = "initiative" // in the order of the fight, or of the party
)

// actorOf is the character that a user plays: their own, or the one of a party that belongs to nobody.
func (tb *table) actorOf(user string) string {
	var free []string
	for _, a := range tb.party() {
		switch a.Owner {
		case user:
			if user != "" {
				return a.ID
			}
			free = append(free, a.ID)
		case "":
			free = append(free, a.ID)
		}
	}
	self := tb.World().Self()
	switch {
	case len(free) == 0 && len(tb.party()) == 0:
		return self.Active
	case len(free) == 0:
		return ""
	case slices.Contains(free, self.Active):
		return self.Active
	}
	return free[0]
}

// notTheirs says why it is not for a person to act now, "" where it is.
func (tb *table) notTheirs(s *seat) string {
	if s.actor == "" && len(tb.party()) > 0 {
		return tb.say("join_first")
	}
	if next := tb.onTurn(); next != "" && next != s.actor && tb.inParty(next) {
		if m, ok := parser.Read(tb.World(), tb.m.book, tb.lang(), tb.World().Actor(s.actor), s.words); ok && (m.Show != "" || len(m.Calls) > 0 && !tb.acts(m.Calls)) {
			return "" // whoever only looks may always
		}
		return tb.say("not_your_turn", tb.called(next))
	}
	return ""
}

// onTurn is who alone may act now: in a fight, and where the party takes turns; "" where anybody may.
func (tb *table) onTurn() string {
	w := tb.World()
	if e := w.Encounter(); e != nil && len(e.Actors) > 0 {
		return e.Actors[int(e.Turn)%len(e.Actors)]
	}
	if a := w.Actor(w.Self().Active); w.Self().TurnMode == modeInitiative && a != nil && rules.CanAct(a) {
		return a.ID
	}
	return "" // nobody waits for one who cannot act
}

// pass gives the turn of whoever is on turn to the next one: their own, or that of somebody who is away.
func (o order) pass(ctx context.Context, on string) (driver.Plan, bool, error) {
	next := o.tb.after(on)
	switch {
	case o.did(ctx, "/own"):
	case on != o.seat.actor && !o.may():
		return o.reply("owner_only")
	case len(next) == 0:
		return o.reply("no_round")
	}
	return o.own(ctx, false, next...)
}

// inOrder reports whether one is given the turn after another.
func (tb *table) inOrder() bool {
	return tb.World().Encounter() != nil || tb.World().Self().TurnMode == modeInitiative
}

// nextActor is whose choices are shown once an actor has acted.
func (tb *table) nextActor(actor string) string {
	if next := tb.onTurn(); next != "" && tb.inParty(next) {
		return next
	}
	return actor
}

func (tb *table) called(id string) string {
	if a := tb.World().Actor(id); a != nil {
		return rules.Called(show.Name(a.Name), a.ID)
	}
	return id
}

// able are the characters of the party that somebody plays and that can act.
func (tb *table) able() []*world.Actor {
	return slices.DeleteFunc(tb.party(), func(a *world.Actor) bool { return !rules.CanAct(a) })
}

// nextUp are the calls by which the order of a party or a fight goes on once somebody has acted in a turn.
func (tb *table) nextUp(actor string, parts []saga.Part) []rules.Call {
	if len(parts) == 0 || !acted(parts) {
		return nil
	}
	return tb.after(actor)
}

// after are the calls by which it is the next one's turn after an actor's, where there is an order.
func (tb *table) after(actor string) []rules.Call {
	w := tb.World()
	if w.Encounter() != nil {
		return []rules.Call{{Tool: "next_turn", Args: rules.NewObj().Bytes()}}
	}
	able := tb.able()
	if w.Self().TurnMode != modeInitiative || len(able) < 2 {
		return nil
	}
	at := slices.IndexFunc(able, func(a *world.Actor) bool { return a.ID == actor })
	next := able[(at+1)%len(able)]
	return []rules.Call{{Tool: "set_active_actor", Args: rules.NewObj().Text("actor_id", next.ID).Bytes(), Actor: next.ID}}
}

// acted reports whether something was done in a turn.
func acted(parts []saga.Part) bool {
	return slices.ContainsFunc(parts, func(p saga.Part) bool {
		return slices.ContainsFunc(p.Outcomes, func(o rules.Outcome) bool { return o.OK() && o.Call.Tool != "next_turn" })
	})
}

// recount is the engine's own telling of a turn: for each of a party of several who acted, or all of them that are at one place, what
// they see of it.
func (tb *table) recount(s *seat, t narration.Turn) string {
	actors := []string{t.Actor}
	if s.round != nil {
		actors = nil
		for _, in := range s.round {
			actors = append(actors, in.actor)
		}
	}
	if len(tb.party()) < 2 {
		return t.Tell()
	}
	var told []string
	seen := map[string]bool{}
	for _, id := range actors {
		a := tb.World().Actor(id)
		if a == nil || seen[a.Place] {
			continue
		}
		seen[a.Place] = true
		t.Actor = id
		told = append(told, tb.say("told_to", tb.called(id), t.Tell()))
	}
	if len(told) == 0 {
		return t.Tell()
	}
	return strings.Join(told, "\n\n")
}
