package travel

import (
	"math"

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
	queue []queued // a heap
	open  []string // the places in the open that were reached, the nearest first
}

// queued is a place that is to be looked at. It may stand in the queue more than once.
type queued struct {
	span int64
	id   string
}

// before puts the nearest first, and of equally near ones always the same.
func (q queued) before(other queued) bool {
	return q.span < other.span || q.span == other.span && q.id < other.id
}

// seek searches from a place.
func seek(w *world.World, a *world.Actor, from string, back bool) *search {
	r := &search{w: w, actor: a, back: back, spots: map[string]*spot{from: {}}}
	r.push(queued{id: from})
	for len(r.queue) > 0 {
		id := r.pop().id
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
	r.push(queued{span: span, id: next})
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
		for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
			list[i], list[j] = list[j], list[i]
		}
	}
	return list
}

func (r *search) push(one queued) {
	r.queue = append(r.queue, one)
	for i := len(r.queue) - 1; i > 0; {
		up := (i - 1) / 2
		if !r.queue[i].before(r.queue[up]) {
			break
		}
		r.queue[i], r.queue[up] = r.queue[up], r.queue[i]
		i = up
	}
}

func (r *search) pop() queued {
	q := r.queue
	top, last := q[0], len(q)-1
	q[0] = q[last]
	r.queue = q[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if q[child].before(q[least]) {
				least = child
			}
		}
		if least == i {
			return top
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}
