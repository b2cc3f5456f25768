package gamemaster

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/lists"
)

// intent is what one character plans to do in a round.
type intent struct {
	actor, words string
	calls        []rules.Call // nil: the words have not been read yet
}

// encodePlan returns the calls of an intent for the log, nil if its words say all.
func encodePlan(calls []rules.Call) json.RawMessage {
	if len(calls) == 0 {
		return nil
	}
	type call struct {
		Tool  string          `json:"tool"`
		Args  json.RawMessage `json:"args"`
		Actor string          `json:"actor,omitempty"`
	}
	list := lists.Map(calls, func(c rules.Call) call { return call{c.Tool, c.Args, c.Actor} })
	b, _ := json.Marshal(list) // if this fails, the words are read again
	return b
}

// intentOf reads an intent from the log.
func (camp *campaign) intentOf(p eventlog.Part) intent {
	in := intent{actor: camp.actorOf(p.User), words: p.Input}
	if p.Plan != nil && json.Unmarshal(p.Plan, &in.calls) != nil {
		in.calls = nil
	}
	return in
}

// inRound reports whether the party plays in rounds now.
func (camp *campaign) inRound() bool {
	return camp.World().Self().TurnMode == modeRound && camp.World().Encounter() == nil && len(camp.able()) > 1
}

// plans returns the plans of the current round, the oldest first. A plan is a turn of the log that changes nothing, so
// plans survive a restart and can be undone. The turn that plays the round is left out.
func (camp *campaign) plans(ctx context.Context, turn string) (all []intent, err error) {
	for parts, err := range camp.history(ctx, whole) {
		if err != nil {
			return nil, err
		}
		if turn != "" && parts[0].Turn == camp.Head() && strings.HasPrefix(parts[0].Request, turn) {
			continue
		}
		if !keepsRound(parts[0]) {
			break
		}
		if !strings.HasSuffix(parts[0].Request, partIntent) {
			continue
		}
		in := camp.intentOf(parts[0])
		if !camp.inParty(in.actor) {
			continue // the player has left
		}
		if !slices.ContainsFunc(all, func(x intent) bool { return x.actor == in.actor }) { // only the newest plan of each counts
			all = append(all, in)
		}
	}
	slices.Reverse(all)
	return all, nil
}

// present returns the turn that the current choices belong to: the newest one that changed something which they depend
// on. So choices stay valid until the round is played.
func (camp *campaign) present(ctx context.Context) int64 {
	for parts, err := range camp.history(ctx, whole) {
		if err != nil {
			return camp.Head() // then the choices belong to the head
		}
		if !isNote(parts[0]) {
			return parts[0].Turn
		}
	}
	return 0
}

// isNote reports whether a turn changed nothing that choices depend on.
func isNote(p eventlog.Part) bool {
	return strings.HasSuffix(p.Request, partIntent) || strings.HasSuffix(p.Request, partAgain) || strings.HasSuffix(p.Request, partVote)
}

// missingPlans returns the characters without a plan.
func (camp *campaign) missingPlans(all []intent) (ids, names []string) {
	for _, a := range camp.able() {
		if !slices.ContainsFunc(all, func(in intent) bool { return in.actor == a.ID }) {
			ids, names = append(ids, a.ID), append(names, camp.nameOf(a.ID))
		}
	}
	return ids, names
}

// judgePick answers a choice that somebody presses in a round. It becomes their plan, which they can change while
// others still have none. The buttons stay for those others.
func (camp *campaign) judgePick(ctx context.Context, actor string, c event.Choice) PickResult {
	all, err := camp.plans(ctx, "")
	if err != nil {
		return PickResult{}
	}
	others, _ := camp.missingPlans(append(slices.Clone(all), intent{actor: actor}))
	i := slices.IndexFunc(all, func(in intent) bool { return in.actor == actor })
	switch plan := strings.Contains(c.Pick, "."); {
	case !plan && c.Pick != "": // it plays the round
		return PickResult{}
	case !plan || i < 0:
		return PickResult{Remains: len(others) > 0}
	case all[i].words == c.Text:
		return PickResult{Say: camp.say("plan_same", c.Label), No: true}
	}
	return PickResult{Say: camp.say("plan_changed", c.Label), Remains: true}
}

// notePlan notes what a character plans to do in the round. When everybody has a plan, the round is played.
func (tn turn) notePlan(ctx context.Context, calls []rules.Call) (driver.Plan, bool, error) {
	all, err := tn.plans(ctx, "")
	if err != nil {
		return driver.Plan{}, false, err
	}
	all = slices.DeleteFunc(all, func(in intent) bool { return in.actor == tn.state.actor })
	all = append(all, intent{actor: tn.state.actor, words: tn.state.words, calls: calls})
	_, missing := tn.missingPlans(all)
	if len(missing) == 0 {
		return tn.playRound(ctx, all)
	}
	r := eventlog.Request{ID: prefix(tn.caller) + partIntent, User: tn.caller.User, Input: tn.state.words, Plan: encodePlan(calls), Open: true}
	if _, err := tn.Play(ctx, r); err != nil {
		return driver.Plan{}, false, err
	}
	p := answer(tn.say("noted", tn.nameOf(tn.state.actor), strings.Join(missing, ", ")) + tn.timeLeft(ctx))
	p.Result.Choices = tn.choices(ctx, tn.state.actor)
	return p, true, nil
}

// playRound plays all plans: as calls if the parser can read them all, else a model reads them together. A character
// without a plan does nothing.
func (tn turn) playRound(ctx context.Context, all []intent) (driver.Plan, bool, error) {
	tn.state.round = all
	var calls []rules.Call
	plain := true
	for i := range all {
		in := &all[i]
		if in.calls == nil {
			m, ok := tn.readPlain(in.actor, in.words)
			if !ok || len(m.Calls) == 0 {
				plain = false
				continue
			}
			in.calls = m.Calls
		}
		calls = append(calls, in.calls...)
	}
	tn.state.words = tn.joinPlans(all)
	switch {
	case len(calls) == 0 && !tn.hasNarrator(ctx):
		return answer(tn.notUnderstood(tn.state.actor)), true, nil
	case !plain && tn.hasNarrator(ctx), len(calls) == 0:
		return driver.Plan{}, false, nil
	}
	return tn.plan(calls), true, nil
}

// restoreRound sets the round that the chat's turn plays, after a restart.
func (tn turn) restoreRound(ctx context.Context) error {
	all, err := tn.plans(ctx, prefix(tn.caller)+"/")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(tn.state.words, "/") {
		all = slices.DeleteFunc(all, func(in intent) bool { return in.actor == tn.state.actor })
		all = append(all, intent{actor: tn.state.actor, words: tn.state.words})
	}
	tn.state.round, tn.state.words = all, tn.joinPlans(all)
	return nil
}

// joinPlans returns all plans, a line each.
func (camp *campaign) joinPlans(all []intent) string {
	lines := lists.Map(all, func(in intent) string { return camp.nameOf(in.actor) + ": " + in.words })
	return strings.Join(lines, "\n")
}

// recent returns the last n turns of the story that did something, and the plans between them, the newest first.
func (camp *campaign) recent(ctx context.Context, n int) ([]rules.PastTurn, error) {
	turns := 0
	for parts, err := range camp.history(ctx, whole) {
		if err != nil {
			return nil, err
		}
		if parts[0].Table {
			continue // the log does not count these
		}
		turns++
		if keepsRound(parts[0]) {
			continue
		}
		if n--; n == 0 {
			break
		}
	}
	return camp.Recent(ctx, turns)
}
