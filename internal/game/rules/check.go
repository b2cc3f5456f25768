package rules

import (
	"fmt"
	"slices"
	"strings"

	"hob/internal/game/world"
)

// maxBonus limits what a number of an actor or a weapon adds, since imported ones may be anything.
const maxBonus = 100

// Bounded returns n within the limits of what may be added to dice.
func Bounded(n int64) int64 { return min(max(n, -maxBonus), maxBonus) }

// Signed returns a bonus as it stands behind dice: with its sign, nothing for none.
func Signed(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%+d", n)
}

// Skills are the skills of every actor. A skill without a number is 0.
func Skills() []string { return []string{"force", "finesse", "wits", "charm", "lore"} }

// Skill returns an actor's number in a skill. ok is false for a skill that is neither a common one nor the actor's own.
func Skill(a *world.Actor, skill string) (n int64, ok bool) {
	n, ok = a.Stats[skill]
	return Bounded(n), ok || slices.Contains(Skills(), skill)
}

// D20 is a twenty-sided die that was thrown for somebody.
type D20 struct {
	Natural, Total int64
	Roll           Roll
}

// RollD20 throws a twenty-sided die with a bonus; with advantage "adv" the better of two, with
// "dis" the worse.
func (s *Step) RollD20(bonus int64, advantage, why string) (D20, error) {
	expr := "1d20"
	switch advantage {
	case "adv":
		expr = "2d20kh1"
	case "dis":
		expr = "2d20kl1"
	}
	r, err := s.Roll(expr+Signed(bonus), why)
	if err != nil {
		return D20{}, err
	}
	t := D20{Total: r.Total, Roll: r}
	for _, d := range r.Dice {
		if d.Kept {
			t.Natural = d.Value
		}
	}
	return t, nil
}

// What a check comes to, from the best to the worst.
const (
	Crit    = "crit"
	Success = "success"
	Partial = "partial" // it succeeds at a cost
	Fail    = "fail"
	Fumble  = "fumble"
)

// Against returns the result of a throw against a difficulty, from [Crit] to [Fumble].
func (t D20) Against(dc int64) string {
	ladder := []string{Fumble, Fail, Partial, Success, Crit}
	at := 1
	switch {
	case t.Total >= dc:
		at = 3
	case t.Total >= dc-3:
		at = 2
	}
	switch t.Natural {
	case 20:
		at++
	case 1:
		at--
	}
	return ladder[at]
}

// TickOnFail advances the progress clocks that count failed checks, if the outcome is a failure. It returns their ids,
// and text about those that players see.
func (s *Step) TickOnFail(outcome string) (ticked []string, text string) {
	if outcome != Fail && outcome != Fumble {
		return nil, ""
	}
	var lines []string
	for _, c := range s.World.Clocks() {
		if !c.OnFail {
			continue
		}
		t, ok := s.Tick(c.ID, 1)
		if !ok {
			continue
		}
		if ticked = append(ticked, c.ID); ShowsClock(s.World, c) {
			lines = append(lines, s.describeTick(s.World.Clock(c.ID), t))
		}
	}
	return ticked, strings.Join(lines, " ")
}

// describeTick says that a progress clock has advanced, or that it is full and what happens then.
func (s *Step) describeTick(c *world.Clock, t Ticked) string {
	if t.Full {
		return strings.TrimSpace(s.Say("clock_full", c.Name) + " " + c.OnFull)
	}
	return s.Say("clock_nearer", c.Name, c.Filled, c.Segments)
}

// Weapon returns the weapon in an actor's hands with the largest damage, the first of equal ones, or nil for bare
// hands.
func Weapon(w *world.World, actor string) (best *world.Thing) {
	most := int64(0)
	for _, t := range w.Contents(actor) {
		if damage := t.Stats["damage"]; !t.Hidden && damage > most {
			best, most = t, damage
		}
	}
	return best
}

// Hostile reports whether an actor would fight the party: a monster that nobody has won over, or somebody who hates the
// party.
func Hostile(w *world.World, a *world.Actor) bool {
	if a.Role == "pc" || InParty(w, a.ID) {
		return false
	}
	return a.Role == "monster" && a.Attitude <= 0 || a.Attitude <= -3
}
