package gamemaster

import (
	"context"
	"slices"
	"strings"

	"hob/internal/driver"
	"hob/internal/game/account"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// The ways in which a party takes turns.
const (
	modeFree       = "free"       // whoever speaks first
	modeRound      = "round"      // all say what they want to do, then it happens at once
	modeInitiative = "initiative" // in the order of the fight, or of the party
)

// actorOf returns the character that a user plays: their own, or else a free one.
func (camp *campaign) actorOf(user string) string {
	var free []string
	for _, a := range camp.party() {
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
	self := camp.World().Self()
	switch {
	case len(free) == 0 && len(camp.party()) == 0:
		return self.Active
	case len(free) == 0:
		return ""
	case slices.Contains(free, self.Active):
		return self.Active
	}
	return free[0]
}

// notTheirs says why the person may not act now, or returns "" if they may.
func (tn turn) notTheirs() string {
	if tn.state.actor == "" && len(tn.party()) > 0 {
		return tn.say("join_first")
	}
	if next := tn.onTurn(); next != "" && next != tn.state.actor && tn.inParty(next) {
		if m, ok := tn.readPlain(tn.state.actor, tn.state.words); ok && (m.Show != "" || len(m.Calls) > 0 && !tn.changesWorld(m.Calls)) {
			return "" // looking is always allowed
		}
		return tn.say("not_your_turn", tn.nameOf(next))
	}
	return ""
}

// onTurn returns the only character that may act now, in a fight or in turn order, or "" if anybody may.
func (camp *campaign) onTurn() string {
	w := camp.World()
	if e := w.Encounter(); e != nil && len(e.Actors) > 0 {
		return e.Actors[int(e.Turn)%len(e.Actors)]
	}
	if a := w.Actor(w.Self().Active); w.Self().TurnMode == modeInitiative && a != nil && rules.CanAct(a) {
		return a.ID
	}
	return "" // the others do not wait for a character who cannot act
}

// pass ends the turn of the character that may act now.
func (tn turn) pass(ctx context.Context, on string) (driver.Plan, bool, error) {
	next := tn.callsAfter(on)
	switch {
	case tn.hasDone(ctx, "/own"):
	case on != tn.state.actor && !tn.mayDecide():
		return tn.reply("owner_only")
	case len(next) == 0:
		return tn.reply("no_round")
	}
	return tn.playOwn(ctx, false, next...)
}

// inOrder reports whether characters act one after another.
func (camp *campaign) inOrder() bool {
	return camp.World().Encounter() != nil || camp.World().Self().TurnMode == modeInitiative
}

// nextActor returns the character whose choices are shown after an actor has acted.
func (camp *campaign) nextActor(actor string) string {
	if next := camp.onTurn(); next != "" && camp.inParty(next) {
		return next
	}
	return actor
}

func (camp *campaign) nameOf(id string) string {
	if a := camp.World().Actor(id); a != nil {
		return rules.NameOrID(show.Name(a.Name), a.ID)
	}
	return id
}

// able returns the characters of the party that can act.
func (camp *campaign) able() []*world.Actor {
	return slices.DeleteFunc(camp.party(), func(a *world.Actor) bool { return !rules.CanAct(a) })
}

// callsNext returns the calls that pass the turn to the next character, if the actor did something.
func (camp *campaign) callsNext(actor string, parts []eventlog.Part) []rules.Call {
	if len(parts) == 0 || !hasActed(parts) {
		return nil
	}
	return camp.callsAfter(actor)
}

// callsAfter returns the calls that pass the turn to the character after this one, if characters act in an order.
func (camp *campaign) callsAfter(actor string) []rules.Call {
	w := camp.World()
	if w.Encounter() != nil {
		return []rules.Call{{Tool: "next_turn", Args: rules.NewObj().Bytes()}}
	}
	able := camp.able()
	if w.Self().TurnMode != modeInitiative || len(able) < 2 {
		return nil
	}
	at := slices.IndexFunc(able, func(a *world.Actor) bool { return a.ID == actor })
	next := able[(at+1)%len(able)]
	return []rules.Call{{Tool: "set_active_actor", Args: rules.NewObj().Text("actor_id", next.ID).Bytes(), Actor: next.ID}}
}

// hasActed reports whether a turn has done something.
func hasActed(parts []eventlog.Part) bool {
	return slices.ContainsFunc(parts, func(p eventlog.Part) bool {
		return slices.ContainsFunc(p.Outcomes, func(o rules.Outcome) bool { return o.OK() && o.Call.Tool != "next_turn" })
	})
}

// recount tells a turn in the engine's own words. A party of several gets one paragraph for each place at which
// somebody acted.
func (tn turn) recount(t account.Turn) string {
	actors := []string{t.Actor}
	if tn.state.round != nil {
		actors = lists.Map(tn.state.round, func(in intent) string { return in.actor })
	}
	if len(tn.party()) < 2 {
		return t.Tell()
	}
	var paragraphs []string
	seen := map[string]bool{}
	for _, id := range actors {
		a := tn.World().Actor(id)
		if a == nil || seen[a.Place] {
			continue
		}
		seen[a.Place] = true
		t.Actor = id
		paragraphs = append(paragraphs, tn.say("told_to", tn.nameOf(id), t.Tell()))
	}
	if len(paragraphs) == 0 {
		return t.Tell()
	}
	return strings.Join(paragraphs, "\n\n")
}
