package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// opening holds that a door, a lid or a lock is said to be open, or shut.
func (c *checker) opening(t *telling, r *course) {
	if t.class&tOpened != 0 && c.sealed(t, r) {
		c.flag(State, t.at, "this is closed")
		return
	}
	if t.class&tShut != 0 && t.class&tOpened == 0 && r.opened && !r.refused && (t.about&(tDoor|tHatch|tLock|tLid) != 0 || c.boxed(t)) {
		c.flag(State, t.at, "this was opened in this turn")
	}
}

// sealed reports whether what is said to open is closed.
func (c *checker) sealed(t *telling, r *course) bool {
	ways, named, about := c.ways(), false, t.about
	if about&(tDoor|tHatch|tLock|tLid) == 0 && t.who.sort == pronoun {
		about = t.sentence // "you push the door, and it opens"
	}
	for _, f := range t.named {
		switch f.kind {
		case world.ThingKind:
			x := c.d.After.Thing(f.id)
			named = named || x != nil && (x.Container || c.isDoor(f.id))
			if x != nil && x.Container && f.full && (x.Closed || x.Locked) && !c.unsealed(f.id) && c.d.seen[f.id] && c.lang != "zh" {
				return true
			}
		case world.PlaceKind:
			for _, l := range ways {
				if l.To == f.id && t.about&(tDoor|tHatch|tLock) != 0 {
					named = true
					if shut(l) {
						return true
					}
				}
			}
		}
	}
	switch {
	case named || r.opened:
		return false
	case about&tHatch != 0:
		return every(ways, func(l *world.Link) bool { return l.Dir == "d" || l.Dir == "u" })
	case about&tLock != 0:
		return slices.ContainsFunc(ways, shut)
	case about&tDoor != 0:
		return r.stopped
	}
	return false
}

// ways are the ways out of the places of the turn that are not hidden.
func (c *checker) ways() (list []*world.Link) {
	for _, id := range c.d.places {
		for _, l := range c.d.After.Outs(id) {
			if !l.Hidden {
				list = append(list, l)
			}
		}
	}
	return list
}

func shut(l *world.Link) bool { return l.Door == world.ClosedDoor || l.Door == world.LockedDoor }

// every reports whether there are such ways with doors, and all of them are shut.
func every(ways []*world.Link, fits func(*world.Link) bool) bool {
	some := false
	for _, l := range ways {
		if fits(l) {
			if !shut(l) {
				return false
			}
			some = true
		}
	}
	return some
}

// boxed reports whether a box is named, or stood for, that was opened in this turn.
func (c *checker) boxed(t *telling) bool {
	ids := slices.Clone(t.topic)
	for _, f := range t.named {
		ids = append(ids, f.id)
	}
	return slices.ContainsFunc(ids, func(id string) bool {
		is, was := c.d.After.Thing(id), c.d.Before.Thing(id)
		return is != nil && was != nil && was.Closed && !is.Closed
	})
}

func (c *checker) isDoor(id string) bool {
	return slices.ContainsFunc(c.ways(), func(l *world.Link) bool { return l.DoorID == id })
}

// unsealed reports whether a box was open before this turn, or came to be.
func (c *checker) unsealed(id string) bool {
	was := c.d.Before.Thing(id)
	return was == nil || !was.Closed && !was.Locked
}

// ending holds that a task is said to be done, or to have failed.
func (c *checker) ending(t *telling, r *course) {
	for _, q := range c.d.After.Quests() {
		if (q.State == world.Active || q.State == world.Offered) && c.titles(q.Title, t.at) {
			c.flag(Quest, t.at, "this task is not over")
			return
		}
	}
	if t.about&tTask != 0 && !r.ended && !slices.ContainsFunc(c.d.After.Quests(), func(q *world.Quest) bool {
		return q.State == world.Done || q.State == world.Failed
	}) {
		c.flag(Quest, t.at, "no task is over")
	}
}

// titles reports whether a sentence names a task, before what is said of it.
func (c *checker) titles(title string, at span) bool {
	s := c.draft.open
	from := strings.LastIndexAny(s[:at.at], ".!?\n") + 1
	for _, mark := range []string{"。", "！", "？"} {
		if i := strings.LastIndex(s[:at.at], mark); i >= from {
			from = i + len(mark)
		}
	}
	if c.lang == "zh" {
		return title != "" && strings.Contains(s[from:at.end], title)
	}
	var words []string
	for rest := title; rest != ""; {
		w, after := nextWord(rest)
		if rest = after; len(w) > 3 {
			words = append(words, stem(c.lang, lowered(w)))
		}
	}
	end := at.end + min(len(s)-at.end, 80)
	if i := strings.IndexAny(s[at.end:end], ".!?\n"); i >= 0 {
		end = at.end + i
	}
	return len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(c.stems[w], func(i int) bool { return c.toks[i].at >= from && c.toks[i].end <= end })
	})
}
