package travel

import (
	"cmp"
	"context"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The directions in which a way between two places leads, as set_link names them.
const (
	outward = "out"
	inward  = "in"
	both    = "bidirectional"
	nowhere = "none"
)

// runSetLink runs the tool set_link. Its result is
// {"link":{"from","to","type","state","key_id"}}, of which state and key_id are those of the door;
// type is none where there is no way any more.
func runSetLink(_ context.Context, s *rules.Step, args rules.Args) *rules.Verdict {
	c := linkChange{from: args.Text("from"), to: args.Text("to"), state: args.Text("state"), key: args.Text("key_id")}
	if c.from == c.to {
		return rules.Refuse(rules.SelfTarget, "set_link.self", rules.PlaceName(s.World, c.from))
	}
	for _, id := range [...]string{c.from, c.to} {
		if s.World.Place(id) == nil {
			return rules.Refuse(rules.EntityNotFound, "travel.no_place", id)
		}
	}
	if c.key != "" && s.World.Thing(c.key) == nil {
		return rules.Refuse(rules.EntityNotFound, "set_link.no_key", c.key)
	}
	return c.set(s, args.Text("type"))
}

// linkChange is a change of the ways between two places.
type linkChange struct{ from, to, state, key string }

func (c linkChange) set(s *rules.Step, kind string) *rules.Verdict {
	w := s.World
	there, back := w.Link(c.from, c.to), w.Link(c.to, c.from)
	if there == nil && back == nil {
		if kind == nowhere {
			return rules.Refuse(rules.NotReachable, "travel.not_reachable", rules.PlaceName(w, c.from), rules.PlaceName(w, c.to))
		}
		kind = cmp.Or(kind, both)
	}
	if kind == "" {
		kind = linkType(there, back)
	}
	out := c.changeWay(s, there, back, c.from, c.to, kind == outward || kind == both)
	if there == nil {
		there = out // a new way back has the door of a new one there
	}
	in := c.changeWay(s, back, there, c.to, c.from, kind == inward || kind == both)
	if !w.Connected(c.from, c.to) {
		return rules.Refuse(wouldDisconnect, "set_link.would_disconnect", rules.PlaceName(w, c.from), rules.PlaceName(w, c.to))
	}
	for _, l := range [...]*world.Link{out, in} {
		if l == nil {
			continue
		}
		next, refused := c.changeDoor(w, *l)
		if refused != nil {
			return refused
		}
		if next != *l {
			s.Put(&next)
		}
	}
	return c.result(w)
}

// linkType names the ways between two places.
func linkType(there, back *world.Link) string {
	switch {
	case there != nil && back != nil:
		return both
	case there != nil:
		return outward
	case back != nil:
		return inward
	}
	return nowhere
}

// changeWay makes or removes the way in one direction, and returns it as it is then. A new way is
// like the way back.
func (c linkChange) changeWay(s *rules.Step, is, other *world.Link, from, to string, wanted bool) *world.Link {
	switch {
	case is != nil && !wanted:
		s.Drop(is)
		return nil
	case is != nil || !wanted:
		return is
	}
	made := &world.Link{From: from, To: to, Order: s.NewOrder()}
	if other != nil {
		made.Dir, made.Minutes, made.Hidden = rules.Opposite(other.Dir), other.Minutes, other.Hidden
		made.Door, made.DoorID, made.Lock = other.Door, other.DoorID, other.Lock
	}
	s.Put(made)
	return made
}

// changeDoor returns a way with its door as it is to be.
func (c linkChange) changeDoor(w *world.World, l world.Link) (world.Link, *rules.Verdict) {
	from, to := rules.PlaceName(w, c.from), rules.PlaceName(w, c.to)
	keyed := l.Door == world.LockedDoor && l.Lock != ""
	if keyed && c.key != "" && c.key != l.Lock {
		return l, rules.Refuse(wrongKey, "set_link.wrong_key", rules.ThingName(w, c.key), from, to)
	}
	switch c.state {
	case "":
	case "none":
		l.Door, l.DoorID, l.Lock = world.NoDoor, "", ""
	default:
		l.Door = c.state
	}
	if c.key != "" {
		if l.Door == world.NoDoor {
			return l, rules.Refuse(rules.InvalidArgs, "set_link.no_door", from, to)
		}
		l.Lock = c.key
	}
	return l, nil
}

func (c linkChange) result(w *world.World) *rules.Verdict {
	there, back := w.Link(c.from, c.to), w.Link(c.to, c.from)
	kind, state, key := linkType(there, back), "none", ""
	if there == nil {
		there = back
	}
	if there != nil {
		key = there.Lock
		if there.Door != world.NoDoor {
			state = there.Door
		}
	}
	link := rules.NewObj().Text("from", c.from).Text("to", c.to).Text("type", kind).Text("state", state).TextOrNull("key_id", key)
	return rules.Accept(rules.NewObj().Obj("link", link), "set_link."+kind+"."+state, rules.PlaceName(w, c.from), rules.PlaceName(w, c.to))
}
