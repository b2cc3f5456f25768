package world

import (
	"slices"
	"strconv"
)

// checkStory looks at quests, clocks, facts and lore.
func (w *World) checkStory(b *breaches) {
	for _, q := range w.quests {
		b.need(w.actors[q.Giver] != nil, ActorKind, q.Giver, QuestKind, q.ID, "giver")
		for objective, when := range q.When {
			if !slices.Contains(q.Objectives, objective) {
				b.add(3, called(QuestKind,
					q.ID)+" has a condition for an objective that it does not have: "+strconv.Quote(objective)+".")
			}
			w.checkCondition(b, QuestKind, q.ID, when)
		}
	}
	for _, c := range w.clocks {
		if c.Filled < 0 || c.Filled > c.Segments {
			b.add(8, called(ClockKind, c.ID)+" has "+strconv.FormatInt(c.Filled, 10)+" of "+strconv.FormatInt(c.Segments, 10)+
				" segments filled.")
		}
		b.need(w.quests[c.Fails] != nil, QuestKind, c.Fails, ClockKind, c.ID, "failure")
	}
	for _, f := range w.facts {
		b.need(w.places[f.Place] != nil, PlaceKind, f.Place, FactKind, f.ID, "place")
		for _, id := range f.Witnesses {
			b.need(w.actors[id] != nil, ActorKind, id, FactKind, f.ID, "witness")
		}
	}
}

// checkTalk looks at what an actor can be asked about.
func (w *World) checkTalk(b *breaches, a *Actor) {
	for i := range a.Talk {
		t := &a.Talk[i]
		b.need(w.facts[t.Reveals] != nil, FactKind, t.Reveals, ActorKind, a.ID, "revelation")
		b.need(w.things[t.Gives] != nil, ThingKind, t.Gives, ActorKind, a.ID, "gift")
		w.checkCondition(b, ActorKind, a.ID, t.When)
	}
}

// checkCondition looks that a condition can be read, and that what it names is there.
func (w *World) checkCondition(b *breaches, owner Kind, key, when string) {
	for _, t := range Condition(when).Terms() {
		subjects, ok := t.subjects()
		if !ok {
			b.add(3, called(owner, key)+" has a condition that cannot be read: "+strconv.Quote(when)+".")
		}
		for _, s := range subjects {
			if ok && !w.there(s) {
				b.add(3, called(owner,
					key)+" has a condition on "+strconv.Quote(s.id)+", which does not exist: "+strconv.Quote(when)+".")
			}
		}
	}
}

// checkSelf looks at what the world is as a whole.
func (w *World) checkSelf(b *breaches) {
	s := w.self
	for i, id := range s.Party {
		if w.actors[id] == nil {
			b.add(3, "The party has "+called(ActorKind, id)+", who does not exist.")
		}
		if slices.Contains(s.Party[:i], id) {
			b.add(10, "The party has "+called(ActorKind, id)+" more than once.")
		}
	}
	if s.Active != "" && w.actors[s.Active] == nil {
		b.add(3, "The active "+called(ActorKind, s.Active)+" does not exist.")
	}
	if s.Active != "" && len(s.Party) > 0 && !slices.Contains(s.Party, s.Active) {
		b.add(12, "The active "+called(ActorKind, s.Active)+" is not in the party.")
	}
	if s.Minute < 0 {
		b.add(7, "The clock stands at minute "+strconv.FormatInt(s.Minute, 10)+", before its beginning.")
	}
}

// checkEncounter holds the order of an encounter against its participants: those who have an initiative, or, where nobody has
// one, those of the order itself.
func (w *World) checkEncounter(b *breaches) {
	e := w.encounter
	if e == nil {
		return
	}
	for i, id := range e.Actors {
		a := w.actors[id]
		switch {
		case a == nil:
			b.add(3, "The encounter has "+called(ActorKind, id)+", who does not exist.")
		case a.State == Dead:
			b.add(9, "The encounter has "+called(ActorKind, id)+" in its order, who is dead.")
		}
		if slices.Contains(e.Actors[:i], id) {
			b.add(9, "The encounter has "+called(ActorKind, id)+" in its order more than once.")
		}
		if _, ok := e.Initiative[id]; !ok && len(e.Initiative) > 0 {
			b.add(9, "The encounter has "+called(ActorKind, id)+" in its order, who does not take part.")
		}
	}
	for id := range e.Initiative {
		if a := w.actors[id]; a != nil && a.State != Dead && !slices.Contains(e.Actors, id) {
			b.add(9, "The encounter has "+called(ActorKind, id)+" among its participants and not in its order.")
		}
	}
	if e.Turn < 0 || e.Turn >= int64(len(e.Actors)) {
		b.add(9, "The encounter is at turn "+strconv.FormatInt(e.Turn, 10)+" of an order of "+strconv.Itoa(len(e.Actors))+".")
	}
}

// checkIDs looks that every id is there, and only once.
func (w *World) checkIDs(b *breaches) {
	kinds := [...]Kind{PlaceKind, ActorKind, ThingKind, QuestKind, ClockKind, FactKind, LoreKind}
	for n, kind := range kinds {
		w.ids(kind, func(id string) {
			if id == "" {
				b.add(10, "A record has no id: "+kind.String()+".")
			}
			for _, other := range kinds[n+1:] {
				if w.has(other, id) {
					b.add(10, strconv.Quote(id)+" is the id of two records: "+kind.String()+" and "+other.String()+".")
				}
			}
		})
	}
}

// ids calls see with the id of every record of a kind, in no particular order.
func (w *World) ids(kind Kind, see func(id string)) {
	switch kind {
	case PlaceKind:
		each(w.places, see)
	case ActorKind:
		each(w.actors, see)
	case ThingKind:
		each(w.things, see)
	case QuestKind:
		each(w.quests, see)
	case ClockKind:
		each(w.clocks, see)
	case FactKind:
		each(w.facts, see)
	case LoreKind:
		each(w.lore, see)
	}
}

func each[T any](m map[string]T, see func(string)) {
	for id := range m {
		see(id)
	}
}

// has reports whether there is a record of that kind and id, without making a [Record] of it.
func (w *World) has(kind Kind, id string) bool {
	switch kind {
	case PlaceKind:
		return w.places[id] != nil
	case ActorKind:
		return w.actors[id] != nil
	case ThingKind:
		return w.things[id] != nil
	case QuestKind:
		return w.quests[id] != nil
	case ClockKind:
		return w.clocks[id] != nil
	case FactKind:
		return w.facts[id] != nil
	case LoreKind:
		return w.lore[id] != nil
	}
	return false
}
