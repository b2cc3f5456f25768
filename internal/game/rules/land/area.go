package land

import (
	"context"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// What people write about a place, in runes.
const (
	maxName        = 80
	maxDescription = 600
)

// runCreateArea runs the tool create_area. Its result is {"area_id"}.
func runCreateArea(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	from := s.World.Place(a.Text("link_from"))
	if from == nil {
		return rules.Refuse(rules.PlaceNotFound, "create_area.from", a.Text("link_from"))
	}
	name, desc, dir := a.Text("name"), strings.TrimSpace(a.Text("desc")), a.Text("direction")
	if len([]rune(name)) > maxName || len([]rune(desc)) > maxDescription {
		return rules.Refuse(rules.InvalidArgs, "create_area.long", maxName, maxDescription)
	}
	for _, l := range s.World.Outs(from.ID) {
		if dir != "" && l.Dir == dir {
			return rules.Refuse("direction_taken", "create_area.taken", dir, from.Name)
		}
	}
	p := &world.Place{
		ID: s.NewID("area"), Order: s.NewOrder(), Name: name, Desc: desc, Parent: from.Parent, Type: "area",
		Grid: freeCell(s, from, dir),
	}
	if !isArea(from) { // the areas of a layer are one map (invariant I5); what lies beside other places may lie apart, as they do
		p.Type = "location"
	}
	s.Put(p)
	connect(s, world.Link{From: from.ID, To: p.ID, Dir: dir})
	return rules.Accept(rules.NewObj().Text("area_id", p.ID), "create_area.done", p.Name, from.Name, p.ID).With(p.ID)
}

// freeCell returns the free cell in a direction of a place's cell, nil where it has none or another
// room is there.
func freeCell(s *rules.Step, from *world.Place, dir string) *world.Cell {
	if from.Grid == nil {
		return nil
	}
	step, ok := world.Step(dir)
	if !ok {
		return nil
	}
	cell := world.Cell{X: from.Grid.X + step.X, Y: from.Grid.Y + step.Y}
	for _, p := range s.World.Inner(from.Parent) {
		if p.Grid != nil && *p.Grid == cell {
			return nil
		}
	}
	return &cell
}
