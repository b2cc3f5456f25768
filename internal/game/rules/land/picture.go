package land

import (
	"cmp"
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"hob/internal/game/chart"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// textWidth is how many columns a map in letters takes.
const textWidth = 78

// View says what of a world is drawn.
type View struct {
	Zones  bool     // the zones of the open world; otherwise the places around the one who looks, in its layer
	Reveal bool     // all of it, secrets too: for who tells the story, not for who plays
	Dark   bool     // light on dark
	Actor  string   // who looks, "" is the active actor, or the first of the party
	Trail  []string // the places where that one was, the oldest first
}

// runMapRender runs the tool map_render. Its result is {"format","file","legend"} with text, svg, or png_base64,
// width and height.
func runMapRender(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	m := Picture(s.World, View{Zones: a.Text("scope") == "zone", Reveal: a.Flag("reveal", false), Actor: s.Actor})
	if len(m.Rooms) == 0 {
		return rules.Refuse(rules.EntityNotFound, "map_render.empty")
	}
	result := rules.NewObj()
	switch format := a.Text("format"); format {
	case "svg":
		result.Text("format", format).Text("file", "map.svg").Text("svg", chart.SVG(m)).List("legend", nil)
	case "png":
		p, err := chart.PNG(m)
		if err != nil {
			return rules.Refuse(rules.Internal, "map_render.failed", err.Error())
		}
		result.Text("format", format).Text("file", "map.png").Text("png_base64", base64.StdEncoding.EncodeToString(p.PNG)).
			Int("width", int64(p.Width)).Int("height", int64(p.Height)).List("legend", p.Legend)
	default:
		result.Text("format", "text").Text("file", "map.txt").Text("text", chart.Text(m, textWidth)).List("legend", nil)
	}
	return rules.Accept(result, "map_render.done", len(m.Rooms))
}

// Picture returns what of a world is drawn. What the party does not know is not in it, unless the
// view reveals it: there are the places where somebody was, and those that their ways lead to,
// which have no name before somebody was there; the zones of the open world, which have one. No
// hidden way and no secret place is in it.
func Picture(w *world.World, v View) chart.Map {
	self := w.Self()
	m := chart.Map{Title: self.Title, Lang: self.Lang, Dark: v.Dark, Layer: chart.Areas}
	if v.Zones {
		m.Layer = chart.Zones
	}
	p := mapDrawer{w: w, view: v, m: &m, at: map[string]int{}, here: viewPlace(w, v.Actor), members: playedActors(w)}
	if v.Zones {
		if p.here != nil {
			p.here = zoneOf(w, p.here.ID)
		}
		for _, place := range overland(w) {
			p.room(place)
		}
	} else {
		p.layer()
	}
	p.links()
	p.trail()
	if !v.Zones && !p.hasOwnCells() {
		return chart.Arrange(m)
	}
	return m
}

// viewPlace returns the place of the viewer, or nil.
func viewPlace(w *world.World, actor string) *world.Place {
	for _, a := range rules.Viewers(w, actor) {
		if p := w.Place(a.Place); p != nil {
			return p
		}
	}
	return nil
}

// playedActors returns the party, or all player characters where there is no party.
func playedActors(w *world.World) []*world.Actor {
	if len(w.Self().Party) > 0 {
		return w.Party()
	}
	return slices.DeleteFunc(w.Actors(), func(a *world.Actor) bool { return a.Role != "pc" })
}

// zoneOf returns the zone of the open world that a place is or lies in, or nil.
func zoneOf(w *world.World, place string) *world.Place {
	for p := range w.Around(place) {
		if p.Overland {
			return p
		}
	}
	return nil
}

// mapDrawer draws places and links into a map.
type mapDrawer struct {
	w    *world.World
	view View
	m    *chart.Map
	at   map[string]int // index of a place's room
	here *world.Place

	members []*world.Actor
	free    int // rooms that have no cell of their own
}

// layer draws what lies in the same parent as the place where the party is, with that parent where
// a way leads to it.
func (p *mapDrawer) layer() {
	layer := p.w.Inner(p.parent())
	for _, place := range layer {
		p.room(place)
	}
	outer := p.w.Place(p.parent())
	if outer == nil || !p.room(outer) {
		return
	}
	// The parent has a cell among its own siblings, not here: it stands to the west, beside the
	// first room that leads to it.
	r := &p.m.Rooms[len(p.m.Rooms)-1]
	joined := slices.IndexFunc(layer, func(place *world.Place) bool {
		_, drawn := p.at[place.ID]
		return drawn && (p.isKnown(p.w.Link(place.ID, outer.ID)) || p.isKnown(p.w.Link(outer.ID, place.ID)))
	})
	if joined < 0 {
		delete(p.at, outer.ID)
		p.m.Rooms = p.m.Rooms[:len(p.m.Rooms)-1]
		return
	}
	r.Y = p.m.Rooms[p.at[layer[joined].ID]].Y
	others := p.m.Rooms[:len(p.m.Rooms)-1]
	r.X = slices.MinFunc(others, func(a, b chart.Room) int { return cmp.Compare(a.X, b.X) }).X - 1
}

// room draws a place, if it may be known. A page of a tale of choices is none.
func (p *mapDrawer) room(place *world.Place) bool {
	if place.IsPage() {
		return false
	}
	current := p.here != nil && place.ID == p.here.ID
	r := chart.Room{Current: current, Radius: place.Radius, Party: p.party(place)}
	r.Visited = place.Visited || current || len(r.Party) > 0
	if !r.Visited && !p.view.Reveal && !p.isGlimpsed(place) {
		return false
	}
	if r.Known = p.view.Reveal || place.Overland; r.Known || r.Visited {
		r.ID, r.Name = place.ID, place.Name
	}
	if p.view.Reveal || r.Visited {
		r.Kind = kindOf(place)
		r.People, r.Things = p.contents(place)
	}
	switch {
	case p.view.Zones:
		r.X, r.Y = place.Pos.X/1000, place.Pos.Y/1000
	case place.Grid != nil:
		r.X, r.Y = place.Grid.X, place.Grid.Y
	case place.ID != p.parent():
		p.free++
	}
	p.at[place.ID] = len(p.m.Rooms)
	p.m.Rooms = append(p.m.Rooms, r)
	return true
}

// parent returns what the places of the layer lie in.
func (p *mapDrawer) parent() string {
	if p.here == nil {
		return ""
	}
	return p.here.Parent
}

// party returns the names of those of the party who are at a place; on the map of zones, also of
// those who are within it.
func (p *mapDrawer) party(place *world.Place) (names []string) {
	for _, a := range p.members {
		at := p.w.Place(a.Place)
		if p.view.Zones {
			at = zoneOf(p.w, a.Place)
		}
		if at != nil && at.ID == place.ID {
			names = append(names, a.Name)
		}
	}
	return names
}

// contents returns how many people and things the party knows to be at a place: those in sight of where one of it is, and
// elsewhere only people it has talked to.
func (p *mapDrawer) contents(place *world.Place) (people, things int) {
	inSight := p.view.Reveal || len(p.party(place)) > 0
	for _, a := range p.w.Occupants(place.ID) {
		isMet := slices.ContainsFunc(a.Talk, func(t world.Talk) bool { return t.Said })
		if !slices.Contains(p.members, a) && (inSight || isMet) {
			people++
		}
	}
	for _, t := range p.w.Contents(place.ID) {
		if inSight && (p.view.Reveal || !t.Hidden) {
			things++
		}
	}
	return people, things
}

// kindOf returns the kind of a place: the first of its tags, or the kind of zone, that names one.
func kindOf(place *world.Place) chart.Kind {
	for _, word := range append(slices.Clone(place.Tags), place.ZoneType) {
		if k := chart.Kind(strings.ToLower(word)); slices.Contains(chart.Kinds(), k) {
			return k
		}
		if k, ok := kindWords()[strings.ToLower(word)]; ok {
			return k
		}
	}
	if place.Overland {
		return chart.Field
	}
	return ""
}

// kindWords returns the kinds of zones, as models and older saves name them, with the kinds of places that they are drawn as.
func kindWords() map[string]chart.Kind {
	return map[string]chart.Kind{
		"forest": chart.Wood, "woods": chart.Wood, "grove": chart.Wood, "jungle": chart.Wood, "road": chart.Street, "town": chart.Street,
		"city": chart.Street, "village": chart.Street, "market": chart.Street, "square": chart.Street, "river": chart.Water, "lake": chart.Water,
		"sea": chart.Water, "coast": chart.Water, "harbour": chart.Water, "harbor": chart.Water, "swamp": chart.Water, "mountain": chart.Cave,
		"cavern": chart.Cave, "mine": chart.Cave, "ruins": chart.Hall, "castle": chart.Hall, "temple": chart.Hall,
	}
}

// trail draws where the party went, as far as that is drawn.
func (p *mapDrawer) trail() {
	for _, id := range p.view.Trail {
		if p.view.Zones {
			if zone := zoneOf(p.w, id); zone != nil {
				id = zone.ID
			}
		}
		if at, drawn := p.at[id]; drawn {
			p.m.Trail = append(p.m.Trail, at)
		}
	}
}

// isSeen reports whether the party was or is at a place.
func (p *mapDrawer) isSeen(place *world.Place) bool {
	return place != nil && (place.Visited || p.here != nil && place.ID == p.here.ID || len(p.party(place)) > 0)
}

// isKnown reports whether players know a way: it begins at a place where they were, and is not
// hidden.
func (p *mapDrawer) isKnown(l *world.Link) bool {
	return l != nil && (p.view.Reveal || !l.Hidden && p.isSeen(p.w.Place(l.From)))
}

// isGlimpsed reports whether players know a place without having been there: a known way leads to
// it, or it is a zone, and it is no secret.
func (p *mapDrawer) isGlimpsed(place *world.Place) bool {
	return !place.Secret && (place.Overland || slices.ContainsFunc(p.w.Ins(place.ID), p.isKnown))
}

// links draws the ways between the rooms that are drawn, and marks those that lead up and down to
// others.
func (p *mapDrawer) links() {
	for _, l := range p.w.Links() {
		from, ok := p.at[l.From]
		if !ok || !p.isKnown(l) {
			continue
		}
		to, drawn := p.at[l.To]
		if !drawn {
			r, place := &p.m.Rooms[from], p.w.Place(l.To)
			if place != nil && (p.view.Reveal || !place.Secret || p.isSeen(place)) {
				r.Up, r.Down = r.Up || l.Dir == "u", r.Down || l.Dir == "d"
			}
			continue
		}
		p.m.North = p.m.North || l.Dir != "" && l.Dir != "u" && l.Dir != "d"
		back := p.w.Link(l.To, l.From)
		p.m.Links = append(p.m.Links, chart.Link{
			From: from, To: to, OneWay: back == nil || back.Hidden && !p.view.Reveal, Door: chart.Door(l.Door), Dir: l.Dir,
		})
	}
}

// hasOwnCells reports whether every room has a cell of its own.
func (p *mapDrawer) hasOwnCells() bool {
	taken := make(map[[2]int64]bool, len(p.m.Rooms))
	for _, r := range p.m.Rooms {
		at := [2]int64{r.X, r.Y}
		if taken[at] {
			return false
		}
		taken[at] = true
	}
	return p.free == 0
}
