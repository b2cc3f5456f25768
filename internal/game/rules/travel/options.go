package travel

import (
	"fmt"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runMoveOptions runs the tool move_options. Its result is
// {"options":[{"to_area_id","name","dir"?,"minutes","blocked"?}]}: the ways that may be taken in
// one step, in their order, without those that nobody was told of; blocked says in words why one
// cannot be taken now. What lies further away in the open world comes last, with the tool that goes
// there.
func runMoveOptions(s *rules.Step, _ rules.Args, a *world.Actor) *rules.Verdict {
	w := s.World
	ways := w.Outs(a.Place)
	if zone := enclosingZone(w, w.Place(a.Place)); zone != nil {
		ways = append(ways, w.Outs(zone.ID)...)
	}
	listed := map[string]bool{a.Place: true}
	var list rules.Items
	for _, l := range ways {
		to := w.Place(l.To)
		if to == nil || l.Hidden || rules.Secret(to) || listed[l.To] || isAt(w, a, l.To) {
			continue
		}
		listed[l.To] = true
		span, _ := wayLength(w, l, speed(a))
		one := rules.NewObj().Text("to_area_id", to.ID).Text("name", rules.NameOf(to)).Some("dir", l.Dir).
			Int("minutes", spanMinutes(span, speed(a)))
		words := fmt.Sprintf("%s (%s)", rules.NameOf(to), to.ID)
		if barrier := checkWay(w, a, l); barrier != nil {
			why := s.Text(barrier.Say)
			one.Text("blocked", why)
			words += ": " + why
		}
		list.Add(one, words)
	}
	for _, z := range rules.Zones(w, a) {
		j := findRoute(w, a, z.Place)
		if j == nil || listed[z.ID] {
			continue
		}
		name := rules.NameOf(z.Place)
		list.Add(rules.NewObj().Text("to_area_id", z.ID).Text("name", name).Int("minutes", j.minutes).
			Text("tool", "move_to_zone"), fmt.Sprintf("%s (%s, move_to_zone)", name, z.ID))
	}
	result, here := rules.NewObj().Objs("options", list.Objs), rules.PlaceName(w, a.Place)
	if len(list.Lines) == 0 {
		return rules.Accept(result, "move_options.none", a, here)
	}
	return rules.Accept(result, "move_options.list", a, here, strings.Join(list.Lines, "; "))
}
