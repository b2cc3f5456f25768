package tales

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// Trade is a kind of hero that players can choose.
type Trade struct {
	ID    string
	Name  string           // what such a hero is called
	Line  string           // who that is, in a sentence
	Stats map[string]int64 // force, finesse, wits, charm and lore, -1 to 5
	HP    int64
	Has   string // what such a hero carries
}

// trade is a Trade with the records of what the hero carries.
type trade struct {
	Trade
	things []*world.Thing
}

func (m *maker) trade(l *line) {
	id := m.id(l)
	t := &trade{Trade: Trade{
		ID: id, Name: m.word(id, mostName), Line: m.word(id+".line", mostLine), HP: l.num("hp", 1, mostHP), Stats: l.numbers(rules.Skills()...),
	}}
	if t.HP == 0 {
		l.fail("nobody lives without hit points: say hp=, such as hp=10")
	}
	if len(m.trades) == mostTrades {
		l.fail("there are %d heroes to choose from already, and more find no room: leave one out", mostTrades)
	}
	m.trades = append(m.trades, t)
}

func (m *maker) item(l *line) {
	id, of := m.id(l), l.next()
	for _, t := range m.trades {
		if t.ID == of {
			if slices.ContainsFunc(t.things, func(has *world.Thing) bool { return has.ID == id }) {
				l.fail("%s carries %s already: choose another id", of, id)
			}
			t.things = append(t.things, m.thing(l, id, ""))
			t.Has = t.things[0].Name
			return
		}
	}
	l.fail("there is no trade %q before this line: make it above, or mend the id", shorten(of))
}

// encodeHeroes returns the heroes in the form that a world keeps: for each a list of records, an actor and their
// things.
func (m *maker) encodeHeroes() string {
	b := []byte{'['}
	for i, t := range m.trades {
		if i > 0 {
			b = append(b, ',')
		}
		b = world.AppendRecord(append(b, '['), &world.Actor{
			ID: t.ID, Role: "pc", Name: t.Name, Desc: t.Line, HP: world.Known(t.HP), HPMax: world.Known(t.HP), State: world.Alive,
			Stats: t.Stats, Speed: world.Known(world.WalkingPace), Attrs: map[string]string{},
		})
		for _, thing := range t.things {
			b = world.AppendRecord(append(b, ','), thing)
		}
		b = append(b, ']')
	}
	return string(append(b, ']'))
}

// decodeHeroes returns the heroes that a world keeps.
func decodeHeroes(cast string) (list []*trade, err error) {
	s := world.Scan([]byte(cast))
	s.Expect('[')
	for i := 0; s.Item(i); i++ {
		t := &trade{}
		s.Expect('[')
		for n := 0; s.Item(n); n++ {
			if n > 0 {
				if thing, ok := s.Record(world.ThingKind).(*world.Thing); ok {
					t.things = append(t.things, thing)
				}
			} else if a, ok := s.Record(world.ActorKind).(*world.Actor); ok {
				t.Trade = Trade{ID: a.ID, Name: a.Name, Line: a.Desc, Stats: a.Stats, HP: a.HP.Or(0)}
			}
		}
		list = append(list, t)
	}
	s.End()
	if err := s.Err(); err != nil || len(list) == 0 {
		return nil, errors.Join(errors.New("who can be played in it cannot be read"), err)
	}
	return list, nil
}

// Trades returns the heroes of a tale.
func (t Tale) Trades(lang string) []Trade {
	return lists.Map(t.makerOf(lang, [32]byte{}).trades, func(tr *trade) Trade { return tr.Trade })
}

// HasHeroes reports whether a world says who can join its party, as the world of a tale does.
func HasHeroes(w *world.World) bool {
	_, ok := ByID(w.Self().Genre)
	return ok || w.Self().Heroes != ""
}

// Hero returns the events by which another player's hero joins the party of a tale's world, at the
// place of the party, and the counters of ids after them. It does not change w and counts. trade ""
// is the first of the tale's, name "" that of the trade; owner is the user who plays the hero. The
// heroes are those that the world keeps, whatever became of the tale; an older world without any
// takes those of its tale in lang.
func Hero(w *world.World, counts rules.Counts, lang, trade, name, owner string) ([]world.Event, rules.Counts, error) {
	list, err := heroes(w, lang)
	if err != nil {
		return nil, nil, fmt.Errorf("add a hero: %w", err)
	}
	place := rules.PartyPlace(w)
	if places := w.Places(); place == "" && len(places) > 0 {
		place = places[0].ID
	}
	events, counts, err := join(list, w, counts, trade, hero{name: strings.TrimSpace(name), owner: owner, place: place})
	if err != nil {
		return nil, nil, fmt.Errorf("add a hero: %w", err)
	}
	return events, counts, nil
}

// heroes returns the heroes that can join the party of a world.
func heroes(w *world.World, lang string) ([]*trade, error) {
	if cast := w.Self().Heroes; cast != "" {
		return decodeHeroes(cast)
	}
	t, ok := ByID(w.Self().Genre)
	if !ok {
		return nil, errors.New("this campaign is none of the tales, so create a character instead")
	}
	return t.makerOf(lang, [32]byte{}).trades, nil
}

// hero holds the properties of a hero that do not follow from the trade.
type hero struct{ name, owner, place string }

// join returns the events by which a hero joins the party, and the counters after them.
func join(all []*trade, w *world.World, counts rules.Counts, tradeID string, h hero) ([]world.Event, rules.Counts, error) {
	tr, err := tradeOf(all, tradeID)
	if err != nil {
		return nil, nil, err
	}
	counts = maps.Clone(counts)
	if counts == nil {
		counts = rules.Counts{}
	}
	counts["pc"]++
	for w.Actor(fmt.Sprintf("pc_%03d", counts["pc"])) != nil {
		counts["pc"]++
	}
	number := fmt.Sprintf("%03d", counts["pc"])
	order := func() int64 {
		counts["order"]++
		return counts["order"]
	}
	a := &world.Actor{
		ID: "pc_" + number, Order: order(), Role: "pc", Name: cmp.Or(h.name, tr.Name), Desc: tr.Line, Attrs: map[string]string{},
		Place: h.place, Owner: h.owner, HP: world.Known(tr.HP), HPMax: world.Known(tr.HP), State: world.Alive,
		Stats: maps.Clone(tr.Stats), Speed: world.Known(world.WalkingPace),
	}
	events := []world.Event{{New: a}}
	for _, thing := range tr.things {
		own := *thing
		own.ID, own.Order, own.Parent = thing.ID+"_"+number, order(), a.ID
		events = append(events, world.Event{New: &own})
	}
	self := *w.Self()
	self.Party, self.Active = world.Append(self.Party, a.ID), cmp.Or(self.Active, a.ID)
	return append(events, world.Event{Old: w.Self(), New: &self}), counts, nil
}

// tradeOf returns the trade with an id, or the first one for "".
func tradeOf(all []*trade, id string) (*trade, error) {
	ids := make([]string, 0, len(all))
	for _, t := range all {
		if t.ID == id || id == "" {
			return t, nil
		}
		ids = append(ids, t.ID)
	}
	slices.Sort(ids)
	return nil, fmt.Errorf("there is no hero %q: choose %s", id, strings.Join(ids, ", "))
}
