package land

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hob/internal/game/atlas"
	"hob/internal/game/distance"
	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

const (
	maxZones  = 3 // made at once (seed 003)
	maxPrompt = 2000
)

// runGenerateZone runs the tool generate_zone of seed 003. Its result is
// {"ok":true,"generated","zones":[{"zone_id","name","x","y","z","description", "tags"}]}, in metres.
func runGenerateZone(ctx context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	w := zoneRequest{
		prompt: strings.TrimSpace(a.Text("world_prompt")), count: int(min(max(a.Int("count", 1), 1), maxZones)),
		near: a.Flag("near_player", true), lang: s.Lang, around: playerPosition(s), existing: overland(s.World),
	}
	if len([]rune(w.prompt)) > maxPrompt {
		return rules.Refuse(rules.InvalidArgs, "generate_zone.long", maxPrompt)
	}
	zones, d := writeZones(ctx, s, w)
	if d != nil {
		return d
	}
	first := len(s.World.Places()) == 0
	var made rules.Items
	for _, z := range zones {
		p := buildZone(s, z)
		if first {
			placeHomeless(s, p.ID)
			first = false
		}
		made.Add(rules.NewObj().Text("zone_id", p.ID).Text("name", p.Name).Metres("x", p.Pos.X).Metres("y", p.Pos.Y).
			Metres("z", p.Pos.Z).Text("description", p.Desc).List("tags", p.Tags), p.Name)
	}
	count, all := int64(len(zones)), strings.Join(made.Lines, ", ")
	s.Note("area_generate", s.Say("generate_zone.note", count, all),
		rules.NewObj().Int("count", count).Objs("zones", made.Objs))
	result := rules.NewObj().Flag("ok", true).Int("generated", count).Objs("zones", made.Objs)
	return rules.Accept(result, "generate_zone.done", count, all)
}

// zoneRequest is what a call of generate_zone asks for.
type zoneRequest struct {
	prompt, lang string

	count    int
	near     bool
	around   world.Point
	existing []*world.Place // the zones that are there
}

// playerPosition returns the position of the acting actor, of the first of the party, or of the
// player of a session of seed 003.
func playerPosition(s *rules.Step) world.Point {
	for _, id := range append(append([]string{s.Actor}, s.World.Self().Party...), "player_001") {
		a := s.World.Actor(id)
		if a == nil {
			continue
		}
		if a.Pos != nil {
			return *a.Pos
		}
		if p := s.World.Place(a.Place); p != nil && p.Pos != nil {
			return *p.Pos
		}
		break
	}
	return world.Point{}
}

// ground returns where zones may be put.
func (w zoneRequest) ground() atlas.Ground {
	g := atlas.Ground{Around: metres(w.around), Near: w.near}
	for _, p := range w.existing {
		g.Existing = append(g.Existing, atlas.Circle{Centre: metres(*p.Pos), Radius: p.Radius})
	}
	return g
}

// overland returns the zones of the open world.
func overland(w *world.World) (list []*world.Place) {
	for _, p := range w.Places() {
		if p.Overland && p.Pos != nil {
			list = append(list, p)
		}
	}
	return list
}

func metres(p world.Point) atlas.Point {
	return atlas.Point{X: p.X / 1000, Y: p.Y / 1000, Z: p.Z / 1000}
}

// writeZones returns placed zones, written by the model, or from tables where there is no model.
func writeZones(ctx context.Context, s *rules.Step, w zoneRequest) ([]atlas.Zone, *rules.Verdict) {
	if s.Services.Author == nil {
		key := atlas.KeyOf(s.Services.Letters(16, "zone"), s.NewName("zone"), w.prompt)
		wish := atlas.Request{Key: key, Lang: s.Lang, Prompt: w.prompt, Count: w.count}
		for _, p := range w.existing {
			wish.Taken = append(wish.Taken, p.Name)
		}
		return atlas.FallbackZones(wish, w.ground()), nil
	}
	text, err := s.Services.Author(ctx, w.buildPrompt())
	var timeout interface{ Timeout() bool }
	switch {
	case err == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout():
		return nil, rules.Refuse(rules.UpstreamTimeout, "generate_zone.timeout")
	default:
		return nil, rules.Refuse(rules.Internal, "generate_zone.author", err.Error()) // it wrote nothing that could be invalid
	}
	drafts, err := readDrafts(text, w)
	if err != nil {
		return nil, rules.Refuse(rules.UpstreamInvalid, "generate_zone.invalid", err.Error())
	}
	return w.place(drafts), nil
}

