package travel

import (
	"cmp"
	"math"
	"slices"

	"hob/internal/game/distance"
	"hob/internal/game/world"
)

// spot is a place on a search for the shortest way.
type spot struct {
	id       string
	span, mm int64       // from where the search began
	way      *world.Link // by which it was reached, nil at the beginning
}

// search finds everything that can be reached from a place, or from where it can be reached, along
// ways that an actor can take. It stops at places in the open, from where one walks straight on.
type search struct {
	w     *world.World
	actor *world.Actor
	back  bool // against the ways
	spots map[string]*spot
	queue []*spot  // to go on from, the nearest first, and of equally near ones always the same
	open  []string // the places in the open that were reached, the nearest first
}

// searchFrom searches from a place.
func searchFrom(w *world.World, a *world.Actor, from string, back bool) *search {
	r := &search{w: w, actor: a, back: back, spots: map[string]*spot{}}
	r.reach(&spot{id: from})
	for len(r.queue) > 0 {
		at := r.queue[0]
		r.queue = r.queue[1:]
		if r.spots[at.id] != at { // a shorter way there was found
			continue
		}
		if p := w.Place(at.id); p == nil || isOpen(w, p) {
			if p != nil {
				r.open = append(r.open, at.id)
			}
			continue
		}
		ways := w.Outs(at.id)
		if back {
			ways = w.Ins(at.id)
		}
		for _, l := range ways {
			r.follow(at, l)
		}
	}
	return r
}

// follow goes on along a way.
func (r *search) follow(at *spot, l *world.Link) {
	if l.Hidden || isBarred(l) || l.Needs != "" && !r.w.Carries(r.actor.ID, l.Needs) {
		return
	}
	next := l.To
	if r.back {
		next = l.From
	}
	span, mm := wayLength(r.w, l, speed(r.actor))
	if span = distance.Sum(at.span, span); span == math.MaxInt64 {
		return
	}
	if was := r.spots[next]; was != nil && was.span <= span {
		return
	}
	r.reach(&spot{id: next, span: span, mm: distance.Sum(at.mm, mm), way: l})
}

// reach remembers a place that was reached, to go on from there.
func (r *search) reach(at *spot) {
	r.spots[at.id] = at
	i, _ := slices.BinarySearchFunc(r.queue, at, func(a, b *spot) int {
		return cmp.Or(cmp.Compare(a.span, b.span), cmp.Compare(a.id, b.id))
	})
	r.queue = slices.Insert(r.queue, i, at)
}

// ways returns those that lead from where the search began to a place it reached, or from that
// place to there, in the order in which they are taken.
func (r *search) ways(id string) (list []*world.Link) {
	for l := r.spots[id].way; l != nil; l = r.spots[id].way {
		list = append(list, l)
		if id = l.From; r.back {
			id = l.To
		}
	}
	if !r.back {
		slices.Reverse(list)
	}
	return list
}
