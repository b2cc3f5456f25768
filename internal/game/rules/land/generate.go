package land

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"hob/internal/game/atlas"
	"hob/internal/game/rules"
)

// What a map may be (seed 002).
const (
	defaultSize = 6
	maxSize     = 30
	maxTheme    = 80 // runes
)

// mapRequest is what a call of map_generate asks for.
type mapRequest struct {
	parent      string
	theme, seed string
	size, loops int // loops per mille
	hub, locks  bool
	warnings    []string
}

// runMapGenerate runs the tool map_generate of seed 002. Its result is
// {"created_area_ids","created_connections","root_parent_area_id","warnings"}, and created_object_ids where there are keys.
// Warnings are seed_defaulted, theme_defaulted (it was blank), hub_ignored (there is no parent to be one) and locks_ignored
// (around a hub no door holds anybody up).
func runMapGenerate(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	w, bad := readMapRequest(s, a)
	if bad != nil {
		return bad
	}
	layout, err := atlas.Generate(atlas.Plan{
		Campaign: s.Services.Letters(16, "map"), Parent: w.parent, Seed: w.seed, Theme: w.theme, Size: w.size,
		LoopsPerMille: w.loops, Hub: w.hub, Locks: w.locks,
	})
	if err != nil {
		return rules.Refuse(rules.InvalidArgs, "map_generate.refused", err.Error())
	}
	first := len(s.World.Places()) == 0
	b := newBuilder(s, w, layout)
	b.rooms()
	b.passages()
	b.joinParent()
	b.joinLayer()
	if first {
		placeHomeless(s, b.ids[0])
	}
	if s.World.Self().Shape == "002" && s.World.HasSeparateAreas() { // there the whole map must hold, or nothing of it is made
		return rules.Refuse(rules.InvalidArgs, "map_generate.apart")
	}
	result := rules.NewObj().List("created_area_ids", b.ids).Int("created_connections", b.links).
		TextOrNull("root_parent_area_id", w.parent).List("warnings", w.warnings).Some("created_object_ids", b.keys)
	return rules.Accept(result, "map_generate.done", len(b.ids), b.names[0], b.ids[0])
}

// readMapRequest reads the arguments. A top-level size and seed count only without constraints.
func readMapRequest(s *rules.Step, a rules.Args) (w mapRequest, bad *rules.Verdict) {
	w = mapRequest{size: defaultSize, loops: atlas.DefaultLoops, warnings: []string{}}
	if a.Has("parent_area_id") {
		if w.parent = strings.TrimSpace(a.Text("parent_area_id")); w.parent == "" {
			return w, rules.Refuse(rules.InvalidArgs, "map_generate.parent")
		}
		if s.World.Place(w.parent) == nil {
			return w, rules.Refuse(rules.EntityNotFound, "map_generate.no_parent", w.parent)
		}
	}
	if w.theme = strings.TrimSpace(a.Text("theme")); w.theme == "" {
		if w.theme = atlas.DefaultTheme; a.Has("theme") {
			w.warnings = append(w.warnings, "theme_defaulted")
		}
	}
	if len([]rune(w.theme)) > maxTheme {
		return w, rules.Refuse(rules.InvalidArgs, "map_generate.theme", maxTheme)
	}
	if !a.Has("constraints") {
		return w, w.readShape(a)
	}
	c, ok := a.Object("constraints")
	if !ok {
		return w, rules.Refuse(rules.InvalidArgs, "arg_object", "constraints")
	}
	seen := map[string]bool{}
	for _, name := range c.Names() {
		switch name {
		case "size", "seed", "loops", "hub", "locks":
		default:
			return w, rules.Refuse(rules.InvalidArgs, "arg_unknown", name, "constraints")
		}
		if seen[name] {
			return w, rules.Refuse(rules.InvalidArgs, "arg_twice", name)
		}
		seen[name] = true
	}
	return w, w.readShape(c)
}

// readShape reads the size, the seed and what else shapes a map.
func (w *mapRequest) readShape(a rules.Args) *rules.Verdict {
	if raw := a.Raw("size"); raw != nil || a.Given("size") {
		n, err := strconv.Atoi(string(raw))
		if err != nil {
			return rules.Refuse(rules.InvalidArgs, "arg_int", "size")
		}
		if n < 1 || n > maxSize {
			return rules.Refuse(rules.InvalidArgs, "arg_range", "size", "1", maxSize)
		}
		w.size = n
	}
	if raw := a.Raw("seed"); raw != nil && raw[0] != '"' {
		return rules.Refuse(rules.InvalidArgs, "arg_text", "seed")
	}
	if w.seed = a.Text("seed"); !a.Has("seed") {
		w.seed, w.warnings = "default", append(w.warnings, "seed_defaulted")
	}
	for _, name := range []string{"hub", "locks"} {
		if raw := string(a.Raw(name)); raw != "" && raw != "true" && raw != "false" {
			return rules.Refuse(rules.InvalidArgs, "arg_flag", name)
		}
	}
	if w.hub = a.Flag("hub", false); w.hub && w.parent == "" {
		w.hub, w.warnings = false, append(w.warnings, "hub_ignored")
	}
	if w.locks = a.Flag("locks", false); w.locks && w.hub {
		w.locks, w.warnings = false, append(w.warnings, "locks_ignored")
	}
	if raw := a.Raw("loops"); raw != nil {
		n, ok := perMille(raw)
		if !ok {
			return rules.Refuse(rules.InvalidArgs, "arg_range", "loops", "0", "1")
		}
		w.loops = n
	}
	return nil
}

// perMille reads a share from 0 to 1, in any form that a JSON number has.
func perMille(raw json.RawMessage) (n int, ok bool) {
	share, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || share < 0 || share > 1 {
		return 0, false
	}
	thousand := float64(share * 1000) // rounded here: some machines would add the next number to what is not
	return int(thousand + 0.5), true
}
