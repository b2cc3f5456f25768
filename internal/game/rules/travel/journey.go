package travel

import (
	"math"

	"hob/internal/game/calendar"
	"hob/internal/game/distance"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// journey is a movement of somebody that was found and is not yet made.
type journey struct {
	actor   *world.Actor
	from    string        // an id, perhaps of no place
	to      *world.Place  // where it leads
	at      *world.Place  // where the actor is afterwards: to, or a sub zone of it
	ways    []*world.Link // that are taken, in their order
	mm      int64         // how long it is, as far as that is known
	minutes int64
	key     string // the object that opens the door of its only way, or ""
}

// checkTime refuses a journey that ends after the last day of the calendar.
func (j *journey) checkTime(s *rules.Step) *rules.Verdict {
	if self := s.World.Self(); self.ClockSet && j.minutes > calendar.Last-self.Minute {
		return rules.Refuse(tooFar, "travel.too_far", j.actor, j.to)
	}
	return nil
}

// perform makes the journey, keeps a note of it with the given sentence, and returns the note's id.
func (j *journey) perform(s *rules.Step, words rules.Sentence) string {
	for _, l := range j.ways {
		j.openWay(s, l)
		j.markVisited(s, l.To)
	}
	j.markVisited(s, j.to.ID)
	j.markVisited(s, j.at.ID)
	rules.Change(s, s.World.Actor(j.actor.ID), func(next *world.Actor) {
		next.Place, next.Pos, next.Tried = j.at.ID, j.to.Pos, rules.NewScene(next.Tried)
	})
	s.PassTime(j.minutes)
	data := rules.NewObj().Text("actor", j.actor.ID).Text("from", j.from).Text("to", j.to.ID).Metres("distance", j.mm).
		Int("minutes", j.minutes)
	return s.Note("move", s.Text(words), data)
}

// openWay leaves a way found, and its door unlocked and open, after somebody took it.
func (j *journey) openWay(s *rules.Step, l *world.Link) {
	for _, l := range [...]*world.Link{s.World.Link(l.From, l.To), s.World.Link(l.To, l.From)} {
		if l == nil {
			continue
		}
		opens := j.key != "" && l.Door == world.LockedDoor && l.Lock == j.key
		if !l.Hidden && !opens {
			continue
		}
		next := *l
		if next.Hidden = false; opens {
			next.Door = world.OpenDoor
		}
		s.Put(&next)
	}
}

func (j *journey) markVisited(s *rules.Step, place string) {
	if p := s.World.Place(place); p != nil && !p.Visited {
		rules.Change(s, p, func(next *world.Place) { next.Visited = true })
	}
}

// speed returns how fast somebody is, in metres per hour, at least 1.
func speed(a *world.Actor) int64 { return max(1, a.Speed.Or(world.WalkingPace)) }

func point(p *world.Point) distance.Point { return distance.Point{X: p.X, Y: p.Y, Z: p.Z} }

// distanceBetween returns how far two places lie from each other in millimetres, and whether that
// is known.
func distanceBetween(a, b *world.Place) (mm int64, known bool) {
	if a == nil || b == nil || a.Pos == nil || b.Pos == nil {
		return 0, false
	}
	if a.Overland && b.Overland {
		return distance.Distance2D(point(a.Pos), point(b.Pos)), true
	}
	return distance.Distance3D(point(a.Pos), point(b.Pos)), true
}

// A span is a length of time in thirds of the time for a millimetre, in which both a length and
// whole minutes are whole numbers: at v metres per hour a millimetre is 3 of them and a minute 50
// v.

// minuteSpan returns the span of whole minutes. Like all spans it stops short of overflowing.
func minuteSpan(minutes, v int64) int64 {
	if minutes > math.MaxInt64/50/v {
		return math.MaxInt64
	}
	return minutes * v * 50
}

// lengthSpan returns the span of a length.
func lengthSpan(mm int64) int64 {
	if mm > math.MaxInt64/3 {
		return math.MaxInt64
	}
	return 3 * mm
}

// spanMinutes returns the minutes of a span, rounded up, at least one.
func spanMinutes(span, v int64) int64 {
	by := minuteSpan(1, v)
	minutes := span / by
	if span%by != 0 {
		minutes++
	}
	return max(1, minutes)
}

// wayLength returns how long a way takes and, as far as that is known, how long it is.
func wayLength(w *world.World, l *world.Link, v int64) (span, mm int64) {
	mm, known := distanceBetween(w.Place(l.From), w.Place(l.To))
	switch {
	case l.Minutes > 0:
		return minuteSpan(l.Minutes, v), mm
	case known:
		return lengthSpan(mm), mm
	}
	return minuteSpan(1, v), 0
}