// buildPrompt returns the prompt for the model.
func (w zoneRequest) buildPrompt() string {
	const known = 8 // zones that it is told of, the newest
	var b strings.Builder
	fmt.Fprintf(&b, "Invent %d new zone(s) for an open world. The world: %s\n", w.count, w.prompt)
	fmt.Fprintf(&b, "The player is at x=%d, y=%d (metres).\n", w.around.X/1000, w.around.Y/1000)
	if len(w.existing) > 0 {
		b.WriteString("Zones that are there; leave room between them and yours:\n")
	}
	for _, p := range w.existing[max(0, len(w.existing)-known):] {
		if rules.Secret(p) {
			continue
		}
		fmt.Fprintf(&b, "- %s at x=%d, y=%d, radius %d\n", cleanText(p.Name, maxName), p.Pos.X/1000, p.Pos.Y/1000, p.Radius)
	}
	b.WriteString(`Answer with JSON only: {"zones":[{"name":"...","x":0,"y":0,"description":"one or two sentences",` +
		`"zone_type":"road","size":"small","radius_m":120,"tags":["..."],` +
		`"sub_zones":[{"name":"...","description":"...","offset_x":0,"offset_y":0}]}]}` + "\n" +
		"x and y are whole metres. size is small (3 to 5 sub zones), medium (5 to 10) or large (8 to 15). " +
		"Offsets are smaller than radius_m.\n")
	if w.near {
		b.WriteString("One zone lies within 80 m of the player, all of them within 300 m.\n")
	} else {
		b.WriteString("Neither x nor y is more than 1000 from the player's.\n")
	}
	language := map[string]string{"en": "English", "ru": "Russian", "zh": "Chinese"}[spelling.Language(w.lang)]
	b.WriteString("Names and descriptions are in " + language + ".")
	return b.String()
}

// place puts drafts on the ground.
func (w zoneRequest) place(drafts []atlas.Zone) []atlas.Zone {
	wanted := make([]atlas.Circle, len(drafts))
	for i, z := range drafts {
		wanted[i] = atlas.Circle{Centre: z.Centre, Radius: z.Radius}
	}
	spots, _ := atlas.Place(w.ground(), wanted)
	for i := range drafts {
		drafts[i].Centre = spots[i]
	}
	return drafts
}

// buildZone makes a zone part of the world: its place, its sub zones, and a way to the nearest zone
// in both directions.
func buildZone(s *rules.Step, z atlas.Zone) *world.Place {
	at := fmt.Sprintf("%d_%d_%d", z.Centre.X, z.Centre.Y, z.Centre.Z)
	id := "zone_" + at
	for n := 2; s.Known(id); n++ { // no two zones share a spot, but any record may have any id
		id = fmt.Sprintf("zone_%s_%d", at, n)
	}
	p := &world.Place{
		ID: id, Order: s.NewOrder(), Name: z.Name, Desc: z.Description, Type: "zone", Overland: true,
		ZoneType: z.Kind, Size: z.Size, Radius: z.Radius, Tags: z.Tags,
		Pos: &world.Point{X: z.Centre.X * 1000, Y: z.Centre.Y * 1000, Z: z.Centre.Z * 1000},
	}
	near := nearestZone(s, *p.Pos)
	s.Put(p)
	if near != nil {
		connect(s, world.Link{From: near.ID, To: p.ID})
	}
	for i, sub := range z.Subs {
		inner := &world.Place{
			ID: fmt.Sprintf("sub_%s_%d", strings.TrimPrefix(id, "zone_"), i+1), Order: s.NewOrder(),
			Name: sub.Name, Desc: sub.Description, Parent: id, Type: "sub_zone",
			Pos: &world.Point{X: p.Pos.X + sub.Offset.X*1000, Y: p.Pos.Y + sub.Offset.Y*1000, Z: p.Pos.Z + sub.Offset.Z*1000},
		}
		if s.Known(inner.ID) {
			inner.ID = s.NewID("sub")
		}
		s.Put(inner)
		connect(s, world.Link{From: id, To: inner.ID})
	}
	return p
}

// nearestZone returns the place that a new zone is linked with: the zone that lies nearest, the
// first of several; one that is secret only where there is no other. Where there are no zones it is
// the place at the root that the player is in, or the newest there.
func nearestZone(s *rules.Step, at world.Point) *world.Place {
	list := overland(s.World)
	if known := slices.DeleteFunc(slices.Clone(list), rules.Secret); len(known) > 0 {
		list = known
	}
	if len(list) > 0 {
		far := func(p *world.Place) int64 {
			return distance.Distance2D(distance.Point{X: at.X, Y: at.Y}, distance.Point{X: p.Pos.X, Y: p.Pos.Y})
		}
		return slices.MinFunc(list, func(a, b *world.Place) int { return cmp.Compare(far(a), far(b)) })
	}
	if a := s.World.Actor(s.Actor); a != nil {
		for p := range s.World.Around(a.Place) {
			if p.Parent == "" {
				return p
			}
		}
	}
	if root := s.World.Inner(""); len(root) > 0 {
		return root[len(root)-1]
	}
	return nil
}
