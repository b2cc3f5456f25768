package travel

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"hob/internal/game/travel"
	"hob/internal/game/world"
)

// spot is a place on a search for the shortest way.
type spot struct {
	span, mm int64       // from where the search began
	way      *world.Link // by which it was reached, nil at the beginning
	done     bool
}

// search is what can be reached from a place, or what it can be reached from, along ways that somebody can take. It goes no
// further than to places in the open, for from there one walks straight on.
type search struct {
	w     *world.World
	actor *world.Actor
	back  bool // against the ways
	spots map[string]*spot
	queue nearest
	open  []string // the places in the open that were reached, the nearest first
}

// queued is a place that is to be looked at. It may stand in the queue more than once.
type queued struct {
	span int64
	id   string
}

// nearest is a heap of places, the nearest first, and of equally near ones always the same.
type nearest []queued

func (q nearest) Len() int { return len(q) }

func (q nearest) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].span, q[j].span), cmp.Compare(q[i].id, q[j].id)) < 0
}

func (q nearest) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *nearest) Push(one any) { *q = append(*q, one.(queued)) }

func (q *nearest) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// seek searches from a place.
func seek(w *world.World, a *world.Actor, from string, back bool) *search {
	r := &search{w: w, actor: a, back: back, spots: map[string]*spot{from: {}}}
	heap.Push(&r.queue, queued{id: from})
	for len(r.queue) > 0 {
		id := heap.Pop(&r.queue).(queued).id
		at := r.spots[id]
		if at.done {
			continue
		}
		at.done = true
		if p := w.Place(id); p == nil || isOpen(w, p) {
			if p != nil {
				r.open = append(r.open, id)
			}
			continue
		}
		ways := w.Outs(id)
		if back {
			ways = w.Ins(id)
		}
		for _, l := range ways {
			r.follow(at, l)
		}
	}
	return r
}

// follow goes on along a way.
func (r *search) follow(at *spot, l *world.Link) {
	if l.Hidden || bars(l) || l.Needs != "" && !r.w.Carries(r.actor.ID, l.Needs) {
		return
	}
	next := l.To
	if r.back {
		next = l.From
	}
	span, mm := along(r.w, l, speed(r.actor))
	if span = travel.Sum(at.span, span); span == math.MaxInt64 {
		return
	}
	if was := r.spots[next]; was != nil && was.span <= span {
		return
	}
	r.spots[next] = &spot{span: span, mm: travel.Sum(at.mm, mm), way: l}
	heap.Push(&r.queue, queued{span: span, id: next})
}

// ways returns those that lead from where the search began to a place it reached, or from that place to there, in the order in
// which they are taken.
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
