package rules

import (
	"math"

	"hob/internal/game/world"
)

// Switches among a world's rules.
const (
	ZeroEnds     = "hp_zero_ends_game"  // hit points decide who can go on: nobody at 0 is alive, nobody above 0 is dying
	Resurrection = "allow_resurrection" // the dead may gain hit points, and live again with them
)

// ChangeHP adds delta to an actor's hit points, within 0 and the maximum, and changes their state to fit. An actor
// without hit points starts from the maximum. Harm does not change the state of the dead.
func (s *Step) ChangeHP(a *world.Actor, delta int64) *world.Actor {
	next := *a
	next.HP = world.Known(addClamped(a.HP.Or(a.HPMax.N), delta, a.HPMax))
	if a.State != world.Dead || delta > 0 {
		next.State = stateForHP(a.State, next.HP.N, s.World.Self().Rules)
	}
	if next.HP != a.HP || next.State != a.State {
		s.Put(&next)
	}
	return &next
}

// addClamped returns hp and delta together, from 0 to the most there can be.
func addClamped(hp, delta int64, most world.Number) int64 {
	limit := max(0, most.Or(math.MaxInt64))
	hp = max(0, hp)
	switch {
	case delta < 0:
		return min(limit, max(0, hp+delta)) // hp is not negative, so the sum is in range
	case delta > math.MaxInt64-hp:
		return limit
	}
	return min(limit, hp+delta)
}

// stateForHP returns the state that an actor's new hit points lead to.
func stateForHP(state string, hp int64, on map[string]int64) string {
	switch {
	case hp == 0 && state != world.Dead && on[ZeroEnds] != 0:
		return world.Dying
	case hp > 0 && (state == world.Dying && on[ZeroEnds] != 0 || state == world.Dead):
		return world.Alive
	}
	return state
}

// CanAct reports whether an actor's state lets them do anything.
func CanAct(a *world.Actor) bool { return a.State == "" || a.State == world.Alive }
