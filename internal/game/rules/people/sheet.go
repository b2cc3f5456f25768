package people

import (
	"maps"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// runSheet runs the tool sheet. Its result is
// {"actor_id","name","role"?,"desc"?,"place_id","state"?,"hp"?,"hp_max"?,"move_speed_mph","attitude"?,"stats"?,
// "attributes"?,"conditions":[see condition],"carried":[{"id","name","qty","relation"?}]}. What somebody wants or hides is not
// on it.
func runSheet(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
	known := sheetLines(s, actor)
	if len(known) == 0 {
		return rules.Accept(sheetResult(s, actor), "sheet.bare", actor)
	}
	return rules.Accept(sheetResult(s, actor), "sheet.done", actor, s.Join("people.lines", known))
}

// sheetResult returns the sheet as an object.
func sheetResult(s *rules.Step, a *world.Actor) *rules.Obj {
	stats := rules.NewObj()
	for _, name := range slices.Sorted(maps.Keys(a.Stats)) {
		stats.Int(name, a.Stats[name])
	}
	o := rules.NewObj().Text("actor_id", a.ID).Text("name", a.Name).Some("role", a.Role).Some("desc", a.Desc).
		Text("place_id", a.Place).Some("state", a.State).Some("hp", a.HP).Some("hp_max", a.HPMax).
		Int("move_speed_mph", a.Speed.Or(world.WalkingPace)).Some("attitude", a.Attitude).Some("stats", stats).
		Some("attributes", attributesObj(a))
	var carried []*rules.Obj
	for _, t := range s.World.Contents(a.ID) {
		if t.Hidden {
			continue
		}
		item := rules.NewObj().Text("id", t.ID).Text("name", t.Name).Int("qty", max(1, t.Qty)).Some("relation", t.Rel)
		carried = append(carried, item)
	}
	return o.Objs("conditions", conditionObjs(s, a)).Objs("carried", carried)
}

// sheetLines returns the sheet as sentences. Empty parts have none.
func sheetLines(s *rules.Step, a *world.Actor) (list []string) {
	switch {
	case a.HP.Known && a.HPMax.Known:
		list = append(list, s.Say("sheet.hp_of", a.HP, a.HPMax))
	case a.HP.Known:
		list = append(list, s.Say("sheet.hp", a.HP))
	}
	switch a.State {
	case world.Dying, world.Unconscious, world.Restrained, world.Dead:
		list = append(list, s.Say("sheet."+a.State))
	}
	words := lists.Map(slices.Sorted(maps.Keys(a.Stats)), func(name string) string { return s.Say("sheet.stat", name, a.Stats[name]) })
	list = addLine(s, list, "sheet.stats", words)
	words = nil
	for _, name := range slices.Sorted(maps.Keys(a.Conditions)) {
		if until := a.Conditions[name]; until > 0 {
			words = append(words, s.Say("sheet.minutes", name, max(0, until-s.World.Self().Minute)))
		} else {
			words = append(words, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Rounds)) {
		words = append(words, s.Say("sheet.rounds", name, a.Rounds[name]))
	}
	list = addLine(s, list, "sheet.conditions", words)
	words = lists.Map(slices.Sorted(maps.Keys(a.Attrs)), func(name string) string { return s.Say("sheet.trait", name, a.Attrs[name]) })
	list = addLine(s, list, "sheet.attributes", words)
	words = nil
	for _, t := range s.World.Contents(a.ID) {
		switch {
		case t.Hidden:
		case t.Qty > 1:
			words = append(words, s.Say("sheet.counted", t, t.Qty))
		default:
			words = append(words, s.Say("people.name", t))
		}
	}
	return addLine(s, list, "sheet.carried", words)
}

// addLine adds a line about words, unless there are none.
func addLine(s *rules.Step, list []string, key string, words []string) []string {
	if len(words) == 0 {
		return list
	}
	return append(list, s.Say(key, s.Join("people.list", words)))
}
