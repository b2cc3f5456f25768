package game

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/game/calendar"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// Start is the beginning of a new campaign.
type Start struct {
	Session string // the campaign's id, which a session's tools ask for
	Title   string
	Lang    string // en, ru, zh
	Theme   string // of the first map; "" is a generic one
	Size    int    // places of the first map, 1 to 30; 0 is 8
	Hero    string // the name of the first character; "" is the usual one
	Seed    [32]byte
	Free    bool // what is called happens: it is not bound (see [world.Self.IsBound])
}

// Begin makes the world of a new campaign: a map with a locked door that can be opened, one character at its entry, and a clock in the
// morning. It needs no model.
func Begin(ctx context.Context, book *rules.Book, s Start) (*world.World, rules.Counts, error) {
	w, counts := world.Empty(), rules.Counts{}
	s.Size = cmp.Or(s.Size, 8)
	minute, err := calendar.Date{Year: 1000, Month: 5, Day: 1, Hour: 8}.Minutes()
	if err != nil {
		return nil, nil, err
	}
	hero := &world.Actor{
		ID: "pc_001", Order: 1, Role: "pc", Name: cmp.Or(strings.TrimSpace(s.Hero), heroName(s.Lang)), HP: world.Known(12), HPMax: world.Known(12), State: world.Alive,
		Stats: map[string]int64{"force": 1, "finesse": 1, "wits": 1, "charm": 1, "lore": 1}, Speed: world.Known(world.WalkingPace),
	}
	self := &world.Self{
		Session: s.Session, Title: s.Title, Lang: s.Lang, ClockSet: true, Minute: minute, Calendar: "common", AllowAll: true,
		Rules: map[string]int64{"hp_zero_ends_game": 1}, Party: []string{hero.ID}, Active: hero.ID,
	}
	counts["order"], counts["pc"] = 1, 1
	if err := errors.Join(w.Apply(world.Event{Old: w.Self(), New: self}), w.Apply(world.Event{New: hero})); err != nil {
		return nil, nil, err
	}
	entry, err := firstMap(ctx, book, w, counts, s)
	if err != nil {
		return nil, nil, err
	}
	bound := *w.Self()
	if bound.Integrity = world.Bound; s.Free {
		bound.Integrity = world.Free
	}
	if err := w.Apply(world.Event{Old: w.Self(), New: &bound}); err != nil {
		return nil, nil, err
	}
	known := *w.Place(entry)
	known.Visited = true
	return w, counts, w.Apply(world.Event{Old: w.Place(entry), New: &known})
}

// firstMap makes the first places, and returns the entry. Everybody who was nowhere is there now.
func firstMap(ctx context.Context, book *rules.Book, w *world.World, counts rules.Counts, s Start) (entry string, err error) {
	t := rules.Turn{Book: book, World: w, Unbound: true, Services: rules.Services{Counts: &counts, Letters: func(n int, words ...string) string {
		return eventlog.Letters(s.Seed, n, words...)
	}}}
	constraints := rules.NewObj().Int("size", int64(s.Size)).Text("seed", "first").Flag("locks", true)
	args := rules.NewObj().Raw("parent_area_id", []byte("null")).Obj("constraints", constraints)
	if theme := strings.TrimSpace(s.Theme); theme != "" {
		args.Text("theme", theme)
	}
	o := t.Do(ctx, rules.Call{Tool: "map_generate", Args: args.Bytes()}, nil)
	if !o.OK() {
		return "", fmt.Errorf("make the first map: %s", book.Text("en", o.Say))
	}
	return w.Inner("")[0].ID, nil
}

// heroName is what the first character is called if nobody says.
func heroName(lang string) string {
	return map[string]string{"en": "Hero", "ru": "Герой", "zh": "主角"}[spelling.Language(lang)]
}
