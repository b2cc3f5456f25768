package things

import (
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The gates of this family: who acts moves what it has or what lies about, takes from others only with a check, and nothing that the
// story counts on goes or comes by a call.

// taking is the difficulty of taking something from somebody, or of opening what somebody has.
func taking(t *rules.Attempt, target string) (int64, *rules.Verdict) {
	if o := t.World.Thing(target); o == nil || t.Holding(o) == rules.OutOfSight {
		return 0, t.Unseen()
	}
	if _, id := t.World.Holder(target); t.World.Actor(id) != nil && !rules.InParty(t.World, id) {
		return max(rules.Uncertain, rules.Swayed(t.World.Actor(id))), nil
	}
	return rules.Uncertain, nil
}

func judgeMove(t *rules.Attempt, a rules.Args) *rules.Verdict {
	o := t.World.Thing(a.Text("object_id"))
	if o == nil {
		return nil // the tool says so
	}
	holding := t.Holding(o)
	if holding == rules.OutOfSight || !t.Sees(a.Text("target_id")) {
		return t.Unseen()
	}
	if holding == rules.Others {
		return t.Need(o.ID)
	}
	return nil
}

// judgeTrait lets traits be written of what is in sight, unless a condition is about the trait.
func judgeTrait(t *rules.Attempt, a rules.Args) *rules.Verdict {
	id := a.Text("entity_id")
	b, missing := findEntity(t.World, a.Text("entity_type"), id)
	switch {
	case missing != nil:
		return nil
	case t.World.Decides("set", id, a.Text("attribute_name")):
		return t.Decided()
	case !t.Sees(b.id):
		return t.Unseen()
	}
	return nil
}

// creating is the difficulty of finding something that nobody wrote, with somebody or at a place.
func creating(t *rules.Attempt, target string) (int64, *rules.Verdict) {
	if !t.Sees(target) {
		return 0, t.Unseen()
	}
	return rules.Uncertain, nil
}

func judgeCreate(t *rules.Attempt, a rules.Args) *rules.Verdict {
	for _, o := range t.World.Things() {
		if strings.EqualFold(o.Name, strings.TrimSpace(a.Text("name"))) {
			return rules.Refuse(rules.NotByCall, "gate.named")
		}
	}
	return t.Need(a.Text("connection_id"))
}

// judgeRemove lets go what the party has or what lies about, empty, if the story does not count on it.
func judgeRemove(t *rules.Attempt, o *world.Thing) *rules.Verdict {
	switch holding := t.Holding(o); {
	case holding == rules.OutOfSight:
		return t.Unseen()
	case holding == rules.Others || o.Fixed || len(t.World.Contents(o.ID)) > 0:
		return t.Never()
	case t.IsNeeded(o):
		return rules.Refuse(storyNeeds, "things.bound", o)
	}
	return nil
}

func judgeDelete(t *rules.Attempt, a rules.Args) *rules.Verdict {
	if o := t.World.Thing(a.Text("object_id")); o != nil {
		return judgeRemove(t, o)
	}
	return nil
}

// judgeQty lets pieces be spent. More of them want a check, which gives as many again at most.
func judgeQty(t *rules.Attempt, a rules.Args) *rules.Verdict {
	o, delta := t.World.Thing(a.Text("object_id")), a.Int("delta", 0)
	switch {
	case o == nil:
		return nil
	case delta <= 0 && -delta >= pieceCount(o):
		return judgeRemove(t, o)
	case delta > pieceCount(o):
		return t.Never()
	}
	switch holding := t.Holding(o); {
	case holding == rules.OutOfSight:
		return t.Unseen()
	case holding == rules.Others:
		return t.Never()
	case delta > 0:
		return t.Need(o.ID)
	}
	return nil
}

// opening is the difficulty of opening a container without its key.
func opening(t *rules.Attempt, target string) (int64, *rules.Verdict) {
	dc, no := taking(t, target)
	return max(dc, rules.Forbidding), no
}

// judgeContainer lets a container be opened and closed by hand, and locked and unlocked with its key.
func judgeContainer(t *rules.Attempt, a rules.Args) *rules.Verdict {
	o := t.World.Thing(a.Text("object_id"))
	if o == nil {
		return nil
	}
	holding, state := t.Holding(o), a.Text("state")
	turns := o.Locked != (state == world.LockedDoor)
	keyed := o.Lock != "" && t.Carried(o.Lock)
	switch {
	case holding == rules.OutOfSight:
		return t.Unseen()
	case a.Has("key_id") && a.Text("key_id") != o.Lock, !o.Container && len(t.World.Contents(o.ID)) == 0,
		turns && !keyed && state == world.LockedDoor:
		return t.Never()
	case holding == rules.Others, turns && !keyed:
		return t.Need(o.ID)
	}
	return nil
}
