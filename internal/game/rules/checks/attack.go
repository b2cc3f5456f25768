package checks

import (
	"cmp"
	"strconv"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// What a weapon's numbers are called (see [world.Thing.Stats]).
const (
	hitStat    = "hit"    // added to the throw
	damageStat = "damage" // the sides of its die
	fineStat   = "fine"   // it is used with finesse where that is better than force
	rangeStat  = "range"  // it reaches the next place
)

// runAttack runs the tool attack. Its result is {"to_hit","roll","defence","hit","damage","new_hp","state"}:
// to_hit is the total of the throw, roll the die alone.
func runAttack(s *rules.Step, a rules.Args, attacker *world.Actor) *rules.Verdict {
	target := s.World.Actor(a.Text("target_id"))
	switch {
	case target == nil:
		return rules.Refuse(rules.EntityNotFound, "actor_not_found", a.Text("target_id"))
	case target.ID == attacker.ID:
		return rules.Refuse(rules.SelfTarget, "attack.self", attacker)
	case target.State == world.Dead:
		return rules.Refuse("target_dead", "attack.dead", target)
	}
	weapon, bad := findWeapon(s, attacker, a.Text("weapon_id"))
	if bad != nil {
		return bad
	}
	if !canReach(s.World, attacker, target, weapon) {
		return rules.Refuse("not_here", "attack.far", target)
	}
	if !target.HP.Known && !target.HPMax.Known {
		return rules.Refuse("no_hp", "attack.no_hp", target)
	}
	return rollAttack(s, attacker, target, weapon, a.Text("advantage"))
}

// findWeapon returns the weapon that an attacker carries, nil for bare hands.
func findWeapon(s *rules.Step, attacker *world.Actor, id string) (*world.Thing, *rules.Verdict) {
	if id == "" {
		return nil, nil
	}
	weapon := s.World.Thing(id)
	if weapon == nil {
		return nil, rules.Refuse(rules.EntityNotFound, "attack.no_weapon", id)
	}
	if weapon.Parent != attacker.ID {
		return nil, rules.Refuse("not_carried", "attack.not_carried", weapon.Name, attacker)
	}
	return weapon, nil
}

// canReach reports whether an attacker can hit a target: they are in the same place, or in the next
// one with a weapon that reaches there through a way that nothing bars.
func canReach(w *world.World, attacker, target *world.Actor, weapon *world.Thing) bool {
	if attacker.Place == target.Place {
		return true
	}
	l := w.Link(attacker.Place, target.Place)
	return weapon != nil && weapon.Stats[rangeStat] != 0 && l != nil && !l.Hidden && l.Blocked == "" && !rules.Shut(l)
}

// rollAttack throws, and does the damage.
func rollAttack(s *rules.Step, attacker, target *world.Actor, weapon *world.Thing, edge string) *rules.Verdict {
	bonus, sides, with := attackNumbers(s, attacker, weapon)
	defence := cmp.Or(target.Stats["defence"], 10+rules.Bounded(target.Stats["finesse"]))
	hit := bonus
	if weapon != nil {
		hit += rules.Bounded(weapon.Stats[hitStat])
	}
	t, err := s.RollD20(hit, edge, "attack")
	if err != nil {
		return refuseDice(err)
	}
	result := rules.NewObj().Int("to_hit", t.Total).Int("roll", t.Natural).Int("defence", defence)
	if t.Natural == 1 || t.Natural != 20 && t.Total < defence {
		result.Flag("hit", false).Int("damage", 0).Int("new_hp", target.HP.Or(target.HPMax.N)).Text("state", rules.StateOf(target))
		return rules.Accept(result, "attack.miss", attacker, target, with, t.Total, defence)
	}
	count, key := "1", "attack.hit"
	if t.Natural == 20 {
		count, key = "2", "attack.crit"
	}
	r, err := s.Roll(count+"d"+strconv.FormatInt(sides, 10)+rules.Signed(bonus), "damage")
	if err != nil {
		return refuseDice(err)
	}
	damage := max(1, r.Total)
	hurt := applyDamage(s, target, damage)
	result.Flag("hit", true).Int("damage", damage).Int("new_hp", hurt.HP.N).Text("state", rules.StateOf(hurt))
	text := hurt.HP.String()
	if !rules.CanAct(hurt) {
		text += ", " + stateName(s, hurt)
	}
	return rules.Accept(result, key, attacker, target, with, damage, text, t.Total, defence)
}

// applyDamage takes hit points. An actor who was dying dies.
func applyDamage(s *rules.Step, target *world.Actor, damage int64) *world.Actor {
	hurt := s.ChangeHP(target, -damage)
	if target.State != world.Dying {
		return hurt
	}
	dead := rules.Change(s, hurt, func(next *world.Actor) { next.State = world.Dead })
	leaveEncounter(s, dead.ID)
	return dead
}

// leaveEncounter takes somebody out of the order of an encounter, which ends when nobody is left in
// it (invariant I9).
func leaveEncounter(s *rules.Step, id string) {
	e := s.World.Encounter()
	if e == nil {
		return
	}
	next := *e
	next.Actors = nil
	for i, other := range e.Actors {
		if other != id {
			next.Actors = append(next.Actors, other)
		} else if int64(i) < e.Turn {
			next.Turn--
		}
	}
	switch {
	case len(next.Actors) == len(e.Actors):
		return
	case len(next.Actors) == 0:
		s.Drop(e)
		passTurn(s, nil, "")
		return
	case next.Turn >= int64(len(next.Actors)): // the last one of the round had the turn
		next.Turn = 0
		next.Round++
	}
	s.Put(&next)
}

// attackNumbers returns the bonus of an attacker with a weapon, the sides of its die, and its name.
func attackNumbers(s *rules.Step, attacker *world.Actor, weapon *world.Thing) (bonus, sides int64, with string) {
	bonus = rules.Bounded(attacker.Stats["force"])
	if weapon == nil {
		return bonus, 2, s.Say("attack.hands")
	}
	if sides = weapon.Stats[damageStat]; sides < 2 {
		sides = 4 // nobody made it a weapon
	}
	if weapon.Stats[fineStat] != 0 || weapon.Stats[rangeStat] != 0 {
		bonus = max(bonus, rules.Bounded(attacker.Stats["finesse"]))
	}
	return bonus, min(sides, 100), weapon.Name
}
