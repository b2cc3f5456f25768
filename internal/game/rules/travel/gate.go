package travel

import (
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The gates of this family: ways that nobody has found are none, a lock opens with its key or a check, and nobody outside of the party
// is moved without one.

func judgeStep(t *rules.Attempt, a rules.Args) *rules.Verdict {
	who, to := t.World.Actor(a.Text("player_id")), a.Text("target_location_id")
	if who == nil || t.World.Place(to) == nil {
		return nil // the tool says so
	}
	party := rules.InParty(t.World, who.ID)
	switch {
	case party && !rules.CanAct(who):
		return rules.Refuse(rules.ActorRestricted, "actor_state_restricted", who, who.State)
	case party:
		t.Actor = who
	case !t.Sees(who.ID):
		return t.Unseen()
	}
	if no := judgeWay(t, to); no != nil || party {
		return no
	}
	return t.Need(who.ID)
}

// judgeWay refuses a way that nobody has found as if there were none.
func judgeWay(t *rules.Attempt, to string) *rules.Verdict {
	here, there := t.World.Place(t.Actor.Place), t.World.Place(to)
	if here == nil || there == nil || isAt(t.World, t.Actor, to) || t.Way(to) != nil {
		return nil
	}
	return rules.Refuse(rules.NotReachable, "travel.not_reachable", here, there)
}

func judgeMove(t *rules.Attempt, a rules.Args) *rules.Verdict {
	if who := t.World.Actor(t.Effective()); who != nil && rules.InParty(t.World, who.ID) {
		t.Actor = who
	}
	return judgeWay(t, a.Text("to_area_id"))
}

// judgeJourney refuses a journey to a place of which nobody knows.
func judgeJourney(t *rules.Attempt, a rules.Args) *rules.Verdict {
	to, no := findDestination(t.World, a.Text("to_zone_id"), a.Text("to_zone_name"))
	if no == nil && rules.Secret(to) {
		return t.Unseen()
	}
	return nil
}

// breaking is the difficulty of opening a door without its key. The target is the place behind it.
func breaking(t *rules.Attempt, target string) (int64, *rules.Verdict) {
	if t.Way(target) == nil {
		return 0, t.Unseen()
	}
	return rules.Forbidding, nil
}

// judgeLink lets a door be opened and closed by hand, and locked and unlocked with its key. No way comes or goes by a call.
func judgeLink(t *rules.Attempt, a rules.Args) *rules.Verdict {
	from, to, state, key := a.Text("from"), a.Text("to"), a.Text("state"), a.Text("key_id")
	if t.World.Place(from) == nil || t.World.Place(to) == nil || from == to {
		return nil // the tool says so
	}
	beyond := to
	if here := t.World.Place(t.Actor.Place); here != nil && (to == here.ID || to == here.Parent) {
		beyond = from
	}
	l := t.Way(beyond)
	if l == nil || (l.From != from || l.To != to) && (l.From != to || l.To != from) {
		return t.Unseen()
	}
	there, back := t.World.Link(from, to), t.World.Link(to, from)
	keyed := l.Lock != "" && t.Carried(l.Lock)
	switch {
	case a.Has("type") && a.Text("type") != linkType(there, back), key != "" && key != l.Lock:
		return t.Never()
	case state == "" || state == l.Door || state == "none" && l.Door == world.NoDoor:
		return nil
	case l.Door == world.NoDoor, state == world.LockedDoor && !keyed:
		return t.Never()
	case state == "none", l.Door == world.LockedDoor && !keyed:
		return t.Need(beyond)
	}
	return nil
}
