package checks

import (
	"cmp"
	"context"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// maxExpression is how many characters an expression of a model may have.
const maxExpression = 120

// runRollDice runs the tool roll_dice. Its result is {"total","detail","dice":[{"size","value","kept"}],"roll_no"}.
func runRollDice(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	expr := a.Text("expr")
	if len([]rune(expr)) > maxExpression {
		return rules.Refuse(rules.InvalidArgs, "roll_dice.long", maxExpression)
	}
	r, err := s.Roll(expr, a.Text("reason"))
	if err != nil {
		return rules.Refuse(rules.InvalidArgs, "roll_dice.refused", err.Error())
	}
	result := rules.NewObj().Int("total", r.Total).Text("detail", r.Detail).Objs("dice", diceObjs(r)).Int("roll_no", r.No)
	if reason := strings.TrimSpace(a.Text("reason")); reason != "" {
		return rules.Accept(result, "roll_dice.for", r.Detail, reason)
	}
	return rules.Accept(result, "roll_dice.done", r.Detail)
}

// usualDifficulty is how hard a check is of which nobody says it.
const usualDifficulty = "medium"

// difficultyNumbers returns what the named difficulties are.
func difficultyNumbers() map[string]int64 {
	return map[string]int64{"trivial": 5, "easy": 10, "medium": 15, "hard": 20, "extreme": 25}
}

// runSkillCheck runs the tool skill_check. Its result is {"roll","total","dc","outcome","skill","roll_no"}, and
// ticked_clocks where a failure brought some nearer; outcome is crit, success, partial, fail or
// fumble. With find it is [search].
func runSkillCheck(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
	skill := a.Text("skill")
	bonus, ok := rules.Skill(actor, skill)
	if !ok {
		return refuseSkill(actor, skill)
	}
	if a.Has("find") {
		return search(s, actor, skill, bonus, a)
	}
	if a.Has("dc") && a.Has("difficulty") {
		return rules.Refuse(rules.InvalidArgs, "skill_check.difficulty")
	}
	dc := a.Int("dc", difficultyNumbers()[cmp.Or(a.Text("difficulty"), usualDifficulty)])
	judged, act := s.Act()
	if act {
		dc = judged
	}
	edge, bad := checkHelp(s, actor, a)
	if bad != nil {
		return bad
	}
	t, err := s.RollD20(bonus, edge, skill)
	if err != nil {
		return refuseDice(err)
	}
	outcome := t.Against(dc)
	if act { // nearly is not enough, but for the best of luck
		if outcome == rules.Partial {
			outcome = map[bool]string{true: rules.Success, false: rules.Fail}[t.Natural == 20]
		}
		s.Judged(actor.ID, outcome == rules.Success || outcome == rules.Crit)
	}
	var ticked []string
	var text string
	if act || !s.Bound() { // in a bound story nothing comes of a check that is for no act
		ticked, text = s.TickOnFail(outcome)
	}
	result := rules.NewObj().Int("roll", t.Natural).Int("total", t.Total).Int("dc", dc).
		Text("outcome", outcome).Text("skill", skill).Int("roll_no", t.Roll.No).Some("ticked_clocks", ticked).
		Some("act", a.Text("act")).Some("target", a.Text("target"))
	key, args := "skill_check."+outcome, []any{actor, skill, t.Total, dc}
	if text != "" {
		key, args = "skill_check.ticked", []any{s.Say(key, args...), text}
	}
	return rules.Accept(result, key, args...)
}

// checkHelp returns the advantage of a check. A helper must be there and able to act.
func checkHelp(s *rules.Step, actor *world.Actor, a rules.Args) (edge string, bad *rules.Verdict) {
	edge = a.Text("advantage")
	id := a.Text("help")
	if id == "" {
		return edge, nil
	}
	helper, bad := findAble(s, id)
	if bad != nil {
		return "", bad
	}
	if helper.ID == actor.ID || helper.Place != actor.Place {
		return "", rules.Refuse("not_here", "skill_check.help", helper, actor)
	}
	if edge == "dis" {
		return "", nil
	}
	return "adv", nil
}

// runOpposedCheck runs the tool opposed_check. Its result is
// {"actor":{"id","roll","total"},"target":{...},"winner"}; with equal totals the target holds.
func runOpposedCheck(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
	target := s.World.Actor(a.Text("target_id"))
	if target == nil {
		return rules.Refuse(rules.EntityNotFound, "actor_not_found", a.Text("target_id"))
	}
	if target.ID == actor.ID {
		return rules.Refuse(rules.SelfTarget, "opposed_check.self", actor)
	}
	if target.State == world.Dead {
		return rules.Refuse("target_dead", "attack.dead", target)
	}
	skill := a.Text("skill")
	against := cmp.Or(a.Text("target_skill"), skill)
	mine, ok := rules.Skill(actor, skill)
	if !ok {
		return refuseSkill(actor, skill)
	}
	theirs, ok := rules.Skill(target, against)
	if !ok {
		return refuseSkill(target, against)
	}
	one, err := s.RollD20(mine, a.Text("advantage"), skill)
	if err != nil {
		return refuseDice(err)
	}
	two, err := s.RollD20(theirs, "", against)
	if err != nil {
		return refuseDice(err)
	}
	winner, loser := actor, target
	if two.Total >= one.Total { // who defends holds
		winner, loser = target, actor
	}
	result := rules.NewObj().
		Obj("actor", rules.NewObj().Text("id", actor.ID).Int("roll", one.Natural).Int("total", one.Total)).
		Obj("target", rules.NewObj().Text("id", target.ID).Int("roll", two.Natural).Int("total", two.Total)).
		Text("winner", winner.ID)
	return rules.Accept(result, "opposed_check.done", winner, loser, one.Total, two.Total)
}
